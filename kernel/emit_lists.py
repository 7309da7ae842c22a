"""Expressions over plain values and lists as Python source; see `kernel.emit`."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import filterfalse
from typing import Any, Final

from kernel import expr as E
from kernel import functions as N
from kernel import fused as U
from kernel import lists as L
from kernel.core import Expr
from kernel.emit import GAME, SINGLE, may_be_list, sized
from kernel.errors import CardError
from kernel.once import Once
from kernel.reach import slots_of
from kernel.writer import Emitter, Line, Writer

# -- logic and numbers -------------------------------------------------------------------------------------------------


def both(w: Writer, e: L.And, test: bool) -> str:
    a = w.ev(e.a, True)
    if a in ("True", "False"):
        return w.ev(e.b, test) if a == "True" else "False"
    b = w.arm(e.b, test)
    if not b.suite:
        return f"({a} and {b.text})" if test else f"({b.text} if {a} else False)"
    t = w.temp()
    w.put(f"if {a}:", [*b.suite, Line(f"{t} = {b.text}", w.pc)])
    w.put("else:", [Line(f"{t} = False", w.pc)])
    return t


def either(w: Writer, e: L.Or, test: bool) -> str:
    a = w.ev(e.a, True)
    if a in ("True", "False"):
        return w.ev(e.b, test) if a == "False" else "True"
    b = w.arm(e.b, test)
    if not b.suite:
        return f"({a} or {b.text})" if test else f"(True if {a} else {b.text})"
    t = w.temp()
    w.put(f"if {a}:", [Line(f"{t} = True", w.pc)])
    w.put("else:", [*b.suite, Line(f"{t} = {b.text}", w.pc)])
    return t


def not_(w: Writer, e: L.Not, test: bool) -> str:
    return f"(not {w.ev(e.a, True)})"


def if_else(w: Writer, e: L.IfElse, test: bool) -> str:
    c = w.ev(e.condition, True)
    a = w.arm(e.a, test)
    b = w.arm(e.b, test)
    if not a.suite and not b.suite:
        return f"({a.text} if {c} else {b.text})"
    t = w.temp()
    w.put(f"if {c}:", [*a.suite, Line(f"{t} = {a.text}", w.pc)])
    w.put("else:", [*b.suite, Line(f"{t} = {b.text}", w.pc)])
    return t


def equal(sign: str) -> Emitter:
    """`==` and `!=`: lists compare by their members."""

    def emit(w: Writer, e: Any, test: bool) -> str:
        a, b = w.all(e.a, e.b)
        lists = [may_be_list(e.a), may_be_list(e.b)]
        if not any(lists) or isinstance(e.a, SINGLE) or isinstance(e.b, SINGLE):
            return f"({a} {sign} {b})"
        if not lists[1] and a.isidentifier() and len(b) < 60:
            return f"({a} {sign} {b} if type({a}) is not list else plain({a}) {sign} {b})"
        if not lists[0] and b.isidentifier() and len(a) < 60:
            return f"({a} {sign} {b} if type({b}) is not list else {a} {sign} plain({b}))"
        x, first = w.named(a)
        y, second = w.named(b)
        checks = f"(type({first}) is list) | (type({second}) is list)"
        return f"(plain({x}) {sign} plain({y}) if {checks} else {x} {sign} {y})"

    return emit


def infix(sign: str) -> Emitter:
    """An operator of Python."""

    def emit(w: Writer, e: Any, test: bool) -> str:
        a, b = w.all(e.a, e.b)
        return f"({a} {sign} {b})"

    return emit


def arithmetic(sign: str) -> Emitter:
    """Numbers within the language's bounds."""

    def emit(w: Writer, e: Any, test: bool) -> str:
        a, b = w.all(e.a, e.b)
        t = w.temp()
        return f"({t} if {-L.LIMIT} <= ({t} := {a} {sign} {b}) <= {L.LIMIT} else bounded({t}))"

    return emit


def call_of(name: str) -> Emitter:
    """A function of one argument."""
    return lambda w, e, test: f"{name}({w.ev(e.a)})"


def is_set(w: Writer, e: L.IsSet, test: bool) -> str:
    return f"({w.thing(e.a)} is not None)"


def neg(w: Writer, e: L.Neg, test: bool) -> str:
    return f"(-{w.ev(e.a)})"


def eq_const(w: Writer, e: U.EqConst, test: bool) -> str:
    return f"({w.ev(e.a)} {'==' if e.same else '!='} {w.literal(e.value)})"


