"""Expressions over plain values and lists: logic, arithmetic, `where` and its kin."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import filterfalse
from typing import TYPE_CHECKING, Final

from kernel.core import Expr, Frame, Value
from kernel.errors import CardError
from kernel.native import COMPILED
from kernel.state import Data as State

if TYPE_CHECKING:
    from kernel.native import i64

LIMIT: Final = 10**12


def bounded(x: int) -> int:
    """A number within the language's bounds, or the author's error."""
    if -LIMIT <= x <= LIMIT:
        return x
    raise CardError(f"the number {'is too large' if x > 0 else 'is too small'}: the limit is 10^12")


class And(Expr):
    """`and`."""

    __slots__ = ("a", "b")

    def __init__(self, a: Expr, b: Expr) -> None:
        self.a = a
        self.b = b

    def ev(self, s: State, f: Frame) -> Value:
        holds = self.a.ev(s, f)
        return self.b.ev(s, f) if holds is True or (holds is not False and holds) else False


class Or(Expr):
    """`or`."""

    __slots__ = ("a", "b")

    def __init__(self, a: Expr, b: Expr) -> None:
        self.a = a
        self.b = b

    def ev(self, s: State, f: Frame) -> Value:
        holds = self.a.ev(s, f)
        return True if holds is True or (holds is not False and holds) else self.b.ev(s, f)


class Not(Expr):
    """`not`."""

    __slots__ = ("a",)

    def __init__(self, a: Expr) -> None:
        self.a = a

    def ev(self, s: State, f: Frame) -> Value:
        return not self.a.ev(s, f)


def plain(x: Value) -> Value:
    """Lists compare by their members, whether they are a zone's own list or a value."""
    return tuple(x) if isinstance(x, list) else x


class Eq(Expr):
    """`==`."""

    __slots__ = ("a", "b")

    def __init__(self, a: Expr, b: Expr) -> None:
        self.a = a
        self.b = b

    def ev(self, s: State, f: Frame) -> Value:
        a = self.a.ev(s, f)
        b = self.b.ev(s, f)
        return plain(a) == plain(b) if type(a) is list or type(b) is list else a == b


class Ne(Expr):
    """`!=`."""

    __slots__ = ("a", "b")

    def __init__(self, a: Expr, b: Expr) -> None:
        self.a = a
        self.b = b

    def ev(self, s: State, f: Frame) -> Value:
        a = self.a.ev(s, f)
        b = self.b.ev(s, f)
        return plain(a) != plain(b) if type(a) is list or type(b) is list else a != b


class Lt(Expr):
    """`<`, `>`."""

    __slots__ = ("a", "b")

    def __init__(self, a: Expr, b: Expr) -> None:
        self.a = a
        self.b = b

    def ev(self, s: State, f: Frame) -> Value:
        a = self.a.ev(s, f)
        b = self.b.ev(s, f)
        if COMPILED and isinstance(a, int) and isinstance(b, int):  # compared without the interpreter
            return a < b
        return a < b


class Le(Expr):
    """`<=`, `>=`."""

    __slots__ = ("a", "b")

    def __init__(self, a: Expr, b: Expr) -> None:
        self.a = a
        self.b = b

    def ev(self, s: State, f: Frame) -> Value:
        a = self.a.ev(s, f)
        b = self.b.ev(s, f)
        if COMPILED and isinstance(a, int) and isinstance(b, int):
            return a <= b
        return a <= b


class In(Expr):
    """`in`."""

    __slots__ = ("a", "b")

    def __init__(self, a: Expr, b: Expr) -> None:
        self.a = a
        self.b = b

    def ev(self, s: State, f: Frame) -> Value:
        return self.a.ev(s, f) in self.b.ev(s, f)


class IsSet(Expr):
    """`set?`."""

    __slots__ = ("a",)

    def __init__(self, a: Expr) -> None:
        self.a = a

    def ev(self, s: State, f: Frame) -> Value:
        return self.a.ev(s, f) is not None


class Add(Expr):
    """`+`."""

    __slots__ = ("a", "b")

    def __init__(self, a: Expr, b: Expr) -> None:
        self.a = a
        self.b = b

    def ev(self, s: State, f: Frame) -> Value:
        return bounded(self.a.ev(s, f) + self.b.ev(s, f))


class Sub(Expr):
    """`-`."""

    __slots__ = ("a", "b")

    def __init__(self, a: Expr, b: Expr) -> None:
        self.a = a
        self.b = b

    def ev(self, s: State, f: Frame) -> Value:
        return bounded(self.a.ev(s, f) - self.b.ev(s, f))


