"""`rulebook bench --growth`: costs at several sizes, their powers, and a chart."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from rulebook import growth
from rulebook.cli import main
from rulebook.growing import Sizes
from rulebook.growth import Row, Series
from rulebook.growth_chart import draw
from rulebook.speed import Spread


def small(quick: bool = False) -> tuple[Series, ...]:
    return (
        Series("players", "Exploding Kittens", tuple(growth._kittens(("base",), n, n) for n in (2, 4))),
        Series("cards <all>", "made", tuple(growth._made(n, Sizes(kinds=n, copies=2)) for n in (20, 40))),
    )


def row(size: int, cost: float) -> Row:
    spread = Spread(cost, cost, cost)
    return Row(str(size), size, spread, spread, spread, spread, 0.0, 0.0)


def test_growth_is_told_and_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(growth, "series", small)
    monkeypatch.setattr(growth, "OPERATION_SECONDS", 0.005)
    chart, data = tmp_path / "growth.svg", tmp_path / "growth.json"
    assert main(["bench", "--growth", "--seconds", "0.5", "--chart", str(chart), "--json", str(data)]) == 0
    said = capsys.readouterr().out
    assert "players (Exploding Kittens):" in said
    assert "1.00 times (1.00–1.00)" in said
    assert said.count("  power ") == 2
    report = json.loads(data.read_text(encoding="utf-8"))
    assert [[row["size"] for row in one["rows"]] for one in report["series"]] == [[2, 4], [20, 40]]
    assert all(row["decision_microseconds"]["median"] > 0 for one in report["series"] for row in one["rows"])
    drawn = ElementTree.fromstring(chart.read_text(encoding="utf-8"))
    texts = [text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert {"players", "cards <all>", "2", "4", "20", "40"} <= set(texts)
    assert len(list(drawn.iter("{http://www.w3.org/2000/svg}circle"))) == 4
    assert draw(report) == chart.read_text(encoding="utf-8")


def test_the_power_is_that_of_the_size() -> None:
    for power in (0.0, 0.5, 1.0, 2.0):
        rows = [row(size, 3.0 * size**power) for size in (2, 10, 70)]
        assert growth.power(rows, lambda one: one.decision.middle) == pytest.approx(power)
    assert growth.power([row(5, 1.0)], lambda one: one.decision.middle) == 0.0


def test_quick_leaves_out_the_largest_of_what_is_made() -> None:
    for all_of_it, quick in zip(growth.series(), growth.series(quick=True), strict=True):
        left_out = 0 if all_of_it.points[0].whole_games else 1
        assert [point.size for point in all_of_it.points][: len(all_of_it.points) - left_out] == [
            point.size for point in quick.points
        ]


def test_what_is_made_is_not_kept_in_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEBOOK_CACHE", str(tmp_path))
    growth.measure(Series("cards", "made", (growth._made(20, Sizes(kinds=20, copies=2)),)), 0.05)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("arguments", [["--growth", "--games", "court"], ["--chart", "a.svg"]])
def test_what_does_not_go_together_is_refused(arguments: list[str]) -> None:
    assert main(["bench", *arguments]) == 2
