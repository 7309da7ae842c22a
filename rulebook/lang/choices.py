"""Choices that are announced with a play or a move, and the cards that a move takes."""

from __future__ import annotations

from typing import Any

from rulebook.lang.maker import Maker
from rulebook.lang.picks import CHOOSABLE
from rulebook.lang.reading import entries, scalar, text
from rulebook.lang.types import CARD, CARDS, ERROR, FLAG, NUMBER, Type, fits, parse_type, type_names
from rulebook.lang.unit import Local, Unit, Value, a
from rulebook.lang.world import NAMES
from rulebook.yamlread import Map, Node, Scalar


def compile_choices(maker: Maker, unit: Unit, node: Map, first_slot: int) -> list[dict[str, Any]]:
    """The choices below `choose`, in order. Slots from `first_slot` on are already theirs; each is declared in the unit once it
    is compiled, so that later ones may use it."""
    compiled: list[dict[str, Any]] = []
    for number, (name, key, value) in enumerate(entries(node, "choose")):
        source = value if isinstance(value, Scalar) else scalar(value, "from") if isinstance(value, Map) else None
        before = {local_name: local.used for local_name, local in unit.blocks[0].items()}
        for local in unit.blocks[0].values():
            local.used = False
        found = _set(maker, unit, source)
        uses = [-1] if (cards := unit.blocks[0].get("cards")) is not None and cards.used else []
        uses += [place for place, choice in enumerate(compiled) if unit.blocks[0][choice["name"]].used]
        for local_name, used in before.items():
            unit.blocks[0][local_name].used |= used
        type = found.type.member if not found.type.wrong else ERROR
        otherwise = False
        if isinstance(value, Map):
            otherwise = _or(maker, value)
            type = _declared(maker, value, type)
        if not _free(maker, unit, name, key):
            type = ERROR
        unit.blocks[0][name] = Local(first_slot + number, type.unsure if otherwise else type, None, True)
        compiled.append(
            {
                "name": name,
                "slot": first_slot + number,
                "set": found.ir,
                "type": type.base,
                "or": otherwise,
                "ask": text(value, "ask") or None if isinstance(value, Map) else None,
                "uses": uses,
                "each": False,
            }
        )
    return compiled


def count_choices(node: Map) -> int:
    """How many choices there are."""
    return sum(1 for _ in entries(node, "choose"))


def _set(maker: Maker, unit: Unit, source: Scalar | None) -> Value:
    from rulebook.lang.unit import WRONG

    node = maker.read(unit, source) if source is not None else None
    if node is None:
        return WRONG
    found = unit.listed(node, "the set of a choice")
    if not found.type.wrong and found.type.base not in CHOOSABLE:
        if found.type.base == "nothing":
            unit.error("RB433", "there is nothing to choose in an empty list", node)
        else:
            unit.error("RB451", f"{found.type} cannot be chosen", node, "cards, players, numbers, words and kinds can")
        return WRONG
    return found


def _free(maker: Maker, unit: Unit, name: str, key: Scalar) -> bool:
    world = maker.world
    what = "a name of the language" if name in NAMES else "a zone" if name in world.zones else ""
    if name in world.game_attributes:
        what = "an attribute of the game"
    if name == "cards" and "cards" in unit.blocks[0]:
        what = "the cards of this move"
    if what and not maker.quiet:
        maker.diagnostics.error("RB431", f"`{name}` is already {what}", key.span, "take another name for the choice")
    return not what


def _or(maker: Maker, node: Map) -> bool:
    value = scalar(node, "or")
    if value is None:
        return False
    if value.text.strip() != "none" and not maker.quiet:
        message = "a choice with nothing to choose is none, or the card cannot be played"
        maker.diagnostics.error("RB451", message, value.span, "write `or: none`, or leave it out")
    return True


