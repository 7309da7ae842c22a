"""Questions to players inside a program: what can be answered, by whom, and what an answer does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kernel.actions import CardPick, Group, LegalSet, PickGroup
from kernel.acts import start_act
from kernel.cardsets import Class, classes_of
from kernel.core import ANNOUNCED, CHANCE, NO_ACT, ActSpec, Choice, Expr, Frame, Op, Value
from kernel.errors import CardError, EngineError
from kernel.expr import Const, member_of
from kernel.faces import bare, sights
from kernel.knowledge import bits_list
from kernel.legal import add_play, fits
from kernel.machine import ended
from kernel.model import Kind
from kernel.native import COMPILED
from kernel.news import tell
from kernel.seats import public
from kernel.state import ASK_PICK, NO_ASK
from kernel.state import Data as State

RANDOM: Final = "random"
NOTHING: Final = Const(())


class Pick(Op):
    """`pick NAME from: SET by: WHO …`. Suspends; the answer goes into the frame's slot."""

    __slots__ = (
        "slot",
        "set",
        "it",
        "by",
        "many",
        "chance",
        "type",
        "least",
        "most",
        "list",
        "order",
        "secret",
        "unseen",
        "otherwise",
        "ask",
        "values",
        "plain",
        "once",
        "end_pc",
    )

    def __init__(self, slot: int, set: Expr, it: int, by: Expr, type: str) -> None:
        self.slot = slot
        self.set = set
        self.it = it
        self.by = by
        self.many = False
        self.chance = False
        self.type = type
        self.least: Expr | None = None
        self.most: Expr | None = None
        self.list = False
        self.order = False
        self.secret = False
        self.unseen: Expr | None = None
        self.otherwise: Expr | None = None
        self.ask = ""
        self.values = type != "card"  # its members stand for themselves
        self.plain = False  # one card is chosen, and nothing hides which are which
        self.once: Value = None  # compiled: what was last found to hold nothing twice
        self.end_pc = -1  # where the frame goes on if there is nothing to choose; -1: the program ends

    def run(self, s: State, f: Frame) -> Op | None:
        f.pc = self.pc + 1
        if self.many:
            return self.ask_many(s, f)
        by = CHANCE if self.chance else self.by.ev(s, f)
        if by == CHANCE:
            return self.by_chance(s, f)
        by = member_of(s, by)
        group = self.group(s, f, by)
        if group is None or s.left >> by & 1:
            return self.nothing(s, f)
        if s.settled and group.size == 1:
            f.vars[self.slot] = self.value(s, f, by, group, 0)
            self.report(s, by, f.vars[self.slot])
            return self.next
        s.ask = ASK_PICK
        s.ask_mask = 1 << by
        s.ask_since = s.version
        s.legal_cache[by] = LegalSet([group])  # what is shown now is remembered, but could be named already
        return None

    def asked_type(self, s: State, f: Frame) -> str:
        """What is asked for: "player", "card", "kind", "word" or "number"."""
        return self.type

    def nothing(self, s: State, f: Frame) -> Op | None:
        """Nothing to choose: what `or:` says, else the program ends, or the verb that stands here in its place."""
        if self.otherwise is not None:
            v = self.otherwise.ev(s, f)
            f.vars[self.slot] = tuple(v) if isinstance(v, list) else v
            return self.next
        if self.end_pc >= 0:
            f.pc = self.end_pc
        else:
            ended(s)
        return None

    def bounds(self, s: State, f: Frame, available: int) -> tuple[int, int] | None:
        """How many things the answer lists, or None where there are too few."""
        least = self.least.ev(s, f) if self.least is not None else 0
        most = self.most.ev(s, f) if self.most is not None else available
        most = min(most, available)
        if least < 0 or least > available or most < least:
            return None
        return least, most

    def classes(self, s: State, f: Frame, by: int) -> list[Class]:
        """What can be told apart by the one who is asked."""
        f.vars[self.it] = by
        return self.told_apart(s, f, by, self.set.ev(s, f))

    def told_apart(self, s: State, f: Frame, by: int, members: Sequence[Value]) -> list[Class]:
        """What of these can be told apart."""
        if self.type != "card":
            return [Class(str(x), str(x), 0, [x]) for x in dict.fromkeys(members)]
        if not members:
            return []
        unseen = set(self.unseen.ev(s, f)) if self.unseen is not None else ()
        bit = 1 << by
        shown: list[int] = []
        hidden: list[int] = []
        for c, sees in zip(members, sights(s, members)):
            if not sees & bit:
                sees |= s.placed[c] & s.known[c]
            if sees & bit and c not in unseen:
                shown.append(c)
            else:
                hidden.append(c)
        found = classes_of(s, shown)
        if hidden:
            found.append(Class(RANDOM, RANDOM, -1, list(hidden)))
        return found

    def group(self, s: State, f: Frame, by: int) -> PickGroup | None:
        """The possible answers, or None where there is nothing to choose. Looking leaves no trace in the frame."""
        kept = f.vars
        f.vars = kept[:]
        try:
            if self.values and not self.list:
                f.vars[self.it] = by
                values = self.set.ev(s, f)
                if values is not self.once:
                    different = each_once(values)
                    if COMPILED and len(different) == len(values):
                        self.once = values if type(values) is tuple else different
                    values = different
                return PickGroup(None, values, 1, 1, False, True) if values else None
            if self.plain:
                f.vars[self.it] = by
                members = self.set.ev(s, f)
                if members and seen_plainly(s, members, by):
                    kinds = s.deal.kinds
                    first: dict[int, int] = {}
                    if COMPILED:
                        for card in members:
                            if kinds[card] not in first:
                                first[kinds[card]] = card
                    else:
                        turned = members[::-1]
                        first.update(zip(map(s.deal.kind_at, turned), turned, strict=True))
                    return CardPick([first[kind] for kind in sorted(first)], kinds, s.book.ids)
                classes = self.told_apart(s, f, by, members)
            else:
                classes = self.classes(s, f, by)
            if not self.list:
                return PickGroup(classes, (), 1, 1, False, True) if classes else None
            available = 0
            for c in classes:
                available += len(c.members)
            bounds = self.bounds(s, f, available)
            if bounds is None:
                return None
            return PickGroup(classes, (), bounds[0], bounds[1], self.order, False)
        finally:
            f.vars = kept

    def value(self, s: State, f: Frame, by: int, group: PickGroup, i: int) -> Value:
        """The value that answer i stands for; chance settles what was chosen unseen."""
        if group.values and not self.list:
            return group.values[i]
        used: dict[int, int] = {}
        values: list[Value] = []
        for at in group.picked(i):
            c = group.classes[at]
            if c.kind == -1 and c.label == RANDOM and self.type == "card":
                left = [m for m in c.members if m not in values]
                values.append(left[s.chance_index([s.book.kinds[s.deal.kinds[m]].id for m in left])])
                continue
            k = used.get(at, 0)
            used[at] = k + 1
            values.append(c.members[k])
        return tuple(values) if self.list else values[0]

    def texts(self, s: State, members: Sequence[Value]) -> list[str]:
        """What scripted chance calls these."""
        if self.type == "card":
            return [s.book.kinds[s.deal.kinds[m]].id for m in members]
        return [str(m) for m in members]

    def drawn(self, s: State, members: Sequence[Value]) -> int:
        """Which of these chance chooses."""
        return s.chance_index(self.texts(s, members)) if s.script else s.below(len(members))

    def by_chance(self, s: State, f: Frame) -> Op | None:
        """Chance answers: uniformly among the members themselves."""
        f.vars[self.it] = f.you
        members = self.set.ev(s, f)
        if not self.list:
            if not members:
                return self.nothing(s, f)
            f.vars[self.slot] = members[self.drawn(s, members)]
            return self.next
        members = list(members)
        texts = self.texts(s, members)
        bounds = self.bounds(s, f, len(members))
        if bounds is None:
            return self.nothing(s, f)
        count = bounds[1] if bounds[0] == bounds[1] else bounds[0] + s.below(bounds[1] - bounds[0] + 1)
        chosen: list[Value] = []
        for _ in range(count):
            i = s.chance_index(texts)
            chosen.append(members.pop(i))
            texts.pop(i)
        f.vars[self.slot] = tuple(chosen)
        return self.next

    def ask_many(self, s: State, f: Frame) -> Op | None:
        """Ask several players at the same moment."""
        answers: list[Value] = [None] * s.players
        mask = 0
        for p in self.by.ev(s, f):
            if s.left >> p & 1:
                continue
            group = self.group(s, f, p)
            if group is None:
                continue
            if s.settled and group.size == 1:
                answers[p] = self.value(s, f, p, group, 0)
            else:
                mask |= 1 << p
        f.vars[self.slot] = tuple(answers)
        if not mask:
            self.report_all(s, f)
            return self.next
        s.ask = ASK_PICK
        s.ask_mask = mask
        s.ask_since = s.version
        return None

    def answer(self, s: State, f: Frame, player: int, group: PickGroup, i: int) -> None:
        """Take a player's answer; the question closes with the last one."""
        value = self.value(s, f, player, group, i)
        if self.many:
            answers = list(f.vars[self.slot])
            answers[player] = value
            f.vars[self.slot] = tuple(answers)
        else:
            f.vars[self.slot] = value
        self.close_for(s, f, player)

    def close_for(self, s: State, f: Frame, player: int) -> None:
        """This player is not asked any more."""
        s.ask_mask &= ~(1 << player)
        if s.ask_mask:
            return
        s.ask = NO_ASK
        if self.many:
            self.report_all(s, f)
        else:
            self.report(s, player, f.vars[self.slot])

    def report_all(self, s: State, f: Frame) -> None:
        """When all are in, everybody hears what is not secret."""
        for p, value in enumerate(f.vars[self.slot]):
            if value is not None:
                self.report(s, p, value)

    def report(self, s: State, player: int, value: Value) -> None:
        """News of the answer; which cards were chosen is told by what happens to them."""
        if self.type == "card":
            return
        shown = list(value) if isinstance(value, tuple) else value
        private = 1 << player if self.secret else public(s.players)
        tell(s, "chose", player, secret=(("value", shown),), private=private)


