"""The kernel's own verbs."""

from __future__ import annotations

from typing import Final

from kernel.acts import offer
from kernel.core import ANNOUNCED, NO_ACT, Expr, Frame, Op, Value
from kernel.errors import CardError, SetupError
from kernel.events import fire
from kernel.expr import find_act, kind_at, member_of
from kernel.faces import bare
from kernel.fused import OneCard
from kernel.knowledge import arrange, bits_of, relocate, relocate_many, relocate_one, show, shuffle
from kernel.machine import finish_game
from kernel.native import COMPILED
from kernel.news import tell
from kernel.posts import heed, heed_marks, reconsider
from kernel.seats import public
from kernel.state import Data as State

MOST_TURNS: Final = 10_000  # that a player can owe


def card_tuple(v: Value) -> tuple[int, ...]:
    """One card or several as a tuple; none is an empty one."""
    if v is None:
        return ()
    if isinstance(v, int):
        return (v,)
    return tuple(v)


def shift(s: State, cards: tuple[int, ...], to: int, you: int) -> None:
    """A move that says neither where nor who learns of it."""
    if len(cards) != 2 and bare(s, cards, to):
        if len(cards) == 1:
            relocate_one(s, cards[0], to, 0, False, 0, you)
            return
        if cards and relocate_many(s, cards, to, 0, False, 0, you):
            return
    relocate(s, cards, to, 0, False, False, 0, 0, you)


class Move(Op):
    """`move`."""

    __slots__ = ("cards", "to", "at", "secret", "seen_by", "plain", "slot")

    def __init__(self, cards: Expr, to: Expr, at: Expr | None, secret: Expr | None, seen_by: Expr | None) -> None:
        self.cards = cards
        self.to = to
        self.at = at
        self.secret = secret
        self.seen_by = seen_by
        self.plain = at is None and secret is None and seen_by is None
        #: Compiled: the variable that holds the only card, where that is all the move says.
        self.slot = cards.slot if COMPILED and self.plain and isinstance(cards, OneCard) else -1

    def run(self, s: State, f: Frame) -> Op | None:
        if self.slot >= 0 and not s.odd and s.book.faces_plain and not s.book.moves_heard:
            relocate_one(s, f.vars[self.slot], self.to.ev(s, f), 0, False, 0, f.you)
            return self.next
        v = self.cards.ev(s, f)
        cards = v if type(v) is tuple else card_tuple(v)
        if not cards:
            return self.next
        to = self.to.ev(s, f)
        if self.plain:
            shift(s, cards, to, f.you)
        else:
            self.with_labels(s, f, cards, to)
        heard = s.book.moves_heard
        if heard:
            f.pc = self.pc + 1
            return None if fire(s, heard, (cards, to)) else self.next
        return self.next

    def with_labels(self, s: State, f: Frame, cards: tuple[int, ...], to: int) -> None:
        """A move that says where, or who learns of it."""
        at = self.at.ev(s, f) if self.at is not None else 0
        bottom = at == "bottom"
        if not bottom and (not isinstance(at, int) or at < 0):
            raise CardError(f"{at} is no place in a zone")
        secret = bool(self.secret.ev(s, f)) if self.secret is not None else False
        extra = 0
        insiders = 1 << f.you if f.you >= 0 else 0
        if self.seen_by is not None:
            bits = bits_of(self.seen_by.ev(s, f))
            insiders |= bits
            if not secret:
                extra = bits
        relocate(s, cards, to, 0 if bottom else at, bottom, secret, insiders, extra, f.you)


class Shuffle(Op):
    """`shuffle`."""

    __slots__ = ("zone",)

    def __init__(self, zone: Expr) -> None:
        self.zone = zone

    def run(self, s: State, f: Frame) -> Op | None:
        f.pc = self.pc + 1
        z = self.zone.ev(s, f)
        shuffle(s, z, f.you)
        heard = s.book.kernel_heard.get("shuffle")
        if heard:
            return None if fire(s, heard, (z,)) else self.next
        return self.next


class Show(Op):
    """`show`."""

    __slots__ = ("cards", "to")

    def __init__(self, cards: Expr, to: Expr) -> None:
        self.cards = cards
        self.to = to

    def run(self, s: State, f: Frame) -> Op | None:
        show(s, card_tuple(self.cards.ev(s, f)), bits_of(self.to.ev(s, f)), f.you)
        return self.next


