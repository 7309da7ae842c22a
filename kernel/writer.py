"""Python source under construction: suites of statements, what is known at a place in them, expressions.

Part of the weaver (see `kernel.weave`). A variable of the frame that was read or set is kept in a local as well
(`v3` for slot 3); what a local holds and the frame does not yet is *owed* and paid before anything could look. Nothing
stands in the source but names made here and whole numbers; all other constants are bound as globals.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final, Union

from kernel.core import Expr, Short
from kernel.expr import Const
from kernel.model import Question
from kernel.reach import sees_acts, slots_of

if TYPE_CHECKING:
    from kernel.book import Rulebook
    from kernel.model import Ability

MAX_DEPTH: Final = 12  # of expressions in one line; Python's parser takes some 200 brackets
MAX_NODES: Final = 1200  # of expressions in one stretch
MAX_SLOTS: Final = 40  # of a frame that is made for one expression
MAX_ARMS: Final = 12  # conditions and loops within each other, inside one expression

CACHED: Final = re.compile(r"\((v\d+) := (_vars\[\d+\])\)")

#: What stands in the source for things that are asked for all the time; held in a local where that pays.
HELD: Final = {
    "_vars": "f.vars",
    "_you": "f.you",
    "_card": "f.card",
    "_zones": "s.zones",
    "_base": "s.seats.base",
    "_players": "s.players",
    "_frames": "s.frames",
    "_kinds": "s.deal.kinds",
    "_where": "s.where",
    "_owner": "s.seats.owner",
    "_zone": "s.seats.definition",
}


#: What stands in statements that need the frame, or the act on the stack …
STANDING: Final = re.compile(r"\b(?:f|_frames|_vars)\b|\bs\.top_act\b")
#: … as all calls may, but for these.
CALLS: Final = re.compile(r"(?:\b(K\d+)\.)?(\w+)\(")
ALOOF: Final = frozenset(
    "append bare below bit_count bits_of bounded card_tuple carried clear compress dict drawn fire get has_tag"
    " heed index int isdisjoint kind_at known len list map max member_of min next_living no_attribute no_id"
    " no_player no_quotient no_turns owns plain range relocate_one set show show_one shuffle sorted spend sum"
    " together tuple type without if and or not in is else for".split()
)


class NoFrame(Exception):
    """Something would have to be worked out the plain way, but there is no frame."""


class Unfit(Exception):
    """What was to be written in one piece cannot be."""


class Line:
    """A statement, or the head of a suite, and the operation that it belongs to."""

    __slots__ = ("text", "pc", "body")

    def __init__(self, text: str, pc: int, body: Suite | None = None) -> None:
        self.text = text
        self.pc = pc
        self.body = body


Suite = list[Union[Line, "Gap"]]


class Gap:
    """A place where statements may still be put."""

    __slots__ = ("lines",)

    def __init__(self) -> None:
        self.lines: list[Line] = []


class Known:
    """What is known at a place: slots that are held in locals (True: owed to the frame) or are constant, and which
    names hold the number of a player. `spared`: there is no frame yet; all its variables are held in locals."""

    __slots__ = ("slots", "values", "players", "fresh", "spared")

    def __init__(self) -> None:
        self.spared = False
        self.slots: dict[int, bool] = {}
        self.values: dict[int, Any] = {}  # of those that are constant; they are in no local
        self.players: set[str] = set()
        self.fresh: set[int] = set()  # slots set since the arm began

    def copy(self) -> Known:
        """The same, for another way to go on."""
        k = Known()
        k.slots = dict(self.slots)
        k.values = dict(self.values)
        k.players = set(self.players)
        k.fresh = set(self.fresh)
        k.spared = self.spared
        return k


class Arm:
    """An expression that is not always worked out: the statements before it, and its text."""

    __slots__ = ("text", "suite")

    def __init__(self, text: str, suite: Suite) -> None:
        self.text = text
        self.suite = suite


Emitter = Callable[["Writer", Any, bool], str]
#: What an expression is with these variables constant, if that can be told.
Folder = Callable[[Expr, dict[int, Any], int], "Const | None"]


class Writer:
    """Writes one function."""

    def __init__(
        self, book: Rulebook, emitters: dict[type[Expr], Emitter], fold: Folder, finishes: bool = False
    ) -> None:
        self.finishes = finishes  # where the program ends, an act is over
        self.after: tuple[Ability, ...] = ()  # what listens to the end of the verb whose program it is
        self.book = book
        self.players_of = book.players_by_out
        self.emitters = emitters
        self.fold = fold
        self.bound: dict[str, Any] = {}
        self.names: dict[int, str] = {}
        self.harmless: dict[str, bool] = {}  # by the name of a question: whether it cannot look at acts
        self.suite: Suite = []
        self.known = Known()
        self.outer: list[Known] = []  # of the arms around
        self.before: Suite = self.suite  # where statements go that are carried out in any case
        self.frame = True  # whether there is one
        self.standing: Callable[[Known], list[str]] | None = None  # how it is made, where it is made when it is needed
        self.lost: set[int] = set()  # slots that nobody knows any more, where there is no frame
        self.blank: set[int] = set()  # slots that were read there though nothing had set them
        self.you = "_you"
        self.card = "_card"
        self.pc = 0
        self.depth = 0
        self.nodes = 0
        self.temps = 0
        self.order = 0  # statements so far that may not change places with what is worked out around them

    # -- names -------------------------------------------------------------------------------------------------------

    def bind(self, value: Any) -> str:
        """A global of the function that holds this very object."""
        name = self.names.get(id(value))
        if name is None:
            name = f"K{len(self.bound)}"
            self.names[id(value)] = name
            self.bound[name] = value
        return name

    def literal(self, value: Any) -> str:
        """A constant: small numbers and flags as they are, all else bound."""
        if value is None or value is True or value is False:
            return str(value)
        if type(value) is int and abs(value) < 1 << 62:
            return str(value) if value >= 0 else f"({value})"
        return self.bind(value)

    def temp(self) -> str:
        """A local of its own."""
        self.temps += 1
        return f"t{self.temps}"

    # -- statements --------------------------------------------------------------------------------------------------

    def put(self, text: str, body: Suite | None = None) -> None:
        """A statement that stays where it is."""
        if self.known.spared and (self.stands(text) or any(self.stands(part) for part in texts(body or ()))):
            if text.startswith("el"):
                raise Unfit
            self.stand()
        self.put_arm(text, body)

    def put_arm(self, text: str, body: Suite | None = None) -> None:
        """The same where each way through the suite has seen to its frame already."""
        self.suite.append(Line(text, self.pc, body))
        self.order += 1

    def stands(self, text: str) -> bool:
        """Does what is written need the frame of the program, or its act?"""
        if STANDING.search(text):
            return True
        return any(not self.aloof(of, name) for of, name in CALLS.findall(text))

    def aloof(self, of: str, name: str) -> bool:
        """Can what is called look neither at acts nor at frames?"""
        if name in ALOOF or self.bound.get(name) is self.players_of:
            return True
        if name != "woven":
            return False
        found = self.harmless.get(of)
        if found is None:
            asked = self.bound.get(of)
            found = isinstance(asked, Question) and not sees_acts(asked)
            self.harmless[of] = found
        return found

    def stand(self) -> None:
        """From here on there is a frame, if there was none."""
        known = self.known
        if not known.spared:
            return
        if self.outer:
            raise Unfit
        gap = Gap()
        self.suite.append(gap)
        self.stand_in(gap, known, self.pc)

    def visit(self, suite: Suite) -> Suite:
        """What needs the act, and changes nothing of it and its frame that is not read back: they are there for so
        long."""
        if not self.known.spared or self.standing is None:
            return suite
        before = [Line(text, self.pc) for text in self.standing(self.known)[:1]]
        return [*before, *suite, Line("_frames.pop()", self.pc), Line("s.top_act = s.top_act.below", self.pc)]

    def stand_in(self, gap: Gap, known: Known, pc: int) -> None:
        """The same at another place."""
        if known.spared and self.standing is not None:
            gap.lines.extend([Line(text, pc) for text in self.standing(known)])
            known.spared = False
            known.slots = dict.fromkeys(known.slots, False)

    def pay(self, slots: Iterable[int] | None = None) -> None:
        """Give the frame what is owed to it of these slots (None: of all)."""
        known = self.known
        if known.spared:
            return
        for slot in sorted(known.slots if slots is None else set(slots)):
            if not known.slots.get(slot):
                continue
            known.slots[slot] = False
            if not self.frame:
                continue
            text = self.payment(slot, known)
            if self.outer and slot not in known.fresh and not any(slot in k.fresh for k in self.outer):
                self.before.append(Line(text, self.pc))
                for k in self.outer:
                    if slot in k.slots:
                        k.slots[slot] = False
            else:
                self.suite.append(Line(text, self.pc))

    def payment(self, slot: int, known: Known) -> str:
        """The statement that gives the frame what a slot holds."""
        return f"_vars[{slot}] = {self.literal(known.values[slot]) if slot in known.values else f'v{slot}'}"

    def forget(self, slots: Iterable[int]) -> None:
        """These slots may have been set by somebody else."""
        for slot in slots:
            self.known.slots.pop(slot, None)
            self.known.values.pop(slot, None)
            self.known.players -= {f"v{slot}"}

    def set_slot(self, slot: int, text: str) -> None:
        """The slot gets the value of an expression."""
        if text != f"v{slot}":
            self.put(f"v{slot} = {text}")
        self.mark_set(slot)

    def set_value(self, slot: int, value: Any) -> None:
        """The slot gets a constant."""
        self.mark_set(slot)
        self.known.values[slot] = value

    def mark_set(self, slot: int) -> None:
        """The local of the slot holds something new."""
        known = self.known
        known.slots[slot] = True
        known.values.pop(slot, None)
        known.fresh.add(slot)
        known.players -= {f"v{slot}"}

    # -- expressions -------------------------------------------------------------------------------------------------

    def ev(self, e: Expr, test: bool = False) -> str:
        """The source of an expression, for use in a greater one. `test`: only whether it is true matters."""
        if type(e) is Short:
            e = e.inner
        if self.known.values:
            found = self.fold(e, self.known.values, 0)
            if found is not None:
                return self.literal(found.value)
        emitter = self.emitters.get(type(e))
        if emitter is None or self.depth >= MAX_DEPTH or self.nodes >= MAX_NODES:
            return self.plain(e)
        self.nodes += 1
        self.depth += 1
        text = emitter(self, e, test)
        self.depth -= 1
        return text

    def plain(self, e: Expr) -> str:
        """The expression worked out the plain way."""
        return f"{self.bind(e)}.ev(s, {self.framed(e)})"

    def framed(self, *parts: Expr) -> str:
        """A frame in which these expressions can be worked out: the one there is, with all that they read, or a new
        one."""
        reads: set[int] = set()
        sets: set[int] = set()
        for e in parts:
            r, t = slots_of(e)
            reads |= r
            sets |= t
        if self.frame:
            self.stand()
            self.pay(reads | sets)
            self.forget(sets)
            return "f"
        if reads & self.lost or max(reads | sets, default=0) >= MAX_SLOTS:
            raise NoFrame
        self.blur(sets)
        held = self.known.slots
        vars = [self.var(n) if n in reads and n in held else "None" for n in range(max(reads | sets, default=-1) + 1)]
        return f"Frame({self.bind(self.book.nothing)}, [{', '.join(vars)}], {self.you}, {self.card}, -1, None)"

    def blur(self, slots: Iterable[int]) -> None:
        """Where there is no frame: what these slots hold is not known any more. What was read of them before may be
        read again, in a loop."""
        if not self.blank.isdisjoint(slots):
            raise NoFrame
        self.lost.update(slots)

    def all(self, *parts: Expr) -> list[str]:
        """Several expressions, worked out in this order."""
        found: list[str] = []
        for e in parts:
            at, order = len(self.suite), self.order
            found.append(self.ev(e))
            if self.order != order:
                self.spill(found, len(found) - 1, at)
        return found

    def spill(self, found: list[str], count: int, at: int) -> None:
        """Statements came in between: what comes before them is worked out before them."""
        for i in range(count):
            text = found[i]
            if text.isdigit() or (text[0] in "Kt_" and text.isidentifier()):
                continue
            t = self.temp()
            self.suite.insert(at, Line(f"{t} = {text}", self.pc))
            at += 1
            found[i] = t

    def thing(self, e: Expr) -> str:
        """An expression that something is done with: Python warns of what is done with a bare constant."""
        text = self.ev(e)
        if text.isdigit() or text in ("None", "True", "False"):
            return self.bind({"None": None, "True": True, "False": False}.get(text, int(text) if text.isdigit() else 0))
        return text

    def name(self, e: Expr) -> tuple[str, str]:
        """An expression that is used several times: as it is written first, and from then on."""
        t, text = self.named(self.thing(e))
        return text, t

    def named(self, text: str) -> tuple[str, str]:
        """The same for what is written already: from its first use on, and how it is written first."""
        if text.isidentifier():
            return text, text
        cached = CACHED.fullmatch(text)
        if cached is not None:
            return cached[1], text
        t = self.temp()
        return t, f"({t} := {text})"

    def settled(self, text: str) -> str:
        """What is written is worked out in a statement: its name, or the constant that it is."""
        if text.isidentifier() or text.isdigit():
            return text
        cached = CACHED.fullmatch(text)
        if cached is not None:
            self.put(f"{cached[1]} = {cached[2]}")
            return cached[1]
        t = self.temp()
        self.put(f"{t} = {text}")
        return t

    def local(self, text: str) -> str:
        """What is written is worked out in a statement: the name of a variable, even of a constant."""
        if text[0] in "Kvt_" and text.isidentifier():
            return text
        t = self.temp()
        self.put(f"{t} = {text}")
        return t

    def var(self, slot: int) -> str:
        """A variable of the frame."""
        if slot in self.known.values:
            return self.literal(self.known.values[slot])
        if slot in self.known.slots:
            return f"v{slot}"
        if not self.frame:
            if slot in self.lost:
                raise NoFrame
            self.blank.add(slot)
            return "None"
        if self.outer:
            return f"_vars[{slot}]"
        self.known.slots[slot] = False
        return f"(v{slot} := _vars[{slot}])"

    def hold(self, slot: int) -> None:
        """The local of this slot holds its value from here on."""
        if slot in self.known.values:
            self.put(f"v{slot} = {self.literal(self.known.values.pop(slot))}")
        if slot not in self.known.slots:
            if slot in self.lost:
                raise NoFrame
            self.put(f"v{slot} = _vars[{slot}]" if self.frame else f"v{slot} = None")
            self.known.slots[slot] = False

    # -- what is not always worked out -------------------------------------------------------------------------------

    def enter(self) -> tuple[Suite, Suite]:
        """Begin an arm."""
        kept = self.suite, self.before
        if not self.outer:
            self.before = self.suite
            self.known.fresh = set()
        self.outer.append(self.known)
        self.known = self.known.copy()
        self.known.fresh = set()
        self.suite = []
        return kept

    def leave(self, kept: tuple[Suite, Suite], own: int = -1) -> Suite:
        """End an arm: what it set is given to the frame, but for its own slot."""
        self.pay([slot for slot in self.known.fresh if slot != own])
        fresh = self.known.fresh
        suite = self.suite
        self.known = self.outer.pop()
        self.suite, self.before = kept
        gone = [slot for slot in fresh if slot != own]
        if gone and self.known.spared:
            raise Unfit
        self.pay(gone)  # what was owed before the arm, which may not be taken
        self.forget(gone)
        if not self.frame:
            self.blur(gone)
        return suite

    def arm(self, e: Expr, test: bool = False) -> Arm:
        """An expression in an arm of its own."""
        order = self.order
        kept = self.enter()
        text = self.ev(e, test)
        suite = self.leave(kept)
        if not suite:
            self.order = order
        return Arm(text, suite)

    def too_deep(self) -> bool:
        """Whether there are arms enough around."""
        return len(self.outer) >= MAX_ARMS


def texts(suite: Iterable[Line | Gap]) -> Iterator[str]:
    """The statements of a suite."""
    for item in suite:
        for line in item.lines if isinstance(item, Gap) else (item,):
            yield line.text
            yield from texts(line.body or ())


def render(suite: Suite, indent: int, lines: list[str], places: list[int]) -> None:
    """The suite as lines of text, and the operation of each."""
    before = len(lines)
    for item in suite:
        for line in item.lines if isinstance(item, Gap) else (item,):
            lines.append(" " * indent + line.text)
            places.append(line.pc)
            if line.body is not None:
                render(line.body, indent + 1, lines, places)
    if len(lines) == before:
        lines.append(" " * indent + "pass")
        places.append(0)
