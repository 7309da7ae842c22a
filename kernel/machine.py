"""The machine: the loop that runs frames, its limits, and how a game ends.

A suspended game is a stack of frames and an open question; nothing else is in flight.
"""

from __future__ import annotations

from typing import Final

from kernel.core import NO_ACT, NO_CARD, Frame, Op, Program
from kernel.errors import CardError
from kernel.knowledge import witness
from kernel.news import tell
from kernel.state import ASK_MOVE, ASK_WINDOW, NO_ASK
from kernel.state import Data as State

OPERATIONS: Final = 100_000  # for one decision
FRAMES: Final = 2_000


def run(s: State) -> None:
    """Go on until somebody is asked or the game is over."""
    if s.coverage is None and s.book.weaver is not None:
        run_woven(s)
        return
    frames = s.frames
    noting = s.coverage is not None
    f: Frame | None = None
    op: Op | None = None
    try:
        while not s.ask and frames:
            f = frames[-1]
            op = f.prog.ops[f.pc]
            while op is not None:
                if noting:
                    note_coverage(s, f, op)
                op = op.run(s, f)
    except (CardError, RecursionError) as error:
        raise failed(s, f, op, error) from None
    if not s.over:
        rest(s)


def run_woven(s: State) -> None:
    """The same, where programs are woven and nobody wants to know which lines ran."""
    frames = s.frames
    f: Frame | None = None
    op: Op | None = None
    try:
        while not s.ask and frames:
            f = frames[-1]
            op = f.prog.woven[f.pc](s, f)
            while op is not None:
                op = op.run(s, f)
    except (CardError, RecursionError) as error:
        raise failed(s, f, op, error) from None
    if not s.over and (not s.ask or s.book.shows):
        rest(s)


def rest(s: State) -> None:
    """Somebody is asked, or nothing is left to do."""
    if not s.ask:
        finish_game(s, ())
    elif s.book.shows and (s.odd or not s.book.shows_odd):
        witness(s)


def spend(s: State) -> None:
    """Count what could go on without end: a loop, a call, something that listens. The author's error where
    it is too much."""
    s.budget -= 1
    if s.budget < 0 or len(s.frames) > FRAMES:
        raise CardError("this does not come to an end: the limit of operations is reached", code="limit")


def failed(s: State, f: Frame | None, op: Op | None, error: CardError | RecursionError) -> CardError:
    """What went wrong in this frame and this operation (None: in a woven function, or where no program stands yet)."""
    if isinstance(error, CardError):
        cause = error
    else:
        cause = CardError("questions ask each other without end", code="limit")
    weaver = s.book.weaver
    if op is None and weaver is not None and not cause.file:
        found = weaver.op_at(error)
        if found is not None and found[1] >= 0 and found[0].file:
            file, line, owner = found[0].place(found[1])
            return CardError(cause.message, file, line, owner, cause.code)
    return placed(s, f, op, cause)


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
    s.top_act = None
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
        ended(s)
        return None


def ended(s: State) -> None:
    """The program on top of the stack has come to its end, and the act with it if it is what an act does."""
    if s.frames.pop().prog.finishes:
        s.book.finish_act(s)


def builtin(ops: list[Op]) -> Program:
    """A program of the machine's own."""
    p = Program(-1, 0, "", "")
    p.ops = [*ops, End()]
    for pc, op in enumerate(p.ops):
        op.pc = pc
        op.next = p.ops[min(pc + 1, len(ops))]
    return p


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
            if mask and not s.top().cancelled:
                s.ask = ASK_WINDOW
                s.ask_mask = mask
                s.ask_since = s.version
        else:
            s.book.reopen_pick(s, g, mask)
        return None
