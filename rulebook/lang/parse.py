"""Reads programs and expressions: lark does the work, this module keeps its names out of sight.

A fault in one line of a program does not hide those in others: the line is reported, taken out, and the rest is read
again.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import Any, cast

from rulebook.lang import tree
from rulebook.lang.expected import explain_token
from rulebook.lang.parsed import trees
from rulebook.lang.scan import Line, one_line, scan
from rulebook.lang.text import Reporter

MAX_FAULTS = 20
"""How many lines of one program are reported as unreadable."""
MAX_BLOCKS = 12
"""How deep blocks may be nested."""

_BAD = "\x01"


def parse_program(reporter: Reporter) -> tuple[tree.Statement, ...]:
    """The statements of a program; faulty lines are reported and stand as :class:`rulebook.lang.tree.Bad`."""
    text = reporter.code.text.replace(_BAD, "\x02").replace("\r", " ")
    lines = scan(text, reporter, program=True)
    if lines is None:
        return ()
    lines = _level(text, lines, reporter)
    for _ in range(MAX_FAULTS):
        outcome = _attempt(_marked(text, lines), "program")
        if not isinstance(outcome, _Fault):
            return cast("tuple[tree.Statement, ...]", outcome)
        line = _blame(lines, outcome, reporter)
        if line is None:
            return ()
        line.faulty = True
    return ()


def parse_expression(reporter: Reporter) -> tree.Expr | None:
    """The expression that a text holds, None (and a report) if it holds none."""
    text = reporter.code.text.replace(_BAD, "\x02").replace("\r", " ")
    if scan(text, reporter, program=False) is None:
        return None
    outcome = _attempt(one_line(text), "expression")
    if isinstance(outcome, _Fault):
        outcome.report(reporter)
        return None
    return cast(tree.Expr, outcome)


class _Fault:
    """Where reading stopped, and what could have stood there."""

    def __init__(self, start: int, kind: str, accepts: frozenset[str], text: str, whole: str) -> None:
        self.start = start
        self.kind = kind
        self.accepts = accepts
        self.text = text
        self.whole = whole

    def report(self, reporter: Reporter) -> None:
        message, hint, start, end = explain_token(self.kind, self.accepts, self.text, self.start, self.whole)
        reporter.error("RB401", message, (start, end), hint)


def _attempt(text: str, start: str) -> Any:
    """The tree of a text, or what is wrong with it. Trees without faults are kept."""
    kept = trees()
    parsed = kept.find(text, start)
    if parsed is None:
        parsed = _parse(text, start)
        if not isinstance(parsed, _Fault) and _BAD not in text:
            kept.keep(text, start, parsed)
    return parsed


def _parse(text: str, start: str) -> Any:
    from lark.exceptions import UnexpectedInput, UnexpectedToken, VisitError

    from rulebook.lang.build import Builder, TooDeep

    try:
        parsed = _grammar().parse(text, start=start)
    except UnexpectedToken as error:
        token = error.token
        at = len(text.rstrip()) if token.type == "$END" else token.start_pos or 0
        return _Fault(at, token.type, frozenset(error.accepts), text, start)
    except UnexpectedInput as error:
        return _Fault(getattr(error, "pos_in_stream", None) or 0, "UNKNOWN", frozenset(), text, start)
    try:
        return Builder().transform(parsed)
    except (VisitError, TooDeep) as error:
        cause = error.orig_exc if isinstance(error, VisitError) else error
        if not isinstance(cause, TooDeep):
            raise
        fault = _TooDeepFault(cause.node.start, "", frozenset(), text, start)
        fault.message = cause.message
        fault.end = cause.node.end
        return fault


class _TooDeepFault(_Fault):
    message = ""
    end = 0

    def report(self, reporter: Reporter) -> None:
        reporter.error("RB402", self.message, (self.start, self.end), "give parts a name with `let`, or ask a question")


def _blame(lines: list[Line], fault: _Fault, reporter: Reporter) -> Line | None:
    """Report a fault and choose the line that is taken out for it, None if that would not help."""
    if not lines:
        return None
    index = max((i for i, line in enumerate(lines) if line.start <= fault.start), default=0)
    if fault.kind == "_INDENT":  # the token stands at the end of the line above
        inner = lines[min(index + 1, len(lines) - 1)]
        hint = "blocks stand below lines that end in a colon: `if …:`, `for … in …:`, `while …:`"
        message = "this line is indented, but the line above opens no block"
        reporter.error("RB403", message, (inner.start, inner.end), hint)
    elif fault.accepts == {"_INDENT"}:
        if fault.kind not in ("_DEDENT", "$END"):  # the line that should have been indented
            index = max(0, index - 1)
        opener = lines[index]
        hint = "indent the lines that belong to it"
        reporter.error("RB403", "nothing stands in this block", (opener.start, opener.end), hint)
    else:
        fault.report(reporter)
    return None if lines[index].faulty else lines[index]


def _level(text: str, lines: list[Line], reporter: Reporter) -> list[Line]:
    """Report lines whose indentation fits no line above them, and blocks nested too deep."""
    levels: list[int] = []
    for number, line in enumerate(lines):
        column = line.start - (text.rfind("\n", 0, line.start) + 1)
        while len(levels) > 1 and column < levels[-1]:
            levels.pop()
        if not levels or (column > levels[-1] and not _dedents(text, lines, number, column)):
            levels.append(column)
            if len(levels) > MAX_BLOCKS:
                message = f"blocks are nested deeper than {MAX_BLOCKS}"
                reporter.error("RB402", message, (line.start, line.end), "make a verb of the inner part")
                return lines[:number]
        elif column != levels[-1]:
            hint = "lines of one block begin in the same column"
            reporter.error("RB403", "the indentation of this line fits no line above", (line.start, line.end), hint)
            line.faulty = True
    return lines


def _dedents(text: str, lines: list[Line], number: int, column: int) -> bool:
    """Whether a line stands further left than the one before it."""
    before = lines[number - 1]
    return column < before.start - (text.rfind("\n", 0, before.start) + 1)


def _marked(text: str, lines: list[Line]) -> str:
    """The text with faulty lines marked, and all that belongs to no line (comments, say) blank."""
    pieces: list[str] = []
    at = 0
    for line in lines:
        pieces.append("".join(char if char == "\n" else " " for char in text[at : line.start]))
        pieces.append(_BAD * (line.end - line.start) if line.faulty else text[line.start : line.end])
        at = line.end
    return "".join(pieces) + "\n"


@cache
def _grammar() -> Any:
    """The parser, built when it is first needed: importing lark and reading the grammar takes a quarter of a second."""
    from lark import Lark, Token
    from lark.indenter import Indenter

    class Blocks(Indenter):
        """Makes blocks of indentation. The first line's column is the outermost; a column that fits no line above
        counts as
        that of the block around it (it is reported elsewhere), and a closing bracket too many is the parser's to
        report."""

        NL_type = "_NL"
        OPEN_PAREN_types = ["LPAR", "LSQB"]  # noqa: RUF012 (lark reads them so)
        CLOSE_PAREN_types = ["RPAR", "RSQB"]  # noqa: RUF012
        INDENT_type = "_INDENT"
        DEDENT_type = "_DEDENT"
        tab_len = 1

        always_accept = ("_NL", "UNKNOWN")

        def process(self, stream: Iterator[Token]) -> Iterator[Token]:
            self.paren_level = 0
            self.indent_level = []
            token = None
            for token in stream:
                if token.type == self.NL_type:
                    yield from self.handle_NL(token)
                    continue
                if not self.indent_level:
                    self.indent_level = [(token.column or 1) - 1]
                if token.type in self.OPEN_PAREN_types:
                    self.paren_level += 1
                elif token.type in self.CLOSE_PAREN_types:
                    self.paren_level = max(0, self.paren_level - 1)
                yield token
            while len(self.indent_level) > 1:
                self.indent_level.pop()
                yield Token.new_borrow_pos(self.DEDENT_type, "", token) if token else Token(self.DEDENT_type, "")

        def handle_NL(self, token: Token) -> Iterator[Token]:
            if self.paren_level > 0:
                return
            column = len(token) - token.rfind("\n") - 1
            yield token
            if not self.indent_level:
                self.indent_level = [column]
            elif column > self.indent_level[-1]:
                self.indent_level.append(column)
                yield Token.new_borrow_pos(self.INDENT_type, "", token)
            while len(self.indent_level) > 1 and column < self.indent_level[-1]:
                self.indent_level.pop()
                yield Token.new_borrow_pos(self.DEDENT_type, "", token)

    text = resources.files("rulebook.lang").joinpath("grammar.lark").read_text("utf-8")
    return Lark(
        text,
        parser="lalr",
        lexer="contextual",
        postlex=Blocks(),
        start=["program", "expression"],
        propagate_positions=True,
        maybe_placeholders=False,
    )
