"""A piece of code inside a file: its characters, and which place of the file each of them stands at."""

from __future__ import annotations

from dataclasses import replace

from rulebook.diagnostics import Diagnostic, Diagnostics, Related, Span
from rulebook.lang.tree import Node
from rulebook.yamlread import Scalar


class Code:
    """The text of a program or expression, with a way from its characters to the file."""

    __slots__ = ("_scalar", "file", "text")

    def __init__(self, source: Scalar | str, file: str = "") -> None:
        self._scalar = source if isinstance(source, Scalar) else None
        self.text = source.text if isinstance(source, Scalar) else source
        self.file = source.span.file if isinstance(source, Scalar) else file

    def span(self, start: int, end: int) -> Span:
        """The characters `start` up to (not with) `end` as a stretch of the file."""
        if self._scalar is not None:
            return self._scalar.part(start, end)
        line, column = self._place(start)
        end_line, end_column = self._place(max(start + 1, end))
        return Span(self.file, line, column, end_line, end_column)

    def line(self, offset: int) -> int:
        """The line of the file that a character stands in."""
        if self._scalar is not None:
            return self._scalar.position(offset)[0]
        return self._place(offset)[0]

    def part(self, node: Node) -> str:
        """What was written for a node, on one line."""
        return " ".join(self.text[node.start : node.end].split())

    def _place(self, offset: int) -> tuple[int, int]:
        before = self.text[: max(0, offset)]
        return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1


class Reporter:
    """Reports faults of one piece of code; muted while something is checked for its types alone."""

    __slots__ = ("code", "diagnostics", "muted")

    def __init__(self, code: Code, diagnostics: Diagnostics) -> None:
        self.code = code
        self.diagnostics = diagnostics
        self.muted = 0

    def error(
        self, code: str, message: str, at: Node | tuple[int, int], hint: str = "", related: Related = ()
    ) -> Diagnostic | None:
        """Report a fault at a node or a stretch of characters; None while muted."""
        return None if self.muted else self.diagnostics.error(code, message, self._span(at), hint, related)

    def again(self, first: Diagnostic, times: int) -> Diagnostic:
        """Say of a fault that is reported already how often it comes back (`times`, with the first)."""
        message = first.message.removesuffix(f" (and {times - 2} more)")
        found = replace(first, message=f"{message} (and {times - 1} more)")
        self.diagnostics.replace(first, found)
        return found

    def warning(self, code: str, message: str, at: Node | tuple[int, int], hint: str = "") -> None:
        """Report something that works but is hardly meant."""
        if not self.muted:
            self.diagnostics.warning(code, message, self._span(at), hint)

    def _span(self, at: Node | tuple[int, int]) -> Span:
        start, end = (at.start, at.end) if isinstance(at, Node) else at
        return self.code.span(start, end)
