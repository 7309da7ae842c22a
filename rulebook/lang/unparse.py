"""Expressions and statements back as text, in one fixed spelling. Reading the text again gives the same tree."""

from __future__ import annotations

from rulebook.lang import tree

# How tightly a form binds, in the order of the reference's table; a member that binds looser stands in brackets.
_TERNARY, _WHERE, _OR, _AND, _NOT, _COMPARE, _SUM, _PRODUCT, _UNARY, _POSTFIX = range(10)
_CHAINS = {"or": _OR, "and": _AND, "+": _SUM, "*": _PRODUCT}
_BINARY = {"-": _SUM, "/": _PRODUCT, "%": _PRODUCT}


def unparse(node: tree.Expr) -> str:
    """An expression as text."""
    return _text(node, _TERNARY)


def _level(node: tree.Expr) -> int:
    if isinstance(node, tree.Chain):
        return _CHAINS[node.operator]
    if isinstance(node, tree.Binary):
        return _BINARY[node.operator]
    if isinstance(node, tree.Compare | tree.Is | tree.IsSet):
        return _COMPARE
    if isinstance(node, tree.Ternary):
        return _TERNARY
    if isinstance(node, tree.Where):
        return _WHERE
    if isinstance(node, tree.Not):
        return _NOT
    if isinstance(node, tree.Negative):
        return _UNARY
    return _POSTFIX


def _text(node: tree.Expr, least: int) -> str:
    text = _bare(node)
    return f"({text})" if _level(node) < least else text


def _bare(node: tree.Expr) -> str:
    if isinstance(node, tree.Constant):
        return _constant(node.value)
    if isinstance(node, tree.Name):
        return node.name
    if isinstance(node, tree.Attribute):
        return f"{_text(node.of, _POSTFIX)}.{node.name}"
    if isinstance(node, tree.Call):
        return f"{node.name}({', '.join(map(unparse, node.arguments))})"
    if isinstance(node, tree.Index):
        return f"{_text(node.of, _POSTFIX)}[{unparse(node.at)}]"
    if isinstance(node, tree.ListOf):
        return f"[{', '.join(map(unparse, node.items))}]"
    if isinstance(node, tree.Not):
        return f"not {_text(node.of, _NOT)}"
    if isinstance(node, tree.Negative):
        return f"-{_text(node.of, _UNARY)}"
    if isinstance(node, tree.Where):
        return f"{_text(node.of, _WHERE)} where {_text(node.condition, _OR)}"
    if isinstance(node, tree.Ternary):
        then, condition = _text(node.then, _WHERE), _text(node.condition, _WHERE)
        return f"{then} if {condition} else {_text(node.other, _TERNARY)}"
    return _operators(node)


def _operators(node: tree.Chain | tree.Binary | tree.Compare | tree.Is | tree.IsSet) -> str:
    if isinstance(node, tree.Chain):
        level = _CHAINS[node.operator]
        # only the first member may be of the same level (and another operator): the others would be read differently
        first = node.items[0]
        same = isinstance(first, tree.Chain) and first.operator == node.operator
        parts = [_text(first, level + 1 if same else level), *(_text(item, level + 1) for item in node.items[1:])]
        return f" {node.operator} ".join(parts)
    if isinstance(node, tree.Binary):
        level = _BINARY[node.operator]
        return f"{_text(node.left, level)} {node.operator} {_text(node.right, level + 1)}"
    if isinstance(node, tree.Compare):
        return f"{_text(node.left, _SUM)} {node.operator} {_text(node.right, _SUM)}"
    if isinstance(node, tree.Is):
        return f"{_text(node.of, _SUM)} is {'not ' if node.negated else ''}{node.tag}"
    return f"{_text(node.of, _SUM)} is {'unset' if node.negated else 'set'}"


def _constant(value: int | bool | str | None) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
