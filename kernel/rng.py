"""SplitMix64: one integer of state, the same sequence on every platform. Shuffles sort by numbers made of it."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import shake_128
from struct import Struct, unpack
from typing import TYPE_CHECKING, Final, TypeVar

from kernel.native import COMPILED

if TYPE_CHECKING:
    from kernel.native import i64

T = TypeVar("T")

MASK: Final = 0xFFFFFFFFFFFFFFFF
SIZE: Final = MASK + 1
GOLDEN: Final = 0x9E3779B97F4A7C15
HALF: Final = 1 << 63
LOW: Final = (1 << 32) - 1
SMALL: Final = 1 << 31
"""Below this, machine numbers draw a number of so many."""


def start(seed: int) -> int:
    """The generator's state for a seed (any whole number)."""
    return output((seed & MASK) ^ output((seed >> 64) & MASK))


def advance(state: int) -> int:
    """The next state."""
    return (state + GOLDEN) & MASK


def output(state: int) -> int:
    """The 64-bit number that belongs to a state."""
    if COMPILED:
        return unsigned(mixed(signed(state) - 0x61C8864680B583EB))
    z = (state + GOLDEN) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def signed(n: int) -> i64:
    """A number of 64 bits as a machine number, of which the highest bit is the sign."""
    return n - SIZE if n >= HALF else n


def unsigned(z: i64) -> int:
    """The number of 64 bits that a machine number stands for."""
    n: int = z
    return n if n >= 0 else n + SIZE


def mixed(z: i64) -> i64:
    """What `output` makes of a state that has been advanced, in machine numbers: of products the low bits are kept."""
    z = (z ^ (z >> 30 & 0x3FFFFFFFF)) * -0x40A7B892E31B1A47
    z = (z ^ (z >> 27 & 0x1FFFFFFFFF)) * -0x6B2FB644ECCEEE15
    return z ^ (z >> 31 & 0x1FFFFFFFF)


def advanced(z: i64) -> i64:
    """The next state, as a machine number."""
    return z - 0x61C8864680B583EB


def drawn(z: i64, n: i64) -> i64:
    """The number below n that an advanced state gives, -1 where the next state must be asked; n is below `SMALL`."""
    z = mixed(z)
    turn = SIZE32 % n
    lost = turn * turn % n  # so many numbers below 2**64 are too many
    if -lost <= z and z < 0:
        return -1
    return ((z >> 32 & LOW) % n << 32 | z & LOW) % n


def sort_by_chance(items: list[T], state: int) -> None:
    """Put the items in a random order, which a state of the generator gives."""
    count = len(items)
    if COMPILED and count <= FEW:
        before = items[:]
        place: i64 = 0
        for at in in_order(shake_128(state.to_bytes(8, "little")).digest(8 * count), count):
            items[place] = before[at]
            place += 1
        return
    items[:] = map(items.__getitem__, random_order(count, state))


def random_order(count: int, state: int) -> Sequence[int]:
    """The whole numbers below `count` in the order of as many random numbers, which SHAKE-128 makes of a state.

    The numbers have at least 44 bits: that two of 1 000 are equal, so that their order is kept, has a probability below
    one in a million. They are the fractions of floating-point numbers from 1 to 2, which are sorted fastest; up to 256
    of them carry their place in their last byte.
    """
    digest = shake_128(state.to_bytes(8, "little")).digest(8 * count)
    if COMPILED and count <= FEW:
        return in_order(digest, count)
    bits = int.from_bytes(digest, "little") >> 12
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


def in_order(digest: bytes, count: int) -> list[int]:
    """What `random_order` makes of random bytes, for at most 256 numbers: they have 44 bits, and their place below."""
    numbers: list[float] = []
    at: i64 = 0
    place: i64 = 0
    while place < count:
        z: i64 = digest[at + 7]
        z = z << 8 | digest[at + 6]
        z = z << 8 | digest[at + 5]
        z = z << 8 | digest[at + 4]
        z = z << 8 | digest[at + 3]
        z = z << 8 | digest[at + 2]
        numbers.append(float((z & ~15) << 4 | place))
        place += 1
        at += 8
    numbers.sort()
    return [int(x) & 255 for x in numbers]


SIZE32: Final = 1 << 32
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
        if COMPILED and n < SMALL:
            now = signed(self.state)
            while True:
                now = advanced(now)
                found = drawn(now, n)
                if found >= 0:
                    self.state = unsigned(now)
                    return found
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
