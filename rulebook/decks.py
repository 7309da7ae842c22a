"""Deck files: whole decks as data, from which the cards are made that no pack needs a file for.

A deck names its parts (ranks, suits), the fields that each of their members gives to its cards, and rules that make a
card for each combination. A pack takes a deck by its id under `decks`. It is looked for in fixed places only: the
folder `decks` of the pack, of its game, beside the game, and among what is shipped.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from itertools import product
from math import prod
from pathlib import Path

from rulebook.diagnostics import Diagnostics
from rulebook.library import PACK_FILE, display, shipped
from rulebook.packs import CardSource, map_of, read_checked, text_of, texts_of, unknown
from rulebook.yamlread import Map, Node, Scalar, Seq, read_into

DECKS = "decks"
"""The folder in which deck files lie."""
MAX_CARDS = 1000
"""No deck makes more kinds of cards than this."""

_PART = re.compile(r"\{([^{}]*)\}")
_ID = re.compile(r"[0-9]*[a-z][a-z0-9_]*")
_TYPES: dict[str, type] = {"number": int, "word": str, "flag": bool}

Fields = dict[str, tuple[Scalar, Node]]
"""What a card says of itself: by field, its key and its value."""


@dataclass(frozen=True, slots=True)
class Deck:
    """A deck that was read: its cards in the order of the file, how many of each, and the fields it declares."""

    id: str
    file: str
    node: Map
    cards: dict[str, CardSource] = field(default_factory=dict)
    copies: dict[str, int] = field(default_factory=dict)

    @property
    def fields(self) -> dict[str, Scalar]:
        """The type of each field, as the file says it."""
        return {name: node for name, node in map_of(self.node, "fields").items() if isinstance(node, Scalar)}

    def words(self) -> dict[str, str]:
        """How people read the words that stand in fields: `q` is Queen, where the members of a part have that word in
        a field each."""
        found: dict[str, set[str]] = {}
        for part in map_of(self.node, "parts").values():
            for member in part.entries.values() if isinstance(part, Map) else ():
                for name, value in member.entries.items() if isinstance(member, Map) else ():
                    if name != "title" and isinstance(member, Map) and isinstance(value, Scalar):
                        if isinstance(value.value, str):
                            found.setdefault(value.value, set()).add(text_of(member, "title"))
        return {word: min(titles) for word, titles in found.items() if len(titles) == 1}


@dataclass(frozen=True, slots=True)
class Use:
    """A deck as a pack takes it: how many of each card (of each variant; "" is none), without those left out."""

    deck: Deck
    counts: dict[tuple[str, str], int]


def places(game: Path, *packs: Path) -> list[Path]:
    """The folders in which the decks of these packs of a game may lie, in the order in which they are looked at."""
    home = shipped()
    beside = Path(os.path.abspath(game)).parent
    roots = (*packs, game, beside, *([home] if home is not None else ()))
    return list(dict.fromkeys(root / DECKS for root in roots))


def known(folders: list[Path]) -> dict[str, Path]:
    """The deck files in these folders by id; the first of an id counts."""
    found: dict[str, Path] = {}
    for folder in folders:
        for path in deck_files(folder):
            found.setdefault(path.stem, path)
    return found


def deck_files(folder: Path) -> list[Path]:
    """The deck files of a folder, sorted; none where there is no such folder."""
    try:
        return sorted(path for path in folder.glob("*.yaml") if not path.name.startswith("."))
    except OSError:
        return []


def read_deck(path: Path, diagnostics: Diagnostics) -> Deck | None:
    """A deck file with its cards; None, with the faults reported, if something is wrong with it."""
    found = Diagnostics()  # a collector keeps a fault once; a second look at a broken file must find it broken too
    node = read_checked(path, "deck", path.parent, found)
    if node is None:
        diagnostics.extend(found)
        return None
    if text_of(node, "id") != path.stem:
        message = f"the id is `{text_of(node, 'id')}`, but the file is called `{path.name}`"
        found.error("RB310", message, node.entries["id"].span, f"write `id: {path.stem}` or rename it")
    deck = Deck(path.stem, display(path), node)
    maker = _Maker(deck, found)
    rules = node.get("cards")
    for rule in rules.items if isinstance(rules, Seq) else ():
        if isinstance(rule, Map):
            maker.make(rule)
    if not found.errors:
        maker.unused()
    diagnostics.extend(found)
    return deck if not found.errors else None


def cards_of_decks(game: Path, pack: Path) -> list[str]:
    """The ids of the cards that the decks of a pack make, as far as all is well; nothing is reported."""
    quiet = Diagnostics()
    manifest = read_into(pack / PACK_FILE, quiet)
    there = known(places(game, pack)) if isinstance(manifest, Map) and manifest.get(DECKS) is not None else {}
    named = map_of(manifest, DECKS) if isinstance(manifest, Map) else {}
    decks = [read_deck(there[name], quiet) for name in named if name in there]
    return [id for deck in decks if deck is not None for id in deck.cards]


def take(deck: Deck, node: Node, diagnostics: Diagnostics) -> Use:
    """A deck with what a manifest says of it: a number of copies, or `{copies: …, without: […]}`."""
    said = node.get("copies") if isinstance(node, Map) else node
    gone = _left_out(deck, node, diagnostics) if isinstance(node, Map) else set()
    counts: dict[tuple[str, str], int] = {}
    for variant, times in _times(said):
        for id, number in deck.copies.items():
            if id not in gone:
                counts[id, variant] = number * times
    return Use(deck, counts)


def _times(said: Node | None) -> list[tuple[str, int]]:
    """How often a deck is taken: by variant, or once where nothing is said."""
    if isinstance(said, Map):
        return [(name, _number(value)) for name, value in said.entries.items()]
    return [("", _number(said))]


def _number(node: Node | None) -> int:
    """A number of copies; one where nothing is said."""
    return node.value if isinstance(node, Scalar) and isinstance(node.value, int) else 1


def _left_out(deck: Deck, node: Map, diagnostics: Diagnostics) -> set[str]:
    """The cards that `without` takes out: named by id, or by the values of their fields."""
    gone: set[str] = set()
    listed = node.get("without")
    for item in listed.items if isinstance(listed, Seq) else ():
        if isinstance(item, Scalar):
            found = {item.text} & set(deck.cards)
            if not found:
                message, hint = unknown("card", item.text, deck.cards)
                diagnostics.error("RB335", f"{message} in the deck `{deck.id}`", item.span, hint)
            gone |= found
        elif isinstance(item, Map):
            gone |= _with_fields(deck, item, diagnostics)
    return gone


def _with_fields(deck: Deck, item: Map, diagnostics: Diagnostics) -> set[str]:
    """The cards of which all these fields have one of the values that are listed."""
    found = set(deck.cards)
    for name in item.entries:
        if name not in deck.fields:
            message, hint = unknown("field", name, deck.fields)
            diagnostics.error("RB335", f"{message} in the deck `{deck.id}`", item.keys[name].span, hint)
            return set()
        value = item.entries[name]
        wanted = texts_of(item, name) if isinstance(value, Seq) else [value]
        for one in wanted:
            fitting = {id for id in deck.cards if isinstance(one, Scalar) and _said(deck, id, name) == one.text}
            if not fitting and isinstance(one, Scalar):
                message = f"no card of the deck `{deck.id}` has the {name} `{one.text}`"
                diagnostics.error("RB335", message, one.span, "leave it out, or name what is there")
        texts = {one.text for one in wanted if isinstance(one, Scalar)}
        found = {id for id in found if _said(deck, id, name) in texts}
    return found


def _said(deck: Deck, id: str, name: str) -> str | None:
    """The value of a card's field, as text."""
    value = map_of(deck.cards[id].node, "fields").get(name)
    return value.text if isinstance(value, Scalar) else None


