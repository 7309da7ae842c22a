"""`rulebook check` and `rulebook explain`, as people, editors and CI use them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from rulebook.cli import main
from tests.rulebook.packfiles import GAME, card, mini, pack, write

RULING = "rulings:\n  - title: Nothing happens\n    then: [over]\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_good_pack(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mini(here, {"base/pack.yaml": pack("base"), "base/rulings/a.yaml": RULING})
    for path in ("mini", "mini/base", "mini/game.yaml", "mini/base/pack.yaml", "mini/base/rulings/a.yaml", "."):
        assert main(["check", path]) == 0, path
        captured = capsys.readouterr()
        assert captured.out == ""
        assert "no fault found" in captured.err
    assert main(["check", "mini", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == []


def test_faults_of_every_kind_come_in_one_run(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files: dict[str, str | bytes] = {
        "base/pack.yaml": pack("base", "options: {hand: 3}\n"),
        "base/a.yaml": "card: [\n",
        "base/b.yaml": card("b", "conditon: x\n"),
        "base/c.yaml": card("d"),
        "base/rulings/r.yaml": "rulings: []\n",
        "more/pack.yaml": pack("more", "requres: [x]\n"),
        "more/e.yaml": card("e", "tags: x\n"),
        "last/pack.yaml": pack("last", "needs: [base, none]\n"),
        "last/boom.yml": "",
    }
    mini(here, files)
    assert main(["check", "mini", "--format", "plain"]) == 1
    captured = capsys.readouterr()
    found = [re.sub(r" .*", "", line.replace(": ", " ", 1)) for line in captured.out.splitlines()]
    codes = re.findall(r"(?:error|warning) (RB[0-9]+)", captured.out)
    assert found == sorted(found)
    assert sorted(codes) == ["RB106", "RB200", "RB200", "RB202", "RB206", "RB306", "RB310", "RB323"]
    assert all(
        re.match(r"mini/\S+:[0-9]+:[0-9]+: (error|warning) RB[0-9]+: .+", line) for line in captured.out.splitlines()
    )
    assert captured.err == ""


def test_people_see_lines_and_a_summary(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mini(here, {"base/pack.yaml": pack("base"), "base/b.yaml": card("b", "conditon: x\n")})
    assert main(["check", "mini"]) == 1
    captured = capsys.readouterr()
    assert "3 | conditon: x\n" in captured.out
    assert "| ^^^^^^^^" in captured.out
    assert captured.err == "checked 1 pack of 1 game: 1 error, 0 warnings\n"


def test_one_file_is_checked_with_what_it_belongs_to_and_speaks_for_itself(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files: dict[str, str | bytes] = {
        "base/pack.yaml": pack("base"),
        "base/a.yaml": "card: [\n",
        "base/b.yaml": card("b", "conditon: x\n"),
    }
    mini(here, files)
    assert main(["check", "--format", "plain", "mini/base/b.yaml"]) == 1
    assert re.findall(r"RB[0-9]+", capsys.readouterr().out) == ["RB200"]
    assert main(["check", "mini/base/pack.yaml"]) == 0


def test_a_file_that_lies_nowhere_is_taken_for_what_it_looks_like(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    looks: dict[str, str | bytes] = {
        "a.yaml": card("a"),
        "b/pack.yaml": pack("b"),
        "c.yaml": RULING,
        "d.yaml": "card: x\nid: d\nrulings: x\n",
    }
    write(here, looks)
    assert main(["check", "a.yaml"]) == 0
    assert main(["check", "c.yaml"]) == 0
    assert main(["check", "d.yaml"]) == 1


def test_warnings_are_faults_only_when_that_is_asked_for(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mini(here, {"base/pack.yaml": pack("base"), "base/boom.yml": card("boom")})
    assert main(["check", "mini"]) == 0
    assert "1 warning" in capsys.readouterr().err
    assert main(["check", "--strict", "mini"]) == 1


def test_an_empty_folder_is_a_warning(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "empty").mkdir()
    assert main(["check", "empty", "--format", "plain"]) == 0
    assert "RB321" in capsys.readouterr().out
    assert main(["check", "empty", "--strict"]) == 1


def test_a_path_that_is_not_there_is_a_wrong_call(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mini(here)
    assert main(["check", "mini", "none"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "none does not exist" in captured.err
    assert main(["check", "--format", "xml", "mini"]) == 2


def test_a_pack_of_an_unknown_game_is_checked_as_far_as_possible(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(here / "mine", {"pack.yaml": pack("mine", "foo: 1\n")})
    assert main(["check", "mine", "--format", "plain"]) == 1
    assert set(re.findall(r"RB[0-9]+", capsys.readouterr().out)) == {"RB301", "RB200"}


def test_a_folder_that_nobody_reads_is_told(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mini(here, {"base/pack.yaml": pack("base"), "more/boom.yaml": card("boom")})
    assert main(["check", "mini", "--format", "plain"]) == 0
    assert "RB322" in capsys.readouterr().out


def test_a_broken_game_does_not_hide_its_cards(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files: dict[str, str | bytes] = {"base/pack.yaml": pack("base"), "base/b.yaml": card("b", "conditon: x\n")}
    mini(here, files, game=GAME + "setpu: x\n")
    assert main(["check", "mini", "--format", "plain"]) == 1
    assert re.findall(r"RB[0-9]+", capsys.readouterr().out) == ["RB200", "RB200"]


def test_a_code_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    for word in ("RB200", "rb200", "200"):
        assert main(["explain", word]) == 0
        shown = capsys.readouterr().out
        assert shown.startswith("RB200: An unknown key\n")
        assert "Wrong:\n" in shown
        assert "Right:\n" in shown
    assert main(["explain"]) == 0
    assert "  RB301  An unknown game\n" in capsys.readouterr().out


def test_an_unknown_code_is_a_wrong_call(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "RB999"]) == 2
    assert capsys.readouterr().out == ""


def test_what_is_shipped_has_no_fault_and_no_doubt(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--strict", "--format", "plain"]) == 0, capsys.readouterr().out


RULINGS = """\
rulings:
  - title: It is over
    then:
      - ovre
      - winners == [player(0), player(1)]
      - count(winners) == "2"
    steps:
      - expect: hnad == 3
      - illegal: {0: paly ace}
      - illegal: {1: play aec}
  - title: Others play
    packs: [bsae]
    then: [over]
  - title: Nobody else
    players: 2
    steps: [2: play ace]
    then: [over]
