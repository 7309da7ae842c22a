"""The base pack as a host runs it: versions and refusals, the clock, players who leave."""

from __future__ import annotations

import json
import random
from types import FunctionType
from typing import Any

import pytest

import kernel
import rulebook
from tests.cards.base_game import Given, all_cards, pass_all, play_out, random_step

PURE = isinstance(kernel.playout, FunctionType)
"""Whether the kernel is not compiled; then a wrong type is an error of the kernel's own."""


@pytest.fixture(scope="module")
def book() -> kernel.Rulebook:
    """The original deck, compiled once."""
    return rulebook.load("kittens", packs=["base"])


# -- versions, staleness, refusals ------------------------------------------------------------------------------------


def test_fifty_refused_actions_change_nothing(book: kernel.Rulebook) -> None:
    state = book.position(
        players=3, given={"hand": {0: ["skip"], 1: ["skip"]}, "draw_pile": ["favor", "nope", "attack"]}
    )
    before = (state.version, state.digest, json.dumps(state.dump()), state.news(None))
    for number in range(50):
        with pytest.raises(kernel.GameError):
            state.apply(number % 3, ("play nope", "draw draw", "choose 0", "play favor victim=7", "pass")[number % 5])
    assert (state.version, state.digest, json.dumps(state.dump()), state.news(None)) == before
    state.apply(0, "play skip", at=before[0])
    pass_all(state)
    assert state.view(0)["turn"]["player"] == 1


def test_a_draw_sent_twice_draws_once(book: kernel.Rulebook) -> None:
    state = book.position(players=2, given={"turn": {"player": 0, "owed": 2}, "draw_pile": ["skip", "favor", "nope"]})
    version = state.version
    state.apply(0, "draw", at=version)
    with pytest.raises(kernel.IllegalAction) as caught:
        state.apply(0, "draw", at=version)
    assert caught.value.code == "stale"
    assert len(state.view(0)["zones"]["hand"]["0"]) == 1
    state.apply(0, "draw", at=state.version)


def test_passes_meant_for_the_same_moment_are_both_good_in_either_order(book: kernel.Rulebook) -> None:
    state = book.position(players=3, given={"hand": {0: ["attack"]}, "draw_pile": ["skip", "favor"]})
    state.apply(0, "play attack")
    version = state.version
    digests = set()
    for order in ((0, 1, 2), (2, 1, 0), (1, 0, 2)):
        copy = state.copy()
        for player in order[:2]:
            copy.apply(player, "pass", at=version)
            assert copy.version == version
        copy.apply(order[2], "pass", at=version)
        digests.add(copy.digest)
        assert copy.view(0)["turn"] == {"player": 1, "owed": 2, "direction": 1}
    assert len(digests) == 1


def test_a_nope_aimed_at_a_play_that_is_no_longer_on_top_is_stale(book: kernel.Rulebook) -> None:
    state = book.position(players=3, given={"hand": {0: ["attack"], 1: ["nope"], 2: ["nope"]}, "draw_pile": ["skip"]})
    state.apply(0, "play attack")
    version = state.version
    state.apply(1, "play nope", at=version)
    with pytest.raises(kernel.IllegalAction) as caught:
        state.apply(2, "play nope", at=version)
    assert caught.value.code == "stale"
    assert state.view(2)["zones"]["hand"]["2"] == ["nope"]
    state.apply(2, "play nope", at=state.version)
    pass_all(state)
    assert state.view(0)["turn"]["player"] == 1


@pytest.mark.parametrize(
    ("player", "text", "error"),
    [
        (1, "draw", kernel.IllegalAction),  # not on turn
        (0, "play nope", kernel.IllegalAction),  # nothing to answer
        (0, "play shuffle", kernel.IllegalAction),  # not in the hand
        (0, "play favor victim=0", kernel.IllegalAction),  # oneself
        (0, "play favor victim=2", kernel.IllegalAction),  # nothing to take there
        (0, "pass", kernel.IllegalAction),  # no window
        (0, "choose 0", kernel.IllegalAction),  # no question
        (0, "play favor victim=99", kernel.GameError),  # no such seat
        (0, "", kernel.InvalidAction),
        (0, "xyzzy", kernel.InvalidAction),
        (0, "draw draw", kernel.GameError),
        (0, "play", kernel.GameError),
        (0, "play no_such_card", kernel.GameError),
        (0, "play favor victim=", kernel.GameError),
        (7, "draw", kernel.GameError),
        (-1, "draw", kernel.GameError),
    ],
)
def test_every_refusal_has_a_code_and_a_sentence_and_changes_nothing(
    book: kernel.Rulebook, player: int, text: str, error: type[kernel.GameError]
) -> None:
    state = book.position(
        players=3, given={"hand": {0: ["favor", "nope"], 1: ["skip"]}, "draw_pile": ["skip", "attack"]}
    )
    before = state.dump()
    with pytest.raises(error) as caught:
        state.apply(player, text)
    assert caught.value.code
    assert caught.value.message
    assert state.dump() == before
    state.apply(0, "draw")


