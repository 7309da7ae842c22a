"""The weaver: stretches of programs that are run often become functions of their own.

The plain way, one object with a method for each operation and expression, is what programs mean. A function that the
weaver writes does the same for a whole stretch, with what never changes in a book filled in. Which way is taken depends
on nothing but how often a place was entered, and no result depends on it. Without a weaver, with coverage on and where
the kernel is compiled, everything runs the plain way.

This is the one module that makes code out of text. The text holds names made by `kernel.writer` and whole numbers,
never anything out of a book.
"""

from __future__ import annotations

import re
from itertools import compress
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, Final

from kernel.actions import Group
from kernel.acts import ask, asked, offer, opened, plainly, steady, stood, take
from kernel.asking import joined, together
from kernel.core import Act, ActSpec, Bare, Expr, Frame, Launch, Op, Program, Short, Value, Woven
from kernel.emit import no_attribute, no_id, no_player
from kernel.emit_acts import GIVEN, PARAMS, Announced
from kernel.emit_asks import actors, question, seen, values
from kernel.emit_lists import EMITTERS, constant_of, no_quotient, without
from kernel.emit_turn import PARAMS as PARAMS_OFFER
from kernel.emit_turn import offered
from kernel.events import call, carried, finish_act, fire
from kernel.expr import Const, Var, You, arg_of, card_of, find_act, has_tag, heading_of, kind_at, member_of
from kernel.faces import bare, hiding, owns, seers
from kernel.fused import OwnCards, SharedCards, VarCards
from kernel.knowledge import bits_of, lose_one, relocate, relocate_one, show, show_one, shuffle
from kernel.lists import bounded, plain
from kernel.machine import run, spend
from kernel.model import Answer, Question
from kernel.ops import card_tuple, no_turns, shift
from kernel.picks import Pick
from kernel.posts import heed, unlike
from kernel.state import Data as State
from kernel.stretches import Stretch
from kernel.turn import filled, turned_to
from kernel.writer import HELD, NoFrame, Unfit, Writer, render

if TYPE_CHECKING:
    from kernel.book import Rulebook
    from kernel.counts import Counts
    from kernel.menu import Finder, Menu

#: So often a place is entered the plain way before it is woven, in any book made from now on; -1: nothing ever is.
hot = 40
MAX_STRETCHES: Final = 4000  # of one book

TRIVIAL: Final = (Const, Var, You, OwnCards, SharedCards, VarCards)  # no function could be shorter

#: All that woven functions can call by name; they have no other built-in names.
HELPERS: Final[dict[str, Any]] = {
    "Act": Act,
    "asked": asked,
    "stood": stood,
    "bare": bare,
    "bits_of": bits_of,
    "no_turns": no_turns,
    "shuffle": shuffle,
    "lose_one": lose_one,
    "map": map,
    "compress": compress,
    "opened": opened,
    "relocate": relocate,
    "show": show,
    "show_one": show_one,
    "steady": steady,
    "take": take,
    "len": len,
    "tuple": tuple,
    "type": type,
    "int": int,
    "list": list,
    "dict": dict,
    "min": min,
    "max": max,
    "sum": sum,
    "range": range,
    "sorted": sorted,
    "Frame": Frame,
    "joined": joined,
    "together": together,
    "owns": owns,
    "bounded": bounded,
    "call": call,
    "carried": carried,
    "card_tuple": card_tuple,
    "find_act": find_act,
    "finish_act": finish_act,
    "filled": filled,
    "fire": fire,
    "has_tag": has_tag,
    "heed": heed,
    "kind_at": kind_at,
    "member_of": member_of,
    "no_attribute": no_attribute,
    "no_id": no_id,
    "no_quotient": no_quotient,
    "arg_of": arg_of,
    "card_of": card_of,
    "heading_of": heading_of,
    "without": without,
    "set": set,
    "no_player": no_player,
    "ask": ask,
    "plainly": plainly,
    "hiding": hiding,
    "offer": offer,
    "plain": plain,
    "relocate_one": relocate_one,
    "shift": shift,
    "turned_to": turned_to,
    "unlike": unlike,
    "spend": spend,
}


