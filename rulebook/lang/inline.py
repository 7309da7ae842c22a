"""Puts verbs where they are called, and takes out what is never reached.

A call costs a frame, a tuple of arguments and two turns of the loop. A verb that opens no window and asks nobody does
the same in the place of its call. Where cards of the book hear it, an operation before it (`heard`) calls it after all
if one of them is near, and one behind it (`after`) lets in what listens to its end. Lines keep the file they came from,
so that errors and coverage name the right place. Works on the compiled form alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulebook.lang.ir import FALSE, IR, MEMBERS

MAX_BODY = 40
"""A verb of more operations is called."""
MAX_PROGRAM = 600
"""A program that would grow longer calls."""
SIMPLE = ("k", "v", "you", "self", "event")
"""Arguments that can be written wherever the parameter stood."""

SAFE = (*SIMPLE, "turn_of", "turns_owed", "living", "dead", "players", "list", "and", "or", "not", "if", "==", "cattr")
"""Nodes that cannot fail."""

Line = tuple[int, str, str]
"""A line of the source: its number, the file, and whose program it is."""


WAYS = {"jump": 1, "unless": 2, "next": 3, "heard": 3}
"""Where an operation holds the place of the one that it may go on with in place of the next."""


def way(op: IR) -> int:
    """The place of the operation that this one may go on with; -1 for those that go on with the next."""
    if op[0] == "pick":
        return int(op[1].get("end", -1))
    return int(op[WAYS[op[0]]]) if op[0] in WAYS else -1


def lead(op: IR, to: int) -> None:
    """Let the operation go on at another place."""
    if op[0] == "pick":
        op[1]["end"] = to
    else:
        op[WAYS[op[0]]] = to


class Body:
    """Operations with the line of each."""

    def __init__(self, ops: list[IR], lines: list[Line], slots: int) -> None:
        self.ops = ops
        self.lines = lines
        self.slots = slots


def read(program: dict[str, Any], owner: str) -> Body:
    """The body of a compiled program."""
    lines = [(n, program["file"], owner) for n in program["lines"]]
    return Body(program["ops"], lines, program["slots"])


def write(program: dict[str, Any], body: Body) -> None:
    """Put a body into a compiled program; `parts` names the files of lines that came from elsewhere."""
    program["ops"] = body.ops
    program["lines"] = [line[0] for line in body.lines]
    program["slots"] = body.slots
    parts: list[list[Any]] = []
    last: tuple[str, str] | None = None
    for at, (_, file, owner) in enumerate(body.lines):
        if (file, owner) != last:
            last = (file, owner)
            parts.append([at, file, owner])
    if any(part[1] != program["file"] for part in parts):
        program["parts"] = parts


class Inliner:
    """The verbs of one compiled game, and what has become of their bodies."""

    def __init__(self, data: dict[str, Any], fold: Callable[[IR], IR]) -> None:
        self.fold = fold
        self.heard = {a["event"] for kind in data["kinds"] for key in ("when", "before", "instead") for a in kind[key]}
        self.verbs = {v["name"]: v for v in data["verbs"] if not v["window"]}
        self.bodies: dict[str, Body | None] = {}

    def verb(self, name: str) -> Body | None:
        """The body of a verb that can be put in place; None where it must be called."""
        if name in self.bodies:
            return self.bodies[name]
        verb = self.verbs.get(name)
        if verb is None:
            return None
        self.bodies[name] = None  # a verb that calls itself is called
        body = self.body(read(verb["program"], name))
        self.bodies[name] = body if self.fits(body) else None
        return self.bodies[name]

    def fits(self, body: Body) -> bool:
        """Whether a body does the same in the place of a call."""
        if len(body.ops) > MAX_BODY:
            return False
        for op in body.ops:
            if op[0] == "proceed":
                return False
            if mentions(op, "target"):
                return False
        return True

    def program(self, program: dict[str, Any], owner: str) -> None:
        """Put verbs in place throughout a program."""
        body = read(program, owner)
        write(program, self.body(body))

    def body(self, body: Body) -> Body:
        """The same operations with verbs in place and nothing that is never reached."""
        out: list[IR] = []
        lines: list[Line] = []
        starts: list[int] = []
        own: list[int] = []  # operations of this body with a place to go on with
        slots = body.slots
        for op, line in zip(body.ops, body.lines, strict=True):
            starts.append(len(out))
            inner = self.verb(op[1]) if op[0] == "call" and len(out) < MAX_PROGRAM else None
            if inner is None:
                if way(op) >= 0:
                    own.append(len(out))
                out.append(["pick", dict(op[1])] if op[0] == "pick" else list(op))
                lines.append(line)
                continue
            params = len(self.verbs[op[1]]["params"])
            heard = op[1] in self.heard
            given = [None if value is None else list(value) for value in op[2]]
            if heard:  # what calls it if something is near, and lets in what listens to its end, is given the same
                for at, value in enumerate(given):
                    if value is not None and value[0] not in SIMPLE:
                        out.append(["let", slots + inner.slots + at, value])
                        lines.append(line)
                        given[at] = ["v", slots + inner.slots + at]
                guard: IR = ["heard", op[1], given, -1]
                out.append(guard)
                lines.append(line)
            put = self.arguments(given, inner, slots, params)
            for slot, value in put.items():
                if value[0] == "let" and (reads(inner.ops, slot) or not safe(value[1])):
                    out.append(["let", slots + slot, value[1]])
                    lines.append(line)
            first = len(out)
            end = first + len(inner.ops)
            for part, place in zip(inner.ops, inner.lines, strict=True):
                placed: IR = ["jump", end] if part[0] == "stop" else shift(part, put, slots)
                if way(part) >= 0:
                    lead(placed, first + way(part))
                elif part[0] == "pick" and part[1].get("or") is None:
                    lead(placed, end)  # without anything to choose the verb is over, not the program
                out.append(placed)
                lines.append(place)
            slots += inner.slots
            if heard:
                slots += len(given)
                out.append(["after", op[1], given])
                lines.append(line)
                guard[3] = len(out)
        starts.append(len(out))
        for index in own:
            lead(out[index], starts[way(out[index])])
        return self.tidy(Body(out, lines, slots))

    def arguments(self, given: list[Any], inner: Body, base: int, params: int) -> dict[int, IR]:
        """What stands for each parameter: the argument itself, or `let` with what is worked out first."""
        written = {op[1] for op in inner.ops if op[0] in ("let", "iter")} | {
            op[2] for op in inner.ops if op[0] == "next"
        }
        written |= {op[1]["slot"] for op in inner.ops if op[0] == "pick"}
        found: dict[int, IR] = {}
        for slot in range(params):
            value = given[slot] if slot < len(given) and given[slot] is not None else ["k", None]
            found[slot] = value if value[0] in SIMPLE and slot not in written else ["let", value]
        return found

    def tidy(self, body: Body) -> Body:
        """Fold settled conditions; take out what is never reached, and jumps to the next operation."""
        ops, lines = body.ops, body.lines
        for at, op in enumerate(ops):
            if op[0] == "unless":
                op[1] = self.fold(op[1])
                if op[1] == FALSE:
                    ops[at] = ["jump", op[2]]
                elif op[1][0] == "k":
                    ops[at] = ["jump", at + 1]
        for op in ops:
            to = way(op)
            if to >= 0:
                seen = 0
                while to < len(ops) and ops[to][0] == "jump" and ops[to][1] > to and seen < 50:
                    to = ops[to][1]
                    seen += 1
                lead(op, to)
        reached = [False] * (len(ops) + 1)
        todo = [0]
        while todo:
            at = todo.pop()
            if at >= len(ops) or reached[at]:
                continue
            reached[at] = True
            op = ops[at]
            if way(op) >= 0:
                todo.append(way(op))
            if op[0] not in ("jump", "stop"):
                todo.append(at + 1)
        keep = list(reached[: len(ops)])
        changed = True
        while changed:  # a jump to what follows it once the rest is gone
            changed = False
            for at, op in enumerate(ops):
                if keep[at] and op[0] == "jump" and op[1] > at and not any(keep[at + 1 : op[1]]):
                    keep[at] = False
                    changed = True
        places: list[int] = []
        count = 0
        for kept in keep:
            places.append(count)
            count += kept
        places.append(count)
        out: list[IR] = []
        where: list[Line] = []
        for at, op in enumerate(ops):
            if not keep[at]:
                continue
            if way(op) >= 0:
                lead(op, places[way(op)])
            out.append(op)
            where.append(lines[at])
        return Body(out, where, body.slots)


def reads(ops: list[IR], slot: int) -> bool:
    """Does anything in the operations read the variable?"""

    def found(ir: Any) -> bool:
        if isinstance(ir, dict):
            return any(found(part) for part in ir.values())
        return isinstance(ir, list) and bool(ir) and (ir == ["v", slot] or any(found(part) for part in ir))

    return any(found(op) for op in ops)


def safe(ir: Any) -> bool:
    """Can the expression be left out where nobody reads it, as it cannot fail?"""
    if not isinstance(ir, list) or not ir or ir[0] == "k":
        return True
    return ir[0] in SAFE and all(safe(part) for part in ir[1:])


def mentions(ir: Any, head: str) -> bool:
    """Is there such a node anywhere in it?"""
    if isinstance(ir, dict):
        return any(mentions(part, head) for part in ir.values())
    return isinstance(ir, list) and bool(ir) and (ir[0] == head or any(mentions(part, head) for part in ir))


def shift(op: Any, put: dict[int, IR], base: int) -> Any:
    """An operation of a verb with arguments for parameters; its own slots move behind those of the caller."""
    head = op[0]
    if head == "pick":
        a = dict(op[1])
        for key in ("from", "by", "min", "max", "unseen", "or"):
            if a.get(key) is not None:
                a[key] = move(a[key], put, base)
        a["slot"] += base
        a["it"] += base
        return ["pick", a]
    if head == "do":
        return [head, op[1], {label: None if v is None else move(v, put, base) for label, v in op[2].items()}]
    if head in ("call", "heard", "after"):
        return [head, op[1], [None if v is None else move(v, put, base) for v in op[2]], *op[3:]]
    if head == "let":
        return [head, op[1] + base, move(op[2], put, base)]
    if head == "iter":
        return [head, op[1] + base, move(op[2], put, base)]
    if head == "next":
        return [head, op[1] + base, op[2] + base, op[3]]
    if head == "unless":
        return [head, move(op[1], put, base), op[2]]
    return [head, *[move(part, put, base) if isinstance(part, list) else part for part in op[1:]]]


def move(ir: Any, put: dict[int, IR], base: int) -> Any:
    """An expression of a verb in the place of its call."""
    if not isinstance(ir, list) or not ir or ir[0] == "k":
        return ir
    if ir[0] == "v":
        value = put.get(ir[1])
        return ["v", ir[1] + base] if value is None or value[0] == "let" else value
    if ir[0] == "ask":
        return [ir[0], ir[1], [move(part, put, base) for part in ir[2]]]
    moved = [move(part, put, base) if isinstance(part, list) else part for part in ir]
    if ir[0] in MEMBERS:
        moved[2] = ir[2] + base
    return moved


def inline(data: dict[str, Any], fold: Callable[[IR], IR]) -> None:
    """Put verbs in place throughout a compiled game. `fold` folds an expression whose parts may be constant by now."""
    inliner = Inliner(data, fold)
    for verb in data["verbs"]:
        inliner.program(verb["program"], verb["name"])
    for kind in data["kinds"]:
        for play in kind["plays"]:
            inliner.program(play["program"], kind["id"])
            play["slots"] = max(play["slots"], play["program"]["slots"])
        for key in ("when", "before", "instead"):
            for ability in kind[key]:
                inliner.program(ability["program"], kind["id"])
    for made in data["moves"]:
        inliner.program(made["program"], made["name"])
        made["slots"] = max(made["slots"], made["program"]["slots"])
    for key in ("setup", "play", "leave"):
        if data[key]:
            inliner.program(data[key], key)
