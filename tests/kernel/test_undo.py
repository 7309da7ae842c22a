"""Undo: back to the last step that revealed nothing, found by the kernel."""

from __future__ import annotations

import json

import pytest

import kernel
from tests.kernel.parlour import load, passed, play
from tests.kernel.refusals import COMPILED, REFUSED

CARDS = {
    "till": play("pay you coins: 2"),
    "flip": play("shuffle pile"),
    "peek": play("show top(pile, 1) to: [you]"),
    "roll": play("pick who from: players by: chance\npay who coins: 1"),
    "lay": play("pick card from: you.table by: you\nmove card to: pile"),
    "ask": play('pick word from: ["a", "b"] by: you secret: true\nnote line: word'),
    "vote": play('pick word from: ["a", "b"] by: living\nnote line: "voted"'),
    "say": play('tell "hush" to: [you]'),
    "stop": "play: {at: response, to: 'target is not quiet', do: cancel target}\n",
    "tea": "text: nothing\n",
    "milk": "text: nothing\n",
}
GIVEN = {"table": {0: ["tea"]}, "pile": ["milk", "tea"]}


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> kernel.Rulebook:
    return load(tmp_path_factory.mktemp("game"), CARDS)


def face_up(book: kernel.Rulebook, card: str, ask: str = "all") -> kernel.State:
    """Player 0 has announced a card, which everybody has seen, and the window stands open."""
    state = book.position(2, {**GIVEN, "hand": {0: [card], 1: ["stop"]}}, ask=ask)
    state.apply(0, f"play {card}")
    return state


def test_what_revealed_nothing_can_be_taken_back_exactly(book: kernel.Rulebook) -> None:
    state = face_up(book, "till")
    before, dump = state.digest, state.dump()
    assert state.undoable == 0  # the card was hidden before it was played
    state.apply(0, "pass")
    state.apply(1, "pass")
    assert state.view()["attributes"]["coins"] == {"0": 2, "1": 0}
    assert state.undoable == 2
    state.undo(2)
    assert (state.digest, state.dump()) == (before, dump)
    assert state.undoable == 0
    assert state.history() == [{"p": 0, "a": "play till"}]
    passed(state)
    assert state.view()["attributes"]["coins"] == {"0": 2, "1": 0}


def test_one_step_at_a_time(book: kernel.Rulebook) -> None:
    state = face_up(book, "till")
    state.apply(0, "pass")
    middle = state.dump()
    state.apply(1, "pass")
    state.undo()
    assert state.dump() == middle
    assert state.waiting.players == (1,)
    state.undo()
    assert list(state.waiting.players) == [0, 1]


@pytest.mark.parametrize("card", ["flip", "peek", "roll", "say"])
def test_chance_faces_and_words_cannot_be_taken_back(book: kernel.Rulebook, card: str) -> None:
    state = face_up(book, card)
    passed(state)
    assert state.undoable == 0
    digest = state.digest
    with pytest.raises(kernel.IllegalAction, match="disclosed") as caught:
        state.undo()
    assert caught.value.code == "undo"
    assert state.digest == digest


def test_drawing_reveals_to_the_one_who_draws(book: kernel.Rulebook) -> None:
    state = book.position(2, {**GIVEN, "hand": {0: ["tea"]}})
    state.apply(0, "draw")
    assert state.undoable == 0


def test_a_card_that_all_know_moves_without_revealing(book: kernel.Rulebook) -> None:
    state = face_up(book, "lay")
    passed(state)
    after = state.undoable
    state.apply(0, "choose tea")
    assert state.undoable == after + 1
    state.undo()
    assert state.waiting.kind == "pick"


def test_a_secret_answer_of_ones_own_can_be_taken_back(book: kernel.Rulebook) -> None:
    state = face_up(book, "ask")
    passed(state)
    state.apply(0, "choose a")
    assert state.undoable == 3
    state.undo()
    state.apply(0, "choose b")
    assert state.describe()["attributes"]["log"] == ["b"]


def test_simultaneous_answers_can_be_taken_back_until_the_last_is_in(book: kernel.Rulebook) -> None:
    state = face_up(book, "vote")
    passed(state)
    before = state.undoable
    state.apply(1, "choose a")
    assert state.undoable == before + 1
    state.apply(0, "choose b")
    assert state.undoable == 0


def test_the_end_of_a_game_and_its_beginning_are_where_undo_ends(book: kernel.Rulebook) -> None:
    state = book.new(players=2, seed=3)
    assert state.undoable == 0
    kernel.playout(state, seed=1)
    assert state.over
    assert state.undoable == 0
    with pytest.raises(kernel.IllegalAction):
        state.undo()


@pytest.mark.parametrize("steps", [0, -1, True, "1", None, 10**9])
def test_a_wrong_number_of_steps_is_refused(book: kernel.Rulebook, steps: object) -> None:
    state = face_up(book, "till")
    state.apply(0, "pass")
    if COMPILED and steps is True:
        pytest.skip("a compiled kernel takes True for the number 1")
    with pytest.raises(REFUSED) as refusal:
        state.undo(steps)  # type: ignore[arg-type]
    assert COMPILED or isinstance(refusal.value, kernel.IllegalAction)
    assert state.undoable == 1


def test_a_close_is_one_step(book: kernel.Rulebook) -> None:
    state = face_up(book, "till")
    before = state.dump()
    state.close()
    assert state.undoable == 1
    state.undo()
    assert state.dump() == before


def test_a_restored_game_goes_back_to_where_it_was_restored_at_most(book: kernel.Rulebook) -> None:
    state = face_up(book, "till")
    state.apply(0, "pass")
    again = book.restore(json.loads(json.dumps(state.dump())))
    assert again.undoable == 0
    again.apply(1, "pass")
    assert again.undoable == 1
    again.undo()
    assert again.digest == state.digest


def test_along_a_game_every_step_that_can_be_taken_back_leads_back(book: kernel.Rulebook) -> None:
    taken = 0
    for seed in range(4):
        state = book.new(players=3, seed=seed)
        dumps = [state.dump()]
        for turn in range(40):
            if state.over:
                break
            player = state.waiting.players[turn % len(state.waiting.players)]
            state.apply(player, state.legal(player)[(turn * 7 + seed) % len(state.legal(player))])
            dumps.append(state.dump())
            may = state.undoable
            for steps in range(1, may + 1):
                other = state.copy()
                other.undo(steps)
                assert other.dump() == dumps[-1 - steps]
                taken += 1
    assert taken > 40
