"""One unit of code being compiled: its slots, its names, what is certain, and where its faults go.

A unit is whatever shares a row of slots in the compiled form: the program of a verb, an ability with its condition, a
play with its choices. Handlers for the kinds of expression register here; `rulebook.lang.operators`, `names` and
`calls` hold them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from rulebook.diagnostics import Diagnostic, did_you_mean
from rulebook.lang import tree
from rulebook.lang.facts import NOTHING, Facts
from rulebook.lang.ir import IR
from rulebook.lang.text import Reporter
from rulebook.lang.types import CARDS, ERROR, Type, fits
from rulebook.lang.unparse import unparse
from rulebook.lang.world import Verb, World


@dataclass(slots=True)
class Value:
    """What an expression became. `settled`: a constant (or a part of one) that options or facts decided, so that what
    it makes
    unreachable is nobody's fault."""

    ir: IR
    type: Type
    settled: bool = False

    @property
    def constant(self) -> bool:
        """Whether it is a constant."""
        return bool(self.ir[0] == "k")


WRONG = Value(["k", None], ERROR)
"""Stands for an expression with a fault that is already reported."""


@dataclass(slots=True)
class Local:
    """A local name, parameter or choice."""

    slot: int
    type: Type
    at: tuple[int, int] | None = None
    fixed: bool = False
    used: bool = False


@dataclass(slots=True)
class Context:
    """What the surroundings of a unit allow. `event`: the parameters that `event` has, by name."""

    you: bool = True
    card: bool = False
    event: dict[str, Type] | None = None
    target: bool = False
    replaces: Verb | None = None
    rulings: bool = False
    you_hint: str = ""
    self_hint: str = ""


Handler = Callable[["Unit", Any], Value]
HANDLERS: dict[type, Handler] = {}


def handles(*kinds: type) -> Callable[[Handler], Handler]:
    """Register a function as the one that checks and compiles these kinds of expression."""

    def register(function: Handler) -> Handler:
        for kind in kinds:
            HANDLERS[kind] = function
        return function

    return register