@pytest.mark.parametrize(
    "garbage", [None, 3, 1.5, float("nan"), True, [], {}, ["draw"], "x" * 1_000_000, "choose " + "0," * 9999]
)
def test_an_action_that_is_none_is_refused_in_time(book: kernel.Rulebook, garbage: Any) -> None:
    state = book.position(players=2, given={"draw_pile": ["skip", "attack"]})
    before = state.dump()
    refusals = (kernel.InvalidAction,) if PURE else (kernel.InvalidAction, TypeError)  # see docs/speed.md
    with pytest.raises(refusals):
        state.apply(0, garbage)
    assert state.dump() == before
    state.apply(0, "draw")


def test_a_text_that_fits_several_actions_is_ambiguous(book: kernel.Rulebook) -> None:
    state = book.position(
        players=3, given={"hand": {0: ["favor"], 1: ["skip"], 2: ["skip"]}, "draw_pile": ["skip", "attack"]}
    )
    with pytest.raises(kernel.AmbiguousAction):
        state.apply(0, "play favor")


def test_when_the_game_is_over_nobody_is_asked_and_nothing_is_legal(book: kernel.Rulebook) -> None:
    state = book.position(
        players=2, given={"turn": {"player": 1, "owed": 3}, "hand": {0: ["skip"]}, "draw_pile": ["exploding_kitten"]}
    )
    state.apply(1, "draw")
    state.apply(1, "pass")
    assert state.over
    assert state.winners == (0,)
    assert state.waiting.players == ()
    for player in (0, 1):
        assert len(state.legal(player)) == 0
        with pytest.raises(kernel.IllegalAction) as caught:
            state.apply(player, "draw")
        assert caught.value.code == "over"
    assert [entry["winners"] for entry in state.news(None) if entry["event"] == "over"] == [[0]]


@pytest.mark.parametrize("players", [-1, 0, 1, 6, 11])
def test_the_original_deck_is_for_two_to_five(book: kernel.Rulebook, players: int) -> None:
    with pytest.raises(kernel.SetupError):
        book.new(players=players, seed=0)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_set_up_neither_makes_nor_loses_a_card(book: kernel.Rulebook, players: int) -> None:
    deck = all_cards(book.new(players=players, seed=0))
    assert deck.total() == 56
    assert deck["defuse"] == 6
    assert deck["exploding_kitten"] == 4
    assert deck == all_cards(book.new(players=players, seed=1))


# -- the host's clock -------------------------------------------------------------------------------------------------


def test_time_out_of_one_player_passes_for_that_player_alone(book: kernel.Rulebook) -> None:
    state = book.position(players=3, given={"hand": {0: ["attack"]}, "draw_pile": ["skip", "favor"]})
    state.apply(0, "play attack")
    state.close(1)
    assert state.waiting.players == (0, 2)
    state.close()
    assert state.view(0)["turn"]["player"] == 1


def test_time_out_over_a_favor_follows_the_seed(book: kernel.Rulebook) -> None:
    given: Given = {"hand": {0: ["favor"], 1: ["skip", "attack", "nope", "shuffle"]}, "draw_pile": ["skip"]}
    gifts: list[str] = []
    for seed in list(range(12)) * 2:
        state = book.position(players=2, given=given, seed=seed)
        state.apply(0, "play favor victim=1")
        pass_all(state)
        assert state.waiting.players == (1,)
        with pytest.raises(kernel.IllegalAction):
            state.apply(0, "choose skip")
        state.close()
        gifts.append(state.view(0)["zones"]["hand"]["0"][0])
    assert gifts[:12] == gifts[12:]
    assert len(set(gifts)) > 1


@pytest.mark.parametrize("players", [2, 3, 5])
def test_a_table_that_never_answers_still_comes_to_an_end(book: kernel.Rulebook, players: int) -> None:
    state = book.new(players=players, seed=players)
    cards = all_cards(state)
    for _ in range(2000):
        if state.over:
            break
        assert state.waiting.players
        state.close()
    assert state.over
    assert len(state.winners) == 1
    assert all_cards(state) == cards


# -- leavers ----------------------------------------------------------------------------------------------------------


