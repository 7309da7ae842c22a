"""Legal actions without working anything out twice.

Where what a player may do depends on nothing but the kinds of the cards in a zone and on sets that all choices share,
groups of actions are made once and kept with the book. Everything else goes through `kernel.legal`, which stays the
reference: `kernel.testing` compares the two.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kernel.actions import NO_IDS, PASS_GROUP, PASS_ONLY, ActGroup, Group, LegalSet
from kernel.cardsets import CardSets, Class, KindSets, ListSets, alike_kinds, kind_class, sets_for
from kernel.core import NO_ACT, NO_CARD, Act, ActSpec, CardSpec, Frame, Value
from kernel.faces import hiding
from kernel.knowledge import bits_list
from kernel.legal import NONE_ONLY, add_borrowed, add_move, add_play, fits, now_fits_act, own_classes
from kernel.menu import Steps
from kernel.model import DOUBTFUL, UNSURE, VARIED, Kind, Plan
from kernel.native import COMPILED
from kernel.posts import unlike
from kernel.prepare import one_card
from kernel.state import Data as State

ALONE: Final = -1
"""At the end of a key: each set is of one of these kinds."""
MEMORY: Final = 4096
"""How many groups a play or move keeps; when there are more it starts anew."""


def answering(s: State, mask: int) -> int:
    """Of these players, those who can do anything but pass in the window that opens for the act on top."""
    found = 0
    act = s.top_act
    assert act is not None
    plan = act.spec.plan
    if not COMPILED and plan.zone >= 0 and not s.aliases and not s.live & s.book.hiding:
        first = s.seats.base[plan.zone]
        step = 1 if s.seats.split[plan.zone] else 0
        while mask:
            bit = mask & -mask
            mask ^= bit
            p = bit.bit_length() - 1
            zone = s.zones[first + p * step]
            kinds = plan.kinds.intersection(map(s.deal.kind_at, zone))
            if kinds:
                plain = not s.odd or s.odd.isdisjoint(zone) or kinds.isdisjoint(unlike(s, zone))
                legal = window_with(s, p, act, plan, kinds) if plain else window_set(s, p)
                if legal.total > 1:
                    s.legal_cache[p] = legal
                    found |= bit
        return found
    for p in range(s.players):
        if mask >> p & 1:
            legal = window_set(s, p)
            if legal.total > 1:
                s.legal_cache[p] = legal
                found |= 1 << p
    return found


def window_set(s: State, player: int) -> LegalSet:
    """What a player who is asked may answer to the act on top; kept where it depends on nothing but kinds of cards."""
    act = s.top_act
    assert act is not None
    plan = act.spec.plan
    definition = plan.zone
    if definition >= 0 and not s.aliases and not (s.live & s.book.hiding and hiding(s, player)):
        seats = s.seats
        base = seats.base[definition]
        zone = s.zones[base + player if seats.split[definition] else base]
        if COMPILED:
            ready = window_of(s, player, act, plan, zone)
            if ready is not None:
                return ready
        kinds = plan.kinds.intersection(map(s.deal.kind_at, zone))
        if not kinds:
            return PASS_ONLY
        if not s.odd or s.odd.isdisjoint(zone) or kinds.isdisjoint(unlike(s, zone)):
            return window_with(s, player, act, plan, kinds)
    groups = answers(s, player, act.n, [PASS_GROUP])
    return LegalSet(groups) if len(groups) > 1 else PASS_ONLY


def window_with(s: State, player: int, act: Act, plan: Plan, kinds: frozenset[int]) -> LegalSet:
    """What a player with cards of these kinds, which nothing else tells apart, may answer to the act on top."""
    found = plan.windows.get(kinds)
    if found is not None:
        return found
    if not kinds <= plan.known:
        kinds = without_borrowers(s, player, kinds)
    if kinds <= plan.known:
        key: Value = kinds
        if not kinds <= plan.steady:
            given: list[Value] = []
            for k in sorted(kinds.intersection(plan.doubtful)):
                given.extend([fits(s, player, spec, act.n) for spec in plan.doubtful[k]])
            varied = kinds.intersection(plan.varied)
            if varied and plan.alone >= 0:
                value = s.book.shared[plan.alone].bare(s, player)
                given.append(tuple(value) if type(value) is list else value)
            elif varied:
                known: dict[int, Value] = {}
                for k in sorted(varied):
                    find_values(s, player, plan.varied[k], known)
                given.extend(known.values())
            key = (kinds, *given)
        return kept_window(s, player, act, plan, key)
    groups = answers(s, player, act.n, [PASS_GROUP])
    return LegalSet(groups) if len(groups) > 1 else PASS_ONLY


def window_of(s: State, player: int, act: Act, plan: Plan, zone: list[int]) -> LegalSet | None:
    """Compiled: what `window_set` gives where all that matters are kinds of cards in this zone; None where not."""
    kinds = s.deal.kinds
    flags = plan.flags
    odd = s.odd
    bits = 0
    seen = 0
    for card in zone:
        kind = kinds[card]
        flag = flags[kind]
        if flag:
            if odd and card in odd:
                return None
            bits |= 1 << kind
            seen |= flag
    if seen & UNSURE:
        for kind in bits_list(bits):
            if flags[kind] == UNSURE:
                one = s.book.kinds[kind]
                shared = one.plays_as_shared
                if one.plays_as is None or shared < 0 or shared_value(s, player, shared):
                    return None
                bits &= ~(1 << kind)
    if not bits:
        return PASS_ONLY
    key: Value = bits
    if seen & DOUBTFUL:
        fitting = []
        for kind in bits_list(bits):
            if flags[kind] == DOUBTFUL:
                fitting.extend([fits(s, player, spec, act.n) for spec in plan.doubtful[kind]])
        key = (bits, *fitting)
    if seen & VARIED and plan.alone >= 0:
        key = (key, shared_value(s, player, plan.alone))
    elif seen & VARIED:
        known: dict[int, Value] = {}
        for kind in bits_list(bits):
            if flags[kind] == VARIED:
                find_values(s, player, plan.varied[kind], known)
        key = (key, *known.values())
    return kept_window(s, player, act, plan, key)


def kept_window(s: State, player: int, act: Act, plan: Plan, key: Value) -> LegalSet:
    """The answers that are kept under this key, worked out where they are not. A card that more than its kind tells
    apart, be it the only one of its kind, is named in them: such answers are not kept."""
    found = plan.windows.get(key)
    if found is None:
        found = LegalSet(answers(s, player, act.n, [PASS_GROUP]))
        if s.untouched(s.zones[s.zone_index(plan.zone, player)]):
            if len(plan.windows) >= MEMORY:
                plan.windows.clear()
            plan.windows[key] = found
    return found


def without_borrowers(s: State, player: int, kinds: frozenset[int]) -> frozenset[int]:
    """The kinds without those that could be played as others, but not by this player now."""
    for k in kinds:
        kind = s.book.kinds[k]
        if kind.plays_as is not None and kind.plays_as_shared >= 0:
            if not shared_value(s, player, kind.plays_as_shared):
                kinds -= {k}
    return kinds


def moves(s: State, player: int) -> list[Group]:
    """Everything a player may do on turn."""
    book = s.book
    groups: list[Group] = []
    hidden = bool(book.hides) and hiding(s, player)
    counted: dict[int, dict[int, int] | None] = {}
    seen: dict[int, list[Class]] = {}
    known: dict[int, Value] = {}
    for spec in book.turn_moves:
        if spec.fixed is not None:
            groups.append(spec.fixed)
            continue
        if not spec.quick:
            add_move(s, player, groups, spec, NO_ACT, seen)
            continue
        if spec.condition_shared >= 0:
            if not known_value(s, player, known, spec.condition_shared):
                continue
        elif spec.condition is not None and not holds(s, player, spec, NO_CARD, NO_ACT):
            continue
        key: tuple[Value, ...] = ()
        cards = spec.cards
        if cards is not None:
            counts = counts_in(s, player, cards.zone, hidden, counted)
            if counts is None:
                add_move(s, player, groups, spec, NO_ACT, seen)
                continue
            key = cards_key(cards, counts)
            if not key:
                continue
        add_group(s, player, groups, spec, key, known, cards)
    for spec in book.answer_moves:
        if spec.at == "now":
            add_move(s, player, groups, spec, NO_ACT, seen)
    now = book.now_spec_exists
    kinds = book.kinds
    for definition in book.play_zones:
        counts = counts_in(s, player, definition, hidden, counted)
        if counts is None:
            for cl in own_classes(s, player, definition):
                kind = kinds[cl.kind]
                for spec in kind.turn_plays:
                    if definition in spec.froms:
                        add_play(s, player, groups, spec, cl, "", False, NO_ACT)
                if kind.plays_as is not None:
                    add_borrowed(s, player, groups, cl, NO_ACT, True)
                if now:
                    for spec in kind.answer_plays:
                        if spec.at == "now" and definition in spec.froms:
                            add_play(s, player, groups, spec, cl, "", False, NO_ACT)
            continue
        only, others = book.play_table[definition]
        for k in counts:
            group = only[k]
            if group is not None:
                groups.append(group)
            elif k in others:
                add_kind(s, player, groups, definition, kinds[k], known)
    return groups


def add_kind(s: State, player: int, groups: list[Group], definition: int, kind: Kind, known: dict[int, Value]) -> None:
    """Everything a player may do on turn with a card of this kind from this zone."""
    for spec in kind.turn_plays:
        if definition in spec.froms:
            add_quick(s, player, groups, spec, definition, kind, NO_ACT, known)
    if kind.plays_as is not None:
        add_borrowed(s, player, groups, class_in(s, player, definition, kind), NO_ACT, True)
    if s.book.now_spec_exists:
        for spec in kind.answer_plays:
            if spec.at == "now" and definition in spec.froms:
                add_quick(s, player, groups, spec, definition, kind, NO_ACT, known)


def answers(s: State, player: int, target: int, groups: list[Group]) -> list[Group]:
    """Responses to the act on top, and NOW cards."""
    book = s.book
    if target >= 0:
        plan = s.top().spec.plan
        act = plan.number
        kinds = plan.kinds
        always = plan.always
        never = plan.never
        now_fits = plan.now and (not plan.ask_now or now_fits_act(s, player, target))
        some = plan.moves
    else:
        act = -1
        kinds = book.answer_kinds
        always = never = NO_SPECS
        now_fits = some = book.now_spec_exists
    if some and book.answer_moves:
        seen: dict[int, list[Class]] = {}
        for spec in book.answer_moves:
            i = spec.index
            if spec.at == "now":
                if now_fits:
                    add_move(s, player, groups, spec, NO_ACT, seen)
            elif target >= 0 and (i in always or (i not in never and fits(s, player, spec, target))):
                add_move(s, player, groups, spec, target, seen)
    held = s.deal.able.get(act)
    if held is None:
        held = s.deal.holders(act, kinds)
    able = held[0]
    known: dict[int, Value] = {}
    hidden = bool(book.hides) and hiding(s, player)
    for definition in book.answer_zones:
        zone = s.zones[s.zone_index(definition, player)]
        if able.isdisjoint(zone):
            continue
        if hidden or book.zones[definition].see == "none" or not s.untouched(able.intersection(zone)):
            classes = [c for c in own_classes(s, player, definition) if c.kind in kinds]
            plain = False
        else:
            found: dict[int, Class] = {}
            for card in zone:
                if card in able:
                    k = s.deal.kinds[card]
                    one = found.get(k)
                    if one is None:
                        found[k] = Class(book.kinds[k].id, book.kinds[k].id, k, [card])
                    else:
                        one.members.append(card)
            classes = [found[k] for k in sorted(found)]
            plain = True
        for cl in classes:
            kind = book.kinds[cl.kind]
            for spec in kind.answer_plays:
                if definition not in spec.froms:
                    continue
                if spec.at == "now":
                    if not now_fits:
                        continue
                    aim = NO_ACT
                else:
                    i = spec.index
                    if target < 0 or i in never or (i not in always and not fits(s, player, spec, target)):
                        continue
                    aim = target
                if plain:
                    add_quick(s, player, groups, spec, definition, kind, aim, known)
                else:
                    add_play(s, player, groups, spec, cl, "", False, aim)
            if kind.plays_as is not None:
                add_borrowed(s, player, groups, cl, target, False)
    return groups


NO_SPECS: Final[set[int]] = set()


def holds(s: State, player: int, spec: ActSpec, card: int, target: int) -> bool:
    """Does the condition of the play or move hold?"""
    assert spec.condition is not None
    fr = Frame(s.book.nothing, [None] * spec.slots, player, card, NO_ACT, None)
    fr.target = target
    return bool(spec.condition.ev(s, fr))


def counts_in(
    s: State, player: int, definition: int, hidden: bool, known: dict[int, dict[int, int] | None]
) -> dict[int, int] | None:
    """How many cards of each kind the player's zone holds, the kinds in ascending order.

    None where kinds alone do not tell the cards apart, or the player does not see all of them.
    """
    if definition in known:
        return known[definition]
    counts: dict[int, int] | None = None
    seats = s.seats
    z = seats.base[definition]
    if seats.split[definition]:
        z += player
    if not hidden and s.book.sighted[definition] and not (s.odd and s.holds_odd(z)):
        zone = s.zones[z]
        counts = {}
        kinds = s.deal.kinds
        for k in sorted([kinds[c] for c in zone]):
            counts[k] = counts.get(k, 0) + 1
    known[definition] = counts
    return counts


def cards_key(cards: CardSpec, counts: dict[int, int]) -> tuple[Value, ...]:
    """What a move with cards depends on of those that are there; empty where there are too few."""
    alone = cards.one_kind or (cards.alike is not None and bool(cards.hubs) and cards.hubs.isdisjoint(counts))
    if alone:
        fits = cards.fits_by_kind
        least = cards.least
        found = tuple([k for k, n in counts.items() if n >= least and (fits is None or fits[k])])
    else:
        found = set_key(cards, counts)
    if not found:
        return ()
    return (found,) if cards.one_kind or not alone else ((*found, ALONE),)


def set_key(cards: CardSpec, counts: dict[int, int]) -> tuple[int, ...]:
    """What the sets of cards of a move that are not of one kind depend on; empty where there can be none."""
    fits = cards.fits_by_kind
    most = cards.most
    key: list[int] = []
    for k, n in counts.items():
        if fits is None or fits[k]:
            key.append(k)
            for _ in range(min(n, most) - 1):
                key.append(k)
    return tuple(key) if len(key) >= cards.least else ()


def known_value(s: State, player: int, known: dict[int, Value], number: int) -> Value:
    """A shared value, worked out once: for this moment, or for the book where it never changes."""
    value = known.get(number)
    if value is None:
        kept = s.book.constants if s.book.constant[number] else known
        value = kept.get(number)
        if value is None:
            value = shared_value(s, player, number)
            kept[number] = value
    return value


def options_of(s: State, player: int, spec: ActSpec, known: dict[int, Value]) -> list[Sequence[Value]] | None:
    """The values of each choice; None where one that is needed has none."""
    options: list[Sequence[Value]] = []
    for choice in spec.choices:
        values = known_value(s, player, known, choice.shared)
        if not values:
            if not choice.optional:
                return None
            values = NONE_ONLY
        options.append(values)
    return options


def add_group(
    s: State,
    player: int,
    groups: list[Group],
    spec: ActSpec,
    key: tuple[Value, ...],
    known: dict[int, Value],
    cards: CardSpec | None,
) -> None:
    """A move whose conditions hold: the kept group for these sets and these values of its choices."""
    options = options_of(s, player, spec, known)
    if options is None:
        return
    if options:
        key = (*key, *options)
    group = spec.memo.get(key)
    if group is None:
        sets: CardSets | None = None
        if cards is not None:
            sets = kept_sets(s, player, spec, cards, key[0])
            if sets is None:
                return
        group = ActGroup(spec, "", False, sets, tuple(options), NO_IDS * len(options))
        remember(spec, key, group)
    groups.append(group)


def add_quick(
    s: State,
    player: int,
    groups: list[Group],
    spec: ActSpec,
    definition: int,
    kind: Kind,
    target: int,
    known: dict[int, Value],
) -> None:
    """The plays of a card of this kind, if its conditions hold."""
    if not spec.quick:
        add_play(s, player, groups, spec, class_in(s, player, definition, kind), "", False, target)
        return
    if spec.condition is not None:
        kinds = s.deal.kinds
        card = NO_CARD
        for c in s.zones[s.zone_index(definition, player)]:
            if kinds[c] == kind.index:
                card = c
                break
        if not holds(s, player, spec, card, target):
            return
    options = options_of(s, player, spec, known)
    if options is not None:
        groups.append(kept_play(spec, kind, definition, options))


def kept_play(spec: ActSpec, kind: Kind, definition: int, options: list[Sequence[Value]]) -> Group:
    """The kept group of the plays of one card of this kind from a zone, with these values of its choices."""
    key = (definition, *options)
    group = spec.memo.get(key)
    if group is None:
        group = one_card(spec, kind, definition, options)
        remember(spec, key, group)
    return group


def remember(spec: ActSpec, key: tuple[Value, ...], group: Group) -> None:
    """Keep a group for the next time."""
    if len(spec.memo) >= MEMORY:
        spec.memo.clear()
    spec.memo[key] = group


def kept_sets(s: State, player: int, spec: ActSpec, cards: CardSpec, key: tuple[int, ...]) -> CardSets | None:
    """The sets that such cards give, as kinds; None where there are none."""
    memo = cards.memo
    found = memo.get(key)
    if found is not None or key in memo:
        return found
    counts: dict[int, int] = {}
    alone = cards.one_kind or key[-1] == ALONE
    step = cards.least if alone else 1
    for k in key[:-1] if key[-1] == ALONE else key:
        counts[k] = counts.get(k, 0) + step
    book = s.book
    sets: CardSets | None = None if s.aliases else alike_kinds(book, cards, counts)
    if sets is None:
        sets = sets_in_hand(s, player, spec, cards, counts)
    found = KindSets(sets, cards.zone) if len(sets) else None
    if len(memo) >= MEMORY:
        memo.clear()
    memo[key] = found
    return found


def sets_in_hand(s: State, player: int, spec: ActSpec, cards: CardSpec, counts: dict[int, int]) -> CardSets:
    """The sets that so many of the player's cards of each kind give."""
    book = s.book
    mine: dict[int, list[int]] = {}
    for c in s.zones[s.zone_index(cards.zone, player)]:
        mine.setdefault(s.deal.kinds[c], []).append(c)
    classes = [Class(book.kinds[k].id, book.kinds[k].id, k, mine[k][: counts[k]]) for k in sorted(counts)]
    fr = Frame(book.nothing, [None] * spec.slots, player, NO_CARD, NO_ACT, None)
    if len(cards.holding) >= MEMORY:
        cards.holding.clear()
    sets = sets_for(s, cards, classes, fr, cards.holding)
    if isinstance(sets, ListSets):
        sets.classes = [kind_class(book, cl.kind) for cl in sets.classes]
    return sets


def shared_value(s: State, player: int, number: int) -> Value:
    """The condition, or the values of a choice, that depends on nothing but who chooses."""
    short = s.book.shared[number]
    value = short.inner.of_player(s, player, short.slots) if COMPILED else short.bare(s, player)
    return tuple(value) if type(value) is list else value


def find_values(s: State, player: int, steps: Steps, known: dict[int, Value]) -> None:
    """Work out the shared values that matter, in the order in which they do."""
    shared = s.book.shared
    at = 0
    end = len(steps)
    while at < end:
        n, yes, no = steps[at]
        value = known.get(n)
        if value is None:
            short = shared[n]
            value = short.inner.of_player(s, player, short.slots) if COMPILED else short.bare(s, player)
            if type(value) is list:
                value = tuple(value)
            known[n] = value
        at = yes if value else no


def class_in(s: State, player: int, definition: int, kind: Kind) -> Class:
    """The player's cards of a kind, which nothing else tells apart."""
    kinds = s.deal.kinds
    cards: list[Value] = [c for c in s.zones[s.zone_index(definition, player)] if kinds[c] == kind.index]
    return Class(kind.id, kind.id, kind.index, cards)
