"""`rulebook replay`: a recorded game again, step by step, or the proof that it is exact."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from rulebook.commands import epilog

if TYPE_CHECKING:
    from rulebook.records import Record
    from rulebook.sessions import Session


@click.command(
    epilog=epilog(
        "rulebook replay evening.jsonl",
        "rulebook replay evening.jsonl --verify",
        "rulebook replay evening.jsonl --as 2 --step 40",
    )
)
@click.argument("file")
@click.option("--verify", is_flag=True, help="Play it again and compare every digest; exit code 1 where it differs.")
@click.option(
    "--as",
    "viewer",
    metavar="WHO",
    default="everything",
    show_default=True,
    help="A player's number, spectator or everything.",
)
@click.option(
    "--step", metavar="N", type=click.IntRange(0), help="Show the table after this many steps, and what led there last."
)
@click.option("--path", metavar="DIR", help="Where the game or further packs lie.")
@click.option("--no-color", is_flag=True, help="No colours. (NO_COLOR in the environment does the same.)")
def command(file: str, verify: bool, viewer: str, step: int | None, path: str | None, no_color: bool) -> int:
    """Step through a recorded game.

    On a terminal: Enter goes on, b goes back, a number goes to that step, `as WHO` looks through other eyes, q ends.
    Otherwise all steps are listed.
    """
    from rulebook import records
    from rulebook.sessions import begin, load_recorded

    record = records.read(file)
    if step is not None and step > len(record.steps):
        raise click.UsageError(f"this record has {len(record.steps)} steps")
    seen = _viewer(viewer, record)
    session = begin(record.header, lambda header: load_recorded(header, path))
    session.path_option = "" if path is None else f" --path {path}"
    if verify:
        return _verify(session, record)
    from rulebook.terminal.console import console
    from rulebook.terminal.playback import Playback

    playback = Playback(session, record, seen, console(color=False if no_color else None))
    if step is not None:
        playback.show(step)
    elif sys.stdin.isatty() and sys.stdout.isatty():
        playback.browse()
    else:
        playback.list()
    return 0


def _viewer(text: str, record: Record) -> int | None:
    from rulebook.terminal.glass import viewer_named

    try:
        return viewer_named(text, record.header.players)
    except ValueError as error:
        raise click.UsageError(f"--as takes {error}") from None


def _verify(session: Session, record: Record) -> int:
    from rulebook.sessions import repeat_all

    repeat_all(session, record.steps)
    proved = sum(1 for step in record.steps if step.digest is not None)
    end = "the game is over" if session.state.over else "the game is not over"
    click.echo(f"{len(record.steps)} steps, {proved} digests compared, all the same; {end}")
    return 0
