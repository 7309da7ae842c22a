"""The hooks that mkdocs calls: they add the generated pages to the site. Named under `hooks:` in `mkdocs.yml`."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page

from rulebook.site import errors
from rulebook.site.building import LANGUAGE, ROOTS
from rulebook.site.gather import Game, gather
from rulebook.site.pages import reference

STYLE = "assets/reference.css"
ERRORS = "errors.md"

_TITLE = re.compile(r"<title>.*?</title>", re.DOTALL)
_HEADING = re.compile(r"<h1[^>]*>(.*?)</h1>", re.DOTALL)
_TAGS = re.compile(r'<a class="headerlink".*?</a>|<[^>]*>', re.DOTALL)


def generated(config: MkDocsConfig) -> dict[str, str]:
    """Everything that is added to the pages written by hand, by path."""
    pages = {ERRORS: errors.page(), **reference(_games(config))}
    pages[STYLE] = Path(__file__).with_name("reference.css").read_text(encoding="utf-8")
    return pages


def _games(config: MkDocsConfig) -> tuple[Game, ...]:
    return gather([Path(root) for root in config.extra.get(ROOTS) or ()], config.extra.get(LANGUAGE))


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put the games and their packs into the navigation, below the entry for the reference."""
    if config.nav is not None:
        config.nav = [_with_packs(entry, config) for entry in config.nav]
    return config


def _with_packs(entry: Any, config: MkDocsConfig) -> Any:
    if not isinstance(entry, dict) or "reference/index.md" not in entry.values():
        return entry
    (title,) = entry
    below: list[Any] = ["reference/index.md"]
    for game in _games(config):
        packs = [{_shown(pack.title): f"reference/{game.id}/packs/{pack.id}.md"} for pack in game.packs]
        below.append({_shown(game.title): [f"reference/{game.id}/index.md", *packs]})
    return {title: below}


def _shown(title: str) -> str:
    """A title for a theme, which writes it into its HTML as it is."""
    return escape(title, quote=True)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages; mkdocs makes a site of them without writing them to the disk."""
    for path, text in generated(config).items():
        inside = InclusionLevel.NOT_IN_NAV if "/cards/" in path or "/decks/" in path else InclusionLevel.UNDEFINED
        files.append(File.generated(config, path, content=text, inclusion=inside))
    return files


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Write the title of the window of a generated page from its heading: themes unescape it, so that a card's title
    could end the element."""
    if not page.file.src_uri.startswith("reference/"):
        return output
    heading = _HEADING.search(output)
    if heading is None:
        return output
    title = _TAGS.sub("", heading.group(1)).strip()
    return _TITLE.sub(lambda _: f"<title>{title} - {escape(config.site_name)}</title>", output, count=1)


def on_post_build(config: MkDocsConfig) -> None:
    """Without an address a site map says nothing but the date of the build, and two builds would differ."""
    if not config.site_url:
        for name in ("sitemap.xml", "sitemap.xml.gz"):
            (Path(config.site_dir) / name).unlink(missing_ok=True)
