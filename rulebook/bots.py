"""Players that are programs. A bot sees its seat and nothing else: what its player may see, do and has been told.

A bot is named `random`, `greedy` or `ismcts`, those that think ahead with a budget behind a colon: `ismcts:200` is 200
games played in mind for each decision, `ismcts:1.5s` a second and a half by the clock that the caller brings. Further
bots come from installed distributions, by the entry-point group `rulebook.bots`; see docs/bots.md.
"""

from __future__ import annotations

import difflib
import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from kernel import Action, Information, LegalSet, State, Worlds

ENTRY_POINTS = "rulebook.bots"
DEFAULT_GAMES = 200
MOST_GAMES = 1_000_000
MOST_SECONDS = 3600.0


class Seat:
    """What one player may know of a game, and nothing more. A bot gets this and never the state."""

    __slots__ = ("__state", "player", "players")

    def __init__(self, state: State, player: int) -> None:
        self.__state = state
        self.player = player
        self.players = state.players

    @property
    def legal(self) -> LegalSet:
        """What this player may do now: a sequence of actions."""
        return self.__state.legal(self.player)

    def view(self) -> dict[str, Any]:
        """What this player sees now."""
        return self.__state.view(self.player)

    def news(self, since: int = 0) -> list[dict[str, Any]]:
        """What this player has been told."""
        return self.__state.news(self.player, since)

    def information_state(self) -> Information:
        """All that this player knows: news, own actions, view."""
        return self.__state.information_state(self.player)

    def determinize(self, seed: int) -> State:
        """A state that this player cannot tell from the real one, for bots that think ahead."""
        return self.__state.determinize(self.player, seed)

    def worlds(self) -> Worlds:
        """All such states: `.draw(seed)` gives one, at less cost than `determinize` from the second on."""
        return self.__state.worlds(self.player)


class Bot(Protocol):
    """A program that plays. It is made once for a game and asked whenever its player is."""

    def choose(self, seat: Seat) -> Action:
        """One of `seat.legal`."""
        ...


class Budget(Protocol):
    """How long a bot may think about one decision."""

    def start(self) -> Callable[[int], bool]:
        """Begin a decision. The function that is returned says, after so many games played in mind, whether it is
        time to decide.
        """
        ...


@dataclass(frozen=True, slots=True)
class Games:
    """So many games played in mind. The same seed decides the same way, on every machine."""

    count: int

    def start(self) -> Callable[[int], bool]:
        """See `Budget`."""
        return lambda done: done >= self.count


@dataclass(frozen=True, slots=True)
class Seconds:
    """So long by a clock (a function without arguments that gives seconds, such as `time.monotonic`), but at least one
    game.
    """

    seconds: float
    clock: Callable[[], float]

    def start(self) -> Callable[[int], bool]:
        """See `Budget`."""
        end = self.clock() + self.seconds
        return lambda done: done > 0 and self.clock() >= end


class RandomBot:
    """Takes any legal action with equal chance. The same seed plays the same way; the game's own chance is never
    touched.
    """

    __slots__ = ("_random",)

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def choose(self, seat: Seat) -> Action:
        """One of `seat.legal`, uniformly."""
        legal = seat.legal
        return legal.at(self._random.randrange(len(legal)))


@dataclass(frozen=True, slots=True)
class BotKind:
    """A bot that can be asked for by name. `make` takes a seed and a budget; only one that `thinks` looks at it."""

    name: str
    make: Callable[[int, Budget], Bot]
    thinks: bool
    about: str


def _random(seed: int, budget: Budget) -> Bot:
    return RandomBot(seed)


def _greedy(seed: int, budget: Budget) -> Bot:
    from rulebook.bots_greedy import GreedyBot

    return GreedyBot(seed, budget)


def _ismcts(seed: int, budget: Budget) -> Bot:
    from rulebook.bots_search import SearchBot

    return SearchBot(seed, budget)


BOTS: dict[str, BotKind] = {
    kind.name: kind
    for kind in (
        BotKind("random", _random, False, "any legal action, uniformly"),
        BotKind("greedy", _greedy, True, "the action after which games played out at random are won most often"),
        BotKind("ismcts", _ismcts, True, "information-set Monte Carlo tree search"),
    )
}
"""The bots of this package, by name."""

