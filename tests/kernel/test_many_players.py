"""Games for as many as can play: the bits of their players and of the spectator are no number of a machine."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import rulebook
from rulebook.growing import GAME, Sizes, write


@pytest.mark.parametrize("players", [61, 62, 63, 64])
def test_cards_that_all_of_very_many_players_know_move_on(tmp_path: Path, players: int) -> None:
    sizes = Sizes(kinds=20, copies=13, players=players, hand=4)  # a small pile: it is made anew of the cards laid down
    write(sizes, tmp_path)
    state = rulebook.load(GAME, path=tmp_path, options={"hand_size": sizes.hand}).new(
        players=players, seed=0, ask="settled"
    )
    chance = Random(0)
    for _ in range(400):
        player = state.waiting.players[0]
        legal = state.legal(player)
        state.apply(player, legal.at(chance.randrange(len(legal))))
    assert state.step_count == len(state.history()) == 400
