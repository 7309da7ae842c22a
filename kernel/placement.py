"""Where hidden cards may lie: placements drawn uniformly among those that the game's `never` allows, exactly.

Only kinds of which a `never` speaks (those that it bans and those that its `unless` names) can break one; all others
go anywhere. How many of each special kind lie in each zone is drawn first, with the number of placements as weight,
counted by dynamic programming over the zones; then the places within the zones, then everything else. That needs
conditions which can be told from the zone itself (`local`). Conditions that look further are left to the caller, who
draws again until they hold.
"""

from __future__ import annotations

from itertools import product
from math import comb, prod
from typing import TYPE_CHECKING, Any, Final

from kernel.core import NO_ACT, NO_CARD, Frame
from kernel.state import Data, Deal

if TYPE_CHECKING:
    from kernel.model import Ban
    from kernel.rng import Rng

Counts = tuple[int, ...]
MOST: Final = 20_000
"""If there are more subsets of the special cards than this, placements are not counted."""
#: Nodes of expressions whose value for a zone does not change when its cards change places.
BLIND_TO_ORDER: Final = frozenset(
    (
        "and or not == != < <= > >= in + - * neg if k v you players living dead turn_of "
        "turns_owed direction count any empty where exists countif all sumof cards zone id title tagged"
    ).split()
)
NAMING: Final = ("id", "title")


def is_local(x: Any, zone: str, shared: bool) -> bool:
    """Can the compiled condition be told from how many cards of which kinds lie in the zone of `you`, and from facts?

    `shared`: the zone has no owner. A card's id or title must be compared with a constant.
    """
    if not isinstance(x, list) or not x or x[0] not in BLIND_TO_ORDER:
        return False
    op = x[0]
    if op == "k":
        return True
    if op == "v":
        return True
    if op == "zone":
        return x[1] == zone and (x[2] is None if shared else x[2] == ["you"])
    if op in ("==", "!=", "in"):
        named = [isinstance(y, list) and bool(y) and y[0] in NAMING for y in x[1:]]
        if any(named):
            return all(y[0] == "k" or (n and is_local(y[1], zone, shared)) for y, n in zip(x[1:], named, strict=True))
    elif op in NAMING:
        return False  # anywhere else: two cards might be compared with each other
    if op == "tagged":
        return is_local(x[2], zone, shared)
    if op in ("where", "exists", "countif", "all", "sumof"):
        return is_local(x[1], zone, shared) and is_local(x[3], zone, shared)
    return all(is_local(y, zone, shared) for y in x[1:])


def arrangements(size: int, counts: Counts) -> int:
    """The number of arrangements of so many cards of each kind on `size` places; 0 where there are too few places."""
    found = 1
    for count in counts:
        found *= comb(size, count)
        size -= count
        if size < 0:
            return 0
    return found


class Cell:
    """Hidden places that the same conditions hold for: one zone, or several of which none has a condition to look at.

    `options`: how many cards of each special kind may lie there, each with the number of arrangements.
    """

    __slots__ = ("places", "options")

    def __init__(self, places: list[int], options: list[tuple[Counts, int]]) -> None:
        self.places = places
        self.options = options


