"""Operations that no verb is: variables, conditions, loops, calls; and how a program is linked."""

from __future__ import annotations

from kernel.core import Expr, Frame, Op, Program, Value
from kernel.errors import CardError
from kernel.events import call, ending, near
from kernel.expr import member_of
from kernel.machine import ended, spend
from kernel.model import Verb
from kernel.news import tell
from kernel.seats import public
from kernel.state import Data as State


class Let(Op):
    """`let`."""

    __slots__ = ("slot", "value")

    def __init__(self, slot: int, value: Expr) -> None:
        self.slot = slot
        self.value = value

    def run(self, s: State, f: Frame) -> Op | None:
        v = self.value.ev(s, f)
        f.vars[self.slot] = tuple(v) if type(v) is list else v
        return self.next


class LetPlain(Op):
    """`let` with a value that is never a zone's own list."""

    __slots__ = ("slot", "value")

    def __init__(self, slot: int, value: Expr) -> None:
        self.slot = slot
        self.value = value

    def run(self, s: State, f: Frame) -> Op | None:
        f.vars[self.slot] = self.value.ev(s, f)
        return self.next


class SetTurn(Op):
    """`set turns_owed` and `set direction`."""

    __slots__ = ("direction", "value")

    def __init__(self, direction: bool, value: Expr) -> None:
        self.direction = direction
        self.value = value

    def run(self, s: State, f: Frame) -> Op | None:
        v = self.value.ev(s, f)
        if self.direction:
            if v not in (1, -1):
                raise CardError(f"the direction is 1 or -1, not {v}")
            s.direction = v
            tell(s, "direction", f.you, data=(("direction", v),))
        else:
            if not 0 <= v <= 10_000:
                raise CardError(f"turns owed are 0 to 10000, not {v}")
            s.owed = v
            tell(s, "owed", s.turn, data=(("owed", v),))
        return self.next


class SetGame(Op):
    """`set_game`."""

    __slots__ = ("index", "value")

    def __init__(self, index: int, value: Expr) -> None:
        self.index = index
        self.value = value

    def run(self, s: State, f: Frame) -> Op | None:
        v = self.value.ev(s, f)
        s.game_attrs[self.index] = tuple(v) if type(v) is list else v
        return self.next


class SetPlayer(Op):
    """`set_player`."""

    __slots__ = ("index", "player", "value")

    def __init__(self, index: int, player: Expr, value: Expr) -> None:
        self.index = index
        self.player = player
        self.value = value

    def run(self, s: State, f: Frame) -> Op | None:
        p = member_of(s, self.player.ev(s, f))
        v = self.value.ev(s, f)
        v = tuple(v) if type(v) is list else v
        a = s.book.player_attributes[self.index]
        at = self.index * s.players + p
        if a.see == "all" and s.player_attrs[at] == v:
            return self.next  # what everybody sees has not changed; of what is not seen by all, silence would tell
        s.player_attrs[at] = v
        shown = public(s.players) if a.see == "all" else 1 << p if a.see == "owner" else 0
        if shown:
            tell(s, "set", p, data=(("attribute", a.name),), secret=(("value", v),), private=shown)
        return self.next


class SetCard(Op):
    """`set_card`."""

    __slots__ = ("index", "card", "value")

    def __init__(self, index: int, card: Expr, value: Expr) -> None:
        self.index = index
        self.card = card
        self.value = value

    def run(self, s: State, f: Frame) -> Op | None:
        card = self.card.ev(s, f)
        if card is None:
            raise CardError("an attribute is set, but there is no card")
        s.card_attrs[card * len(s.book.card_attributes) + self.index] = self.value.ev(s, f)
        s.odd.add(card)
        return self.next


class Jump(Op):
    """`jump`. Forward jumps are taken when the program is linked; what is left is what a loop comes back through."""

    __slots__ = ("to", "target")

    def __init__(self, to: int) -> None:
        self.to = to

    def link(self, ops: list[Op]) -> None:
        self.target = landing(ops, self.to)

    def run(self, s: State, f: Frame) -> Op | None:
        s.budget -= 1
        if s.budget < 0:
            spend(s)
        return self.target


