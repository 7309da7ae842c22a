"""Players that are programs. A bot sees its seat and nothing else: what its player may see, do and has been told.

For now there is one, `random`, which takes any legal action with equal chance.
"""

from __future__ import annotations

import difflib
import random
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from kernel import Action, State


class Seat:
    """What one player may know of a game, and nothing more. A bot gets this and never the state."""

    __slots__ = ("__state", "player")

    def __init__(self, state: State, player: int) -> None:
        self.__state = state
        self.player = player

    @property
    def legal(self) -> Sequence[Action]:
        """What this player may do now."""
        return self.__state.legal(self.player)

    def view(self) -> dict[str, Any]:
        """What this player sees now."""
        return self.__state.view(self.player)

    def news(self, since: int = 0) -> list[dict[str, Any]]:
        """What this player has been told."""
        return self.__state.news(self.player, since)

    def determinize(self, seed: int) -> State:
        """A state that this player cannot tell from the real one, for bots that think ahead."""
        return self.__state.determinize(self.player, seed)


class Bot(Protocol):
    """A program that plays. It is made once for a game and asked whenever its player is."""

    def choose(self, seat: Seat) -> Action:
        """One of `seat.legal`."""
        ...


class RandomBot:
    """Takes any legal action with equal chance. The same seed plays the same way; the game's own chance is never
    touched.
    """

    __slots__ = ("_random",)

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def choose(self, seat: Seat) -> Action:
        """One of `seat.legal`, uniformly."""
        legal = seat.legal
        return legal[self._random.randrange(len(legal))]


BOTS: dict[str, Callable[[int], Bot]] = {"random": RandomBot}
"""Every bot by its name, made from a seed."""

_MASK = (1 << 64) - 1


class UnknownBot(ValueError):
    """No bot has this name."""

    def __init__(self, name: str) -> None:
        near = difflib.get_close_matches(name, BOTS, n=1)
        hint = f"did you mean `{near[0]}`?" if near else "known here: " + ", ".join(f"`{known}`" for known in BOTS)
        super().__init__(f"there is no bot `{name}`; {hint}")


def make(name: str, seed: int) -> Bot:
    """The bot of that name. Raises :class:`UnknownBot`."""
    if name not in BOTS:
        raise UnknownBot(name)
    return BOTS[name](seed)


def derive(seed: int, *numbers: int) -> int:
    """Another seed out of a seed and numbers (a game's, a player's), so that neighbours do not resemble each other."""
    mixed = seed & _MASK
    for number in numbers:
        # SplitMix64's finaliser: every bit of the result depends on every bit of what goes in.
        mixed = (mixed + (number + 1) * 0x9E3779B97F4A7C15) & _MASK
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        mixed ^= mixed >> 31
    return mixed >> 11  # 53 bits: a whole number that every JSON reader keeps exact