class PlayChoices(Pick):
    """The built-in program of `play CARD`: asks for what the card announces, one choice after the other, then
    announces it.

    Variables of its frame: the card, the index of the act's spec (-1: as which kind it is played is asked first), the
    values chosen so far, the last answer, a scratch slot, the act that it answers, the kind as which it is played.
    """

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(3, NOTHING, 4, NOTHING, "word")
        self.values = False

    def choice(self, s: State, f: Frame) -> Choice:
        """The choice that is being made."""
        return s.book.specs[f.vars[1]].choices[len(f.vars[2])]

    def asked_type(self, s: State, f: Frame) -> str:
        return "kind" if f.vars[1] < 0 else self.choice(s, f).type

    def run(self, s: State, f: Frame) -> Op | None:
        f.pc = self.pc + 1
        if f.vars[1] < 0:
            if f.vars[3] is None:
                return self.wait(s, f)
            for spec, target, alias in forms(s, f.you, f.vars[0]):
                if alias == f.vars[3][0]:
                    f.vars[1], f.vars[5], f.vars[6] = spec.index, target, alias
                    break
            f.vars[3] = None
        spec = s.book.specs[f.vars[1]]
        if f.vars[3] is not None:
            f.vars[2] = (*f.vars[2], f.vars[3][0])
            f.vars[3] = None
        while len(f.vars[2]) < len(spec.choices):
            group = self.group(s, f, f.you)
            if group is None:
                if not self.choice(s, f).optional:
                    s.frames.pop()
                    return None
                f.vars[2] = (*f.vars[2], None)
            elif s.settled and group.size == 1:
                f.vars[2] = (*f.vars[2], group.classes[0].members[0])
            else:
                return self.wait(s, f)
        s.frames.pop()
        start_act(s, spec, f.you, (f.vars[0],), f.vars[2], f.vars[6], f.vars[5])
        return None

    def wait(self, s: State, f: Frame) -> Op | None:
        """Ask the player, and begin here again with the answer."""
        f.pc -= 1
        s.ask = ASK_PICK
        s.ask_mask = 1 << f.you
        s.ask_since = s.version
        return None

    def classes(self, s: State, f: Frame, by: int) -> list[Class]:
        if f.vars[1] < 0:
            return [Class(alias, alias, 0, [alias]) for _, _, alias in forms(s, f.you, f.vars[0])]
        spec = s.book.specs[f.vars[1]]
        fr = Frame(s.book.nothing, [None] * spec.slots, f.you, f.vars[0], NO_ACT, None)
        for earlier, value in zip(spec.choices, f.vars[2], strict=False):
            fr.vars[earlier.slot] = value
        choice = self.choice(s, f)
        members = choice.set.ev(s, fr)
        if choice.type == "card":
            return classes_of(s, members)
        return [Class(str(x), str(x), 0, [x]) for x in dict.fromkeys(members)]

    def answer(self, s: State, f: Frame, player: int, group: PickGroup, i: int) -> None:
        f.vars[3] = (group.classes[i].members[0],)
        s.ask_mask = 0
        s.ask = NO_ASK


