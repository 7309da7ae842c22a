"""What the reader takes a file for, and what it says where it refuses one."""

from __future__ import annotations

import time
import tracemalloc
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from rulebook import yamlparse
from rulebook.diagnostics import Diagnostic, Diagnostics, PackError
from rulebook.yamlread import MAX_BYTES, MAX_DEPTH, Map, Node, Scalar, read, read_into, to_data, walk


@pytest.fixture(autouse=True, params=["C", "Python"])
def either_parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything holds for PyYAML's C parser and for the one it has where that was not built."""
    loader = yaml.SafeLoader if request.param == "Python" else getattr(yaml, "CSafeLoader", None)
    if loader is None:
        pytest.skip("PyYAML was built without its C parser")
    monkeypatch.setattr(yamlparse, "_LOADER", loader)


def faults(source: str | bytes | Path) -> list[Diagnostic]:
    diagnostics = Diagnostics()
    read_into(source, diagnostics, name=None if isinstance(source, Path) else "card.yaml")
    return diagnostics.items


def fault(source: str | bytes | Path) -> Diagnostic:
    found = faults(source)
    assert len(found) == 1, [str(item) for item in found]
    return found[0]


def test_values_are_texts_numbers_flags_and_nothing() -> None:
    text = "a: word\nb: 7\nc: -3\nd: true\ne: false\nf:\ng: ~\nh: null\ni: '7'\nj: \"true\"\nk: 0\n"
    assert to_data(read(text)) == {
        "a": "word",
        "b": 7,
        "c": -3,
        "d": True,
        "e": False,
        "f": None,
        "g": None,
        "h": None,
        "i": "7",
        "j": "true",
        "k": 0,
    }


def test_words_that_other_readers_make_flags_or_dates_of_stay_texts() -> None:
    text = "card: No\nid: off\nanswers: [yes, no, Y, on]\non: discard\nat: 12:30\nday: 2024-05-01\nmany: 1_000\n"
    assert to_data(read(text)) == {
        "card": "No",
        "id": "off",
        "answers": ["yes", "no", "Y", "on"],
        "on": "discard",
        "at": "12:30",
        "day": "2024-05-01",
        "many": "1_000",
    }


def test_keys_are_texts_or_on_demand_numbers() -> None:
    node = read("hand: {0: [a], '1': [b]}\n")
    assert to_data(node) == {"hand": {"0": ["a"], "1": ["b"]}}
    assert to_data(node, numbers_as_keys=True) == {"hand": {0: ["a"], "1": ["b"]}}


def test_an_action_notation_with_a_hash_or_equal_sign_is_a_text() -> None:
    assert to_data(read("- play favor victim=2\n- choose skip#2\n")) == ["play favor victim=2", "choose skip#2"]


def test_a_byte_order_mark_and_other_line_breaks_are_no_fault() -> None:
    assert to_data(read(b"\xef\xbb\xbfcard: A\r\nid: a\r\n")) == {"card": "A", "id": "a"}
    assert to_data(read("card: A\rid: a\r")) == {"card": "A", "id": "a"}


