"""Checks and compiles names, attributes and items: what a word on its own, or behind a dot, stands for."""

from __future__ import annotations

from typing import Any

from rulebook.diagnostics import did_you_mean
from rulebook.lang import ir, tree
from rulebook.lang.functions import FUNCTIONS
from rulebook.lang.types import (
    ACT,
    CARD,
    CARDS,
    ERROR,
    KIND,
    NUMBER,
    PLAYER,
    PLAYERS,
    WORD,
    ZONE,
    Type,
)
from rulebook.lang.unit import WRONG, Unit, Value, a, handles
from rulebook.lang.unparse import unparse
from rulebook.lang.world import NAMES, RULING_NAMES, SIMPLE_NAMES

_CARD_ATTRIBUTES = {
    "id": KIND,
    "title": WORD,
    "variant": Type("word", maybe=True, domain="variant"),
    "owner": PLAYER.unsure,
}
_ACT_ATTRIBUTES = {"kind": Type("word", domain="act"), "by": PLAYER, "cards": CARDS, "card": CARD.unsure}


@handles(tree.Name)
def name(unit: Unit, node: tree.Name) -> Value:
    word = node.name
    local = unit.find(word)
    if local is not None:
        local.used = True
        return Value(["v", local.slot], local.type)
    if word in NAMES:
        return _language_name(unit, node)
    world = unit.world
    if word in world.zones:
        if not world.zones[word]:
            return Value(["zone", word, None], ZONE)
        if not unit.context.you:
            unit.error(
                "RB441", f"each player has a `{word}`, and there is no `you` here", node, _owner_hint(unit, word)
            )
            return WRONG
        return Value(["zone", word, ["you"]], ZONE)
    if word in world.game_attributes:
        return Value(["gattr", word], world.game_attributes[word])
    _unknown_name(unit, node)
    return WRONG


def _owner_hint(unit: Unit, word: str) -> str:
    if unit.context.rulings:
        return f"say whose: `player(0).{word}`"
    return unit.context.you_hint or f"say whose: `PLAYER.{word}`"


def _language_name(unit: Unit, node: tree.Name) -> Value:
    word, context = node.name, unit.context
    if word in SIMPLE_NAMES:
        return Value([word], SIMPLE_NAMES[word])
    if word in ("you", "others"):
        if context.you:
            return Value([word], PLAYER if word == "you" else PLAYERS)
        hint = context.you_hint or "name the player: `turn_of`, a parameter, …"
        unit.error("RB441", f"there is no `{word}` here: nobody in particular acts", node, hint)
    elif word == "it":
        if unit.members:
            slot, type = unit.members[-1]
            return Value(["v", slot], type) if not type.wrong else WRONG
        hint = "`it` is the member of a set: `SET where …`, `all(SET, …)`, `pick … from: … by: PLAYERS`"
        unit.error("RB441", "there is no `it` here", node, hint)
    elif word == "self":
        if context.card:
            return Value(["self"], CARD)
        hint = context.self_hint or "cards and marks have a `self`"
        unit.error("RB441", "there is no `self` here: this code is no card's", node, hint)
    elif word == "target":
        if context.target:
            return Value(["target"], ACT)
        hint = "`target` is the act that a response (`at: response`) answers"
        unit.error("RB441", "there is no `target` here", node, hint)
    elif word == "event":
        _event_alone(unit, node)
    elif word in ("options", "facts"):
        table = unit.world.options if word == "options" else unit.world.facts
        unit.error("RB410", f"`{word}` stands before a name: `{word}.NAME`", node, did_you_mean("", table))
    elif word in RULING_NAMES:
        if context.rulings:
            return Value([word], RULING_NAMES[word])
        unit.error("RB441", f"`{word}` is known in rulings only", node)
    else:
        unit.error("RB442", "`chance` can only answer a pick: `pick … by: chance`", node)
    return WRONG


def _event_alone(unit: Unit, node: tree.Name) -> None:
    if unit.context.event is None:
        unit.error("RB441", "there is no `event` here", node, "`when`, `before` and `instead` have one")
        return
    known = ", ".join(f"`event.{param}`" for param in unit.context.event)
    unit.error("RB410", "`event` stands before a name: `event.PARAMETER`", node, f"there are: {known}" if known else "")


