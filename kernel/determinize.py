"""Determinization: a state that a player cannot tell from the real one, drawn from what agrees with that player's view.

Nothing of the real placement may show in the result, not even to one who knows the seed: unseen identities are sorted
before they are drawn, and cards are numbered at random when a game begins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kernel.core import NO_ACT, NO_CARD, Frame
from kernel.errors import IllegalAction
from kernel.information import own_steps
from kernel.knowledge import visible
from kernel.machine import eligible
from kernel.news import seal
from kernel.picks import open_pick
from kernel.quick import answering
from kernel.rng import Rng, advance
from kernel.state import ASK_PICK, ASK_WINDOW, Data, Deal

if TYPE_CHECKING:
    from kernel.game import State

TRIES = 400
#: One identity that can be exchanged: kind, variant, attributes. Marks lie where everybody sees them: they stay.
Identity = tuple[int, str, tuple[tuple[int, Any], ...]]


def determinize_state(s: State, player: int, seed: int) -> State:
    """See `State.determinize`."""
    if type(player) is not int or not 0 <= player < s.players or not s.ask_mask >> player & 1 or s.over:
        raise IllegalAction(f"player {player} is not asked for anything now", "not_asked")
    from kernel.game import Step

    rng = Rng(seed)
    c = s.copy()
    bit = 1 << player
    unseen: list[int] = []
    for card in range(len(c.where)):
        if c.where[card] >= 0 and not (visible(c, card) | c.known[card]) & bit:
            unseen.append(card)
    faceless = [card for card in range(len(c.where)) if c.where[card] >= 0 and not visible(c, card) & bit]
    loose = loose_places(c, bit)
    for _ in range(TRIES):
        spread(c, loose, rng)
        draw(c, unseen, rng)
        if not s.book.shows or not any(visible(c, card) & bit for card in faceless):
            break  # nothing shows that the player does not see
    c.rng = advance(rng.state)
    c.seed = 0
    c.script = []
    c.news_tail = seal(s, s.news_tail, player)
    c.known_to = player
    c.steps = None
    for step in own_steps(s, player):
        c.steps = Step(c.steps, step.what, player, step.text, step.version, step.asked)
    c.legal_cache = {}
    forget_answers(c, player, rng)
    c.anchor()
    return c


def loose_places(c: Data, bit: int) -> list[tuple[int, list[int]]]:
    """Ordered zones of which the player knows cards without their places, with all places the player does not know."""
    definition = c.seats.definition
    found: list[tuple[int, list[int]]] = []
    for z, zone in enumerate(c.zones):
        if not c.book.zones[definition[z]].order:
            continue
        places: list[int] = []
        loose = False
        for at, card in enumerate(zone):
            known = c.known[card] & bit
            if visible(c, card) & bit or known & c.placed[card]:
                continue
            places.append(at)
            loose = loose or known != 0
        if loose:
            found.append((z, places))
    return found


def spread(c: Data, loose: list[tuple[int, list[int]]], rng: Rng) -> None:
    """Cards known to be in an ordered zone, but not where, take any of the places that the player does not know."""
    for z, places in loose:
        zone = c.zones[z]
        cards = sorted([zone[at] for at in places])
        rng.shuffle(cards)
        for at, card in zip(places, cards, strict=True):
            zone[at] = card


def identity(c: Data, card: int) -> Identity:
    """What would be exchanged with another unseen card."""
    width = len(c.book.card_attributes)
    attrs = tuple([(a, c.card_attrs[card * width + a]) for a in range(width) if card * width + a in c.card_attrs])
    return c.deal.kinds[card], c.deal.variants[card], attrs


def draw(c: Data, unseen: list[int], rng: Rng) -> None:
    """Give the unseen cards identities: uniformly among the placements that no `never` forbids."""
    pool = sorted([identity(c, card) for card in unseen], key=repr)
    bans = c.book.bans
    special: set[int] = set()
    for ban in bans:
        special.add(ban.kind)
        special |= ban.guards
    rare = [x for x in pool if x[0] in special]
    plain = [x for x in pool if x[0] not in special]
    if not rare or not bans:
        rng.shuffle(pool)
        assign(c, unseen, pool)
        return
    filler = plain[0] if plain else None
    for _ in range(TRIES):
        rng.shuffle(pool)
        if not blocked(c, unseen, pool, special):
            assign(c, unseen, pool)
            return
    place_rare(c, unseen, rare, plain, filler, special, rng)


def blocked(c: Data, unseen: list[int], order: list[Identity], special: set[int]) -> bool:
    """Does this assignment break a `never`?"""
    saved = c.deal
    kinds = list(saved.kinds)
    for card, x in zip(unseen, order, strict=True):
        kinds[card] = x[0]
    definition = c.seats.definition
    owner = c.seats.owner
    bad: list[tuple[int, int]] = []
    for card, x in zip(unseen, order, strict=True):
        if x[0] in special:
            for i, ban in enumerate(c.book.bans):
                if ban.kind == x[0] and definition[c.where[card]] == ban.zone:
                    if ban.unless is None:
                        return True
                    bad.append((i, owner[c.where[card]]))
    if not bad:
        return False
    c.deal = Deal(tuple(kinds), saved.variants, len(c.book.kinds))
    try:
        for i, who in sorted(set(bad)):
            ban = c.book.bans[i]
            assert ban.unless is not None
            fr = Frame(c.book.nothing, [None] * ban.slots, who if who >= 0 else c.turn, NO_CARD, NO_ACT, None)
            if not ban.unless.ev(c, fr):
                return True
        return False
    finally:
        c.deal = saved


def place_rare(
    c: Data,
    unseen: list[int],
    rare: list[Identity],
    plain: list[Identity],
    filler: Identity | None,
    special: set[int],
    rng: Rng,
) -> None:
    """Where whole shuffles rarely fit.

    Draw the places of the restricted kinds alone, again and again, then the rest.
    """
    slots = list(range(len(unseen)))
    free = [i for i in slots if not any(restricted(c, unseen[i], ban.zone) for ban in c.book.bans)]
    for attempt in range(20_000):
        chosen: list[int] = []
        left = slots[:]
        for _ in rare:
            chosen.append(left.pop(rng.below(len(left))))
        if attempt > 10_000 and len(free) >= len(rare):  # never held by anybody: always allowed
            left = free[:]
            rng.shuffle(left)
            chosen = left[: len(rare)]
        order: list[Identity | None] = [None] * len(unseen)
        for at, x in zip(chosen, rare, strict=True):
            order[at] = x
        trial = [x if x is not None else (filler if filler is not None else rare[0]) for x in order]
        if not blocked(c, unseen, trial, special):
            rng.shuffle(plain)
            rest = iter(plain)
            assign(c, unseen, [x if x is not None else next(rest) for x in order])
            return
    # The real placement is the only one found: it agrees with everything by definition.


def restricted(c: Data, card: int, zone: int) -> bool:
    """Does the card lie in a zone that a `never` speaks of?"""
    return c.seats.definition[c.where[card]] == zone


def assign(c: Data, unseen: list[int], order: list[Identity]) -> None:
    """Make the cards what the order says."""
    kinds = list(c.deal.kinds)
    variants = list(c.deal.variants)
    width = len(c.book.card_attributes)
    for card in unseen:
        for a in range(width):
            c.card_attrs.pop(card * width + a, None)
    for card, (kind, variant, attrs) in zip(unseen, order, strict=True):
        kinds[card] = kind
        variants[card] = variant
        for a, v in attrs:
            c.card_attrs[card * width + a] = v
    c.deal = Deal(tuple(kinds), tuple(variants), len(c.book.kinds))


def forget_answers(c: Data, player: int, rng: Rng) -> None:
    """What others have answered unseen, or who of them is asked where that is hidden, is drawn anew."""
    bit = 1 << player
    if c.ask == ASK_PICK:
        op, f = open_pick(c)
        if op.many:
            answers = list(f.vars[op.slot])
            for p, value in enumerate(answers):
                if value is not None and p != player:
                    group = op.group(c, f, p)
                    if group is not None:
                        answers[p] = op.value(c, f, p, group, rng.below(group.size))
            f.vars[op.slot] = tuple(answers)
    elif c.ask == ASK_WINDOW and c.settled:
        act = c.acts[-1]
        for a in c.acts:
            a.passed = 0
        others = eligible(c, act) & ~bit
        c.ask_mask = bit | answering(c, others)
        c.legal_cache = {}
