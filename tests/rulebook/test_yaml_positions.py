"""Every character of a value leads back to its place in the file."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulebook.yamlread import Map, Scalar, Seq, read


def scalar(text: str, key: str = "a") -> Scalar:
    node = read(text, name="x.yaml")
    assert isinstance(node, Map)
    value = node.entries[key]
    assert isinstance(value, Scalar)
    return value


def places(text: str, key: str = "a") -> str:
    """What stands in the file where the value's characters are said to be."""
    value = scalar(text, key)
    lines = text.split("\n")
    found = ""
    for offset in range(len(value.text)):
        line, column = value.position(offset)
        found += (lines[line - 1] + "\n")[column - 1 : column]
    return found


@pytest.mark.parametrize(
    "text",
    [
        "a: plain text\n",
        "b: 1\na:    far away   # remark\n",
        "a: 'single'\n",
        'a: "double"\n',
        "a: |\n  one\n  two\n",
        "a: |\n  one\n\n    two\n  three",
        "a: |-\n  one\n",
        "a: |+\n  one\n\n\n",
        "a: |2\n    indented\n  less\n",
        "a: | # remark\n  one\n",
        "a: |\n\n  after a blank line\n",
        "b:\n  - a: 1\na: |\n      deep\n      block\n",
        "{b: [x], a: flow}\n",
        "a: ünïcödé 猫 text\n",
        "a: |\n  猫 one\n  🐈 two\n",
    ],
)
def test_where_nothing_is_folded_or_escaped_the_file_shows_the_value(text: str) -> None:
    assert places(text) == scalar(text).text


def test_escapes_and_doubled_quotes_are_stepped_over() -> None:
    text = 'a: "x\\ty\\u00e9z\\"w"\n'
    value = scalar(text)
    assert value.text == 'x\ty\u00e9z"w'
    assert [value.position(n)[1] for n in range(len(value.text) + 1)] == [5, 6, 8, 9, 15, 16, 18, 19]
    value = scalar("a: 'it''s so'\n")
    assert value.text == "it's so"
    assert [value.position(n)[1] for n in range(8)] == [5, 6, 7, 9, 10, 11, 12, 13]


@pytest.mark.parametrize(
    "text",
    [
        "a: one\n  two\n  three\n",
        "a: one\n\n  two\n",
        "a: 'one\n  two'\n",
        'a: "one\n\n  two"\n',
        'a: "one \\\n  two"\n',
        "a: >\n  one\n  two\n\n  three\n",
        "a: >-\n  any(x\n    where y)\n",
        "a: >\n\n  one\n    two\n  three\n",
    ],
)
def test_folded_values_lead_to_the_right_words(text: str) -> None:
    value = scalar(text)
    lines = text.split("\n")
    for offset, char in enumerate(value.text):
        if not char.isspace():
            line, column = value.position(offset)
            assert lines[line - 1][column - 1] == char, (offset, char)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.text(alphabet="ab' \"\\#:", min_size=0, max_size=6), min_size=1, max_size=4), st.integers(1, 4))
def test_any_literal_block_leads_back(lines: list[str], indent: int) -> None:
    text = "a: |\n" + "\n".join(" " * indent + "x" + line for line in lines) + "\n"
    assert places(text) == scalar(text).text


def test_positions_beyond_the_end_are_the_end() -> None:
    value = scalar("a: abc\n")
    assert value.position(3) == value.position(99) == (1, 7)
    assert value.position(-5) == (1, 4)


def test_parts_have_spans() -> None:
    span = scalar("a: |\n  one two\n  three\n").part(4, 7)
    assert (span.line, span.column, span.end_line, span.end_column) == (2, 7, 2, 10)
    span = scalar("a: |\n  one two\n  three\n").part(4, 10)
    assert (span.line, span.column, span.end_line, span.end_column) == (2, 7, 3, 5)
    span = scalar("a: abc\n").part(3, 3)
    assert (span.column, span.end_column) == (7, 8)


def test_numbers_and_flags_have_the_text_that_stands_in_the_file() -> None:
    assert (scalar("a: 7\n").value, scalar("a: 7\n").text) == (7, "7")
    assert (scalar("a: true\n").value, scalar("a: true\n").text) == (True, "true")
    assert scalar("a: 7\n").position(0) == (1, 4)


def test_keys_lists_and_maps_have_spans() -> None:
    node = read("b: 1\nlist:\n  - x\n  - {y: 1}\n\n# end\n", name="x.yaml")
    assert isinstance(node, Map)
    assert str(node.keys["list"].span) == "x.yaml:2:1"
    items = node.entries["list"]
    assert isinstance(items, Seq)
    assert (items.span.line, items.span.end_line, items.span.end_column) == (3, 4, 11)
    assert (node.span.line, node.span.end_line) == (1, 4)


def test_a_block_ends_behind_its_last_line() -> None:
    span = scalar("a: |\n  one\n  two\n\n\nb: 1\n").span
    assert (span.line, span.column, span.end_line, span.end_column) == (1, 4, 3, 6)
