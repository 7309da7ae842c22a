"""Questions of a game, answered by their default and by cards."""

from __future__ import annotations

from typing import Final

from kernel.core import MANY, UNSET, Expr, Frame, Value
from kernel.errors import CardError
from kernel.expr import Const, TurnOf, Var, You
from kernel.faces import answer_frame, gives, holders, owns
from kernel.model import Question
from kernel.native import COMPILED
from kernel.state import Data as State

PLAIN: Final = (Const, Var, You, TurnOf)


class Ask(Expr):
    """A question, answered by its default and by the cards that answer it now."""

    __slots__ = ("question", "args", "plain", "same", "value", "answering")

    def __init__(self, question: Question, args: tuple[Expr, ...]) -> None:
        self.question = question
        self.args = args
        self.plain = all(type(a) in PLAIN for a in args)  # working them out cannot fail
        # Compiled, what `usual` says, once it was asked for: the parameter, the value, and by kind whether it answers.
        self.same = UNASKED
        self.value: Value = None
        self.answering: list[bool] = []

    def ev(self, s: State, f: Frame) -> Value:
        if COMPILED and self.plain and self.unanswered(s, f):
            s.budget -= 1
            if s.budget < 0:
                raise no_end(self.question)
            return self.value
        question = self.question
        if question.lone and self.plain and not s.live & question.live:
            s.budget -= 1
            if s.budget < 0:
                raise no_end(question)
            assert isinstance(question.default, Const)
            return question.default.value
        args = [a.ev(s, f) for a in self.args]
        return answer(s, question, args, f.you, f.card)

    def unanswered(self, s: State, f: Frame) -> bool:
        """Does no card answer, as one look at the kind of one card tells?"""
        same = self.same
        if same == UNASKED:
            found = usual(self.question)
            same = NOT_USUAL
            if found is not None and (found[1] >= 0 or not self.question.answers):
                self.value, same, kinds = found
                self.answering = [kind.index in kinds for kind in s.book.kinds]
            self.same = same
        if same < 0:
            return same == NO_ANSWERS
        card = self.args[same].ev(s, f)
        if not isinstance(card, int) or s.aliases or not 0 <= card < len(s.where):
            return False
        return not self.answering[s.deal.kinds[card]]


#: Of a call of a question: nobody answers it ever; it is not so simple; it was not asked yet.
NO_ANSWERS: Final = -1
NOT_USUAL: Final = -2
UNASKED: Final = -3
FLAGS: Final = ("any", "all")


def answer(s: State, q: Question, args: list[Value], you: int, card: int) -> Value:
    """What a question is answered by its default and the cards."""
    woven = q.woven
    return joined(s, q, args, you, card) if woven is None else woven(s, you, card, *args)


def no_end(q: Question) -> CardError:
    """The error where questions ask each other for too long."""
    return CardError(f"the question '{q.name}' does not come to an end", code="limit")


def joined(s: State, q: Question, args: list[Value], you: int, card: int) -> Value:
    """Join the default and the cards' answers as the question says."""
    default = q.default
    assert default is not None
    s.budget -= 1
    if s.budget < 0:
        raise no_end(q)
    answers = q.answers
    if not answers:
        if type(default) is Const:
            return default.value
        return default_of(s, q, args, you, card)
    join = q.join
    given: list[Value] = []
    if not s.live & q.live:
        answers = ()
    for a in answers:
        if not s.live & a.live:
            continue
        if not s.aliases and not (a.mark and s.card_marks):
            if a.same_you >= 0 and not owns(s, a, args[a.same_you]):
                continue
        if a.same >= 0 and not a.mark and not gives(s, a, args[a.same]):
            continue
        for holder, owner in holders(s, a):
            if a.same >= 0 and holder != args[a.same]:
                continue
            fr = answer_frame(s, a, holder, owner)
            for i, value in enumerate(args):
                fr.vars[i] = value
            if a.condition is None or a.condition.ev(s, fr):
                value = a.value.ev(s, fr)
                if join == "any" and value:
                    return True
                if join == "all" and not value:
                    return False
                if join == "first":
                    return value
                given.append(value)
    if q.base or not given:
        if type(default) is Const:
            value = default.value
        else:
            value = default_of(s, q, args, you, card)
        if not given:
            return alone(q, value)
        given.append(value)
    return together(q, given)


def default_of(s: State, q: Question, args: list[Value], you: int, card: int) -> Value:
    """What the question answers by itself."""
    if COMPILED and q.slots < MANY:
        vars = UNSET[: q.slots]
        at = 0
        for arg in args:
            vars[at] = arg
            at += 1
    else:
        vars = args + [None] * (q.slots - len(args))
    assert q.default is not None
    return q.default.ev(s, Frame(s.book.nothing, vars, you, card, -1, None))


def alone(q: Question, value: Value) -> Value:
    """The answer where no card gives one."""
    return tuple(dict.fromkeys(value)) if q.join == "union" else bool(value) if q.join in FLAGS else value


def together(q: Question, given: list[Value]) -> Value:
    """All that was answered as one."""
    join = q.join
    if join == "any":
        return any(given)
    if join == "all":
        return all(given)
    if join == "sum":
        return sum(given)
    if join == "min":
        return min(given)
    if join == "max":
        return max(given)
    if join == "union":
        return tuple(dict.fromkeys(x for part in given for x in part))
    return given[0]


FEW_ANSWERS: Final = 3  # of a question that is not about one card: so many kinds are looked for before it is asked
#: A value, a parameter (or -1) and kinds.
Usual = tuple[Value, int, frozenset[int]]


def usual(q: Question) -> Usual | None:
    """What is answered if no card answers, the parameter (or -1) that says which card could, and of which kinds it is
    or, where no parameter says so, cards are.

    None where it is not that simple.
    """
    default = q.default
    if type(default) is not Const:
        return None
    value = default.value
    if not q.answers:
        return value, -1, frozenset()
    same = q.answers[0].same
    if same < 0:
        few = len(q.answers) <= FEW_ANSWERS
        return (alone(q, value), -1, frozenset([a.kind for a in q.answers])) if few else None
    if any(a.mark or a.same != same for a in q.answers):
        return None
    return alone(q, value), same, frozenset([a.kind for a in q.answers])
