"""Calls of verbs, what listens to them, and the end of an act."""

from __future__ import annotations

from typing import Final

from kernel.acts import WINDOW_PC, straight_on
from kernel.core import ANNOUNCED, NO_ACT, NO_CARD, RESOLVING, Act, Expr, Frame, Op, Program, Value
from kernel.errors import CardError
from kernel.faces import holders
from kernel.machine import spend
from kernel.model import Ability, Answer, Verb
from kernel.native import COMPILED
from kernel.state import Data as State

#: Where the program of a call stands when those that listen before it come in, when the verb itself is to begin, and
#: when it is over.
FIRE_PC: Final = 1
BODY_PC: Final = 2
AFTER_PC: Final = 3


class Finish(Op):
    """The end of an act that does not happen. Of one that does, the end of its program is the end."""

    __slots__ = ()

    def run(self, s: State, f: Frame) -> Op | None:
        s.frames.pop()
        finish_act(s)
        return None


def finish_act(s: State) -> None:
    """The act on top is over. One below that still waits asks again, unless this was an answer that settled it."""
    act = s.top_act
    assert act is not None
    below = act.below
    s.top_act = below
    if act.alias:
        card = act.cards[-1]
        z = s.where[card]
        if z >= 0 and s.seats.definition[z] == s.book.announce_zone:
            s.count_as_itself(card)
    done = s.book.done_abilities
    if below is not None:
        g = s.frames[-1] if s.frames else None
        if g is not None and below.stage == ANNOUNCED and g.prog is s.book.act_program and g.act == below.n:
            if act.target != below.n or not act.cancelled:
                g.pc = WINDOW_PC
        while below is not None:
            if below.stage == RESOLVING:
                return
            below = below.below
    if s.live & s.book.done_live and near(s, done):
        fire(s, done, ())


def call(s: State, f: Frame, verb: Verb, args: list[Value]) -> None:
    """Call a verb of the game: what listens to it comes in, if anything in this book does."""
    spend(s)
    if verb.heard:
        values = tuple(args)
        pc = AFTER_PC
        found: list[tuple[int, int, int]] = []
        if near(s, verb.before):
            found = listening(s, verb.before, values)
            if found:
                pc = FIRE_PC
        if not found and near(s, verb.instead) and listening(s, verb.instead, values):
            pc = BODY_PC
        if pc != AFTER_PC or (verb.when and (not verb.calm or near(s, verb.when))):
            fr = ending(s, f, verb, args)
            fr.pc = pc
            fr.vars[2] = tuple(found)
            s.frames.append(fr)
            if pc != AFTER_PC:
                return
    enter(s, f.you, f.card, f.act, verb, args)


def ending(s: State, f: Frame, verb: Verb, args: list[Value]) -> Frame:
    """The frame of a call that stands where the verb itself is over."""
    fr = Frame(s.book.verb_program, [verb.index, tuple(args), (), 0, ()], f.you, f.card, f.act, None)
    fr.pc = AFTER_PC
    return fr


def enter(s: State, you: int, card: int, act_number: int, verb: Verb, args: list[Value]) -> None:
    """Run the verb itself: its program, or its act with a window."""
    spec = verb.spec
    program = verb.program
    assert program is not None
    if spec is not None:
        by = args[spec.by_param] if spec.by_param >= 0 else you
        if by is None:
            raise CardError(f"nobody is named as the one who does '{verb.name}'")
        s.act_count += 1
        vars = filled(args, program) if COMPILED else args + [None] * (program.slots - len(args))
        act = Act(s.act_count, spec, by, (), vars, NO_ACT)
        act.below = s.top_act
        s.top_act = act
        if spec.straight and s.coverage is None:
            straight_on(s, act, NO_CARD)
        else:
            s.frames.append(Frame(s.book.act_program, [], by, NO_CARD, act.n, None))
        return
    vars = filled(args, program) if COMPILED else args + [None] * (program.slots - len(args))
    s.frames.append(Frame(program, vars, you, card, act_number, None))


def filled(args: list[Value], program: Program) -> list[Value]:
    """The arguments and as many times None as the program has variables besides, compiled."""
    vars = program.blank[:]
    at = 0
    for arg in args:
        vars[at] = arg
        at += 1
    return vars


def as_answer(ability: Ability) -> Answer:
    """The ability's place rules in the shape that `holders` reads."""
    mark = ability.zones is None
    return Answer(ability.kind, ability.zones, None, ability.condition or YES, 0, mark)


class Yes(Expr):
    """Always true."""

    __slots__ = ()

    def ev(self, s: State, f: Frame) -> Value:
        return True


YES: Final = Yes()


def listening(s: State, abilities: tuple[Ability, ...], args: tuple[Value, ...]) -> list[tuple[int, int, int]]:
    """Abilities that answer the event now, in order: (ability, card, you)."""
    found: list[tuple[int, int, int, int, int, int]] = []
    n = s.players
    for a in abilities:
        if not s.live & a.live or (a.attribute >= 0 and not s.aliases and not carried(s, a)):
            continue
        for card, you in holders(s, s.book.ability_places[a.index]):
            owner = you
            seat = (owner - s.turn) * s.direction % n if owner >= 0 else n
            if you < 0:
                you = s.turn
            if holds(s, a, card, you, args):
                z = s.where[card]
                spot = s.zones[z].index(card) if z >= 0 else 0
                found.append((seat, a.kind, spot, a.index, card, you))
    found.sort()
    return [(x[3], x[4], x[5]) for x in found]


