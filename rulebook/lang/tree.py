"""The syntax tree of the effect language: what was written, before anything is known about its meaning.

Every node carries the stretch of the text it was read from (`start` up to, not with, `end`, in characters of the
scalar's text).
Two nodes are equal if they say the same, wherever they stand.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias


@dataclass(slots=True)
class Node:
    """Where a piece of text stands."""

    start: int = field(compare=False)
    end: int = field(compare=False)
    depth: int = field(default=1, init=False, compare=False, repr=False)
    """How deep expressions are nested in this one, itself counted."""


# Expressions


@dataclass(slots=True)
class Constant(Node):
    """A number, a text, `true`, `false` or `none` (None)."""

    value: int | bool | str | None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Constant) and type(self.value) is type(other.value) and self.value == other.value


@dataclass(slots=True)
class Name(Node):
    """A name on its own."""

    name: str


@dataclass(slots=True)
class Attribute(Node):
    """`of.name`; `name_start` is where the name begins."""

    of: Expr
    name: str
    name_start: int = field(compare=False)


@dataclass(slots=True)
class Call(Node):
    """`name(arguments)`: a function of the language or a question."""

    name: str
    arguments: tuple[Expr, ...]


@dataclass(slots=True)
class Index(Node):
    """`of[at]`."""

    of: Expr
    at: Expr


@dataclass(slots=True)
class ListOf(Node):
    """`[a, b]`."""

    items: tuple[Expr, ...]


@dataclass(slots=True)
class Not(Node):
    """`not of`."""

    of: Expr


@dataclass(slots=True)
class Negative(Node):
    """`-of`."""

    of: Expr


@dataclass(slots=True)
class Chain(Node):
    """`a and b and c`, the same with `or`, `+` and `*`.

    Chains of one operator are flat, so that long ones are not deep.
    """

    operator: str
    items: tuple[Expr, ...]


@dataclass(slots=True)
class Binary(Node):
    """`-`, `/`, `%`."""

    operator: str
    left: Expr
    right: Expr


@dataclass(slots=True)
class Compare(Node):
    """`==`, `!=`, `<`, `<=`, `>`, `>=`, `in` and `not in`."""

    operator: str
    left: Expr
    right: Expr


@dataclass(slots=True)
class Is(Node):
    """`of is tag`, `of is not tag`."""

    of: Expr
    tag: str
    negated: bool
    tag_start: int = field(compare=False)


@dataclass(slots=True)
class IsSet(Node):
    """`of is set`, `of is unset`."""

    of: Expr
    negated: bool


@dataclass(slots=True)
class Where(Node):
    """`of where condition`."""

    of: Expr
    condition: Expr


@dataclass(slots=True)
class Ternary(Node):
    """`then if condition else other`."""

    then: Expr
    condition: Expr
    other: Expr


Expr: TypeAlias = (
    Constant
    | Name
    | Attribute
    | Call
    | Index
    | ListOf
    | Not
    | Negative
    | Chain
    | Binary
    | Compare
    | Is
    | IsSet
    | Where
    | Ternary
)


# Statements


@dataclass(slots=True)
class Label(Node):
    """`name: value` in a statement; the span is the name's, the colon left out."""

    name: str
    value: Expr


@dataclass(slots=True)
class Let(Node):
    """`let name = value`."""

    name: str
    name_start: int = field(compare=False)
    value: Expr


@dataclass(slots=True)
class SetPlace(Node):
    """`set place = value`."""

    place: Expr
    value: Expr


@dataclass(slots=True)
class Pick(Node):
    """`pick name labels`."""

    name: str
    name_start: int = field(compare=False)
    labels: tuple[Label, ...]


@dataclass(slots=True)
class Stop(Node):
    """`stop`."""


@dataclass(slots=True)
class Proceed(Node):
    """`proceed labels`."""

    labels: tuple[Label, ...]


@dataclass(slots=True)
class VerbCall(Node):
    """`verb value labels`; the span of the verb's name is `start` and the length of the name."""

    verb: str
    value: Expr | None
    labels: tuple[Label, ...]


@dataclass(slots=True)
class If(Node):
    """`if` and its `elif`s as (condition, block); `other` is the block of `else`, empty where there is none."""

    branches: tuple[tuple[Expr, tuple[Statement, ...]], ...]
    other: tuple[Statement, ...]


@dataclass(slots=True)
class For(Node):
    """`for name in over:`."""

    name: str
    name_start: int = field(compare=False)
    over: Expr
    body: tuple[Statement, ...]


@dataclass(slots=True)
class While(Node):
    """`while condition:`."""

    condition: Expr
    body: tuple[Statement, ...]


@dataclass(slots=True)
class Bad(Node):
    """A line with a fault that is already reported; what stands in its block is kept so that it is checked too."""

    blocks: tuple[tuple[Statement, ...], ...]


Statement: TypeAlias = Let | SetPlace | Pick | Stop | Proceed | VerbCall | If | For | While | Bad


def children(node: Expr) -> tuple[Expr, ...]:
    """The expressions directly inside an expression, in the order of the text."""
    if isinstance(node, Constant | Name):
        return ()
    if isinstance(node, Attribute | Not | Negative | Is | IsSet):
        return (node.of,)
    if isinstance(node, Call):
        return node.arguments
    if isinstance(node, Index):
        return (node.of, node.at)
    if isinstance(node, ListOf | Chain):
        return node.items
    if isinstance(node, Binary | Compare):
        return (node.left, node.right)
    if isinstance(node, Where):
        return (node.of, node.condition)
    return (node.then, node.condition, node.other)
