"""Expressions outside of a game's own files: conditions of rulings, compiled against a book alone."""

from __future__ import annotations

from typing import Any

from kernel import Rulebook
from rulebook.diagnostics import Diagnostics
from rulebook.lang.ir import IR
from rulebook.lang.parse import parse_expression
from rulebook.lang.text import Code, Reporter
from rulebook.lang.types import ERROR, FLAG, NUMBER, WORD, Type, parse_type
from rulebook.lang.unit import Context, Unit
from rulebook.lang.world import ActInfo, KindInfo, Question, Setting, Verb, World
from rulebook.yamlread import Scalar


def _type(name: str) -> Type:
    return parse_type(name) or ERROR


def book_world(data: dict[str, Any]) -> World:
    """What has a name in a compiled book."""
    world = World()
    world.zones = {zone["name"]: bool(zone["per_player"]) for zone in data["zones"]}
    attributes = data["attributes"]
    world.game_attributes = {a["name"]: _unset(a) for a in attributes["game"]}
    world.player_attributes = {a["name"]: _unset(a) for a in attributes["player"]}
    world.card_attributes = {a["name"]: _unset(a) for a in attributes["card"]}
    world.fields = {name: _type(type) for name, type in data["fields"].items()}
    world.tags = set(data["tags"])
    for kind in data["kinds"]:
        world.kinds[kind["id"]] = KindInfo(kind["title"], kind["mark"], frozenset(kind["tags"]), kind["fields"])
    for table, name in ((world.options, "options"), (world.facts, "facts")):
        for key, value in data[name].items():
            type = FLAG if isinstance(value, bool) else NUMBER if isinstance(value, int) else WORD
            table[key] = Setting(value, type)
    for verb in data["verbs"]:
        params = {p[0]: _type(p[1]).unsure if p[2] else _type(p[1]) for p in verb["params"]}
        world.verbs[verb["name"]] = Verb(verb["name"], params, verb["window"])
        if verb["window"]:
            world.acts[verb["name"]] = ActInfo(params, card="card" in params)
    for question in data["questions"]:
        params = {p[0]: _type(p[1]) for p in question["params"]}
        world.questions[question["name"]] = Question(question["name"], params, _type(question["type"]))
    world.acts["play"] = ActInfo({}, cards=True, card=True)
    world.whole = False
    return world


def _unset(attribute: dict[str, Any]) -> Type:
    type = _type(attribute["type"])
    return type.unsure if attribute.get("start") is None else type


def compile_expression(
    scalar: Scalar | str,
    book: Rulebook,
    diagnostics: Diagnostics,
    type: str | None = None,
    world: World | None = None,
) -> tuple[IR, int] | None:
    """A ruling's expression and how many slots it needs; None, with the faults reported, where it is wrong. `world`:
    what :func:`book_world` made of the book, for whoever compiles many."""
    report = Reporter(Code(scalar), diagnostics)
    node = parse_expression(report)
    if node is None:
        return None
    unit = Unit(book_world(book.data) if world is None else world, report, Context(you=False, rulings=True))
    value = unit.check(node)
    wanted = parse_type(type) if type is not None else None
    if wanted is not None:
        value = unit.fit(node, value, wanted, "this")
    return None if value.type.wrong else (value.ir, unit.slots)
