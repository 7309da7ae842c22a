"""Does a file have the shape of a card, game, pack or file of rulings? The answer in our own words, with places.

The shapes are JSON Schemas (`schemas/*.json`, draft 2020-12), which editors use as they are. Here each error of the
validator becomes one diagnostic that points at the key or value to change. What depends on the game (which zones,
tags and verbs there are) is the compiler's business.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib import resources
from typing import Any, Literal

import jsonschema
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend

from rulebook.diagnostics import Diagnostics, Span, nearest
from rulebook.yamlread import Map, Node, Scalar, Seq

Kind = Literal["card", "game", "pack", "rulings"]
"""What a file is meant to be."""
KINDS: tuple[Kind, ...] = ("card", "game", "pack", "rulings")

Path = tuple[str | int, ...]


@cache
def schema(kind: Kind) -> dict[str, Any]:
    """The JSON Schema of a kind of file. Callers do not change it."""
    text = resources.files("rulebook").joinpath("schemas", f"{kind}.json").read_text(encoding="utf-8")
    data: dict[str, Any] = json.loads(text)
    return data


def check_shape(node: Node, kind: Kind, diagnostics: Diagnostics) -> bool:
    """Report every fault in the shape of a file; true if there was none."""
    before = len(diagnostics.errors)
    if not isinstance(node, Map):
        article = "rulings file" if kind == "rulings" else f"{kind} file"
        diagnostics.error("RB202", f"a {article} is a map of keys, here is {_what(node)}", node.span)
        return False
    found = sorted(
        _validator(kind).iter_errors(_data(node)), key=lambda error: [str(part) for part in error.absolute_path]
    )
    misspelt = _unknown_keys(node, schema(kind), found, diagnostics)
    for error in found:
        if error.validator != "additionalProperties":
            _report(node, error, misspelt, diagnostics)
    return len(diagnostics.errors) == before


def without_vendor_keys(node: Node) -> Node:
    """The same without keys that begin with `x-`: they are for other tools, and the compiler never sees them."""
    if isinstance(node, Seq):
        return Seq(tuple(without_vendor_keys(item) for item in node.items), node.span)
    if isinstance(node, Map):
        kept = {key: without_vendor_keys(value) for key, value in node.entries.items() if not key.startswith("x-")}
        return Map(kept, {key: node.keys[key] for key in kept}, node.span)
    return node


# The validator ------------------------------------------------------------------------------------


class _Folded(str):
    """A text that stands below a `>`: fine for people, not for code, whose places would be lost."""

    __slots__ = ()


def _data(node: Node) -> Any:
    if isinstance(node, Scalar):
        return _Folded(node.text) if node.style == "folded" else node.value
    if isinstance(node, Seq):
        return [_data(item) for item in node.items]
    return {key: _data(value) for key, value in node.entries.items()}


def _code(validator: Any, value: Any, instance: Any, _schema: Any) -> Iterator[ValidationError]:
    if isinstance(instance, _Folded):
        yield ValidationError("folded")


_Validator: Any = extend(jsonschema.Draft202012Validator, {"x-code": _code})


@cache
def _validator(kind: Kind) -> Any:
    return _Validator(schema(kind))


# From errors to diagnostics -----------------------------------------------------------------------


def _unknown_keys(
    root: Map, whole: dict[str, Any], found: Iterable[ValidationError], diagnostics: Diagnostics
) -> dict[Path, set[str]]:
    """Report keys that nothing reads; give, for each map, the keys that they were meant to be."""
    meant: dict[Path, set[str]] = {}
    for error in found:
        if error.validator != "additionalProperties":
            continue
        path: Path = tuple(error.absolute_path)
        place = _node(root, path)
        if not isinstance(place, Map):
            continue
        known = list(error.schema.get("properties", {}))
        synonyms = error.schema.get("x-instead", {})
        for key, written in place.keys.items():
            if key in known or key.startswith("x-") or _numbered(key, error.schema):
                continue
            better = _meant(key, known, synonyms)
            if better is not None and better not in place.keys:
                meant.setdefault(path, set()).add(better)
            below = _belongs_below(key, error.schema, whole)
            hint = f"did you mean `{better}`?" if better else below
            if not hint:
                hint = "keys that can stand here: " + ", ".join(f"`{name}`" for name in known)
            diagnostics.error("RB200", f"unknown key `{_label((*path, key))}`", written.span, hint)
    return meant


def _numbered(key: str, rules: dict[str, Any]) -> bool:
    return (
        key.isdecimal()
        and len(key) <= 2
        and any(pattern.startswith("^[0-9]") for pattern in rules["patternProperties"])
    )


def _meant(key: str, known: Iterable[str], synonyms: dict[str, str]) -> str | None:
    """The key that was meant: a word that others use for it counts as near too."""
    words = {**{name: name for name in known}, **synonyms}
    near = nearest(key, words)
    return words[near] if near is not None else None


def _belongs_below(key: str, rules: dict[str, Any], whole: dict[str, Any]) -> str:
    """A hint for a key that would be known one level further down, so that `do` beside `play` is told to move into
    it."""
    for name, rule in rules.get("properties", {}).items():
        for shape in (rule, rule.get("then", {}), rule.get("else", {}), rule.get("additionalProperties") or {}):
            target = shape.get("$ref", "") if isinstance(shape, dict) else ""
            below = whole["$defs"].get(target.rpartition("/")[2], {}) if target else shape
            if not isinstance(below, dict) or not below.get("properties"):
                continue
            word = _meant(key, below["properties"], below.get("x-instead", {}))
            if word is not None:
                return f"`{word}` belongs below `{name}`"
    return ""


def _report(root: Map, error: ValidationError, misspelt: dict[Path, set[str]], diagnostics: Diagnostics) -> None:
    path: Path = tuple(error.absolute_path)
    node = _node(root, path)
    if error.validator == "required":
        _missing(root, path, error, misspelt, diagnostics)
        return
    if "propertyNames" in error.absolute_schema_path and isinstance(node, Map) and isinstance(error.instance, str):
        key = node.keys.get(error.instance)
        form = error.schema.get("x-form", "shorter")
        where = f" below `{_label(path)}`" if path else ""
        message = f"`{_shown(error.instance)}` cannot be a key{where}"
        diagnostics.error("RB205", message, key.span if key else node.span, f"it must be {form}")
        return
    handler = _WORDS.get(str(error.validator))
    span = _span(root, path, node)
    if handler is None:
        diagnostics.error("RB202", f"`{_label(path)}` has a shape that cannot stand here", span)
        return
    code, message, hint = handler(_label(path), node, error)
    diagnostics.error(code, message, span, hint)


def _missing(
    root: Map, path: Path, error: ValidationError, misspelt: dict[Path, set[str]], diagnostics: Diagnostics
) -> None:
    node = _node(root, path)
    if not isinstance(node, Map):
        return
    first = next(iter(node.keys.values()), None)
    span = first.span if first is not None else node.span
    for key in error.validator_value:
        if key in node.keys or key in misspelt.get(path, ()):
            continue
        where = f" in `{_label(path)}`" if path else ""
        about = error.schema.get("properties", {}).get(key) or schema_property(error, key)
        words = about.get("description", "") if isinstance(about, dict) else ""
        diagnostics.error("RB201", f"the key `{key}` is missing{where}", span, f"`{key}:` {words}" if words else "")


def schema_property(error: ValidationError, key: str) -> dict[str, Any]:
    """What the innermost map of shapes around an error says on a key (an `else` with `required` has no properties
    itself)."""
    parent = error.parent
    while parent is not None:
        found = parent.schema.get("properties", {}).get(key)
        if isinstance(found, dict):
            return found
        parent = parent.parent
    return {}


def _type_words(label: str, node: Node | None, error: ValidationError) -> tuple[str, str, str]:
    wanted = error.validator_value if isinstance(error.validator_value, list) else [error.validator_value]
    if error.schema.get("x-code") == "expression":
        words = "an expression"
    elif error.schema.get("x-code") == "program":
        words = "a program"
    else:
        words = " or ".join(_TYPES[name] for name in wanted)
    hint = ""
    if "string" in wanted and not isinstance(node, Map | Seq) and node is not None and node.value is not None:
        hint = f'put it in quotes: "{_shown(node.text)}"'
    elif isinstance(node, Seq | Map) and "string" in wanted:
        hint = "a text that begins with a bracket or brace needs quotes"
    elif isinstance(node, Scalar) and node.value is not None and "array" in wanted:
        hint = f"write it as a list: [{_shown(node.text)}]"
    return "RB202", f"`{label}` must be {words}, here is {_what(node)}", hint


def _enum_words(label: str, node: Node | None, error: ValidationError) -> tuple[str, str, str]:
    values = error.validator_value if error.validator == "enum" else [error.validator_value]
    allowed = ", ".join(f"`{value}`" for value in values)
    shown = _shown(node.text) if isinstance(node, Scalar) else _what(node)
    near = nearest(shown, [str(value) for value in values])
    hint = f"did you mean `{near}`?" if near else ""
    return (
        "RB203",
        f"`{label}` cannot be `{shown}`; it is one of {allowed}"
        if len(values) > 1
        else (f"`{label}` cannot be `{shown}`; it can only be {allowed}"),
        hint,
    )


def _range_words(label: str, _node: Node | None, error: ValidationError) -> tuple[str, str, str]:
    low, high = error.schema.get("minimum"), error.schema.get("maximum")
    allowed = (
        f"from {low} to {high}"
        if low is not None and high is not None
        else (f"from {low}" if low is not None else f"up to {high}")
    )
    return "RB204", f"`{label}` is {error.instance}; it must be {allowed}", ""


def _pattern_words(label: str, node: Node | None, error: ValidationError) -> tuple[str, str, str]:
    form = error.schema.get("x-form", "written otherwise")
    return "RB205", f"`{label}` cannot be `{_shown(str(error.instance))}`", f"it must be {form}"


def _size_words(label: str, node: Node | None, error: ValidationError) -> tuple[str, str, str]:
    if error.validator == "minLength" or not error.instance:
        return "RB206", f"`{label}` is empty", ""
    if error.validator == "uniqueItems":
        return "RB206", f"something stands twice in `{label}`", "keep one of them"
    if error.validator == "maxProperties":
        hint = "begin each step with its own `-`" if "steps" in label else ""
        return "RB206", f"`{label}` holds more than {error.validator_value} key", hint
    return "RB206", f"`{label}` is too long: at most {error.validator_value}", ""


def _not_words(label: str, _node: Node | None, error: ValidationError) -> tuple[str, str, str]:
    return "RB208", f"`{label}` cannot stand here", error.schema.get("x-message", "")


def _code_words(label: str, _node: Node | None, _error: ValidationError) -> tuple[str, str, str]:
    message = f"`{label}` is code and cannot be folded (`>`): its lines would be lost"
    return "RB207", message, "write `|` instead of `>`"


_WORDS: dict[str, Callable[[str, Node | None, ValidationError], tuple[str, str, str]]] = {
    "type": _type_words,
    "enum": _enum_words,
    "const": _enum_words,
    "minimum": _range_words,
    "maximum": _range_words,
    "pattern": _pattern_words,
    "minLength": _size_words,
    "maxLength": _size_words,
    "minItems": _size_words,
    "maxItems": _size_words,
    "uniqueItems": _size_words,
    "minProperties": _size_words,
    "maxProperties": _size_words,
    "not": _not_words,
    "x-code": _code_words,
}
_TYPES = {
    "string": "a text",
    "integer": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a map of keys",
    "null": "nothing",
}


def _node(root: Node, path: Path) -> Node | None:
    node: Node | None = root
    for part in path:
        if isinstance(node, Map) and isinstance(part, str):
            node = node.entries.get(part)
        elif isinstance(node, Seq) and isinstance(part, int) and part < len(node.items):
            node = node.items[part]
        else:
            return None
    return node


def _span(root: Map, path: Path, node: Node | None) -> Span:
    """The value; where it is nothing or a whole block, the key it stands under."""
    parent = _node(root, path[:-1]) if path else None
    key = parent.keys.get(str(path[-1])) if isinstance(parent, Map) else None
    empty = isinstance(node, Scalar) and node.value is None and node.text == ""
    if key is not None and (node is None or empty or node.span.line != node.span.end_line):
        return key.span
    return node.span if node is not None else root.span


def _what(node: Node | None) -> str:
    if isinstance(node, Map):
        return "a map of keys"
    if isinstance(node, Seq):
        return "a list"
    if node is None or node.value is None:
        return "nothing"
    if isinstance(node.value, bool):
        return f"the flag {node.text}"
    if isinstance(node.value, int):
        return f"the number {node.text}"
    return f"the text `{_shown(node.text)}`"


def _shown(text: str) -> str:
    first = text.split("\n", 1)[0]
    return first if len(first) <= 40 and first == text else first[:40] + "…"


def _label(path: Path) -> str:
    label = ""
    for part in path:
        label += f"[{part}]" if isinstance(part, int) else f".{_shown(part)}" if label else _shown(part)
    return label
