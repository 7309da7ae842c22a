"""Players who left the table in games in which the dead still matter."""

from __future__ import annotations

import pytest

import kernel
import rulebook


@pytest.fixture(scope="module")
def book() -> kernel.Rulebook:
    """Zombie Kittens, where the dead may come back."""
    return rulebook.load("kittens", packs=["zombie"])


def answers(state: kernel.State, player: int) -> set[str]:
    """What a player may do now, as texts."""
    return {str(action) for action in state.legal(player)}


def test_nobody_brings_back_a_player_who_left(book: kernel.Rulebook) -> None:
    given = {"hand": {0: ["zombie_kitten"], 1: ["skip"], 2: ["skip"]}, "draw_pile": ["exploding_kitten", "favor"]}
    state = book.position(players=4, given=given, ask="settled")
    state.leave(2)
    if "draw" in answers(state, 0):
        state.apply(0, "draw")
    assert answers(state, 0) == {"pass", "play zombie_kitten"}
    state.apply(0, "play zombie_kitten")
    state.apply(0, "choose 1")
    assert state.view(None)["dead"] == [2]
    assert state.describe()["draw_pile"] == ["favor", "exploding_kitten"]


def test_of_the_dead_only_those_who_stayed_come_back(book: kernel.Rulebook) -> None:
    given = {
        "dead": [3],
        "hand": {0: ["zombie_kitten"]},
        "table": {3: ["exploding_kitten"]},
        "draw_pile": ["exploding_kitten", "favor"],
    }
    state = book.position(players=4, given=given, ask="settled")
    state.leave(2)
    if "draw" in answers(state, 0):
        state.apply(0, "draw")
    assert answers(state, 0) == {"pass", "play zombie_kitten revived=3"}


def test_nobody_feeds_a_player_who_left(book: kernel.Rulebook) -> None:
    given = {"dead": [3], "hand": {0: ["feed_the_dead"], 1: ["skip"], 2: ["nope"]}, "draw_pile": ["favor", "skip"]}
    state = book.position(players=4, given=given)
    state.leave(2)
    assert "play feed_the_dead player=3" in answers(state, 0)
    assert "play feed_the_dead player=2" not in answers(state, 0)