def var_eq_const(w: Writer, e: U.VarEqConst, test: bool) -> str:
    return f"({w.var(e.slot)} {'==' if e.same else '!='} {w.literal(e.value)})"


def const_in(w: Writer, e: U.ConstIn, test: bool) -> str:
    return f"({w.literal(e.value)} in {w.ev(e.a)})"


# -- lists -------------------------------------------------------------------------------------------------------------


def one_card(w: Writer, e: U.OneCard, test: bool) -> str:
    return f"({w.var(e.slot)},)"


def list_of(w: Writer, e: L.ListOf, test: bool) -> str:
    if len(e.items) > 20:
        return w.plain(e)
    return f"({''.join(text + ', ' for text in w.all(*e.items))})"


def any_of(w: Writer, e: L.AnyOf, test: bool) -> str:
    return w.ev(e.a) if test and sized(e.a) else f"(len({w.ev(e.a)}) > 0)"


def empty(w: Writer, e: L.Empty, test: bool) -> str:
    return f"(not {w.ev(e.a)})" if sized(e.a) else f"(len({w.ev(e.a)}) == 0)"


def first(w: Writer, e: L.First, test: bool) -> str:
    t = w.temp()
    return f"({t}[{-1 if e.last else 0}] if ({t} := {w.ev(e.a)}) else None)"


def top(w: Writer, e: L.Top, test: bool) -> str:
    n = e.n.value if type(e.n) is E.Const else None
    if type(n) is int and n > 0:
        return f"tuple({w.thing(e.a)}[{f'-{n}:' if e.bottom else f':{n}'}])"
    items, number = [w.local(text) for text in w.all(e.a, e.n)]
    return f"(tuple({items}[{f'-{number}:' if e.bottom else f':{number}'}]) if {number} > 0 else ())"


def index(w: Writer, e: L.Index, test: bool) -> str:
    items, i = [w.local(text) for text in w.all(e.a, e.b)]
    return f"({items}[{i}] if {items} is not None and {i} is not None and 0 <= {i} < len({items}) else None)"


def quotient(w: Writer, e: L.Div, test: bool) -> str:
    a, b = w.all(e.a, e.b)
    sign = "%" if e.rest else "//"
    if type(e.b) is E.Const and type(e.b.value) is int and e.b.value:
        return f"({a} {sign} {b})"
    a, b = w.settled(a), w.settled(b)
    return f"({a} {sign} {b} if {b} != 0 else no_quotient())"


def no_quotient() -> int:
    """The error where a number is divided by zero."""
    raise CardError("a number is divided by zero")


def without(gone: set[Any], items: Iterable[Any]) -> tuple[Any, ...]:
    """The members of a list but those that are gone."""
    return tuple(filterfalse(gone.__contains__, items))


def minus(w: Writer, e: L.Minus, test: bool) -> str:
    b, a = w.all(e.b, e.a)
    return f"without(set({b}), {a})"


def extreme(w: Writer, e: N.Extreme, test: bool) -> str:
    a, b = w.all(e.a, e.b)
    return f"{'max' if e.most else 'min'}({a}, {b})"


def once(w: Writer, e: Once, test: bool) -> str:
    w.hold(e.slot)
    value = w.arm(e.inner)
    w.put(f"if v{e.slot} is None:", [*value.suite, Line(f"v{e.slot} = ({value.text},)", w.pc)])
    w.mark_set(e.slot)
    return f"v{e.slot}[0]"


def slots(w: Writer, e: N.Slots, test: bool) -> str:
    return f"tuple(range(len(_zones[{w.ev(e.zone)}]) + 1))"


def each(w: Writer, e: N.Each, test: bool) -> str:
    return f"tuple(dict.fromkeys({w.ev(e.a)}))"


def union(w: Writer, e: L.Union, test: bool) -> str:
    a, b = w.all(e.a, e.b)
    return f"tuple(dict.fromkeys([*{a}, *{b}]))"


# -- members of lists --------------------------------------------------------------------------------------------------


