"""Does a file have the shape of a card, deck, game, pack or file of rulings? The answer in our own words, with places.

The shapes are JSON Schemas (`schemas/*.json`, draft 2020-12), which editors use as they are. Here each error of the
validator becomes one diagnostic that points at the key or value to change. What depends on the game (which zones,
tags and verbs there are) is the compiler's business.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import resources
from typing import Any, Literal

import jsonschema
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend

from rulebook.diagnostics import Diagnostics, Span, nearest
from rulebook.schema_words import Fault, Path, Rules, in_words, label, what
from rulebook.yamlread import Map, Node, Scalar, Seq

Kind = Literal["card", "deck", "game", "pack", "rulings", "texts"]
"""What a file is meant to be."""
KINDS: tuple[Kind, ...] = ("card", "deck", "game", "pack", "rulings", "texts")


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
        article = f"file of {kind}" if kind == "texts" else f"{kind} file"
        diagnostics.error("RB202", f"a {article} is a map of keys, here is {what(node)}", node.span)
        return False
    found = [_fault(node, error) for error in _validator(kind).iter_errors(_data(node))]
    misspelt = _unknown_keys(schema(kind), found, diagnostics)
    for fault in found:
        if fault.rule == "required":
            _missing(schema(kind), fault, misspelt, diagnostics)
        elif fault.rule != "additionalProperties":
            _report(fault, diagnostics)
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
    """A text that stands below a `>`: fine for people and for an expression, not for a program, which has lines."""

    __slots__ = ()


def _data(node: Node) -> Any:
    if isinstance(node, Scalar):
        return _Folded(node.text) if node.style == "folded" else node.value
    if isinstance(node, Seq):
        return [_data(item) for item in node.items]
    return {key: _data(value) for key, value in node.entries.items()}


def _code(validator: Any, value: Any, instance: Any, _schema: Any) -> Iterator[ValidationError]:
    if value == "program" and isinstance(instance, _Folded):
        yield ValidationError("folded")


_extend: Any = extend
_Validator: Any = _extend(jsonschema.Draft202012Validator, {"x-code": _code})


@cache
def _validator(kind: Kind) -> Any:
    return _Validator(schema(kind))


# From errors to diagnostics -----------------------------------------------------------------------


def _fault(root: Map, error: ValidationError) -> Fault:
    path: Path = tuple(error.absolute_path)
    node = _node(root, path)
    about_key = "propertyNames" in error.absolute_schema_path
    rules: Any = error.schema
    return Fault(
        str(error.validator), error.validator_value, error.instance, rules, path, node, _span(root, path), about_key
    )


def _unknown_keys(whole: Rules, found: Iterable[Fault], diagnostics: Diagnostics) -> dict[Path, set[str]]:
    """Report keys that nothing reads; give, for each map, the keys that they were meant to be."""
    meant: dict[Path, set[str]] = {}
    for fault in found:
        place = fault.node
        if fault.rule != "additionalProperties" or not isinstance(place, Map):
            continue
        known = list(fault.rules.get("properties", {}))
        synonyms = fault.rules.get("x-instead", {})
        for key, written in place.keys.items():
            if key in known or key.startswith("x-") or _numbered(key, fault.rules):
                continue
            better = _meant(key, known, synonyms)
            if better is not None and better not in place.keys:
                meant.setdefault(fault.path, set()).add(better)
            hint = f"did you mean `{better}`?" if better else _belongs_below(key, fault.rules, whole)
            if key.count(")") != key.count("(") or key.count("]") != key.count("["):
                hint = "a comma inside `{…}` ends a value: put the expression in quotes"
            if not hint:
                hint = "keys that can stand here: " + ", ".join(f"`{name}`" for name in known)
            diagnostics.error("RB200", f"unknown key `{label((*fault.path, key))}`", written.span, hint)
    return meant


def _numbered(key: str, rules: Rules) -> bool:
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


def _belongs_below(key: str, rules: Rules, whole: Rules) -> str:
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


def _missing(whole: Rules, fault: Fault, misspelt: Mapping[Path, set[str]], diagnostics: Diagnostics) -> None:
    if not isinstance(fault.node, Map):
        return
    first = next(iter(fault.node.keys.values()), None)
    span = first.span if first is not None else fault.span
    known = fault.rules.get("properties") or whole["properties"]
    for key in fault.wanted:
        if key in fault.node.keys or key in misspelt.get(fault.path, ()):
            continue
        where = f" in `{label(fault.path)}`" if fault.path else ""
        about = _described(known.get(key, {}), whole)
        diagnostics.error("RB201", f"the key `{key}` is missing{where}", span, f"`{key}:` {about}" if about else "")


def _described(rule: Rules, whole: Rules) -> str:
    target = whole["$defs"].get(rule.get("$ref", "").rpartition("/")[2], {})
    return str(rule.get("description") or target.get("description", ""))


def _report(fault: Fault, diagnostics: Diagnostics) -> None:
    span = fault.span
    if fault.about_key and isinstance(fault.node, Map) and fault.instance in fault.node.keys:
        span = fault.node.keys[fault.instance].span
    code, message, hint = in_words(fault)
    diagnostics.error(code, message, span, hint)


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


def _span(root: Map, path: Path) -> Span:
    """The value; where it is nothing or a whole block, the key it stands under."""
    node = _node(root, path)
    parent = _node(root, path[:-1]) if path else None
    key = parent.keys.get(str(path[-1])) if isinstance(parent, Map) else None
    empty = isinstance(node, Scalar) and node.value is None and node.text == ""
    if key is not None and (node is None or empty or node.span.line != node.span.end_line):
        return key.span
    return node.span if node is not None else root.span
