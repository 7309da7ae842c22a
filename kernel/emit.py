"""Expressions as Python source: one function for each kind of node, which writes what its `ev` does.

What has none is worked out the plain way. `test`: only whether the value is true matters.
"""

from __future__ import annotations

from typing import Final

from kernel import asking as A
from kernel import expr as E
from kernel import functions as N
from kernel import fused as U
from kernel import lists as L
from kernel.core import Expr
from kernel.errors import CardError
from kernel.model import Question
from kernel.writer import Emitter, Line, Writer

#: Nodes whose value is a zone's own list, which changes when cards move.
LISTS: Final = (U.SharedCards, U.OwnCards, U.VarCards, E.Cards)
#: Nodes whose value is never a list but a number, a word, a flag or none.
SINGLE: Final = (
    *(E.You, E.Self, E.Target, E.TurnOf, E.TurnsOwed, E.Direction, E.TurnEnded, E.Over, E.Id, E.Title, E.Variant),
    *(E.Owner, E.ZoneName, E.ZoneOf, E.Tagged, E.Marked, E.NextPlayer, E.PlayerNumber),
    *(L.Not, L.Eq, L.Ne, L.Lt, L.Le, L.In, L.IsSet, L.Add, L.Sub, L.Mul, L.Div, L.Neg, L.Exists, L.CountIf),
    *(L.Count, L.AnyOf, L.Empty, N.Sum, N.Join),
    *(U.SharedZone, U.OwnZone, U.SharedSize, U.VarSize, U.Alive, U.LivingCount, U.EqConst, U.VarEqConst, U.ConstIn),
)
#: Nodes whose value is always a tuple.
TUPLES: Final = (
    *(E.Players, E.Living, E.Dead, E.Others, E.Ring, E.Seats, U.OneCard, U.WhoHold),
    *(L.Union, L.Minus, L.ListOf, L.Where, L.Map, L.Top, N.Slots, N.Range, N.Each, N.Sorted, N.Ids, N.Titles),
)


def no_player(player: object) -> int:
    """The error where a zone's owner is asked for and there is none."""
    raise CardError(f"there is no player {player}")


def no_id() -> str:
    """The error where the id of no card is asked for."""
    raise CardError("the id of a card is asked for, but there is no card")


def no_attribute() -> object:
    """The error where an attribute of no card is asked for."""
    raise CardError("a card's attribute is asked for, but there is no card")


def may_be_list(e: Expr) -> bool:
    """Can the value be a list and no tuple?"""
    if isinstance(e, L.IfElse):
        return may_be_list(e.a) or may_be_list(e.b)
    if type(e) is U.WhereFace:
        return False
    return not isinstance(e, SINGLE) and not isinstance(e, TUPLES) and type(e) is not E.Const


def sized(e: Expr) -> bool:
    """Is the value surely a list, so that it is true where anything is in it?"""
    return isinstance(e, LISTS) or isinstance(e, TUPLES)


def kept(w: Writer, e: Expr) -> str:
    """A value that stays as it is when cards move: a zone's own list becomes a tuple."""
    text = w.ev(e)
    if isinstance(e, LISTS):
        return f"tuple({text})"
    if not may_be_list(e):
        return text
    t, first = w.named(text)
    return f"(tuple({t}) if type({first}) is list else {t})"


# -- the frame and the state -------------------------------------------------------------------------------------------


def const(w: Writer, e: E.Const, test: bool) -> str:
    return w.literal(e.value)


def var(w: Writer, e: E.Var, test: bool) -> str:
    return w.var(e.slot)


def you(w: Writer, e: E.You, test: bool) -> str:
    return w.you


def self_(w: Writer, e: E.Self, test: bool) -> str:
    if w.card == "-1":
        return "None"
    return f"({w.card} if {w.card} >= 0 else None)" if w.card == "_card" else w.card


def event_arg(w: Writer, e: E.EventArg, test: bool) -> str:
    if not w.frame:
        return "None"
    return f"(f.event[{e.index}] if f.event is not None else None)"


def target(w: Writer, e: E.Target, test: bool) -> str:
    return "(f.target if f.target >= 0 else None)" if w.frame else "None"


def players(w: Writer, e: E.Players, test: bool) -> str:
    return players_but(w, "0")


def living(w: Writer, e: E.Living, test: bool) -> str:
    return players_but(w, "s.out")


def dead(w: Writer, e: E.Dead, test: bool) -> str:
    return f"({players_but(w, '((1 << _players) - 1) & ~s.out')} if s.out else ())"


def others(w: Writer, e: E.Others, test: bool) -> str:
    return players_but(w, f"s.out | 1 << {w.you} if {w.you} >= 0 else s.out")


