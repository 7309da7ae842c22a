"""Whether a card that could answer an act lies where somebody can answer with it, and who that is: a quick look."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kernel.model import Plan
from kernel.native import COMPILED
from kernel.state import Data as State

if TYPE_CHECKING:
    from kernel.native import i64

FEW: Final = 40
"""So many cards are sought by where they lie; of more it is asked which of them lie in a zone."""


def answers_held(s: State, plan: Plan) -> bool:
    """Does a card that could answer such an act lie where somebody can answer with it? True where a move could."""
    if plan.moves:
        return True
    if COMPILED and len(plan.sought) <= FEW:
        answerer = s.book.answerers[s.players]
        where = s.where
        for kind in plan.sought:
            for card in s.deal.cards_of(kind):
                if answerer[where[card]]:
                    return True
        return False
    able = s.deal.able.get(plan.number)
    if able is None:
        able = s.deal.holders(plan.number, plan.kinds)
    if len(able[0]) > FEW:
        return holding(s, plan) != 0
    return not s.book.answered_from[s.players].isdisjoint(able[1](s.where))


def holding(s: State, plan: Plan) -> int:
    """Bits of the players who have a card that could answer such an act where they can answer with it."""
    if COMPILED and len(plan.sought) <= FEW:
        bits = 0
        everybody = (1 << s.players) - 1
        at = s.book.answerers[s.players]
        where = s.where
        card: i64
        for kind in plan.sought:
            for card in s.deal.cards_of(kind):
                bits |= at[where[card]]
            if bits == everybody:
                break
        return bits
    able = s.deal.able.get(plan.number)
    if able is None:
        able = s.deal.holders(plan.number, plan.kinds)
    cards, spots = able
    answerer = s.book.answerers[s.players]
    found = 0
    if len(cards) <= FEW:
        for z in s.book.answered_from[s.players].intersection(spots(s.where)):
            found |= answerer[z]
        return found
    for z, zone in enumerate(s.zones):
        if answerer[z] & ~found and not cards.isdisjoint(zone):
            found |= answerer[z]
    return found
