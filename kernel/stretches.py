"""Stretches: a part of a program as one function.

It begins at one operation and goes as far as it can. What comes together again after a condition comes together in the
function; a way back becomes a loop. Where that is not possible, the frame is told where it stands and the machine's
loop finds the stretch that begins there.
"""

from __future__ import annotations

from typing import Final

from kernel import flow as F
from kernel.asking import Ask
from kernel.core import Program
from kernel.emit import unless_rare
from kernel.emit_ops import END, OPERATIONS, plain
from kernel.machine import End
from kernel.writer import Gap, Known, Line, Suite, Writer

MAX_OPS: Final = 150  # of one stretch
MAX_TWICE: Final = 24  # operations that are written twice, for what is usual and for what is not
MAX_INDENT: Final = 24  # conditions and loops within each other
MAX_LOOPS: Final = 8


NOWHERE: Final = -2


class Context:
    """What is around a suite: where it goes on when it ends, and where `continue` and `break` lead."""

    __slots__ = ("drop", "drops", "again", "out", "outs", "loops", "indent")

    def __init__(self, drop: int, again: int, out: int, loops: tuple[int, ...], indent: int) -> None:
        self.drop = drop
        self.drops: list[tuple[Gap, Known]] = []
        self.again = again
        self.out = out
        self.outs: list[tuple[Gap, Known]] = []
        self.loops = loops
        self.indent = indent

    def inside(self, join: int) -> Context:
        """The context of an arm of a condition."""
        c = Context(self.drop if join == NOWHERE else join, self.again, self.out, self.loops, self.indent + 1)
        c.outs = self.outs
        if join == NOWHERE:
            c.drops = self.drops
        return c


def meet(w: Writer, paths: list[tuple[Gap, Known]], pc: int) -> Known:
    """What is known where these paths come together; what only some of them hold in locals is paid before."""
    known = Known()
    known.spared = all(k.spared for _, k in paths)
    if not known.spared:
        for gap, k in paths:
            w.stand_in(gap, k, pc)
    slots = set(paths[0][1].slots)
    known.players = set(paths[0][1].players)
    for _, k in paths:
        slots.intersection_update(k.slots)
        known.players &= k.players
    known.slots = {slot: any(k.slots[slot] for _, k in paths) for slot in slots}
    values = [k.values for _, k in paths]
    for slot in slots:
        if all(slot in v and v[slot] is values[0][slot] for v in values):
            known.values[slot] = values[0][slot]
    for gap, k in paths:
        for slot in sorted(k.slots):
            if slot in slots:
                if slot in k.values and slot not in known.values:
                    gap.lines.append(Line(f"v{slot} = {w.literal(k.values[slot])}", pc))
            elif k.slots[slot]:
                gap.lines.append(Line(w.payment(slot, k), pc))
    return known


