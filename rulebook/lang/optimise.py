"""Makes a compiled game cheaper to play without changing what it does.

Questions that no card of the book answers are put where they are asked, and what is constant is folded. A move that can
never be made keeps its name, and the kernel passes it over. Everything here works on the compiled form alone.
"""

from __future__ import annotations

from typing import Any

from rulebook.lang.hoist import hoist
from rulebook.lang.inline import inline
from rulebook.lang.ir import FALSE, IR, MEMBERS, TRUE

MAX_SIZE = 400
"""A question whose answer would grow larger than this is asked, not put in place."""
COMPARE: dict[str, Any] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}
SAME = ("==", "!=")
ARITHMETIC: dict[str, Any] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
}
BOUND = 10**12
"""No number of the language is larger; one that is stays to be met at play, with its place."""


def optimise(data: dict[str, Any]) -> dict[str, Any]:
    """The same game, cheaper. `data` is changed and given back."""
    _Optimiser(data).run()
    return data


def _size(ir: Any) -> int:
    return 1 + sum(_size(part) for part in ir) if isinstance(ir, list) else 1


def _constant(ir: Any) -> bool:
    return bool(ir[0] == "k")


def _settled(*parts: Any) -> bool:
    """Constants that are set. A parameter left out is `none`, and what a condition keeps from it is not worked out."""
    return all(_constant(ir) and ir[1] is not None for ir in parts)


