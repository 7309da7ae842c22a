"""How faults are collected and printed."""

from __future__ import annotations

import copy
import json
import pickle
import re
from pathlib import Path

import pytest

import kernel
from rulebook.diagnostics import Diagnostic, Diagnostics, PackError, Span, did_you_mean, nearest, render, visible

SPAN = Span("base/attack.yaml", 3, 7, 3, 11)
TEXT = "card: Attack\nid: attack\nplay: trun\n"


def human(item: Diagnostic, text: str = TEXT) -> str:
    return render([item], sources={"base/attack.yaml": text, "other.yaml": text})


def test_people_see_the_line_with_a_caret_below_the_fault() -> None:
    item = Diagnostic("RB203", "`play` cannot be `trun`", SPAN, "did you mean `turn`?")
    assert human(item) == (
        "error[RB203]: `play` cannot be `trun`\n"
        "   --> base/attack.yaml:3:7\n"
        "    |\n"
        "  3 | play: trun\n"
        "    |       ^^^^\n"
        "  hint: did you mean `turn`?"
    )


def test_further_places_are_shown() -> None:
    item = Diagnostic("RB309", "defined twice", SPAN, related=(("the other one", Span("other.yaml", 1, 1, 1, 5)),))
    assert "  the other one:\n   --> other.yaml:1:1\n    |\n  1 | card: Attack\n    | ^^^^" in human(item)


def test_editors_get_a_line_each() -> None:
    items = [Diagnostic("RB203", "wrong\nwords", SPAN, "right words"), Diagnostic("RB301", "no game", None)]
    assert render(items, "plain") == (
        "base/attack.yaml:3:7: error RB203: wrong words — right words\n-: error RB301: no game"
    )


def test_programs_get_json() -> None:
    item = Diagnostic("RB203", "wrong", SPAN, "hint", "warning", (("here", SPAN),))
    place = {"file": "base/attack.yaml", "line": 3, "column": 7, "end_line": 3, "end_column": 11}
    assert json.loads(render([item], "json")) == [
        {
            "code": "RB203",
            "severity": "warning",
            "message": "wrong",
            "hint": "hint",
            **place,
            "related": [{"message": "here", **place}],
        }
    ]
    assert json.loads(render([], "json")) == []


def test_an_unknown_style_is_refused() -> None:
    with pytest.raises(ValueError, match="xml"):
        render([], "xml")


def test_without_colour_there_is_no_escape_and_with_it_there_is() -> None:
    item = Diagnostic("RB203", "wrong", SPAN)
    assert "\x1b" not in human(item)
    coloured = render([item], color=True, sources={"base/attack.yaml": TEXT})
    assert "\x1b[1;31m" in coloured
    assert re.sub("\x1b\\[[0-9;]*m", "", coloured) == human(item)


def test_nothing_in_a_file_can_colour_or_scramble_a_terminal() -> None:
    text = "a\nb\nc\x1b[31m\u202ed: x\n"
    item = Diagnostic("RB200", "bad \x1b[2J word", Span("base/attack.yaml", 3, 1, 3, 2), "hint\x07")
    for style in ("human", "plain"):
        printed = render([item], style, sources={"base/attack.yaml": text})
        assert not set(printed) & set("\x1b\x07\u202e")
    assert visible("é 猫\t\x1b") == "é 猫\\x09\\x1b"


def test_wide_characters_and_tabs_keep_the_caret_in_place() -> None:
    shown = human(Diagnostic("RB200", "x", Span("other.yaml", 1, 4, 1, 6)), "猫\t:ab\n")
    assert shown.endswith("| 猫 :ab\n    |     ^^")


def test_a_very_long_line_is_shown_around_the_fault() -> None:
    text = "x" * 5000 + "FAULT" + "y" * 5000
    shown = human(Diagnostic("RB200", "x", Span("other.yaml", 1, 5001, 1, 5006)), text)
    assert "FAULT" in shown
    assert max(map(len, shown.split("\n"))) < 250


def test_places_outside_the_text_do_no_harm() -> None:
    for span in (Span("other.yaml", 99, 1, 99, 2), Span("none.yaml", 1, 1, 1, 1), Span("other.yaml", 1, 99, 1, 100)):
        assert "RB200" in human(Diagnostic("RB200", "x", span))


def test_lines_are_read_from_the_files_where_no_text_is_given(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_bytes(b"\xef\xbb\xbfone\r\ntwo\r\n")
    shown = render([Diagnostic("RB200", "x", Span(str(file), 2, 1, 2, 4))])
    assert shown.endswith("| two\n    | ^^^")


def test_the_same_fault_is_kept_once_and_all_are_sorted() -> None:
    found = Diagnostics()
    found.warning("RB323", "later", Span("b.yaml", 1, 1, 1, 1))
    found.error("RB200", "second", Span("a.yaml", 10, 1, 10, 2))
    found.error("RB200", "first", Span("a.yaml", 9, 1, 9, 2))
    found.error("RB200", "first", Span("a.yaml", 9, 1, 9, 2))
    found.error("RB301", "no place", None)
    assert [item.message for item in found.sorted()] == ["no place", "first", "second", "later"]
    assert (len(found), len(found.errors)) == (4, 3)


def test_warnings_alone_are_no_error() -> None:
    found = Diagnostics()
    found.warning("RB323", "only this", None)
    found.check()
    found.error("RB200", "unknown key", SPAN)
    with pytest.raises(PackError) as raised:
        found.check()
    error = raised.value
    assert isinstance(error, kernel.GameError)
    assert error.code == "RB200"
    assert [item.severity for item in error.diagnostics] == ["warning", "error"]
    for other in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert (other.diagnostics, str(other)) == (error.diagnostics, str(error))


@pytest.mark.parametrize(
    ("word", "near"),
    [("conditon", "condition"), ("requres", "requires"), ("Skip", "skip"), ("turn-of", "turn_of"), ("zzz", None)],
)
def test_the_nearest_word_is_found(word: str, near: str | None) -> None:
    assert nearest(word, ["condition", "requires", "skip", "turn_of", "tag"]) == near


def test_hints_for_unknown_names() -> None:
    assert did_you_mean("skp", ["skip", "attack"]) == "did you mean `skip`?"
    assert did_you_mean("zzz", ["skip", "attack"]) == "known here: `attack`, `skip`"
    assert did_you_mean("zzz", [f"{n}" * 9 for n in range(30)]) == ""
    assert did_you_mean("zzz", []) == ""
    assert len(did_you_mean("x" * 100_000, ["skip"])) < 200
