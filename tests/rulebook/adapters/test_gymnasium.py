"""Gymnasium: its own check, the bots at the other seats, and what illegal ids come to."""

from __future__ import annotations

import pytest

pytest.importorskip("gymnasium", reason="gymnasium is not installed; pip install '.[gymnasium]'")

import gymnasium
import numpy as np
from gymnasium.utils.env_checker import check_env

import kernel
from rulebook import bots
from rulebook.adapters.gymnasium import SeatEnv
from tests.rulebook.adapters.games import GAMES, policy


@pytest.mark.parametrize("game", GAMES)
def test_the_check_of_environments_passes(game: str) -> None:
    env = gymnasium.make("Rulebook-v0", book=game, ask=policy(game), render_mode="ansi")
    check_env(env.unwrapped, skip_render_check=False)


def play(env: SeatEnv, seed: int) -> tuple[float, int]:
    seen, info = env.reset(seed=seed)
    chance = np.random.default_rng(seed)
    steps, reward, over = 0, 0.0, False
    while not over:
        assert reward == 0.0
        assert (info["action_mask"] == seen["action_mask"]).all()
        assert (env.action_masks() == seen["action_mask"]).all()
        seen, reward, over, cut, info = env.step(int(chance.choice(np.flatnonzero(seen["action_mask"]))))
        assert not cut
        steps += 1
    return reward, steps


@pytest.mark.parametrize(("game", "players", "seat"), [("kittens", 3, 1), ("court", 4, 3), ("kittens", 2, 0)])
def test_games_are_played_to_the_end_and_the_same_seed_is_the_same_game(game: str, players: int, seat: int) -> None:
    env = SeatEnv(game, players=players, seat=seat, illegal="raise")
    results = [play(env, seed) for seed in range(12)]
    assert {reward for reward, _ in results} <= {-1.0, players - 1.0}
    again = SeatEnv(game, players=players, seat=seat, illegal="raise")
    assert [play(again, seed) for seed in range(12)] == results
    assert len({steps for _, steps in results}) > 1


def test_each_opponent_is_given_its_own_seat_and_no_state() -> None:
    asked: set[int] = set()

    class First:
        def __init__(self, seed: int) -> None:
            assert seed > 0

        def choose(self, seat: bots.Seat) -> kernel.Action:
            assert not hasattr(seat, "state")
            assert seat.view()["player"] == seat.player
            asked.add(seat.player)
            return seat.legal[0]

    play(SeatEnv("kittens", players=4, seat=1, opponents=[First, "random", First]), 5)
    assert asked == {0, 3}


def test_wrong_seats_and_opponents_are_refused_at_once() -> None:
    with pytest.raises(ValueError, match="no seat 2"):
        SeatEnv("kittens", players=2, seat=2)
    with pytest.raises(ValueError, match="2 opponents are needed, not 1"):
        SeatEnv("kittens", players=3, opponents=["random"])
    with pytest.raises(bots.UnknownBot):
        SeatEnv("kittens", opponents="randm")


def test_an_id_that_is_not_legal_counts_as_no_answer_or_raises() -> None:
    env = SeatEnv("kittens")
    env.reset(seed=1)
    *_, info = env.step(env.table.id("pass"))
    assert info["illegal"] is True
    assert {"close": 0} in env.match.state.history()
    strict = SeatEnv("kittens", illegal="raise")
    strict.reset(seed=1)
    with pytest.raises(kernel.IllegalAction):
        strict.step(env.table.id("pass"))


def test_a_finished_game_takes_no_step() -> None:
    env = SeatEnv("kittens")
    play(env, 1)
    with pytest.raises(kernel.IllegalAction, match="over"):
        env.step(0)


def test_a_game_without_decisions_is_refused() -> None:
    with pytest.raises(kernel.SetupError, match="before anything is asked"):
        SeatEnv("old_maid").reset(seed=1)
