"""What expressions reach: which variables of a frame they read and set, and whether they look at acts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from kernel.asking import Ask
from kernel.core import Expr
from kernel.expr import ActArg, ActField, Tagged, Var
from kernel.fused import OneCard, VarCards, VarEqConst, VarSize
from kernel.model import Question

#: Nodes whose `slot` is read; that of all others is set as well.
READERS: Final = (Var, OneCard, VarCards, VarEqConst, VarSize)


def nodes(e: object) -> Iterator[Expr]:
    """The expression and all that it is made of."""
    todo: list[object] = [e]
    while todo:
        x = todo.pop()
        if isinstance(x, tuple):
            todo.extend(x)
        elif isinstance(x, Expr):
            yield x
            for part in type(x).__mro__:
                for name in getattr(part, "__slots__", ()):
                    value = getattr(x, name, None)
                    if isinstance(value, (Expr, tuple)):
                        todo.append(value)


def slots_of(e: Expr) -> tuple[frozenset[int], frozenset[int]]:
    """The slots that the expression reads and those that it sets."""
    reads: set[int] = set()
    sets: set[int] = set()
    for x in nodes(e):
        slot = getattr(x, "slot", None)
        if type(slot) is int:
            reads.add(slot)
            if not isinstance(x, READERS):
                sets.add(slot)
    return frozenset(reads), frozenset(sets)


def sees_acts(q: Question) -> bool:
    """Whether an answer to the question may depend on acts that are going on."""
    seen = {id(q)}
    todo = [q]
    while todo:
        one = todo.pop()
        answers = [part for a in one.answers for part in (a.condition, a.value)]
        for e in (one.default, *answers):
            for x in nodes(e):
                if isinstance(x, (ActArg, ActField)) or (isinstance(x, Tagged) and x.is_act):
                    return True
                if isinstance(x, Ask) and id(x.question) not in seen:
                    seen.add(id(x.question))
                    todo.append(x.question)
    return False
