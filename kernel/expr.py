"""Expressions about the game: players, zones, cards, acts, questions.

Plain values and lists stand in `kernel.lists`.
"""

from __future__ import annotations

from kernel.core import Act, Expr, Frame, Value
from kernel.errors import CardError
from kernel.knowledge import bits_list
from kernel.model import Kind
from kernel.state import NO_ASK
from kernel.state import Data as State


def find_act(s: State, n: Value) -> Act:
    """The act with this number; it must still be in progress."""
    if isinstance(n, int):
        act = s.top_act
        while act is not None:
            if act.n == n:
                return act
            act = act.below
    raise CardError("the act asked about is over or was never there")


def kind_at(s: State, x: Value) -> Kind:
    """The kind that a card (a number) or a kind (its id) stands for."""
    if isinstance(x, str):
        kind = s.book.kind_by_id.get(x)
        if kind is None:
            raise CardError(f"there is no kind '{x}' in this book")
        return kind
    if x is None:
        raise CardError("a card is asked about, but there is none")
    return s.book.kinds[s.kind_of(x)]


def member_of(s: State, player: Value) -> int:
    """A player's number, checked."""
    if not isinstance(player, int) or not 0 <= player < s.players:
        raise CardError(f"there is no player {player}")
    return player


class Const(Expr):
    """A constant."""

    __slots__ = ("value",)

    def __init__(self, value: Value) -> None:
        self.value = value

    def ev(self, s: State, f: Frame) -> Value:
        return self.value


class Var(Expr):
    """A variable of the frame."""

    __slots__ = ("slot",)

    def __init__(self, slot: int) -> None:
        self.slot = slot

    def ev(self, s: State, f: Frame) -> Value:
        return f.vars[self.slot]


class You(Expr):
    """`you`."""

    __slots__ = ()

    def ev(self, s: State, f: Frame) -> Value:
        return f.you


class Self(Expr):
    """`self`."""

    __slots__ = ()

    def ev(self, s: State, f: Frame) -> Value:
        return f.card if f.card >= 0 else None


class EventArg(Expr):
    """`event`."""

    __slots__ = ("index",)

    def __init__(self, index: int) -> None:
        self.index = index

    def ev(self, s: State, f: Frame) -> Value:
        return f.event[self.index] if f.event is not None else None


class Target(Expr):
    """`target`."""

    __slots__ = ()

    def ev(self, s: State, f: Frame) -> Value:
        return f.target if f.target >= 0 else None


class Players(Expr):
    """`players`."""

    __slots__ = ()

    def ev(self, s: State, f: Frame) -> Value:
        return s.book.players_by_out(s.players, 0)


class Living(Expr):
    """`living`."""

    __slots__ = ()

    def ev(self, s: State, f: Frame) -> Value:
        return s.book.players_by_out(s.players, s.out)


class Dead(Expr):
    """`dead`."""

    __slots__ = ()

    def ev(self, s: State, f: Frame) -> Value:
        return s.book.players_by_out(s.players, ((1 << s.players) - 1) & ~s.out)


class Others(Expr):
    """`others`."""

    __slots__ = ()

    def ev(self, s: State, f: Frame) -> Value:
        you = f.you
        return s.book.players_by_out(s.players, s.out | 1 << you if you >= 0 else s.out)

    def of_player(self, s: State, player: int, slots: int) -> Value:
        return s.book.players_by_out(s.players, s.out | 1 << player)


class TurnOf(Expr):
    """`turn_of`."""

    __slots__ = ()

    def ev(self, s: State, f: Frame) -> Value:
        return s.turn


class TurnsOwed(Expr):
    """`turns_owed`."""

    __slots__ = ()

    def ev(self, s: State, f: Frame) -> Value:
        return s.owed


class Direction(Expr):
    """`direction`."""

    __slots__ = ()

    def ev(self, s: State, f: Frame) -> Value:
        return s.direction


class TurnEnded(Expr):
    """`turn_ended`."""

    __slots__ = ()

    def ev(self, s: State, f: Frame) -> Value:
        return s.turn_ended


class Winners(Expr):
    """`winners`."""

    __slots__ = ()

    def ev(self, s: State, f: Frame) -> Value:
        return s.winners


class Over(Expr):
    """`over`."""

    __slots__ = ()

    def ev(self, s: State, f: Frame) -> Value:
        return s.over


class Asked(Expr):
    """`asked`."""

    __slots__ = ()

    def ev(self, s: State, f: Frame) -> Value:
        return tuple(bits_list(s.ask_mask)) if s.ask != NO_ASK else ()


