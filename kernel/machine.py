"""The machine: the loop that runs frames, the built-in programs of acts, verb calls and events, and what starts them.

A suspended game is a stack of frames and an open question; nothing else is in flight.
"""

from __future__ import annotations

from typing import Final

from kernel.actions import ActGroup, Group, LegalSet
from kernel.core import ANNOUNCED, NO_ACT, NO_CARD, RESOLVING, Act, ActSpec, Expr, Frame, Op, Program, Value
from kernel.errors import CardError
from kernel.knowledge import bits_list, holders, relocate, show, witness
from kernel.model import Ability, Answer, Verb
from kernel.news import tell
from kernel.quick import answering, moves
from kernel.state import ASK_MOVE, ASK_WINDOW, NO_ASK
from kernel.state import Data as State

OPERATIONS: Final = 100_000  # for one decision
FRAMES: Final = 2_000


# -- the loop --------------------------------------------------------------------------------------------------------


def run(s: State) -> None:
    """Go on until somebody is asked or the game is over."""
    frames = s.frames
    f: Frame | None = None
    op: Op | None = None
    try:
        while True:
            if not frames:
                if not s.over:
                    finish_game(s, ())
                return
            f = frames[-1]
            op = f.prog.ops[f.pc]
            if s.coverage is None:
                while op is not None:
                    op = op.run(s, f)
            else:
                while op is not None:
                    note_coverage(s, f, op)
                    op = op.run(s, f)
            if s.ask:
                break
    except CardError as error:
        raise placed(s, f, op, error) from None
    except RecursionError:
        raise placed(s, f, op, CardError("questions ask each other without end", code="limit")) from None
    if s.book.shows and not s.over:
        witness(s)


def spend(s: State) -> None:
    """Count what could go on without end: a loop, a call, something that listens. The author's error where
    it is too much."""
    s.budget -= 1
    if s.budget < 0 or len(s.frames) > FRAMES:
        raise CardError("this does not come to an end: the limit of operations is reached", code="limit")


def placed(s: State, f: Frame | None, op: Op | None, error: CardError) -> CardError:
    """The error with the file, line and card of the operation it came from."""
    if error.file:
        return error
    if f is not None and f.prog.file:
        file, line, owner = f.prog.place(f.pc - 1 if op is None else op.pc)
        return CardError(error.message, file, line, owner, error.code)
    for g in reversed(s.frames):
        if g is not f and g.prog.file and g.prog.lines:
            file, line, owner = g.prog.place(g.pc - 1)
            return CardError(error.message, file, line, owner, error.code)
    return error


def note_coverage(s: State, f: Frame, op: Op) -> None:
    """Remember that a line of the rules ran; jumps that were taken when the program was linked count with it."""
    prog = f.prog
    if s.coverage is None or not prog.file:
        return
    pc = op.pc
    while pc < len(prog.lines):
        file, line, _ = prog.place(pc)
        s.coverage.add((file, line))
        if pc + 1 >= len(prog.ops) or op.next is prog.ops[pc + 1]:
            return
        pc += 1
        if op.next.pc <= pc:
            return


def finish_game(s: State, winners: tuple[int, ...]) -> None:
    """The end: nothing is asked any more."""
    s.over = True
    s.winners = tuple(sorted(winners))
    s.ask = NO_ASK
    s.ask_mask = 0
    s.frames.clear()
    s.acts.clear()
    tell(s, "over", data=(("winners", list(s.winners)),))


def count_decision(s: State) -> None:
    """One more decision that is no pass; the game's limit ends what does not end."""
    s.budget = OPERATIONS
    s.decisions += 1
    if s.decisions > s.book.decision_limit and not s.over:
        end_undecided(s)


def end_undecided(s: State) -> None:
    """The game has gone on for too long: it ends as it says that it then does."""
    who = s.book.limit_winners
    if who is not None:
        fr = Frame(s.book.nothing, [None] * s.book.limit_slots, s.turn, NO_CARD, NO_ACT, None)
        finish_game(s, tuple(who.ev(s, fr)))
    else:
        finish_game(s, s.living() if s.book.ending == "draw" else ())


class End(Op):
    """The end of every program."""

    __slots__ = ()

    def run(self, s: State, f: Frame) -> Op | None:
        s.frames.pop()
        return None


# -- acts ------------------------------------------------------------------------------------------------------------

WINDOW_PC: Final = 1
RESOLVE_PC: Final = 2
FINISH_PC: Final = 3


