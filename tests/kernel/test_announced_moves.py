"""What a move does at the moment it is announced, before anybody may answer it."""

from __future__ import annotations

from pathlib import Path

import pytest

import kernel
import rulebook
from tests.kernel import parlour
from tests.kernel.parlour import passed

MOVES = """\
moves:
  hire:
    if: you.coins >= 3
    choose: {victim: others}
    announce: |
      set you.coins = you.coins - 3
      note line: "paid"
    do: |
      pay victim coins: 1
  hide:
    cards: {from: hand, count: 2}
    announce: |
      move cards to: pile
    do: |
      note line: "hidden"
  flash:
    cards: {from: hand, count: 1}
    announce: |
      show cards to: players
      note line: "seen"
    do: |
      note line: "flashed"
  dump:
    cards: {from: hand, count: 1}
    announce: |
      move cards to: discard
      set you.coins = you.coins - 1
    do: |
      note line: "dumped"
  sink:
    cards: {from: hand, count: 1}
    announce: |
      move cards to: discard at: bottom
    do: |
      note line: "sunk"
"""
STOP = "play: {at: response, to: 'target is not quiet', do: cancel target}\n"


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> kernel.Rulebook:
    """The parlour with moves that say what happens when they are announced."""
    folder: Path = tmp_path_factory.mktemp("announced")
    parlour.load(folder, {"stop": STOP, "till": "text: nothing\n"})
    path = folder / "parlour" / "game.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("moves:\n", MOVES, 1), encoding="utf-8")
    return rulebook.load("parlour", path=folder)


def rich(book: kernel.Rulebook) -> kernel.State:
    """Three players; the first can pay."""
    given = {"hand": {0: ["till", "till"], 1: ["stop"]}, "attributes": {"coins": {0: 4}}}
    return book.position(3, given)


def coins(state: kernel.State) -> list[int]:
    """What everybody has."""
    return list(state.view(None)["attributes"]["coins"].values())


def test_the_cost_is_paid_before_anybody_can_answer(book: kernel.Rulebook) -> None:
    state = rich(book)
    state.apply(0, "hire victim=2")
    assert state.waiting.players == (0, 1, 2)
    assert coins(state) == [1, 0, 0]
    passed(state)
    assert coins(state) == [1, 0, 1]


def test_the_cost_of_a_cancelled_move_is_gone(book: kernel.Rulebook) -> None:
    state = rich(book)
    state.apply(0, "hire victim=2")
    state.apply(1, "play stop")
    passed(state)
    assert coins(state) == [1, 0, 0]


def test_its_own_announcement_takes_the_place_of_the_games(book: kernel.Rulebook) -> None:
    state = rich(book)
    state.apply(0, "hide till")
    zones = state.view(1)["zones"]
    assert zones["discard"] == []
    assert zones["pile"] == ["unknown", "unknown"]
    assert state.view(0)["zones"]["pile"] == ["till", "till"]
    assert state.view(1)["acts"][0]["text"] == "hide unknown"
    assert not any("till" in str(entry) for entry in state.news(1))


def test_a_game_in_the_middle_of_an_announced_move_is_saved_and_compiled_exactly(book: kernel.Rulebook) -> None:
    state = rich(book)
    state.apply(0, "hire victim=2")
    again = kernel.Rulebook.from_json(book.to_json()).restore(state.dump())
    assert again.dump() == state.dump()
    for each in (state, again):
        passed(each)
    assert coins(again) == coins(state) == [1, 0, 1]


def test_cards_that_are_laid_open_are_told_by_name_and_lie_where_they_were_laid(book: kernel.Rulebook) -> None:
    given = {"hand": {0: ["till"], 1: ["stop"]}, "discard": ["stop", "stop"]}
    state = book.position(2, given)
    state.apply(0, "sink till")
    assert state.view(1)["zones"]["discard"] == ["stop", "stop", "till"]
    (announced,) = [entry for entry in state.news(1) if entry["event"] == "announced"]
    assert announced["cards"] == ["till"]


def test_cards_that_are_laid_before_something_else_happens_are_told_by_name_too(book: kernel.Rulebook) -> None:
    state = book.position(2, {"hand": {0: ["till"], 1: ["stop"]}, "attributes": {"coins": {0: 4}}})
    state.apply(0, "dump till")
    assert state.view(1)["zones"]["discard"] == ["till"]
    assert coins(state) == [3, 0]
    assert [entry["cards"] for entry in state.news(1) if entry["event"] == "announced"] == [["till"]]
    assert [entry["event"] for entry in state.news(1)].count("moved") == 1


def test_cards_that_are_shown_first_are_told_by_name_and_stay(book: kernel.Rulebook) -> None:
    state = book.position(2, {"hand": {0: ["till", "stop"], 1: ["stop"]}})
    state.apply(0, "flash till")
    assert sorted(state.view(1)["zones"]["hand"]["0"]) == ["till", "unknown"]
    assert [entry["cards"] for entry in state.news(1) if entry["event"] == "announced"] == [["till"]]
    assert [entry["event"] for entry in state.news(1)].count("shown") == 1