class ZoneOf(Expr):
    """A zone, as the index of its list. `owner` None: a shared zone."""

    __slots__ = ("definition", "owner", "per_player")

    def __init__(self, definition: int, owner: Expr | None, per_player: bool) -> None:
        self.definition = definition
        self.owner = owner
        self.per_player = per_player

    def ev(self, s: State, f: Frame) -> Value:
        base = s.seats.base[self.definition]
        if self.per_player:
            if self.owner is None:
                owner = f.you
            else:
                owner = self.owner.ev(s, f)
            if type(owner) is not int or not 0 <= owner < s.players:
                raise CardError(f"there is no player {owner}")
            return base + owner
        return base


class Cards(Expr):
    """The cards of a zone."""

    __slots__ = ("zone",)

    def __init__(self, zone: Expr) -> None:
        self.zone = zone

    def ev(self, s: State, f: Frame) -> Value:
        return s.zones[self.zone.ev(s, f)]


class PlayerAttr(Expr):
    """`pattr`."""

    __slots__ = ("index", "player")

    def __init__(self, index: int, player: Expr) -> None:
        self.index = index
        self.player = player

    def ev(self, s: State, f: Frame) -> Value:
        return s.player_attrs[self.index * s.players + member_of(s, self.player.ev(s, f))]


class CardAttr(Expr):
    """`cattr`."""

    __slots__ = ("index", "card", "unset")

    def __init__(self, index: int, card: Expr, unset: Value) -> None:
        self.index = index
        self.card = card
        self.unset = unset

    def ev(self, s: State, f: Frame) -> Value:
        card = self.card.ev(s, f)
        if card is None:
            raise CardError("a card's attribute is asked for, but there is no card")
        return s.card_attrs.get(card * len(s.book.card_attributes) + self.index, self.unset)


class GameAttr(Expr):
    """`gattr`."""

    __slots__ = ("index",)

    def __init__(self, index: int) -> None:
        self.index = index

    def ev(self, s: State, f: Frame) -> Value:
        return s.game_attrs[self.index]


class Field(Expr):
    """`field`."""

    __slots__ = ("name", "card")

    def __init__(self, name: str, card: Expr) -> None:
        self.name = name
        self.card = card

    def ev(self, s: State, f: Frame) -> Value:
        return kind_at(s, self.card.ev(s, f)).fields.get(self.name)


class ActField(Expr):
    """`act`."""

    __slots__ = ("field", "act")

    def __init__(self, field: str, act: Expr) -> None:
        self.field = field
        self.act = act

    def ev(self, s: State, f: Frame) -> Value:
        a = find_act(s, self.act.ev(s, f))
        field = self.field
        if field == "kind":
            return a.spec.name
        if field == "by":
            return a.by
        if field == "cards":
            return a.cards
        return a.n if field == "n" else card_of(a)


def card_of(a: Act) -> Value:
    """The card that an act is about."""
    if a.cards:
        return a.cards[-1]
    return a.vars[a.spec.card_param] if a.spec.card_param >= 0 else None


def arg_of(a: Act, name: str) -> Value:
    """What was announced under this name."""
    slot = a.spec.params.get(name)
    return None if slot is None else a.vars[slot]


class ActArg(Expr):
    """`actarg`."""

    __slots__ = ("name", "act")

    def __init__(self, name: str, act: Expr) -> None:
        self.name = name
        self.act = act

    def ev(self, s: State, f: Frame) -> Value:
        return arg_of(find_act(s, self.act.ev(s, f)), self.name)


class Id(Expr):
    """`id`."""

    __slots__ = ("card",)

    def __init__(self, card: Expr) -> None:
        self.card = card

    def ev(self, s: State, f: Frame) -> Value:
        card = self.card.ev(s, f)
        if card is None:
            raise CardError("the id of a card is asked for, but there is no card")
        return s.book.kinds[s.deal.kinds[card]].id


class Title(Expr):
    """`title`."""

    __slots__ = ("card",)

    def __init__(self, card: Expr) -> None:
        self.card = card

    def ev(self, s: State, f: Frame) -> Value:
        return heading_of(s, self.card.ev(s, f))


def heading_of(s: State, x: Value) -> str:
    """The title of a card or kind."""
    if isinstance(x, str):
        return kind_at(s, x).title
    if x is None:
        raise CardError("the title of a card is asked for, but there is no card")
    return s.book.kinds[s.deal.kinds[x]].title


class Variant(Expr):
    """`variant`."""

    __slots__ = ("card",)

    def __init__(self, card: Expr) -> None:
        self.card = card

    def ev(self, s: State, f: Frame) -> Value:
        return s.deal.variants[self.card.ev(s, f)] or None


