"""Sets of cards that a move can take.

Classes of cards that cannot be told apart, and lazy lists of the bags they give.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from typing import TYPE_CHECKING

from kernel.core import CardSpec, Expr, Frame, Value
from kernel.counting import combination, combination_rank, combinations
from kernel.native import COMPILED
from kernel.state import Data as State

if TYPE_CHECKING:
    from kernel.book import Rulebook


class Class:
    """Things that cannot be told apart by the one who chooses. `label` is how the notation writes one of them."""

    __slots__ = ("label", "id", "kind", "members")

    def __init__(self, label: str, id: str, kind: int, members: list[Value]) -> None:
        self.label = label
        self.id = id
        self.kind = kind
        self.members = members


def label_matches(c: Class, token: str) -> bool:
    """Does what a person typed stand for this class? A bare id stands for every class of that id."""
    return token == c.label or token == c.id


def by_kind(c: Class) -> int:
    """Sort key: the kind."""
    return c.kind


def classes_of(s: State, cards: Sequence[int]) -> list[Class]:
    """The cards by what can be told apart, in the order of their kinds: doubles become `id`, unlike doubles `id#n`."""
    kinds = s.deal.kinds
    found: dict[object, Class] = {}
    book_kinds = s.book.kinds
    if not s.odd or s.untouched(cards):
        if COMPILED:
            return by_kinds(s, cards)
        plain: dict[int, Class] = {}
        for c in cards:
            kind = kinds[c]
            one = plain.get(kind)
            if one is None:
                id = book_kinds[kind].id
                plain[kind] = Class(id, id, kind, [c])
            else:
                one.members.append(c)
        return [plain[kind] for kind in sorted(plain)]
    ordinal: dict[int, int] = {}
    unlike: dict[int, int] = {}
    for c in cards:
        kind = kinds[c]
        ordinal[kind] = ordinal.get(kind, 0) + 1
        text = s.card_text(c)
        one = found.get(text)
        if one is None:
            id = book_kinds[kind].id
            found[text] = Class(f"{id}#{ordinal[kind]}", id, kind, [c])
            unlike[kind] = unlike.get(kind, 0) + 1
        else:
            one.members.append(c)
    result = list(found.values())
    for one in result:
        if unlike[one.kind] == 1:
            one.label = one.id
    result.sort(key=by_kind)
    return result


def by_kinds(s: State, cards: Sequence[int]) -> list[Class]:
    """The same, compiled, where nothing but kinds tells the cards apart."""
    kinds = s.deal.kinds
    rows: list[Class | None] = [None] * s.deal.sorts
    for c in tuple(cards):
        kind = kinds[c]
        row = rows[kind]
        if row is None:
            id = s.book.kinds[kind].id
            rows[kind] = Class(id, id, kind, [c])
        else:
            row.members.append(c)
    return [row for row in rows if row is not None]


class CardSets:
    """A lazy list of bags of cards."""

    __slots__ = ("classes", "whole")

    def __init__(self, classes: list[Class], whole: bool) -> None:
        self.classes = classes
        self.whole = whole  # a bag of one label is written as that one label

    def __len__(self) -> int:
        raise NotImplementedError("abstract")

    def bag(self, i: int) -> list[int]:
        """The classes' indexes of bag i."""
        raise NotImplementedError("abstract")

    def get(self, i: int) -> tuple[int, ...]:
        """The cards of bag i."""
        used: dict[int, int] = {}
        cards: list[int] = []
        for at in self.bag(i):
            k = used.get(at, 0)
            used[at] = k + 1
            cards.append(self.classes[at].members[k])
        return tuple(cards)

    def take(self, s: State, player: int, i: int) -> tuple[int, ...]:
        """The cards of bag i, in the state for which the list was made."""
        return self.get(i)

    def text(self, i: int) -> str:
        """Bag i as the notation writes it."""
        labels = [self.classes[at].label for at in self.bag(i)]
        if self.whole and labels.count(labels[0]) == len(labels):
            return labels[0]
        return ",".join(labels)

    def find(self, tokens: list[str]) -> list[int]:
        """At most two of the bags that the tokens fit, in any order."""
        found: list[int] = []
        for i in range(len(self)):
            bag = self.bag(i)
            wanted = tokens * len(bag) if self.whole and len(tokens) == 1 else tokens
            if len(wanted) == len(bag) and fits_tokens([self.classes[at] for at in bag], wanted):
                found.append(i)
                if len(found) > 1:
                    break
        return found

    def only(self, i: int) -> CardSets:
        """A list of bag i alone."""
        return ListSets(self.classes, [tuple(self.bag(i))], self.whole)


