"""Gymnasium: one seat of a game against given bots, as an environment for a single agent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal

from rulebook.adapters import need

need("gymnasium", "gymnasium")

import gymnasium  # noqa: E402

from kernel import IllegalAction, InvalidAction  # noqa: E402
from rulebook import bots  # noqa: E402
from rulebook.adapters.matches import Match, prepare  # noqa: E402
from rulebook.adapters.spaces import SEEDS, Spaces  # noqa: E402

if TYPE_CHECKING:
    from kernel import Rulebook

Opponent = str | Callable[[int], bots.Bot]
"""The name of a bot, or a function that makes one from a seed."""


class SeatEnv(gymnasium.Env[dict[str, Any], int]):
    """One seat of a game; bots sit at the others, each with what its own player may know and nothing more.

    An observation is a dict of `observation` (see `rulebook.adapters.observing`) and `action_mask`; the mask is in
    `info` as well, and `action_masks()` gives it to libraries that ask so. The reward comes at the end
    (`rulebook.adapters.matches`). `opponents`: one bot for all other seats, or one for each in the order of the seats.
    `illegal`: an id that is not legal counts as no answer in time ("timeout": the documented default is taken, and
    `info` says `illegal`), or raises ("raise").
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        book: Rulebook | str = "kittens",
        players: int | None = None,
        seat: int = 0,
        opponents: Opponent | Sequence[Opponent] = "random",
        ask: str = "settled",
        illegal: Literal["timeout", "raise"] = "timeout",
        render_mode: str | None = None,
    ) -> None:
        self.table, self.observer = prepare(book, players)
        n = self.observer.players
        if not 0 <= seat < n:
            raise ValueError(f"there is no seat {seat}; seats are 0 to {n - 1}")
        others = [opponents] * (n - 1) if isinstance(opponents, str) or callable(opponents) else list(opponents)
        if len(others) != n - 1:
            raise ValueError(f"{n - 1} opponents are needed, not {len(others)}")
        others.insert(seat, "random")  # nobody: the agent sits here
        self.makers = [_maker(other) for other in others]
        self.seat = seat
        self.ask = ask
        self.illegal = illegal
        self.render_mode = render_mode
        self.spaces = Spaces(self.table, self.observer)
        self.action_space = self.spaces.action()
        self.observation_space = self.spaces.observation()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """A new game, played up to the agent's first decision. The same seed is the same game against the same bots."""
        super().reset(seed=seed)
        self.match = Match.begin_undecided(self.table, self.observer, self._seed, self.ask, self._others_play)
        return self._seen(), self._info()

    def step(self, action: int) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """The agent gives an id; when its action is complete, the bots play up to its next decision or the end."""
        info: dict[str, Any] = {}
        try:
            self.match.step(int(action), self.seat)
        except (IllegalAction, InvalidAction) as error:
            if self.illegal == "raise" or error.code == "over":
                raise
            info["illegal"] = True
            self.match.time_out(self.seat)
        self._others_play(self.match)
        over = self.match.over
        return self._seen(), self.match.returns()[self.seat] if over else 0.0, over, False, {**self._info(), **info}

    def action_masks(self) -> Any:
        """1 for each id that is legal now, 0 for the others."""
        return self.spaces.mask(self.match.legal(self.seat))

    def _seed(self) -> int:
        seed = int(self.np_random.integers(SEEDS))
        self.bots = [make(bots.derive(seed, p)) for p, make in enumerate(self.makers)]
        return seed

    def _others_play(self, match: Match) -> None:
        state = match.state
        while not state.over and self.seat not in state.waiting.players:
            player = state.waiting.players[0]
            state.apply(player, self.bots[player].choose(bots.Seat(state, player)))

    def _seen(self) -> dict[str, Any]:
        return self.spaces.pack(self.match.observe(self.seat), self.match.legal(self.seat))

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks()}

    def render(self) -> str | None:  # type: ignore[override,unused-ignore]
        """What the agent sees, as lines of text."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs render_mode='ansi'")
            return None
        return self.match.state.observation(self.seat).text


def _maker(opponent: Opponent) -> Callable[[int], bots.Bot]:
    if not isinstance(opponent, str):
        return opponent
    bots.make(opponent, 0)  # an unknown name is found out now
    return lambda seed: bots.make(opponent, seed)


gymnasium.register(id="Rulebook-v0", entry_point="rulebook.adapters.gymnasium:SeatEnv")
