"""Compiled expressions written back as the language writes them, and their values as a reader of rulings knows them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

Ir: TypeAlias = list[Any]
"""An expression in compiled form: `[OPERATION, …]`."""

MEMBERWISE = {"where", "map", "all", "exists", "countif", "sumof", "minof", "maxof", "best", "disjoint"}
"""`[OP, LIST, SLOT, E]`: E is about each member, which lies in the slot."""

_BINARY = {
    "or": 1, "and": 2, "==": 4, "!=": 4, "<": 4, "<=": 4, ">": 4, ">=": 4, "in": 4,
    "+": 5, "-": 5, "union": 5, "minus": 5, "*": 6, "/": 6, "%": 6,
}  # fmt: skip
_SPELT = {"union": "+", "minus": "-"}
_NAMES = {
    "you", "self", "target", "players", "living", "dead", "others", "turn_of", "turns_owed", "direction", "turn_ended",
    "winners", "over", "asked", "chance",
}  # fmt: skip
_CALLS = {
    "countif": "count", "exists": "any", "sumof": "sum", "minof": "min", "maxof": "max", "join": "combined",
}  # fmt: skip
_MEMBER_CALLS = {"map", "all", "best", "disjoint", "sumof", "minof", "maxof"}
_LOOSEST, _NOT, _TIGHT = 0, 3, 8

Printed: TypeAlias = tuple[str, int]
"""A text and how tightly it holds together."""


def written(ir: Ir) -> str:
    """The expression in the language's own form."""
    return _write(ir)[0]


def subexpressions(ir: Ir) -> Iterator[Ir]:
    """The expressions that stand directly in this one."""
    op = ir[0]
    if op == "k":
        return
    if op == "ask":
        yield from ir[2]
        return
    for part in ir[1:]:
        if isinstance(part, list):
            yield part


def with_counts(ir: Ir) -> Ir:
    """The same with every "is there any" as a count. That is how conditions are mostly written (the compiler knows
    better), and a count tells more of one that fails."""
    if ir[0] == "k":
        return ir
    plain = [with_counts(part) if isinstance(part, list) and part and isinstance(part[0], str) else part for part in ir]
    if ir[0] == "ask":
        return [*ir[:2], [with_counts(part) for part in ir[2]]]
    if ir[0] == "empty":
        return ["==", ["count", plain[1]], ["k", 0]]
    if ir[0] == "exists":
        return [">", ["countif", *plain[1:]], ["k", 0]]
    return plain


def is_closed(ir: Ir) -> bool:
    """Whether it can be evaluated by itself: it speaks of no member of a list that stands outside of it."""
    return not _free(ir)


def _free(ir: Ir) -> set[int]:
    if ir[0] == "v":
        return {ir[1]}
    found: set[int] = set().union(*map(_free, subexpressions(ir)))
    if ir[0] in MEMBERWISE:
        found = _free(ir[1]) | (_free(ir[3]) - {ir[2]})
    return found


def _write(ir: Ir) -> Printed:
    op, *args = ir
    if op == "k":
        return literal(args[0]), _TIGHT
    if op == "v":
        return "it", _TIGHT
    if op in _NAMES and not args:
        return op, _TIGHT
    if op in _BINARY:
        level = _BINARY[op]
        return f"{_at(args[0], level)} {_SPELT.get(op, op)} {_at(args[1], level + 1)}", level
    if op in MEMBERWISE:
        return _memberwise(op, args[0], args[2])
    special = _SPECIAL.get(op)
    if special is not None:
        return special(args)
    return f"{_CALLS.get(op, op)}({', '.join(_at(arg, _LOOSEST) for arg in args if isinstance(arg, list))})", _TIGHT


def _at(ir: Ir, level: int) -> str:
    text, own = _write(ir)
    return text if own >= level and not (level and own == _LOOSEST) else f"({text})"


def _memberwise(op: str, of: Ir, each: Ir) -> Printed:
    if op in _MEMBER_CALLS:
        return f"{_CALLS.get(op, op)}({_at(of, _LOOSEST)}, {_at(each, _LOOSEST)})", _TIGHT
    text = f"{_at(of, 1)} where {_at(each, 1)}"
    return (text, _LOOSEST) if op == "where" else (f"{_CALLS[op]}({text})", _TIGHT)


def _zone(args: list[Any]) -> Printed:
    name, owner = args
    if owner is None or owner == ["you"]:
        return name, _TIGHT
    return f"{_at(owner, _TIGHT)}.{name}", _TIGHT


def _attribute(args: list[Any]) -> Printed:
    name, of = args
    return f"{_at(of, _TIGHT)}.{name}", _TIGHT


def _not(args: list[Any]) -> Printed:
    (of,) = args
    if of[0] == "in":
        return f"{_at(of[1], 4)} not in {_at(of[2], 5)}", 4
    text, level = _write(of)
    if level == 4 and of[0] in ("tagged", "bears", "set?"):  # they end in one word: `… is cursed`
        left, _, word = text.rpartition(" ")
        return f"{left} not {word}", 4
    return f"not {_at(of, _NOT)}", _NOT


