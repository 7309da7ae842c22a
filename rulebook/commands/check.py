"""`rulebook check`: look for faults in games and packs, and say what to type instead."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal

import click

from rulebook.commands import epilog


@click.command(
    "check",
    epilog=epilog("rulebook check", "rulebook check cards/kittens/base --strict", "rulebook check --format plain ."),
)
@click.argument("paths", metavar="[PATH…]", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--format",
    "style",
    type=click.Choice(["human", "plain", "json"]),
    default="human",
    show_default=True,
    help="human: with source lines; plain: a line each, as editors read it; json: a list of objects.",
)
@click.option("--strict", is_flag=True, help="Warnings count as faults.")
def command(paths: tuple[Path, ...], style: Literal["human", "plain", "json"], strict: bool) -> int:
    """Look for faults in games and packs.

    PATH is a folder of games or packs, a game, a pack, or a single file; left out, everything that comes with
    rulebook and the folder `cards` where you stand. Everything is looked at in one run, the conditions of rulings too
    (whether they hold is what `rulebook test` says). What is found goes to stdout,
    a summary to stderr.

    Exit code 0: no fault (a folder without a game or pack is a warning); 1: faults, or warnings with --strict; 2:
    wrong call, such as a path that does not exist.
    """
    from rulebook.checking import check_paths
    from rulebook.cli import DONE, FAULTS, use_color
    from rulebook.diagnostics import render, visible

    for path in paths:
        if not path.exists():
            raise click.UsageError(f"{visible(str(path)[:200])} does not exist")
    report = check_paths(paths)
    items = report.diagnostics.sorted()
    text = render(items, style, color=style == "human" and use_color(sys.stdout))
    if text:
        click.echo(text)
    errors = len(report.diagnostics.errors)
    warnings = len(items) - errors
    if style == "human":
        looked = f"{_count(report.packs, 'pack')} of {_count(report.games, 'game')}" if report.packs else ""
        files = _count(report.files, "other file" if report.packs else "file")
        what = " and ".join(part for part in (looked, files if report.files else "") if part) or "nothing"
        verdict = f"{_count(errors, 'error')}, {_count(warnings, 'warning')}" if items else "no fault found"
        click.echo(f"checked {what}: {verdict}", err=True)
    return FAULTS if errors or (strict and warnings) else DONE


def _count(number: int, word: str, plural: str = "") -> str:
    return f"{number} {word}" if number == 1 else f"{number} {plural or word + 's'}"
