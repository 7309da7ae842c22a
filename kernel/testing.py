"""What any game must keep, checked on random play.

`check_game(book)` raises AssertionError with a replay where it does not.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any, Final

from kernel.actions import ActGroup, LegalSet
from kernel.book import Rulebook
from kernel.errors import GameError
from kernel.faces import visible
from kernel.game import State
from kernel.knowledge import bits_list
from kernel.legal import legal_for
from kernel.posts import survey
from kernel.rng import Rng
from kernel.state import ASK_PICK, NO_ASK, Data, Deal

NONSENSE: Final = (
    "xyzzy",
    "play",
    "draw draw draw",
    "choose 99999",
    "play xyzzy",
    "pass pass",
    "choose",
    "",
    "play xyzzy victim=99",
)


def taken_with(s: State, player: int, legal: LegalSet, i: int) -> list[int]:
    """The kinds of the cards that legal action i takes; -1 for one that does not lie anywhere."""
    action = legal.at(i)
    group = legal.groups[action.group]
    if not isinstance(group, ActGroup):
        return []
    return sorted([s.deal.kinds[c] if s.where[c] >= 0 else -1 for c in group.cards(s, player, action.index)])


def find_problems(s: Data) -> list[str]:
    """What is wrong with the invariants of a state; [] where all is well."""
    found: list[str] = []
    places = [-1] * len(s.where)
    for z, zone in enumerate(s.zones):
        for c in zone:
            if not 0 <= c < len(places):
                found.append(f"zone {z} holds card {c}, which does not exist")
            elif places[c] >= 0:
                found.append(f"card {c} lies in two places")
            else:
                places[c] = z
    for c, z in enumerate(s.where):
        if places[c] != z:
            found.append(f"card {c} is said to lie in {z}, but lies in {places[c]}")
        if z < 0 and not s.book.kinds[s.deal.kinds[c]].mark:
            found.append(f"card {c} is nowhere")
        if s.placed[c] & ~s.known[c]:
            found.append(f"the place of card {c} is known to somebody who does not know the card")
        if z >= 0 and not s.seats.order[z] and s.known[c] & ~s.noted[z] & ~s.seats.seen[z]:
            found.append(f"somebody remembers card {c}, but it is not noted that anything is remembered where it lies")
    live, odd = s.live, s.odd
    survey(s)
    if (s.live, s.odd) != (live, odd):
        found.append(f"of what counts, {live} and {sorted(odd)} were noted, but it is {s.live} and {sorted(s.odd)}")
    s.live, s.odd = live, odd
    if s.over:
        if s.ask != NO_ASK or s.ask_mask or s.frames or s.top_act is not None:
            found.append("the game is over, but something is still open")
        return found
    if s.ask == NO_ASK or not s.ask_mask:
        found.append("nobody is asked, but the game is not over")
    if s.ask_mask >> s.players:
        found.append("somebody is asked who does not play")
    if s.ask_mask & s.left:
        found.append("a player who has left is asked")
    if not 0 <= s.turn < s.players:
        found.append("it is nobody's turn")
    if isinstance(s, State) and not found:
        for p in bits_list(s.ask_mask):
            if not len(s.legal(p)):
                found.append(f"player {p} is asked, but can do nothing")
    return found


def canonical(data: Any) -> str:
    """One text for equal data."""
    return json.dumps(data, sort_keys=True)


class Twin:
    """A game that a player could not tell from the one under examination, played along with the same steps.

    `seen` and `other` are the views that the player had when deciding, in the game and in the twin.
    """

    __slots__ = ("viewer", "state", "seen", "other", "left")

    def __init__(self, viewer: int, state: State) -> None:
        self.viewer = viewer
        self.state = state
        self.seen: list[str] = []
        self.other: list[str] = []
        self.left = 15  # so many steps it is played along


class Check:
    """One seeded game under examination."""

    def __init__(self, book: Rulebook, players: int, seed: int, ask: str, thorough: int) -> None:
        self.book = book
        self.players = players
        self.seed = seed
        self.ask = ask
        self.thorough = thorough
        self.rng = Rng(seed * 1_000_003 + players)
        self.record: list[tuple[int, str]] = []
        self.news: list[str] = []
        self.twin: Twin | None = None

    def fail(self, what: str) -> AssertionError:
        """The fault with everything that is needed to see it again."""
        replay = "; ".join(f"{p}: {a}" for p, a in self.record)
        return AssertionError(
            f"{what}\n  {self.book!r} players={self.players} seed={self.seed} ask={self.ask}\n  replay: {replay}"
        )

    def require(self, fact: bool, what: str) -> None:
        """Fail unless it is so."""
        if not fact:
            raise self.fail(what)

    def play(self) -> int:
        """Play the game to its end; the number of steps."""
        try:
            s = self.book.new(self.players, self.seed, self.ask)
            other = other_way(self.book)
            o = other.new(self.players, self.seed, self.ask) if other is not None else None
            cards = sorted(s.deal.kinds)
            while not s.over:
                self.examine(s)
                asked = s.waiting.players
                player = asked[self.rng.below(len(asked))]
                legal = s.legal(player)
                chosen = self.rng.below(len(legal))
                action = legal[chosen]
                if self.rng.below(self.thorough) == 0:
                    self.roads(s, player, str(action))
                    self.secrets(s)
                    self.refusals(s)
                    self.news_grow(s)
                    self.begin_twin(s)
                self.record.append((player, str(action)))
                if self.twin is not None and self.twin.viewer == player:
                    self.twin.seen.append(canonical(s.view(player)))
                    self.twin.other.append(canonical(self.twin.state.view(player)))
                s.apply(player, action)
                if o is not None:
                    same = o.legal(player)
                    fits = len(same) == len(legal) and str(same[chosen]) == str(action)
                    self.require(fits, "what is woven and the plain way offer different actions")
                    o.apply(player, same[chosen])
                    self.require(o.digest == s.digest, "what is woven and the plain way go on differently")
                self.recall(s, player, str(action))
            self.require(not s.problems(), f"at the end: {s.problems()}")
            marks = {k.index for k in self.book.kinds if k.mark}
            self.require(sorted(k for k in s.deal.kinds if k not in marks) == cards, "cards were lost or made")
            if o is not None:
                self.require(o.dump() == s.dump(), "what is woven and the plain way tell different news")
            self.replay(s)
        except GameError as error:
            raise self.fail(f"{type(error).__name__}: {error.message}") from error
        return len(self.record)

    def examine(self, s: State) -> None:
        """What must hold at every step."""
        wrong = s.problems()
        self.require(not wrong, "; ".join(wrong))
        for p in range(self.players):
            quick = s.legal(p)
            plain = legal_for(s, p)
            same = len(quick) == len(plain) and [str(a) for a in quick[:50]] == [str(a) for a in plain[:50]]
            self.require(same, f"the quick way and the plain way give player {p} different legal actions")
            for i in range(min(len(quick), 20)):
                taken = taken_with(s, p, quick, i)
                self.require(
                    taken == taken_with(s, p, plain, i), f"'{quick[i]}' of player {p} takes other cards, {taken}"
                )

    def replay(self, s: State) -> None:
        """The same seed and actions give the same game, whatever the book remembers of other games."""
        t = Rulebook.from_data(self.book.data, plain=True).new(self.players, self.seed, self.ask)
        for player, text in self.record:
            t.apply(player, text)
        self.require(t.dump() == s.dump(), "the replay differs from the game")

    def roads(self, s: State, player: int, text: str) -> None:
        """Apply to a copy, to a restored state and to the state itself: all the same, and copies touch nothing."""
        before = canonical(s.dump())
        digest = s.digest
        c = s.copy()
        self.require(c.digest == digest, "a copy has another digest")
        r = self.book.restore(json.loads(json.dumps(s.dump())))
        for p in range(self.players):
            self.require(s.view(p) == r.view(p), f"the restored state shows player {p} something else")
            self.require(
                list(map(str, s.legal(p)[:50])) == list(map(str, r.legal(p)[:50])),
                "the restored state has other legal actions",
            )
        c.apply(player, text)
        r.apply(player, text)
        self.require(canonical(s.dump()) == before, "a step of a copy changed the original")
        self.require(c.dump() == r.dump(), "copy and restored state go on differently")
        for other in s.waiting.players:
            legal = s.legal(other)
            for i in range(min(len(legal), 6)):
                k = self.rng.below(len(legal)) if i else len(legal) - 1
                s.copy().apply(other, legal[k])

    def refusals(self, s: State) -> None:
        """What is not legal is refused and changes nothing."""
        before = canonical(s.dump())
        texts = list(NONSENSE) + [f"play {k.id}" for k in self.book.kinds[:3]]
        for p in range(self.players):
            for text in texts:
                if text in s.legal(p) or len(s.legal(p).find(text)):
                    continue
                try:
                    s.apply(p, text)
                except GameError:
                    continue
                raise self.fail(f"player {p}: '{text}' was accepted but is not legal")
        self.require(canonical(s.dump()) == before, "a refused action changed the state")

    def news_grow(self, s: State) -> None:
        """News are only ever added to, and everybody has as many."""
        for p in range(self.players):
            text = [canonical(e) for e in s.news(p)]
            if len(self.news) <= p:
                self.news.append("")
            old = self.news[p].split("\n") if self.news[p] else []
            self.require(text[: len(old)] == old, f"the news of player {p} changed afterwards")
            self.news[p] = "\n".join(text)
            self.require(len(text) == len(s.news(None)), "players have different numbers of news")

    def secrets(self, s: State) -> None:
        """Exchange two cards that a player cannot tell apart.

        Nothing the player sees may change; else something must.
        """
        p = self.rng.below(self.players + 1)
        viewer = p if p < self.players else None  # the spectator's bit is the one behind the players'
        bit = 1 << p
        cards = [c for c in range(len(s.where)) if s.where[c] >= 0 and not self.book.kinds[s.deal.kinds[c]].mark]
        known = [c for c in cards if (visible(s, c) | s.known[c]) & bit]
        unknown = [c for c in cards if not (visible(s, c) | s.known[c]) & bit]
        for pool, same in ((unknown, True), (known, False)):
            two = self.two_unlike(s, pool)
            if two is None:
                continue
            t = exchanged(s, *two)
            equal = t.view(viewer) == s.view(viewer)
            if same:
                self.require(equal, f"player {p}'s view tells two hidden cards apart")
                self.require(t.news(viewer) == s.news(viewer), f"player {p}'s news tell two hidden cards apart")
                if viewer is not None and (self.ask == "all" or (s.ask_mask & bit and s.ask != ASK_PICK)):
                    self.require(
                        [str(a) for a in t.legal(p)[:50]] == [str(a) for a in s.legal(p)[:50]],
                        f"player {p}'s legal actions tell two hidden cards apart",
                    )
                if viewer is not None and s.ask_mask & bit:
                    self.require(
                        t.determinize(p, self.seed).digest == s.determinize(p, self.seed).digest,
                        f"states drawn for player {p} tell two hidden cards apart",
                    )
            elif s.where[two[0]] != s.where[two[1]]:
                self.require(not equal, f"player {p}'s view does not show what {p} knows")
        for q in s.waiting.players:
            d = s.determinize(q, self.rng.below(1 << 30))
            self.require(d.view(q) == s.view(q), f"a determinized state shows player {q} something else")
            self.require(
                [str(a) for a in d.legal(q)[:50]] == [str(a) for a in s.legal(q)[:50]],
                f"a determinized state has other legal actions for {q}",
            )
            self.require(d.news(q) == s.news(q), f"a determinized state has other news for {q}")
            self.require(
                d.information_state(q) == s.information_state(q),
                f"a determinized state is another information state for {q}",
            )

    def begin_twin(self, s: State) -> None:
        """Begin a twin for some player, unless one is being played along."""
        if self.twin is not None:
            return
        p = self.rng.below(self.players)
        cards = [c for c in range(len(s.where)) if s.where[c] >= 0 and not self.book.kinds[s.deal.kinds[c]].mark]
        two = self.two_unlike(s, [c for c in cards if not (visible(s, c) | s.known[c]) >> p & 1])
        if two is not None:
            self.twin = Twin(p, exchanged(s, *two))

    def recall(self, s: State, player: int, text: str) -> None:
        """Information states never merge: what once looked different to a player when deciding stays different.

        And they tell no more than the player can see: what has always looked the same has equal information states.
        """
        twin = self.twin
        if twin is None:
            return
        p = twin.viewer
        try:
            twin.state.apply(player, text)
        except GameError:
            self.twin = None  # from here on the two games differ
            return
        one, two = s.information_state(p), twin.state.information_state(p)
        if twin.seen != twin.other or one.data["now"] != two.data["now"]:
            self.require(one != two, f"player {p} has forgotten a difference that {p} saw when deciding")
        elif [e for e in one.data["past"] if "event" in e] == [e for e in two.data["past"] if "event" in e]:
            self.require(one == two, f"two games that player {p} cannot tell apart have different information states")
        twin.left -= 1
        if twin.left < 0:
            self.twin = None

    def two_unlike(self, s: State, pool: list[int]) -> tuple[int, int] | None:
        """Two cards of different kinds that do not lie on top of what they would change (no marks, no attributes)."""
        plain = [c for c in pool if s.card_text(c) == self.book.kinds[s.deal.kinds[c]].id]
        for _ in range(8):
            if len(plain) < 2:
                return None
            a, b = self.rng.choice(plain), self.rng.choice(plain)
            if s.deal.kinds[a] != s.deal.kinds[b]:
                return a, b
        return None


@lru_cache(maxsize=16)
def other_way(book: Rulebook) -> Rulebook | None:
    """The same rules without a weaver, and from now on the book itself weaves whatever it runs; or the other way round.

    None where nothing is ever woven.
    """
    other = Rulebook.from_data(book.data, plain=book.weaver is not None)
    weaver = book.weaver or other.weaver
    if weaver is None:
        return None
    weaver.hot = 0
    return other


def exchanged(s: State, a: int, b: int) -> State:
    """A copy in which two cards have exchanged what they are."""
    t = s.copy()
    kinds = list(t.deal.kinds)
    kinds[a], kinds[b] = kinds[b], kinds[a]
    variants = list(t.deal.variants)
    variants[a], variants[b] = variants[b], variants[a]
    t.deal = Deal(tuple(kinds), len(t.book.kinds), tuple(variants))
    survey(t)
    t.forget_legal()
    return t


def check_game(book: Rulebook, games: int = 20, players: int | None = None, seed: int = 0, thorough: int = 6) -> int:
    """Play seeded random games with both policies and check on the way what every game must keep.

    `players`: how many (None: all numbers in turn). `thorough`: about every how many steps the costly checks run (1:
    at each).
    Returns the number of steps played; raises AssertionError with a replay.
    """
    steps = 0
    numbers = range(book.players_min, book.players_max + 1) if players is None else [players]
    for g in range(games):
        n = numbers[g % len(numbers)]
        for ask in ("all", "settled"):
            steps += Check(book, n, seed + g, ask, thorough).play()
    return steps
