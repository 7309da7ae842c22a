"""Games that are played out: what was done is noted in brief and made into steps when somebody reads it."""

from __future__ import annotations

import json
from random import Random

import pytest

import kernel
import rulebook


def begun(name: str, ask: str, seed: int) -> kernel.State:
    """A game in which something of every sort of step has been done."""
    state = rulebook.load(name).new(players=4, seed=seed, ask=ask)
    chance = Random(seed)
    for _ in range(6):
        player = chance.choice(state.waiting.players)
        legal = state.legal(player)
        state.apply(player, legal.at(chance.randrange(len(legal))))
    state.close()
    state.leave(3)
    return state


def done(state: kernel.State, entry: dict[str, object]) -> None:
    """Take a step of a history once more."""
    if "a" in entry:
        assert isinstance(entry["p"], int)
        state.apply(entry["p"], str(entry["a"]))
    elif "close" in entry:
        assert entry["close"] is None
        state.close()
    else:
        assert isinstance(entry["leave"], int)
        state.leave(entry["leave"])


@pytest.mark.parametrize("ask", ["all", "settled"])
@pytest.mark.parametrize("name", ["kittens", "court"])
def test_a_game_played_out_remembers_every_step(name: str, ask: str) -> None:
    for seed in range(3):
        state = begun(name, ask, seed)
        before = state.copy()
        assert before.step_count == 8
        kernel.playout(state, seed=seed)
        count = state.step_count  # before anybody has read a step
        assert state.played
        copied = state.copy()
        history = state.history()
        assert count == state.step_count == copied.step_count == len(history) > 8
        assert history == copied.history()
        assert history[:8] == before.history()
        assert before.step_count == 8
        again = rulebook.load(name).new(players=4, seed=seed, ask=ask)
        for entry in history:
            done(again, entry)
        assert again.digest == state.digest
        assert again.history() == history
        restored = state.book.restore(json.loads(json.dumps(state.dump())))
        for player in (None, *range(4)):
            assert again.news(player) == state.news(player) == restored.news(player)
            assert again.information_state(player) == state.information_state(player)
            assert restored.information_state(player) == state.information_state(player)


def test_playing_out_what_is_over_changes_nothing() -> None:
    state = kernel.playout(rulebook.load("kittens").new(players=4, seed=1, ask="settled"), seed=1)
    count, digest = state.step_count, state.digest
    kernel.playout(state, seed=2)
    assert (state.step_count, state.digest, len(state.history())) == (count, digest, count)
