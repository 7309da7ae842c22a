"""Information states: own actions and news, with perfect recall, and nothing that the player may not know."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest

import kernel
from kernel import testing
from kernel.rng import Rng
from tests.kernel.parlour import load, passed
from tests.kernel.test_determinize import CARDS
from tests.mixes import load as load_mix


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> kernel.Rulebook:
    return load(tmp_path_factory.mktemp("game"), CARDS)


def deeds(state: kernel.State, player: int) -> list[str]:
    return [entry["did"] for entry in state.information_state(player).data["past"] if "did" in entry]


def test_it_holds_news_and_own_actions_in_the_order_of_their_happening(book: kernel.Rulebook) -> None:
    state = book.position(2, {"hand": {0: ["till", "tea"], 1: ["milk"]}, "pile": ["rum"]})
    state.apply(0, "play till")
    state.apply(1, "pass")
    state.apply(0, "pass")
    info = state.information_state(0)
    past = info.data["past"]
    assert deeds(state, 0) == ["play till", "pass"]
    assert deeds(state, 1) == ["pass"]
    assert [entry for entry in past if "event" in entry] == state.news(0)
    assert info.data["now"] == state.view(0)
    numbers = [entry["n"] for entry in past]
    assert numbers == sorted(numbers)
    assert past[0] == {"n": 0, "did": "play till", "asked": [0]}
    assert json.loads(json.dumps(info.data)) == info.data


def test_what_was_known_of_the_passes_of_others_when_deciding_is_kept(book: kernel.Rulebook) -> None:
    states = []
    for order in ((1, 2, 0), (2, 1, 0), (0, 1, 2)):
        state = book.position(3, {"hand": {0: ["till"], 1: ["milk"]}, "pile": ["rum"]})
        state.apply(0, "play till")
        for player in order:
            state.apply(player, "pass")
        states.append(state)
    first, second, third = [state.information_state(0) for state in states]
    assert states[0].digest == states[2].digest
    assert first == second  # who of the others passed first was all the same to player 0 when deciding
    assert first != third  # player 0 decided while the others were still asked
    assert first.data["now"] == third.data["now"]


def test_under_settled_it_tells_only_that_oneself_was_asked(book: kernel.Rulebook) -> None:
    found = []
    for held in ("shout", "rum"):
        state = book.position(
            3, {"hand": {0: ["till", "shout"], 1: ["milk"], 2: [held]}, "pile": ["tea"]}, ask="settled"
        )
        state.apply(0, "play till")
        state.apply(0, "pass")
        if 2 in state.waiting.players:
            state.apply(2, "pass")
        found.append(state.information_state(0))
    assert found[0] == found[1]


def test_the_clock_of_the_host_is_told_apart_from_an_action(book: kernel.Rulebook) -> None:
    state = book.position(2, {"hand": {0: ["till", "tea"], 1: ["milk"]}, "pile": ["rum"]})
    state.apply(0, "play till")
    state.close()
    past = state.information_state(1).data["past"]
    assert [entry["default"] for entry in past if "default" in entry] == ["pass"]
    assert state.history() == [{"p": 0, "a": "play till"}, {"close": None}]
    again = book.position(2, {"hand": {0: ["till", "tea"], 1: ["milk"]}, "pile": ["rum"]})
    again.apply(0, "play till")
    again.apply(1, "pass")
    assert again.information_state(1) != state.information_state(1)


def test_it_survives_a_save_and_a_copy(book: kernel.Rulebook) -> None:
    state = book.new(players=3, seed=8)
    for turn in range(20):
        player = state.waiting.players[0]
        state.apply(player, state.legal(player)[turn % len(state.legal(player))])
        again = book.restore(json.loads(json.dumps(state.dump())))
        for viewer in (0, 1, 2, None):
            assert again.information_state(viewer) == state.information_state(viewer)
            assert state.copy().information_state(viewer).text == state.information_state(viewer).text
    assert again.history() == []  # a record of the restored game begins where it was restored


def test_a_broken_past_is_refused(book: kernel.Rulebook) -> None:
    state = book.position(2, {"hand": {0: ["till"], 1: ["milk"]}, "pile": ["rum"]})
    state.apply(0, "play till")
    for step in (["x", 0, "", 0, 0], ["a", 5, "", 0, 0], ["a", 0, 7, 0, 0], ["a", 0, "", -1, 0], ["a", 0], 3):
        data = state.dump()
        data["past"].append(step)
        with pytest.raises(kernel.RestoreError):
            book.restore(data)
    older = state.dump()
    del older["past"]
    assert book.restore(older).digest == state.digest


def test_a_spectator_has_news_and_a_view_and_no_actions(book: kernel.Rulebook) -> None:
    state = book.position(2, {"hand": {0: ["till"], 1: ["milk"]}, "pile": ["rum"]})
    state.apply(0, "play till")
    passed(state)
    info = state.information_state()
    assert info.data["past"] == state.news(None)
    assert info.data["now"] == state.view(None)
    assert state.observation().data == state.view(None)
    assert state.observation(1).data == state.view(1)
    assert "zones hand 0: []" in state.observation(1).text.split("\n")


def test_the_text_is_one_to_one(book: kernel.Rulebook) -> None:
    texts: dict[str, Any] = {}
    for seed in range(4):
        state = book.new(players=3, seed=seed, ask="all")
        for turn in range(25):
            if state.over:
                break
            for viewer in (0, 1, 2, None):
                for info in (state.information_state(viewer), state.observation(viewer)):
                    assert texts.setdefault(info.text, info.data) == info.data
                    assert hash(info) == hash(kernel.Information(info.data))
            player = state.waiting.players[-1]
            state.apply(player, state.legal(player)[(turn * 5 + seed) % len(state.legal(player))])
    assert len(texts) > 300


def test_information_only_grows_and_never_merges(book: kernel.Rulebook) -> None:
    """Along a game, every information state when deciding is another one, and contains those before."""
    for seed in range(3):
        state = book.new(players=3, seed=seed)
        rng = Rng(seed)
        past: list[list[list[Any]]] = [[], [], []]
        while not state.over and state.version < 80:
            for player in state.waiting.players:
                past[player].append(state.information_state(player).data["past"])
            player = state.waiting.players[rng.below(len(state.waiting.players))]
            state.apply(player, state.legal(player)[rng.below(len(state.legal(player)))])
        for mine in past:
            for earlier, later in pairwise(mine):
                assert later[: len(earlier)] == earlier


@pytest.mark.parametrize("mix", [("base", None), ("base,streaking", None), ("base,imploding,barking", None)])
def test_shipped_games_keep_perfect_recall(mix: tuple[str, str | None]) -> None:
    assert testing.check_game(load_mix(mix), games=1, players=3, seed=5, thorough=8) > 10


def twins(book: kernel.Rulebook, seed: int) -> tuple[kernel.State, kernel.State]:
    state = book.new(players=3, seed=seed)
    player = state.waiting.players[0]
    return state, state.determinize(player, seed)


def test_states_that_a_player_cannot_tell_apart_have_equal_information(book: kernel.Rulebook) -> None:
    for seed in range(8):
        state, other = twins(book, seed)
        player = state.waiting.players[0]
        assert state.information_state(player) == other.information_state(player)
        assert hash(state.information_state(player)) == hash(other.information_state(player))
        for viewer in range(3):
            if viewer != player:
                assert other.information_state(viewer) == other.information_state(None)
