"""Who knows what: memory (stored, sound), and the moves of cards that keep it right.

`known[c]` holds the players who know which card c is though they may not see it; `placed[c]` those who also know its
place in an ordered zone. Neither ever claims more than a careful person would know.
"""

from __future__ import annotations

from itertools import compress, filterfalse
from typing import TYPE_CHECKING, Any, Final

from kernel.faces import bare, holders, speaks, visible
from kernel.model import Answer
from kernel.native import COMPILED
from kernel.news import tell
from kernel.posts import heed, heed_all
from kernel.seats import public
from kernel.state import Data

if TYPE_CHECKING:
    from kernel.native import i64

#: In `noted`: anybody may remember something there.
ANYBODY: Final = -1


def witness(s: Data) -> None:
    """What is seen only because something shows it is remembered when it is covered again."""
    book = s.book
    if not book.shows_odd or s.aliases:
        witness_all(s)
        return
    for card in s.odd:
        z = s.where[card]
        if z < 0:
            continue  # a mark that lies nowhere any more
        known = s.known[card]
        if s.seats.order[z]:
            known &= s.placed[card]
        if known != s.seats.everybody:
            for a in book.shows:
                if a.kind in s.card_marks.get(card, ()) if a.mark else a.kind == s.deal.kinds[card]:
                    show_itself(s, a, card)


def witness_all(s: Data) -> None:
    """The same, whatever shows cards."""
    for a in s.book.shows:
        for holder, you in holders(s, a):
            if a.same != 0:
                for card in range(len(s.where)):
                    if s.where[card] >= 0:
                        remember(s, card)
            elif speaks(s, a, holder, you):
                remember(s, holder)


def show_itself(s: Data, a: Answer, card: int) -> None:
    """A card that may show itself is remembered by those who see it so."""
    z = s.where[card]
    if (a.mark or (a.zones is not None and s.seats.definition[z] in a.zones)) and speaks(s, a, card, s.seats.owner[z]):
        remember(s, card)


def remember(s: Data, card: int) -> None:
    """Who sees the card remembers it, and its place."""
    bits = visible(s, card)
    if not bits & ~s.known[card] and not bits & ~s.placed[card]:
        return
    s.known[card] |= bits
    s.noted[s.where[card]] = ANYBODY
    if s.seats.order[s.where[card]]:
        s.placed[card] |= bits


def forget_stock(s: Data, z: int, bits: int) -> None:
    """These players can no longer tell what of their memory is still in the zone.

    What has no known place is forgotten.
    """
    bits &= s.noted[z]
    if not bits:
        return
    keep = ~bits
    known = s.known
    placed = s.placed
    zone = s.zones[z]
    c: i64
    if COMPILED:
        for c in zone:
            k = known[c]
            if k:
                known[c] = k & (keep | placed[c])
    else:
        for c in compress(zone, map(known.__getitem__, zone)):
            known[c] &= keep | placed[c]
    s.noted[z] = s.noted[z] & keep


def lose_one(s: Data, z: int, card: int, bits: int) -> None:
    """These players see a card of this kind leave, and cannot tell it from another of its kind they remember there."""
    bits &= s.noted[z]
    if not bits:
        return
    kinds = s.deal.kinds
    kind = kinds[card]
    zone = s.zones[z]
    if not COMPILED and kind not in map(s.deal.kind_at, zone):
        return
    for c in zone:
        if kinds[c] == kind and c != card:
            both = s.known[c] & ~s.placed[c] & bits
            if both:
                s.known[c] = s.known[c] & ~both
                bits &= ~both
                if not bits:
                    return


def in_progress(s: Data, card: int) -> bool:
    """Is the card part of an act that is not over? Only then does it stay what it is played as when it moves on."""
    return any(card in a.cards for a in s.acts)