class _Maker:
    """Makes the cards of a deck, rule by rule."""

    def __init__(self, deck: Deck, diagnostics: Diagnostics) -> None:
        self.deck = deck
        self.diagnostics = diagnostics
        parts = deck.node.get("parts")
        self.parts = parts if isinstance(parts, Map) else Map({}, {}, deck.node.span)
        self.members: dict[str, dict[str, Fields]] = {
            part: {id: self._fields(node, id) for id, node in map_of(self.parts, part).items() if isinstance(node, Map)}
            for part in self.parts.entries
        }

    def make(self, rule: Map) -> None:
        """The cards of one rule: one for each combination of the members of the parts that its id names."""
        id, title = rule.entries["id"], rule.entries["title"]
        if not isinstance(id, Scalar) or not isinstance(title, Scalar) or not self._known_parts(id, title):
            return
        named = set(_PART.findall(id.text))
        used = [part for part in self.parts.entries if part in named]
        if prod(len(self.members[part]) for part in used) + len(self.deck.cards) > MAX_CARDS:
            self.diagnostics.error("RB334", f"this makes more than {MAX_CARDS} cards", id.span, "make fewer")
            return
        own = rule.get("fields")
        own_fields = self._fields(own, "") if isinstance(own, Map) else {}
        number = _number(rule.get("copies"))
        for chosen in product(*(self.members[part] for part in used)):
            self._card(rule, dict(zip(used, chosen, strict=True)), own_fields, number)

    def unused(self) -> None:
        """Warn of parts that no card is made of, and of fields that no card has."""
        rules = self.deck.node.get("cards")
        written = [rule for rule in rules.items if isinstance(rule, Map)] if isinstance(rules, Seq) else []
        named = {part for rule in written for part in _PART.findall(text_of(rule, "id"))}
        for part, key in self.parts.keys.items():
            if part not in named:
                message = f"no card is made of the part `{part}`"
                self.diagnostics.warning("RB337", message, key.span, f"name it in an id: `{{{part}}}`")
        given = {name for card in self.deck.cards.values() for name in map_of(card.node, "fields")}
        fields = self.deck.node.get("fields")
        for name, key in fields.keys.items() if isinstance(fields, Map) else ():
            if name not in given:
                hint = "give it to members of a part, or leave it out"
                self.diagnostics.warning("RB337", f"no card has the field `{name}`", key.span, hint)

    def _card(self, rule: Map, chosen: dict[str, str], own: Fields, number: int) -> None:
        """One card: the members chosen for its parts give its id, its title and its fields."""
        written, heading = rule.entries["id"], rule.entries["title"]
        assert isinstance(written, Scalar)
        assert isinstance(heading, Scalar)
        id = _PART.sub(lambda match: chosen[match[1]], written.text)
        title = _PART.sub(lambda match: self._title(match[1], chosen[match[1]]), heading.text)
        if not _ID.fullmatch(id) or len(id) > 60:
            message = f"a card cannot have the id `{id}`"
            hint = "an id has a letter behind its first digits, and no more than 60 characters"
            self.diagnostics.error("RB331", message, written.span, hint)
            return
        if id in self.deck.cards:
            message = f"two cards of this deck have the id `{id}`"
            self.diagnostics.error("RB332", message, written.span, "name every part in the id, or take another id")
            return
        fields = self._joined(id, [own, *(self.members[part][member] for part, member in chosen.items())])
        at = written.span
        entries: dict[str, Node] = {
            "card": Scalar(title, title, "double", heading.span, heading.source),
            "id": Scalar(id, id, "double", at, written.source),
            "fields": Map(
                {name: value for name, (_, value) in fields.items()},
                {name: key for name, (key, _) in fields.items()},
                at,
            ),
        }
        node = Map(entries, dict.fromkeys(entries, rule.keys["id"]), at)
        self.deck.cards[id] = CardSource(id, self.deck.file, node, False, deck=self.deck.id, place=len(self.deck.cards))
        self.deck.copies[id] = number

    def _known_parts(self, id: Scalar, title: Scalar) -> bool:
        """Whether the id names parts that there are, and the title only those of the id."""
        before = len(self.diagnostics.errors)
        for match in _PART.finditer(id.text):
            if match[1] not in self.members:
                message, hint = unknown("part", match[1], self.members)
                self.diagnostics.error("RB331", message, id.part(match.start(), match.end()), hint)
        named = set(_PART.findall(id.text))
        for match in _PART.finditer(title.text):
            if match[1] not in named:
                message = f"the title speaks of `{match[1]}`, which the id does not name"
                there = ", ".join(f"`{{{part}}}`" for part in self.members)
                hint = f"name it in the id: {there}" if there else "braces stand for parts, and there are none"
                self.diagnostics.error("RB331", message, title.part(match.start(), match.end()), hint)
        return len(self.diagnostics.errors) == before

    def _fields(self, node: Map, member: str) -> Fields:
        """The fields that a member or a rule gives; each must be declared and of its type."""
        found: Fields = {}
        for name, value in node.entries.items():
            if member and name == "title":
                continue
            said = self.deck.fields.get(name)
            if said is None:
                message, hint = unknown("field", name, self.deck.fields)
                hint = hint if self.deck.fields else "declare it under `fields:`"
                self.diagnostics.error("RB333", message, node.keys[name].span, hint)
            elif isinstance(value, Scalar) and type(value.value) is not _TYPES[said.text]:
                message = f"the field `{name}` is a {said.text}, and `{value.text}` is none"
                hint = f'write "{value.text}", in quotes' if said.text == "word" else ""
                self.diagnostics.error("RB333", message, value.span, hint)
            else:
                found[name] = (node.keys[name], value)
        return found

    def _joined(self, id: str, given: list[Fields]) -> Fields:
        """The fields of a card, each said once."""
        found: Fields = {}
        for fields in given:
            for name, (key, value) in fields.items():
                if name in found:
                    message = f"the field `{name}` of `{id}` is said twice"
                    related = (("the other one", found[name][0].span),)
                    self.diagnostics.error("RB333", message, key.span, "say it in one part", related)
                found[name] = (key, value)
        return found

    def _title(self, part: str, member: str) -> str:
        node = map_of(self.parts, part)[member]
        return text_of(node, "title") if isinstance(node, Map) else ""
