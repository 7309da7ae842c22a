"""Checks and compiles calls of functions and questions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulebook.diagnostics import did_you_mean
from rulebook.lang import ir, tree
from rulebook.lang.functions import FUNCTIONS
from rulebook.lang.names import question_shape
from rulebook.lang.types import (
    CARD,
    CARDS,
    ERROR,
    FLAG,
    GROUPS,
    KIND,
    KINDS,
    NUMBER,
    PLAYER,
    PLAYERS,
    WORD,
    ZONE,
    Type,
)
from rulebook.lang.unit import WRONG, Unit, Value, a, handles


@handles(tree.Call)
def call(unit: Unit, node: tree.Call) -> Value:
    if node.name in unit.world.questions:
        return _question(unit, node)
    function = FUNCTIONS.get(node.name)
    if function is None:
        _unknown(unit, node)
        return WRONG
    given = len(node.arguments)
    if given < function.least or (function.most is not None and given > function.most):
        wanted = _how_many(function.least, function.most)
        hint = f"write `{function.shape}`"
        if given == 2 and node.name in ("any", "count", "empty", "first", "last"):
            hint = f"a condition follows `where`: `{node.name}(LIST where CONDITION)`"
        unit.error("RB424", f"`{node.name}` takes {wanted}, not {given}", node, hint)
        _check_all(unit, node)
        return WRONG
    return _FUNCTIONS[node.name](unit, node)


def _how_many(least: int, most: int | None) -> str:
    if most is None:
        return f"{least} or more arguments"
    if least == most:
        return {0: "no arguments", 1: "one argument"}.get(least, f"{least} arguments")
    return f"{least} to {most} arguments"


def _unknown(unit: Unit, node: tree.Call) -> None:
    at = (node.start, node.start + len(node.name))
    names = [*FUNCTIONS, *unit.world.questions]
    hint = did_you_mean(node.name, names)
    if unit.find(node.name) is not None or node.name in unit.world.zones:
        unit.error("RB412", f"`{node.name}` is no function", at, "an item of a list is written `LIST[PLACE]`")
    else:
        unit.error("RB412", f"there is no function or question `{node.name}`", at, hint)
    _check_all(unit, node)


def _check_all(unit: Unit, node: tree.Call) -> None:
    """Look at the arguments of a call that cannot be used, for what is wrong in them."""
    for number, argument in enumerate(node.arguments):
        if number and not unit.members:
            with unit.member(ERROR):
                unit.check(argument)
        else:
            unit.check(argument)


def _question(unit: Unit, node: tree.Call) -> Value:
    question = unit.world.questions[node.name]
    if len(node.arguments) != len(question.params):
        wanted = _how_many(len(question.params), len(question.params))
        hint = f"ask it so: `{question_shape(unit, node.name)}`"
        unit.error("RB424", f"`{node.name}` takes {wanted}, not {len(node.arguments)}", node, hint)
        _check_all(unit, node)
        return WRONG
    values = []
    for argument, (name, type) in zip(node.arguments, question.params.items(), strict=True):
        values.append(unit.want(argument, type, f"`{name}` of `{node.name}`"))
    if any(value.type.wrong for value in values):
        return Value(["k", None], ERROR)
    return Value(["ask", node.name, [value.ir for value in values]], question.type)


# Functions


def _of_list(unit: Unit, node: tree.Call) -> Value:
    value = unit.listed(node.arguments[0], f"what `{node.name}` looks at")
    if value.type.wrong:
        return WRONG
    if node.name in ("first", "last", "count", "any", "empty") and value.type.base == "nothing":
        unit.error("RB433", "an empty list has no members", node.arguments[0])
        return WRONG
    if node.name == "count":
        return Value(ir.count(value.ir), NUMBER)
    if node.name == "any":
        return Value(ir.some(value.ir), FLAG)
    if node.name == "empty":
        return Value(ir.negate(ir.some(value.ir)), FLAG)
    if node.name in ("first", "last"):
        return Value([node.name, value.ir], value.type.member.unsure)
    return Value(["each", value.ir], value.type)


def _ends(unit: Unit, node: tree.Call) -> Value:
    value = unit.listed(node.arguments[0], f"what `{node.name}` takes of")
    number = unit.want(node.arguments[1], NUMBER, f"how many `{node.name}` takes")
    if value.type.wrong or number.type.wrong:
        return WRONG
    return Value([node.name, value.ir, number.ir], value.type)


def _slots(unit: Unit, node: tree.Call) -> Value:
    value = unit.want(node.arguments[0], ZONE, "what `slots` looks at")
    return WRONG if value.type.wrong else Value(["slots", value.ir], NUMBER.listed)


def _range(unit: Unit, node: tree.Call) -> Value:
    first = unit.want(node.arguments[0], NUMBER, "the first number of `range`")
    last = unit.want(node.arguments[1], NUMBER, "the last number of `range`")
    if first.type.wrong or last.type.wrong:
        return WRONG
    if first.constant and last.constant and not (first.settled or last.settled):
        if last.ir[1] - first.ir[1] >= 1000:
            unit.error("RB444", "a range has at most 1000 numbers", node)
            return WRONG
        if last.ir[1] < first.ir[1]:
            unit.error("RB433", "this range is empty", node, "the lesser number stands first")
            return WRONG
    return Value(["range", first.ir, last.ir], NUMBER.listed)


def _simple(wanted: Type, result: Type, what: str) -> Callable[[Unit, tree.Call], Value]:
    """A function of one argument of a fixed type."""

    def check(unit: Unit, node: tree.Call) -> Value:
        value = unit.want(node.arguments[0], wanted, f"{what} of `{node.name}`")
        return WRONG if value.type.wrong else Value([node.name, value.ir], result)

    return check


def _can_play(unit: Unit, node: tree.Call) -> Value:
    if not unit.context.you:
        unit.error("RB441", "there is no `you` here who could play", node)
        return WRONG
    value = unit.want(node.arguments[0], CARD, "the card of `can_play`")
    return WRONG if value.type.wrong else Value(["can_play", value.ir], FLAG)


def _title(unit: Unit, node: tree.Call) -> Value:
    argument = node.arguments[0]
    value = unit.check(argument)
    if not value.type.wrong:
        value = unit.fit(
            argument, value, KIND if value.type.base in ("kind", "word") else CARD, "what `title` looks at"
        )
    return WRONG if value.type.wrong else Value(["title", value.ir], WORD)


def _titles(unit: Unit, node: tree.Call) -> Value:
    argument = node.arguments[0]
    value = unit.listed(argument, "what `titles` looks at")
    if value.type.wrong:
        return WRONG
    if value.type.base not in ("card", "kind", "nothing"):
        unit.error("RB420", f"`titles` takes cards, these are {value.type}", argument)
        return WRONG
    return Value(["titles", value.ir], WORD.listed)


def _player(unit: Unit, node: tree.Call) -> Value:
    value = unit.want(node.arguments[0], NUMBER, "the number of `player`")
    if value.type.wrong:
        return WRONG
    if value.constant and value.ir[1] < 0:
        unit.error("RB433", "players are numbered from 0", node.arguments[0])
        return WRONG
    return Value(["player", value.ir], PLAYER)


def _kinds(unit: Unit, node: tree.Call) -> Value:
    return Value(["kinds"], KINDS)


def _fold(unit: Unit, node: tree.Call) -> Value:
    """`sum`, `min`, `max`: over the members of a list, or of numbers."""
    first = node.arguments[0]
    if node.name == "sum" and len(node.arguments) == 1:
        value = unit.want(first, NUMBER.listed, "what `sum` adds")
        return WRONG if value.type.wrong else Value(["sum", value.ir], NUMBER)
    value = unit.check(first)
    if node.name == "sum" or value.type.is_list:
        found = unit.as_list(first, value, f"what `{node.name}` goes through")
        return _over_members(unit, node, found, NUMBER, f"{node.name}of", NUMBER)
    left = unit.fit(first, value, NUMBER, f"the first of `{node.name}`")
    if left.type.wrong and value.type.wrong:
        with unit.member(ERROR):
            unit.check(node.arguments[1])
        return WRONG
    right = unit.want(node.arguments[1], NUMBER, f"the second of `{node.name}`")
    if left.type.wrong or right.type.wrong:
        return WRONG
    if left.constant and right.constant:
        chosen = min(left.ir[1], right.ir[1]) if node.name == "min" else max(left.ir[1], right.ir[1])
        return Value(ir.constant(chosen), NUMBER, left.settled or right.settled)
    return Value([node.name, left.ir, right.ir], NUMBER)


def _over_members(
    unit: Unit, node: tree.Call, found: Value, wanted: Type | None, operation: str, result: Type | None
) -> Value:
    """The second argument for each member. `wanted` None: anything single; `result` None: the list itself."""
    argument = node.arguments[1]
    with unit.member(found.type.member if not found.type.wrong else ERROR) as slot:
        if wanted is not None:
            value = unit.want(argument, wanted, f"what `{node.name}` asks of each member")
        else:
            value = unit.check(argument)
    if found.type.wrong or value.type.wrong:
        return WRONG
    if found.type.base == "nothing":
        unit.error("RB433", "an empty list has no members", node.arguments[0])
        return WRONG
    if wanted is None:
        if value.type.maybe:
            unit.unset(argument)
            return WRONG
        if value.type.is_list or value.type.answers:
            unit.error("RB420", f"`map` makes a list, and a list cannot hold {a(value.type)}", argument)
            return WRONG
        result = value.type.listed
    return Value([operation, found.ir, slot, value.ir], result or found.type)


def _best(unit: Unit, node: tree.Call) -> Value:
    return _over_members(unit, node, unit.listed(node.arguments[0], "what `best` chooses from"), NUMBER, "best", None)


def _all(unit: Unit, node: tree.Call) -> Value:
    return _over_members(unit, node, unit.listed(node.arguments[0], "what `all` goes through"), FLAG, "all", FLAG)


def _map(unit: Unit, node: tree.Call) -> Value:
    return _over_members(unit, node, unit.listed(node.arguments[0], "what `map` goes through"), None, "map", None)


def _combined(unit: Unit, node: tree.Call) -> Value:
    values = [unit.want(argument, WORD, "a part of `combined`") for argument in node.arguments]
    if any(value.type.wrong for value in values):
        return WRONG
    if all(value.constant for value in values):
        words = " ".join(value.ir[1] for value in values)
        return Value(ir.constant(words), WORD, any(value.settled for value in values))
    return Value(["join", *(value.ir for value in values)], WORD)


def _has_mark(unit: Unit, node: tree.Call) -> Value:
    value = unit.check(node.arguments[0])
    mark = unit.want(node.arguments[1], WORD, "the mark of `has_mark`")
    if value.type.wrong or mark.type.wrong:
        return WRONG
    if value.type.base not in ("card", "player") or value.type.is_list or value.type.answers:
        unit.error("RB420", f"a card or a player bears marks, this is {a(value.type)}", node.arguments[0])
        return WRONG
    if value.type.maybe:
        unit.unset(node.arguments[0])
        return WRONG
    known = mark_known(unit, node.arguments[1], mark)
    if known is None:
        return WRONG
    if not known:
        return Value(ir.constant(False), FLAG, settled=True)
    return Value(["bears", mark.ir, value.ir, value.type.base], FLAG)


def mark_known(unit: Unit, node: tree.Expr, mark: Value) -> bool | None:
    """Whether a mark is in this book; None, and reported, if there is no such mark anywhere.

    Computed ones count as known.
    """
    if not mark.constant:
        return True
    if mark.ir[1] in unit.world.marks:
        return True
    if mark.ir[1] in unit.world.absent:
        return False
    unit.error("RB415", f'there is no mark "{mark.ir[1]}"', node, did_you_mean(str(mark.ir[1]), unit.world.marks))
    return None


def _grouped(unit: Unit, node: tree.Call) -> Value:
    """`groups`, `sets`, `runs`: what is asked of each card becomes a list; of a run the second is a number."""
    cards = unit.want(node.arguments[0], CARDS, f"what `{node.name}` looks at")
    asked = node.arguments[1:3] if node.name == "runs" else node.arguments[1:2]
    parts: list[Any] = []
    for number, argument in enumerate(asked):
        with unit.member(ERROR if cards.type.wrong else CARD) as slot:
            if number:
                value = unit.want(argument, NUMBER, "the rank of `runs`")
            else:
                value = _key(unit, node, argument)
        parts.append(None if value.type.wrong else ["map", cards.ir, slot, value.ir])
    for argument in node.arguments[1 + len(asked) :]:
        least = unit.want(argument, NUMBER, f"the least number of cards of `{node.name}`")
        parts.append(None if least.type.wrong else least.ir)
    if cards.type.wrong or None in parts:
        return WRONG
    return Value([node.name, cards.ir, *parts], GROUPS)


def _key(unit: Unit, node: tree.Call, argument: tree.Expr) -> Value:
    """What cards of a group share."""
    value = unit.check(argument)
    if value.type.wrong:
        return WRONG
    if value.type.maybe:
        unit.unset(argument)
        return WRONG
    if value.type.is_list or value.type.answers or value.type.base not in ("word", "kind", "number", "flag", "player"):
        unit.error("RB420", f"the key of `{node.name}` cannot be {a(value.type)}", argument, "it is a word or number")
        return WRONG
    return value


def _disjoint(unit: Unit, node: tree.Call) -> Value:
    groups = unit.want(node.arguments[0], GROUPS, "what `disjoint` chooses from")
    return _over_members(unit, node, groups, NUMBER, "disjoint", None)


_FUNCTIONS: dict[str, Callable[[Unit, tree.Call], Value]] = {
    "count": _of_list,
    "any": _of_list,
    "empty": _of_list,
    "first": _of_list,
    "last": _of_list,
    "each": _of_list,
    "top": _ends,
    "bottom": _ends,
    "slots": _slots,
    "range": _range,
    "owner": _simple(CARD, PLAYER.unsure, "the card"),
    "zone_of": _simple(CARD, Type("word", domain="zone"), "the card"),
    "id": _simple(CARD, KIND, "the card"),
    "ids": _simple(CARDS, KINDS, "the cards"),
    "title": _title,
    "titles": _titles,
    "next_player": _simple(PLAYER, PLAYER, "the player"),
    "ring": _simple(PLAYER, PLAYERS, "the player"),
    "seats": _simple(PLAYER, PLAYERS, "the player"),
    "player": _player,
    "kinds": _kinds,
    "can_play": _can_play,
    "sum": _fold,
    "min": _fold,
    "max": _fold,
    "best": _best,
    "all": _all,
    "groups": _grouped,
    "sets": _grouped,
    "runs": _grouped,
    "disjoint": _disjoint,
    "members": _simple(GROUPS, CARDS, "the groups"),
    "map": _map,
    "combined": _combined,
    "has_mark": _has_mark,
}
