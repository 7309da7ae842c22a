"""Which cards lie where they count, kept up to date with every move, so that one look at one number tells.

A card counts where it lies if an ability of it works from there, or if it answers a question there. Abilities and
answers have bits, those of one kind that count in the same zones the same one; `Data.live` holds the bits of those of
which a card counts now. `Data.odd` holds the cards that more than their kinds tells apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from kernel.model import Ability, Answer
    from kernel.seats import Seats
    from kernel.state import Data

ALIASED: Final = 1
"""The bit for cards that count as another kind: whatever that kind gives they may give."""


class Posts:
    """The bits of a book."""

    __slots__ = ("numbers", "laid", "marks")

    def __init__(self) -> None:
        self.numbers: dict[tuple[int, frozenset[int] | None], int] = {}  # by kind and zones: the bit
        self.laid: dict[int, int] = {}  # by mark: the bit for lying on a card
        self.marks = 0  # all of these

    def add(self, kind: int, zones: frozenset[int] | None, mark: bool) -> int:
        """The bits of which one is there when a card of this kind may count in one of these zones (None: in any)."""
        key = (kind, zones)
        if key not in self.numbers:
            self.numbers[key] = 2 << len(self.numbers) + len(self.laid)
        bits = ALIASED | self.numbers[key]
        if mark:
            if kind not in self.laid:
                self.laid[kind] = 2 << len(self.numbers) + len(self.laid)
                self.marks |= self.laid[kind]
            bits |= self.laid[kind]
        return bits

    def moved(self, a: int, b: int) -> frozenset[int]:
        """The kinds that do not count in the same way in these two zones."""
        return frozenset([k for k, zones in self.numbers if zones is not None and (a in zones) != (b in zones)])

    def of(self, seats: Seats, kinds: int) -> list[list[int]]:
        """By kind, the bits of a card by the list of the zone in which it lies, 0 at the end; of most kinds nothing."""
        found: list[list[int]] = [[] for _ in range(kinds)]
        for (kind, zones), bit in self.numbers.items():
            if not found[kind]:
                found[kind] = [0] * (len(seats.definition) + 1)
            for z, definition in enumerate(seats.definition):
                if zones is None or definition in zones:
                    found[kind][z] |= bit
        return found


def any_of(answers: Sequence[Answer | Ability]) -> int:
    """The bits of all of these."""
    bits = 0
    for a in answers:
        bits |= a.live
    return bits


def heed(s: Data, kind: int) -> None:
    """A card of this kind, which counts somewhere, has come or gone."""
    posts = s.seats.posts[kind]
    where = s.where
    bits = 0
    for card in s.deal.cards_of(kind):
        bits |= posts[where[card]]
    s.live = s.live & ~s.seats.bits[kind] | bits


def heed_all(s: Data, cards: tuple[int, ...], moved: frozenset[int]) -> None:
    """These cards have come or gone. `moved`: the kinds that count in but one of the two zones; so few are looked at
    sooner than it is found which of them the cards are of."""
    for kind in moved if len(moved) < 3 else moved.intersection(map(s.deal.kind_at, cards)):
        heed(s, kind)


def heed_marks(s: Data) -> None:
    """A mark was laid on a card, or lifted."""
    laid = s.book.posts.laid
    live = s.live & ~s.book.posts.marks
    for marks in s.card_marks.values():
        for mark in marks:
            live |= laid.get(mark, 0)
    s.live = live


def reconsider(s: Data, card: int) -> None:
    """Something that tells the card apart is gone: is there more?"""
    if card in s.card_marks or card in s.aliases:
        return
    width = s.book.card_width
    for i in range(width):
        if card * width + i in s.card_attrs:
            return
    s.odd -= {card}


def unlike(s: Data, zone: list[int]) -> list[int]:
    """The kinds of which there are cards in a zone that can be told apart (or may: aliases); a lone card cannot."""
    kinds = s.deal.kinds
    found: list[int] = []
    for card in s.odd.intersection(zone):
        kind = kinds[card]
        if card in s.aliases or list(map(s.deal.kind_at, zone)).count(kind) > 1:
            found.append(kind)
    return found


def survey(s: Data) -> None:
    """Look at every card anew."""
    s.live = ALIASED if s.aliases else 0
    for kind in s.seats.counting:
        heed(s, kind)
    if s.card_marks:
        heed_marks(s)
    width = s.book.card_width
    s.odd = {*s.card_marks, *s.aliases, *[key // width for key in s.card_attrs]}
