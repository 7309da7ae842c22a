"""The game of these tests, and rulings about it written in a line or two."""

from __future__ import annotations

import textwrap
from pathlib import Path

from rulebook.diagnostics import Diagnostics
from rulebook.rulings.books import Books
from rulebook.rulings.model import RulingFile
from rulebook.rulings.outcomes import Failure, Outcome
from rulebook.rulings.reading import read_file
from rulebook.rulings.running import run_ruling

GAMES = Path(__file__).parent / "games"
TEA = GAMES / "tea"
BOOKS = Books()
"""Loaded once for all tests."""


def read(text: str) -> tuple[RulingFile, Diagnostics]:
    """A file of rulings in the game's folder that holds this text."""
    diagnostics = Diagnostics()
    path = TEA / "base" / "rulings" / "made_up.yaml"
    return read_file(path, diagnostics, name="made_up.yaml", text=textwrap.dedent(text)), diagnostics


def read_ruling(body: str) -> tuple[RulingFile, Diagnostics]:
    """A file with one ruling: `body` is what stands below its title."""
    return read("rulings:\n  - title: Made up\n" + textwrap.indent(textwrap.dedent(body).strip("\n"), "    ") + "\n")


def outcome_of(body: str) -> tuple[Outcome, Diagnostics]:
    """What comes of a ruling."""
    file, diagnostics = read_ruling(body)
    assert not diagnostics.errors, diagnostics.errors
    return run_ruling(file.rulings[0], BOOKS, diagnostics), diagnostics


def holds(body: str) -> Outcome:
    """The outcome of a ruling that must hold."""
    outcome, diagnostics = outcome_of(body)
    assert not diagnostics.items, [str(item) for item in diagnostics]
    assert outcome.failure is None, outcome.failure
    return outcome


def fails(body: str) -> Failure:
    """The failure of a ruling that must fail."""
    outcome, diagnostics = outcome_of(body)
    assert not diagnostics.errors, [str(item) for item in diagnostics]
    assert outcome.failure is not None, "this ruling should not hold"
    assert not outcome.passed
    return outcome.failure
