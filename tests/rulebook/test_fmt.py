"""`rulebook fmt`: one way to lay out, which changes no meaning, loses no comment and does nothing a second time."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from rulebook.cli import main
from rulebook.diagnostics import Diagnostics
from rulebook.formatting import files_below, format_text, formatted
from rulebook.lang.layout import layout_expression, layout_program, same_meaning
from rulebook.library import shipped
from rulebook.schema_check import Kind

EXPRESSIONS = [
    ("a  ==b and(c or d)", "a == b and (c or d)"),
    ("x [0]", "x[0]"),
    ("f (x ,y)", "f(x, y)"),
    ("- 3+ -4", "-3 + -4"),
    ("x -1", "x - 1"),
    ("-1 - -1", "-1 - -1"),
    ("(a) -1", "(a) - 1"),
    ("1 if a else [1,2 ] [0]", "1 if a else [1, 2][0]"),
    ("not(a)", "not (a)"),
    ("( a ) . b", "(a).b"),
    ('"a"in [ "a" ]', '"a" in ["a"]'),
    ('"a  b"==c', '"a  b" == c'),
    ("count ( hand where it.rank-1>2 )", "count(hand where it.rank - 1 > 2)"),
    ("a +", "a +"),
    ("a ) b", "a ) b"),
]


@pytest.mark.parametrize(("text", "laid"), EXPRESSIONS)
def test_expressions(text: str, laid: str) -> None:
    assert layout_expression(text) == laid
    assert layout_expression(laid) == laid
    assert same_meaning("expression", text, laid)


MESSY = """
#head
if any(hand) :   # why
     move first( hand )to : box
     # inner
# outer


while true:
 stop

 # still inside
pay (1+2) coins:-1
move [a,
       b
  ] to:box
set y . z=x-1
   # odd
# last

"""
TIDY = """\
#head
if any(hand):  # why
  move first(hand) to: box
  # inner
# outer

while true:
  stop

  # still inside
pay (1 + 2) coins: -1
move [a,
  b
] to: box
set y.z = x - 1
# odd
# last
"""


def test_a_program() -> None:
    assert layout_program(MESSY) == TIDY
    assert layout_program(TIDY) == TIDY
    assert same_meaning("program", MESSY, TIDY)


@pytest.mark.parametrize("text", ["set pot = = 3\n  x\n", "if a:\nb\n", "move hand to: (box\n", "\tstop\n"])
def test_a_program_that_cannot_be_read_stays_as_it_is(text: str) -> None:
    assert layout_program(text) == text


CARD = """\
# yaml-language-server: $schema=x.json

# what others lay on you
tags: [sweet]   # never bitter
id: tea


card: Tea\x20\x20
# on your turn
play:
-  at: turn
   if: any( hand )and  not(a  or b)
   choose: {who: others   where count(it.hand)>1, what: "a  +b"}
   do: |
         move hand to:box   # all

         stop
-  {at: now, if: x==1, do: "y  z: 1"}
text: |
  two  spaces\x20\x20


  and empty lines
"""
CARD_TIDY = """\
# yaml-language-server: $schema=x.json

# what others lay on you
card: Tea
id: tea
text: |
  two  spaces\x20\x20


  and empty lines
tags: [sweet]   # never bitter
# on your turn
play:
-  at: turn
   if: any(hand) and not (a or b)
   choose: {who: others where count(it.hand) > 1, what: "a + b"}
   do: |
     move hand to: box  # all

     stop
