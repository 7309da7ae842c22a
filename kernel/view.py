"""Views: allow-lists of what a player (or a spectator) may see, as JSON-able data.

What is not named here is never shown.
"""

from __future__ import annotations

from typing import Any, Final

from kernel.core import NOBODY, Act
from kernel.faces import visible
from kernel.knowledge import bits_list
from kernel.picks import open_pick
from kernel.state import ASK_MOVE, ASK_PICK, ASK_WINDOW, NO_ASK, Data

UNKNOWN: Final = "unknown"
PROMPTS: Final = {ASK_MOVE: "Your move", ASK_WINDOW: "Do you answer?", ASK_PICK: "Choose"}


def zone_cards(s: Data, z: int, player: int) -> list[str]:
    """The cards of a zone as the player knows them; an unordered zone's known cards first, by kind."""
    zone = s.zones[z]
    bit = 1 << (player if player >= 0 else s.players)
    ordered = s.seats.order[z]
    kinds = s.deal.kinds
    known = s.known
    placed = s.placed
    sure: list[int]  # places in the zone of the cards that the player can name there
    if s.book.shows or s.book.hides:
        sure = []
        for i, c in enumerate(zone):
            mask = visible(s, c) | (known[c] & placed[c] if ordered else known[c])
            if mask & bit:
                sure.append(i)
    elif s.seats.seen[z] & bit:
        sure = list(range(len(zone)))
    else:
        sure = [i for i, c in enumerate(zone) if known[c] & bit and (not ordered or placed[c] & bit)]
    if ordered:
        found = [UNKNOWN] * len(zone)
        for i in sure:
            found[i] = s.card_text(zone[i])
        return found
    named = sorted([(kinds[zone[i]], s.card_text(zone[i])) for i in sure])
    return [text for _, text in named] + [UNKNOWN] * (len(zone) - len(sure))


def within(s: Data, z: int, player: int) -> list[str]:
    """Cards of an ordered zone that the player knows to be in it, but not where."""
    bit = 1 << (player if player >= 0 else s.players)
    known = s.known
    found: list[str] = []
    for c in s.zones[z]:
        if known[c] & bit and not (s.placed[c] & known[c] | visible(s, c)) & bit:
            found.append(s.book.kinds[s.deal.kinds[c]].id)
    return sorted(found)


def act_text(s: Data, act: Act, player: int) -> tuple[str, list[str]]:
    """An act as the player may know it: its text and its cards."""
    spec = act.spec
    bit = 1 << (player if player >= 0 else s.players)
    cards: list[str] = []
    for c in act.cards:
        mask = visible(s, c) | s.known[c]
        cards.append(s.book.kinds[s.deal.kinds[c]].id if mask & bit else UNKNOWN)
    parts = [spec.text]
    if cards:
        alike = len(set(cards)) == 1 and spec.cards is not None and spec.cards.least == spec.cards.most
        parts.append(cards[0] if alike or spec.cards is None else ",".join(cards))
    if act.alias and act.cards:
        parts.append("as=" + act.alias)
    for choice in spec.choices:
        value = act.vars[choice.slot]
        if value is not None:
            shown = s.book.kinds[s.deal.kinds[value]].id if choice.type == "card" else str(value)
            parts.append(f"{choice.name}={shown}")
    for name, slot in spec.named:
        if act.vars[slot] is not None:
            parts.append(f"{name}={act.vars[slot]}")
    return " ".join(parts), cards


def describe_ask(s: Data, player: int) -> dict[str, Any]:
    """What this player is asked."""
    ask: dict[str, Any] = {"kind": ("", "move", "window", "pick")[s.ask], "prompt": PROMPTS[s.ask]}
    if s.ask == ASK_WINDOW:
        act = s.top()
        ask["act"] = act.n
        text, _ = act_text(s, act, player)
        ask["prompt"] = f"Player {act.by}: {text}. Do you answer?"
    elif s.ask == ASK_PICK:
        op, f = open_pick(s)
        if op.ask:
            ask["prompt"] = op.ask
        ask["type"] = op.asked_type(s, f)
        if f.card >= 0 and visible(s, f.card) >> player & 1:
            ask["card"] = s.book.kinds[s.deal.kinds[f.card]].id
    return ask


def make_view(s: Data, player: int | None) -> dict[str, Any]:
    """What a player (None: a spectator) may see."""
    who = NOBODY if player is None else player
    if who != NOBODY and (type(who) is not int or not 0 <= who < s.players):
        who = NOBODY
    if s.known_to >= 0 and who != s.known_to:
        who = NOBODY
    book = s.book
    n = s.players
    zones: dict[str, Any] = {}
    inside: dict[str, list[str]] = {}
    for z in book.zones:
        base = s.seats.base[z.index]
        if z.per_player:
            zones[z.name] = {str(p): zone_cards(s, base + p, who) for p in range(n)}
        else:
            zones[z.name] = zone_cards(s, base, who)
        if z.order and z.see != "all" and not z.per_player:
            known = within(s, base, who)
            if known:
                inside[z.name] = known
    acts = []
    for act in s.acts:
        text, cards = act_text(s, act, who)
        entry: dict[str, Any] = {"n": act.n, "by": act.by, "text": text, "cards": cards}
        if act.target >= 0:
            entry["answers"] = act.target
        if act.cancelled:
            entry["cancelled"] = True
        acts.append(entry)
    asked: list[int] = []
    if s.ask != NO_ASK and not s.over:
        if not s.settled:
            asked = bits_list(s.ask_mask)
        elif who >= 0 and s.ask_mask >> who & 1:
            asked = [who]
    attributes: dict[str, Any] = {}
    for a in book.player_attributes:
        if a.see == "all":
            attributes[a.name] = {str(p): plain(s.player_attrs[a.index * n + p]) for p in range(n)}
        elif a.see == "owner" and who >= 0:
            attributes[a.name] = {str(who): plain(s.player_attrs[a.index * n + who])}
    for a in book.game_attributes:
        if a.see == "all":
            attributes[a.name] = plain(s.game_attrs[a.index])
    view: dict[str, Any] = {
        "version": s.version,
        "player": player if who >= 0 else None,
        "players": n,
        "turn": {"player": s.turn, "owed": s.owed, "direction": s.direction},
        "dead": bits_list(s.out),
        "left": bits_list(s.left),
        "over": s.over,
        "winners": list(s.winners),
        "acts": acts,
        "asked": asked,
        "zones": zones,
        "within": inside,
        "attributes": attributes,
    }
    if who in asked and who >= 0:
        view["ask"] = describe_ask(s, who)
    return view


def plain(value: Any) -> Any:
    """A value as JSON has it."""
    return [plain(x) for x in value] if isinstance(value, tuple) else value
