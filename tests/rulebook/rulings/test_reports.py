"""Runs over files, their reports, coverage, and the command."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from rulebook import rulings
from rulebook.cli import main
from rulebook.diagnostics import Diagnostics
from rulebook.library import shipped
from tests.rulebook.rulings.tea import TEA

GOOD = """\
about: [cup]
rulings:
  - title: A cup is drawn
    source: house
    given: {draw_pile: [cup, cup]}
    steps: [0: draw]
    then: ['ids(player(0).hand) == ["cup"]']
"""
BAD = GOOD.replace("A cup is drawn", "A mop is drawn").replace('["cup"]', '["mop"]')


@pytest.fixture
def tea(tmp_path: Path) -> Path:
    """A copy of the game without its rulings, to put others into."""
    shutil.copytree(TEA, tmp_path / "tea", ignore=shutil.ignore_patterns("tea.yaml"))
    (tmp_path / "tea" / "base" / "rulings").mkdir(exist_ok=True)
    return tmp_path / "tea"


def put(tea: Path, **files: str) -> Path:
    for name, text in files.items():
        (tea / "base" / "rulings" / f"{name}.yaml").write_text(text)
    return tea


def test_shipped_example_holds() -> None:
    report = rulings.run([TEA])
    assert report.ok, [(outcome.ruling.title, outcome.failure) for outcome in report if not outcome.passed]
    assert report.passed == len(list(report)) == 10
    assert not report.diagnostics


def test_files_can_be_read_without_running_them() -> None:
    (file,) = rulings.read([TEA])
    assert file.rulings[0].title == "A card drawn ends the turn"
    diagnostics = Diagnostics()
    rulings.check([TEA], diagnostics)
    assert not diagnostics.items


def test_all_files_run_whatever_fails(tea: Path) -> None:
    report = rulings.run([put(tea, a=BAD, b="rulings: 7\n", c=GOOD)])
    assert (report.passed, report.failed, len(report.faults)) == (1, 1, 1)
    assert not report.ok
    assert [(file.passed, file.failed, file.broken) for file in report.files] == [
        (0, 1, False),
        (0, 0, True),
        (1, 0, False),
    ]


def test_run_stops_at_the_first_failure_when_asked(tea: Path) -> None:
    report = rulings.run([put(tea, a=BAD, b=GOOD)], stop=True)
    assert (report.passed, report.failed) == (0, 1)


def test_command_reports_failures_in_full(tea: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", str(put(tea, a=BAD, b=GOOD))]) == 1
    out = capsys.readouterr().out
    assert "A mop is drawn" in out
    assert "a.yaml:3:5" in out
    assert 'then: ids(player(0).hand) == ["mop"] — does not hold (line 7)' in out
    assert 'ids(player(0).hand) = ["cup"]' in out
    assert "what happened:\n      0: draw\n" in out
    assert "hand: {0: [cup]}" in out
    assert "1 passed" in out
    assert out.rstrip().endswith("1 ruling passed, 1 failed")


def test_command_shows_faults_with_their_place(tea: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = put(tea, a=GOOD.replace("steps", "stpes"))
    assert main(["test", str(path), "--format", "plain"]) == 1
    line = capsys.readouterr().out.strip()
    assert "a.yaml:6:5: error RB200:" in line


def test_command_succeeds_where_all_hold(tea: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", str(put(tea, a=GOOD)), "-v"]) == 0
    out = capsys.readouterr().out
    assert "passed A cup is drawn" in out
    assert "1 ruling passed, 0 failed" in out


def test_command_chooses_by_text(tea: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", str(put(tea, a=BAD, b=GOOD)), "-k", "CUP IS"]) == 0
    assert "1 ruling passed, 0 failed" in capsys.readouterr().out
    assert main(["test", str(tea), "-k", "nothing like that"]) == 2


def test_wrong_calls(tea: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", str(tmp_path / "nowhere")]) == 2
    assert main(["test", str(tea)]) == 2
    assert main(["test", str(put(tea, a=GOOD)), "--min", "50"]) == 2
    assert capsys.readouterr().out == ""


def test_plain_report_has_a_line_for_each_failure(tea: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", str(put(tea, a=BAD, b=GOOD)), "--format", "plain"]) == 1
    (line,) = capsys.readouterr().out.splitlines()
    assert "a.yaml:7:" in line
    assert ": failed: A mop is drawn: then: " in line


def test_json_report_holds_everything(tea: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", str(put(tea, a=BAD, b=GOOD)), "--format", "json", "--coverage"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert (data["passed"], data["failed"]) == (1, 1)
    (bad,) = data["files"][0]["rulings"]
    assert (bad["status"], bad["line"], bad["failure"]["position"]["hand"]) == ("failed", 3, {"0": ["cup"]})
    assert data["coverage"]["cards"][0]["ran"] == 0


def test_coverage_counts_the_lines_that_ran() -> None:
    report = rulings.run([TEA / "base"], coverage=True)
    coverage = report.coverage
    assert coverage is not None
    cards = {card.id: card for card in coverage.cards}
    assert sorted(cards) == ["cup", "gift", "idle", "mop", "peek", "spill", "toss"]
    assert coverage.without_ruling == ("idle",)
    assert cards["gift"].missing == ()
    assert cards["idle"].ran == frozenset()
    assert cards["idle"].idle == ("play at turn (line 4)",)
    assert cards["idle"].missing == (7,)
    assert cards["cup"].lines == frozenset()
    assert 90 < coverage.percent < 100


def test_coverage_of_a_whole_game_counts_its_own_programs_and_no_cards_of_decks() -> None:
    root = shipped()
    assert root is not None
    coverage = rulings.run([root / "old_maid"], coverage=True).coverage
    assert coverage is not None
    (game,) = coverage.games
    assert (game.id, game.file) == ("old_maid", "old_maid/game.yaml")
    text = (root / "old_maid" / "game.yaml").read_text(encoding="utf-8").splitlines()
    shuffles = {number for number, line in enumerate(text, 1) if "shuffle box" in line}
    assert len(shuffles) == 2
    assert shuffles <= game.ran  # in set-up, and where somebody leaves
    assert (coverage.cards, coverage.without_ruling) == ((), ())
    assert coverage.percent > 95
    assert rulings.run([root / "old_maid" / "base"], coverage=True).coverage is not None


def test_coverage_below_the_wanted_fails(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", str(TEA), "--coverage", "--min", "50"]) == 0
    out = capsys.readouterr().out
    assert "about no ruling: idle" in out
    assert "idle.yaml  not: 7; never: play at turn (line 4)" in out
    assert main(["test", str(TEA), "--coverage", "--min", "100"]) == 1
    assert "less than the 100 % wanted" in capsys.readouterr().err
