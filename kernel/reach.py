"""Which variables of a frame an expression reads and sets."""

from __future__ import annotations

from typing import Final

from kernel.core import Expr
from kernel.expr import Var
from kernel.fused import OneCard, VarCards, VarEqConst, VarSize

#: Nodes whose `slot` is read; that of all others is set as well.
READERS: Final = (Var, OneCard, VarCards, VarEqConst, VarSize)


def slots_of(e: Expr) -> tuple[frozenset[int], frozenset[int]]:
    """The slots that the expression reads and those that it sets."""
    reads: set[int] = set()
    sets: set[int] = set()
    todo: list[object] = [e]
    while todo:
        x = todo.pop()
        if isinstance(x, tuple):
            todo.extend(x)
        elif isinstance(x, Expr):
            for part in type(x).__mro__:
                for name in getattr(part, "__slots__", ()):
                    value = getattr(x, name, None)
                    if name == "slot" and type(value) is int:
                        reads.add(value)
                        if not isinstance(x, READERS):
                            sets.add(value)
                    elif isinstance(value, (Expr, tuple)):
                        todo.append(value)
    return frozenset(reads), frozenset(sets)
