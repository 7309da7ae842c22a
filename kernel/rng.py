"""SplitMix64: one integer of state, the same sequence on every platform. Shuffles sort by numbers made of it."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import shake_128
from struct import unpack
from typing import Final, TypeVar

T = TypeVar("T")

MASK: Final = 0xFFFFFFFFFFFFFFFF
SIZE: Final = MASK + 1
GOLDEN: Final = 0x9E3779B97F4A7C15


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


def sort_by_chance(items: list[T], state: int) -> None:
    """Put the items in the order of as many random 52-bit numbers, which SHAKE-128 makes of a state of the generator.

    That two of 100 000 numbers are equal, so that their items keep their order, has a probability of about
    one in a million. The numbers are the fractions of floating-point numbers from 1 to 2, which are sorted fastest.
    """
    count = len(items)
    fractions, ones = masks(count)
    bits = int.from_bytes(shake_128(state.to_bytes(8, "little")).digest(8 * count), "little")
    numbers = unpack(f"<{count}d", (bits >> 12 & fractions | ones).to_bytes(8 * count, "little"))
    items[:] = map(items.__getitem__, sorted(range(count), key=numbers.__getitem__))


def masks(count: int) -> tuple[int, int]:
    """The bits of the fractions of so many floating-point numbers side by side, and those that make them 1 or more."""
    found = kept_masks.get(count)
    if found is None:
        units = ((1 << 64 * count) - 1) // MASK
        found = (units * ((1 << 52) - 1), units * (1023 << 52))
        if count <= KEPT:
            kept_masks[count] = found
    return found


KEPT: Final = 256
kept_masks: Final[dict[int, tuple[int, int]]] = {}


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
        """Put the items in a random order, in place."""
        if len(items) > 1:
            self.state = advance(self.state)
            sort_by_chance(items, self.state)

    def choice(self, items: Sequence[T]) -> T:
        """One of the items, uniformly; they must not be empty."""
        return items[self.below(len(items))]
