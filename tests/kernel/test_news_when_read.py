"""News are written down when somebody reads them; when that is changes nothing in them."""

from __future__ import annotations

from pathlib import Path

import pytest

import kernel
from tests.kernel.parlour import load, passed, play

CARDS = {
    "tea": play("pay you coins: 1\nmove top(pile, 1) to: you.hand"),
    "say": play('pick word from: ["yes", "no"] by: you ask: "Well?"\nnote word'),
    "mix": play("shuffle pile"),
}


@pytest.fixture
def book(tmp_path: Path) -> kernel.Rulebook:
    return load(tmp_path, CARDS)


def start(book: kernel.Rulebook, ask: str = "all") -> kernel.State:
    given = {"hand": {0: ["tea", "say", "mix"], 1: ["tea"], 2: ["say"]}, "pile": ["mix", "tea", "say", "tea"]}
    return book.position(3, given, ask=ask)


@pytest.mark.parametrize("ask", ["all", "settled"])
def test_who_reads_at_the_end_reads_what_was_told_step_by_step(book: kernel.Rulebook, ask: str) -> None:
    late, early = start(book, ask), start(book, ask)
    for _ in range(40):
        if late.over:
            break
        player = late.waiting.players[0]
        legal = late.legal(player)
        action = str(legal[len(legal) // 2])
        late.apply(player, action)
        early.apply(player, action)
        early.news(player)
    assert late.version == early.version
    for who in (None, 0, 1, 2):
        assert late.news(who) == early.news(who)
        assert late.news(who, since=5) == early.news(who)[5:]
    assert late.dump() == early.dump()


def test_a_whole_game_played_inside_the_kernel_has_all_its_news(book: kernel.Rulebook) -> None:
    for seed in range(4):
        state = book.new(3, seed)
        played = kernel.playout(state.copy(), seed=seed)
        again = book.new(3, seed)
        for step in played.history():
            again.news(0)
            again.apply(step["p"], step["a"])
        assert played.news(1) == again.news(1)
        assert len(played.news(None)) == played.version


def test_an_answer_that_no_text_can_name_is_played_again_all_the_same(tmp_path: Path) -> None:
    say = play('pick word from: ["yes", "per haps"] by: you ask: "Well?"\nnote word')
    state = start(load(tmp_path, {**CARDS, "say": say}))
    state.apply(0, "play say")
    passed(state)
    answer = next(a for a in state.legal(0) if str(a) == "choose per haps")
    state.apply(0, answer)
    twin = state.copy()
    assert next(e for e in state.news(0) if e["event"] == "chose")["value"] == "per haps"
    assert twin.news(0) == state.news(0)


def test_copies_restored_and_determinized_states_go_on_telling(book: kernel.Rulebook) -> None:
    state = start(book)
    state.apply(0, "play tea")
    passed(state)
    restored = book.restore(state.dump())
    drawn = state.determinize(state.waiting.players[0], 1)
    for other in (state.copy(), restored, drawn):
        before = other.news(0)
        assert before == state.news(0)
        other.apply(other.waiting.players[0], "draw")
        passed(other)
        assert other.news(0)[: len(before)] == before
        assert len(other.news(0)) == other.version


def test_a_step_that_fails_leaves_the_news_as_they_were(tmp_path: Path) -> None:
    book = load(tmp_path, {**CARDS, "bad": play("pay you coins: 1\npay you coins: 1 / count(dead)")})
    for read in (True, False):
        state = book.position(2, {"hand": {0: ["bad", "tea"]}})
        state.apply(0, "play tea")
        passed(state)
        before = (state.version, state.news(0) if read else [])
        with pytest.raises(kernel.CardError):
            state.apply(0, "play bad")
        assert (state.version, state.news(0) if read else []) == before
        assert len(state.news(None)) == state.version > 0