class Flow:
    """The paths through a program from one operation on: which lead back, and where those that part come together."""

    def __init__(self, program: Program, start: int) -> None:
        self.ops = program.ops
        self.heads: set[int] = set()
        self.back: set[tuple[int, int]] = set()
        self.order: list[int] = []  # each operation before those that it leads to, but for paths back
        self.walk(start)
        self.after = self.come_together()

    def paths(self, pc: int) -> tuple[int, ...]:
        """Where an operation may go on in the same stretch."""
        op = self.ops[pc]
        if isinstance(op, F.Unless):
            return op.next.pc, op.other.pc
        if isinstance(op, F.Next):
            return op.next.pc, op.done.pc
        if isinstance(op, F.Jump):
            return (op.target.pc,)
        if isinstance(op, F.Call) or op.next is op:
            return ()
        return (op.next.pc,)

    def walk(self, start: int) -> None:
        """Depth first, with a limit."""
        seen = {start}
        open_ = {start}
        stack = [(start, iter(self.paths(start)))]
        while stack:
            pc, paths = stack[-1]
            to = next(paths, None)
            if to is None:
                stack.pop()
                open_.remove(pc)
                self.order.append(pc)
            elif to in open_:
                self.back.add((pc, to))
                self.heads.add(to)
            elif to not in seen and len(seen) < 2 * MAX_OPS:
                seen.add(to)
                open_.add(to)
                stack.append((to, iter(self.paths(to))))
        self.order = self.order[::-1]
        self.known = frozenset(seen)

    def short(self, pc: int) -> bool:
        """Is the program over so soon from here that this is better written twice?"""
        for _ in range(4):
            op = self.ops[pc]
            if isinstance(op, (End, F.Stop, F.Call)):
                return True
            to = self.paths(pc)
            if len(to) != 1 or isinstance(op, F.Jump):
                return False
            pc = to[0]
        return False

    def way_out(self, head: int) -> int:
        """Where a loop goes on when its first operation ends it, if that is how it ends."""
        for to in reversed(self.paths(head)):
            seen = {to}
            todo = [to]
            while todo:
                for way in self.paths(todo.pop()):
                    if way not in seen and way in self.known:
                        seen.add(way)
                        todo.append(way)
            if head not in seen and len(self.paths(head)) == 2:
                return to
        return NOWHERE

    def come_together(self) -> dict[int, int]:
        """By operation with two paths: the first place that both can come to, if there is one."""
        number = {pc: i for i, pc in enumerate(self.order)}
        reached: dict[int, int] = {}
        after: dict[int, int] = {}
        for pc in reversed(self.order):
            paths = [reached[to] for to in self.paths(pc) if to in reached and (pc, to) not in self.back]
            mask = 1 << number[pc]
            for way in paths:
                mask |= way
            reached[pc] = mask
            both = paths[0] & paths[1] if len(paths) == 2 else 0
            if both:
                place = self.order[(both & -both).bit_length() - 1]
                if not self.short(place):
                    after[pc] = place
        return after


