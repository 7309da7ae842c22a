"""Playing with what works: faulty cards are left out if that is asked for, and told; nothing is half loaded."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import kernel
import rulebook
from rulebook.cli import main
from rulebook.diagnostics import Diagnostic, PackError
from tests.rulebook.packfiles import GAME, card, mini, pack

PLAYED = GAME.replace("tags", "tags").replace(
    "play: |\n  end_game winners: living\n",
    "tags: {good: \"works\"}\nsetup: |\n  move box to: player(0).hand\n"
    "play: |\n  while not turn_ended:\n    offer turn_of\n  end_game winners: living\n"
    "moves:\n  stop: {default: true, do: end_turn you}\n",
)  # fmt: skip
WORKS = "tags: [good]\nplay: {at: turn, do: end_turn you}\n"
BROKEN = {
    "c12": card("c12", "play: {at: turn, do: end_trun you}\n"),
    "c30": "card: [\n",
    "c57": card("c57", "colour: red\n"),
}


def sixty(folder: Path) -> Path:
    ids = [f"c{number}" for number in range(1, 61)]
    files: dict[str, str | bytes] = {f"base/{id}.yaml": BROKEN.get(id, card(id, WORKS)) for id in ids}
    speaks = 'play:\n  at: turn\n  do: |\n    move hand where id(it) == "c30" to: box\n'
    files["base/c1.yaml"] = card("c1", speaks)
    files["base/pack.yaml"] = pack("base", "deck: {" + ", ".join(f"{id}: 1" for id in ids) + "}\n")
    return mini(folder, files, PLAYED)


def test_three_broken_cards_of_sixty_are_left_out_and_told(tmp_path: Path) -> None:
    root = sixty(tmp_path)
    with pytest.raises(PackError) as caught:
        rulebook.load("mini", path=root)
    skipped: list[Diagnostic] = []
    book = rulebook.load("mini", path=root, skipped=skipped)
    assert {Path(item.span.file).stem for item in skipped if item.span} == set(BROKEN)
    assert {(item.code, item.message) for item in skipped} <= {
        (item.code, item.message) for item in caught.value.diagnostics
    }
    assert book.data["left_out"] == sorted(BROKEN)
    hand = book.new(players=2, seed=1).view(0)["zones"]["hand"]["0"]
    assert sorted(hand) == sorted({f"c{n}" for n in range(1, 61)} - set(BROKEN))
    again = kernel.Rulebook.from_json(book.to_json())
    state = again.new(players=2, seed=1)
    state.apply(0, "play c1")  # which speaks of one that was left out
    state.apply(0, "play c2")
    assert state.over


def test_where_nothing_is_broken_it_is_the_same_book(tmp_path: Path) -> None:
    root = mini(tmp_path, {"base/pack.yaml": pack("base", "deck: {a: 2}\n"), "base/a.yaml": card("a", WORKS)}, PLAYED)
    skipped: list[Diagnostic] = []
    book = rulebook.load("mini", path=root, skipped=skipped)
    assert skipped == []
    assert book.digest == rulebook.load("mini", path=root).digest


@pytest.mark.parametrize(
    ("files", "code"),
    [
        ({"game.yaml": PLAYED.replace("end_turn you", "end_trun you")}, "RB413"),
        ({"base/pack.yaml": pack("base", "deck: {a: 2, nobody: 1}\n")}, "RB416"),
        ({"base/pack.yaml": "pack: [\n"}, "RB"),
    ],
)
def test_what_is_wrong_elsewhere_is_refused_all_the_same(
    files: dict[str, str | bytes], code: str, tmp_path: Path
) -> None:
    whole: dict[str, str | bytes] = {
        "base/pack.yaml": pack("base", "deck: {a: 2}\n"), "base/a.yaml": card("a", "play: {at: turn, do: oops}\n"),
        "game.yaml": PLAYED, **files,
    }  # fmt: skip
    game = whole.pop("game.yaml")
    assert isinstance(game, str)
    root = mini(tmp_path, whole, game)
    with pytest.raises(PackError) as caught:
        rulebook.load("mini", path=root, skipped=[])
    assert any(item.code.startswith(code) and item.span for item in caught.value.diagnostics)


def test_a_card_that_is_wrong_only_without_another_is_left_out_too(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "base/pack.yaml": pack("base", "deck: {a: 1, b: 1, c: 1}\n"),
        "base/a.yaml": card("a", "play: {at: response, to: target.friend == you, do: cancel target}\n"),
        "base/b.yaml": card("b", "play: {at: turn, choose: {friend: others}, do: end_trun you}\n"),
        "base/c.yaml": card("c", WORKS),
    }
    skipped: list[Diagnostic] = []
    book = rulebook.load("mini", path=mini(tmp_path, files, PLAYED), skipped=skipped)
    assert book.data["left_out"] in (["b"], ["a", "b"])
    assert {item.code for item in skipped} >= {"RB413"}


def test_the_command_builds_with_what_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    sixty(tmp_path)
    assert main(["build", "mini", "--path", "mini", "-o", "mini.json"]) == 1
    assert not (tmp_path / "mini.json").exists()
    capsys.readouterr()
    assert main(["build", "mini", "--path", "mini", "-o", "mini.json", "--skip-broken"]) == 0
    captured = capsys.readouterr()
    assert captured.out == ""
    assert [line for line in captured.err.splitlines() if line.startswith("left out")] == [
        "left out: c12", "left out: c30", "left out: c57",
    ]  # fmt: skip
    assert "mini/base/c12.yaml:3:" in captured.err
    assert json.loads((tmp_path / "mini.json").read_text(encoding="utf-8"))["left_out"] == ["c12", "c30", "c57"]
