"""Turns owed, direction, who is out and who comes back; what an absurd number does."""

from __future__ import annotations

import gc
import time
import tracemalloc
from pathlib import Path

import pytest

import kernel
from tests.kernel.parlour import load, log, passed, play

CARDS = {
    "push": play("give_turns 2 to: victim", "  choose: {victim: others}\n"),
    "pass_on": play("give_turns 0 to: victim", "  choose: {victim: others}\n"),
    "skip": play("end_turn you"),
    "skip_all": play("end_turn you all: true"),
    "hush": play("end_turn victim", "  choose: {victim: others}\n"),
    "hasten": "play: {at: now, do: end_turn you}\n",
    "back": play("set direction = 0 - direction\nend_turn you"),
    "axe": play("eliminate victim", "  choose: {victim: players}\n"),
    "herb": play("revive victim", "  choose: {victim: dead}\n"),
    "wake": 'when:\n  - {event: revive, in: table, do: "note line: \\"back\\""}\n'
    '  - {event: eliminate, in: table, do: "note line: \\"out\\""}\n',
    "flood": play('for i in range(1, 1000):\n  for j in range(1, 1000):\n    note line: "x"'),
    "spin": play("while true:\n  let x = 1"),
    "rich": play("let x = 1000000000\nlet y = x * x * x\npay you coins: y"),
    "deal": play("move top(pile, 1000000000) to: hand"),
    "none": play("move top(pile, 0 - 3) to: hand\nmove top(pile, 0) to: hand"),
    "owe": play("give_turns 1000000000 to: victim", "  choose: {victim: others}\n"),
    "tea": "text: nothing\n",
}


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> kernel.Rulebook:
    return load(tmp_path_factory.mktemp("game"), CARDS)


def turn(state: kernel.State) -> tuple[int, int]:
    facts = state.view(None)["turn"]
    return facts["player"], facts["owed"]


def start(book: kernel.Rulebook, hand: dict[int, list[str]], players: int = 3, **more: object) -> kernel.State:
    return book.position(players, {"hand": hand, "pile": ["tea"] * 5, **more})


def act(state: kernel.State, player: int, action: str) -> None:
    """The action, which nobody answers."""
    state.apply(player, action)
    passed(state)


def test_turns_given_are_owed_one_after_the_other(book: kernel.Rulebook) -> None:
    state = start(book, {0: ["push"]})
    act(state, 0, "play push victim=2")
    assert turn(state) == (2, 2)
    act(state, 2, "draw")
    assert turn(state)[0] == 2
    act(state, 2, "draw")
    assert turn(state)[0] == 0


def test_turns_given_end_this_turn_and_all_that_were_owed(book: kernel.Rulebook) -> None:
    state = start(book, {0: ["pass_on"]}, turn={"player": 0, "owed": 3})
    act(state, 0, "play pass_on victim=1")
    assert turn(state) == (1, 0)


def test_ending_a_turn_takes_one_of_those_owed_or_all(book: kernel.Rulebook) -> None:
    state = start(book, {1: ["skip", "skip_all"]}, turn={"player": 1, "owed": 3})
    twin = state.copy()
    act(state, 1, "play skip")
    assert turn(state) == (1, 2)
    act(twin, 1, "play skip_all")
    assert turn(twin)[0] == 2


def test_the_turn_of_somebody_else_is_not_ended(book: kernel.Rulebook) -> None:
    state = start(book, {0: ["hush"], 1: ["hasten"]}, turn={"player": 0, "owed": 2})
    act(state, 0, "play hush victim=1")
    assert turn(state) == (0, 2)
    act(state, 1, "play hasten")
    assert turn(state) == (0, 2)
    act(state, 0, "draw")
    act(state, 0, "draw")
    assert turn(state)[0] == 1


@pytest.mark.parametrize(("players", "then"), [(2, [1, 0, 1]), (3, [2, 1, 0]), (4, [3, 2, 1])])
def test_the_direction_of_play_turns(book: kernel.Rulebook, players: int, then: list[int]) -> None:
    state = start(book, {0: ["back"]}, players)
    act(state, 0, "play back")
    found = []
    for _ in range(3):
        found.append(turn(state)[0])
        act(state, found[-1], "draw")
    assert found == then


def test_the_dead_are_passed_over_until_they_are_revived(book: kernel.Rulebook) -> None:
    state = start(book, {0: ["axe", "herb"]}, 3, table={0: ["wake"]})
    act(state, 0, "play axe victim=1")
    assert state.view(None)["dead"] == [1]
    assert len(state.legal(1)) == 0
    assert [str(a) for a in state.copy().legal(0)] == ["draw", "play herb victim=1"]
    twin = state.copy()
    act(twin, 0, "draw")
    assert turn(twin)[0] == 2
    act(state, 0, "play herb victim=1")
    assert state.view(None)["dead"] == []
    assert log(state) == ["out", "back"]
    act(state, 0, "draw")
    assert turn(state)[0] == 1


def test_who_eliminates_themselves_is_on_turn_no_more(book: kernel.Rulebook) -> None:
    state = start(book, {0: ["axe"]}, 3, turn={"player": 0, "owed": 2})
    act(state, 0, "play axe victim=0")
    assert state.view(None)["dead"] == [0]
    assert 0 not in state.waiting.players
    while not state.over:
        state.close()
    assert 0 not in state.winners


def test_who_leaves_on_turn_hands_on_one_natural_turn(book: kernel.Rulebook) -> None:
    for direction, then in ((1, 2), (-1, 0)):
        state = start(book, {}, 3, turn={"player": 1, "owed": 2}, direction=direction)
        state.leave(1)
        assert state.waiting.players == (then,)
        assert turn(state)[0] == then
        act(state, then, "draw")
        assert turn(state)[0] == ({0, 2} - {then}).pop()


@pytest.mark.parametrize("card", ["flood", "spin", "rich", "owe victim=1"])
def test_what_has_no_measure_is_stopped_in_time_and_undone(book: kernel.Rulebook, card: str) -> None:
    state = start(book, {0: [card.split()[0]]})
    state.apply(0, f"play {card}")
    state.apply(0, "pass")
    state.apply(1, "pass")
    before = (state.digest, state.news(0), state.history())
    begin = time.perf_counter()
    with pytest.raises(kernel.CardError) as caught:
        state.apply(2, "pass")
    assert time.perf_counter() - begin < 1.5
    assert caught.value.file.endswith((f"{card.split()[0]}.yaml", "game.yaml"))
    assert caught.value.line > 0
    assert (state.digest, state.news(0), state.history()) == before
    assert state.waiting.players == (2,)
    assert not state.problems()


def test_more_cards_than_there_are_is_all_of_them_and_less_than_none_is_none(book: kernel.Rulebook) -> None:
    state = start(book, {0: ["deal", "none"]})
    act(state, 0, "play none")
    assert len(state.view(0)["zones"]["pile"]) == 5
    act(state, 0, "play deal")
    assert len(state.view(0)["zones"]["hand"]["0"]) == 5
    assert not state.problems()


def test_memory_does_not_grow_with_finished_games(tmp_path: Path) -> None:
    book = load(tmp_path, {"tea": "text: nothing\n", "axe": CARDS["axe"]})

    def games(many: int) -> None:
        for seed in range(many):
            kernel.playout(book.new(players=3, seed=seed), seed=seed)

    games(20)
    gc.collect()
    tracemalloc.start()
    games(20)
    gc.collect()
    first = tracemalloc.get_traced_memory()[0]
    games(40)
    gc.collect()
    second = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert second - first < 200_000
