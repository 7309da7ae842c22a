"""What is worked out once, when a book is loaded: who can answer which act, and what a card's kind alone decides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from kernel.actions import NO_IDS, ActGroup
from kernel.analysis import (
    UNKNOWN,
    about_act,
    closed,
    kinds_only,
    of_others,
    printed_only,
    printed_question,
    renamed,
    unchanging,
)
from kernel.cardsets import Class, KindSets, ListSets, key_list
from kernel.core import NO_ACT, NO_CARD, ActSpec, Bare, CardSpec, Choice, Expr, Frame, Short, Value
from kernel.errors import GameError
from kernel.lists import And, Not
from kernel.menu import Needs, grouped, need_of, plain, steady, steps_of
from kernel.model import DOUBTFUL, STEADY, UNSURE, VARIED, Kind, Plan
from kernel.state import Data, Deal

if TYPE_CHECKING:
    from kernel.book import Rulebook


def make_plans(book: Rulebook, raw: dict[int, Any], dead: set[str]) -> tuple[Plan, ...]:
    """For every act of the book, what could answer it. `raw`: the compiled form of plays and moves; `dead`: moves never
    made."""
    responders = [s for s in book.specs if s.at == "response" and (s.kind >= 0 or s.name not in dead)]
    raw_now = book.data.get("now")
    now_kinds = {k.index for k in book.kinds if any(s.at == "now" for s in k.answer_plays)}
    now_moves = any(s.at == "now" and s.kind < 0 and s.name not in dead for s in book.specs)
    borrowers = {k.index for k in book.kinds if k.plays_as is not None}
    # Books of thousands of cards have few different conditions: each is looked at once for each sort of act.
    alike: dict[str, list[ActSpec]] = {}
    for spec in responders:
        alike.setdefault(str(raw[spec.index]["to"]) if spec.to is not None else "", []).append(spec)
    named = (raw_now is not None and mentions_node(raw_now["expr"], "act")) or any(
        mentions_node(raw[s.index].get("to"), "act") for s in responders
    )
    plans: dict[tuple[frozenset[str], str], Plan] = {}
    found: list[Plan] = []
    for act in book.specs:
        sort = (act.tags, act.name if named else "")
        plan = plans.get(sort)
        if plan is not None:
            found.append(plan)
            continue
        plan = plans[sort] = Plan(len(plans))
        found.append(plan)
        tests: list[ActSpec] = []
        kinds = set(borrowers)
        for specs in alike.values():
            to = raw[specs[0].index]["to"] if specs[0].to is not None else None
            fits = True if to is None else about_act(to, act)
            if fits is not UNKNOWN and not fits:
                plan.never.update([spec.index for spec in specs])
                continue
            if fits is UNKNOWN:
                tests.append(specs[0])
            else:
                plan.always.update([spec.index for spec in specs])
                plan.everybody = True
            for spec in specs:
                if spec.kind >= 0:
                    kinds.add(spec.kind)
                else:
                    plan.moves = True
        if now_kinds or book.now_spec_exists:
            fits = True if raw_now is None else about_act(raw_now["expr"], act)
            if fits is UNKNOWN or fits:
                plan.now = True
                plan.ask_now = fits is UNKNOWN
                plan.everybody = plan.everybody or not plan.ask_now
                plan.moves = plan.moves or now_moves
                kinds |= now_kinds
        plan.tests = tuple(tests)
        plan.kinds = frozenset(kinds)
        plan.sought = tuple(sorted(kinds))
        plan.flags = [UNSURE if k in kinds else 0 for k in range(len(book.kinds))]
    return tuple(found)


def steady_answers(book: Rulebook, plan: Plan) -> None:
    """Find the kinds whose answers to such an act are always the same."""
    if plan.moves or len(book.answer_zones) != 1 or book.zones[book.answer_zones[0]].see == "none":
        return
    plan.zone = book.answer_zones[0]
    same: list[int] = []
    for k in sorted(plan.kinds):
        needs = answers_need(book, book.kinds[k], plan) if book.kinds[k].plays_as is None else None
        if needs:
            plan.varied[k] = steps_of(grouped(book, needs))
        elif needs is not None:
            same.append(k)
    numbers = {number for steps in plan.varied.values() for number, _, _ in steps}
    if len(numbers) == 1:
        plan.alone = numbers.pop()
    plan.steady = frozenset(same)
    for k in same:
        plan.flags[k] = STEADY
    for k in plan.varied:
        plan.flags[k] = VARIED
    for k in sorted(plan.kinds.difference(same, plan.varied)):
        found = doubtful_answers(book.kinds[k], plan)
        if found:
            plan.doubtful[k] = found
            plan.flags[k] = DOUBTFUL
    plan.known = frozenset([*same, *plan.varied, *plan.doubtful])


def doubtful_answers(kind: Kind, plan: Plan) -> tuple[ActSpec, ...]:
    """The answers of a card of this kind of which it must be asked whether they fit such an act; none where its answers
    depend on more."""
    if kind.plays_as is not None:
        return ()
    found: list[ActSpec] = []
    for spec in kind.answer_plays:
        if plan.zone not in spec.froms or spec.index in plan.never:
            continue
        if spec.at == "now" or spec.fixed is None:
            return ()
        if spec.index not in plan.always:
            found.append(spec)
    return tuple(found)


def answers_need(book: Rulebook, kind: Kind, plan: Plan) -> Needs | None:
    """The shared values on which the answers of a card of this kind to such an act depend; None where there is more."""
    needs: list[tuple[int, ...]] = []
    for spec in kind.answer_plays:
        if plan.zone not in spec.froms or spec.index in plan.never or (spec.at == "now" and not plan.now):
            continue
        always = not plan.ask_now if spec.at == "now" else spec.index in plan.always
        if not always or not steady(spec):
            return None
        if spec.fixed is None:
            needs.append(need_of(book, spec))
    return plain(needs)


def mentions_node(x: Any, op: str) -> bool:
    """Is there such a node in the expression?"""
    return isinstance(x, list) and bool(x) and (x[0] == op or any(mentions_node(y, op) for y in x[1:]))


def one_card(spec: ActSpec, kind: Kind, definition: int, options: list[Sequence[Value]]) -> ActGroup:
    """The plays of one card of a kind out of a zone, with these values of its choices."""
    one = ListSets([Class(kind.id, kind.id, kind.index, [])], [(0,)], True)
    return ActGroup(spec, "", False, KindSets(one, definition), tuple(options), NO_IDS * len(options))


class Preparation:
    """Fills in what of moves and plays depends on kinds alone, with a state in which card k is of kind k."""

    def __init__(self, book: Rulebook) -> None:
        self.book = book
        self.shared: list[Short] = []
        self.constant: list[bool] = []
        self.numbers: dict[str, int] = {}
        self.tests: dict[int, tuple[tuple[int, bool], ...]] = {}
        state = Data(book, book.players_min, book.seats[book.players_min], True, 0)
        size = len(book.kinds)
        state.deal = Deal(tuple(range(size)), size, ("",) * size)
        state.live = -1  # whatever could answer is looked for
        state.budget = 1_000_000
        self.state = state
        answers: dict[str, list[Any]] = {}
        for kind in book.data["kinds"]:
            for a in kind.get("while") or []:
                answers.setdefault(a["question"], []).append(a)
        self.printed = frozenset(
            [q["name"] for q in book.data["questions"] if printed_question(q, answers.get(q["name"], []))]
        )
        # An answer that speaks of `self` would depend on the card in whose course it is asked.
        self.asks = not any(mentions_node(q["default"], "self") for q in book.data["questions"])

    def spec(self, spec: ActSpec, raw: Any) -> None:
        """A play or a move, with its compiled form."""
        quick = not spec.dependent
        laid = spec.lay_zone >= 0 and self.book.zones[spec.lay_zone].per_player
        spec.unsteady = laid or not all(of_others(r["set"]) or unchanging(r["set"]) for r in raw.get("choose") or [])
        for choice, r in zip(spec.choices, raw.get("choose") or [], strict=True):
            self.choice(spec, choice, r)
            if choice.shared < 0:
                quick = False
        test = raw.get("if")
        if spec.condition is not None and closed(test) and (self.asks or not mentions_node(test, "ask")):
            spec.condition_shared = self.condition(test, spec.condition, spec.slots)
        cards = spec.cards
        if cards is not None:
            self.cards(cards, raw["cards"], spec.slots)
            if not cards.quick:
                quick = False
        spec.quick = quick
        if quick and not spec.choices and spec.condition is None and cards is None:
            if spec.kind < 0:
                spec.fixed = ActGroup(spec, "", False, None, (), ())
            elif len(spec.froms) == 1:
                spec.fixed = one_card(spec, self.book.kinds[spec.kind], spec.froms[0], [])

    def choice(self, spec: ActSpec, choice: Choice, raw: Any) -> None:
        """A choice whose set depends on nothing but who chooses is worked out once for all who use it."""
        if choice.type == "card" or choice.uses or not closed(raw["set"]):
            return
        if not self.asks and mentions_node(raw["set"], "ask"):
            return
        choice.shared = self.number(raw["set"], choice.set, spec.slots)

    def borrower(self, kind: Kind, test: Any) -> None:
        """A kind that is played as another, with the compiled form of its condition."""
        if kind.plays_as_if is not None and closed(test) and (self.asks or not mentions_node(test, "ask")):
            kind.plays_as_shared = self.number(test, kind.plays_as_if, kind.plays_as_slots)

    def condition(self, raw: Any, expr: Expr, slots: int) -> int:
        """The number of a condition; of what it is made, too, where that are conditions that all must hold, or not."""
        number = self.number(raw, expr, slots)
        if number not in self.tests:
            self.tests[number] = self.made_of(raw, expr, slots)
        return number

    def made_of(self, raw: Any, expr: Expr, slots: int) -> tuple[tuple[int, bool], ...]:
        """The conditions that all must hold, or not, for this one to hold."""
        if raw[0] == "and" and type(expr) is And:
            return self.made_of(raw[1], expr.a, slots) + self.made_of(raw[2], expr.b, slots)
        if raw[0] == "not" and type(expr) is Not:
            inner = self.made_of(raw[1], expr.a, slots)
            if len(inner) == 1:
                return ((inner[0][0], not inner[0][1]),)
        return ((self.number(raw, expr, slots), True),)

    def number(self, raw: Any, expr: Expr, slots: int) -> int:
        """The number of what is the same for all who use it at one moment."""
        text = repr(renamed(raw, {}))
        number = self.numbers.get(text)
        if number is None:
            number = len(self.shared)
            self.numbers[text] = number
            self.shared.append(Short(expr, expr.ev, Bare(expr, slots).ev, slots))
            self.constant.append(unchanging(raw))
        return number

    def cards(self, cards: CardSpec, raw: Any, slots: int) -> None:
        """Which kinds a move takes, and their keys."""
        book, state = self.book, self.state
        size = len(book.kinds)
        fr = Frame(book.nothing, [None] * slots, 0, NO_CARD, NO_ACT, None)
        key = cards.alike if cards.alike is not None else cards.unlike
        key_raw = raw.get("alike") or raw.get("unlike")
        state.where = [state.seats.base[cards.zone]] * size
        try:
            if cards.where is not None:
                if not printed_only(raw["where"][1], cards.where_slot, self.printed):
                    return
                cards.fits_by_kind = []
                for kind in range(size):
                    fr.vars[cards.where_slot] = kind
                    cards.fits_by_kind.append(bool(cards.where.ev(state, fr)))
            if key is not None:
                if not printed_only(key_raw[1], cards.key_slot, self.printed):
                    return
                cards.keys_by_kind = []
                for kind in range(size):
                    fr.vars[cards.key_slot] = kind
                    cards.keys_by_kind.append(key_list(key.ev(state, fr)))
                cards.keysets_by_kind = [frozenset(keys) for keys in cards.keys_by_kind]
        except (GameError, TypeError):
            cards.fits_by_kind = None
            cards.keys_by_kind = None
            cards.keysets_by_kind = None
            return
        if cards.condition is not None and not kinds_only(raw["if"], 0):
            return
        if book.zones[cards.zone].see == "none":
            return
        cards.quick = True
        if cards.alike is not None and cards.least == cards.most and cards.keys_by_kind is not None:
            fits = cards.fits_by_kind
            taken = [k for k in range(size) if not book.kinds[k].mark and (fits is None or fits[k])]
            keys = [cards.keys_by_kind[k] for k in taken]
            flat = {k[0] for k in keys if k}
            cards.one_kind = all(len(k) == 1 for k in keys) and len(flat) == len(keys)
            # Kinds that can stand in a set with another: those with several keys, and those whose only key is another's
            # only key too. Without one of them in hand each set is of one kind.
            lone = [k[0] for k in keys if len(k) == 1]
            cards.hubs = frozenset(
                [kind for kind, k in zip(taken, keys, strict=True) if len(k) != 1 or lone.count(k[0]) > 1]
            )
