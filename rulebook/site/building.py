"""Making the site with mkdocs: its configuration, a strict build, and the check of what came out."""

from __future__ import annotations

import importlib.util
import json
import logging
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import rulebook
from rulebook.library import shipped
from rulebook.site.links import dead_links

ROOTS = "rulebook_roots"
LANGUAGE = "rulebook_language"
"""The key under `extra` by which the folders of games reach the hooks."""

MARKER = ".rulebook-site"
"""The file that says that a folder is a site of ours, and may be emptied for the next one."""

PLAIN_THEME = {"name": "mkdocs", "highlightjs": False}
"""What is used where the material theme is not installed."""


class SiteError(Exception):
    """The site could not be made; the message has a line for each fault."""


def build(out: Path, scratch: Path, roots: Sequence[Path] = (), language: str | None = None) -> int:
    """Make the site in the folder `out` and return the number of its pages. `scratch` is an empty folder for files that
    are needed meanwhile; `roots` are the folders of games (default: those that come with rulebook).

    Raises SiteError for a link that leads nowhere, a folder that is not ours to empty, or whatever mkdocs warns of, and
    :class:`rulebook.PackError` where a pack cannot be read.
    """
    _quiet_environment()
    from mkdocs.commands.build import build as make
    from mkdocs.config import load_config
    from mkdocs.exceptions import Abort, ConfigurationError

    out = out.resolve()
    if out.exists() and (not out.is_dir() or (any(out.iterdir()) and not (out / MARKER).is_file())):
        raise SiteError(f"{out} is there and was not made by `rulebook docs`; it would be emptied")
    with _warnings() as warnings:
        try:
            config = load_config(str(_file(scratch)), site_dir=str(out), strict=True, **_settings(roots, language))
            config.plugins.on_startup(command="build", dirty=False)
            make(config)
            config.plugins.on_shutdown()
        except (Abort, ConfigurationError) as error:
            raise SiteError("\n".join(warnings) or str(error)) from None
    (out / MARKER).write_text("This folder is made by `rulebook docs` and emptied by it.\n", encoding="utf-8")
    if dead := dead_links(out):
        raise SiteError("\n".join(f"the link {link.link} on {link.page} leads nowhere: {link.reason}" for link in dead))
    return sum(1 for _ in out.rglob("*.html"))


def serve(scratch: Path, address: str, roots: Sequence[Path] = (), language: str | None = None) -> None:
    """Show the site at `address` (host:port) until interrupted, made again whenever a page or a card changes."""
    _quiet_environment()
    from mkdocs.commands.serve import serve as show

    watched = [str(root) for root in roots or [place for place in [shipped()] if place is not None]]
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    show(str(_file(scratch)), watch=watched, dev_addr=address, **_settings(roots, language))


def checkout_config() -> Path | None:
    """The `mkdocs.yml` of the checkout that this package runs from; None in an installed wheel, which has no
    `docs/`."""
    top = Path(rulebook.__file__).resolve().parent.parent
    path = top / "mkdocs.yml"
    return path if path.is_file() and (top / "docs").is_dir() else None


def _file(scratch: Path) -> Path:
    return checkout_config() or _reference_config(scratch)


def _settings(roots: Sequence[Path], language: str | None) -> dict[str, Any]:
    """What is said beside the configuration file."""
    settings: dict[str, Any] = {"extra": {ROOTS: [str(root) for root in roots], LANGUAGE: language}}
    if importlib.util.find_spec("material") is None:
        settings["theme"] = PLAIN_THEME
    return settings


def _reference_config(folder: Path) -> Path:
    """A configuration (JSON is YAML) for the card reference without the pages written by hand, which a wheel lacks."""
    pages = folder / "docs"
    pages.mkdir(parents=True, exist_ok=True)
    (pages / "index.md").write_text(
        "# Rulebook\n\n* [Card reference](reference/index.md)\n* [Error codes](errors.md)\n"
    )
    hooks = Path(__file__).with_name("hooks.py")
    settings = {
        "site_name": "Rulebook",
        "docs_dir": str(pages),
        "theme": {"name": "material", "font": False},
        "hooks": [str(hooks)],
        "extra_css": ["assets/reference.css"],
        "markdown_extensions": ["attr_list", "tables", "fenced_code", {"codehilite": {"css_class": "highlight"}}],
        "nav": ["index.md", {"Card reference": "reference/index.md"}, {"Error codes": "errors.md"}],
        "validation": {"links": {"anchors": "warn"}},
    }
    file = folder / "mkdocs.yml"
    file.write_text(json.dumps(settings, indent=1), encoding="utf-8")
    return file


def _quiet_environment() -> None:
    """Before mkdocs is imported: no notices of its makers, and no date of today in what it writes."""
    os.environ.setdefault("NO_MKDOCS_2_WARNING", "1")
    os.environ.setdefault("DISABLE_MKDOCS_2_WARNING", "true")
    os.environ.setdefault("SOURCE_DATE_EPOCH", "315532800")


@contextmanager
def _warnings() -> Iterator[list[str]]:
    """Collect what mkdocs logs as a warning or worse, in place of letting it print."""
    found: list[str] = []

    class Keeper(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            found.append(record.getMessage())

    logger = logging.getLogger("mkdocs")
    keeper = Keeper(logging.WARNING)
    propagate = logger.propagate
    logger.addHandler(keeper)
    logger.propagate = False
    try:
        yield found
    finally:
        logger.removeHandler(keeper)
        logger.propagate = propagate
