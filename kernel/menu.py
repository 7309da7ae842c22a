"""What legal actions on turn depend on, worked out for a book: tables for `kernel.turn`.

Where that is nothing but how many cards of each kind lie in a few zones and what a few shared expressions give, the
whole set of legal actions is made once and kept with the book.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from kernel.actions import NO_IDS, ActGroup, Group, LegalSet
from kernel.cardsets import CardSets, Class, KindSets, ListSets
from kernel.core import ActSpec, CardSpec, Value
from kernel.counts import Bits, Counts
from kernel.model import Kind
from kernel.native import COMPILED

if TYPE_CHECKING:
    from collections.abc import Callable

    from kernel.book import Rulebook
    from kernel.state import Data as State

MOST: Final = 6
"""Moves that take more cards than this are not looked up."""
MOST_KINDS: Final = 160
"""With more kinds nothing is: the numbers in which cards are counted would be longer than any hand."""
MOST_KEPT: Final = 4096
"""So many parts of a move are kept, so many groups of a part; when there are more it starts anew."""
MOST_PAGES: Final = 8192
"""So many pages are new; when there are more these become the old ones, and the old ones go."""
FEW_PAGES: Final = 4096
"""Compiled: so many pages are kept at first sight."""
LOOKS: Final = 3
"""Compiled: of more than those a page is kept when it has been looked for so often before."""
SETS: Final = 512
"""How many sets a page keeps; when there are more it starts anew."""
MARKS: Final = 1 << 16
"""Compiled: so many marks there are for pages that were not kept, of which a quarter may be set."""

#: What plays and moves depend on besides cards: for each the number of its condition (or -1), then those of the values
#: of its choices; of one that may be left out, the number's complement.
Needs = tuple[tuple[int, ...], ...]
#: The same, condition by condition: what must hold, or not, and what is needed then.
Groups = tuple[tuple[tuple[tuple[int, bool], ...], tuple[tuple[int, ...], ...]], ...]
#: The same, step by step: which value, and with which step it goes on where that is true, and where it is not.
Steps = tuple[tuple[int, int, int], ...]


class Part:
    """A move with such cards as are there, or a play of a card of one kind; its groups by the values of its choices."""

    __slots__ = ("spec", "sets", "tests", "choices", "needs", "groups")

    def __init__(self, book: Rulebook, spec: ActSpec, sets: CardSets | None) -> None:
        self.spec = spec
        self.sets = sets
        self.tests = tests_of(book, spec.condition_shared)
        self.choices: tuple[tuple[int, bool], ...] = tuple([(c.shared, c.optional) for c in spec.choices])
        self.needs: Needs = plain([need_of(book, spec)])
        self.groups: dict[tuple[Value, ...], Group] = {}

    def group(self, options: tuple[Sequence[Value], ...]) -> Group:
        """The actions with these values of the choices, made and kept."""
        group = ActGroup(self.spec, "", False, self.sets, options, NO_IDS * len(options))
        if len(self.groups) >= MOST_KEPT:
            self.groups.clear()
        self.groups[options] = group
        return group


class Apart:
    """What depends on more: a move, or what can be done with the cards of a kind from a zone."""

    __slots__ = ("spec", "definition", "kind", "touched")

    def __init__(self, spec: ActSpec | None, definition: int, kind: Kind | None, touched: bool) -> None:
        self.spec = spec
        self.definition = definition
        self.kind = kind
        self.touched = touched  # not all of its cards there are alike


class Entry:
    """A move: which bits of a count its sets of cards depend on, and its parts."""

    __slots__ = ("spec", "at", "seen", "lacking", "only", "needs", "parts", "apart")

    def __init__(self, book: Rulebook, spec: ActSpec, at: int) -> None:
        self.spec = spec
        self.at = at  # which zone's count; -1: it takes no cards
        self.seen = Bits()
        need = need_of(book, spec)
        self.needs = plain([need]) if spec.fixed is None else ()
        self.lacking = plain([need[:1]])  # what it depends on where the cards are not there
        #: Where it takes no cards.
        self.only: Group | Part = spec.fixed if spec.fixed is not None else Part(book, spec, None)
        self.parts: dict[int, Part | None] = {}  # by the bits on which its sets of cards depend
        self.apart = Apart(spec, -1, None, True)


class Head:
    """What moves are there with cards so counted, and what they depend on besides."""

    __slots__ = ("parts", "open", "needs", "number")

    def __init__(self, parts: list[Group | Part | Apart], needs: list[tuple[int, ...]], number: int) -> None:
        self.parts = parts
        self.open = [] if COMPILED else [part for part in parts if isinstance(part, Part)]
        self.needs = needs
        self.number = number  # the same for those that depend on the same


class Plays:
    """The plays of cards from a zone."""

    __slots__ = ("definition", "at", "kept", "needy", "apart", "parts", "open", "needs", "touched")

    def __init__(self, definition: int, at: int) -> None:
        self.definition = definition
        self.at = at
        self.kept = 0  # the bits that say of which kinds there are cards that can be played …
        self.needy = 0  # … whose plays depend on something besides
        self.apart = 0  # … and on more
        self.parts: list[list[Group | Part | Apart]] = []  # by kind
        self.open: list[list[Part]] = []  # by kind: those of them that depend on something besides …
        self.needs: list[Needs] = []  # … and on what
        self.touched: list[list[Group | Part | Apart]] = []  # by kind, where not all of its cards are alike


class Finder:
    """How to find the values on which sets of legal actions depend."""

    __slots__ = ("groups", "steps", "numbers", "alone", "places", "count", "woven", "offers")

    def __init__(self, groups: Groups) -> None:
        self.groups = groups
        self.steps = steps_of(groups)
        self.numbers: tuple[int, ...] = tuple(dict.fromkeys([n for n, _, _ in self.steps]))
        self.alone = self.numbers[0] if len(self.steps) == 1 else -1  # the only value that matters
        self.places = [self.numbers.index(n) for n, _, _ in self.steps]  # compiled: where the value of a step is
        self.count = 0  # how often it was asked for the plain way
        self.woven: Callable[[State, int], Value] | None = None
        #: By these values: the group of a part then, as far as it was asked for; None for nothing.
        self.offers: dict[Value, dict[Group | Part | Apart, Group | None]] = {}

    def known(self, values: Value) -> dict[int, Value]:
        """The values by their numbers."""
        if self.alone >= 0:
            return {self.alone: values}
        if COMPILED:
            known: dict[int, Value] = {}
            for n, value in zip(self.numbers, values):
                if value is not None:
                    known[n] = value
            return known
        return {n: value for n, value in zip(self.numbers, values, strict=True) if value is not None}


class Page:
    """The sets of legal actions with such cards, by the values of what else they depend on."""

    __slots__ = ("parts", "open", "apart", "finder", "value", "found", "sets")

    def __init__(self, parts: list[Group | Part | Apart], open: list[Part], finder: Finder, apart: bool) -> None:
        self.parts = parts
        self.open = open  # those of the parts that depend on something besides; compiled, none
        self.apart = apart  # they depend on more
        self.finder = finder
        self.value: Value = None
        self.found: LegalSet | None = None  # compiled: the set for the first values, most pages have no other
        self.sets: dict[Value, LegalSet] = NO_SETS if COMPILED else {}

    def keep(self, value: Value, found: LegalSet) -> None:
        """Keep the set for these values."""
        if COMPILED:
            if self.found is None:
                self.value = value
                self.found = found
                return
            if self.sets is NO_SETS:
                self.sets = {}
        if len(self.sets) >= SETS:
            self.sets.clear()
        self.sets[value] = found


NO_SETS: Final[dict[Value, LegalSet]] = {}


class Menu:
    """The pages of a book, for fields of one width."""

    __slots__ = (
        "usable",
        "counts",
        "entries",
        "plays",
        "only",
        "pages",
        "old",
        "heads",
        "numbers",
        "numbered",
        "seekers",
        "finders",
        "count",
        "offer",
        "marks",
        "spent",
    )

    def __init__(self, book: Rulebook, width: int) -> None:
        self.counts: list[Counts] = []
        self.entries: list[Entry] = []
        self.plays: list[Plays] = []
        self.pages: dict[Value, Page] = {}
        self.old: dict[Value, Page] = {}
        self.heads: dict[Value, Head] = {}
        self.numbers: dict[Needs, int] = {}  # of what heads depend on
        self.numbered = 0  # how many of these there have been
        self.seekers: dict[Value, Finder] = {}  # by such a number and the kinds whose plays depend on something
        self.finders: dict[Needs, Finder] = {}  # by what is to be found
        self.count = 0  # how often a player was asked for a move the plain way
        self.offer: Callable[[State, int], None] | None = None  # how one is asked, where that is woven
        self.marks = bytearray()  # compiled: whether a page was looked for, by its key's hash
        self.spent = 0
        zones = [spec.cards.zone for spec in book.turn_moves if spec.cards is not None]
        definitions = sorted({*book.play_zones, *zones})
        self.usable = (
            len(book.kinds) <= MOST_KINDS
            and all(steady(spec) for spec in book.turn_moves)
            and not any(spec.at == "now" for spec in book.answer_moves)
            and all(book.zones[d].see != "none" for d in definitions)
            and all(spec.cards is None or spec.cards.most <= MOST for spec in book.turn_moves)
        )
        if COMPILED:  # a bit for each number of cards that a move may take
            most = max([spec.cards.most for spec in book.turn_moves if spec.cards is not None], default=0)
            width = max(1, min(most, MOST))
        if self.usable:
            self.counts = [Counts(d, book.zones[d].per_player, width, len(book.kinds)) for d in definitions]
            for spec in book.turn_moves:
                self.entries.append(self.entry(book, spec, definitions))
            for definition in book.play_zones:
                self.plays.append(self.from_zone(book, definition, definitions.index(definition)))
            for counts in self.counts:
                counts.close()
        #: The only zone that matters, where it is one that each player has.
        self.only: Counts | None = None
        if len(self.counts) == 1 and self.counts[0].split:
            self.only = self.counts[0]

    def page(self, key: Value) -> Page | None:
        """The page for such cards that is kept, if there is one; it counts as new again."""
        page = self.old.get(key)
        if page is not None:
            self.put(key, page)
        return page

    def head(self, key: Value, parts: list[Group | Part | Apart], needs: list[tuple[int, ...]]) -> Head:
        """Keep what moves there are."""
        distinct = tuple(dict.fromkeys(needs))
        number = self.numbers.get(distinct)
        if number is None:
            if len(self.numbers) >= MOST_KEPT:
                self.numbers.clear()
            number = self.numbered
            self.numbered += 1
            self.numbers[distinct] = number
        head = Head(parts, list(distinct), number)
        if len(self.heads) >= MOST_KEPT:
            self.heads.clear()
        self.heads[key] = head
        return head

    def finder(self, book: Rulebook, needs: list[tuple[int, ...]]) -> Finder:
        """How to find the values that matter; kept."""
        key = tuple(dict.fromkeys(needs))
        finder = self.finders.get(key)
        if finder is None:
            finder = Finder(grouped(book, key))
            if len(self.finders) >= MOST_KEPT:
                self.finders.clear()
            self.finders[key] = finder
        return finder

    def keep(self, key: Value, page: Page) -> None:
        """Keep a page. Compiled, where there are many, one that has been looked for `LOOKS` times before: most never
        are, and what is kept costs more there, at every collection of garbage, than a page that is made a few times."""
        if COMPILED and len(self.pages) + len(self.old) >= FEW_PAGES:
            if not self.marks or self.spent > MARKS >> 2:
                self.marks = bytearray(MARKS)
                self.spent = 0
            place = hash((key, MARKS)) % MARKS  # of a number alone it would be its lowest bits
            looks = self.marks[place]
            if looks < LOOKS:
                self.marks[place] = looks + 1
                if not looks:
                    self.spent += 1
                return
        self.put(key, page)

    def put(self, key: Value, page: Page) -> None:
        """Keep a page among the new ones."""
        if len(self.pages) >= MOST_PAGES:
            self.old = self.pages
            self.pages = {}
        self.pages[key] = page

    def entry(self, book: Rulebook, spec: ActSpec, definitions: list[int]) -> Entry:
        """What a move depends on."""
        cards = spec.cards
        if cards is None:
            return Entry(book, spec, -1)
        entry = Entry(book, spec, definitions.index(cards.zone))
        counts = self.counts[entry.at]
        seen = entry.seen
        fits = cards.fits_by_kind
        kinds = [k for k in range(counts.size) if fits is None or fits[k]]
        if cards.one_kind:
            seen.kept = counts.bits(kinds, cards.least)
        elif cards.alike is not None and cards.hubs:
            seen.kept = counts.bits(kinds, cards.least)
            self.alongside(counts, cards, seen, kinds)
        else:
            for n in range(1, cards.most + 1):
                seen.kept |= counts.bits(kinds, n)
        counts.moves.add(seen)
        return entry

    def alongside(self, counts: Counts, cards: CardSpec, seen: Bits, kinds: list[int]) -> None:
        """Which kinds matter because of others that can stand in a set with them."""
        keys = cards.keys_by_kind
        assert keys is not None
        steps = range(1, cards.most + 1)
        for hub in sorted(cards.hubs):
            own = counts.bits([hub], 1)
            seen.hubs |= own
            near = [k for k in kinds if k != hub and not set(keys[hub]).isdisjoint(keys[k])]
            others = [k for k in near if k not in cards.hubs]
            if others or len(keys[hub]) != 1:
                bits = 0
                for n in steps:
                    bits |= counts.bits([hub, *others], n)
                seen.more.append((own, bits))
            for k in near:
                if k in cards.hubs:
                    bits = 0
                    for n in steps:
                        bits |= counts.bits([hub, k], n)
                    seen.more.append((own | counts.bits([k], 1), bits))

    def from_zone(self, book: Rulebook, definition: int, at: int) -> Plays:
        """What the plays of cards from a zone depend on."""
        plays = Plays(definition, at)
        counts = self.counts[at]
        alone = book.play_table[definition][0]
        for kind in book.kinds:
            k = kind.index
            found = plays_from(kind, definition)
            only = alone[k]
            parts: list[Group | Part | Apart] = []
            if kind.plays_as is not None or not all(steady(p) for p in found):
                parts.append(Apart(None, definition, kind, False))
            elif only is not None:
                parts.append(only)
            elif found:
                one = ListSets([Class(kind.id, kind.id, k, [])], [(0,)], True)
                sets = KindSets(one, definition)
                for part in [Part(book, p, sets) for p in found]:
                    parts.append(part.group(()) if not part.tests and not part.choices else part)
            open = [part for part in parts if isinstance(part, Part)]
            needs = tuple([need for part in open for need in part.needs])
            there = counts.bits([k], 1)
            if parts:
                plays.kept |= there
            if open:
                plays.needy |= there
            if any(isinstance(part, Apart) for part in parts):
                plays.apart |= there
            plays.parts.append(parts)
            plays.open.append(open)
            plays.needs.append(needs)
            touched = Apart(None, definition, kind, True)
            plays.touched.append([touched] if found or kind.plays_as is not None else [])
        counts.kept.kept |= plays.kept
        return plays


def plays_from(kind: Kind, definition: int) -> list[ActSpec]:
    """The plays on turn of a card from a zone."""
    now = [p for p in kind.answer_plays if p.at == "now"]
    return [p for p in (*kind.turn_plays, *now) if definition in p.froms]


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


def tests_of(book: Rulebook, condition: int) -> tuple[tuple[int, bool], ...]:
    """What must hold for a condition, and what must not."""
    return book.tests.get(condition, ((condition, True),)) if condition >= 0 else ()


def grouped(book: Rulebook, needs: Needs) -> Groups:
    """What is needed, condition by condition."""
    found: dict[int, list[tuple[int, ...]]] = {}
    for need in needs:
        rest = found.setdefault(need[0], [])
        if len(need) > 1 and need[1:] not in rest:
            rest.append(need[1:])
    return tuple([(tests_of(book, condition), tuple(rest)) for condition, rest in found.items()])


def steps_of(groups: Groups) -> Steps:
    """The same, step by step."""
    steps: list[tuple[int, int, int]] = []
    for tests, needs in groups:
        end = len(steps) + len(tests) + sum([len(need) for need in needs])
        for n, wanted in tests:
            at = len(steps) + 1
            steps.append((n, at, end) if wanted else (n, end, at))
        for need in needs:
            over = len(steps) + len(need)
            for number in need:
                at = len(steps) + 1
                steps.append((number, at, over) if number >= 0 else (~number, at, at))
    return tuple(steps)
