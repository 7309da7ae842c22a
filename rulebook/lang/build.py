"""From lark's tree to ours: one method a rule of the grammar. Never recursive, whatever was written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, cast

from lark import Token, Transformer_NonRecursive, v_args
from lark.tree import Meta

from rulebook.lang import tree

MAX_DEPTH = 60
"""How deep expressions may be nested."""
MAX_CHAIN = 1_000
"""How long a chain of one operator, a list or the arguments of a function may be."""

Parts = Sequence[Any]

_ESCAPE = re.compile(r"\\(.)")
_ESCAPES = {"n": "\n"}


class TooDeep(Exception):
    """An expression nested deeper, or a chain longer, than can be checked."""

    def __init__(self, node: tree.Node, message: str) -> None:
        super().__init__(message)
        self.node = node
        self.message = message


def _sized(node: Any) -> Any:
    """Count how deep an expression is, and refuse it where that is too deep."""
    below = tree.children(node)
    node.depth = 1 + max((child.depth for child in below), default=0)
    if node.depth > MAX_DEPTH:
        raise TooDeep(node, f"this expression is nested deeper than {MAX_DEPTH}")
    if len(below) > MAX_CHAIN:
        raise TooDeep(node, f"this expression has more than {MAX_CHAIN} parts")
    return node


@v_args(meta=True)
class Builder(Transformer_NonRecursive):  # type: ignore[type-arg]
    """Builds :mod:`rulebook.lang.tree` from lark's tree. Brackets leave a mark, so that `(a and b) and c` stays as
    written
    for chains, and are otherwise gone."""

    def __init__(self) -> None:
        super().__init__()
        self._bracketed: set[int] = set()
        self._kept: list[tree.Node] = []  # keeps bracketed nodes alive, so that no id is used twice

    # Expressions

    def number(self, meta: Meta, parts: Parts) -> tree.Expr:
        return tree.Constant(meta.start_pos, meta.end_pos, int(parts[0][:40]))

    def text(self, meta: Meta, parts: Parts) -> tree.Expr:
        value = _ESCAPE.sub(lambda match: _ESCAPES.get(match[1], match[1]), parts[0][1:-1])
        return tree.Constant(meta.start_pos, meta.end_pos, value)

    def true(self, meta: Meta, parts: Parts) -> tree.Expr:
        return tree.Constant(meta.start_pos, meta.end_pos, True)

    def false(self, meta: Meta, parts: Parts) -> tree.Expr:
        return tree.Constant(meta.start_pos, meta.end_pos, False)

    def none(self, meta: Meta, parts: Parts) -> tree.Expr:
        return tree.Constant(meta.start_pos, meta.end_pos, None)

    def name(self, meta: Meta, parts: Parts) -> tree.Expr:
        return tree.Name(meta.start_pos, meta.end_pos, str(parts[0]))

    def function(self, meta: Meta, parts: Parts) -> tree.Expr:
        arguments = tuple(part for part in parts[1:] if not isinstance(part, Token))
        return cast(tree.Expr, _sized(tree.Call(meta.start_pos, meta.end_pos, str(parts[0]), arguments)))

    def list(self, meta: Meta, parts: Parts) -> tree.Expr:
        items = tuple(part for part in parts if not isinstance(part, Token))
        return cast(tree.Expr, _sized(tree.ListOf(meta.start_pos, meta.end_pos, items)))

    def brackets(self, meta: Meta, parts: Parts) -> tree.Expr:
        inner: tree.Expr = parts[1]
        self._bracketed.add(id(inner))
        self._kept.append(inner)
        inner.start, inner.end = meta.start_pos, meta.end_pos
        return inner

    def attribute(self, meta: Meta, parts: Parts) -> tree.Expr:
        name: Token = parts[1]
        assert name.start_pos is not None
        node = tree.Attribute(parts[0].start, meta.end_pos, parts[0], str(name), name.start_pos)
        return cast(tree.Expr, _sized(node))

    def index(self, meta: Meta, parts: Parts) -> tree.Expr:
        return cast(tree.Expr, _sized(tree.Index(parts[0].start, meta.end_pos, parts[0], parts[2])))

    def negative(self, meta: Meta, parts: Parts) -> tree.Expr:
        return cast(tree.Expr, _sized(tree.Negative(meta.start_pos, parts[1].end, parts[1])))

    def not_test(self, meta: Meta, parts: Parts) -> tree.Expr:
        return cast(tree.Expr, _sized(tree.Not(meta.start_pos, parts[1].end, parts[1])))

    def binary(self, meta: Meta, parts: Parts) -> tree.Expr:
        operator = str(parts[1])
        if operator in "+*":
            return self._chain(operator, parts[0], parts[2])
        return cast(tree.Expr, _sized(tree.Binary(parts[0].start, parts[2].end, operator, parts[0], parts[2])))

    def and_test(self, meta: Meta, parts: Parts) -> tree.Expr:
        return self._chain("and", parts[0], parts[2])

    def or_test(self, meta: Meta, parts: Parts) -> tree.Expr:
        return self._chain("or", parts[0], parts[2])

    def compare(self, meta: Meta, parts: Parts) -> tree.Expr:
        return self._compare(str(parts[1]), parts[0], parts[2])

    def member(self, meta: Meta, parts: Parts) -> tree.Expr:
        return self._compare("in", parts[0], parts[2])

    def not_member(self, meta: Meta, parts: Parts) -> tree.Expr:
        return self._compare("not in", parts[0], parts[3])

    def is_tag(self, meta: Meta, parts: Parts) -> tree.Expr:
        return self._is(parts[0], parts[2], False)

    def is_not_tag(self, meta: Meta, parts: Parts) -> tree.Expr:
        return self._is(parts[0], parts[3], True)

    def is_set(self, meta: Meta, parts: Parts) -> tree.Expr:
        return cast(tree.Expr, _sized(tree.IsSet(parts[0].start, meta.end_pos, parts[0], False)))

    def is_unset(self, meta: Meta, parts: Parts) -> tree.Expr:
        return cast(tree.Expr, _sized(tree.IsSet(parts[0].start, meta.end_pos, parts[0], True)))

    def where(self, meta: Meta, parts: Parts) -> tree.Expr:
        return cast(tree.Expr, _sized(tree.Where(parts[0].start, parts[2].end, parts[0], parts[2])))

    def ternary(self, meta: Meta, parts: Parts) -> tree.Expr:
        then, condition, other = parts[0], parts[2], parts[4]
        return cast(tree.Expr, _sized(tree.Ternary(then.start, other.end, then, condition, other)))

    def expression(self, meta: Meta, parts: Parts) -> tree.Expr:
        return cast(tree.Expr, parts[0])

    # Statements

    def program(self, meta: Meta, parts: Parts) -> tuple[tree.Statement, ...]:
        return tuple(parts)

    def block(self, meta: Meta, parts: Parts) -> tuple[tree.Statement, ...]:
        return tuple(parts)

    def label(self, meta: Meta, parts: Parts) -> tree.Label:
        written: Token = parts[0]
        name = written.rstrip(":").rstrip()
        start = written.start_pos or 0
        return tree.Label(start, start + len(name), name, parts[1])

    def place(self, meta: Meta, parts: Parts) -> tree.Expr:
        return cast(tree.Expr, parts[0])

    def let(self, meta: Meta, parts: Parts) -> tree.Statement:
        name: Token = parts[1]
        return tree.Let(meta.start_pos, parts[2].end, str(name), name.start_pos or 0, parts[2])

    def set_place(self, meta: Meta, parts: Parts) -> tree.Statement:
        return tree.SetPlace(meta.start_pos, parts[2].end, parts[1], parts[2])

    def pick(self, meta: Meta, parts: Parts) -> tree.Statement:
        name: Token = parts[1]
        return tree.Pick(meta.start_pos, meta.end_pos, str(name), name.start_pos or 0, tuple(parts[2:]))

    def stop(self, meta: Meta, parts: Parts) -> tree.Statement:
        return tree.Stop(meta.start_pos, meta.end_pos)

    def proceed(self, meta: Meta, parts: Parts) -> tree.Statement:
        return tree.Proceed(meta.start_pos, meta.end_pos, tuple(parts[1:]))

    def call(self, meta: Meta, parts: Parts) -> tree.Statement:
        labels = tuple(part for part in parts[1:] if isinstance(part, tree.Label))
        values = [part for part in parts[1:] if not isinstance(part, tree.Label)]
        return tree.VerbCall(meta.start_pos, meta.end_pos, str(parts[0]), values[0] if values else None, labels)

    def if_block(self, meta: Meta, parts: Parts) -> tree.Statement:
        branches = [(parts[1], parts[2])]
        other: tuple[tree.Statement, ...] = ()
        for kind, condition, block in parts[3:]:
            if kind == "elif":
                branches.append((condition, block))
            else:
                other = block
        return tree.If(meta.start_pos, meta.end_pos, tuple(branches), other)

    def elif_block(self, meta: Meta, parts: Parts) -> tuple[str, tree.Expr, tuple[tree.Statement, ...]]:
        return "elif", parts[1], parts[2]

    def else_block(self, meta: Meta, parts: Parts) -> tuple[str, None, tuple[tree.Statement, ...]]:
        return "else", None, parts[1]

    def for_block(self, meta: Meta, parts: Parts) -> tree.Statement:
        name: Token = parts[1]
        return tree.For(meta.start_pos, meta.end_pos, str(name), name.start_pos or 0, parts[3], parts[4])

    def while_block(self, meta: Meta, parts: Parts) -> tree.Statement:
        return tree.While(meta.start_pos, meta.end_pos, parts[1], parts[2])

    def bad_block(self, meta: Meta, parts: Parts) -> tree.Statement:
        blocks = []
        for part in parts[1:]:
            if isinstance(part, tuple):
                blocks.append(part[2] if part and isinstance(part[0], str) else part)
        return tree.Bad(meta.start_pos, meta.end_pos, tuple(blocks))

    # Helpers

    def _chain(self, operator: str, left: tree.Expr, right: tree.Expr) -> tree.Expr:
        """`a and b` with `and c` behind it is one chain; a chain in brackets is a member of its own."""
        if isinstance(left, tree.Chain) and left.operator == operator and id(left) not in self._bracketed:
            node = left
            node.items = (*node.items, right)
            node.end = right.end
            node.depth = max(node.depth, right.depth + 1)
            if len(node.items) > MAX_CHAIN:
                raise TooDeep(node, f"this chain of `{operator}` has more than {MAX_CHAIN} members")
            return node
        return cast(tree.Expr, _sized(tree.Chain(left.start, right.end, operator, (left, right))))

    def _compare(self, operator: str, left: tree.Expr, right: tree.Expr) -> tree.Expr:
        return cast(tree.Expr, _sized(tree.Compare(left.start, right.end, operator, left, right)))

    def _is(self, of: tree.Expr, tag: Token, negated: bool) -> tree.Expr:
        start, end = tag.start_pos or 0, tag.end_pos or 0
        return cast(tree.Expr, _sized(tree.Is(of.start, end, of, str(tag), negated, start)))
