"""What a player may do now: looked up where that is possible (`kernel.menu`), else worked out (`kernel.quick`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kernel.actions import NOTHING_LEGAL, ActGroup, Group, LegalSet
from kernel.cardsets import CardSets, Class, classes_of
from kernel.core import NO_ACT, ActSpec, Value
from kernel.knowledge import hiding
from kernel.legal import add_borrowed, add_move, add_play
from kernel.menu import Entry, Menu, Needs, Page, Plays
from kernel.quick import (
    MEMORY,
    add_kind,
    answers,
    cards_key,
    kept_play,
    kept_sets,
    known_value,
    moves,
    options_of,
    shared_value,
    window_set,
)
from kernel.state import ASK_MOVE, ASK_PICK, ASK_WINDOW
from kernel.state import Data as State

SETS: Final = 512
"""How many sets a page keeps; when there are more it starts anew."""


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
    width = max([len(cards) for cards in (deal.root or deal).by_kind], default=0).bit_length() + 1
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
        if not menu.usable or (s.book.hides and hiding(s, player)):
            return LegalSet(moves(s, player))
        touched: list[int] = []
        counted = count_cards(s, player, menu, touched)
        key = None if touched else key_of(menu, counted)
        if key is None:
            return assembled(s, player, menu, counted, {}, touched)
    else:
        zone = s.zones[s.seats.base[only.definition] + player]
        count: int = sum(map(deal.weighing[0], zone)) + only.added
        counted = [count]
        if count & only.odd:
            return assembled(s, player, menu, counted, {}, [])
        key = count & only.kept
    page = menu.pages.get(key)
    if page is None:
        page = Page(needs_of(menu, counted))
        if len(menu.pages) >= MEMORY:
            menu.pages.clear()
        menu.pages[key] = page
    alone = page.alone
    value: Value = ()
    known: dict[int, Value] = {}
    if alone >= 0:
        expr, slots = s.book.shared[alone]
        value = expr.of_player(s, player, slots)
        if type(value) is list:
            value = tuple(value)
        known[alone] = value
    elif page.needs:
        find_values(s, player, page.needs, known)
        value = tuple(known.items())
    found = page.sets.get(value)
    if found is None:
        found = assembled(s, player, menu, counted, known, [])
        if len(page.sets) >= SETS:
            page.sets.clear()
        page.sets[value] = found
    return found


def count_cards(s: State, player: int, menu: Menu, touched: list[int]) -> list[int]:
    """The count of each zone that matters. `touched` becomes the kinds of cards there that more than their kind tells
    apart."""
    counted: list[int] = []
    base = s.seats.base
    odd = bool(s.card_attrs or s.card_marks or s.aliases)
    at = 0
    for counts in menu.counts:
        zone = s.zones[base[counts.definition] + player if counts.split else base[counts.definition]]
        if odd and not s.untouched(zone):
            touched.extend([s.deal.kinds[card] for card in zone if not s.untouched((card,))])
        count: int = sum(map(s.deal.weighing[at], zone)) + counts.added
        counted.append(count)
        at += 1
    return counted


def key_of(menu: Menu, counted: list[int]) -> Value:
    """What matters of cards that were counted; None where something is there whose actions depend on more."""
    key: Value = 0
    at = 0
    for counts in menu.counts:
        count = counted[at]
        if count & counts.odd:
            return None
        kept = counts.kept
        for hubs, more in counts.hubs:
            if count & hubs:
                kept |= more
        key = (key, count & kept) if at else count & kept
        at += 1
    return key


def find_values(s: State, player: int, needs: Needs, known: dict[int, Value]) -> None:
    """Work out the shared values that matter, in the order in which they do."""
    shared = s.book.shared
    for need in needs:
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


def needs_of(menu: Menu, counted: list[int]) -> Needs:
    """What plays and moves with cards so counted depend on besides."""
    needs: list[tuple[int, ...]] = []
    for entry in menu.entries:
        needs.extend(entry.needs if entry.at < 0 or entry.seen(counted[entry.at]) else entry.lacking)
    for plays in menu.plays:
        for k in plays.kinds(counted[plays.at], menu.counts[plays.at]):
            needs.extend(plays.needs[k])
    return tuple(dict.fromkeys(needs))


def assembled(
    s: State, player: int, menu: Menu, counted: list[int], known: dict[int, Value], touched: list[int]
) -> LegalSet:
    """The set of everything a player may do on turn, from groups that are kept.

    `known`: shared values. `touched`: kinds of which not all cards are alike; what depends on them is worked out anew.
    """
    groups: list[Group] = []
    classes: dict[int, list[Class]] = {}
    for entry in menu.entries:
        spec = entry.spec
        if spec.fixed is not None:
            groups.append(spec.fixed)
            continue
        seen = 0
        if entry.at >= 0:
            seen = entry.seen(counted[entry.at])
            if not seen:
                continue
            if touched:
                fields = menu.counts[entry.at].fields
                if any(seen & fields[k] for k in touched):
                    add_move(s, player, groups, spec, NO_ACT, classes)
                    continue
        options = offered(s, player, spec, known)
        if options is None:
            continue
        key = (seen, *options)
        group = entry.groups.get(key)
        if group is None:
            if key in entry.groups:
                continue
            group = made(s, player, entry, seen, options)
            if len(entry.groups) >= MEMORY:
                entry.groups.clear()
            entry.groups[key] = group
        if group is not None:
            groups.append(group)
    for plays in menu.plays:
        add_plays(s, player, menu, plays, counted[plays.at], known, touched, groups)
    return LegalSet(groups)


def add_plays(
    s: State,
    player: int,
    menu: Menu,
    plays: Plays,
    count: int,
    known: dict[int, Value],
    touched: list[int],
    groups: list[Group],
) -> None:
    """The plays of cards from a zone, kind by kind."""
    book = s.book
    definition = plays.definition
    alone = book.play_table[definition][0]
    for k in plays.kinds(count, menu.counts[plays.at]):
        kind = book.kinds[k]
        if k in touched:
            zone = s.zones[s.zone_index(definition, player)]
            for cl in classes_of(s, [card for card in zone if s.deal.kinds[card] == k]):
                for spec in plays.specs[k]:
                    if spec.at == "turn":
                        add_play(s, player, groups, spec, cl, "", False, NO_ACT)
                if kind.plays_as is not None:
                    add_borrowed(s, player, groups, cl, NO_ACT, True)
                for spec in plays.specs[k]:
                    if spec.at == "now":
                        add_play(s, player, groups, spec, cl, "", False, NO_ACT)
            continue
        only = alone[k]
        if only is not None:
            groups.append(only)
            continue
        if k in plays.odd:
            add_kind(s, player, groups, definition, kind, known)
            continue
        for spec in plays.specs[k]:
            options = offered(s, player, spec, known)
            if options is not None:
                groups.append(kept_play(spec, kind, definition, options))


def offered(s: State, player: int, spec: ActSpec, known: dict[int, Value]) -> list[Sequence[Value]] | None:
    """The values of each choice of a play or move; None where its condition or a choice leaves nothing to do."""
    if spec.condition_shared >= 0 and not known_value(s, player, known, spec.condition_shared):
        return None
    return options_of(s, player, spec, known)


def made(s: State, player: int, entry: Entry, seen: int, options: list[Sequence[Value]]) -> Group | None:
    """The group of a move with the cards that the player has, and with these values of its choices."""
    spec = entry.spec
    sets: CardSets | None = None
    if spec.cards is not None:
        sets = entry.sets.get(seen)
        if sets is None and seen not in entry.sets:
            kinds = s.deal.kinds
            counts: dict[int, int] = {}
            for k in sorted([kinds[c] for c in s.zones[s.zone_index(spec.cards.zone, player)]]):
                counts[k] = counts.get(k, 0) + 1
            key = cards_key(spec.cards, counts)
            if len(entry.sets) >= MEMORY:
                entry.sets.clear()
            sets = kept_sets(s, player, spec, spec.cards, key[0]) if key else None
            entry.sets[seen] = sets
        if sets is None:
            return None
    return ActGroup(spec, "", False, sets, options, [None] * len(options))