def start_act(
    s: State, spec: ActSpec, by: int, cards: tuple[int, ...], args: tuple[Value, ...], alias: str, target: int
) -> Act:
    """Announce an act: it goes on top of the stack. `args` are the values of its choices, in order."""
    number = s.act_count + 1
    s.act_count = number
    vars: list[Value] = [None] * spec.slots
    card = NO_CARD
    if cards:
        if spec.cards is not None:
            vars[0] = cards
        else:
            card = cards[-1]
    if args:
        at = 0
        for choice in spec.choices:
            vars[choice.slot] = args[at]
            at += 1
    act = Act(number, spec, by, cards, vars, target)
    if alias:
        act.alias = alias
    s.acts.append(act)
    frame = Frame(s.book.act_program, [], by, card, number, None)
    s.frames.append(frame)
    if spec.straight and s.coverage is None:
        straight_on(s, act, frame)
    return act


def straight_on(s: State, act: Act, frame: Frame) -> None:
    """Announce an act, ask who may answer and, if nobody, begin it: the first operations of its program in one go."""
    spec = act.spec
    if act.cards or s.telling:
        announced(s, act)
    else:
        s.version += 1
    if spec.window:
        mask = eligible(s, act)
        if mask:
            if s.settled:
                mask = answering(s, mask)
            if mask:
                frame.pc = RESOLVE_PC
                s.ask = ASK_WINDOW
                s.ask_mask = mask
                s.ask_since = s.version
                return
    frame.pc = FINISH_PC
    if spec.choices and not still_possible(s, act):
        tell(s, "fizzled", act.by, data=(("act", act.n),))
        act.cancelled = True
        return
    begin(s, act, frame.card)


def take(s: State, player: int, group: Group, index: int) -> None:
    """Announce the act that a legal action stands for: number `index` of the group."""
    assert isinstance(group, ActGroup)
    spec = group.spec
    sets = group.sets
    options = group.options
    cards = NO_CARDS if sets is None else sets.take(s, player, group.split(index)[0] if options else index)
    args = group.args(index) if options else ()
    target = s.acts[-1].n if s.acts and spec.at == "response" else NO_ACT
    try:
        start_act(s, spec, player, cards, args, group.alias, target)
    except CardError as error:
        raise placed(s, None, None, error) from None
    except RecursionError:
        raise CardError("questions ask each other without end", code="limit") from None


NO_CARDS: Final[tuple[int, ...]] = ()


def offer(s: State, player: int) -> None:
    """Ask a player for a move. Policy `settled`: a move without an alternative is made at once."""
    s.ask = ASK_MOVE
    s.ask_mask = 1 << player
    s.ask_since = s.version
    legal = LegalSet(moves(s, player))
    if legal.total > 1 or (legal.total == 1 and not s.settled):
        s.legal_cache[player] = legal
        return
    if legal.total == 0:
        raise CardError(f"player {player} is to move, but no move is legal")
    s.ask = NO_ASK
    s.ask_mask = 0
    take(s, player, legal.groups[0], 0)
    count_decision(s)


def begin(s: State, act: Act, card: int) -> None:
    """The act happens now."""
    act.stage = RESOLVING
    program = act.spec.program
    assert program is not None
    vars = act.vars[:]
    if len(vars) < program.slots:
        vars.extend([None] * (program.slots - len(vars)))
    fr = Frame(program, vars, act.by, card, act.n, None)
    fr.target = act.target
    s.frames.append(fr)


def announced(s: State, act: Act) -> int:
    """The cards are laid where announced cards go, or shown, if that is how it begins; everybody hears it.

    How many operations of the program that announces it have been done so: 0 or 1.
    """
    spec = act.spec
    cards = act.cards
    texts = tuple([s.card_text(c) for c in cards]) if s.telling else ()
    begun = 0  # what is laid or shown is told by name
    if cards and spec.lay_zone >= 0:
        relocate(s, cards, s.zone_index(spec.lay_zone, act.by), 0, spec.lay_bottom, False, 0, 0, act.by)
        begun = 1
    elif cards and spec.lay_shown:
        show(s, cards, (1 << s.players) - 1, act.by)
        begun = 1
    if s.telling:
        tell(s, "announced", act.by, texts, tuple([s.known[c] for c in cards]), data=announcement(act))
    else:
        s.version += 1
    if act.alias:
        s.aliases[cards[-1]] = s.book.kind_by_id[act.alias].index
    return begun


