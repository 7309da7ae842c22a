"""`once`: an expression whose value is the same as long as its frame lasts is worked out when it is first asked for.

It stands only where frames live no longer than one look at the state: in what says which cards a move can take.
"""

from __future__ import annotations

from kernel.core import Expr, Frame, Value
from kernel.state import Data as State


class Once(Expr):
    """The value of `inner`, kept in a slot of the frame as a tuple of one."""

    __slots__ = ("slot", "inner")

    def __init__(self, slot: int, inner: Expr) -> None:
        self.slot = slot
        self.inner = inner

    def ev(self, s: State, f: Frame) -> Value:
        kept = f.vars[self.slot]
        if kept is None:
            kept = (self.inner.ev(s, f),)
            f.vars[self.slot] = kept
        return kept[0]
