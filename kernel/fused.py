"""Expressions that games ask for all the time, each in one piece instead of a tree of pieces.

`fused` finds them in the compiled form. Each gives what the tree would give; the tests compare them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import compress
from typing import TYPE_CHECKING, Any, Final

from kernel.analysis import speaks_of
from kernel.core import Expr, Frame, Value
from kernel.errors import CardError
from kernel.expr import You
from kernel.lists import CountIf, Exists, Where
from kernel.model import Zone
from kernel.native import COMPILED
from kernel.state import Data as State

if TYPE_CHECKING:
    from kernel.native import i64

COUNT: Final = 0
ANY: Final = 1
EMPTY: Final = 2
SIZES: Final = {"count": COUNT, "any": ANY, "empty": EMPTY}

#: Nodes about one card (or kind) that depend on nothing but what is printed on it.
FACES: Final = {"id", "title", "field", "tagged", "variant"}


class SharedZone(Expr):
    """A zone that is nobody's."""

    __slots__ = ("definition",)

    def __init__(self, definition: int) -> None:
        self.definition = definition

    def ev(self, s: State, f: Frame) -> Value:
        return s.seats.base[self.definition]


class OwnZone(Expr):
    """Your zone."""

    __slots__ = ("definition",)

    def __init__(self, definition: int) -> None:
        self.definition = definition

    def ev(self, s: State, f: Frame) -> Value:
        you = f.you
        if you < 0:
            raise CardError(f"there is no player {you}")
        return s.seats.base[self.definition] + you


class SharedCards(Expr):
    """The cards of a zone that is nobody's."""

    __slots__ = ("definition",)

    def __init__(self, definition: int) -> None:
        self.definition = definition

    def ev(self, s: State, f: Frame) -> Value:
        return s.zones[s.seats.base[self.definition]]


class OwnCards(Expr):
    """The cards of your zone."""

    __slots__ = ("definition",)

    def __init__(self, definition: int) -> None:
        self.definition = definition

    def ev(self, s: State, f: Frame) -> Value:
        you = f.you
        if you < 0:
            raise CardError(f"there is no player {you}")
        return s.zones[s.seats.base[self.definition] + you]


class VarCards(Expr):
    """The cards of the zone of a player in a variable."""

    __slots__ = ("definition", "slot")

    def __init__(self, definition: int, slot: int) -> None:
        self.definition = definition
        self.slot = slot

    def ev(self, s: State, f: Frame) -> Value:
        owner = f.vars[self.slot]
        if type(owner) is not int or not 0 <= owner < s.players:
            raise CardError(f"there is no player {owner}")
        return s.zones[s.seats.base[self.definition] + owner]


def sized(size: int, how: int) -> Value:
    """So many; or whether there are any, or none. In one expression, compiled, the flags would become numbers."""
    if how == COUNT:
        return size
    return size > 0 if how == ANY else size == 0


class SharedSize(Expr):
    """How many cards lie in a zone that is nobody's; or whether any, or none."""

    __slots__ = ("definition", "how")

    def __init__(self, definition: int, how: int) -> None:
        self.definition = definition
        self.how = how

    def ev(self, s: State, f: Frame) -> Value:
        size = len(s.zones[s.seats.base[self.definition]])
        return sized(size, self.how)


class VarSize(Expr):
    """How many cards lie in the zone of a player in a variable; or whether any, or none."""

    __slots__ = ("definition", "slot", "how")

    def __init__(self, definition: int, slot: int, how: int) -> None:
        self.definition = definition
        self.slot = slot
        self.how = how

    def ev(self, s: State, f: Frame) -> Value:
        owner = f.vars[self.slot]
        if type(owner) is not int or not 0 <= owner < s.players:
            raise CardError(f"there is no player {owner}")
        size = len(s.zones[s.seats.base[self.definition] + owner])
        return sized(size, self.how)


