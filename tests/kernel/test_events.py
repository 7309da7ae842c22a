"""What listens to verbs: `when`, `before`, `instead` and `proceed`, their order, and that each is told once."""

from __future__ import annotations

from pathlib import Path

import pytest

import kernel
from tests.kernel.parlour import load, log, passed, play

TILL = play("pay you coins: 2")
FILLER = "text: nothing\n"


def listener(kind: str, word: str, name: str, extra: str = "") -> str:
    return f'{kind}: {{{word}: pay, in: table, do: "note line: \\"{name}\\""{extra}}}\n'


def test_before_runs_first_and_when_afterwards(tmp_path: Path) -> None:
    cards = {
        "till": TILL,
        "early": 'before: {event: pay, in: table, do: "note line: combined(\\"before\\", \\"0\\")"}\n',
        "late": listener("when", "event", "after"),
    }
    book = load(tmp_path, cards)
    state = book.position(2, {"hand": {0: ["till"]}, "table": {1: ["late", "early"]}})
    state.apply(0, "play till")
    assert log(state) == ["before 0", "after"]
    assert state.view(0)["attributes"]["coins"] == {"0": 2, "1": 0}


def test_listeners_come_in_the_order_of_the_ring_then_of_their_ids_whatever_pack_they_are_from(tmp_path: Path) -> None:
    one = {"till": TILL, "zebra": listener("when", "event", "zebra")}
    two = {"ape": listener("when", "event", "ape"), "mule": listener("when", "event", "mule")}
    two["newt"] = listener("when", "event", "newt")
    given = {
        "hand": {1: ["till"]},
        "table": {0: ["ape"], 1: ["zebra", "mule"], 2: ["newt", "newt"]},
        "turn": {"player": 1},
    }
    orders = []
    for name, packs in (("x", {"second": two}), ("y", {"a_first": two})):
        state = load(tmp_path / name, one, packs).position(3, given)
        state.apply(1, "play till")
        orders.append(log(state))
    assert orders[0] == orders[1] == ["mule", "zebra", "newt", "ape"]


def test_instead_replaces_and_is_reported_once(tmp_path: Path) -> None:
    cards = {
        "till": TILL,
        "thief": 'instead: {of: pay, in: table, do: "note line: \\"stolen\\""}\n',
        "late": listener("when", "event", "after"),
    }
    state = load(tmp_path, cards).position(2, {"hand": {0: ["till"]}, "table": {1: ["thief", "late"]}})
    state.apply(0, "play till")
    assert log(state) == ["stolen", "after"]
    assert state.view(0)["attributes"]["coins"]["0"] == 0


def test_proceed_runs_what_was_replaced_with_changed_arguments_where_named(tmp_path: Path) -> None:
    cards = {
        "till": TILL,
        "double": 'instead: {of: pay, in: table, do: "proceed coins: event.coins * 2"}\n',
        "plain": 'instead: {of: pay, in: table, do: "proceed"}\n',
    }
    book = load(tmp_path, cards)
    for table, coins in (([], 2), (["plain"], 2), (["double"], 4), (["double", "plain"], 4), (["double", "double"], 8)):
        state = book.position(2, {"hand": {0: ["till"]}, "table": {0: table}})
        state.apply(0, "play till")
        assert state.view(0)["attributes"]["coins"]["0"] == coins, table


def test_an_ability_whose_condition_no_longer_holds_when_its_turn_comes_does_not_run(tmp_path: Path) -> None:
    cards = {
        "till": TILL,
        "ape": 'when: {event: pay, in: table, do: "move (you.table where id(it) == \\"mule\\") to: box"}\n',
        "mule": listener("when", "event", "mule"),
    }
    state = load(tmp_path, cards).position(2, {"hand": {0: ["till"]}, "table": {0: ["ape", "mule"]}})
    state.apply(0, "play till")
    assert log(state) == []


def test_elimination_can_be_followed(tmp_path: Path) -> None:
    cards = {
        "poison": play("eliminate victim", "  choose: {victim: others}\n"),
        "heir": 'when: {event: eliminate, in: table, do: "pay you coins: 5"}\n',
    }
    state = load(tmp_path, cards).position(3, {"hand": {0: ["poison"]}, "table": {2: ["heir"]}})
    state.apply(0, "play poison victim=1")
    assert state.view(0)["dead"] == [1]
    assert state.view(0)["attributes"]["coins"]["2"] == 5


def test_two_cards_that_trigger_each_other_for_ever_are_stopped_and_named(tmp_path: Path) -> None:
    cards = {
        "till": TILL,
        "echo": 'when: {event: pay, in: table, do: "pay you coins: 1"}\n',
    }
    book = load(tmp_path, cards)
    state = book.position(2, {"hand": {0: ["till"]}, "table": {0: ["echo"], 1: ["echo"]}})
    before = (state.digest, state.news(0), state.history(), state.version)
    with pytest.raises(kernel.CardError) as caught:
        state.apply(0, "play till")
    assert caught.value.code == "limit"
    assert caught.value.file.endswith(("echo.yaml", "game.yaml"))
    assert caught.value.line > 0
    assert (state.digest, state.news(0), state.history(), state.version) == before
    state.apply(0, "draw")
    assert state.waiting.players == (1,)


def test_a_division_by_zero_names_file_line_and_card_and_changes_nothing(tmp_path: Path) -> None:
    cards = {"sum": play("pay you coins: 1\npay you coins: 6 / count(others where safe(it))"), "shy": FILLER}
    state = load(tmp_path, cards).position(2, {"hand": {0: ["sum", "shy"]}})
    digest = state.digest
    with pytest.raises(kernel.CardError, match="divided by zero") as caught:
        state.apply(0, "play sum")
    assert (caught.value.file, caught.value.line, caught.value.card) == ("parlour/base/sum.yaml", 7, "sum")
    assert state.digest == digest
    passed(state)


def test_a_game_that_does_not_end_ends_as_it_declares(tmp_path: Path) -> None:
    state = load(tmp_path, {"tea": FILLER}).new(players=3, seed=1)
    steps = 0
    while not state.over:
        state.apply(state.waiting.players[0], "draw")
        steps += 1
    assert steps == 301
    assert state.winners == (0, 1, 2)