def relocate(
    s: Data, cards: tuple[int, ...], to: int, place: int, bottom: bool, secret: bool, insiders: int, extra: int, by: int
) -> None:
    """Move the cards, one after the other, to the zone with index `to`.

    `place`: where (0 is the top), `bottom`: at the end. With `secret` only the players in `insiders` learn the place.
    `extra`: players who are shown the faces on the way.
    """
    book = s.book
    plain = bare(s, cards, to)
    if plain and not secret:
        if len(cards) == 1:
            relocate_one(s, cards[0], to, place, bottom, extra, by)
            return
        if len(cards) > 2 and relocate_many(s, cards, to, place, bottom, extra, by):
            return
        if len(cards) == 2 and cards[0] != cards[1] and not s.telling and s.where[cards[0]] == s.where[cards[1]]:
            version = s.version
            relocate_one(s, cards[0], to, place, bottom, extra, by)
            relocate_one(s, cards[1], to, place, bottom, extra, by)
            s.version = version + 1
            return
    seats = s.seats
    seen = seats.seen
    known = s.known
    placed = s.placed
    where = s.where
    target = s.zones[to]
    ordered = seats.order[to]
    everybody = seats.everybody
    src = -1
    telling = s.telling
    texts: list[str] = []
    masks: list[int] = []
    for card in cards:
        if where[card] != src:
            if src >= 0 and not telling:
                s.version += 1
            if texts:
                tell(s, "moved", by, tuple(texts), tuple(masks), src, to)
                texts = []
                masks = []
            src = where[card]
        zone = s.zones[src]
        before = seen[src] if plain else visible(s, card)
        was = known[card]
        if seats.order[src]:
            follow = was & placed[card]
        else:
            follow = was if len(zone) == 1 else 0
        if telling:
            texts.append(s.card_text(card))
        zone.remove(card)
        if src != to:
            if s.odd and card in s.odd:
                s.clear_card(card)
                if s.aliases and (book.zones[seats.definition[to]].see != "all" or not in_progress(s, card)):
                    s.count_as_itself(card)
        alone = not target
        if bottom or place >= len(target):
            target.append(card)
        else:
            target.insert(place, card)
        where[card] = to
        moved = seats.paths[src][to][5]
        if moved and s.deal.kinds[card] in moved:
            heed(s, s.deal.kinds[card])
        after = (seen[to] if plain else visible(s, card)) | extra
        saw = before | follow | after
        if telling:
            masks.append(saw)
        unseeing = everybody & ~saw
        if unseeing:
            forget_stock(s, src, unseeing)
        fresh = after & ~before & ~follow & ~was
        if fresh:
            lose_one(s, src, card, fresh)
        known[card] = saw
        if not ordered:
            placed[card] = 0
            s.noted[to] = s.noted[to] | (saw if book.hides else saw & ~seen[to])
        elif secret and not alone:
            placed[card] = saw & insiders
            for c in target if COMPILED else compress(target, map(placed.__getitem__, target)):
                placed[c] &= insiders
            s.noted[to] = ANYBODY
        else:
            placed[card] = saw
    if not telling:
        s.version += 1
    elif texts:
        tell(s, "moved", by, tuple(texts), tuple(masks), src, to)


def relocate_one(s: Data, card: i64, to: i64, place: i64, bottom: bool, extra: int, by: int) -> None:
    """One card, where zones alone say who sees it, and nothing lies on it."""
    where = s.where
    zones = s.zones
    src: i64 = where[card]
    if COMPILED:
        route = s.seats.routes[src][to]
        saw, fresh, by_place = route.saw, route.fresh, route.by_place
        ordered, more, moved = route.ordered, route.more, route.moved
    else:
        saw, fresh, by_place, ordered, more, moved = s.seats.paths[src][to]
    zone = zones[src]
    was = s.known[card]
    if was:
        fresh &= ~was
        if by_place:
            was &= s.placed[card]
            s.placed[card] = 0  # nobody knows the place of a card who does not know the card
        elif len(zone) > 1:
            was = 0
        if was:
            saw |= was
            if not ordered:
                more |= was & ~s.seats.seen[to]
    if extra:
        seen = s.seats.seen
        fresh |= extra & ~seen[src] & ~s.known[card]
        saw |= extra
        more |= extra & ~seen[to]
    if COMPILED:
        drop(zone, card)
    else:
        zone.remove(card)
    if bottom:
        zones[to].append(card)
    else:
        zones[to].insert(place, card)
    where[card] = to
    if moved:
        kind = s.deal.kinds[card]
        if (not COMPILED or s.seats.posts[kind]) and kind in moved:
            heed(s, kind)
    notes = s.noted
    noted = notes[src]
    if noted:
        if noted & ~saw & s.seats.everybody:
            forget_stock(s, src, s.seats.everybody & ~saw)
        if noted & fresh:
            lose_one(s, src, card, fresh)
    s.known[card] = saw
    if ordered:
        s.placed[card] = saw
    elif more:
        notes[to] = notes[to] | more
    if s.telling:
        tell(s, "moved", by, (s.book.ids[s.deal.kinds[card]],), (saw,), src, to)
    else:
        s.version += 1


