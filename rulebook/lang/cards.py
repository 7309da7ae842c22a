"""Compiles the files of cards and marks: their plays, abilities and answers."""

from __future__ import annotations

from typing import Any

from rulebook.diagnostics import did_you_mean
from rulebook.lang.choices import compile_choices, count_choices, unknown_zone
from rulebook.lang.maker import Maker
from rulebook.lang.reading import flag, maps, scalar, scalars, text
from rulebook.lang.types import KINDS, Type
from rulebook.lang.unit import Context
from rulebook.lang.world import KERNEL_EVENTS, KERNEL_QUESTIONS, Verb
from rulebook.packs import CardSource
from rulebook.yamlread import Map, Scalar


def compile_kind(maker: Maker, card: CardSource, pack: str) -> dict[str, Any]:
    """One kind of the compiled form."""
    node = card.node
    info = maker.world.kinds[card.id]
    return {
        "id": card.id,
        "title": info.title,
        "text": text(node, "text"),
        "pack": pack,
        "file": maker.files.get(card.file, card.file),
        "mark": card.is_mark,
        "tags": sorted(info.tags),
        "fields": dict(sorted(info.fields.items())),
        "plays": [compile_play(maker, play) for play in maps(node, "play")],
        "when": [_ability(maker, part, card.is_mark, "event") for part in maps(node, "when")],
        "before": [_ability(maker, part, card.is_mark, "event", kernel=False) for part in maps(node, "before")],
        "instead": [_ability(maker, part, card.is_mark, "of", kernel=False) for part in maps(node, "instead")],
        "while": [_answer(maker, part, card.is_mark) for part in maps(node, "while")],
        "plays_as": _plays_as(maker, node),
    }


def known_tags(maker: Maker, node: Map) -> list[str]:
    """The tags below `tags`, those that nobody declared reported."""
    found = []
    for tag in scalars(node, "tags"):
        if tag.text in maker.world.tags:
            found.append(tag.text)
        elif not maker.quiet:
            hint = did_you_mean(tag.text, maker.world.tags) or "tags are declared in the game file, under `tags:`"
            maker.diagnostics.error("RB415", f"there is no tag `{tag.text}`", tag.span, hint)
    return sorted(found)


def check_moment(maker: Maker, node: Map) -> str:
    """`at` of a play or move; `to` goes with responses."""
    at = text(node, "at", "turn")
    to = node.get("to")
    if at == "response" and to is None and not maker.quiet:
        message = "a response says what it answers"
        maker.diagnostics.error("RB422", message, node.keys["at"].span, 'write `to: target.kind == "play"`, say')
    if at != "response" and to is not None and not maker.quiet:
        message = f"`to` goes with `at: response`, and this is `at: {at}`"
        maker.diagnostics.error("RB441", message, node.keys["to"].span, "leave it out; conditions stand below `if`")
    return at


def compile_play(maker: Maker, node: Map) -> dict[str, Any]:
    """One way to play a card."""
    at = check_moment(maker, node)
    unit = maker.unit(Context(card=True, target=at == "response"))
    number = count_choices(node)
    unit.take_slot(number)
    to = maker.condition(unit, node.get("to") if at == "response" else None, "what is answered")
    if to is None and at == "response":
        to = ["k", True]
    condition = maker.condition(unit, node.get("if"), "the condition of a play")
    choices = compile_choices(maker, unit, node, 0)
    program = maker.program(unit, node.get("do"))
    return {
        "at": at,
        "from": _zones(maker, node, "from", "hand"),
        "to": to,
        "if": condition,
        "choose": choices,
        "slots": unit.slots,
        "program": program,
        "tags": known_tags(maker, node),
        "line": node.span.line,
    }


def _zones(maker: Maker, node: Map, key: str, default: str) -> list[str]:
    """Zone names below a key, one or several."""
    found = []
    for zone in scalars(node, key):
        if zone.text in maker.world.zones:
            found.append(zone.text)
        else:
            unknown_zone(maker, zone)
    if key in node.entries:
        return found
    if default in maker.world.zones:
        return [default]
    if not maker.quiet:
        message = f"`{key}` is missing, and this game has no zone `{default}`"
        maker.diagnostics.error("RB422", message, node.span, f"write `{key}: ZONE`")
    return []


def _in(maker: Maker, node: Map, is_mark: bool) -> list[str] | None:
    if not is_mark:
        return _zones(maker, node, "in", "table")
    if "in" in node.entries and not maker.quiet:
        message = "a mark counts wherever it lies"
        maker.diagnostics.error("RB418", message, node.keys["in"].span, "leave `in` out")
    return None


def _ability(maker: Maker, node: Map, is_mark: bool, key: str, kernel: bool = True) -> dict[str, Any]:
    """`when`, `before` or `instead`."""
    event = scalar(node, key)
    name = event.text if event is not None else ""
    verb: Verb | None = maker.world.verbs.get(name)
    params: dict[str, Type] | None = None
    if verb is not None:
        params = verb.params
    elif name in KERNEL_EVENTS:
        params = KERNEL_EVENTS[name].params
        if not kernel and event is not None:
            message = f"`{name}` belongs to the kernel: cards can only follow it"
            maker.diagnostics.error("RB418", message, event.span, f"use `when: {{event: {name}, …}}`, or a verb of the game")
    elif event is not None:
        known = [*maker.world.verbs, *(KERNEL_EVENTS if kernel else ())]
        maker.diagnostics.error("RB418", f"there is no event `{name}`", event.span, did_you_mean(name, known))
    context = Context(card=True, event=params if params is not None else {}, replaces=verb if key == "of" else None)
    if key == "of" and verb is None:
        context.replaces = Verb(name, {})
    unit = maker.unit(context)
    zones = _in(maker, node, is_mark)
    if params is None:  # without the event's parameters, everything about it would be a follow-up
        return {}
    condition = maker.condition(unit, node.get("if"), "the condition of an ability")
    program = maker.program(unit, node.get("do"))
    return {"event": name, "in": zones, "if": condition, "slots": unit.slots, "program": program}


def _answer(maker: Maker, node: Map, is_mark: bool) -> dict[str, Any]:
    """`while`: an answer to a question."""
    written = scalar(node, "answer")
    name = written.text if written is not None else ""
    question = maker.world.questions.get(name) or KERNEL_QUESTIONS.get(name)
    zones = _in(maker, node, is_mark)
    if question is None:
        if isinstance(written, Scalar):
            known = [*maker.world.questions, *KERNEL_QUESTIONS]
            maker.diagnostics.error("RB418", f"there is no question `{name}`", written.span, did_you_mean(name, known))
        return {}
    unit = maker.unit(Context(card=True), question.params)
    condition = maker.condition(unit, node.get("if"), "the condition of an answer")
    value = maker.expr(unit, node.get("with"), question.type, f"the answer to `{name}`")
    return {"question": name, "in": zones, "if": condition, "with": value, "slots": unit.slots}


def _plays_as(maker: Maker, node: Map) -> dict[str, Any] | None:
    part = node.get("plays_as")
    if not isinstance(part, Map):
        return None
    unit = maker.unit(Context(card=True))
    condition = maker.condition(unit, part.get("if"), "the condition of `plays_as`")
    kinds = maker.expr(unit, part.get("from"), KINDS, "what the card is played as")
    return {"slots": unit.slots, "from": kinds, "ask": flag(part, "ask"), "if": condition}
