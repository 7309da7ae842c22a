"""Expressions and programs of the compiled form at random: what no compiler would write, but what it means is plain."""

from __future__ import annotations

from random import Random
from typing import Any

SLOTS = 8
ZONES = ("pile", "discard")
OWN_ZONES = ("hand", "table")


class Scribbler:
    """Makes them, from a seed."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def pick(self, *choices: Any) -> Any:
        """One of these."""
        return self.random.choice(choices)

    def node(self, *choices: list[Any]) -> list[Any]:
        """One of these nodes."""
        return self.random.choice(choices)

    def slot(self) -> int:
        """A variable."""
        return self.random.randrange(SLOTS)

    def expr(self, depth: int, wanted: str = "") -> list[Any]:
        """An expression, nearly always of the kind that is wanted."""
        if self.random.random() < 0.04:
            wanted = ""
        wanted = wanted or self.pick("number", "flag", "player", "card", "list", "word")
        return getattr(self, f"a_{wanted}")(depth - 1)  # type: ignore[no-any-return]

    def a_number(self, depth: int) -> list[Any]:
        if depth <= 0:
            return self.node(
                ["k", self.pick(-1, 0, 1, 2, 3, 10**12)], ["v", self.slot()], ["turns_owed"], ["direction"]
            )
        e = self.expr
        return self.node(
            [self.pick("+", "-", "*", "/", "%", "min", "max"), e(depth, "number"), e(depth, "number")],
            ["neg", e(depth, "number")],
            ["count", e(depth, "list")],
            ["sum", ["list", e(depth, "number"), e(depth, "number")]],
            ["countif", e(depth, "list"), self.slot(), e(depth, "flag")],
            [self.pick("sumof", "minof", "maxof"), e(depth, "list"), self.slot(), e(depth, "number")],
            ["if", e(depth, "flag"), e(depth, "number"), e(depth, "number")],
            ["pattr", "coins", e(depth, "player")],
            ["ask", self.pick("worth", "most"), [e(depth, "player")]],
            ["once", self.pick(SLOTS - 2, SLOTS - 1), e(depth, "number")],
            ["index", e(depth, "list"), e(depth, "number")],
            ["count", ["top", e(depth, "list"), e(depth, "number")]],
            ["count", ["living"]],
        )

    def a_flag(self, depth: int) -> list[Any]:
        if depth <= 0:
            return self.node(["k", True], ["k", False], ["v", self.slot()], ["turn_ended"], ["over"])
        e = self.expr
        same = self.pick("number", "card", "player", "word", "list")
        return self.node(
            [self.pick("and", "or"), e(depth, "flag"), e(depth, "flag")],
            ["not", e(depth, "flag")],
            [self.pick("<", "<=", ">", ">="), e(depth, "number"), e(depth, "number")],
            [self.pick("==", "!="), e(depth, same), e(depth, same)],
            ["in", e(depth, same), e(depth, "list")],
            ["in", e(depth, "player"), [self.pick("living", "dead")]],
            [self.pick("any", "empty"), e(depth, "list")],
            [self.pick("exists", "all"), e(depth, "list"), self.slot(), e(depth, "flag")],
            ["set?", e(depth, self.pick("card", "player"))],
            ["tagged", "sweet", e(depth, "card")],
            ["ask", self.pick("safe", "every"), [e(depth, "player")]],
            ["if", e(depth, "flag"), e(depth, "flag"), e(depth, "flag")],
            ["bears", ["k", "hat"], e(depth, "player"), "player"],
        )

    def a_player(self, depth: int) -> list[Any]:
        if depth <= 0:
            return self.node(["you"], ["turn_of"], ["k", self.pick(0, 1, 2, 7)], ["v", self.slot()])
        e = self.expr
        return self.node(
            ["next_player", e(depth, "player")],
            ["player", e(depth, "number")],
            ["owner", e(depth, "card")],
            [self.pick("first", "last"), [self.pick("living", "others", "dead", "players")]],
            ["if", e(depth, "flag"), e(depth, "player"), e(depth, "player")],
        )

    def a_card(self, depth: int) -> list[Any]:
        if depth <= 0:
            return self.node(["self"], ["k", self.pick(0, 1, None)], ["v", self.slot()], ["target"])
        return self.node(
            [self.pick("first", "last"), self.cards(depth)],
            ["index", self.cards(depth), self.expr(depth, "number")],
            ["if", self.expr(depth, "flag"), self.expr(depth, "card"), self.expr(depth, "card")],
        )

    def a_word(self, depth: int) -> list[Any]:
        if depth <= 0:
            return self.node(["k", self.pick("tea", "", 'it\'s "so"\n\\')], ["v", self.slot()])
        e = self.expr
        return self.node(
            ["id", e(depth, "card")],
            ["title", e(depth, self.pick("card", "word"))],
            ["zone_of", e(depth, "card")],
            ["variant", e(depth, "card")],
            ["field", self.pick("strength", "none"), e(depth, self.pick("card", "word"))],
            ["join", e(depth), e(depth)],
            ["if", e(depth, "flag"), e(depth, "word"), e(depth, "word")],
        )

    def zone(self, depth: int) -> list[Any]:
        """A zone."""
        owner = self.pick(None, ["you"], ["v", self.slot()], self.expr(depth, "player"))
        return self.node(["zone", self.pick(*ZONES), None], ["zone", self.pick(*OWN_ZONES), owner])

    def cards(self, depth: int) -> list[Any]:
        """The cards of a zone, or some of them."""
        zone = ["cards", self.zone(depth - 1)]
        if depth <= 0:
            return zone
        slot = self.slot()
        return self.node(
            zone,
            zone,
            [self.pick("top", "bottom"), zone, self.expr(depth - 1, "number")],
            ["where", zone, slot, ["tagged", "sweet", ["v", slot]]],
            ["where", zone, slot, ["==", ["id", ["v", slot]], self.expr(depth - 1, "word")]],
            ["where", zone, slot, self.expr(depth - 1, "flag")],
        )

    def a_list(self, depth: int) -> list[Any]:
        if depth <= 0:
            return self.node(["living"], ["players"], ["others"], ["gattr", "log"], ["k", [1, 2]], ["v", self.slot()])
        e = self.expr
        return self.node(
            self.cards(depth),
            [self.pick("union", "minus"), e(depth, "list"), e(depth, "list")],
            ["where", e(depth, "list"), self.slot(), e(depth, "flag")],
            ["map", e(depth, "list"), self.slot(), e(depth)],
            ["best", e(depth, "list"), self.slot(), e(depth, "number")],
            ["list", *[e(depth) for _ in range(self.random.randrange(4))]],
            ["range", e(depth, "number"), e(depth, "number")],
            [self.pick("each", "sorted"), e(depth, "list")],
            ["ring", e(depth, "player")],
            ["seats", e(depth, "player")],
            ["slots", self.zone(depth)],
            ["ids", self.cards(depth)],
            ["ask", "calls", [e(depth, "player")]],
            ["if", e(depth, "flag"), e(depth, "list"), e(depth, "list")],
        )

    def op(self, at: int, size: int) -> list[Any]:
        """An operation of a program."""
        e = self.expr
        to = self.random.randrange(size + 1)
        on = self.random.randrange(at + 1, size + 1)  # only jumps lead back
        slot = self.slot()
        return self.node(
            ["let", slot, e(3)],
            ["let", slot, e(3, "number")],
            ["let", slot, e(2, "list")],
            ["let", slot, ["k", self.pick(0, 1, "tea", None)]],
            ["unless", e(2, "flag"), on],
            ["unless", e(3, "flag"), self.pick(on, min(at + 2, size))],
            ["jump", to],
            ["iter", slot, e(2, "list")],
            ["next", self.slot(), self.slot(), on],
            ["set_game", "log", e(2, "list")],
            ["set_player", "coins", e(1, "player"), e(2, "number")],
            ["do", "move", {"": e(2, self.pick("card", "list")), "to": self.zone(2)}],
            ["do", "move", {"": ["list", ["v", slot]], "to": self.zone(2)}],
            ["do", "move", {"": self.cards(2), "to": self.zone(2), "at": e(1, "number"), "secret": e(1, "flag")}],
            ["do", "end_turn", {"": e(1, "player")}],
            ["do", "give_turns", {"": e(1, "number"), "to": e(1, "player")}],
            ["do", "next_turn", {}],
            ["do", "eliminate", {"": e(1, "player")}],
            ["do", "shuffle", {"": self.zone(1)}],
            ["call", "pay", [e(1, "player"), e(2, "number")]],
            ["call", "note", [e(2, "word")]],
            ["pick", self.question(slot)],
            ["stop"],
        )

    def question(self, slot: int) -> dict[str, Any]:
        """A pick."""
        type = self.pick("card", "player", "number")
        members = {"card": self.cards(2), "player": ["living"], "number": ["range", ["k", 0], ["k", 2]]}[type]
        by = self.pick(self.expr(1, "player"), ["chance"])
        return {"slot": slot, "from": members, "it": self.slot(), "by": by, "type": type}

    def program(self, size: int) -> dict[str, Any]:
        """A program with loops that go on for ever or not, and jumps into the middle of them."""
        ops = [self.op(at, size) for at in range(size)]
        return {"ops": ops, "lines": list(range(1, size + 1)), "slots": SLOTS + 1, "file": "parlour/base/x.yaml"}
