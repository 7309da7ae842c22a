"""Where players sit: the lists of zones that a number of players gives, and what a card that goes from one to another
means to whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kernel.core import NOBODY
from kernel.native import COMPILED

if TYPE_CHECKING:
    from kernel.book import Rulebook
    from kernel.model import Zone


def public(players: int) -> int:
    """The bits of what every player and every spectator may know.

    The spectator is a viewer of their own, with the bit behind the players': what all players happen to know privately
    is not public.
    """
    return (1 << (players + 1)) - 1


class Seats:
    """The lists of zones that a number of players gives."""

    __slots__ = (
        "players",
        "base",
        "split",
        "definition",
        "owner",
        "seen",
        "order",
        "everybody",
        "paths",
        "routes",
        "rest",
        "posts",
        "bits",
        "counting",
    )

    def __init__(self, players: int, zones: tuple[Zone, ...]) -> None:
        self.players = players
        self.base: list[int] = []  # by definition: the index of its (first) list
        self.split: list[bool] = []  # by definition: whether each player has one
        self.definition: list[int] = []  # by list
        self.owner: list[int] = []  # by list: the player, or NOBODY
        self.seen: list[int] = []  # by list: bits of those who see its faces
        self.order: list[bool] = []  # by list
        self.everybody = public(players)
        for zone in zones:
            self.base.append(len(self.definition))
            self.split.append(zone.per_player)
            for p in range(players) if zone.per_player else (NOBODY,):
                self.definition.append(zone.index)
                self.owner.append(p)
                self.order.append(zone.order)
                sees = self.everybody if zone.see == "all" else 1 << p if zone.see == "owner" and p >= 0 else 0
                self.seen.append(sees)
        #: From list to list: who sees a card that goes this way, who sees it for the first time, whether the one and
        #: the other are in order, who may remember it in the other without its place, and the kinds that do not count
        #: in the same way in both (see `kernel.posts`).
        self.paths: list[list[tuple[int, int, bool, bool, int, frozenset[int]]]] = []
        self.routes: list[list[Route]] = []  # the same, compiled
        self.rest: dict[int, tuple[int, ...]] = {}  # by bits of some players: the others; made when they are asked for
        self.posts: list[list[int]] = []  # by kind and list: the bits of a card there, 0 at the end; of most nothing
        self.bits: list[int] = []  # by kind: all its bits
        self.counting: tuple[int, ...] = ()  # the kinds that have some

    def in_use(self, book: Rulebook) -> Seats:
        """The same, with what is worked out only for numbers of players that are played."""
        if not self.paths:
            hiding = bool(book.hides)  # whether faces can be hidden where they would be seen
            self.posts = book.posts.of(self, len(book.kinds))
            self.counting = tuple([kind for kind, posts in enumerate(self.posts) if posts])
            self.bits = []
            for posts in self.posts:
                bits = 0
                for bit in posts:
                    bits |= bit
                self.bits.append(bits)
            count = max(self.definition, default=-1) + 1
            moved = [[book.posts.moved(i, j) for j in range(count)] for i in range(count)]
            lists = list(zip(self.seen, self.order, self.definition, strict=True))
            self.paths = [
                [(a | b, b & ~a, x, y, a | b if hiding else a & ~b, moved[i][j]) for b, y, j in lists]
                for a, x, i in lists
            ]
            if COMPILED:
                self.routes = [[Route(*path) for path in row] for row in self.paths]
        return self


class Route:
    """What `Seats.paths` says, where reading a field is quicker than taking a tuple apart."""

    __slots__ = ("saw", "fresh", "by_place", "ordered", "more", "moved")

    def __init__(self, saw: int, fresh: int, by_place: bool, ordered: bool, more: int, moved: frozenset[int]) -> None:
        self.saw = saw
        self.fresh = fresh
        self.by_place = by_place
        self.ordered = ordered
        self.more = more
        self.moved = moved
