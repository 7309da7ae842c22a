"""Legal actions.

Lazy sequences of `Action`, grouped by what is played, so that counting and taking one makes no list of all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kernel.cardsets import BagSets, CardSets, Class, classes_of, label_matches, sets_for
from kernel.core import NO_ACT, NO_CARD, ActSpec, Choice, Frame, Value
from kernel.counting import combination, combinations, sequence, sequences
from kernel.expr import find_act
from kernel.knowledge import visible
from kernel.state import ASK_MOVE, ASK_PICK, ASK_WINDOW
from kernel.state import Data as State

PASS = 0
ACT = 1
CHOOSE = 2


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

    __slots__ = ("size",)

    def __init__(self, size: int) -> None:
        self.size = size

    def text(self, i: int) -> str:
        """The notation of action i."""
        raise NotImplementedError("abstract")

    def find(self, words: list[str]) -> list[int]:
        """At most two of the indexes that the words fit."""
        raise NotImplementedError("abstract")


class PassGroup(Group):
    """No response."""

    __slots__ = ()

    def text(self, i: int) -> str:
        return "pass"

    def find(self, words: list[str]) -> list[int]:
        return [0] if words == ["pass"] else []


def value_text(s: State, choice: Choice, value: Value) -> str:
    """A chosen value as the notation writes it."""
    if choice.type == "card" and value is not None:
        return s.book.kinds[s.deal.kinds[value]].id
    return str(value)


class ActGroup(Group):
    """One play or move: its card sets times the values of its choices."""

    __slots__ = ("spec", "alias", "ask_alias", "sets", "options", "ids")

    def __init__(
        self,
        s: State,
        spec: ActSpec,
        alias: str,
        ask_alias: bool,
        sets: CardSets | None,
        options: list[Sequence[Value]],
    ) -> None:
        size = len(sets) if sets is not None else 1
        for values in options:
            size *= len(values)
        super().__init__(size)
        self.spec = spec
        self.alias = alias
        self.ask_alias = ask_alias
        self.sets = sets
        self.options = options
        # What choices of cards are called: the state will have moved on when the texts are read.
        self.ids: list[list[str] | None] = [
            [value_text(s, c, v) for v in values] if c.type == "card" else None
            for c, values in zip(spec.choices, options, strict=True)
        ]

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

    def cards(self, i: int) -> tuple[int, ...]:
        """The cards of action i."""
        return self.sets.get(self.split(i)[0]) if self.sets is not None else ()

    def args(self, i: int) -> tuple[Value, ...]:
        """The values of the choices of action i."""
        picked = self.split(i)[1]
        return tuple([values[k] for values, k in zip(self.options, picked, strict=True)])

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

    __slots__ = ("classes", "least", "most", "order", "just_one", "counts", "sizes")

    def __init__(self, classes: list[Class], least: int, most: int, order: bool, just_one: bool) -> None:
        self.classes = classes
        self.least = least
        self.most = most
        self.order = order
        self.just_one = just_one
        self.counts: tuple[int, ...] = ()
        self.sizes: list[int] = []
        if just_one:
            super().__init__(len(classes))
            return
        self.counts = tuple([len(c.members) for c in classes])
        for k in range(least, most + 1):
            self.sizes.append(sequences(tuple(sorted(self.counts)), k) if order else combinations(self.counts, k))
        super().__init__(sum(self.sizes))

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
        k = len(chosen)
        for c, count in enumerate(self.counts):
            if k == 0:
                break
            take = chosen.count(c)
            for more in range(min(count, k), take, -1):
                at += combinations(self.counts[c + 1 :], k - more)
            k -= take
        return at


class LegalSet(Sequence[Action]):
    """The legal actions of one player at one moment."""

    __slots__ = ("groups", "total")

    def __init__(self, groups: list[Group]) -> None:
        self.groups = groups
        total = 0
        for g in groups:
            total += g.size
        self.total = total

    def __len__(self) -> int:
        return self.total

    def at(self, i: int) -> Action:
        """Action i."""
        k = i
        for at, g in enumerate(self.groups):
            if k < g.size:
                what = ACT if isinstance(g, ActGroup) else CHOOSE if isinstance(g, PickGroup) else PASS
                return Action(None, what, self, at, k)
            k -= g.size
        raise IndexError(i)

    def __getitem__(self, i):  # type: ignore[no-untyped-def]
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
                what = ACT if isinstance(g, ActGroup) else CHOOSE if isinstance(g, PickGroup) else PASS
                found.append(Action(g.text(k), what, self, at, k))
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


NOTHING_LEGAL = LegalSet([])


def legal_for(s: State, player: int) -> LegalSet:
    """What this player may do now."""
    if s.over or not 0 <= player < s.players or s.left >> player & 1:
        return NOTHING_LEGAL
    asked = bool(s.ask_mask >> player & 1)
    if s.ask == ASK_PICK:
        return LegalSet([s.book.pick_group(s, player)]) if asked else NOTHING_LEGAL
    groups: list[Group] = []
    if s.ask == ASK_WINDOW:
        if not asked:
            return NOTHING_LEGAL
        groups.append(PassGroup(1))
        answers(s, player, groups, s.acts[-1].n)
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
    if s.book.hides or s.book.zones[definition].see == "none":
        bit = 1 << player
        cards = [c for c in cards if visible(s, c) & bit]
    return classes_of(s, cards)


def moves(s: State, player: int, groups: list[Group]) -> None:
    """Everything a player may do on turn."""
    book = s.book
    seen: dict[int, list[Class]] = {}
    for spec in book.turn_moves:
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
    if target >= 0:
        for spec in book.answer_moves:
            if fits(s, player, spec, target):
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
    known = spec.public_to
    if known is not None:
        answer = known.get(find_act(s, target).spec.index)
        if answer is not None:
            return answer
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
        groups.append(ActGroup(s, spec, alias, ask_alias, BagSets([cl], 1, 1), []))
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


NONE_ONLY: tuple[Value, ...] = (None,)


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
    groups.append(ActGroup(s, spec, alias, ask_alias, sets, options))


def distinct(s: State, choice: Choice, values: Sequence[Value]) -> Sequence[Value]:
    """The values without doubles; of cards that cannot be told apart, one."""
    if choice.type == "card":
        return [c.members[0] for c in classes_of(s, values)]
    return tuple(values)
