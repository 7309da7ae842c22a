"""Cheat: claims about hidden cards that anybody may challenge."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

import kernel
import rulebook
from kernel.testing import check_game


def capped(options: Mapping[str, str], decisions: int) -> kernel.Rulebook:
    """The game, over after so many decisions: at random it is long."""
    data = json.loads(rulebook.load("cheat", options=options).to_json())
    data["limits"]["decisions"] = decisions
    return kernel.Rulebook.from_json(json.dumps(data))


@pytest.fixture(scope="module")
def book() -> kernel.Rulebook:
    """The game with its usual rules."""
    return rulebook.load("cheat")


def test_random_games_keep_what_every_game_must_keep() -> None:
    check_game(capped({}, 30), games=6)
    check_game(capped({"rank_order": "same_or_adjacent", "opening": "ace"}, 30), games=1)


def test_random_games_end_with_one_winner(book: kernel.Rulebook) -> None:
    for players in (3, 8):
        state = kernel.playout(book.new(players=players, seed=players, ask="settled"), seed=players)
        assert len(state.winners) == 1
        winner = state.winners[0]
        assert state.view(winner)["zones"]["hand"][str(winner)] == []


def test_claims_from_a_large_hand_are_counted_and_found_without_a_list_of_all(book: kernel.Rulebook) -> None:
    hand = [kind.id for kind in book.kinds]
    state = book.position(players=3, given={"hand": {0: hand, 1: ["2c"], 2: ["2d"]}})
    one_to_four = 52 + 52 * 51 // 2 + 52 * 51 * 50 // 6 + 52 * 51 * 50 * 49 // 24
    assert len(state.legal(0)) == one_to_four * 13
    state.apply(0, "claim ks,7h,ac rank=10")
    assert sorted(state.view(0)["zones"]["pile"]) == ["7h", "ac", "ks"]


def test_a_claim_tells_how_many_cards_and_not_which(book: kernel.Rulebook) -> None:
    state = book.position(players=3, given={"hand": {0: ["7h", "qs", "2c"], 1: ["2d"], 2: ["3d"]}})
    state.apply(0, "claim 7h,qs rank=7")
    for viewer in (1, 2, None):
        view = state.view(viewer)
        assert view["acts"][0]["text"] == "claim unknown,unknown rank=7"
        told = json.dumps([view, state.news(viewer)])
        assert "7h" not in told
        assert "qs" not in told
    assert state.view(0)["acts"][0]["text"] == "claim 7h,qs rank=7"
