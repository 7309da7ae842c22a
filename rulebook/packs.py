"""The files of games and packs, read and checked for their shape: the sources of a compiler run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from rulebook.diagnostics import Diagnostics, did_you_mean
from rulebook.library import GAME_FILE, PACK_FILE, beginning, display
from rulebook.schema_check import Kind, check_shape, without_vendor_keys
from rulebook.yamlread import MAX_BYTES, Map, Node, Scalar, Seq, Source, read_into

if TYPE_CHECKING:
    from rulebook.decks import Use

LANGUAGE = 1
"""The newest version of the language that this rulebook reads."""

Single = int | bool | str
"""A number, a flag or a word."""
Value = Single | tuple[Single, ...]
"""The value of an option or a fact; options can be lists."""


@dataclass(frozen=True, slots=True)
class CardSource:
    """One card or mark: its id, its file as spans name it, and what stands in it. A `broken` one was reported
    already: what is left of it (title, id, tags) is kept so that the other files can be checked against it. `deck` is
    the deck file that made it, "" for a card with a file of its own, and `place` counts the cards of that file."""

    id: str
    file: str
    node: Map
    is_mark: bool
    broken: bool = False
    deck: str = ""
    place: int = 0


@dataclass(frozen=True, slots=True)
class PackSource:
    """One pack: its manifest `pack.yaml` and its cards by id, sorted. `in_play` is false for a pack that is only
    `used`: its cards are defined, its deck, options and facts are not taken. The cards of its `decks` are among
    `cards`."""

    id: str
    path: Path
    manifest: Map
    cards: dict[str, CardSource]
    in_play: bool = True
    decks: tuple[Use, ...] = ()

    @property
    def version(self) -> str:
        """The version that the manifest declares."""
        return text_of(self.manifest, "version")


@dataclass(frozen=True, slots=True)
class GameSource:
    """What the compiler turns into a book: a game, its packs in dependency order (needed and used ones first), and
    everything settled before: the value of every option and every fact, and the preset's name."""

    id: str
    root: Path
    file: str
    game: Map
    packs: tuple[PackSource, ...]
    options: dict[str, Value] = field(default_factory=dict)
    preset: str | None = None
    facts: dict[str, Value] = field(default_factory=dict)
    left_out: frozenset[str] = frozenset()
    """Ids of cards that are not played with because of their faults."""

    @property
    def broken(self) -> bool:
        """Whether some card was reported already, so that warnings about what is missing mean nothing."""
        return any(card.broken for pack in self.packs for card in pack.cards.values())

    def names(self) -> dict[str, str]:
        """For each file as spans name it, a name that does not depend on where it lies: `kittens/base/attack.yaml`."""
        names = {self.file: f"{self.id}/{GAME_FILE}"}
        for pack in self.packs:
            for card in pack.cards.values():
                own = f"{self.id}/{pack.id}/{card.id}.yaml"
                names[card.file] = f"decks/{card.deck}.yaml" if card.deck else own
        return names


def text_of(node: Map, key: str) -> str:
    """The text below a key, or nothing."""
    value = node.get(key)
    return value.text if isinstance(value, Scalar) else ""


def value_of(node: Node | None) -> Value | None:
    """The value of an option as a file says it; None where nothing is said."""
    if isinstance(node, Seq):
        return tuple(item.value for item in node.items if isinstance(item, Scalar) and item.value is not None)
    return node.value if isinstance(node, Scalar) else None


def texts_of(node: Map, key: str) -> list[Scalar]:
    """The texts of a list below a key."""
    value = node.get(key)
    return [item for item in value.items if isinstance(item, Scalar)] if isinstance(value, Seq) else []


def map_of(node: Map | None, key: str) -> dict[str, Node]:
    """The values of a map below a key, by name; nothing where it is missing."""
    value = node.get(key) if node is not None else None
    return value.entries if isinstance(value, Map) else {}


def read_game(root: Path, diagnostics: Diagnostics) -> Map | None:
    """`game.yaml` of a game's folder; None if it cannot be used."""
    return _named_file(root / GAME_FILE, "game", root.resolve().name, root, diagnostics)


def read_manifest(root: Path, diagnostics: Diagnostics) -> Map | None:
    """`pack.yaml` of a pack's folder; None if it cannot be used."""
    return _named_file(root / PACK_FILE, "pack", root.resolve().name, root, diagnostics)


def read_cards(root: Path, diagnostics: Diagnostics) -> dict[str, CardSource]:
    """The cards and marks of a pack's folder by id. Every file is read, whatever is wrong with another."""
    cards: dict[str, CardSource] = {}
    for path in card_files(root, diagnostics):
        card = _card(path, root, diagnostics)
        cards[card.id] = card
    return cards


def card_files(root: Path, diagnostics: Diagnostics | None = None) -> list[Path]:
    """The card files of a pack's folder, sorted by name. Files that look like one but are not read are warned about."""
    files: list[Path] = []
    try:
        inside = sorted(root.iterdir())
    except OSError as error:
        if diagnostics is not None:
            reason = error.strerror or str(error)
            diagnostics.error("RB100", f"{display(root)} cannot be read: {reason}", None)
        return []
    for path in inside:
        if path.name.startswith(".") or path.name in (PACK_FILE, GAME_FILE) or path.is_dir():
            continue
        if path.suffix == ".yaml":
            files.append(path)
        elif path.suffix.lower() in (".yml", ".yaml") and diagnostics is not None:
            message = f"{display(path)} is not read"
            diagnostics.warning("RB323", message, beginning(path), f"rename it to `{path.stem}.yaml`")
    return files


