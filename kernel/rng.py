"""SplitMix64: one integer of state, the same sequence on every platform. Shuffles sort by the numbers it draws."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
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


def advance(state: int, steps: int = 1) -> int:
    """The next state, or the one after so many steps."""
    return (state + GOLDEN * steps) & MASK


def output(state: int) -> int:
    """The 64-bit number that belongs to a state."""
    if COMPILED:
        return unsigned(mixed(advanced(signed(state))))
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
    first: i64 = -0x40A7B893  # in halves: larger numbers are no machine numbers to mypyc, but objects to be read
    second: i64 = -0x6B2FB645
    z = (z ^ (z >> 30 & 0x3FFFFFFFF)) * (first * SIZE32 + 0x1CE4E5B9)
    z = (z ^ (z >> 27 & 0x1FFFFFFFFF)) * (second * SIZE32 + 0x133111EB)
    return z ^ (z >> 31 & 0x1FFFFFFFF)


def advanced(z: i64) -> i64:
    """The next state, as a machine number."""
    step: i64 = -0x61C88647
    return z + (step * SIZE32 + 0x7F4A7C15)


def drawn(z: i64, n: i64) -> i64:
    """The number below n that an advanced state gives, -1 where the next state must be asked; n is below `SMALL`."""
    z = mixed(z)
    turn = SIZE32 % n
    lost = turn * turn % n  # so many numbers below 2**64 are too many
    if -lost <= z and z < 0:
        return -1
    return ((z >> 32 & LOW) % n << 32 | z & LOW) % n


def sort_by_chance(items: list[T], state: int) -> None:
    """Put the items in a random order, which a state of the generator gives; it draws a number for each of them."""
    count = len(items)
    if COMPILED and count <= FEW:
        before = items[:]
        place: i64 = 0
        for at in in_order(signed(state), count):
            items[place] = before[at]
            place += 1
        return
    items[:] = map(items.__getitem__, random_order(count, state))


def random_order(count: int, state: int) -> Sequence[int]:
    """The whole numbers below `count` in the order of the next so many numbers of the generator, one for each.

    Of up to 256 numbers the highest 44 bits are compared, of more the highest 52: that two are equal, so that their
    order is kept, has a probability below one in a million, for up to 90 000 of them.
    """
    if count <= FEW:
        return in_order(signed(state), count) if COMPILED else lanes_of(count).order(state)
    numbers: list[float] = []
    for at in range(0, count, FEW):
        numbers.extend(lanes_of(min(FEW, count - at)).numbers(advance(state, at)))
    return sorted(range(count), key=numbers.__getitem__)


def lanes_of(count: int) -> Lanes:
    """What is needed for so many numbers, at most `FEW`; kept."""
    kept = kept_lanes.get(count)
    if kept is None:
        kept = Lanes(count)
        kept_lanes[count] = kept
    return kept


class Lanes:
    """How the next numbers of a generator, at most `FEW`, are worked out all at once, as lanes of one long number.

    They become the fractions of floating-point numbers from 1 to 2, which are sorted fastest.
    """

    __slots__ = ("size", "ones", "steps", "lanes", "fractions", "numbered", "places", "whole", "reads", "writes")

    def __init__(self, count: int) -> None:
        self.size = 16 * count
        self.ones = sum([1 << 128 * at for at in range(count)])
        self.steps = sum([(GOLDEN * (at + 1) & MASK) << 128 * at for at in range(count)])
        self.lanes = self.ones * MASK
        self.fractions = self.ones * FRACTION
        self.whole = self.ones * ONE
        self.numbered = self.ones * (FRACTION - 255)  # the last byte holds the place
        self.places = self.whole | sum([at << 128 * at for at in range(count)])
        self.reads = Struct("<" + "d8x" * count)
        self.writes = Struct(f"<{count}d")

    def drawn(self, state: int) -> int:
        """The numbers, each in its lane; what lies above it there means nothing."""
        lanes = self.lanes
        z = state * self.ones + self.steps & lanes
        z = ((z ^ z >> 30) & lanes) * 0xBF58476D1CE4E5B9 & lanes
        z = ((z ^ z >> 27) & lanes) * 0x94D049BB133111EB & lanes
        return z ^ z >> 31

    def order(self, state: int) -> Sequence[int]:
        """What `random_order` gives for so many."""
        z = self.drawn(state) >> 12 & self.numbered | self.places
        return self.writes.pack(*sorted(self.reads.unpack(z.to_bytes(self.size, "little"))))[::8]

    def numbers(self, state: int) -> Sequence[float]:
        """The highest 52 bits of the numbers."""
        z = self.drawn(state) >> 12 & self.fractions | self.whole
        return self.reads.unpack(z.to_bytes(self.size, "little"))


def in_order(state: i64, count: i64) -> list[int]:
    """Compiled: the same in machine numbers, for at most `FEW`.

    The numbers are spread by their size over as many short chains, which stay in order; at the end these are empty.
    Nothing that could fail or run other code stands between.
    """
    order: list[int] = [0] * count
    place: i64 = 0
    while place < count:
        state = advanced(state)
        number = mixed(state) >> 20 & HIGH44
        cell = CELLS[place]
        cell.number = number
        top = CELLS[(number >> 24) * count >> 20]
        after = top.first
        if after < 0 or CELLS[after].number > number:
            cell.next = after
            top.first = place
        else:
            before = CELLS[after]
            after = before.next
            while after >= 0 and CELLS[after].number <= number:
                before = CELLS[after]
                after = before.next
            cell.next = after
            before.next = place
        place += 1
    place = 0
    at: i64 = 0
    while place < count:
        top = CELLS[at]
        at += 1
        after = top.first
        top.first = -1
        while after >= 0:
            order[place] = after
            place += 1
            after = CELLS[after].next
    return order


class Cell:
    """Where `in_order` notes a number, and the next one of its chain; and which is the first of another chain."""

    __slots__ = ("number", "next", "first")

    def __init__(self) -> None:
        self.number: i64 = 0
        self.next: i64 = -1
        self.first: i64 = -1


FEW: Final = 256
FRACTION: Final = (1 << 52) - 1
ONE: Final = 1023 << 52
"""The bits of a floating-point number: its fraction, and what makes it 1 or more and less than 2."""
SIZE32: Final = 1 << 32
HIGH44: Final = (1 << 44) - 1
kept_lanes: Final[dict[int, Lanes]] = {}
CELLS: Final[list[Cell]] = [Cell() for _ in range(FEW)]


class Rng:
    """A generator of one's own, for bots and sampling. The game's generator is the number in the state, and a game of
    the same seed draws other numbers: what is sampled must not follow how its cards lie."""

    __slots__ = ("state",)

    def __init__(self, seed: int) -> None:
        self.state = start(start(seed))

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
            sort_by_chance(items, self.state)
            self.state = advance(self.state, len(items))

    def choice(self, items: Sequence[T]) -> T:
        """One of the items, uniformly; they must not be empty."""
        return items[self.below(len(items))]
