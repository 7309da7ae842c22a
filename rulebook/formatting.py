"""The one way to lay out a file of a game: code, order of keys, blanks. What it says never changes, comments stay.

Only what is laid out by lines is touched: maps in braces and texts keep the form that their author gave them. After
every change the file is read again; if it does not say the same as before, the change is not made.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from rulebook.decks import DECKS
from rulebook.diagnostics import Diagnostics
from rulebook.lang.layout import INDENT, layout_expression, layout_program, same_meaning
from rulebook.library import GAME_FILE, PACK_FILE, display
from rulebook.rulings.homes import FOLDER
from rulebook.schema_check import Kind, check_shape, schema
from rulebook.translations import FOLDER as TEXTS
from rulebook.yamlread import Map, Node, Scalar, Seq, read_into

Rules = dict[str, Any]
HEADS: dict[Kind, tuple[str, ...]] = {
    "card": ("card", "mark", "id", "text", "tags", "fields"),
    "deck": ("deck", "id", "language", "about"),
    "game": ("game", "id", "version", "language", "about", "players", "packs"),
    "pack": ("pack", "id", "version", "language", "game"),
    "rulings": ("about", "rulings"),
    "texts": ("texts", "title", "cards"),
}
"""The keys that say what a file is."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A value of a file with what the schema says about it; `key_column` is the column of the key it stands under."""

    node: Node
    rules: Rules
    key_column: int


def files_below(path: Path) -> list[tuple[Path, Kind]]:
    """The files of games, packs, cards, decks and rulings at and below a path, with what each is meant to be."""
    files = [path] if path.is_file() else sorted(path.rglob("*.yaml"))
    found = []
    for file in files:
        hidden = path.is_dir() and any(part.startswith(".") for part in file.relative_to(path).parts)
        kind = None if hidden else kind_of_file(file)
        if kind is not None:
            found.append((file, kind))
    return found


def kind_of_file(file: Path) -> Kind | None:
    """What a file is by its name and place; None if it belongs to no game."""
    folder = file.resolve().parent
    named: dict[str, Kind] = {GAME_FILE: "game", PACK_FILE: "pack"}
    if file.name in named:
        return named[file.name]
    if folder.name == FOLDER:
        return "rulings"
    if folder.name == DECKS:
        return "deck"
    if folder.name == TEXTS:
        return "texts"
    return "card" if (folder / PACK_FILE).is_file() else None


def formatted(file: Path, kind: Kind, diagnostics: Diagnostics) -> tuple[str, str] | None:
    """The text of a file as it is and as it should be. None, with the faults reported, if it has not the shape of its
    kind: such a file is not touched."""
    name = display(file)
    node = read_into(file, diagnostics, name=name)
    if node is None or not check_shape(node, kind, diagnostics):
        return None
    text = file.read_bytes().decode("utf-8")
    return text, format_text(text, kind)


def format_text(text: str, kind: Kind) -> str:
    """The text of a file of a kind as it should be; as it is where it cannot be read."""
    now = text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
    for step in (_code, _order, _blanks):
        after = step(now, kind)
        if after != now and _same(now, after, kind):
            now = after
    return now


@lru_cache(maxsize=8)
def _read(text: str, kind: Kind) -> Node | None:
    found = Diagnostics()
    node = read_into(text, found, name="")
    return None if len(found) or node is None or not check_shape(node, kind, found) else node


def _same(one: str, other: str, kind: Kind) -> bool:
    """Whether two texts of a file say the same; where the schema says what keys there are, their order is nothing."""
    before, after = _read(one, kind), _read(other, kind)
    return before is not None and after is not None and _equal(before, after, _root(kind), kind)