def landing(ops: list[Op], pc: int) -> Op:
    """The operation that a way to this place leads to, past all jumps that lead on."""
    while True:
        op = ops[pc]
        if not isinstance(op, Jump) or op.to <= pc:
            return op
        pc = op.to


class Unless(Op):
    """`unless`."""

    __slots__ = ("test", "to", "other")

    def __init__(self, test: Expr, to: int) -> None:
        self.test = test
        self.to = to

    def link(self, ops: list[Op]) -> None:
        self.other = landing(ops, self.to)

    def run(self, s: State, f: Frame) -> Op | None:
        holds = self.test.ev(s, f)
        return self.next if holds is not False and (holds is True or holds) else self.other


class When(Unless):
    """`unless` with `not` before its condition."""

    __slots__ = ()

    def run(self, s: State, f: Frame) -> Op | None:
        holds = self.test.ev(s, f)
        return self.other if holds is not False and (holds is True or holds) else self.next


class Iter(Op):
    """`iter`."""

    __slots__ = ("slot", "value")

    def __init__(self, slot: int, value: Expr) -> None:
        self.slot = slot
        self.value = value

    def run(self, s: State, f: Frame) -> Op | None:
        f.vars[self.slot] = tuple(self.value.ev(s, f))
        f.vars[self.slot + 1] = 0
        return self.next


class Next(Op):
    """`next`."""

    __slots__ = ("slot", "var", "to", "done")

    def __init__(self, slot: int, var: int, to: int) -> None:
        self.slot = slot
        self.var = var
        self.to = to

    def link(self, ops: list[Op]) -> None:
        self.done = landing(ops, self.to)

    def run(self, s: State, f: Frame) -> Op | None:
        vars = f.vars
        items = vars[self.slot]
        i = vars[self.slot + 1]
        if i >= len(items):
            return self.done
        vars[self.slot + 1] = i + 1
        vars[self.var] = items[i]
        return self.next


class Calling(Op):
    """What has to do with a call of a verb of the game."""

    __slots__ = ("verb", "args")

    def __init__(self, verb: Verb, args: tuple[Expr | None, ...]) -> None:
        self.verb = verb
        self.args = args

    def given(self, s: State, f: Frame) -> list[Value]:
        """The arguments."""
        args: list[Value] = []
        for e in self.args:
            if e is None:
                args.append(None)
            else:
                v = e.ev(s, f)
                args.append(tuple(v) if type(v) is list else v)
        return args


class Call(Calling):
    """A call of a verb."""

    __slots__ = ()

    def run(self, s: State, f: Frame) -> Op | None:
        f.pc = self.pc + 1
        call(s, f, self.verb, self.given(s, f))
        return None


class Heard(Calling):
    """Before what a verb does, which follows in its place: if something that listens is near, the verb is called."""

    __slots__ = ("end_pc",)

    def __init__(self, verb: Verb, args: tuple[Expr | None, ...], end_pc: int) -> None:
        super().__init__(verb, args)
        self.end_pc = end_pc  # where the frame goes on then

    def run(self, s: State, f: Frame) -> Op | None:
        verb = self.verb
        if near(s, verb.early):
            f.pc = self.end_pc
            call(s, f, verb, self.given(s, f))
            return None
        return self.next


class After(Calling):
    """Behind what a verb does in the place of a call: what listens to its end comes in."""

    __slots__ = ()

    def run(self, s: State, f: Frame) -> Op | None:
        verb = self.verb
        if near(s, verb.at_end):
            f.pc = self.pc + 1
            args = self.given(s, f)
            spend(s)
            s.frames.append(ending(s, f, verb, args))
            return None
        return self.next


class Stop(Op):
    """`stop`."""

    __slots__ = ()

    def run(self, s: State, f: Frame) -> Op | None:
        ended(s)
        return None


def link(program: Program) -> None:
    """Tell every operation which is next, so that nothing is looked up in play."""
    ops = program.ops
    for pc, op in enumerate(ops):
        op.pc = pc
        op.next = landing(ops, pc + 1) if pc + 1 < len(ops) else op
        op.link(ops)
