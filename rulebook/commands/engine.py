"""`rulebook engine`: games for programs in other languages, over standard input and output."""

from __future__ import annotations

import sys

import click

from rulebook.commands import epilog
from rulebook.engine.rpc import MAX_LINE, serve
from rulebook.engine.sessions import MAX_BOOKS, MAX_SESSIONS


@click.command(
    epilog=epilog(
        """echo '{"jsonrpc":"2.0","id":1,"method":"hello"}' | rulebook engine""",
        "rulebook engine --allow ~/my-packs",
    )
)
@click.option(
    "--allow",
    "allowed",
    metavar="DIR",
    multiple=True,
    type=click.Path(exists=True, file_okay=False),
    help="A folder from which `load` may take games and packs by `path`; may be repeated. Without it, none.",
)
@click.option(
    "--sessions", type=click.IntRange(1, 100_000), default=MAX_SESSIONS, show_default=True, help="Games open at once."
)
@click.option(
    "--books", type=click.IntRange(1, 10_000), default=MAX_BOOKS, show_default=True, help="Books open at once."
)
@click.option(
    "--max-line",
    type=click.IntRange(1024, 1 << 30),
    default=MAX_LINE,
    show_default=True,
    help="The longest line that is read, in bytes.",
)
def command(allowed: tuple[str, ...], sessions: int, books: int, max_line: int) -> None:
    """Speak JSON-RPC 2.0, one object a line, on standard input and output.

    For programs in other languages that want to play, as chess programs talk to their engines. The protocol stands in
    docs/engine.md and in schemas/engine.json. Whoever holds the other end is the host of all its games.
    """
    from rulebook.engine.methods import Engine

    engine = Engine(allowed, sessions, books, max_line)
    serve(sys.stdin.buffer, sys.stdout.buffer, engine.methods(), max_line)
