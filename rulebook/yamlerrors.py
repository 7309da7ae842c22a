"""PyYAML's complaints in our own words. It speaks of tokens and contexts; a designer needs the place and what to
type."""

from __future__ import annotations

import re

from yaml import MarkedYAMLError

from rulebook.diagnostics import Diagnostic, Span
from rulebook.yamlread import MAX_DEPTH, Source

_DEEP = re.compile(rf"(?:[\[{{][^\[\]{{}}]{{0,20}}){{{MAX_DEPTH + 1}}}\Z")
_QUOTE_HINT = "put the whole value in quotes, or write it below a `|`"


def syntax_error(error: MarkedYAMLError, source: Source) -> Diagnostic:
    """The diagnostic for a syntax error, at the place where it can be mended."""
    problem = error.problem or ""
    context = error.context or ""
    mark = error.problem_mark or error.context_mark
    line, column = (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)
    opened = error.context_mark
    tab = _tab(source, line, problem)
    if tab is not None:
        message = f"tab at {tab[0]}:{tab[1]}, use spaces"
        return _at("RB104", message, source, tab, "YAML is indented with spaces; set your editor to insert them")
    if "mapping values" in problem:
        message = "a colon followed by a space begins a value, and none can begin here"
        hint = 'a text that holds ": " needs quotes; a key needs a line of its own'
        return _at("RB107", message, source, (line, column), hint)
    if "end of stream" in problem and opened is not None:
        place = (opened.line + 1, opened.column + 1)
        return _at("RB106", "this quote is never closed", source, place, "close it, or double a quote that is meant")
    if "flow" in context and opened is not None and _too_deep(source, line, column):
        message = f"too deep: lists and maps lie in each other at most {MAX_DEPTH} times"
        return _at("RB119", message, source, (opened.line + 1, opened.column + 1), "")
    if "flow" in context and opened is not None:
        return _bracket(source, (opened.line + 1, opened.column + 1), (line, column))
    if "cannot start any token" in problem:
        char = _char(source, line, column)
        message = f"a value cannot begin with `{char}`"
        return _at("RB109", message, source, (line, column), _QUOTE_HINT)
    if "escape" in problem or "hexadecimal" in problem or "hexdecimal" in problem:
        return _escape(source, line, column)
    if "scanning a block scalar" in context:
        return _block(source, line, column, problem)
    if "sequence entries" in problem:
        message = "a list cannot begin on the line of its key"
        return _at("RB105", message, source, (line, column), "begin it on the next line, or write it as [a, b]")
    if "simple key" in context and opened is not None:
        place = (opened.line + 1, opened.column + 1)
        word = _word(source, *place)
        message = f"`{word}` stands alone where a key and its value are expected"
        return _at("RB105", message, source, place, f"write `{word}: …`, or indent it if it belongs to the line above")
    if "block mapping" in context or "block collection" in context or "block sequence" in context:
        return _structure(source, line, column)
    if "anchor" in context or "alias" in context:
        hint = "a text that begins with & or * needs quotes"
        return _at("RB111", "anchors and aliases are not read", source, (line, max(1, column - 1)), hint)
    if "tag" in context or "tag" in problem:
        place = (opened.line + 1, opened.column + 1) if opened is not None else (line, column)
        return _at("RB113", "tags are not read", source, place, "a text that begins with ! needs quotes")
    if "directive" in context or "directive" in problem:
        return _at("RB120", "directives (lines with %) are not read", source, (line, column), "remove the line")
    if "document start" in problem:
        message = "this does not belong to what stands before it"
        return _at(
            "RB105", message, source, (line, column), "a file is one map: keys in the first column, each with `:`"
        )
    return _at("RB105", "this is not YAML", source, (line, column), "is a quote, a bracket or a colon missing?")


def _structure(source: Source, line: int, column: int) -> Diagnostic:
    """Something stands where neither the next key nor the end of a block can be: mostly wrong indentation."""
    row = _row(source, line)
    if row[: column - 1].strip():
        message = "something follows a value that is already complete"
        return _at("RB105", message, source, (line, column), _QUOTE_HINT)
    if row[column - 1 : column + 1] in ("- ", "-"):
        hint = "every item of a list begins in the same column, every key of a map too"
        return _at("RB108", "a list item stands where a key is expected", source, (line, column), hint)
    message = "this line is indented to a place where no block began"
    return _at("RB108", message, source, (line, column), "align it with the line that it belongs to")


def _bracket(source: Source, opened: tuple[int, int], found: tuple[int, int]) -> Diagnostic:
    char = _char(source, *opened)
    closing = {"[": "]", "{": "}"}.get(char, "its bracket")
    message = f"after `{char}` a comma or `{closing}` is missing here"
    related = ((f"`{char}` stands here", _span(source, opened)),)
    hint = f"close it with `{closing}`; a text with a comma, a colon or a bracket needs quotes"
    return Diagnostic("RB106", message, _span(source, found), hint, "error", related)


def _too_deep(source: Source, line: int, column: int) -> bool:
    """The C parser looks ahead for a colon up to a depth of its own, and gives up before our limit could be met."""
    return _DEEP.search(_row(source, line)[: column - 1]) is not None


def _block(source: Source, line: int, column: int, problem: str) -> Diagnostic:
    if "indentation" in problem and "indicator" not in problem:
        message = "the blank first lines of this block are indented further than its text"
        return _at("RB108", message, source, (line, column), "remove the blank lines")
    message = "after `|` the line must end"
    return _at("RB105", message, source, (line, column), "begin the text on the next line, indented")


def _escape(source: Source, line: int, column: int) -> Diagnostic:
    at = _row(source, line).find("\\", max(0, column - 2))
    place = (line, at + 1) if at >= 0 else (line, column)
    char = _char(source, place[0], place[1] + 1)
    message = f"between double quotes `\\{char}` means nothing"
    return _at("RB121", message, source, place, "write \\\\ for a backslash, or use single quotes")


def _tab(source: Source, line: int, problem: str) -> tuple[int, int] | None:
    """A tab that is to blame: in the indentation of the line where reading stopped, or exactly there."""
    if "tab" not in problem and "cannot start any token" not in problem and not _row(source, line)[:1].isspace():
        return None
    for number in (line, line - 1) if "tab" in problem else (line,):
        match = re.match(r" *\t", _row(source, number))
        if match:
            return number, match.end()
    return None


def _word(source: Source, line: int, column: int) -> str:
    word = _row(source, line)[column - 1 :].strip()
    return word if len(word) <= 40 else word[:40] + "…"


def _row(source: Source, line: int) -> str:
    return source.lines[line - 1] if 1 <= line <= len(source.lines) else ""


def _char(source: Source, line: int, column: int) -> str:
    return _row(source, line)[column - 1 : column]


def _span(source: Source, place: tuple[int, int]) -> Span:
    """One column at a place; a place behind the last line is moved to the end of the text."""
    line, column = place
    last = len(source.lines)
    while last > 1 and not source.lines[last - 1].strip():
        last -= 1
    if line > last:
        line, column = last, len(source.lines[last - 1]) + 1
    return Span(source.file, line, column, line, column + 1)


def _at(code: str, message: str, source: Source, place: tuple[int, int], hint: str) -> Diagnostic:
    return Diagnostic(code, message, _span(source, place), hint)
