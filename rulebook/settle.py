"""Options and facts: what each is in the end, by who may say it and who is heard first.

An option that is given beats the preset's, which beats a pack's, which beats the game's default; of two packs, the
one that comes later (after what it needs, else as they were named) is heard. Facts are what packs alone settle: what
several of them say is joined as the game declares, and the game's default stands where none of them says anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulebook.diagnostics import Diagnostics, Span
from rulebook.graph import Manifest
from rulebook.packs import Single, Value, map_of, text_of, texts_of, unknown, value_of
from rulebook.yamlread import Map, Node, Scalar

_TYPES = {
    "number": "a number",
    "flag": "true or false",
    "word": "a word",
    "kinds": "a list of ids of cards",
    "words": "a list of words",
    "numbers": "a list of numbers",
}
_MEMBERS = {"kinds": "word", "words": "word", "numbers": "number"}
"""The types that are lists, with what they hold (the id of a kind is written like a word)."""


def settle_options(
    game: Map,
    packs: Sequence[Manifest],
    preset: Map | None,
    given: Mapping[str, Single | Sequence[Single]],
    diagnostics: Diagnostics,
) -> dict[str, Value]:
    """The value of every option. `packs` in the order in which they are heard, the last one beating those before."""
    declared = {name: node for name, node in map_of(game, "options").items() if isinstance(node, Map)}
    values: dict[str, Value] = {}
    for name, option in declared.items():
        default = option.get("default")
        if default is not None:
            _take(values, declared, name, default, diagnostics)
    for pack in packs:
        for name, node in map_of(pack.node, "options").items():
            _take(values, declared, name, node, diagnostics, _key(pack.node, "options", name))
    for name, node in map_of(preset, "options").items():
        _take(values, declared, name, node, diagnostics, _key(preset, "options", name))
    for name, value in given.items():
        if name not in declared:
            message, hint = unknown("option", str(name), declared)
            diagnostics.error("RB304", message, None, hint)
            continue
        value = _as_list(declared[name], value)
        fault = option_fault(declared[name], value)
        if fault:
            diagnostics.error("RB305", f"the option `{name}` cannot be {_shown(value)}; {fault}", None)
        else:
            values[name] = value
    return values


def settle_facts(game: Map, packs: Sequence[Manifest], diagnostics: Diagnostics) -> dict[str, Value]:
    """The value of every fact."""
    declared = {name: node for name, node in map_of(game, "facts").items() if isinstance(node, Map)}
    said: dict[str, list[Value]] = {name: [] for name in declared}
    for pack in packs:
        for name, node in map_of(pack.node, "facts").items():
            if name not in declared:
                message, hint = unknown("fact", name, declared)
                diagnostics.error("RB315", message, _key(pack.node, "facts", name) or node.span, hint)
            elif isinstance(node, Scalar) and node.value is not None:
                fault = _type_fault(text_of(declared[name], "type"), node.value)
                if fault:
                    message = f"the fact `{name}` cannot be {_shown(node.value)}; {fault}"
                    diagnostics.error("RB315", message, node.span)
                else:
                    said[name].append(node.value)
    return {name: _joined(fact, said[name], name, diagnostics) for name, fact in declared.items()}


def option_fault(option: Map, value: object) -> str:
    """What is wrong with a value for an option as the game declares it, in words; nothing if it will do."""
    fault = _type_fault(text_of(option, "type"), value)
    if fault:
        return fault
    listed = isinstance(value, tuple)
    allowed = [item.value for item in texts_of(option, "values")]
    if allowed and not all(item in allowed for item in (value if isinstance(value, tuple) else (value,))):
        return f"{'each' if listed else 'it'} is one of " + ", ".join(f"`{_shown(item)}`" for item in allowed)
    if isinstance(value, tuple):
        doubles = [item for at, item in enumerate(value) if item in value[:at]]
        if doubles:
            return f"`{_shown(doubles[0])}` stands in it twice"
        return _range_fault(option, len(value), "it must list", "")
    if isinstance(value, int) and not isinstance(value, bool):
        return _range_fault(option, value, "it must be", "from ")
    return ""


def _range_fault(option: Map, value: int, beginning: str, both: str) -> str:
    """What is wrong with a number, or with how many a list holds."""
    low, high = _limit(option, "min"), _limit(option, "max")
    if (low is None or value >= low) and (high is None or value <= high):
        return ""
    if low is not None and high is not None:
        return f"{beginning} {low}" if low == high else f"{beginning} {both}{low} to {high}"
    return f"{beginning} at least {low}" if low is not None else f"{beginning} at most {high}"


def _as_list(option: Map, value: Single | Sequence[Single]) -> Value:
    """A value as it was given: a list written as one text is taken apart at its commas, as on the command line."""
    member = _MEMBERS.get(text_of(option, "type"))
    if member is None or isinstance(value, bool):
        return tuple(value) if isinstance(value, list | tuple) else value  # type: ignore[return-value]
    if isinstance(value, int):
        return (value,)
    if not isinstance(value, str):
        return tuple(value)
    words = [word.strip() for word in value.split(",")] if value.strip() else []
    return tuple(int(word) if member == "number" and _is_number(word) else word for word in words)


def _is_number(word: str) -> bool:
    return word.isascii() and word.lstrip("-").isdecimal() and word.count("-") <= 1 and len(word) <= 16


def _take(
    values: dict[str, Value],
    declared: Mapping[str, Map],
    name: str,
    node: Node,
    diagnostics: Diagnostics,
    key: Span | None = None,
) -> None:
    """An option's value as a file says it."""
    if name not in declared:
        message, hint = unknown("option", name, declared)
        diagnostics.error("RB304", message, key or node.span, hint)
        return
    value = value_of(node)
    if value is None:
        return
    fault = option_fault(declared[name], value)
    if fault:
        diagnostics.error("RB305", f"the option `{name}` cannot be {_shown(value)}; {fault}", node.span)
    else:
        values[name] = value