def _equal(one: Node, other: Node, rules: Rules, kind: Kind) -> bool:
    if isinstance(one, Scalar) and isinstance(other, Scalar):
        code = rules.get("x-code")
        if code and isinstance(one.value, str) and isinstance(other.value, str):
            return same_meaning(code, one.text, other.text)
        return (type(one.value), one.value) == (type(other.value), other.value)
    if isinstance(one, Seq) and isinstance(other, Seq):
        inner = _below(rules, None, kind)
        return len(one.items) == len(other.items) and all(
            _equal(a, b, _chosen(inner, a, kind), kind) for a, b in zip(one.items, other.items, strict=True)
        )
    if not isinstance(one, Map) or not isinstance(other, Map):
        return False
    fixed = bool(rules.get("properties"))
    if (set(one.entries) != set(other.entries)) if fixed else (list(one.entries) != list(other.entries)):
        return False
    return all(
        _equal(value, other.entries[key], _chosen(_below(rules, key, kind), value, kind), kind)
        for key, value in one.entries.items()
    )


# What the schema says about a value


def _root(kind: Kind) -> Rules:
    return schema(kind)


def _resolved(rules: Any, kind: Kind) -> Rules:
    while isinstance(rules, dict) and "$ref" in rules:
        around = {key: value for key, value in rules.items() if key != "$ref"}
        rules = {**schema(kind)["$defs"][rules["$ref"].rpartition("/")[2]], **around}
    return rules if isinstance(rules, dict) else {}


def _below(rules: Rules, key: str | None, kind: Kind) -> Rules:
    """The schema of the items of a list, or of the value of a key."""
    if key is None:
        return _resolved(rules.get("items"), kind)
    if key in rules.get("properties", {}):
        return _resolved(rules["properties"][key], kind)
    for pattern, inner in rules.get("patternProperties", {}).items():
        if re.search(pattern, key):
            return _resolved(inner, kind)
    return _resolved(rules.get("additionalProperties"), kind)


def _chosen(rules: Rules, node: Node, kind: Kind) -> Rules:
    """The schema with its `if` settled: ours ask for the type of the value, or for a key."""
    while "if" in rules:
        asked = rules["if"]
        types = {"string": str, "integer": int, "boolean": bool}
        wanted = asked.get("type")
        if wanted == "object":
            holds = isinstance(node, Map)
        elif wanted == "array":
            holds = isinstance(node, Seq)
        elif wanted in types:
            holds = isinstance(node, Scalar) and type(node.value) is types[wanted]
        else:
            holds = isinstance(node, Map) and all(key in node.entries for key in asked.get("required", ()))
        rest = {key: value for key, value in rules.items() if key not in ("if", "then", "else")}
        rules = {**rest, **_resolved(rules.get("then" if holds else "else"), kind)}
    return rules


def _pieces(node: Node, rules: Rules, kind: Kind, column: int = 1) -> Iterator[Piece]:
    rules = _chosen(rules, node, kind)
    yield Piece(node, rules, column)
    if isinstance(node, Map):
        for key, value in node.entries.items():
            yield from _pieces(value, _below(rules, key, kind), kind, node.keys[key].span.column)
    elif isinstance(node, Seq):
        for item in node.items:
            yield from _pieces(item, _below(rules, None, kind), kind, item.span.column)


# The steps


def _code(text: str, kind: Kind) -> str:
    """Programs below a `|`, and expressions on one line. From the end, so that places before stay right."""
    node = _read(text, kind)
    if node is None:
        return text
    lines = text.split("\n")
    pieces = [piece for piece in _pieces(node, _root(kind), kind) if isinstance(piece.node, Scalar)]
    for piece in sorted(pieces, key=lambda piece: piece.node.span, reverse=True):
        scalar = piece.node
        assert isinstance(scalar, Scalar)
        code = piece.rules.get("x-code")
        if code is None or not isinstance(scalar.value, str):
            continue
        if scalar.style == "literal":
            _block(lines, scalar, piece, code)
        elif scalar.style != "folded" and code == "expression" and scalar.span.line == scalar.span.end_line:
            _inline(lines, scalar)
    return "\n".join(lines)


def _block(lines: list[str], scalar: Scalar, piece: Piece, code: str) -> None:
    header = scalar.span.line
    if code != "program" or re.search(r"\|[-+]?[ \t]*(#.*)?$", lines[header - 1]) is None:
        return
    end = header
    while end < len(lines) and (not lines[end].strip() or _indent(lines[end]) >= piece.key_column):
        end += 1
    while end > header and not lines[end - 1].strip():
        end -= 1
    laid = layout_program(scalar.text)
    margin = " " * (piece.key_column - 1) + INDENT
    lines[header:end] = [margin + line if line else "" for line in laid.rstrip("\n").split("\n")]


