"""What a position is worth, learned while a bot plays games in mind: for any game, and from nothing else.

A player is described by what can be counted: how many cards of each kind lie in each of the player's zones, the numbers
among the player's attributes, whether it is their turn and how many turns they owe. Each count has a weight; the sum is
how much a player has going for them, and the chances of the living are as the exponentials of these sums. After each
game played in mind the weights move so that its result had been less of a surprise (logistic regression by stochastic
gradient, with a rate of its own for each weight). Only states that the bot has imagined are looked at.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kernel import State

RATE = 0.2
TRUST = 0.9
"""The share of a learned value, at most, in what a game played in mind is told to have been worth …"""
HALFWAY = 100
"""… of which half is reached after so many games."""

Counts = dict[int, float]
"""What describes a player: by the number of a feature, how much there is of it."""
ON_TURN, OWED = -1, -2
KINDS = 1 << 20


class Judge:
    """Learns what positions are worth in one game, for one bot."""

    __slots__ = ("games", "largest", "squares", "weights")

    def __init__(self) -> None:
        self.games = 0
        self.weights: dict[int, float] = {}
        self.squares: dict[int, float] = {}  # of all steps of a weight: the larger, the smaller the next
        self.largest: dict[int, float] = {}  # of each attribute, so that none counts in the hundreds

    def look(self, state: State) -> list[Counts | None]:
        """What describes each player; None for who is out."""
        found: list[Counts | None] = [None] * state.players
        for player in state.living():
            found[player] = {}
        seats = state.seats
        kinds = state.deal.kinds
        for z, zone in enumerate(state.zones):
            owner = seats.owner[z]
            counts = found[owner] if zone and owner >= 0 else None
            if counts is not None:
                base = seats.definition[z] * KINDS
                for card in zone:
                    key = base + kinds[card]
                    counts[key] = counts.get(key, 0.0) + 1.0
        for attribute in state.book.player_attributes:
            if attribute.type == "number":
                self._attribute(state, attribute.index, found)
        counts = found[state.turn] if state.turn >= 0 else None
        if counts is not None:
            counts[ON_TURN] = 1.0
            if state.owed > 1:
                counts[OWED] = state.owed - 1.0
        return found

    def _attribute(self, state: State, index: int, found: list[Counts | None]) -> None:
        key = -3 - index
        for player, counts in enumerate(found):
            value = state.player_attrs[index * state.players + player]
            if counts is not None and type(value) is int and value:
                largest = self.largest[key] = max(self.largest.get(key, 1.0), float(abs(value)))
                counts[key] = value / largest

    def worth(self, found: list[Counts | None]) -> list[float]:
        """The chances of the players, which add up to 1."""
        weights = self.weights
        sums = [
            -math.inf if counts is None else sum([weights.get(key, 0.0) * n for key, n in counts.items()])
            for counts in found
        ]
        most = max(sums)
        if most == -math.inf:
            return [1 / len(found)] * len(found)
        parts = [math.exp(one - most) for one in sums]
        total = sum(parts)
        return [part / total for part in parts]

    def learn(self, found: list[Counts | None], expected: list[float], result: list[float]) -> None:
        """A game that was `expected` to go one way has gone another."""
        weights, squares = self.weights, self.squares
        for player, counts in enumerate(found):
            if counts is None:
                continue
            surprise = result[player] - expected[player]
            for key, n in counts.items():
                step = surprise * n
                square = squares[key] = squares.get(key, 1.0) + step * step
                weights[key] = weights.get(key, 0.0) + RATE * step / math.sqrt(square)
        self.games += 1

    def settle(self, expected: list[float], result: list[float]) -> list[float]:
        """What a game is told to have been worth: the more games were played, the more of what was expected."""
        trust = TRUST * self.games / (self.games + HALFWAY)
        return [trust * a + (1 - trust) * b for a, b in zip(expected, result, strict=True)]
