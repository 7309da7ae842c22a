"""Lowering: the compiled form (lists of lists) becomes objects that run.

What is not well formed is refused here, once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from kernel import expr as E
from kernel import flow as F
from kernel import functions as N
from kernel import groups as G
from kernel import lists as L
from kernel import ops as O
from kernel.analysis import printed_only
from kernel.asking import Ask
from kernel.core import CHANCE, Expr, Op, Program, Value
from kernel.errors import RestoreError
from kernel.events import Proceed
from kernel.fused import fused
from kernel.machine import End
from kernel.model import Attribute, Kind, Question, Verb, Zone
from kernel.once import Once
from kernel.picks import CanPlay, Pick, PlayCard

MAX_NESTING: Final = 200


class Names:
    """What names of the compiled form mean while it is lowered."""

    def __init__(self) -> None:
        self.zones: dict[str, Zone] = {}
        self.game_attributes: dict[str, Attribute] = {}
        self.player_attributes: dict[str, Attribute] = {}
        self.card_attributes: dict[str, Attribute] = {}
        self.kinds: dict[str, Kind] = {}
        self.verbs: dict[str, Verb] = {}
        self.questions: dict[str, Question] = {}
        self.tagged: dict[str, frozenset[int]] = {}
        self.deck_kinds: tuple[str, ...] = ()


def bad(what: str, x: object) -> RestoreError:
    """A fault in the compiled form."""
    return RestoreError(f"the compiled form is broken: {what}: {str(x)[:120]}", "book")


def constant(v: Any) -> Value:
    """A constant of the compiled form as a value: lists become tuples."""
    if isinstance(v, list):
        return tuple([constant(x) for x in v])
    if v is None or isinstance(v, (bool, int, str)):
        return v
    raise bad("not a constant", v)


def may_be_list(x: Any) -> bool:
    """Can the value be a zone's own list, which changes when cards move?"""
    if not isinstance(x, list) or not x:
        return False
    if x[0] == "if":
        return may_be_list(x[2]) or may_be_list(x[3])
    return x[0] in ("cards", "ask", "and", "or", "index", "min", "max")


