"""Is what was read from a save a state that this book could be in? What the types of its fields cannot say.

A save may be damaged, or made by somebody who means harm. Here the values of attributes are held against their
declared types, the frames of the machine's own programs against what those programs leave in them, and the acts
against the frames that carry them out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kernel.acts import RESOLVE_PC
from kernel.core import RESOLVING, Act, Frame, Value
from kernel.errors import EngineError
from kernel.knowledge import bits_list
from kernel.model import Attribute, Verb
from kernel.ops import Offer
from kernel.picks import Pick, open_pick
from kernel.state import ASK_MOVE, ASK_PICK, ASK_WINDOW, Data

LISTS: Final = {
    "players": "player",
    "cards": "card",
    "kinds": "kind",
    "words": "word",
    "numbers": "number",
    "flags": "flag",
}
PLAIN: Final = frozenset(LISTS.values())


def unsound(s: Data) -> str:
    """What makes this no state of its book, in words; "" if nothing is found."""
    return attributes_fault(s) or frames_fault(s) or question_fault(s)


def attributes_fault(s: Data) -> str:
    """An attribute that holds what it cannot."""
    book = s.book
    for a in book.game_attributes:
        if not may_hold(s, a, s.game_attrs[a.index]):
            return f"the attribute '{a.name}' holds no {a.type}"
    for a in book.player_attributes:
        for p in range(s.players):
            if not may_hold(s, a, s.player_attrs[a.index * s.players + p]):
                return f"the attribute '{a.name}' of player {p} holds no {a.type}"
    for key, value in s.card_attrs.items():
        a = book.card_attributes[key % max(1, len(book.card_attributes))]
        if value is not None and not is_a(s, a.type, value):
            return f"the attribute '{a.name}' of a card holds no {a.type}"
    return ""


def may_hold(s: Data, a: Attribute, value: Value) -> bool:
    """Whether an attribute may have this value: one of its type, or none."""
    return value is None or is_a(s, a.type, value)


def is_a(s: Data, type: str, value: Value) -> bool:
    """Whether a value is of a type."""
    inner = LISTS.get(type)
    if inner is not None:
        if not isinstance(value, tuple):
            return False
        for x in value:
            if not is_a(s, inner, x):
                return False
        return True
    if type == "flag":
        return isinstance(value, bool)
    if type in ("word", "kind"):
        return isinstance(value, str)
    if isinstance(value, bool) or not isinstance(value, int):
        return False
    if type == "player":
        return 0 <= value < s.players
    return type != "card" or 0 <= value < len(s.where)


def frames_fault(s: Data) -> str:
    """Frames that the machine could not have left so."""
    book = s.book
    carried: list[int] = []
    above: Frame | None = None
    for f in reversed(s.frames):
        if above is not None and above.prog is not book.leave_wrapper and stands_at_pick(f):
            return "a pick waits beneath something that does not settle it"
        above = f
    for f in s.frames:
        if f.prog is book.act_program or f.prog.finishes:
            carried.append(f.act)
        fault = own_fault(s, f)
        if fault:
            return fault
    if carried != [a.n for a in s.acts]:
        return "the acts are not those that are being carried out"
    carrying = [f for f in s.frames if f.prog is book.act_program or f.prog.finishes]
    for a, f in zip(s.acts, carrying, strict=True):
        if f.prog.finishes and (a.stage != RESOLVING or a.spec.program is not f.prog):
            return "an act is carried out that has not begun, or by the program of another"
    for a in s.acts:
        if a.n > s.act_count:
            return "an act has a number that was not given yet"
        if not fits_spec(s, a):
            return "an act was announced with cards that it does not take, or as what it is not"
        if not fits_choices(s, a):
            return "an act was announced with something that cannot be chosen"
    return ""


def fits_spec(s: Data, a: Act) -> bool:
    """Whether an act has as many cards as it takes, and is the play of the kind as which its card is played."""
    spec = a.spec
    if spec.kind >= 0:
        return len(a.cards) == 1 and a.alias in ("", s.book.ids[spec.kind])
    if a.alias:
        return False
    if spec.cards is None:
        return not a.cards
    return spec.cards.least <= len(a.cards) <= spec.cards.most and len(set(a.cards)) == len(a.cards)


def fits_choices(s: Data, a: Act) -> bool:
    """Whether what is announced with an act is of the types that it declares."""
    for choice in a.spec.choices:
        value = a.vars[choice.slot]
        if not may_be(s, choice.type, choice.optional, value):
            return False
    return a.spec.at != "verb" or fits_params(s, s.book.verb_by_name[a.spec.name], a.vars)


def fits_params(s: Data, verb: Verb, values: Sequence[Value]) -> bool:
    """Whether a verb can be called with these values."""
    return all(may_be(s, type, maybe, v) for (_, type, maybe), v in zip(verb.params, values, strict=False))


def may_be(s: Data, type: str, maybe: bool, value: Value) -> bool:
    """Whether something of this type can have this value, as far as that can be told."""
    if value is None:
        return maybe
    return (type not in PLAIN and type not in LISTS) or is_a(s, type, value)


def stands_at_pick(f: Frame) -> bool:
    """Whether a program waits for the answer to a pick: none of them lets anything else begin meanwhile."""
    return f.prog.index >= 0 and f.pc > 0 and isinstance(f.prog.ops[f.pc - 1], Pick)


def own_fault(s: Data, f: Frame) -> str:
    """What is wrong with a frame of one of the machine's own programs."""
    book = s.book
    v = f.vars
    if f.prog is book.verb_program or f.prog is book.event_program:
        if len(v) != 5 or not isinstance(v[1], tuple) or not isinstance(v[2], tuple) or not isinstance(v[4], tuple):
            return "a call has not the parts that a call has"
        if f.prog is book.verb_program:
            if not whole(v[0], 0, len(book.verbs) - 1) or len(v[1]) != len(book.verbs[v[0]].params):
                return "a call is of no verb, or has not its values"
            if not fits_params(s, book.verbs[v[0]], v[1]):
                return "a call has values that its verb cannot take"
        if not whole(v[3], 0, len(v[2])):
            return "a call is further than it can be"
        for x in v[2]:
            if not isinstance(x, tuple) or len(x) != 3 or not whole(x[0], 0, len(book.abilities) - 1):
                return "what listens to a call is no ability"
            if not whole(x[1], 0, len(s.where) - 1) or not whole(x[2], -1, s.players - 1):
                return "what listens to a call lies nowhere"
    elif f.prog is book.leave_wrapper:
        if len(v) != 2 or not whole(v[0], ASK_MOVE, ASK_PICK) or not whole(v[1], 0, (1 << s.players) - 1):
            return "what was asked when a player left is no question"
    elif f.prog is book.play_program:
        if len(v) < 7 or not whole(v[0], 0, len(s.where) - 1) or not whole(v[1], -1, len(book.specs) - 1):
            return "a card that is being played is none"
        if not isinstance(v[2], tuple) or (v[3] is not None and not isinstance(v[3], tuple)):
            return "what is announced with a card is no list"
        if v[1] >= 0 and len(v[2]) > len(book.specs[v[1]].choices):
            return "more is announced with a card than there is"
    return ""


def whole(value: Value, low: int, high: int) -> bool:
    """Whether a value is a whole number within bounds."""
    return type(value) is int and low <= value <= high


def question_fault(s: Data) -> str:
    """A question that stands where nothing is asked."""
    if s.over or not s.frames:
        return ""
    top = s.frames[-1]
    if s.ask == ASK_WINDOW:
        open = s.top_act is not None and top.prog is s.book.act_program and top.pc == RESOLVE_PC
        return "" if open else "a window is open without an act"
    if s.ask == ASK_MOVE:
        offered = top.pc > 0 and isinstance(top.prog.ops[top.pc - 1], Offer) and s.ask_mask.bit_count() == 1
        return "" if offered else "a move is asked for where none is offered"
    if s.ask != ASK_PICK:
        return ""
    try:
        op, f = open_pick(s)
    except EngineError:
        return "a pick is open where none is"
    if op.many:
        answers = f.vars[op.slot] if op.slot < len(f.vars) else None
        if not isinstance(answers, tuple) or len(answers) != s.players:
            return "the answers of several players are not one for each"
        for p in bits_list(s.ask_mask):
            if answers[p] is not None:
                return "somebody is asked who has answered"
    return ""
