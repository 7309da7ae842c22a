"""Random games with every invariant checked, as long as you like: `python -m tests.fuzz --seconds 600`."""

from __future__ import annotations

import argparse
import itertools
import sys
import time

from kernel import testing
from tests.mixes import load, mixes, sizes


def main() -> int:
    """Play mixes and numbers of players in turn until the time is up; 1 where something is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2700, help="how long (default: 2700, some thousand games)")
    parser.add_argument("--seed", type=int, default=1, help="where chance begins (default: 1)")
    parser.add_argument("--thorough", type=int, default=4, help="costly checks about every so many steps (default: 4)")
    options = parser.parse_args()
    end = time.monotonic() + options.seconds
    games = steps = 0
    for seed in itertools.count(options.seed):
        for mix in mixes():
            numbers = sizes(load(mix))
            players = numbers[seed % len(numbers)]
            try:
                steps += testing.check_game(load(mix), games=1, players=players, seed=seed, thorough=options.thorough)
            except AssertionError as error:
                print(f"{mix}: {error}")
                return 1
            games += 2
            if sys.stderr.isatty():
                print(f"\r{games} games, {steps} steps  ", end="", file=sys.stderr)
            if time.monotonic() > end:
                print(f"{games} games, {steps} steps, no fault")
                return 0
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