class Lowering:
    """Lowers the expressions and programs of one book."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.depth = 0
        self.here = -1  # the place of the operation that is being lowered
        self.simple: dict[str, type[Expr]] = {
            "you": E.You,
            "self": E.Self,
            "target": E.Target,
            "players": E.Players,
            "living": E.Living,
            "dead": E.Dead,
            "others": E.Others,
            "turn_of": E.TurnOf,
            "turns_owed": E.TurnsOwed,
            "direction": E.Direction,
            "turn_ended": E.TurnEnded,
            "winners": E.Winners,
            "over": E.Over,
            "asked": E.Asked,
        }
        self.unary: dict[str, Callable[[Expr], Expr]] = {
            "not": L.Not,
            "neg": L.Neg,
            "set?": L.IsSet,
            "count": L.Count,
            "any": L.AnyOf,
            "empty": L.Empty,
            "first": lambda a: L.First(a, False),
            "last": lambda a: L.First(a, True),
            "slots": N.Slots,
            "each": N.Each,
            "sum": N.Sum,
            "sorted": N.Sorted,
            "ids": N.Ids,
            "titles": N.Titles,
            "id": E.Id,
            "title": E.Title,
            "variant": E.Variant,
            "owner": E.Owner,
            "zone_of": E.ZoneName,
            "cards": E.Cards,
            "members": G.Members,
            "next_player": E.NextPlayer,
            "ring": E.Ring,
            "player": E.PlayerNumber,
            "seats": E.Seats,
        }
        self.binary: dict[str, Callable[[Expr, Expr], Expr]] = {
            "and": L.And,
            "or": L.Or,
            "==": L.Eq,
            "!=": L.Ne,
            "<": L.Lt,
            "<=": L.Le,
            ">": lambda a, b: L.Lt(b, a),
            ">=": lambda a, b: L.Le(b, a),
            "in": L.In,
            "+": L.Add,
            "-": L.Sub,
            "*": L.Mul,
            "/": lambda a, b: L.Div(a, b, False),
            "%": lambda a, b: L.Div(a, b, True),
            "union": L.Union,
            "minus": L.Minus,
            "index": L.Index,
            "top": lambda a, b: L.Top(a, b, False),
            "bottom": lambda a, b: L.Top(a, b, True),
            "range": N.Range,
            "groups": G.ByKey,
            "min": lambda a, b: N.Extreme(a, b, False),
            "max": lambda a, b: N.Extreme(a, b, True),
        }
        self.members: dict[str, Callable[[Expr, int, Expr], Expr]] = {
            "where": L.Where,
            "map": L.Map,
            "all": lambda a, i, e: L.Exists(a, i, e, True),
            "exists": lambda a, i, e: L.Exists(a, i, e, False),
            "countif": L.CountIf,
            "sumof": lambda a, i, e: L.Fold("sumof", a, i, e),
            "minof": lambda a, i, e: L.Fold("minof", a, i, e),
            "maxof": lambda a, i, e: L.Fold("maxof", a, i, e),
            "best": lambda a, i, e: L.Fold("best", a, i, e),
            "disjoint": G.Disjoint,
        }

    # -- expressions ---------------------------------------------------------------------------------------------------

    def expr(self, x: Any) -> Expr:
        """An expression of the compiled form."""
        if not isinstance(x, list) or not x or not isinstance(x[0], str):
            raise bad("not an expression", x)
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise bad("nested too deeply", x[0])
        try:
            return self.build(x)
        except (IndexError, TypeError, KeyError, ValueError) as error:
            raise bad(f"wrong arguments ({error})", x) from None
        finally:
            self.depth -= 1

    def build(self, x: list[Any]) -> Expr:
        """One node; arguments are lowered by `expr`."""
        op = x[0]
        names = self.names
        if op == "k":
            return E.Const(constant(x[1]))
        if op == "v":
            return E.Var(self.slot(x[1]))
        if op == "chance":
            return E.Const(CHANCE)
        if op == "where" and x[1] == ["kinds"] and printed_only(x[3], x[2]):
            return E.KindsWhere(self.names.deck_kinds, self.slot(x[2]), self.expr(x[3]))
        piece = fused(x, names.zones, self.expr)
        if piece is not None:
            return piece
        if op in self.simple:
            return self.simple[op]()
        if op in self.unary:
            return self.unary[op](self.expr(x[1]))
        if op in self.binary:
            return self.binary[op](self.expr(x[1]), self.expr(x[2]))
        if op in self.members:
            return self.members[op](self.expr(x[1]), self.slot(x[2]), self.expr(x[3]))
        if op == "once":
            return Once(self.slot(x[1]), self.expr(x[2]))
        if op == "event":
            return E.EventArg(self.slot(x[1]))
        if op == "zone":
            zone = names.zones[x[1]]
            return E.ZoneOf(zone.index, self.expr(x[2]) if x[2] is not None else None, zone.per_player)
        if op == "pattr":
            return E.PlayerAttr(names.player_attributes[x[1]].index, self.expr(x[2]))
        if op == "cattr":
            a = names.card_attributes[x[1]]
            return E.CardAttr(a.index, self.expr(x[2]), a.start)
        if op == "gattr":
            return E.GameAttr(names.game_attributes[x[1]].index)
        if op == "field":
            return E.Field(str(x[1]), self.expr(x[2]))
        if op == "act":
            if x[1] not in ("kind", "by", "card", "cards", "n"):
                raise bad("no field of acts", x[1])
            return E.ActField(x[1], self.expr(x[2]))
        if op == "actarg":
            return E.ActArg(str(x[1]), self.expr(x[2]))
        if op == "tagged":
            is_act = isinstance(x[2], list) and (x[2][0] in ("target",) or (len(x) > 3 and x[3] == "act"))
            return E.Tagged(str(x[1]), self.expr(x[2]), names.tagged.get(x[1], frozenset()), is_act)
        if op == "bears":
            return E.Marked(self.expr(x[1]), self.expr(x[2]), x[3] == "player")
        if op == "can_play":
            return CanPlay(self.expr(x[1]))
        if op == "kinds":
            return E.Kinds(names.deck_kinds)
        if op == "if":
            return L.IfElse(self.expr(x[1]), self.expr(x[2]), self.expr(x[3]))
        if op == "list":
            return L.ListOf(tuple([self.expr(e) for e in x[1:]]))
        if op == "sets":
            return G.Sets(self.expr(x[1]), self.expr(x[2]), self.expr(x[3]))
        if op == "runs":
            return G.Runs(self.expr(x[1]), self.expr(x[2]), self.expr(x[3]), self.expr(x[4]))
        if op == "join":
            return N.Join(tuple([self.expr(e) for e in x[1:]]))
        if op == "ask":
            question = names.questions[x[1]]
            args = tuple([self.expr(e) for e in x[2]])
            if len(args) != len(question.params):
                raise bad("wrong number of arguments", x)
            return Ask(question, args)
        raise bad("unknown expression", op)

    def optional(self, x: Any) -> Expr | None:
        """An expression or null."""
        return None if x is None else self.expr(x)

    def slot(self, x: Any) -> int:
        """A slot number."""
        if type(x) is not int or not 0 <= x < 10_000:
            raise bad("not a slot", x)
        return x

    # -- programs ------------------------------------------------------------------------------------------------------

    def program(self, x: Any, index: int, owner: str) -> Program:
        """A program of the compiled form."""
        try:
            program = Program(index, self.slot(x["slots"]), str(x.get("file") or ""), owner)
            size = len(x["ops"])
            for at, op in enumerate(x["ops"]):
                self.here = at
                program.ops.append(self.op(op, size))
            program.lines = [int(n) for n in x["lines"]]
            program.parts = [(int(p[0]), str(p[1]), str(p[2])) for p in x.get("parts") or ()]
        except (IndexError, TypeError, KeyError, ValueError, AttributeError) as error:
            raise bad(f"a program of {owner} ({error})", x) from None
        program.ops.append(End())
        F.link(program)
        return program

    def pc(self, x: Any, size: int, back: bool = False) -> int:
        """A place to go on at. Only jumps lead back: they are counted, so that nothing goes on without end."""
        if type(x) is not int or not (0 if back else self.here + 1) <= x <= size:
            raise bad("no place to jump to", x)
        return x

    def op(self, x: list[Any], size: int) -> Op:
        """One operation."""
        op = x[0]
        names = self.names
        if op == "let":
            value = self.expr(x[2])
            return (F.Let if may_be_list(x[2]) else F.LetPlain)(self.slot(x[1]), value)
        if op == "set":
            if x[1] not in ("turns_owed", "direction"):
                raise bad("cannot be set", x[1])
            return F.SetTurn(x[1] == "direction", self.expr(x[2]))
        if op == "set_game":
            return F.SetGame(names.game_attributes[x[1]].index, self.expr(x[2]))
        if op == "set_player":
            return F.SetPlayer(names.player_attributes[x[1]].index, self.expr(x[2]), self.expr(x[3]))
        if op == "set_card":
            return F.SetCard(names.card_attributes[x[1]].index, self.expr(x[2]), self.expr(x[3]))
        if op == "jump":
            return F.Jump(self.pc(x[1], size, True))
        if op == "unless":
            test = x[1]
            if isinstance(test, list) and test and test[0] == "not":
                return F.When(self.expr(test[1]), self.pc(x[2], size))
            return F.Unless(self.expr(test), self.pc(x[2], size))
        if op == "iter":
            return F.Iter(self.slot(x[1]), self.expr(x[2]))
        if op == "next":
            return F.Next(self.slot(x[1]), self.slot(x[2]), self.pc(x[3], size))
        if op == "pick":
            return self.pick(x[1], size)
        if op in ("call", "heard", "after"):
            verb = names.verbs[x[1]]
            if len(x[2]) != len(verb.params):
                raise bad("wrong number of arguments", x)
            given = tuple([self.optional(e) for e in x[2]])
            if op == "heard":
                return F.Heard(verb, given, self.pc(x[3], size))
            return F.After(verb, given) if op == "after" else F.Call(verb, given)
        if op == "stop":
            return F.Stop()
        if op == "proceed":
            args = None if len(x) < 2 or x[1] is None else tuple([self.optional(e) for e in x[1]])
            return Proceed(args)
        if op == "do":
            return self.kernel_verb(x[1], x[2])
        raise bad("unknown operation", op)

    def kernel_verb(self, verb: str, a: dict[str, Any]) -> Op:
        """A verb of the kernel with its labels."""
        e = {label: self.expr(v) for label, v in a.items() if v is not None}
        get = e.get
        if verb == "move":
            return O.Move(e[""], e["to"], get("at"), get("secret"), get("seen_by"))
        if verb == "shuffle":
            return O.Shuffle(e[""])
        if verb == "show":
            return O.Show(e[""], e["to"])
        if verb == "arrange":
            return O.Arrange(e[""], e["as"], get("secret"), get("seen_by"))
        if verb == "cancel":
            return O.Cancel(e[""])
        if verb in ("lay", "lift"):
            onto = a.get("onto") or ["k", "player"]
            return O.Lay(e[""], e["on"], onto[1] == "player", verb == "lift")
        if verb == "eliminate":
            return O.Eliminate(e[""])
        if verb == "revive":
            return O.Revive(e[""])
        if verb == "end_turn":
            return O.EndTurn(e[""], get("all"))
        if verb == "give_turns":
            return O.GiveTurns(e[""], e["to"])
        if verb == "next_turn":
            return O.NextTurn()
        if verb == "offer":
            return O.Offer(e[""])
        if verb == "end_game":
            return O.EndGame(e["winners"])
        if verb == "tell":
            return O.Tell(e[""], get("about"), get("to"))
        if verb == "play":
            return PlayCard(e[""])
        if verb == "refuse":
            return O.Refuse(e[""])
        raise bad("unknown verb of the kernel", verb)

    def pick(self, a: dict[str, Any], size: int) -> Pick:
        """A pick."""
        p = Pick(self.slot(a["slot"]), self.expr(a["from"]), self.slot(a["it"]), self.expr(a["by"]), str(a["type"]))
        p.many = bool(a.get("many"))
        p.chance = bool(a.get("chance"))
        p.least = self.optional(a.get("min"))
        p.most = self.optional(a.get("max"))
        p.list = bool(a.get("list"))
        p.order = bool(a.get("order"))
        p.secret = bool(a.get("secret"))
        p.unseen = self.optional(a.get("unseen"))
        p.plain = p.type == "card" and not p.list and p.unseen is None
        p.otherwise = self.optional(a.get("or"))
        p.ask = str(a.get("ask") or "")
        if a.get("end") is not None:
            p.end_pc = self.pc(a["end"], size)
        return p
