"""Games that count points, and moves that say how people read of them."""

from __future__ import annotations

import re

import pytest

import kernel
import rulebook
from rulebook.scores import counts_points, scores
from rulebook.terminal.choices import Choices
from rulebook.terminal.names import Names
from rulebook.terminal.wording import Journal
from tests.rulebook.cli_runs import run
from tests.rulebook.snip import book


def test_the_points_of_each_player_are_those_of_the_question_score() -> None:
    given = {"hand": {0: ["manor", "rumour"], 1: ["hut"]}, "supply": ["palace"]}
    assert scores(rulebook.load("market").position(players=2, given=given)) == [2, 1]


def test_a_game_without_points_has_no_scores() -> None:
    assert not counts_points(book())
    assert scores(book().new(players=2, seed=1)) == []


def test_at_the_end_the_points_are_shown_and_the_best_have_won(monkeypatch: pytest.MonkeyPatch) -> None:
    done = run(monkeypatch, "play", "hearts", "--option", "target=20", "--players", "3", "--seed", "4")
    assert done.code == 0
    found = re.search(r"score +Player 0 (-?\d+) · Player 1 (-?\d+) · Player 2 (-?\d+)\s*$", done.out)
    assert found is not None
    points = [int(number) for number in found.groups()]
    assert max(points) >= 20
    best = points.index(min(points))
    assert f"Player {best}" in done.out.partition("The game is over:")[2].partition("\n")[0]


def test_moves_are_told_as_the_game_says_them(monkeypatch: pytest.MonkeyPatch) -> None:
    done = run(monkeypatch, "play", "market", "--players", "2", "--seed", "1", lines="buy rumour\nend\nquit\n")
    assert "You buy Rumour\n" in done.out
    market = rulebook.load("market")
    state = market.new(players=2, seed=1)
    labels = [entry.label for entry in Choices(state.legal(0), Names(market, ["Ann", "Bob"], you=0)).menu().entries]
    assert labels == ["Buy Penny", "Buy Rumour", "End the turn", "Play Penny"]
    entry = {"n": 1, "event": "announced", "by": 1, "act": 1, "what": "end"}
    assert [line.text for line in Journal(Names(market, ["Ann", "Bob"], you=0)).lines([entry])] == ["Bob ends the turn"]


def test_a_public_attribute_that_stays_as_it_is_is_no_news() -> None:
    state: kernel.State = rulebook.load("market").new(players=2, seed=1)
    state.apply(0, "play penny")
    assert not [entry for entry in state.news(None) if entry["event"] == "set"]
