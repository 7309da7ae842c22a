"""The part of `rulebook bench` that is about growth: what more players, packs and cards do to the costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulebook import growth, speed
from rulebook.commands.bench import spread

HEADS = ("size", "decisions/s", "a decision costs", "copy", "view", "deal", "load")


def measure(seconds: float, quick: bool) -> dict[str, Any]:
    """Measure every series for its share of the seconds; the report as JSON-able data."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    some = growth.series(quick)
    console = Console(stderr=True)
    report: dict[str, Any] = {
        "interpreter": speed.interpreter(),
        "kernel": "compiled" if speed.compiled() else "pure Python",
        "series": [],
    }
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=growth.steps(some))
        for one in some:
            progress.update(task, description=one.name)
            rows = growth.measure(one, seconds / len(some), lambda: progress.advance(task))
            report["series"].append(_series(one, rows))
    return report


def _series(one: growth.Series, rows: Sequence[growth.Row]) -> dict[str, Any]:
    return {
        "name": one.name,
        "about": one.about,
        "power": {
            "decision": growth.power(rows, lambda row: row.decision.middle),
            "copy": growth.power(rows, lambda row: row.copy.middle),
            "view": growth.power(rows, lambda row: row.view.middle),
            "deal": growth.power(rows, lambda row: row.deal),
            "load": growth.power(rows, lambda row: row.load),
        },
        "rows": [
            {
                "label": row.label,
                "size": row.size,
                "decision_microseconds": spread(row.decision),
                "times": spread(row.times),
                "copy_microseconds": spread(row.copy),
                "view_microseconds": spread(row.view),
                "deal_seconds": row.deal,
                "load_seconds": row.load,
            }
            for row in rows
        ],
    }


def lines(report: dict[str, Any]) -> list[str]:
    """The report for people."""
    said = [report["interpreter"], f"kernel: {report['kernel']}"]
    for one in report["series"]:
        table = [HEADS, *(_cells(row) for row in one["rows"])]
        powers = one["power"]
        table.append(("power", "", *(f"{powers[name]:.2f}" for name in ("decision", "copy", "view", "deal", "load"))))
        widths = [max(len(row[at]) for row in table) for at in range(len(HEADS))]
        said += ["", f"{one['name']} ({one['about']}):"]
        for row in table:
            first, *others = (cell.rjust(width) for cell, width in zip(row, widths, strict=True))
            said.append("  " + "  ".join([row[0].ljust(len(first)), *others]).rstrip())
    said += ["", "Power: a cost grows with this power of the size (0: not at all; 1: in proportion to it)."]
    return said


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    rate, times = row["decision_microseconds"], row["times"]
    return (
        row["label"],
        f"{1e6 / rate['median']:,.0f} ({1e6 / rate['max']:,.0f}–{1e6 / rate['min']:,.0f})",
        f"{times['median']:.2f} times ({times['min']:.2f}–{times['max']:.2f})",
        f"{row['copy_microseconds']['median']:,.0f} µs",
        f"{row['view_microseconds']['median']:,.0f} µs",
        f"{row['deal_seconds'] * 1000:,.1f} ms",
        f"{row['load_seconds']:,.2f} s",
    )
