"""SplitMix64: one integer of state, the same sequence on every platform."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

MASK = 0xFFFFFFFFFFFFFFFF
SIZE = MASK + 1
GOLDEN = 0x9E3779B97F4A7C15


def start(seed: int) -> int:
    """The generator's state for a seed (any whole number)."""
    return output((seed & MASK) ^ output((seed >> 64) & MASK))


def advance(state: int) -> int:
    """The next state."""
    return (state + GOLDEN) & MASK


def output(state: int) -> int:
    """The 64-bit number that belongs to a state."""
    z = (state + GOLDEN) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


class Rng:
    """A generator of one's own, for bots and sampling. The game's generator is the number in the state."""

    __slots__ = ("state",)

    def __init__(self, seed: int) -> None:
        self.state = start(seed)

    def below(self, n: int) -> int:
        """A uniform number 0 … n-1 (n at least 1)."""
        limit = SIZE - SIZE % n
        while True:
            z = (self.state + GOLDEN) & MASK
            self.state = z
            z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
            z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
            z ^= z >> 31
            if z < limit:
                return z % n

    def shuffle(self, items: list[T]) -> None:
        """Fisher–Yates, in place."""
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]

    def choice(self, items: Sequence[T]) -> T:
        """One of the items, uniformly; they must not be empty."""
        return items[self.below(len(items))]