class Mul(Expr):
    """`*`."""

    __slots__ = ("a", "b")

    def __init__(self, a: Expr, b: Expr) -> None:
        self.a = a
        self.b = b

    def ev(self, s: State, f: Frame) -> Value:
        return bounded(self.a.ev(s, f) * self.b.ev(s, f))


class Div(Expr):
    """`/`, `%`."""

    __slots__ = ("a", "b", "rest")

    def __init__(self, a: Expr, b: Expr, rest: bool) -> None:
        self.a = a
        self.b = b
        self.rest = rest

    def ev(self, s: State, f: Frame) -> Value:
        a = self.a.ev(s, f)
        b = self.b.ev(s, f)
        if b == 0:
            raise CardError("a number is divided by zero")
        return a % b if self.rest else a // b


class Neg(Expr):
    """`neg`."""

    __slots__ = ("a",)

    def __init__(self, a: Expr) -> None:
        self.a = a

    def ev(self, s: State, f: Frame) -> Value:
        return -self.a.ev(s, f)


class Union(Expr):
    """`union`."""

    __slots__ = ("a", "b")

    def __init__(self, a: Expr, b: Expr) -> None:
        self.a = a
        self.b = b

    def ev(self, s: State, f: Frame) -> Value:
        a = self.a.ev(s, f)
        b = self.b.ev(s, f)
        if COMPILED:
            found: list[Value] = []
            seen = [False] * len(s.where)
            if merged(a, seen, found) and merged(b, seen, found):
                return tuple(found)
        return tuple(dict.fromkeys([*a, *b]))


def merged(items: Sequence[Value], seen: list[bool], found: list[Value]) -> bool:
    """Add those of these cards that are not seen yet; False where one of them is no card. Fast when compiled."""
    most = len(seen)
    for item in tuple(items):
        one: object = item  # what goes into the list stays the object that it is
        if not isinstance(one, int):
            return False
        number: int = one
        if not 0 <= number < most:
            return False
        x: i64 = number
        if not seen[x]:
            seen[x] = True
            found.append(item)
    return True


class Minus(Expr):
    """`minus`."""

    __slots__ = ("a", "b")

    def __init__(self, a: Expr, b: Expr) -> None:
        self.a = a
        self.b = b

    def ev(self, s: State, f: Frame) -> Value:
        b = self.b.ev(s, f)
        if COMPILED:
            seen = [False] * len(s.where)
            if merged(b, seen, []):
                left = self.a.ev(s, f)
                found: list[Value] = []
                if unseen(left, seen, found):
                    return tuple(found)
                return tuple(filterfalse(set(b).__contains__, left))
        gone = set(b)
        return tuple(filterfalse(gone.__contains__, self.a.ev(s, f)))


def unseen(items: Sequence[Value], seen: list[bool], found: list[Value]) -> bool:
    """Add those of these cards that are not seen; False where one of them is no card. Fast when compiled."""
    most = len(seen)
    for item in tuple(items):
        one: object = item
        if not isinstance(one, int):
            return False
        number: int = one
        if not 0 <= number < most:
            return False
        x: i64 = number
        if not seen[x]:
            found.append(item)
    return True


class IfElse(Expr):
    """`if`."""

    __slots__ = ("condition", "a", "b")

    def __init__(self, condition: Expr, a: Expr, b: Expr) -> None:
        self.condition = condition
        self.a = a
        self.b = b

    def ev(self, s: State, f: Frame) -> Value:
        holds = self.condition.ev(s, f)
        return self.a.ev(s, f) if holds is True or (holds is not False and holds) else self.b.ev(s, f)


class ListOf(Expr):
    """`list`."""

    __slots__ = ("items",)

    def __init__(self, items: tuple[Expr, ...]) -> None:
        self.items = items

    def ev(self, s: State, f: Frame) -> Value:
        return tuple([x.ev(s, f) for x in self.items])


class Index(Expr):
    """`index`."""

    __slots__ = ("a", "b")

    def __init__(self, a: Expr, b: Expr) -> None:
        self.a = a
        self.b = b

    def ev(self, s: State, f: Frame) -> Value:
        items = self.a.ev(s, f)
        i = self.b.ev(s, f)
        if items is None or i is None or not 0 <= i < len(items):
            return None
        return items[i]


