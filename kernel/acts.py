"""Acts: what is announced, who may answer it, and how it begins."""

from __future__ import annotations

from typing import Final

from kernel.actions import ActGroup, Group, LegalSet
from kernel.core import NO_ACT, NO_CARD, RESOLVING, Act, ActSpec, Expr, Frame, Op, Value
from kernel.errors import CardError
from kernel.holding import answers_held, holding
from kernel.knowledge import bits_list, relocate, relocate_one, show
from kernel.machine import count_decision, failed
from kernel.native import COMPILED
from kernel.news import tell
from kernel.quick import answering
from kernel.state import ASK_MOVE, ASK_WINDOW, NO_ASK
from kernel.state import Data as State
from kernel.turn import turn_set

#: Where an act's own program stands: before its window, before it begins, before its end.
WINDOW_PC: Final = 1
RESOLVE_PC: Final = 2
FINISH_PC: Final = 3


def start_act(
    s: State, spec: ActSpec, by: int, cards: tuple[int, ...], args: tuple[Value, ...], alias: str, target: int
) -> None:
    """Announce an act: it goes on top of the stack. `args` are the values of its choices, in order."""
    number = s.act_count + 1
    s.act_count = number
    vars = spec.blank  # variables of which none is set are shared: nobody sets one later
    card = NO_CARD
    if cards:
        if spec.cards is not None:
            vars = vars[:]
            vars[0] = cards
        else:
            card = cards[-1]
    if args:
        at = 0
        if vars is spec.blank:
            vars = vars[:]
        for choice in spec.choices:
            vars[choice.slot] = args[at]
            at += 1
    act = Act(number, spec, by, cards, vars, target)
    if alias:
        act.alias = alias
    act.below = s.top_act
    s.top_act = act
    if spec.straight and s.coverage is None:
        straight_on(s, act, card)
    else:
        s.frames.append(Frame(s.book.act_program, [], by, card, number, None))


def straight_on(s: State, act: Act, card: int) -> None:
    """Announce an act, ask who may answer and, if nobody, begin it: the first operations of its program in one go."""
    spec = act.spec
    if s.telling or act.alias:
        announced(s, act)
    else:
        if act.cards:
            lay(s, act)
        s.version += 1
    looked = COMPILED or not s.settled  # else a quick look goes before; compiled, opening the window is as quick
    if spec.answerable and (looked or answers_held(s, spec.plan)) and opened(s, act, card):
        return
    if spec.unsteady:
        steady(s, act, card)
    else:
        begin(s, act, card)


def opened(s: State, act: Act, card: int) -> bool:
    """Ask who may answer the act, if anybody; the act's own program waits for it."""
    mask = questioned(s, act)
    if not mask:
        return False
    stand(s, act, card, RESOLVE_PC)
    s.ask = ASK_WINDOW
    s.ask_mask = mask
    s.ask_since = s.version
    return True


def steady(s: State, act: Act, card: int) -> None:
    """Begin the act if its choices are still possible now that its cards are laid."""
    if still_possible(s, act):
        begin(s, act, card)
        return
    tell(s, "fizzled", act.by, data=(("act", act.n),))
    act.cancelled = True
    stand(s, act, card, FINISH_PC)


def asked(s: State, spec: ActSpec, by: int, card: int, cards: tuple[int, ...], number: int, vars: list[Value]) -> None:
    """The act comes on the stack, laid already; ask who may answer and, if nobody, begin it."""
    act = Act(number, spec, by, cards, vars, NO_ACT)
    act.below = s.top_act
    s.top_act = act
    if not opened(s, act, card):
        begin(s, act, card)


def stood(
    s: State,
    spec: ActSpec,
    by: int,
    card: int,
    cards: tuple[int, ...],
    number: int,
    announced: list[Value],
    vars: list[Value],
) -> Frame:
    """An act that has begun comes on the stack, and its frame with it; `vars` are its variables now."""
    act = Act(number, spec, by, cards, announced, NO_ACT)
    act.stage = RESOLVING
    act.below = s.top_act
    s.top_act = act
    assert spec.program is not None
    frame = Frame(spec.program, vars, by, card, number, None)
    s.frames.append(frame)
    return frame


def stand(s: State, act: Act, card: int, pc: int) -> None:
    """The act's own program stands at this operation."""
    frame = Frame(s.book.act_program, [], act.by, card, act.n, None)
    frame.pc = pc
    s.frames.append(frame)


def take(s: State, player: int, group: Group, index: int) -> None:
    """Announce the act that a legal action stands for: number `index` of the group."""
    assert isinstance(group, ActGroup)
    spec = group.spec
    sets = group.sets
    options = group.options
    args: tuple[Value, ...] = ()
    if options:
        if len(options) == 1:
            values = options[0]
            args = (values[index % len(values)],)
            index //= len(values)
        else:
            args = group.args(index)
            index = group.split(index)[0]
    cards = NO_CARDS if sets is None else sets.take(s, player, index)
    target = NO_ACT
    if spec.at == "response" and s.top_act is not None:
        target = s.top_act.n
    try:
        start_act(s, spec, player, cards, args, group.alias, target)
    except (CardError, RecursionError) as error:
        raise failed(s, None, None, error) from None


