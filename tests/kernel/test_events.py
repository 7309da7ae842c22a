"""What listens to verbs: `when`, `before`, `instead` and `proceed`, their order, and that each is told once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import kernel
from tests.kernel.parlour import GAME, load, log, passed, play

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


SHOPPING = GAME.replace(
    "moves:\n",
    """\
  fetch:
    needs: {who: player}
    do: |
      pick found from: who.hand where it is sweet by: who
      move found to: who.table
  serve:
    needs: {who: player, thing: card}
    do: |
      move thing to: who.table
      note line: "served"
moves:
""",
    1,
)
SERVING = play('for b in you.hand where it is sweet:\n  serve you thing: b\nnote line: "over"')


def noted(kind: str, word: str, verb: str, name: str) -> str:
    return f'tags: [sweet]\n{kind}: {{{word}: {verb}, in: table, do: "note line: \\"{name}\\""}}\n'


def test_a_verb_with_nothing_to_choose_is_over_and_not_what_called_it(tmp_path: Path) -> None:
    cards = {"list": play('fetch you\nnote line: "done"'), "tea": "tags: [sweet]\n" + TILL, "salt": FILLER}
    for name, more in (("unheard", {}), ("heard", {"ear": noted("when", "event", "fetch", "heard")})):
        book = load(tmp_path / name, {**cards, **more}, game=SHOPPING)
        state = book.position(2, {"hand": {0: ["list", "salt"]}})
        state.apply(0, "play list")
        assert log(state) == ["done"]
        state = book.position(2, {"hand": {0: ["list", "tea", "salt"]}})
        state.apply(0, "play list")
        if not log(state):
            state.apply(0, "choose tea")
        assert log(state) == ["done"]
        assert state.describe()["table"] == {0: ["tea"]}


def test_what_comes_where_it_listens_while_a_verb_is_carried_out_hears_its_end(tmp_path: Path) -> None:
    book = load(tmp_path, {"bell": noted("when", "event", "serve", "rings"), "tray": SERVING}, game=SHOPPING)
    state = book.position(2, {"hand": {0: ["tray", "bell"]}})
    state.apply(0, "play tray")
    assert log(state) == ["served", "rings", "over"]


def test_a_verb_in_place_is_replaced_where_a_card_that_replaces_it_is_near(tmp_path: Path) -> None:
    cards = {
        "cup": "tags: [sweet]\n",
        "tray": SERVING,
        "thief": noted("instead", "of", "serve", "stolen"),
        "seer": noted("before", "event", "serve", "seen"),
    }
    book = load(tmp_path, cards, game=SHOPPING)
    for table, expected in (
        ([], ["served", "over"]),
        (["thief"], ["stolen", "over"]),
        (["seer"], ["seen", "served", "over"]),
        (["seer", "thief"], ["seen", "stolen", "over"]),
    ):
        state = book.position(2, {"hand": {0: ["tray", "cup"]}, "table": {1: table}})
        state.apply(0, "play tray")
        assert log(state) == expected


@pytest.mark.parametrize("way", ["pick", "unless", "next", "heard"])
def test_a_spoiled_program_that_leads_back_uncounted_is_refused(way: str, tmp_path: Path) -> None:
    program = 'if count(hand) > 5:\n  fetch you\nfor c in hand:\n  serve you thing: c\nnote line: "done"'
    cards = {"list": play(program), "ear": noted("when", "event", "serve", "heard")}
    data = json.loads(load(tmp_path, cards, game=SHOPPING).to_json())
    kernel.Rulebook.from_data(data)
    found = 0
    for kind in data["kinds"]:
        for made in kind["plays"]:
            for at, op in enumerate(made["program"]["ops"]):
                if op[0] != way:
                    continue
                found += 1
                if way == "pick":
                    op[1]["end"] = at
                else:
                    op[2 if way == "unless" else 3] = at
    assert found
    with pytest.raises(kernel.RestoreError, match="no place to jump to"):
        kernel.Rulebook.from_data(data)
