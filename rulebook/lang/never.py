"""What can never be: conditions that contradict the set they filter, each other, or themselves."""

from __future__ import annotations

from rulebook.lang import tree
from rulebook.lang.unit import Unit
from rulebook.lang.unparse import unparse

_APART = {("living", "dead"), ("dead", "living"), ("others", "dead"), ("dead", "others")}


def never_members(unit: Unit, node: tree.Where) -> tuple[tree.Expr, str] | None:
    """The condition of a `where` that no member can meet, with a hint; None if none is seen."""
    conditions: list[tree.Expr] = []
    base: tree.Expr = node
    while isinstance(base, tree.Where):
        conditions = _conjuncts(base.condition) + conditions
        base = base.of
    source = base.name if isinstance(base, tree.Name) and unit.find(base.name) is None else ""
    equal: dict[str, object] = {}
    seen: dict[str, bool] = {}
    for condition in conditions:
        found = _against_set(condition, source) or _against_others(condition, equal, seen)
        if found:
            return condition, found
    return None


def contradiction(node: tree.Chain) -> tuple[tree.Expr, str] | None:
    """The member of an `and` that cannot hold beside the others, with a hint; None if none is seen."""
    equal: dict[str, object] = {}
    seen: dict[str, bool] = {}
    for condition in _conjuncts(node):
        found = _against_others(condition, equal, seen)
        if found:
            return condition, found
    return None


def _conjuncts(node: tree.Expr) -> list[tree.Expr]:
    if isinstance(node, tree.Chain) and node.operator == "and":
        return [part for item in node.items for part in _conjuncts(item)]
    return [node]


def _against_set(node: tree.Expr, source: str) -> str:
    """What is wrong between a condition on `it` and the name of the set."""
    if not source or not isinstance(node, tree.Compare) or not isinstance(node.left, tree.Name | tree.Constant):
        return ""
    left, right = node.left, node.right
    if node.operator == "==" and source == "others":
        pair = {part.name for part in (left, right) if isinstance(part, tree.Name)}
        return "`others` are all living players but you" if pair == {"it", "you"} else ""
    if not isinstance(left, tree.Name) or left.name != "it" or not isinstance(right, tree.Name):
        return ""
    if node.operator == "in" and (source, right.name) in _APART:
        return f"nobody is both in `{source}` and in `{right.name}`"
    if node.operator == "not in" and (
        source == right.name or (source, right.name) in (("others", "living"), ("living", "players"))
    ):
        return f"all of `{source}` are in `{right.name}`"
    return ""


def _against_others(node: tree.Expr, equal: dict[str, object], seen: dict[str, bool]) -> str:
    """What is wrong between a condition and those that stand beside it."""
    negated = isinstance(node, tree.Not)
    inner = node.of if isinstance(node, tree.Not) else node
    if isinstance(inner, tree.Is):
        negated = negated != inner.negated
        text = f"{unparse(inner.of)} is {inner.tag}"
    elif isinstance(inner, tree.Compare) and inner.operator in ("!=", "not in"):
        negated = not negated
        operator = "==" if inner.operator == "!=" else "in"
        text = f"{unparse(inner.left)} {operator} {unparse(inner.right)}"
    else:
        text = unparse(inner)
    if seen.setdefault(text, negated) != negated:
        return f"`{text}` cannot hold and fail at once"
    if (
        not negated
        and isinstance(inner, tree.Compare)
        and inner.operator == "=="
        and isinstance(inner.right, tree.Constant)
    ):
        key = unparse(inner.left)
        if key in equal and equal[key] != inner.right.value:
            return f"`{key}` cannot be two things at once"
        equal[key] = inner.right.value
    return ""