NO_CARDS: Final[tuple[int, ...]] = ()


def offer(s: State, player: int) -> None:
    """Ask a player for a move. Policy `settled`: a move without an alternative is made at once."""
    found = s.deal.offer
    if found is not None:
        found(s, player)
    else:
        plainly(s, player)


def plainly(s: State, player: int) -> None:
    """The same, in all cases."""
    legal = turn_set(s, player)
    menu = s.deal.menu
    weaver = s.book.weaver
    if weaver is not None and menu is not None and menu.only is not None and menu.offer is None:
        menu.count += 1
        if menu.count > weaver.hot:
            menu.count = 0
            menu.offer = weaver.offer(menu, menu.only)
            s.deal.offer = menu.offer
    ask(s, player, legal)


def ask(s: State, player: int, legal: LegalSet) -> None:
    """Ask a player who may do this."""
    s.ask = ASK_MOVE
    s.ask_mask = 1 << player
    s.ask_since = s.version
    if legal.total > 1 or (legal.total == 1 and not s.settled):
        s.offered = legal
        return
    if legal.total == 0:
        raise CardError(f"player {player} is to move, but no move is legal")
    s.ask = NO_ASK
    s.ask_mask = 0
    count_decision(s)
    if not s.over:
        group = legal.groups[0]
        spec = group.act
        if spec is None or spec.launch is None:
            take(s, player, group, 0)
        else:
            spec.launch(s, player, group, 0)


def begin(s: State, act: Act, card: int) -> None:
    """The act happens now: its program takes the place of the frame in which it was announced."""
    act.stage = RESOLVING
    program = act.spec.program
    assert program is not None
    vars = act.vars
    if vars:
        vars = vars[:]
    fr = Frame(program, vars, act.by, card, act.n, None)
    fr.target = act.target
    s.frames.append(fr)


def lay(s: State, act: Act) -> int:
    """Lay or show the cards of an act if announcing it begins so: how many operations that were, 0 or 1."""
    spec = act.spec
    cards = act.cards
    if spec.lay_zone >= 0:
        zone = s.seats.base[spec.lay_zone]
        if spec.lay_own:
            zone += act.by
        if len(cards) > 1 or s.aliases or s.card_marks or s.card_attrs or not s.book.faces_plain:
            relocate(s, cards, zone, 0, spec.lay_bottom, False, 0, 0, act.by)
        else:
            relocate_one(s, cards[0], zone, 0, spec.lay_bottom, 0, act.by)
        return 1
    if spec.lay_shown:
        show(s, cards, (1 << s.players) - 1, act.by)
        return 1
    return 0


def announced(s: State, act: Act) -> int:
    """The cards are laid where announced cards go, or shown, if that is how it begins; everybody hears it.

    How many operations of the program that announces it have been done so: 0 or 1.
    """
    cards = act.cards
    texts = tuple([s.card_text(c) for c in cards]) if s.telling else ()  # what is laid or shown is told by name
    begun = lay(s, act) if cards else 0
    if s.telling:
        tell(s, "announced", act.by, texts, tuple([s.known[c] for c in cards]), data=announcement(act))
    else:
        s.version += 1
    if act.alias:
        s.count_as(cards[-1], s.book.kind_by_id[act.alias].index)
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
        act = s.top()
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
        act = s.top()
        act.passed = 0
        if act.cancelled or not act.spec.answerable:
            return self.next
        mask = questioned(s, act)
        if not mask:
            return self.next
        s.ask = ASK_WINDOW
        s.ask_mask = mask
        s.ask_since = s.version
        return None


def questioned(s: State, act: Act) -> int:
    """Bits of the players who are asked for an answer to this act: under `settled` those who have one."""
    if not s.settled:
        return eligible(s, act)
    plan = act.spec.plan
    among = (1 << s.players) - 1 if plan.moves else holding(s, plan)
    if not among:
        return 0
    mask = s.book.can_act_mask(s, among) if plan.everybody else eligible(s, act, among)
    return answering(s, mask) if mask else 0


def eligible(s: State, act: Act, among: int = -1) -> int:
    """Bits of the players, of these, who could answer this act with some card of the book. A matter of rules, never of
    hands."""
    book = s.book
    plan = act.spec.plan
    can = book.can_act_mask(s, among)
    if plan.everybody:
        return can
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
    if not spec.choices:
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
        act = s.top()
        if act.cancelled:
            return self.next
        spec = act.spec
        if spec.choices and not still_possible(s, act):
            tell(s, "fizzled", act.by, data=(("act", act.n),))
            act.cancelled = True
            return self.next
        s.frames.pop()
        begin(s, act, f.card)
        return None