def relocate_many(s: Data, cards: tuple[int, ...], to: int, place: int, bottom: bool, extra: int, by: int) -> bool:
    """Many cards in one go, where nobody has memories that must be looked at one by one. False: nothing was done."""
    where = s.where
    src = where[cards[0]]
    if src == to or src < 0 or s.noted[src] or (place and not bottom):
        return False
    zone = s.zones[src]
    count = len(cards)
    if COMPILED:
        if not taken_out(where, zone, cards, src, to):
            return False
    elif tuple(zone[:count]) == cards:
        del zone[:count]
    else:
        moved = set(cards)
        rest = list(filterfalse(moved.__contains__, zone))
        if len(rest) + count != len(zone):
            return False
        zone[:] = rest
    if bottom:
        s.zones[to].extend(cards)
    else:
        s.zones[to][0:0] = cards[::-1]
    known = s.known
    open_eyes, _, by_place, ordered, more, counting = s.seats.paths[src][to]
    if extra:
        open_eyes |= extra
        more |= extra if s.book.hides else extra & ~s.seats.seen[to]
    unseen = not by_place and not s.seats.seen[src]  # whoever knew of a card there would have noted it
    if not s.telling and (unseen or not (remembered(known, cards) if COMPILED else any(map(known.__getitem__, cards)))):
        if not open_eyes:
            if not COMPILED:  # there it is done already
                for c in cards:
                    where[c] = to
        elif COMPILED:
            see_all(s, cards, open_eyes, ordered)
            if not ordered:
                s.noted[to] = s.noted[to] | more
        elif ordered:
            placed = s.placed
            for c in cards:
                where[c] = to
                known[c] = open_eyes
                placed[c] = open_eyes
        else:
            for c in cards:
                where[c] = to
                known[c] = open_eyes
            s.noted[to] = s.noted[to] | more
        s.version += 1
        if counting:
            heed_all(s, cards, counting)
        return True
    placed = s.placed
    last = -1 if zone or by_place else cards[-1]
    masks: list[int] = []
    noted = 0
    for c in cards:
        saw = open_eyes
        k = known[c]
        if k:
            if by_place:
                saw |= k & placed[c]
            elif c == last:
                saw |= k
        known[c] = saw
        placed[c] = saw if ordered else 0
        where[c] = to
        noted |= saw
        masks.append(saw)
    if not ordered:
        s.noted[to] = s.noted[to] | (noted if s.book.hides else noted & ~s.seats.seen[to])
    if s.telling:
        kinds = s.deal.kinds
        ids = s.book.ids
        tell(s, "moved", by, tuple([ids[kinds[c]] for c in cards]), tuple(masks), src, to)
    else:
        s.version += 1
    if counting:
        heed_all(s, cards, counting)
    return True


def drop(zone: list[int], card: i64) -> None:
    """Take a card out of a zone in which it lies, compiled."""
    place: i64 = 0
    other: i64 = zone[0]
    while other != card:
        place += 1
        other = zone[place]
    zone.pop(place)


def taken_out(where: list[int], zone: list[int], cards: tuple[int, ...], src: int, to: int) -> bool:
    """Take cards out of their zone, and note where they go. False where they are not different cards of that zone."""
    target: Any = to  # what goes into the list is one object, made once
    front = True
    at: i64 = 0
    first: i64 = src
    for card in cards:
        c: i64 = card
        place: i64 = where[c]
        if place != first:
            for d in cards[:at]:
                where[d] = src
            return False
        where[c] = target
        other: i64 = zone[at]
        if other != c:
            front = False
        at += 1
    if front:
        del zone[:at]
        return True
    left: list[Any] = []
    all: list[Any] = zone
    for one in all:
        c = one
        place = where[c]
        if place == first:
            left.append(one)
    zone[:] = left
    return True


