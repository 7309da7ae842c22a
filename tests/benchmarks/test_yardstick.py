"""The game written by hand and the kernel play the same game: else their speeds could not be compared."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from random import Random
from statistics import fmean, stdev
from types import FunctionType

import pytest

import kernel
import rulebook
from rulebook import speed
from rulebook.cli import main
from tests.benchmarks import handwritten as hand

PLAYERS = 4
BY_KERNEL = 150
BY_HAND = 1500

SORTS = {hand.DRAW: "draw", hand.PAIR: "pair", hand.TRIPLE: "triple", hand.PASS: "pass", hand.CHOOSE: "choose"}


def sort_by_hand(game: hand.Game, action: hand.Action) -> str:
    if action[0] == hand.ANSWER:
        return "nope" if game.phase == hand.WINDOW else "defuse"
    if action[0] == hand.PLAY:
        return {hand.FAVOR: "favor", hand.ATTACK: "attack", hand.SKIP: "skip"}.get(action[1], "other card")
    return SORTS[action[0]]


def sort_by_kernel(text: str) -> str:
    words = text.split()
    if words[0] != "play":
        return words[0]
    return words[1] if words[1] in ("favor", "attack", "skip", "nope", "defuse") else "other card"


@cache
def games_by_hand() -> list[Counter[str]]:
    found = []
    for seed in range(BY_HAND):
        game, choices = hand.Game(PLAYERS, seed), Random(seed)
        counts: Counter[str] = Counter()
        while game.phase != hand.OVER:
            actions = game.legal()
            action = actions[int(choices.random() * len(actions))]
            if len(actions) > 1:
                counts[sort_by_hand(game, action)] += 1
            game.apply(action)
        counts["cards discarded"] = len(game.discard)
        found.append(counts)
    return found


@cache
def games_by_kernel() -> list[Counter[str]]:
    book = rulebook.load("kittens", packs=["base"])
    found = []
    for seed in range(BY_KERNEL):
        state = kernel.playout(book.new(players=PLAYERS, seed=seed, ask="settled"), seed=seed)
        counts = Counter(sort_by_kernel(step["a"]) for step in state.history())
        counts["cards discarded"] = len(state.view(None)["zones"]["discard"])
        found.append(counts)
    return found


def test_both_make_the_same_decisions_equally_often() -> None:
    """Seeds are fixed, so the outcome is; four standard errors are what chance alone would hardly ever exceed."""
    ours, theirs = games_by_kernel(), games_by_hand()
    sorts = {sort for game in ours + theirs for sort in game}
    assert sorts == {*SORTS.values(), "nope", "defuse", "favor", "attack", "skip", "other card", "cards discarded"}
    for sort in sorted(sorts):
        a, b = ([float(game[sort]) for game in games] for games in (ours, theirs))
        error = (stdev(a) ** 2 / len(a) + stdev(b) ** 2 / len(b)) ** 0.5
        assert abs(fmean(a) - fmean(b)) < 4 * error, f"{sort}: {fmean(a):.2f} by the kernel, {fmean(b):.2f} by hand"


def test_both_play_games_of_the_same_lengths() -> None:
    """The largest distance between the two distributions (Kolmogorov and Smirnov) is that of two samples of one."""
    ours, theirs = (
        [sum(count for sort, count in game.items() if sort != "cards discarded") for game in games]
        for games in (games_by_kernel(), games_by_hand())
    )
    distance = max(
        abs(sum(x <= n for x in ours) / len(ours) - sum(x <= n for x in theirs) / len(theirs))
        for n in range(max(ours + theirs))
    )
    assert distance < 1.63 * ((len(ours) + len(theirs)) / (len(ours) * len(theirs))) ** 0.5  # one time in a hundred
    assert 0.9 < fmean(ours) / fmean(theirs) < 1.1


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_no_card_is_lost_by_hand(players: int) -> None:
    for seed in range(50):
        game = hand.Game(players, seed)
        cards = len(game.pile) + sum(game.sizes)
        choices = Random(seed)
        while game.phase != hand.OVER:
            actions = game.legal()
            assert actions
            game.apply(actions[int(choices.random() * len(actions))])
            held = [sum(counts) for counts in game.hands]
            assert held == game.sizes
            assert min(min(counts) for counts in game.hands) >= 0
        assert len(game.pile) + len(game.discard) + sum(game.sizes) == cards
        assert sum(game.alive) == 1


def test_contestants_play_in_turns() -> None:
    order: list[str] = []

    def player(name: str) -> speed.Contestant:
        def play(seed: int) -> int:
            order.append(name)
            return 10

        return play

    results = speed.race({"a": player("a"), "b": player("b")}, rounds=4, share=0.0)
    assert order == ["a", "b", *"ab", *"ba", *"ab", *"ba"]
    assert [len(rounds) for rounds in results.values()] == [4, 4]
    assert all(entry.decisions == 10 and entry.rate > 0 for entry in results["a"])


def test_rounds_that_only_warm_up_do_not_count_and_no_game_is_played_twice() -> None:
    seeds: list[int] = []

    def play(seed: int) -> int:
        seeds.append(seed)
        return 10

    results = speed.race({"a": play}, rounds=3, share=0.0, warm=2)
    assert len(results["a"]) == 3
    assert len(set(seeds[1:])) == len(seeds[1:]) == 5  # the first makes what is made on first use


def test_bench_tells_the_interpreter_and_the_ratio(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--quick", "--seconds", "0.5"]) == 0
    said = capsys.readouterr().out
    assert re.search(r"Python 3\.\d+", said)
    for compared in ("kernel, of the speed by hand", "by calls, of the speed by hand", "expansions, of the speed of"):
        assert re.search(rf"{compared}.* \d+\.\d\d \(\d+\.\d\d to \d+\.\d\d\)", said)
    assert re.search(r"copy +\d.* times plain copies of its \d+ lists \(", said)
    assert re.search(r"view +\d.* times a decision \(", said)
    assert re.search(r"legal, one +\d.* times a list of all \d{2,} actions \(", said)
    assert ("copy.deepcopy" in said) == isinstance(kernel.playout, FunctionType)
    for name in ("dump", "restore", "import kernel, a built book", "rulebook play --help"):
        assert name in said


def test_bench_without_the_yardstick_says_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(speed, "yardstick", lambda: None)
    assert main(["bench", "--quick", "--seconds", "0.5"]) == 0
    said = capsys.readouterr().out
    assert "comes with the source alone" in said
    assert "of the speed by hand" not in said
    assert "decisions/s" in said
