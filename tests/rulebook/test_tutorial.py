"""The tutorial says the truth: the files of each step are a sound game, its rulings hold, its commands work."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import rulebook
from kernel import testing
from rulebook import rulings
from rulebook.checking import check_paths
from tests.rulebook.cli_runs import ROOT, run

PAGE = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
STEPS = [part for part in re.split(r"^## ", PAGE, flags=re.MULTILINE) if re.match(r"\d", part)]
FILE = re.compile(r"^```yaml\n# (climb/\S+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
COMMANDS = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)


def write(folder: Path, steps: int) -> Path:
    """The game as it is after so many steps: later files take the place of earlier ones."""
    for step in STEPS[:steps]:
        for name, text in FILE.findall(step):
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    return folder / "climb"


def test_every_block_of_the_page_is_a_file_or_commands() -> None:
    blocks = re.findall(r"^```(\w+)$", PAGE, re.MULTILINE)
    assert set(blocks) == {"yaml", "console"}
    assert blocks.count("yaml") == len(FILE.findall(PAGE)) == sum(len(FILE.findall(step)) for step in STEPS)
    assert len(STEPS) == 6


@pytest.mark.parametrize("steps", range(1, 7))
def test_each_step_is_a_sound_game_and_its_rulings_hold(steps: int, tmp_path: Path) -> None:
    game = write(tmp_path, steps)
    assert [str(item) for item in check_paths([game]).diagnostics] == []
    report = rulings.run([game])
    assert report.failed == 0
    assert report.passed == PAGE[: PAGE.index(STEPS[steps - 1]) + len(STEPS[steps - 1])].count("- title:")


@pytest.mark.parametrize("steps", range(1, 7))
def test_its_commands_work(steps: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, steps)
    monkeypatch.chdir(tmp_path)
    for block in COMMANDS.findall(STEPS[steps - 1]):
        for line in block.splitlines():
            prompt, program, *arguments = line.split()
            assert (prompt, program) == ("$", "rulebook")
            seed = ["--seed", "1"] if arguments[0] == "play" else []
            done = run(monkeypatch, *arguments, *seed)
            assert done.code == 0, done.err
            assert done.out or arguments[0] == "check"


def test_the_deliberate_mistake_of_the_page_is_found_as_it_says(tmp_path: Path) -> None:
    game = write(tmp_path, 3)
    file = game / "game.yaml"
    file.write_text(file.read_text().replace("it.high <= card.high", "it.high < card.high"))
    report = rulings.run([game])
    assert report.failed == 2
    write(tmp_path, 5)
    for name, text in FILE.findall(STEPS[5]):
        if not name.endswith("game.yaml"):
            (tmp_path / name).write_text(text)
    found = [item for item in check_paths([game]).diagnostics if item.code == "RB421"]
    assert any("it.high" in item.message for item in found), [str(item) for item in check_paths([game]).diagnostics]


def test_the_finished_game_keeps_what_every_game_must_keep(tmp_path: Path) -> None:
    book = rulebook.load("climb", path=write(tmp_path, 6))
    for players in (2, 5):
        assert testing.check_game(book, games=1, players=players, seed=3, thorough=12)
