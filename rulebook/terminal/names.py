"""What things are called on screen: cards by their titles, players by their names, zones in words.

Everything that comes from packs, files or people goes through :func:`rulebook.diagnostics.visible` here, so that no
text can steer the terminal.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rulebook.diagnostics import visible
from rulebook.translations import texts

if TYPE_CHECKING:
    from kernel import Rulebook

UNKNOWN = "unknown"
_HOLE = re.compile(r"\{([a-z][a-z0-9_]*)\}")
_CARD = re.compile(r"([^(#]+)(?:\(([^)]*)\))?(?:#(\d+))?")


@dataclass(frozen=True, slots=True)
class CardText:
    """A card as notation writes it, taken apart: `skip(marked)#2` is id, attributes and number."""

    id: str
    attributes: tuple[str, ...] = ()
    number: int = 1

    @classmethod
    def parse(cls, text: str) -> CardText:
        """Take a card's text apart; what does not look like one is an id."""
        found = _CARD.fullmatch(text)
        if found is None:
            return cls(text)
        attributes = tuple(part for part in (found[2] or "").split(",") if part)
        return cls(found[1], attributes, int(found[3] or 1))


class Names:
    """The names of one game, as one viewer reads them: `you` is that player, None a spectator."""

    def __init__(
        self, book: Rulebook, players: Sequence[str], you: int | None = None, language: str | None = None
    ) -> None:
        said = texts(book, language)
        self.book = book
        self.players = [visible(name) for name in players]
        self.you = you
        self.titles = {id: visible(title) for id, title in said.titles.items()}
        self.texts = said.texts
        self.words = {word: visible(title) for word, title in book.data.get("words", {}).items()}
        self._places = _places(book)
        self.zones = {zone["name"]: zone for zone in book.data["zones"]}
        self.card_attributes = {item["name"]: item["type"] for item in book.data["attributes"].get("card", ())}
        attributes = book.data["attributes"]
        self.player_attributes = frozenset(item["name"] for item in attributes.get("player", ()))
        self.attributes = {
            item["name"]: item["type"] for scope in ("game", "player") for item in attributes.get(scope, ())
        }
        self.moves = frozenset(move["name"] for move in book.data["moves"]) | {
            move["text"] for move in book.data["moves"] if move["text"]
        }
        self.says = {
            move["text"] or move["name"]: visible(move["say"]) for move in book.data["moves"] if move.get("say")
        }
        self._choices = _choice_types(book)
        self.asks = {
            (move["text"] or move["name"], choice["name"]): visible(choice["ask"])
            for move in book.data["moves"]
            for choice in move["choose"]
            if choice["ask"]
        }
        self._word_places = {word: place for place, word in enumerate(self.words)}

    def seen_by(self, you: int | None) -> Names:
        """The same names for another viewer."""
        other = object.__new__(Names)
        other.__dict__.update(self.__dict__)
        other.you = you
        return other

    # -- players -------------------------------------------------------------------------------------------------------

    def player(self, player: int) -> str:
        """`you`, or the player's name."""
        if player == self.you:
            return "you"
        return self.players[player] if 0 <= player < len(self.players) else f"player {player}"

    def subject(self, player: int) -> str:
        """The player at the beginning of a sentence."""
        name = self.player(player)
        return "You" if name == "you" else name

    def does(self, player: int, verb: str) -> str:
        """`You play`, `Ann plays`; `Ann ends the turn`."""
        first, space, rest = verb.partition(" ")
        return f"{self.subject(player)} {first if player == self.you else third_person(first)}{space}{rest}"

    def own(self, player: int) -> str:
        """`your`, `Ann's`."""
        if player == self.you:
            return "your"
        name = self.player(player)
        return f"{name}'" if name.endswith("s") else f"{name}'s"

    # -- cards ---------------------------------------------------------------------------------------------------------

    def title(self, kind: str) -> str:
        """The title of a kind of card, or the word itself in readable form."""
        return self.titles.get(kind) or self.words.get(kind) or words(kind)

    def word_place(self, word: Any) -> int:
        """Where a word of a deck (a rank, a suit) stands among others; 0 for any other word."""
        return self._word_places.get(str(word), 0)

    @property
    def sorts(self) -> bool:
        """Whether the game says how cards are sorted."""
        return bool(self._places)

    def place(self, text: str) -> tuple[Any, ...]:
        """Where a card stands among others for people to see: as the game sorts them, as their deck lists them. Cards
        of games that say nothing of it all have the same place."""
        return self._places.get(CardText.parse(text).id, _NOWHERE)

    def sorted(self, texts: Iterable[str]) -> list[str]:
        """Cards of a zone without order, as people see them: as the game sorts them, else as they come."""
        return sorted(texts, key=self.place)

    def card(self, text: str) -> str:
        """A card as views and news write it: its title, with what lies on it in brackets; `?` for one not known."""
        if text == UNKNOWN:
            return "?"
        card = CardText.parse(text)
        if not card.attributes:
            return self.title(card.id)
        return f"{self.title(card.id)} ({', '.join(self._attribute(part) for part in card.attributes)})"

    def _attribute(self, text: str) -> str:
        name, equals, value = text.partition("=")
        if not equals:
            return self.title(name)
        if name == "as":
            return f"as {self.title(value)}"
        if self.card_attributes.get(name) == "player" and value.isdecimal():
            return f"{words(name)} {self.player(int(value))}"
        return f"{words(name)} {words(value)}"

    def cards(self, texts: Iterable[str]) -> str:
        """Several cards in a sentence: `Skip`, `2 Tacocats` as `Tacocat ×2`, `3 cards` for those not known."""
        counted = Counter(texts)
        unknown = counted.pop(UNKNOWN, 0)
        parts = [times(self.card(text), count) for text, count in counted.items()]
        if unknown:
            parts.append("a card" if unknown == 1 else f"{unknown} cards")
        return listing(parts)

    # -- zones ---------------------------------------------------------------------------------------------------------

    def zone(self, label: Any, subject: int | None = None) -> str:
        """A zone as news name it: `the draw pile`, `your hand`, `Ann's hand`, `their hand` (the subject's)."""
        if isinstance(label, list | tuple) and len(label) == 2:
            if label[1] == subject != self.you:
                return f"their {words(label[0])}"
            return f"{self.own(label[1])} {words(label[0])}"
        text = words(str(label))
        return text if text.startswith("in ") else f"the {text}"

    # -- choices -------------------------------------------------------------------------------------------------------

    def say(self, move: str, choices: Mapping[str, str]) -> tuple[str, list[str]]:
        """What the game says of a move, with the choices in their places, and the names of those that have none. Of
        choices that are still open nothing is said, nor what stands behind them."""
        text, placed = self.says.get(move) or words(move), []
        for match in _HOLE.finditer(text):
            if match[1] not in choices:
                text = text[: match.start()].rstrip()
                break
            placed.append(match[1])
        said = _HOLE.sub(lambda match: choices.get(match[1], ""), text)
        return said, [name for name in choices if name not in placed]

    def choice_type(self, move: str, cards: Sequence[str], name: str) -> str:
        """What a choice announced with a play or a move is: `player`, `card`, `kind`, `word` or `number`."""
        last = CardText.parse(cards[-1]).id if cards else ""
        for key in ((move, last, name), (move, "", name), ("", "", name)):
            if key in self._choices:
                return self._choices[key]
        return "word"

    def value(self, kind: str, value: Any) -> str:
        """A value that was chosen, in words; `kind` is its type."""
        if value is None:
            return "none"
        if isinstance(value, list | tuple):
            return listing([self.value(kind, item) for item in value])
        text = str(value)
        if kind in ("player", "players") and text.isdecimal():
            return self.player(int(text))
        if kind in ("card", "kind", "cards", "kinds"):
            return self.card(text)
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, int) or kind in ("number", "numbers"):
            return text  # a deck may have a member `10` with a title of its own
        return self.title(text)


