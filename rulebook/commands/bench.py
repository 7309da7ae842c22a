"""`rulebook bench`: how fast the kernel is here, beside the base game written by hand, or beside other libraries."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulebook.commands import epilog

if TYPE_CHECKING:
    from rulebook.speed import Round, Spread

ROUNDS = 10
WARMING = 5  # rounds before those, in which what is made when it has been used often is made
OPERATIONS = 6
STARTS = 5
OPERATION_SECONDS = 0.35
RATIOS = {
    "ratio": "kernel, of the speed by hand",
    "calls_ratio": "by calls, of the speed by hand",
    "expansions_ratio": "expansions, of the speed of the base game",
}


@click.command(
    epilog=epilog(
        "rulebook bench",
        "rulebook bench --quick",
        "rulebook bench --games all",
        "rulebook bench --growth --chart growth.svg",
    )
)
@click.option("--quick", is_flag=True, help="A rough answer after a few seconds.")
@click.option(
    "--seconds", type=click.FloatRange(0.5, 3600), metavar="S", help="How long games are played.  [default: 20]"
)
@click.option("--games", metavar="A,B", help="Play these games (`all`: all that are shipped) and nothing else.")
@click.option("--growth", is_flag=True, help="Measure how costs grow with players, packs, hands, piles and cards.")
@click.option("--chart", metavar="FILE.svg", help="With --growth: also draw it.")
@click.option("--json", "file", metavar="FILE", help="Also write the figures as JSON; `-` is the standard output.")
def command(
    quick: bool, seconds: float | None, games: str | None, growth: bool, chart: str | None, file: str | None
) -> None:
    """Measure how fast games run on this machine.

    The kernel and the base game written by hand in plain Python play at random, four players, in turns of a fraction of
    a second. A decision is one answer of a player that has an alternative. Then come the costs of single operations on
    a half-played game, in turns with what they are compared with, and of starting programs.

    With --games each of these games is played at random, in turns with OpenSpiel's and RLCard's environments of the
    same game where these libraries are installed. Of the time, each game has its share.

    With --growth Exploding Kittens is played at random by more and more players and with more and more packs, and a
    game made for this with larger and larger hands, piles and packs, up to 20,000 cards each of another kind (which
    take a minute to make; --quick leaves them out).
    """
    if growth and games is not None:
        raise click.UsageError("--growth measures sizes and --games games; ask for one of them")
    if chart is not None and not growth:
        raise click.UsageError("--chart draws what --growth measures; give both")
    if seconds is None:
        seconds = 3.0 if quick else 20.0
    if growth:
        from rulebook.commands import benchgrowth

        report = benchgrowth.measure(seconds, quick)
        lines = benchgrowth.lines(report)
        if chart is not None:
            from rulebook.growth_chart import draw

            Path(chart).write_text(draw(report), encoding="utf-8")
    elif games is None:
        report = _measure(seconds, OPERATION_SECONDS / (5 if quick else 1))
        lines = _lines(report)
    else:
        from rulebook.commands import benchgames

        names = benchgames.chosen(games)
        report = benchgames.measure(names, seconds)
        lines = benchgames.lines(report)
    if file != "-":
        for line in lines:
            click.echo(line)
    if file is not None:
        text = json.dumps(report, indent=1) + "\n"
        if file == "-":
            click.echo(text, nl=False)
        else:
            Path(file).write_text(text, encoding="utf-8")


def _measure(seconds: float, each: float) -> dict[str, Any]:
    from rich.console import Console
    from rich.progress import Progress

    import rulebook
    from rulebook import costs, speed

    book = rulebook.load("kittens", packs=["base"])
    contestants = {"kernel": speed.kernel_contestant(book)}
    by_hand = speed.yardstick()
    if by_hand is not None:
        contestants["by hand"] = speed.yardstick_contestant(by_hand)
    contestants["by calls"] = speed.interface_contestant(book)
    contestants["expansions"] = speed.kernel_contestant(rulebook.load("kittens", packs=list(speed.EXPANSIONS)))
    console = Console(stderr=True)
    turns = (WARMING + ROUNDS) * len(contestants)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("playing", total=turns + OPERATIONS + STARTS)
        results = speed.race(contestants, ROUNDS, seconds / turns, lambda: progress.advance(task), WARMING)
        progress.update(task, description="single operations")
        operations: dict[str, dict[str, Any]] = {}
        for cost in costs.operations(book, each):
            operations[cost.name] = {**spread(cost.microseconds)}
            if cost.times is not None:
                operations[cost.name] |= {"measure": cost.measure, "times": spread(cost.times)}
            progress.advance(task)
        progress.update(task, description="starting programs")
        starts = {name: spread(seconds) for name, seconds in costs.starts(lambda: progress.advance(task))}
    report: dict[str, Any] = {
        "interpreter": speed.interpreter(),
        "kernel": "compiled" if speed.compiled() else "pure Python",
        "players": speed.PLAYERS,
        "play": {name: rates(rounds) for name, rounds in results.items()},
        "microseconds": operations,
        "seconds_to_start": starts,
    }

    def ratio(one: str, other: str) -> dict[str, float]:
        pairs = zip(results[one], results[other], strict=True)
        return spread(speed.Spread.of([ours.rate / theirs.rate for ours, theirs in pairs]))

    report["expansions_ratio"] = ratio("expansions", "kernel")
    if by_hand is not None:
        report["ratio"] = ratio("kernel", "by hand")
        report["calls_ratio"] = ratio("by calls", "by hand")
    return report


def rates(rounds: list[Round]) -> dict[str, Any]:
    """The figures of one contestant, as the report holds them."""
    from rulebook.speed import Spread

    games = sum(entry.games for entry in rounds)
    seconds = sum(entry.seconds for entry in rounds)
    return {
        "decisions_a_second": spread(Spread.of([entry.rate for entry in rounds])),
        "games_a_second": games / seconds,
        "decisions_a_game": sum(entry.decisions for entry in rounds) / games,
        "games": games,
    }


def spread(found: Spread) -> dict[str, float]:
    """A spread, as the report holds it."""
    return {"median": found.middle, "min": found.low, "max": found.high}


def _lines(report: dict[str, Any]) -> list[str]:
    """The report for people."""
    lines = [report["interpreter"], f"kernel: {report['kernel']}", ""]
    lines.append(f"Random play of the base game, {report['players']} players:")
    for name, play in report["play"].items():
        rate = play["decisions_a_second"]
        lines.append(
            f"  {name:<10} {rate['median']:>9,.0f} decisions/s ({rate['min']:,.0f} to {rate['max']:,.0f})"
            f"  {play['games_a_second']:>7,.0f} games/s  {play['decisions_a_game']:.1f} decisions a game"
        )
    lines.append("  (by calls: through legal and apply, as other programs do; expansions: the base game with all five)")
    lines.append("")
    for key, text in RATIOS.items():
        found = report.get(key)
        if found:
            lines.append(f"  {text:<44} {found['median']:.2f} ({found['min']:.2f} to {found['max']:.2f})")
    if "ratio" not in report:
        lines.append(
            "  The game written by hand, the yardstick, comes with the source alone; this is an installed rulebook."
        )
    lines += ["", "Single operations on a half-played game:"]
    for name, cost in report["microseconds"].items():
        line = f"  {name:<14} {cost['median']:>9,.1f} µs ({cost['min']:,.1f} to {cost['max']:,.1f})"
        times = cost.get("times")
        if times:
            line += f"  {times['median']:.2f} times {cost['measure']} ({times['min']:.2f} to {times['max']:.2f})"
        lines.append(line)
    lines += ["", "Programs, from start to end:"]
    for name, seconds in report["seconds_to_start"].items():
        lines.append(f"  {name:<38} {seconds['median']:.2f} s ({seconds['min']:.2f} to {seconds['max']:.2f})")
    return lines
