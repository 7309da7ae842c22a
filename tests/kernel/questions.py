"""A game in the parlour that stands at each kind of open question."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import kernel
from tests.kernel.parlour import load, play

CARDS = {
    "till": play("pay you coins: 2"),
    "stop": "play: {at: response, to: 'target is not quiet', do: cancel target}\n",
    "shout": 'play: {at: now, do: "note line: \\"shout\\""}\n',
    "gift": play(
        "pick card from: victim.hand by: victim\nmove card to: hand", "  choose: {victim: others where any(it.hand)}\n"
    ),
    "vote": play('pick word from: ["yes", "no"] by: living secret: true\nnote line: "counted"'),
    "some": play("pick cards from: hand by: you min: 1 max: 2\nmove cards to: discard"),
    "sort": play("pick cards from: top(pile, 2) by: you count: 2 order: true\narrange top(pile, 2) as: cards"),
    "bless": play("lay blessed on: victim", "  choose: {victim: players}\n"),
    "back": play("set direction = 0 - direction"),
    "push": play("give_turns 2 to: victim", "  choose: {victim: others}\n"),
    "echo": 'when: {event: pay, in: table, do: "note line: \\"echo\\""}\n',
    "blessed": 'mark: Blessed\nwhile: {answer: safe, if: who == you, with: "true"}\n',
}
GIVEN: dict[str, Any] = {
    "hand": {0: ["till", "gift", "vote", "some", "sort", "bless"], 1: ["stop", "shout", "till"], 2: ["stop", "back"]},
    "pile": ["till", "stop", "gift"],
    "table": {1: ["echo"]},
}
ALL_PASS = ((0, "pass"), (1, "pass"), (2, "pass"))
QUESTIONS: dict[str, tuple[tuple[int, str], ...]] = {
    "move": (),
    "window": ((0, "play till"),),
    "window, one passed": ((0, "play till"), (1, "pass")),
    "chain": ((0, "play till"), (1, "play stop"), (2, "play stop")),
    "now card": ((0, "play till"), (1, "play shout")),
    "pick": ((0, "play gift victim=1"), *ALL_PASS),
    "everybody's pick": ((0, "play vote"), *ALL_PASS, (1, "choose yes")),
    "several": ((0, "play some"), *ALL_PASS),
    "in order": ((0, "play sort"), *ALL_PASS),
}


def make(folder: Path) -> kernel.Rulebook:
    """The rulebook of this game."""
    return load(folder, CARDS)


def at_question(book: kernel.Rulebook, name: str, ask: str = "all") -> kernel.State:
    """A game of three where this is asked."""
    state = book.position(3, GIVEN, ask=ask)
    for player, action in QUESTIONS[name]:
        state.apply(player, action)
    return state


def transcript(state: kernel.State, seed: int = 1, most: int = 30) -> list[Any]:
    """The state's next steps by chance, with what everybody sees of each."""
    found: list[Any] = []
    rng = random.Random(seed)
    viewers = (None, *range(state.players))
    for _ in range(most):
        if state.over:
            break
        player = rng.choice(state.waiting.players)
        legal = state.legal(player)
        action = str(legal[rng.randrange(len(legal))])
        state.apply(player, action)
        found.append([player, action, state.digest, [state.view(p) for p in viewers]])
    found.append([state.news(p) for p in viewers])
    return found
