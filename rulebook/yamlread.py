"""YAML with positions, read strictly: every value knows where it stands, and nothing is guessed.

The reader accepts the part of YAML 1.2 that means the same to everybody: maps with text keys, lists, texts, whole
numbers, `true`, `false` and nothing. What readers of other versions take for something else (`010`, `1.10`, `0x1f`,
`True`) must be quoted; `yes`, `no`, `on`, `off` and dates are texts, also as keys. Anchors, aliases, merge keys,
tags, several documents and keys that stand twice are refused, each with its own message. Size and depth are bounded
before anything is built.

PyYAML supplies the events (its C parser where there is one); no object is ever constructed by it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from rulebook.diagnostics import Diagnostics, Span

MAX_BYTES = 1 << 20
"""No file of a pack is larger than this; a larger one is refused unread."""
MAX_DEPTH = 60
"""No value lies deeper in lists and maps than this."""
MAX_NUMBER = 10**12
"""Numbers lie between minus this and this."""


class Source:
    """The text of a file by lines, shared by all nodes read from it."""

    __slots__ = ("file", "lines", "text")

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.text = text
        self.lines: tuple[str, ...] = tuple(text.split("\n"))


@dataclass(frozen=True, slots=True)
class Scalar:
    """A single value. `text` is what stands in the file without quotes and escapes: equal to `value` for texts, and
    `"7"` for the number 7, so that code may be written as a plain YAML number or flag too."""

    value: str | int | bool | None
    text: str
    style: str
    """plain, single, double, literal (`|`) or folded (`>`)"""
    span: Span
    source: Source = field(repr=False, compare=False)
    _places: list[tuple[int, int]] = field(default_factory=list, init=False, repr=False, compare=False)

    def position(self, offset: int) -> tuple[int, int]:
        """File line and column (from 1) of character `offset` of `text`; beyond the end, the place behind the last
        one."""
        if not self._places:
            self._places.extend(_places(self))
        return self._places[max(0, min(offset, len(self._places) - 1))]

    def part(self, start: int, end: int) -> Span:
        """The span of the characters `start` up to (not with) `end` of `text`; never empty-handed: at least one
        column wide."""
        line, column = self.position(start)
        end_line, end_column = self.position(max(start, end - 1))
        if end <= start and (end_line, end_column) == (line, column):
            return Span(self.span.file, line, column, line, column + 1)
        return Span(self.span.file, line, column, end_line, end_column + 1)


@dataclass(frozen=True, slots=True)
class Seq:
    """A list."""

    items: tuple[Node, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Map:
    """A map in file order: values by key text, and the keys themselves with their places."""

    entries: dict[str, Node]
    keys: dict[str, Scalar]
    span: Span

    def get(self, key: str) -> Node | None:
        """The value of a key, or None where it is missing."""
        return self.entries.get(key)


Node: TypeAlias = Scalar | Seq | Map


def read(source: Path | str | bytes, *, name: str | None = None) -> Node:
    """Read a file (a `Path`) or a text, named `name` in spans. Raises :class:`rulebook.PackError` with every fault
    found."""
    diagnostics = Diagnostics()
    node = read_into(source, diagnostics, name=name)
    diagnostics.check()
    assert node is not None
    return node


def read_into(source: Path | str | bytes, diagnostics: Diagnostics, *, name: str | None = None) -> Node | None:
    """Like :func:`read`, but faults go to `diagnostics`; None where nothing usable came of it."""
    from rulebook.yamlparse import load

    return load(source, diagnostics, name=name)


def to_data(node: Node, *, numbers_as_keys: bool = False) -> Any:
    """A node as plain Python data. Keys are texts; with `numbers_as_keys`, those in plain digits are numbers."""
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Seq):
        return [to_data(item, numbers_as_keys=numbers_as_keys) for item in node.items]
    result: dict[Any, Any] = {}
    for key, value in node.entries.items():
        written = node.keys[key].value
        name = written if numbers_as_keys and isinstance(written, int) and not isinstance(written, bool) else key
        result[name] = to_data(value, numbers_as_keys=numbers_as_keys)
    return result


def walk(node: Node) -> Iterator[Node]:
    """A node and all below it, in file order."""
    yield node
    below = node.items if isinstance(node, Seq) else node.entries.values() if isinstance(node, Map) else ()
    for child in below:
        yield from walk(child)


# Positions inside scalars -------------------------------------------------------------------------

_ESCAPE = re.compile(r"\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)", re.DOTALL)


def _places(scalar: Scalar) -> list[tuple[int, int]]:
    """The place of every character of the text, and one more for its end."""
    if scalar.style in ("literal", "folded"):
        return _block_places(scalar)
    return _flow_places(scalar)


def _block_places(scalar: Scalar) -> list[tuple[int, int]]:
    """A block scalar begins on the line below its `|`; each of its lines is a line of the file without the
    indentation."""
    lines = scalar.source.lines
    first = scalar.span.line  # index of the line below the header
    while first < len(lines) and scalar.style == "folded" and not lines[first].strip():
        first += 1
    if scalar.style == "folded":
        return _aligned(scalar, first, 0)
    indent = 0
    for number, text in enumerate(scalar.text.split("\n")):
        if text.strip() and first + number < len(lines):
            indent = max(0, len(lines[first + number]) - len(text))
            break
    places: list[tuple[int, int]] = []
    line, column = first + 1, indent + 1
    for char in scalar.text:
        if char == "\n":
            row = lines[line - 1] if line <= len(lines) else ""
            places.append((line, min(column, len(row) + 1)))  # a blank line may be shorter than the indentation
            line, column = line + 1, indent + 1
        else:
            places.append((line, column))
            column += 1
    places.append((line, column))
    return places


def _aligned(scalar: Scalar, line: int, column: int) -> list[tuple[int, int]]:
    """Folding changes only white space, so every other character is the next such one of the file."""
    lines = scalar.source.lines
    places: list[tuple[int, int]] = []
    for char in scalar.text:
        if not char.isspace():
            while line < len(lines) and (column >= len(lines[line]) or lines[line][column].isspace()):
                line, column = (line, column + 1) if column < len(lines[line]) else (line + 1, 0)
        places.append((line + 1, column + 1))
        column += 1
    places.append((line + 1, column + 1))
    return places


def _flow_places(scalar: Scalar) -> list[tuple[int, int]]:
    """Plain and quoted scalars: quotes and escapes are stepped over, folded line breaks counted as what they became."""
    quoted = {"single": "'", "double": '"'}.get(scalar.style, "")
    lines = scalar.source.lines
    line, column = scalar.span.line - 1, scalar.span.column - 1 + len(quoted)
    places: list[tuple[int, int]] = []
    for char in scalar.text:
        while line < len(lines):
            row = lines[line]
            escaped = scalar.style == "double" and row[column : column + 1] == "\\"
            if escaped and column + 1 >= len(row):  # an escaped line break is nothing at all
                line, column = line + 1, _indent(lines, line + 1)
                continue
            if column < len(row) and (escaped or row[column:].strip() or char not in " \n"):
                break
            if char in " \n" and line + 1 < len(lines):  # the break itself stands for this character
                break
            line, column = line + 1, _indent(lines, line + 1)
        places.append((line + 1, column + 1))
        row = lines[line] if line < len(lines) else ""
        if char in " \n" and not row[column:].strip() and row[column : column + 1] != "\\":
            line, column = line + 1, _indent(lines, line + 1)
        elif scalar.style == "double" and row[column : column + 1] == "\\":
            match = _ESCAPE.match(row, column)
            column = match.end() if match else column + 1
        elif scalar.style == "single" and char == "'":
            column += 2
        else:
            column += 1
    places.append((line + 1, column + 1))
    return places


def _indent(lines: tuple[str, ...], line: int) -> int:
    if line >= len(lines):
        return 0
    return len(lines[line]) - len(lines[line].lstrip(" \t"))
