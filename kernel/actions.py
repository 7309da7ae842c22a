"""Actions: what a player may do, in groups of one shape, lazily.

Counting the actions and taking one of them makes no list of all. Groups know no state: several moments share them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from operator import attrgetter
from typing import Final

from kernel.cardsets import CardSets, Class, label_matches
from kernel.core import ActSpec, Value
from kernel.counting import combination, combination_rank, combinations, sequence, sequences
from kernel.native import COMPILED
from kernel.state import Data as State

PASS: Final = 0
ACT: Final = 1
CHOOSE: Final = 2


class Action:
    """A legal action. Equal, hashed and written by its text; the rest only spares work where it came from."""

    __slots__ = ("_text", "what", "source", "group", "index")

    def __init__(self, text: str | None, what: int, source: LegalSet | None, group: int, index: int) -> None:
        self._text = text  # None: written when it is first read
        self.what = what
        self.source = source
        self.group = group
        self.index = index

    @property
    def text(self) -> str:
        """The action in the notation."""
        text = self._text
        if text is None:
            assert self.source is not None
            text = self.source.groups[self.group].text(self.index)
            self._text = text
        return text

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Action({self.text!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Action) and other.text == self.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __reduce__(self) -> tuple[object, tuple[str, int, None, int, int]]:
        return (Action, (self.text, self.what, None, -1, -1))


class Group:
    """Actions of one shape: how many, the i-th one's text, and which of them a text's tokens fit."""

    __slots__ = ("size", "what", "act")

    size: int
    what: int  # PASS, ACT or CHOOSE
    act: ActSpec | None  # what is announced, where that is what they do

    def text(self, i: int) -> str:
        """The notation of action i."""
        raise NotImplementedError("abstract")

    def find(self, words: list[str]) -> list[int]:
        """At most two of the indexes that the words fit."""
        raise NotImplementedError("abstract")


class PassGroup(Group):
    """No response."""

    __slots__ = ()

    def __init__(self) -> None:
        self.size = 1
        self.what = PASS
        self.act = None

    def text(self, i: int) -> str:
        return "pass"

    def find(self, words: list[str]) -> list[int]:
        return [0] if words == ["pass"] else []


class ActGroup(Group):
    """One play or move: its card sets times the values of its choices."""

    __slots__ = ("spec", "alias", "ask_alias", "sets", "options", "ids")

    def __init__(
        self,
        spec: ActSpec,
        alias: str,
        ask_alias: bool,
        sets: CardSets | None,
        options: tuple[Sequence[Value], ...],
        ids: tuple[list[str] | None, ...],
    ) -> None:
        size = len(sets) if sets is not None else 1
        for values in options:
            size *= len(values)
        self.size = size
        self.what = ACT
        self.act = spec
        self.spec = spec
        self.alias = alias
        self.ask_alias = ask_alias
        self.sets = sets
        self.options = options
        self.ids = ids  # what the values of choices of cards are called; the state may have moved on when it is read

    @property
    def texts(self) -> list[list[str]]:
        """The values of the choices as the notation writes them."""
        return [ids if ids is not None else [str(v) for v in o] for ids, o in zip(self.ids, self.options, strict=True)]

    def split(self, i: int) -> tuple[int, list[int]]:
        """Index of the card set, and of each choice's value."""
        picked: list[int] = []
        for values in reversed(self.options):
            picked.append(i % len(values))
            i //= len(values)
        return i, picked[::-1]

    def cards(self, s: State, player: int, i: int) -> tuple[int, ...]:
        """The cards of action i, in the state in which it is legal."""
        if self.sets is None:
            return ()
        return self.sets.take(s, player, self.split(i)[0] if self.options else i)

    def args(self, i: int) -> tuple[Value, ...]:
        """The values of the choices of action i."""
        options = self.options
        if not options:
            return ()
        if len(options) == 1:
            return (options[0][i % len(options[0])],)
        if len(options) == 2:
            first, second = options
            return (first[i // len(second) % len(first)], second[i % len(second)])
        picked = self.split(i)[1]
        return tuple([values[k] for values, k in zip(options, picked, strict=True)])

    def text(self, i: int) -> str:
        at, picked = self.split(i)
        parts = [self.spec.text]
        if self.sets is not None:
            parts.append(self.sets.text(at))
        if self.ask_alias:
            parts.append("as=" + self.alias)
        for choice, texts, values, k in zip(self.spec.choices, self.texts, self.options, picked, strict=True):
            if values[k] is not None:
                parts.append(f"{choice.name}={texts[k]}")
        return " ".join(parts)

    def find(self, words: list[str]) -> list[int]:
        heads = self.spec.text.split()
        if words[: len(heads)] != heads:
            return []
        named: dict[str, str] = {}
        tokens: list[str] = []
        for word in words[len(heads) :]:
            name, eq, value = word.partition("=")
            if eq:
                named[name] = value
            else:
                tokens.append(word)
        if (self.sets is None) != (not tokens) or len(tokens) > 1:
            return []
        if self.ask_alias and named.pop("as", self.alias) != self.alias:
            return []
        places: list[list[int]] = []
        written = self.texts
        for choice, texts in zip(self.spec.choices, written, strict=True):
            wanted = named.pop(choice.name, None)
            if wanted is None:
                places.append(list(range(min(len(texts), 2))))
            else:
                places.append([k for k, t in enumerate(texts) if t == wanted][:2])
        if named:
            return []
        found = [0]
        if self.sets is not None:
            found = self.sets.find(tokens[0].split(","))
        for spots, texts in zip(places, written, strict=True):
            found = [at * len(texts) + k for at in found[:2] for k in spots][:2]
        return found


class PickGroup(Group):
    """Answers to a pick: one thing, a bag, or an ordered list, out of classes of like things."""

    __slots__ = ("_classes", "values", "least", "most", "order", "just_one", "counts", "sizes")

    def __init__(
        self, classes: list[Class] | None, values: Sequence[Value], least: int, most: int, order: bool, just_one: bool
    ) -> None:
        self.what = CHOOSE
        self.act = None
        self._classes = classes
        self.values = values  # things that are no cards, each a class of its own; classes are made when they are read
        self.least = least
        self.most = most
        self.order = order
        self.just_one = just_one
        self.counts: tuple[int, ...] = ()
        self.sizes: list[int] = []
        if just_one:
            self.size = len(values) if classes is None else len(classes)
            return
        self.counts = tuple([len(c.members) for c in self.classes])
        for k in range(least, most + 1):
            self.sizes.append(sequences(tuple(sorted(self.counts)), k) if order else combinations(self.counts, k))
        self.size = sum(self.sizes)

    @property
    def classes(self) -> list[Class]:
        """What can be told apart."""
        found = self._classes
        if found is None:
            found = [Class(str(x), str(x), 0, [x]) for x in self.values]
            self._classes = found
        return found

    def picked(self, i: int) -> list[int]:
        """The classes' indexes of answer i."""
        if self.just_one:
            return [i]
        k = self.least
        for size in self.sizes:
            if i < size:
                break
            i -= size
            k += 1
        return sequence(self.counts, k, i) if self.order else combination(self.counts, k, i)

    def text(self, i: int) -> str:
        labels = [self.classes[c].label for c in self.picked(i)]
        return "choose " + (",".join(labels) if labels else "none")

    def find(self, words: list[str]) -> list[int]:
        if not words or words[0] != "choose" or len(words) != 2:
            return []
        if self.just_one:
            return [i for i, c in enumerate(self.classes) if label_matches(c, words[1])][:2]
        tokens = [] if words[1] == "none" else words[1].split(",")
        if not self.least <= len(tokens) <= self.most:
            return []
        left = list(self.counts)
        chosen: list[int] = []
        for token in tokens:
            fits = [i for i, c in enumerate(self.classes) if left[i] and label_matches(c, token)]
            if not fits:
                return []
            chosen.append(fits[0])
            left[fits[0]] -= 1
        return [self.rank(chosen)]

    def rank(self, chosen: list[int]) -> int:
        """The index of an answer: the inverse of `picked`."""
        at = sum(self.sizes[: len(chosen) - self.least])
        if self.order:
            left = list(self.counts)
            for n, c in enumerate(chosen):
                for d in range(c):
                    if left[d]:
                        left[d] -= 1
                        at += sequences(tuple(sorted(left)), len(chosen) - n - 1)
                        left[d] += 1
                left[c] -= 1
            return at
        return at + combination_rank(self.counts, chosen)


class CardPick(PickGroup):
    """One card out of those that nothing but their kinds tells apart: the first of each kind."""

    __slots__ = ("kinds", "ids")

    def __init__(self, cards: Sequence[int], kinds: tuple[int, ...], ids: tuple[str, ...]) -> None:
        super().__init__(None, cards, 1, 1, False, True)
        self.kinds = kinds  # of all cards
        self.ids = ids  # of all kinds

    @property
    def classes(self) -> list[Class]:
        found = self._classes
        if found is None:
            named = [(self.kinds[card], card) for card in self.values]
            found = [Class(self.ids[kind], self.ids[kind], kind, [card]) for kind, card in named]
            self._classes = found
        return found


SIZE: Final = attrgetter("size")


class LegalSet(Sequence[Action]):
    """The legal actions of one player at one moment."""

    __slots__ = ("groups", "total", "ends")

    def __init__(self, groups: list[Group]) -> None:
        self.groups = groups
        self.ends: tuple[int, ...] = ()  # the number behind the last action of each group; compiled, none
        if COMPILED:
            total = 0
            for g in groups:
                total += g.size
            self.total = total
        else:
            self.ends = tuple(accumulate(map(SIZE, groups)))
            self.total = self.ends[-1] if groups else 0

    def __len__(self) -> int:
        return self.total

    def at(self, i: int) -> Action:
        """Action i."""
        k = i
        for at, g in enumerate(self.groups):
            if k < g.size:
                return Action(None, g.what, self, at, k)
            k -= g.size
        raise IndexError(i)

    def __getitem__(self, i):  # type: ignore[no-untyped-def]
        if isinstance(i, int) and 0 <= i < self.total:
            return self.at(i)
        if isinstance(i, slice):
            return tuple([self.at(k) for k in range(*i.indices(self.total))])
        if i < 0:
            i += self.total
        if not 0 <= i < self.total:
            raise IndexError(i)
        return self.at(i)

    def __iter__(self) -> Iterator[Action]:
        for i in range(self.total):
            yield self.at(i)

    def find(self, text: str) -> list[Action]:
        """At most two legal actions that the text fits."""
        words = text.split()
        found: list[Action] = []
        for at, g in enumerate(self.groups):
            for k in g.find(words):
                found.append(Action(g.text(k), g.what, self, at, k))
                if len(found) > 1:
                    return found
        return found

    def __contains__(self, item: object) -> bool:
        if isinstance(item, Action):
            if item.source is self:
                return True
            return any(a.text == item.text for a in self.find(item.text))
        return isinstance(item, str) and len(self.find(item)) == 1

    def __repr__(self) -> str:
        shown = ", ".join(a.text for a in self[:12])
        return f"<{self.total} legal: {shown}{', …' if self.total > 12 else ''}>"


NO_IDS: Final[tuple[list[str] | None, ...]] = (None,)
NO_GROUPS: Final[list[Group]] = []
NOTHING_LEGAL: Final = LegalSet(NO_GROUPS)
PASS_GROUP: Final = PassGroup()
PASS_ONLY: Final = LegalSet([PASS_GROUP])
