"""Measuring how fast the kernel plays: random play beside the yardstick.

The yardstick is the base game written by hand in plain Python (`tests/benchmarks/handwritten.py` of a checkout). Both
play in turns of a fraction of a second in one process, so that whatever else the machine does hits both, and it is the
processor's time that counts. What single operations cost is in `rulebook.costs`. Nothing is printed here.
"""

from __future__ import annotations

import importlib.util
import platform
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from types import ModuleType
from typing import NamedTuple

import kernel
import rulebook

PLAYERS = 4

#: The packs that may all be played together.
EXPANSIONS = ("base", "imploding", "streaking", "barking", "zombie", "burglar")

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


def interface_contestant(book: kernel.Rulebook) -> Contestant:
    """The same through the public interface, as a program that embeds the kernel asks and answers."""

    def play(seed: int) -> int:
        state = book.new(players=PLAYERS, seed=seed, ask="settled")
        random = Random(seed).random
        decisions = 0
        while not state.over:
            player = state.waiting.players[0]
            legal = state.legal(player)
            state.apply(player, legal[int(random() * len(legal))])
            decisions += 1
        return decisions

    return play


def yardstick_contestant(module: ModuleType) -> Contestant:
    """Random play by the hand-written game."""

    def play(seed: int) -> int:
        game = module.playout(module.Game(PLAYERS, seed), Random(seed))
        decisions: int = game.decisions
        return decisions

    return play


def race(
    contestants: Mapping[str, Contestant],
    rounds: int,
    share: float,
    done: Callable[[], None] = lambda: None,
    warm: int = 0,
) -> dict[str, list[Round]]:
    """Let contestants play alternately: `rounds` times, `share` seconds each, after `warm` rounds that do not count.

    Who begins changes with every round; no round plays games that another has played.
    """
    for play in contestants.values():
        play(0)  # what is made on first use is made now
    results: dict[str, list[Round]] = {name: [] for name in contestants}
    seed = 0
    for number in range(-warm, rounds):
        names = list(contestants)[:: -1 if number % 2 else 1]
        for name in names:
            played = _for(contestants[name], share, seed)
            if number >= 0:
                results[name].append(played)
            done()
        seed += 100_000
    return results


def _for(play: Contestant, seconds: float, seed: int) -> Round:
    decisions = games = 0
    start = process_time()
    while (passed := process_time() - start) < seconds or not games:
        decisions += play(seed + games)
        games += 1
    return Round(decisions, games, max(passed, 1e-9))
