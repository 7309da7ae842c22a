"""How strong the bots are: the table of docs/bots.md, measured again. `make strength` (hours in pure Python; a quarter
with the compiled kernel), or some of it: `python -m tests.benchmarks.strength --games 20 --only "ismcts:50 × 1"`.

Every row is what `rulebook simulate --rotate --seed 5` plays, so a row can also be had alone. Bots sit one place
further in each game; a side is all seats of the first bot.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import rulebook
from rulebook.simulation import Failure, Plan, Result, Share, run, share

PLAYERS = 4
SEED = 5


@dataclass(frozen=True)
class Row:
    """One bot on some seats, another on the others, so many games."""

    bot: str
    seats: int
    other: str
    games: int

    @property
    def name(self) -> str:
        """Who plays against whom."""
        return f"{self.bot} × {self.seats} against {self.other} × {PLAYERS - self.seats}"


ROWS = (
    Row("greedy:50", 1, "random", 400),
    Row("ismcts:10", 1, "random", 400),
    Row("ismcts:50", 1, "random", 400),
    Row("ismcts:200", 1, "random", 400),
    Row("ismcts:100", 2, "ismcts:10", 400),
    Row("ismcts:50", 2, "greedy:50", 400),
    Row("ismcts:200", 2, "greedy:200", 100),
)


def won(results: Sequence[Result], plan: Plan, bot: str) -> Share:
    """How many of the games were won by a seat with this bot."""
    return share(sum(any(plan.bots_of(one.game)[seat] == bot for seat in one.winners) for one in results), len(results))


def line(row: Row, found: Share) -> str:
    """A row of the table, in Markdown."""
    even = row.seats / PLAYERS
    interval = f"{found.low:.1%} – {found.high:.1%}".replace("%", " %")
    rate = f"{found.rate:.1%}".replace("%", " %")
    return (
        f"| `{row.bot}` × {row.seats} | `{row.other}` × {PLAYERS - row.seats} | {found.of} | {found.count} "
        f"| {rate} | {interval} | {even:.0%} |".replace("0% |", "0 % |").replace("5% |", "5 % |")
    )


def measured(rows: Sequence[Row], jobs: int) -> Iterator[tuple[Row, Share]]:
    """The rows with what came of them; a bar on the standard error, if that is a terminal, shows the games played."""
    from rich.console import Console
    from rich.progress import Progress

    book = rulebook.load("kittens", packs=["base"])
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        for row in rows:
            bots = (row.bot,) * row.seats + (row.other,) * (PLAYERS - row.seats)
            plan = Plan(games=row.games, players=PLAYERS, bots=bots, seed=SEED, rotate=True)
            task = progress.add_task(row.name, total=row.games)
            results = []
            for result in run(book, plan, jobs):
                if isinstance(result, Failure):
                    raise RuntimeError(f"game {result.game} of {row.name} failed after {len(result.steps)} steps")
                results.append(result)
                progress.advance(task)
            yield row, won(results, plan, row.bot)


def main() -> int:
    """Print the table as its rows are done."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, help="so many games in each row, in place of those of the page")
    parser.add_argument("--only", default="", help="only rows whose name begins like this")
    parser.add_argument("--jobs", type=int, default=1, help="processes to use (default: 1)")
    options = parser.parse_args()
    rows = [row for row in ROWS if row.name.startswith(options.only)]
    if options.games is not None:
        rows = [Row(row.bot, row.seats, row.other, options.games) for row in rows]
    for head in ("bot", "others", "games", "won", "share", "95 % interval", "even"):
        sys.stdout.write(f"| {head} ")
    sys.stdout.write("|\n|---|---|---|---|---|---|---|\n")
    for row, found in measured(rows, options.jobs):
        sys.stdout.write(line(row, found) + "\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