class Stretch:
    """Writes the function of one stretch."""

    def __init__(self, w: Writer, program: Program, start: int) -> None:
        self.w = w
        self.ops = program.ops
        self.flow = Flow(program, start)
        self.size = 0
        self.way(start, Context(NOWHERE, NOWHERE, NOWHERE, (), 1))

    def way(self, pc: int, around: Context) -> None:
        """What happens from this operation on, to the end of the suite."""
        w = self.w
        while pc != END:
            w.pc = pc
            if self.goes(pc, around):
                return
            if pc in self.flow.heads:
                pc = self.loop(pc, around)
                continue
            pc = self.step(pc, around)

    def goes(self, pc: int, around: Context) -> bool:
        """Write how to come to a place that is elsewhere, if it is."""
        w = self.w
        if pc == around.drop:
            gap = Gap()
            w.suite.append(gap)
            around.drops.append((gap, w.known))
        elif pc == around.again:
            w.pay()
            w.put("continue")
        elif pc == around.out:
            gap = Gap()
            w.suite.append(gap)
            around.outs.append((gap, w.known))
            w.put("break")
        elif (
            pc in around.loops
            or self.size >= MAX_OPS
            or around.indent >= MAX_INDENT
            or (pc in self.flow.heads and len(around.loops) >= MAX_LOOPS)
        ):
            w.pay()
            w.put(f"f.pc = {pc}")
            w.put("return None")
        else:
            return False
        return True

    def step(self, pc: int, around: Context) -> int:
        """One operation; where the way goes on."""
        self.size += 1
        op = self.ops[pc]
        if isinstance(op, F.Unless):
            paths = (op.other.pc, op.next.pc) if type(op) is F.When else (op.next.pc, op.other.pc)
            test = self.w.ev(op.test, True)
            return paths[test == "False"] if test in ("True", "False") else self.part(pc, test, paths, around)
        if type(op) is F.Next and op.var not in (op.slot, op.slot + 1):
            self.w.hold(op.slot)
            self.w.hold(op.slot + 1)
            return self.part(pc, f"v{op.slot + 1} >= len(v{op.slot})", (op.done.pc, op.next.pc), around, op)
        if isinstance(op, (F.Let, F.LetPlain)) and type(op.value) is Ask and self.near_end(op.next.pc):
            return self.answered(op, op.value, around)
        return OPERATIONS.get(type(op), plain)(self.w, op)

    def near_end(self, pc: int) -> bool:
        """Is it not far from here to all ends of the program?"""
        seen = {pc}
        todo = [pc]
        while todo:
            for to in self.flow.paths(todo.pop()):
                if to in self.flow.heads:
                    return False
                if to not in seen:
                    seen.add(to)
                    todo.append(to)
        return len(seen) <= MAX_TWICE

    def answered(self, op: F.Let | F.LetPlain, ask: Ask, around: Context) -> int:
        """A question that is nearly always answered the same: with that answer what follows is often simple."""
        w = self.w
        found = unless_rare(w, ask)
        if found is None:
            return OPERATIONS[type(op)](w, op)
        rare, answer, value = found
        if w.stands(rare):
            w.stand()
        suite, known = w.suite, w.known.copy()
        w.suite = []
        w.set_slot(op.slot, answer)
        if type(op) is F.Let:
            w.put(f"if type(v{op.slot}) is list:", [Line(f"v{op.slot} = tuple(v{op.slot})", w.pc)])
        inside = around.inside(NOWHERE)
        drops = len(inside.drops)
        self.way(op.next.pc, inside)
        slow, w.suite, w.known, w.pc = w.suite, suite, known, op.pc
        w.put_arm(f"if {rare}:", slow)
        suite = w.suite
        once = len(inside.drops) == drops
        if not once:
            w.suite = []
        w.put("s.budget -= 1")
        w.set_value(op.slot, value)
        if once:
            return op.next.pc
        self.way(op.next.pc, inside)
        fast, w.suite = w.suite, suite
        w.put_arm("else:", fast)
        return END

    def part(self, pc: int, test: str, paths: tuple[int, int], around: Context, loop: F.Next | None = None) -> int:
        """A condition, and where it goes on if it holds and if not."""
        w = self.w
        join = self.flow.after.get(pc, NOWHERE)
        if join in (around.drop, around.again, around.out) or join in around.loops:
            join = NOWHERE
        if w.stands(test):
            w.stand()
        inside = around.inside(join)
        drops = len(inside.drops)
        yes = self.suite(paths[0], inside, None)
        if join == NOWHERE and len(inside.drops) == drops:
            w.put_arm(f"if {test}:", yes)
            if loop is not None:
                self.member(loop)
            return paths[1]
        no = self.suite(paths[1], inside, loop)
        w.put_arm(f"if {test}:", yes)
        w.put_arm("else:", no)
        if join == NOWHERE or not inside.drops:
            return END
        w.known = meet(w, inside.drops, pc)
        return join

    def suite(self, pc: int, around: Context, loop: F.Next | None) -> Suite:
        """A suite of its own that goes on from an operation."""
        w = self.w
        suite, known, at = w.suite, w.known, w.pc
        w.suite, w.known = [], known.copy()
        if loop is not None:
            self.member(loop)
        self.way(pc, around)
        made = w.suite
        w.suite, w.known, w.pc = suite, known, at
        return made

    def member(self, op: F.Next) -> None:
        """The next member of a list that is gone through."""
        self.w.set_slot(op.var, f"v{op.slot}[v{op.slot + 1}]")
        self.w.set_slot(op.slot + 1, f"v{op.slot + 1} + 1")

    def loop(self, pc: int, around: Context) -> int:
        """A loop, from the operation that it comes back to; where the way goes on behind it."""
        w = self.w
        out = self.flow.way_out(pc)
        to_fall = out == NOWHERE
        inside = Context(pc, pc, around.drop if to_fall else out, (*around.loops, pc), around.indent + 1)
        w.stand()
        w.pay()
        w.known = Known()
        suite = w.suite
        w.suite = []
        w.pc = pc
        after = self.step(pc, inside)
        if after != END:
            self.way(after, inside)
        body, w.suite = w.suite, suite
        for gap, known in inside.drops:
            gap.lines.extend([Line(w.payment(n, known), pc) for n in sorted(known.slots) if known.slots[n]])
        w.pc = pc
        w.put_arm("while True:", body)
        if not inside.outs:
            return END
        w.known = meet(w, inside.outs, pc)
        return inside.out
