"""What is wrong with the shape of a value, in words: code, message and hint for each rule of the schemas."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from rulebook.diagnostics import Span, nearest
from rulebook.yamlread import Map, Node, Scalar, Seq

Path: TypeAlias = tuple[str | int, ...]
"""The way from the root of a file to a value: keys and places in lists."""
Rules: TypeAlias = dict[str, Any]
"""A JSON Schema, or a part of one."""
Words: TypeAlias = tuple[str, str, str]
"""Code, message, hint."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A rule that a value breaks. `rule` is the schema's key (`enum`), `wanted` what it asks for, `rules` the schema
    around it, `instance` the plain value; `about_key` says that a key of the map `node` is meant, which is then
    `instance`."""

    rule: str
    wanted: Any
    instance: Any
    rules: Rules
    path: Path
    node: Node | None
    span: Span
    about_key: bool


def in_words(fault: Fault) -> Words:
    """Code, message and hint for a fault."""
    words = _WORDS.get(fault.rule)
    if words is None:
        return "RB202", f"`{label(fault.path)}` has a shape that cannot stand here", ""
    return words(fault)


def _type_words(fault: Fault) -> Words:
    node = fault.node
    wanted = fault.wanted if isinstance(fault.wanted, list) else [fault.wanted]
    if fault.rules.get("x-code") == "expression":
        words = "an expression"
    elif fault.rules.get("x-code") == "program":
        words = "a program"
    else:
        words = " or ".join(_TYPES[name] for name in wanted)
    hint = ""
    if "string" in wanted and not isinstance(node, Map | Seq) and node is not None and node.value is not None:
        hint = f'put it in quotes: "{shown(node.text)}"'
    elif isinstance(node, Seq | Map) and "string" in wanted:
        hint = "a text that begins with a bracket or brace needs quotes"
        if "x-form" in fault.rules:
            hint = f"it must be {fault.rules['x-form']}"
    elif isinstance(node, Scalar) and node.value is not None and "array" in wanted:
        hint = f"write it as a list: [{shown(node.text)}]"
    return "RB202", f"`{label(fault.path)}` must be {words}, here is {what(node)}", hint


def _enum_words(fault: Fault) -> Words:
    values = [str(value) for value in (fault.wanted if fault.rule == "enum" else [fault.wanted])]
    found = shown(fault.node.text) if isinstance(fault.node, Scalar) else what(fault.node)
    near = nearest(found, values)
    allowed = ", ".join(f"`{value}`" for value in values)
    rest = f"it is one of {allowed}" if len(values) > 1 else f"it can only be {allowed}"
    message = f"`{label(fault.path)}` cannot be `{found}`; {rest}"
    return "RB203", message, f"did you mean `{near}`?" if near else ""


def _range_words(fault: Fault) -> Words:
    low, high = fault.rules.get("minimum"), fault.rules.get("maximum")
    allowed = " ".join([*([] if low is None else [f"from {low}"]), *([] if high is None else [f"up to {high}"])])
    return "RB204", f"`{label(fault.path)}` is {fault.instance}; it must be {allowed}", ""


def _pattern_words(fault: Fault) -> Words:
    form = f"it must be {fault.rules.get('x-form', 'written otherwise')}"
    if fault.about_key:
        where = f" below `{label(fault.path)}`" if fault.path else ""
        value = fault.node.get(str(fault.instance)) if isinstance(fault.node, Map) else None
        if isinstance(value, Scalar) and value.value is None:
            form += "; a comma inside `{…}` ends a value, unless the value is in quotes"
        return "RB205", f"`{shown(str(fault.instance))}` cannot be a key{where}", form
    return "RB205", f"`{label(fault.path)}` cannot be `{shown(str(fault.instance))}`", form


def _size_words(fault: Fault) -> Words:
    if fault.rule == "minLength" or not fault.instance:
        return "RB206", f"`{label(fault.path)}` is empty", ""
    if fault.rule == "uniqueItems":
        return "RB206", f"something stands twice in `{label(fault.path)}`", "keep one of them"
    if fault.rule == "maxProperties":
        hint = "begin each step with its own `-`" if "steps" in label(fault.path) else ""
        return "RB206", f"`{label(fault.path)}` holds more than {fault.wanted} key", hint
    return "RB206", f"`{label(fault.path)}` is too long: at most {fault.wanted}", ""


def _not_words(fault: Fault) -> Words:
    return "RB208", f"`{label(fault.path)}` cannot stand here", fault.rules.get("x-message", "")


def _code_words(fault: Fault) -> Words:
    message = f"`{label(fault.path)}` is a program and cannot be folded (`>`): its lines would become one"
    return "RB207", message, "write `|` instead of `>`"


_WORDS: dict[str, Callable[[Fault], Words]] = {
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


def what(node: Node | None) -> str:
    """A value in words, for the end of a sentence."""
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
    return f"the text `{shown(node.text)}`"


def shown(text: str) -> str:
    """The beginning of a text, on one line."""
    first = text.split("\n", 1)[0]
    return first if len(first) <= 40 and first == text else first[:40] + "…"


def label(path: Path) -> str:
    """A path as people write it: `play[1].do`."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{shown(part)}" if text else shown(part)
    return text