class Alive(Expr):
    """Is the player among the living (or the dead)?"""

    __slots__ = ("player", "dead")

    def __init__(self, player: Expr, dead: bool) -> None:
        self.player = player
        self.dead = dead

    def ev(self, s: State, f: Frame) -> Value:
        if COMPILED and isinstance(self.player, You):
            you = f.you
            return 0 <= you < s.players and (s.out >> you & 1 != 0) == self.dead
        p = self.player.ev(s, f)
        if type(p) is not int or not 0 <= p < s.players:
            return False
        return bool(s.out >> p & 1) == self.dead


class LivingCount(Expr):
    """How many live."""

    __slots__ = ()

    def ev(self, s: State, f: Frame) -> Value:
        if COMPILED:
            living = s.players
            out = s.out
            while out:
                out &= out - 1
                living -= 1
            return living
        return s.players - s.out.bit_count()


def same_value(a: Value, b: Value) -> bool:
    """Are these words, numbers or flags equal? Fast when compiled."""
    if a is b:
        return True
    if isinstance(a, int) and isinstance(b, int):
        return a == b
    return bool(a == b)


class EqConst(Expr):
    """Is it (not) this word, number or flag?"""

    __slots__ = ("a", "value", "same")

    def __init__(self, a: Expr, value: Value, same: bool) -> None:
        self.a = a
        self.value = value
        self.same = same

    def ev(self, s: State, f: Frame) -> Value:
        if COMPILED:
            return same_value(self.a.ev(s, f), self.value) == self.same
        return (self.a.ev(s, f) == self.value) == self.same


class VarEqConst(Expr):
    """Is the variable (not) this word, number or flag?"""

    __slots__ = ("slot", "value", "same")

    def __init__(self, slot: int, value: Value, same: bool) -> None:
        self.slot = slot
        self.value = value
        self.same = same

    def ev(self, s: State, f: Frame) -> Value:
        if COMPILED:
            return same_value(f.vars[self.slot], self.value) == self.same
        return (f.vars[self.slot] == self.value) == self.same


class ConstIn(Expr):
    """Is this word, number or flag in the list?"""

    __slots__ = ("value", "a")

    def __init__(self, value: Value, a: Expr) -> None:
        self.value = value
        self.a = a

    def ev(self, s: State, f: Frame) -> Value:
        return self.value in self.a.ev(s, f)


class OneCard(Expr):
    """A list of one variable."""

    __slots__ = ("slot",)

    def __init__(self, slot: int) -> None:
        self.slot = slot

    def ev(self, s: State, f: Frame) -> Value:
        return (f.vars[self.slot],)


