"""Compiles single pieces of a file - an expression below a key, a program - within a unit and its context."""

from __future__ import annotations

from typing import Any

from rulebook.diagnostics import Diagnostics
from rulebook.lang import calls, names, operators, tree
from rulebook.lang.ir import IR
from rulebook.lang.learn import learn
from rulebook.lang.parse import parse_expression, parse_program
from rulebook.lang.statements import Program
from rulebook.lang.text import Code, Reporter
from rulebook.lang.types import FLAG, Type
from rulebook.lang.unit import WRONG, Context, Unit, Value
from rulebook.lang.world import World
from rulebook.yamlread import Node, Scalar

HANDLED = (calls, names, operators)
"""The modules whose handlers the checker needs; importing them registers these."""


class Maker:
    """What all pieces of one book share. `quiet`: nothing is reported, only types are wanted."""

    def __init__(self, world: World, diagnostics: Diagnostics, files: dict[str, str] | None = None) -> None:
        self.world = world
        self.diagnostics = diagnostics
        self.files = files or {}
        self.quiet = False
        self._roots: list[object] = []  # trees stay alive as long as values are kept by their ids

    def unit(self, context: Context, params: dict[str, Type] | None = None) -> Unit:
        """A new unit whose first slots are parameters."""
        unit = Unit(self.world, self._reporter(""), context)
        for name, type in (params or {}).items():
            unit.declare(name, type, fixed=True)
        return unit

    def _reporter(self, code: Scalar | str) -> Reporter:
        reporter = Reporter(Code(code), self.diagnostics)
        reporter.muted = int(self.quiet)
        return reporter

    def read(self, unit: Unit, source: Scalar) -> tree.Expr | None:
        """Parse an expression; from now on the unit reports into it."""
        unit.report = self._reporter(source)
        node = parse_expression(unit.report)
        self._roots.append(node)
        return node

    def value(self, unit: Unit, source: Node | None, wanted: Type, what: str) -> Value:
        """An expression below a key as a value of a type."""
        if not isinstance(source, Scalar):
            return WRONG
        node = self.read(unit, source)
        return unit.want(node, wanted, what) if node is not None else WRONG

    def expr(self, unit: Unit, source: Node | None, wanted: Type, what: str) -> IR:
        """The compiled form of an expression below a key."""
        return self.value(unit, source, wanted, what).ir

    def condition(self, unit: Unit, source: Node | None, what: str) -> IR | None:
        """A condition below a key (None where there is none); what it settles for good is certain afterwards."""
        if not isinstance(source, Scalar):
            return None
        node = self.read(unit, source)
        if node is None:
            return None
        value = unit.want(node, FLAG, what)
        if value.type.wrong:
            return None
        if value.constant and not value.settled:
            if value.ir[1] is False:
                unit.error("RB433", "this condition never holds", node)
            else:
                unit.error("RB434", "this condition always holds", node, "leave it out")
        unit.facts = unit.facts.plus(learn(unit, node, True)).after_verb()
        return None if value.ir == ["k", True] else value.ir

    def program(self, unit: Unit, source: Node | None, setup: bool = False) -> dict[str, Any]:
        """A program below a key in its compiled form."""
        if not isinstance(source, Scalar):
            return {"slots": unit.slots, "ops": [], "lines": [], "file": ""}
        unit.report = self._reporter(source)
        statements = parse_program(unit.report)
        self._roots.append(statements)
        program = Program(unit, setup)
        program.block(statements)
        file = self.files.get(source.span.file, source.span.file)
        return {"slots": unit.slots, "ops": program.out.ops, "lines": program.out.lines, "file": file}
