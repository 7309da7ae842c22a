"""What the tests of the base pack share: passing, reading news, counting cards, random steps."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

import kernel

Given = dict[str, Any]
"""A position, as rulings write it."""


def pass_all(state: kernel.State) -> None:
    """Everybody passes until no window is open."""
    while not state.over:
        asked = state.waiting.players
        if not asked or state.view(asked[0])["ask"]["kind"] != "window":
            return
        for player in asked:
            state.apply(player, "pass")


def news_text(state: kernel.State, player: int | None) -> str:
    """Everything a player was ever told, as one text."""
    return json.dumps(state.news(player))


def moves_to_hand(state: kernel.State, reader: int | None, owner: int) -> list[list[str]]:
    """The cards, as the reader was told of them, of each event that moved something into that hand."""
    return [entry["cards"] for entry in state.news(reader) if entry.get("to") == ["hand", owner]]


def announcements(state: kernel.State) -> list[dict[str, Any]]:
    """The plays that a spectator heard, in order."""
    return [entry for entry in state.news(None) if entry["event"] == "announced" and entry.get("cards")]


def all_cards(state: kernel.State) -> Counter[str]:
    """Every card of the game by its id, wherever it lies."""
    given = state.describe()
    found: Counter[str] = Counter()
    for zone, value in given.items():
        lists = value.values() if isinstance(value, dict) else [value]
        if zone in ("turn", "dead", "direction", "attributes"):
            continue
        for cards in lists:
            found.update(card.split("(")[0] for card in cards)
    return found


def random_step(state: kernel.State, chooser: random.Random) -> None:
    """One of the players asked takes one of the legal actions."""
    player = chooser.choice(state.waiting.players)
    legal = state.legal(player)
    state.apply(player, legal[chooser.randrange(len(legal))])


def play_out(state: kernel.State, chooser: random.Random, without: int) -> None:
    """At random to the end of the game, which comes without a word from one player."""
    for _ in range(5000):
        if state.over:
            return
        assert state.waiting.players
        assert without not in state.waiting.players
        assert len(state.legal(without)) == 0
        random_step(state, chooser)
    raise AssertionError("the game does not come to an end")
