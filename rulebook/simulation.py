"""Many games of bots, one after another or on several processors, with the same results either way.

Every game has its own seed, derived from the run's seed and the game's number; bots have theirs, derived from the
game's. So game 17 of a run is the same game whoever plays it, and can be played again alone. Results are plain rows;
what they amount to is in :func:`summary`.
"""

from __future__ import annotations

import json
import math
import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

from rulebook.bots import Seat, derive, make

if TYPE_CHECKING:
    from kernel import Rulebook

CHUNK = 100
PASS = "pass"
PLAY = "play "


@dataclass(frozen=True, slots=True)
class Plan:
    """What to play: how often, by how many, with which bots (one for each player), from which seed.

    With `rotate` the bots sit one place further in each game, so that none is favoured by its seat.
    """

    games: int
    players: int
    bots: tuple[str, ...]
    seed: int
    first: int = 0
    rotate: bool = False

    def bots_of(self, game: int) -> tuple[str, ...]:
        """Who sits where in one of the games."""
        shift = game % self.players if self.rotate else 0
        return tuple(self.bots[(place - shift) % self.players] for place in range(self.players))

    def seed_of(self, game: int) -> int:
        """The seed of one of the games."""
        return derive(self.seed, game)


@dataclass(frozen=True, slots=True)
class Result:
    """One game: who won, how many decisions it took (passes aside) and how often each card was played."""

    game: int
    seed: int
    decisions: int
    winners: tuple[int, ...]
    limited: bool
    played: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Failure:
    """A game that a fault of the rules or the engine ended, with what had been done and what was tried last."""

    game: int
    seed: int
    steps: tuple[tuple[int, str], ...]
    tried: tuple[int, str] | None


def play_game(book: Rulebook, plan: Plan, game: int) -> Result | Failure:
    """Play one of the games of a plan."""
    seed = plan.seed_of(game)
    bots = [make(name, derive(seed, player)) for player, name in enumerate(plan.bots_of(game))]
    steps: list[tuple[int, str]] = []
    played: Counter[str] = Counter()
    tried: tuple[int, str] | None = None
    try:
        state = book.new(players=plan.players, seed=seed, ask="settled")
        seats = [Seat(state, player) for player in range(plan.players)]
        while not state.over:
            player = min(state.waiting.players)
            action = bots[player].choose(seats[player])
            text = str(action)
            tried = (player, text)
            state.apply(player, action)
            steps.append(tried)
            if text.startswith(PLAY):
                played[text[len(PLAY) :].partition(" ")[0].partition("#")[0]] += 1
    except Exception:
        # The caller plays these steps again in its own process, where the fault shows itself with everything about it.
        return Failure(game, seed, tuple(steps), tried)
    decisions = sum(1 for _, text in steps if text != PASS)
    limited = state.decisions > book.decision_limit  # which also counts what the kernel settled itself
    return Result(game, seed, decisions, tuple(state.winners), limited, dict(sorted(played.items())))


def run(book: Rulebook, plan: Plan, jobs: int = 1) -> Iterator[Result | Failure]:
    """Play all games of a plan, in order; it ends after the first failure. With several jobs on as many processors."""
    if jobs <= 1:
        results: Iterator[Result | Failure] = (play_game(book, plan, game) for game in _games(plan))
    else:
        results = _parallel(book, plan, jobs)
    for result in results:
        yield result
        if isinstance(result, Failure):
            return


def _games(plan: Plan) -> range:
    return range(plan.first, plan.first + plan.games)


def _parallel(book: Rulebook, plan: Plan, jobs: int) -> Iterator[Result | Failure]:
    games = _games(plan)
    size = max(1, min(CHUNK, math.ceil(len(games) / (jobs * 4))))
    chunks = [games[start : start + size] for start in range(0, len(games), size)]
    text = json.dumps(book.data)
    # Processes begun afresh, not forked: a fork in a process with threads (a progress bar has one) may hang.
    with ProcessPoolExecutor(jobs, get_context("spawn"), _prepare, (text, plan)) as pool:
        try:
            for results in pool.map(_play_chunk, chunks):
                yield from results
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


_worker: list[tuple[Rulebook, Plan]] = []


def _prepare(text: str, plan: Plan) -> None:
    from kernel import Rulebook

    _worker[:] = [(Rulebook.from_json(text), plan)]


def _play_chunk(games: range) -> list[Result | Failure]:
    book, plan = _worker[0]
    return [play_game(book, plan, game) for game in games]


# -- what it amounts to ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Share:
    """How often something happened in `of` games, with a 95% confidence interval (Wilson) for its probability."""

    count: int
    of: int
    low: float
    high: float

    @property
    def rate(self) -> float:
        """The share observed."""
        return self.count / self.of if self.of else 0.0


@dataclass(frozen=True, slots=True)
class Summary:
    """A run in figures. `wins` by place; a game won by several counts for each of them. `bots`: by bot, how often a
    place with that bot won, of all its places in all games.
    """

    games: int
    decisions: int
    mean: float
    median: float
    longest: int
    wins: tuple[Share, ...]
    bots: tuple[tuple[str, Share], ...]
    without_winner: int
    limited: int
    played: tuple[tuple[str, int], ...]


def share(count: int, of: int) -> Share:
    """A share with its Wilson interval, which stays within 0 and 1 and is honest for few games."""
    if of == 0:
        return Share(0, 0, 0.0, 1.0)
    z = 1.959963984540054
    rate = count / of
    scale = 1 + z * z / of
    middle = (rate + z * z / (2 * of)) / scale
    half = z * math.sqrt(rate * (1 - rate) / of + z * z / (4 * of * of)) / scale
    return Share(count, of, max(0.0, middle - half), min(1.0, middle + half))


def summary(results: Sequence[Result], plan: Plan) -> Summary:
    """What the games amount to."""
    players = plan.players
    lengths = [result.decisions for result in results]
    wins = Counter(player for result in results for player in result.winners)
    played: Counter[str] = Counter()
    won: Counter[str] = Counter()
    sat: Counter[str] = Counter()
    for result in results:
        played.update(result.played)
        bots = plan.bots_of(result.game)
        sat.update(bots)
        won.update(bots[player] for player in result.winners)
    return Summary(
        games=len(results),
        decisions=sum(lengths),
        mean=statistics.fmean(lengths) if lengths else 0.0,
        median=statistics.median(lengths) if lengths else 0.0,
        longest=max(lengths, default=0),
        wins=tuple(share(wins[player], len(results)) for player in range(players)),
        bots=tuple((name, share(won[name], sat[name])) for name in dict.fromkeys(plan.bots)),
        without_winner=sum(1 for result in results if not result.winners),
        limited=sum(1 for result in results if result.limited),
        played=tuple(sorted(played.items(), key=lambda item: (-item[1], item[0]))),
    )


def row(result: Result, plan: Plan) -> dict[str, Any]:
    """A result as one row of a file."""
    return {
        "game": result.game,
        "seed": result.seed,
        "players": plan.players,
        "bots": list(plan.bots_of(result.game)),
        "decisions": result.decisions,
        "winners": list(result.winners),
        "limited": result.limited,
        "played": result.played,
    }