def see_all(s: Data, cards: tuple[int, ...], eyes: int, ordered: bool) -> None:
    """These players know all these cards from now on, and where it is `ordered` their places too; compiled."""
    bits: Any = eyes
    known = s.known
    placed = s.placed
    for card in cards:
        c: i64 = card
        known[c] = bits
        if ordered:
            placed[c] = bits


def remembered(known: list[int], cards: tuple[int, ...]) -> bool:
    """Does anybody remember one of the cards?"""
    for card in cards:
        c: i64 = card
        if known[c]:  # bits of players: no machine number where there are many
            return True
    return False


def shuffle(s: Data, z: int, by: int) -> None:
    """Put the zone's cards in a random order; what anybody remembered of them ends."""
    zone = s.zones[z]
    s.shuffle_list(zone)
    known = s.known
    c: i64
    if COMPILED:
        for c in zone:
            if known[c]:
                known[c] = 0
                s.placed[c] = 0
    elif any(known):
        for c in list(compress(zone, map(known.__getitem__, zone))):
            known[c] = 0
            s.placed[c] = 0
    s.noted[z] = 0
    tell(s, "shuffled", by, src=z)


def show(s: Data, cards: tuple[int, ...], viewers: int, by: int) -> None:
    """The viewers see these faces now, and remember them as long as they can follow the cards."""
    if not s.telling and cards:
        if viewers == (1 << s.players) - 1:
            viewers = public(s.players)
        known = s.known
        placed = s.placed
        for c in cards:
            known[c] = known[c] | viewers
            z = s.where[c]
            if s.seats.order[z]:
                placed[c] = placed[c] | viewers
            else:
                s.noted[z] = ANYBODY
        s.version += 1
        return
    if not cards:
        tell(s, "shown", by, data=(("count", 0), ("viewers", bits_list(viewers))))
        return
    named = bits_list(viewers)
    if viewers == (1 << s.players) - 1:
        viewers = public(s.players)
    masks: list[int] = []
    plain = bare(s, cards)
    for c in cards:
        z = s.where[c]
        place = s.placed[c] | (s.seats.seen[z] if plain else visible(s, c))
        masks.append(viewers | ((s.known[c] | viewers) & place))
        s.known[c] |= viewers
        if s.seats.order[z]:
            s.placed[c] |= viewers
        else:
            s.noted[z] = ANYBODY
    tell(
        s,
        "shown",
        by,
        tuple([s.card_text(c) for c in cards]),
        tuple(masks),
        s.where[cards[0]],
        data=(("viewers", named),),
    )


def show_one(s: Data, card: int, viewers: int, by: int) -> None:
    """The same for one card."""
    if s.telling:
        show(s, (card,), viewers, by)
        return
    if viewers == (1 << s.players) - 1:
        viewers = public(s.players)
    z = s.where[card]
    s.known[card] |= viewers
    if s.seats.order[z]:
        s.placed[card] |= viewers
    else:
        s.noted[z] = ANYBODY
    s.version += 1


def arrange(s: Data, cards: tuple[int, ...], order: tuple[int, ...], secret: bool, insiders: int, by: int) -> None:
    """The cards, all of one zone, take each other's places in the new order."""
    if not cards:
        return
    z = s.where[cards[0]]
    zone = s.zones[z]
    places = sorted(zone.index(c) for c in cards)
    for p, c in zip(places, order, strict=True):
        zone[p] = c
    if secret and len(cards) > 1:
        for c in cards:
            s.placed[c] &= insiders
        s.noted[z] = ANYBODY
    tell(s, "arranged", by, src=z, data=(("count", len(cards)),))


def bits_list(bits: int) -> list[int]:
    """The players in a set of bits."""
    found = []
    p = 0
    while bits:
        if bits & 1:
            found.append(p)
        bits >>= 1
        p += 1
    return found


def bits_of(players: object) -> int:
    """A set of bits for a player or a list of players."""
    if isinstance(players, int):
        return 1 << players if players >= 0 else 0
    bits = 0
    player: int
    if isinstance(players, tuple):
        for player in players:
            bits |= 1 << player
        return bits
    for p in players:  # type: ignore[attr-defined]
        bits |= 1 << p
    return bits
