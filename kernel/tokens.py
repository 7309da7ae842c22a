"""A finite table of numbered words with which every action of a book can be spelt.

Learning programs want actions as whole numbers below a fixed bound. Actions themselves have none: some cards in order,
out of a whole deck, are more than anybody can count. So an action is spelt by one or a few *ids* of this table, and
`Spelling` says which may come next. The table follows from the book alone: same digest, same ids.
"""

from __future__ import annotations

from typing import Any, Final

from kernel.book import Rulebook
from kernel.core import Value
from kernel.errors import InvalidAction

PASS: Final = 0
DONE: Final = 1
NONE: Final = 2
RANDOM: Final = 3
OTHER: Final = 4
WHICH: Final = 5
DIGITS: Final = 16
MAX_NUMBER: Final = 255

#: Expressions whose words cannot be read off: any word of the book may come out of them.
OPEN: Final = ("v", "gattr", "pattr", "cattr", "ask", "event", "actarg", "act", "join", "variant")


class ActionTable:
    """The ids of a book: `names[id]` is the word, `len(table)` how many there are.

    `pass`; `done` ends a list that could go on; `none` is a choice with nobody to choose; `random` a card that the
    chooser cannot see; `other` something the table has no word for, told apart by what follows; `which 0` … `which 15`
    are digits that tell things apart that have the same word. Then: every move by its name (`draw`), moves that take
    exactly one card together with its kind (`toss tea`), `play KIND`, and what is chosen: `kind KIND`, `player 0` …,
    `number 0` … (up to the cards in the decks, at most 255), `word WORD`.
    """

    __slots__ = ("book", "names", "ids", "players", "numbers")

    def __init__(self, book: Rulebook) -> None:
        self.book = book
        self.players = book.players_max
        self.numbers = min(MAX_NUMBER, sum([count for _, count, _ in book.deck]))
        names = ["pass", "done", "none", "random", "other", *[f"which {d}" for d in range(DIGITS)]]
        kinds = [k.id for k in book.kinds if not k.mark]
        for spec in (*book.turn_moves, *book.answer_moves):
            if spec.cards is not None and spec.cards.least == spec.cards.most == 1:
                names.extend([f"{spec.text} {id}" for id in kinds])
            else:
                names.append(spec.text)
        names.extend([f"play {k.id}" for k in book.kinds if k.plays or k.plays_as is not None])
        names.extend([f"kind {k.id}" for k in book.kinds])
        names.extend([f"player {p}" for p in range(self.players)])
        names.extend([f"number {n}" for n in range(self.numbers + 1)])
        names.extend([f"word {w}" for w in words_to_choose(book.data)])
        self.names: tuple[str, ...] = tuple(dict.fromkeys(names))
        self.ids: dict[str, int] = {name: id for id, name in enumerate(self.names)}

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return f"<ActionTable {self.book.game} {len(self.names)} ids>"

    def id(self, name: str) -> int:
        """The id of a word. Raises InvalidAction where there is none."""
        found = self.ids.get(name)
        if found is None:
            raise InvalidAction(f"the table of actions has no word '{name[:80]}'")
        return found

    def of_head(self, head: str, kind: str) -> int:
        """The id of a move or play; `kind` is its one card's, or empty."""
        return self.ids.get(f"{head} {kind}" if kind else head, OTHER)

    def of_kind(self, kind: str) -> int:
        """The id of a chosen card or kind."""
        return self.ids.get("kind " + kind, OTHER)

    def of_value(self, value: Value, type: str) -> int:
        """The id of a chosen value that is no card."""
        if value is None:
            return NONE
        if isinstance(value, str):
            # A word and a kind are equal by text, so they have one id.
            id = self.ids.get("kind " + value)
            return self.ids.get("word " + value, OTHER) if id is None else id
        return self.ids.get(("player " if type == "player" else "number ") + str(value), OTHER)


def words_to_choose(data: dict[str, Any]) -> list[str]:
    """Every word that a player may be asked to choose, as far as the compiled form says; sorted."""
    found: set[str] = set()
    for asked in questions(data):
        if asked.get("type") == "word":
            found |= words_of(data, asked["set"] if "set" in asked else asked["from"])
    return sorted(found)


def words_of(data: dict[str, Any], expr: Any) -> set[str]:
    """The words that an expression can come to; all words of the book where that cannot be read off."""
    found: set[str] = set()
    if gather(data, expr, found):
        for part in (data["verbs"], data["moves"], data["kinds"], data["questions"], data["setup"], data["play"]):
            constants(part, found)
        for name, type in data["fields"].items():
            if type in ("word", "words"):
                field_words(data, name, found)
    return found


def gather(data: dict[str, Any], expr: Any, found: set[str]) -> bool:
    """Collect the words in an expression. Whether others may come out of it as well."""
    if not isinstance(expr, list) or not expr:
        return False
    if expr[0] == "k":
        add_words(expr[1], found)
        return False
    if expr[0] == "field" and isinstance(expr[1], str):
        field_words(data, expr[1], found)
        return False
    more = expr[0] in OPEN
    for part in expr[1:]:
        more = gather(data, part, found) or more
    return more


def constants(part: Any, found: set[str]) -> None:
    """Collect all constant words in a part of the compiled form."""
    if isinstance(part, dict):
        for value in part.values():
            constants(value, found)
    elif isinstance(part, list):
        if len(part) == 2 and part[0] == "k":
            add_words(part[1], found)
        elif part[:2] not in (["do", "refuse"], ["do", "tell"]):  # what is said to people is not chosen
            for value in part:
                constants(value, found)


def questions(part: Any) -> list[dict[str, Any]]:
    """Every choice and pick in a part of the compiled form."""
    found: list[dict[str, Any]] = []
    if isinstance(part, dict):
        if "type" in part and "slot" in part and ("set" in part or "from" in part):
            found.append(part)
        for value in part.values():
            found.extend(questions(value))
    elif isinstance(part, list):
        for value in part:
            if isinstance(value, (dict, list)):
                found.extend(questions(value))
    return found


def field_words(data: dict[str, Any], name: str, found: set[str]) -> None:
    """Collect the words that the kinds have in a field."""
    for kind in data["kinds"]:
        add_words(kind["fields"].get(name), found)


def add_words(value: Any, found: set[str]) -> None:
    """Add a word, or the words of a list."""
    for one in value if isinstance(value, list) else [value]:
        if isinstance(one, str) and one:
            found.add(one)
