"""What a player may do on turn, looked up by what it depends on.

Where that is nothing but how many cards of each kind lie in a few zones and what a few shared expressions give, the
whole set of legal actions is made once and kept with the book. `kernel.quick` makes it, and does the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kernel.actions import NOTHING_LEGAL, PASS_GROUP, PASS_ONLY, LegalSet
from kernel.core import NO_ACT, ActSpec, Value
from kernel.knowledge import hiding
from kernel.quick import MEMORY, answers, counts_in, moves, set_key, shared_value
from kernel.state import ASK_MOVE, ASK_PICK, ASK_WINDOW
from kernel.state import Data as State

if TYPE_CHECKING:
    from kernel.book import Rulebook

SETS: Final = 512
"""How many sets a page keeps; when there are more it starts anew."""
MOST: Final = 6
"""Moves that take more cards than this are not looked up."""


class Counts:
    """How the cards of a zone are counted: in one number, with a field of bits for each kind.

    `needs`: two numbers each. Added to the count, the first leaves the highest bit in the field of each kind of which
    there are at least so many cards; the second keeps those bits that matter.
    """

    __slots__ = ("definition", "split", "needs", "odd", "hubs")

    def __init__(self, definition: int, split: bool) -> None:
        self.definition = definition
        self.split = split
        self.needs: list[tuple[int, int]] = []
        self.odd: tuple[int, int] = (0, 0)  # the same for kinds whose actions depend on more
        # What matters too if one of the kinds kept by the first two numbers is there.
        self.hubs: list[tuple[int, int, list[tuple[int, int]]]] = []


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

    __slots__ = ("usable", "ones", "counts", "pages")

    def __init__(self, book: Rulebook, width: int) -> None:
        self.ones: tuple[int, ...] = tuple([1 << width * k.index for k in book.kinds])
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
                self.count(book, counts, 1 << (width - 1))
                self.counts.append(counts)

    def count(self, book: Rulebook, counts: Counts, high: int) -> None:
        """What of the cards of a zone matters. `high`: the highest bit of the first field."""
        definition = counts.definition
        every = sum([one * high for one in self.ones])
        wanted: dict[int, int] = {}
        odd = 0
        if definition in book.play_zones:
            for kind, one in zip(book.kinds, self.ones, strict=True):
                plays = [p for p in kind.plays if p.at != "response" and definition in p.froms]
                if kind.plays_as is not None or not all(steady(p) for p in plays):
                    odd |= one * high
                elif plays:
                    wanted[1] = wanted.get(1, 0) | one * high
        counts.odd = (every - every // high, odd)
        for spec in book.turn_moves:
            cards = spec.cards
            if cards is None or cards.zone != definition:
                continue
            fits = every
            if cards.fits_by_kind is not None:
                fits = sum([self.ones[k] * high for k, fit in enumerate(cards.fits_by_kind) if fit])
            hubs = sum([self.ones[k] * high for k in cards.hubs]) if cards.alike is not None else 0
            steps = [n for n in range(1, cards.most + 1) if n < high]
            if cards.one_kind or hubs:
                if cards.least < high:
                    wanted[cards.least] = wanted.get(cards.least, 0) | fits
                if not cards.one_kind:
                    more = [(every - n * (every // high), fits) for n in steps]
                    counts.hubs.append((every - every // high, hubs, more))
            else:
                for n in steps:
                    wanted[n] = wanted.get(n, 0) | fits
        counts.needs = [(every - n * (every // high), kinds) for n, kinds in sorted(wanted.items())]


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
        groups = answers(s, player, s.acts[-1].n, [PASS_GROUP])
        return LegalSet(groups) if len(groups) > 1 else PASS_ONLY
    return NOTHING_LEGAL


def menu_of(s: State) -> Menu:
    """The menu for the cards of this state."""
    deal = s.deal
    menu: Menu | None = deal.menu
    if menu is None:
        width = max([len(cards) for cards in deal.by_kind], default=0).bit_length() + 1
        menus = s.book.menus
        menu = menus.get(width)
        if menu is None:
            menu = Menu(s.book, width)
            menus[width] = menu
        deal.weights = list(map(menu.ones.__getitem__, deal.kinds))
        deal.menu = menu
    return menu


def turn_set(s: State, player: int) -> LegalSet:
    """Everything a player may do on turn."""
    menu = menu_of(s)
    if not menu.usable or (s.book.hides and hiding(s, player)):
        return LegalSet(moves(s, player))
    weights = s.deal.weights
    base = s.seats.base
    odd = bool(s.card_attrs or s.card_marks or s.aliases)
    marks: list[int] = []
    for counts in menu.counts:
        zone = s.zones[base[counts.definition] + player if counts.split else base[counts.definition]]
        if odd and not s.untouched(zone):
            return LegalSet(moves(s, player))
        count = sum([weights[card] for card in zone])
        added, kept = counts.odd
        if kept and count + added & kept:
            return LegalSet(moves(s, player))
        for added, kept in counts.needs:
            marks.append(count + added & kept)
        for added, kept, more in counts.hubs:
            if count + added & kept:
                for added, kept in more:
                    marks.append(count + added & kept)
    key: Value = tuple(marks)
    page = menu.pages.get(key)
    if page is None:
        page = Page(needs_of(s, player, menu))
        if len(menu.pages) >= MEMORY:
            menu.pages.clear()
        menu.pages[key] = page
    alone = page.alone
    value: Value = ()
    if alone >= 0:
        value = s.book.shared[alone][0].of_player(s, player, s.book.shared[alone][1])
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


def values_of(s: State, player: int, page: Page) -> Value:
    """The values on which the page's set depends, as far as they matter."""
    known: dict[int, Value] = {}
    values: list[Value] = []
    for need in page.needs:
        condition = need[0]
        if condition >= 0:
            if condition not in known:
                known[condition] = shared_value(s, player, condition)
            fits = bool(known[condition])
            values.append(fits)
            if not fits:
                continue
        for number in need[1:]:
            n = number if number >= 0 else ~number
            if n not in known:
                known[n] = shared_value(s, player, n)
            values.append(known[n])
            if number >= 0 and not known[n]:
                break
    return tuple(values)


def needs_of(s: State, player: int, menu: Menu) -> tuple[tuple[int, ...], ...]:
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
