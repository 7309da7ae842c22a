"""Observations: a view as a list of numbers of fixed length, in named parts.

Everything is computed from the view of one player and from what that player is spelling; there is no way from here to
a state, so nothing can leak. Players are counted from the observer on: 0 is the observer, 1 the next seat.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any

from kernel.tokens import words_of

if TYPE_CHECKING:
    from kernel import ActionTable, Rulebook
    from kernel.model import Attribute

LIMIT = 32767
"""Values beyond are cut to it, so that observation spaces have bounds."""
UNKNOWN = "unknown"
ASKS = ("move", "window", "pick")
TYPES = ("player", "card", "kind", "word", "number")
DEPTH = 5
ACTS = 2

View = Mapping[str, Any]
Put = Callable[[list[float], int, Any, int], None]


@dataclass(frozen=True, slots=True)
class Part:
    """A named stretch of an observation: where it begins, its shape, and what its numbers mean."""

    name: str
    start: int
    shape: tuple[int, ...]
    about: str

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return prod(self.shape)


class Observer:
    """Observations of one book for one number of players. `parts` by name; `size` numbers in all.

    `depth`: how many of the top places of an ordered shared zone are told one by one; `acts`: how many acts in
    progress, from the newest.
    """

    def __init__(self, book: Rulebook, players: int, table: ActionTable, depth: int = DEPTH, acts: int = ACTS) -> None:
        self.book = book
        self.players = players
        self.table = table
        self.depth = depth
        self.acts = acts
        self.size = 0
        self.parts: dict[str, Part] = {}
        self.kinds = {kind.id: i for i, kind in enumerate(book.kinds)}
        self.unknown = len(self.kinds)
        self.signs = {
            name: i
            for i, name in enumerate(
                [*(a.name for a in book.card_attributes), *(k.id for k in book.kinds if k.mark), "as"]
            )
        }
        heads = [spec.text for spec in (*book.turn_moves, *book.answer_moves)]
        windows = [verb.name for verb in book.verbs if verb.spec is not None]
        self.heads = {head: i for i, head in enumerate(dict.fromkeys(["play", *heads, *windows]))}
        self._texts: dict[str, tuple[int, tuple[int, ...]]] = {}
        self._attributes: list[tuple[str, bool, Put, int]] = []
        self._lay_out()
        self._at = {name: part.start for name, part in self.parts.items()}

    # -- the layout ----------------------------------------------------------------------------------------------------

    def _part(self, name: str, shape: tuple[int, ...], about: str) -> None:
        part = Part(name, self.size, shape, about)
        self.parts[name] = part
        self.size += part.size

    def _lay_out(self) -> None:
        n, kinds = self.players, len(self.kinds)
        self._part("seat", (n,), "one-hot: the observer's own number")
        self._part("turn", (n,), "one-hot: whose turn it is")
        self._part("owed", (1,), "turns owed by who is on turn")
        self._part("direction", (1,), "1, or -1 where play goes the other way")
        for name, about in (
            ("dead", "who is out"),
            ("left", "who has left"),
            ("asked", "who is asked, as far as the observer sees it"),
            ("won", "who has won"),
        ):
            self._part(name, (n,), f"flags: {about}")
        self._part("ask.kind", (len(ASKS),), "one-hot: the observer is asked for a " + ", ".join(ASKS))
        self._part("ask.type", (len(TYPES),), "one-hot, of a pick: the answer is a " + ", ".join(TYPES))
        self._part("ask.card", (kinds,), "one-hot, of a pick: the kind of the card that asks")
        for zone in self.book.zones:
            owner = (n,) if zone.per_player else ()
            self._part(f"zone.{zone.name}", (*owner, kinds + 1), "how many cards of each kind are seen; last: unseen")
            if self.signs:
                self._part(f"signs.{zone.name}", (*owner, len(self.signs)), "how many of them bear each sign")
            if zone.order:
                depth = (1,) if zone.per_player else (self.depth,)
                self._part(f"top.{zone.name}", (*owner, *depth, kinds + 1), "one-hot: the cards on top, place by place")
            if zone.order and not zone.per_player:
                self._part(f"bottom.{zone.name}", (kinds + 1,), "one-hot: the card at the bottom")
            if zone.order and not zone.per_player and zone.see != "all":
                self._part(
                    f"within.{zone.name}", (kinds,), "how many of each kind are known to be in it, place unknown"
                )
        self._part("acts.count", (1,), "how many acts are in progress")
        for i in range(self.acts):
            whose = "the newest act" if i == 0 else f"the act {i} before it"
            self._part(f"act{i}.by", (n,), f"one-hot: who began {whose}")
            self._part(f"act{i}.head", (len(self.heads),), "one-hot: its move, verb, or `play`")
            self._part(f"act{i}.cards", (kinds + 1,), "how many of its cards are of each kind; last: unseen")
            self._part(f"act{i}.players", (n,), "how often each player is named in it")
            self._part(f"act{i}.kinds", (kinds,), "how often each kind is named in it")
            self._part(f"act{i}.cancelled", (1,), "whether it is cancelled")
        for attribute in self.book.player_attributes:
            if attribute.see != "none":
                self._attribute(attribute, True)
        for attribute in self.book.game_attributes:
            if attribute.see == "all":
                self._attribute(attribute, False)
        self._part("spelt", (len(self.table),), "how often each id was taken for the action that is being spelt")
        self._part("spelt.last", (len(self.table),), "one-hot: the id that was taken last")

    def _attribute(self, attribute: Attribute, per_player: bool) -> None:
        n = self.players
        type = attribute.type
        owner = (n,) if per_player else ()
        many = type.endswith("s")
        one = type.removesuffix("s")
        name = f"{'player' if per_player else 'game'}.{attribute.name}"
        counts = "how often each is in it" if many else "one-hot"
        put: Put
        if one == "player":
            width, about, put = n, f"{counts}: players", _Players(n)
        elif one in ("word", "kind"):
            index = {word: i for i, word in enumerate(self._words(attribute, per_player))}
            width, about = len(index) + 1, f"{counts}: {', '.join(index) or 'no words'}; last: any other"
            put = _Words(index)
        elif many:
            width, about, put = 2, "how many numbers, and their sum", _put_list
        else:
            width, about, put = 1, "the number, or the flag as 0 or 1", _put_number
        self._part(name, (*owner, width), about)
        self._attributes.append((attribute.name, per_player, put, width))

    def _words(self, attribute: Attribute, per_player: bool) -> list[str]:
        """The words that an attribute may come to, as far as the book says."""
        data = self.book.data
        if attribute.type.startswith("kind"):
            return [kind.id for kind in self.book.kinds]
        found: set[str] = set()
        start = attribute.start
        found.update(w for w in (start if isinstance(start, tuple) else (start,)) if isinstance(w, str))
        for op in _settings(data, "set_player" if per_player else "set_game", attribute.name):
            found |= words_of(data, op[-1])
        return sorted(found)

    # -- filling it ----------------------------------------------------------------------------------------------------

    def observe(self, view: View, taken: Sequence[int] = ()) -> list[float]:
        """The observation of a player's view, `size` numbers; `taken`: the ids of the action that is being spelt.

        Raises ValueError for a spectator's view or one of another number of players.
        """
        me = view["player"]
        if me is None or view["players"] != self.players:
            raise ValueError(f"an observation is made of the view of one of {self.players} players")
        found = [0.0] * self.size
        at = self._at
        n = self.players
        found[at["seat"] + me] = 1
        turn = view["turn"]
        found[at["turn"] + (turn["player"] - me) % n] = 1
        found[at["owed"]] = cut(turn["owed"])
        found[at["direction"]] = turn["direction"]
        for name, who in (("dead", "dead"), ("left", "left"), ("asked", "asked"), ("won", "winners")):
            for p in view[who]:
                found[at[name] + (p - me) % n] = 1
        ask = view.get("ask")
        if ask is not None:
            found[at["ask.kind"] + ASKS.index(ask["kind"])] = 1
            if ask.get("type") in TYPES:
                found[at["ask.type"] + TYPES.index(ask["type"])] = 1
            if ask.get("card") in self.kinds:
                found[at["ask.card"] + self.kinds[ask["card"]]] = 1
        for zone in self.book.zones:
            cards = view["zones"][zone.name]
            if zone.per_player:
                for p in range(n):
                    self._zone(found, at, zone.name, cards[str(p)], (p - me) % n, 1)
            else:
                self._zone(found, at, zone.name, cards, 0, self.depth)
        for name, ids in view["within"].items():
            for id in ids:
                found[at[f"within.{name}"] + self.kinds[id]] += 1
        self._acts(found, at, view["acts"], me)
        self._all_attributes(found, at, view["attributes"], me)
        for id in taken:
            found[at["spelt"] + id] += 1
        if taken:
            found[at["spelt.last"] + taken[-1]] = 1
        return found

    def _card(self, text: str) -> tuple[int, tuple[int, ...]]:
        """The index of a card's kind and of the signs it bears: `tea(up,from=1)`."""
        known = self._texts.get(text)
        if known is None:
            id, _, rest = text.partition("(")
            signs = [sign.partition("=")[0] for sign in rest.rstrip(")").split(",")] if rest else []
            known = (self.kinds.get(id, self.unknown), tuple(self.signs[s] for s in signs if s in self.signs))
            if len(self._texts) < 4096:
                self._texts[text] = known
        return known

    def _zone(
        self, found: list[float], at: Mapping[str, int], name: str, cards: Sequence[str], owner: int, depth: int
    ) -> None:
        width = self.unknown + 1
        first = at[f"zone.{name}"] + owner * width
        signs_at = at[f"signs.{name}"] + owner * len(self.signs)
        for text, count in Counter(cards).items():
            kind, signs = self._card(text)
            found[first + kind] += count
            for sign in signs:
                found[signs_at + sign] += count
        top = at.get(f"top.{name}")
        if top is not None and cards:
            for place, text in enumerate(cards[:depth]):
                found[top + (owner * depth + place) * width + self._card(text)[0]] = 1
            bottom = at.get(f"bottom.{name}")
            if bottom is not None:
                found[bottom + self._card(cards[-1])[0]] = 1

    def _acts(self, found: list[float], at: Mapping[str, int], acts: Sequence[Mapping[str, Any]], me: int) -> None:
        found[at["acts.count"]] = len(acts)
        for i, act in enumerate(list(reversed(acts))[: self.acts]):
            found[at[f"act{i}.by"] + (act["by"] - me) % self.players] = 1
            words = act["text"].split(" ")
            head = next((h for h in (" ".join(words[:2]), words[0]) if h in self.heads), None)
            if head is not None:
                found[at[f"act{i}.head"] + self.heads[head]] = 1
            for text in act["cards"]:
                found[at[f"act{i}.cards"] + self._card(text)[0]] += 1
            for word in words:
                name, equals, value = word.partition("=")
                if equals and value in self.kinds:
                    found[at[f"act{i}.kinds"] + self.kinds[value]] += 1
                elif equals and name != "as" and value.isdecimal() and int(value) < self.players:
                    found[at[f"act{i}.players"] + (int(value) - me) % self.players] += 1
            found[at[f"act{i}.cancelled"]] = float(act.get("cancelled", False))

    def _all_attributes(self, found: list[float], at: Mapping[str, int], values: View, me: int) -> None:
        for name, per_player, put, width in self._attributes:
            value = values.get(name)
            if not per_player:
                put(found, at[f"game.{name}"], value, me)
                continue
            first = at[f"player.{name}"]
            for p, own in (value or {}).items():
                put(found, first + (int(p) - me) % self.players * width, own, me)


