"""What a player may do on turn, looked up by what it depends on.

Where that is nothing but how many cards of each kind lie in a few zones and what a few shared expressions give, the
whole set of legal actions is made once and kept with the book. `kernel.quick` makes it, and does the rest.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from kernel.actions import NOTHING_LEGAL, LegalSet
from kernel.core import NO_ACT, ActSpec, Value
from kernel.knowledge import hiding
from kernel.quick import MEMORY, answers, counts_in, moves, set_key, shared_value, window_set
from kernel.state import ASK_MOVE, ASK_PICK, ASK_WINDOW
from kernel.state import Data as State

if TYPE_CHECKING:
    from kernel.book import Rulebook

SETS: Final = 512
"""How many sets a page keeps; when there are more it starts anew."""
MOST: Final = 6
"""Moves that take more cards than this are not looked up."""


class Counts:
    """How the cards of a zone are counted: in one number, with a field of bits for each kind, and that several times.

    What is added leaves the highest bit in the field of each kind of which there are enough cards: in the first copy of
    the fields one, in the second two, and so on. What is kept then are the bits that matter.
    """

    __slots__ = ("definition", "split", "added", "kept", "odd", "hubs", "weights")

    def __init__(self, definition: int, split: bool) -> None:
        self.definition = definition
        self.split = split
        self.added = 0
        self.kept = 0
        self.odd = 0  # bits of kinds whose actions depend on more
        self.hubs: list[tuple[int, int]] = []  # where one of the first bits is there, the second matter too
        self.weights: tuple[int, ...] = ()  # by kind: what a card counts


class Page:
    """The sets of legal actions with such cards, by the values of what else they depend on."""

    __slots__ = ("needs", "alone", "sets")

    def __init__(self, needs: tuple[tuple[int, ...], ...]) -> None:
        #: For each play and move: the number of its condition (or -1), then those of the values of its choices; of one
        #: that may be left out, the number's complement.
        self.needs = needs
        only = {n for need in needs for n in need}
        self.alone = max(only) if len(only) == 2 and min(only) == -1 and needs[0][0] < 0 else -1
        self.sets: dict[Value, LegalSet] = {}


class Menu:
    """The pages of a book, for fields of one width."""

    __slots__ = ("usable", "counts", "only", "pages")

    def __init__(self, book: Rulebook, width: int) -> None:
        self.counts: list[Counts] = []
        self.pages: dict[Value, Page] = {}
        specs = [spec for spec in book.turn_moves if spec.cards is not None]
        definitions = sorted({*book.play_zones, *[spec.cards.zone for spec in specs if spec.cards is not None]})
        self.usable = (
            all(steady(spec) for spec in book.turn_moves)
            and not any(spec.at == "now" for spec in book.answer_moves)
            and all(book.zones[d].see != "none" for d in definitions)
            and all(spec.cards is None or spec.cards.most <= MOST for spec in specs)
        )
        if self.usable:
            for definition in definitions:
                counts = Counts(definition, book.zones[definition].per_player)
                self.count(book, counts, width)
                self.counts.append(counts)
        #: The only zone that matters, where it is simple.
        self.only: Counts | None = None
        if len(self.counts) == 1 and self.counts[0].split and not self.counts[0].hubs:
            self.only = self.counts[0]

    def count(self, book: Rulebook, counts: Counts, width: int) -> None:
        """What of the cards of a zone matters."""
        definition = counts.definition
        size = len(book.kinds)
        high = 1 << (width - 1)  # no zone holds so many cards of one kind
        highest = 1

        def bits(kinds: Iterable[int], n: int) -> int:
            """The highest bits in the fields of these kinds, in the copy that is about n cards."""
            nonlocal highest
            highest = max(highest, n)
            return sum([high << width * (k + size * (n - 1)) for k in kinds])

        if definition in book.play_zones:
            for kind in book.kinds:
                plays = [p for p in kind.plays if p.at != "response" and definition in p.froms]
                if kind.plays_as is not None or not all(steady(p) for p in plays):
                    counts.odd |= bits([kind.index], 1)
                elif plays:
                    counts.kept |= bits([kind.index], 1)
        for spec in book.turn_moves:
            cards = spec.cards
            if cards is None or cards.zone != definition:
                continue
            fits = range(size) if cards.fits_by_kind is None else [k for k, fit in enumerate(cards.fits_by_kind) if fit]
            steps = [n for n in range(1, cards.most + 1) if n < high]
            if cards.one_kind or (cards.alike is not None and cards.hubs):
                if cards.least < high:
                    counts.kept |= bits(fits, cards.least)
                if not cards.one_kind:
                    more = 0
                    for n in steps:
                        more |= bits(fits, n)
                    counts.hubs.append((bits(cards.hubs, 1), more))
            else:
                for n in steps:
                    counts.kept |= bits(fits, n)
        for n in range(1, highest + 1):
            counts.added |= sum([(high - n) << width * (k + size * (n - 1)) for k in range(size)])
        one = sum([1 << width * size * n for n in range(highest)])
        counts.weights = tuple([one << width * k for k in range(size)])


def steady(spec: ActSpec) -> bool:
    """Does what this play or move offers depend on nothing but cards' kinds and shared expressions?"""
    return spec.fixed is not None or (spec.quick and (spec.condition is None or spec.condition_shared >= 0))


