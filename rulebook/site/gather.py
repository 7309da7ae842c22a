"""What the card reference shows of each game, read from the packs into plain data.

Only the files are read, with the project's strict reader; nothing is compiled, so that a page can be made of a card
that is still being written. Order is the packs': the default packs first, then other main decks, then the rest, each
in natural order; cards stand in the order of their titles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rulebook.decks import known, places, read_deck
from rulebook.diagnostics import Diagnostics
from rulebook.library import shipped
from rulebook.packs import map_of, text_of
from rulebook.site.escape import natural
from rulebook.translations import fallbacks
from rulebook.translations import read as read_texts
from rulebook.yamlread import Map, Scalar, read_into, to_data

Data = Mapping[Any, Any]


@dataclass(frozen=True, slots=True)
class Ruling:
    """One executed example; `file` is relative to the folder of games, `about` names cards, moves and rules."""

    title: str
    source: str
    about: tuple[str, ...]
    file: str
    data: Data


@dataclass(frozen=True, slots=True)
class Card:
    """A card or mark: what its file says (`data`), and the file itself (`source`)."""

    id: str
    title: str
    text: str
    mark: bool
    pack: str
    file: str
    source: str
    data: Data

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags of the card, in the order of its file."""
        return tuple(str(tag) for tag in items(self.data.get("tags")))


@dataclass(frozen=True, slots=True)
class DeckCard:
    """A card that a deck file makes; `fields` are texts."""

    id: str
    title: str
    copies: int
    fields: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Deck:
    """A deck file and what it makes. An `own` one belongs to one game; others lie beside the games."""

    id: str
    title: str
    about: str
    fields: tuple[str, ...]
    cards: Mapping[str, DeckCard]
    file: str
    source: str
    own: bool


@dataclass(frozen=True, slots=True)
class Pack:
    """A folder of cards. `deck` counts copies: card, then variant ("" where there is none); `decks` are deck files that
    it takes, by id, with what it says of each."""

    id: str
    title: str
    file: str
    deck: Mapping[str, Mapping[str, int]]
    decks: Mapping[str, tuple[Deck, Data | int]]
    cards: tuple[Card, ...]
    data: Data

    def copies(self, card: str) -> int:
        """How many copies of a card this pack brings."""
        return sum(self.deck.get(card, {}).values())


@dataclass(frozen=True, slots=True)
class Game:
    """A game with its packs and all its rulings."""

    id: str
    title: str
    file: str
    packs: tuple[Pack, ...]
    rulings: tuple[Ruling, ...]
    data: Data

    @property
    def cards(self) -> dict[str, Card]:
        """Every card and mark by id, in the order of packs and titles."""
        return {card.id: card for pack in self.packs for card in pack.cards}

    @property
    def decks(self) -> dict[str, Deck]:
        """Every deck file that its packs take, by id."""
        return {deck.id: deck for pack in self.packs for deck, _ in pack.decks.values()}

    @property
    def titles(self) -> dict[str, str]:
        """The titles of the cards that deck files make, by id."""
        return {card.id: card.title for deck in self.decks.values() for card in deck.cards.values()}

    @property
    def moves(self) -> Data:
        """The moves of the game file by name."""
        return mapping(self.data.get("moves"))

    def about(self, name: str) -> list[Ruling]:
        """The rulings about a card, move or rule."""
        return [ruling for ruling in self.rulings if name in ruling.about]


def mapping(value: object) -> Data:
    """A map of a file, or an empty one where something else stands."""
    return value if isinstance(value, Mapping) else {}


def items(value: object) -> Sequence[Any]:
    """A list of a file; a single value is a list of one, nothing is an empty list."""
    if value is None:
        return ()
    return value if isinstance(value, list) else [value]


def gather(roots: Sequence[Path] = (), language: str | None = None) -> tuple[Game, ...]:
    """All games in these folders, each of them a game or a folder of games; without any, those that come with rulebook.
    Titles and texts are in the language, where there are any. Raises :class:`rulebook.PackError` if a file cannot be
    read."""
    places = roots or [place for place in [shipped()] if place is not None]
    diagnostics = Diagnostics()
    folders = [folder for place in places for folder in _games(place)]
    found = [_in_language(_game(folder, diagnostics), folder, language or "") for folder in folders]
    diagnostics.check()
    return tuple(sorted(found, key=lambda game: (-len(game.packs), natural(game.title))))


def _in_language(game: Game, folder: Path, language: str) -> Game:
    """The game with what its files of texts say in a language; what they do not say stays as it is."""
    for name in reversed(list(fallbacks(language))):
        title, _ = _said(folder, name)
        packs = []
        for pack in game.packs:
            own, words = _said(folder / pack.id, name)
            cards = [
                replace(
                    card,
                    title=str(mapping(words.get(card.id)).get("title", card.title)),
                    text=str(mapping(words.get(card.id)).get("text", card.text)),
                )
                for card in pack.cards
            ]
            packs.append(replace(pack, title=own or pack.title, cards=tuple(sorted(cards, key=_by_title))))
        game = replace(game, title=title or game.title, packs=tuple(packs))
    return game