def weaver_of(book: Rulebook) -> Weaver | None:
    """A weaver for a new book; none where the kernel is compiled, as woven functions would be slower there."""
    return Weaver(book) if hot >= 0 and isinstance(run, FunctionType) else None


def made(w: Writer, params: str, given: str) -> tuple[FunctionType, list[int]]:
    """The function that was written, and by line the operation that it belongs to (-1: its head).

    `given`: what it gets as parameters of what is else looked up.
    """
    lines: list[str] = []
    places: list[int] = []
    render(w.suite, 1, lines, places)
    text = "\n".join(lines)
    head: list[str] = [f"def stretch({params}):"]
    for name, meaning in HELD.items():
        found = 0 if name in given.split() else len(re.findall(rf"\b{name}\b", text))
        if found > 1:
            head.append(f" {name} = {meaning}")
        elif found:
            text = re.sub(rf"\b{name}\b", meaning, text)
    source = "\n".join([*head, text])
    names: dict[str, Any] = {"__builtins__": HELPERS, **w.bound}
    exec(compile(source, "<woven>", "exec"), names)
    function: FunctionType = names.pop("stretch")
    return function, [-1] * len(head) + places


class Weaver:
    """Weaves the programs of one book when they have become hot."""

    __slots__ = ("book", "hot", "stretches", "places", "after")

    def __init__(self, book: Rulebook) -> None:
        self.book = book
        self.hot = hot
        self.stretches = 0
        self.places: dict[CodeType, tuple[Program, list[int]]] = {}  # by line of a function: the operation
        #: What listens to the end of a verb, by its program.
        self.after = {id(verb.program): verb.at_end for verb in book.verbs if verb.spec is None}
        for program in book.programs:
            program.woven = [Cold(self, program).enter] * len(program.ops)
        for program in book.own_programs:
            program.woven = [op.run for op in program.ops]
        for spec in book.specs:
            if spec.straight:
                spec.launch = ColdLaunch(self, spec).enter
        for q in book.questions.values():
            q.woven = ColdQuestion(self, q).enter
        self.shorten()

    def weave(self, program: Program, start: int) -> Woven:
        """The function that begins at an operation."""
        w = Writer(self.book, EMITTERS, constant_of, program.finishes)
        w.after = self.after.get(id(program), ())
        Stretch(w, program, start)
        function, places = made(w, "s, f", "")
        self.places[function.__code__] = program, [pc if pc >= 0 else start for pc in places]
        self.stretches += 1
        return function

    def question(self, q: Question) -> FunctionType:
        """The function that answers a question."""
        w = Writer(self.book, EMITTERS, constant_of)
        function, _ = made(w, question(w, q), "_you _card")
        self.stretches += 1
        return function

    def launch(self, spec: ActSpec) -> FunctionType:
        """The function that announces a play or move."""
        program = spec.program
        assert program is not None
        w = Writer(self.book, EMITTERS, constant_of, program.finishes)
        try:
            Announced(w, spec, True)
        except Unfit:
            w = Writer(self.book, EMITTERS, constant_of, program.finishes)
            Announced(w, spec, False)
        function, places = made(w, PARAMS, GIVEN)
        self.places[function.__code__] = program, places
        self.stretches += 1
        return function

    def seers(self, a: Answer) -> FunctionType:
        """The function that says for whom an answer of `shows` or `hides` holds."""
        w = Writer(self.book, EMITTERS, constant_of)
        function, _ = made(w, seen(w, a), "_you")
        self.stretches += 1
        return function

    def actors(self) -> FunctionType:
        """The function that says which of some players may be asked in windows."""
        assert self.book.can_act_test is not None
        w = Writer(self.book, EMITTERS, constant_of)
        function, _ = made(w, actors(w, self.book.can_act_slot, self.book.can_act_test), "_you")
        self.stretches += 1
        return function

    def whole(self, e: Expr) -> FunctionType:
        """The function that works out an expression in a frame."""
        w = Writer(self.book, EMITTERS, constant_of)
        text = w.ev(e)
        if any(w.known.slots.values()):
            text = w.settled(text)
            w.pay()
        w.put(f"return {text}")
        function, _ = made(w, "s, f", "")
        self.stretches += 1
        return function

    def bare(self, e: Expr) -> FunctionType:
        """The function that works out an expression that depends on nothing of its frame but who `you` is."""
        w = Writer(self.book, EMITTERS, constant_of)
        w.frame = False
        w.card = "-1"
        w.put(f"return {w.ev(e)}")
        function, _ = made(w, "s, _you", "_you")
        self.stretches += 1
        return function

    def offer(self, menu: Menu, only: Counts) -> FunctionType | None:
        """The function that asks a player for a move; None where there are functions enough."""
        if self.stretches >= MAX_STRETCHES:
            return None
        w = Writer(self.book, EMITTERS, constant_of)
        offered(w, menu, only)
        function, _ = made(w, PARAMS_OFFER, "_you")
        self.stretches += 1
        return function

    def finder(self, finder: Finder) -> FunctionType | None:
        """The function that finds shared values; None where there are functions enough."""
        if self.stretches >= MAX_STRETCHES:
            return None
        w = Writer(self.book, EMITTERS, constant_of)
        try:
            values(w, finder)
        except RecursionError:
            return None
        function, _ = made(w, "s, _you", "_you")
        self.stretches += 1
        return function

    def shorten(self) -> None:
        """Expressions that are not worked out by programs: what can be done, by whom, to whom."""
        book = self.book
        known: dict[int, Short] = {}

        def short(e: Expr, slots: int) -> Expr:
            if type(e) in TRIVIAL or type(e) is Short:
                return e
            found = known.get(id(e))
            if found is None:
                found = ColdExpr(self, Short(e, e.ev, Bare(e, slots).ev, slots)).short
                known[id(e)] = found
            return found

        for e in book.shared:
            if type(e.inner) not in TRIVIAL:
                known[id(e.inner)] = ColdExpr(self, e).short
        for spec in book.specs:
            for choice in spec.choices:
                choice.set = short(choice.set, spec.slots)
            if spec.condition is not None:
                spec.condition = short(spec.condition, spec.slots)
            if spec.to is not None:
                spec.to = short(spec.to, spec.slots)
            cards = spec.cards
            if cards is not None and cards.where is not None:
                cards.where = short(cards.where, spec.slots)
            if cards is not None and cards.condition is not None:
                cards.condition = short(cards.condition, spec.slots)
        for a in book.abilities:
            if a.condition is not None:
                a.condition = short(a.condition, a.program.slots)
        for answer in (*book.shows, *book.hides):
            answer.seers = ColdSight(self, answer).enter
        book.can_act = short(book.can_act, book.can_act_slots)
        if book.can_act_test is not None:
            book.can_act_test = short(book.can_act_test, book.can_act_slots)
            book.actors = ColdActors(book, self).enter
        if book.now is not None:
            book.now = short(book.now, book.now_slots)
        for program in book.programs:
            for op in program.ops:
                if isinstance(op, Pick):
                    op.set = short(op.set, program.slots)

    def op_at(self, error: BaseException) -> tuple[Program, int] | None:
        """The program and the operation at which a function of it failed, if one did."""
        trace = error.__traceback__
        last: tuple[Program, int] | None = None
        while trace is not None:
            found = self.places.get(trace.tb_frame.f_code)
            if found is not None:
                last = found[0], found[1][trace.tb_lineno - 1]
            trace = trace.tb_next
        return last


