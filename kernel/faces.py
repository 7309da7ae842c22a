"""Faces: who sees a card now. They are derived from zones and from what shows or hides cards, never stored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kernel.core import MANY, NO_ACT, UNSET, Frame
from kernel.model import Answer
from kernel.native import COMPILED
from kernel.state import Data

#: The parameter of `shows` and `hides` that says who looks.
VIEWER: Final = 1


def holders(s: Data, a: Answer) -> list[tuple[int, int]]:
    """The cards that give this answer now, as (card, who `you` is). For a mark on a card: that card."""
    if not s.live & a.live:
        return []
    if not s.aliases and a.watched and not (a.mark and s.card_marks):
        where = s.where
        owner = s.seats.owner
        there = a.watched[s.players]
        return [(card, owner[where[card]]) for card in s.deal.cards_of(a.kind) if where[card] in there]
    found: list[tuple[int, int]] = []
    if a.mark:
        if s.card_marks:
            for card in sorted(s.card_marks):
                if a.kind in s.card_marks[card]:
                    found.append((card, s.owner_of(card)))
        for card in s.deal.cards_of(a.kind):
            if s.where[card] >= 0:
                found.append((card, s.owner_of(card)))
        return found
    zones = a.zones
    definition = s.seats.definition
    for card in s.deal.cards_of(a.kind):
        z = s.where[card]
        if z >= 0 and zones is not None and definition[z] in zones and (not s.aliases or card not in s.aliases):
            found.append((card, s.seats.owner[z]))
    if s.aliases:
        for card in sorted(s.aliases):
            z = s.where[card]
            if s.aliases[card] == a.kind and z >= 0 and zones is not None and definition[z] in zones:
                found.append((card, s.seats.owner[z]))
    return found


def gives(s: Data, a: Answer, card: object) -> bool:
    """Does this very card give the answer now? A quick look before all that might are gone through."""
    if type(card) is not int:
        return False
    z = s.where[card]
    zones = a.zones
    if z < 0 or zones is None or s.seats.definition[z] not in zones:
        return False
    return s.kind_of(card) == a.kind


def owns(s: Data, a: Answer, player: object) -> bool:
    """Can a card give this answer whose `you` is the player? A quick look, where nothing counts as another kind."""
    where = s.where
    owner = s.seats.owner
    for card in s.deal.cards_of(a.kind):
        z = where[card]
        if z >= 0 and (owner[z] == player or owner[z] < 0):
            return True
    return False


def answer_frame(s: Data, a: Answer, card: int, you: int) -> Frame:
    """A frame in which an answer's expressions are evaluated."""
    if you < 0:
        you = s.turn
    vars = UNSET[: a.slots] if COMPILED and a.slots < MANY else [None] * a.slots
    return Frame(s.book.nothing, vars, you, card, NO_ACT, None)


def sight(s: Data, answers: tuple[Answer, ...], card: int) -> int:
    """Bits of the players for whom one of the answers (`shows` or `hides`) holds for the card."""
    bits = 0
    for a in answers:
        if not s.live & a.live:
            continue
        if a.same == 0 and not a.mark and not gives(s, a, card):
            continue
        for holder, you in holders(s, a):
            if a.same == 0 and holder != card:
                continue
            woven = a.seers
            bits = seers(s, a, holder, you, card, bits) if woven is None else woven(s, holder, you, card, bits)
    if bits:  # what holds for all but the owner of the card holds for spectators
        owner = s.owner_of(card)
        others = ((1 << s.players) - 1) & ~(1 << owner if owner >= 0 and s.players > 1 else 0)
        if bits & others == others:
            bits |= 1 << s.players
    return bits


def seers(s: Data, a: Answer, holder: int, you: int, card: int, bits: int) -> int:
    """The bits, and those of the players for whom this holder's answer holds for the card."""
    f = answer_frame(s, a, holder, you)
    f.vars[0] = card
    if a.one_viewer:
        for viewer in range(s.players):
            if not bits >> viewer & 1:
                f.vars[1] = viewer
                if (a.condition is None or a.condition.ev(s, f)) and a.value.ev(s, f):
                    bits |= 1 << viewer
    elif (a.condition is None or a.condition.ev(s, f)) and a.value.ev(s, f):
        bits |= (1 << s.players) - 1
    return bits


