"""Which actions are legal: plays of cards, moves, answers, and the values of what they announce.

What depends on more than the kinds of cards in a zone is worked out here each time; `kernel.quick` spares the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kernel.actions import NOTHING_LEGAL, PASS_GROUP, ActGroup, Group, LegalSet
from kernel.cardsets import BagSets, CardSets, Class, classes_of, sets_for
from kernel.core import NO_ACT, NO_CARD, ActSpec, Choice, Frame, Value
from kernel.expr import find_act
from kernel.faces import hiding, sights
from kernel.state import ASK_MOVE, ASK_PICK, ASK_WINDOW
from kernel.state import Data as State


def legal_for(s: State, player: int) -> LegalSet:
    """What this player may do now, worked out from the beginning."""
    if s.over or not 0 <= player < s.players or s.left >> player & 1:
        return NOTHING_LEGAL
    asked = bool(s.ask_mask >> player & 1)
    if s.ask == ASK_PICK:
        return LegalSet([s.book.pick_group(s, player)]) if asked else NOTHING_LEGAL
    groups: list[Group] = []
    if s.ask == ASK_WINDOW:
        if not asked:
            return NOTHING_LEGAL
        groups.append(PASS_GROUP)
        answers(s, player, groups, s.top().n)
    elif s.ask == ASK_MOVE:
        if asked:
            moves(s, player, groups)
        elif not s.book.now_spec_exists or not s.book.can_act_mask(s) >> player & 1:
            return NOTHING_LEGAL
        else:
            answers(s, player, groups, NO_ACT)
    return LegalSet(groups)


def own_classes(s: State, player: int, definition: int) -> list[Class]:
    """The cards of the player's zone (or a shared zone) that the player sees, by what can be told apart."""
    cards: Sequence[int] = s.zones[s.zone_index(definition, player)]
    if s.book.zones[definition].see == "none" or (s.live & s.book.hiding and hiding(s, player)):
        bit = 1 << player
        cards = [c for c, seen in zip(cards, sights(s, cards), strict=True) if seen & bit]
    return classes_of(s, cards)


def moves(s: State, player: int, groups: list[Group]) -> None:
    """Everything a player may do on turn."""
    book = s.book
    seen: dict[int, list[Class]] = {}
    for spec in book.turn_moves:
        add_move(s, player, groups, spec, NO_ACT, seen)
    for spec in book.answer_moves:
        if spec.at == "now":
            add_move(s, player, groups, spec, NO_ACT, seen)
    for definition in book.play_zones:
        for cl in classes_in(s, player, definition, seen):
            kind = book.kinds[cl.kind]
            for spec in kind.turn_plays:
                if definition in spec.froms:
                    add_play(s, player, groups, spec, cl, "", False, NO_ACT)
            if kind.plays_as is not None:
                add_borrowed(s, player, groups, cl, NO_ACT, True)
            if book.now_spec_exists:
                for spec in kind.answer_plays:
                    if spec.at == "now" and definition in spec.froms:
                        add_play(s, player, groups, spec, cl, "", False, NO_ACT)


def answers(s: State, player: int, groups: list[Group], target: int) -> None:
    """Responses to the act on top, and NOW cards."""
    book = s.book
    now_fits = book.now_spec_exists and now_fits_act(s, player, target)
    seen: dict[int, list[Class]] = {}
    for spec in book.answer_moves:
        if spec.at == "now":
            if now_fits:
                add_move(s, player, groups, spec, NO_ACT, seen)
        elif target >= 0 and fits(s, player, spec, target):
            add_move(s, player, groups, spec, target, seen)
    for definition in book.answer_zones:
        for cl in classes_in(s, player, definition, seen):
            kind = book.kinds[cl.kind]
            for spec in kind.answer_plays:
                if definition not in spec.froms:
                    continue
                if spec.at == "now":
                    if now_fits:
                        add_play(s, player, groups, spec, cl, "", False, NO_ACT)
                elif target >= 0 and fits(s, player, spec, target):
                    add_play(s, player, groups, spec, cl, "", False, target)
            if kind.plays_as is not None:
                add_borrowed(s, player, groups, cl, target, False)


def now_fits_act(s: State, player: int, target: int) -> bool:
    """May NOW cards answer this act, for this player? Between actions (no act) they may."""
    now = s.book.now
    if target < 0 or now is None:
        return True
    fr = Frame(s.book.nothing, [None] * s.book.now_slots, player, NO_CARD, NO_ACT, None)
    fr.target = target
    return bool(now.ev(s, fr))


def fits(s: State, player: int, spec: ActSpec, target: int) -> bool:
    """Does the response's `to` hold for the act?"""
    if target >= 0:
        plan = find_act(s, target).spec.plan
        if spec.index in plan.always:
            return True
        if spec.index in plan.never:
            return False
    if spec.to is None:
        return True
    fr = Frame(s.book.nothing, [None] * spec.slots, player, NO_CARD, NO_ACT, None)
    fr.target = target
    return bool(spec.to.ev(s, fr))


