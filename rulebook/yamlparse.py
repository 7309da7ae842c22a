"""From bytes to nodes: decoding, YAML events, and our own words for everything that can be wrong with a file's text.

:mod:`rulebook.yamlread` is the interface; this module is imported only when something is really read. PyYAML's events
are taken one by one and built without recursion, so that depth is bounded before it can hurt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from rulebook.diagnostics import Diagnostics, Span
from rulebook.yamlerrors import syntax_error
from rulebook.yamlread import MAX_BYTES, MAX_DEPTH, MAX_NUMBER, Map, Node, Scalar, Seq, Source

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]")
_INT = re.compile(r"[-+]?(?:0|[1-9][0-9]*)\Z")
_ELSEWHERE_A_NUMBER = re.compile(
    r"""[-+]?0[0-9]+\Z                                  # 010
      | 0o[0-7]+\Z | [-+]?0x[0-9A-Fa-f]+\Z | [-+]?0b[01]+\Z
      | [-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z   # 1.10, 1e3, 1.
      | [-+]?\.(?:inf|Inf|INF)\Z | \.(?:nan|NaN|NAN)\Z""",
    re.VERBOSE,
)
MAX_FAULTS = 50
"""After so many faults no more are looked for in one file."""
_STYLES = {"'": "single", '"': "double", "|": "literal", ">": "folded"}


def load(source: Path | str | bytes, diagnostics: Diagnostics, *, name: str | None) -> Node | None:
    """Read, decode and build; faults go to `diagnostics`. See :func:`rulebook.yamlread.read_into`."""
    file = name if name is not None else source.as_posix() if isinstance(source, Path) else "<text>"
    data = _bytes(source, file, diagnostics) if isinstance(source, Path) else source
    if data is None:
        return None
    text = _text(data, file, diagnostics)
    if text is None:
        return None
    return _Builder(Source(file, text), diagnostics).build()


def _bytes(path: Path, file: str, diagnostics: Diagnostics) -> bytes | None:
    """The bytes of a file that is not too large: what the name leads to is asked before it is read."""
    try:
        if not path.is_file():
            kind = "is a directory" if path.is_dir() else "does not exist"
            diagnostics.error("RB100", f"{file} {kind}", None)
            return None
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        diagnostics.error("RB100", f"{file} cannot be read: {reason}", None)
        return None
    return data


def _text(data: str | bytes, file: str, diagnostics: Diagnostics) -> str | None:
    """Decoded text with `\\n` line breaks and only characters that can stand in a file, or None."""
    if len(data) > MAX_BYTES:
        hint = "split it: one file for a card, and rulings can stand in several files"
        diagnostics.error("RB101", f"{file} is larger than {MAX_BYTES >> 20} MiB and was not read", None, hint)
        return None
    if isinstance(data, str):
        text = data
    elif data.startswith((b"\xff\xfe", b"\xfe\xff")):
        _encoding(file, 1, 1, "UTF-16", diagnostics)
        return None
    else:
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            line, column = _place(data[: error.start].decode("utf-8"))
            _encoding(file, line, column, f"the byte {data[error.start]:#04x}", diagnostics)
            return None
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    bad = _FORBIDDEN.search(text) or re.search("[\ud800-\udfff]", text)
    if bad is not None:
        line, column = _place(text[: bad.start()])
        span = Span(file, line, column, line, column + 1)
        message = f"the character U+{ord(bad.group()):04X} cannot stand in a file"
        diagnostics.error(
            "RB103", message, span, 'remove it, or write it as an escape between double quotes: "\\u2028"'
        )
        return None
    return text


def _encoding(file: str, line: int, column: int, found: str, diagnostics: Diagnostics) -> None:
    span = Span(file, line, column, line, column + 1)
    diagnostics.error("RB102", f"{file} is not UTF-8 (found {found})", span, "save it as UTF-8 in your editor")


def _place(before: str) -> tuple[int, int]:
    lines = re.split("\r\n|\r|\n", before.removeprefix("\ufeff"))
    return len(lines), len(lines[-1]) + 1


@dataclass(slots=True)
class _Open:
    """A list or map that is not complete yet. `key` is the key whose value comes next; a value under a key that was
    refused is built like any other and then dropped."""

    is_map: bool
    span: Span
    items: list[Node] = field(default_factory=list)
    entries: dict[str, Node] = field(default_factory=dict)
    keys: dict[str, Scalar] = field(default_factory=dict)
    key: Scalar | None = None
    has_key: bool = False


class _Stop(Exception):
    """Nothing more can be built from this file."""


class _Builder:
    """Builds the nodes of one file from its events, and reports what our YAML leaves out."""

    def __init__(self, source: Source, diagnostics: Diagnostics) -> None:
        self.source = source
        self.diagnostics = diagnostics
        self.stack: list[_Open] = []
        self.root: Node | None = None
        self.referred = False
        self.faults = 0

    def build(self) -> Node | None:
        try:
            for event in self._events():
                self._take(event)
        except _Stop:
            return None
        if self.root is None or (isinstance(self.root, Scalar) and self.root.value is None):
            if not self.faults:
                self._error("RB115", "the file is empty", Span(self.source.file, 1, 1, 1, 1))
            return None
        return self.root

    def _events(self) -> Iterator[Any]:
        try:
            yield from yaml.parse(self.source.text, Loader=_LOADER)
        except yaml.MarkedYAMLError as error:
            self.diagnostics.add(syntax_error(error, self.source))
            raise _Stop from None
        except (yaml.YAMLError, ValueError, OverflowError) as error:
            words = f"this is not YAML that can be read ({type(error).__name__})"
            self._error("RB105", words, Span(self.source.file, 1, 1, 1, 1))
            raise _Stop from None

    def _take(self, event: Any) -> None:
        if isinstance(event, yaml.ScalarEvent):
            self._refuse_properties(event)
            self._value(self._scalar(event))
        elif isinstance(event, yaml.SequenceStartEvent | yaml.MappingStartEvent):
            self._refuse_properties(event)
            self._open(event)
        elif isinstance(event, yaml.SequenceEndEvent | yaml.MappingEndEvent):
            self._close(event)
        elif isinstance(event, yaml.AliasEvent):
            span = self._span(event)
            self._reference(f"aliases (`*{event.anchor}`) are not read", span)
            self._value(Scalar(None, "", "plain", span, self.source))
        elif isinstance(event, yaml.DocumentStartEvent):
            if event.version or event.tags:
                self._error("RB120", "directives (lines with %) are not read", self._span(event), "remove the line")
            if self.root is not None:
                message = "a second document begins here (`---`); a file holds one"
                self._error("RB114", message, self._span(event), "move it to a file of its own")
                raise _Stop

    def _refuse_properties(self, event: Any) -> None:
        if event.anchor is not None:
            self._reference(f"anchors (`&{event.anchor}`) are not read", self._start(event, len(event.anchor) + 1))
        if event.tag is not None:
            self._error(
                "RB113", f"tags (`{event.tag}`) are not read", self._start(event, len(event.tag)), "remove the tag"
            )

    def _reference(self, message: str, span: Span) -> None:
        """An anchor or alias. The first of a file is reported: the others are part of the same idea."""
        if not self.referred:
            self.referred = True
            self._error(
                "RB111", message, span, "write the value out; programs that cards share are verbs of the game file"
            )

    def _open(self, event: Any) -> None:
        if len(self.stack) >= MAX_DEPTH:
            message = f"too deep: lists and maps lie in each other at most {MAX_DEPTH} times"
            self._error("RB119", message, self._start(event, 1))
            raise _Stop
        self.stack.append(_Open(isinstance(event, yaml.MappingStartEvent), self._start(event, 1)))

    def _close(self, event: Any) -> None:
        done = self.stack.pop()
        children = list(done.entries.values()) if done.is_map else done.items
        last = children[-1].span if children else None
        if event.start_mark.index != event.end_mark.index:  # a flow collection ends with its bracket
            end = (event.end_mark.line + 1, event.end_mark.column + 1)
        elif last is not None:
            end = (last.end_line, last.end_column)
        else:
            end = (done.span.end_line, done.span.end_column)
        span = Span(done.span.file, done.span.line, done.span.column, *end)
        self._value(Map(done.entries, done.keys, span) if done.is_map else Seq(tuple(done.items), span))

    def _value(self, node: Node) -> None:
        """A complete node goes where it belongs: into the list, or as key or value into the map that is open."""
        if not self.stack:
            self.root = node
            return
        parent = self.stack[-1]
        if not parent.is_map:
            parent.items.append(node)
        elif not parent.has_key:
            self._key(parent, node)
        else:
            if parent.key is not None:
                parent.entries[parent.key.text] = node
                parent.keys[parent.key.text] = parent.key
            parent.key, parent.has_key = None, False

    def _key(self, parent: _Open, node: Node) -> None:
        parent.has_key = True
        if not isinstance(node, Scalar) or node.value is None:
            message = (
                "a key must be a plain word" if not isinstance(node, Scalar) else "a key is missing before the colon"
            )
            hint = (
                "an action with a comma or a bracket in a flow map needs quotes" if not isinstance(node, Scalar) else ""
            )
            self._error("RB116", message, node.span, hint)
            return
        if node.text == "<<" and node.style == "plain":
            hint = "write the keys out; programs that cards share are verbs of the game file"
            self.referred = True  # the alias that follows is part of it
            self._error("RB112", "merge keys (`<<`) are not read", node.span, hint)
            return
        before = parent.keys.get(node.text)
        if before is not None:
            message = f"the key `{node.text}` stands twice, in line {before.span.line} and in line {node.span.line}"
            related = (("first here", before.span),)
            self._error("RB110", message, node.span, "keep one of them", related)
            return
        parent.key = node

    def _scalar(self, event: Any) -> Scalar:
        style = _STYLES.get(event.style or "", "plain")
        span = self._span(event)
        if style in ("literal", "folded"):
            span = self._block_span(event, span)
        text: str = event.value
        value: str | int | bool | None = text
        if style == "plain":
            value = self._resolve(text, span)
        return Scalar(value, text, style, span, self.source)

    def _resolve(self, text: str, span: Span) -> str | int | bool | None:
        """What a plain scalar means: YAML 1.2, and a fault where readers differ."""
        if text in ("", "~", "null"):
            return None
        if text in ("true", "false"):
            return text == "true"
        if _INT.match(text):
            if len(text) <= 14 and abs(int(text)) <= MAX_NUMBER:
                return int(text)
            self._error("RB118", "this number is too large: numbers go up to 10¹² either way", span)
            return 0
        if text in ("True", "TRUE", "False", "FALSE", "Null", "NULL"):
            hint = f'write {text.lower()}, or "{text}" in quotes for the text'
            self._error("RB117", f"`{text}` means different things to different readers of YAML", span, hint)
        elif len(text) <= 400 and text[0] in "+-.0123456789" and _ELSEWHERE_A_NUMBER.match(text):
            shown = text if len(text) <= 40 else text[:40] + "…"
            hint = f'write "{shown}" in quotes for the text; numbers are whole and without leading zeros'
            self._error("RB117", f"`{shown}` means different things to different readers of YAML", span, hint)
        return text

    def _span(self, event: Any) -> Span:
        start, end = event.start_mark, event.end_mark
        return Span(self.source.file, start.line + 1, start.column + 1, end.line + 1, end.column + 1)

    def _start(self, event: Any, width: int) -> Span:
        line, column = event.start_mark.line + 1, event.start_mark.column + 1
        return Span(self.source.file, line, column, line, column + width)

    def _block_span(self, event: Any, span: Span) -> Span:
        """PyYAML ends a block scalar where the next thing begins; it ends behind its last line that is not blank."""
        last = min(span.end_line, len(self.source.lines)) - 1
        if span.end_column == 1:
            last -= 1
        while last >= span.line and not self.source.lines[last].strip():
            last -= 1
        return Span(span.file, span.line, span.column, last + 1, len(self.source.lines[last].rstrip()) + 1)

    def _error(
        self, code: str, message: str, span: Span, hint: str = "", related: tuple[tuple[str, Span], ...] = ()
    ) -> None:
        self.diagnostics.error(code, message, span, hint, related)
        self.faults += 1
        if self.faults >= MAX_FAULTS:
            raise _Stop
