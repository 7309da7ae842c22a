"""What a condition teaches when it holds, or when it does not."""

from __future__ import annotations

from rulebook.lang import tree
from rulebook.lang.facts import NOTHING, Facts
from rulebook.lang.unit import Unit
from rulebook.lang.unparse import unparse

_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">", "in": "not in", "not in": "in"}
_SOME = {(">", 0), (">=", 1), ("!=", 0), ("==", 1)}


def learn(unit: Unit, node: tree.Expr, holds: bool) -> Facts:
    """The facts that follow from a condition (already checked) being true or false."""
    if isinstance(node, tree.Not):
        return learn(unit, node.of, not holds)
    if isinstance(node, tree.Chain) and node.operator in ("and", "or"):
        parts = [learn(unit, item, holds) for item in node.items]
        together = (node.operator == "and") == holds
        facts = parts[0]
        for part in parts[1:]:
            facts = facts.plus(part) if together else facts.either(part)
        return facts
    if isinstance(node, tree.IsSet):
        return _known(unit, node.of) if node.negated != holds else NOTHING
    if isinstance(node, tree.Call) and node.arguments:
        if (node.name, holds) in (("any", True), ("empty", False)):
            return _members(unit, node.arguments[0])
        return NOTHING
    if isinstance(node, tree.Compare):
        return _compared(unit, node, node.operator if holds else _OPPOSITE[node.operator])
    return NOTHING


def _compared(unit: Unit, node: tree.Compare, operator: str) -> Facts:
    left, right = node.left, node.right
    if operator in ("==", "!=") and isinstance(left, tree.Constant) and not isinstance(right, tree.Constant):
        left, right = right, left
    if isinstance(left, tree.Call) and left.name == "count" and isinstance(right, tree.Constant) and left.arguments:
        least = isinstance(right.value, int) and right.value > 0 and operator in ("==", ">=", ">")
        return _members(unit, left.arguments[0]) if least or (operator, right.value) in _SOME else NOTHING
    facts = NOTHING
    kind = _act_of_kind(unit, left)
    if kind is not None:
        words = _words(right)
        if words is not None:
            everything = frozenset(unit.world.acts)
            known = words & everything if operator in ("==", "in") else everything - words
            facts = Facts({}, {kind: known})
    if operator == "!=" and isinstance(right, tree.Constant) and right.value is None:
        return facts.plus(_known(unit, left))
    if operator == "==":
        for one, other in ((left, right), (right, left)):
            value = unit.values.get(id(other))
            if value is not None and not value.type.maybe and not value.type.wrong:
                facts = facts.plus(_known(unit, one))
    if operator == "in":
        facts = facts.plus(_known(unit, left))
    return facts


def _act_of_kind(unit: Unit, node: tree.Expr) -> str | None:
    """The act whose kind a node gives, as text."""
    if isinstance(node, tree.Attribute) and node.name == "kind":
        value = unit.values.get(id(node.of))
        if value is not None and value.type.base == "act" and not value.type.many:
            return unparse(node.of)
    return None


def _words(node: tree.Expr) -> frozenset[str] | None:
    if isinstance(node, tree.Constant) and isinstance(node.value, str):
        return frozenset((node.value,))
    if isinstance(node, tree.ListOf):
        words = [item.value for item in node.items if isinstance(item, tree.Constant) and isinstance(item.value, str)]
        return frozenset(words) if len(words) == len(node.items) else None
    return None


def _known(unit: Unit, node: tree.Expr) -> Facts:
    if isinstance(node, tree.Constant):
        return NOTHING
    return Facts({unparse(node): _changing(unit, node)}, {})


def _members(unit: Unit, node: tree.Expr) -> Facts:
    """A list that has members has a first and a last one."""
    text = unparse(node)
    changing = _changing(unit, node)
    return Facts({f"first({text})": changing, f"last({text})": changing}, {})


def _changing(unit: Unit, node: tree.Expr) -> bool:
    """Whether the next verb may change the value: not for local names, and what an event or act was called with."""
    if isinstance(node, tree.Constant):
        return False
    if isinstance(node, tree.Name):
        local = unit.find(node.name) is not None and node.name not in unit.world.zones
        value = unit.values.get(id(node))
        zone = value is not None and value.type.base == "zone"
        return zone or not (local or node.name in ("it", "you", "self", "target", "event"))
    if isinstance(node, tree.Attribute):
        found = unit.values.get(id(node))
        if found is not None and found.type.base == "zone":
            return True  # whatever names a zone, its cards come and go
        if isinstance(node.of, tree.Name) and node.of.name == "event":
            return False
        value = unit.values.get(id(node.of))
        return value is None or value.type.base != "act"
    if isinstance(node, tree.Index):
        return _changing(unit, node.of) or _changing(unit, node.at)
    return True
