"""Every code of the language is given for its wrong example and for nothing in its right one."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulebook.codes import Code
from rulebook.lang.codes import CODES
from tests.rulebook.lang.small import faults, program

PROGRAMS = [code for code in CODES if code.where == "do"]


@pytest.mark.parametrize("code", PROGRAMS, ids=lambda code: str(code.code))
def test_a_wrong_example_gives_its_code_alone(code: Code, tmp_path: Path) -> None:
    assert {item.code for item in faults(tmp_path, program(code.wrong))} == {code.code}


@pytest.mark.parametrize("code", PROGRAMS, ids=lambda code: str(code.code))
def test_a_right_example_gives_none(code: Code, tmp_path: Path) -> None:
    assert [str(item) for item in faults(tmp_path, program(code.right))] == []