def test_a_leaver_is_never_asked_again_and_the_others_reach_an_end(book: kernel.Rulebook) -> None:
    for seed in range(40):
        chooser = random.Random(seed)
        state = book.new(players=4, seed=seed)
        cards = all_cards(state)
        for _ in range(chooser.randrange(1, 60)):
            if state.over:
                break
            random_step(state, chooser)
        if state.over:
            continue
        leaver = chooser.choice([p for p in range(4) if p not in state.view(None)["dead"]])
        state.leave(leaver)
        assert leaver in state.view(None)["dead"]
        assert state.problems() == []
        assert all_cards(state) == cards
        play_out(state, chooser, without=leaver)
        assert leaver not in state.winners
        assert all_cards(state) == cards


def test_a_leaver_in_the_middle_of_anything_leaves_a_game_that_goes_on(book: kernel.Rulebook) -> None:
    state = book.new(players=3, seed=21)
    chooser = random.Random(21)
    while not state.over:
        living = [p for p in range(3) if p not in state.view(None)["dead"]]
        for leaver in living:
            copy = state.copy()
            copy.leave(leaver)
            assert copy.problems() == []
            assert copy.over == (len(living) == 2)
            if copy.over:
                assert copy.winners == tuple(p for p in living if p != leaver)
            else:
                assert copy.waiting.players
                assert leaver not in copy.waiting.players
        random_step(state, chooser)


def test_a_giver_who_leaves_over_a_favor_is_waited_for_no_longer(book: kernel.Rulebook) -> None:
    state = book.position(
        players=3, given={"hand": {0: ["favor"], 1: ["skip", "attack"], 2: ["nope"]}, "draw_pile": ["skip", "favor"]}
    )
    cards = all_cards(state)
    state.apply(0, "play favor victim=1")
    pass_all(state)
    state.leave(1)
    assert state.waiting.players == (0,)
    assert state.view(0)["turn"] == {"player": 0, "owed": 0, "direction": 1}
    assert state.view(0)["zones"]["hand"]["1"] == []
    assert all_cards(state) == cards


def test_a_taker_who_leaves_over_a_favor_gets_nothing_and_the_next_player_begins(book: kernel.Rulebook) -> None:
    state = book.position(
        players=3, given={"hand": {0: ["favor"], 1: ["skip", "attack"], 2: ["nope"]}, "draw_pile": ["skip", "favor"]}
    )
    state.apply(0, "play favor victim=1")
    pass_all(state)
    state.leave(0)
    while state.waiting.kind == "pick":  # the question to the giver may still be open, it just has no effect any more
        state.close()
    assert state.waiting.players == (1,)
    assert state.view(1)["turn"] == {"player": 1, "owed": 0, "direction": 1}
    assert state.view(1)["zones"]["hand"]["0"] == []
    assert sorted(state.view(1)["zones"]["hand"]["1"]) == ["attack", "skip"]


def test_a_kitten_whose_place_is_still_open_does_not_vanish_with_a_leaver(book: kernel.Rulebook) -> None:
    state = book.position(
        players=3, given={"hand": {0: ["defuse"]}, "draw_pile": ["exploding_kitten", "skip", "favor"]}
    )
    cards = all_cards(state)
    state.apply(0, "draw")
    state.apply(0, "play defuse")
    state.leave(0)
    assert all_cards(state) == cards
    assert state.waiting.players == (1,)
    assert state.view(1)["zones"]["table"]["0"] == []


def test_when_one_of_two_leaves_in_the_middle_of_an_effect_there_is_one_result(book: kernel.Rulebook) -> None:
    state = book.position(players=2, given={"hand": {0: ["skip", "attack"], 1: ["favor"]}, "draw_pile": ["skip"]})
    state.apply(0, "draw")
    state.apply(1, "play favor victim=0")
    pass_all(state)
    state.leave(0)
    assert state.over
    assert state.winners == (1,)
    assert state.waiting.players == ()
    assert len([entry for entry in state.news(None) if entry["event"] == "over"]) == 1
    frozen = state.dump()
    for player in (0, 1):
        with pytest.raises(kernel.GameError):
            state.apply(player, "choose skip")
    assert state.dump() == frozen


def test_nobody_leaves_twice(book: kernel.Rulebook) -> None:
    state = book.position(players=4, given={"draw_pile": ["skip", "favor"]})
    state.leave(1)
    before = state.dump()
    with pytest.raises(kernel.IllegalAction) as caught:
        state.leave(1)
    assert caught.value.code == "left"
    assert state.dump() == before


def test_a_dead_player_who_leaves_changes_nothing_for_the_others(book: kernel.Rulebook) -> None:
    state = book.position(players=4, given={"dead": [2], "hand": {0: ["skip"]}, "draw_pile": ["skip", "favor"]})
    before = state.describe()
    state.leave(2)
    after = state.describe()
    assert before.pop("attributes")["gone"][2] is False
    assert after.pop("attributes")["gone"][2] is True  # nobody can bring them back to life any more
    assert after == before
    assert state.waiting.players == (0,)