class Plan:
    """The placements of hidden special kinds that local conditions allow, counted.

    `unseen`: the hidden cards of the state, in a fixed order; `pool`: the kinds that they have among them, in any
    order, one for each. `total`: how many placements there are, of special kinds among the hidden places; where there
    is none (the position violates a `never` already) the conditions are passed over. `countable`: whether they are few
    enough to be counted; if not, the conditions are left to the caller too.
    """

    __slots__ = ("kinds", "stock", "cells", "tails", "total", "free", "whole", "countable")

    def __init__(self, s: Data, unseen: list[int], pool: list[int]) -> None:
        bans = [b for b in s.book.bans if b.local]
        held = set(pool)
        special: set[int] = set()
        for ban in bans:
            special |= {ban.kind} | ban.guards
        self.kinds = sorted(special & held)
        self.stock: Counts = tuple([pool.count(k) for k in self.kinds])
        self.countable = prod([n + 1 for n in self.stock]) <= MOST
        if not self.countable:
            self.kinds = []
            self.stock = ()
            bans = []
        plain = [k for k in pool if k not in special]
        self.cells: list[Cell] = []
        self.free: list[int] = []
        self.divide(s, unseen, bans, plain[0] if plain else -1)
        self.tails = self.count()
        self.whole = self.code(self.stock)
        self.total = self.tails[0].get(self.whole, 0)
        if not self.total:
            self.cells = []
            self.free = list(range(len(unseen)))
            self.tails = self.count()
            self.total = self.tails[0].get(self.whole, 0)

    def code(self, counts: Counts) -> int:
        """Counts as one number. Numbers add up as counts do, and sums of more than there are stay apart."""
        found = 0
        for count, most in zip(counts, self.stock, strict=True):
            found = found * (2 * most + 1) + count
        return found

    def divide(self, s: Data, unseen: list[int], bans: list[Ban], filler: int) -> None:
        """Sort the hidden places into cells."""
        definition = s.seats.definition
        zones: dict[int, list[int]] = {}
        for at, card in enumerate(unseen):
            zones.setdefault(s.where[card], []).append(at)
        merged: dict[frozenset[int], list[int]] = {}
        for z in sorted(zones):
            places = zones[z]
            mine = [b for b in bans if b.zone == definition[z]]
            hidden = {unseen[at] for at in places}
            shown = {s.deal.kinds[c] for c in s.zones[z] if c not in hidden}
            mine = [b for b in mine if b.kind in self.kinds or b.kind in shown]
            if not mine:
                self.free.extend(places)
                continue
            trial = Trial(s, z, [unseen[at] for at in places], self.kinds, filler)
            if any(b.unless is not None and b.guards & set(self.kinds) for b in mine):
                self.cells.append(Cell(places, self.options(trial, mine, shown, len(places))))
                continue
            none = tuple([0] * len(self.kinds))
            forbidden = frozenset([b.kind for b in mine if not trial.allows(b, none)])
            merged.setdefault(forbidden, []).extend(places)
        for forbidden, places in sorted(merged.items(), key=lambda item: item[1]):
            if not forbidden:
                self.free.extend(places)
                continue
            limits = [0 if k in forbidden else min(n, len(places)) for k, n in zip(self.kinds, self.stock, strict=True)]
            found = [(c, arrangements(len(places), c)) for c in product(*[range(n + 1) for n in limits])]
            self.cells.append(Cell(places, [(c, w) for c, w in found if w]))

    def options(self, trial: Trial, bans: list[Ban], shown: set[int], size: int) -> list[tuple[Counts, int]]:
        """The numbers of special cards in a zone that no condition forbids."""
        never = {b.kind for b in bans if b.unless is None}
        limits = [0 if k in never else min(n, size) for k, n in zip(self.kinds, self.stock, strict=True)]
        found: list[tuple[Counts, int]] = []
        for counts in product(*[range(n + 1) for n in limits]):
            weight = arrangements(size, counts)
            there = shown | {k for k, n in zip(self.kinds, counts, strict=True) if n}
            if weight and all(b.unless is None or b.kind not in there or trial.allows(b, counts) for b in bans):
                found.append((counts, weight))
        return found

    def count(self) -> list[dict[int, int]]:
        """For each cell and after the last: the arrangements of what is left in this and all later cells."""
        lefts = [
            (self.code(left), arrangements(len(self.free), left))
            for left in product(*[range(n + 1) for n in self.stock])
        ]
        possible = {left for left, _ in lefts}
        tails: list[dict[int, int]] = [{left: weight for left, weight in lefts if weight}]
        for cell in reversed(self.cells):
            here: dict[int, int] = {}
            options = [(self.code(counts), weight) for counts, weight in cell.options]
            for rest, tail in tails[-1].items():
                for code, weight in options:
                    left = rest + code
                    if left in possible:
                        here[left] = here.get(left, 0) + weight * tail
            tails.append(here)

        return tails[::-1]

    def draw(self, rng: Rng) -> dict[int, int]:
        """Which hidden places (indexes into `unseen`) hold which special kind, uniformly."""
        left = self.whole
        spare = list(self.stock)
        found: dict[int, int] = {}
        for i, cell in enumerate(self.cells):
            after = self.tails[i + 1]
            at = below(rng, self.tails[i][left])
            for counts, weight in cell.options:
                rest = left - self.code(counts)
                share = weight * after.get(rest, 0) if within(counts, spare) else 0
                if at < share:
                    break
                at -= share
            self.scatter(rng, cell.places, counts, found)
            spare = [a - b for a, b in zip(spare, counts, strict=True)]
            left = rest
        self.scatter(rng, self.free, tuple(spare), found)
        return found

    def scatter(self, rng: Rng, places: list[int], counts: Counts, found: dict[int, int]) -> None:
        """So many cards of each kind take any of the places."""
        open = places[:]
        for kind, count in zip(self.kinds, counts, strict=True):
            for _ in range(count):
                k = rng.below(len(open))
                found[open[k]] = kind
                open[k] = open[-1]
                open.pop()