_MASK = (1 << 64) - 1
_NAME = re.compile(r"(?P<name>[^:]*)(?::(?P<number>\d{1,9}(?:\.\d{1,6})?)(?P<unit>s?))?")


class UnknownBot(ValueError):
    """No bot has this name, or the budget behind it is none."""


def published() -> dict[str, BotKind]:
    """The bots of installed distributions, by name. An entry point names a :class:`BotKind`, or a class or function
    that makes a bot from a seed. One that cannot be loaded raises :class:`UnknownBot` when it is asked for.
    """
    from importlib.metadata import entry_points

    found: dict[str, BotKind] = {}
    for point in sorted(entry_points(group=ENTRY_POINTS), key=lambda point: (point.name, point.value)):
        found.setdefault(point.name, BotKind(point.name, _loader(point), True, f"from {point.value}"))
    return found


def _loader(point: Any) -> Callable[[int, Budget], Bot]:
    def load(seed: int, budget: Budget) -> Bot:
        try:
            thing = point.load()
            bot: Bot = thing.make(seed, budget) if isinstance(thing, BotKind) else thing(seed)
        except Exception as error:  # whatever a foreign distribution raises
            raise UnknownBot(f"the bot `{point.name}` ({point.value}) does not load: {error}") from error
        return bot

    return load


def make(text: str, seed: int, clock: Callable[[], float] | None = None) -> Bot:
    """The bot that a text such as `random` or `ismcts:200` names.

    `clock` gives seconds; without one a budget in seconds is refused, since such a bot does not decide the same way
    twice. Raises :class:`UnknownBot`.
    """
    match = _NAME.fullmatch(text)
    name = text.partition(":")[0] if match is None else match["name"]
    kind = BOTS.get(name) or published().get(name)
    if kind is None:
        near = difflib.get_close_matches(name, BOTS, n=1)
        hint = f"did you mean `{near[0]}`?" if near else "known here: " + ", ".join(f"`{known}`" for known in BOTS)
        raise UnknownBot(f"there is no bot `{name}`; {hint}")
    if match is None:
        raise UnknownBot(
            f"`{text}` has no budget behind the colon; write `{name}:200` (games) or `{name}:1.5s` (seconds)"
        )
    if match["number"] is None:
        return kind.make(seed, Games(DEFAULT_GAMES))
    if not kind.thinks:
        raise UnknownBot(f"`{name}` does not think and takes no budget; write `{name}`")
    return kind.make(seed, _budget(text, match["number"], match["unit"], clock))


def _budget(text: str, number: str, unit: str, clock: Callable[[], float] | None) -> Budget:
    if unit:
        if clock is None:
            raise UnknownBot(
                f"`{text}` thinks by the clock and would not play the same way again; write games, as `:200`"
            )
        if not 0 < float(number) <= MOST_SECONDS:
            raise UnknownBot(f"`{text}` may think for more than 0 and up to {MOST_SECONDS:.0f} seconds")
        return Seconds(float(number), clock)
    if "." in number or not 1 <= int(number) <= MOST_GAMES:
        raise UnknownBot(f"`{text}` may play 1 to {MOST_GAMES} whole games in mind; seconds are written `1.5s`")
    return Games(int(number))


def derive(seed: int, *numbers: int) -> int:
    """Another seed out of a seed and numbers (a game's, a player's), so that neighbours do not resemble each other."""
    mixed = seed & _MASK
    for number in numbers:
        # SplitMix64's finaliser: every bit of the result depends on every bit of what goes in.
        mixed = (mixed + (number + 1) * 0x9E3779B97F4A7C15) & _MASK
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        mixed ^= mixed >> 31
    return mixed >> 11  # 53 bits: a whole number that every JSON reader keeps exact


def shares(state: State) -> list[float]:
    """What a finished game is worth to each player: 1 divided by the winners for those who won, else 0."""
    worth = [0.0] * state.players
    for player in state.winners:
        worth[player] = 1 / len(state.winners)
    return worth