def players_but(w: Writer, bits: str) -> str:
    """The players that are not among these bits."""
    return f"(s.seats.rest.get({bits}) or {w.bind(w.players_of)}(_players, {bits}))"


def attribute(name: str) -> Emitter:
    """Nodes that are an attribute of the state."""
    return lambda w, e, test: f"s.{name}"


def game_attr(w: Writer, e: E.GameAttr, test: bool) -> str:
    return f"s.game_attrs[{e.index}]"


def player_attr(w: Writer, e: E.PlayerAttr, test: bool) -> str:
    return f"s.player_attrs[{e.index} * _players + {member(w, e.player)}]"


def card_attr(w: Writer, e: E.CardAttr, test: bool) -> str:
    first, card = w.name(e.card)
    width = len(w.book.card_attributes)
    unset = w.literal(e.unset)
    return f"(s.card_attrs.get({card} * {width} + {e.index}, {unset}) if {first} is not None else no_attribute())"


# -- players and zones -------------------------------------------------------------------------------------------------


def is_player(w: Writer, name: str) -> bool:
    """Has it been looked at already whether this is a player? From here on it has been."""
    if name in w.known.players:
        return True
    if name == w.you or (name[0] == "v" and name[1:].isdigit()):
        w.known.players.add(name)
    return False


def member(w: Writer, e: Expr) -> str:
    """A player's number, checked."""
    if type(e) is E.TurnOf:
        return "s.turn"
    first, p = w.name(e)
    if is_player(w, p):
        return p
    if p == w.you:
        return f"({p} if 0 <= {p} < _players else member_of(s, {p}))"
    return f"({p} if type({first}) is int and 0 <= {p} < _players else member_of(s, {p}))"


def zone_at(w: Writer, definition: int, e: Expr) -> str:
    """The index of a player's zone."""
    first, p = w.name(e)
    if is_player(w, p):
        return f"_base[{definition}] + {p}"
    return f"(_base[{definition}] + {p} if type({first}) is int and 0 <= {p} < _players else no_player({p}))"


def own(w: Writer, definition: int) -> str:
    """The index of your zone."""
    if is_player(w, w.you):
        return f"_base[{definition}] + {w.you}"
    return f"(_base[{definition}] + {w.you} if {w.you} >= 0 else no_player({w.you}))"


def shared_zone(w: Writer, e: U.SharedZone, test: bool) -> str:
    return f"_base[{e.definition}]"


def own_zone(w: Writer, e: U.OwnZone, test: bool) -> str:
    return closed(own(w, e.definition))


def zone_of(w: Writer, e: E.ZoneOf, test: bool) -> str:
    if not e.per_player:
        return f"_base[{e.definition}]"
    return closed(zone_at(w, e.definition, YOU if e.owner is None else e.owner))


def closed(text: str) -> str:
    """In brackets, if it is not already."""
    return text if text[0] == "(" else f"({text})"


def shared_cards(w: Writer, e: U.SharedCards, test: bool) -> str:
    return f"_zones[_base[{e.definition}]]"


def own_cards(w: Writer, e: U.OwnCards, test: bool) -> str:
    return f"_zones[{own(w, e.definition)}]"


def var_cards(w: Writer, e: U.VarCards, test: bool) -> str:
    return f"_zones[{zone_at(w, e.definition, E.Var(e.slot))}]"


def cards(w: Writer, e: E.Cards, test: bool) -> str:
    return f"_zones[{w.ev(e.zone)}]"


def size(text: str, how: int, test: bool) -> str:
    """How many are in this list, or whether any, or none."""
    if how == U.COUNT:
        return f"len({text})"
    if how == U.EMPTY:
        return f"(not {text})"
    return text if test else f"(len({text}) > 0)"


def shared_size(w: Writer, e: U.SharedSize, test: bool) -> str:
    return size(f"_zones[_base[{e.definition}]]", e.how, test)


def var_size(w: Writer, e: U.VarSize, test: bool) -> str:
    return size(f"_zones[{zone_at(w, e.definition, E.Var(e.slot))}]", e.how, test)


def alive(w: Writer, e: U.Alive, test: bool) -> str:
    first, p = w.name(e.player)
    dies = "" if e.dead else "not "
    state = f"{dies}s.out >> {p} & 1" if test or not e.dead else f"s.out >> {p} & 1 == 1"
    if p in w.known.players:
        return f"({state})"
    if p == w.you:
        return f"(0 <= {p} < _players and {state})"
    return f"(type({first}) is int and 0 <= {p} < _players and {state})"


def living_count(w: Writer, e: U.LivingCount, test: bool) -> str:
    return "(_players - s.out.bit_count())"


