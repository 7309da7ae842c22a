"""`rulebook fmt`: lay out the files of games and packs in the one way."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from rulebook.commands import epilog


@click.command("fmt", epilog=epilog("rulebook fmt", "rulebook fmt cards/kittens/base", "rulebook fmt --check ."))
@click.argument("paths", metavar="[PATH…]", nargs=-1, type=click.Path(path_type=Path))
@click.option("--check", is_flag=True, help="Change nothing; name the files that would change.")
def command(paths: tuple[Path, ...], check: bool) -> int:
    """Lay out files of games, packs, cards and rulings.

    PATH is a file or a folder; left out, the folder where you stand. Spaces and indentation of programs and
    expressions, the keys at the head of a file, blanks and line ends become the same everywhere. What a file says never
    changes, and comments stay; a file with faults is not touched. The files changed are named on stdout.

    Exit code 0: done; 1: files have faults or, with --check, would change; 2: wrong call.
    """
    from rulebook.cli import DONE, FAULTS, use_color
    from rulebook.diagnostics import Diagnostics, render, visible
    from rulebook.formatting import files_below, formatted
    from rulebook.library import display

    for path in paths:
        if not path.exists():
            raise click.UsageError(f"{visible(str(path)[:200])} does not exist")
    files = {file.resolve(): (file, kind) for path in paths or (Path(),) for file, kind in files_below(path)}
    found = Diagnostics()
    changed = 0
    for file, kind in files.values():
        texts = formatted(file, kind, found)
        if texts is None or texts[0] == texts[1]:
            continue
        changed += 1
        click.echo(display(file))
        if not check:
            _write(file, texts[1])
    if found.errors:
        click.echo(render(found.sorted(), color=use_color(sys.stderr)), err=True)
    what = "1 file" if len(files) == 1 else f"{len(files)} files"
    verdict = "would change" if check else "changed"
    click.echo(f"looked at {what}: {changed or 'none'} {verdict}", err=True)
    return FAULTS if found.errors or (check and changed) else DONE


def _write(file: Path, text: str) -> None:
    """Put the text in the place of the file, wholly or not at all; its mode stays."""
    from rulebook.files import write_text

    target = file.resolve()
    try:
        mode = target.stat().st_mode
        write_text(target, text, overwrite=True)
        target.chmod(mode)
    except OSError as error:
        raise click.UsageError(f"{file} cannot be written: {error.strerror}") from None
