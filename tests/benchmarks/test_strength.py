"""The measurement of the bots repeats itself and counts right; what it finds is for docs/bots.md to say."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulebook.simulation import Plan, Result, share
from tests.benchmarks import strength
from tests.benchmarks.strength import ROWS, Row, line, measured, won


def test_a_row_repeats_itself() -> None:
    rows = [Row("greedy:3", 1, "random", 4), Row("ismcts:3", 2, "greedy:3", 4)]
    assert list(measured(rows, 1)) == list(measured(rows, 1))
    assert [found.of for _, found in measured(rows, 1)] == [4, 4]


def test_a_side_wins_with_any_of_its_seats() -> None:
    plan = Plan(games=4, players=4, bots=("a", "a", "b", "b"), seed=1, rotate=True)
    results = [Result(game, 0, 10, (0,), False) for game in range(4)]  # place 0: a, b, b, a
    assert won(results, plan, "a").count == won(results, plan, "b").count == 2


def test_a_row_is_told_in_markdown() -> None:
    assert line(Row("ismcts:50", 2, "greedy:50", 100), share(60, 100)) == (
        "| `ismcts:50` × 2 | `greedy:50` × 2 | 100 | 60 | 60.0 % | 50.2 % – 69.1 % | 50 % |"
    )
    assert line(Row("ismcts:50", 1, "random", 100), share(60, 100)).endswith("| 25 % |")


def test_the_page_has_every_row() -> None:
    page = (Path(__file__).parent.parent.parent / "docs" / "bots.md").read_text(encoding="utf-8")
    for row in ROWS:
        assert f"| `{row.bot}` × {row.seats} | `{row.other}` × {4 - row.seats} | {row.games} |" in page


def test_some_rows_can_be_asked_for(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", ["strength", "--games", "2", "--only", "greedy"])
    assert strength.main() == 0
    said = capsys.readouterr().out.splitlines()
    assert len(said) == 3
    assert said[2].startswith("| `greedy:50` × 1 | `random` × 3 | 2 |")