def _declared(maker: Maker, node: Map, type: Type) -> Type:
    """The type that a choice declares, if it does; it must be that of its set."""
    written = scalar(node, "type")
    if written is None:
        return type
    declared = parse_type(written.text)
    if declared is None or declared.maybe or declared.many or declared.base not in CHOOSABLE:
        if not maker.quiet:
            hint = "a choice is " + ", ".join(name for name in type_names() if name in CHOOSABLE)
            maker.diagnostics.error("RB419", f"a choice cannot be `{written.text}`", written.span, hint)
        return type
    if not type.wrong and not fits(type, declared):
        if not maker.quiet:
            message = f"this choice is {a(type)}, not {a(declared)}"
            maker.diagnostics.error("RB451", message, written.span, f"write `type: {type}`, or leave it out")
        return type
    return declared


def compile_cards(maker: Maker, unit: Unit, node: Map) -> dict[str, Any]:
    """The `cards` of a move: which ones, and how many."""
    zone = scalar(node, "from")
    name = zone.text if zone is not None else ""
    if zone is not None and name not in maker.world.zones:
        unknown_zone(maker, zone)
    least, most = _how_many(maker, node)
    result: dict[str, Any] = {"slot": 0, "from": name, "min": least, "max": most}
    result["where"] = _of_each(maker, unit, node.get("where"), True)
    result["alike"] = _of_each(maker, unit, node.get("alike"), False)
    result["unlike"] = _of_each(maker, unit, node.get("unlike"), False)
    unit.blocks[0]["cards"] = Local(0, CARDS, None, True)
    result["if"] = maker.condition(unit, node.get("if"), "the condition on the cards")
    return result


def _how_many(maker: Maker, node: Map) -> tuple[int, int]:
    from rulebook.lang.unit import Context

    found: dict[str, int] = {}
    for key in ("count", "min", "max"):
        source = scalar(node, key)
        if source is None:
            continue
        unit = maker.unit(Context(you=False))
        value = maker.value(unit, source, NUMBER, f"`{key}`")
        if value.type.wrong:
            continue
        if not value.constant:
            unit.error("RB443", f"`{key}` must be a number, or follow from options and facts", (0, len(source.text)))
        elif value.ir[1] < 1:
            unit.error("RB433", "a move takes at least one card", (0, len(source.text)))
        else:
            found[key] = value.ir[1]
    least = found.get("count", found.get("min", 1))
    most = found.get("count", found.get("max", max(least, 100) if "min" in found else 1))
    if least > most:
        source = scalar(node, "min")
        if source is not None and not maker.quiet:
            maker.diagnostics.error("RB433", "`min` is larger than `max`", source.span)
    return least, max(least, most)


def _of_each(maker: Maker, unit: Unit, source: Node | None, is_condition: bool) -> list[Any] | None:
    """An expression on each card, as [slot, expression]."""
    if not isinstance(source, Scalar):
        return None
    node = maker.read(unit, source)
    if node is None:
        return None
    slot = unit.take_slot()
    unit.members.append((slot, CARD))
    if is_condition:
        value = unit.want(node, FLAG, "the condition on each card")
        if value.constant and not value.type.wrong and not value.settled:
            always = value.ir[1] is True
            unit.error("RB434" if always else "RB433", f"this condition {'always' if always else 'never'} holds", node)
    else:
        value = unit.check(node)
        if value.type.base not in ("word", "kind", "error") or value.type.maybe or value.type.answers:
            unit.error("RB420", f"cards are compared by words or kinds, this is {a(value.type)}", node)
    unit.members.pop()
    unit.next_slot -= 1
    return None if value.ir == ["k", True] and is_condition else [slot, value.ir]


def unknown_zone(maker: Maker, zone: Scalar) -> None:
    """Report a name that is no zone."""
    from rulebook.diagnostics import did_you_mean

    if not maker.quiet:
        hint = did_you_mean(zone.text, maker.world.zones)
        maker.diagnostics.error("RB418", f"there is no zone `{zone.text}`", zone.span, hint)