class Cold:
    """The entry to all places of a program that are not woven yet."""

    __slots__ = ("weaver", "program", "counts")

    def __init__(self, weaver: Weaver, program: Program) -> None:
        self.weaver = weaver
        self.program = program
        self.counts: dict[int, int] = {}

    def enter(self, s: State, f: Frame) -> Op | None:
        """Go on the plain way, or weave what begins here."""
        pc = f.pc
        program = self.program
        count = self.counts.get(pc, 0)
        if count < self.weaver.hot:
            self.counts[pc] = count + 1
            return program.ops[pc]
        self.counts[pc] = 0
        if self.weaver.stretches >= MAX_STRETCHES:
            return program.ops[pc]
        try:
            stretch = self.weaver.weave(program, pc)
        except RecursionError:  # somebody plays with little room left; there will be more another time
            return program.ops[pc]
        program.woven[pc] = stretch
        return stretch(s, f)


class ColdQuestion:
    """What answers a question that is not woven yet."""

    __slots__ = ("weaver", "question", "count")

    def __init__(self, weaver: Weaver, question: Question) -> None:
        self.weaver = weaver
        self.question = question
        self.count = 0

    def enter(self, s: State, you: int, card: int, *args: Value) -> Value:
        """Answer the plain way, or weave the question."""
        q = self.question
        if self.count < self.weaver.hot:
            self.count += 1
            return joined(s, q, list(args), you, card)
        self.count = 0
        if self.weaver.stretches >= MAX_STRETCHES:
            return joined(s, q, list(args), you, card)
        try:
            woven = self.weaver.question(q)
        except RecursionError:
            return joined(s, q, list(args), you, card)
        q.woven = woven
        return woven(s, you, card, *args)


