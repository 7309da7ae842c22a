"""`rulebook test`: run the rulings of games and packs."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulebook.commands import epilog

if TYPE_CHECKING:
    from rulebook.rulings import FileReport, Ruling


@click.command(
    "test",
    epilog=epilog(
        "rulebook test", "rulebook test cards/kittens/base -k nope", "rulebook test cards/kittens --coverage --min 90"
    ),
)
@click.argument("paths", metavar="[PATH…]", nargs=-1, type=click.Path(path_type=Path))
@click.option("-k", "words", metavar="TEXT", help="Only rulings whose title, file or `about` holds this text.")
@click.option("-x", "--stop", is_flag=True, help="Stop at the first ruling that fails.")
@click.option("-v", "--verbose", is_flag=True, help="Show the title of every ruling.")
@click.option("--coverage", is_flag=True, help="Show which statements of the cards no ruling runs.")
@click.option(
    "--min",
    "least",
    metavar="PERCENT",
    type=click.FloatRange(0, 100),
    help="With --coverage: fail where fewer of the statement lines ran.",
)
@click.option(
    "--format",
    "style",
    type=click.Choice(["human", "plain", "json"]),
    default="human",
    show_default=True,
    help="human: failures in full; plain: a line each, as editors read it; json: everything, as one object.",
)
def command(
    paths: tuple[Path, ...],
    words: str | None,
    stop: bool,
    verbose: bool,
    coverage: bool,
    least: float | None,
    style: str,
) -> int:
    """Run the rulings of games and packs: executed examples of their rules.

    PATH is a file of rulings or a folder (rulings, a pack, a game, games); left out, everything that comes with
    rulebook.

    Exit code 0: all hold; 1: some fail, a file has faults, or the coverage is below --min; 2: wrong call, such as a
    path that does not exist or holds no rulings."""
    from rulebook.cli import DONE, FAULTS, use_color
    from rulebook.diagnostics import visible
    from rulebook.rulings import run
    from rulebook.rulings.report import Look, end_text, file_lines

    if least is not None and not coverage:
        raise click.UsageError("--min goes with --coverage")
    for path in paths:
        if not path.exists():
            raise click.UsageError(f"{visible(str(path)[:200])} does not exist")
    look = Look(style, verbose, style == "human" and use_color(sys.stdout))

    def tell(file: FileReport) -> None:
        if style != "json":
            for line in file_lines(file, look):
                click.echo(line)

    report = run(paths, chosen=_chooser(words), stop=stop, coverage=coverage, tell=tell)
    if not report.files and not report.diagnostics:
        where = ", ".join(map(str, paths)) or "what comes with rulebook"
        raise click.UsageError(
            f"no ruling of {visible(where)} holds `{words}`" if words else f"no rulings in {visible(where)}"
        )
    text = end_text(report, look)
    if text:
        click.echo(text)
    if least is not None and report.coverage is not None and report.coverage.percent < least:
        click.echo(f"coverage is {report.coverage.percent:.1f} %, less than the {least:g} % wanted", err=True)
        return FAULTS
    return DONE if report.ok else FAULTS


def _chooser(words: str | None) -> Callable[[Ruling], bool] | None:
    if not words:
        return None
    wanted = words.casefold()

    def chosen(ruling: Ruling) -> bool:
        texts = (ruling.title, ruling.span.file, *ruling.about)
        return any(wanted in text.casefold() for text in texts)

    return chosen