class WhereFace(Expr):
    """`where` with a condition on nothing but the faces of cards: looked at once for each face.

    `how`: the cards themselves (`KEEP`), or `COUNT`, `ANY`, `EMPTY` of them.
    """

    __slots__ = ("a", "slot", "test", "plain", "how", "by_kind", "fits", "uses", "printed", "memo", "sieves")

    def __init__(self, a: Expr, slot: int, test: Expr, plain: Expr, how: int, raw: Any) -> None:
        self.a = a
        self.slot = slot
        self.test = test
        self.plain = plain  # the same as a tree, for lists of other things than plain cards
        self.how = how
        # What the condition is for each kind, where it depends on nothing but the kind.
        self.by_kind: dict[int, bool] | None = {} if constant_face(raw, slot) else None
        self.fits: list[int] = []  # compiled, the same: 0 or 1, 2 where it is not known yet
        # Else the other variables it depends on (None: there is more), those of which only what is printed on the card
        # counts, and what it is for each face by their values and faces: cards have other numbers in each game.
        self.uses = variables_of(raw, slot)
        self.printed = frozenset(printed_in(raw)) - {slot}
        self.memo: dict[Value, dict[int, bool]] = {}
        self.sieves: dict[Value, list[int]] = {}  # the same, compiled

    def ev(self, s: State, f: Frame) -> Value:
        items = self.a.ev(s, f)
        if not items:
            return () if self.how == KEEP else sized(0, self.how)
        return self.among(s, f, items)

    def known(self, s: State, items: Sequence[int]) -> list[int] | None:
        """The cards for which it holds, where it depends on nothing but kinds looked at before; else None."""
        by_kind = self.by_kind
        if by_kind is None or s.aliases or (items and type(items[0]) is not int):
            return None
        try:
            return list(compress(items, map(by_kind.__getitem__, map(s.deal.kind_at, items))))
        except KeyError:
            return None

    def among(self, s: State, f: Frame, items: Sequence[Value]) -> Value:
        """The value for a list in which there is something."""
        if s.aliases or type(items[0]) is not int:
            return self.plain.ev(s, f)
        deal = s.deal
        by_kind = self.by_kind
        if COMPILED:
            if by_kind is not None:
                return self.sifted(s, f, items, deal.kinds, self.fits, deal.sorts)
            return self.sifted(s, f, items, deal.faces, self.sieve(s, f), len(deal.facing))
        if by_kind is not None:
            faces = deal.kinds
        else:
            faces = deal.faces
            by_kind = self.remembered(s, f)
        how = self.how
        face_at = deal.kind_at if faces is deal.kinds else deal.face_at
        try:
            return chosen(items, map(by_kind.__getitem__, map(face_at, items)), how)
        except KeyError:
            self.learn(s, f, items, faces, by_kind)
            return chosen(items, map(by_kind.__getitem__, map(face_at, items)), how)

    def learn(
        self, s: State, f: Frame, items: Sequence[Value], faces: tuple[int, ...], by_kind: dict[int, bool]
    ) -> None:
        """Work out the condition for all faces in the list."""
        test = self.test
        vars = f.vars
        slot = self.slot
        kept = vars[slot]
        for card in items:
            face = faces[card]
            if face not in by_kind:
                vars[slot] = card
                by_kind[face] = bool(test.ev(s, f))
        vars[slot] = kept  # what is remembered or not must leave no trace in a frame

    def sifted(
        self, s: State, f: Frame, items: Sequence[Value], faces: tuple[int, ...], fits: list[int], count: int
    ) -> Value:
        """What `chosen` gives, compiled. `fits`: the condition by face, 0 or 1, 2 where it is not known yet; `count`:
        so many faces there are."""
        if len(fits) < count:
            fits.extend([2] * (count - len(fits)))
        how = self.how
        found: list[Value] = []
        number = 0
        for card in tuple(items):
            at: i64 = card  # what goes into the list stays the object that it is
            face: i64 = faces[at]
            fit: i64 = fits[face]
            if fit == 2:
                self.try_out(s, f, items, faces, fits)
                fit = fits[face]
            if fit:
                if how == KEEP:
                    found.append(card)
                elif how == COUNT:
                    number += 1
                else:
                    return how == ANY
        if how == KEEP:
            return tuple(found)
        return sized(number, how)

    def try_out(self, s: State, f: Frame, items: Sequence[Value], faces: tuple[int, ...], fits: list[int]) -> None:
        """What `learn` does, compiled."""
        vars = f.vars
        slot = self.slot
        kept = vars[slot]
        for card in items:
            face = faces[card]
            if fits[face] == 2:
                vars[slot] = card
                fits[face] = 1 if self.test.ev(s, f) else 0
        vars[slot] = kept

    def sieve(self, s: State, f: Frame) -> list[int]:
        """What `remembered` gives, compiled: as `sifted` reads it."""
        key = self.variables(s, f)
        if key is None:
            return []
        found = self.sieves.get(key)
        if found is None:
            if len(self.sieves) >= MEMORY:
                self.sieves.clear()
            found = []
            self.sieves[key] = found
        return found

    def remembered(self, s: State, f: Frame) -> dict[int, bool]:
        """What is known of the condition for each face, where it depends on nothing but variables."""
        key = self.variables(s, f)
        if key is None:
            return {}
        found = self.memo.get(key)
        if found is None:
            if len(self.memo) >= MEMORY:
                self.memo.clear()
            found = {}
            self.memo[key] = found
        return found

    def variables(self, s: State, f: Frame) -> tuple[Value, ...] | None:
        """On what the condition depends besides the face; None where on more than variables."""
        if self.uses is None or s.deal.facing is not s.book.cards.facing:
            return None
        values = [f.vars[slot] for slot in self.uses]
        for slot in self.printed:
            card = f.vars[slot]
            if type(card) is int:
                if not 0 <= card < len(s.deal.faces):
                    return None
                card = s.deal.faces[card]
            values.append(card)
        return tuple(values)


