"""Building the compiled form of expressions: constants are folded, counting loops are given their short forms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

IR: TypeAlias = list[Any]
"""A compiled expression, see docs/compiled.md."""
MEMBERS = ("where", "map", "all", "exists", "countif", "sumof", "minof", "maxof", "best", "disjoint")
"""Operations that bind a member: `[op, list, slot, expression]`."""
TRUE: IR = ["k", True]
FALSE: IR = ["k", False]


def constant(value: Any) -> IR:
    """A constant."""
    return ["k", list(value) if isinstance(value, tuple) else value]


def is_flag(ir: IR, value: bool) -> bool:
    """Whether an expression is the constant `true` (or `false`)."""
    return bool(ir[0] == "k" and ir[1] is value)


def chain(operator: str, items: Sequence[IR]) -> IR:
    """`a op b op c` as a balanced tree, so that long chains are not deep. The operator must be associative."""
    if len(items) == 1:
        return items[0]
    middle = len(items) // 2
    return [operator, chain(operator, items[:middle]), chain(operator, items[middle:])]


def negate(ir: IR) -> IR:
    """`not` of an expression."""
    if ir[0] == "k":
        return ["k", not ir[1]]
    if ir[0] == "not":
        return list(ir[1])
    opposite = {"==": "!=", "!=": "==", "any": "empty", "empty": "any"}.get(ir[0])
    return [opposite, *ir[1:]] if opposite else ["not", ir]


def count(ir: IR) -> IR:
    """`count(L)`."""
    return ["countif", *ir[1:]] if ir[0] == "where" else ["count", ir]


def some(ir: IR) -> IR:
    """`any(L)`."""
    return ["exists", *ir[1:]] if ir[0] == "where" else ["any", ir]


def compare(operator: str, left: IR, right: IR) -> IR:
    """A comparison; `count(…) > 0` and its kin become `any` or `empty`."""
    if left[0] in ("count", "countif") and right[0] == "k":
        number = right[1]
        if (operator, number) in ((">", 0), (">=", 1), ("!=", 0)):
            return ["exists", *left[1:]] if left[0] == "countif" else ["any", left[1]]
        if (operator, number) in (("==", 0), ("<", 1), ("<=", 0)):
            return negate(["exists", *left[1:]] if left[0] == "countif" else ["any", left[1]])
    if right == ["k", None] and operator in ("==", "!="):
        return ["not", ["set?", left]] if operator == "==" else ["set?", left]
    return [operator, left, right]


_COMPARISONS = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def fold_compare(operator: str, left: Any, right: Any) -> bool:
    """A comparison of two constants."""
    return bool(_COMPARISONS[operator](left, right))


def fold_number(operator: str, left: int, right: int) -> int:
    """Arithmetic on constants; division rounds down."""
    if operator == "+":
        return left + right
    if operator == "-":
        return left - right
    if operator == "*":
        return left * right
    return left // right if operator == "/" else left % right
