"""`rulebook new`: what it writes works as it is, and nothing that is there is lost."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest

import kernel.testing
import rulebook
from rulebook.cli import main
from rulebook.yamlread import read, to_data


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def works(path: str, capsys: pytest.CaptureFixture[str]) -> int:
    """Check and test what stands at a path; how many rulings held."""
    capsys.readouterr()
    assert main(["check", path, "--strict"]) == 0, capsys.readouterr().out
    assert main(["test", path]) == 0, capsys.readouterr().out
    passed = re.search(r"(\d+) rulings? passed, 0 failed", capsys.readouterr().out)
    assert passed is not None
    return int(passed[1])


def test_a_new_game_works_and_can_be_played(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "game", "tea_time"]) == 0
    assert works("tea_time", capsys) == 3
    book = rulebook.load("tea_time", path=here)
    assert book.title == "Tea Time"
    kernel.testing.check_game(book, games=3)


def test_a_game_grows_by_packs_and_cards(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "game", "tea_time"]) == 0
    assert main(["new", "pack", "biscuits", "--in", "tea_time"]) == 0
    assert main(["new", "card", "shortbread", "--in", "tea_time/biscuits"]) == 0
    assert works("tea_time", capsys) == 5
    deck = to_data(read(here / "tea_time/biscuits/pack.yaml"))["deck"]
    assert deck == {"biscuits_card": 4, "shortbread": 4}


@pytest.mark.parametrize("game", ["kittens", "court"])
def test_a_pack_for_a_shipped_game_lies_anywhere(game: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "pack", "lucky", "--game", game]) == 0
    assert main(["new", "card", "lucky_cat", "--in", "lucky"]) == 0
    assert works("lucky", capsys) == 2
    assert "lucky_cat" in {kind.id for kind in rulebook.load(game, packs=["base", "lucky"], path=here / "lucky").kinds}


def test_editors_find_the_schema_of_every_file(here: Path) -> None:
    assert main(["new", "game", "tea_time"]) == 0
    assert main(["new", "card", "lemon", "--in", "tea_time/base"]) == 0
    files = list(here.rglob("*.yaml"))
    assert len(files) == 7
    for file in files:
        first = file.read_text(encoding="utf-8").split("\n")[0]
        match = re.fullmatch(r"# yaml-language-server: \$schema=(\S+)", first)
        assert match is not None, file
        schema = json.loads((file.parent / match[1]).read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator.check_schema(schema)
        jsonschema.Draft202012Validator(schema).validate(to_data(read(file)))


@pytest.mark.parametrize(
    ("deck", "after"),
    [
        ("deck: {a: 1}", "deck: {a: 1, lemon: 4}"),
        ("deck: {}", "deck: {lemon: 4}"),
        ("deck:\n  a: 1  # one\n", "deck:\n  lemon: 4\n  a: 1  # one\n"),
        ("", "deck: {lemon: 4}"),
    ],
)
def test_a_card_goes_into_the_deck_and_all_else_stays(deck: str, after: str, here: Path) -> None:
    assert main(["new", "game", "tea_time"]) == 0
    folder = here / "tea_time/base"
    (folder / "a.yaml").write_text("card: A\nid: a\n", encoding="utf-8")
    manifest = folder / "pack.yaml"
    head = '# ours\npack: Base # so\nid: base\nversion: "1.0"\nlanguage: 1\ngame: tea_time\nmain: true\n'
    manifest.write_text(head + deck, encoding="utf-8")
    assert main(["new", "card", "lemon", "--in", str(folder)]) == 0
    assert manifest.read_text(encoding="utf-8").rstrip("\n") == (head + after).rstrip("\n")
    assert to_data(read(manifest))["deck"]["lemon"] == 4


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (["game", "Tea Time"], "`tea_time` would do"),
        (["game", "tea_time"], "is there already"),
        (["game", "rulings"], "meaning of its own"),
        (["pack", "base", "--in", "tea_time"], "is there already"),
        (["pack", "more", "--in", "tea_time", "--game", "kittens"], "is the game `tea_time`"),
        (["pack", "more", "--game", "kittns"], "there is no game `kittns`"),
        (["card", "lemon"], "is no pack"),
        (["card", "stop", "--in", "tea_time/base"], "is there already"),
        (["card", "../lemon", "--in", "tea_time/base"], "cannot be a name"),
        (["card", "lemon", "--in", "nowhere"], "is no folder"),
        (["card", "lemon", "--in", "tea_time/base", "--game", "kittens"], "--game is for packs"),
        (["deck", "lemon"], "'deck'"),
    ],
)
def test_a_wrong_call_writes_nothing(
    call: list[str], words: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new", "game", "tea_time"]) == 0
    before = {path: path.read_bytes() for path in here.rglob("*") if path.is_file()}
    capsys.readouterr()
    assert main(["new", *call]) == 2
    assert words in capsys.readouterr().err
    assert {path: path.read_bytes() for path in here.rglob("*") if path.is_file()} == before
