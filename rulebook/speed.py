"""Measuring how fast the kernel plays: random play beside the yardstick, and what single operations cost.

The yardstick is the base game written by hand in plain Python (`tests/benchmarks/handwritten.py` of a checkout). Both
play in turns of a fraction of a second in one process, so that whatever else the machine does hits both. Nothing is
printed here.
"""

from __future__ import annotations

import copy
import importlib.util
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from types import ModuleType
from typing import NamedTuple

import kernel
import rulebook

PLAYERS = 4
FIELDS = (
    "zones where known placed noted card_attrs card_marks aliases game_attrs player_attrs frames acts act_count turn"
    " owed direction turn_ended next_turn out left rng version decisions ask ask_mask ask_since over winners news_tail"
    " script budget seed known_to telling told book"
).split()
"""What a state is made of, without what is shared by all states of a game."""
MIDDLE = 25
"""After how many decisions a game counts as half played."""

Contestant = Callable[[int], int]
"""Plays the game of a seed to its end and returns the number of its decisions."""


class Round(NamedTuple):
    """What one contestant did in its share of a round."""

    decisions: int
    games: int
    seconds: float

    @property
    def rate(self) -> float:
        """Decisions a second."""
        return self.decisions / self.seconds


@dataclass(frozen=True, slots=True)
class Spread:
    """The middle of several measurements, and the smallest and largest of them."""

    middle: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """The spread of at least one value."""
        return cls(median(values), min(values), max(values))


def interpreter() -> str:
    """The Python that runs this, and the machine: figures without them mean nothing."""
    version = platform.python_version()
    return f"{platform.python_implementation()} {version} ({platform.python_compiler()}), {platform.machine()}"


def compiled() -> bool:
    """Whether the kernel runs as a compiled extension and not as the Python that its files hold."""
    return not hasattr(kernel.playout, "__code__")


def yardstick() -> ModuleType | None:
    """The hand-written game; None where rulebook is installed without its tests."""
    path = Path(rulebook.__file__).resolve().parent.parent / "tests" / "benchmarks" / "handwritten.py"
    if not path.is_file():
        return None
    spec = importlib.util.spec_from_file_location("rulebook_yardstick", path)
    if spec is None or spec.loader is None:
        return None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def kernel_contestant(book: kernel.Rulebook, players: int = PLAYERS) -> Contestant:
    """Random play by the kernel, as `kernel.playout` does it."""

    def play(seed: int) -> int:
        state = kernel.playout(book.new(players=players, seed=seed, ask="settled"), seed=seed)
        return state.step_count

    return play


def yardstick_contestant(module: ModuleType) -> Contestant:
    """Random play by the hand-written game."""

    def play(seed: int) -> int:
        game = module.playout(module.Game(PLAYERS, seed), Random(seed))
        decisions: int = game.decisions
        return decisions

    return play


def race(
    contestants: Mapping[str, Contestant], rounds: int, share: float, done: Callable[[], None] = lambda: None
) -> dict[str, list[Round]]:
    """Let contestants play alternately: `rounds` times, `share` seconds each. Who begins changes with every round."""
    for play in contestants.values():
        play(0)  # what is made on first use is made now
    results: dict[str, list[Round]] = {name: [] for name in contestants}
    seed = 0
    for number in range(rounds):
        names = list(contestants)[:: -1 if number % 2 else 1]
        for name in names:
            results[name].append(_for(contestants[name], share, seed))
            done()
        seed += 100_000
    return results


def _for(play: Contestant, seconds: float, seed: int) -> Round:
    decisions = games = 0
    start = perf_counter()
    while (passed := perf_counter() - start) < seconds or not games:
        decisions += play(seed + games)
        games += 1
    return Round(decisions, games, max(passed, 1e-9))


def middle_of_a_game(book: kernel.Rulebook) -> kernel.State:
    """A state in which much has happened and much is open."""
    for seed in range(1, 100):
        state = book.new(players=PLAYERS, seed=seed, ask="settled")
        chance = Random(seed)
        for _ in range(MIDDLE):
            if state.over:
                break
            player = min(state.waiting.players)
            legal = state.legal(player)
            state.apply(player, legal[int(chance.random() * len(legal))])
        if not state.over:
            return state
    raise RuntimeError("no game lasts long enough")


def plain_data(state: kernel.State) -> dict[str, object]:
    """Everything that a state holds, for a copy by `copy.deepcopy`, which states themselves turn into `copy`."""
    return {name: getattr(state, name) for name in FIELDS if hasattr(state, name)}


def operations(book: kernel.Rulebook, seconds: float) -> Iterator[tuple[str, Spread]]:
    """What single operations cost on a half-played game, in microseconds; each measured for about `seconds`."""
    state = middle_of_a_game(book)
    player = min(state.waiting.players)
    state.news(player)  # the past is part of the state; without a reader it is not written down
    data = plain_data(state)
    rules = [book, *book.programs, *book.own_programs, *book.specs]
    shared: dict[int, object] = {id(rule): rule for rule in rules}
    named: tuple[tuple[str, Callable[[], object]], ...] = (
        ("copy", state.copy),
        ("copy.deepcopy", lambda: copy.deepcopy(data, dict(shared))),
        ("legal", lambda: len(state.copy().legal(player))),
        ("view", lambda: state.view(player)),
        ("dump", state.dump),
        ("restore", lambda: book.restore(state.dump())),
    )
    for name, operation in named:
        yield name, _cost(operation, seconds)


def _cost(operation: Callable[[], object], seconds: float) -> Spread:
    operation()
    start = perf_counter()
    operation()
    once = perf_counter() - start
    batch = max(1, int(seconds / 7 / max(once, 1e-7)))
    costs = []
    for _ in range(5):
        start = perf_counter()
        for _ in range(batch):
            operation()
        costs.append((perf_counter() - start) / batch * 1e6)
    return Spread.of(costs)


_LOAD = (
    "import time; t = time.perf_counter(); import rulebook; rulebook.load(); "
    "import json; print(json.dumps(time.perf_counter() - t))"
)


def loading() -> dict[str, float]:
    """Seconds from starting to import rulebook until the default game can be played, in a process of its own: `cold`
    without a compiled book in the cache, `warm` with one (the best of three)."""
    with tempfile.TemporaryDirectory() as cache:
        times = [_load(cache) for _ in range(4)]
    return {"cold": times[0], "warm": min(times[1:])}


def _load(cache: str) -> float:
    done = subprocess.run(
        [sys.executable, "-c", _LOAD],
        env={**os.environ, "RULEBOOK_CACHE": cache},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return float(json.loads(done.stdout))
