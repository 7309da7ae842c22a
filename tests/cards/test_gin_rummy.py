"""Gin Rummy: melds, knocking and laying off, over many deals."""

from __future__ import annotations

import json

import pytest

import kernel
import rulebook
from kernel.testing import check_game


def capped(decisions: int) -> kernel.Rulebook:
    """The game, over after so many decisions: who plays at random seldom knocks."""
    data = json.loads(rulebook.load("gin_rummy").to_json())
    data["limits"]["decisions"] = decisions
    return kernel.Rulebook.from_json(json.dumps(data))


@pytest.fixture(scope="module")
def book() -> kernel.Rulebook:
    """The game with its usual rules."""
    return rulebook.load("gin_rummy")


def thrifty(state: kernel.State, player: int) -> kernel.Action:
    """Knocks as soon as it can, lays off what it can, else gets rid of the highest card."""
    legal = list(state.legal(player))
    for word in ("gin", "knock", "choose"):
        for action in legal:
            if str(action).startswith(word):
                return action
    high = {"k": 13, "q": 12, "j": 11, "a": 1}
    discards = [action for action in legal if str(action).startswith("discard")]
    if discards:
        return max(discards, key=lambda action: int(high.get(rank := str(action).split()[1][:-1], 0) or rank))
    return legal[0]


def test_random_games_keep_what_every_game_must_keep() -> None:
    check_game(capped(90), games=2, thorough=12)


def test_a_position_with_a_knock_keeps_it_too(book: kernel.Rulebook) -> None:
    hand = "4h 5h 6h 7c 7d 7s 10c jc qc 3d kd".split()
    state = book.position(players=2, given={"hand": {0: hand, 1: ["7h", "9c", "qs"]}, "draw_pile": ["as"] * 4})
    state.apply(0, "knock kd")
    again = book.restore(json.loads(json.dumps(state.dump())))
    guessed = state.determinize(1, seed=3)
    assert guessed.view(1) == state.view(1)
    for each in (state, again):
        assert [str(action) for action in each.legal(1)] == [
            "pass",
            "choose 7h",
            "choose 9c",
            "choose 7h,9c",
        ]
        each.apply(1, "choose 7h,9c")
        each.apply(1, "pass")
        assert each.view(None)["attributes"]["points"] == {"0": 7, "1": 0}
    assert again.dump() == state.dump()


def test_players_who_knock_come_to_the_target_within_a_dozen_deals(book: kernel.Rulebook) -> None:
    for seed in range(3):
        state = kernel.playout(book.new(players=2, seed=seed, ask="settled"), choose=thrifty)
        assert len(state.winners) == 1
        points = state.view(None)["attributes"]["points"]
        assert max(points.values()) >= 100
        assert state.view(None)["attributes"]["round"] < 60


def test_a_hand_of_a_thousand_cards_is_an_error_with_its_place_and_changes_nothing(book: kernel.Rulebook) -> None:
    given = {"hand": {0: ["7h"] * 9, 1: ["8h"]}, "draw_pile": ["2c"] * 5}
    state = book.position(players=2, given=given)
    state.apply(0, "draw")
    with pytest.raises(kernel.CardError, match="2000 groups") as raised:
        book.position(players=2, given={**given, "hand": {0: ["7h"] * 1000, 1: ["8h"]}})
    assert raised.value.file.endswith("gin_rummy/game.yaml")


@pytest.mark.parametrize("cards", range(0, 24, 3))
def test_positions_with_few_cards_come_to_an_end(book: kernel.Rulebook, cards: int) -> None:
    ids = [kind.id for kind in book.kinds][:: -1 if cards % 2 else 1][:cards]
    given = {"hand": {0: ids[: cards // 3], 1: ids[cards // 3 : cards // 2]}, "discard": ids[cards // 2 :][:1]}
    state = book.position(players=2, given={**given, "draw_pile": ids[cards // 2 + 1 :]}, ask="settled")
    assert kernel.playout(state, seed=cards).over