def within(counts: Counts, spare: list[int]) -> bool:
    """Are there so many left of each?"""
    return all(count <= most for count, most in zip(counts, spare, strict=True))


class Trial:
    """A copy of a state in which one zone's hidden cards are made this or that, to ask what a condition says to it."""

    __slots__ = ("state", "zone", "cards", "kinds", "filler", "asked")

    def __init__(self, s: Data, zone: int, cards: list[int], kinds: list[int], filler: int) -> None:
        self.state = s
        self.zone = zone
        self.cards = cards
        self.kinds = kinds
        self.filler = filler
        self.asked: dict[tuple[int, int, Counts], bool] = {}

    def allows(self, ban: Ban, counts: Counts) -> bool:
        """Does the `unless` of the ban hold with so many of each special kind in the zone?"""
        if ban.unless is None:
            return False
        s = self.state
        saved = s.deal
        kinds = list(saved.kinds)
        filled = [k for k, n in zip(self.kinds, counts, strict=True) for _ in range(n)]
        filler = self.filler if self.filler >= 0 else self.kinds[0] if self.kinds else saved.kinds[self.cards[0]]
        for i, card in enumerate(self.cards):
            kinds[card] = filled[i] if i < len(filled) else filler
        s.deal = Deal(tuple(kinds), len(s.book.kinds), saved.variants)
        try:
            return holds(s, ban, self.zone)
        finally:
            s.deal = saved


def holds(s: Data, ban: Ban, zone: int) -> bool:
    """Does the `unless` of the ban hold for a zone as it is?"""
    if ban.unless is None:
        return False
    owner = s.seats.owner[zone]
    fr = Frame(s.book.nothing, [None] * ban.slots, owner if owner >= 0 else s.turn, NO_CARD, NO_ACT, None)
    return bool(ban.unless.ev(s, fr))


def broken(s: Data, bans: list[Ban]) -> bool:
    """Does the state as it is break one of these?"""
    definition = s.seats.definition
    kinds = s.deal.kinds
    for ban in bans:
        for card in s.deal.cards_of(ban.kind):
            z = s.where[card]
            if z >= 0 and definition[z] == ban.zone and kinds[card] == ban.kind and not holds(s, ban, z):
                return True
    return False


def below(rng: Rng, n: int) -> int:
    """A uniform number 0 … n-1, however large n is."""
    if n <= 1 << 32:
        return rng.below(n)
    words = (n.bit_length() + 31) // 32
    while True:
        x = 0
        for _ in range(words):
            x = x << 32 | rng.below(1 << 32)
        if x < (1 << 32 * words) // n * n:
            return x % n
