"""Menus: the legal actions of a player, grouped so that a person can choose by number in a few short steps.

Actions are taken apart by the notation (`MOVE [CARDS] [NAME=VALUE …]`) and put into words by titles and names. A menu
never decides what is legal: it only offers what the kernel offers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

from rulebook.terminal.names import Names, capital, words

MOST = 4000
"""So many legal actions are looked at for a menu; all others can still be typed."""

WIDE = 15
"""A step of a menu with more entries than this is split further, where that is possible."""

CHOOSE = "choose"
PASS = "pass"
RANDOM = "random"
_NUMBER = re.compile(r"-?\d+")


@dataclass(frozen=True, slots=True)
class Said:
    """An action in notation, taken apart."""

    text: str
    move: str
    cards: tuple[str, ...] = ()
    values: tuple[tuple[str, str], ...] = ()

    @classmethod
    def parse(cls, text: str) -> Said:
        """Take an action's text apart."""
        move, *rest = text.split(" ")
        cards: tuple[str, ...] = ()
        if rest and "=" not in rest[0].partition("(")[0]:
            cards = tuple(_split_cards(rest.pop(0)))
        values = tuple((name, value) for name, _, value in (part.partition("=") for part in rest))
        return cls(text, move, cards, values)


def _split_cards(text: str) -> Iterator[str]:
    """The cards in `skip(marked,as=nope),favor`: commas inside brackets belong to a card."""
    depth = start = 0
    for place, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if char == "," and not depth:
            yield text[start:place]
            start = place + 1
    yield text[start:]


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a menu: what to type, what it says, and the actions it stands for (one, or the next step's)."""

    key: str
    label: str
    actions: tuple[Said, ...]

    @property
    def action(self) -> str | None:
        """The action, if there is only one."""
        return self.actions[0].text if len(self.actions) == 1 else None


@dataclass(frozen=True, slots=True)
class Menu:
    """One step of choosing. `title` asks what is open after earlier steps."""

    title: str
    entries: tuple[Entry, ...]
    more: bool = False

    def find(self, key: str) -> Entry | None:
        """The entry with that key."""
        return next((entry for entry in self.entries if entry.key == key), None)


@dataclass(frozen=True, slots=True)
class Several:
    """A question for several things at once (cards in a new order, cards to give): each of them by its number."""

    items: tuple[str, ...]
    labels: tuple[str, ...]
    least: int
    most: int

    def action(self, numbers: Sequence[int]) -> str | None:
        """The action that names these items (numbers from 1), or None if they do not fit."""
        if not self.least <= len(numbers) <= self.most or len(set(numbers)) != len(numbers):
            return None
        if not all(1 <= number <= len(self.items) for number in numbers):
            return None
        return f"{CHOOSE} {','.join(self.items[number - 1] for number in numbers)}"


class Choices:
    """The legal actions of one player at one moment."""

    def __init__(self, legal: Iterable[Any], names: Names, ask: Mapping[str, Any] | None = None) -> None:
        self.names = names
        self.ask: Mapping[str, Any] = ask or {}
        read = [Said.parse(str(action)) for action in islice(iter(legal), MOST + 1)]
        self.more = len(read) > MOST
        read = read[:MOST]
        if names.sorts:  # the cards of each move stand in the order in which people see them
            moves = {move: place for place, move in enumerate(dict.fromkeys(said.move for said in read))}
            read.sort(key=lambda said: (moves[said.move], [names.place(card) for card in said.cards]))
        self.actions = tuple(read)

    @property
    def only_pass(self) -> bool:
        """Whether nothing else can be done than to let things happen."""
        return len(self.actions) == 1 and self.actions[0].move == PASS

    @property
    def can_pass(self) -> bool:
        """Whether one of the actions is to let things happen."""
        return any(action.move == PASS for action in self.actions)

    # -- words ---------------------------------------------------------------------------------------------------------

    def label(self, said: Said) -> str:
        """An action as a person would say it: `Play Favor on Player 2`."""
        if said.move == CHOOSE:
            return ", ".join(self.value(card) for card in said.cards)
        kinds = {name: self.names.choice_type(said.move, said.cards, name) for name, _ in said.values}
        shown = {name: self.names.value(kinds[name], value) for name, value in said.values}
        verb, rest = self.names.say(said.move, shown)
        text = self._head(said, verb)
        for name, value in said.values:
            if name in rest:
                text += f" on {shown[name]}" if kinds[name] == "player" else self._named(kinds[name], name, value)
        return text

    def _named(self, kind: str, name: str, value: str) -> str:
        return f" as {self.names.title(value)}" if name == "as" else f", {words(name)} {self.names.value(kind, value)}"

    def _head(self, said: Said, verb: str = "") -> str:
        verb = verb or self.names.say(said.move, {})[0]
        if said.move == PASS and self.ask.get("kind") == "window":
            return "Let it happen"
        if said.cards == (RANDOM,):
            return f"{capital(verb)} a card at random"
        cards = f" {self.names.cards(said.cards)}" if said.cards else ""
        return f"{capital(verb)}{cards}"

    def value(self, text: str) -> str:
        """What `choose` can answer, in words."""
        if text == RANDOM:
            return "a card at random"
        kind = str(self.ask.get("type", ""))
        if kind.startswith("player") and text.isdecimal():
            return self.names.player(int(text))
        return text if _NUMBER.fullmatch(text) else self.names.card(text)

    # -- menus ---------------------------------------------------------------------------------------------------------

    def sequence(self) -> Several | None:
        """The question for several things at once, if that is what is asked."""
        lists = [said.cards for said in self.actions if said.move == CHOOSE]
        if len(lists) != len(self.actions) or not any(len(cards) > 1 for cards in lists):
            return None
        most: Counter[str] = Counter()
        for cards in lists:
            most |= Counter(cards)  # two alike are two items, if one answer can name both
        items = tuple(self.names.sorted(most.elements()))
        sizes = [len(cards) for cards in lists]
        return Several(items, tuple(self.value(item) for item in items), min(sizes), max(sizes))

    def menu(self) -> Menu:
        """The first step."""
        by_head = _grouped(self.actions, lambda said: (said.move, said.cards))
        by_move = _grouped(self.actions, lambda said: (said.move, said.cards if said.move in ("play", CHOOSE) else ()))
        groups = by_head if len(by_head) <= WIDE else by_move
        entries = self._entries(groups, self._group_label)
        if len(entries) == 1 and entries[0].action is None:  # a step with one entry is none
            return self.refine(entries[0], f"{entries[0].label.removesuffix(' …')}: ")
        return Menu("", entries, self.more)

    def refine(self, entry: Entry, before: str = "") -> Menu:
        """The next step after an entry that stands for several actions: the first thing in which they differ. What is
        asked begins with `before`."""
        actions = entry.actions
        if len({said.cards for said in actions}) > 1:
            groups = _grouped(actions, lambda said: said.cards)
            return Menu(f"{before}Which cards?", self._entries(groups, lambda group: self.names.cards(group[0].cards)))
        for name in dict.fromkeys(name for said in actions for name, _ in said.values):
            groups = _grouped(actions, lambda said, name=name: dict(said.values).get(name))
            if len(groups) > 1:
                first = groups[0][0]
                asked = self.names.asks.get((first.move, name)) or f"{before}{capital(words(name))}?"
                groups.sort(key=partial(self._word_place, name))
                return Menu(asked, self._entries(groups, lambda group, n=name: self._one(group[0], n)))
        return Menu("", self._entries([(said,) for said in actions], self._group_label))

    def _word_place(self, name: str, group: tuple[Said, ...]) -> int:
        return self.names.word_place(dict(group[0].values).get(name))

    def _one(self, said: Said, name: str) -> str:
        value = dict(said.values).get(name)
        return self.names.value(self.names.choice_type(said.move, said.cards, name), value)

    def _group_label(self, group: tuple[Said, ...]) -> str:
        if len(group) == 1:
            return self.label(group[0])
        first = group[0]
        same_cards = all(said.cards == first.cards for said in group)
        return (self._head(first) if same_cards else capital(self.names.say(first.move, {})[0])) + " …"

    def _entries(self, groups: Iterable[tuple[Said, ...]], label: Any) -> tuple[Entry, ...]:
        found = list(groups)
        answers = [self._number(group[0]) for group in found]
        plain = not any(answers)
        entries = []
        for place, (group, number) in enumerate(zip(found, answers, strict=True), start=1):
            # A number that is asked for is typed as it is; what stands beside it (a word) is then typed too.
            key = number or (str(place) if plain else group[0].text.partition(" ")[2])
            entries.append(Entry(key, label(group), group))
        return tuple(entries)

    def _number(self, said: Said) -> str:
        """The number that this answers, if a number is asked for."""
        if said.move != CHOOSE or len(said.cards) != 1 or str(self.ask.get("type", "")).startswith("player"):
            return ""
        return said.cards[0] if _NUMBER.fullmatch(said.cards[0]) else ""


def _grouped(actions: Iterable[Said], key: Any) -> list[tuple[Said, ...]]:
    groups: dict[Any, list[Said]] = {}
    for said in actions:
        groups.setdefault(key(said), []).append(said)
    return [tuple(group) for group in groups.values()]
