"""Looking for faults in everything that stands at a path: what `rulebook check` and editors ask for.

Each game is compiled with its default packs, with every preset, and once for each pack that none of these holds,
because a card can be right beside one pack and wrong beside another. Files are read once, every fault is reported
once, and no fault hides another. A warning counts only if every combination that holds its file gives it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rulebook import translations
from rulebook.decks import DECKS, deck_files, read_deck
from rulebook.diagnostics import Diagnostic, Diagnostics
from rulebook.graph import Manifest, check_graph, in_order
from rulebook.library import (
    GAME_FILE,
    PACK_FILE,
    Library,
    display,
    folders,
    games_below,
    kind_of,
    manifest_game,
    shipped,
)
from rulebook.loading import compile_source
from rulebook.packs import GameSource, inside, map_of, read_cards, read_checked, texts_of
from rulebook.resolve import Shelf, gather, open_shelf
from rulebook.translations import FOLDER as TEXTS
from rulebook.yamlread import Map, Scalar

RULINGS = "rulings"
"""The folder of a game or pack in which files of rulings lie."""


@dataclass(frozen=True, slots=True)
class Combination:
    """A way to play a game: what :func:`rulebook.load` would be asked for."""

    packs: tuple[str, ...] | None = None
    preset: str | None = None


@dataclass(slots=True)
class Report:
    """What a run found, and what it looked at."""

    diagnostics: Diagnostics = field(default_factory=Diagnostics)
    games: int = 0
    packs: int = 0
    files: int = 0
    """Files of rulings, deck files and single files that were looked at besides."""
    rulings: dict[Path, tuple[Path, Map]] = field(default_factory=dict)
    """Files of rulings of the right shape, with the folder of their pack or game; what they say is looked at last."""


def check_paths(paths: Sequence[Path] = ()) -> Report:
    """Check what stands at these paths (folders of games or packs, a game, a pack, a file), or everything that is
    shipped and the folder `cards` of the current directory. Paths exist: whoever asks sees to that."""
    report = Report()
    for path in paths or _everything():
        _check_path(path, report)
    _check_conditions(report)
    return report


def _everything() -> list[Path]:
    here = Path("cards")
    places = [place for place in (shipped(), here if here.is_dir() else None) if place is not None]
    return list({place.resolve(): place for place in places}.values())


def _check_path(path: Path, report: Report) -> None:
    if path.is_file():
        _check_file(path, report)
        return
    kind = kind_of(path)
    found = report.diagnostics
    if kind == "game":
        _check_game(path, None, report)
    elif kind == "pack":
        _check_pack(path, report)
    elif kind in ("games", "packs"):
        _check_decks(path / DECKS, report)
        for root in games_below(path).values():
            _check_game(root, None, report)
        for folder in folders(path):
            if kind_of(folder) == "pack":
                _check_pack(folder, report)
    elif not _check_rulings(path, path, report) and not (path.name == DECKS and _check_decks(path, report)):
        message = f"{display(path)} holds no game, no pack and no rulings"
        found.warning("RB321", message, None, f"a game has a `{GAME_FILE}`, a pack a `{PACK_FILE}`")


def _check_file(path: Path, report: Report) -> None:
    """A single file is checked with the pack or game it belongs to, and only what was found in it is reported."""
    home = path.resolve().parent
    around = home.parent if home.name == RULINGS else home
    inner = Report()
    if home.name in (RULINGS, DECKS) or kind_of(around) not in ("game", "pack"):
        _check_one(path, inner)
    elif path.name == GAME_FILE:
        _check_game(path.parent, None, inner)
    else:
        _check_pack(path.parent, inner)
    report.rulings.update((file, found) for file, found in inner.rulings.items() if file == path)
    name = display(path)
    own = [item for item in inner.diagnostics if item.span is None or item.span.file == name]
    report.diagnostics.extend(own)
    report.files += 1


def _check_one(path: Path, report: Report) -> None:
    """A file that lies in no pack: what it is meant to be shows in its first keys."""
    with path.open("rb") as stream:
        text = stream.read(4096).decode("utf-8", "replace")
    beginnings = [line.split(":", 1)[0] for line in text.split("\n")]
    if path.parent.resolve().name == RULINGS or RULINGS in beginnings:
        _check_ruling_file(path, path.parent, report)
    elif path.parent.resolve().name == DECKS or ("deck" in beginnings and "pack" not in beginnings):
        read_deck(path, report.diagnostics)
    elif "game" in beginnings and "pack" not in beginnings:
        read_checked(path, "game", path.parent, report.diagnostics)
    elif "pack" in beginnings:
        read_checked(path, "pack", path.parent, report.diagnostics)
    else:
        read_checked(path, "card", path.parent, report.diagnostics)


def _check_pack(path: Path, report: Report) -> None:
    """A pack is checked with the game around it, or with the shipped game that its manifest names."""
    parent = path.resolve().parent
    if (parent / GAME_FILE).is_file():
        _check_game(path.parent if path.parent.name else parent, path.resolve().name, report)
        return
    games = games_below(root) if (root := shipped()) is not None else {}
    name = path.resolve().name
    shelf = open_shelf(Library(games, {name: path}, ("pack", name)), manifest_game(path), report.diagnostics)
    if shelf is None:
        read_checked(path / PACK_FILE, "pack", path, report.diagnostics)
    else:
        _check_shelf(shelf, [name], report)


def _check_game(root: Path, pack: str | None, report: Report) -> None:
    """A game with all its packs, or with one of them."""
    name = root.resolve().name
    report.games += 1
    shelf = open_shelf(Library({name: root}, chosen=("game", name)), name, report.diagnostics)
    if shelf is None:
        return
    if pack is None:
        _check_rulings(root / RULINGS, root, report)
        _check_decks(root / DECKS, report)
        for folder in folders(root):
            if (
                folder.name not in (RULINGS, DECKS, TEXTS)
                and folder.name not in shelf.places
                and any(folder.glob("*.yaml"))
            ):
                message = f"{display(folder)} has no {PACK_FILE} and is not read"
                report.diagnostics.warning("RB322", message, None, "rulings lie in a folder called `rulings`")
    _check_shelf(shelf, sorted(shelf.places) if pack is None else [pack], report)


def _check_shelf(shelf: Shelf, wanted: Sequence[str], report: Report) -> None:
    """The packs `wanted` of a game, each in every combination that holds it."""
    found = report.diagnostics
    manifests = {name: manifest for name in wanted if (manifest := shelf.manifest(name, found)) is not None}
    report.packs += len(wanted)
    for name in wanted:
        if name in manifests:
            shelf.cards_of(manifests[name], found)
        elif inside(shelf.places[name], shelf.root) or name in shelf.library.packs:
            read_cards(shelf.places[name], found)  # a broken manifest does not hide its cards
        _check_rulings(shelf.places[name] / RULINGS, shelf.places[name], report)
        _check_decks(shelf.places[name] / DECKS, report)
    _check_texts(shelf, manifests, report)
    sound = check_graph(_with_others(shelf, manifests), None, shelf.places, found, shelf.lost)
    if shelf.game is None or not sound:
        return
    everything = set(shelf.places) <= set(wanted)
    runs = [_run(shelf, combination) for combination in _combinations(shelf, manifests, everything)]
    found.extend(_joined(runs, [shelf.places[name] for name in wanted], everything))


def _check_texts(shelf: Shelf, manifests: dict[str, Manifest], report: Report) -> None:
    """The files of texts of the game and of the packs looked at. They may speak of any card of the game."""
    cards = {name: shelf.cards_of(manifest, report.diagnostics) for name, manifest in manifests.items()}
    for name in set(shelf.places) - set(cards) if translations.files(shelf.root) or cards else ():
        manifest = shelf.manifest(name, Diagnostics())
        cards[name] = shelf.cards_of(manifest, Diagnostics()) if manifest is not None else {}
    known = {id for own in cards.values() for id in own}
    report.files += translations.check(shelf.root, {}, known, report.diagnostics)
    for name, manifest in manifests.items():
        report.files += translations.check(manifest.path, cards[name], known, report.diagnostics)


def _with_others(shelf: Shelf, manifests: dict[str, Manifest]) -> dict[str, Manifest]:
    """The packs looked at and those they need; the faults of the others are not asked for."""
    around = dict(manifests)
    waiting = list(manifests.values())
    while waiting:
        manifest = waiting.pop()
        for need in (*manifest.needs(), *manifest.uses()):
            other = shelf.manifest(need.pack, Diagnostics())
            if other is not None and need.pack not in around:
                around[need.pack] = other
                waiting.append(other)
    return around


def _combinations(shelf: Shelf, manifests: dict[str, Manifest], everything: bool) -> list[Combination]:
    """The default packs, every preset, and something for each pack that is in none of them."""
    assert shelf.game is not None
    default = tuple(item.text for item in texts_of(shelf.game, "packs"))
    ways: list[tuple[Combination, tuple[str, ...]]] = [(Combination(), default or tuple(shelf.places))]
    for name, preset in map_of(shelf.game, "presets").items():
        own = tuple(item.text for item in texts_of(preset, "packs")) if isinstance(preset, Map) else ()
        ways.append((Combination(preset=name), own or default))
    chosen = [(way, packs) for way, packs in ways if everything or set(packs) & set(manifests)]
    covered = {name for _, packs in chosen for name in packs}
    for name in in_order(manifests):
        if name not in covered:
            packs = _packs_for(shelf, manifests[name], default)
            chosen.append((Combination(packs), packs))
            covered.add(name)
    return [way for way, _ in chosen]


def _packs_for(shelf: Shelf, manifest: Manifest, default: tuple[str, ...]) -> tuple[str, ...]:
    """A deck for a pack: itself with all it needs; if none of them can be the main deck, beside the default packs."""
    needed = _needed(shelf, manifest)
    if any(_is_main(other) for other in needed):
        return tuple(other.id for other in needed)
    return tuple(dict.fromkeys([*default, *(other.id for other in needed)]))


def _needed(shelf: Shelf, manifest: Manifest) -> list[Manifest]:
    found = {manifest.id: manifest}
    waiting = [manifest]
    while waiting:
        for need in waiting.pop().needs():
            other = shelf.manifest(need.pack, Diagnostics())
            if other is not None and other.id not in found:
                found[other.id] = other
                waiting.append(other)
    return list(found.values())


def _is_main(manifest: Manifest) -> bool:
    main = manifest.node.get("main")
    return isinstance(main, Scalar) and main.value is True


@dataclass(frozen=True, slots=True)
class _Run:
    """One combination, compiled."""

    files: frozenset[str]
    diagnostics: Diagnostics


def _run(shelf: Shelf, combination: Combination) -> _Run:
    found = Diagnostics()
    source = gather(shelf, found, combination.packs, combination.preset)
    if source is not None:
        compile_source(source, found)
    return _Run(_files(source), found)


def _files(source: GameSource | None) -> frozenset[str]:
    return frozenset(source.names()) if source is not None else frozenset()


def _joined(runs: Sequence[_Run], roots: Sequence[Path], everything: bool) -> Iterable[Diagnostic]:
    """What the runs found: errors of any, warnings of all that hold the file. Where only some packs are looked at,
    what was found in the files of others is left to whoever looks at them."""
    seen = Counter(item for run in runs for item in run.diagnostics)
    own = tuple(f"{display(root)}/" for root in roots)
    for item, times in seen.items():
        if not everything and item.span is not None and not item.span.file.startswith(own):
            continue
        if item.severity == "warning" and item.span is not None:
            file = item.span.file
            if times < sum(file in run.files for run in runs):
                continue
        yield item


def _check_decks(folder: Path, report: Report) -> bool:
    """The deck files of a folder; true if there was one."""
    files = deck_files(folder)
    for path in files:
        read_deck(path, report.diagnostics)
    report.files += len(files)
    return bool(files)


def _check_rulings(folder: Path, root: Path, report: Report) -> bool:
    """The shape of the files of rulings in a folder; true if there was one. Whether they hold is `rulebook test`'s
    question, what they say about their games is looked at later."""
    try:
        files = sorted(path for path in folder.glob("*.yaml") if not path.name.startswith("."))
    except OSError:
        return False
    if folder.name != RULINGS:
        return False
    for path in files:
        _check_ruling_file(path, root, report)
    report.files += len(files)
    return bool(files)


def _check_ruling_file(path: Path, root: Path, report: Report) -> None:
    node = read_checked(path, "rulings", root, report.diagnostics)
    if node is not None:
        report.rulings[path] = root, node


def _check_conditions(report: Report) -> None:
    """What the rulings say about their games: conditions, actions that no game could take, books that cannot be.

    A fault in a file of cards that keeps a ruling's book from being made is told if the file lies in the ruling's own
    pack; else it is left to whoever looks at that file."""
    from rulebook.rulings.books import Books, Loaded
    from rulebook.rulings.reading import read_map
    from rulebook.rulings.running import check_ruling

    books = Books()
    for path, (root, node) in report.rulings.items():
        own = f"{display(root)}/"
        for ruling in read_map(node, path, report.diagnostics, name=display(path)).rulings:
            book = books.load(ruling.book)
            faults = () if isinstance(book, Loaded) else [item for item in book if item.severity == "error"]
            placed = [item for item in faults if item.span is not None]
            if placed:
                report.diagnostics.extend(item for item in placed if item.span and item.span.file.startswith(own))
            else:
                check_ruling(ruling, books, report.diagnostics)