def chosen(items: Sequence[Value], fits: Iterator[bool], how: int) -> Value:
    """Those items that fit; or how many they are; or whether there are any, or none."""
    if how == KEEP:
        return tuple(compress(items, fits))
    if how == COUNT:
        return sum(fits)
    return any(fits) == (how == ANY)


class WhoHold(Expr):
    """The players of a list in whose zone there is a card."""

    __slots__ = ("a", "definition")

    def __init__(self, a: Expr, definition: int) -> None:
        self.a = a
        self.definition = definition

    def ev(self, s: State, f: Frame) -> Value:
        if COMPILED:
            return self.holding(s, self.a.ev(s, f))
        zones = s.zones
        base = s.seats.base[self.definition]
        return tuple([p for p in self.a.ev(s, f) if zones[base + p]])

    def of_player(self, s: State, player: int, slots: int) -> Value:
        if COMPILED:
            return self.holding(s, self.a.of_player(s, player, slots))
        zones = s.zones
        base = s.seats.base[self.definition]
        return tuple([p for p in self.a.of_player(s, player, slots) if zones[base + p]])

    def holding(self, s: State, players: Sequence[int]) -> Value:
        """Which of these players hold a card, compiled."""
        zones = s.zones
        base = s.seats.base[self.definition]
        who: tuple[int, ...] = tuple(players)
        for p in who:
            if not zones[base + p]:
                return tuple([q for q in who if zones[base + q]])
        return who


KEEP: Final = 3
MEMORY: Final = 64
"""For how many values of the other variables a condition on faces is remembered."""
#: Nodes that depend on nothing but their parts.
MADE_OF_PARTS: Final = frozenset(
    ["and", "or", "not", "==", "!=", "<", "<=", ">", ">=", "if", "set?", "list", "in", "union", "join"]
)


def by_face(x: Any, slot: int) -> bool:
    """Does this condition ask nothing of the card in the slot but what is printed on it, and change with nothing else
    from card to card?"""
    if not isinstance(x, list) or not x:
        return True
    op = x[0]
    if op == "k":
        return True
    if op == "v":
        return bool(x[1] != slot)
    if op in FACES:
        of = x[2] if op in ("field", "tagged") else x[1]
        if op == "tagged" and (len(x) > 3 or of == ["target"]):
            return False
        return of == ["v", slot] or by_face(of, slot)
    if op in MADE_OF_PARTS:
        return all(by_face(y, slot) for y in x[1:])
    return bool(op in ("you", "players", "living", "dead", "turn_of", "turns_owed", "direction"))


def constant_face(x: Any, slot: int) -> bool:
    """… and does it depend on nothing but the kind?"""
    if not isinstance(x, list) or not x:
        return True
    op = x[0]
    if op == "k":
        return True
    if op == "v":
        return bool(x[1] == slot)
    if op in FACES and op != "variant":
        return bool((x[2] if op in ("field", "tagged") else x[1]) == ["v", slot])
    if op in MADE_OF_PARTS:
        return all(constant_face(y, slot) for y in x[1:])
    return False


