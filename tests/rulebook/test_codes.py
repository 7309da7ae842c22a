"""The registry of codes is complete, and its examples say the truth."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import rulebook
from rulebook.checking import check_paths
from rulebook.codes import GROUPS, Code, join, registry
from rulebook.diagnostics import Diagnostics
from rulebook.schema_check import KINDS, check_shape
from rulebook.yamlread import read_into
from tests.rulebook.packfiles import split_files, write

ALL = list(registry().values())
READING = [code for code in ALL if code.code < "RB400" and code.wrong and code.where in (*KINDS, "mark")]
TREES = [code for code in ALL if code.code < "RB400" and code.wrong and code.where == "files"]


def names(codes: list[Code]) -> list[str]:
    return [code.code for code in codes]


def found_in(text: str, where: str) -> list[str]:
    diagnostics = Diagnostics()
    node = read_into(text, diagnostics, name="example.yaml")
    if node is not None and not diagnostics.errors:
        check_shape(node, "card" if where == "mark" else where, diagnostics)  # type: ignore[arg-type]
    return [item.code for item in diagnostics]


@pytest.mark.parametrize("code", READING, ids=names(READING))
def test_a_wrong_example_has_its_fault_and_no_other(code: Code) -> None:
    assert set(found_in(code.wrong, code.where)) == {code.code}
    assert found_in(code.right, code.where) == []


@pytest.mark.parametrize("code", TREES, ids=names(TREES))
def test_wrong_examples_of_several_files_too(code: Code, tmp_path: Path) -> None:
    wrong = write(tmp_path / "wrong" / "mini", split_files(code.wrong))
    assert {item.code for item in check_paths([wrong]).diagnostics} == {code.code}
    right = write(tmp_path / "right" / "mini", split_files(code.right))
    assert [str(item) for item in check_paths([right]).diagnostics] == []


@pytest.mark.parametrize("code", ALL, ids=names(ALL))
def test_every_code_is_explained(code: Code) -> None:
    assert re.fullmatch(r"RB[1-6][0-9]{2}", code.code)
    assert code.group in GROUPS.values()
    assert code.title
    assert not code.title.endswith(".")
    assert code.meaning.endswith((".", "`", ")"))
    assert bool(code.wrong) == bool(code.right)
    assert code.severity in ("error", "warning")


def test_every_code_that_is_reported_is_registered_and_the_other_way_round() -> None:
    package = Path(rulebook.__file__).parent
    lists = [path for path in package.rglob("*.py") if path.name.startswith("codes")]
    sources = [path.read_text() for path in package.rglob("*.py") if path not in lists]
    used = set(re.findall(r"\"(RB[0-9]{3})\"", "\n".join(sources)))
    assert used - set(registry()) == set()
    direct = {code for code in registry() if code < "RB400"}
    assert direct - used == set()


def test_a_code_is_registered_once() -> None:
    code = Code("RB999", "a", "b.")
    with pytest.raises(ValueError, match="RB999"):
        join([[code], [code]])
