"""The table of faults (`docs/faults.md`) names tests and rulings that exist."""

from __future__ import annotations

import functools
import re
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[1]
TEST = re.compile(r"`(tests/[a-z_/]+\.py)::(test_[a-z_0-9]+)`")
RULING = re.compile(r"`([a-z_]+/[a-z_]+/[a-z0-9_]+)`: (.+)")


def rows() -> list[list[str]]:
    """The cells of every row: the fault, what is so here, and what shows it."""
    found = []
    for line in (ROOT / "docs" / "faults.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("| ") and not line.startswith(("| fault", "| ---")):
            found.append([cell.strip() for cell in line.strip("|").split(" | ")])
    return found


@functools.cache
def titles(name: str) -> frozenset[str]:
    """The titles of the rulings of a file `game/pack/file`."""
    game, pack, file = name.split("/")
    path = ROOT / "cards" / game / pack / "rulings" / f"{file}.yaml"
    return frozenset(str(ruling["title"]) for ruling in yaml.safe_load(path.read_text(encoding="utf-8"))["rulings"])


@functools.cache
def source(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_every_row_names_tests_and_rulings_that_exist() -> None:
    assert len(rows()) > 60
    for fault, here, shown in rows():
        assert fault
        assert here
        for name in shown.split("<br>"):
            if test := TEST.fullmatch(name):
                assert f"\ndef {test[2]}(" in source(test[1]), f"{fault}: {name}"
            else:
                ruling = RULING.fullmatch(name)
                assert ruling is not None, f"{fault}: {name}"
                assert ruling[2] in titles(ruling[1]), f"{fault}: {name}"


def test_no_fault_stands_twice() -> None:
    faults = [fault for fault, *_ in rows()]
    assert len(set(faults)) == len(faults)
