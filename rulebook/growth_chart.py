"""Draws what `rulebook bench --growth` has measured as an SVG: a small chart for each series, light and dark."""

from __future__ import annotations

import math
from html import escape
from typing import Any

WIDE, HIGH = 240, 200
ACROSS = 3
LEFT, RIGHT, TOP, BOTTOM = 46, 16, 44, 40
HEAD = 34
_STYLE = """\
  <style>
    svg { color-scheme: light dark }
    .ground { fill: #fff } .ink { fill: #222 } .dim { fill: #666 } .grid { stroke: #ddd } .level { stroke: #999 }
    .line { stroke: #3f62b5 } .dot { fill: #3f62b5 }
    @media (prefers-color-scheme: dark) {
      .ground { fill: #1e2129 } .ink { fill: #e8e8e8 } .dim { fill: #a8a8b0 } .grid { stroke: #3a3e4a }
      .level { stroke: #8a8d96 } .line { stroke: #8fb0ff } .dot { fill: #8fb0ff }
    }
  </style>"""


def draw(report: dict[str, Any]) -> str:
    """The chart of a report of `rulebook.commands.benchgrowth`: the cost of a decision over the size, with the spread
    of the rounds. Sizes stand at the distances of their logarithms; costs begin at 0.
    """
    some = report["series"]
    down = math.ceil(len(some) / ACROSS)
    width, height = WIDE * ACROSS, HEAD + HIGH * down
    title = f"Microseconds for a decision ({escape(report['kernel'])}); dotted: as at the smallest size"
    shape = f'viewBox="0 0 {width} {height}" role="img" font-family="system-ui, sans-serif" font-size="11"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {shape}>',
        "  <title>What a decision costs, in microseconds, at several sizes of each thing</title>",
        _STYLE,
        f'  <rect class="ground" width="{width}" height="{height}" rx="10"/>',
        f'  <text class="ink" x="{LEFT - 30}" y="24" font-size="13" font-weight="700">{title}</text>',
    ]
    for number, one in enumerate(some):
        parts += _panel(one, WIDE * (number % ACROSS), HEAD + HIGH * (number // ACROSS))
    return "\n".join([*parts, "</svg>", ""])


def _panel(one: dict[str, Any], left: float, top: float) -> list[str]:
    rows = one["rows"]
    most = max(row["decision_microseconds"]["max"] for row in rows)
    step = _step(most)
    ceiling = step * math.ceil(most / step)
    inner, floor = WIDE - LEFT - RIGHT, top + HIGH - BOTTOM
    low, high = math.log(rows[0]["size"]), math.log(rows[-1]["size"])

    def x(row: dict[str, Any]) -> float:
        part: float = (math.log(row["size"]) - low) / max(high - low, 1e-9)
        return left + LEFT + 8 + (inner - 16) * part

    def y(cost: float) -> float:
        return float(floor - (HIGH - TOP - BOTTOM) * cost / ceiling)

    name, about = escape(one["name"]), escape(one["about"])
    said = [
        f'  <text class="ink" x="{left + 16}" y="{top + 18}" font-size="12" font-weight="700">{name}</text>',
        f'  <text class="dim" x="{left + 16}" y="{top + 33}">{about}</text>',
    ]
    for mark in range(round(ceiling / step) + 1):
        at = y(mark * step)
        said.append(f'  <path class="grid" d="M{left + LEFT} {at:.1f}H{left + WIDE - RIGHT}"/>')
        said.append(
            f'  <text class="dim" x="{left + LEFT - 5}" y="{at + 4:.1f}" text-anchor="end">{mark * step:g}</text>'
        )
    first = y(rows[0]["decision_microseconds"]["median"])
    said.append(f'  <path class="level" stroke-dasharray="2 3" d="M{left + LEFT} {first:.1f}H{left + WIDE - RIGHT}"/>')
    places = [(x(row), row["decision_microseconds"]) for row in rows]
    line = " ".join(f"{at:.1f},{y(cost['median']):.1f}" for at, cost in places)
    said.append(f'  <polyline class="line" fill="none" stroke-width="2" points="{line}"/>')
    for (at, cost), row in zip(places, rows, strict=True):
        said.append(f'  <path class="line" d="M{at:.1f} {y(cost["min"]):.1f}V{y(cost["max"]):.1f}"/>')
        said.append(f'  <circle class="dot" cx="{at:.1f}" cy="{y(cost["median"]):.1f}" r="3"/>')
        said.append(
            f'  <text class="dim" x="{at:.1f}" y="{floor + 15:.1f}" text-anchor="middle">{row["size"]:,}</text>'
        )
    return said


def _step(most: float) -> float:
    """A round distance of three to six lines up to so much."""
    rough = most / 4
    unit = 10.0 ** math.floor(math.log10(rough))
    return next(unit * times for times in (1, 2, 2.5, 5, 10) if unit * times >= rough)
