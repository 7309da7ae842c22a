"""Random play over every mix of packs and presets: the games end, and keep what every game must keep."""

from __future__ import annotations

import pytest

from kernel import playout, testing
from tests.mixes import Mix, load, mixes, sizes


def test_there_are_sixty_mixes() -> None:
    assert len(mixes()) >= 60
    assert len(set(mixes())) == len(mixes())


@pytest.mark.parametrize("mix", mixes(), ids=lambda mix: f"{mix[1]}:{mix[0]}" if mix[1] else str(mix[0]))
def test_a_mix_plays_to_its_end_for_every_number_of_players(mix: Mix) -> None:
    book = load(mix)
    numbers = sizes(book)
    assert numbers
    for players in numbers:
        state = playout(book.new(players=players, seed=players, ask="settled"), seed=players)
        assert state.over
        assert not state.problems()


@pytest.mark.parametrize("mix", mixes()[::4], ids=lambda mix: f"{mix[1]}:{mix[0]}" if mix[1] else str(mix[0]))
def test_a_mix_keeps_what_every_game_must_keep(mix: Mix) -> None:
    book = load(mix)
    numbers = sizes(book)
    players = numbers[len(mix[0]) % len(numbers)]
    assert testing.check_game(book, games=1, players=players, seed=len(mix[0]), thorough=12) > 10


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_base_game_is_looked_at_closely(players: int) -> None:
    assert testing.check_game(load(("base", None)), games=1, players=players, seed=11, thorough=2) > 20