def next_player(w: Writer, e: E.NextPlayer, test: bool) -> str:
    return f"s.next_living({member(w, e.player)})"


def ring(w: Writer, e: E.Ring, test: bool) -> str:
    return f"s.ring({member(w, e.player)})"


def player_number(w: Writer, e: E.PlayerNumber, test: bool) -> str:
    return member(w, e.number)


def kinds_of(w: Writer, e: Expr, slot: int) -> frozenset[int] | None:
    """The kinds of cards of which the condition holds for a card in the slot; None where that cannot be told."""
    everything = frozenset(range(len(w.book.kinds)))
    if type(e) is E.Tagged:
        about = type(e.what) is E.Var and e.what.slot == slot and not e.is_act
        return e.kinds if about else None
    if type(e) is L.Not:
        a = kinds_of(w, e.a, slot)
        return None if a is None else everything - a
    if type(e) is L.And or type(e) is L.Or:
        a, b = kinds_of(w, e.a, slot), kinds_of(w, e.b, slot)
        if a is None or b is None:
            return None
        return a & b if type(e) is L.And else a | b
    return None


def where_face(w: Writer, e: U.WhereFace, test: bool) -> str:
    if e.by_kind is None:
        if e.how != U.KEEP:
            return w.plain(e)
        first, items = w.name(e.a)
        return f"({w.bind(e)}.among(s, {w.framed(e.test, e.plain)}, {items}) if {first} else ())"
    first, items = w.name(e.a)
    node = w.bind(e)
    printed = kinds_of(w, e.test, e.slot) if isinstance(e.a, LISTS) else None
    if printed is not None:
        if w.known.spared and first != items:
            items = w.settled(first)
        kinds = w.bind(printed)
        value = f"{kinds}.isdisjoint(map(s.deal.kind_at, {items}))"
        if e.how == U.ANY:
            value = f"(not {value})"
        elif e.how != U.EMPTY:
            value = f"map({kinds}.__contains__, map(s.deal.kind_at, {items}))"
            value = f"sum({value})" if e.how == U.COUNT else f"tuple(compress({items}, {value}))"
        if w.known.spared:  # where cards count as other kinds no act is played so
            return value
        usual = "not s.aliases" if first == items else f"{first} is not None and not s.aliases"
        return f"({value} if {usual} else {node}.among(s, {w.framed(e.test, e.plain)}, {items}))"
    found = w.temp()
    rest = f"{node}.among(s, {w.framed(e.test, e.plain)}, {items})"
    if e.how == U.KEEP:
        value = f"tuple({found})"
    elif e.how == U.COUNT:
        value = f"len({found})"
    else:
        value = f"(not {found})" if e.how == U.EMPTY else found if test else f"(len({found}) > 0)"
    return f"({value} if ({found} := {node}.known(s, {first})) is not None else {rest})"


def who_hold(w: Writer, e: U.WhoHold, test: bool) -> str:
    if w.too_deep():
        return w.plain(e)
    found, p = w.temp(), w.temp()
    source = w.ev(e.a)
    w.put(f"{found} = []")
    append = Line(f"{found}.append({p})", w.pc)
    w.put(f"for {p} in {source}:", [Line(f"if _zones[_base[{e.definition}] + {p}]:", w.pc, [append])])
    return f"tuple({found})"


# -- cards and acts ----------------------------------------------------------------------------------------------------


def field(w: Writer, e: E.Field, test: bool) -> str:
    first, x = w.name(e.card)
    table = w.bind(tuple([kind.fields.get(e.name) for kind in w.book.kinds]))
    rest = f"kind_at(s, {x}).fields.get({w.bind(e.name)})"
    return f"({table}[_kinds[{x}]] if type({first}) is int and not s.aliases else {rest})"


def title(w: Writer, e: E.Title, test: bool) -> str:
    first, x = w.name(e.card)
    table = w.bind(tuple([kind.title for kind in w.book.kinds]))
    return f"({table}[_kinds[{x}]] if type({first}) is int else heading_of(s, {x}))"


def zone_name(w: Writer, e: E.ZoneName, test: bool) -> str:
    first, x = w.name(e.card)
    table = w.bind(tuple([zone.name for zone in w.book.zones]))
    return f"({table}[_zone[_where[{x}]]] if {first} is not None and _where[{x}] >= 0 else {w.bind('')})"


def act_field(w: Writer, e: E.ActField, test: bool) -> str:
    name = {"kind": "spec.name", "by": "by", "cards": "cards", "n": "n"}.get(e.field)
    n = w.settled(w.ev(e.act))
    t = w.temp()
    act = f"({t} if ({t} := s.top_act) is not None and {t}.n == {n} else find_act(s, {n}))"
    return f"card_of({act})" if name is None else f"{act}.{name}"


