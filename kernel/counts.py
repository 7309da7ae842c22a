"""How many cards of each kind lie in a zone, as one number, and which of its bits matter to what a player may do."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from kernel.core import Value
from kernel.native import COMPILED

if TYPE_CHECKING:
    from collections.abc import Callable

    from kernel.native import i64

MACHINE: Final = 62
"""So many bits a machine number has besides its sign, and one more."""
MOST_MASKS: Final = 4096
"""So many masks are kept; when there are more it starts anew."""


class Bits:
    """Which bits of a count matter, and which others do where some of a few bits, those of `hubs`, are there."""

    __slots__ = ("kept", "hubs", "more", "masks")

    def __init__(self) -> None:
        self.kept = 0
        self.hubs = 0
        self.more: list[tuple[int, int]] = []  # where all of the first bits are there, the second matter
        self.masks: dict[int, int] = {}  # by the bits of `hubs` that are there: all that matter

    def add(self, other: Bits) -> None:
        """What matters to the other matters."""
        self.kept |= other.kept
        self.hubs |= other.hubs
        self.more.extend(other.more)

    def of(self, count: int) -> int:
        """The bits of a count that matter."""
        there = count & self.hubs
        mask = self.masks.get(there)
        if mask is None:
            mask = self.kept
            for first, second in self.more:
                if there & first == first:
                    mask |= second
            if len(self.masks) >= MOST_MASKS:
                self.masks.clear()
            self.masks[there] = mask
        return count & mask


class Wide:
    """The same, compiled, of counts in three machine numbers."""

    __slots__ = ("bits", "size", "full", "hubs", "plain", "kept")

    def __init__(self, bits: Bits, size: int) -> None:
        self.bits = bits
        self.size = size  # so many bits of a machine number are used
        self.full = (1 << 3 * size) - 1
        self.kept: dict[Value, tuple[int, int, int]] = {}
        self.hubs = self.split(bits.hubs)
        self.plain = self.masks(0, 0, 0)  # where none of the bits of `hubs` is there

    def split(self, count: int) -> tuple[int, int, int]:
        """A count in three numbers."""
        ones = (1 << self.size) - 1
        return count & ones, count >> self.size & ones, count >> 2 * self.size

    def masks(self, low: int, middle: int, top: int) -> tuple[int, int, int]:
        """The bits that matter where these bits of `hubs` are there."""
        there = (low, middle, top)
        found = self.kept.get(there)
        if found is None:
            count = low | middle << self.size | top << 2 * self.size
            found = self.split(self.bits.of(count | self.full & ~self.bits.hubs))
            if len(self.kept) >= MOST_MASKS:
                self.kept.clear()
            self.kept[there] = found
        return found


class Counts:
    """How the cards of a zone are counted: in one number, with a field of bits for each kind, and that several times.

    What is added leaves the highest bit in the field of each kind of which there are enough cards: in the first copy of
    the fields one, in the second two, and so on. What is kept then are the bits that matter.

    Compiled, there is one copy of the fields, in machine numbers: the first card of a kind sets the highest bit of its
    field, the next card the bit below, and so on.
    """

    __slots__ = (
        "definition",
        "split",
        "width",
        "size",
        "high",
        "highest",
        "added",
        "moves",
        "kept",
        "weights",
        "weigh",
        "fields",
        "word",
        "wide",
    )

    def __init__(self, definition: int, split: bool, width: int, size: int) -> None:
        self.definition = definition
        self.split = split
        self.width = width
        self.size = size  # how many kinds there are
        self.high = 1 << (width - 1)  # no zone holds so many cards of one kind
        self.highest = 1  # how many copies there are
        self.added = 0
        self.moves = Bits()  # what moves depend on
        self.kept = Bits()  # … and plays
        self.weights: tuple[int, ...] = ()  # by kind: what a card counts
        self.weigh: Callable[[int], int] = [].__getitem__  # the same
        self.fields: tuple[int, ...] = ()  # by kind: all bits about it
        self.word = MACHINE // width * width  # compiled: so many bits of a machine number are used
        self.wide: Wide | None = None  # where two or three are needed

    def bits(self, kinds: Iterable[int], n: int) -> int:
        """The bits that are left where of these kinds there are n cards or more."""
        if COMPILED:
            return sum([self.high >> n - 1 << self.width * k for k in kinds])
        if n >= self.high:
            return 0
        self.highest = max(self.highest, n)
        return sum([self.high << self.width * (k + self.size * (n - 1)) for k in kinds])

    def close(self) -> None:
        """All bits have been asked for: what is added and what cards count."""
        self.kept.add(self.moves)
        if COMPILED:
            self.weights = tuple([1 << self.width * k for k in range(self.size)])
            self.fields = tuple([weight * (2 * self.high - 1) for weight in self.weights])
            if self.word < self.size * self.width <= 3 * self.word:
                self.wide = Wide(self.kept, self.word)
            return
        row = self.width * self.size
        for n in range(self.highest):
            self.added |= sum([(self.high - n - 1) << self.width * k + row * n for k in range(self.size)])
        one = sum([1 << row * n for n in range(self.highest)])
        self.weights = tuple([one << self.width * k for k in range(self.size)])
        self.weigh = list(self.weights).__getitem__
        self.fields = tuple([weight * self.high for weight in self.weights])

    def count(self, zone: list[int], kinds: tuple[int, ...]) -> int:
        """Compiled: the count of a zone. `kinds`: of all cards."""
        found = 0
        first = 0
        while first < self.size:
            low, middle, top = self.words(zone, kinds, first)
            place = self.width * first
            words: list[int] = [low, middle, top]  # numbers of any length
            for word in words:
                found |= word << place
                place += self.word
            first += 3 * (self.word // self.width)
        return found

    def words(self, zone: list[int], kinds: tuple[int, ...], first: i64) -> tuple[i64, i64, i64]:
        """The count of the kinds from the first on for which there are fields in three machine numbers."""
        width: i64 = self.width
        high: i64 = self.high
        size: i64 = self.word
        low: i64 = 0
        middle: i64 = 0
        top: i64 = 0
        for card in zone:
            place: i64 = kinds[card]
            place = (place - first) * width
            if place < 0:
                continue
            if place < size:
                low |= (low >> place + 1 & high - 1 | high) << place
            elif place < 2 * size:
                place -= size
                middle |= (middle >> place + 1 & high - 1 | high) << place
            elif place < 3 * size:
                place -= 2 * size
                top |= (top >> place + 1 & high - 1 | high) << place
        return low, middle, top

    def key(self, zone: list[int], kinds: tuple[int, ...]) -> Value:
        """Compiled: what matters of the count, as one number or as three machine numbers."""
        low, middle, top = self.words(zone, kinds, 0)
        wide = self.wide
        if wide is None:
            kept = self.kept
            count: int = low
            if self.word < self.size * self.width:
                count = self.count(zone, kinds)
            return count & kept.kept if not kept.hubs else kept.of(count)
        hubs = wide.hubs
        a: i64 = low & hubs[0]
        b: i64 = middle & hubs[1]
        c: i64 = top & hubs[2]
        masks = wide.plain if a | b | c == 0 else wide.masks(a, b, c)
        return (low & masks[0], middle & masks[1], top & masks[2])

    def further(self, bits: int, kind: int) -> int:
        """How many cards of a kind besides the first these bits of it, at least one, say that there are."""
        if COMPILED:
            return self.width * (kind + 1) - (bits & -bits).bit_length()
        return (bits.bit_length() - 1) // (self.width * self.size)