def legal_now(s: State, player: int) -> LegalSet:
    """What this player may do now."""
    if s.over or not 0 <= player < s.players or s.left >> player & 1:
        return NOTHING_LEGAL
    ask = s.ask
    if ask == ASK_MOVE:
        if s.ask_mask >> player & 1:
            return turn_set(s, player)
        if not s.book.now_spec_exists or not s.book.can_act_mask(s) >> player & 1:
            return NOTHING_LEGAL
        return LegalSet(answers(s, player, NO_ACT, []))
    if not s.ask_mask >> player & 1:
        return NOTHING_LEGAL
    if ask == ASK_PICK:
        return LegalSet([s.book.pick_group(s, player)])
    if ask == ASK_WINDOW:
        return window_set(s, player)
    return NOTHING_LEGAL


def open_menu(s: State) -> Menu:
    """The menu for the cards of this state, kept with them."""
    deal = s.deal
    width = max([len(cards) for cards in deal.by_kind], default=0).bit_length() + 1
    menus = s.book.menus
    menu = menus.get(width)
    if menu is None:
        menu = Menu(s.book, width)
        menus[width] = menu
    deal.weighing = [list(map(counts.weights.__getitem__, deal.kinds)).__getitem__ for counts in menu.counts]
    deal.menu = menu
    return menu


def turn_set(s: State, player: int) -> LegalSet:
    """Everything a player may do on turn."""
    deal = s.deal
    menu: Menu = deal.menu or open_menu(s)
    only = menu.only
    key: Value
    if only is None or s.card_attrs or s.card_marks or s.aliases or s.book.hides:
        key = key_of(s, player, menu)
        if key is None:
            return LegalSet(moves(s, player))
    else:
        zone = s.zones[s.seats.base[only.definition] + player]
        count: int = sum(map(deal.weighing[0], zone)) + only.added
        if count & only.odd:
            return LegalSet(moves(s, player))
        key = count & only.kept
    page = menu.pages.get(key)
    if page is None:
        page = Page(needs_of(s, player))
        if len(menu.pages) >= MEMORY:
            menu.pages.clear()
        menu.pages[key] = page
    alone = page.alone
    value: Value = ()
    if alone >= 0:
        expr, slots = s.book.shared[alone]
        value = expr.of_player(s, player, slots)
        if type(value) is list:
            value = tuple(value)
    elif page.needs:
        value = values_of(s, player, page)
    found = page.sets.get(value)
    if found is None:
        found = LegalSet(moves(s, player))
        if len(page.sets) >= SETS:
            page.sets.clear()
        page.sets[value] = found
    return found


def key_of(s: State, player: int, menu: Menu) -> Value:
    """What of the player's cards matters; None where more matters than what can be counted."""
    if not menu.usable or (s.book.hides and hiding(s, player)):
        return None
    base = s.seats.base
    odd = bool(s.card_attrs or s.card_marks or s.aliases)
    key: Value = 0
    at = 0
    for counts in menu.counts:
        zone = s.zones[base[counts.definition] + player if counts.split else base[counts.definition]]
        if odd and not s.untouched(zone):
            return None
        count: int = sum(map(s.deal.weighing[at], zone)) + counts.added
        if count & counts.odd:
            return None
        kept = counts.kept
        for hubs, more in counts.hubs:
            if count & hubs:
                kept |= more
        key = (key, count & kept) if at else count & kept
        at += 1
    return key


def values_of(s: State, player: int, page: Page) -> Value:
    """The values on which the page's set depends, as far as they matter."""
    shared = s.book.shared
    known: dict[int, Value] = {}  # in the order in which they matter
    for need in page.needs:
        condition = need[0]
        if condition >= 0:
            value = known.get(condition)
            if value is None:
                expr, slots = shared[condition]
                value = bool(expr.of_player(s, player, slots))
                known[condition] = value
            if not value:
                continue
        for number in need[1:]:
            n = number if number >= 0 else ~number
            value = known.get(n)
            if value is None:
                value = shared_value(s, player, n)
                known[n] = value
            if not value and number >= 0:
                break
    return tuple(known.items())


def needs_of(s: State, player: int) -> tuple[tuple[int, ...], ...]:
    """What plays and moves with the cards of this player depend on besides."""
    book = s.book
    needs: list[tuple[int, ...]] = []
    known: dict[int, dict[int, int] | None] = {}
    for spec in book.turn_moves:
        cards = spec.cards
        counts = None if cards is None else counts_in(s, player, cards.zone, False, known)
        if cards is not None and counts is not None and not set_key(cards, counts):
            needs.append((spec.condition_shared,))
        elif spec.fixed is None:
            needs.append(need_of(book, spec))
    kinds = s.deal.kinds
    for definition in book.play_zones:
        held = {kinds[card] for card in s.zones[s.zone_index(definition, player)]}
        for k in sorted(held):
            for spec in book.kinds[k].plays:
                if spec.at != "response" and spec.fixed is None and definition in spec.froms:
                    needs.append(need_of(book, spec))
    return tuple(dict.fromkeys([need for need in needs if need != (-1,)]))


def need_of(book: Rulebook, spec: ActSpec) -> tuple[int, ...]:
    """What a play or a move depends on besides cards, as a page lists it. What never changes does not count."""
    choices = [~c.shared if c.optional else c.shared for c in spec.choices if not book.constant[c.shared]]
    return (spec.condition_shared, *choices)
