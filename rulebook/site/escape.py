"""Texts of cards as Markdown and HTML that show them exactly as written: no character of a title or a text is markup.

Everything that Markdown, its extensions, tables or HTML could take for syntax becomes a numeric entity, which all of
them leave alone. Control characters are dropped."""

from __future__ import annotations

import html
import json
import re
import unicodedata
from collections.abc import Iterable

_SYNTAX = re.compile(r"[!-+\-.:<-@\[-`{-~]")
_SPACE = re.compile(r"\s+")
_FENCE = re.compile(r"^ {0,3}(`{3,})", re.MULTILINE)
_TAME = {ord("<"): "‹", ord(">"): "›", ord("&"): "＆", ord('"'): "”"}
_DIGITS = re.compile(r"(\d+)")


def inline(text: str) -> str:
    """One line of Markdown that shows `text`; white space is folded. Good in paragraphs, headings, table cells and
    lists."""
    return _SYNTAX.sub(lambda match: f"&#{ord(match.group())};", plain(text))


def plain(text: str) -> str:
    """`text` on one line, without control characters."""
    folded = _SPACE.sub(" ", text).strip()
    return "".join(char for char in folded if unicodedata.category(char) not in ("Cc", "Cs"))


def code(text: str) -> str:
    """`text` in the type of code, good wherever :func:`inline` is."""
    return f"<code>{inline(text)}</code>"


def markup(text: str) -> str:
    """`text` for the inside of an HTML element or attribute."""
    return html.escape(plain(text), quote=True)


def link(text: str, target: str) -> str:
    """A link; `target` is an address that we made."""
    return f"[{inline(text)}]({target})"


def row(cells: Iterable[str]) -> str:
    """A row of a Markdown table; the cells are Markdown already."""
    return "| " + " | ".join(cells) + " |"


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> list[str]:
    """The lines of a Markdown table, with an empty line behind it; none where there are no rows."""
    titles = list(head)
    body = [row(cells) for cells in rows]
    return [row(titles), row("---" for _ in titles), *body, ""] if body else []


def facts(pairs: Iterable[tuple[str, str]]) -> list[str]:
    """A table of two columns, what and how, without a head of its own: the first pair is it."""
    rows = [(inline(what), how) for what, how in pairs]
    return table(rows[0], [(f"**{what}**", how) for what, how in rows[1:]]) if rows else []


def block(text: str, language: str = "") -> list[str]:
    """The lines of a code block that shows `text`, whatever fences stand in it."""
    longest = max((len(match.group(1)) for match in _FENCE.finditer(text)), default=2)
    fence = "`" * (longest + 1)
    lines = ("".join(c for c in line if c == "\t" or unicodedata.category(c) != "Cc") for line in text.splitlines())
    return [f"{fence}{language}", *(line.rstrip() for line in lines), fence, ""]


def front_matter(title: str, description: str = "") -> list[str]:
    """The head of a page. Themes put titles into HTML as they are, some after unescaping them, so what could be a tag
    is written with other brackets there; the page's heading has the title as it is."""
    lines = ["---", f"title: {json.dumps(tame(title), ensure_ascii=False)}"]
    if description:
        lines.append(f"description: {json.dumps(tame(description), ensure_ascii=False)}")
    return [*lines, "---", ""]


def tame(text: str) -> str:
    """`text` with `<`, `>`, `&` and `"` replaced by look-alikes that HTML has no use for."""
    return plain(text).translate(_TAME)


def anchor(*parts: str) -> str:
    """A fragment made of ids and titles: lower case, words joined by hyphens; letters of every script are kept."""
    text = unicodedata.normalize("NFC", "-".join(parts)).casefold()
    return re.sub(r"[^\w]+", "-", text.replace("_", "-")).strip("-")


def natural(text: str) -> list[tuple[int, int, str]]:
    """A sort key by which 2 stands before 10."""
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part.casefold()) for part in _DIGITS.split(text) if part]


def words(name: str) -> str:
    """A name of the rules as people read it: `draw_pile` is "draw pile"."""
    return name.replace("_", " ")