class Arrange(Op):
    """`arrange`."""

    __slots__ = ("cards", "order", "secret", "seen_by")

    def __init__(self, cards: Expr, order: Expr, secret: Expr | None, seen_by: Expr | None) -> None:
        self.cards = cards
        self.order = order
        self.secret = secret
        self.seen_by = seen_by

    def run(self, s: State, f: Frame) -> Op | None:
        cards = card_tuple(self.cards.ev(s, f))
        order = card_tuple(self.order.ev(s, f))
        if sorted(cards) != sorted(order) or len({s.where[c] for c in cards}) > 1:
            raise CardError("`arrange` needs the same cards in a new order, all of one zone")
        secret = bool(self.secret.ev(s, f)) if self.secret is not None else False
        insiders = 1 << f.you if f.you >= 0 else 0
        if self.seen_by is not None:
            insiders |= bits_of(self.seen_by.ev(s, f))
        arrange(s, cards, order, secret, insiders, f.you)
        return self.next


class Cancel(Op):
    """`cancel`."""

    __slots__ = ("act",)

    def __init__(self, act: Expr) -> None:
        self.act = act

    def run(self, s: State, f: Frame) -> Op | None:
        n = self.act.ev(s, f)
        if n is None:
            raise CardError("`cancel` needs an act, but there is none")
        a = find_act(s, n)
        if a.stage == ANNOUNCED and not a.cancelled:
            a.cancelled = True
            if not s.telling:
                s.version += 1
                return self.next
            data: list[tuple[str, Value]] = [("act", a.n)]
            if f.act != NO_ACT:
                data.append(("through", f.act))
            tell(s, "cancelled", f.you, data=tuple(data))
        return self.next


def new_mark(s: State, kind: int) -> int:
    """A mark's own card: one that was lifted before, or a new one."""
    for c in s.deal.cards_of(kind):
        if s.where[c] < 0:
            return c
    s.deal = s.deal.joined(kind)
    s.where.append(-1)
    s.known.append(0)
    s.placed.append(0)
    return len(s.where) - 1


def lay_on_player(s: State, kind: int, player: int) -> None:
    """A mark before a player, once."""
    z = s.zone_index(s.book.mark_zone, player)
    if any(s.deal.kinds[c] == kind for c in s.zones[z]):
        return
    c = new_mark(s, kind)
    s.zones[z].append(c)
    s.where[c] = z
    s.known[c] = public(s.players)
    if s.seats.posts[kind]:
        heed(s, kind)


class Lay(Op):
    """`lay MARK on: X`, and with `lift` its opposite."""

    __slots__ = ("mark", "on", "on_player", "lift")

    def __init__(self, mark: Expr, on: Expr, on_player: bool, lift: bool) -> None:
        self.mark = mark
        self.on = on
        self.on_player = on_player
        self.lift = lift

    def run(self, s: State, f: Frame) -> Op | None:
        kind = kind_at(s, self.mark.ev(s, f))
        x = self.on.ev(s, f)
        if x is None:
            raise CardError("a mark needs a player or a card to lie on")
        word = "lifted" if self.lift else "laid"
        if self.on_player:
            z = s.zone_index(s.book.mark_zone, member_of(s, x))
            there = [c for c in s.zones[z] if s.deal.kinds[c] == kind.index]
            if self.lift == (not there):
                return self.next
            if self.lift:
                for c in there:
                    s.zones[z].remove(c)
                    s.where[c] = -1
                    s.known[c] = 0
                if s.seats.posts[kind.index]:
                    heed(s, kind.index)
            else:
                lay_on_player(s, kind.index, x)
            tell(s, word, f.you, data=(("mark", kind.id), ("player", x)))
            return self.next
        marks = s.card_marks.get(x, ())
        if (kind.index in marks) != self.lift:
            return self.next
        marks = tuple([m for m in marks if m != kind.index]) if self.lift else (*marks, kind.index)
        if marks:
            s.card_marks[x] = marks
            s.odd.add(x)
        else:
            s.card_marks.pop(x, None)
            reconsider(s, x)
        heed_marks(s)
        tell(s, word, f.you, data=(("mark", kind.id), ("player", s.owner_of(x))))
        return self.next


class Eliminate(Op):
    """`eliminate`."""

    __slots__ = ("player",)

    def __init__(self, player: Expr) -> None:
        self.player = player

    def run(self, s: State, f: Frame) -> Op | None:
        f.pc = self.pc + 1
        p = member_of(s, self.player.ev(s, f))
        if s.out >> p & 1:
            return self.next
        s.out |= 1 << p
        if p == s.turn and not s.turn_ended:
            s.turn_ended = True
            s.next_turn = (-1, 0)
        tell(s, "eliminated", p)
        heard = s.book.kernel_heard.get("eliminate")
        if heard:
            return None if fire(s, heard, (p,)) else self.next
        return self.next


