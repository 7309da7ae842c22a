"""A run over many files: reading them, running what was chosen, and adding it up."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from os import PathLike
from pathlib import Path

from rulebook.diagnostics import Diagnostics
from rulebook.library import GAME_FILE, display, folders, shipped
from rulebook.rulings.books import Books, Loaded
from rulebook.rulings.coverage import Coverage, Line, measure
from rulebook.rulings.homes import home_of, packs_below, ruling_files
from rulebook.rulings.model import BookChoice, Ruling, RulingFile
from rulebook.rulings.outcomes import FileReport, Report
from rulebook.rulings.reading import read_file
from rulebook.rulings.running import check_ruling, run_ruling

AnyPath = str | PathLike[str]


def read(paths: Iterable[AnyPath], diagnostics: Diagnostics | None = None) -> list[RulingFile]:
    """The files of rulings at and below these paths; none: all that are shipped. What is wrong with them goes to the
    diagnostics. Raises FileNotFoundError for a path that is not there."""
    found = Diagnostics() if diagnostics is None else diagnostics
    return [read_file(path, found, name=display(path)) for path in ruling_files(_places(paths))]


def check(paths: Iterable[AnyPath], diagnostics: Diagnostics) -> None:
    """What is wrong with files of rulings, expressions included, without running them."""
    books = Books()
    for file in read(paths, diagnostics):
        for ruling in file.rulings:
            check_ruling(ruling, books, diagnostics)


def run(
    paths: Iterable[AnyPath] = (),
    *,
    chosen: Callable[[Ruling], bool] | None = None,
    stop: bool = False,
    coverage: bool = False,
    tell: Callable[[FileReport], None] | None = None,
) -> Report:
    """Run the rulings of all files at and below these paths; none: all that are shipped.

    `chosen` picks rulings; `stop` ends the run at the first that fails; `coverage` measures which statements of the
    cards ran; `tell` hears of each file when it is done. Raises FileNotFoundError for a path that is not there."""
    diagnostics = Diagnostics()
    books = Books()
    covered: set[Line] | None = set() if coverage else None
    reports: list[FileReport] = []
    places = _places(paths)
    for path in ruling_files(places):
        before = len(diagnostics.errors)
        file = read_file(path, diagnostics, name=display(path))
        broken = len(diagnostics.errors) > before
        outcomes = []
        for ruling in file.rulings:
            if chosen is not None and not chosen(ruling):
                continue
            outcomes.append(run_ruling(ruling, books, diagnostics, covered))
            if stop and not outcomes[-1].passed:
                break
        report = FileReport(file, tuple(outcomes), broken)
        if outcomes or broken:
            reports.append(report)
            if tell is not None:
                tell(report)
        if stop and (broken or report.failed):
            break
    measured = None if covered is None else _measure(places, books, covered, reports)
    return Report(tuple(reports), tuple(diagnostics.sorted()), measured)


def _measure(places: list[Path], books: Books, covered: set[Line], reports: list[FileReport]) -> Coverage:
    """The coverage of the packs at and around the paths; those without any ruling are loaded for it."""
    packs: set[str] = set()
    games: set[str] = set()
    for place in places:
        roots = [place] if (place / GAME_FILE).is_file() else folders(place)
        games |= {root.resolve().name for root in roots if (root / GAME_FILE).is_file()}
        for root in packs_below(place):
            packs.add(root.name)
            game, path = home_of(root / "pack.yaml").where("")
            for choice in (BookChoice(game, None, path=path), BookChoice(game, (root.name,), path=path)):
                if isinstance(books.load(choice), Loaded):
                    continue
    about = {name for report in reports for outcome in report.outcomes for name in outcome.ruling.about}
    return measure(books.all(), covered, about, frozenset(packs) or None, frozenset(games))


def _places(paths: Iterable[AnyPath]) -> list[Path]:
    places = [Path(path) for path in paths]
    if places:
        return places
    root = shipped()
    return [] if root is None else [root]
