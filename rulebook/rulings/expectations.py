"""Conditions of rulings: compiled once for each book, evaluated at a position, and explained part by part where they
fail."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kernel import GameError
from rulebook.diagnostics import Diagnostics
from rulebook.rulings.model import Expression
from rulebook.rulings.printing import (
    MEMBERWISE,
    Ir,
    gives,
    is_closed,
    literal,
    subexpressions,
    types_of,
    with_counts,
    written,
)

if TYPE_CHECKING:
    from kernel import Rulebook, State
    from rulebook.lang.world import World

MAX_PARTS = 20
"""How many parts of a condition are shown where it fails."""
MAX_VALUE = 400
"""How much of a value is shown."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a condition and its value, both as the language writes them."""

    depth: int
    text: str
    value: str


class Conditions:
    """The conditions of all rulings about one book."""

    def __init__(self, book: Rulebook) -> None:
        self.book = book
        self._types = types_of(book.data)
        self._unordered = {zone["name"] for zone in book.data["zones"] if not zone["order"]}
        self._world: World | None = None
        self._compiled: dict[str, tuple[Ir, int]] = {}

    def compile(self, expression: Expression, diagnostics: Diagnostics) -> bool:
        """Make a condition ready; what is wrong with it goes to the diagnostics. Whether it can be used."""
        text = expression.scalar.text
        if text not in self._compiled:
            from rulebook.lang.ruling import book_world, compile_expression

            if self._world is None:
                self._world = book_world(self.book.data)
            compiled = compile_expression(expression.scalar, self.book, diagnostics, "flag", self._world)
            if compiled is None:
                return False
            ir, slots = compiled
            self._compiled[text] = self._in_order(ir), slots
        return True

    def holds(self, expression: Expression, state: State) -> bool:
        """Whether a compiled condition is true in this position. Raises kernel.CardError where it has no value."""
        ir, slots = self._compiled[expression.scalar.text]
        return state.evaluate(ir, slots) is True

    def parts(self, expression: Expression, state: State) -> list[Part]:
        """The parts of a condition with their values, from the outside in; each once, and no constants."""
        compiled, slots = self._compiled[expression.scalar.text]
        ir = with_counts(compiled)
        found: dict[str, Part] = {}
        for depth, part in self._walk(ir, 0):
            text = written(part)
            if text not in found and len(found) < MAX_PARTS:
                found[text] = Part(depth, text, self._value(part, slots, state))
        for text, each, members in self._members(ir):
            if text not in found and len(found) < MAX_PARTS:
                value = self._value(["map", *members, each], slots, state)
                found[text] = Part(0, f"{text}, for each", value)
        return list(found.values())

    def _walk(self, ir: Ir, depth: int) -> Iterator[tuple[int, Ir]]:
        for part in subexpressions(ir):
            if not is_closed(part):
                continue
            told = _is_worth_telling(part) and not (ir[0] in ("ids", "titles") and part[0] == "cards")
            if told:
                yield depth, part
            yield from self._walk(part, depth + told)

    def _members(self, ir: Ir) -> Iterator[tuple[str, Ir, tuple[Ir, int]]]:
        """What is said of each member of a list, where the list itself speaks of no member."""
        if ir[0] in MEMBERWISE and is_closed(ir[1]):
            for part in subexpressions(ir[3]):
                if not is_closed(part) and _is_worth_telling(part) and is_closed([ir[0], ir[1], ir[2], part]):
                    yield written(part), part, (ir[1], ir[2])
        for part in subexpressions(ir):
            yield from self._members(part)

    def _value(self, ir: Ir, slots: int, state: State) -> str:
        kind = gives(ir, self._types)
        try:
            if kind == "cards":
                cards = self._in_order(["ids", ir if ir[0] != "zone" else ["cards", ir]])
                shown = literal(state.evaluate(cards, slots))
            elif kind == "groups":
                groups = state.evaluate(ir, slots)
                shown = literal([state.evaluate(["ids", ["k", list(group)]], slots) for group in groups])
            elif kind == "card":
                shown = literal(state.evaluate(["if", ["set?", ir], ["id", ir], ["k", None]], slots))
            else:
                shown = _players(state.evaluate(ir, slots)) if kind else literal(state.evaluate(ir, slots))
        except GameError as error:
            return f"no value: {error.message}"
        return shown if len(shown) <= MAX_VALUE else shown[:MAX_VALUE] + "…"

    def _in_order(self, ir: Ir) -> Ir:
        """`ids` and `titles` of unordered zones are compared sorted: their order means nothing."""
        changed = [self._in_order(part) if _is_expression(part) else part for part in ir]
        if ir[0] == "ask":
            changed[2] = [self._in_order(part) for part in ir[2]]
        if ir[0] in ("ids", "titles") and self._is_unordered(ir[1]):
            return ["sorted", changed]
        return changed

    def _is_unordered(self, ir: Ir) -> bool:
        if ir[0] == "zone":
            return ir[1] in self._unordered
        return any(self._is_unordered(part) for part in ir[1:2] if _is_expression(part))


def _is_expression(part: Any) -> bool:
    return isinstance(part, list) and bool(part) and isinstance(part[0], str)


def _is_worth_telling(ir: Ir) -> bool:
    """Constants, `player(1)` and a zone that is only named on the way tell nobody anything."""
    if ir[0] in ("k", "v", "zone", "players"):
        return False
    if ir[0] == "list" and all(part[0] == "k" for part in ir[1:]):
        return False
    return not (ir[0] == "player" and ir[1][0] == "k")


def _players(value: Any) -> str:
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(_players, value))}]"
    return "none" if value is None else f"player({value})"
