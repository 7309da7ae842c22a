"""Games played by ids, without any library: who is next, what is refused, what others have begun, copies, rewards."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

import kernel
import rulebook
from rulebook.adapters import MissingLibrary, need
from rulebook.adapters.matches import Match, prepare, returns
from rulebook.adapters.observing import Observer
from tests.kernel import parlour
from tests.kernel.parlour import play
from tests.rulebook.adapters.games import GAMES, policy
from tests.rulebook.cli_runs import ROOT


def match_at(given: dict[str, object], players: int = 3) -> Match:
    table, observer = prepare("kittens", players)
    return Match(table, observer, table.book.position(players=players, given=given))


def names(match: Match, player: int | None = None) -> list[str]:
    return [match.table.names[id] for id in match.legal(player)]


def test_an_action_is_carried_out_with_its_last_id() -> None:
    match = match_at({"hand": {0: ["favor"], 1: ["skip"], 2: ["nope"]}, "draw_pile": ["skip"]})
    assert (match.player, names(match)) == (0, ["draw", "play favor"])
    assert match.step(match.table.id("play favor")) is False
    assert names(match) == ["player 1", "player 2"]
    assert match.given(0) == [match.table.id("play favor")]
    assert match.step(match.table.id("player 2")) is True
    assert match.last == (0, "play favor victim=2")
    assert match.given(0) == []
    assert names(match, 1) == ["pass"]
    assert names(match, 2) == ["pass", "play nope"]


def test_what_is_refused_changes_nothing() -> None:
    match = match_at({"hand": {0: ["favor"], 1: ["skip"], 2: ["nope"]}, "draw_pile": ["skip"]})
    match.step(match.table.id("play favor"))
    before = match.state.digest
    with pytest.raises(kernel.IllegalAction):
        match.step(match.table.id("draw"))
    with pytest.raises(kernel.InvalidAction):
        match.step(99_999)
    with pytest.raises(kernel.IllegalAction, match="not asked"):
        match.step(match.table.id("draw"), 1)
    assert match.legal(1) == []
    assert (match.state.digest, names(match)) == (before, ["player 1", "player 2"])


def test_who_times_out_takes_the_default_and_forgets_what_was_begun() -> None:
    match = match_at({"hand": {0: ["favor"], 1: ["skip"], 2: ["nope"]}, "draw_pile": ["skip", "skip"]})
    match.step(match.table.id("play favor"))
    match.time_out()
    assert match.state.history() == [{"close": 0}]
    assert match.player == 1
    assert match.given(0) == []


def test_what_others_have_begun_stands_while_their_question_does(tmp_path: Path) -> None:
    sort = play("pick cards from: it.hand by: players min: 1 max: 2 secret: true\nfor p in players:\n  pay p coins: 1")
    book = parlour.load(tmp_path, {"sort": sort, "tea": "text: nothing\n", "milk": "text: nothing\n"})
    table = kernel.ActionTable(book)
    milk, done = table.id("kind milk"), table.id("done")
    hands = {0: ["sort", "tea", "milk"], 1: ["tea", "milk", "milk"], 2: ["tea", "milk"]}
    match = Match(table, Observer(book, 3, table), book.position(players=3, given={"hand": hands}))
    match.step(table.id("play sort"))
    while match.state.asked == "window":
        match.step(table.id("pass"))
    assert match.state.waiting.players == (0, 1, 2)
    assert match.step(milk, 1) is False
    assert match.step(milk, 2) is False
    assert match.step(milk, 0) is False
    assert match.step(done, 0) is True
    assert (match.given(1), match.given(2)) == ([milk], [milk])
    assert match.step(milk, 1) is True
    match.time_out(2)
    assert match.given(2) == []
    answers = [step["a"] for step in match.state.history() if str(step.get("a")).startswith("choose")]
    assert answers == ["choose milk", "choose milk,milk"]


def test_a_copy_goes_its_own_way_also_in_the_middle_of_an_action() -> None:
    match = match_at({"hand": {0: ["favor"], 1: ["skip"], 2: ["nope"]}, "draw_pile": ["skip"]})
    match.step(match.table.id("play favor"))
    other = match.copy()
    assert other.legal() == match.legal()
    assert other.observe(0) == match.observe(0)
    other.step(other.table.id("player 1"))
    assert other.state.acts
    assert names(match) == ["player 1", "player 2"]
    assert not match.state.acts


def test_the_winners_share_what_everybody_has_paid() -> None:
    assert returns(2, (1,)) == [-1, 1]
    assert returns(4, (2,)) == [-1, -1, 3, -1]
    assert returns(4, (0, 3)) == [1, -1, -1, 1]
    assert returns(3, ()) == returns(3, (0, 1, 2)) == [0, 0, 0]


@pytest.mark.parametrize("game", GAMES)
def test_a_random_game_ends_and_its_rewards_are_those_of_its_winners(game: str) -> None:
    table, observer = prepare(game)
    chance = random.Random(1)
    match = Match.begin(table, observer, 7, policy(game))
    while not match.over:
        assert match.returns() == [0] * observer.players
        match.step(chance.choice(match.legal()))
    assert match.player is None
    assert match.legal() == []
    assert match.returns() == returns(observer.players, match.state.winners)
    with pytest.raises(kernel.IllegalAction):
        match.step(0)


def test_as_few_players_as_a_game_can_take_where_none_are_named() -> None:
    _, observer = prepare("kittens")
    assert observer.players == 2
    with pytest.raises(kernel.SetupError):
        prepare("kittens", 60)
    with pytest.raises(rulebook.PackError):
        prepare("kitens")


def test_a_library_that_is_not_there_is_said_with_what_to_install() -> None:
    with pytest.raises(MissingLibrary, match=r"pip install 'rulebook-engine\[pettingzoo\]'"):
        need("no_such_library_at_all", "pettingzoo")


@pytest.mark.parametrize("module", ["pettingzoo", "gymnasium", "openspiel"])
def test_an_adapter_says_what_to_install_and_the_rest_does_not_need_it(module: str) -> None:
    code = f"""
import sys
for name in ("numpy", "pettingzoo", "gymnasium", "pyspiel"):
    sys.modules[name] = None
import rulebook.adapters, rulebook.adapters.matches, rulebook.adapters.observing
try:
    import rulebook.adapters.{module}
except ImportError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert f"rulebook-engine[{module}]" in done.stdout