class ColdLaunch:
    """What announces a play or move that is not woven yet."""

    __slots__ = ("weaver", "spec", "count")

    def __init__(self, weaver: Weaver, spec: ActSpec) -> None:
        self.weaver = weaver
        self.spec = spec
        self.count = 0

    def enter(self, s: State, player: int, group: Group, index: int) -> None:
        """Announce it the plain way, or weave that."""
        self.count += 1
        launch: Launch = take
        if self.count > self.weaver.hot and self.weaver.stretches < MAX_STRETCHES:
            self.count = 0
            try:
                launch = self.weaver.launch(self.spec)
                self.spec.launch = launch
            except RecursionError:
                pass
        launch(s, player, group, index)


class ColdSight:
    """What says for whom an answer of `shows` or `hides` holds that is not woven yet."""

    __slots__ = ("weaver", "answer", "count")

    def __init__(self, weaver: Weaver, answer: Answer) -> None:
        self.weaver = weaver
        self.answer = answer
        self.count = 0

    def enter(self, s: State, holder: int, you: int, card: int, bits: int) -> int:
        """Look the plain way, or weave it."""
        a = self.answer
        self.count += 1
        if self.count > self.weaver.hot and self.weaver.stretches < MAX_STRETCHES:
            self.count = 0
            try:
                a.seers = self.weaver.seers(a)
            except NoFrame:
                a.seers = None
            except RecursionError:
                pass
        return seers(s, a, holder, you, card, bits)


class ColdActors:
    """What says which players may be asked in windows that is not woven yet."""

    __slots__ = ("book", "weaver", "count")

    def __init__(self, book: Rulebook, weaver: Weaver) -> None:
        self.book = book
        self.weaver = weaver
        self.count = 0

    def enter(self, s: State, players: int) -> int:
        """Look the plain way, or weave it."""
        self.count += 1
        if self.count > self.weaver.hot and self.weaver.stretches < MAX_STRETCHES:
            self.count = 0
            try:
                self.book.actors = self.weaver.actors()
            except NoFrame:
                self.book.actors = None
            except RecursionError:
                pass
        return self.book.able(s, players)


class ColdExpr:
    """What works out an expression that is not woven yet."""

    __slots__ = ("weaver", "inner", "slots", "short", "count")

    def __init__(self, weaver: Weaver, short: Short) -> None:
        self.weaver = weaver
        self.inner = short.inner
        self.slots = short.slots
        self.short = short
        short.whole = self.whole
        short.bare = self.bare
        self.count = 0

    def hot(self) -> bool:
        """Whether it has been asked for often enough."""
        self.count += 1
        return self.count > self.weaver.hot and self.weaver.stretches < MAX_STRETCHES

    def whole(self, s: State, f: Frame) -> Value:
        """Work it out in a frame, or weave it."""
        if not self.hot():
            return self.inner.ev(s, f)
        self.count = 0
        try:
            self.short.whole = self.weaver.whole(self.inner)
        except RecursionError:
            return self.inner.ev(s, f)
        return self.short.whole(s, f)

    def bare(self, s: State, player: int) -> Value:
        """Work it out for a player, or weave it."""
        if not self.hot():
            return self.inner.of_player(s, player, self.slots)
        self.count = 0
        try:
            self.short.bare = self.weaver.bare(self.inner)
        except NoFrame:
            self.short.bare = self.plainly
        except RecursionError:
            pass
        return self.inner.of_player(s, player, self.slots)

    def plainly(self, s: State, player: int) -> Value:
        """Work it out for a player, for ever."""
        return self.inner.of_player(s, player, self.slots)
