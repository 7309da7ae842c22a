"""Compiles a whole game: the game file, its packs and cards, to the compiled form of docs/compiled.md."""

from __future__ import annotations

from typing import Any

from rulebook.diagnostics import Diagnostics, did_you_mean
from rulebook.lang.cards import SOME_CARDS, Cards
from rulebook.lang.declare import declare
from rulebook.lang.optimise import optimise
from rulebook.lang.pieces import Pieces
from rulebook.lang.public import check_public
from rulebook.lang.reading import entries, flag, maps, scalar, scalars, text
from rulebook.lang.types import CARDS, FLAG, MIXED, PLAYERS, Type, join
from rulebook.lang.unit import Context
from rulebook.lang.world import KERNEL_QUESTIONS, ActInfo
from rulebook.packs import GameSource
from rulebook.yamlread import Map, Node, Scalar, to_data

FORMAT = 1
STARTS: dict[str, Any] = {"number": 0, "flag": False, "word": ""}
DEFAULT_LIMIT = 5000


def compile_game(source: GameSource, diagnostics: Diagnostics) -> dict[str, Any] | None:
    """The compiled form of a game with its packs; None where something is wrong (all of it is reported)."""
    before = len(diagnostics.errors)
    compiled = _Game(source, diagnostics).compile()
    return optimise(compiled) if len(diagnostics.errors) == before else None


