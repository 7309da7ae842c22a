"""PettingZoo: every game as an AEC environment, and as a parallel one.

`env(book, players=…)` asks one player after the other, `parallel_env` all who are asked at the same moment. `book` is
what `rulebook.load` gives, or the name of a game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from rulebook.adapters import need

need("pettingzoo", "pettingzoo")

import gymnasium  # noqa: E402
from gymnasium.utils import seeding  # noqa: E402
from pettingzoo import AECEnv, ParallelEnv  # noqa: E402
from pettingzoo.utils import wrappers  # noqa: E402

from kernel import IllegalAction, InvalidAction  # noqa: E402
from rulebook.adapters.matches import Match, prepare  # noqa: E402
from rulebook.adapters.spaces import SEEDS, Spaces  # noqa: E402

if TYPE_CHECKING:
    from kernel import ActionTable, Rulebook
    from rulebook.adapters.observing import Observer

Illegal = Literal["timeout", "raise"]


class RawEnv(AECEnv[str, dict[str, Any], int]):
    """One game, one id at a time. Agents are `player_0` … in the order of their seats.

    An observation is a dict of `observation` (see `rulebook.adapters.observing`) and `action_mask`. Everybody is there
    until the game is over: also who is out may still be asked. Rewards come at the end (`rulebook.adapters.matches`).
    `illegal`: an id that is not legal counts as no answer in time ("timeout": the documented default is taken, and
    `infos` says `illegal`), or raises ("raise"). `max_cycles`: who has given so many ids is not asked again, the
    game is cut short for all.
    """

    metadata = {"render_modes": ["ansi"], "name": "rulebook", "is_parallelizable": False}  # noqa: RUF012

    def __init__(
        self,
        book: Rulebook | str = "kittens",
        players: int | None = None,
        ask: str = "settled",
        illegal: Illegal = "timeout",
        max_cycles: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.table, self.observer = prepare(book, players)
        self.metadata = {**self.metadata, "name": f"rulebook_{self.table.book.game}"}
        self.ask = ask
        self.illegal = illegal
        self.max_cycles = max_cycles
        self.render_mode = render_mode
        self.possible_agents = [f"player_{p}" for p in range(self.observer.players)]
        self.agents: list[str] = []
        self.spaces = Spaces(self.table, self.observer)
        self.action_spaces = {agent: self.spaces.action() for agent in self.possible_agents}
        self.observation_spaces = {agent: self.spaces.observation() for agent in self.possible_agents}
        self.numbers = {agent: p for p, agent in enumerate(self.possible_agents)}
        self._random, _ = seeding.np_random()

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        """The space of what an agent observes."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        """The ids of the book's table."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game. The same seed is the same game; without one, chance goes on from the last."""
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        self.match = begin(self.table, self.observer, self._random, self.ask)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._given = dict.fromkeys(self.agents, 0)
        self.agent_selection = self.agents[0]
        self._go_on()

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees, and which ids it may give (none, if it is not its turn to give one)."""
        p = self.numbers[agent]
        legal = self.match.legal(p) if agent == self.agent_selection and not self._ended() else []
        return self.spaces.pack(self.match.observe(p), legal)

    def step(self, action: int | None) -> None:
        """The selected agent gives an id (None, when it is done)."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)  # type: ignore[arg-type,unused-ignore]
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.infos[agent] = {}
        try:
            self.match.step(int(action) if action is not None else -1)
        except (IllegalAction, InvalidAction):
            if self.illegal == "raise":
                raise
            self.infos[agent] = {"illegal": True}
            self.match.time_out()
        self._given[agent] += 1
        self._go_on()
        self._accumulate_rewards()

    def _ended(self) -> bool:
        return self.match.over or any(self.truncations.values())

    def _go_on(self) -> None:
        player = self.match.player
        if player is None:
            for p, won in enumerate(self.match.returns()):
                self.rewards[self.possible_agents[p]] = won
            self.terminations = dict.fromkeys(self.agents, True)
            return
        self.agent_selection = self.possible_agents[player]
        if self.max_cycles is not None and self._given[self.agent_selection] >= self.max_cycles:
            self.truncations = dict.fromkeys(self.agents, True)

    def render(self) -> str | None:
        """What a spectator sees, as lines of text."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs render_mode='ansi'")
            return None
        return self.match.state.observation(None).text

    def close(self) -> None:
        """Nothing is held open."""


class RawParallelEnv(ParallelEnv[str, dict[str, Any], int]):
    """One game, all who are asked at once. Who is not asked gives the id `wait`, which is the last one.

    An id that was meant for a question which the answer of a player before has closed is dropped. `max_cycles` counts
    steps of the environment. Everything else is as in `RawEnv`.
    """

    metadata = {"render_modes": ["ansi"], "name": "rulebook"}  # noqa: RUF012

    def __init__(
        self,
        book: Rulebook | str = "kittens",
        players: int | None = None,
        ask: str = "settled",
        illegal: Illegal = "timeout",
        max_cycles: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.table, self.observer = prepare(book, players)
        self.metadata = {**self.metadata, "name": f"rulebook_{self.table.book.game}"}
        self.ask = ask
        self.illegal = illegal
        self.max_cycles = max_cycles
        self.render_mode = render_mode
        self.possible_agents = [f"player_{p}" for p in range(self.observer.players)]
        self.agents: list[str] = []
        self.wait = len(self.table)
        self.spaces = Spaces(self.table, self.observer, extra=1)
        self.action_spaces = {agent: self.spaces.action() for agent in self.possible_agents}
        self.observation_spaces = {agent: self.spaces.observation() for agent in self.possible_agents}
        self._random, _ = seeding.np_random()

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        """The space of what an agent observes."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        """The ids of the book's table, and `wait`."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, dict[str, Any]], dict[str, dict[str, Any]]]:
        """A new game. The same seed is the same game; without one, chance goes on from the last."""
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        self.match = begin(self.table, self.observer, self._random, self.ask)
        self.agents = list(self.possible_agents)
        self.cycles = 0
        return self._observations(), {agent: {} for agent in self.agents}

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[
        dict[str, dict[str, Any]], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
    ]:
        """Everybody gives an id; those of the players asked are carried out, the lowest player first."""
        match = self.match
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        asked = match.state.waiting.players
        question = self._question()
        for p, agent in enumerate(self.possible_agents):
            id = int(actions.get(agent, self.wait))
            if p not in asked:
                if id != self.wait:
                    infos[agent] = self._refuse(agent, "is not asked and can only wait")
            elif p in match.state.waiting.players and self._question() == question:
                try:
                    match.step(-1 if id == self.wait else id, p)
                except (IllegalAction, InvalidAction) as error:
                    infos[agent] = self._refuse(agent, error.message)
                    match.time_out(p)
        self.cycles += 1
        over = match.over
        cut = not over and self.max_cycles is not None and self.cycles >= self.max_cycles
        rewards = dict(zip(self.possible_agents, match.returns(), strict=True))
        observations = self._observations()
        agents, self.agents = self.agents, [] if over or cut else self.agents
        return observations, rewards, dict.fromkeys(agents, over), dict.fromkeys(agents, cut), infos

    def _question(self) -> tuple[str, int]:
        return self.match.state.asked, self.match.state.ask_since

    def _refuse(self, agent: str, why: str) -> dict[str, Any]:
        if self.illegal == "raise":
            raise IllegalAction(f"{agent}: {why}")
        return {"illegal": True}

    def _observations(self) -> dict[str, dict[str, Any]]:
        return {
            agent: self.spaces.pack(self.match.observe(p), self.match.legal(p) or [self.wait])
            for p, agent in enumerate(self.possible_agents)
        }

    def render(self) -> str | None:
        """What a spectator sees, as lines of text."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs render_mode='ansi'")
            return None
        return self.match.state.observation(None).text

    def close(self) -> None:
        """Nothing is held open."""


def begin(table: ActionTable, observer: Observer, random: Any, ask: str) -> Match:
    """A new game in which something is asked. Raises `kernel.SetupError` where there is none."""
    return Match.begin_undecided(table, observer, lambda: int(random.integers(SEEDS)), ask, lambda _match: None)


def env(book: Rulebook | str = "kittens", **settings: Any) -> AECEnv[str, dict[str, Any], int]:
    """The AEC environment of a game, with PettingZoo's check that `reset` comes first. See :class:`RawEnv`."""
    return wrappers.OrderEnforcingWrapper(RawEnv(book, **settings))


def parallel_env(book: Rulebook | str = "kittens", **settings: Any) -> RawParallelEnv:
    """The parallel environment of a game. See :class:`RawParallelEnv`."""
    return RawParallelEnv(book, **settings)


raw_env = RawEnv
