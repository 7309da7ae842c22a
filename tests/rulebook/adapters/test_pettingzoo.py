"""PettingZoo: its own tests, and what they do not look at."""

from __future__ import annotations

import types
from typing import Any

import pytest

pytest.importorskip("pettingzoo", reason="pettingzoo is not installed; pip install '.[pettingzoo]'")

import numpy as np
from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, parallel_seed_test, seed_test
from pettingzoo.utils import parallel_to_aec

import kernel
from rulebook.adapters import pettingzoo as adapter
from tests.rulebook.adapters.games import GAMES, policy


def seeded(env: Any) -> Any:
    """The environment with all its chance settled: the checks reset and draw without a seed."""
    env.reset(seed=1)
    for i, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(i)
    return env


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.filterwarnings("ignore:Observation")  # it would rather have arrays than dicts with a mask
def test_the_checks_of_aec_environments_pass(game: str) -> None:
    api_test(seeded(adapter.env(game, ask=policy(game))), num_cycles=60)
    seed_test(lambda: adapter.env(game, ask=policy(game)), num_cycles=20)


@pytest.mark.parametrize("game", GAMES)
def test_the_checks_of_parallel_environments_pass(game: str) -> None:
    parallel_api_test(seeded(adapter.parallel_env(game, ask=policy(game))), num_cycles=60)
    parallel_seed_test(lambda: adapter.parallel_env(game, ask=policy(game)), num_cycles=20)


# Two players of Old Maid may be done before the four cycles that this check counts.
@pytest.mark.parametrize("game", [game for game in GAMES if game != "old_maid"])
def test_the_check_of_max_cycles_passes(game: str) -> None:
    def parallel_env(max_cycles: int) -> Any:
        return seeded(adapter.parallel_env(game, ask=policy(game), max_cycles=max_cycles))

    def env(max_cycles: int) -> Any:
        return parallel_to_aec(parallel_env(max_cycles))

    max_cycles_test(types.SimpleNamespace(parallel_env=parallel_env, env=env))


def play(env: Any, seed: int) -> dict[str, float]:
    env.reset(seed=seed)
    chance = np.random.default_rng(seed)
    won: dict[str, float] = {}
    for agent in env.agent_iter():
        seen, reward, ended, cut, _ = env.last()
        if ended or cut:
            won[agent] = reward
            env.step(None)
        else:
            legal = np.flatnonzero(seen["action_mask"])
            assert len(legal)
            for other in env.agents:
                assert other == agent or not env.observe(other)["action_mask"].any()
            env.step(int(chance.choice(legal)))
    return won


@pytest.mark.parametrize(("game", "players"), [("kittens", 4), ("court", 5)])
def test_a_game_is_played_to_its_end_and_rewards_come_with_it(game: str, players: int) -> None:
    env = adapter.env(game, players=players)
    won = play(env, 3)
    assert sorted(won.values()) == [-1.0] * (players - 1) + [players - 1.0]
    winner = next(agent for agent, reward in won.items() if reward > 0)
    assert env.unwrapped.match.state.winners == (int(winner.removeprefix("player_")),)


def test_an_id_that_is_not_legal_counts_as_no_answer_or_raises() -> None:
    env = adapter.env("kittens", players=2)
    env.reset(seed=1)
    env.step(env.unwrapped.table.id("pass"))
    assert env.infos["player_0"] == {"illegal": True}
    assert env.unwrapped.match.state.history() == [{"close": 0}]
    strict = adapter.env("kittens", players=2, illegal="raise")
    strict.reset(seed=1)
    with pytest.raises(kernel.IllegalAction):
        strict.step(env.unwrapped.table.id("pass"))


def test_max_cycles_cut_a_game_short_for_all() -> None:
    env = adapter.env("kittens", players=2, max_cycles=3)
    env.reset(seed=1)
    given = 0
    while not any(env.truncations.values()):
        seen, *_ = env.last()
        env.step(int(np.flatnonzero(seen["action_mask"])[0]))
        given += 1
    assert set(env.truncations.values()) == {True}
    assert not any(env.terminations.values())
    assert 3 <= given <= 6


def test_in_a_parallel_environment_those_asked_at_once_answer_at_once() -> None:
    env = adapter.parallel_env("kittens", players=3, ask="all", illegal="raise")
    seen, _ = env.reset(seed=2)
    chance = np.random.default_rng(2)
    together = 0
    rewards: dict[str, float] = {}
    while env.agents:
        masks = {agent: seen[agent]["action_mask"] for agent in env.agents}
        together += sum(not mask[env.wait] for mask in masks.values()) > 1
        actions = {agent: int(chance.choice(np.flatnonzero(mask))) for agent, mask in masks.items()}
        seen, rewards, _, _, _ = env.step(actions)
    assert together
    assert sorted(rewards.values()) == [-1, -1, 2]


def test_it_is_rendered_as_a_spectator_sees_it() -> None:
    env = adapter.env("kittens", players=2, render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == env.unwrapped.match.state.observation(None).text


def test_a_game_without_decisions_is_refused_or_asked_for_with_every_answer() -> None:
    with pytest.raises(kernel.SetupError, match="ask='all'"):
        adapter.env("old_maid").reset(seed=1)
    env = adapter.env("old_maid", ask="all")
    assert sum(play(env, 1).values()) == 0