class _Game:
    def __init__(self, source: GameSource, diagnostics: Diagnostics) -> None:
        self.source = source
        self.game = source.game
        self.diagnostics = diagnostics
        self.world = declare(source, diagnostics)
        self.names = source.names()
        self.pieces = Pieces(self.world, diagnostics, self.names)
        self.cards = Cards(self.pieces)
        self._acts()

    def _acts(self) -> None:
        """What acts there are and what they carry; found out without a word, as faults are reported later."""
        acts = self.world.acts
        quiet = Cards(Pieces(self.world, Diagnostics(), self.names))
        for name, verb in self.world.verbs.items():
            if verb.window:
                acts[name] = ActInfo(dict(verb.params), cards=False, card="card" in verb.params)
        for _, _, node in entries(self.game, "verbs"):
            if isinstance(node, Map) and flag(node, "window"):
                self.world.act_tags.update(quiet.tags(node))
        play = ActInfo({}, cards=True, card=True)
        acts["play"] = play
        for name, _, node in entries(self.game, "moves"):
            acts[name] = ActInfo({}, cards=isinstance(node, Map) and node.get("cards") is not None)
        for name, _, node in entries(self.game, "moves"):
            if not isinstance(node, Map):
                continue
            self.world.act_tags.update(quiet.tags(node))
            has_cards = isinstance(node.get("cards"), Map)
            acts[name].card = has_cards
            unit = quiet.pieces.unit(node, Context(target=True), [("cards", CARDS)] if has_cards else [])
            quiet.choices(unit, node, 1 if has_cards else 0)
            acts[name].attributes = _choice_types(unit.blocks[-1], node)
        for pack in self.source.packs:
            for card in pack.cards.values():
                for node in maps(card.node, "play"):
                    self.world.act_tags.update(quiet.tags(node))
                    self.world.act_tags.update(self.world.kinds[card.id].tags)
                    unit = quiet.pieces.unit(node, Context(card=True, target=True))
                    quiet.choices(unit, node, 0)
                    for name, type in _choice_types(unit.blocks[-1], node).items():
                        before = play.attributes.get(name, type)
                        play.attributes[name] = (join(before, type) or MIXED).unsure

    def _check_play(self) -> None:
        """A move called `play` reads like a card that is played: a game has one of the two."""
        moves = self.game.get("moves")
        if not isinstance(moves, Map) or "play" not in moves.keys:
            return
        for pack in self.source.packs:
            for card in pack.cards.values():
                if card.node.get("play") is not None:
                    message = f"there is a move `play`, and the card `{card.id}` says itself how it is played"
                    related = (("the card", card.node.keys["play"].span),)
                    hint = "give the move another name, or say in the move how the card is played"
                    self.diagnostics.error("RB456", message, moves.keys["play"].span, hint, related)
                    return

    def compile(self) -> dict[str, Any]:
        game, source = self.game, self.source
        self._check_play()
        found: dict[str, Any] = {
            "format": FORMAT,
            "game": source.id,
            "title": text(game, "game"),
            "version": text(game, "version"),
            "language": language.value if (language := scalar(game, "language")) is not None else 1,
            "packs": [[pack.id, pack.version] for pack in source.packs if pack.in_play],
            "preset": source.preset,
            "options": {
                name: list(value) if isinstance(value, tuple) else value
                for name, value in sorted(source.options.items())
            },
            "facts": dict(sorted(source.facts.items())),
            "players": self._players(),
            "zones": self._zones(),
            "attributes": self._attributes(),
            "fields": {name: type.name for name, type in sorted(self.world.fields.items())},
            "tags": sorted(self.world.tags),
            "kinds": self._kinds(),
            "deck": self._deck(),
            "verbs": self._verbs(),
            "questions": self._questions(),
            "moves": self._moves(),
            "play_announce": self._program("announce", Context(), [("cards", CARDS)]),
            "can_act": self._can_act(),
            "now": self._now(),
            "setup": self._program("setup", Context(you=False), setup=True),
            "play": self._program("play", Context(you=False)),
            "leave": self._program("leave", Context()),
            "limits": self._limits(),
            "never": self._never(),
        }
        found.update(self._for_people())
        for key in ("setup", "play"):
            if found[key] is None:
                found[key] = {"slots": 0, "ops": [], "lines": [], "file": ""}
        check_public(found, self.pieces.open)
        return found

    def _for_people(self) -> dict[str, Any]:
        """What only those need who show the game: by which fields cards are sorted, and how words of decks read."""
        found: dict[str, Any] = {}
        order = scalars(self.game, "sort")
        for name in order:
            if name.text not in self.world.fields:
                hint = did_you_mean(name.text, self.world.fields)
                self.diagnostics.error("RB411", f"there is no field `{name.text}`", name.span, hint)
        if order:
            found["sort"] = [name.text for name in order]
        words: dict[str, str] = {}
        for pack in self.source.packs:
            for use in pack.decks:
                words = {**use.deck.words(), **words}
        if words:
            found["words"] = words
        return found

    def _program(
        self, key: str, context: Context, params: list[tuple[str, Type]] | None = None, setup: bool = False
    ) -> dict[str, Any] | None:
        node = scalar(self.game, key)
        if node is None:
            return None
        unit = self.pieces.unit(node, context, params or ())
        if params:
            unit.facts = SOME_CARDS
        return self.pieces.program(unit, node, setup)

    def _players(self) -> dict[str, int]:
        """How many can play."""
        players = self.game.get("players")
        if not isinstance(players, Map):
            return {"min": 2, "max": 2}
        least = self.pieces.number(scalar(players, "min"), 1, "`min` of `players`")
        most_node = scalar(players, "max")
        most = self.pieces.number(most_node, least, "`max` of `players`")
        if most < least and most_node is not None:
            message = f"at least {least} and at most {most} players: nobody can play"
            self.diagnostics.error("RB433", message, most_node.span, "exchange the two")
        return {"min": least, "max": most}

    def _zones(self) -> list[dict[str, Any]]:
        return [
            {
                "name": name,
                "see": text(node, "see", "none"),
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
        tables = {
            "game": self.world.game_attributes,
            "player": self.world.player_attributes,
            "card": self.world.card_attributes,
        }
        for where, table in tables.items():
            for name, _, value in entries(attributes, where):
                type = table.get(name)
                if type is None or type.wrong:
                    continue
                entry: dict[str, Any] = {"name": name, "type": type.name, "start": _start(value, type)}
                if where != "card":
                    entry["see"] = text(value, "see", "none") if isinstance(value, Map) else "none"
                found[where].append(entry)
        return found

    def _kinds(self) -> list[dict[str, Any]]:
        found = []
        for pack in self.source.packs:
            for card in pack.cards.values():
                if not card.broken:
                    found.append(self.cards.kind(card, pack.id, self.names[card.file]))
        return sorted(found, key=lambda kind: str(kind["id"]))

    def _deck(self) -> list[list[Any]]:
        counts: dict[tuple[str, str], int] = {}
        for pack in self.source.packs:
            if not pack.in_play:
                continue
            for id, key, value in entries(pack.manifest, "deck"):
                if id in self.source.left_out:
                    continue
                if id not in self.world.kinds or self.world.kinds[id].mark:
                    hint = did_you_mean(id, [k for k, info in self.world.kinds.items() if not info.mark])
                    self.diagnostics.error("RB416", f'there is no kind of card "{id}"', key.span, hint)
                    continue
                copies = to_data(value)
                for variant, count in copies.items() if isinstance(copies, dict) else [("", copies)]:
                    counts[id, variant] = counts.get((id, variant), 0) + count
            for use in pack.decks:
                for of, count in use.counts.items():
                    counts[of] = counts.get(of, 0) + count
        return [[id, count, variant or None] for (id, variant), count in sorted(counts.items())]

    def _verbs(self) -> list[dict[str, Any]]:
        found = []
        for name, _, node in entries(self.game, "verbs"):
            verb = self.world.verbs.get(name)
            if verb is None or not isinstance(node, Map):
                continue
            unit = self.pieces.unit(node, Context(), verb.params.items())
            if not verb.window:
                self._no_act(name, node)
            by = scalar(node, "by")
            if by is not None and (by.text not in verb.params or verb.params[by.text].base != "player"):
                hint = did_you_mean(by.text, verb.params) or "`by` names the parameter who does it"
                self.diagnostics.error(
                    "RB412", f"`{name}` has no parameter `{by.text}` that is a player", by.span, hint
                )
                by = None
            params = list(verb.params)
            found.append(
                {
                    "name": name,
                    "params": [[param, type.name, type.maybe] for param, type in verb.params.items()],
                    "program": self.pieces.program(unit, scalar(node, "do")),
                    "window": verb.window,
                    "by": params.index(by.text) if by is not None else None,
                    "card": params.index("card") if "card" in params and verb.params["card"].base == "card" else None,
                    "tags": self.cards.tags(node),
                    "timeout": text(node, "timeout", "pass"),
                    "about": text(node, "about"),
                }
            )
        return found

    def _moves(self) -> list[dict[str, Any]]:
        found = []
        default = ""
        for name, _, node in entries(self.game, "moves"):
            if not isinstance(node, Map):
                continue
            move = self.cards.move(name, node)
            found.append(move)
            if not move["default"]:
                continue
            at = node.keys["default"].span
            if move["at"] != "turn":
                hint = "`close` passes in a window; leave `default:` out"
                self.diagnostics.error("RB443", "only a move on turn can be the default", at, hint)
            elif default:
                message = f"two moves are the default: `{default}` and `{name}`"
                self.diagnostics.error("RB423", message, at, "leave one of them out")
            default = default or name
        return found

    def _no_act(self, name: str, node: Map) -> None:
        """A verb without a window is no act: what only acts have says nothing there."""
        for key in ("by", "timeout", "tags"):
            if node.get(key) is not None:
                hint = f"write `window: true`, or leave `{key}:` out"
                self.diagnostics.error(
                    "RB443", f"`{name}` has no window, and `{key}:` is about acts", node.keys[key].span, hint
                )

    def _questions(self) -> list[dict[str, Any]]:
        found = []
        for name, _, node in entries(self.game, "questions"):
            question = self.world.questions.get(name)
            if question is None or not isinstance(node, Map):
                continue
            unit = self.pieces.unit(node, Context(), question.params.items())
            default = scalar(node, "default")
            value = None
            if default is not None:
                value = self.pieces.expression(unit, default, question.type, f"the default of `{name}`")
            join = text(node, "join") or ("any" if question.type.base == "flag" and not question.type.many else "first")
            self._check_join(node, join, question.type)
            found.append(
                {
                    "name": name,
                    "params": [[param, type.name] for param, type in question.params.items()],
                    "type": question.type.name,
                    "join": join,
                    "base": flag(node, "base", True),
                    "slots": unit.slots,
                    "default": value if value is not None else ["k", None],
                }
            )
        for name, question in KERNEL_QUESTIONS.items():
            params = [[param, type.name] for param, type in question.params.items()]
            found.append(
                {
                    "name": name,
                    "params": params,
                    "type": "flag",
                    "join": "any",
                    "base": True,
                    "slots": 2,
                    "default": ["k", False],
                }
            )
        return found

    def _check_join(self, node: Map, join: str, type: Type) -> None:
        if type.wrong or node.get("join") is None:
            return
        fitting = ["first"]
        if type.many:
            fitting = ["first", "union"]
        elif type.base == "flag":
            fitting = ["any", "all", "first"]
        elif type.base == "number":
            fitting = ["sum", "min", "max", "first"]
        if join not in fitting:
            at = scalar(node, "join")
            hint = "it can be " + ", ".join(f"`{word}`" for word in fitting)
            self.diagnostics.error(
                "RB452", f"answers that are {type} cannot be joined by `{join}`", at.span if at else node.span, hint
            )

    def _can_act(self) -> dict[str, Any]:
        node = scalar(self.game, "can_act")
        if node is None:
            return {"slots": 0, "expr": ["living"]}
        unit = self.pieces.unit(node, Context(you=False))
        value = self.pieces.expression(unit, node, PLAYERS, "`can_act`", public="can_act")
        return {"slots": unit.slots, "expr": value if value is not None else ["living"]}

    def _now(self) -> dict[str, Any] | None:
        node = scalar(self.game, "now")
        if node is None:
            return None
        unit = self.pieces.unit(node, Context(target=True))
        value = self.pieces.expression(unit, node, FLAG, "`now`", public="now")
        return {"slots": unit.slots, "expr": value} if value is not None else None

    def _limits(self) -> dict[str, Any]:
        """What ends a game that does not end, and who wins then."""
        found: dict[str, Any] = {"decisions": DEFAULT_LIMIT, "ending": "draw", "winners": None}
        limits = self.game.get("limits")
        if not isinstance(limits, Map):
            return found
        found["decisions"] = to_data(limits).get("decisions", DEFAULT_LIMIT)
        found["ending"] = text(limits, "ending", "draw")
        node = scalar(limits, "winners")
        if node is not None:
            unit = self.pieces.unit(node, Context(you=False))
            value = self.pieces.expression(unit, node, PLAYERS, "`winners` of `limits`")
            found["winners"] = {"slots": unit.slots, "expr": value} if value is not None else None
            if limits.get("ending") is not None:
                message = "`ending` says nothing where `winners` says who wins"
                self.diagnostics.error("RB443", message, limits.keys["ending"].span, "leave `ending` out")
        return found

    def _never(self) -> list[dict[str, Any]]:
        found = []
        for node in maps(self.game, "never"):
            kind, zone, unless = scalar(node, "kind"), scalar(node, "in"), scalar(node, "unless")
            if kind is None or zone is None:
                continue
            if kind.text not in self.world.kinds and kind.text not in self.world.absent:
                hint = did_you_mean(kind.text, [*self.world.kinds, *self.world.absent])
                self.diagnostics.error("RB416", f'there is no kind of card "{kind.text}"', kind.span, hint)
                continue
            name = self.cards.zone(zone)
            if name is None:
                continue
            entry: dict[str, Any] = {"kind": kind.text, "in": name, "unless": None}
            if unless is not None:
                hint = f"`{name}` is one for all players, so nobody in particular holds the card"
                context = Context(you=self.world.zones[name], you_hint=hint)
                unit = self.pieces.unit(unless, context)
                value = self.pieces.expression(unit, unless, FLAG, "`unless`")
                entry["unless"] = {"slots": unit.slots, "expr": value} if value is not None else None
            found.append(entry)
        return found


def _choice_types(block: dict[str, Any], node: Map) -> dict[str, Type]:
    """The types of the choices that a block of names holds."""
    value = node.get("choose")
    return {name: block[name].type for name in value.entries if name in block} if isinstance(value, Map) else {}


def _start(node: Node, type: Type) -> Any:
    """What an attribute begins with."""
    start = node.get("start") if isinstance(node, Map) else None
    if start is not None:
        if type.maybe and isinstance(start, Scalar) and start.text == "none":
            return None
        return to_data(start)
    if type.many:
        return []
    return None if type.maybe else STARTS.get(type.base)