_NOWHERE: tuple[Any, ...] = (1,)


def _places(book: Rulebook) -> dict[str, tuple[Any, ...]]:
    """By kind, where people see it among others: by the fields that the game sorts by, then as its deck lists it."""
    order = book.data.get("sort", ())
    if not order and not any("place" in kind for kind in book.data["kinds"]):
        return {}
    found: dict[str, tuple[Any, ...]] = {}
    for kind in book.data["kinds"]:
        fields = kind["fields"]
        keys = [(1, "") if name not in fields else (0, fields[name]) for name in order]
        found[kind["id"]] = (0, *keys, kind.get("place", len(book.data["kinds"])), kind["id"])
    return found


def _choice_types(book: Rulebook) -> dict[tuple[str, str, str], str]:
    """The type of every choice of the book by (move, kind, name); keys with "" are for what cannot be placed."""
    found: dict[tuple[str, str, str], str] = {}
    loose: dict[str, set[str]] = {}
    for kind in book.data["kinds"]:
        for play in kind["plays"]:
            for choice in play["choose"]:
                found["play", kind["id"], choice["name"]] = choice["type"]
                loose.setdefault(choice["name"], set()).add(choice["type"])
    for move in book.data["moves"]:
        for choice in move["choose"]:
            found[move["name"], "", choice["name"]] = choice["type"]
            loose.setdefault(choice["name"], set()).add(choice["type"])
    for verb in book.data["verbs"]:
        for name, type_, _ in verb["params"] if verb["window"] else ():
            if type_ == "player":
                found[verb["name"], "", name] = type_
    for name, types in loose.items():
        if len(types) == 1:
            found["", "", name] = next(iter(types))
    return found


def words(name: str) -> str:
    """An id as words: `draw_pile` is `draw pile`."""
    return visible(name).replace("_", " ")


def capital(text: str) -> str:
    """The text with a capital letter."""
    return text[:1].upper() + text[1:]


def times(text: str, count: int) -> str:
    """`Skip`, or `Skip ×2`."""
    return text if count == 1 else f"{text} ×{count}"


def listing(parts: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    if len(parts) < 2:
        return "".join(parts) or "nothing"
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def third_person(verb: str) -> str:
    """`plays`, `passes`, `hurries`, `has`, `is`."""
    if verb in ("have", "are"):
        return {"have": "has", "are": "is"}[verb]
    if verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        return f"{verb}es"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}s"