def _said(root: Path, language: str) -> tuple[str, Data]:
    """The title and the cards of a file of texts; one with faults says nothing."""
    path = root / "texts" / f"{language}.yaml"
    node = read_texts(path, root, Diagnostics()) if path.is_file() else None
    data = mapping(to_data(node)) if node is not None else {}
    return str(data.get("title", "")), mapping(data.get("cards"))


def _by_title(card: Card) -> list[tuple[int, int, str]]:
    return natural(card.title)


def _games(place: Path) -> list[Path]:
    place = place.resolve()
    return [place] if (place / "game.yaml").is_file() else _folders(place, "game.yaml")


def _folders(root: Path, marker: str) -> list[Path]:
    inside = (path.parent for path in root.glob(f"*/{marker}") if not path.parent.is_symlink())
    return sorted(inside, key=lambda folder: natural(folder.name))


def _read(path: Path, root: Path, diagnostics: Diagnostics) -> Data:
    node = read_into(path, diagnostics, name=path.relative_to(root).as_posix())
    return mapping(to_data(node, numbers_as_keys=True)) if node is not None else {}


def _game(folder: Path, diagnostics: Diagnostics) -> Game:
    root = folder.parent
    data = _read(folder / "game.yaml", root, diagnostics)
    decks: dict[Path, Deck] = {}
    packs = [_pack(path, root, decks, diagnostics) for path in _folders(folder, "pack.yaml")]
    default = [str(name) for name in items(data.get("packs"))]

    def place(pack: Pack) -> tuple[int, bool, list[tuple[int, int, str]]]:
        number = default.index(pack.id) if pack.id in default else len(default)
        return number, not pack.data.get("main"), natural(pack.id)

    packs.sort(key=place)
    rulings = list(_rulings(folder, root, diagnostics))
    for pack in packs:
        rulings += _rulings(folder / pack.id, root, diagnostics)
    file = (folder / "game.yaml").relative_to(root).as_posix()
    title = str(data.get("game", folder.name))
    return Game(folder.name, title, file, tuple(packs), tuple(rulings), data)


def _pack(folder: Path, root: Path, decks: dict[Path, Deck], diagnostics: Diagnostics) -> Pack:
    path = folder / "pack.yaml"
    data = _read(path, root, diagnostics)
    deck = {str(card): _copies(count) for card, count in mapping(data.get("deck")).items()}
    files = [file for file in sorted(folder.glob("*.yaml")) if file.name != "pack.yaml" and not file.is_symlink()]
    cards = sorted((_card(file, root, diagnostics) for file in files), key=lambda card: natural(card.title))
    title = str(data.get("pack", folder.name))
    there = known(places(folder.parent, folder))
    taken = {}
    for name, said in mapping(data.get("decks")).items():
        file = there.get(str(name))
        if file is not None and file not in decks and (made := _deck(file, folder.parent, diagnostics)) is not None:
            decks[file] = made
        if file in decks:
            taken[str(name)] = (decks[file], said if isinstance(said, int) else mapping(said))
    return Pack(folder.name, title, path.relative_to(root).as_posix(), deck, taken, tuple(cards), data)


def _deck(path: Path, game: Path, diagnostics: Diagnostics) -> Deck | None:
    deck = read_deck(path, diagnostics)
    if deck is None:
        return None
    cards = {
        id: DeckCard(id, text_of(card.node, "card"), deck.copies[id], _texts(card.node))
        for id, card in deck.cards.items()
    }
    own = path.resolve().is_relative_to(game)
    file = path.resolve().relative_to(game.parent).as_posix() if own else f"decks/{path.name}"
    title, about, source = text_of(deck.node, "deck"), text_of(deck.node, "about"), path.read_text(encoding="utf-8")
    return Deck(deck.id, title, about, tuple(deck.fields), cards, file, source, own)


def _texts(card: Map) -> dict[str, str]:
    return {name: value.text for name, value in map_of(card, "fields").items() if isinstance(value, Scalar)}


def _copies(count: object) -> dict[str, int]:
    if isinstance(count, Mapping):
        return {str(variant): number for variant, number in count.items() if isinstance(number, int)}
    return {"": count} if isinstance(count, int) else {}


def _card(path: Path, root: Path, diagnostics: Diagnostics) -> Card:
    data = _read(path, root, diagnostics)
    mark = "mark" in data and "card" not in data
    return Card(
        id=path.stem,  # which its `id` must be equal to; as part of a file's name it cannot lead out of a folder
        title=str(data.get("mark" if mark else "card", path.stem)),
        text=str(data.get("text") or ""),
        mark=mark,
        pack=path.parent.name,
        file=path.relative_to(root).as_posix(),
        source=path.read_text(encoding="utf-8"),
        data=data,
    )


def _rulings(folder: Path, root: Path, diagnostics: Diagnostics) -> Iterator[Ruling]:
    for path in sorted((folder / "rulings").glob("*.yaml"), key=lambda path: natural(path.name)):
        data = _read(path, root, diagnostics)
        shared = items(data.get("about"))
        for entry in items(data.get("rulings")):
            ruling = mapping(entry)
            about = tuple(str(name) for name in [*shared, *items(ruling.get("about"))])
            file = path.relative_to(root).as_posix()
            yield Ruling(str(ruling.get("title", "")), str(ruling.get("source", "")), about, file, ruling)
