"""SplitMix64: one integer of state, the same sequence on every platform. Shuffles sort by numbers made of it."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import shake_128
from struct import Struct, unpack
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
    """Put the items in a random order, which a state of the generator gives."""
    items[:] = map(items.__getitem__, random_order(len(items), state))


def random_order(count: int, state: int) -> Sequence[int]:
    """The whole numbers below `count` in the order of as many random numbers, which SHAKE-128 makes of a state.

    The numbers have at least 44 bits: that two of 1 000 are equal, so that their order is kept, has a probability below
    one in a million. They are the fractions of floating-point numbers from 1 to 2, which are sorted fastest; up to 256
    of them carry their place in their last byte.
    """
    bits = int.from_bytes(shake_128(state.to_bytes(8, "little")).digest(8 * count), "little") >> 12
    if count > FEW:
        units = ((1 << 64 * count) - 1) // MASK
        written = (bits & units * FRACTION | units * ONE).to_bytes(8 * count, "little")
        return sorted(range(count), key=unpack(f"<{count}d", written).__getitem__)
    kept = kept_masks.get(count)
    if kept is None:
        units = ((1 << 64 * count) - 1) // MASK
        places = sum([place << 64 * place for place in range(count)])
        kept = (Struct(f"<{count}d"), units * (FRACTION - 255), units * ONE | places)
        kept_masks[count] = kept
    doubles, random, fixed = kept
    numbers = doubles.unpack((bits & random | fixed).to_bytes(8 * count, "little"))
    return doubles.pack(*sorted(numbers))[::8]


FEW: Final = 256
FRACTION: Final = (1 << 52) - 1
ONE: Final = 1023 << 52
"""The bits of a floating-point number: its fraction, and what makes it 1 or more and less than 2."""
kept_masks: Final[dict[int, tuple[Struct, int, int]]] = {}
"""For so many items: how their numbers are read, which bits are random, and which are not."""


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
