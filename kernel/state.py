"""The state of one game: plain data, a hand-written copy, and the small primitives that everything else is built on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import accumulate
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from kernel.core import NOBODY, Act, Frame, Value, copied
from kernel.errors import IllegalAction
from kernel.native import COMPILED
from kernel.posts import ALIASED, heed_marks, reconsider
from kernel.rng import GOLDEN, MASK, SIZE, SMALL, advance, advanced, drawn, signed, sort_by_chance, start, unsigned

if TYPE_CHECKING:
    from kernel.actions import LegalSet
    from kernel.book import Rulebook
    from kernel.menu import Menu
    from kernel.native import i64
    from kernel.news import NewsItem
    from kernel.seats import Seats

NO_ASK: Final = 0
ASK_MOVE: Final = 1
ASK_WINDOW: Final = 2
ASK_PICK: Final = 3


FEW: Final = 4  # so many cards are looked for one by one, compiled


class Deal:
    """Which kind every card is. Shared between copies; replaced, never changed."""

    __slots__ = (
        "kinds",
        "kind_at",
        "sorts",
        "root",
        "order",
        "by_kind",
        "cuts",
        "some",
        "sought",
        "able",
        "lying",
        "menu",
        "offer",
        "weighing",
        "facing",
        "_variants",
        "_faces",
        "_face_at",
        "_most",
    )

    def __init__(
        self, kinds: tuple[int, ...], sorts: int, variants: tuple[str, ...] | None, like: Deal | None = None
    ) -> None:
        self.kinds = kinds
        self.kind_at: Callable[[int], int] = list(kinds).__getitem__  # a list is asked far faster than a tuple
        self.sorts = sorts  # how many kinds there are
        self.root: Deal | None = None  # the cards as they were numbered first, where these only have other numbers
        self.order: Sequence[int] = ()  # the number there of each card
        #: The cards of each kind, in the order of their numbers; empty where they are worked out kind by kind.
        self.by_kind: tuple[tuple[int, ...], ...] = ()
        self.cuts: list[slice] = []  # where those of each kind stand if all are in the order of their kinds
        self.some: dict[int, tuple[int, ...]] = {}  # the cards of those kinds that were asked for
        self.sought: list[tuple[int, ...] | None] = []  # the same, compiled: by kind, None where nobody asked
        self.menu: Menu | None = None  # where legal actions on turn are looked up, and what each card counts there
        self.offer: Callable[[Data, int], None] | None = None  # how a player is asked for a move, where that is woven
        self.weighing: list[Callable[[int], int]] = []
        self._variants = variants
        self._faces: tuple[int, ...] | None = None
        self._face_at: Callable[[int], int] | None = None
        self._most = -1
        #: The numbers of faces: kinds with variants.
        self.facing: dict[tuple[int, str], int] = {} if like is None else like.facing
        #: The cards that could answer an act, by the number of its plan, and how `where` gives the zones they lie in.
        self.able: dict[int, tuple[frozenset[int], Callable[[list[int]], Sequence[int]]]] = {}
        self.lying: dict[frozenset[int], tuple[frozenset[int], Callable[[list[int]], Sequence[int]]]] = {}  # by kinds
        if variants is not None:
            lists: list[list[int]] = [[] for _ in range(sorts)]
            for card, kind in enumerate(kinds):
                lists[kind].append(card)
            self.by_kind = tuple([tuple(x) for x in lists])

    def renumbered(self, order: Sequence[int], all_kinds: bool) -> Deal:
        """The same cards with other numbers: card i is the one that has been number `order[i]`.

        `all_kinds`: most kinds will be asked for.
        """
        if COMPILED:
            return self.told_apart(list(order), all_kinds)
        deal = Deal(tuple(map(self.kind_at, order)), self.sorts, None, self)
        deal.root = self
        deal.order = order
        if all_kinds:
            if not self.cuts:
                ends = list(accumulate(map(len, self.by_kind)))
                self.cuts = [slice(end - len(cards), end) for end, cards in zip(ends, self.by_kind, strict=True)]
            sorted_cards = sorted(range(len(deal.kinds)), key=deal.kind_at)
            deal.by_kind = tuple(map(tuple, map(sorted_cards.__getitem__, self.cuts)))
        return deal

    def told_apart(self, order: list[int], all_kinds: bool) -> Deal:
        """The same, compiled."""
        before: tuple[Value, ...] = self.kinds  # kinds stay the objects that they are
        kinds = [before[number] for number in order]
        deal = Deal(tuple(kinds), self.sorts, None, self)
        deal.root = self
        deal.order = order
        deal.menu = self.menu
        if all_kinds:
            lists: list[list[int]] = [[] for _ in range(self.sorts)]
            card: i64 = 0
            for kind in kinds:
                lists[kind].append(card)
                card += 1
            deal.by_kind = tuple([tuple(x) for x in lists])
        else:
            deal.sought = [None] * self.sorts
        return deal

    @property
    def most(self) -> int:
        """So many cards has the kind of which there are most; asked of the cards as they were numbered first."""
        if self._most < 0:
            self._most = max(map(len, self.by_kind), default=0)
        return self._most

    @property
    def variants(self) -> tuple[str, ...]:
        """The variant of each card."""
        found = self._variants
        if found is None:
            assert self.root is not None
            found = tuple(map(self.root.variants.__getitem__, self.order))
            self._variants = found
        return found

    @property
    def faces(self) -> tuple[int, ...]:
        """A number for each card: the same for cards of one kind and variant."""
        found = self._faces
        if found is None:
            if self.root is not None:
                if COMPILED:
                    of: tuple[Value, ...] = self.root.faces
                    found = tuple([of[number] for number in list(self.order)])
                else:
                    found = tuple(map(self.root.face_at, self.order))
            else:
                numbers = self.facing
                faces = zip(self.kinds, self.variants, strict=True)
                found = tuple([numbers.setdefault(face, len(numbers)) for face in faces])
            self._faces = found
        return found

    @property
    def face_at(self) -> Callable[[int], int]:
        """The number of a card in `faces`."""
        found = self._face_at
        if found is None:
            found = list(self.faces).__getitem__
            self._face_at = found
        return found

    def joined(self, kind: int) -> Deal:
        """These cards and one more of a kind."""
        variants = (*self.variants, "")
        kept = self.by_kind or self.sought
        deal = Deal((*self.kinds, kind), self.sorts, None if kept else variants, self)
        if self.sought:
            deal._variants = variants
            cards = (*self.cards_of(kind), len(self.kinds))
            deal.sought = self.sought[:]
            deal.sought[kind] = cards
            deal._most = max((self.root or self).most, len(cards))
        elif self.by_kind:
            deal._variants = variants
            new = (*self.by_kind[kind], len(self.kinds))
            deal.by_kind = (*self.by_kind[:kind], new, *self.by_kind[kind + 1 :])
            deal.lying = {kinds: found for kinds, found in self.lying.items() if kind not in kinds}
        if self._faces is not None:
            deal._faces = (*self._faces, self.facing.setdefault((kind, ""), len(self.facing)))
        return deal

    def cards_of(self, kind: int) -> tuple[int, ...]:
        """The cards of a kind, in the order of their numbers."""
        if self.by_kind:
            return self.by_kind[kind]
        if self.sought:
            sought = self.sought[kind]
            if sought is None:
                kinds = self.kinds
                sought = tuple([card for card in range(len(kinds)) if kinds[card] == kind])
                self.sought[kind] = sought
            return sought
        found = self.some.get(kind)
        if found is None:
            assert self.root is not None
            cards: list[int] = []
            card = -1
            index = self.kinds.index
            for _ in self.root.by_kind[kind]:
                card = index(kind, card + 1)
                cards.append(card)
            found = tuple(cards)
            self.some[kind] = found
        return found

    def holders(self, plan: int, kinds: frozenset[int]) -> tuple[frozenset[int], Callable[[list[int]], Sequence[int]]]:
        """The cards of these kinds, kept as those that could answer an act with such a plan."""
        found = self.lying.get(kinds)
        if found is None:
            cards: list[int] = []
            for kind in kinds:
                cards.extend(self.cards_of(kind))
            found = (frozenset(cards), spots_of(cards))
            self.lying[kinds] = found
        self.able[plan] = found
        return found


def spots_of(cards: Sequence[int]) -> Callable[[list[int]], Sequence[int]]:
    """How a list of places gives those of these cards."""
    if len(cards) > 1:
        return itemgetter(*cards)
    return itemgetter(slice(cards[0], cards[0] + 1) if cards else slice(0))


FIELDS: Final = (
    "book",
    "players",
    "seats",
    "settled",
    "deal",
    "zones",
    "where",
    "known",
    "placed",
    "noted",
    "card_attrs",
    "card_marks",
    "aliases",
    "odd",
    "live",
    "game_attrs",
    "player_attrs",
    "frames",
    "top_act",
    "act_count",
    "turn",
    "owed",
    "direction",
    "turn_ended",
    "next_turn",
    "out",
    "left",
    "rng",
    "version",
    "decisions",
    "ask",
    "ask_mask",
    "ask_since",
    "over",
    "winners",
    "news_tail",
    "telling",
    "told",
    "script",
    "coverage",
    "offered",
    "legal_cache",
    "budget",
    "seed",
    "known_to",
)
"""What a state consists of."""


class Data:
    """Everything that is true of a game at one moment. `kernel.State` adds the public methods."""

    __slots__ = FIELDS

    def __init__(
        self, book: Rulebook, players: int, seats: Seats, settled: bool, seed: int, like: Data | None = None
    ) -> None:
        """A state with nothing in it, or an independent copy of `like`. Compiled, what is set here is never checked."""
        self.book = book
        self.players = players
        self.seats = seats
        self.settled = settled
        self.seed = seed
        if like is None:
            self.deal = book.cards
            self.zones: list[list[int]] = []  # by zone index: a list of cards, index 0 is the top
            self.where: list[int] = []  # card -> zone index, -1 nowhere (a mark that was lifted)
            #: card -> bits of the players who know which card it is though they may not see it
            self.known: list[int] = []
            self.placed: list[int] = []  # card -> bits of those who also know its place in an ordered zone
            #: by zone index: bits of those who may remember cards there without their places; never too few
            self.noted: list[int] = []
            self.card_attrs: dict[int, Value] = {}  # card * width + attribute -> value
            self.card_marks: dict[int, tuple[int, ...]] = {}  # card -> marks (kinds) that lie on it
            self.aliases: dict[int, int] = {}  # card -> kind as which it counts while it lies in the open
            self.odd: set[int] = set()  # the cards of these three
            self.live = 0  # bits of the abilities and answers of which a card counts where it lies: `kernel.posts`
            self.game_attrs: list[Value] = []
            self.player_attrs: list[Value] = []  # attribute * players + player
            self.frames: list[Frame] = []
            self.top_act: Act | None = None  # the act on top of the stack
            self.act_count = 0
            self.turn = 0
            self.owed = 0
            self.direction = 1
            self.turn_ended = False
            self.next_turn: tuple[int, int] | None = None
            self.out = 0  # bits of the players who are dead
            self.left = 0  # bits of the players who left
            self.rng = start(seed)
            self.version = 0
            self.decisions = 0
            self.ask = NO_ASK
            self.ask_mask = 0
            self.ask_since = 0
            self.over = False
            self.winners: tuple[int, ...] = ()
            self.news_tail: NewsItem | None = None
            self.telling = False  # whether news are written down; else made by playing again when somebody reads them
            self.told = 0  # the version up to which `news_tail` is complete
            self.script: list[str] = []
            self.coverage: set[tuple[str, int]] | None = None
            self.offered: LegalSet | None = None  # what the player may do who is asked for a move
            self.legal_cache: dict[int, LegalSet] = {}  # the same of others, by player
            self.budget = 0
            self.known_to = NOBODY  # or the player whose knowledge alone this (determinized) state carries
        else:
            self.deal = like.deal
            self.zones = [zone[:] for zone in like.zones] if COMPILED else list(map(list.copy, like.zones))
            self.where = like.where[:]
            self.known = like.known[:]
            self.placed = like.placed[:]
            self.noted = like.noted[:]
            self.card_attrs = like.card_attrs.copy() if like.card_attrs else {}
            self.card_marks = like.card_marks.copy() if like.card_marks else {}
            self.aliases = like.aliases.copy() if like.aliases else {}
            self.odd = like.odd.copy()
            self.live = like.live
            self.game_attrs = like.game_attrs[:]
            self.player_attrs = like.player_attrs[:]
            self.frames = [f.copy() for f in like.frames]
            self.top_act = copied(like.top_act)
            self.act_count = like.act_count
            self.turn = like.turn
            self.owed = like.owed
            self.direction = like.direction
            self.turn_ended = like.turn_ended
            self.next_turn = like.next_turn
            self.out = like.out
            self.left = like.left
            self.rng = like.rng
            self.version = like.version
            self.decisions = like.decisions
            self.ask = like.ask
            self.ask_mask = like.ask_mask
            self.ask_since = like.ask_since
            self.over = like.over
            self.winners = like.winners
            self.news_tail = like.news_tail
            self.telling = like.telling
            self.told = like.told
            self.script = like.script[:] if like.script else []
            self.coverage = like.coverage
            self.offered = like.offered
            self.legal_cache = like.legal_cache.copy() if like.legal_cache else {}
            self.budget = like.budget
            self.known_to = like.known_to

    def forget_legal(self) -> None:
        """What players may do has changed."""
        self.offered = None
        self.legal_cache = {}

    def take_over(self, other: Data) -> None:
        """Become what another state is, which nobody uses any more."""
        for name in FIELDS:
            setattr(self, name, getattr(other, name))

    # -- zones -------------------------------------------------------------------------------------------------------

    def zone_index(self, definition: int, owner: int) -> int:
        """The index of a zone's list: of a zone per player, that of its owner."""
        seats = self.seats
        base: int = seats.base[definition]
        return base + owner if seats.split[definition] else base

    def owner_of(self, card: int) -> int:
        """Whose zone the card lies in; NOBODY for a shared zone."""
        z = self.where[card]
        return self.seats.owner[z] if z >= 0 else NOBODY

    def kind_of(self, card: int) -> int:
        """What the card counts as: its own kind, or the one it became when it was played."""
        if self.aliases:
            alias = self.aliases.get(card)
            if alias is not None:
                return alias
        return self.deal.kinds[card]

    # -- acts --------------------------------------------------------------------------------------------------------

    @property
    def acts(self) -> tuple[Act, ...]:
        """The acts that are open, the one on top last."""
        found: list[Act] = []
        act = self.top_act
        while act is not None:
            found.append(act)
            act = act.below
        return tuple(found[::-1])

    def top(self) -> Act:
        """The act on top of the stack, where there must be one."""
        act = self.top_act
        assert act is not None
        return act

    # -- players -----------------------------------------------------------------------------------------------------

    def living(self) -> tuple[int, ...]:
        """The living players, by number."""
        out = self.out
        return self.book.players_by_out(self.players, out)

    def next_living(self, player: int) -> int:
        """The next living player in the direction of play; the same player if nobody else lives."""
        n = self.players
        out = self.out
        p = player
        for _ in range(n):
            p = (p + self.direction) % n
            if not out >> p & 1:
                return p
        return player

    def ring(self, player: int) -> tuple[int, ...]:
        """The living players in the direction of play, beginning with `player`."""
        n = self.players
        out = self.out
        d = self.direction
        return tuple(q for q in ((player + d * i) % n for i in range(n)) if not out >> q & 1)

    # -- chance ------------------------------------------------------------------------------------------------------

    def below(self, n: int) -> int:
        """A uniform number 0 … n-1 from the game's generator."""
        if COMPILED and n < SMALL:
            now = signed(self.rng)
            while True:
                now = advanced(now)
                found = drawn(now, n)
                if found >= 0:
                    self.rng = unsigned(now)
                    return found
        limit = SIZE - SIZE % n
        while True:
            z = (self.rng + GOLDEN) & MASK
            self.rng = z
            z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
            z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
            z ^= z >> 31
            if z < limit:
                return z % n

    def shuffle_list(self, items: list[int]) -> None:
        """Put the items in a random order, all orders equally likely: the game's generator numbers them anew."""
        if len(items) > 1:
            sort_by_chance(items, self.rng)
            self.rng = advance(self.rng, len(items))

    def chance_index(self, texts: list[str]) -> int:
        """One of the texts, uniformly, or the scripted one (rulings' `chance:`)."""
        if self.script:
            wanted = self.script.pop(0)
            for i, text in enumerate(texts):
                if text == wanted:
                    return i
            shown = ", ".join(sorted(set(texts)))
            raise IllegalAction(f"chance cannot give '{wanted}' here; it can give: {shown}", "chance")
        return self.below(len(texts))

    # -- attributes of cards -----------------------------------------------------------------------------------------

    def card_text(self, card: int) -> str:
        """The card as notation and views write it: `tea`, `tea(hot)`, `tea(by=0)`."""
        kind: str = self.book.ids[self.deal.kinds[card]]
        if not self.card_attrs and not self.card_marks and not self.aliases:
            return kind
        parts: list[str] = []
        width = len(self.book.card_attributes)
        if self.card_attrs:
            for a in self.book.card_attributes:
                value = self.card_attrs.get(card * width + a.index)
                if value is None or value is False:
                    continue
                parts.append(a.name if value is True else f"{a.name}={value}")
        if self.card_marks:
            for mark in self.card_marks.get(card, ()):
                parts.append(self.book.kinds[mark].id)
        if self.aliases and card in self.aliases:
            parts.append("as=" + self.book.kinds[self.aliases[card]].id)
        return f"{kind}({','.join(parts)})" if parts else kind

    def untouched(self, cards: Collection[int]) -> bool:
        """Are these cards told apart by nothing but their kinds: no attribute, mark or other kind on any of them?"""
        if COMPILED and len(cards) <= FEW:
            odd = self.odd
            for card in tuple(cards):
                if card in odd:
                    return False
            return True
        return not self.odd or self.odd.isdisjoint(cards)

    def holds_odd(self, z: i64) -> bool:
        """Does a card lie in this zone that more than its kind tells apart? Compiled, the fewer are gone through: those
        that do anywhere, or the cards of the zone."""
        if not COMPILED or len(self.odd) > len(self.zones[z]):
            return not self.odd.isdisjoint(self.zones[z])
        where = self.where
        card: i64
        for card in self.odd:
            lies: i64 = where[card]
            if lies == z:
                return True
        return False

    def clear_card(self, card: int) -> None:
        """A card that changes its zone loses attributes and marks."""
        if self.card_attrs:
            width = len(self.book.card_attributes)
            for i in range(width):
                self.card_attrs.pop(card * width + i, None)
        if self.card_marks and card in self.card_marks:
            del self.card_marks[card]
            heed_marks(self)
        if card not in self.aliases:
            self.odd -= {card}

    def count_as(self, card: int, kind: int) -> None:
        """From now on the card counts as one of this kind."""
        self.aliases[card] = kind
        self.odd.add(card)
        self.live |= ALIASED

    def count_as_itself(self, card: int) -> None:
        """The card counts as what it is again."""
        if self.aliases.pop(card, None) is not None:
            reconsider(self, card)
            if not self.aliases:
                self.live &= ~ALIASED
