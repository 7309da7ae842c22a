"""Compiles a game with its packs into the form that the kernel plays (docs/compiled.md)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulebook.diagnostics import Diagnostics, did_you_mean
from rulebook.lang.cards import check_moment, compile_kind, compile_play, known_tags
from rulebook.lang.choices import compile_cards, compile_choices, count_choices, unknown_zone
from rulebook.lang.declare import declare, start_value
from rulebook.lang.maker import Maker
from rulebook.lang.reading import entries, flag, key_span, maps, scalar, text
from rulebook.lang.types import CARDS, ERROR, FLAG, NUMBER, PLAYERS, Type
from rulebook.lang.unit import Context
from rulebook.lang.world import KERNEL_QUESTIONS, ActInfo
from rulebook.packs import GameSource
from rulebook.yamlread import Map, Scalar

DECISIONS = 10_000
"""How many decisions a game may take that declares no limit."""
_JOINS = {
    "any": ("flag",),
    "all": ("flag",),
    "sum": ("number",),
    "min": ("number",),
    "max": ("number",),
    "union": ("players", "cards", "kinds", "words", "numbers", "flags"),
}


def compile_game(source: GameSource, diagnostics: Diagnostics) -> dict[str, Any] | None:
    """The compiled form of a game; None, with every fault in `diagnostics`, if there are errors."""
    before = len(diagnostics.errors)
    world = declare(source, diagnostics)
    maker = Maker(world, diagnostics, source.names())
    compiler = _Game(source, maker)
    compiler.learn_acts()
    book = compiler.book()
    return book if len(diagnostics.errors) == before else None


class _Game:
    def __init__(self, source: GameSource, maker: Maker) -> None:
        self.source = source
        self.game = source.game
        self.maker = maker
        self.world = maker.world
        self.diagnostics = maker.diagnostics

    # What acts carry, which everything that speaks of acts must know first

    def learn_acts(self) -> None:
        """The kinds of act with their parameters and choices, and the tags that acts can have."""
        acts: dict[str, ActInfo] = {}
        self.maker.quiet = True
        for name, verb in self.world.verbs.items():
            if verb.window:
                acts[name] = ActInfo(dict(verb.params), False, "card" in verb.params and not verb.params["card"].maybe)
        for name, node in self._moves():
            move = self._move(name, node)
            takes = isinstance(node.get("cards"), Map)
            acts[name] = ActInfo(_choice_types(move["choose"]), takes, takes)
        plays = [compile_play(self.maker, play) for card in self._card_nodes() for play in maps(card, "play")]
        self.maker.quiet = False
        acts["play"] = ActInfo(_common([_choice_types(play["choose"]) for play in plays]), True, True)
        self.world.acts = acts
        tags = {tag for kind in self.world.kinds.values() for tag in kind.tags}
        for node in [*(node for _, node in self._moves()), *self._verb_nodes()]:
            tags.update(item.text for item in node.get("tags").items) if _has_list(node, "tags") else None  # type: ignore[union-attr]
        for play in plays:
            tags.update(play["tags"])
        self.world.act_tags = tags

    def _moves(self) -> Iterator[tuple[str, Map]]:
        for name, _, node in entries(self.game, "moves"):
            if isinstance(node, Map):
                yield name, node

    def _verb_nodes(self) -> Iterator[Map]:
        for _, _, node in entries(self.game, "verbs"):
            if isinstance(node, Map):
                yield node

    def _card_nodes(self) -> Iterator[Map]:
        for pack in self.source.packs:
            for card in pack.cards.values():
                yield card.node

    # The book

    def book(self) -> dict[str, Any]:
        """The whole compiled form."""
        game, source = self.game, self.source
        players = game.get("players")
        kinds = [
            compile_kind(self.maker, card, pack.id) for pack in source.packs for card in pack.cards.values()
        ]
        return {
            "format": 1,
            "game": source.id,
            "title": text(game, "game"),
            "version": text(game, "version"),
            "language": 1,
            "packs": [[pack.id, pack.version] for pack in source.packs if pack.in_play],
            "preset": source.preset,
            "options": dict(sorted(source.options.items())),
            "facts": dict(sorted(source.facts.items())),
            "players": {
                "min": self._players(players, "min") if isinstance(players, Map) else 1,
                "max": self._players(players, "max") if isinstance(players, Map) else 1,
            },
            "zones": self._zones(),
            "attributes": self._attributes(),
            "fields": {name: str(self.world.fields[name]) for name in sorted(self.world.fields)},
            "tags": sorted(self.world.tags),
            "kinds": sorted(kinds, key=lambda kind: str(kind["id"])),
            "deck": self._deck(),
            "verbs": [self._verb(name, node) for name, _, node in entries(game, "verbs") if isinstance(node, Map)],
            "questions": [*self._questions(), *_kernel_questions()],
            "moves": [self._move(name, node) for name, node in self._moves()],
            "play_announce": self._announce(),
            "can_act": self._can_act(),
            "now": self._now(),
            "setup": self.maker.program(self.maker.unit(Context(you=False)), game.get("setup"), setup=True),
            "play": self.maker.program(self.maker.unit(Context(you=False)), game.get("play")),
            "leave": self.maker.program(self.maker.unit(Context()), game.get("leave")) if "leave" in game.entries else None,
            "limits": self._limits(),
            "never": self._never(),
        }

    def _players(self, node: Map, key: str) -> int:
        value = self.maker.value(self.maker.unit(Context(you=False)), node.get(key), NUMBER, f"`{key}` of `players`")
        if value.type.wrong:
            return 1
        if not value.constant:
            message = "how many can play must be a number, or follow from options and facts"
            self.diagnostics.error("RB443", message, key_span(node, key))
            return 1
        return int(value.ir[1])

    def _zones(self) -> list[dict[str, Any]]:
        return [
            {
                "name": name,
                "see": text(node, "see"),
                "per_player": text(node, "per") == "player",
                "order": flag(node, "order"),
                "marks": flag(node, "marks"),
                "start": flag(node, "start"),
            }
            for name, _, node in entries(self.game, "zones")
            if isinstance(node, Map)
        ]

    def _attributes(self) -> dict[str, list[dict[str, Any]]]:
        node = self.game.get("attributes")
        attributes = node if isinstance(node, Map) else None
        found: dict[str, list[dict[str, Any]]] = {"game": [], "player": [], "card": []}
        tables = {"game": self.world.game_attributes, "player": self.world.player_attributes}
        for where, table in tables.items():
            for name, _, value in entries(attributes, where):
                start = scalar(value, "start") if isinstance(value, Map) else None
                if name not in table or start is None or not isinstance(value, Map):
                    continue
                entry: dict[str, Any] = {"name": name, "type": table[name].name, "start": start_value(start, table[name])}
                if where == "player":
                    entry["see"] = text(value, "see")
                found[where].append(entry)
        for name, _, _ in entries(attributes, "card"):
            if name in self.world.card_attributes:
                found["card"].append({"name": name, "type": self.world.card_attributes[name].name})
        return found

    def _deck(self) -> list[list[Any]]:
        counts: dict[tuple[str, str], int] = {}
        for pack in self.source.packs:
            for name, key, copies in entries(pack.manifest, "deck"):
                info = self.world.kinds.get(name)
                if info is None or info.mark:
                    if pack.in_play:
                        self._not_in_deck(name, key, info is not None)
                    continue
                if not pack.in_play:
                    continue
                variants = copies.entries if isinstance(copies, Map) else {"": copies}
                for variant, number in variants.items():
                    if isinstance(number, Scalar) and isinstance(number.value, int):
                        counts[name, variant] = counts.get((name, variant), 0) + number.value
        return [[name, count, variant or None] for (name, variant), count in sorted(counts.items()) if count]

    def _not_in_deck(self, name: str, key: Scalar, mark: bool) -> None:
        if mark:
            hint = "marks are laid by verbs, they are no cards of a deck"
            self.diagnostics.error("RB454", f"`{name}` is a mark", key.span, hint)
            return
        cards = [kind for kind, info in self.world.kinds.items() if not info.mark]
        hint = did_you_mean(name, cards)
        if name in self.world.absent:
            hint = f"`{name}` is in another pack: name that pack under `uses`"
        self.diagnostics.error("RB454", f"there is no card `{name}`", key.span, hint)

    def _verb(self, name: str, node: Map) -> dict[str, Any]:
        verb = self.world.verbs.get(name)
        params = verb.params if verb is not None else {}
        window = flag(node, "window")
        unit = self.maker.unit(Context(), params)
        by = scalar(node, "by")
        if by is not None and (by.text not in params or params[by.text].base != "player" or params[by.text].many):
            players = [param for param, type in params.items() if type.base == "player" and not type.many]
            hint = did_you_mean(by.text, players) or "`by` names the parameter that is the player who acts"
            self.diagnostics.error("RB452", f"`{by.text}` is no parameter that is a player", by.span, hint)
        for key in ("by", "timeout"):
            if key in node.entries and not window:
                hint = "write `window: true`, or leave it out"
                self.diagnostics.error("RB452", f"`{key}` goes with `window: true`", node.keys[key].span, hint)
        names = list(params)
        return {
            "name": name,
            "params": [[param, type.name, type.maybe] for param, type in params.items()],
            "program": self.maker.program(unit, node.get("do")),
            "window": window,
            "by": names.index(by.text) if by is not None and by.text in names else None,
            "card": names.index("card") if "card" in names and params["card"].base == "card" and not params["card"].many else None,
            "tags": known_tags(self.maker, node),
            "timeout": text(node, "timeout", "pass"),
            "about": text(node, "about"),
        }

    def _questions(self) -> Iterator[dict[str, Any]]:
        for name, _, node in entries(self.game, "questions"):
            question = self.world.questions.get(name)
            if question is None or not isinstance(node, Map):
                continue
            hint = "give the player as a parameter: `about: {who: player}`"
            unit = self.maker.unit(Context(you=False, you_hint=hint), question.params)
            default = self.maker.expr(unit, node.get("default"), question.type, f"the default of `{name}`")
            join = text(node, "join") or ("any" if question.type.sure == FLAG else "first")
            fitting = _JOINS.get(join)
            if fitting is not None and not question.type.wrong and question.type.name not in fitting:
                joins = [word for word, types in _JOINS.items() if question.type.name in types] + ["first"]
                message = f"answers that are {question.type} cannot be joined by `{join}`"
                self.diagnostics.error("RB450", message, node.keys["join"].span, "fitting: " + ", ".join(joins))
            yield {
                "name": name,
                "params": [[param, type.name] for param, type in question.params.items()],
                "type": str(question.type),
                "join": join,
                "base": flag(node, "base", True),
                "slots": unit.slots,
                "default": default,
            }

    def _move(self, name: str, node: Map) -> dict[str, Any]:
        maker = self.maker
        at = check_moment(maker, node)
        unit = maker.unit(Context(target=at == "response"))
        cards_node = node.get("cards")
        takes = isinstance(cards_node, Map)
        first = 1 if takes else 0
        unit.take_slot(first + count_choices(node))
        if name == "play" and not maker.quiet:
            self.diagnostics.error("RB431", "`play` is how cards are played", key_span(self.game, "moves"), "take another name")
        to = maker.condition(unit, node.get("to") if at == "response" else None, "what is answered")
        condition = maker.condition(unit, node.get("if"), "the condition of a move")
        cards = compile_cards(maker, unit, cards_node) if isinstance(cards_node, Map) else None
        choices = compile_choices(maker, unit, node, first)
        program = maker.program(unit, node.get("do"))
        return {
            "name": name,
            "at": at,
            "to": to if to is not None or at != "response" else ["k", True],
            "if": condition,
            "tags": known_tags(maker, node),
            "default": flag(node, "default"),
            "window": flag(node, "window", True),
            "cards": cards,
            "choose": choices,
            "slots": unit.slots,
            "program": program,
            "text": text(node, "text") or None,
            "about": text(node, "about"),
        }

    def _announce(self) -> dict[str, Any] | None:
        if "announce" not in self.game.entries:
            return None
        return self.maker.program(self.maker.unit(Context(), {"cards": CARDS}), self.game.get("announce"))

    def _can_act(self) -> dict[str, Any]:
        source = self.game.get("can_act")
        if source is None:
            return {"slots": 0, "expr": ["living"]}
        unit = self.maker.unit(Context(you=False, you_hint="`it` is the player asked about: `players where …`"))
        expr = self.maker.expr(unit, source, PLAYERS, "`can_act`")
        return {"slots": unit.slots, "expr": expr}

    def _now(self) -> dict[str, Any] | None:
        source = self.game.get("now")
        if source is None:
            return None
        unit = self.maker.unit(Context(target=True))
        expr = self.maker.expr(unit, source, FLAG, "`now`")
        return {"slots": unit.slots, "expr": expr}

    def _limits(self) -> dict[str, Any]:
        node = self.game.get("limits")
        limits = node if isinstance(node, Map) else None
        decisions = scalar(limits, "decisions") if limits is not None else None
        return {
            "decisions": decisions.value if decisions is not None else DECISIONS,
            "ending": text(limits, "ending", "draw") if limits is not None else "draw",
        }

    def _never(self) -> list[dict[str, Any]]:
        found = []
        for node in maps(self.game, "never"):
            kind, zone = scalar(node, "kind"), scalar(node, "in")
            if kind is None or zone is None:
                continue
            if kind.text not in self.world.kinds and kind.text not in self.world.absent:
                hint = did_you_mean(kind.text, [*self.world.kinds, *self.world.absent])
                self.diagnostics.error("RB416", f'there is no kind of card "{kind.text}"', kind.span, hint)
            if zone.text not in self.world.zones:
                unknown_zone(self.maker, zone)
                continue
            per_player = self.world.zones[zone.text]
            unit = self.maker.unit(Context(you=per_player, you_hint=f"`{zone.text}` belongs to nobody"))
            unless = self.maker.condition(unit, node.get("unless"), "`unless`")
            if kind.text in self.world.kinds:
                exception = {"slots": unit.slots, "expr": unless} if unless is not None else None
                found.append({"kind": kind.text, "in": zone.text, "unless": exception})
        return found


def _has_list(node: Map, key: str) -> bool:
    return hasattr(node.get(key), "items") and not isinstance(node.get(key), Map)


def _choice_types(choices: list[dict[str, Any]]) -> dict[str, Type]:
    found: dict[str, Type] = {}
    for choice in choices:
        type = Type(choice["type"]) if choice["type"] != "error" else ERROR
        found[choice["name"]] = type.unsure if choice["or"] else type
    return found


def _common(plays: list[dict[str, Type]]) -> dict[str, Type]:
    """What plays carry: a name that not all of them have is a maybe; of two types it has none."""
    found: dict[str, Type] = {}
    for play in plays:
        for name, type in play.items():
            known = found.get(name)
            if known is not None and known.sure != type.sure:
                found[name] = ERROR
            else:
                found[name] = type.unsure if type.maybe or (known is not None and known.maybe) else type
    return {
        name: type if all(name in play for play in plays) else type.unsure for name, type in sorted(found.items())
    }


def _kernel_questions() -> Iterator[dict[str, Any]]:
    for name in sorted(KERNEL_QUESTIONS):
        question = KERNEL_QUESTIONS[name]
        yield {
            "name": name,
            "params": [[param, type.name] for param, type in question.params.items()],
            "type": "flag",
            "join": "any",
            "base": True,
            "slots": len(question.params),
            "default": ["k", False],
        }
