"""`rulebook.load`: from names to a book of rules, through the cache or through the compiler.

Reading, checking and compiling are imported only when the cache has no answer, so that a warm start costs neither a
grammar nor a schema.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from kernel import GameError, Rulebook, weave
from rulebook.cache import Cache, Request
from rulebook.diagnostics import Diagnostic, Diagnostics
from rulebook.translations import FOLDER

if TYPE_CHECKING:
    from rulebook.packs import GameSource

WEAVE = "RULEBOOK_WEAVE"
"""The environment variable that turns weaving off (`off`) or says how often a place is entered before (a number)."""

_weave = os.environ.get(WEAVE, "").lower()
if _weave in ("off", "no", "false"):
    weave.hot = -1
elif _weave.isdigit():
    weave.hot = int(_weave)


def load_book(
    game: str | None = None,
    *,
    packs: Iterable[str] | None = None,
    preset: str | None = None,
    options: Mapping[str, int | bool | str | Sequence[int | bool | str]] | None = None,
    path: str | os.PathLike[str] | None = None,
    skipped: list[Diagnostic] | None = None,
    plain: bool = False,
) -> Rulebook:
    """See :func:`rulebook.load`."""
    names = None if packs is None else packs.split(",") if isinstance(packs, str) else list(packs)
    request = Request(game, names, preset, dict(options or {}), None if path is None else os.fspath(path))
    if skipped is not None:
        from rulebook.leaving_out import compile_without_broken

        data, faults = compile_without_broken(request)
        skipped.extend(faults)
        return Rulebook.from_data(data, plain)
    cache = Cache.default()
    book = _from_cache(cache, request, plain)
    if book is not None:
        return book
    data, roots = compile_request(request)
    cache.keep(request, roots, data)
    return Rulebook.from_data(data, plain)


def _from_cache(cache: Cache, request: Request, plain: bool) -> Rulebook | None:
    data = cache.find(request)
    if data is None:
        return None
    try:
        return Rulebook.from_data(data, plain)
    except (GameError, ValueError, LookupError, TypeError):
        return None  # whatever lies there is not what we put there: compile anew


def compile_request(request: Request) -> tuple[dict[str, Any], list[str]]:
    """The compiled form, and the folders it was made from. Raises :class:`rulebook.PackError`."""
    from rulebook.decks import places
    from rulebook.library import open_library
    from rulebook.resolve import gather, open_shelf

    diagnostics = Diagnostics()
    library = open_library(request.path, diagnostics)
    shelf = open_shelf(library, request.game, diagnostics) if not diagnostics.errors else None
    source = None
    if shelf is not None:
        source = gather(shelf, diagnostics, request.packs, request.preset, request.options)
    data = compile_source(source, diagnostics) if source is not None else None
    diagnostics.check()
    assert source is not None, "there is nothing to compile, and nobody said why"
    assert data is not None, "nothing was compiled, and nobody said why"
    data = with_texts(data, source)
    packs = [pack.path for pack in source.packs]
    roots = (source.root, *packs, *places(source.root, *packs))
    return data, [str(place) for place in (*roots, *(root / FOLDER for root in (source.root, *packs)))]


def with_texts(data: dict[str, Any], source: GameSource) -> dict[str, Any]:
    """The compiled form with what is said in other languages, if anything is."""
    from rulebook.translations import gather

    said = gather(source)
    return {**data, "translations": said} if said else data


def compile_source(source: GameSource, diagnostics: Diagnostics) -> dict[str, Any] | None:
    """Run the compiler. Where some card was refused before, its warnings are dropped: they may be about what is
    missing."""
    from rulebook.lang import compile_game

    found = Diagnostics()
    data = compile_game(source, found)
    diagnostics.extend(found.errors if source.broken else found.items)
    if data is None or diagnostics.errors:
        return None
    renamed: dict[str, Any] = _renamed(data, source.names())
    return renamed


def _renamed(data: Any, names: Mapping[str, str]) -> Any:
    """The compiled form with files named by game, pack and card, so that the same rules have the same digest
    anywhere."""
    if isinstance(data, dict):
        return {
            key: names.get(value, value) if key == "file" and isinstance(value, str) else _renamed(value, names)
            for key, value in data.items()
        }
    if isinstance(data, list):
        return [_renamed(item, names) for item in data]
    return data
