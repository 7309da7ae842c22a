"""What is wrong with a file, and where: diagnostics, the collector that keeps them, and the three ways to print them.

A diagnostic has a code (`RB` and three digits, see :mod:`rulebook.codes`), a message in plain words, a span that an
editor can jump to and a hint that says what to type. Nothing here knows YAML or the language.
"""

from __future__ import annotations

import difflib
import json
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kernel.errors import GameError

Related = tuple[tuple[str, "Span"], ...]
"""Further places that belong to a diagnostic, each with a few words on its part in it."""

Sources = Mapping[str, str] | Callable[[str], str | None] | None
"""Where :func:`render` takes source lines from: texts by file name, a function, or (None) the files themselves."""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of a file. Lines and columns count from 1, in characters; the end is the first place behind it."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One fault (`severity` "error") or doubt ("warning") with its place."""

    code: str
    message: str
    span: Span | None
    hint: str = ""
    severity: str = "error"
    related: Related = ()

    def to_data(self) -> dict[str, Any]:
        """This diagnostic as JSON-able data, as `--format json` prints it."""
        place = _span_data(self.span)
        related = [{"message": words, **_span_data(span)} for words, span in self.related]
        return {
            "code": self.code,
            "severity": self.severity,
            "message": self.message,
            "hint": self.hint,
            **place,
            "related": related,
        }

    def __str__(self) -> str:
        place = f"{self.span}: " if self.span else ""
        hint = f" ({self.hint})" if self.hint else ""
        return f"{place}{self.severity} {self.code}: {self.message}{hint}"


class Diagnostics:
    """Collects diagnostics; the same one at the same place is kept once."""

    def __init__(self) -> None:
        self.items: list[Diagnostic] = []
        self._seen: set[Diagnostic] = set()

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    @property
    def errors(self) -> list[Diagnostic]:
        """The errors, without the warnings."""
        return [item for item in self.items if item.severity == "error"]

    def add(self, item: Diagnostic) -> None:
        """Keep a diagnostic that was made elsewhere."""
        if item not in self._seen:
            self._seen.add(item)
            self.items.append(item)

    def extend(self, items: Iterable[Diagnostic]) -> None:
        """Keep several, in order."""
        for item in items:
            self.add(item)

    def replace(self, old: Diagnostic, new: Diagnostic) -> None:
        """Put what is known now in the place of what was reported before."""
        if old in self._seen:
            self.items[self.items.index(old)] = new
            self._seen.discard(old)
            self._seen.add(new)

    def error(self, code: str, message: str, span: Span | None, hint: str = "", related: Related = ()) -> Diagnostic:
        """Report a fault: the files cannot be used as they are."""
        found = Diagnostic(code, message, span, hint, "error", related)
        self.add(found)
        return found

    def warning(self, code: str, message: str, span: Span | None, hint: str = "", related: Related = ()) -> None:
        """Report something that works but is most likely not meant (an error under `--strict`)."""
        self.add(Diagnostic(code, message, span, hint, "warning", related))

    def sorted(self) -> list[Diagnostic]:
        """All of them by file and place; those without a place come first."""
        return sorted(self.items, key=_order)

    def check(self) -> None:
        """Raise :class:`PackError` with everything found if there is an error among it."""
        if self.errors:
            raise PackError(self.sorted())


class PackError(GameError):
    """Files that cannot be used. `diagnostics` holds everything found in one run; `code` is the first error's."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics: tuple[Diagnostic, ...] = tuple(diagnostics)
        errors = [item for item in self.diagnostics if item.severity == "error"] or list(self.diagnostics)
        first = errors[0] if errors else Diagnostic("RB300", "this pack cannot be used", None)
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        super().__init__(f"{first}{more}", first.code)

    def __reduce__(self) -> tuple[type[PackError], tuple[tuple[Diagnostic, ...]]]:
        return (type(self), (self.diagnostics,))


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate that `word` was most likely meant to be, or None if none is near."""
    known = sorted(set(candidates))
    folded: dict[str, str] = {}
    for candidate in known:
        folded.setdefault(_fold(candidate), candidate)
    target = _fold(word)[:80]
    if target in folded:
        return folded[target]
    close = difflib.get_close_matches(target, folded, n=1, cutoff=0.6)
    return folded[close[0]] if close else None


def did_you_mean(word: str, candidates: Iterable[str]) -> str:
    """A hint for an unknown name: the nearest one, or all there are when they are few, or nothing."""
    known = list(dict.fromkeys(candidates))
    near = nearest(word, known)
    if near is not None and near != word:
        return f"did you mean `{near}`?"
    if 0 < len(known) <= 12:
        return "known here: " + ", ".join(f"`{name}`" for name in sorted(known))
    return ""