def variables_of(x: Any, slot: int) -> tuple[int, ...] | None:
    """The variables besides the slot's on which such a condition depends; None where it depends on more."""
    if not isinstance(x, list) or not x or x[0] == "k":
        return ()
    op = x[0]
    if op == "v":
        return () if x[1] == slot else (int(x[1]),)
    if op in FACES and x[-1][0] == "v":
        return ()
    if op not in FACES and op not in MADE_OF_PARTS:
        return None
    found: set[int] = set()
    for y in x[1:]:
        part = variables_of(y, slot)
        if part is None:
            return None
        found.update(part)
    return tuple(sorted(found))


def printed_in(x: Any) -> list[int]:
    """The variables of whose card such a condition asks what is printed on it."""
    if not isinstance(x, list) or not x or x[0] == "k":
        return []
    if x[0] in FACES and x[-1][0] == "v":
        return [int(x[-1][1])]
    return [slot for y in x[1:] for slot in printed_in(y)]


def scalar(x: Any) -> bool:
    """Is it a constant that is no list?"""
    return isinstance(x, list) and len(x) == 2 and x[0] == "k" and not isinstance(x[1], list)


def fused(x: list[Any], zones: dict[str, Zone], lower: Callable[[Any], Expr]) -> Expr | None:
    """The piece for this node, if there is one. `lower` lowers a part of it."""
    op = x[0]
    if op == "zone":
        zone = zones[x[1]]
        if not zone.per_player:
            return SharedZone(zone.index)
        return OwnZone(zone.index) if x[2] is None or x[2] == ["you"] else None
    if op == "cards" and x[1][0] == "zone":
        return cards(x[1], zones)
    if op in SIZES:
        of = x[1]
        if of == ["living"] and op == "count":
            return LivingCount()
        if of[0] == "cards" and of[1][0] == "zone":
            zone = zones[of[1][1]]
            owner = of[1][2]
            if not zone.per_player:
                return SharedSize(zone.index, SIZES[op])
            if owner is not None and owner[0] == "v":
                return VarSize(zone.index, int(owner[1]), SIZES[op])
        return None
    if op == "not" and x[1][0] in ("any", "empty"):
        return fused(["empty" if x[1][0] == "any" else "any", x[1][1]], zones, lower)
    if op == "in":
        if x[2] == ["living"] or x[2] == ["dead"]:
            return Alive(lower(x[1]), x[2] == ["dead"])
        return ConstIn(x[1][1], lower(x[2])) if scalar(x[1]) else None
    if op in ("==", "!="):
        for a, b in ((x[1], x[2]), (x[2], x[1])):
            if scalar(b):
                if a[0] == "v":
                    return VarEqConst(int(a[1]), b[1], op == "==")
                return EqConst(lower(a), b[1], op == "==")
        return None
    if op == "list" and len(x) == 2 and x[1][0] == "v":
        return OneCard(int(x[1][1]))
    if op == "where" and x[3][0] == "any" and x[3][1][0] == "cards" and x[3][1][1][0] == "zone":
        zone = zones[x[3][1][1][1]]
        if zone.per_player and x[3][1][1][2] == ["v", x[2]]:
            return WhoHold(lower(x[1]), zone.index)
    if op in ("where", "exists", "countif") and by_face(x[3], x[2]) and speaks_of(x[3], x[2]):
        a, slot, test = lower(x[1]), int(x[2]), lower(x[3])
        if op == "where":
            return WhereFace(a, slot, test, Where(a, slot, test), KEEP, x[3])
        if op == "exists":
            return WhereFace(a, slot, test, Exists(a, slot, test, False), ANY, x[3])
        return WhereFace(a, slot, test, CountIf(a, slot, test), COUNT, x[3])
    return None


def cards(x: list[Any], zones: dict[str, Zone]) -> Expr | None:
    """The cards of a zone whose owner is plain to see."""
    zone = zones[x[1]]
    if not zone.per_player:
        return SharedCards(zone.index)
    owner = x[2]
    if owner is None or owner == ["you"]:
        return OwnCards(zone.index)
    return VarCards(zone.index, int(owner[1])) if owner[0] == "v" else None
