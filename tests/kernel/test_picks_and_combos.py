"""Answers to picks, sets of cards and how they are counted without a list of all."""

from __future__ import annotations

import itertools
import time
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kernel
from kernel.counting import combination, combinations, sequence, sequences
from tests.kernel import parlour
from tests.kernel.parlour import load, log, passed, play

COUNTS = st.lists(st.integers(0, 3), min_size=1, max_size=4).map(tuple)


def things(counts: tuple[int, ...]) -> list[int]:
    return [i for i, n in enumerate(counts) for _ in range(n)]


@given(counts=COUNTS, k=st.integers(0, 4))
@settings(max_examples=150, deadline=None, derandomize=True, database=None)
def test_bags_are_counted_and_numbered_as_a_list_of_all_would(counts: tuple[int, ...], k: int) -> None:
    every = {tuple(sorted(bag)) for bag in itertools.combinations(things(counts), k)}
    assert combinations(counts, k) == len(every)
    assert {tuple(combination(counts, k, i)) for i in range(len(every))} == every


@given(counts=COUNTS, k=st.integers(0, 4))
@settings(max_examples=150, deadline=None, derandomize=True, database=None)
def test_sequences_are_counted_and_numbered_as_a_list_of_all_would(counts: tuple[int, ...], k: int) -> None:
    every = set(itertools.permutations(things(counts), k))
    assert sequences(tuple(sorted(counts)), k) == len(every)
    assert {tuple(sequence(counts, k, i)) for i in range(len(every))} == every


CARDS = {
    "one": play("pick card from: hand by: you\nmove card to: discard"),
    "few": play("pick cards from: hand by: you min: 1 max: 2\nmove cards to: discard"),
    "either": play('pick word from: hand by: you or: none\nnote line: "nothing" if word is unset else "something"'),
    "vain": play('pick card from: table by: you\nnote line: "unreached"'),
    "blind": play("pick card from: hand by: you unseen: hand\nmove card to: discard"),
    "dice": play("pick side from: range(1, 6) by: chance\npay you coins: side"),
    "steal": play("pick card from: victim.hand by: you\nmove card to: hand", "  choose: {victim: others}\n"),
    "tea": "text: nothing\n",
    "milk": "text: nothing\n",
    "copycat": 'plays_as: {from: each(ids(discard) where it == "dice"), ask: true}\n',
    "ape": 'plays_as: {from: each(ids(discard) where it == "dice")}\n',
}


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> kernel.Rulebook:
    return load(tmp_path_factory.mktemp("game"), CARDS)


def answers(state: kernel.State, player: int = 0) -> list[str]:
    return [str(action) for action in state.legal(player)]


def at_pick(book: kernel.Rulebook, card: str, hand: list[str], **zones: object) -> kernel.State:
    state = book.position(2, {"hand": {0: [card, *hand], 1: zones.pop("theirs", [])}, **zones})
    state.apply(0, f"play {card}" + (" victim=1" if card == "steal" else ""))
    passed(state)
    return state


def test_like_cards_are_one_answer(book: kernel.Rulebook) -> None:
    state = at_pick(book, "one", ["tea", "tea", "milk"])
    assert sorted(answers(state)) == ["choose milk", "choose tea"]


def test_between_a_least_and_a_most(book: kernel.Rulebook) -> None:
    state = at_pick(book, "few", ["tea", "tea", "milk"])
    expected = ["choose milk", "choose milk,tea", "choose tea", "choose tea,tea"]
    assert sorted(answers(state)) == expected
    for wrong in ("choose milk,milk", "choose", "choose tea,tea,milk"):
        with pytest.raises(kernel.GameError):
            state.apply(0, wrong)
    state.apply(0, "choose tea,milk")  # the order of a bag says nothing
    assert state.view(0)["zones"]["hand"]["0"] == ["tea"]


def test_nothing_to_choose_ends_the_program_unless_it_says_what_then(book: kernel.Rulebook) -> None:
    assert log(at_pick(book, "vain", [])) == []
    assert log(at_pick(book, "either", [])) == ["nothing"]
    state = at_pick(book, "either", ["tea"])
    state.apply(0, "choose tea")
    assert log(state) == ["something"]