@dataclass(frozen=True, slots=True)
class _Players:
    """Writes a player, or how often each is in a list."""

    players: int

    def __call__(self, found: list[float], first: int, value: Any, me: int) -> None:
        for p in value if isinstance(value, list) else [value]:
            if p is not None:
                found[first + (p - me) % self.players] += 1


@dataclass(frozen=True, slots=True)
class _Words:
    """Writes a word, or how often each is in a list."""

    index: Mapping[str, int]

    def __call__(self, found: list[float], first: int, value: Any, _me: int) -> None:
        for word in value if isinstance(value, list) else [value]:
            if word is not None:
                found[first + self.index.get(word, len(self.index))] += 1


def _put_number(found: list[float], first: int, value: Any, _me: int) -> None:
    found[first] = cut(value or 0)


def _put_list(found: list[float], first: int, value: Any, _me: int) -> None:
    found[first] = cut(len(value or ()))
    found[first + 1] = cut(sum(value or ()))


def cut(value: int) -> float:
    """A number within the bounds of observation spaces."""
    return float(max(-LIMIT, min(LIMIT, value)))


def _settings(part: Any, op: str, name: str) -> list[list[Any]]:
    """Every operation of a book that sets this attribute."""
    found: list[list[Any]] = []
    if isinstance(part, dict):
        for value in part.values():
            found.extend(_settings(value, op, name))
    elif isinstance(part, list):
        if part[:2] == [op, name]:
            return [part]
        for value in part:
            if isinstance(value, dict | list):
                found.extend(_settings(value, op, name))
    return found