class Owner(Expr):
    """`owner`."""

    __slots__ = ("card",)

    def __init__(self, card: Expr) -> None:
        self.card = card

    def ev(self, s: State, f: Frame) -> Value:
        card = self.card.ev(s, f)
        if card is None:
            return None
        owner = s.owner_of(card)
        return owner if owner >= 0 else None


class ZoneName(Expr):
    """`zone_of`."""

    __slots__ = ("card",)

    def __init__(self, card: Expr) -> None:
        self.card = card

    def ev(self, s: State, f: Frame) -> Value:
        card = self.card.ev(s, f)
        if card is None or s.where[card] < 0:
            return ""
        return s.book.zones[s.seats.definition[s.where[card]]].name


def has_tag(s: State, tag: str, kinds: frozenset[int], x: Value) -> bool:
    """Has the card or kind the tag? `kinds` are those that have it."""
    if x is None:
        return False
    if isinstance(x, str):
        return tag in kind_at(s, x).tags
    return s.kind_of(x) in kinds


class Tagged(Expr):
    """Has the card, kind or act the tag?"""

    __slots__ = ("tag", "what", "kinds", "is_act")

    def __init__(self, tag: str, what: Expr, kinds: frozenset[int], is_act: bool) -> None:
        self.tag = tag
        self.what = what
        self.kinds = kinds  # the kinds that have it
        self.is_act = is_act

    def ev(self, s: State, f: Frame) -> Value:
        x = self.what.ev(s, f)
        if x is None:
            return False
        if self.is_act:
            return self.tag in find_act(s, x).spec.tags
        if isinstance(x, str):
            return self.tag in kind_at(s, x).tags
        return s.kind_of(x) in self.kinds


class Marked(Expr):
    """Does the mark lie on the player or card?"""

    __slots__ = ("mark", "what", "on_player")

    def __init__(self, mark: Expr, what: Expr, on_player: bool) -> None:
        self.mark = mark
        self.what = what
        self.on_player = on_player

    def ev(self, s: State, f: Frame) -> Value:
        kind = kind_at(s, self.mark.ev(s, f))
        x = self.what.ev(s, f)
        if x is None:
            return False
        if not self.on_player:
            return kind.index in s.card_marks.get(x, ())
        if s.book.mark_zone < 0:
            return False
        for c in s.deal.cards_of(kind.index):
            if s.where[c] >= 0 and s.owner_of(c) == x:
                return True
        return False


class Kinds(Expr):
    """`can_play`."""

    __slots__ = ("ids",)

    def __init__(self, ids: tuple[str, ...]) -> None:
        self.ids = ids

    def ev(self, s: State, f: Frame) -> Value:
        return self.ids


class KindsWhere(Expr):
    """`kinds() where …` with a condition on what is printed: worked out once."""

    __slots__ = ("ids", "slot", "test", "found")

    def __init__(self, ids: tuple[str, ...], slot: int, test: Expr) -> None:
        self.ids = ids
        self.slot = slot
        self.test = test
        self.found: tuple[str, ...] | None = None

    def ev(self, s: State, f: Frame) -> Value:
        if self.found is None:
            kept: list[str] = []
            before = f.vars[self.slot]
            for id in self.ids:
                f.vars[self.slot] = id
                if self.test.ev(s, f):
                    kept.append(id)
            f.vars[self.slot] = before  # what is remembered or not must leave no trace in a frame
            self.found = tuple(kept)
        return self.found


class NextPlayer(Expr):
    """`next_player`."""

    __slots__ = ("player",)

    def __init__(self, player: Expr) -> None:
        self.player = player

    def ev(self, s: State, f: Frame) -> Value:
        return s.next_living(member_of(s, self.player.ev(s, f)))


class Ring(Expr):
    """`ring`."""

    __slots__ = ("player",)

    def __init__(self, player: Expr) -> None:
        self.player = player

    def ev(self, s: State, f: Frame) -> Value:
        return s.ring(member_of(s, self.player.ev(s, f)))


class Seats(Expr):
    """All players, the dead ones too, in the direction of play."""

    __slots__ = ("player",)

    def __init__(self, player: Expr) -> None:
        self.player = player

    def ev(self, s: State, f: Frame) -> Value:
        p = member_of(s, self.player.ev(s, f))
        return tuple([(p + s.direction * i) % s.players for i in range(s.players)])


class PlayerNumber(Expr):
    """`player`."""

    __slots__ = ("number",)

    def __init__(self, number: Expr) -> None:
        self.number = number

    def ev(self, s: State, f: Frame) -> Value:
        return member_of(s, self.number.ev(s, f))
