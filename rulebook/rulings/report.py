"""Reports of rulings as text: in full for people, a line each for editors, as JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import click

from rulebook.diagnostics import render, visible
from rulebook.rulings.coverage import CardCoverage, Coverage
from rulebook.rulings.outcomes import FileReport, Outcome, Report

LAST_STEPS = 12
"""How many of the last steps are shown with a failure."""
STYLES = ("human", "plain", "json")


@dataclass(frozen=True, slots=True)
class Look:
    """How a report is to look: one of :data:`STYLES`, every title or only those that fail, in colour or not."""

    style: str = "human"
    verbose: bool = False
    color: bool = False

    def paint(self, text: str, **how: Any) -> str:
        """The text in colour where colour is wanted."""
        return click.style(text, **how) if self.color else text


def file_lines(file: FileReport, look: Look) -> Iterator[str]:
    """A file: one line with its counts, then every failure in full."""
    if look.style == "plain":
        for outcome in file.outcomes:
            yield from _plain(file, outcome, look)
        return
    good, bad = file.passed, file.failed
    mark = look.paint("failed", fg="red", bold=True) if bad or file.broken else look.paint("ok", fg="green")
    counts = "cannot be read" if file.broken else f"{good} passed" + (f", {bad} failed" if bad else "")
    yield f"{mark} {visible(file.file.name)}: {counts}"
    for outcome in file.outcomes:
        if look.verbose:
            word = look.paint("passed", fg="green") if outcome.passed else look.paint(outcome.status, fg="red")
            yield f"  {word} {visible(outcome.ruling.title)}"
        if outcome.failure is not None:
            yield from _failure(outcome, look)


def end_text(report: Report, look: Look) -> str:
    """What stands below the files: the faults in them, the coverage, and the sum of it all. For `json` this is all
    there is."""
    if look.style == "json":
        return json.dumps(report.to_data(), indent=2, ensure_ascii=False)
    blocks = []
    if report.diagnostics:
        blocks.append(render(report.diagnostics, look.style, look.color))
    if report.coverage is not None:
        blocks.append("\n".join(_coverage(report.coverage, look)))
    if look.style == "human":
        blocks.append(summary(report, look))
    return "\n\n".join(blocks)


def summary(report: Report, look: Look) -> str:
    """`N rulings passed, M failed`."""
    text = f"{report.passed} ruling{'' if report.passed == 1 else 's'} passed, {report.failed} failed"
    faults = len(report.faults)
    if faults:
        text += f", {faults} fault{'' if faults == 1 else 's'} in files"
    return look.paint(text, fg="green" if report.ok else "red", bold=True)


def position_lines(position: Mapping[str, Any]) -> Iterator[str]:
    """A position as the lines of a `given`; what is empty is left out."""
    for key, value in position.items():
        if isinstance(value, Mapping):
            value = {name: each for name, each in value.items() if each not in ([], None)}
        if value not in ([], {}, None):
            yield f"{key}: {_flow(value)}"


def _plain(file: FileReport, outcome: Outcome, look: Look) -> Iterator[str]:
    failure, ruling = outcome.failure, outcome.ruling
    if failure is not None:
        yield visible(f"{failure.span}: failed: {ruling.title}: {failure.message}")
    elif look.verbose:
        yield visible(f"{ruling.span}: {outcome.status}: {ruling.title}")


def _failure(outcome: Outcome, look: Look) -> Iterator[str]:
    failure, ruling = outcome.failure, outcome.ruling
    assert failure is not None
    yield ""
    yield look.paint(f"  {visible(str(ruling.span))}: {visible(ruling.title)}", bold=True)
    yield f"    {look.paint(visible(failure.message), fg='red')} (line {failure.span.line})"
    for line in failure.details:
        yield f"      {visible(line)}"
    if failure.journal:
        left = len(failure.journal) - LAST_STEPS
        yield "    what happened:" + (f" ({left} steps before)" if left > 0 else "")
        for line in failure.journal[-LAST_STEPS:]:
            yield f"      {visible(line)}"
    if failure.position:
        yield "    the position:"
        for line in position_lines(failure.position):
            yield f"      {visible(line)}"
    yield ""


def _coverage(coverage: Coverage, look: Look) -> Iterator[str]:
    if look.style == "plain":
        for card in coverage.files:
            for line in card.missing:
                yield visible(f"{card.file}:{line}:1: coverage: no ruling runs this line of {card.id}")
        return
    yield look.paint("Coverage", bold=True)
    for card in coverage.files:
        if card.missing or (look.verbose and card.lines):
            yield f"  {len(card.ran):>4} of {len(card.lines):<4} {visible(card.file)}{_missing(card)}"
    if coverage.without_ruling:
        yield f"  about no ruling: {', '.join(coverage.without_ruling)}"
    number = len(coverage.games)
    games = f" and {number} game file{'' if number == 1 else 's'}" if number else ""
    counts = f"{coverage.ran} of {coverage.lines} statement lines of {len(coverage.cards)} cards{games} ran"
    yield f"  {counts}: {coverage.percent:.1f} %"


def _missing(card: CardCoverage) -> str:
    if not card.missing:
        return ""
    idle = f"; never: {', '.join(card.idle)}" if card.idle else ""
    return f"  not: {', '.join(map(str, card.missing))}{idle}"


def _flow(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {_flow(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_flow, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