def carried(s: State, a: Ability) -> bool:
    """Does a card of the ability's kind carry the attribute that it must?"""
    attrs = s.card_attrs
    if attrs:
        width = s.book.card_width
        for card in s.deal.cards_of(a.kind):
            if attrs.get(card * width + a.attribute):
                return True
    return False


def holds(s: State, a: Ability, card: int, you: int, args: tuple[Value, ...]) -> bool:
    """Does the ability's condition hold?"""
    if a.condition is None:
        return True
    fr = Frame(s.book.nothing, [None] * a.program.slots, you, card, NO_ACT, args)
    return bool(a.condition.ev(s, fr))


def lies_there(s: State, a: Ability, card: int) -> bool:
    """Is the card still where its ability counts?"""
    return any(c == card for c, _ in holders(s, s.book.ability_places[a.index]))


def near(s: State, abilities: tuple[Ability, ...]) -> bool:
    """May a card with one of these abilities lie where it counts? A quick look."""
    for a in abilities:
        if s.live & a.live and (a.attribute < 0 or s.aliases or carried(s, a)):
            return True
    return False


def fire(s: State, abilities: tuple[Ability, ...], args: tuple[Value, ...]) -> bool:
    """Let what listens to an event of the kernel come in. True if something does."""
    if not near(s, abilities):
        return False
    found = listening(s, abilities, args)
    if not found:
        return False
    spend(s)
    s.frames.append(Frame(s.book.event_program, [-1, args, tuple(found), 0, ()], -1, NO_CARD, NO_ACT, None))
    return True


class Collect(Op):
    """Find who listens: `before` or `when`."""

    __slots__ = ("after",)

    def __init__(self, after: bool) -> None:
        self.after = after

    def run(self, s: State, f: Frame) -> Op | None:
        f.pc = self.pc + 1
        verb = s.book.verbs[f.vars[0]]
        abilities = verb.when if self.after else verb.before
        if self.after and not near(s, abilities):
            s.frames.pop()
            return None
        f.vars[2] = tuple(listening(s, abilities, f.vars[1])) if abilities else ()
        f.vars[3] = 0
        return self.next


class FireNext(Op):
    """Run the listeners one after the other; each is looked at again before its turn."""

    __slots__ = ()

    def run(self, s: State, f: Frame) -> Op | None:
        f.pc = self.pc + 1
        found = f.vars[2]
        i = f.vars[3]
        while i < len(found):
            index, card, you = found[i]
            i += 1
            a = s.book.abilities[index]
            if lies_there(s, a, card) and holds(s, a, card, you, f.vars[1]):
                f.vars[3] = i
                f.pc -= 1
                s.frames.append(Frame(a.program, [None] * a.program.slots, you, card, f.act, f.vars[1]))
                return None
        f.vars[3] = i
        return self.next


class Body(Op):
    """The verb itself, or what replaces it."""

    __slots__ = ()

    def run(self, s: State, f: Frame) -> Op | None:
        f.pc = self.pc + 1
        next_instead(s, f)
        return None


def next_instead(s: State, f: Frame) -> None:
    """Push the next replacement that has not had its turn in this call, else the verb itself."""
    verb = s.book.verbs[f.vars[0]]
    args = f.vars[1]
    used = f.vars[4]
    if verb.instead:
        for index, card, you in listening(s, verb.instead, args):
            if (index, card) not in used:
                f.vars[4] = (*used, (index, card))
                a = s.book.abilities[index]
                s.frames.append(Frame(a.program, [None] * a.program.slots, you, card, f.act, args))
                return
    enter(s, f.you, f.card, f.act, verb, list(args))


class Proceed(Op):
    """In an `instead`: what was replaced happens now, with its own arguments or changed ones."""

    __slots__ = ("args",)

    def __init__(self, args: tuple[Expr | None, ...] | None) -> None:
        self.args = args

    def run(self, s: State, f: Frame) -> Op | None:
        f.pc = self.pc + 1
        frames = s.frames
        i = len(frames) - 1
        while i >= 0 and frames[i].prog is not s.book.verb_program:
            i -= 1
        if i < 0:
            raise CardError("there is nothing to proceed with")
        g = frames[i]
        if self.args is not None:
            old = g.vars[1]
            g.vars[1] = tuple([old[k] if e is None else e.ev(s, f) for k, e in enumerate(self.args)])
        next_instead(s, g)
        return None


class Left(Op):
    """A player has left, and the game has said what that means: whoever listens comes in."""

    __slots__ = ()

    def run(self, s: State, f: Frame) -> Op | None:
        f.pc = self.pc + 1
        s.frames.pop()
        fire(s, s.book.kernel_heard["leave"], (f.you,))
        return None
