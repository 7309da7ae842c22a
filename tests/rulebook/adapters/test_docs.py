"""docs/adapters.md: its examples run, and its tables are true."""

from __future__ import annotations

import importlib.util
import re

import pytest

import rulebook
from kernel import ActionTable
from rulebook.adapters.observing import Observer
from tests.rulebook.cli_runs import ROOT

PAGE = (ROOT / "docs" / "adapters.md").read_text(encoding="utf-8")
EXAMPLES = dict(re.findall(r"^## (\w+)\n.*?```python\n(.*?)```", PAGE, re.DOTALL | re.MULTILINE))


@pytest.mark.parametrize(
    ("title", "library"), [("PettingZoo", "pettingzoo"), ("Gymnasium", "gymnasium"), ("OpenSpiel", "pyspiel")]
)
def test_the_examples_run(title: str, library: str) -> None:
    code = EXAMPLES[title]
    if importlib.util.find_spec(library) is None:
        pytest.skip(f"{library} is not installed, so the example of docs/adapters.md cannot run")
    exec(compile(code, f"docs/adapters.md, {title}", "exec"), {})


def rows(heading: str) -> list[list[str]]:
    part = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]
    return [
        [cell.strip() for cell in line.strip("|").split("|")] for line in part.splitlines() if line.startswith("| `")
    ]


def test_every_word_of_the_table_of_ids_is_explained() -> None:
    first = {name for row in rows("Ids") for name in re.findall(r"`(\w+)", row[0])}
    for game in ("kittens", "court", "crazy_eights"):
        book = rulebook.load(game)
        moves = {spec.text.split()[0] for spec in (*book.turn_moves, *book.answer_moves)}
        assert {name.split()[0] for name in ActionTable(book).names} - moves <= first


def test_every_part_of_an_observation_stands_in_the_table_with_its_shape() -> None:
    known: dict[str, str] = {}
    for names, shapes, _ in rows("Observations"):
        found = re.findall(r"`([\w.]+)`", names)
        sizes = shapes.removesuffix(" each").split(", ")
        whole = [found[0].split(".")[0] + name if name.startswith(".") else name for name in found]
        for i, name in enumerate(whole):
            known[name] = shapes if ", or " in shapes else sizes[min(i, len(sizes) - 1)]
    for game in ("kittens", "court", "market"):
        book = rulebook.load(game)
        observer = Observer(book, 3, ActionTable(book))
        k = len(book.kinds)
        values = {"n": 3, "k": k, "k+1": k + 1, "s": len(observer.signs), "h": len(observer.heads)}
        values.update({"ids": len(observer.table), "1": 1, "3": 3, "5": 5})
        for name, part in observer.parts.items():
            general = re.sub(r"^(zone|signs|top|bottom|within)\..*", r"\1.Z", re.sub(r"^act\d", "actI", name))
            general = re.sub(r"^(player|game)\..*", r"\1.A", general)
            said = known[general]
            if general.endswith(".A"):
                assert part.shape[: len(part.shape) - 1] == ((3,) if general == "player.A" else ())
                continue
            ways = [way.replace("(", "").replace(")", "").split(" × ") for way in said.split(", or ")]
            assert part.shape in [tuple(values[factor] for factor in way) for way in ways], (name, part.shape, said)
