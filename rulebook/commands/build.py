"""`rulebook build`: a game as one JSON file, which `kernel` alone can play."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulebook.commands import epilog
from rulebook.commands.choosing import Choice, game_options

if TYPE_CHECKING:
    from rulebook.diagnostics import Diagnostic


@click.command(
    epilog=epilog("rulebook build kittens --packs base,imploding -o kittens.json", "rulebook play kittens.json")
)
@game_options
@click.option("-o", "--output", metavar="FILE", required=True, help="Where to write it; `-` is the standard output.")
@click.option("--skip-broken", is_flag=True, help="Leave out cards that have faults, and say which.")
@click.option("--force", is_flag=True, help="Replace a file that is there and is no compiled game.")
def command(choice: Choice, output: str, skip_broken: bool, force: bool) -> None:
    """Compile a game into one JSON file.

    A server, a cluster worker or a browser needs nothing else than this file and the kernel:
    `kernel.Rulebook.from_json(text)` plays it.
    """
    from rulebook.cli import use_color
    from rulebook.diagnostics import render
    from rulebook.files import write_text

    skipped: list[Diagnostic] | None = [] if skip_broken else None
    book = choice.load(skipped)
    for fault in skipped or ():
        click.echo(render([fault], color=use_color(sys.stderr)), err=True)
    for card in book.data.get("left_out", ()):
        click.echo(f"left out: {card}", err=True)
    text = json.dumps(book.data, ensure_ascii=False, separators=(",", ":"), sort_keys=True) + "\n"
    if output == "-":
        click.echo(text, nl=False)
        return
    target = Path(output)
    write_text(target, text, overwrite=force or _is_compiled(target))
    click.echo(f"{output}: {book.title}, digest {book.digest}", err=True)


def _is_compiled(path: Path) -> bool:
    """Whether the file is an earlier build, which a newer one may replace."""
    try:
        with path.open("rb") as file:
            start = file.read(4096)
        return start.startswith(b"{") and b'"attributes":' in start
    except OSError:
        return False