@pytest.mark.parametrize(
    ("text", "code", "line", "column", "words"),
    [
        ("card: A\nplay:\n\tat: turn\n", "RB104", 3, 1, "tab at 3:1, use spaces"),
        ("card: A\nplay:\n  at: turn\n\tdo: x\n", "RB104", 4, 1, "tab at 4:1, use spaces"),
        ("do: |\n\tmove\n", "RB104", 2, 1, "tab at 2:1, use spaces"),
        ("card: A\nplay\n", "RB105", 2, 1, "`play` stands alone"),
        ("a: - 1\n", "RB105", 1, 4, "a list cannot begin on the line of its key"),
        ('a: "x" y\n', "RB105", 1, 8, "already complete"),
        ("a: |x\n  foo\n", "RB105", 1, 5, "after `|` the line must end"),
        ("a: ]\n", "RB105", 1, 4, "not YAML"),
        ("play\n: 1\n", "RB105", 2, 1, "does not belong"),
        ("a: [1, 2\nb: 3\n", "RB106", 2, 2, "after `[` a comma or `]` is missing"),
        ("a: {b: 1 c: 2}\n", "RB106", 1, 11, "after `{` a comma or `}` is missing"),
        ('a: 1\nb: "foo\nc: 3\n', "RB106", 2, 4, "this quote is never closed"),
        ("text: Now: you win\n", "RB107", 1, 10, "a colon followed by a space"),
        ("a: 1\n  b: 2\n", "RB107", 2, 4, "a colon followed by a space"),
        ("a:\n    b: 1\n  c: 2\n", "RB108", 3, 3, "indented to a place where no block began"),
        ("a:\n  b: 1\n  - c\n", "RB108", 3, 3, "a list item stands where a key is expected"),
        ("a: @foo\n", "RB109", 1, 4, "cannot begin with `@`"),
        ("a: `foo`\n", "RB109", 1, 4, "cannot begin with ```"),
        ("a: %foo\n", "RB109", 1, 4, "cannot begin with `%`"),
        ("id: twin\nb:\n  c: 1\n  c: 2\n", "RB110", 4, 3, "in line 3 and in line 4"),
        ("a: 0\n'a': 0\n", "RB110", 2, 1, "in line 1 and in line 2"),
        ("a: &x 1\n", "RB111", 1, 4, "anchors (`&x`) are not read"),
        ("a: *x\n", "RB111", 1, 4, "aliases (`*x`) are not read"),
        ("a: &\n", "RB111", 1, 4, "anchors and aliases"),
        ("c:\n  <<: *base\n  x: 2\n", "RB112", 2, 3, "merge keys (`<<`) are not read"),
        ("a: !!python/object:os.system x\n", "RB113", 1, 4, "are not read"),
        ("a: !<foo 1\n", "RB113", 1, 4, "tags are not read"),
        ("a: 1\n---\nb: 2\n", "RB114", 2, 1, "a second document"),
        ("", "RB115", 1, 1, "empty"),
        ("# only this\n", "RB115", 1, 1, "empty"),
        ("? [a, b]\n: 1\n", "RB116", 1, 3, "a key must be a plain word"),
        ("~: 1\n", "RB116", 1, 1, "a key is missing"),
        ("a: 010\n", "RB117", 1, 4, "`010` means different things"),
        ("version: 1.10\n", "RB117", 1, 10, "`1.10` means different things"),
        ("a: [0x1f]\n", "RB117", 1, 5, "`0x1f` means different things"),
        ("a: 1e3\n", "RB117", 1, 4, "`1e3` means different things"),
        ("a: True\n", "RB117", 1, 4, "`True` means different things"),
        ("a: .inf\n", "RB117", 1, 4, "`.inf` means different things"),
        ("a: 1000000000001\n", "RB118", 1, 4, "too large"),
        (f"a: {'9' * 5000}\n", "RB118", 1, 4, "too large"),
        ("%YAML 1.1\n---\na: 1\n", "RB120", 1, 1, "directives"),
        ('a: "x\\q"\n', "RB121", 1, 6, "`\\q` means nothing"),
        ("a: x\x00y\n", "RB103", 1, 5, "U+0000"),
        ("a: 1\nb: x\u2028y\n", "RB103", 2, 5, "U+2028"),
        ("a: x\u202ey\n", "RB103", 1, 5, "U+202E"),
        (b"a: 1\nb: caf\xe9\n", "RB102", 2, 7, "UTF-8"),
        ("a: 1\n".encode("utf-16"), "RB102", 1, 1, "UTF-16"),
    ],
)
def test_each_fault_has_its_code_place_and_words(
    text: str | bytes, code: str, line: int, column: int, words: str
) -> None:
    found = fault(text)
    assert (found.code, found.span and (found.span.line, found.span.column)) == (code, (line, column))
    assert words in found.message
    assert found.span is not None
    assert found.span.file == "card.yaml"


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("version: 1.10\n", '"1.10" in quotes'),
        ("a: True\n", 'write true, or "True" in quotes'),
        ("text: Now: you win\n", "needs quotes"),
        ("a: @foo\n", "quotes"),
        ("card: A\nplay\n", "write `play: …`"),
        ("a: &x 1\n", "verbs of the game file"),
    ],
)
def test_hints_say_what_to_type(text: str, hint: str) -> None:
    assert hint in faults(text)[0].hint


def test_a_tab_inside_quotes_is_a_text() -> None:
    assert to_data(read('a: "x\ty"\n')) == {"a": "x\ty"}