def seen_plainly(s: State, cards: Sequence[int], player: int) -> bool:
    """Does the player see all of these cards where they lie, and does nothing but their kinds tell them apart?"""
    if not bare(s, cards):
        return False
    seen = s.seats.seen
    for z in {s.where[card] for card in cards} if COMPILED else set(map(s.where.__getitem__, cards)):
        if not seen[z] >> player & 1:
            return False
    return True


Form = tuple[ActSpec, int, str]
"""How a card can be played: the play, the act that it answers, the kind as which it is played."""


def each_once(values: Sequence[Value]) -> tuple[Value, ...]:
    """The values without those that have been there before."""
    if COMPILED:  # mostly they are players or places, in ascending order
        items = tuple(values)
        last = -1
        for x in items:
            if not isinstance(x, int) or x <= last:
                return tuple(dict.fromkeys(items))
            last = x
        return items
    return tuple(dict.fromkeys(values))


def playable_as(s: State, player: int, card: int, kind: Kind, alias: str) -> Form | None:
    """The first play of a kind that the player could make with this card here, seen or not."""
    own = s.book.kinds[s.deal.kinds[card]]
    cl = Class(own.id, own.id, own.index, [card])
    waiting = [a.n for a in s.acts if a.stage == ANNOUNCED]
    for spec in kind.plays:
        groups: list[Group] = []
        target = NO_ACT
        if spec.at == "response":
            if not waiting or not fits(s, player, spec, waiting[-1]):
                continue
            target = waiting[-1]
        elif spec.at == "turn" and (s.turn != player or waiting):
            continue
        add_play(s, player, groups, spec, cl, alias, False, target)
        if groups:
            return spec, target, alias
    return None


