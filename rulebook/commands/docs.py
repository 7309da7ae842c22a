"""`rulebook docs`: the site of the project, or of a wheel's card reference; or only the pages of the reference."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click

from rulebook.commands import epilog


@click.command(epilog=epilog("rulebook docs --out site", "rulebook docs --serve", "rulebook docs --pages reference"))
@click.option("--out", metavar="DIR", default="site", show_default=True, help="Where the site goes.")
@click.option("--serve", is_flag=True, help="Show the site on this machine, made again whenever a file changes.")
@click.option(
    "--address", default="127.0.0.1:8000", show_default=True, metavar="HOST:PORT", help="With --serve: where."
)
@click.option(
    "--pages", metavar="DIR", help="Only write the reference's pages, as Markdown, into DIR. Needs no mkdocs."
)
@click.option(
    "--path",
    "paths",
    metavar="DIR",
    multiple=True,
    help="A folder of games, in place of those that come with rulebook.",
)
@click.option("--language", metavar="L", help="Titles and texts of cards in this language, where there are any.")
def command(
    out: str, serve: bool, address: str, pages: str | None, paths: tuple[str, ...], language: str | None
) -> int:
    """Build the site with the reference of all cards.

    In a checkout this is the whole site; elsewhere it is the card reference and the error codes. Every link is checked,
    and a link that leads nowhere fails the build.
    """
    roots = [Path(path) for path in paths]
    for root in roots:
        if not root.is_dir():
            raise click.UsageError(f"{root} is no folder")
    if pages is not None:
        return _write(Path(pages), roots, language)
    try:
        import mkdocs  # noqa: F401
    except ModuleNotFoundError:
        raise click.UsageError(
            "the site is made with mkdocs, which is not installed: pip install 'rulebook-engine[docs]'"
        ) from None
    from rulebook.site import building

    with tempfile.TemporaryDirectory() as scratch:
        if serve:
            building.serve(Path(scratch), address, roots, language)
            return 0
        try:
            number = building.build(Path(out), Path(scratch), roots, language)
        except building.SiteError as error:
            for line in str(error).splitlines():
                click.echo(f"error[site]: {line}", err=True)
            return 1
    click.echo(f"{out}: {number} pages", err=True)
    return 0


def _write(folder: Path, roots: list[Path], language: str | None) -> int:
    from rulebook.site import errors
    from rulebook.site.gather import gather
    from rulebook.site.pages import reference
    from rulebook.site.writing import write

    changes = write(folder, {"errors.md": errors.page(), **reference(gather(roots, language))})
    click.echo(
        f"{folder}: {len(changes.written)} written, {len(changes.unchanged)} unchanged, {len(changes.removed)} removed",
        err=True,
    )
    return 0
