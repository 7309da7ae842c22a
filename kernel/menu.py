"""What legal actions on turn depend on, worked out for a book: tables for `kernel.turn`.

Where that is nothing but how many cards of each kind lie in a few zones and what a few shared expressions give, the
whole set of legal actions is made once and kept with the book.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from kernel.actions import Group, LegalSet
from kernel.core import ActSpec, CardSpec, Value
from kernel.model import Kind

if TYPE_CHECKING:
    from kernel.book import Rulebook
    from kernel.cardsets import CardSets

MOST: Final = 6
"""Moves that take more cards than this are not looked up."""
MOST_KINDS: Final = 160
"""With more kinds nothing is: the numbers in which cards are counted would be longer than any hand."""

MOST_HELD: Final = 4096
"""For how many sets of kinds it is kept which they are; when there are more it starts anew."""

#: What plays and moves depend on besides cards: for each the number of its condition (or -1), then those of the values
#: of its choices; of one that may be left out, the number's complement.
Needs = tuple[tuple[int, ...], ...]


class Counts:
    """How the cards of a zone are counted: in one number, with a field of bits for each kind, and that several times.

    What is added leaves the highest bit in the field of each kind of which there are enough cards: in the first copy of
    the fields one, in the second two, and so on. What is kept then are the bits that matter.
    """

    __slots__ = (
        "definition",
        "split",
        "width",
        "size",
        "high",
        "highest",
        "added",
        "kept",
        "odd",
        "hubs",
        "weights",
        "fields",
    )

    def __init__(self, definition: int, split: bool, width: int, size: int) -> None:
        self.definition = definition
        self.split = split
        self.width = width
        self.size = size  # how many kinds there are
        self.high = 1 << (width - 1)  # no zone holds so many cards of one kind
        self.highest = 1  # how many copies there are
        self.added = 0
        self.kept = 0
        self.odd = 0  # bits of kinds whose actions depend on more
        self.hubs: list[tuple[int, int]] = []  # where one of the first bits is there, the second matter too
        self.weights: tuple[int, ...] = ()  # by kind: what a card counts
        self.fields: tuple[int, ...] = ()  # by kind: all bits about it

    def bits(self, kinds: Iterable[int], n: int) -> int:
        """The bits that are left where of these kinds there are n cards or more."""
        if n >= self.high:
            return 0
        self.highest = max(self.highest, n)
        return sum([self.high << self.width * (k + self.size * (n - 1)) for k in kinds])

    def close(self) -> None:
        """All bits have been asked for: what is added and what cards count."""
        row = self.width * self.size
        for n in range(self.highest):
            self.added |= sum([(self.high - n - 1) << self.width * k + row * n for k in range(self.size)])
        one = sum([1 << row * n for n in range(self.highest)])
        self.weights = tuple([one << self.width * k for k in range(self.size)])
        self.fields = tuple([weight * self.high for weight in self.weights])


class Entry:
    """A move: which bits of a count its groups depend on, and the groups."""

    __slots__ = ("spec", "at", "kept", "hubs", "more", "needs", "lacking", "sets", "groups")

    def __init__(self, spec: ActSpec, at: int, needs: Needs, lacking: Needs) -> None:
        self.spec = spec
        self.at = at  # which zone's count; -1: it takes no cards
        self.kept = 0
        self.hubs = 0
        self.more = 0  # what is kept where one of the bits of `hubs` is there
        self.needs = needs
        self.lacking = lacking  # the same where the cards are not there
        self.sets: dict[int, CardSets | None] = {}  # of cards, by those bits
        self.groups: dict[tuple[Value, ...], Group | None] = {}

    def seen(self, count: int) -> int:
        """The bits on which its sets of cards depend; 0 where there is none."""
        return count & (self.more if count & self.hubs else self.kept)


class Plays:
    """The plays of cards from a zone."""

    __slots__ = ("definition", "at", "kept", "held", "specs", "needs", "odd")

    def __init__(self, definition: int, at: int) -> None:
        self.definition = definition
        self.at = at
        self.kept = 0
        self.held: dict[int, tuple[int, ...]] = {}  # by the bits that are kept: which kinds there are
        self.specs: list[list[ActSpec]] = []  # by kind: its plays
        self.needs: list[Needs] = []  # by kind
        self.odd: set[int] = set()  # kinds whose plays depend on more

    def kinds(self, count: int, counts: Counts) -> tuple[int, ...]:
        """The kinds that are there and can be played."""
        bits = count & self.kept
        found = self.held.get(bits)
        if found is None:
            found = tuple([k for k in range(counts.size) if bits & counts.high << counts.width * k])
            if len(self.held) >= MOST_HELD:
                self.held.clear()
            self.held[bits] = found
        return found


class Page:
    """The sets of legal actions with such cards, by the values of what else they depend on."""

    __slots__ = ("needs", "alone", "sets")

    def __init__(self, needs: Needs) -> None:
        self.needs = needs
        only = {n for need in needs for n in need}
        self.alone = max(only) if len(only) == 2 and min(only) == -1 and needs[0][0] < 0 else -1
        self.sets: dict[Value, LegalSet] = {}


class Menu:
    """The pages of a book, for fields of one width."""

    __slots__ = ("usable", "counts", "entries", "plays", "only", "pages")

    def __init__(self, book: Rulebook, width: int) -> None:
        self.counts: list[Counts] = []
        self.entries: list[Entry] = []
        self.plays: list[Plays] = []
        self.pages: dict[Value, Page] = {}
        zones = [spec.cards.zone for spec in book.turn_moves if spec.cards is not None]
        definitions = sorted({*book.play_zones, *zones})
        self.usable = (
            len(book.kinds) <= MOST_KINDS
            and all(steady(spec) for spec in book.turn_moves)
            and not any(spec.at == "now" for spec in book.answer_moves)
            and all(book.zones[d].see != "none" for d in definitions)
            and all(spec.cards is None or spec.cards.most <= MOST for spec in book.turn_moves)
        )
        if self.usable:
            self.counts = [Counts(d, book.zones[d].per_player, width, len(book.kinds)) for d in definitions]
            for spec in book.turn_moves:
                self.entries.append(self.entry(book, spec, definitions))
            for definition in book.play_zones:
                self.plays.append(self.from_zone(book, definition, definitions.index(definition)))
            for counts in self.counts:
                counts.close()
        #: The only zone that matters, where it is simple.
        self.only: Counts | None = None
        if len(self.counts) == 1 and self.counts[0].split and not self.counts[0].hubs:
            self.only = self.counts[0]

    def entry(self, book: Rulebook, spec: ActSpec, definitions: list[int]) -> Entry:
        """What a move depends on."""
        cards = spec.cards
        need = need_of(book, spec)
        if cards is None:
            return Entry(spec, -1, plain([need]), plain([need]))
        entry = Entry(spec, definitions.index(cards.zone), plain([need]), plain([need[:1]]))
        counts = self.counts[entry.at]
        fits = cards.fits_by_kind
        kinds = [k for k in range(counts.size) if fits is None or fits[k]]
        steps = range(1, cards.most + 1)
        if cards.one_kind or (cards.alike is not None and cards.hubs):
            entry.kept = counts.bits(kinds, cards.least)
            if not cards.one_kind:
                entry.hubs = counts.bits(cards.hubs, 1)
                near = alongside(cards, kinds)
                entry.more = entry.kept
                for n in steps:
                    entry.more |= counts.bits(near, n)
                    if n >= cards.least:
                        entry.more |= counts.bits(kinds, n)
                counts.hubs.append((entry.hubs, entry.more))
        else:
            for n in steps:
                entry.kept |= counts.bits(kinds, n)
        counts.kept |= entry.kept
        return entry

    def from_zone(self, book: Rulebook, definition: int, at: int) -> Plays:
        """What the plays of cards from a zone depend on."""
        plays = Plays(definition, at)
        counts = self.counts[at]
        for kind in book.kinds:
            found = plays_from(kind, definition)
            plays.specs.append(found)
            plays.needs.append(plain([need_of(book, p) for p in found if p.fixed is None]))
            if kind.plays_as is not None or not all(steady(p) for p in found):
                plays.odd.add(kind.index)
            elif found:
                plays.kept |= counts.bits([kind.index], 1)
        counts.odd |= counts.bits(plays.odd, 1)
        counts.kept |= plays.kept
        plays.kept |= counts.bits(plays.odd, 1)
        return plays


def plays_from(kind: Kind, definition: int) -> list[ActSpec]:
    """The plays on turn of a card from a zone."""
    now = [p for p in kind.answer_plays if p.at == "now"]
    return [p for p in (*kind.turn_plays, *now) if definition in p.froms]


def alongside(cards: CardSpec, kinds: list[int]) -> list[int]:
    """The kinds that can stand in a set with another kind."""
    keys = cards.keys_by_kind
    assert keys is not None
    shared = {key for hub in cards.hubs for key in keys[hub]}
    return [k for k in kinds if not shared.isdisjoint(keys[k])]


def steady(spec: ActSpec) -> bool:
    """Does what this play or move offers depend on nothing but cards' kinds and shared expressions?"""
    return spec.fixed is not None or (spec.quick and (spec.condition is None or spec.condition_shared >= 0))


def need_of(book: Rulebook, spec: ActSpec) -> tuple[int, ...]:
    """What a play or a move depends on besides cards. What never changes does not count."""
    choices = [~c.shared if c.optional else c.shared for c in spec.choices if not book.constant[c.shared]]
    return (spec.condition_shared, *choices)


def plain(needs: list[tuple[int, ...]]) -> Needs:
    """The same without what depends on nothing."""
    return tuple(dict.fromkeys([need for need in needs if need != (-1,)]))
