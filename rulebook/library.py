"""Where games and packs are: shipped beside the package, published by other distributions, or in a directory that is
named.

Only names and places are settled here; nothing is read but the manifests of packs that come by path or entry point,
to learn which game they belong to.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from rulebook.diagnostics import Diagnostics, Span
from rulebook.yamlread import Map, Scalar, read_into

ENTRY_POINTS = "rulebook.packs"
"""The entry point group under which other distributions publish packs: the name is the pack's id, the object a
module, a path, or a function that gives a path; the folder is the pack."""
GAME_FILE = "game.yaml"
PACK_FILE = "pack.yaml"

PathKind = Literal["game", "pack", "games", "packs"]


@dataclass(frozen=True, slots=True)
class Library:
    """The games that can be loaded, and packs that were named by path. `chosen` is the game or pack that the path
    itself is."""

    games: dict[str, Path]
    packs: dict[str, Path] = field(default_factory=dict)
    chosen: tuple[PathKind, str] | None = None

    def packs_of(self, game: str) -> dict[str, Path]:
        """The packs of a game by id: those in its folder, sorted, then those named by path (which may be for another
        game)."""
        found: dict[str, Path] = {}
        root = self.games.get(game)
        if root is not None:
            found = {path.name: path for path in folders(root) if (path / PACK_FILE).is_file()}
        for name, path in self.packs.items():
            found.setdefault(name, path)
        return found


def shipped() -> Path | None:
    """The folder of the games that come with the package: its own data when installed, `cards/` in a checkout."""
    here = Path(__file__).resolve().parent
    for candidate in (here / "_cards", here.parent / "cards"):
        if candidate.is_dir():
            return candidate
    return None


def open_library(path: str | os.PathLike[str] | None, diagnostics: Diagnostics) -> Library:
    """The library for `path` (see :func:`rulebook.load`), or the shipped one."""
    root = shipped()
    games = games_below(root) if root is not None else {}
    if path is None:
        return Library(games)
    place = Path(path)
    kind = kind_of(place)
    if kind is None and place.is_file() and place.name in (GAME_FILE, PACK_FILE):
        place = place.parent
        kind = kind_of(place)
    if kind == "game":
        name = _own_name(place)
        return Library({**games, name: place}, chosen=("game", name))
    if kind == "games":
        return Library({**games, **games_below(place)}, chosen=("games", ""))
    if kind == "packs":
        return Library(games, {folder.name: folder for folder in folders(place) if (folder / PACK_FILE).is_file()})
    if kind == "pack":
        return _library_of_pack(place, games)
    if place.exists():
        message = f"{display(place)} is no game, no pack and holds none"
        diagnostics.error("RB314", message, None, f"a game has a `{GAME_FILE}`, a pack a `{PACK_FILE}`")
    else:
        diagnostics.error("RB313", f"{display(place)} does not exist", None)
    return Library({})


def _library_of_pack(place: Path, games: dict[str, Path]) -> Library:
    """A pack by path brings the game around it, if it lies in one; else its manifest names a game."""
    name = _own_name(place)
    around = place.resolve().parent
    if (around / GAME_FILE).is_file() and manifest_game(place) in (None, around.name):
        return Library({**games, around.name: _parent(place)}, {name: place}, ("pack", name))
    return Library(games, {name: place}, ("pack", name))


def kind_of(place: Path) -> PathKind | None:
    """What a directory is: a game, a pack, or a folder that holds games or packs; None for anything else."""
    if (place / GAME_FILE).is_file():
        return "game"
    if (place / PACK_FILE).is_file():
        return "pack"
    below = list(folders(place)) if place.is_dir() else []
    if any((folder / GAME_FILE).is_file() for folder in below):
        return "games"
    if any((folder / PACK_FILE).is_file() for folder in below):
        return "packs"
    return None


def games_below(place: Path) -> dict[str, Path]:
    """The games in a folder, by id."""
    return {path.name: path for path in folders(place) if (path / GAME_FILE).is_file()}


def folders(place: Path) -> Iterator[Path]:
    """The folders in a folder, sorted by name, without hidden ones."""
    try:
        inside = sorted(place.iterdir())
    except OSError:
        return
    for path in inside:
        if not path.name.startswith((".", "_")) and path.is_dir():
            yield path


def published(diagnostics: Diagnostics) -> dict[str, Path]:
    """The packs that installed distributions publish, by the name of their entry point."""
    from importlib.metadata import entry_points

    found: dict[str, Path] = {}
    for point in sorted(entry_points(group=ENTRY_POINTS), key=lambda point: (point.name, point.value)):
        try:
            place = _folder(point.load())
        except Exception as error:  # whatever a foreign distribution raises, the rest must go on
            reason = f"{type(error).__name__}: {error}"
            diagnostics.warning(
                "RB320", f"the published pack `{point.name}` ({point.value}) cannot be found: {reason}", None
            )
            continue
        if not (place / PACK_FILE).is_file():
            message = f"the published pack `{point.name}` ({point.value}) has no {PACK_FILE} in {display(place)}"
            diagnostics.warning("RB320", message, None)
            continue
        found.setdefault(point.name, place)
    return found


def _folder(thing: object) -> Path:
    """The folder that an entry point's object stands for."""
    if callable(thing):
        thing = thing()
    if isinstance(thing, str | os.PathLike):
        return Path(thing)
    file = getattr(thing, "__file__", None)
    if isinstance(file, str):
        return Path(file).parent
    for place in getattr(thing, "__path__", ()):  # a package without __init__.py
        return Path(place)
    raise TypeError(f"{type(thing).__name__} is no module, path or function that gives a path")


def manifest_game(place: Path) -> str | None:
    """The game that a pack's manifest names, if it can be read."""
    node = read_into(place / PACK_FILE, Diagnostics())
    game = node.get("game") if isinstance(node, Map) else None
    return game.text if isinstance(game, Scalar) else None


def display(path: Path) -> str:
    """A path as messages show it: relative to the current directory where it lies below it, always with `/`."""
    try:
        absolute = Path(os.path.abspath(path))
        return absolute.relative_to(Path.cwd()).as_posix()
    except (ValueError, OSError):
        return path.as_posix()


def beginning(path: Path) -> Span:
    """The span of a whole file, for faults that are about the file itself."""
    return Span(display(path), 1, 1, 1, 1)


def _own_name(place: Path) -> str:
    return Path(os.path.abspath(place)).name


def _parent(place: Path) -> Path:
    return Path(os.path.abspath(place)).parent
