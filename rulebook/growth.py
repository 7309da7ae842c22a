"""How costs grow: random play and single operations at several sizes of the same thing.

Two kinds of series. Exploding Kittens at more players and with more packs, as it is shipped; and a game made for this
(`rulebook.growing`) of which hands, pile, players and kinds of cards can be as many as one likes. All sizes of a series
play in turns, so that whatever else the machine does hits all of them. Nothing is printed here.
"""

from __future__ import annotations

import gc
import math
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import process_time

import kernel
import rulebook
from rulebook.cache import SWITCH
from rulebook.costs import alone, middle_of_a_game
from rulebook.growing import GAME, Sizes, write
from rulebook.speed import PLAYERS, Contestant, Round, Spread, kernel_contestant, race

ROUNDS = 5
STRETCH = 100
"""Decisions at a time, in the game that is made for this and never ends."""
OPERATION_SECONDS = 0.1
PACKS = ("base", "imploding", "streaking", "barking", "zombie", "burglar")
"""Packs of Exploding Kittens that can be played together."""


@dataclass(frozen=True, slots=True)
class Point:
    """One size to be measured: how it is called, its number, and what makes its book (with the seconds it took)."""

    label: str
    size: int
    players: int
    make: Callable[[], tuple[kernel.Rulebook, float]]
    whole_games: bool


@dataclass(frozen=True, slots=True)
class Series:
    """The same thing at several sizes, the smallest first."""

    name: str
    about: str
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """What was measured at one size. Times in microseconds, but loading and dealing in seconds; `times`: how often the
    cost of a decision at the smallest size fits into that here.
    """

    label: str
    size: int
    decision: Spread
    times: Spread
    copy: Spread
    view: Spread
    deal: float
    load: float


def series(quick: bool = False) -> tuple[Series, ...]:
    """All that is measured; `quick` leaves out the largest sizes, which take long to make."""
    last = -1 if quick else None

    def made(name: str, about: str, sizes: Sequence[tuple[int, Sizes]]) -> Series:
        return Series(name, about, tuple(_made(size, sizes) for size, sizes in sizes[:last]))

    return (
        Series(
            "players", "Exploding Kittens, Party Pack", tuple(_kittens(("party",), n, n) for n in (2, 3, 4, 6, 8, 10))
        ),
        Series(
            "packs",
            f"Exploding Kittens, {PLAYERS} players",
            tuple(_kittens(PACKS[:n], PLAYERS, n) for n in range(1, len(PACKS) + 1)),
        ),
        made("players", "a made game", [(n, Sizes(copies=50, players=n)) for n in (2, 8, 32, 64)]),
        made("cards in each hand", "a made game", [(n, Sizes(copies=300, hand=n)) for n in (5, 20, 80, 320)]),
        made("cards in the pile", "a made game", [(20 * n, Sizes(copies=n)) for n in (10, 100, 1000)]),
        made(
            "cards in the pack", "made, each card another", [(n, Sizes(kinds=n, copies=1)) for n in (200, 2000, 20000)]
        ),
    )


def _kittens(packs: tuple[str, ...], players: int, size: int) -> Point:
    def make() -> tuple[kernel.Rulebook, float]:
        start = process_time()
        return rulebook.load("kittens", packs=packs), process_time() - start

    label = str(size) if len(packs) == 1 else f"{size}: + {packs[-1]}"
    return Point(label, size, players, make, True)


def _made(size: int, sizes: Sizes) -> Point:
    def make() -> tuple[kernel.Rulebook, float]:
        with tempfile.TemporaryDirectory() as folder:
            write(sizes, Path(folder))
            start = process_time()
            return rulebook.load(GAME, path=folder, options={"hand_size": sizes.hand}), process_time() - start

    return Point(f"{size:,}", size, sizes.players, make, False)


def measure(one: Series, seconds: float, done: Callable[[], None] = lambda: None) -> list[Row]:
    """The rows of a series, of which all games together are played for about so many seconds. `done` is called once
    for each size and once more for each round of it.
    """
    made: dict[Point, tuple[kernel.Rulebook, float]] = {}
    with _without_cache():
        for point in one.points:
            made[point] = point.make()
            done()
    contestants = {point.label: _contestant(point, made[point][0]) for point in one.points}
    share = seconds / (len(contestants) * (ROUNDS + 1))
    gc.collect()
    gc.freeze()  # else the collector would look through the largest book while the smallest is measured
    try:
        # What is made on first use, or when it has been used often, is made in a round of its own.
        found = race(contestants, ROUNDS, share, done, warm=1)
        first = found[one.points[0].label]
        return [_row(point, *made[point], found[point.label], first) for point in one.points]
    finally:
        gc.unfreeze()


def steps(some: Sequence[Series]) -> int:
    """How often `measure` calls `done` for these series."""
    return sum(len(one.points) * (ROUNDS + 2) for one in some)


def _row(point: Point, book: kernel.Rulebook, load: float, rounds: list[Round], first: list[Round]) -> Row:
    state = middle_of_a_game(book, point.players)
    player = min(state.waiting.players)
    state.news(player)
    start = process_time()
    book.new(players=point.players, seed=1)
    deal = process_time() - start
    return Row(
        point.label,
        point.size,
        Spread.of([1e6 / here.rate for here in rounds]),
        Spread.of([there.rate / here.rate for here, there in zip(rounds, first, strict=True)]),
        alone(state.copy, OPERATION_SECONDS),
        alone(lambda: state.view(player), OPERATION_SECONDS),
        deal,
        load,
    )


def _contestant(point: Point, book: kernel.Rulebook) -> Contestant:
    """Whole games with their dealing, or stretches of a game that is dealt once."""
    if point.whole_games:
        return kernel_contestant(book, point.players)
    dealt = book.new(players=point.players, seed=1, ask="settled")

    def play(seed: int) -> int:
        state = dealt.copy()
        chance = Random(seed)
        for _ in range(STRETCH):
            player = state.waiting.players[0]
            legal = state.legal(player)
            state.apply(player, legal.at(int(chance.random() * len(legal))))
        return STRETCH

    return play


def power(rows: Sequence[Row], cost: Callable[[Row], float]) -> float:
    """With which power of the size a cost grows: the slope of the line nearest to the logarithms (0: not at all, 1: in
    proportion).
    """
    xs = [math.log(row.size) for row in rows]
    ys = [math.log(max(cost(row), 1e-9)) for row in rows]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((one - x) ** 2 for one in xs)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True)) / spread if spread else 0.0


@contextmanager
def _without_cache() -> Iterator[None]:
    """Nothing of what is made here is kept, and nothing kept is taken."""
    before = os.environ.get(SWITCH)
    os.environ[SWITCH] = "off"
    try:
        yield
    finally:
        if before is None:
            del os.environ[SWITCH]
        else:
            os.environ[SWITCH] = before