def announcement(act: Act) -> tuple[tuple[str, Value], ...]:
    """What is told when an act is announced."""
    data: list[tuple[str, Value]] = [("act", act.n), ("what", act.spec.text)]
    if act.target >= 0:
        data.append(("answers", act.target))
    for choice in act.spec.choices:
        value = act.vars[choice.slot]
        if value is not None:
            data.append((choice.name, list(value) if isinstance(value, tuple) else value))
    for name, slot in act.spec.named:
        if act.vars[slot] is not None:
            data.append((name, act.vars[slot]))
    if act.alias:
        data.append(("as", act.alias))
    return tuple(data)


class Announce(Op):
    """The cards are shown and laid where announced cards go; everybody hears it."""

    __slots__ = ()

    def run(self, s: State, f: Frame) -> Op | None:
        f.pc = self.pc + 1
        act = s.acts[-1]
        spec = act.spec
        cards = act.cards
        own = spec.announce
        begun = announced(s, act)
        if not cards and own is None:
            return self.next
        program = own or s.book.announce
        if program is None:
            return self.next
        if begun:
            if s.coverage is not None and program.lines:
                s.coverage.add((program.file, program.lines[0]))
            if not spec.lay_more:
                return self.next
        vars: list[Value] = [None] * program.slots
        if own is not None:
            vars = act.vars + [None] * (own.slots - len(act.vars))
        else:
            vars[0] = cards
        fr = Frame(program, vars, act.by, f.card, act.n, None)
        fr.target = act.target if own is not None else NO_ACT
        fr.pc = begun
        s.frames.append(fr)
        return None


class Window(Op):
    """Whoever may answer such an act, as far as everybody can see, is asked; all at the same moment."""

    __slots__ = ()

    def run(self, s: State, f: Frame) -> Op | None:
        f.pc = self.pc + 1
        act = s.acts[-1]
        act.passed = 0
        if act.cancelled or not act.spec.window:
            return self.next
        mask = eligible(s, act)
        if not mask:
            return self.next
        if s.settled:
            mask = answering(s, mask)
            if not mask:
                return self.next
        s.ask = ASK_WINDOW
        s.ask_mask = mask
        s.ask_since = s.version
        return None


def eligible(s: State, act: Act) -> int:
    """Bits of the players who could answer this act with some card of the book. A matter of rules, never of hands."""
    book = s.book
    plan = book.plans[act.spec.index]
    if plan.everybody:
        return book.can_act_mask(s)
    if not plan.tests and not plan.ask_now:
        return 0
    can = book.can_act_mask(s)
    mask = 0
    for spec in plan.tests:
        if spec.to is not None:
            mask |= who_fits(s, spec.to, spec.slots, act, can & ~mask)
    if plan.ask_now and book.now is not None and mask != can:
        mask |= who_fits(s, book.now, book.now_slots, act, can & ~mask)
    return mask


def who_fits(s: State, test: Expr, slots: int, act: Act, players: int) -> int:
    """Bits of those players as whom the test holds for the act."""
    mask = 0
    fr = Frame(s.book.nothing, [None] * slots, 0, NO_CARD, NO_ACT, None)
    fr.target = act.n
    for p in bits_list(players):
        fr.you = p
        if test.ev(s, fr):
            mask |= 1 << p
    return mask


def still_possible(s: State, act: Act) -> bool:
    """Are the choices announced with the act still there to be chosen? One that the act can do without becomes none."""
    spec = act.spec
    if not spec.choices or spec.name in s.book.verb_by_name:
        return True
    card = act.cards[-1] if act.cards and spec.cards is None else NO_CARD
    fr = Frame(s.book.nothing, act.vars[:], act.by, card, act.n, None)
    fr.target = act.target
    for choice in spec.choices:
        value = act.vars[choice.slot]
        if value is None:
            continue
        if value in choice.set.ev(s, fr):
            continue
        if not choice.optional:
            return False
        act.vars[choice.slot] = None
        fr.vars[choice.slot] = None
        tell(s, "lost", act.by, data=(("act", act.n), ("choice", choice.name)))
    return True


class Resolve(Op):
    """Nobody answers any more: the act happens, unless it was cancelled or its object is gone."""

    __slots__ = ()

    def run(self, s: State, f: Frame) -> Op | None:
        f.pc = self.pc + 1
        act = s.acts[-1]
        if act.cancelled:
            return self.next
        spec = act.spec
        if spec.choices and not still_possible(s, act):
            tell(s, "fizzled", act.by, data=(("act", act.n),))
            act.cancelled = True
            return self.next
        begin(s, act, f.card)
        return None