class Revive(Op):
    """`revive`."""

    __slots__ = ("player",)

    def __init__(self, player: Expr) -> None:
        self.player = player

    def run(self, s: State, f: Frame) -> Op | None:
        f.pc = self.pc + 1
        p = member_of(s, self.player.ev(s, f))
        if not s.out >> p & 1 or s.left >> p & 1:
            return self.next
        s.out &= ~(1 << p)
        tell(s, "revived", p)
        heard = s.book.kernel_heard.get("revive")
        if heard:
            return None if fire(s, heard, (p,)) else self.next
        return self.next


class EndTurn(Op):
    """`end_turn`."""

    __slots__ = ("player", "all")

    def __init__(self, player: Expr, all: Expr | None) -> None:
        self.player = player
        self.all = all

    def run(self, s: State, f: Frame) -> Op | None:
        if self.player.ev(s, f) != s.turn or s.turn_ended:
            return self.next
        s.turn_ended = True
        s.next_turn = (-1, 0) if self.all is not None and self.all.ev(s, f) else None
        return self.next


class GiveTurns(Op):
    """`give_turns`."""

    __slots__ = ("turns", "to")

    def __init__(self, turns: Expr, to: Expr) -> None:
        self.turns = turns
        self.to = to

    def run(self, s: State, f: Frame) -> Op | None:
        turns = self.turns.ev(s, f)
        to = member_of(s, self.to.ev(s, f))
        if not 0 <= turns <= MOST_TURNS:
            no_turns(turns)
        s.turn_ended = True
        s.next_turn = (to, turns)
        return self.next


def no_turns(turns: int) -> None:
    """The error of one who owes so many turns."""
    raise CardError(f"turns owed are 0 to {MOST_TURNS}, not {turns}")


class NextTurn(Op):
    """`next_turn`."""

    __slots__ = ()

    def run(self, s: State, f: Frame) -> Op | None:
        given = s.next_turn
        if given is not None and given[0] >= 0 and not s.out >> given[0] & 1:
            s.turn, s.owed = given
        elif given is None and s.owed > 1 and not s.out >> s.turn & 1:
            s.owed -= 1
        else:
            s.turn = s.next_living(given[0] if given is not None and given[0] >= 0 else s.turn)
            s.owed = 0
        s.turn_ended = False
        s.next_turn = None
        if s.telling:
            tell(s, "turn", s.turn, data=(("owed", s.owed),))
        else:
            s.version += 1
        return self.next


class Offer(Op):
    """`offer`."""

    __slots__ = ("player",)

    def __init__(self, player: Expr) -> None:
        self.player = player

    def run(self, s: State, f: Frame) -> Op | None:
        f.pc = self.pc + 1
        p = member_of(s, self.player.ev(s, f))
        if s.left >> p & 1:
            return self.next
        offer(s, p)
        return None


class EndGame(Op):
    """`end_game`."""

    __slots__ = ("winners",)

    def __init__(self, winners: Expr) -> None:
        self.winners = winners

    def run(self, s: State, f: Frame) -> Op | None:
        v = self.winners.ev(s, f)
        finish_game(s, (v,) if isinstance(v, int) else tuple(v))
        return None


class Tell(Op):
    """`tell`."""

    __slots__ = ("text", "about", "to")

    def __init__(self, text: Expr, about: Expr | None, to: Expr | None) -> None:
        self.text = text
        self.about = about
        self.to = to

    def run(self, s: State, f: Frame) -> Op | None:
        to = bits_of(self.to.ev(s, f)) if self.to is not None else public(s.players)
        if to == (1 << s.players) - 1:
            to = public(s.players)
        cards = card_tuple(self.about.ev(s, f)) if self.about is not None else ()
        texts = tuple([s.card_text(c) for c in cards])
        text = (("text", str(self.text.ev(s, f))),)
        tell(s, "told", f.you, texts, (to,) * len(texts), secret=text, private=to)
        return self.next


class Refuse(Op):
    """`refuse "reason"` in `setup`: no such game can be set up."""

    __slots__ = ("reason",)

    def __init__(self, reason: Expr) -> None:
        self.reason = reason

    def run(self, s: State, f: Frame) -> Op | None:
        raise SetupError(str(self.reason.ev(s, f)))
