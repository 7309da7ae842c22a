"""Determinization: states that a player cannot tell from the real one, drawn from what agrees with that player's view.

Nothing of the real placement may show in the result, not even to one who knows the seed or looks into `Worlds`: the
identities of cards that the player cannot name are sorted before anything is drawn, cards are numbered at random when a
game begins, and what is kept between draws is a determinized state itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from kernel.acts import eligible
from kernel.errors import IllegalAction
from kernel.faces import visible
from kernel.information import own_steps
from kernel.news import seal
from kernel.picks import open_pick
from kernel.placement import Plan, broken
from kernel.posts import survey
from kernel.quick import answering
from kernel.rng import Rng, start
from kernel.state import ASK_PICK, ASK_WINDOW, Data, Deal

if TYPE_CHECKING:
    from kernel.game import State

TRIES: Final = 5000
#: One identity that can be exchanged: kind, variant, attributes. Marks lie where everybody sees them: they stay.
Identity = tuple[int, str, tuple[tuple[int, Any], ...]]


class Worlds:
    """All states that a player, who is asked, cannot tell from the real one; made by `State.worlds`.

    It is worked out once and then draws as many as are wanted, each independent of the others and of the real game.
    """

    __slots__ = ("player", "template", "unseen", "stock", "plan", "loose", "seen", "far")

    def __init__(self, s: State, player: int) -> None:
        if type(player) is not int or not 0 <= player < s.players or not s.ask_mask >> player & 1 or s.over:
            raise IllegalAction(f"player {player} is not asked for anything now", "not_asked")
        from kernel.game import as_text

        self.player = player
        bit = 1 << player
        c = s.copy()
        #: The cards that the player cannot name, and what they are, kind by kind.
        self.unseen: list[int] = []
        #: What the player sees must stay seen, and nothing else, where the rules have cards show and hide cards.
        self.seen: list[bool] = []
        seen: list[bool] = []
        for card in range(len(c.where)):
            sight = c.where[card] >= 0 and bool(visible(c, card) & bit)
            seen.append(sight)
            if c.where[card] >= 0 and not sight and not c.known[card] & bit:
                self.unseen.append(card)
        if c.book.shows or c.book.hides:
            self.seen = seen
        pool = sorted([identity(c, card) for card in self.unseen], key=repr)
        self.stock: dict[int, list[Identity]] = {}
        for x in pool:
            self.stock.setdefault(x[0], []).append(x)
        self.loose = loose_places(c, bit)
        for z, places in self.loose:
            for at, card in zip(places, sorted([c.zones[z][at] for at in places]), strict=True):
                c.zones[z][at] = card
        assign(c, self.unseen, pool)
        c.rng = Rng(0).state
        c.seed = 0
        c.script = []
        c.news_tail = seal(s, s.news_tail, player)
        c.telling = False  # what happens in a drawn state is told when somebody asks
        c.known_to = player
        c.steps = None
        for step in own_steps(s, player):
            c.steps = as_text(c.steps, step, player)
        c.forget_legal()
        c.base = None
        forget_answers(c, player, Rng(0))
        self.template = c
        self.far = [ban for ban in c.book.bans if not ban.local]
        self.plan: Plan | None = None
        if c.book.bans and self.unseen:
            self.plan = Plan(c, self.unseen, [x[0] for x in pool])
            if not self.plan.countable:
                self.far = list(c.book.bans)

    def draw(self, seed: int) -> State:
        """One of them: the same for the same seed, uniformly over seeds. See `State.determinize`."""
        rng = Rng(seed)
        c = self.template.copy()
        for _ in range(TRIES):
            self.spread(c, rng)
            assign(c, self.unseen, self.order(rng))
            if not (self.far and broken(c, self.far)) and self.looks_the_same(c):
                break
        c.rng = start(rng.state)
        forget_answers(c, self.player, rng)
        c.anchor()
        return c

    def looks_the_same(self, c: Data) -> bool:
        """Does the player see the cards that are seen, and no others?"""
        bit = 1 << self.player
        return all(c.where[card] < 0 or bool(visible(c, card) & bit) == saw for card, saw in enumerate(self.seen))

    def spread(self, c: Data, rng: Rng) -> None:
        """Cards known to be in an ordered zone, but not where, take any of the places that the player does not know."""
        for z, places in self.loose:
            zone = c.zones[z]
            cards = sorted([zone[at] for at in places])
            rng.shuffle(cards)
            for at, card in zip(places, cards, strict=True):
                zone[at] = card

    def order(self, rng: Rng) -> list[Identity]:
        """What each unseen card is: uniformly among the placements that the plan allows."""
        plan = self.plan
        if plan is None or not plan.kinds:
            everything = [x for kind in self.stock for x in self.stock[kind]]
            rng.shuffle(everything)
            return everything
        places = plan.draw(rng)
        heaps: dict[int, list[Identity]] = {}
        rest: list[Identity] = []
        for kind, found in self.stock.items():
            if kind in plan.kinds:
                heaps[kind] = found[:]
                rng.shuffle(heaps[kind])
            else:
                rest.extend(found)
        rng.shuffle(rest)
        return [heaps[places[at]].pop() if at in places else rest.pop() for at in range(len(self.unseen))]


def loose_places(c: Data, bit: int) -> list[tuple[int, list[int]]]:
    """Ordered zones of which the player knows cards without their places, with all places the player does not know."""
    found: list[tuple[int, list[int]]] = []
    for z, zone in enumerate(c.zones):
        if not c.seats.order[z]:
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


def identity(c: Data, card: int) -> Identity:
    """What would be exchanged with another unseen card."""
    width = len(c.book.card_attributes)
    attrs = tuple([(a, c.card_attrs[card * width + a]) for a in range(width) if card * width + a in c.card_attrs])
    return c.deal.kinds[card], c.deal.variants[card], attrs


def assign(c: Data, unseen: list[int], order: list[Identity]) -> None:
    """Make the cards what the order says."""
    kinds = list(c.deal.kinds)
    variants = list(c.deal.variants)
    width = len(c.book.card_attributes)
    if c.card_attrs:
        for card in unseen:
            for a in range(width):
                c.card_attrs.pop(card * width + a, None)
    for card, (kind, variant, attrs) in zip(unseen, order, strict=True):
        kinds[card] = kind
        variants[card] = variant
        for a, v in attrs:
            c.card_attrs[card * width + a] = v
    c.deal = Deal(tuple(kinds), len(c.book.kinds), tuple(variants), c.deal)
    survey(c)


def forget_answers(c: Data, player: int, rng: Rng) -> None:
    """What others have answered unseen, or who of them is asked where that is hidden, is drawn anew."""
    bit = 1 << player
    c.forget_legal()
    if c.ask == ASK_PICK:
        op, f = open_pick(c)
        if not op.many:
            return
        answers = list(f.vars[op.slot])
        for p, value in enumerate(answers):
            if p == player or (value is None and not c.ask_mask >> p & 1):
                continue
            group = op.group(c, f, p)
            if group is None:
                continue
            if c.settled:  # who of the others has answered is hidden: all who have a choice are still asked
                asked = group.size > 1
                c.ask_mask = c.ask_mask | 1 << p if asked else c.ask_mask & ~(1 << p)
                answers[p] = None if asked else op.value(c, f, p, group, 0)
            elif value is not None:
                answers[p] = op.value(c, f, p, group, rng.below(group.size))
        f.vars[op.slot] = tuple(answers)
    elif c.ask == ASK_WINDOW and c.settled:
        act = c.top()
        for a in c.acts:
            a.passed = 0
        others = eligible(c, act) & ~bit
        c.ask_mask = bit | answering(c, others)
        c.forget_legal()
