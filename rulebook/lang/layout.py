"""The one way to lay out a program or an expression: spaces, indentation, blank lines. What it means never changes.

The text is taken apart into signs, not into a tree, so that comments, brackets and line breaks stay where the author
put them. The trees of both texts are compared in the end; where the text cannot be read, it stays as it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from rulebook.diagnostics import Diagnostics
from rulebook.lang.expected import RESERVED
from rulebook.lang.parse import parse_expression, parse_program
from rulebook.lang.scan import scan
from rulebook.lang.text import Code, Reporter

INDENT = "  "
_SIGN = re.compile(
    r'(?P<text>"(?:[^"\\\n]|\\[^\n])*")|(?P<comment>#[^\n]*)|(?P<label>[A-Za-z_]\w*[ \t]*:(?=[ \t]*[^\s#]))'
    r"|(?P<word>[A-Za-z_]\w*)|(?P<number>[0-9]+)|(?P<operator>==|!=|<=|>=|[-+*/%<>=])|(?P<sign>[()\[\],.:])"
)


@dataclass(frozen=True, slots=True)
class _Sign:
    kind: str
    text: str
    start: int


def layout_program(text: str) -> str:
    """A program as it should be written; the same text if it cannot be read. It ends with a line break."""
    before = _read_program(text)
    if before is None:
        return text
    laid = _program(text)
    return laid if _read_program(laid) == before and _comments(laid) == _comments(text) else text


def layout_expression(text: str) -> str:
    """An expression on one line as it should be written; the same text if it cannot be read."""
    if "\n" in text or "#" in text:
        return text
    before = _read_expression(text)
    if before is None:
        return text
    laid = _line(_signs(text, 0, len(text)), statement=False)
    return laid if _read_expression(laid) == before else text


def same_meaning(kind: str, one: str, other: str) -> bool:
    """Whether two texts say the same; those that cannot be read do only if they are equal."""
    read = _read_program if kind == "program" else _read_expression
    before = read(one)
    return one == other if before is None else before == read(other)


def _read_program(text: str) -> object | None:
    found = Diagnostics()
    parsed = parse_program(Reporter(Code(text), found))
    return None if len(found) else parsed


def _read_expression(text: str) -> object | None:
    found = Diagnostics()
    parsed = parse_expression(Reporter(Code(text), found))
    return None if len(found) else parsed


def _comments(text: str) -> list[str]:
    return [match[0].rstrip() for match in _SIGN.finditer(text) if match.lastgroup == "comment"]


def _signs(text: str, start: int, end: int) -> list[_Sign]:
    return [_Sign(str(m.lastgroup), m[0], m.start()) for m in _SIGN.finditer(text, start, end)]


def _program(text: str) -> str:
    """Lines of statements at the depth of their block, lines within brackets one step further in."""
    statements = scan(text, Reporter(Code(text), Diagnostics()), program=True) or []
    begins = {line.start: line for line in statements}
    out: list[str] = []
    levels: list[int] = []
    pending: list[tuple[int, str]] = []
    at = 0
    for physical in text.split("\n"):
        start = at + len(physical) - len(physical.lstrip())
        end = at + len(physical)
        signs = _signs(text, start, end)
        inside = not any(line.start == start for line in statements) and any(
            line.start < start < line.end for line in statements
        )
        if not signs:
            if not inside and (out or pending):
                pending.append((-1, ""))
        elif inside:
            depth = len(levels) - 1
            closing = signs[0].text in (")", "]")
            out.append(INDENT * (depth + (0 if closing else 1)) + _line(signs, statement=False))
        elif start in begins:
            column = start - at
            while len(levels) > 1 and column < levels[-1]:
                _settle(pending, levels, out, column)
                levels.pop()
            if not levels or column > levels[-1]:
                levels.append(column)
            _settle(pending, levels, out, -1)
            out.append(INDENT * (len(levels) - 1) + _line(signs, statement=True))
        else:
            pending.append((start - at, signs[0].text.rstrip()))
        at = end + 1
    while pending and not pending[-1][1]:
        pending.pop()
    while len(levels) > 1 and pending and 0 <= pending[-1][0] < levels[-1]:
        _settle(pending, levels, out, pending[-1][0])
        levels.pop()
    _settle(pending, levels or [0], out, -1)
    return "\n".join(out) + "\n"


def _settle(pending: list[tuple[int, str]], levels: list[int], out: list[str], column: int) -> None:
    """Write the comments that belong to the innermost block: those as far in as it, or all (`column` -1)."""
    last = 0
    for number, (place, _) in enumerate(pending):
        if column < 0 or place >= levels[-1]:
            last = number + 1
        elif place >= 0:
            break
    for place, comment in pending[:last]:
        if place >= 0:
            out.append(INDENT * (len(levels) - 1) + comment)
        elif out and out[-1]:
            out.append("")
    del pending[:last]


def _line(signs: list[_Sign], statement: bool) -> str:
    """One line; `statement` says that a statement begins with it, so that its first word may be a verb."""
    out = ""
    for number, sign in enumerate(signs):
        text = re.sub(r"[ \t]+:$", ":", sign.text) if sign.kind == "label" else sign.text.rstrip()
        if number:
            if sign.kind == "comment":
                out += "  "
            elif _apart(signs, number, statement):
                out += " "
        out += text
    return out


def _apart(signs: list[_Sign], number: int, statement: bool) -> bool:
    """Whether a space stands before a sign."""
    before, sign = signs[number - 1], signs[number]
    if before.text in ("(", "[", ".") or sign.text in (")", "]", ",", ".", ":"):
        return False
    if sign.text == "(":
        return not (before.kind == "word" and _ends_value(signs, number - 1, statement))
    if sign.text == "[":
        return not _ends_value(signs, number - 1, statement)
    return not (before.text == "-" and not (number > 1 and _ends_value(signs, number - 2, statement)))


def _ends_value(signs: list[_Sign], number: int, statement: bool) -> bool:
    """Whether a value ends with a sign, so that a bracket behind it belongs to it and a minus takes from it. A verb
    is no value."""
    sign = signs[number]
    if sign.kind == "word":
        return sign.text in ("true", "false", "none") or (sign.text not in RESERVED and not (statement and number == 0))
    return sign.kind in ("number", "text") or sign.text in (")", "]")
