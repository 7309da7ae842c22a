"""Functions of the language over lists: places, numbers, order, sums, names."""

from __future__ import annotations

from typing import Final

from kernel.core import Expr, Frame, Value
from kernel.errors import CardError
from kernel.lists import bounded
from kernel.state import Data as State

RANGE_LIMIT: Final = 1000


class Slots(Expr):
    """`slots`."""

    __slots__ = ("zone",)

    def __init__(self, zone: Expr) -> None:
        self.zone = zone

    def ev(self, s: State, f: Frame) -> Value:
        return tuple(range(len(s.zones[self.zone.ev(s, f)]) + 1))


class Range(Expr):
    """`range`."""

    __slots__ = ("a", "b")

    def __init__(self, a: Expr, b: Expr) -> None:
        self.a = a
        self.b = b

    def ev(self, s: State, f: Frame) -> Value:
        a = self.a.ev(s, f)
        b = self.b.ev(s, f)
        if b - a >= RANGE_LIMIT:
            raise CardError(f"a range of {b - a + 1} numbers is too long: at most {RANGE_LIMIT}")
        return tuple(range(a, b + 1))


class Each(Expr):
    """`each`."""

    __slots__ = ("a",)

    def __init__(self, a: Expr) -> None:
        self.a = a

    def ev(self, s: State, f: Frame) -> Value:
        return tuple(dict.fromkeys(self.a.ev(s, f)))


class Sorted(Expr):
    """The members in their natural order."""

    __slots__ = ("a",)

    def __init__(self, a: Expr) -> None:
        self.a = a

    def ev(self, s: State, f: Frame) -> Value:
        return tuple(sorted(self.a.ev(s, f)))


class Sum(Expr):
    """`sum`."""

    __slots__ = ("a",)

    def __init__(self, a: Expr) -> None:
        self.a = a

    def ev(self, s: State, f: Frame) -> Value:
        return bounded(sum(self.a.ev(s, f)))


class Extreme(Expr):
    """`min`, `max`."""

    __slots__ = ("a", "b", "most")

    def __init__(self, a: Expr, b: Expr, most: bool) -> None:
        self.a = a
        self.b = b
        self.most = most

    def ev(self, s: State, f: Frame) -> Value:
        a = self.a.ev(s, f)
        b = self.b.ev(s, f)
        return max(a, b) if self.most else min(a, b)


class Ids(Expr):
    """`ids`."""

    __slots__ = ("a",)

    def __init__(self, a: Expr) -> None:
        self.a = a

    def ev(self, s: State, f: Frame) -> Value:
        kinds = s.book.kinds
        return tuple([kinds[s.deal.kinds[c]].id for c in self.a.ev(s, f)])


class Titles(Expr):
    """`titles`."""

    __slots__ = ("a",)

    def __init__(self, a: Expr) -> None:
        self.a = a

    def ev(self, s: State, f: Frame) -> Value:
        kinds = s.book.kinds
        found = [
            s.book.kind_by_id[c].title if isinstance(c, str) else kinds[s.deal.kinds[c]].title for c in self.a.ev(s, f)
        ]
        return tuple(dict.fromkeys(found))


class Join(Expr):
    """`join`."""

    __slots__ = ("parts",)

    def __init__(self, parts: tuple[Expr, ...]) -> None:
        self.parts = parts

    def ev(self, s: State, f: Frame) -> Value:
        return " ".join(str(p.ev(s, f)) for p in self.parts)[:1000]