class _Optimiser:
    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data
        answered = {answer["question"] for kind in data["kinds"] for answer in kind["while"]}
        self.open = {q["name"]: q for q in data["questions"] if q["name"] not in answered}
        self.tags: dict[str, set[str]] = {}
        for kind in data["kinds"]:
            for tag in kind["tags"]:
                self.tags.setdefault(tag, set()).add(kind["id"])
        self.done: dict[str, bool] = {}
        self.placing = False
        self.slots = 0

    def run(self) -> None:
        data = self.data
        for question in data["questions"]:
            if question["name"] in self.open:
                self.settled(question)
            else:
                self.unit(question, ["default"])
        for kind in data["kinds"]:
            for play in kind["plays"]:
                self.play(play)
            for key in ("when", "before", "instead"):
                for ability in kind[key]:
                    self.unit(ability, ["if"], program=True)
                kind[key] = [ability for ability in kind[key] if ability["if"] != FALSE]
            for answer in kind["while"]:
                self.unit(answer, ["if", "with"])
            if kind["plays_as"]:
                self.unit(kind["plays_as"], ["if", "from"])
        for verb in data["verbs"]:
            self.program(verb["program"])
        for move in data["moves"]:
            self.play(move)
        for key in ("play_announce", "setup", "play", "leave"):
            if data[key]:
                self.program(data[key])
        self.unit(data["can_act"], ["expr"])
        if data["now"]:
            self.unit(data["now"], ["expr"])
        if data["limits"]["winners"]:
            self.unit(data["limits"]["winners"], ["expr"])
        for ban in data["never"]:
            if ban["unless"]:
                self.unit(ban["unless"], ["expr"])
        self.placing = True  # questions are in place by now
        inline(data, self.expr)
        for move in data["moves"]:
            hoist(move)

    # Units

    def unit(self, unit: dict[str, Any], keys: list[str], program: bool = False) -> None:
        """Expressions that share their slots with each other, and with a program."""
        self.slots = unit["slots"]
        for key in keys:
            if unit[key] is not None:
                unit[key] = self.expr(unit[key])
                if key == "if" and unit[key] == TRUE:
                    unit[key] = None
        if program:
            self.ops(unit["program"])
            unit["program"]["slots"] = self.slots
        unit["slots"] = self.slots

    def program(self, program: dict[str, Any]) -> None:
        self.slots = program["slots"]
        self.ops(program)
        program["slots"] = self.slots

    def play(self, play: dict[str, Any]) -> None:
        """A play or a move."""
        self.slots = play["slots"]
        cards = play.get("cards")
        if cards:
            for key in ("where", "alike", "unlike"):
                if cards[key]:
                    cards[key][1] = self.expr(cards[key][1])
            if cards["if"] is not None:
                cards["if"] = self.expr(cards["if"])
                if cards["if"] == TRUE:
                    cards["if"] = None
            if cards["where"] and cards["where"][1] == TRUE:
                cards["where"] = None
        for choice in play["choose"]:
            choice["set"] = self.expr(choice["set"])
        if play.get("announce"):
            self.ops(play["announce"])
        play["slots"] = self.slots
        self.unit(play, ["to", "if"], program=True)
        play["slots"] = play["program"]["slots"] = self.slots
        if play.get("announce"):
            play["announce"]["slots"] = self.slots

    def ops(self, program: dict[str, Any]) -> None:
        """The expressions in the operations of a program."""
        for op in program["ops"]:
            name = op[0]
            if name == "pick":
                for key in ("from", "by", "min", "max", "unseen", "or"):
                    if op[1].get(key) is not None:
                        op[1][key] = self.expr(op[1][key])
            elif name == "do":
                for label, value in op[2].items():
                    if value is not None:
                        op[2][label] = self.expr(value)
            elif name in ("call", "heard", "after", "proceed"):
                at = 1 if name == "proceed" else 2
                if len(op) > at and op[at] is not None:
                    op[at] = [None if value is None else self.expr(value) for value in op[at]]
            elif name == "unless":
                op[1] = self.expr(op[1])
            elif name != "next":
                for at in range(1, len(op)):
                    if isinstance(op[at], list):
                        op[at] = self.expr(op[at])

    # Expressions

    def expr(self, ir: IR) -> IR:
        """An expression, folded, with unanswered questions put in place."""
        head = ir[0]
        if head == "k":
            return ir
        if head == "ask":
            return self.ask(ir)
        parts: IR = [self.expr(part) if isinstance(part, list) else part for part in ir]
        return self.fold(parts)

    def ask(self, ir: IR) -> IR:
        """A question asked: its answer, where that can be put in place and stays small."""
        name, arguments = ir[1], [self.expr(argument) for argument in ir[2]]
        question = self.open.get(name)
        if question is None or self.placing or not self.settled(question):
            return ["ask", name, arguments]
        params = len(question["params"])
        first = self.slots
        placed = self.put(question["default"], arguments, params, first)
        if _size(placed) > MAX_SIZE:
            return ["ask", name, arguments]
        self.slots = first + max(0, question["slots"] - params)
        self.placing = True  # what the answer itself could put in place is there already
        try:
            return self.expr(placed)
        finally:
            self.placing = False

    def settled(self, question: dict[str, Any]) -> bool:
        """Whether a question's own answer is optimised, and small enough to be put in place.

        Each is worked on once, whoever asks first: questions that ask each other twice would else grow without end.
        """
        name = question["name"]
        if name not in self.done:
            self.done[name] = False  # questions that ask themselves stay questions
            slots, self.slots = self.slots, question["slots"]
            question["default"] = self.expr(question["default"])
            question["slots"], self.slots = self.slots, slots
            self.done[name] = _size(question["default"]) <= MAX_SIZE
        return self.done[name]

    def put(self, ir: Any, arguments: list[IR], params: int, first: int) -> Any:
        """An answer with arguments for parameters; its own slots move behind those of the unit that asks."""
        if not isinstance(ir, list) or ir[0] == "k":
            return ir
        if ir[0] == "v":
            return arguments[ir[1]] if ir[1] < params else ["v", first + ir[1] - params]
        if ir[0] == "ask":
            return ["ask", ir[1], [self.put(part, arguments, params, first) for part in ir[2]]]
        placed = [self.put(part, arguments, params, first) for part in ir]
        if ir[0] in MEMBERS:
            placed[2] = first + ir[2] - params
        return placed

    def fold(self, ir: IR) -> IR:
        """A node whose parts are folded already."""
        head = ir[0]
        if head in ("and", "or"):
            for at, other in ((1, 2), (2, 1)):
                if _constant(ir[at]):
                    decides = ir[at][1] is (head == "or")
                    return ["k", head == "or"] if decides else ir[other]
        elif head == "not" and _constant(ir[1]):
            return ["k", not ir[1][1]]
        elif head == "if" and _constant(ir[1]):
            return ir[2] if ir[1][1] else ir[3]  # type: ignore[no-any-return]
        elif head == "neg" and _settled(ir[1]):
            return ["k", -ir[1][1]]
        elif head in ARITHMETIC and _settled(ir[1], ir[2]):
            result = ARITHMETIC[head](ir[1][1], ir[2][1])
            return ["k", result] if abs(result) <= BOUND else ir
        elif head in SAME and _constant(ir[1]) and _constant(ir[2]):
            return ["k", COMPARE[head](ir[1][1], ir[2][1])]
        elif head in COMPARE and _settled(ir[1], ir[2]):
            return ["k", COMPARE[head](ir[1][1], ir[2][1])]
        elif head == "tagged" and ir[2][0] != "target" and (len(ir) < 4 or ir[3] != "act"):
            owners = self.tags.get(ir[1], set())
            if not owners:
                return FALSE
            if _constant(ir[2]) and isinstance(ir[2][1], str):
                return ["k", ir[2][1] in owners]
        elif head == "in" and ir[2] == ["k", []]:
            return FALSE
        elif head == "where":
            if ir[3] == TRUE:
                return ir[1]  # type: ignore[no-any-return]
            if ir[3] == FALSE or ir[1] == ["k", []]:
                return ["k", []]
            if ir[1] == ["players"] and ir[3] == ["in", ["v", ir[2]], ["living"]]:
                return ["living"]
        elif head in ("any", "empty", "count"):
            return self.counted(ir)
        elif head in ("exists", "countif") and ir[3] == FALSE:
            return FALSE if head == "exists" else ["k", 0]
        return ir

    def counted(self, ir: IR) -> IR:
        head, of = ir
        if _settled(of):
            return ["k", len(of[1]) if head == "count" else (len(of[1]) > 0) == (head == "any")]
        if of[0] == "where":
            if head == "count":
                return ["countif", *of[1:]]
            found: IR = ["exists", *of[1:]]
            return found if head == "any" else ["not", found]
        return ir
