"""Any moment before a move can be written down in the way of `given`, and set up again with the same moves."""

from __future__ import annotations

import json

import pytest

import kernel
import rulebook
from kernel.rng import Rng
from tests.mixes import load, sizes

KITTENS = [
    ("base", None),
    ("base,imploding,streaking,barking,burglar", None),
    ("evil", "evil"),
    ("base,zombie", None),
    ("two_player", "two_player"),
]
BOOKS = [
    *(pytest.param(lambda mix=mix: load(mix), id=mix[0]) for mix in KITTENS),
    *(pytest.param(lambda name=name: rulebook.load(name), id=name) for name in ("court", "market", "hearts")),
]


@pytest.mark.parametrize("find", BOOKS)
def test_a_position_that_was_described_is_the_same_position(find: object) -> None:
    assert callable(find)
    book: kernel.Rulebook = find()
    players = sizes(book)[-1]
    state = book.new(players=players, seed=5, ask="settled")
    rng = Rng(5)
    compared = 0
    while not state.over and compared < 25:
        if state.waiting.kind == "move":
            given = state.describe()
            again = book.position(players, json.loads(json.dumps(given)), ask="settled")
            assert again.describe() == given
            assert again.waiting.players == state.waiting.players
            player = state.waiting.players[0]
            assert {str(action) for action in again.legal(player)[:200]} == {
                str(action) for action in state.legal(player)[:200]
            }
            assert not again.problems()
            compared += 1
        player = state.waiting.players[0]
        state.apply(player, state.legal(player).at(rng.below(len(state.legal(player)))))
    assert compared > 5
