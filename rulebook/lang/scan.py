"""The first look at a program: its logical lines, and faults that hide all others.

A logical line ends with the line, unless a bracket is open. A bracket or text that is never closed, a tab that
indents and brackets nested without end are found here, so that the parser is not led astray by them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rulebook.lang.text import Reporter

MAX_LENGTH = 40_000
"""Characters of one program or expression."""
MAX_BRACKETS = 40
"""How deep brackets may be nested."""

_PIECE = re.compile(
    r'(?P<text>"(?:[^"\\\n]|\\[^\n])*")|(?P<open_text>"[^\n]*)|(?P<comment>#[^\n]*)|(?P<newline>\n)'
    r"|(?P<open>[(\[])|(?P<close>[)\]])|(?P<word>[A-Za-z_][A-Za-z0-9_]*)|[^\n]"
)
_STATEMENTS = {"let", "pick", "for", "while", "stop", "proceed", "elif"}
"""Words that can only begin a statement: a bracket still open before them was forgotten."""


@dataclass(slots=True)
class Line:
    """A logical line: its first character that counts, and the place behind its last."""

    start: int
    end: int
    faulty: bool = False


def scan(text: str, reporter: Reporter, *, program: bool) -> list[Line] | None:
    """The logical lines of a text with their faults reported; None if it is not to be read any further."""
    if len(text) > MAX_LENGTH:
        reporter.error("RB402", f"this code is longer than {MAX_LENGTH} characters", (0, 1), "divide it into verbs")
        return None
    if not program:
        whole = [Line(0, len(text))]
        return whole if _expression(text, reporter) else None
    lines: list[Line] = []
    at = 0
    while at < len(text):
        line, at = _next_line(text, at, reporter)
        if line is not None:
            lines.append(line)
    return lines


def one_line(text: str) -> str:
    """An expression with its line breaks and comments blank: they mean nothing there."""
    return _PIECE.sub(
        lambda piece: " " * len(piece[0]) if piece.lastgroup in ("comment", "newline") else piece[0], text
    )


def _pieces(text: str, at: int) -> Iterator[re.Match[str]]:
    yield from _PIECE.finditer(text, at)


def _next_line(text: str, at: int, reporter: Reporter) -> tuple[Line | None, int]:
    """The logical line that begins at `at` (None if it is empty), and where the next one begins."""
    stack: list[int] = []
    first = last = None
    physical_end = None
    fresh = False
    for piece in _pieces(text, at):
        kind = piece.lastgroup
        if kind == "newline":
            physical_end = physical_end or piece.start()
            if not stack:
                return _line(text, at, first, last, reporter), piece.end()
            fresh = True
            continue
        if kind == "comment" or piece.group().isspace():
            continue
        if first is None:
            first = piece.start()
        if fresh and kind == "word" and piece.group() in _STATEMENTS:
            break
        fresh = False
        last = piece.end()
        if kind == "open_text":
            _open_text(piece, reporter)
            line = _line(text, at, first, last, reporter)
            if line is not None:
                line.faulty = True
            return line, piece.end() + 1
        if kind == "open":
            stack.append(piece.start())
            if len(stack) > MAX_BRACKETS:
                _too_deep(piece.start(), reporter)
                end = _bracket_end(text, piece.start(), len(stack))
                return Line(first, end, True), _after_newline(text, end)
        elif kind == "close" and stack:
            stack.pop()
    if not stack:
        return (_line(text, at, first, last, reporter) if first is not None else None), len(text)
    _open_bracket(text, stack[-1], reporter)
    end = physical_end if physical_end is not None else len(text)
    assert first is not None
    return Line(first, max(first + 1, end), True), end + 1


def _line(text: str, at: int, first: int | None, last: int | None, reporter: Reporter) -> Line | None:
    if first is None or last is None:
        return None
    line = Line(first, last)
    tab = text.find("\t", at, first)
    if tab >= 0:
        reporter.error("RB401", "a tab indents this line", (tab, tab + 1), "indent with spaces only")
        line.faulty = True
    return line


def _expression(text: str, reporter: Reporter) -> bool:
    stack: list[int] = []
    for piece in _pieces(text, 0):
        kind = piece.lastgroup
        if kind == "open_text":
            _open_text(piece, reporter)
            return False
        if kind == "open":
            stack.append(piece.start())
            if len(stack) > MAX_BRACKETS:
                _too_deep(piece.start(), reporter)
                return False
        elif kind == "close" and stack:
            stack.pop()
    if stack:
        _open_bracket(text, stack[-1], reporter)
    return not stack


def _bracket_end(text: str, at: int, depth: int) -> int:
    """Where the bracket that is the `depth`-th open one at `at`, and all around it, are closed; else the end of the
    line."""
    open_brackets = depth - 1
    for piece in _pieces(text, at):
        if piece.lastgroup == "open":
            open_brackets += 1
        elif piece.lastgroup == "close":
            open_brackets -= 1
            if open_brackets <= 0:
                return piece.end()
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _after_newline(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end + 1


def _open_text(piece: re.Match[str], reporter: Reporter) -> None:
    reporter.error(
        "RB401", "this text is never closed", (piece.start(), piece.start() + 1), 'texts stand in `"`, on one line'
    )


def _open_bracket(text: str, at: int, reporter: Reporter) -> None:
    closing = ")" if text[at] == "(" else "]"
    reporter.error("RB401", f"this `{text[at]}` is never closed", (at, at + 1), f"a `{closing}` is missing")


def _too_deep(at: int, reporter: Reporter) -> None:
    reporter.error(
        "RB402", f"brackets are nested deeper than {MAX_BRACKETS}", (at, at + 1), "give parts a name with `let`"
    )
