"""Card games as data: read packs of YAML, check them, compile them for the kernel, and test, simulate and serve them.

>>> import rulebook
>>> book = rulebook.load("kittens")             # doctest: +SKIP
>>> state = book.new(players=4, seed=7)         # doctest: +SKIP

:func:`load` is the way in; :class:`PackError` is raised with everything that is wrong with the files asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING

from rulebook.diagnostics import Diagnostic, Diagnostics, PackError, Span

if TYPE_CHECKING:
    from kernel import Rulebook

__all__ = ["Diagnostic", "Diagnostics", "PackError", "Span", "__version__", "load"]
__version__ = "0.1.0"


def load(
    game: str = "kittens",
    packs: Iterable[str] | None = None,
    preset: str | None = None,
    options: Mapping[str, int | bool | str | Sequence[int | bool | str]] | None = None,
    path: str | PathLike[str] | None = None,
    skipped: list[Diagnostic] | None = None,
    plain: bool = False,
) -> Rulebook:
    """The book of rules for a game played with these packs.

    `packs` left out are the preset's, else the game's own default. An option given here beats the preset's, which
    beats a pack's, which beats the game's default. `path` is a directory with games, the directory of one game, or
    the directory of a pack (which is then played too); without it games are found beside the package and packs also
    where other distributions publish them (entry points `rulebook.packs`).

    `skipped`: a list that says "play with what works": cards with faults are left out, and the faults go there. Faults
    of the game file, of a manifest or a deck are raised all the same.

    `plain`: what is run often is not turned into functions of its own. Results are the same; it is slower.

    Raises :class:`PackError` with all diagnostics of one run: unknown names, broken files, faults in the language.
    """
    from rulebook.loading import load_book

    return load_book(game, packs=packs, preset=preset, options=options, path=path, skipped=skipped, plain=plain)
