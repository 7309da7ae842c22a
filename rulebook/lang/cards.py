"""Compiles what cards and moves can do: plays, choices, abilities, answers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulebook.diagnostics import did_you_mean
from rulebook.lang.facts import Facts
from rulebook.lang.ir import IR
from rulebook.lang.pieces import Pieces
from rulebook.lang.reading import flag, key_span, maps, scalar, scalars, text
from rulebook.lang.types import CARD, CARDS, KINDS, Type
from rulebook.lang.unit import Context, Local, Unit
from rulebook.lang.world import KERNEL_EVENTS, KERNEL_QUESTIONS
from rulebook.packs import CardSource
from rulebook.yamlread import Map, Node, Scalar

MANY = 100
"""The most cards of a move that says how many at least, and not how many at most."""
SOME_CARDS = Facts({"first(cards)": False, "last(cards)": False}, {})
"""A move's `cards`, and those that are announced, are one at least."""
CHOOSABLE = ("player", "card", "kind", "word", "number")


def slots_used(ir: Any, slots: range) -> list[int]:
    """Which of these slots an expression reads."""
    found: set[int] = set()
    stack = [ir]
    while stack:
        node = stack.pop()
        if isinstance(node, list) and node:
            if node[0] == "v" and len(node) == 2 and node[1] in slots:
                found.add(node[1])
            elif node[0] != "k":
                stack.extend(node[1:])
    return sorted(found)


