"""Working beginnings: a game, a pack or a card that passes `rulebook check` and `rulebook test` as it is written.

The texts are templates of this module; what depends on the game (its zones, its default packs) is read from its files.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path

from rulebook.decks import DECKS
from rulebook.diagnostics import Diagnostics, PackError
from rulebook.library import GAME_FILE, PACK_FILE, display, games_below, manifest_game, shipped
from rulebook.packs import LANGUAGE, map_of, read_game, texts_of
from rulebook.rulings.homes import FOLDER
from rulebook.schema_check import KINDS
from rulebook.yamlread import Map, Scalar

SCHEMAS = ".schemas"
"""The folder that holds the JSON Schemas for editors; hidden, so that nothing takes it for a pack."""
TAKEN = ("game", "pack", FOLDER, DECKS)
NAME = re.compile(r"[a-z][a-z0-9_]{0,59}")


class Refused(Exception):
    """Why nothing was written, with what to do instead."""


@dataclass(slots=True)
class Written:
    """The files that were made, and those that were changed."""

    made: list[Path] = field(default_factory=list)
    changed: list[Path] = field(default_factory=list)


def new_game(name: str, place: Path) -> Written:
    """A small game with one pack of two cards, in a folder of its own. Raises :class:`Refused`."""
    _check_name(name)
    root = place / name
    files = {
        root / GAME_FILE: _text("game.yaml", name),
        root / "base" / PACK_FILE: _text(
            "pack.yaml", "base", game=name, more="main: true\ndeck: {windfall: 6, stop: 4}\n"
        ),
        root / "base" / "windfall.yaml": _text("windfall.yaml", "windfall"),
        root / "base" / "stop.yaml": _text("stop.yaml", "stop"),
        root / "base" / FOLDER / "first.yaml": _text("rulings.yaml", "first"),
    }
    return _write(files, root)


def new_pack(name: str, place: Path, game: str | None = None) -> Written:
    """A pack with one card: in a game's folder it belongs to that game, elsewhere to the one named. Raises
    :class:`Refused`."""
    _check_name(name)
    around = place.resolve()
    if (around / GAME_FILE).is_file():
        if game is not None and game != around.name:
            raise Refused(f"{display(place)} is the game `{around.name}`, not `{game}`")
        root = around
    else:
        root = _shipped_game(game or "kittens")
    source = _game(root)
    packs = [item.text for item in texts_of(source, "packs")]
    needs = f"needs: [{', '.join(packs)}]\n" if packs else "main: true\n"
    card = f"{name}_card"
    pack = place / name
    files = {
        pack / PACK_FILE: _text("pack.yaml", name, game=root.name, more=f"{needs}deck: {{{card}: 4}}\n"),
        **_card_files(card, pack, source, [*packs, name]),
    }
    return _write(files, pack)


def new_card(name: str, place: Path) -> Written:
    """A card in a pack's folder, with a ruling, four times in the pack's deck. Raises :class:`Refused`."""
    _check_name(name)
    manifest = place / PACK_FILE
    if not manifest.is_file():
        raise Refused(f"{display(place)} is no pack: it has no {PACK_FILE}; `rulebook new pack NAME` makes one")
    around = place.resolve().parent
    root = around if (around / GAME_FILE).is_file() else _shipped_game(manifest_game(place) or "kittens")
    source = _game(root)
    packs = list(dict.fromkeys([*(item.text for item in texts_of(source, "packs")), place.resolve().name]))
    files = _card_files(name, place, source, packs)
    before = manifest.read_text(encoding="utf-8")
    after = _with_card(before, name)
    written = _write(files, place)
    if after is not None:
        manifest.write_text(after, encoding="utf-8")
        written.changed.append(manifest)
    return written


def _check_name(name: str) -> None:
    if name in TAKEN:
        raise Refused(f"`{name}` has a meaning of its own among the files of a game; take another name")
    if NAME.fullmatch(name):
        return
    better = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
    hint = f"; `{better}` would do" if NAME.fullmatch(better) else ""
    raise Refused(f"`{name[:60]}` cannot be a name: small letters, digits and _, beginning with a letter{hint}")


def _shipped_game(game: str) -> Path:
    root = shipped()
    games = games_below(root) if root is not None else {}
    if game not in games:
        raise Refused(f"there is no game `{game}`; known here: {', '.join(sorted(games))}")
    return games[game]


def _game(root: Path) -> Map:
    diagnostics = Diagnostics()
    source = read_game(root, diagnostics)
    if source is None:
        raise PackError(diagnostics.sorted())
    return source


def _card_files(name: str, pack: Path, game: Map, packs: list[str]) -> dict[Path, str]:
    """The file of a card that can be played in this game, and that of its first ruling."""
    zone = _hand(game)
    origin = "" if zone == "hand" else f"  from: {zone}\n"
    ruling = _text("ruling.yaml", name, packs=", ".join(packs), zone=zone)
    return {
        pack / f"{name}.yaml": _text("card.yaml", name, more=origin),
        pack / FOLDER / f"{name}.yaml": ruling,
    }


def _hand(game: Map) -> str:
    """The zone from which cards are played: `hand`, or else one that each player has and the owner sees."""
    zones = map_of(game, "zones")
    if "hand" in zones:
        return "hand"
    for see in ("owner", "all"):
        for name, node in zones.items():
            if isinstance(node, Map) and _word(node, "see") == see and _word(node, "per") == "player":
                if _word(node, "marks") != "true":
                    return name
    raise Refused("this game has no zone that each player has, so no card can be played from one")


def _word(node: Map, key: str) -> str:
    value = node.get(key)
    return value.text if isinstance(value, Scalar) else ""


def _with_card(manifest: str, name: str) -> str | None:
    """The text of a manifest with the card in its deck; None where the deck is written in a way not known here."""
    flow = re.search(r"^deck:[ ]*\{([^{}#\n]*)\}[ ]*$", manifest, re.MULTILINE)
    if flow is not None:
        inside = flow[1].strip().rstrip(",")
        entries = f"{inside}, {name}: 4" if inside else f"{name}: 4"
        return f"{manifest[: flow.start()]}deck: {{{entries}}}{manifest[flow.end() :]}"
    block = re.search(r"^deck:[ ]*\n((?:[ ]+)\S)", manifest, re.MULTILINE)
    if block is not None:
        indent = re.match(r"[ ]+", block[1])
        assert indent is not None
        at = block.start(1)
        return f"{manifest[:at]}{indent[0]}{name}: 4\n{manifest[at:]}"
    if re.search(r"^deck:", manifest, re.MULTILINE) is None:
        return manifest.rstrip("\n") + f"\ndeck: {{{name}: 4}}\n"
    return None


def _text(template: str, name: str, **more: str) -> str:
    text = resources.files("rulebook").joinpath("templates", template).read_text(encoding="utf-8")
    values = {"name": name, "title": name.replace("_", " ").title(), "language": str(LANGUAGE), "more": "", **more}
    return re.sub(r"<(\w+)>", lambda match: values[match[1]], text)


def _write(files: dict[Path, str], root: Path) -> Written:
    """Write the files with their schema for editors in the first line, or nothing where one is there already."""
    there = [path for path in files if path.exists()]
    if there:
        raise Refused(f"{display(there[0])} is there already; nothing was written")
    schemas = next(
        (folder / SCHEMAS for folder in (root.resolve(), *root.resolve().parents) if (folder / SCHEMAS).is_dir()), None
    )
    try:
        made = []
        for path, text in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            if schemas is None:
                schemas = root.resolve() / SCHEMAS
                made += _write_schemas(schemas)
            kind = {GAME_FILE: "game", PACK_FILE: "pack"}.get(path.name)
            kind = kind or ("rulings" if path.parent.name == FOLDER else "card")
            where = Path(os.path.relpath(schemas, path.resolve().parent)).as_posix()
            path.write_text(f"# yaml-language-server: $schema={where}/{kind}.json\n{text}", encoding="utf-8")
            made.append(path)
    except OSError as error:
        raise Refused(f"{display(Path(str(error.filename)))} cannot be written: {error.strerror}") from None
    return Written(made)


def _write_schemas(folder: Path) -> list[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    for kind in KINDS:
        text = resources.files("rulebook").joinpath("schemas", f"{kind}.json").read_text(encoding="utf-8")
        (folder / f"{kind}.json").write_text(text, encoding="utf-8")
    return [folder]
