"""Positions and back, what digests tell apart, and that asking changes nothing."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest

import kernel
from tests.kernel.questions import GIVEN, QUESTIONS, at_question, make
from tests.kernel.refusals import COMPILED, REFUSED


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> kernel.Rulebook:
    return make(tmp_path_factory.mktemp("game"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"turn": {"player": 0, "owed": 1}}, {"turn": {"player": 0, "owed": 2}}),
        ({"turn": {"player": 0}}, {"turn": {"player": 1}}),
        ({"direction": 1}, {"direction": -1}),
        ({"pile": ["till", "stop"]}, {"pile": ["stop", "till"]}),
        ({"hand": {1: ["till"]}}, {"hand": {2: ["till"]}}),
        ({"marks": {1: ["blessed"]}}, {}),
        ({"dead": [1]}, {"dead": [2]}),
        ({"attributes": {"coins": {1: 1}}}, {"attributes": {"coins": {2: 1}}}),
    ],
)
def test_states_that_differ_have_different_digests(book: kernel.Rulebook, one: Any, other: Any) -> None:
    states = [book.position(3, given) for given in (one, one, other)]
    assert states[0].digest == states[1].digest != states[2].digest


def test_digests_tell_who_has_passed_and_what_was_answered(book: kernel.Rulebook) -> None:
    assert len({at_question(book, name).digest for name in QUESTIONS}) == len(QUESTIONS)
    one, two = at_question(book, "window"), at_question(book, "window")
    one.apply(1, "pass")
    two.apply(2, "pass")
    assert one.digest != two.digest


def test_a_hidden_order_shows_in_the_digest_and_in_no_view(book: kernel.Rulebook) -> None:
    one, two = (book.position(3, {"pile": pile}) for pile in (["till", "stop"], ["stop", "till"]))
    assert one.digest != two.digest
    assert [one.view(p) for p in (0, 1, 2, None)] == [two.view(p) for p in (0, 1, 2, None)]


def test_a_position_is_described_as_it_was_given(book: kernel.Rulebook) -> None:
    given = {
        **GIVEN,
        "discard": ["till"],
        "turn": {"player": 2, "owed": 2},
        "direction": -1,
        "dead": [1],
        "marks": {2: ["blessed"]},
        "attributes": {"coins": {2: 5}},
    }
    state = book.position(3, given)
    again = book.position(3, state.describe())
    assert again.describe() == state.describe()
    assert book.position(3, json.loads(json.dumps(again.describe()))).digest == again.digest
    assert [again.view(p) for p in (0, 1, 2, None)] == [state.view(p) for p in (0, 1, 2, None)]
    assert again.view(None)["turn"] == {"player": 2, "owed": 2, "direction": -1}


@pytest.mark.parametrize(
    "given",
    [
        {"cellar": []},
        {"hand": ["till"]},
        {"hand": {7: ["till"]}},
        {"hand": {0: ["dragon"]}},
        {"hand": {0: ["blessed"]}},
        {"marks": {0: ["till"]}},
        {"pile": "till"},
        {"pile": [3]},
        {"turn": {"player": 9}},
        {"turn": 1},
        {"dead": [5]},
        {"direction": 0},
        {"attributes": {"fame": {0: 1}}},
        [],
        3,
    ],
)
def test_a_position_that_cannot_be_is_refused(book: kernel.Rulebook, given: Any) -> None:
    with pytest.raises(kernel.SetupError):
        book.position(3, given)


@pytest.mark.parametrize(
    "wrong",
    [
        {"players": 1},
        {"players": 5},
        {"players": True},
        {"players": "2"},
        {"seed": "x"},
        {"seed": 1.5},
        {"seed": None},
        {"ask": "never"},
    ],
)
def test_a_game_that_cannot_be_is_refused(book: kernel.Rulebook, wrong: dict[str, Any]) -> None:
    with pytest.raises(REFUSED) as refusal:
        book.new(**{"players": 2, "seed": 1, **wrong})
    assert COMPILED or isinstance(refusal.value, kernel.SetupError)


def test_actions_survive_json_and_pickle(book: kernel.Rulebook) -> None:
    state = at_question(book, "move")
    assert len(state.legal(0)) > 5
    for action in state.legal(0):
        assert pickle.loads(pickle.dumps(action)) == action
        twin, text = state.copy(), state.copy()
        twin.apply(0, pickle.loads(pickle.dumps(action)))
        text.apply(0, json.loads(json.dumps(str(action))))
        assert twin.digest == text.digest


def test_every_action_that_is_listed_can_be_done(book: kernel.Rulebook) -> None:
    for name in QUESTIONS:
        state = at_question(book, name)
        for player in range(3):
            for i, action in enumerate(state.legal(player)):
                twin, text = state.copy(), state.copy()
                twin.apply(player, twin.legal(player)[i])
                text.apply(player, str(action))
                assert twin.digest == text.digest, (name, action)
                assert not twin.problems()


@pytest.mark.parametrize("ask", ["all", "settled"])
def test_asking_changes_nothing(book: kernel.Rulebook, ask: str) -> None:
    for name in QUESTIONS if ask == "all" else ("move",):
        state = at_question(book, name, ask)
        digest = state.digest
        for who in (0, 1, 2, None):
            state.view(who)
            state.news(who)
            if who is not None or not COMPILED:
                list(state.legal(who))  # type: ignore[arg-type]
        for player in state.waiting.players:
            state.determinize(player, 1)
        state.describe()
        state.problems()
        state.history()
        assert state.digest == digest, name


def test_who_leaves_at_any_question_is_asked_no_more_and_the_game_goes_on_to_one_end(book: kernel.Rulebook) -> None:
    for name in QUESTIONS:
        for leaver in range(3):
            state = at_question(book, name)
            state.leave(leaver)
            assert leaver not in state.waiting.players
            assert len(state.legal(leaver)) == 0
            assert not state.problems()
            again = book.restore(json.loads(json.dumps(state.dump())))
            for seed in range(3):
                one, two = (kernel.playout(s.copy(), seed=seed) for s in (state, again))
                assert one.over
                assert one.digest == two.digest
                assert leaver not in one.winners
                assert [entry["event"] for entry in one.news(None)].count("over") == 1


def test_two_who_leave_end_the_game_for_the_third(book: kernel.Rulebook) -> None:
    for name in QUESTIONS:
        state = at_question(book, name)
        state.leave(0)
        state.leave(2)
        while not state.over:
            state.close()
        assert state.winners == (1,)
        told = state.news(None)
        with pytest.raises(kernel.IllegalAction):
            state.leave(1)
        assert (state.winners, state.news(None)) == ((1,), told)


def test_the_clock_ends_every_question(book: kernel.Rulebook) -> None:
    for name in QUESTIONS:
        state = at_question(book, name)
        twin = state.copy()
        for _ in range(12):
            for one in (state, twin):
                one.close()
            assert state.digest == twin.digest
            assert not state.problems()
        assert state.asked == "move"
        assert [step for step in state.history() if "close" in step]
