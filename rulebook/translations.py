"""Titles and texts in other languages: files `texts/LANGUAGE.yaml` of games and packs, and what they say of a book.

Translations are for people alone. No rule reads them, so a book has the same digest with and without them, and where a
card has none in the language asked for, its own title and text stand. `rulebook check` says what is missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulebook.diagnostics import Diagnostics, did_you_mean

if TYPE_CHECKING:
    from kernel import Rulebook
    from rulebook.packs import CardSource, GameSource
    from rulebook.yamlread import Map

FOLDER = "texts"
"""The folder of a game or pack in which its translations lie."""
GAME = "game"
"""Stands for the game among the titles of packs."""
SHOWN = 6
"""So many cards are named that have no text."""


@dataclass(frozen=True, slots=True)
class Texts:
    """What is called how in one language, for one book. `language` is empty for the book's own words."""

    language: str
    game: str
    titles: Mapping[str, str]
    texts: Mapping[str, str]
    packs: Mapping[str, str]
    """Titles of the packs that have one in this language."""


def languages(book: Rulebook) -> tuple[str, ...]:
    """The languages in which a book has something to say, besides its own."""
    return tuple(sorted(book.data.get("translations", ())))


def texts(book: Rulebook, language: str | None = None) -> Texts:
    """Titles and texts of a book in a language: `pt-BR` takes what `pt-BR` says, then what `pt` says, then the cards'
    own words. A language of which nothing is known gives these too."""
    titles = {kind.id: kind.title for kind in book.kinds}
    said = {kind["id"]: str(kind["text"]) for kind in book.data["kinds"]}
    packs: dict[str, str] = {}
    game = book.title
    known = book.data.get("translations", {})
    for name in reversed(list(fallbacks(language or ""))):
        there = known.get(name, {})
        game = there.get("titles", {}).get(GAME, game)
        packs.update({pack: title for pack, title in there.get("titles", {}).items() if pack != GAME})
        for id, words in there.get("cards", {}).items():
            if id in titles:
                titles[id] = words.get("title", titles[id])
                said[id] = words.get("text", said[id])
    return Texts(language or "", game, titles, said, packs)


def fallbacks(language: str) -> Iterator[str]:
    """A language and those that stand in for it: `zh-Hant-TW`, `zh-Hant`, `zh`."""
    parts = language.split("-")
    for end in range(len(parts), 0, -1):
        yield "-".join(parts[:end])


# Reading ----------------------------------------------------------------------------------------------


def files(root: Path) -> list[Path]:
    """The files of texts of a game or pack."""
    try:
        return sorted(path for path in (root / FOLDER).glob("*.yaml") if not path.name.startswith("."))
    except OSError:
        return []


def read(path: Path, root: Path, diagnostics: Diagnostics) -> Map | None:
    """A file of texts that is in order; None, with the faults reported, if it is not."""
    from rulebook.packs import read_checked, text_of

    node = read_checked(path, "texts", root, diagnostics)
    if node is not None and text_of(node, "texts") != path.stem:
        said = node.entries["texts"]
        diagnostics.error(
            "RB310", f"this file is called `{path.stem}.yaml`, but says `texts: {text_of(node, 'texts')}`", said.span
        )
        return None
    return node


def gather(source: GameSource) -> dict[str, Any]:
    """What the files of texts of a game and its packs say, by language. Files with faults say nothing: a book is not
    refused for them."""
    from rulebook.packs import text_of
    from rulebook.yamlread import to_data

    found: dict[str, Any] = {}
    cards = {id for pack in source.packs for id in pack.cards}
    for name, root in ((GAME, source.root), *((pack.id, pack.path) for pack in source.packs)):
        for path in files(root):
            node = read(path, root, Diagnostics())
            if node is None:
                continue
            entry = found.setdefault(path.stem, {"titles": {}, "cards": {}})
            if text_of(node, "title"):
                entry["titles"][name] = text_of(node, "title")
            below = node.get("cards")
            for id, words in (to_data(below) if below is not None else {}).items():
                if id in cards:
                    entry["cards"].setdefault(id, {}).update(words)
    return {language: found[language] for language in sorted(found)}


def check(root: Path, own: Mapping[str, CardSource], known: Iterable[str], diagnostics: Diagnostics) -> int:
    """What is wrong with the files of texts of a game or pack, and for which of its `own` cards they have none. `known`
    are the cards they may speak of. How many files there are."""
    from rulebook.packs import map_of, text_of
    from rulebook.yamlread import Map

    there = set(known)
    for path in files(root):
        node = read(path, root, diagnostics)
        if node is None:
            continue
        said = map_of(node, "cards")
        cards = node.get("cards")
        for id in said:
            if id not in there and isinstance(cards, Map):
                diagnostics.error(
                    "RB416", f'there is no kind of card "{id}"', cards.keys[id].span, did_you_mean(id, there)
                )
        missing = []
        for id, card in own.items():
            words = said.get(id)
            both = (
                isinstance(words, Map)
                and "title" in words.entries
                and ("text" in words.entries or not text_of(card.node, "text"))
            )
            if not both and not card.deck and not card.broken:
                missing.append(id)
        if missing:
            more = f" and {len(missing) - SHOWN} more" if len(missing) > SHOWN else ""
            shown = ", ".join(f"`{id}`" for id in missing[:SHOWN])
            message = f"title or text is missing in `{path.stem}` for {shown}{more}"
            diagnostics.warning("RB340", message, node.keys["texts"].span, "their own words are shown instead")
    return len(files(root))