def _joined(fact: Map, said: list[Value], name: str, diagnostics: Diagnostics) -> Value:
    default = fact.get("default")
    value: Value = default.value if isinstance(default, Scalar) and default.value is not None else 0
    kind = text_of(fact, "type")
    fault = _type_fault(kind, value)
    if fault and default is not None:
        diagnostics.error("RB315", f"the fact `{name}` cannot be {_shown(value)}; {fault}", default.span)
    join = text_of(fact, "join") or ("any" if kind == "flag" else "first")
    allowed = {"flag": ("any", "all", "first"), "number": ("sum", "min", "max", "first")}.get(kind, ("first",))
    if join not in allowed:
        node = fact.get("join")
        message = f"`{join}` cannot join facts of type {kind}; it is one of {', '.join(allowed)}"
        diagnostics.error("RB315", message, node.span if node is not None else None)
        return value
    if not said:
        return value
    if join in ("any", "all"):
        return any(said) if join == "any" else all(said)
    numbers = [item for item in said if isinstance(item, int)]
    if join == "sum":
        return sum(numbers)
    return said[0] if join == "first" else min(numbers) if join == "min" else max(numbers)


def _type_fault(kind: str, value: object) -> str:
    if kind in _MEMBERS:
        fits_all = isinstance(value, tuple) and not any(_type_fault(_MEMBERS[kind], item) for item in value)
        return "" if fits_all else f"it must be {_TYPES[kind]}"
    is_flag = isinstance(value, bool)
    fits = {"number": isinstance(value, int) and not is_flag, "flag": is_flag, "word": isinstance(value, str)}
    return "" if fits.get(kind, True) else f"it must be {_TYPES[kind]}"


def _limit(option: Map, key: str) -> int | None:
    node = option.get(key)
    return node.value if isinstance(node, Scalar) and isinstance(node.value, int) else None


def _key(node: Map | None, section: str, name: str) -> Span | None:
    below = node.get(section) if node is not None else None
    return below.keys[name].span if isinstance(below, Map) and name in below.keys else None


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    text = f"[{', '.join(_shown(item) for item in value)}]" if isinstance(value, tuple) else str(value)
    return text if len(text) <= 40 else text[:40] + "…"