def forms(s: State, player: int, card: int) -> list[Form]:
    """How the player could play this card here: by its own play, else as each kind as which it can be played."""
    kind = s.book.kinds[s.deal.kinds[card]]
    own = playable_as(s, player, card, kind, "")
    if own is not None:
        return [own]
    if kind.plays_as is None:
        return []
    fr = Frame(s.book.nothing, [None] * kind.plays_as_slots, player, card, NO_ACT, None)
    if kind.plays_as_if is not None and not kind.plays_as_if.ev(s, fr):
        return []
    found: list[Form] = []
    for id in dict.fromkeys(kind.plays_as.ev(s, fr)):
        form = playable_as(s, player, card, s.book.kind_by_id[id], id)
        if form is not None:
            found.append(form)
    return found


class CanPlay(Expr):
    """`can_play(CARD)`: could you play it here, whether or not you see it?"""

    __slots__ = ("card",)

    def __init__(self, card: Expr) -> None:
        self.card = card

    def ev(self, s: State, f: Frame) -> Value:
        card = self.card.ev(s, f)
        return card is not None and len(forms(s, f.you, card)) > 0


class PlayCard(Op):
    """`play CARD`: the card is played by `you`, with its choices asked one by one and its own window."""

    __slots__ = ("card",)

    def __init__(self, card: Expr) -> None:
        self.card = card

    def run(self, s: State, f: Frame) -> Op | None:
        f.pc = self.pc + 1
        card = self.card.ev(s, f)
        found = forms(s, f.you, card) if card is not None else []
        if not found:
            raise CardError("this card cannot be played here; ask `can_play` first")
        spec, target, alias = found[0]
        index = spec.index
        if s.book.kinds[s.deal.kinds[card]].plays_as_ask and alias and not (s.settled and len(found) == 1):
            index = -1
        vars: list[Value] = [card, index, (), None, None, target, alias]
        s.frames.append(Frame(s.book.play_program, vars, f.you, card, f.act, None))
        return None


def open_pick(s: State) -> tuple[Pick, Frame]:
    """The pick that is being asked, and its frame."""
    f = s.frames[-1]
    op = f.prog.ops[f.pc if f.prog is s.book.play_program else f.pc - 1]
    if not isinstance(op, Pick):
        raise EngineError("a pick is open, but the program stands elsewhere")
    return op, f


def pick_group(s: State, player: int) -> PickGroup:
    """The possible answers of a player who is asked."""
    op, f = open_pick(s)
    group = op.group(s, f, player)
    if group is None:
        raise CardError("a question was asked that has no answer any more")
    return group


def reopen_pick(s: State, f: Frame, mask: int) -> None:
    """Ask again after somebody has left; a question to one player begins anew, as the choices may have changed."""
    if f.prog is s.book.play_program:
        return  # its operation runs again by itself
    op = f.prog.ops[f.pc - 1]
    if not isinstance(op, Pick):
        raise EngineError("a pick was open, but the program stands elsewhere")
    if not op.many:
        if mask:
            f.pc -= 1
        return
    for p in bits_list(mask):
        if op.group(s, f, p) is None:
            mask &= ~(1 << p)
    if mask:
        s.ask = ASK_PICK
        s.ask_mask = mask
        s.ask_since = s.version
    else:
        op.report_all(s, f)
