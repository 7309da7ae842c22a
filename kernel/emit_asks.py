"""Questions as Python source: the function that joins the default and the answers of cards, as `kernel.asking` does.

It takes the state, who and which card asks, and the arguments (`v0`, `v1`, …). There is no frame but where something
must be worked out the plain way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kernel import lists as L
from kernel.asking import FLAGS, Ask, alone
from kernel.core import Expr
from kernel.emit import kept as stays
from kernel.expr import Const, Var, You
from kernel.model import Answer, Question
from kernel.posts import ALIASED
from kernel.reach import slots_of
from kernel.writer import Known, Line, NoFrame, Suite, Writer

if TYPE_CHECKING:
    from kernel.menu import Finder


def question(w: Writer, q: Question) -> str:
    """Writes the body of the function; its parameters."""
    default = q.default
    assert default is not None
    w.frame = False
    args = [f"v{i}" for i in range(len(q.params))]
    rare = ["s.budget <= 0"]
    if q.answers:
        laid = w.book.posts.laid
        bits = ALIASED
        for a in q.answers:
            if a.mark:
                bits |= laid[a.kind]
        rare.append(f"s.live & {bits}")
    w.put(f"if {' or '.join(rare)}:", lines(f"return joined(s, {w.bind(q)}, [{', '.join(args)}], _you, _card)"))
    w.put("s.budget -= 1")
    mark = len(w.suite)
    given = False
    for a in q.answers:
        given |= answer(w, q, a)
    w.you, w.card = "_you", "_card"
    if given:
        w.suite.insert(mark, Line("given = []", 0))
        if not q.base:
            w.put("if given:", lines(f"return together({w.bind(q)}, given)"))
    text = worked_out(w, q, q.slots, default, bool(q.answers) and not given and q.join in FLAGS)
    if given and q.base:
        if not text.isidentifier():
            w.put(f"value = {text}")
            text = "value"
        w.put("if given:", lines(f"given.append({text})", f"return together({w.bind(q)}, given)"))
    if q.answers and type(default) is Const:
        text = w.literal(alone(q, default.value))
    elif q.answers and q.join in FLAGS:
        text = f"True if {text} else False"
    elif q.answers and q.join == "union":
        text = f"tuple(dict.fromkeys({text}))"
    w.put(f"return {text}")
    return ", ".join(["s", "_you", "_card", *args])


def seen(w: Writer, a: Answer) -> str:
    """Writes the body of the function that says who sees (or does not see) a card, as `kernel.knowledge.seers` does.

    Answers its parameters.
    """
    w.frame = False
    w.card = "card"
    w.put("if _you < 0:", lines("_you = s.turn"))
    viewers = "bits |= 1 << v1" if a.one_viewer else "bits |= (1 << _players) - 1"
    w.known.slots = {0: False, 1: False} if a.one_viewer else {0: False}
    test = a.value if a.condition is None else L.And(a.condition, a.value)
    suite, w.suite = w.suite, []
    w.put(f"if {w.ev(test, True)}:", lines(viewers))
    held, w.suite = w.suite, suite
    if w.blank & slots_of(test)[1]:
        raise NoFrame  # what one viewer left behind the next one would find
    if a.one_viewer:
        w.put("for v1 in range(_players):", [Line("if not bits >> v1 & 1:", 0, held)])
    else:
        w.suite.extend(held)
    w.put("return bits")
    return "s, card, _you, v0, bits"


def actors(w: Writer, slot: int, test: Expr) -> str:
    """Writes the body of the function that says which players may be asked in windows, as `Rulebook.able` does.

    Answers its parameters.
    """
    w.frame = False
    w.card = "-1"
    w.put("_you = s.turn")
    w.put("mask = 0")
    w.known.slots = {slot: False}
    w.known.players.add(f"v{slot}")
    suite, w.suite = w.suite, lines("bit = rest & -rest", f"v{slot} = bit.bit_length() - 1")
    w.put(f"if {w.ev(test, True)}:", lines("mask |= bit"))
    w.put("rest ^= bit")
    held, w.suite = w.suite, suite
    if w.blank & slots_of(test)[1]:
        raise NoFrame  # what one player left behind the next one would find
    w.put("while rest:", held)
    w.put("return mask")
    return "s, rest"


def values(w: Writer, finder: Finder) -> None:
    """Writes the body of the function that finds shared values for a player, as `kernel.quick.find_values` does.

    It gives all numbers of the finder, None for those that do not matter; where it is one alone, that one.
    """
    numbers = finder.numbers
    w.frame = False
    w.card = "-1"
    for n in numbers:
        w.put(f"x{n} = None")
    found: set[int] = set()  # what may be found already
    always: set[int] = set()  # what is found already on every way
    for tests, needs in finder.groups:
        suite = w.suite
        sure = always
        for n, wanted in tests:
            value(w, n, found, sure)
            sure = set(sure)
            inner: Suite = []
            w.put(f"if {'' if wanted else 'not '}x{n}:", inner)
            w.suite = inner
        for need in needs:
            inside, here = w.suite, sure
            for number in need:
                value(w, number if number >= 0 else ~number, found, here)
                if number >= 0 and number != need[-1]:
                    here = set(here)
                    inner = []
                    w.put(f"if x{number}:", inner)
                    w.suite = inner
            w.suite = inside
        w.suite = suite
    if finder.alone >= 0:
        w.put(f"return x{finder.alone}")
        return
    w.put(f"return ({', '.join([f'x{n}' for n in numbers])},)" if numbers else "return ()")


def value(w: Writer, n: int, found: set[int], sure: set[int]) -> None:
    """A shared value, where it is not found already. `sure`: what is for sure."""
    if n in sure:
        return
    sure.add(n)
    suite = w.suite
    if n in found:
        w.suite = []
    w.known = Known()
    w.lost = set()
    w.blank = set()
    short = w.book.shared[n]
    kept = w.suite, w.before, len(w.suite), w.order
    try:
        flag = type(short.inner) is Ask and short.inner.question.type == "flag"
        w.put(f"x{n} = {w.ev(short.inner) if flag else stays(w, short.inner)}")
    except NoFrame:
        w.suite, w.before, length, w.order = kept
        del w.suite[length:]
        w.outer.clear()
        w.depth = 0
        w.put(f"x{n} = {w.bind(short)}.bare(s, _you)")
        w.put(f"if type(x{n}) is list:", lines(f"x{n} = tuple(x{n})"))
    if n in found:
        body, w.suite = w.suite, suite
        w.put(f"if x{n} is None:", body)
    found.add(n)


def lines(*texts: str) -> Suite:
    """Statements."""
    return [Line(text, 0) for text in texts]


def begin(w: Writer, q: Question) -> None:
    """A frame of its own begins: the arguments are in locals, its other variables are not set."""
    w.known = Known()
    w.lost = set()
    w.blank = set()
    w.known.slots = dict.fromkeys(range(len(q.params)), False)


def worked_out(w: Writer, q: Question, slots: int, e: Expr, test: bool = False) -> str:
    """An expression in a frame of its own, if possible without making it."""
    begin(w, q)
    kept = w.suite, w.before, len(w.suite), w.order
    try:
        return w.ev(e, test)
    except NoFrame:
        w.suite, w.before, length, w.order = kept
        del w.suite[length:]
        w.outer.clear()
        w.depth = 0
        vars = [*[f"v{i}" for i in range(len(q.params))], *["None"] * (slots - len(q.params))]
        frame = f"Frame({w.bind(w.book.nothing)}, [{', '.join(vars)}], {w.you}, {w.card}, -1, None)"
        return f"{w.bind(e)}.ev(s, {frame})"


def answer(w: Writer, q: Question, a: Answer) -> bool:
    """What the cards of one kind answer. Whether something may be given that does not settle it."""
    suite = w.suite
    card, zone = w.temp(), w.temp()
    lies = f"{zone} >= 0" if a.zones is None else f"{zone} >= 0 and _zone[{zone}] in {w.bind(a.zones)}"
    tests: list[str] = []
    if a.same_you >= 0 and not begins_with(a.condition, a.same_you):
        tests.append(f"owns(s, {w.bind(a)}, v{a.same_you})")
    w.suite = []
    w.you, w.card = w.temp(), card
    w.put(f"{w.you} = _owner[{zone}]")
    w.put(f"if {w.you} < 0:", lines(f"{w.you} = s.turn"))
    given = give(w, q, a)
    body, w.suite = w.suite, suite
    if a.same >= 0 and not a.mark:
        x = f"v{a.same}"
        tests = [f"type({x}) is int", f"_kinds[{x}] == {a.kind}", *tests]
        inner: Suite = [Line(f"{card} = {x}", 0), Line(f"{zone} = _where[{x}]", 0), Line(f"if {lies}:", 0, body)]
        w.put(f"if {' and '.join(tests)}:", inner)
        return given
    if a.same >= 0:
        lies = f"{card} == v{a.same} and {lies}"
    loop = Line(
        f"for {card} in s.deal.by_kind[{a.kind}]:",
        0,
        [Line(f"{zone} = _where[{card}]", 0), Line(f"if {lies}:", 0, body)],
    )
    tests.append(f"s.live & {a.live}")
    w.put(f"if {' and '.join(tests)}:", [loop])
    return given


def give(w: Writer, q: Question, a: Answer) -> bool:
    """What one card answers, if its condition holds. Whether that may leave the matter open."""
    condition = None if a.condition is None else worked_out(w, q, a.slots, a.condition, True)
    suite = w.suite
    w.suite = []
    value = worked_out(w, q, a.slots, a.value)
    constant = a.value.value if type(a.value) is Const else None
    given = True
    if q.join == "first":
        w.put(f"return {value}")
        given = False
    elif q.join in ("any", "all"):
        ends = q.join == "any"
        if type(a.value) is Const and bool(constant) == ends:
            w.put(f"return {ends}")
            given = False
        else:
            if not value.isidentifier():
                w.put(f"value = {value}")
                value = "value"
            w.put(f"if {value}:" if ends else f"if not {value}:", lines(f"return {ends}"))
            w.put(f"given.append({value})")
    else:
        w.put(f"given.append({value})")
    body, w.suite = w.suite, suite
    if condition is None:
        w.suite.extend(body)
    else:
        w.put(f"if {condition}:", body)
    return given


def begins_with(condition: Expr | None, slot: int) -> bool:
    """Does the condition first compare the parameter with `you`, so that nothing else is asked if they differ?"""
    while isinstance(condition, L.And):
        condition = condition.a
    if type(condition) is not L.Eq:
        return False
    a, b = condition.a, condition.b
    if type(a) is You:
        a, b = b, a
    return type(a) is Var and a.slot == slot and type(b) is You
