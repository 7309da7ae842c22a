"""One viewer's window on a game: what is new for them, in words, and the table as they see it.

A viewer is a player, a spectator (None), or :data:`EVERYTHING`, which joins what all players know: for a game of bots
and for replays, where nobody is left to keep a secret from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rulebook.terminal.names import UNKNOWN, Names
from rulebook.terminal.wording import Journal, Line

if TYPE_CHECKING:
    from kernel import State

EVERYTHING = -1
"""The viewer who sees what any player sees."""

SPECTATOR = "spectator"
ALL = "everything"


def viewer_named(text: str, players: int) -> int | None:
    """The viewer that a word names: a player's number, `spectator` (None) or `everything`. ValueError for others."""
    if text == SPECTATOR:
        return None
    if text == ALL:
        return EVERYTHING
    if text.isdecimal() and len(text) <= 3 and int(text) < players:
        return int(text)
    raise ValueError(f"a player from 0 to {players - 1}, `{SPECTATOR}` or `{ALL}`")


class Glass:
    """What one viewer sees of a state, and how far they have read."""

    def __init__(self, names: Names, viewer: int | None, since: int = 0) -> None:
        self.viewer = viewer
        self.names = names.seen_by(viewer if viewer is not None and viewer >= 0 else None)
        self.since = since
        self._journal = Journal(self.names)

    def view(self, state: State) -> dict[str, Any]:
        """The table as this viewer sees it."""
        if self.viewer != EVERYTHING:
            return state.view(self.viewer)
        views = [state.view(player) for player in range(state.players)]
        spectator = state.view(None)
        return {
            **spectator,
            **{key: _joined([view[key] for view in views]) for key in ("zones", "attributes") if key in views[0]},
        }

    def entries(self, state: State) -> list[Mapping[str, Any]]:
        """The news that this viewer has not read."""
        if self.viewer != EVERYTHING:
            return list(state.news(self.viewer, self.since))
        several = [state.news(player, self.since) for player in range(state.players)]
        return [_joined(list(same)) for same in zip(*several, strict=True)]

    def lines(self, state: State) -> Iterator[Line]:
        """The news that this viewer has not read, in words; afterwards they are read."""
        entries = self.entries(state)
        if entries:
            self.since = entries[-1]["n"]
        return self._journal.lines(entries)

    def has_secrets(self, state: State) -> bool:
        """Whether the unread news tell this viewer something that a spectator is not told."""
        return self.entries(state) != list(state.news(None, self.since))

    def skip(self, state: State) -> None:
        """Take all news as read. Acts that were announced are remembered."""
        for _ in self.lines(state):
            pass


def _joined(same: Sequence[Any]) -> Any:
    """The same data as several viewers have it, with everything that at least one of them knows."""
    first = same[0]
    if isinstance(first, Mapping):
        keys = dict.fromkeys(key for one in same for key in one)
        return {key: _joined([one[key] for one in same if key in one]) for key in keys}
    if isinstance(first, list) and all(isinstance(one, list) and len(one) == len(first) for one in same):
        return [_joined(list(items)) for items in zip(*same, strict=True)]
    return next((one for one in same if one != UNKNOWN), first)