def test_several_faults_of_one_file_are_found_in_one_run() -> None:
    found = faults("a: 010\nb: True\nc: 1\nc: 2\n")
    assert [(item.code, item.span and item.span.line) for item in found] == [("RB117", 1), ("RB117", 2), ("RB110", 4)]


def test_one_anchor_speaks_for_all_of_a_file() -> None:
    assert [item.code for item in faults("a: &a [1]\nb: &b [*a, *a]\nc: [*b, *a]\n")] == ["RB111"]


def test_what_is_refused_is_an_error_with_everything_found() -> None:
    with pytest.raises(PackError) as raised:
        read("a: 010\nb: 011\n", name="x.yaml")
    assert raised.value.code == "RB117"
    assert len(raised.value.diagnostics) == 2
    assert "x.yaml:1:4" in str(raised.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    assert fault(tmp_path / "none.yaml").code == "RB100"
    assert fault(tmp_path).code == "RB100"
    assert fault(Path("a\0b")).code == "RB100"


# Hostile input ------------------------------------------------------------------------------------


def bounded(source: str | bytes | Path, seconds: float = 1.0, megabytes: float = 100) -> list[Diagnostic]:
    tracemalloc.start()
    try:
        begin = time.process_time()  # not the clock: other work on the machine must not count
        found = faults(source)
        took = time.process_time() - begin
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert took < seconds * 5, f"{took:.2f} s"  # tracing memory makes everything a few times slower
    assert peak < megabytes * 1e6
    return found


def test_an_alias_bomb_is_refused_at_once() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 10)]
    assert [item.code for item in bounded("\n".join(lines))] == ["RB111"]


def test_an_alias_to_its_own_list_is_refused() -> None:
    assert [item.code for item in bounded("play: &p [*p]\n")] == ["RB111"]


def test_a_file_that_is_too_large_is_refused_unread(tmp_path: Path) -> None:
    file = tmp_path / "huge.yaml"
    with file.open("wb") as stream:
        stream.truncate(50 << 20)
    assert [item.code for item in bounded(file, megabytes=5)] == ["RB101"]
    assert [item.code for item in bounded("a" * (MAX_BYTES + 1), megabytes=5)] == ["RB101"]


@pytest.mark.parametrize(
    "text",
    [
        "[" * 3000 + "]" * 3000,
        "[" * 3000,
        "a: " + "{b: " * 3000,
        "\n".join("  " * depth + "a:" for depth in range(300)),
        "- " * 3000,
        "[" * 200_000,
    ],
    ids=["closed", "open", "maps", "blocks", "items", "many"],
)
def test_deep_nesting_is_refused_with_its_place(text: str) -> None:
    found = bounded(text)
    assert [item.code for item in found] == ["RB119"]
    assert found[0].span is not None


def test_the_depth_that_is_allowed_is_read() -> None:
    assert isinstance(read("[" * MAX_DEPTH + "]" * MAX_DEPTH), Node)


@pytest.mark.parametrize(
    "text",
    [
        "a: 010\n" * 20_000,
        "? " * 10_000,
        "a: " + "x " * 50_000,
        "'" * 100_000,
        "&" * 100_000,
        "- [" * 10_000,
        "a: |\n" + " x\n" * 50_000,
        "{" + "a: 1, " * 50_000 + "}",
    ],
    ids=["keys", "questions", "words", "quotes", "anchors", "lists", "lines", "flow"],
)
def test_large_nonsense_ends_soon(text: str) -> None:
    bounded(text, seconds=3)


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=80))
def test_any_bytes_are_a_node_or_a_located_fault(data: bytes) -> None:
    check_anything(data)


@settings(max_examples=250, deadline=None)
@given(st.text(alphabet="ab01:-?[]{},&*!|>'\"%@`#~\\ \t\n.", max_size=40))
def test_any_text_is_a_node_or_a_located_fault(text: str) -> None:
    check_anything(text)


def check_anything(data: str | bytes) -> None:
    diagnostics = Diagnostics()
    node = read_into(data, diagnostics, name="x.yaml")
    assert node is not None or diagnostics.errors
    for item in diagnostics:
        assert item.span is not None
        assert item.span.line >= 1
        assert item.span.column >= 1
    for part in walk(node) if node is not None else ():
        if isinstance(part, Map):
            assert part.entries.keys() == part.keys.keys()
        if isinstance(part, Scalar):
            assert (part.span.line, part.span.column) <= part.position(len(part.text))