class Cards:
    """Compiles the parts of card files and moves."""

    def __init__(self, pieces: Pieces) -> None:
        self.pieces = pieces
        self.world = pieces.world

    def zone(self, name: Scalar) -> str | None:
        """A zone named in a file; reported if there is none."""
        if name.text in self.world.zones:
            return name.text
        hint = did_you_mean(name.text, self.world.zones)
        self.pieces.diagnostics.error("RB417", f'there is no zone "{name.text}"', name.span, hint)
        return None

    def zones(self, node: Map, key: str, default: list[str] | None) -> list[str]:
        """Zones named below a key, or the default."""
        named = scalars(node, key)
        if not named and default is not None:
            return default
        return [zone for name in named if (zone := self.zone(name)) is not None]

    def tags(self, node: Map) -> list[str]:
        """Tags of a move, verb or play; each must be declared."""
        found = []
        for tag in scalars(node, "tags"):
            if tag.text not in self.world.tags:
                hint = did_you_mean(tag.text, self.world.tags) or "tags are declared in the game file, under `tags:`"
                self.pieces.diagnostics.error("RB415", f"there is no tag `{tag.text}`", tag.span, hint)
            found.append(tag.text)
        return sorted(set(found))

    # Choices

    def choices(self, unit: Unit, node: Map, first: int) -> list[dict[str, Any]]:
        """The choices announced with a play or move, in slots from `first` on (slot 0 holds the cards where `first`
        is 1)."""
        value = node.get("choose")
        if not isinstance(value, Map):
            return []
        names = list(value.entries)
        unit.take_slot(len(names))
        params = set(unit.blocks[-1])
        found: list[dict[str, Any]] = []
        for number, name in enumerate(names):
            slot = first + number
            type, choice = self.choice(unit, name, slot, value.entries[name], first)
            taken = "the cards of this move" if name in params else self.world.taken(name)
            if taken:
                at = value.keys[name].span
                self.pieces.diagnostics.error("RB431", f"`{name}` is already {taken}", at, "take another name")
                type, choice = Type("error"), None
            unit.blocks[-1][name] = Local(slot, type, None, fixed=True, used=True)
            if choice is not None:
                found.append(choice)
        return found

    def choice(self, unit: Unit, name: str, slot: int, node: Node, first: int) -> tuple[Type, dict[str, Any] | None]:
        """One choice: a set, or `{from: SET, or: none, ask: TEXT}`."""
        wrong = Type("error")
        optional = isinstance(node, Map) and node.get("or") is not None
        source = scalar(node, "from") if isinstance(node, Map) else node
        ask = text(node, "ask") if isinstance(node, Map) else ""
        if not isinstance(source, Scalar):
            return wrong, None
        written = self.pieces.read(unit, source)
        if written is None:
            return wrong, None
        value = unit.listed(written, f"what `{name}` is chosen from")
        if value.type.wrong:
            return wrong, None
        member = value.type.member
        if member.many or member.base not in CHOOSABLE:
            unit.error(
                "RB451", f"{value.type} cannot be chosen", written, "cards, players, numbers, words and kinds can"
            )
            return wrong, None
        used = slots_used(value.ir, range(slot))
        uses = [-1 if at < first else at - first for at in used]
        choice = {
            "name": name,
            "slot": slot,
            "set": value.ir,
            "type": member.base,
            "or": optional,
            "ask": ask or None,
            "uses": uses,
        }
        return (member.unsure if optional else member), choice

    # Plays

    def play(self, node: Map, card: CardSource, line: int) -> dict[str, Any]:
        """One `play` of a card."""
        at = text(node, "at", "turn")
        context = Context(card=True, target=at == "response")
        unit = self.pieces.unit(node, context)
        choices_first = self.reserve(unit, node)
        to = self.answered(unit, node, at)
        condition = self.pieces.condition(unit, scalar(node, "if"), lasting=True)
        unit.next_slot = choices_first
        choices = self.choices(unit, node, 0)
        program = self.pieces.program(unit, scalar(node, "do"))
        froms = self.zones(node, "from", ["hand"] if "hand" in self.world.zones else None)
        if not froms and scalar(node, "from") is None and not scalars(node, "from"):
            self.pieces.diagnostics.error(
                "RB417", "this play does not say from which zone", node.span, "write `from: ZONE`"
            )
        return {
            "at": at,
            "from": froms,
            "to": to,
            "if": condition,
            "choose": choices,
            "slots": unit.slots,
            "program": program,
            "tags": self.tags(node),
            "line": line,
        }

    def answered(self, unit: Unit, node: Map, at: str) -> IR | None:
        """`to` of a response: what acts it answers. It is asked before anybody plays, of no card in particular."""
        value = scalar(node, "to")
        if at != "response":
            if value is not None:
                hint = "write `at: response`, or use `if:`"
                self.pieces.diagnostics.error("RB443", "only a response has `to:`", node.keys["to"].span, hint)
            return None
        if value is None:
            hint = 'write `to: target.kind == "play"`, say, or `to: true` for every act'
            self.pieces.diagnostics.error(
                "RB422", "a response says in `to:` what acts it answers", key_span(node, "at"), hint
            )
            return None
        if value.value is True:
            return None
        names, context = unit.blocks[-1], unit.context
        hint = "`to:` is asked before anybody plays; what depends on the card belongs in `if:`"
        unit.blocks[-1], unit.context = {}, replace(context, card=False, self_hint=hint)
        found = self.pieces.condition(unit, value, lasting=True, public="to")
        unit.blocks[-1], unit.context = names, context
        return found

    @staticmethod
    def line(card: Map, play: Map) -> int:
        """The line on which a play begins: that of the key where there is one play, else that of the list's entry."""
        return card.keys["play"].span.line if card.get("play") is play else play.span.line

    def reserve(self, unit: Unit, node: Map) -> int:
        """Keep the slots of the choices free while conditions are compiled; where they begin."""
        value = node.get("choose")
        first = unit.next_slot
        if isinstance(value, Map):
            unit.take_slot(len(value.entries))
        return first

    def move(self, name: str, node: Map) -> dict[str, Any]:
        """A move of the game file."""
        at = text(node, "at", "turn")
        context = Context(target=at == "response")
        cards = node.get("cards")
        params = [("cards", CARDS)] if isinstance(cards, Map) else []
        unit = self.pieces.unit(node, context, params)
        if params:
            unit.facts = SOME_CARDS
        first = self.reserve(unit, node)
        to = self.answered(unit, node, at)
        condition = self.pieces.condition(unit, scalar(node, "if"), lasting=True)
        spec = self.cards(unit, cards) if isinstance(cards, Map) else None
        unit.next_slot = first
        choices = self.choices(unit, node, len(params))
        announced = scalar(node, "announce")
        announce = self.pieces.program(unit, announced) if announced is not None else None
        program = self.pieces.program(unit, scalar(node, "do"))
        return {
            "name": name,
            "at": at,
            "to": to,
            "if": condition,
            "tags": self.tags(node),
            "default": flag(node, "default"),
            "window": flag(node, "window", True),
            "cards": spec,
            "choose": choices,
            "slots": unit.slots,
            "announce": announce,
            "program": program,
            "text": text(node, "text") or None,
            "say": text(node, "say") or None,
            "about": text(node, "about"),
        }

    def cards(self, unit: Unit, node: Map) -> dict[str, Any]:
        """Which cards a move takes."""
        zones = self.zones(node, "from", None)
        found: dict[str, Any] = {
            "slot": 0,
            "from": zones[0] if zones else "",
            "where": None,
            "alike": None,
            "unlike": None,
        }
        found["min"], found["max"] = self.how_many(node)
        where = scalar(node, "where")
        if where is not None:
            with unit.member(CARD) as slot:
                test = self.pieces.condition(unit, where)
            if test is not None:
                found["where"] = [slot, test]
        for key in ("alike", "unlike"):
            value = scalar(node, key)
            if value is None:
                continue
            with unit.member(CARD) as slot:
                compiled = self.pieces.anything(unit, value)
            if compiled is not None:
                written, what = compiled
                if what.type.base not in ("word", "kind", "number"):
                    hint = "a word, a kind, a number, or a list of them"
                    unit.error("RB420", f"`{key}` compares words, kinds or numbers, not {what.type}", written, hint)
                found[key] = [slot, what.ir]
        found["if"] = self.pieces.condition(unit, scalar(node, "if"))
        return found

    def how_many(self, node: Map) -> tuple[int, int]:
        """How many cards a move takes, at least and at most."""
        count, least, most = scalar(node, "count"), scalar(node, "min"), scalar(node, "max")
        if count is not None:
            number = self.pieces.number(count, 1, "`count`")
            return number, number
        low = self.pieces.number(least, 1, "`min`")
        high = self.pieces.number(most, max(low, 1) if least is None else MANY, "`max`")
        if low > high and most is not None:
            self.pieces.diagnostics.error("RB433", "`min` is larger than `max`", most.span, "exchange the two")
        return low, max(low, high)

    # Abilities

    def ability(self, node: Map, key: str, card: CardSource) -> dict[str, Any] | None:
        """`when`, `before` or `instead`."""
        word = "of" if key == "instead" else "event"
        name = scalar(node, word) or scalar(node, "of") or scalar(node, "event")
        if name is None:
            return None
        verb = self.world.verbs.get(name.text)
        params = verb.params if verb is not None else None
        if verb is None and key == "when" and name.text in KERNEL_EVENTS:
            params = KERNEL_EVENTS[name.text].params
        if params is None:
            known = [*self.world.verbs, *(KERNEL_EVENTS if key == "when" else ())]
            hint = did_you_mean(name.text, known) or "verbs are declared in the game file, under `verbs:`"
            self.pieces.diagnostics.error("RB413", f"there is no verb `{name.text}` to listen to", name.span, hint)
            return None
        context = Context(card=True, event=dict(params), replaces=verb if key == "instead" else None)
        unit = self.pieces.unit(node, context)
        condition = self.pieces.condition(unit, scalar(node, "if"))
        program = self.pieces.program(unit, scalar(node, "do"))
        return {
            "event": name.text,
            "in": self.place(node, card),
            "if": condition,
            "slots": unit.slots,
            "program": program,
        }

    def place(self, node: Map, card: CardSource) -> list[str] | None:
        """Where a card must lie for an ability to count; a mark counts wherever it lies."""
        if card.is_mark:
            if node.get("in") is not None:
                span = node.keys["in"].span
                self.pieces.diagnostics.error("RB443", "a mark counts wherever it lies", span, "leave `in:` out")
            return None
        default = ["table"] if "table" in self.world.zones else None
        found = self.zones(node, "in", default)
        if not found and node.get("in") is None:
            self.pieces.diagnostics.error(
                "RB417", "this ability does not say where the card must lie", node.span, "write `in: ZONE`"
            )
        return sorted(found)

    def answer(self, node: Map, card: CardSource) -> dict[str, Any] | None:
        """`while`: an answer to a question."""
        name = scalar(node, "answer")
        value = scalar(node, "with")
        if name is None or value is None:
            return None
        question = self.world.questions.get(name.text) or KERNEL_QUESTIONS.get(name.text)
        if question is None:
            hint = did_you_mean(name.text, [*self.world.questions, *KERNEL_QUESTIONS])
            self.pieces.diagnostics.error("RB418", f"there is no question `{name.text}`", name.span, hint)
            return None
        unit = self.pieces.unit(node, Context(card=True), question.params.items())
        condition = self.pieces.condition(unit, scalar(node, "if"))
        answer = self.pieces.expression(unit, value, question.type, f"the answer to `{name.text}`")
        if answer is None:
            return None
        return {
            "question": name.text,
            "in": self.place(node, card),
            "if": condition,
            "with": answer,
            "slots": unit.slots,
        }

    def plays_as(self, node: Map) -> dict[str, Any] | None:
        """`plays_as`: the kinds as which a card can be played."""
        source = scalar(node, "from")
        if source is None:
            return None
        unit = self.pieces.unit(node, Context(card=True))
        condition = self.pieces.condition(unit, scalar(node, "if"))
        kinds = self.pieces.expression(unit, source, KINDS, "what a card is played as")
        if kinds is None:
            return None
        return {"slots": unit.slots, "from": kinds, "ask": flag(node, "ask"), "if": condition}

    def kind(self, card: CardSource, pack: str, file: str) -> dict[str, Any]:
        """A card or mark, whole."""
        node = card.node
        info = self.world.kinds[card.id]
        found: dict[str, Any] = {
            "id": card.id,
            "title": info.title,
            "text": text(node, "text"),
            "pack": pack,
            "file": file,
            "mark": card.is_mark,
            "tags": sorted(info.tags),
            "fields": dict(sorted(info.fields.items())),
            "plays": [self.play(play, card, self.line(node, play)) for play in maps(node, "play")],
        }
        if card.deck:
            found["place"] = card.place
        for key in ("when", "before", "instead"):
            compiled = [self.ability(ability, key, card) for ability in maps(node, key)]
            found[key] = [ability for ability in compiled if ability is not None]
        answers = [self.answer(answer, card) for answer in maps(node, "while")]
        found["while"] = [answer for answer in answers if answer is not None]
        borrowed = node.get("plays_as")
        found["plays_as"] = self.plays_as(borrowed) if isinstance(borrowed, Map) else None
        return found
