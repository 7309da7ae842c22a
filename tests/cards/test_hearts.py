"""Hearts: a game of tricks over many deals, played by the same kernel."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

import kernel
import rulebook
from kernel.testing import check_game


@pytest.fixture(scope="module")
def book() -> kernel.Rulebook:
    """The game with its usual rules."""
    return rulebook.load("hearts")


@pytest.mark.parametrize(
    "options",
    [{"target": 50}, {"target": 30, "moon": "subtract", "queen_breaks_hearts": True, "jack_of_diamonds": True}],
    ids=["usual", "house rules"],
)
def test_random_games_keep_what_every_game_must_keep(options: dict[str, Any]) -> None:
    check_game(rulebook.load("hearts", options=options), games=2, thorough=30)


def test_every_deal_counts_26_points_or_the_moon(book: kernel.Rulebook) -> None:
    state = book.new(players=4, seed=5, ask="settled")
    rounds: dict[int, int] = {}
    while not state.over:
        attributes = state.view(None)["attributes"]
        rounds[attributes["round"]] = sum(attributes["points"].values())
        player = state.waiting.players[0]
        legal = state.legal(player)
        state.apply(player, legal[state.version % len(legal)])
    totals = [rounds[n] for n in sorted(rounds)]
    assert totals[0] == 0
    assert all(later - earlier in (26, 78) for earlier, later in pairwise(totals))
    points = state.view(None)["attributes"]["points"]
    assert [p for p in range(4) if points[str(p)] == min(points.values())] == list(state.winners)
    assert max(points.values()) >= 100


def test_cards_are_passed_to_the_left_to_the_right_across_and_not_at_all(book: kernel.Rulebook) -> None:
    takers: list[int | None] = []
    for number in (0, 1, 2, 3):
        given = {
            "attributes": {"round": number},
            "hand": {0: ["2c"], 1: ["3c"], 2: ["4c"], 3: ["5c"]},
            "box": ["6d", "7d", "8d", "9d", "10d", "jd", "qd", "kd"],
        }
        state = book.position(players=4, given=given, seed=1)
        for player in range(4):
            state.apply(player, str(state.legal(player)[0]))
        asked = state.ask_mask == 15 and not any("play" in str(a) for a in state.legal(0))
        if not asked:
            takers.append(None)
            continue
        mine = set(state.view(0)["zones"]["hand"]["0"])
        for player in range(4):
            state.apply(player, state.legal(player)[0])
        takers.append(next(p for p in range(1, 4) if mine <= set(state.view(p)["zones"]["hand"][str(p)])))
    assert takers == [1, 3, 2, None]


def test_cards_change_hands_when_all_have_chosen_and_whoever_passed_them_still_knows_them(
    book: kernel.Rulebook,
) -> None:
    state = book.new(players=4, seed=1)
    passed = [state.view(player)["zones"]["hand"][str(player)][:3] for player in range(4)]
    kept = [state.view(player)["zones"]["hand"][str(player)][3:] for player in range(4)]
    for player in (2, 0, 3):
        state.apply(player, f"choose {','.join(passed[player])}")
        assert sorted(state.view(1)["zones"]["hand"]["1"]) == sorted(passed[1] + kept[1])
    with pytest.raises(kernel.IllegalAction):
        state.apply(1, f"choose {','.join(passed[0])}")
    state.apply(1, f"choose {','.join(passed[1])}")
    for player in range(4):
        taker = (player + 1) % 4
        assert sorted(state.view(taker)["zones"]["hand"][str(taker)]) == sorted(passed[player] + kept[taker])
        seen = [card for card in state.view(player)["zones"]["hand"][str(taker)] if card != "unknown"]
        assert sorted(seen) == sorted(passed[player])
        assert set(state.view((player + 2) % 4)["zones"]["hand"][str(taker)]) == {"unknown"}


def test_a_card_that_cannot_be_followed_says_nothing_of_the_hand(book: kernel.Rulebook) -> None:
    given = {"hand": {0: ["5d"], 1: ["2s"], 2: ["3d"]}}
    state = book.position(players=3, given=given)
    state.apply(0, "play 5d")
    assert state.view(2)["zones"]["hand"]["1"] == ["unknown"]
    with pytest.raises(kernel.IllegalAction):
        state.apply(2, "play 3d")
