"""The table of the sources' rules (`docs/seeds.md`) and the rulings stay together.

Each row of the table names what shows its rule: rulings, as `pack/file`: title, or tests. Every name must exist, every
row must name something, and every ruling whose source names a seed must stand under that seed. Two rules of the sources
are refusals at set-up, which no ruling can express; their tests stand here too.
"""

import functools
import importlib
import re
from pathlib import Path

import pytest
import yaml

import kernel
import rulebook

ROOT = Path(__file__).parents[2]
SEEDS = ("000", "001", "002", "003", "004")
HEADING = re.compile(r"^## Seed (\d{3})\b")
RULING = re.compile(r"^`([a-z_]+/[a-z0-9_]+)`: (.+)$")
TEST = re.compile(r"^`(tests/[a-z_/]+)\.py::([a-z_]+)`$")


@functools.cache
def rulings() -> dict[tuple[str, str], str]:
    """The source of every ruling of the kittens, by `pack/file` and title."""
    found: dict[tuple[str, str], str] = {}
    for path in sorted((ROOT / "cards" / "kittens").glob("*/rulings/*.yaml")):
        where = f"{path.parent.parent.name}/{path.stem}"
        for ruling in yaml.safe_load(path.read_text(encoding="utf-8"))["rulings"]:
            found[where, ruling["title"]] = ruling.get("source", "")
    return found


@functools.cache
def rows() -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """The rows of the table: seed, rule, and what shows it."""
    seed, found = "", []
    for line in (ROOT / "docs" / "seeds.md").read_text(encoding="utf-8").splitlines():
        if heading := HEADING.match(line):
            seed = heading[1]
        elif seed and line.startswith("| ") and not line.startswith(("| rule |", "| --- ")):
            rule, shown = (cell.strip() for cell in line.strip("|").split(" | "))
            found.append((seed, rule, tuple(shown.split("<br>"))))
    return tuple(found)


def test_every_seed_has_its_part_of_the_table() -> None:
    assert {seed for seed, _, _ in rows()} == set(SEEDS)


def test_every_ruling_that_the_table_names_exists() -> None:
    named = [(seed, match) for seed, _, shown in rows() for name in shown if (match := RULING.match(name))]
    assert len(named) > 200
    assert [f"seed {seed}: {match[0]}" for seed, match in named if (match[1], match[2]) not in rulings()] == []


def test_every_row_names_rulings_or_tests_that_exist() -> None:
    for seed, rule, shown in rows():
        for name in shown:
            if match := TEST.match(name):
                assert hasattr(importlib.import_module(match[1].replace("/", ".")), match[2]), name
            else:
                assert RULING.match(name), f"seed {seed}: {rule}: neither a ruling nor a test: {name!r}"


@pytest.mark.parametrize("seed", SEEDS)
def test_every_ruling_that_names_a_seed_stands_under_it(seed: str) -> None:
    shown = {name for where, _, names in rows() if where == seed for name in names}
    missing = [
        f"`{file}`: {title}"
        for (file, title), source in rulings().items()
        if f"seed {seed}" in source and f"`{file}`: {title}" not in shown
    ]
    assert missing == []


def test_every_ruling_says_where_it_comes_from() -> None:
    assert [key for key, source in rulings().items() if not source.strip()] == []


def test_no_rule_is_said_twice_under_one_seed() -> None:
    said = [(seed, rule) for seed, rule, _ in rows()]
    assert len(said) == len(set(said))


def test_six_players_need_the_imploding_kittens() -> None:
    with pytest.raises(kernel.SetupError):
        rulebook.load("kittens", packs=["base"]).new(players=6, seed=1)
    assert rulebook.load("kittens", packs=["base", "imploding"]).new(players=6, seed=1).players == 6


def test_the_barking_kittens_need_a_main_deck() -> None:
    with pytest.raises((kernel.GameError, rulebook.PackError)):
        rulebook.load("kittens", packs=["barking"]).new(players=3, seed=1)