class Finish(Op):
    """The act is over. An act below that still waits asks again, unless this was an answer that settled the matter."""

    __slots__ = ()

    def run(self, s: State, f: Frame) -> Op | None:
        f.pc = self.pc + 1
        act = s.acts.pop()
        s.frames.pop()
        if act.alias:
            card = act.cards[-1]
            z = s.where[card]
            if z >= 0 and s.seats.definition[z] == s.book.announce_zone:
                s.aliases.pop(card, None)
        if s.acts and s.frames:
            below = s.acts[-1]
            g = s.frames[-1]
            if below.stage == ANNOUNCED and g.prog is s.book.act_program and g.act == below.n:
                if act.target != below.n or not act.cancelled:
                    g.pc = WINDOW_PC
        done = s.book.done_abilities
        if done:
            for other in s.acts:
                if other.stage == RESOLVING:
                    return None
            fire(s, done, ())
        return None


# -- verbs and what listens to them ----------------------------------------------------------------------------------


def call(s: State, f: Frame, verb: Verb, args: list[Value]) -> None:
    """Call a verb of the game: what listens to it comes in, if anything in this book does."""
    spend(s)
    if verb.heard and (verb.when or s.aliases or near(s, verb.before) or near(s, verb.instead)):
        s.frames.append(Frame(s.book.verb_program, [verb.index, tuple(args), (), 0, ()], f.you, f.card, f.act, None))
    else:
        enter(s, f.you, f.card, f.act, verb, args)


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
        vars = args + [None] * (program.slots - len(args))
        act = Act(s.act_count, spec, by, (), vars, NO_ACT)
        s.acts.append(act)
        frame = Frame(s.book.act_program, [], by, NO_CARD, act.n, None)
        s.frames.append(frame)
        if spec.straight and s.coverage is None:
            straight_on(s, act, frame)
        return
    s.frames.append(Frame(program, args + [None] * (program.slots - len(args)), you, card, act_number, None))


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
    by_kind = s.deal.by_kind
    for a in abilities:
        if not by_kind[a.kind] and not s.aliases and not (a.zones is None and s.card_marks):
            continue
        place = s.book.ability_places[a.index]
        for card, you in holders(s, place):
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
    """Does a card with one of these abilities lie where it counts? A quick look, without what cards are played as."""
    where = s.where
    by_kind = s.deal.by_kind
    watched = s.book.watched
    n = s.players
    for a in abilities:
        if a.zones is None and s.card_marks:
            return True
        counts = watched[a.index][n]
        for card in by_kind[a.kind]:
            if counts[where[card]]:
                return True
    return False


def fire(s: State, abilities: tuple[Ability, ...], args: tuple[Value, ...]) -> bool:
    """Let what listens to an event of the kernel come in. True if something does."""
    if not s.aliases and not near(s, abilities):
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


def builtin(ops: list[Op]) -> Program:
    """A program of the machine's own."""
    p = Program(-1, 0, "", "")
    p.ops = [*ops, End()]
    for pc, op in enumerate(p.ops):
        op.pc = pc
        op.next = p.ops[min(pc + 1, len(ops))]
    return p


# -- leaving ---------------------------------------------------------------------------------------------------------


class Left(Op):
    """A player has left, and the game has said what that means: whoever listens comes in."""

    __slots__ = ()

    def run(self, s: State, f: Frame) -> Op | None:
        f.pc = self.pc + 1
        s.frames.pop()
        fire(s, s.book.kernel_heard["leave"], (f.you,))
        return None


class Reopen(Op):
    """After somebody has left: the question that was open is asked again as far as it still makes sense."""

    __slots__ = ()

    def run(self, s: State, f: Frame) -> Op | None:
        f.pc = self.pc + 1
        kind, mask = f.vars[0], f.vars[1]
        s.frames.pop()
        if not s.frames:
            return None
        mask &= ~s.left
        g = s.frames[-1]
        if kind == ASK_MOVE:
            if mask & ~s.out:
                g.pc -= 1
        elif kind == ASK_WINDOW:
            mask &= s.book.can_act_mask(s)
            if mask and not s.acts[-1].cancelled:
                s.ask = ASK_WINDOW
                s.ask_mask = mask
                s.ask_since = s.version
        else:
            s.book.reopen_pick(s, g, mask)
        return None
