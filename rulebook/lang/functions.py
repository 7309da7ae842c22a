"""The functions of the language: one entry each, from which the checker, messages and reference pages are made."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Function:
    """`shape` is how it is written, `least` and `most` how many arguments it takes (`most` None: any number)."""

    name: str
    shape: str
    least: int
    most: int | None
    meaning: str


_LIST = [
    Function("count", "count(LIST)", 1, 1, "how many members"),
    Function("any", "any(LIST)", 1, 1, "whether it has members"),
    Function("empty", "empty(LIST)", 1, 1, "whether it has none"),
    Function("first", "first(LIST)", 1, 1, "maybe the first member; of a zone, the top card"),
    Function("last", "last(LIST)", 1, 1, "maybe the last member; of a zone, the bottom card"),
    Function("top", "top(LIST, N)", 2, 2, "the first N members, or all if there are fewer"),
    Function("bottom", "bottom(LIST, N)", 2, 2, "the last N members, or all if there are fewer"),
    Function("slots", "slots(ZONE)", 1, 1, "the places where a card can be put: 0 to its count"),
    Function("range", "range(A, B)", 2, 2, "the numbers from A to B, at most 1000"),
    Function("owner", "owner(CARD)", 1, 1, "maybe the player whose zone it lies in"),
    Function("zone_of", "zone_of(CARD)", 1, 1, "the name of the zone it lies in"),
    Function("id", "id(CARD)", 1, 1, "its kind"),
    Function("ids", "ids(CARDS)", 1, 1, "their kinds"),
    Function("title", "title(CARD)", 1, 1, "the title of a card or kind"),
    Function("titles", "titles(CARDS)", 1, 1, "their titles without doubles"),
    Function("next_player", "next_player(PLAYER)", 1, 1, "the next living player in the direction of play"),
    Function("ring", "ring(PLAYER)", 1, 1, "the living players in the direction of play, that one first (if living)"),
    Function("seats", "seats(PLAYER)", 1, 1, "all players in the direction of play, that one first"),
    Function("player", "player(N)", 1, 1, "the player with that number, counted from 0"),
    Function("kinds", "kinds()", 0, 0, "every kind of card in the decks in play"),
    Function("can_play", "can_play(CARD)", 1, 1, "whether `you` could play it here"),
    Function("sum", "sum(LIST, NUMBER)", 1, 2, "the sum over the members (`it`), or of a list of numbers"),
    Function(
        "min", "min(A, B)", 2, 2, "the lesser; min(LIST, NUMBER): the least over the members (`it`), 0 of nothing"
    ),
    Function(
        "max", "max(A, B)", 2, 2, "the greater; max(LIST, NUMBER): the greatest over the members (`it`), 0 of nothing"
    ),
    Function("best", "best(LIST, NUMBER)", 2, 2, "the members (`it`) for which the number is greatest"),
    Function("groups", "groups(CARDS, KEY)", 2, 2, "the cards (`it`) that share a key together, for each key"),
    Function("sets", "sets(CARDS, KEY, N)", 3, 3, "every choice of N or more cards (`it`) that share a key"),
    Function(
        "runs", "runs(CARDS, KEY, RANK, N)", 4, 4, "every run of N or more cards (`it`) with one key and ranks in a row"
    ),
    Function(
        "disjoint",
        "disjoint(GROUPS, NUMBER)",
        2,
        2,
        "the groups (`it`), none with a card of another, whose numbers come to the most",
    ),
    Function("members", "members(GROUPS)", 1, 1, "the cards of all groups, each once"),
    Function("all", "all(LIST, FLAG)", 2, 2, "whether it holds for each member (`it`)"),
    Function("map", "map(LIST, VALUE)", 2, 2, "the value for each member (`it`)"),
    Function("each", "each(LIST)", 1, 1, "the list without doubles"),
    Function("combined", "combined(WORD, …)", 1, None, "the words joined by a space"),
    Function("has_mark", "has_mark(X, MARK)", 2, 2, "whether a card or player bears the mark of that id"),
]

FUNCTIONS: dict[str, Function] = {function.name: function for function in _LIST}
"""All functions by name."""
