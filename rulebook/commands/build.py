"""`rulebook build`: a game as one JSON file, which `kernel` alone can play."""

from __future__ import annotations

import json
from pathlib import Path

import click

from rulebook.commands import epilog
from rulebook.commands.choosing import Choice, game_options


@click.command(
    epilog=epilog("rulebook build kittens --packs base,imploding -o kittens.json", "rulebook play kittens.json")
)
@game_options
@click.option("-o", "--output", metavar="FILE", required=True, help="Where to write it; `-` is the standard output.")
@click.option("--force", is_flag=True, help="Replace a file that is there and is no compiled game.")
def command(choice: Choice, output: str, force: bool) -> None:
    """Compile a game into one JSON file.

    A server, a cluster worker or a browser needs nothing else than this file and the kernel:
    `kernel.Rulebook.from_json(text)` plays it.
    """
    from rulebook.files import write_text

    book = choice.load()
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
