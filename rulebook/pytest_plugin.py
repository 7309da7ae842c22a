"""Packs and their rulings as tests of pytest, for those who keep packs in a repository of their own.

With `rulebook = true` in the configuration (or `--rulebook` for one run) pytest collects

* every ruling in a folder called `rulings` as a test of its own,
* of every pack and game (`pack.yaml`, `game.yaml`) a test `check`, which fails for what `rulebook check` finds, and a
  test `games`, which plays random games and checks on the way what every game must keep
  (`kernel.testing.check_game`); `rulebook_games` says how many, 0 for none.

The fixture `rulebook_load` is `rulebook.load`, with books kept for the whole run. Nothing is imported, collected or
slowed down where the plugin is installed and not asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from kernel import Rulebook
    from rulebook.rulings import Ruling, RulingFile
    from rulebook.rulings.books import Books

FOLDER = "rulings"
MANIFESTS = ("pack.yaml", "game.yaml")
SUFFIXES = (".yaml", ".yml")
DEFAULT_GAMES = 2
BOOKS: pytest.StashKey[Books] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of the command line and of the configuration."""
    group = parser.getgroup("rulebook", "card games as data")
    group.addoption("--rulebook", action="store_true", default=False, help="collect packs and their rulings")
    group.addoption(
        "--rulebook-games",
        metavar="N",
        type=int,
        default=None,
        help=f"random games that each pack is checked with (default: rulebook_games, or {DEFAULT_GAMES})",
    )
    parser.addini("rulebook", "collect packs and their rulings", type="bool", default=False)
    parser.addini("rulebook_games", "random games that each pack is checked with", default=str(DEFAULT_GAMES))


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Files of rulings and of packs, where they are asked for."""
    config = parent.config
    if file_path.suffix not in SUFFIXES or not (config.getoption("rulebook") or config.getini("rulebook")):
        return None
    if file_path.parent.name == FOLDER:
        return RulingsCollector.from_parent(parent, path=file_path)
    if file_path.name in MANIFESTS:
        return PackCollector.from_parent(parent, path=file_path)
    return None


class RulingsCollector(pytest.File):
    """A file of rulings; each of them is a test."""

    def collect(self) -> Iterable[pytest.Item]:
        """The rulings. A file with faults is a collection error that shows them."""
        from rulebook.diagnostics import Diagnostics, render
        from rulebook.rulings.reading import read_file

        diagnostics = Diagnostics()
        file = read_file(self.path, diagnostics, name=_shown(self))
        if diagnostics.errors:
            raise self.CollectError(render(diagnostics.sorted(), "human", False))
        titles: dict[str, int] = {}
        for ruling in file.rulings:
            count = titles[ruling.title] = titles.get(ruling.title, 0) + 1
            name = ruling.title if count == 1 else f"{ruling.title} ({count})"
            yield RulingItem.from_parent(self, name=name, ruling=ruling, file=file)


class Fault(Exception):
    """Something does not hold; the text says what and why."""


class Plain(pytest.Item):
    """A test whose failure is told in words."""

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """What is wrong, without a traceback."""
        return str(excinfo.value) if isinstance(excinfo.value, Fault) else super().repr_failure(excinfo, style)


class RulingItem(Plain):
    """One ruling."""

    def __init__(self, *, ruling: Ruling, file: RulingFile, **rest: Any) -> None:
        super().__init__(**rest)
        self.ruling = ruling
        self.file = file

    def runtest(self) -> None:
        """Run it against the book that it names."""
        from rulebook.diagnostics import Diagnostics, render
        from rulebook.rulings import FileReport
        from rulebook.rulings.books import Books
        from rulebook.rulings.report import Look, file_lines
        from rulebook.rulings.running import run_ruling

        books = self.config.stash.setdefault(BOOKS, Books())
        diagnostics = Diagnostics()
        outcome = run_ruling(self.ruling, books, diagnostics)
        if diagnostics.errors:
            raise Fault(render(diagnostics.sorted(), "human", False))
        if not outcome.passed:
            lines = list(file_lines(FileReport(self.file, (outcome,)), Look()))
            raise Fault("\n".join(lines[1:]).strip("\n"))

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where it stands."""
        return self.path, self.ruling.span.line - 1, self.name


class PackCollector(pytest.File):
    """A pack, or a game with its default packs: whether it has faults, and whether random games of it are sound."""

    def collect(self) -> Iterable[pytest.Item]:
        """The two tests."""
        yield CheckItem.from_parent(self, name="check")
        games = self.config.getoption("rulebook_games")
        if games is None:
            text = str(self.config.getini("rulebook_games"))
            if not text.isdecimal():
                raise self.CollectError(f"rulebook_games should be a whole number, not {text!r}")
            games = int(text)
        if games > 0:
            yield GamesItem.from_parent(self, name="games", games=games)


class CheckItem(Plain):
    """What `rulebook check` finds in a pack or game."""

    def runtest(self) -> None:
        """Fail with all faults."""
        from rulebook.checking import check_paths
        from rulebook.diagnostics import render

        diagnostics = check_paths([self.path.parent]).diagnostics
        if diagnostics.errors:
            raise Fault(render(diagnostics.sorted(), "human", False))

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where it stands."""
        return self.path, 0, f"{self.path.parent.name}: check"


class GamesItem(Plain):
    """Random games of a pack or game."""

    def __init__(self, *, games: int, **rest: Any) -> None:
        super().__init__(**rest)
        self.games = games

    def runtest(self) -> None:
        """Play them, with each number of players in turn."""
        from kernel.testing import check_game
        from rulebook.diagnostics import PackError

        folder = self.path.parent
        try:
            book = _book(folder)
        except PackError:
            pytest.skip("it has faults, see `check`")
        numbers = list(_sizes(book))
        if not numbers:
            raise Fault(f"{book.title} cannot be set up for any number of players")
        try:
            for game in range(self.games):
                check_game(book, games=1, players=numbers[game % len(numbers)], seed=game)
        except AssertionError as error:
            raise Fault(str(error)) from error

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where it stands."""
        return self.path, 0, f"{self.path.parent.name}: games"


def _shown(node: pytest.Collector) -> str:
    try:
        return str(node.path.relative_to(node.config.rootpath))
    except ValueError:
        return str(node.path)


def _book(folder: Path) -> Rulebook:
    """The book of a game's folder, or of a pack's with the packs that it needs."""
    import rulebook
    from rulebook.rulings.homes import home_of

    game, _ = home_of(folder / "pack.yaml").where("")
    return rulebook.load(game, path=folder)


def _sizes(book: Rulebook) -> Iterator[int]:
    """The numbers of players for which a game can be set up."""
    from kernel import SetupError

    for players in range(book.players_min, book.players_max + 1):
        try:
            book.new(players=players, seed=0)
        except SetupError:
            continue
        yield players


@pytest.fixture(scope="session")
def rulebook_load() -> Callable[..., Rulebook]:
    """`rulebook.load`, with every book made once in a run: `book = rulebook_load("kittens", packs=["base"])`."""
    import rulebook

    books: dict[str, Rulebook] = {}

    def load(game: str = "kittens", **choice: Any) -> Rulebook:
        key = repr((game, sorted(choice.items())))
        if key not in books:
            books[key] = rulebook.load(game, **choice)
        return books[key]

    return load