def _unknown_name(unit: Unit, node: tree.Name) -> None:
    word = node.name
    if word in unit.gone:
        line = unit.report.code.line(unit.gone[word][0])
        message = f"`{word}` is not set here: it ended with the block that set it (line {line})"
        unit.error("RB430", message, node, f"give it a value before that block: `let {word} = …`")
        return
    if word in FUNCTIONS:
        unit.unknown_name(word, f"`{word}` is a function", node, f"write `{FUNCTIONS[word].shape}`")
        return
    if word in unit.world.questions:
        unit.unknown_name(word, f"`{word}` is a question", node, f"ask it: `{question_shape(unit, word)}`")
        return
    if word in unit.world.kinds or word in unit.world.absent:
        unit.unknown_name(word, f"there is nothing called `{word}` here", node, f'the kind of card is written "{word}"')
        return
    if word in unit.world.options or word in unit.world.facts:
        table = "options" if word in unit.world.options else "facts"
        unit.unknown_name(word, f"there is nothing called `{word}` here", node, f"write `{table}.{word}`")
        return
    if unit.context.event is not None and word in unit.context.event:
        unit.unknown_name(word, f"there is nothing called `{word}` here", node, f"write `event.{word}`")
        return
    names = [*unit.visible(), *(word for word in NAMES if word not in RULING_NAMES)]
    hint = did_you_mean(word, names)
    if not hint.startswith("did"):
        hint = ""
    unit.unknown_name(word, f"there is nothing called `{word}` here", node, hint)


def question_shape(unit: Unit, name: str) -> str:
    """How a question is asked."""
    return f"{name}({', '.join(unit.world.questions[name].params)})"


@handles(tree.Attribute)
def attribute(unit: Unit, node: tree.Attribute) -> Value:
    if isinstance(node.of, tree.Name) and unit.find(node.of.name) is None:
        if node.of.name in ("options", "facts"):
            return _setting(unit, node, node.of.name)
        if node.of.name == "event" and unit.context.event is not None:
            return _event(unit, node, unit.context.event)
    value = unit.check(node.of)
    type = value.type
    if type.wrong:
        return WRONG
    if type.is_list or type.answers or type.base not in ("player", "card", "kind", "act"):
        _no_attributes(unit, node, type)
        return WRONG
    if type.maybe:
        unit.unset(node.of)
        return WRONG
    found = _OF[type.base](unit, node, value)
    if found is not None:
        return found
    known = _known_attributes(unit, type.base)
    hint = did_you_mean(node.name, known)
    if not hint and known:
        hint = "there are: " + ", ".join(f"`{name}`" for name in sorted(known)[:12])
    unit.error("RB411", f"{a(type)} has no `{node.name}`", (node.name_start, node.end), hint)
    return WRONG


def _setting(unit: Unit, node: tree.Attribute, which: str) -> Value:
    table = unit.world.options if which == "options" else unit.world.facts
    setting = table.get(node.name)
    if setting is None:
        what = "option" if which == "options" else "fact"
        hint = did_you_mean(node.name, table) or f"the game file declares {which}"
        unit.error("RB410", f"there is no {what} `{node.name}`", (node.name_start, node.end), hint)
        return WRONG
    return Value(ir.constant(setting.value), setting.type, settled=True)


def _event(unit: Unit, node: tree.Attribute, params: dict[str, Type]) -> Value:
    if node.name not in params:
        hint = did_you_mean(node.name, params) or "this event has no parameters"
        unit.error("RB411", f"this event has no `{node.name}`", (node.name_start, node.end), hint)
        return WRONG
    return Value(["event", list(params).index(node.name)], params[node.name])


def _no_attributes(unit: Unit, node: tree.Attribute, type: Type) -> None:
    hint = ""
    if type.answers:
        hint = "take one player's answer first: `NAME[player]`"
    elif type.is_list:
        hint = f"of one member: `first(…).{node.name}`; of each: `map(…, it.{node.name})`"
    elif type.base == "zone":
        hint = "a zone stands for its cards"
    unit.error("RB411", f"{a(type)} has no attributes", (node.name_start, node.end), hint)


