"""Positions: any situation in a few lines, in the way rulings write `given`, and back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from kernel.core import NO_ACT, NO_CARD, Frame, Value
from kernel.errors import SetupError
from kernel.knowledge import ANYBODY
from kernel.machine import run
from kernel.model import Zone
from kernel.ops import lay_on_player
from kernel.posts import survey
from kernel.seats import public
from kernel.state import Data, Deal

if TYPE_CHECKING:
    from kernel.book import Rulebook
    from kernel.game import State

CARD_TEXT: Final = re.compile(r"([A-Za-z0-9_]+)(?:\(([^()]*)\))?")


class Placing:
    """Cards named in a position, before they are numbered."""

    def __init__(self) -> None:
        self.kinds: list[int] = []
        self.zones: list[int] = []
        self.details: list[list[str]] = []


def make_position(book: Rulebook, players: int, given: Mapping[str, Any], seed: int, ask: str) -> State:
    """The position with exactly the cards that `given` names."""
    from kernel.dealing import blank

    s = blank(book, players, seed, ask)
    if not isinstance(given, Mapping):
        raise SetupError("a position is a map of zones and facts", "position")
    placing = Placing()
    marks: list[tuple[int, int]] = []
    for key, value in given.items():
        if key in ("turn", "dead", "direction", "attributes"):
            continue
        zone = book.zone_by_name.get(str(key))
        if zone is None:
            known = ", ".join([*book.zone_by_name, "turn", "dead", "direction", "attributes"])
            raise SetupError(f"a position knows no '{key}'; it knows {known}", "position")
        place_zone(s, zone, value, placing, marks)
    s.deal = Deal(tuple(placing.kinds), len(book.kinds), tuple([""] * len(placing.kinds)), book.cards)
    s.where = placing.zones
    s.known = [0] * len(placing.kinds)
    s.placed = [0] * len(placing.kinds)
    s.noted = [ANYBODY] * len(s.zones)
    for c, z in enumerate(s.where):
        s.zones[z].append(c)
    for c, details in enumerate(placing.details):
        for detail in details:
            add_detail(s, c, detail)
    for player, kind in marks:
        lay_on_player(s, kind, player)
    facts(s, given)
    survey(s)
    for c, z in enumerate(s.where):
        if z >= 0:
            seen = s.seats.seen[z]
            s.known[c] = seen if seen == public(players) else 0
            if s.seats.order[z]:
                s.placed[c] = s.known[c]
    s.frames.append(Frame(book.play, [None] * book.play.slots, s.turn, NO_CARD, NO_ACT, None))
    run(s)
    s.news_tail = None
    s.told = 0
    s.version = 0
    s.ask_since = 0
    s.forget_legal()
    s.anchor()
    return s


def player_number(s: Data, x: Any) -> int:
    """A player, as a number or its text."""
    try:
        p = int(x)
    except (TypeError, ValueError):
        raise SetupError(f"'{x}' is no player", "position") from None
    if isinstance(x, bool) or not 0 <= p < s.players:
        raise SetupError(f"there is no player {x}; players are 0 to {s.players - 1}", "position")
    return p


def place_zone(s: Data, zone: Zone, value: Any, placing: Placing, marks: list[tuple[int, int]]) -> None:
    """The cards of one zone."""
    if zone.per_player:
        if not isinstance(value, Mapping):
            raise SetupError(f"'{zone.name}' is a zone per player: write {zone.name}: {{0: […]}}", "position")
        for p, cards in value.items():
            player = player_number(s, p)
            if zone.marks:
                for text in cards:
                    marks.append((player, kind_index(s, str(text), True)))
            else:
                place_cards(s, s.zone_index(zone.index, player), cards, placing)
        return
    place_cards(s, s.zone_index(zone.index, 0), value, placing)


def kind_index(s: Data, id: str, mark: bool) -> int:
    """A kind of the book."""
    kind = s.book.kind_by_id.get(id)
    if kind is None or kind.mark != mark:
        what = "mark" if mark else "card"
        raise SetupError(f"this book has no {what} '{id}'", "position")
    return kind.index


def place_cards(s: Data, z: int, cards: Any, placing: Placing) -> None:
    """The cards of one list."""
    if not isinstance(cards, (list, tuple)):
        raise SetupError("a zone of a position is a list of cards", "position")
    if len(placing.kinds) + len(cards) > 100_000:
        raise SetupError("a position holds at most 100000 cards", "position")
    for text in cards:
        match = CARD_TEXT.fullmatch(str(text).strip())
        if match is None:
            raise SetupError(f"'{str(text)[:80]}' is not written as a card: id or id(detail)", "position")
        placing.kinds.append(kind_index(s, match.group(1), False))
        placing.zones.append(z)
        placing.details.append([d.strip() for d in match.group(2).split(",") if d.strip()] if match.group(2) else [])


def add_detail(s: Data, card: int, detail: str) -> None:
    """A flag, `name=value`, a mark or `as=KIND` of a card."""
    book = s.book
    name, eq, text = detail.partition("=")
    if name == "as" and eq:
        s.aliases[card] = kind_index(s, text, False)
        return
    for a in book.card_attributes:
        if a.name == name:
            value: Value = True
            if eq:
                value = (
                    player_number(s, text) if a.type == "player" else int(text) if text.lstrip("-").isdigit() else text
                )
            s.card_attrs[card * len(book.card_attributes) + a.index] = value
            return
    kind = book.kind_by_id.get(name)
    if kind is None or not kind.mark or eq:
        raise SetupError(f"'{detail}' is no attribute of cards and no mark", "position")
    s.card_marks[card] = (*s.card_marks.get(card, ()), kind.index)


def facts(s: Data, given: Mapping[str, Any]) -> None:
    """Turn, dead players, direction and attributes."""
    turn = given.get("turn")
    if turn is not None:
        if not isinstance(turn, Mapping) or set(turn) - {"player", "owed"}:
            raise SetupError("turn is written {player: 0, owed: 0}", "position")
        s.turn = player_number(s, turn.get("player", 0))
        owed = turn.get("owed", 0)
        if type(owed) is not int or not 0 <= owed <= 10_000:
            raise SetupError("owed is a number of turns", "position")
        s.owed = owed
    for p in given.get("dead") or []:
        s.out |= 1 << player_number(s, p)
    direction = given.get("direction", 1)
    if direction not in (1, -1):
        raise SetupError("direction is 1 or -1", "position")
    s.direction = direction
    attributes = given.get("attributes") or {}
    if not isinstance(attributes, Mapping):
        raise SetupError("attributes are a map", "position")
    for name, value in attributes.items():
        for a in s.book.player_attributes:
            if a.name == name and isinstance(value, Mapping):
                for p, v in value.items():
                    s.player_attrs[a.index * s.players + player_number(s, p)] = tuple(v) if isinstance(v, list) else v
                break
        else:
            for a in s.book.game_attributes:
                if a.name == name:
                    s.game_attrs[a.index] = tuple(value) if isinstance(value, list) else value
                    break
            else:
                raise SetupError(f"there is no attribute '{name}'", "position")


def describe_state(s: Data) -> dict[str, Any]:
    """The position as `given` writes it; what is in flight cannot be written so."""
    book = s.book
    n = s.players
    given: dict[str, Any] = {"turn": {"player": s.turn, "owed": s.owed}}
    if s.direction != 1:
        given["direction"] = s.direction
    if s.out:
        given["dead"] = [p for p in range(n) if s.out >> p & 1]
    for z in book.zones:
        base = s.seats.base[z.index]
        if z.per_player:
            lists = {p: [s.card_text(c) for c in s.zones[base + p]] for p in range(n) if s.zones[base + p]}
            if lists:
                given[z.name] = lists
        elif s.zones[base]:
            given[z.name] = [s.card_text(c) for c in s.zones[base]]
    attributes: dict[str, Any] = {}
    for a in book.player_attributes:
        attributes[a.name] = {p: as_list(s.player_attrs[a.index * n + p]) for p in range(n)}
    for a in book.game_attributes:
        attributes[a.name] = as_list(s.game_attrs[a.index])
    if attributes:
        given["attributes"] = attributes
    return given


def as_list(v: Value) -> Any:
    """A value as YAML writes it."""
    return [as_list(x) for x in v] if isinstance(v, tuple) else v