def plain_face(s: Data, card: int) -> bool:
    """Do zones alone say who sees this card now? A quick look at what could show or hide it."""
    book = s.book
    if book.faces_plain:
        return True
    if s.aliases or s.deal.kinds[card] in book.face_kinds or (s.card_marks and card in s.card_marks):
        return False
    return not s.live & book.showing_others or far(s, book.face_others, {s.where[card]})


def far(s: Data, answers: tuple[Answer, ...], lists: set[int]) -> bool:
    """Is what shows or hides cards about those in other lists of zones than these?"""
    for a in answers:
        if a.own_zone < 0:
            return False
        base = s.seats.base[a.own_zone]
        if s.aliases or (a.mark and s.card_marks):
            for _, you in holders(s, a):
                if base + (you if you >= 0 else s.turn) in lists:
                    return False
            continue
        if not s.live & a.live:
            continue
        there = a.watched[s.players]
        for card in s.deal.cards_of(a.kind):
            z = s.where[card]
            if z in there:
                you = s.seats.owner[z]
                if base + (you if you >= 0 else s.turn) in lists:
                    return False
    return True


def visible(s: Data, card: int) -> int:
    """Bits of the players who may see the card's face now."""
    z = s.where[card]
    if z < 0:
        return 0
    bits = s.seats.seen[z]
    book = s.book
    if book.faces_plain or plain_face(s, card):
        return bits
    if book.shows:
        bits |= sight(s, book.shows, card)
    if book.hides and bits:
        bits &= ~sight(s, book.hides, card)
    return bits


def sights(s: Data, cards: Sequence[int]) -> list[int]:
    """For each of these cards, which lie somewhere, bits of the players who may see its face now."""
    where = s.where
    if bare(s, cards):
        if COMPILED:
            by_list = s.seats.seen
            return [by_list[where[c]] for c in cards]
        return list(map(s.seats.seen.__getitem__, map(where.__getitem__, cards)))
    book = s.book
    if not book.faces_by_place or s.aliases:
        return [visible(s, c) for c in cards]
    odd = s.odd
    kinds = s.deal.kinds
    found: dict[int, int] = {}  # by zone, of cards that are told apart by nothing else
    bits: list[int] = []
    for c in cards:
        if c in odd or kinds[c] in book.face_kinds:
            bits.append(visible(s, c))
            continue
        z = where[c]
        seen = found.get(z)
        if seen is None:
            seen = visible(s, c)
            found[z] = seen
        bits.append(seen)
    return bits


def hiding(s: Data, player: int) -> bool:
    """Is there anything in play that could hide a face from this player?"""
    if not s.live & s.book.hiding:
        return False
    for a in s.book.hides:
        for _, you in holders(s, a):
            if a.same_you != VIEWER or (you if you >= 0 else s.turn) == player:
                return True
    return False


def speaks(s: Data, a: Answer, card: int, you: int) -> bool:
    """Can the card show or hide itself now? A quick look, where it does not depend on who looks."""
    if a.one_viewer or a.condition is None:
        return True
    if a.seers is not None:
        return a.seers(s, card, you, card, 0) != 0
    f = answer_frame(s, a, card, you)
    f.vars[0] = card
    return bool(a.condition.ev(s, f))


def bare(s: Data, cards: Sequence[int], to: int = -1) -> bool:
    """Does nothing lie on these cards, and do zones alone say who sees them where they lie and, if they move, there?"""
    if s.odd and not (s.untouched(cards) if COMPILED else s.odd.isdisjoint(cards)):
        return False
    book = s.book
    if book.faces_plain:
        return True
    if COMPILED:
        kinds = s.deal.kinds
        for card in tuple(cards):
            if kinds[card] in book.face_kinds:
                return False
    elif not book.face_kinds.isdisjoint(map(s.deal.kind_at, cards)):
        return False
    if not s.live & book.showing_others:
        return True
    return not s.aliases and far(s, book.face_others, {to, *map(s.where.__getitem__, cards)})
