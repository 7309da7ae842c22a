"""What is the same for all cards that a move might take is worked out once, and nothing else changes."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

import pytest

import kernel
import rulebook
from rulebook.lang.hoist import hoist

SUIT_LED = ["field", "suit", ["first", ["cards", ["zone", "trick", None]]]]


def plain(ir: Any) -> Any:
    """The compiled form without what remembers."""
    if isinstance(ir, dict):
        return {key: plain(value) for key, value in ir.items()}
    if not isinstance(ir, list):
        return ir
    return plain(ir[2]) if ir and ir[0] == "once" else [plain(part) for part in ir]


def move(where: list[Any], slots: int = 3) -> dict[str, Any]:
    """A move that takes a card for which this holds; the card stands in slot 1."""
    return {"slots": slots, "cards": {"where": [1, where], "alike": None, "unlike": None}}


def test_what_does_not_depend_on_the_card_is_remembered() -> None:
    found = move(["==", ["field", "suit", ["v", 1]], SUIT_LED])
    hoist(found)
    assert found["cards"]["where"][1] == ["==", ["field", "suit", ["v", 1]], ["once", 3, SUIT_LED]]
    assert found["slots"] == 4


def test_what_is_written_twice_is_remembered_once_and_inside_loops_too() -> None:
    hand = ["cards", ["zone", "hand", ["you"]]]
    same = ["==", ["field", "suit", ["v", 2]], SUIT_LED]
    found = move(["if", ["exists", hand, 2, same], ["==", ["field", "suit", ["v", 1]], SUIT_LED], ["k", True]])
    hoist(found)
    test, then, _ = found["cards"]["where"][1][1:]
    assert test[0] == "once"
    assert test[2][3][2] == then[2]
    assert then[2][0] == "once"
    assert found["slots"] == 5


def test_what_depends_on_print_alone_is_left_to_the_kernel() -> None:
    found = move(["==", ["field", "suit", ["v", 1]], ["k", "hearts"]])
    before = copy.deepcopy(found)
    hoist(found)
    assert found == before


@pytest.mark.parametrize("game", ["hearts", "market"])
def test_remembering_changes_no_game(game: str) -> None:
    book = rulebook.load(game)
    without = kernel.Rulebook.from_data(plain(book.data))
    assert game != "hearts" or any("once" in repr(m["cards"]) for m in book.data["moves"])
    for seed in range(3):
        states = [b.new(players=3, seed=seed) for b in (book, without)]
        chance = Random(seed)
        for _ in range(150):
            if states[0].over:
                break
            player = states[0].waiting.players[0]
            first, second = ([str(a) for a in state.legal(player)] for state in states)
            assert first == second
            action = first[chance.randrange(len(first))]
            for state in states:
                state.apply(player, action)
        assert states[0].view(None) == states[1].view(None)