def _known_attributes(unit: Unit, base: str) -> list[str]:
    world = unit.world
    if base == "player":
        return [*(zone for zone, per in world.zones.items() if per), *world.player_attributes]
    if base == "card":
        return [*world.card_attributes, *world.fields, *_CARD_ATTRIBUTES]
    if base == "kind":
        return [*world.fields, "title", "id"]
    names = {name for act in world.acts.values() for name in act.attributes}
    return [*_ACT_ATTRIBUTES, *sorted(names)]


def _of_player(unit: Unit, node: tree.Attribute, of: Value) -> Value | None:
    world = unit.world
    if node.name in world.zones:
        if world.zones[node.name]:
            return Value(["zone", node.name, of.ir], ZONE)
        hint = f"write `{node.name}`"
        unit.error("RB411", f"`{node.name}` is one for all players", (node.name_start, node.end), hint)
        return WRONG
    if node.name in world.player_attributes:
        return Value(["pattr", node.name, of.ir], world.player_attributes[node.name])
    return None


def _of_card(unit: Unit, node: tree.Attribute, of: Value) -> Value | None:
    world = unit.world
    if node.name in world.card_attributes:
        return Value(["cattr", node.name, of.ir], world.card_attributes[node.name])
    if node.name in _CARD_ATTRIBUTES:
        type = _CARD_ATTRIBUTES[node.name]
        if node.name == "variant" and not (world.whole and world.variants):
            type = Type("word", maybe=True)
        return Value([node.name, of.ir], type)
    if node.name in world.fields:
        return Value(["field", node.name, of.ir], world.field_type(node.name))
    return None


def _of_kind(unit: Unit, node: tree.Attribute, of: Value) -> Value | None:
    if node.name in unit.world.fields:
        return Value(["field", node.name, of.ir], unit.world.field_type(node.name))
    if node.name == "title":
        return Value(["title", of.ir], WORD)
    if node.name == "id":
        return of
    return None


def _of_act(unit: Unit, node: tree.Attribute, of: Value) -> Value | None:
    acts = unit.world.acts
    possible = unit.facts.acts.get(unparse(node.of), frozenset(acts))
    infos = [acts[name] for name in sorted(possible) if name in acts]
    if node.name in _ACT_ATTRIBUTES:
        type = _ACT_ATTRIBUTES[node.name]
        if node.name == "card" and infos and all(info.card for info in infos):
            type = CARD
        return Value(["act", node.name, of.ir], type)
    everywhere = {name for info in acts.values() for name in info.attributes}
    if node.name not in everywhere:
        return None
    types = [info.attributes.get(node.name) for info in infos]
    there = [type for type in types if type is not None]
    if not there:
        kinds = ", ".join(f'"{name}"' for name in sorted(possible)[:4])
        message = f"an act of this kind has no `{node.name}`"
        unit.error("RB411", message, (node.name_start, node.end), f"it is {kinds}" if kinds else "")
        return WRONG
    code: list[Any] = ["actarg", node.name, of.ir]
    if any(type.wrong for type in there):
        return Value(code, ERROR)
    first = there[0]
    if any(type.sure != first.sure or type.base == "mixed" for type in there):
        message = f"`{node.name}` is of different types in different acts"
        unit.error("RB411", message, (node.name_start, node.end), "ask for the act's `kind` first")
        return WRONG
    maybe = len(there) < len(types) or any(type.maybe for type in there)
    return Value(code, first.unsure if maybe else first)


_OF = {"player": _of_player, "card": _of_card, "kind": _of_kind, "act": _of_act}


@handles(tree.Index)
def index(unit: Unit, node: tree.Index) -> Value:
    value = unit.check(node.of)
    if value.type.answers:
        player = unit.want(node.at, PLAYER, "who answered")
        if player.type.wrong:
            return WRONG
        answer = Type(value.type.base, many=value.type.many, maybe=True, domain=value.type.domain)
        return Value(["index", value.ir, player.ir], answer)
    if not value.type.wrong:
        value = unit.as_list(node.of, value, "what an item is taken of")
    number = unit.want(node.at, NUMBER, "the place of an item")
    if value.type.wrong or number.type.wrong:
        return WRONG
    if value.type.base == "nothing":
        unit.error("RB433", "an empty list has no items", node.of)
        return WRONG
    return Value(["index", value.ir, number.ir], value.type.member.unsure)