def visible(text: str) -> str:
    """`text` with control and direction characters made visible, so that a file can neither colour nor scramble a
    terminal."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escape(char) if unicodedata.category(char) in _HIDDEN else char for char in text)


def render(
    diagnostics: Iterable[Diagnostic],
    style: str = "human",
    color: bool = False,
    sources: Sources = None,
) -> str:
    """Diagnostics as text.

    `human`: message, place, source line with a caret, hint. `plain`: one line each, `file:line:column: severity CODE:
    message`, which editors and CI understand. `json`: a list of objects, see :meth:`Diagnostic.to_data`.
    """
    items = list(diagnostics)
    if style == "json":
        return json.dumps([item.to_data() for item in items], indent=2, ensure_ascii=False)
    if style == "plain":
        return "\n".join(_plain(item) for item in items)
    if style != "human":
        raise ValueError(f"unknown style {style!r}: human, plain or json")
    reader = _Lines(sources)
    return "\n\n".join(_human(item, color, reader) for item in items)


_HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp", "Cn", "Co"}
_COLORS = {"error": "\x1b[1;31m", "warning": "\x1b[1;33m", "dim": "\x1b[34m", "hint": "\x1b[36m", "bold": "\x1b[1m"}
_RESET = "\x1b[0m"
_WIDTH = 160


def _span_data(span: Span | None) -> dict[str, Any]:
    if span is None:
        return {"file": None, "line": None, "column": None, "end_line": None, "end_column": None}
    return {
        "file": span.file,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }


def _order(item: Diagnostic) -> tuple[str, int, int, str, str]:
    if item.span is None:
        return ("", 0, 0, item.code, item.message)
    return (item.span.file, item.span.line, item.span.column, item.code, item.message)


def _fold(word: str) -> str:
    return word.casefold().replace("-", "_").replace(" ", "_")


def _escape(char: str) -> str:
    number = ord(char)
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def _one_line(text: str) -> str:
    return visible(" ".join(text.split("\n")))


def _plain(item: Diagnostic) -> str:
    place = visible(str(item.span)) if item.span else "-"
    hint = f" — {_one_line(item.hint)}" if item.hint else ""
    return f"{place}: {item.severity} {item.code}: {_one_line(item.message)}{hint}"


def _human(item: Diagnostic, color: bool, reader: _Lines) -> str:
    def paint(name: str, text: str) -> str:
        return f"{_COLORS[name]}{text}{_RESET}" if color else text

    head = f"{item.severity}[{item.code}]"
    lines = [f"{paint(item.severity, head)}: {paint('bold', _one_line(item.message))}"]
    if item.span is not None:
        lines += _snippet(item.span, paint, reader, item.severity)
    for words, span in item.related:
        lines.append(f"  {_one_line(words)}:")
        lines += _snippet(span, paint, reader, "dim")
    if item.hint:
        lines += [f"  {paint('hint', 'hint')}: {visible(line)}" for line in item.hint.split("\n")]
    return "\n".join(lines)


def _snippet(span: Span, paint: Callable[[str, str], str], reader: _Lines, tone: str) -> list[str]:
    number = str(span.line)
    margin = " " * len(number)
    lines = [f"  {margin}{paint('dim', '-->')} {visible(str(span))}"]
    text = reader.line(span.file, span.line)
    if text is None:
        return lines
    start = span.column - 1
    stop = span.end_column - 1 if span.end_line == span.line else len(text)
    cut = max(0, start - _WIDTH // 2)  # a very long line is shown around the fault only
    shown = text[cut : cut + _WIDTH]
    before = visible(shown[: max(0, start - cut)]).replace("\\x09", " ")
    marked = visible(shown[max(0, start - cut) : max(0, stop - cut)])
    after = visible(shown[max(0, stop - cut) :]) if stop > start else visible(shown[max(0, start - cut) :])
    caret = " " * _columns(before) + "^" * max(1, _columns(marked))
    bar = paint("dim", "|")
    lines.append(f"  {margin} {bar}")
    lines.append(f"  {paint('dim', number)} {bar} {before}{marked}{after}".rstrip())
    lines.append(f"  {margin} {bar} {paint(tone, caret)}")
    return lines


def _columns(text: str) -> int:
    """How many terminal columns a text takes: wide characters take two, combining ones none."""
    width = 0
    for char in text:
        if not unicodedata.combining(char):
            width += 2 if unicodedata.east_asian_width(char) in "WF" else 1
    return width


class _Lines:
    """Source lines, each file read at most once and never a file that is too large to be one of ours."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._cache: dict[str, list[str] | None] = {}

    def line(self, file: str, number: int) -> str | None:
        if file not in self._cache:
            text = self._text(file)
            self._cache[file] = None if text is None else text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        lines = self._cache[file]
        if lines is None or not 1 <= number <= len(lines):
            return None
        return lines[number - 1]

    def _text(self, file: str) -> str | None:
        if callable(self._sources):
            return self._sources(file)
        if self._sources is not None:
            return self._sources.get(file)
        try:
            path = Path(file)
            if not path.is_file() or path.stat().st_size > 1 << 20:
                return None
            return path.read_bytes().decode("utf-8-sig", "replace")
        except (OSError, ValueError):
            return None