def fits_tokens(bag: list[Class], tokens: list[str]) -> bool:
    """Can the tokens be matched to the classes one to one? Exact labels first."""
    left = list(bag)
    loose: list[str] = []
    for token in tokens:
        for at, c in enumerate(left):
            if c.label == token:
                del left[at]
                break
        else:
            loose.append(token)
    for token in loose:
        for at, c in enumerate(left):
            if c.id == token:
                del left[at]
                break
        else:
            return False
    return True


class ListSets(CardSets):
    """Bags written out."""

    __slots__ = ("bags",)

    def __init__(self, classes: list[Class], bags: list[tuple[int, ...]], whole: bool) -> None:
        super().__init__(classes, whole)
        self.bags = bags

    def __len__(self) -> int:
        return len(self.bags)

    def bag(self, i: int) -> list[int]:
        return list(self.bags[i])


class KindSets(CardSets):
    """Bags of kinds. Which cards they are is looked up when a bag is taken, so that many states can share them."""

    __slots__ = ("inner", "definition", "size", "lone")

    def __init__(self, inner: CardSets, definition: int) -> None:
        super().__init__(inner.classes, inner.whole)
        self.inner = inner
        self.definition = definition
        self.size = len(inner)
        #: The kind, where there is but one bag, of one card.
        self.lone = inner.classes[inner.bag(0)[0]].kind if self.size == 1 and len(inner.bag(0)) == 1 else -1

    def __len__(self) -> int:
        return self.size

    def bag(self, i: int) -> list[int]:
        return self.inner.bag(i)

    def find(self, tokens: list[str]) -> list[int]:
        return self.inner.find(tokens)

    def take(self, s: State, player: int, i: int) -> tuple[int, ...]:
        kinds = s.deal.kinds
        seats = s.seats
        z = seats.base[self.definition]
        zone = s.zones[z + player if seats.split[self.definition] else z]
        wanted = self.lone
        if wanted >= 0:
            for c in zone:
                if kinds[c] == wanted:
                    return (c,)
        bag = self.inner.bag(i)
        if bag and bag[0] == bag[-1]:  # bags are in ascending order
            wanted = self.classes[bag[0]].kind
            if COMPILED:
                return tuple([c for c in zone if kinds[c] == wanted][: len(bag)])
            index = list(map(s.deal.kind_at, zone)).index
            at = -1
            alike: list[int] = []
            for _ in bag:
                at = index(wanted, at + 1)
                alike.append(zone[at])
            return tuple(alike)
        taken: list[int] = []
        for at in bag:
            wanted = self.classes[at].kind
            for c in zone:
                if kinds[c] == wanted and c not in taken:
                    taken.append(c)
                    break
        return tuple(taken)


class BagSets(CardSets):
    """All bags of `least` to `most` cards."""

    __slots__ = ("counts", "least", "sizes", "total")

    def __init__(self, classes: list[Class], least: int, most: int) -> None:
        super().__init__(classes, least == most)
        self.counts = tuple([len(c.members) for c in classes])
        self.least = least
        if least == most == 1:
            self.sizes = [len(classes)]
        else:
            self.sizes = [combinations(self.counts, k) for k in range(least, most + 1)]
        self.total = sum(self.sizes)

    def __len__(self) -> int:
        return self.total

    def bag(self, i: int) -> list[int]:
        if self.least == 1 and len(self.sizes) == 1:
            return [i]
        k = self.least
        for size in self.sizes:
            if i < size:
                break
            i -= size
            k += 1
        return combination(self.counts, k, i)

    def find(self, tokens: list[str]) -> list[int]:
        most = self.least + len(self.sizes) - 1
        wanted = tokens * most if self.whole and len(tokens) == 1 else tokens
        if not self.least <= len(wanted) <= most:
            return []
        skipped = sum(self.sizes[: len(wanted) - self.least])
        one = self.least == 1 and len(self.sizes) == 1
        found = bags_that_fit(self.classes, wanted)
        return sorted([b[0] if one else skipped + combination_rank(self.counts, b) for b in found])


