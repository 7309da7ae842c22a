"""Answers that are kept with a book hold in every game of it: they name kinds, never the cards of one game."""

from __future__ import annotations

import random

import pytest

import kernel
import rulebook
from kernel.actions import ActGroup
from kernel.cardsets import KindSets
from kernel.legal import legal_for


def concrete(book: kernel.Rulebook) -> list[str]:
    """What is kept of windows that is about the cards of one game."""
    return [
        f"{spec.text} answered by {group.text(0)}"
        for spec in book.specs
        for kept in spec.plan.windows.values()
        for group in kept.groups
        if isinstance(group, ActGroup) and not isinstance(group.sets, KindSets)
    ]


def test_the_only_nope_answers_with_a_mark_on_it_and_later_without() -> None:
    book = rulebook.load("kittens", packs=["base", "streaking"])
    state = book.position(3, {"hand": {0: ["mark", "tacocat", "tacocat"], 1: ["nope"]}}, seed=1, ask="settled")
    state.apply(0, "play mark victim=1")
    while state.waiting.players != (0,):
        state.apply(state.waiting.players[0], "pass")
    state.apply(0, "pair tacocat victim=1")
    assert [str(action) for action in state.legal(1)] == ["pass", "play nope"]
    assert concrete(book) == []
    for seed in range(4):
        hands = {0: ["tacocat", "tacocat"], 1: ["attack", "skip", "nope"], 2: ["shuffle"]}
        later = book.position(3, {"hand": hands}, seed=seed, ask="settled")
        later.apply(0, "pair tacocat victim=1")
        later.apply(1, "play nope")
        assert "nope" in later.describe()["discard"]
        assert sorted(later.describe()["hand"][1]) == ["attack", "skip"]


def test_in_a_determinized_window_only_those_are_asked_who_hold_an_answer() -> None:
    book = rulebook.load("kittens", packs=["base"])
    drawn = 0
    for seed in range(12):
        state = book.new(players=4, seed=seed, ask="settled")
        while not state.over:
            player = state.waiting.players[0]
            if state.waiting.kind == "window":
                world = state.determinize(player, seed)
                drawn += 1
                for other in world.waiting.players:
                    assert other == player or len(legal_for(world, other)) > 1
            legal = state.legal(player)
            state.apply(player, legal[(seed * 7 + state.decisions * 5) % len(legal)])
    assert drawn > 30


def told(book: kernel.Rulebook, seed: int) -> list[str]:
    """A game with draws of what is hidden, played to their end: who is asked in them, and how all of it ends."""
    chance = random.Random(seed)
    players = chance.randint(book.players_min, min(5, book.players_max))
    state = book.new(players=players, seed=seed, ask=("settled", "all")[seed % 2])
    found: list[str] = []
    for step in range(1, 251):
        if state.over:
            break
        player = chance.choice(state.waiting.players)
        if step % 7 == 0:
            world = state.determinize(player, step)
            found.append(f"{step}: {world.waiting}, {kernel.playout(world, seed=step).digest}")
        legal = state.legal(player)
        state.apply(player, legal[chance.randrange(len(legal))])
    return [*found, state.digest]


@pytest.mark.parametrize(
    "packs", [["base", "imploding", "streaking", "barking", "zombie", "burglar"], ["base", "streaking"]], ids=len
)
def test_what_a_book_remembers_of_other_games_changes_no_game(packs: list[str]) -> None:
    used = rulebook.load("kittens", packs=packs)
    for seed in range(12):
        assert told(used, seed) == told(kernel.Rulebook.from_data(used.data), seed), seed