"""


def test_what_rulings_say_is_looked_at_with_all_else(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mini(
        here,
        {
            "base/pack.yaml": pack("base", "deck: {ace: 4}\n"),
            "base/ace.yaml": card("ace"),
            "base/rulings/a.yaml": RULINGS.rpartition("  - title: Nobody")[0],
            "base/rulings/b.yaml": RULINGS,
        },
    )
    for path in ("mini", "mini/base", "mini/base/rulings/a.yaml", "mini/base/rulings"):
        assert main(["check", path, "--format", "json"]) == 1, path
        found = json.loads(capsys.readouterr().out)
        own = [(item["code"], item["line"], item["column"]) for item in found if item["file"].endswith("a.yaml")]
        assert own == [
            ("RB410", 4, 9),
            ("RB425", 6, 9),
            ("RB410", 8, 17),
            ("RB504", 9, 9),
            ("RB504", 10, 9),
            ("RB501", 12, 5),
        ], path
        others = [item["code"] for item in found if not item["file"].endswith("a.yaml")]
        assert others == ([] if path.endswith("a.yaml") else ["RB500"])


def test_a_broken_card_is_told_once_and_not_for_every_ruling(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files: dict[str, str | bytes] = {
        "base/pack.yaml": pack("base", "deck: {ace: 4}\n"),
        "base/ace.yaml": card("ace", "play: {at: turn, do: shufle hand}\n"),
        "base/rulings/a.yaml": "rulings:\n  - title: One\n    then: [over]\n  - title: Two\n    then: [ovre]\n",
        "more/pack.yaml": pack("more"),
        "more/rulings/a.yaml": "rulings:\n  - title: One\n    then: [ovre]\n",
    }
    mini(here, files)
    assert main(["check", "mini", "--format", "json"]) == 1
    assert [item["code"] for item in json.loads(capsys.readouterr().out)] == ["RB413"]


def test_a_game_that_only_a_ruling_asks_for_is_looked_at(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = GAME.replace("zones:", "options: {big: {type: flag, default: false}}\nzones:")
    ruling = "rulings:\n  - title: One\n    options: {OPTION: true}\n    then: [over]\n"
    files: dict[str, str | bytes] = {
        "base/pack.yaml": pack("base", "deck: {ace: 4}\n"),
        "base/ace.yaml": card("ace", "play:\n  at: turn\n  do: |\n    if options.big:\n      move hand to: box\n"),
        "base/rulings/a.yaml": ruling.replace("OPTION", "bgi"),
    }
    mini(here, files, game)
    assert main(["check", "mini", "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert [(item["code"], item["file"], item["line"]) for item in found] == [("RB501", "mini/base/rulings/a.yaml", 3)]
    mini(here, {"base/rulings/a.yaml": ruling.replace("OPTION", "big")}, game)
    assert main(["check", "mini"]) == 0
