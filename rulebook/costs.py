"""What single operations on a game in progress cost, each beside what it is to be compared with, and how long a start
takes.

An operation and its measure are timed in turns, so that whatever else the machine does hits both. Nothing is printed
here.
"""

from __future__ import annotations

import copy
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import perf_counter, process_time

import kernel
from rulebook.speed import PLAYERS, Spread, kernel_contestant

FIELDS = (
    "zones where known placed noted card_attrs card_marks aliases odd live game_attrs player_attrs frames acts"
    " act_count turn owed direction turn_ended next_turn out left rng version decisions ask ask_mask ask_since"
    " over winners news_tail script budget seed known_to telling told book"
).split()
"""What a state is made of, without what is shared by all states of a game."""
MIDDLE = 25
"""After how many decisions a game counts as half played."""
ROUNDS = 7
STARTS = 5
LOOKED_THROUGH = 40
"""Games that are looked through for the state with the most legal actions."""

Operation = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Cost:
    """What an operation costs in microseconds; `times`: how often what it is compared with, `measure`, fits into it."""

    name: str
    microseconds: Spread
    measure: str = ""
    times: Spread | None = None


def middle_of_a_game(book: kernel.Rulebook, players: int = PLAYERS) -> kernel.State:
    """A state in which much has happened and much is open."""
    for seed in range(1, 100):
        state = book.new(players=players, seed=seed, ask="settled")
        chance = Random(seed)
        for _ in range(MIDDLE):
            if state.over:
                break
            _take_any(state, chance)
        if not state.over:
            return state
    raise RuntimeError("no game lasts long enough")


def most_actions(book: kernel.Rulebook) -> kernel.State:
    """Of some games the state in which somebody may do the most."""
    most = 0
    found = book.new(players=PLAYERS, seed=0, ask="settled")
    for seed in range(LOOKED_THROUGH):
        state = book.new(players=PLAYERS, seed=seed, ask="settled")
        chance = Random(seed)
        while not state.over:
            count = len(state.legal(min(state.waiting.players)))
            if count > most:
                most, found = count, state.copy()
            _take_any(state, chance)
    return found


def _take_any(state: kernel.State, chance: Random) -> None:
    player = min(state.waiting.players)
    legal = state.legal(player)
    state.apply(player, legal[int(chance.random() * len(legal))])


def plain_data(state: kernel.State) -> dict[str, object]:
    """Everything that a state holds, for a copy by `copy.deepcopy`, which states themselves turn into `copy`."""
    return {name: getattr(state, name) for name in FIELDS if hasattr(state, name)}


def plain_lists(state: kernel.State) -> list[list[object]]:
    """Every list of a state, those of programs and acts in progress too: the data that a copy cannot share."""
    found: list[list[object]] = []
    for value in plain_data(state).values():
        if isinstance(value, list):
            found.append(value)
        if isinstance(value, list | tuple):
            for inner in value:
                if isinstance(inner, list):
                    found.append(inner)
                elif hasattr(inner, "vars"):
                    found.append(inner.vars)
    return found


def operations(book: kernel.Rulebook, seconds: float) -> Iterator[Cost]:
    """What single operations cost on a half-played game, each measured for about `seconds`."""
    state = middle_of_a_game(book)
    player = min(state.waiting.players)
    state.news(player)  # the past is part of the state; without a reader it is not written down
    data = plain_data(state)
    lists = plain_lists(state)
    rules = [book, *book.programs, *book.own_programs, *book.specs]
    shared: dict[int, object] = {id(rule): rule for rule in rules}
    dumped = state.dump()
    play = kernel_contestant(book)
    seeds = iter(range(10**9))

    def decisions() -> int:
        return play(next(seeds))

    plain = f"plain copies of its {len(lists)} lists"
    yield beside("copy", state.copy, plain, lambda: [part[:] for part in lists], seconds)
    with suppress(TypeError):  # which cannot make objects of compiled classes
        yield Cost("copy.deepcopy", alone(lambda: copy.deepcopy(data, dict(shared)), seconds))
    yield beside("view", lambda: state.view(player), "a decision", decisions, seconds)
    yield beside("dump", state.dump, "a decision", decisions, seconds)
    yield beside("restore", lambda: book.restore(dumped), "a decision", decisions, seconds)
    yield from actions(most_actions(book), seconds)