-  {at: now, if: x == 1, do: "y  z: 1"}
"""


def test_a_file() -> None:
    assert format_text(CARD, "card") == CARD_TIDY
    assert format_text(CARD_TIDY, "card") == CARD_TIDY
    assert format_text("\ufeff" + CARD.replace("\n", "\r\n"), "card") == CARD_TIDY


def test_a_comment_above_a_key_goes_where_the_key_goes() -> None:
    text = "play: {at: turn, do: stop}\n\n# its name\ncard: Tea\nid: tea\n"
    assert format_text(text, "card") == "# its name\ncard: Tea\nid: tea\nplay: {at: turn, do: stop}\n"


@pytest.mark.parametrize("text", ["card: [\n", "card: Tea\nid: tea\ncolour:   blue\n", "", "card: a\ncard:  b\n"])
def test_what_is_no_card_stays_as_it_is(text: str) -> None:
    assert format_text(text, "card") == text


def test_shipped_files_are_laid_out(monkeypatch: pytest.MonkeyPatch) -> None:
    root = shipped()
    assert root is not None
    found = Diagnostics()
    for file, kind in files_below(root):
        texts = formatted(file, kind, found)
        assert texts is not None, file
        assert texts[1] == texts[0], f"rulebook fmt {file}"
    assert not found.items


def disturbed(text: str, rng: random.Random) -> str:
    """A file with blanks where they mean nothing, lines shuffled into other places of the file not at all."""
    lines = []
    for line in text.split("\n"):
        if re.match(r" +(?:let|set|move|if|for|while|pick|show) ", line) and '"' not in line and rng.random() < 0.6:
            head = re.match(r" +", line)
            assert head is not None
            line = head[0] + re.sub(r" (?=[=<>+*(]+ ?)", "  ", line[len(head[0]) :])
            line = re.sub(r",(?=\S)|, ", rng.choice([",", ",  "]), line)
        lines.append(line + " " * rng.choice([0, 0, 2]) if re.match(r" *\w+:(?: [|>]|$)", line) else line)
    return "\n".join(lines)


@pytest.mark.parametrize("name", ["base/see_the_future_3.yaml", "barking/tower_of_power.yaml", "game.yaml"])
def test_what_was_disturbed_is_laid_out_as_before(name: str) -> None:
    root = shipped()
    assert root is not None
    text = (root / "kittens" / name).read_text(encoding="utf-8")
    kind: Kind = "game" if name == "game.yaml" else "card"
    for seed in range(2):
        changed = disturbed(text, random.Random(seed))
        assert changed != text
        assert format_text(changed, kind) == text


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    assert main(["new", "game", "tea_time"]) == 0
    return tmp_path / "tea_time"


def test_new_files_are_laid_out_already(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["fmt", "--check"]) == 0
    assert capsys.readouterr().out == ""


def test_the_command_changes_files_and_says_which(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    card = game / "base" / "stop.yaml"
    before = card.read_text(encoding="utf-8")
    messy = before.replace("cancel target", "cancel  target").replace("!=", "!= ")
    card.write_text(messy, encoding="utf-8")
    card.chmod(0o640)
    notes = game / "base" / "notes.txt"
    notes.write_text("a  b  \n\n\n", encoding="utf-8")
    capsys.readouterr()
    assert main(["fmt", "--check", "tea_time"]) == 1
    assert capsys.readouterr().out == "tea_time/base/stop.yaml\n"
    assert card.read_text(encoding="utf-8") == messy
    assert main(["fmt"]) == 0
    assert capsys.readouterr().out == "tea_time/base/stop.yaml\n"
    assert card.read_text(encoding="utf-8") == before
    assert card.stat().st_mode & 0o777 == 0o640
    assert main(["fmt", str(card)]) == 0
    assert capsys.readouterr().out == ""
    assert notes.read_text(encoding="utf-8") == "a  b  \n\n\n"
    assert sorted(path.name for path in card.parent.iterdir()) == [
        "notes.txt", "pack.yaml", "rulings", "stop.yaml", "windfall.yaml",
    ]  # fmt: skip


def test_a_file_with_faults_is_told_and_left_alone(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    card = game / "base" / "stop.yaml"
    card.write_text("card: Stop  \nid: stop\ntgas:  []\n", encoding="utf-8")
    capsys.readouterr()
    assert main(["fmt"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "RB200" in captured.err
    assert card.read_text(encoding="utf-8") == "card: Stop  \nid: stop\ntgas:  []\n"
    assert main(["fmt", "nowhere"]) == 2
