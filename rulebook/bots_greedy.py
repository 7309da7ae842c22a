"""One step ahead: each action is tried in states that the player cannot tell from the real one, and played out.

The actions share the states, so that what differs is what the action does and not the luck of the draw.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import kernel
from rulebook.bots import Budget, Seat, derive, shares

if TYPE_CHECKING:
    from kernel import Action, LegalSet

MOST_ACTIONS = 64
"""More actions than these are not looked at; which of them is a matter of chance."""


class GreedyBot:
    """Takes the action after which games played out at random are won most often."""

    __slots__ = ("_budget", "_decisions", "_seed")

    def __init__(self, seed: int, budget: Budget) -> None:
        self._seed = seed
        self._budget = budget
        self._decisions = 0

    def choose(self, seat: Seat) -> Action:
        """One of `seat.legal`."""
        legal = seat.legal
        if len(legal) == 1:
            return legal.at(0)
        enough = self._budget.start()
        self._decisions += 1
        seed = derive(self._seed, self._decisions)
        actions = candidates(legal, seed)
        won = [0.0] * len(actions)
        tried = [0] * len(actions)
        worlds = seat.worlds()
        world = None
        done = 0
        while not enough(done):
            number, at = divmod(done, len(actions))
            if at == 0:
                world = worlds.draw(derive(seed, 0, number))
            assert world is not None
            state = world.copy()
            state.apply(seat.player, actions[at].text)
            kernel.playout(state, seed=derive(seed, 1, number))
            won[at] += shares(state)[seat.player]
            tried[at] += 1
            done += 1
        best = max(range(len(actions)), key=lambda at: (won[at] / tried[at] if tried[at] else -1.0, -at))
        return actions[best]


def candidates(legal: LegalSet, seed: int) -> list[Action]:
    """The legal actions, or some of them where there are very many."""
    if len(legal) <= MOST_ACTIONS:
        return list(legal)
    return [legal.at(at) for at in sorted(random.Random(seed).sample(range(len(legal)), MOST_ACTIONS))]
