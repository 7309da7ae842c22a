"""Checks and compiles `pick`: a question to players, or to chance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulebook.diagnostics import did_you_mean
from rulebook.lang import tree
from rulebook.lang.types import CARDS, ERROR, FLAG, NUMBER, PLAYER, WORD, Type
from rulebook.lang.unit import WRONG, Unit, Value, a
from rulebook.lang.verbs import PICK_LABELS

if TYPE_CHECKING:
    from rulebook.lang.statements import Program

CHOOSABLE = ("card", "player", "number", "word", "kind")
"""What can be chosen."""
MANY = 10**12
"""Stands for any number in `max`."""


def pick(program: Program, node: tree.Pick) -> None:
    """A statement that asks."""
    unit = program.unit
    at = (node.name_start, node.name_start + len(node.name))
    labels = _labels(unit, node)
    chance, many, by = _by(unit, labels.get("by"), node)
    asked = PLAYER if many else None
    with unit.member(asked or ERROR) as it:
        if asked is None:
            unit.members.pop()  # with one asked, `it` is not theirs
        found = _set(unit, labels.get("from"), node)
        unseen = _unseen(unit, labels.get("unseen"))
        least, most, listed = _numbers(unit, labels)
        if asked is None:
            unit.members.append((it, ERROR))
    order = _flag(unit, labels.get("order"))
    secret = _flag(unit, labels.get("secret"))
    if order and not listed and "order" in labels:
        unit.error("RB423", "`order:` needs `count:`, or `min:` and `max:`", labels["order"], "one member has no order")
    type = found.type.member if not found.type.wrong else ERROR
    if listed and not type.wrong:
        type = type.listed
    otherwise, type = _or(unit, labels.get("or"), type)
    ask = _text(unit, labels.get("ask"))
    if many and not type.wrong:
        type = Type(type.base, many=type.many, answers=True, domain=type.domain)
    local = program.assign(node.name, at, type)
    if local is None:
        return
    if local.at == at:
        local.used = True  # a question may be asked for the sake of asking
    operation: dict[str, Any] = {
        "slot": local.slot,
        "from": found.ir,
        "it": it,
        "by": by,
        "many": many,
        "chance": chance,
        "type": found.type.member.base if not found.type.wrong else "card",
        "min": least,
        "max": most,
        "list": listed,
        "order": order,
        "secret": secret,
        "unseen": unseen,
        "or": otherwise,
        "ask": ask,
    }
    program.out.add(["pick", operation], program.line(node))


def _labels(unit: Unit, node: tree.Pick) -> dict[str, tree.Label]:
    found: dict[str, tree.Label] = {}
    for label in node.labels:
        if label.name not in PICK_LABELS:
            unit.error("RB414", f"`pick` has no label `{label.name}:`", label, did_you_mean(label.name, PICK_LABELS))
        elif label.name in found:
            unit.error("RB423", f"`{label.name}:` stands twice", label, "leave one of them out")
        else:
            found[label.name] = label
    head = (node.start, node.name_start + len(node.name))
    for name in ("from", "by"):
        if name not in found:
            unit.error("RB422", f"`pick` needs `{name}:`", head, "write `pick NAME from: SET by: PLAYER`")
    if "count" in found and ("min" in found or "max" in found):
        unit.error("RB423", "`count:` says exactly how many: leave out `min:` and `max:`", found["count"])
    return found


def _by(unit: Unit, label: tree.Label | None, node: tree.Pick) -> tuple[bool, bool, list[Any]]:
    """Whether chance answers, whether several players do, and who."""
    if label is None:
        return False, False, ["k", None]
    if isinstance(label.value, tree.Name) and label.value.name == "chance":
        return True, False, ["chance"]
    value = unit.check(label.value)
    if value.type.wrong:
        return False, False, ["k", None]
    if value.type.base == "player" and value.type.many:
        return False, True, value.ir
    value = unit.fit(label.value, value, PLAYER, "`by:` of `pick`")
    return False, False, value.ir


def _set(unit: Unit, label: tree.Label | None, node: tree.Pick) -> Value:
    if label is None:
        return WRONG
    value = unit.listed(label.value, "`from:` of `pick`")
    if value.type.wrong:
        return WRONG
    if value.type.base == "nothing":
        unit.error("RB433", "there is nothing to choose in an empty list", label.value)
        return WRONG
    if value.type.base not in CHOOSABLE:
        unit.error(
            "RB451", f"{value.type} cannot be chosen", label.value, "cards, players, numbers, words and kinds can"
        )
        return WRONG
    return value


def _unseen(unit: Unit, label: tree.Label | None) -> list[Any] | None:
    if label is None:
        return None
    return unit.want(label.value, CARDS, "`unseen:` of `pick`").ir


def _numbers(unit: Unit, labels: dict[str, tree.Label]) -> tuple[list[Any] | None, list[Any] | None, bool]:
    """`min`, `max` and whether the answer is a list."""
    if "count" in labels:
        count = unit.want(labels["count"].value, NUMBER, "`count:` of `pick`")
        if not count.type.wrong and count.constant and count.ir[1] < 0:
            unit.error("RB433", "nobody can choose less than none", labels["count"].value)
        return count.ir, count.ir, True
    if "min" not in labels and "max" not in labels:
        return None, None, False
    least: list[Any] = ["k", 0]
    most: list[Any] = ["k", MANY]
    if "min" in labels:
        least = unit.want(labels["min"].value, NUMBER, "`min:` of `pick`").ir
    if "max" in labels:
        most = unit.want(labels["max"].value, NUMBER, "`max:` of `pick`").ir
    if (
        least[0] == "k"
        and most[0] == "k"
        and isinstance(least[1], int)
        and isinstance(most[1], int)
        and least[1] > most[1]
    ):
        unit.error("RB433", "`min:` is larger than `max:`", labels["min"])
    return least, most, True


def _flag(unit: Unit, label: tree.Label | None) -> bool:
    """A label that must be settled before play: a flag, or options and facts."""
    if label is None:
        return False
    value = unit.want(label.value, FLAG, f"`{label.name}:` of `pick`")
    if value.type.wrong:
        return False
    if not value.constant:
        unit.error("RB443", f"`{label.name}:` must be `true` or `false`, or follow from options and facts", label.value)
        return False
    return bool(value.ir[1])


def _or(unit: Unit, label: tree.Label | None, type: Type) -> tuple[list[Any] | None, Type]:
    """The value where there is nothing to choose, and the type of the answer then."""
    if label is None:
        return None, type
    value = unit.check(label.value)
    if value.type.wrong or type.wrong:
        return value.ir, ERROR
    if value.type.base == "none":
        return value.ir, type.unsure
    value = unit.fit(label.value, value, type.unsure, "`or:` of `pick`")
    if value.type.wrong:
        return None, ERROR
    return value.ir, type.unsure if value.type.maybe else type


def _text(unit: Unit, label: tree.Label | None) -> str | None:
    if label is None:
        return None
    value = unit.want(label.value, WORD, "`ask:` of `pick`")
    if value.type.wrong:
        return None
    if not value.constant:
        unit.error("RB443", "`ask:` must be a text", label.value, f"this is {a(value.type)} that is only known at play")
        return None
    return str(value.ir[1])
