"""Checks and compiles statements: the flow of a program, names and what they hold, and where code cannot be reached.

Verbs are called in `rulebook.lang.verb_calls`, picks in `rulebook.lang.picks`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from rulebook.diagnostics import did_you_mean
from rulebook.lang import tree
from rulebook.lang.facts import Facts
from rulebook.lang.learn import learn
from rulebook.lang.types import ERROR, FLAG, NUMBER, Type, fits, join
from rulebook.lang.unit import Local, Unit, Value, a
from rulebook.lang.unparse import unparse
from rulebook.lang.world import NAMES


@dataclass(slots=True)
class Emitter:
    """The operations of one program, with the line of each."""

    ops: list[list[Any]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    silent: int = 0

    def add(self, op: list[Any], line: int) -> list[Any]:
        """Append an operation; while silent, it is built and forgotten."""
        if not self.silent:
            self.ops.append(op)
            self.lines.append(line)
        return op

    @property
    def here(self) -> int:
        """The place of the next operation."""
        return len(self.ops)


class Program:
    """Compiles the statements of one program within its unit."""

    def __init__(self, unit: Unit, setup: bool = False) -> None:
        self.unit = unit
        self.out = Emitter()
        self.setup = setup

    def run(self, statements: Sequence[tree.Statement]) -> bool:
        """Compile statements; whether they end in any case.

        What stands behind an end is reported and checked all the same.
        """
        ender: tree.Statement | None = None
        reported = False
        for statement in statements:
            if ender is not None and not reported:
                loop = isinstance(ender, tree.While)
                hint = "`while true` goes on until `stop`" if loop else "nothing goes on after `stop`"
                self.unit.error("RB432", "this can never be reached", _head(statement), hint)
                reported = True
            if self.statement(statement) and ender is None:
                ender = statement
        return ender is not None

    def block(self, statements: Sequence[tree.Statement]) -> bool:
        """Compile the statements of a block."""
        with self.unit.block():
            return self.run(statements)

    def statement(self, node: tree.Statement) -> bool:
        """Compile a statement; whether the program ends with it in any case."""
        if isinstance(node, tree.Let):
            self._let(node)
        elif isinstance(node, tree.SetPlace):
            self._set(node)
        elif isinstance(node, tree.If):
            return self._if(node)
        elif isinstance(node, tree.For):
            self._for(node)
        elif isinstance(node, tree.While):
            return self._while(node)
        elif isinstance(node, tree.Stop):
            self.out.add(["stop"], self.line(node))
            return True
        elif isinstance(node, tree.Bad):
            for inner in node.blocks:
                before = self.unit.facts
                self.block(inner)
                self.unit.facts = before
        else:
            self._calls(node)
        return False

    def line(self, node: tree.Node) -> int:
        """The line of the file that a node begins on."""
        return self.unit.report.code.line(node.start)

    def _calls(self, node: tree.Pick | tree.Proceed | tree.VerbCall) -> None:
        from rulebook.lang import picks, verb_calls

        if isinstance(node, tree.Pick):
            picks.pick(self, node)
        elif isinstance(node, tree.Proceed):
            verb_calls.proceed(self, node)
        else:
            verb_calls.verb_call(self, node)
        self.unit.facts = self.unit.facts.after_verb()

    # Names

    def assign(self, name: str, at: tuple[int, int], type: Type) -> Local | None:
        """The local that `let` or `pick` gives a value.

        The one there is, or a new one; None if the name cannot be one.
        """
        unit = self.unit
        local = unit.find(name)
        if local is None:
            return unit.declare(name, type, at) if self.may_name(name, at) else None
        if local.fixed:
            unit.error("RB431", f"`{name}` cannot be given another value", at, "take another name for the new value")
            return None
        joined = _widened(local.type, type)
        if joined is None:
            message = f"`{name}` is {a(local.type)} and cannot become {a(type)}"
            hint = "take another name for the new value"
            if local.type.base == "zone" and type.base == "card" and type.many:
                hint += f"; or begin with the cards of the zone: `let {name} = ZONE + []`"
            unit.error("RB420", message, at, hint)
            return None
        unit.facts = unit.facts.without([name])
        local.type = joined
        return local

    def may_name(self, name: str, at: tuple[int, int]) -> bool:
        """Whether a local can be called so; reported if not."""
        world = self.unit.world
        taken = world.taken(name)
        if taken:
            hint = f"`set {name} = …` changes it; " if name in world.game_attributes else ""
            self.unit.error("RB431", f"`{name}` is already {taken}", at, hint + "take another name")
        return not taken

    def _let(self, node: tree.Let) -> None:
        value = self.unit.check(node.value)
        at = (node.name_start, node.name_start + len(node.name))
        if value.type.base == "chance":
            return
        local = self.assign(node.name, at, value.type if not value.type.wrong else ERROR)
        if local is None:
            return
        if value.type.wrong:
            local.used = True  # the fault in its value has been told, that is enough
        self.out.add(["let", local.slot, value.ir], self.line(node))
        if local.type.maybe and not value.type.maybe:
            self.unit.facts = self.unit.facts.plus(Facts({node.name: False}, {}))

    def _set(self, node: tree.SetPlace) -> None:
        unit, place, line = self.unit, node.place, self.line(node)
        if isinstance(place, tree.Name) and unit.find(place.name) is None:
            self._set_name(node, place, line)
        elif isinstance(place, tree.Attribute):
            self._set_attribute(node, place, line)
        else:
            unit.check(node.value)
            hint = f"`let {place.name} = …` gives a local name a new value" if isinstance(place, tree.Name) else ""
            hint = hint or "`turns_owed`, `direction`, an attribute of the game, of a player or of a card"
            unit.error("RB431", "this is nothing that can be set", place, hint)
        unit.facts = unit.facts.after_verb()

    def _set_name(self, node: tree.SetPlace, place: tree.Name, line: int) -> None:
        unit = self.unit
        if place.name in ("turns_owed", "direction"):
            value = unit.want(node.value, NUMBER, f"`{place.name}`")
            if place.name == "direction" and value.constant and not value.type.wrong and value.ir[1] not in (1, -1):
                unit.error("RB420", "the direction is 1 or -1", node.value)
            self.out.add(["set", place.name, value.ir], line)
            return
        if place.name in unit.world.game_attributes:
            value = unit.want(node.value, unit.world.game_attributes[place.name], f"`{place.name}`")
            self.out.add(["set_game", place.name, value.ir], line)
            return
        unit.check(node.value)
        if place.name in NAMES or place.name in unit.world.zones:
            hint = "`move … to: …` changes zones" if place.name in unit.world.zones else ""
            unit.error("RB431", f"`{place.name}` cannot be set", place, hint)
            return
        known = ["turns_owed", "direction", *unit.world.game_attributes]
        hint = did_you_mean(place.name, known)
        if not hint.startswith("did"):
            hint = f"`let {place.name} = …` makes a local name"
        unit.error("RB410", f"there is no attribute of the game `{place.name}`", place, hint)

    def _set_attribute(self, node: tree.SetPlace, place: tree.Attribute, line: int) -> None:
        unit, world = self.unit, self.unit.world
        if (
            isinstance(place.of, tree.Name)
            and place.of.name in ("options", "facts", "event")
            and unit.find(place.of.name) is None
        ):
            unit.check(node.value)
            unit.error("RB431", f"`{unparse(place)}` cannot be set", place, "it is the same for the whole game")
            return
        of = unit.check(place.of)
        at = (place.name_start, place.end)
        table = world.player_attributes if of.type.base == "player" else world.card_attributes
        if of.type.wrong:
            unit.check(node.value)
            return
        if of.type.is_list or of.type.answers or of.type.base not in ("player", "card"):
            unit.check(node.value)
            unit.error("RB431", f"{a(of.type)} has no attributes that can be set", place.of, "a player or a card has")
            return
        if of.type.maybe:
            unit.check(node.value)
            unit.unset(place.of)
            return
        if place.name not in table:
            unit.check(node.value)
            known = (
                place.name in world.fields
                or place.name in world.zones
                or place.name in ("id", "title", "variant", "owner")
            )
            if known:
                unit.error("RB431", f"`{place.name}` cannot be set", at, "only attributes that the game declares can")
            else:
                unit.error("RB411", f"{a(of.type)} has no `{place.name}`", at, did_you_mean(place.name, table))
            return
        value = unit.want(node.value, table[place.name], f"`{place.name}`")
        operation = "set_player" if of.type.base == "player" else "set_card"
        self.out.add([operation, place.name, of.ir, value.ir], line)

    # Flow

    def condition(self, node: tree.Expr, loop: bool = False) -> Value:
        """A condition; one that can only go one way, and not because of an option, is a fault."""
        value = self.unit.want(node, FLAG, "a condition")
        if value.type.wrong:
            return value
        if value.constant and not value.settled:
            if value.ir[1] is False:
                self.unit.error("RB433", "this condition never holds", node, "what stands below can never be reached")
            elif not loop:
                self.unit.error("RB434", "this condition always holds", node, "leave it out")
        return value

    def _if(self, node: tree.If) -> bool:
        unit, out = self.unit, self.out
        ends: list[list[Any]] = []
        outcomes: list[Facts] = []
        base = unit.facts
        silenced = settled = False
        all_end = True
        last = len(node.branches) - 1
        for number, (condition, statements) in enumerate(node.branches):
            value = self.condition(condition)
            constant = value.ir[1] if value.constant and not value.type.wrong else None
            after = unit.facts
            skip: list[Any] | None = None
            if constant is None:
                skip = out.add(["unless", value.ir, -1], self.line(condition))
            if constant is False:
                out.silent += 1
            unit.facts = after.plus(learn(unit, condition, True))
            ended = self.block(statements)
            if not ended:
                outcomes.append(unit.facts)
            all_end = all_end and ended
            settled = settled or constant is not None
            if constant is False:
                out.silent -= 1
            elif constant is None and not ended and (number < last or node.other):
                ends.append(out.add(["jump", -1], self.line(condition)))
            if skip is not None:
                skip[2] = out.here
            if constant is True and not silenced:
                silenced = True
                out.silent += 1
            unit.facts = after.plus(learn(unit, condition, False))
        ended = self.block(node.other) if node.other else False
        if not ended:
            outcomes.append(unit.facts)
        all_end = all_end and ended
        if silenced:
            out.silent -= 1
        for jump in ends:
            jump[1] = out.here
        unit.facts = outcomes[0] if outcomes else base
        for facts in outcomes[1:]:
            unit.facts = unit.facts.either(facts)
        return all_end and not settled

    def _for(self, node: tree.For) -> None:
        unit, out, line = self.unit, self.out, self.line(node)
        found = unit.listed(node.over, "what `for` goes through")
        at = (node.name_start, node.name_start + len(node.name))
        if found.type.base == "nothing" and not found.type.wrong:
            unit.error("RB433", "an empty list has no members", node.over)
        with unit.block():
            slot = unit.take_slot(2)
            member = found.type.member if not found.type.wrong else ERROR
            if unit.find(node.name) is not None:
                unit.error("RB431", f"`{node.name}` already has a value", at, "take another name for the member")
                local = Local(unit.take_slot(), ERROR, None, True, True)
                unit.blocks[-1][node.name] = local
            else:
                named = self.may_name(node.name, at)
                local = unit.declare(node.name, member if named else ERROR, at, fixed=True)
            out.add(["iter", slot, found.ir], line)
            start = out.here
            step = out.add(["next", slot, local.slot, -1], line)
            self._loop(node.body, node.over)
            out.add(["jump", start], line)
            step[3] = out.here

    def _while(self, node: tree.While) -> bool:
        unit, out, line = self.unit, self.out, self.line(node)
        names = assigned(node.body)
        self._open_types(names, node.body)
        before = unit.facts.without(names).after_verb()
        unit.facts = before
        start = out.here
        value = self.condition(node.condition, loop=True)
        constant = value.ir[1] if value.constant and not value.type.wrong else None
        skip: list[Any] | None = None
        if constant is None:
            skip = out.add(["unless", value.ir, -1], line)
        if constant is False:
            out.silent += 1
        unit.facts = before.plus(learn(unit, node.condition, True))
        self.block(node.body)
        out.add(["jump", start], line)
        if constant is False:
            out.silent -= 1
        if skip is not None:
            skip[2] = out.here
        unit.facts = before.plus(learn(unit, node.condition, False))
        return constant is True and not value.settled

    def _loop(self, body: tuple[tree.Statement, ...], over: tree.Expr) -> None:
        """The body of `for`: what it changes is uncertain from its second round on."""
        unit = self.unit
        names = assigned(body)
        self._open_types(names, body)
        before = unit.facts.without(names).after_verb()
        unit.facts = before
        self.block(body)
        unit.facts = before

    def _open_types(self, names: set[str], body: tuple[tree.Statement, ...]) -> None:
        """A name that is none so far and gets a value inside a loop may have one when the loop begins again: the body
        is looked
        at once, without a word, to learn of what type."""
        unit = self.unit
        if unit.report.muted:
            return
        locals = [local for name in names if (local := unit.find(name)) is not None]
        if not any(local.type.base in ("none", "nothing") for local in locals):
            return
        facts, gone, slots = unit.facts, dict(unit.gone), unit.slots
        unit.report.muted += 1
        self.out.silent += 1
        try:
            self.block(body)
        finally:
            self.out.silent -= 1
            unit.report.muted -= 1
            unit.facts, unit.gone, unit.slots = facts, gone, slots


def assigned(statements: Sequence[tree.Statement]) -> set[str]:
    """The names that statements give a value, those of inner blocks included."""
    names: set[str] = set()
    stack = list(statements)
    while stack:
        node = stack.pop()
        if isinstance(node, tree.Let | tree.Pick):
            names.add(node.name)
        elif isinstance(node, tree.If):
            for _, block in node.branches:
                stack.extend(block)
            stack.extend(node.other)
        elif isinstance(node, tree.For | tree.While):
            stack.extend(node.body)
        elif isinstance(node, tree.Bad):
            for block in node.blocks:
                stack.extend(block)
    return names


def _widened(old: Type, new: Type) -> Type | None:
    """The type of a local that gets a further value, None if it cannot."""
    if old.wrong or new.wrong:
        return ERROR
    if old.base in ("none", "nothing") or new.base in ("none", "nothing"):
        return join(old, new)
    if fits(new, old) and new.base == old.base and new.many == old.many:
        return join(old, new)
    return join(old, new) if old.many == new.many else None


def _head(node: tree.Statement) -> tuple[int, int]:
    """The stretch of a statement's first line, for messages."""
    if isinstance(node, tree.If):
        return node.start, node.branches[0][0].end
    if isinstance(node, tree.For):
        return node.start, node.over.end
    if isinstance(node, tree.While):
        return node.start, node.condition.end
    return node.start, node.end