class Where(Expr):
    """`where`."""

    __slots__ = ("a", "slot", "test")

    def __init__(self, a: Expr, slot: int, test: Expr) -> None:
        self.a = a
        self.slot = slot
        self.test = test

    def ev(self, s: State, f: Frame) -> Value:
        test = self.test
        vars = f.vars
        slot = self.slot
        found = []
        for x in self.a.ev(s, f):
            vars[slot] = x
            if test.ev(s, f):
                found.append(x)
        return tuple(found)


class Map(Expr):
    """`map`."""

    __slots__ = ("a", "slot", "value")

    def __init__(self, a: Expr, slot: int, value: Expr) -> None:
        self.a = a
        self.slot = slot
        self.value = value

    def ev(self, s: State, f: Frame) -> Value:
        found = []
        for x in self.a.ev(s, f):
            f.vars[self.slot] = x
            found.append(self.value.ev(s, f))
        return tuple(found)


class Exists(Expr):
    """Does the test hold for a member? With `every`: for each."""

    __slots__ = ("a", "slot", "test", "every")

    def __init__(self, a: Expr, slot: int, test: Expr, every: bool) -> None:
        self.a = a
        self.slot = slot
        self.test = test
        self.every = every

    def ev(self, s: State, f: Frame) -> Value:
        every = self.every
        for x in self.a.ev(s, f):
            f.vars[self.slot] = x
            if bool(self.test.ev(s, f)) != every:
                return not every
        return every


class CountIf(Expr):
    """`countif`."""

    __slots__ = ("a", "slot", "test")

    def __init__(self, a: Expr, slot: int, test: Expr) -> None:
        self.a = a
        self.slot = slot
        self.test = test

    def ev(self, s: State, f: Frame) -> Value:
        n = 0
        for x in self.a.ev(s, f):
            f.vars[self.slot] = x
            if self.test.ev(s, f):
                n += 1
        return n


class Fold(Expr):
    """sumof, minof, maxof, best."""

    __slots__ = ("how", "a", "slot", "value")

    def __init__(self, how: str, a: Expr, slot: int, value: Expr) -> None:
        self.how = how
        self.a = a
        self.slot = slot
        self.value = value

    def ev(self, s: State, f: Frame) -> Value:
        items = tuple(self.a.ev(s, f))
        values = []
        for x in items:
            f.vars[self.slot] = x
            values.append(self.value.ev(s, f))
        how = self.how
        if how == "best":
            if not items:
                return ()
            top = max(values)
            return tuple(x for x, v in zip(items, values, strict=True) if v == top)
        if not values:
            return 0
        if how == "sumof":
            return bounded(sum(values))
        return min(values) if how == "minof" else max(values)


class Count(Expr):
    """`count`."""

    __slots__ = ("a",)

    def __init__(self, a: Expr) -> None:
        self.a = a

    def ev(self, s: State, f: Frame) -> Value:
        return len(self.a.ev(s, f))


class AnyOf(Expr):
    """`any`."""

    __slots__ = ("a",)

    def __init__(self, a: Expr) -> None:
        self.a = a

    def ev(self, s: State, f: Frame) -> Value:
        return len(self.a.ev(s, f)) > 0


class Empty(Expr):
    """`empty`."""

    __slots__ = ("a",)

    def __init__(self, a: Expr) -> None:
        self.a = a

    def ev(self, s: State, f: Frame) -> Value:
        return len(self.a.ev(s, f)) == 0


class First(Expr):
    """`first`, `last`."""

    __slots__ = ("a", "last")

    def __init__(self, a: Expr, last: bool) -> None:
        self.a = a
        self.last = last

    def ev(self, s: State, f: Frame) -> Value:
        items = self.a.ev(s, f)
        if not items:
            return None
        return items[-1] if self.last else items[0]


class Top(Expr):
    """`top`, `bottom`."""

    __slots__ = ("a", "n", "bottom")

    def __init__(self, a: Expr, n: Expr, bottom: bool) -> None:
        self.a = a
        self.n = n
        self.bottom = bottom

    def ev(self, s: State, f: Frame) -> Value:
        items = self.a.ev(s, f)
        n = self.n.ev(s, f)
        if COMPILED and isinstance(items, list) and isinstance(n, int) and n == 1:
            if not items:
                return ()
            return (items[-1],) if self.bottom else (items[0],)
        if n <= 0:
            return ()
        return tuple(items[-n:]) if self.bottom else tuple(items[:n])