def actions(state: kernel.State, seconds: float) -> Iterator[Cost]:
    """To know how many actions are legal and to take one of them, beside a list of them all."""
    player = min(state.waiting.players)
    middle = len(state.legal(player)) // 2

    def one() -> object:
        state.forget_legal()
        legal = state.legal(player)
        return len(legal), legal.at(middle)

    def everything() -> object:
        state.forget_legal()
        return [action.text for action in state.legal(player)]

    count = len(state.legal(player))
    yield beside("legal, one", one, f"a list of all {count} actions", everything, seconds)


def beside(name: str, operation: Operation, measure: str, other: Operation, seconds: float) -> Cost:
    """Time an operation and its measure in turns. One that gives a whole number has done so many at once."""
    ours, theirs = _batch(operation, seconds / ROUNDS / 2), _batch(other, seconds / ROUNDS / 2)
    costs, times = [], []
    for number in range(ROUNDS):
        if number % 2:
            beside = _timed(other, theirs)
            cost = _timed(operation, ours)
        else:
            cost = _timed(operation, ours)
            beside = _timed(other, theirs)
        costs.append(cost)
        times.append(cost / beside)
    return Cost(name, Spread.of(costs), measure, Spread.of(times))


def alone(operation: Operation, seconds: float) -> Spread:
    """What an operation costs in microseconds, measured for about so long."""
    batch = _batch(operation, seconds / ROUNDS)
    return Spread.of([_timed(operation, batch) for _ in range(ROUNDS)])


def _batch(operation: Operation, seconds: float) -> int:
    operation()
    start = process_time()
    operation()
    return max(1, int(seconds / max(process_time() - start, 1e-7)))


def _timed(operation: Operation, batch: int) -> float:
    done = 0
    start = process_time()
    for _ in range(batch):
        result = operation()
        done += result if type(result) is int else 1
    return (process_time() - start) / max(done, 1) * 1e6


_LOAD = "import rulebook; rulebook.load()"
_BUILT = "import sys, kernel; kernel.Rulebook.from_json(open(sys.argv[1], encoding='utf-8').read())"


def starts(done: Callable[[], None] = lambda: None) -> Iterator[tuple[str, Spread]]:
    """Seconds that programs take from their start to their end, each a process of its own with compiled bytecode: an
    empty one, those that load the default game, and the help of a command.
    """
    import rulebook

    with tempfile.TemporaryDirectory() as folder:
        built = Path(folder) / "game.json"
        built.write_text(rulebook.load().to_json(), encoding="utf-8")
        cache = Path(folder) / "cache"
        env = {**os.environ, "RULEBOOK_CACHE": str(cache), "PYTHONPYCACHEPREFIX": str(Path(folder) / "bytecode")}
        env.pop("PYTHONDONTWRITEBYTECODE", None)
        cold = {**env, "RULEBOOK_CACHE": "off"}
        for name, arguments, around in (
            ("Python alone", ["-c", "pass"], env),
            ("import kernel, a built book", ["-c", _BUILT, str(built)], env),
            ("import rulebook, load from the cache", ["-c", _LOAD], env),
            ("import rulebook, load without a cache", ["-c", _LOAD], cold),
            ("rulebook play --help", ["-m", "rulebook", "play", "--help"], env),
        ):
            _process(arguments, around)  # what is made on first use is made now
            yield name, Spread.of([_process(arguments, around) for _ in range(STARTS)])
            done()


def _process(arguments: list[str], env: dict[str, str]) -> float:
    start = perf_counter()
    subprocess.run([sys.executable, *arguments], env=env, stdout=subprocess.DEVNULL, check=True)
    return perf_counter() - start
