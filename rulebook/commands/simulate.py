"""`rulebook simulate`: many games of bots, and what they amount to."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulebook.commands import epilog
from rulebook.commands.choosing import Choice, game_options, split_names

if TYPE_CHECKING:
    from rich.console import Console

    from kernel import Rulebook
    from rulebook.simulation import Failure, Plan, Result, Share, Summary

SHOWN_CARDS = 10


@click.command(
    epilog=epilog(
        "rulebook simulate --games 1000 --players 4 --seed 1",
        "rulebook simulate --games 100 --players 4 --bots ismcts:200,random --rotate",
        "rulebook simulate kittens --packs base,imploding --games 10000 --jobs 2 --out games.csv",
    )
)
@game_options
@click.option(
    "--games", metavar="N", type=click.IntRange(1, 100_000_000), default=1000, show_default=True, help="How many."
)
@click.option(
    "--players", metavar="N", type=click.IntRange(1, 64), help="How many play; the fewest possible if left out."
)
@click.option(
    "--bots",
    metavar="A,B",
    help="A bot for each player; the last is repeated. `random`, `greedy:N`, `ismcts:N`; N games are played in mind "
    "for each decision. Default: random.",
)
@click.option("--rotate", is_flag=True, help="Bots sit one place further in each game, so that no seat favours any.")
@click.option("--seed", metavar="S", type=int, help="Where chance begins; drawn and printed if left out.")
@click.option(
    "--jobs", metavar="N", type=click.IntRange(1, 1024), default=1, show_default=True, help="Processes to use."
)
@click.option("--out", metavar="FILE", help="Write a row for each game: .parquet (needs pyarrow), .csv or .jsonl.")
@click.option("--force", is_flag=True, help="Replace the file if it is there.")
def command(
    choice: Choice,
    games: int,
    players: int | None,
    bots: str | None,
    rotate: bool,
    seed: int | None,
    jobs: int,
    out: str | None,
    force: bool,
) -> None:
    """Play many games with bots and count what happens.

    The same seed gives the same games, whatever the number of jobs.
    """
    from rulebook import simulation
    from rulebook.results import NoWriter, writer_for

    write = None
    target = Path(out) if out else None
    try:
        if target is not None:
            write = writer_for(target)
            if target.exists() and not force:
                raise click.UsageError(f"there is a file {target.name} already; --force replaces it")
            if not target.absolute().parent.is_dir():
                raise click.UsageError(f"there is no directory {target.absolute().parent}")
    except NoWriter as error:
        raise click.UsageError(str(error)) from None
    names = _bots(bots)
    book = choice.load()
    if players is None:
        players = book.players_min
    if len(names) > players:
        raise click.UsageError(f"--bots names {len(names)} bots for {players} players")
    drawn = seed is None
    plan = simulation.Plan(
        games=games,
        players=players,
        bots=names + names[-1:] * (players - len(names)),
        seed=secrets.randbelow(10**9) if seed is None else seed,
        rotate=rotate,
    )
    book.new(players=players, seed=plan.seed_of(0))  # a wrong number of players is said here, once
    if drawn:
        click.echo(f"seed {plan.seed}", err=True)
    results = list(_play(book, plan, min(jobs, games), choice.path_option))
    if write is not None and target is not None:
        write([simulation.row(result, plan) for result in results], target, force)
    _show(simulation.summary(results, plan), plan, book)


def _bots(text: str | None) -> tuple[str, ...]:
    from rulebook.bots import UnknownBot, make

    names = ("random",) if text is None else split_names(text, "--bots")
    try:
        for name in names:
            make(name, 0)
    except UnknownBot as error:
        raise click.UsageError(str(error)) from None
    return names


def _play(book: Rulebook, plan: Plan, jobs: int, path_option: str) -> Iterator[Result]:
    from rulebook import simulation

    for outcome in _with_progress(simulation.run(book, plan, jobs), plan.games):
        if isinstance(outcome, simulation.Failure):
            _raise_again(book, plan, outcome, path_option)
        else:
            yield outcome


def _with_progress(outcomes: Iterable[Result | Failure], total: int) -> Iterator[Result | Failure]:
    """The outcomes, with a progress bar on the standard error if that is a terminal."""
    from rulebook.cli import use_color

    if not use_color(sys.stderr):
        yield from outcomes
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from rulebook.terminal.console import console

    columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console(sys.stderr), transient=True) as progress:
        task = progress.add_task("games", total=total)
        for outcome in outcomes:
            progress.advance(task)
            yield outcome


def _raise_again(book: Rulebook, plan: Plan, failure: Failure, path_option: str) -> None:
    """Play the game that failed once more, here, so that its fault is reported with seed and steps."""
    from kernel import EngineError
    from rulebook.records import Act, Place
    from rulebook.sessions import Session, reported

    places = [Place(f"Player {player}", bot) for player, bot in enumerate(plan.bots_of(failure.game))]
    session = Session.new(book, plan.players, failure.seed, "settled", places)
    session.path_option = path_option
    tried = None if failure.tried is None else Act(*failure.tried)
    with reported(session, lambda: tried):
        for player, action in failure.steps:
            session.apply(player, action)
        if failure.tried is not None:
            session.apply(*failure.tried)
        raise EngineError(f"game {failure.game} failed once and not again")


def _show(summary: Summary, plan: Plan, book: Rulebook) -> None:
    from rich.table import Table
    from rich.text import Text

    from rulebook.diagnostics import visible
    from rulebook.terminal.console import console

    out = console()
    out.print(Text(f"{visible(book.title)}, {plan.players} players, seed {plan.seed}", style="bold"))
    figures = Table.grid(padding=(0, 2))
    figures.add_column()
    figures.add_column(justify="right")
    for label, value in (
        ("games", f"{summary.games:,}"),
        ("decisions", f"{summary.decisions:,}"),
        ("  a game, mean", f"{summary.mean:,.1f}"),
        ("  a game, median", f"{summary.median:,.1f}"),
        ("  a game, most", f"{summary.longest:,}"),
        ("ended by the limit", f"{summary.limited:,}"),
        ("without a winner", f"{summary.without_winner:,}"),
    ):
        figures.add_row(label, value)
    out.print(figures)
    heads = ("player",) if plan.rotate else ("player", "bot")
    _wins(out, "Wins by seat", heads, [(_seat(plan, seat), won) for seat, won in enumerate(summary.wins)])
    if len(summary.bots) > 1:
        rows = [((name, f"{plan.bots.count(name)}"), won) for name, won in summary.bots]
        _wins(out, "Wins by bot, of all its seats", ("bot", "seats"), rows)
    if summary.played:
        titles = {kind.id: kind.title for kind in book.kinds}
        cards = Table(box=None, padding=(0, 2, 0, 0), title="Cards played most", title_justify="left")
        cards.add_column("card")
        cards.add_column("times", justify="right")
        cards.add_column("a game", justify="right")
        for kind, count in summary.played[:SHOWN_CARDS]:
            cards.add_row(Text(visible(titles.get(kind, kind))), f"{count:,}", f"{count / summary.games:.2f}")
        out.print()
        out.print(cards)


def _seat(plan: Plan, player: int) -> tuple[str, ...]:
    return (str(player),) if plan.rotate else (str(player), plan.bots[player])


def _wins(out: Console, title: str, heads: tuple[str, ...], rows: Iterable[tuple[tuple[str, ...], Share]]) -> None:
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), title=title, title_justify="left")
    for name in (*heads, "wins", "share", "95% interval"):
        table.add_column(name, justify="left" if name in heads else "right")
    for head, won in rows:
        table.add_row(*head, f"{won.count:,}", f"{won.rate:.1%}", f"{won.low:.1%} – {won.high:.1%}")
    out.print()
    out.print(table)