def add_borrowed(s: State, player: int, groups: list[Group], cl: Class, target: int, on_move: bool) -> None:
    """Plays of a card that is played as a card of another kind."""
    book = s.book
    kind = book.kinds[cl.kind]
    assert kind.plays_as is not None
    fr = Frame(book.nothing, [None] * kind.plays_as_slots, player, cl.members[0], NO_ACT, None)
    fr.target = target
    if kind.plays_as_if is not None and not kind.plays_as_if.ev(s, fr):
        return
    for id in dict.fromkeys(kind.plays_as.ev(s, fr)):
        other = book.kind_by_id[id]
        for spec in other.plays:
            if spec.at == "turn":
                if on_move:
                    add_play(s, player, groups, spec, cl, id, kind.plays_as_ask, NO_ACT)
            elif spec.at == "now":
                if on_move or now_fits_act(s, player, target):
                    add_play(s, player, groups, spec, cl, id, kind.plays_as_ask, NO_ACT)
            elif not on_move and target >= 0 and fits(s, player, spec, target):
                add_play(s, player, groups, spec, cl, id, kind.plays_as_ask, target)


def add_play(
    s: State, player: int, groups: list[Group], spec: ActSpec, cl: Class, alias: str, ask_alias: bool, target: int
) -> None:
    """The plays of one card (of its class), if its conditions hold."""
    if spec.condition is None and not spec.choices:
        groups.append(ActGroup(spec, alias, ask_alias, BagSets([cl], 1, 1), (), ()))
        return
    fr = Frame(s.book.nothing, [None] * spec.slots, player, cl.members[0], NO_ACT, None)
    fr.target = target
    if spec.condition is not None and not spec.condition.ev(s, fr):
        return
    add_choices(s, groups, spec, alias, ask_alias, BagSets([cl], 1, 1), fr, 0, [])


def classes_in(s: State, player: int, definition: int, seen: dict[int, list[Class]]) -> list[Class]:
    """The classes of a zone, made once for all that is looked at in one go."""
    found = seen.get(definition)
    if found is None:
        found = own_classes(s, player, definition)
        seen[definition] = found
    return found


def add_move(
    s: State, player: int, groups: list[Group], spec: ActSpec, target: int, seen: dict[int, list[Class]]
) -> None:
    """Every form of one move."""
    fr = Frame(s.book.nothing, [None] * spec.slots, player, NO_CARD, NO_ACT, None)
    fr.target = target
    if spec.condition is not None and not spec.condition.ev(s, fr):
        return
    if spec.cards is None:
        add_choices(s, groups, spec, "", False, None, fr, 0, [])
        return
    sets = sets_for(s, spec.cards, classes_in(s, player, spec.cards.zone, seen), fr)
    if not len(sets):
        return
    if any(-1 in c.uses for c in spec.choices):
        for i in range(len(sets)):
            one = sets.only(i)
            fr.vars[0] = one.get(0)
            add_choices(s, groups, spec, "", False, one, fr, 0, [])
        return
    add_choices(s, groups, spec, "", False, sets, fr, 0, [])


NONE_ONLY: Final[tuple[Value, ...]] = (None,)


def add_choices(
    s: State,
    groups: list[Group],
    spec: ActSpec,
    alias: str,
    ask_alias: bool,
    sets: CardSets | None,
    fr: Frame,
    at: int,
    options: list[Sequence[Value]],
) -> None:
    """Evaluate the sets of the choices; one that later choices use is split into its values."""
    choices = spec.choices
    while at < len(choices):
        choice = choices[at]
        values: Sequence[Value] = distinct(s, choice, choice.set.ev(s, fr))
        if not values:
            if not choice.optional:
                return
            values = NONE_ONLY
        at += 1
        if spec.dependent and any(at - 1 in c.uses for c in choices[at:]):
            for v in values:
                fr.vars[choice.slot] = v
                add_choices(s, groups, spec, alias, ask_alias, sets, fr, at, [*options, (v,)])
            return
        options = [*options, values]
    ids = [
        [s.book.kinds[s.deal.kinds[v]].id if v is not None else "" for v in values] if c.type == "card" else None
        for c, values in zip(choices, options, strict=True)
    ]
    groups.append(ActGroup(spec, alias, ask_alias, sets, tuple(options), tuple(ids)))


def distinct(s: State, choice: Choice, values: Sequence[Value]) -> Sequence[Value]:
    """The values without doubles; of cards that cannot be told apart, one."""
    if choice.type == "card":
        return [c.members[0] for c in classes_of(s, values)]
    return tuple(values)