def act_arg(w: Writer, e: E.ActArg, test: bool) -> str:
    n = w.settled(w.ev(e.act))
    t = w.temp()
    return f"arg_of(({t} if ({t} := s.top_act) is not None and {t}.n == {n} else find_act(s, {n})), {w.bind(e.name)})"


def id_(w: Writer, e: E.Id, test: bool) -> str:
    first, card = w.name(e.card)
    return f"({w.bind(w.book.ids)}[_kinds[{card}]] if {first} is not None else no_id())"


def variant(w: Writer, e: E.Variant, test: bool) -> str:
    return f"(s.deal.variants[{w.ev(e.card)}] or None)"


def owner(w: Writer, e: E.Owner, test: bool) -> str:
    first, card = w.name(e.card)
    t = w.temp()
    return f"(None if {first} is None else {t} if ({t} := s.owner_of({card})) >= 0 else None)"


def tagged(w: Writer, e: E.Tagged, test: bool) -> str:
    first, x = w.name(e.what)
    if e.is_act:
        return f"({first} is not None and {w.bind(e.tag)} in find_act(s, {x}).spec.tags)"
    return (
        f"(_kinds[{x}] in {w.bind(e.kinds)} if type({first}) is int and not s.aliases"
        f" else has_tag(s, {w.bind(e.tag)}, {w.bind(e.kinds)}, {x}))"
    )


def ask(w: Writer, e: A.Ask, test: bool) -> str:
    q = e.question
    args = w.all(*e.args)
    usual = A.usual(q)
    if w.outer or usual is None:
        return f"{w.bind(q)}.woven({', '.join(['s', w.you, w.card, *args])})"
    t = w.temp()
    rare, answer, value = uncommon(w, q, args, usual)
    w.put(f"if {rare}:", [Line(f"{t} = {answer}", w.pc)])
    w.put("else:", [Line("s.budget -= 1", w.pc), Line(f"{t} = {w.literal(value)}", w.pc)])
    return t


def uncommon(w: Writer, q: Question, args: list[str], usual: A.Usual) -> tuple[str, str, object]:
    """When a question is not answered as it usually is, what is done then, and the usual answer."""
    value, same, kinds = usual
    args = [w.settled(text) for text in args]
    rare = "s.budget <= 0"
    if same >= 0:
        x = args[same]
        rare = f"type({x}) is not int or _kinds[{x}] in {w.bind(kinds)} or s.aliases or s.budget <= 0"
    elif q.answers:
        rare = f"s.live & {q.live} or s.budget <= 0"
    return rare, f"{w.bind(q)}.woven({', '.join(['s', w.you, w.card, *args])})", value


def unless_rare(w: Writer, e: A.Ask) -> tuple[str, str, object] | None:
    """The same for the node, if it has a usual answer."""
    usual = A.usual(e.question)
    return None if usual is None else uncommon(w, e.question, w.all(*e.args), usual)


YOU: Final = E.You()

GAME: Final[dict[type[Expr], Emitter]] = {
    E.Const: const,
    E.Var: var,
    E.You: you,
    E.Self: self_,
    E.EventArg: event_arg,
    E.Target: target,
    E.Players: players,
    E.Living: living,
    E.Dead: dead,
    E.Others: others,
    E.TurnOf: attribute("turn"),
    E.TurnsOwed: attribute("owed"),
    E.Direction: attribute("direction"),
    E.TurnEnded: attribute("turn_ended"),
    E.Winners: attribute("winners"),
    E.Over: attribute("over"),
    E.GameAttr: game_attr,
    E.PlayerAttr: player_attr,
    E.CardAttr: card_attr,
    E.ZoneOf: zone_of,
    E.Cards: cards,
    E.Field: field,
    E.ActField: act_field,
    E.ActArg: act_arg,
    E.Id: id_,
    E.Title: title,
    E.ZoneName: zone_name,
    E.Variant: variant,
    E.Owner: owner,
    E.Tagged: tagged,
    E.NextPlayer: next_player,
    E.Ring: ring,
    E.PlayerNumber: player_number,
    A.Ask: ask,
    U.SharedZone: shared_zone,
    U.OwnZone: own_zone,
    U.SharedCards: shared_cards,
    U.OwnCards: own_cards,
    U.VarCards: var_cards,
    U.SharedSize: shared_size,
    U.VarSize: var_size,
    U.Alive: alive,
    U.LivingCount: living_count,
    U.WhereFace: where_face,
    U.WhoHold: who_hold,
}
