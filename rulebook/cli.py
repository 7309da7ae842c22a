"""The `rulebook` command: finds the command asked for, and turns each way a run can end into a message and a code.

Exit codes: 0 done; 1 faults were found in what was looked at (a pack, a ruling, a record); 2 the call itself was wrong;
3 a fault of this program; 130 interrupted. Messages go to stderr, stdout holds what was asked for and nothing else.
What the commands do is theirs: see :mod:`rulebook.commands`.
"""

from __future__ import annotations

import importlib
import io
import os
import sys
import traceback
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from rulebook.commands import COMMANDS, epilog

if TYPE_CHECKING:
    from kernel import GameError

DONE = 0
FAULTS = 1
WRONG_CALL = 2
OUR_FAULT = 3
INTERRUPTED = 130
BROKEN_PIPE = 141

DEBUG = "RULEBOOK_DEBUG"
"""The environment variable that brings tracebacks back."""


class _ReaderGone(Exception):
    """Whoever read our output has closed it (`| head`)."""


class Commands(click.Group):
    """A group that knows its commands from a table and imports a command's module only when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, imported now."""
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        command = importlib.import_module(entry.module).command
        if not isinstance(command, click.Command):
            raise TypeError(f"{entry.module}.command is no click command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that the first word names, or say which one was most likely meant."""
        word = args[0]
        if word not in COMMANDS and not word.startswith("-"):
            from rulebook.diagnostics import did_you_mean, visible

            hint = did_you_mean(word, COMMANDS)
            raise click.UsageError(f"there is no command `{visible(word[:80])}`" + (f"; {hint}" if hint else ""), ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. A reader of our output who has gone is no error, and click must not make one of it."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as gone:
            raise _ReaderGone from gone

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list in `rulebook --help`, written from the table without importing anything."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.about) for name, entry in COMMANDS.items()])


def _print_version(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from rulebook import __version__

        click.echo(f"rulebook {__version__}")
        ctx.exit()


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=epilog("rulebook play", "rulebook check cards/kittens", "rulebook COMMAND --help"),
)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version, help="Show the version."
)
def group() -> None:
    """Card games as data: play them, check them, test them, simulate them."""


def main(args: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code. No user's mistake ends in a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and (stream.encoding or "").lower() not in ("utf-8", "utf8"):
            stream.reconfigure(
                errors="backslashreplace"
            )  # a title that this terminal cannot show must not end the game
    try:
        code = _run(list(sys.argv[1:] if args is None else args))
        sys.stdout.flush()
        return code
    except (_ReaderGone, BrokenPipeError):
        # The reader of our output has gone. What is still buffered would fail once more when the interpreter ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE


def _run(args: list[str]) -> int:
    try:
        code = group.main(args, prog_name="rulebook", standalone_mode=False)
        return code if isinstance(code, int) and not isinstance(code, bool) else DONE
    except click.exceptions.Exit as end:
        return end.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        return INTERRUPTED
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (_ReaderGone, BrokenPipeError):
        raise
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else DONE if end.code is None else WRONG_CALL
    except Exception as error:
        if os.environ.get(DEBUG):
            traceback.print_exc()
        return report(error)


def report(error: Exception) -> int:
    """Print what went wrong as one block on stderr: the code, what, and what to do instead. Returns the exit code."""
    from kernel import GameError

    if isinstance(error, GameError):
        return _report_game_error(error)
    from rulebook.diagnostics import visible

    if isinstance(error, OSError) and error.filename is not None:
        reason = error.strerror or type(error).__name__
        click.echo(f"error[file]: {visible(str(error.filename))}: {reason}", err=True)
        return WRONG_CALL
    _block("bug", f"{type(error).__name__}: {error}", [*_notes(error), _HOW_TO_REPORT])
    return OUR_FAULT


_HOW_TO_REPORT = (
    f"this is a fault of rulebook; please report it with the command you gave. {DEBUG}=1 shows where it happened"
)


def _report_game_error(error: GameError) -> int:
    import kernel

    diagnostics: Any = getattr(error, "diagnostics", None)
    if diagnostics is not None:
        from rulebook.diagnostics import render

        click.echo(render(diagnostics, color=use_color(sys.stderr)), err=True)
        for note in _notes(error):
            _hint(note)
        # A fault that stands in no file is one of the call: an unknown game, pack, preset or option.
        in_files = any(item.span is not None for item in diagnostics if item.severity == "error")
        return FAULTS if in_files else WRONG_CALL
    notes = _notes(error)
    if isinstance(error, kernel.EngineError):
        _block(error.code, error.message, [*notes, _HOW_TO_REPORT])
        return OUR_FAULT
    _block(error.code, error.message, notes)
    return FAULTS if isinstance(error, kernel.CardError | kernel.RestoreError) else WRONG_CALL


def use_color(stream: Any) -> bool:
    """Whether to colour what goes to this stream: a terminal, not a dumb one, and no `NO_COLOR` in the environment."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return bool(getattr(stream, "isatty", lambda: False)())


def _notes(error: BaseException) -> list[str]:
    return list(getattr(error, "__notes__", ()))


def _block(code: str, message: str, notes: Sequence[str]) -> None:
    from rulebook.diagnostics import visible

    head = f"error[{visible(code)}]"
    if use_color(sys.stderr):
        head = click.style(head, fg="red", bold=True)
    lines = message.splitlines() or [""]
    click.echo(f"{head}: {visible(lines[0])}", err=True, color=use_color(sys.stderr))
    for line in lines[1:]:
        click.echo(f"  {visible(line)}", err=True)
    for note in notes:
        _hint(note)


def _hint(note: str) -> None:
    from rulebook.diagnostics import visible

    for line in note.splitlines():
        click.echo(f"  {visible(line)}", err=True)
