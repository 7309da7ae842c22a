"""Trees that are kept: the same again, between processes too, and nothing damaged or of another compiler."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rulebook
from rulebook.lang import parse, parsed
from rulebook.lang.parsed import Trees, decode, encode
from rulebook.library import shipped
from tests.rulebook.lang.small import program, write_game

LONG = 'x.rank + 1 if any(hand where it is sweet and it.rank in [1, 2]) else -3 % f("a\\nb", none, not true)[0]'
PROGRAM = """\
let n = 1
set you.coins = n
if a is set:
  pick c from: hand by: you
elif b is unset:
  stop
else:
  proceed card: c
for p in living:
  while true:
    pay p coins: 2
"""
TEXTS = [("a", "expression"), (LONG, "expression"), ("stop\n", "program"), (PROGRAM, "program")]


@pytest.mark.parametrize(("text", "start"), TEXTS, ids=[row[0][:20] for row in TEXTS])
def test_a_tree_survives_being_written_and_read(text: str, start: str) -> None:
    tree = parse._parse(text, start)
    again = decode(json.loads(json.dumps(encode(tree))))
    assert again == tree
    assert repr(again) == repr(tree)  # positions too, which do not count for equality
    assert encode(again) == encode(tree)


def test_every_program_of_the_shipped_cards_survives(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    root = shipped()
    assert root is not None
    monkeypatch.setenv("RULEBOOK_CACHE", str(tmp_path))
    first = rulebook.load("kittens", preset="zombie").to_json()
    kept = parsed.trees()
    kept.save()
    for file in tmp_path.glob("*.json"):
        file.unlink()
    monkeypatch.setattr(parsed, "_kept", {})
    monkeypatch.setattr(parse, "_parse", lambda text, start: pytest.fail(f"read again: {text}"))
    assert rulebook.load("kittens", preset="zombie").to_json() == first


def test_what_is_damaged_is_read_again(tmp_path: Path) -> None:
    kept = Trees(tmp_path)
    kept.keep("a", "expression", parse._parse("a", "expression"))
    kept.save()
    (file,) = tmp_path.iterdir()
    assert Trees(tmp_path).find("a", "expression") == parse._parse("a", "expression")
    content = file.read_bytes()
    for damaged in (b"", content[:-3], content.replace(b'"a"', b'"b"'), b"\xff" + content, content.split(b"\n", 1)[1]):
        file.write_bytes(damaged)
        assert Trees(tmp_path).find("a", "expression") is None


@pytest.mark.parametrize("line", ["[99,0,1,1]", "[1]", "{}", '["a"]', "[" * 5000, "nonsense", "[1,0,1,1,2,3,4]"])
def test_a_line_that_is_no_tree_is_passed_over(line: str, tmp_path: Path) -> None:
    kept = Trees(tmp_path)
    kept._lines = {parsed._digest("a", "expression"): line}
    assert kept.find("a", "expression") is None


def test_the_file_of_another_compiler_is_not_read_and_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsed, "compiler_digest", lambda: "0" * 64)
    old = Trees(tmp_path)
    old.keep("a", "expression", parse._parse("a", "expression"))
    old.save()
    monkeypatch.setattr(parsed, "compiler_digest", lambda: "1" * 64)
    new = Trees(tmp_path)
    assert new.find("a", "expression") is None
    new.keep("b", "expression", parse._parse("b", "expression"))
    new.save()
    assert [path.name for path in tmp_path.iterdir()] == ["trees-1111111111111111"]


def test_two_runs_at_a_time_lose_nothing(tmp_path: Path) -> None:
    one, two = Trees(tmp_path), Trees(tmp_path)
    for kept, text in ((one, "a"), (two, "b")):
        kept.keep(text, "expression", parse._parse(text, "expression"))
        kept.save()
    assert all(Trees(tmp_path).find(text, "expression") for text in "ab")


def test_faults_are_told_every_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from rulebook.checking import check_paths

    monkeypatch.setenv("RULEBOOK_CACHE", str(tmp_path / "cache"))
    root = write_game(tmp_path, program("set pot = = 3\nshuffle pile"))
    first, second = (list(check_paths([root]).diagnostics) for _ in range(2))
    assert [item.code for item in first] == ["RB401"]
    assert first == second


def test_without_a_folder_nothing_is_written(tmp_path: Path) -> None:
    kept = Trees(None)
    kept.keep("a", "expression", parse._parse("a", "expression"))
    kept.save()
    assert kept.find("a", "expression") is not None
    assert list(tmp_path.iterdir()) == []