def over(w: Writer, source: Expr, slot: int, value: Expr, test: bool, begin: str, each: str, then: str = "") -> bool:
    """A loop over the members of a list: `begin` it, and do `each` with every one, where `@` is the value; if that is
    a condition, `then` says what follows (`#` is the member). False where there are loops enough.
    """
    if w.too_deep():
        return False
    items = w.ev(source)
    if slots_of(source)[1]:
        items = w.settled(items)  # it may set what is held now
    w.put(begin)
    reads, sets = slots_of(value)
    for n in sorted(reads - sets):
        w.hold(n)
    lost = not w.frame and slot in w.lost
    if lost:
        w.put(f"v{slot} = None")
    else:
        w.hold(slot)
    item = w.temp() if slot in sets else f"v{slot}"  # the same variable may be that of a list within
    outside = w.enter()
    w.mark_set(slot)
    if slot in sets:
        w.put(f"v{slot} = {item}")
    text = w.ev(value, test)
    w.pay([n for n in w.known.fresh if n != slot])
    w.put(each.replace("@", text), [Line(x, w.pc) for x in then.replace("#", item).split("; ")] if then else None)
    w.put(f"for {item} in {items}:", w.leave(outside, slot))
    if not lost:
        w.mark_set(slot)
    return True


def where(w: Writer, e: L.Where, test: bool) -> str:
    t = w.temp()
    done = over(w, e.a, e.slot, e.test, True, f"{t} = []", "if @:", f"{t}.append(#)")
    return f"tuple({t})" if done else w.plain(e)


def map_(w: Writer, e: L.Map, test: bool) -> str:
    t = w.temp()
    return f"tuple({t})" if over(w, e.a, e.slot, e.value, False, f"{t} = []", f"{t}.append(@)") else w.plain(e)


def exists(w: Writer, e: L.Exists, test: bool) -> str:
    t = w.temp()
    head = "if not @:" if e.every else "if @:"
    done = over(w, e.a, e.slot, e.test, True, f"{t} = {e.every}", head, f"{t} = {not e.every}; break")
    return t if done else w.plain(e)


def count_if(w: Writer, e: L.CountIf, test: bool) -> str:
    t = w.temp()
    return t if over(w, e.a, e.slot, e.test, True, f"{t} = 0", "if @:", f"{t} += 1") else w.plain(e)


def fold(w: Writer, e: L.Fold, test: bool) -> str:
    t = w.temp()
    if e.how == "best" or not over(w, e.a, e.slot, e.value, False, f"{t} = []", f"{t}.append(@)"):
        return w.plain(e)
    if e.how == "sumof":
        return f"bounded(sum({t}))"
    return f"({'min' if e.how == 'minof' else 'max'}({t}) if {t} else 0)"


#: Every kind of node that has a function.
EMITTERS: Final[dict[type[Expr], Emitter]] = {
    **GAME,
    U.EqConst: eq_const,
    U.VarEqConst: var_eq_const,
    U.ConstIn: const_in,
    U.OneCard: one_card,
    L.And: both,
    L.Or: either,
    L.Not: not_,
    L.Eq: equal("=="),
    L.Ne: equal("!="),
    L.Lt: infix("<"),
    L.Le: infix("<="),
    L.In: infix("in"),
    L.IsSet: is_set,
    L.Add: arithmetic("+"),
    L.Sub: arithmetic("-"),
    L.Mul: arithmetic("*"),
    L.Neg: neg,
    L.IfElse: if_else,
    L.ListOf: list_of,
    L.Union: union,
    L.Where: where,
    L.Map: map_,
    L.Exists: exists,
    L.CountIf: count_if,
    L.Fold: fold,
    L.Count: call_of("len"),
    L.AnyOf: any_of,
    L.Empty: empty,
    L.First: first,
    L.Top: top,
    L.Index: index,
    L.Div: quotient,
    L.Minus: minus,
    N.Extreme: extreme,
    Once: once,
    N.Slots: slots,
    N.Each: each,
    N.Sorted: lambda w, e, test: f"tuple(sorted({w.ev(e.a)}))",
    N.Sum: lambda w, e, test: f"bounded(sum({w.ev(e.a)}))",
}


def constant_of(e: Expr, values: dict[int, Any], depth: int) -> E.Const | None:
    """What an expression is with these variables constant, if that is plain to see."""
    if type(e) is E.Const:
        return e
    if type(e) is E.Var:
        return E.Const(values[e.slot]) if e.slot in values else None
    if type(e) is U.VarEqConst:
        return E.Const((values[e.slot] == e.value) == e.same) if e.slot in values else None
    if depth > 4:
        return None
    if type(e) is U.ConstIn:
        a = constant_of(e.a, values, depth + 1)
        return E.Const(e.value in a.value) if a is not None and type(a.value) is tuple else None
    if type(e) is L.Not:
        a = constant_of(e.a, values, depth + 1)
        return None if a is None else E.Const(not a.value)
    if type(e) is L.IfElse:
        c = constant_of(e.condition, values, depth + 1)
        return None if c is None else constant_of(e.a if c.value else e.b, values, depth + 1)
    return None