def bags_that_fit(classes: list[Class], tokens: list[str]) -> list[list[int]]:
    """At most two of the bags that the tokens fit, as classes' indexes in ascending order, without a list of all.

    A token stands for the class with that label, else for any class of that id.
    """
    left = [len(c.members) for c in classes]
    bag: list[int] = []
    different = 0
    loose: list[str] = []
    for token in tokens:
        for at, c in enumerate(classes):
            if c.label == token:
                if not left[at]:
                    return []
                left[at] -= 1
                bag.append(at)
                break
        else:
            loose.append(token)
    other: list[int] | None = None
    for id in dict.fromkeys(loose):
        need = loose.count(id)
        fitting = [at for at, c in enumerate(classes) if c.id == id for _ in range(left[at])]
        if len(fitting) < need:
            return []
        if other is None and fitting[:need] != fitting[len(fitting) - need :]:
            other = fitting[len(fitting) - need :]
            bag = fitting[:need] + bag  # what can be otherwise stands first
            different = need
        else:
            bag = bag + fitting[:need]
    found = [sorted(bag)]
    if other is not None:
        found.append(sorted(other + bag[different:]))
    return found


class UnlikeSets(CardSets):
    """All bags of k cards with different keys, where each class has one key."""

    __slots__ = ("groups", "k", "counts_from")

    def __init__(self, classes: list[Class], keys: list[Value], k: int, whole: bool) -> None:
        super().__init__(classes, whole)
        grouped: dict[Value, list[int]] = {}
        for at, key in enumerate(keys):
            grouped.setdefault(key, []).append(at)
        self.groups = list(grouped.values())
        self.k = k
        # counts_from[g][j]: bags of j cards out of the groups from g on
        n = len(self.groups)
        self.counts_from = [[0] * (k + 1) for _ in range(n + 1)]
        self.counts_from[n][0] = 1
        for g in range(n - 1, -1, -1):
            for j in range(k + 1):
                self.counts_from[g][j] = self.counts_from[g + 1][j] + (
                    len(self.groups[g]) * self.counts_from[g + 1][j - 1] if j else 0
                )

    def __len__(self) -> int:
        return self.counts_from[0][self.k]

    def bag(self, i: int) -> list[int]:
        found: list[int] = []
        j = self.k
        for g, members in enumerate(self.groups):
            if j == 0:
                break
            rest = self.counts_from[g + 1][j - 1]
            taking = len(members) * rest
            if i < taking:
                found.append(members[i // rest])
                i %= rest
                j -= 1
            else:
                i -= taking
        return found

    def find(self, tokens: list[str]) -> list[int]:
        if len(tokens) != self.k or len(set(tokens)) != self.k:
            return []
        return super().find(tokens)


def key_list(v: Value) -> tuple[Value, ...]:
    """A key or a list of them."""
    if v is None:
        return ()
    return tuple(v) if isinstance(v, (tuple, list)) else (v,)


def sets_for(
    s: State, spec: CardSpec, classes: list[Class], fr: Frame, known: dict[tuple[int, ...], bool] | None = None
) -> CardSets:
    """The bags of cards that a move can take out of these classes.

    `known`: where kinds are all that the condition depends on, for which of them it holds.
    """
    if spec.where is not None:
        kept: list[Class] = []
        fits = spec.fits_by_kind if not s.aliases else None
        for c in classes:
            if fits is not None:
                fit = fits[c.kind]
            else:
                fr.vars[spec.where_slot] = c.members[0]
                fit = bool(spec.where.ev(s, fr))
            if fit:
                kept.append(c)
        classes = kept
    whole = spec.least == spec.most
    sets: CardSets
    if spec.alike is not None:
        sets = alike_sets(s, spec, classes, fr, whole)
    elif spec.unlike is not None:
        keys = keys_for(s, spec, spec.unlike, classes, fr)
        if whole and all(len(k) == 1 for k in keys):
            sets = UnlikeSets(classes, [k[0] for k in keys], spec.least, whole)
        else:
            sets = ListSets(classes, unlike_bags(classes, keys, spec.least, spec.most), whole)
    else:
        sets = BagSets(classes, spec.least, spec.most)
    if spec.condition is None:
        return sets
    bags: list[tuple[int, ...]] = []
    for i in range(len(sets)):
        bag = sets.bag(i)
        kinds = tuple([classes[at].kind for at in bag])
        holds = known.get(kinds) if known is not None else None
        if holds is None:
            fr.vars[0] = sets.get(i)
            holds = bool(spec.condition.ev(s, fr))
            if known is not None:
                known[kinds] = holds
        if holds:
            bags.append(tuple(bag))
    return ListSets(classes, bags, whole)


def keys_for(s: State, spec: CardSpec, key: Expr, classes: list[Class], fr: Frame) -> list[tuple[Value, ...]]:
    """The keys of each class; known by kind where they depend on nothing else."""
    memory = spec.keys_by_kind if not s.aliases else None
    if memory is not None:
        return [memory[c.kind] for c in classes]
    keys: list[tuple[Value, ...]] = []
    for c in classes:
        fr.vars[spec.key_slot] = c.members[0]
        keys.append(key_list(key.ev(s, fr)))
    return keys


def alike_sets(s: State, spec: CardSpec, classes: list[Class], fr: Frame, whole: bool) -> CardSets:
    """Bags whose cards share a key."""
    assert spec.alike is not None
    total = 0
    for c in classes:
        total += len(c.members)
    if total < spec.least:
        return ListSets(classes, [], whole)
    keys = keys_for(s, spec, spec.alike, classes, fr)
    one_key = True
    for k in keys:
        if len(k) != 1:
            one_key = False
    bags: list[tuple[int, ...]] = []
    if one_key:
        grouped: dict[Value, list[int]] = {}
        for at, k in enumerate(keys):
            grouped.setdefault(k[0], []).append(at)
        for members in grouped.values():
            if len(members) == 1 and len(classes[members[0]].members) < spec.least:
                continue
            if len(members) == 1 and whole:
                bags.append((members[0],) * spec.least)
                continue
            counts = tuple([len(classes[m].members) for m in members])
            for n in range(spec.least, spec.most + 1):
                for i in range(combinations(counts, n)):
                    bags.append(tuple([members[x] for x in combination(counts, n, i)]))
    else:
        memory = spec.keysets_by_kind if not s.aliases else None
        keysets = [frozenset(k) for k in keys] if memory is None else [memory[c.kind] for c in classes]
        for n in range(spec.least, spec.most + 1):
            shared_bags([len(c.members) for c in classes], keysets, 0, n, None, [], bags)
    return ListSets(classes, bags, whole)


def shared_bags(
    counts: list[int],
    keys: list[frozenset[Value]],
    at: int,
    k: int,
    shared: frozenset[Value] | None,
    chosen: list[int],
    bags: list[tuple[int, ...]],
) -> None:
    """Every bag of k more cards from the classes from `at` on whose keys have one in common. `counts`: their cards."""
    if at < len(counts) and chosen.count(at) >= counts[at]:
        at += 1
    if k == 1 and shared is not None:
        bags.extend([(*chosen, i) for i in range(at, len(counts)) if not shared.isdisjoint(keys[i])])
        return
    for i in range(at, len(counts)):
        common = keys[i] if shared is None else shared & keys[i]
        if not common:
            continue
        chosen.append(i)
        if k == 1:
            bags.append(tuple(chosen))
        else:
            shared_bags(counts, keys, i, k - 1, common, chosen, bags)
        chosen.pop()


def alike_kinds(book: Rulebook, cards: CardSpec, counts: dict[int, int]) -> CardSets | None:
    """The sets of cards with a key in common that so many cards of each kind give. None where the condition was not
    looked at for all of them, and where each kind has one key."""
    keys_of = cards.keys_by_kind
    keysets = cards.keysets_by_kind
    if cards.alike is None or keys_of is None or keysets is None:
        return None
    fits = cards.fits_by_kind
    kinds = [k for k in sorted(counts) if fits is None or fits[k]]
    if cards.least != cards.most or not [k for k in kinds if len(keys_of[k]) != 1]:
        return None
    bags: list[tuple[int, ...]] = []
    shared_bags([counts[k] for k in kinds], [keysets[k] for k in kinds], 0, cards.least, None, [], bags)
    if cards.condition is not None:
        holding = cards.holding
        holds = [holding.get(tuple([kinds[at] for at in bag])) for bag in bags]
        if None in holds:
            return None
        bags = list(compress(bags, holds))
    return ListSets([kind_class(book, k) for k in kinds], bags, True)


def kind_class(book: Rulebook, k: int) -> Class:
    """The class of cards of a kind for sets that are kept, which hold no cards."""
    found = book.kind_classes.get(k)
    if found is None:
        id = book.ids[k]
        found = Class(id, id, k, [])
        book.kind_classes[k] = found
    return found


def unlike_bags(classes: list[Class], keys: list[tuple[Value, ...]], least: int, most: int) -> list[tuple[int, ...]]:
    """Bags whose cards can be given different keys, one each."""
    bags: list[tuple[int, ...]] = []
    counts = tuple([len(c.members) for c in classes])
    for k in range(least, most + 1):
        for i in range(combinations(counts, k)):
            bag = combination(counts, k, i)
            if matchable([keys[at] for at in bag], 0, set()):
                bags.append(tuple(bag))
    return bags


def matchable(keys: list[tuple[Value, ...]], at: int, used: set[Value]) -> bool:
    """Can each be given a key of its own?"""
    if at == len(keys):
        return True
    for key in keys[at]:
        if key not in used:
            used.add(key)
            if matchable(keys, at + 1, used):
                return True
            used.remove(key)
    return False