def read_checked(path: Path, kind: Kind, root: Path, diagnostics: Diagnostics) -> Map | None:
    """A file with the shape of its kind, without vendor keys; None, with the faults reported, if it has not. `root`
    is the folder that it may not lead out of."""
    whole, _ = _read(path, kind, root, diagnostics)
    return whole


def _read(path: Path, kind: Kind, root: Path, diagnostics: Diagnostics) -> tuple[Map | None, Map | None]:
    """The map of a file if all is well, and what there is of it in any case."""
    if not inside(path, root):
        message = f"{display(path)} leads out of its folder"
        diagnostics.error("RB311", message, beginning(path), "put the file itself there, not a link")
        return None, None
    key = _known_as(path, kind)
    if key in _READ:
        return _READ[key], _READ[key]
    before = len(diagnostics)
    whole, rest = _read_anew(path, kind, diagnostics)
    if whole is not None and len(diagnostics) == before and key is not None and len(_READ) < MAX_READ:
        _READ[key] = whole
    return whole, rest


def _known_as(path: Path, kind: Kind) -> tuple[str, Kind, bytes] | None:
    """What a file that was read before is known by: where it stands, what it should be, and its bytes."""
    try:
        if path.stat().st_size > MAX_BYTES:
            return None
        return display(path), kind, path.read_bytes()
    except (OSError, ValueError):
        return None


def _read_anew(path: Path, kind: Kind, diagnostics: Diagnostics) -> tuple[Map | None, Map | None]:
    before = len(diagnostics.errors)
    node = read_into(path, diagnostics, name=display(path))
    rest = node if isinstance(node, Map) else None
    if node is None or len(diagnostics.errors) > before or _too_new(node, diagnostics):
        return None, rest
    if not check_shape(node, kind, diagnostics):
        return None, rest
    clean = without_vendor_keys(node)
    assert isinstance(clean, Map)
    return clean, clean


_READ: dict[tuple[str, Kind, bytes] | None, Map] = {}
"""Files without a fault, as they were read in this process: a game is read again for every book that is made of it."""
MAX_READ = 2_000
"""How many of them are kept."""


def inside(path: Path, root: Path) -> bool:
    """Whether a path, links followed, lies in a folder."""
    try:
        return path.resolve().is_relative_to(root.resolve())
    except (OSError, RuntimeError, ValueError):
        return False


def _too_new(node: Node, diagnostics: Diagnostics) -> bool:
    """A file in a newer language is refused for that alone: what else is strange in it follows from it."""
    declared = node.get("language") if isinstance(node, Map) else None
    if not isinstance(declared, Scalar) or isinstance(declared.value, bool) or not isinstance(declared.value, int):
        return False
    if declared.value <= LANGUAGE:
        return False
    message = f"this file is written in language {declared.value}; this rulebook reads language {LANGUAGE}"
    diagnostics.error("RB312", message, declared.span, "install a newer rulebook-engine")
    return True


def _named_file(path: Path, kind: Kind, name: str, root: Path, diagnostics: Diagnostics) -> Map | None:
    node = read_checked(path, kind, root, diagnostics)
    if node is not None:
        _same_name(node, name, f"the folder is called `{name}`", diagnostics)
    return node


def _card(path: Path, root: Path, diagnostics: Diagnostics) -> CardSource:
    file = display(path)
    whole, rest = _read(path, "card", root, diagnostics)
    if whole is not None and _same_name(whole, path.stem, f"the file is called `{path.name}`", diagnostics):
        return CardSource(path.stem, file, whole, "mark" in whole.entries)
    return CardSource(
        path.stem, file, _remains(rest, path.stem, file), rest is not None and "mark" in rest.entries, True
    )


def _remains(node: Map | None, name: str, file: str) -> Map:
    """What others can refer to in a card that was refused: that it is there, and its tags."""
    span = node.span if node is not None else beginning(Path(file))
    made = Scalar(name, name, "plain", span, Source(file, ""))
    entries: dict[str, Node] = {"mark" if node is not None and "mark" in node.entries else "card": made, "id": made}
    tags = node.get("tags") if node is not None else None
    if isinstance(tags, Seq) and all(isinstance(tag, Scalar) and isinstance(tag.value, str) for tag in tags.items):
        entries["tags"] = tags
    return Map(entries, dict.fromkeys(entries, made), span)


def _same_name(node: Map, name: str, words: str, diagnostics: Diagnostics) -> bool:
    given = node.get("id")
    if not isinstance(given, Scalar) or given.value == name:
        return True
    diagnostics.error("RB310", f"the id is `{given.text}`, but {words}", given.span, f"write `id: {name}` or rename it")
    return False


def unknown(what: str, name: str, known: Iterable[str]) -> tuple[str, str]:
    """Message and hint for a name that nothing has."""
    names = sorted(known)
    near = did_you_mean(name, names)
    there = ", ".join(f"`{known_name}`" for known_name in names)
    hint = near
    if there and not near.startswith("known"):
        hint = f"{near} there are: {there}".strip()
    return f"there is no {what} `{name}`", hint or f"there is no {what} at all"
