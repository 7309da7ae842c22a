"""Every ruling of the games that come with the project holds."""

from __future__ import annotations

import pytest

from rulebook import rulings
from rulebook.diagnostics import Diagnostics
from rulebook.rulings.books import Books
from rulebook.rulings.report import position_lines
from rulebook.rulings.running import run_ruling

FAULTS = Diagnostics()
FILES = rulings.read([], FAULTS)
BOOKS = Books()


def test_files_of_rulings_can_be_read() -> None:
    assert not FAULTS.items, [str(item) for item in FAULTS]


@pytest.mark.parametrize(
    "ruling",
    [pytest.param(ruling, id=f"{file.name}: {ruling.title}") for file in FILES for ruling in file.rulings],
)
def test_ruling_holds(ruling: rulings.Ruling) -> None:
    diagnostics = Diagnostics()
    outcome = run_ruling(ruling, BOOKS, diagnostics)
    assert not diagnostics.items, [str(item) for item in diagnostics]
    failure = outcome.failure
    if failure is not None:
        lines = [f"{failure.span}: {failure.message}", *failure.details, *failure.journal]
        pytest.fail("\n".join([*lines, *position_lines(failure.position)]), pytrace=False)
