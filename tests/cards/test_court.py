"""Court: a game of claims, challenges and blocks, played by the same kernel."""

from __future__ import annotations

from typing import Any

import pytest

import kernel
import rulebook
from kernel.testing import check_game


@pytest.fixture(scope="module")
def book() -> kernel.Rulebook:
    """The game with its usual rules."""
    return rulebook.load("court")


def position(book: kernel.Rulebook, **given: Any) -> kernel.State:
    """Three players with these roles and coins."""
    return book.position(players=3, given=given)


@pytest.mark.parametrize(
    "options", [{}, {"draft": True, "short_start": True, "may_yield": True}], ids=["usual", "house rules"]
)
def test_random_games_keep_what_every_game_must_keep(options: dict[str, bool]) -> None:
    check_game(rulebook.load("court", options=options), games=5)


def test_random_games_end_long_before_the_limit(book: kernel.Rulebook) -> None:
    for players in range(2, 7):
        state = kernel.playout(book.new(players=players, seed=players), seed=players)
        assert len(state.winners) == 1
        assert state.decisions < 200


def test_coins_are_paid_before_anybody_can_answer(book: kernel.Rulebook) -> None:
    state = position(
        book, influence={0: ["assassin"], 1: ["duke", "duke"], 2: ["duke"]}, attributes={"coins": {0: 3, 1: 2, 2: 2}}
    )
    state.apply(0, "assassinate victim=1")
    assert state.view(2)["attributes"]["coins"]["0"] == 0
    state.apply(1, "challenge")
    assert state.view(2)["attributes"]["coins"]["0"] == 0


def test_who_answers_says_nothing_about_what_they_hold(book: kernel.Rulebook) -> None:
    liar = position(book, influence={0: ["duke"], 1: ["envoy"], 2: ["duke"]})
    honest = position(book, influence={0: ["captain"], 1: ["captain"], 2: ["duke"]})
    for state in (liar, honest):
        state.apply(0, "steal victim=1")
        assert list(map(str, state.legal(1))) == ["pass", "challenge"]
        for player in (1, 2):
            state.apply(player, "pass")
        assert sorted(map(str, state.legal(1))) == ["block role=captain", "block role=envoy", "pass"]
        assert not len(state.legal(2))


def test_a_role_shown_cannot_be_followed_into_the_pile(book: kernel.Rulebook) -> None:
    state = position(
        book, influence={0: ["duke"], 1: ["envoy", "envoy"], 2: ["duke"]}, draw_pile=["captain", "countess"]
    )
    state.apply(0, "tax")
    state.apply(1, "challenge")
    state.apply(1, "choose envoy")
    view = state.view(1)
    assert view["zones"]["influence"]["0"] == ["unknown"]
    assert view["zones"]["draw_pile"] == ["unknown", "unknown"]
    assert any(entry.get("cards") == ["duke"] for entry in state.news(1) if entry["event"] == "shown")


def test_who_leaves_in_the_middle_of_a_challenge_leaves_a_game_that_goes_on(book: kernel.Rulebook) -> None:
    for leaver in range(3):
        state = position(
            book, influence={0: ["duke", "envoy"], 1: ["envoy", "envoy"], 2: ["duke", "captain"]}, draw_pile=["captain"]
        )
        state.apply(0, "tax")
        state.apply(1, "challenge")
        state.leave(leaver)
        assert not state.problems()
        assert leaver in state.view(None)["dead"]
        kernel.playout(state, seed=1)
        assert state.over
        assert leaver not in state.winners


def test_an_act_of_a_verb_names_its_players_to_everybody(book: kernel.Rulebook) -> None:
    state = position(book, influence={0: ["captain"], 1: ["duke"], 2: ["duke"]})
    state.apply(0, "steal victim=1")
    for player in (1, 2):
        state.apply(player, "pass")
    for viewer in (0, 1, 2, None):
        assert state.view(viewer)["acts"][-1]["text"] == "theft victim=1"
        told = [entry for entry in state.news(viewer) if entry["event"] == "announced"][-1]
        assert (told["what"], told["by"], told["victim"]) == ("theft", 0, 1)
