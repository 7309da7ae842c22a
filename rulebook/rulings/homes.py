"""Where rulings belong: the files under a path, and the game whose folder holds a file."""

from __future__ import annotations

import errno
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from rulebook.library import GAME_FILE, PACK_FILE, manifest_game
from rulebook.yamlread import MAX_BYTES

DEFAULT_GAME = "kittens"
FOLDER = "rulings"
SUFFIXES = (".yaml", ".yml")


@dataclass(frozen=True, slots=True)
class Home:
    """What a file lies in: the folder of a game, that of a pack which lies outside its game's folder, or neither."""

    game_root: Path | None = None
    pack_root: Path | None = None
    pack_game: str = ""

    def where(self, game: str) -> tuple[str, str | None]:
        """The game a ruling is about, and the path to load it from; `game` is the one that it names, or empty."""
        if self.game_root is not None:
            if not game or game == self.game_root.name:
                return self.game_root.name, str(self.game_root)
            beside = self.game_root.parent
            return game, str(beside) if (beside / game / GAME_FILE).is_file() else None
        if self.pack_root is not None and game in ("", self.pack_game):
            return self.pack_game or DEFAULT_GAME, str(self.pack_root)
        return game or DEFAULT_GAME, None


def home_of(path: Path) -> Home:
    """The home of a file, looked for upwards."""
    pack: Path | None = None
    for folder in path.resolve().parents:
        if (folder / GAME_FILE).is_file():
            return Home(game_root=folder)
        if pack is None and (folder / PACK_FILE).is_file():
            pack = folder
    return Home() if pack is None else Home(pack_root=pack, pack_game=manifest_game(pack) or "")


def ruling_files(paths: Iterable[Path]) -> list[Path]:
    """The files of rulings at or below these paths, without doubles: a file itself, and of a folder the files in
    folders called `rulings`; where there are none, the files that begin a key `rulings:`. Raises FileNotFoundError for
    a path that is not there."""
    found: dict[Path, Path] = {}
    for path in paths:
        for file in _below(path):
            found.setdefault(file.resolve(), file)
    return list(found.values())


def packs_below(path: Path) -> list[Path]:
    """The folders of the packs at and below a path; for a path inside of a pack, that pack."""
    place = path.resolve()
    if place.is_dir():
        below = sorted(manifest.parent for manifest in place.rglob(PACK_FILE))
        if below:
            return below
    around = next((folder for folder in (place, *place.parents) if (folder / PACK_FILE).is_file()), None)
    return [] if around is None else [around]


def _below(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise FileNotFoundError(errno.ENOENT, "no such file or folder", str(path))
    inside = path.resolve().name == FOLDER
    files = [file for file in sorted(path.rglob("*.y*ml")) if file.suffix in SUFFIXES and _is_visible(file, path)]
    proper = [file for file in files if inside or FOLDER in file.relative_to(path).parts[:-1]]
    return proper or [file for file in files if _has_rulings(file)]


def _is_visible(file: Path, below: Path) -> bool:
    return file.is_file() and not any(part.startswith(".") for part in file.relative_to(below).parts)


def _has_rulings(file: Path) -> bool:
    with file.open("rb") as stream:
        return re.search(rb"^rulings:", stream.read(MAX_BYTES), re.MULTILINE) is not None