@dataclass(slots=True)
class Unit:
    """See the module."""

    world: World
    report: Reporter
    context: Context
    facts: Facts = NOTHING
    blocks: list[dict[str, Local]] = field(default_factory=lambda: [{}])
    gone: dict[str, tuple[int, int]] = field(default_factory=dict)
    members: list[tuple[int, Type]] = field(default_factory=list)
    values: dict[int, Value] = field(default_factory=dict)
    unknown: dict[str, tuple[Diagnostic, int]] = field(default_factory=dict)
    """Names that mean nothing here: the fault reported, and how often the name stands there."""
    next_slot: int = 0
    slots: int = 0

    # Slots and names

    def take_slot(self, count: int = 1) -> int:
        """A free slot (the first of several)."""
        slot = self.next_slot
        self.next_slot += count
        self.slots = max(self.slots, self.next_slot)
        return slot

    def find(self, name: str) -> Local | None:
        """The local name that is visible here."""
        for block in reversed(self.blocks):
            if name in block:
                return block[name]
        return None

    def declare(self, name: str, type: Type, at: tuple[int, int] | None = None, fixed: bool = False) -> Local:
        """A new local name in the innermost block."""
        local = Local(self.take_slot(), type, at, fixed)
        self.blocks[-1][name] = local
        return local

    def visible(self) -> list[str]:
        """Every name that could stand here."""
        names = {name for block in self.blocks for name in block}
        return sorted(names | set(self.world.zones) | set(self.world.game_attributes))

    @contextmanager
    def block(self) -> Iterator[None]:
        """A block: names declared in it end with it, and their slots are free again."""
        slot = self.next_slot
        self.blocks.append({})
        try:
            yield
        finally:
            ended = self.blocks.pop()
            self.next_slot = slot
            for name, local in ended.items():
                self.unused(name, local)
                if local.at is not None:
                    self.gone.setdefault(name, local.at)
            self.facts = self.facts.without(ended)

    def unused(self, name: str, local: Local) -> None:
        """Warn of a local name that nobody read."""
        if not local.used and not local.fixed and local.at is not None:
            self.report.warning("RB435", f"`{name}` is never used", local.at, "leave it out")

    @contextmanager
    def member(self, type: Type) -> Iterator[int]:
        """Inside a member expression: `it` is one, in the slot given."""
        slot = self.take_slot()
        before = self.facts
        self.facts = before.without(["it"])
        self.members.append((slot, type))
        try:
            yield slot
        finally:
            self.members.pop()
            self.facts = before
            self.next_slot -= 1

    @contextmanager
    def assuming(self, facts: Facts) -> Iterator[None]:
        """Inside, something more is certain."""
        before = self.facts
        self.facts = before.plus(facts)
        try:
            yield
        finally:
            self.facts = before

    # Checking

    def check(self, node: tree.Expr) -> Value:
        """Compile an expression; a fault is reported and gives :data:`WRONG`."""
        value = HANDLERS[type(node)](self, node)
        if value.type.maybe and value.type.base != "none" and self.facts.known and unparse(node) in self.facts.known:
            value = replace(value, type=value.type.sure)
        self.values[id(node)] = value
        return value

    def want(self, node: tree.Expr, wanted: Type, what: str) -> Value:
        """Compile an expression that must be of a type; `what` says for what, for messages."""
        return self.fit(node, self.check(node), wanted, what)

    def fit(self, node: tree.Expr, value: Value, wanted: Type, what: str) -> Value:
        """A compiled expression as a value of the type wanted there."""
        if value.type.wrong or wanted.wrong:
            return value
        if wanted.base == "kind" and value.type.base == "word" and value.constant:
            if self.check_words(node, "kind"):
                return Value(value.ir, Type("kind", many=value.type.many), value.settled)
            return WRONG
        if not fits(value.type, wanted.unsure if value.type.base == "none" and wanted.maybe else wanted):
            if value.type.base == "none":
                self.error("RB421", f"{what} cannot be none", node, f"a {wanted} is needed")
                return WRONG
            self.error(
                "RB420", f"{what} must be {a(wanted)}, this is {a(value.type)}", node, _type_hint(value.type, wanted)
            )
            return WRONG
        if value.type.maybe and not wanted.maybe:
            self.unset(node)
            return WRONG
        if wanted.domain and value.type.base == "word" and not self.check_words(node, wanted.domain):
            return WRONG
        if wanted.base == "card" and wanted.many and value.type.base == "zone":
            return Value(["cards", value.ir], replace(CARDS, maybe=value.type.maybe), value.settled)
        return value

    def unset(self, node: tree.Expr) -> None:
        """Report that a value is used where it may be none."""
        text = unparse(node)
        shown = text if len(text) <= 40 else "…"
        hint = f"ask first: `if {shown} is set:`"
        if isinstance(node, tree.Call) and node.name in ("first", "last") and node.arguments:
            hint = f"ask first: `if any({unparse(node.arguments[0])}):`"
        self.error("RB421", f"`{shown}` may be none here", node, hint)

    def listed(self, node: tree.Expr, what: str) -> Value:
        """Compile an expression that must be a list or a zone; a zone gives its cards."""
        return self.as_list(node, self.check(node), what)

    def as_list(self, node: tree.Expr, value: Value, what: str) -> Value:
        """A compiled expression as a list; a zone gives its cards."""
        if value.type.wrong:
            return WRONG
        if value.type.maybe and value.type.base != "none":
            self.unset(node)
            return WRONG
        if value.type.base == "zone":
            return Value(["cards", value.ir], CARDS, value.settled)
        if not value.type.is_list:
            hint = "a list of one is written `[…]`" if value.type.base not in ("flag", "none", "number") else ""
            if value.type.base == "flag" and isinstance(node, tree.Compare | tree.Chain | tree.Not):
                hint = "`where` takes in all that stands before it: write brackets around the set and its condition"
            self.error("RB420", f"{what} must be a list or a zone, this is {a(value.type)}", node, hint)
            return WRONG
        return value

    def check_words(self, node: tree.Expr, domain: str) -> bool:
        """Whether all words written in an expression are words of a domain; those that are not are reported."""
        known = self.world.domain(domain)
        if known is None:
            return True
        sound = True
        if isinstance(node, tree.ListOf):
            for item in node.items:
                sound &= self.check_words(item, domain)
        elif isinstance(node, tree.Ternary):
            sound = self.check_words(node.then, domain) & self.check_words(node.other, domain)
        elif isinstance(node, tree.Constant) and isinstance(node.value, str) and node.value not in known:
            self.unknown_word(node, node.value, domain, known)
            return False
        return sound

    def unknown_word(self, node: tree.Node, word: str, domain: str, known: list[str]) -> None:
        """Report a word that is none of its domain."""
        what = {"kind": "kind of card", "zone": "zone", "act": "kind of act", "variant": "variant"}.get(domain)
        code = "RB416" if domain == "kind" else "RB417"
        if what is None:
            message = f'"{word}" is no value of the option `{domain.removeprefix("option:")}`'
        else:
            message = f'there is no {what} "{word}"'
        self.error(code, message, node, did_you_mean(word, known))

    def error(self, code: str, message: str, at: tree.Node | tuple[int, int], hint: str = "") -> None:
        """Report a fault."""
        self.report.error(code, message, at, hint)

    def unknown_name(self, word: str, message: str, at: tree.Node, hint: str) -> None:
        """Report a name that means nothing: once in this piece of code, with how often it stands there."""
        if self.report.muted:
            return
        first, times = self.unknown.get(word, (None, 0))
        found = self.report.error("RB410", message, at, hint) if first is None else self.report.again(first, times + 1)
        if found is not None:
            self.unknown[word] = found, times + 1


def a(type: Type) -> str:
    """A type with its article, for messages."""
    text = str(type)
    if type.many or type.answers or type.base == "none":
        return text
    return f"an {text}" if text[0] in "aeiou" else f"a {text}"


def _type_hint(given: Type, wanted: Type) -> str:
    if given.answers:
        return "take one player's answer: `NAME[player]`"
    if wanted.many and not given.many and given.base == wanted.base:
        return "a list of one is written `[…]`"
    if given.many and not wanted.many and given.base == wanted.base:
        return "take one of them: `first(…)`, or go through them: `for … in …:`"
    if wanted.base == "kind" and given.base == "card":
        return "`id(card)` gives a card's kind"
    if wanted.base == "flag" and given.is_list:
        return "`any(…)` says whether it has members"
    if wanted.base == "word" and given.base == "zone":
        return "`zone_of(card)` gives the name of a zone"
    return ""