def _bears(args: list[Any]) -> Printed:
    mark, bearer = args[0], args[1]
    if mark[0] == "k":
        return f"{_at(bearer, 5)} is {mark[1]}", 4
    return f"has_mark({_at(bearer, _LOOSEST)}, {_at(mark, _LOOSEST)})", _TIGHT


def _ask(args: list[Any]) -> Printed:
    question, values = args
    return f"{question}({', '.join(_at(value, _LOOSEST) for value in values)})" if values else question, _TIGHT


def _grouped(op: str) -> Callable[[list[Any]], Printed]:
    """`groups`, `sets` and `runs`: keys are compiled as a list of what is asked of each card."""

    def write(args: list[Any]) -> Printed:
        asked = [arg[3] if arg[0] == "map" and arg[1] == args[0] else arg for arg in args[1:]]
        return f"{op}({', '.join(_at(arg, _LOOSEST) for arg in [args[0], *asked])})", _TIGHT

    return write


_SPECIAL: Mapping[str, Callable[[list[Any]], Printed]] = {
    "cards": lambda args: _write(args[0]),
    "zone": _zone,
    "pattr": _attribute,
    "cattr": _attribute,
    "field": _attribute,
    "act": _attribute,
    "actarg": _attribute,
    "gattr": lambda args: (args[0], _TIGHT),
    "id": lambda args: (f"id({_at(args[0], _LOOSEST)})", _TIGHT),
    "tagged": lambda args: (f"{_at(args[1], 5)} is {args[0]}", 4),
    "bears": _bears,
    "sorted": lambda args: _write(args[0]),
    "not": _not,
    "set?": lambda args: (f"{_at(args[0], 5)} is set", 4),
    "neg": lambda args: (f"-{_at(args[0], 7)}", 7),
    "if": lambda args: (f"{_at(args[1], 1)} if {_at(args[0], 1)} else {_at(args[2], _LOOSEST)}", _LOOSEST),
    "list": lambda args: (f"[{', '.join(_at(arg, _LOOSEST) for arg in args)}]", _TIGHT),
    "index": lambda args: (f"{_at(args[0], _TIGHT)}[{_at(args[1], _LOOSEST)}]", _TIGHT),
    "ask": _ask,
    "groups": _grouped("groups"),
    "sets": _grouped("sets"),
    "runs": _grouped("runs"),
    "kinds": lambda args: ("kinds()", _TIGHT),
    "event": lambda args: (f"event.{args[0]}", _TIGHT),
}


def literal(value: Any) -> str:
    """A constant: `none`, `true`, `7`, `"text"`, `[a, b]`."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(literal, value))}]"
    return str(value)


# -- what an expression gives ------------------------------------------------------------------------------------------

_PLAYER_OPS = {"you", "turn_of", "owner", "next_player", "player"}
_PLAYERS_OPS = {"players", "living", "dead", "others", "winners", "asked", "ring"}
_MEMBER_OPS = {"first", "last", "index"}
_GROUPS_OPS = {"groups", "sets", "runs", "disjoint"}
_SAME_OPS = {"where", "best", "top", "bottom", "union", "minus", "each"}


def gives(ir: Ir, types: Mapping[tuple[str, str], str]) -> str:
    """The type as far as its values need other words than their numbers: `player`, `players`, `card`, `cards`,
    `groups`, else empty. `types` says the types of attributes and questions, by operation and name."""
    op = ir[0]
    if op in _PLAYER_OPS:
        return "player"
    if op in _PLAYERS_OPS:
        return "players"
    if op in ("zone", "cards", "target_cards") or (op == "act" and ir[1] == "cards"):
        return "cards"
    if op == "self" or (op == "act" and ir[1] == "card"):
        return "card"
    if op == "act" and ir[1] == "by":
        return "player"
    if op in _SAME_OPS:
        return gives(ir[1], types)
    if op in _GROUPS_OPS:
        return "groups"
    if op == "members":
        return "cards"
    if op in _MEMBER_OPS:
        of = gives(ir[1], types)
        return "cards" if of == "groups" else of.removesuffix("s")
    if op == "if":
        return gives(ir[2], types) or gives(ir[3], types)
    if op == "list" and len(ir) > 1:
        inner = gives(ir[1], types)
        return inner + "s" if inner in ("player", "card") else ""
    if op in ("ask", "pattr", "gattr", "cattr"):
        return types.get((op, ir[1]), "")
    return ""


def types_of(data: Mapping[str, Any]) -> dict[tuple[str, str], str]:
    """The types that :func:`gives` needs, from a book's data."""
    found = {("ask", question["name"]): question["type"] for question in data["questions"]}
    for op, group in (("gattr", "game"), ("pattr", "player"), ("cattr", "card")):
        found.update({(op, each["name"]): each["type"] for each in data["attributes"][group]})
    return {key: type_ for key, type_ in found.items() if type_ in ("player", "players", "card", "cards", "groups")}
