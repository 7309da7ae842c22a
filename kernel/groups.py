"""Groups of cards: by a key they share, in a row, and the best choice of groups that have no card in common.

The functions are pure and work on small numbers; the expressions at the end bring them to programs. A group is a tuple
of cards, groups are a tuple of such. How many groups there can be grows fast with the cards, and the search for the
best choice among them faster: both have limits, which are the author's error to meet.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import comb

from kernel.core import Expr, Frame, Value
from kernel.errors import CardError
from kernel.state import Data as State

GROUPS = 2_000
"""The most groups that a list of all can hold."""
SIZES = 50_000
"""The most members that they can have together."""
STEPS = 20_000
"""The most situations that are looked at to find the best choice."""

Group = tuple[int, ...]
Groups = tuple[Group, ...]


def by_key(cards: Sequence[int], keys: Sequence[Value]) -> Groups:
    """The cards that share a key, for each key in the order in which they are first met. `keys`: one for each card."""
    found: dict[Value, list[int]] = {}
    for card, key in zip(cards, keys, strict=True):
        found.setdefault(key, []).append(card)
    return tuple([tuple(group) for group in found.values()])


def sets_of(cards: Sequence[int], keys: Sequence[Value], least: int) -> Groups:
    """Every choice of `least` or more cards that share a key; within a key the larger choices first."""
    least = max(least, 1)
    alike = [group for group in by_key(cards, keys) if len(group) >= least]
    count = 0
    size = 0
    for group in alike:
        for k in range(least, len(group) + 1):
            choices = comb(len(group), k)
            count += choices
            size += choices * k
            bound(count, size)
    found: list[Group] = []
    for group in alike:
        for k in range(len(group), least - 1, -1):
            found.extend(choices_of(group, k))
    return tuple(found)


def choices_of(group: Group, k: int) -> list[Group]:
    """Every choice of k cards of a group, in the order of the group."""
    picked = list(range(k))
    found = [tuple([group[i] for i in picked])]
    while True:
        at = k - 1
        while at >= 0 and picked[at] == len(group) - k + at:
            at -= 1
        if at < 0:
            return found
        picked[at] += 1
        for later in range(at + 1, k):
            picked[later] = picked[later - 1] + 1
        found.append(tuple([group[i] for i in picked]))


def runs_of(cards: Sequence[int], keys: Sequence[Value], ranks: Sequence[int], least: int) -> Groups:
    """Every run of `least` or more cards that share a key and whose ranks follow one another, lowest first; the longer
    runs first. Of cards with the same key and rank a run takes one."""
    least = max(least, 1)
    found: list[Group] = []
    count = 0
    size = 0
    table: dict[Value, dict[int, list[int]]] = {}
    for card, key, rank in zip(cards, keys, ranks, strict=True):
        table.setdefault(key, {}).setdefault(rank, []).append(card)
    for at in table.values():
        for first in sorted(at):
            runs: list[Group] = [()]
            rank = first
            while rank in at:
                count += len(runs) * len(at[rank])
                size += len(runs) * len(at[rank]) * (rank - first + 1)
                bound(count, size)
                runs = [(*run, card) for run in runs for card in at[rank]]
                rank += 1
                if rank - first >= least:
                    found.extend(runs)
    found.sort(key=shortness)
    return tuple(found)


def shortness(group: Group) -> int:
    """Sort key: longer groups first."""
    return -len(group)


def bound(count: int, size: int) -> None:
    """Refuse a list of all groups that nobody could go through."""
    if count > GROUPS or size > SIZES:
        raise CardError(f"these cards have more than {GROUPS} groups, or groups of too many cards", code="limit")


@lru_cache(maxsize=1024)
def best_choice(groups: Groups, values: tuple[int, ...]) -> Groups:
    """The groups, no two with a card in common, whose values come to the most. `values`: one for each group.

    What brings nothing is left out. Of choices that are equally good the one that takes more of what stands first.
    Raises CardError where the search is too long.
    """
    places: dict[int, int] = {}
    for group in groups:
        for card in group:
            places.setdefault(card, len(places))
    starting: dict[int, list[int]] = {}  # the groups by the lowest place of a card
    masks: list[int] = []
    for n, group in enumerate(groups):
        mask = 0
        for card in group:
            mask |= 1 << places[card]
        masks.append(mask)
        if mask and values[n] > 0:
            starting.setdefault((mask & -mask).bit_length() - 1, []).append(n)
    chosen = search(sorted(starting), [starting[p] for p in sorted(starting)], masks, values)
    return tuple([groups[n] for n in sorted(chosen)])


def search(firsts: list[int], starting: list[list[int]], masks: list[int], values: tuple[int, ...]) -> list[int]:
    """The best choice, from the last group's first card to the first: what is taken decides only what is still free.

    The states are (how many first cards are decided, which cards behind them are taken); each is solved once, with a
    stack of its own in place of recursion.
    """
    solved: dict[tuple[int, int], tuple[int, int]] = {}  # the best value, and the group taken there (-1: none)
    root = (0, 0)
    stack = [root]
    end = len(firsts)
    while stack:
        state = stack[-1]
        if state in solved:
            stack.pop()
            continue
        if len(solved) > STEPS:
            raise CardError("the best choice among so many groups takes too long to find", code="limit")
        at, used = state
        if at == end:
            solved[state] = (0, -1)
            stack.pop()
            continue
        further = [(n, after(firsts, at, used | masks[n])) for n in starting[at] if not used & masks[n]]
        further.append((-1, after(firsts, at, used)))
        waiting = [next for _, next in further if next not in solved]
        if waiting:
            stack.extend(waiting)
            continue
        best = (-1, -1)
        for n, next in further:
            value = solved[next][0] + (values[n] if n >= 0 else 0)
            if value > best[0]:
                best = (value, n)
        solved[state] = best
        stack.pop()
    found: list[int] = []
    state = root
    while state[0] < end:
        n = solved[state][1]
        if n >= 0:
            found.append(n)
        state = after(firsts, state[0], state[1] | (masks[n] if n >= 0 else 0))
    return found


def after(firsts: list[int], at: int, used: int) -> tuple[int, int]:
    """The state behind first card `at`: cards before the next first card matter no more."""
    at += 1
    if at == len(firsts):
        return at, 0
    return at, used >> firsts[at] << firsts[at]


# -- expressions -----------------------------------------------------------------------------------------------------


class ByKey(Expr):
    """`groups`."""

    __slots__ = ("cards", "keys")

    def __init__(self, cards: Expr, keys: Expr) -> None:
        self.cards = cards
        self.keys = keys

    def ev(self, s: State, f: Frame) -> Value:
        return by_key(self.cards.ev(s, f), self.keys.ev(s, f))


class Sets(Expr):
    """`sets`."""

    __slots__ = ("cards", "keys", "least")

    def __init__(self, cards: Expr, keys: Expr, least: Expr) -> None:
        self.cards = cards
        self.keys = keys
        self.least = least

    def ev(self, s: State, f: Frame) -> Value:
        return sets_of(self.cards.ev(s, f), self.keys.ev(s, f), self.least.ev(s, f))


class Runs(Expr):
    """`runs`."""

    __slots__ = ("cards", "keys", "ranks", "least")

    def __init__(self, cards: Expr, keys: Expr, ranks: Expr, least: Expr) -> None:
        self.cards = cards
        self.keys = keys
        self.ranks = ranks
        self.least = least

    def ev(self, s: State, f: Frame) -> Value:
        return runs_of(self.cards.ev(s, f), self.keys.ev(s, f), self.ranks.ev(s, f), self.least.ev(s, f))


class Disjoint(Expr):
    """`disjoint`. What each group brings is asked with the group in the slot."""

    __slots__ = ("groups", "slot", "value")

    def __init__(self, groups: Expr, slot: int, value: Expr) -> None:
        self.groups = groups
        self.slot = slot
        self.value = value

    def ev(self, s: State, f: Frame) -> Value:
        groups: Groups = tuple(self.groups.ev(s, f))
        if not groups:
            return ()
        values: list[int] = []
        for group in groups:
            f.vars[self.slot] = group
            values.append(self.value.ev(s, f))
        return best_choice(groups, tuple(values))


class Members(Expr):
    """`members`: the cards of all groups, each once."""

    __slots__ = ("groups",)

    def __init__(self, groups: Expr) -> None:
        self.groups = groups

    def ev(self, s: State, f: Frame) -> Value:
        return tuple(dict.fromkeys([card for group in self.groups.ev(s, f) for card in group]))
