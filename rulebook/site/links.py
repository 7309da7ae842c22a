"""Checking the links of a site that was built: every address inside it must exist, with the fragment it names.

mkdocs looks at the Markdown and leaves gaps (fragments in verbose builds, HTML written by hand, what themes add); this
looks at the HTML that came out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


@dataclass(frozen=True, slots=True, order=True)
class DeadLink:
    """A link that leads nowhere; `page` is the path of the HTML file in the site."""

    page: str
    link: str
    reason: str

    def __str__(self) -> str:
        return f"{self.page}: {self.link}: {self.reason}"


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.anchors: set[str] = {"", "top"}
        self.links: dict[str, None] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for key, value in attrs:
            if value is None:
                continue
            if key == "id" or (key == "name" and tag == "a"):
                self.anchors.add(value)
            elif key in ("href", "src") and tag != "base":
                self.links[value] = None


def dead_links(site: Path) -> list[DeadLink]:
    """All links of the pages of a site that lead to a file or a fragment that is not there, sorted."""
    site = site.resolve()
    pages = {path: _read(path) for path in sorted(site.rglob("*.html"))}
    found = [
        DeadLink(path.relative_to(site).as_posix(), link, reason)
        for path, page in pages.items()
        for link in page.links
        for reason in _faults(site, path, link, pages)
    ]
    return sorted(found)


def _read(path: Path) -> _Page:
    page = _Page()
    page.feed(path.read_text(encoding="utf-8"))
    page.close()
    return page


def _faults(site: Path, page: Path, link: str, pages: dict[Path, _Page]) -> Iterator[str]:
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return
    address = unquote(parts.path)
    target = page
    if address:
        target = (site / address.lstrip("/") if address.startswith("/") else page.parent / address).resolve()
        if not target.is_relative_to(site):
            yield "leads out of the site"
            return
        if target.is_dir():
            target /= "index.html"
    if not target.is_file():
        yield "there is no such page"
    elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
        yield "the page has no such anchor"
