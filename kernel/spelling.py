"""Spelling an action with the ids of an `ActionTable`: which may come next, and which action it is in the end.

Each group of legal actions is a tree of ids that is never built: the branches below a point are worked out when it is
reached. A spelling follows all groups at once, for as long as what was spelt fits them.
"""

from __future__ import annotations

from typing import Final

from kernel.actions import ActGroup, Action, Group, LegalSet, PickGroup
from kernel.cardsets import BagSets, CardSets, Class, KindSets, UnlikeSets
from kernel.counting import combination_rank, combinations
from kernel.errors import IllegalAction, InvalidAction
from kernel.game import State
from kernel.picks import open_pick
from kernel.state import ASK_PICK
from kernel.tokens import DIGITS, DONE, PASS, RANDOM, WHICH, ActionTable

#: A point in a group's tree: how far, which things of a list, which values of choices.
Path = tuple[int, tuple[int, ...], tuple[int, ...]]
Branch = tuple[int, Path]

HEAD: Final = 0
CARDS: Final = 1
ALIAS: Final = 2
CHOICES: Final = 3
END: Final = 4

START: Final[Path] = (HEAD, (), ())


class Steps:
    """The tree of one group. This one: a group of one action that has a word of its own."""

    __slots__ = ("group",)

    def __init__(self, group: Group) -> None:
        self.group = group

    def after(self, path: Path) -> list[Branch]:
        """The branches at a point; none where an action is complete."""
        return [(PASS, (END, (), ()))] if path[0] == HEAD else []

    def index(self, path: Path) -> int:
        """Which action of the group a complete path is."""
        return 0

    def path(self, i: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """What the complete path of action i lists and chooses."""
        return (), ()


class Bags:
    """Bags out of classes as lists in ascending order of their classes, so that each bag has one spelling."""

    __slots__ = ("counts", "least", "most", "sizes", "known", "unlike", "key")

    def __init__(self, sets: CardSets) -> None:
        inner = sets.inner if isinstance(sets, KindSets) else sets
        self.unlike: UnlikeSets | None = None
        self.key: list[int] = []  # of unlike cards: the group in which each class is
        self.counts: tuple[int, ...] = ()
        self.least = 0
        self.most = 0
        self.sizes: list[int] = []
        self.known: dict[tuple[int, ...], int] | None = None
        if isinstance(inner, BagSets):
            self.bounded(inner.counts, inner.least, inner.least + len(inner.sizes) - 1)
        elif isinstance(inner, UnlikeSets):
            self.unlike = inner
            self.key = [0] * len(inner.classes)
            for g, members in enumerate(inner.groups):
                for c in members:
                    self.key[c] = g
        else:
            self.known = {tuple(sorted(inner.bag(i))): i for i in range(len(inner))}

    def bounded(self, counts: tuple[int, ...], least: int, most: int) -> None:
        """All bags of `least` to `most` things."""
        self.counts = counts
        self.least = least
        self.most = most
        self.sizes = [combinations(counts, k) for k in range(least, most + 1)]

    def next(self, bag: tuple[int, ...]) -> tuple[list[int], bool]:
        """The classes that may follow, and whether the bag may end here."""
        if self.unlike is not None:
            return self.next_unlike(self.unlike.k, bag)
        if self.known is None:
            return next_in_bag(self.counts, self.least, self.most, bag)
        n = len(bag)
        found = sorted({b[n] for b in self.known if len(b) > n and b[:n] == bag})
        return found, bag in self.known

    def next_unlike(self, k: int, bag: tuple[int, ...]) -> tuple[list[int], bool]:
        """The same where the k things must be of different groups."""
        missing = k - len(bag)
        used = {self.key[c] for c in bag}
        left: set[int] = set()  # groups from which something can still come
        found: list[int] = []
        for c in range(len(self.key) - 1, bag[-1] if bag else -1, -1):
            if self.key[c] not in used:
                # Behind this one, other groups must be left for what is missing then.
                if missing and len(left - {self.key[c]}) >= missing - 1:
                    found.append(c)
                left.add(self.key[c])
        return found[::-1], missing == 0

    def rank(self, bag: tuple[int, ...]) -> int:
        """The index of a bag."""
        if self.unlike is not None:
            return rank_unlike(self.unlike, {self.key[c]: c for c in bag})
        return self.known[bag] if self.known is not None else rank_bag(self.counts, self.least, self.sizes, bag)


def rank_unlike(sets: UnlikeSets, chosen: dict[int, int]) -> int:
    """The index of a bag of unlike things, given by group: the inverse of `UnlikeSets.bag`."""
    at = 0
    j = sets.k
    for g, members in enumerate(sets.groups):
        if j == 0:
            break
        rest = sets.counts_from[g + 1][j - 1]
        if g in chosen:
            at += members.index(chosen[g]) * rest
            j -= 1
        else:
            at += len(members) * rest
    return at


def next_in_bag(counts: tuple[int, ...], least: int, most: int, bag: tuple[int, ...]) -> tuple[list[int], bool]:
    """The classes that may follow in a bag, and whether it may end here."""
    n = len(bag)
    found: list[int] = []
    if n < most:
        first = bag[-1] if bag else 0
        left = sum(counts[first:]) - bag.count(first)
        for c in range(first, len(counts)):
            free = counts[c] - (bag.count(c) if c == first else 0)
            if free and n + left >= least:
                found.append(c)
            left -= free
    return found, n >= least


def rank_bag(counts: tuple[int, ...], least: int, sizes: list[int], bag: tuple[int, ...]) -> int:
    """The index of a bag among all bags: the inverse of `kernel.counting.combination`, size by size."""
    return sum(sizes[: len(bag) - least]) + combination_rank(counts, bag)


class ActSteps(Steps):
    """Move or play, its cards one by one, the kind it is played as, then what it announces."""

    __slots__ = ("table", "sets", "bags", "one_card", "ask_alias", "alias", "head", "options", "types")

    def __init__(self, table: ActionTable, group: ActGroup) -> None:
        super().__init__(group)
        spec = group.spec
        self.table = table
        self.sets = group.sets
        self.bags: Bags | None = None
        self.one_card = spec.kind >= 0 or (spec.cards is not None and spec.cards.least == spec.cards.most == 1)
        self.ask_alias = group.ask_alias
        self.alias = group.alias
        self.head = spec.text
        self.options = group.options
        self.types = [(c.type, ids) for c, ids in zip(spec.choices, group.ids, strict=True)]

    def after(self, path: Path) -> list[Branch]:
        at, cards, chosen = path
        if at == HEAD:
            if self.sets is None:
                return [(self.table.of_head(self.head, ""), self.on(CHOICES, (), ()))]
            if self.one_card:
                classes = self.sets.classes
                return [
                    (self.table.of_head(self.head, classes[self.sets.bag(i)[0]].id), self.on(ALIAS, (i,), ()))
                    for i in range(len(self.sets))
                ]
            return [(self.table.of_head(self.head, ""), (CARDS, (), ()))]
        if at == CARDS:
            return self.card(cards)
        if at == ALIAS:
            return [(self.table.of_kind(self.alias), self.on(CHOICES, cards, ()))]
        if at == CHOICES:
            n = len(chosen)
            type, ids = self.types[n]
            return [
                (
                    self.table.of_kind(ids[i])
                    if ids is not None and value is not None
                    else self.table.of_value(value, type),
                    self.on(CHOICES, cards, (*chosen, i)),
                )
                for i, value in enumerate(self.options[n])
            ]
        return []

    def on(self, at: int, cards: tuple[int, ...], chosen: tuple[int, ...]) -> Path:
        """The point, or the next one where there is something to say."""
        if at == ALIAS and not self.ask_alias:
            at = CHOICES
        if at == CHOICES and len(chosen) == len(self.options):
            at = END
        return at, cards, chosen

    def card(self, bag: tuple[int, ...]) -> list[Branch]:
        """The branches where the next card is named."""
        assert self.sets is not None
        if self.bags is None:
            self.bags = Bags(self.sets)
        found, may_end = self.bags.next(bag)
        if may_end and not found:
            return self.after(self.on(ALIAS, bag, ()))
        classes = self.sets.classes
        branches = [(class_id(self.table, classes[c]), self.full((*bag, c))) for c in found]
        if may_end:
            branches.insert(0, (DONE, self.on(ALIAS, bag, ())))
        return branches

    def full(self, bag: tuple[int, ...]) -> Path:
        """The point behind a card: where no card can follow, the list ends by itself."""
        assert self.bags is not None
        found, _ = self.bags.next(bag)
        return (CARDS, bag, ()) if found else self.on(ALIAS, bag, ())

    def index(self, path: Path) -> int:
        _, cards, chosen = path
        i = 0
        if self.sets is not None:
            i = cards[0] if self.one_card else self.bag_index(cards)
        for values, k in zip(self.options, chosen, strict=True):
            i = i * len(values) + k
        return i

    def bag_index(self, bag: tuple[int, ...]) -> int:
        """The index of the set of cards."""
        assert self.sets is not None
        if self.bags is None:
            self.bags = Bags(self.sets)
        return self.bags.rank(bag)

    def path(self, i: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        assert isinstance(self.group, ActGroup)
        at, chosen = self.group.split(i)
        if self.sets is None:
            return (), tuple(chosen)
        return (at,) if self.one_card else tuple(sorted(self.sets.bag(at))), tuple(chosen)


class PickSteps(Steps):
    """An answer to a pick: one thing, or one after the other."""

    __slots__ = ("table", "type", "counts", "pick")

    def __init__(self, table: ActionTable, group: PickGroup, type: str) -> None:
        super().__init__(group)
        self.table = table
        self.type = type
        self.pick = group
        self.counts = group.counts

    def after(self, path: Path) -> list[Branch]:
        at, listed, _ = path
        group = self.pick
        if at == END:
            return []
        if group.just_one:
            return [(self.id(c), (END, (i,), ())) for i, c in enumerate(group.classes)]
        found, may_end = self.next(listed)
        branches = [(self.id(group.classes[c]), self.full((*listed, c))) for c in found]
        if may_end:
            branches.insert(0, (DONE, (END, listed, ())))
        return branches

    def next(self, listed: tuple[int, ...]) -> tuple[list[int], bool]:
        """The classes that may follow, and whether the list may end here."""
        group = self.pick
        if not group.order:
            return next_in_bag(self.counts, group.least, group.most, listed)
        n = len(listed)
        found = [c for c, count in enumerate(self.counts) if listed.count(c) < count] if n < group.most else []
        return found, n >= group.least

    def full(self, listed: tuple[int, ...]) -> Path:
        """The point behind a thing: where nothing can follow, the list ends by itself."""
        found, _ = self.next(listed)
        return (CARDS if found else END, listed, ())

    def id(self, c: Class) -> int:
        """The word for a class."""
        if self.type == "card":
            return class_id(self.table, c)
        return self.table.of_value(c.members[0], self.type)

    def index(self, path: Path) -> int:
        listed = path[1]
        return listed[0] if self.pick.just_one else self.pick.rank(list(listed))

    def path(self, i: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        return tuple(self.pick.picked(i)), ()


def class_id(table: ActionTable, c: Class) -> int:
    """The word for a class of cards."""
    return RANDOM if c.kind < 0 else table.of_kind(c.id)


class Thread:
    """How far a spelling has come in one group. `left`: paths that have the same word, told apart by `digits` more."""

    __slots__ = ("group", "at", "left", "digits")

    def __init__(self, group: int, at: Path, left: list[Path] | None = None, digits: int = 0) -> None:
        self.group = group
        self.at = at
        self.left = left
        self.digits = digits


def digits_for(n: int) -> int:
    """How many digits tell n things apart."""
    digits = 1
    while DIGITS**digits < n:
        digits += 1
    return digits


class Spelling:
    """An action that is being spelt. Make one with `spell`; `take` one of `ids` until there is an `action`."""

    __slots__ = ("table", "legal", "given", "taken", "action", "options", "steps", "ended", "digits")

    def __init__(self, table: ActionTable, state: State, player: int) -> None:
        self.table = table
        self.legal: LegalSet = state.legal(player)
        self.given: list[int] = []  # by `take`
        self.taken: list[int] = []  # those and what had no alternative
        self.action: Action | None = None
        self.options: dict[int, list[Thread]] = {}
        self.ended: list[Thread] = []  # complete actions that have the same word, told apart by digits
        self.digits = 0
        type = asked_type(state) if state.ask == ASK_PICK else ""
        self.steps: list[Steps] = [steps_for(table, g, type) for g in self.legal.groups]
        self.look([Thread(g, START) for g in range(len(self.steps))])

    @property
    def ids(self) -> list[int]:
        """What may come next, ascending; empty once there is an `action` (or where nothing is legal)."""
        return sorted(self.options)

    def take(self, id: int) -> Action | None:
        """Spell one id; what has no alternative after it is spelt as well.

        Returns the action once it is complete. Raises InvalidAction for what is no id of the table, IllegalAction for
        one that cannot come next; then nothing has changed.
        """
        if type(id) is not int or not 0 <= id < len(self.table.names):
            raise InvalidAction(f"{str(id)[:20]} is no id of this table; they are 0 to {len(self.table.names) - 1}")
        if id not in self.options:
            raise IllegalAction(f"'{self.table.names[id]}' cannot come next")
        self.given.append(id)
        self.step(id)
        while len(self.options) == 1:
            self.step(next(iter(self.options)))
        return self.action

    def step(self, id: int) -> None:
        """Go on by one id that is possible."""
        self.taken.append(id)
        threads = self.options[id]
        if self.ended:
            self.ended = threads
            self.digits -= 1
            self.tell_apart()
        else:
            self.look(threads)

    def look(self, threads: list[Thread]) -> None:
        """Work out what may come next."""
        options: dict[int, list[Thread]] = {}
        complete: list[Thread] = []
        for t in threads:
            branches = self.branches(t)
            if branches is None:
                complete.append(t)
                continue
            for id, thread in branches:
                options.setdefault(id, []).append(thread)
        if complete and not options:
            self.ended = complete
            self.digits = digits_for(len(complete)) if len(complete) > 1 else 0
            self.tell_apart()
            return
        if complete:
            options.setdefault(DONE, []).extend(complete)
        self.options = options

    def branches(self, t: Thread) -> list[tuple[int, Thread]] | None:
        """The ids that go on from here in one group; None where its action is complete."""
        if t.left is not None:
            found: list[tuple[int, Thread]] = []
            span = DIGITS ** (t.digits - 1)
            for d in range(DIGITS):
                part = t.left[d * span : (d + 1) * span]
                if part:
                    deeper = Thread(t.group, part[0]) if span == 1 else Thread(t.group, t.at, part, t.digits - 1)
                    found.append((WHICH + d, deeper))
            return found
        by_word: dict[int, list[Path]] = {}
        for id, at in self.steps[t.group].after(t.at):
            by_word.setdefault(id, []).append(at)
        if not by_word:
            return None
        return [
            (id, Thread(t.group, at[0]) if len(at) == 1 else Thread(t.group, t.at, at, digits_for(len(at))))
            for id, at in by_word.items()
        ]

    def tell_apart(self) -> None:
        """Offer digits for the complete actions that are left, or settle on the only one."""
        if self.digits == 0:
            t = self.ended[0]
            before = sum([g.size for g in self.legal.groups[: t.group]])
            self.options = {}
            self.action = self.legal.at(before + self.steps[t.group].index(t.at))
            return
        span = DIGITS ** (self.digits - 1)
        parts = [self.ended[d * span : (d + 1) * span] for d in range(DIGITS)]
        self.options = {WHICH + d: part for d, part in enumerate(parts) if part}


def steps_for(table: ActionTable, group: Group, type: str) -> Steps:
    """The tree of a group; `type` is what a pick asks for."""
    if isinstance(group, ActGroup):
        return ActSteps(table, group)
    if isinstance(group, PickGroup):
        return PickSteps(table, group, type)
    return Steps(group)


def asked_type(state: State) -> str:
    """What kind of thing the open pick asks for."""
    op, f = open_pick(state)
    return op.asked_type(state, f)


def spell(table: ActionTable, state: State, player: int, action: Action | str) -> list[int]:
    """The ids that a player has to `take` to spell a legal action (without those that have no alternative).

    Raises what `State.apply` raises for an action that is not legal or not clear.
    """
    legal = state.legal(player)
    own = isinstance(action, Action) and action.source is legal
    chosen = action if own else state.resolve(player, legal, action)
    assert isinstance(chosen, Action)
    spelling = Spelling(table, state, player)
    listed, values = spelling.steps[chosen.group].path(chosen.index)
    taken: list[int] = []
    while spelling.action is None:
        id = next(
            id for id in spelling.ids if any(leads(t, chosen.group, listed, values) for t in spelling.options[id])
        )
        taken.append(id)
        spelling.take(id)
    return taken


def leads(t: Thread, group: int, listed: tuple[int, ...], values: tuple[int, ...]) -> bool:
    """Is the action below this point of the tree?"""
    return t.group == group and any(below(at, listed, values) for at in ([t.at] if t.left is None else t.left))


def below(at: Path, listed: tuple[int, ...], values: tuple[int, ...]) -> bool:
    """Does a complete path begin as this one?"""
    done, cards, chosen = at
    if done >= ALIAS and cards != listed:
        return False
    return cards == listed[: len(cards)] and chosen == values[: len(chosen)]
