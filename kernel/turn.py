"""What a player may do now: looked up where that is possible (`kernel.menu`), else worked out (`kernel.quick`)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, filterfalse
from typing import Any, Final

from kernel.actions import NOTHING_LEGAL, Group, LegalSet
from kernel.cardsets import Class, classes_of
from kernel.core import NO_ACT, Value
from kernel.counts import MACHINE, Counts
from kernel.faces import hiding
from kernel.knowledge import bits_list
from kernel.legal import NONE_ONLY, add_borrowed, add_move, add_play
from kernel.menu import MOST_KEPT, SETS, Apart, Entry, Finder, Menu, Page, Part, Plays, plays_from
from kernel.native import COMPILED
from kernel.posts import unlike
from kernel.quick import ALONE, add_kind, answers, find_values, kept_sets, known_value, moves, window_set
from kernel.state import ASK_MOVE, ASK_PICK, ASK_WINDOW
from kernel.state import Data as State


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
    width = (deal.root or deal).most.bit_length() + 1
    menus = s.book.menus
    menu = menus.get(width)
    if menu is None:
        menu = Menu(s.book, width)
        menus[width] = menu
    if COMPILED:
        (deal.root or deal).menu = menu
    else:
        deal.weighing = [list(map(counts.weigh, deal.kinds)).__getitem__ for counts in menu.counts]
    deal.menu = menu
    deal.offer = menu.offer
    return menu


def turn_set(s: State, player: int) -> LegalSet:
    """Everything a player may do on turn."""
    deal = s.deal
    menu: Menu = deal.menu or open_menu(s)
    if s.live & s.book.hiding and hiding(s, player):
        return LegalSet(moves(s, player))
    only = menu.only
    key: Value
    touched = NO_KINDS
    if only is None:
        if not menu.usable:
            return LegalSet(moves(s, player))
        touched = []
        counted = count_cards(s, player, menu, touched)
        key = key_of(menu, counted)
    else:
        counted = NO_KINDS
        z = s.seats.base[only.definition] + player
        zone = s.zones[z]
        if s.odd and (s.holds_odd(z) if COMPILED else not s.odd.isdisjoint(zone)):
            touched = unlike(s, zone)
        kept = only.kept
        if COMPILED:
            key = only.key(zone, deal.kinds)
        else:
            count = sum(map(deal.weighing[0], zone)) + only.added
            key = count & kept.kept if not kept.hubs else kept.of(count)
    if touched:
        key = (key, *sorted(set(touched)))
    page = menu.pages.get(key)
    if page is None:
        if only is not None:
            counted = [only.count(zone, deal.kinds) if COMPILED else count]
        page = turned_to(s, player, menu, key, counted, touched)
    if page.apart:
        return LegalSet(built(s, player, page.parts, {}))
    finder = page.finder
    value = finder.woven(s, player) if finder.woven is not None else found_by(s, player, finder)
    if COMPILED and page.found is not None and page.value == value:
        return page.found
    found = page.sets.get(value)
    if found is None:
        found = filled(s, player, page, value)
    return found


def turned_to(s: State, player: int, menu: Menu, key: Value, counted: list[int], touched: list[int]) -> Page:
    """The page under a key that is not among the new ones: an old one, or one that is put together."""
    page = menu.page(key)
    if page is None:
        page = opened(s, player, menu, counted, touched)
        menu.keep(key, page)
    return page


NO_KINDS: Final[list[int]] = []
NO_OFFER: Final[frozenset[Group | None]] = frozenset([None])


def found_by(s: State, player: int, finder: Finder) -> Value:
    """The values that matter; None for those that do not now. Where it is one alone, that one."""
    weaver = s.book.weaver
    if weaver is not None:
        finder.count += 1
        if finder.count > weaver.hot:
            finder.woven = weaver.finder(finder)
            finder.count = 0
    alone = finder.alone
    if alone >= 0:
        short = s.book.shared[alone]
        value = short.inner.of_player(s, player, short.slots) if COMPILED else short.bare(s, player)
        return tuple(value) if type(value) is list else value
    if not finder.numbers:
        return ()
    if COMPILED:
        return found_natively(s, player, finder)
    known: dict[int, Value] = {}
    find_values(s, player, finder.steps, known)
    return tuple(map(known.get, finder.numbers))


def found_natively(s: State, player: int, finder: Finder) -> tuple[Value, ...]:
    """The same, compiled: what `find_values` finds, without a dictionary."""
    steps = finder.steps
    places = finder.places
    values: list[Value] = [None] * len(finder.numbers)
    shared = s.book.shared
    at = 0
    end = len(steps)
    while at < end:
        n, yes, no = steps[at]
        place = places[at]
        value = values[place]
        if value is None:
            short = shared[n]
            value = short.inner.of_player(s, player, short.slots)
            if type(value) is list:
                value = tuple(value)
            values[place] = value
        at = yes if value else no
    return tuple(values)


def count_cards(s: State, player: int, menu: Menu, touched: list[int]) -> list[int]:
    """The count of each zone that matters. `touched` becomes the kinds of cards there that more than their kind tells
    apart."""
    counted: list[int] = []
    base = s.seats.base
    at = 0
    for counts in menu.counts:
        z = base[counts.definition] + player if counts.split else base[counts.definition]
        zone = s.zones[z]
        if s.odd and s.holds_odd(z):
            touched.extend(unlike(s, zone))
        if COMPILED:
            count = counts.count(zone, s.deal.kinds)
        else:
            count = sum(map(s.deal.weighing[at], zone)) + counts.added
        counted.append(count)
        at += 1
    return counted


def key_of(menu: Menu, counted: list[int]) -> Value:
    """What matters of cards that were counted."""
    key: Value = 0
    at = 0
    for counts in menu.counts:
        kept = counts.kept.of(counted[at])
        key = (key, kept) if at else kept
        at += 1
    return key


def opened(s: State, player: int, menu: Menu, counted: list[int], touched: list[int]) -> Page:
    """The page for cards that were so counted, put together. `touched`: kinds of which not all cards are alike."""
    if touched:
        needs: list[tuple[int, ...]] = []
        parts = moves_with(s, player, menu, counted, touched, needs)
        for plays in menu.plays:
            for k in kinds_in(s, player, plays):
                if k in touched:
                    parts.extend(plays.touched[k])
                else:
                    parts.extend(plays.parts[k])
                    needs.extend(plays.needs[k])
        open = [] if COMPILED else [part for part in parts if isinstance(part, Part)]
        return Page(parts, open, menu.finder(s.book, needs), any(isinstance(part, Apart) for part in parts))
    at = 0
    head_key: Value = 0
    for counts in menu.counts:
        bits = counts.moves.of(counted[at])
        head_key = (head_key, bits) if at else bits
        at += 1
    head = menu.heads.get(head_key)
    if head is None:
        needs = []
        parts = moves_with(s, player, menu, counted, touched, needs)
        head = menu.head(head_key, parts, needs)
    parts = head.parts[:]
    open = head.open
    apart = False
    sought: Value = head.number
    for plays in menu.plays:
        count = counted[plays.at]
        kinds = kinds_in(s, player, plays)
        if COMPILED:
            for k in kinds:
                parts.extend(plays.parts[k])
        else:
            parts.extend(chain.from_iterable(map(plays.parts.__getitem__, kinds)))
        needy = count & plays.needy
        if needy and not COMPILED:
            open = [*open, *[part for k in kinds for part in plays.open[k]]]
        sought = (sought, needy)
        if count & plays.apart:
            apart = True
    finder = menu.seekers.get(sought)
    if finder is None:
        needs = head.needs[:]
        for plays in menu.plays:
            for k in kinds_in(s, player, plays):
                needs.extend(plays.needs[k])
        finder = menu.finder(s.book, needs)
        if len(menu.seekers) >= MOST_KEPT:
            menu.seekers.clear()
        menu.seekers[sought] = finder
    return Page(parts, open, finder, apart)


def kinds_in(s: State, player: int, plays: Plays) -> list[int]:
    """The kinds of the cards in a zone, in ascending order."""
    zone = s.zones[s.zone_index(plays.definition, player)]
    if COMPILED and len(s.book.kinds) <= MACHINE:
        bits = 0
        for card in zone:
            bits |= 1 << s.deal.kinds[card]
        return bits_list(bits)
    return sorted(set(map(s.deal.kind_at, zone)))


def moves_with(
    s: State, player: int, menu: Menu, counted: list[int], touched: list[int], needs: list[tuple[int, ...]]
) -> list[Group | Part | Apart]:
    """The moves on turn with cards that were so counted. `needs` becomes what they depend on besides."""
    parts: list[Group | Part | Apart] = []
    for entry in menu.entries:
        at = entry.at
        if at < 0:
            needs.extend(entry.needs)
            parts.append(entry.only)
            continue
        seen = entry.seen.of(counted[at])
        part = entry.parts.get(seen)
        if part is None and seen and seen not in entry.parts:
            part = made(s, player, entry, menu.counts[at], seen)
        if part is None:
            needs.extend(entry.lacking)
        elif touched and any(seen & menu.counts[at].fields[k] for k in touched):
            parts.append(entry.apart)
        else:
            needs.extend(entry.needs)
            parts.append(part)
    return parts


def made(s: State, player: int, entry: Entry, counts: Counts, seen: int) -> Part | None:
    """The part of a move with cards so counted; None where they make no set."""
    spec = entry.spec
    cards = spec.cards
    assert cards is not None
    zone = s.zones[s.zone_index(cards.zone, player)]
    key: list[int] = []
    for k in sorted(set(map(s.deal.kind_at, zone))):
        bits = seen & counts.fields[k]
        if bits:
            key.append(k)
            if not cards.one_kind:
                key.extend([k] * counts.further(bits, k))
    part: Part | None = None
    if cards.alike is not None and cards.hubs and cards.hubs.isdisjoint(key):
        key = [*dict.fromkeys(key), ALONE]
    if cards.one_kind or len(key) >= cards.least or key[-1] == ALONE:
        sets = kept_sets(s, player, spec, cards, tuple(key))
        if sets is not None:
            part = Part(s.book, spec, sets)
    if len(entry.parts) >= MOST_KEPT:
        entry.parts.clear()
    entry.parts[seen] = part
    return part


def filled(s: State, player: int, page: Page, value: Value) -> LegalSet:
    """The set of legal actions on a page for these values of what else matters, made and kept."""
    finder = page.finder
    offers = finder.offers.get(value)
    if offers is None or len(offers) >= MOST_KEPT:
        offers = {}  # never cleared: somebody else may be looking at it
        if len(finder.offers) >= SETS:
            finder.offers.clear()
        finder.offers[value] = offers
    groups: list[Any] = []  # of Group: the compiler would look at each whether it is one
    if COMPILED:
        known: dict[int, Value] | None = None
        for one in page.parts:
            if type(one) is Part:
                group = offers.get(one)
                if group is None:
                    if one in offers:
                        continue
                    if known is None:
                        known = finder.known(value)
                    group = offer_of(s, player, one, known)
                    offers[one] = group
                    if group is None:
                        continue
                groups.append(group)
            else:
                groups.append(one)
    else:
        for part in page.open:
            if part not in offers:
                offers[part] = offer_of(s, player, part, finder.known(value))
        every = map(offers.get, page.parts, page.parts)
        groups.extend(filterfalse(NO_OFFER.__contains__, every))
    found = LegalSet(groups)
    page.keep(value, found)
    return found


def offer_of(s: State, player: int, part: Part, known: dict[int, Value]) -> Group | None:
    """The group of a part with these values; None where there is nothing to do."""
    options = offered(s, player, part, known)
    return None if options is None else part.groups.get(options) or part.group(options)


def built(s: State, player: int, parts: list[Group | Part | Apart], known: dict[int, Value]) -> list[Group]:
    """The groups of these parts. `known`: shared values."""
    groups: list[Group] = []
    classes: dict[int, list[Class]] = {}
    for part in parts:
        if isinstance(part, Part):
            options = offered(s, player, part, known)
            if options is not None:
                group = part.groups.get(options)
                groups.append(part.group(options) if group is None else group)
        elif isinstance(part, Group):
            groups.append(part)
        elif part.spec is not None:
            add_move(s, player, groups, part.spec, NO_ACT, classes)
        else:
            add_apart(s, player, part, known, groups)
    return groups


def offered(s: State, player: int, part: Part, known: dict[int, Value]) -> tuple[Value, ...] | None:
    """The values of each choice of a move or play; None where a condition or a choice leaves nothing to do."""
    for n, wanted in part.tests:
        value = known.get(n)
        if value is None:
            value = known_value(s, player, known, n)
        if bool(value) != wanted:
            return None
    options: list[Sequence[Value]] = []
    for n, optional in part.choices:
        values = known.get(n)
        if values is None:
            values = known_value(s, player, known, n)
        if not values:
            if not optional:
                return None
            values = NONE_ONLY
        options.append(values)
    return tuple(options)


def add_apart(s: State, player: int, part: Apart, known: dict[int, Value], groups: list[Group]) -> None:
    """What can be done with cards of a kind that depends on more than that they are there."""
    kind = part.kind
    assert kind is not None
    definition = part.definition
    if not part.touched:
        add_kind(s, player, groups, definition, kind, known)
        return
    zone = s.zones[s.zone_index(definition, player)]
    specs = plays_from(kind, definition)
    for cl in classes_of(s, [card for card in zone if s.deal.kinds[card] == kind.index]):
        for spec in specs:
            if spec.at == "turn":
                add_play(s, player, groups, spec, cl, "", False, NO_ACT)
        if kind.plays_as is not None:
            add_borrowed(s, player, groups, cl, NO_ACT, True)
        for spec in specs:
            if spec.at == "now":
                add_play(s, player, groups, spec, cl, "", False, NO_ACT)
