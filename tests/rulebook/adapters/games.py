"""The games that adapters are tried with: every one that is shipped."""

from __future__ import annotations

from functools import cache

import kernel
from rulebook.adapters.matches import Match, prepare
from rulebook.library import games_below, shipped

_PLACE = shipped()
GAMES = sorted(games_below(_PLACE)) if _PLACE is not None else []


@cache
def policy(game: str) -> str:
    """Whom to ask: a game without any decision of its own (Old Maid) needs `all`."""
    table, observer = prepare(game)
    seeds = iter(range(1000))
    try:
        Match.begin_undecided(table, observer, lambda: next(seeds), "settled", lambda _match: None)
    except kernel.SetupError:
        return "all"
    return "settled"
