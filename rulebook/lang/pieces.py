"""Pieces of code of one file: expressions and programs read, checked and compiled within a unit of slots."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from rulebook.diagnostics import Diagnostics
from rulebook.lang import tree
from rulebook.lang.facts import Facts
from rulebook.lang.ir import IR
from rulebook.lang.learn import learn
from rulebook.lang.parse import parse_expression, parse_program
from rulebook.lang.statements import Program
from rulebook.lang.text import Code, Reporter
from rulebook.lang.types import FLAG, NUMBER, Type
from rulebook.lang.unit import Context, Local, Unit, Value
from rulebook.lang.world import World
from rulebook.yamlread import Node, Scalar


@dataclass(frozen=True, slots=True)
class Open:
    """A piece of code that may speak only of what everybody can know, and how faults in it are reported."""

    name: str
    written: tree.Expr
    ir: IR
    unit: Unit
    report: Reporter


class Pieces:
    """Compiles pieces of code against a world; `names` gives each file the name it has in the compiled form."""

    def __init__(self, world: World, diagnostics: Diagnostics, names: dict[str, str]) -> None:
        self.world = world
        self.diagnostics = diagnostics
        self.names = names
        self.open: list[Open] = []
        """What must be public; whether it is can be said once everything is compiled."""

    def reporter(self, scalar: Scalar) -> Reporter:
        """Reports faults of this piece of text."""
        return Reporter(Code(scalar), self.diagnostics)

    def unit(self, scalar: Node, context: Context, params: Iterable[tuple[str, Type]] = ()) -> Unit:
        """A unit whose first slots hold the parameters."""
        code = Code(scalar) if isinstance(scalar, Scalar) else Code("", scalar.span.file)
        unit = Unit(self.world, Reporter(code, self.diagnostics), context)
        for name, type in params:
            unit.blocks[-1][name] = Local(unit.take_slot(), type, None, fixed=True, used=True)
        return unit

    def read(self, unit: Unit, scalar: Scalar) -> tree.Expr | None:
        """The expression in a text; the unit reports in that text from now on."""
        unit.report = self.reporter(scalar)
        return parse_expression(unit.report)

    def expression(self, unit: Unit, scalar: Scalar, wanted: Type, what: str, public: str = "") -> IR | None:
        """An expression of a type; None where it is faulty. `public`: what must be public is called so."""
        node = self.read(unit, scalar)
        if node is None:
            return None
        value = unit.want(node, wanted, what)
        if public and not value.type.wrong:
            self.open.append(Open(public, node, value.ir, unit, unit.report))
        return None if value.type.wrong else value.ir

    def number(self, scalar: Scalar | None, default: int, what: str, least: int = 1) -> int:
        """A number that must be known before play: written, or computed from options and facts."""
        if scalar is None:
            return default
        unit = self.unit(scalar, Context(you=False))
        node = self.read(unit, scalar)
        if node is None:
            return default
        value = unit.want(node, NUMBER, what)
        if value.type.wrong:
            return default
        if not value.constant:
            unit.error("RB443", f"{what} must be a number, or follow from options and facts", node)
            return default
        number: int = value.ir[1]
        if number < least:
            unit.error("RB433", f"{what} cannot be less than {least}, and this is {number}", node)
            return default
        return number

    def anything(self, unit: Unit, scalar: Scalar) -> tuple[tree.Expr, Value] | None:
        """An expression of any type, with what was written."""
        node = self.read(unit, scalar)
        if node is None:
            return None
        value = unit.check(node)
        return None if value.type.wrong else (node, value)

    def condition(self, unit: Unit, scalar: Scalar | None, lasting: bool = False, public: str = "") -> IR | None:
        """A condition; what follows from it is certain in the rest of the unit.

        With `lasting`, only what no verb can change. `public`: what must be public is called so.
        """
        if scalar is None:
            return None
        node = self.read(unit, scalar)
        if node is None:
            return None
        value = unit.want(node, FLAG, "a condition")
        if value.type.wrong:
            return None
        facts: Facts = learn(unit, node, True)
        unit.facts = unit.facts.plus(facts.after_verb() if lasting else facts)
        if value.constant and value.ir[1] is True:
            if not value.settled:
                unit.error("RB434", "this condition always holds", node, "leave it out")
            return None
        if value.constant and not value.settled:
            unit.error("RB433", "this condition never holds", node, "what depends on it can never happen")
        if public:
            self.open.append(Open(public, node, value.ir, unit, unit.report))
        return value.ir

    def program(self, unit: Unit, scalar: Scalar | None, setup: bool = False) -> dict[str, Any]:
        """A program; an empty one where there is none."""
        if scalar is None:
            return {"slots": unit.slots, "ops": [], "lines": [], "file": ""}
        unit.report = self.reporter(scalar)
        statements = parse_program(unit.report)
        program = Program(unit, setup)
        with unit.block():
            program.run(statements)
        file = self.names.get(scalar.span.file, scalar.span.file)
        return {"slots": unit.slots, "ops": program.out.ops, "lines": program.out.lines, "file": file}
