"""The part of `rulebook bench` that is about many games: each by random play, beside other libraries that have it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import rulebook
from rulebook import speed
from rulebook.commands.bench import rates, spread
from rulebook.commands.choosing import split_names
from rulebook.elsewhere import LIBRARIES, Elsewhere
from rulebook.library import games_below, shipped

ROUNDS = 5
OURS = "kernel"


def chosen(names: str) -> list[str]:
    """The games that `--games` names; `all` are those that are shipped."""
    if names.strip() != "all":
        return list(split_names(names, "--games"))
    root = shipped()
    return sorted(games_below(root)) if root is not None else []


def measure(names: Sequence[str], seconds: float) -> dict[str, Any]:
    """Play each game for its share of the seconds, in turns with the same game elsewhere; the report as JSON-able data.

    Raises :class:`rulebook.PackError` for a game that there is not.
    """
    from rich.console import Console
    from rich.progress import Progress

    books = {name: rulebook.load(name) for name in names}
    console = Console(stderr=True)
    report: dict[str, Any] = {
        "interpreter": speed.interpreter(),
        "kernel": "compiled" if speed.compiled() else "pure Python",
        "libraries": {library.title: library.version for library in LIBRARIES},
        "games": {},
    }
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("playing", total=len(books))
        for name, book in books.items():
            progress.update(task, description=name)
            players = min(max(speed.PLAYERS, book.players_min), book.players_max)
            others = {
                f"{library.title} {library.version}": found
                for library in LIBRARIES
                if (found := library.game(name, players)) is not None
            }
            report["games"][name] = _one(book, players, others, seconds / max(len(books), 1))
            progress.advance(task)
    return report


def _one(book: Any, players: int, others: dict[str, Elsewhere], seconds: float) -> dict[str, Any]:
    contestants = {OURS: speed.kernel_contestant(book, players)}
    contestants.update({name: other.play for name, other in others.items()})
    results = speed.race(contestants, ROUNDS, seconds / (ROUNDS * len(contestants)))
    found: dict[str, Any] = {"players": players, OURS: rates(results[OURS]), "elsewhere": {}}
    for name, other in others.items():
        entry = {"players": other.players, **rates(results[name])}
        pairs = zip(results[OURS], results[name], strict=True)
        ratios = [ours.rate / theirs.rate for ours, theirs in pairs if theirs.rate]
        if ratios:
            entry["ratio"] = spread(speed.Spread.of(ratios))
        found["elsewhere"][name] = entry
    return found


def lines(report: dict[str, Any]) -> list[str]:
    """The report for people."""
    said = [report["interpreter"], f"kernel: {report['kernel']}", "", "Random play:"]
    for name, game in report["games"].items():
        said.append(f"  {name:<22}{_figures(game[OURS])}  {game['players']} players")
        for other, entry in game["elsewhere"].items():
            ratio = entry.get("ratio")
            beside = f"; ours has {ratio['median']:.2f} of its speed" if ratio else ""
            said.append(f"    {other:<20}{_figures(entry)}  {entry['players']} players{beside}")
    for title, version in report["libraries"].items():
        if version is None:
            said += ["", f"{title} is not installed here, so nothing is compared with it."]
    return said


def _figures(play: dict[str, Any]) -> str:
    rate = play["decisions_a_second"]
    if not play["decisions_a_game"]:
        return f"{'no decisions':>11}  {play['games_a_second']:,.0f} games/s"
    return (
        f"{rate['median']:>9,.0f} decisions/s ({rate['min']:,.0f} to {rate['max']:,.0f})"
        f"  {play['decisions_a_game']:.1f} decisions a game"
    )