def _inline(lines: list[str], scalar: Scalar) -> None:
    line = lines[scalar.span.line - 1]
    start, end = scalar.span.column - 1, scalar.span.end_column - 1
    raw = line[start:end]
    quote = raw[:1] if scalar.style in ("single", "double") else ""
    if raw != quote + scalar.text + quote:
        return  # escapes: what stands in the file is not what is read
    lines[scalar.span.line - 1] = line[:start] + quote + layout_expression(scalar.text) + quote + line[end:]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _order(text: str, kind: Kind) -> str:
    """What a file is stands at its head, in one order; all else in the order that its author found good."""
    node = _read(text, kind)
    return _ordered(text, node, HEADS[kind]) if isinstance(node, Map) else text


def _ordered(text: str, node: Map, order: tuple[str, ...]) -> str:
    """The text with these keys of a map first; each takes the comments right above it along."""
    keys = list(node.entries)
    if not keys:
        return text
    rank = {key: number for number, key in enumerate(order)}
    wanted = sorted(keys, key=lambda key: rank.get(key, len(order)))
    columns = {scalar.span.column for scalar in node.keys.values()}
    starts = [node.keys[key].span.line - 1 for key in keys]
    lines = text.split("\n")
    if wanted == keys or len(columns) > 1 or len(set(starts)) < len(starts):
        return text
    column = columns.pop() - 1
    lead = lines[starts[0]][:column]
    if lead.strip(" -"):
        return text  # a map in braces that begins behind something else
    begins = [starts[0], *(_with_comments(lines, start, column) for start in starts[1:])]
    end = starts[-1] + 1
    while end < len(lines) and (not lines[end].strip() or _indent(lines[end]) > column or _belongs(lines, end, column)):
        end += 1
    while not lines[end - 1].strip():
        end -= 1
    entries: dict[str, list[str]] = {}
    apart: set[str] = set()  # what an empty line stands above
    for key, begin, stop in zip(keys, begins, [*begins[1:], end], strict=True):
        entry = lines[begin:stop]
        while not entry[-1].strip():
            entry.pop()
            apart.update(keys[keys.index(key) + 1 : keys.index(key) + 2])
        entries[key] = entry
    first = entries[keys[0]]
    first[0] = " " * column + first[0][column:]
    moved = [line for key in wanted for line in ([""] if key in apart and key != wanted[0] else []) + entries[key]]
    moved[0] = lead + moved[0][column:] if moved[0][:column].strip() == "" else moved[0]
    return "\n".join([*lines[: starts[0]], *moved, *lines[end:]])


def _with_comments(lines: list[str], start: int, column: int) -> int:
    """Where an entry begins if the comments right above its key are part of it."""
    while lines[start - 1].lstrip().startswith("#") and _indent(lines[start - 1]) == column:
        start -= 1
    return start


def _belongs(lines: list[str], at: int, column: int) -> bool:
    """Whether a line begins an item of a list that stands in the column of its key."""
    return _indent(lines[at]) == column and lines[at].lstrip().startswith("- ")


def _blanks(text: str, kind: Kind) -> str:
    """No blanks at the end of a line, no two empty lines in sequence, one line break at the end."""
    node = _read(text, kind)
    if node is None:
        return text
    kept: set[int] = set()
    for piece in _pieces(node, _root(kind), kind):
        scalar = piece.node
        if isinstance(scalar, Scalar) and scalar.span.end_line > scalar.span.line:
            below = scalar.style in ("literal", "folded")  # what stands behind `|` or `>` is no text yet
            kept.update(range(scalar.span.line + below, scalar.span.end_line + 1))
    out: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        if number in kept:
            out.append(line)
        elif line.strip() or (out and out[-1].strip()):
            out.append(line.rstrip())
    while out and not out[-1].strip():
        out.pop()
    return "\n".join(out) + "\n"