def test_cards_that_are_not_seen_are_one_answer_settled_by_chance(book: kernel.Rulebook) -> None:
    state = at_pick(book, "blind", ["tea", "milk"])
    assert answers(state) == ["choose random"]
    state.set_chance(["milk"])
    state.apply(0, "choose random")
    assert state.view(0)["zones"]["hand"]["0"] == ["tea"]
    stolen = at_pick(book, "steal", [], theirs=["tea", "milk", "milk"])
    assert answers(stolen) == ["choose random"]
    with pytest.raises(kernel.GameError):
        stolen.apply(0, "choose milk")


def test_chance_follows_the_script_and_refuses_what_cannot_be(book: kernel.Rulebook) -> None:
    state = book.position(2, {"hand": {0: ["dice", "dice"]}}, ask="settled")
    state.set_chance([4])
    state.apply(0, "play dice")
    assert state.view(0)["attributes"]["coins"]["0"] == 4
    assert state.chance_left == 0
    state.set_chance(["7"])
    digest = state.digest
    with pytest.raises(kernel.IllegalAction) as caught:
        state.apply(0, "play dice")
    assert caught.value.code == "chance"
    assert state.digest == digest


def test_chance_is_even(book: kernel.Rulebook) -> None:
    start = book.position(2, {"hand": {0: ["dice"]}}, ask="settled")
    seen = [0] * 7
    for seed in range(300):
        state = book.position(2, {"hand": {0: ["dice"]}}, seed=seed, ask="settled")
        state.apply(0, "play dice")
        seen[state.view(0)["attributes"]["coins"]["0"]] += 1
    assert seen[0] == 0
    assert sum((n - 50) ** 2 / 50 for n in seen[1:]) < 25
    assert start.view(0)["attributes"]["coins"]["0"] == 0


@pytest.mark.parametrize(("card", "action"), [("copycat", "play copycat as=dice"), ("ape", "play ape")])
def test_a_card_is_played_as_another(book: kernel.Rulebook, card: str, action: str) -> None:
    assert answers(book.position(2, {"hand": {0: [card]}})) == ["draw"]
    state = book.position(2, {"hand": {0: [card]}, "discard": ["dice"]}, ask="settled")
    assert sorted(answers(state)) == ["draw", action]
    state.set_chance([3])
    state.apply(0, action)
    assert state.view(0)["attributes"]["coins"]["0"] == 3
    assert not state.problems()


COMBOS = """\
  pair:
    cards: {from: hand, count: 2, alike: id(it)}
    choose: {wanted: discard}
    do: |
      note line: "pair"
  five:
    cards: {from: hand, count: 5, unlike: id(it)}
    choose: {wanted: discard}
    do: |
      note line: "five"
"""


def test_very_many_actions_are_counted_and_found_without_a_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parlour, "GAME", parlour.GAME.replace("announce: |", COMBOS + "announce: |"))
    names = [f"c{i}" for i in range(12)]
    book = load(tmp_path, dict.fromkeys(names, "text: nothing\n"))
    hand = [*names, "c0", "c1"]
    state = book.position(2, {"hand": {0: hand}, "discard": (names * 4)[:40]}, ask="settled")
    tracemalloc.start()
    begin = time.perf_counter()
    legal = state.legal(0)
    size = len(legal)
    some = [str(legal[i]) for i in (0, 1, size // 2, size - 1)]
    took = time.perf_counter() - begin
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert size == 1 + 2 * 12 + 792 * 12  # of like cards in the discard pile one is offered
    assert took < 0.5  # generous: some milliseconds
    assert peak < 3_000_000
    assert all(text in legal for text in some)
    state.apply(0, "five c1,c3,c5,c7,c9 wanted=c2")
    assert log(state) == ["five"]
    for wrong in ("five c1,c1,c3,c5,c7 wanted=c2", "pair c1,c3 wanted=c2", "pair c3 wanted=c2"):
        with pytest.raises(kernel.GameError):
            state.apply(0, wrong)
