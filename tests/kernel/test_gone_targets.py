"""What was announced with an act and is gone when it resolves; what a leaver owned, owed and had begun."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import kernel
from tests.kernel.parlour import GAME, load, passed, play
from tests.kernel.test_windows_and_leaving import CARDS

TOLL = play(
    "if one is set:\n  pay one coins: 0 - 1\n  pay you coins: 1\n"
    "if two is set:\n  pay two coins: 0 - 1\n  pay you coins: 1",
    "  choose:\n    one: {from: others, or: none}\n    two: {from: others where it != one, or: none}\n",
)
STRICT = play(
    "for p in [one, two]:\n  pay p coins: 0 - 1\n  pay you coins: 1",
    "  choose: {one: others, two: others where it != one}\n",
)


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> kernel.Rulebook:
    cards = {
        **CARDS,
        "toll": TOLL,
        "strict": STRICT,
        "push": play("give_turns 2 to: victim", "  choose: {victim: others}\n"),
    }
    return load(tmp_path_factory.mktemp("game"), cards)


def coins(state: kernel.State) -> list[int]:
    found = state.view(0)["attributes"]["coins"]
    return [found[str(p)] for p in range(state.players)]


@pytest.mark.parametrize(("gone", "after"), [((), [2, -1, -1, 0]), ((1,), [1, 0, -1, 0]), ((1, 2), [0, 0, 0, 0])])
def test_of_two_targets_the_one_that_is_gone_is_passed_over(
    book: kernel.Rulebook, gone: tuple[int, ...], after: list[int]
) -> None:
    state = book.position(4, {"hand": {0: ["toll"], 3: ["stop"]}})
    state.apply(0, "play toll one=1 two=2")
    for player in gone:
        state.leave(player)
    passed(state)
    assert coins(state) == after
    lost = [(entry["choice"], entry["by"]) for entry in state.news(3) if entry["event"] == "lost"]
    assert lost == [(("one", "two")[player - 1], 0) for player in gone]
    assert "fizzled" not in [entry["event"] for entry in state.news(None)]
    assert state.waiting.players == (0,)  # nobody else was put in the place of who is gone


def test_a_play_that_needs_both_has_no_effect_at_all(book: kernel.Rulebook) -> None:
    state = book.position(4, {"hand": {0: ["strict"], 3: ["stop"]}})
    state.apply(0, "play strict one=1 two=2")
    state.leave(2)
    passed(state)
    assert coins(state) == [0, 0, 0, 0]
    assert [entry["event"] for entry in state.news(1)].count("fizzled") == 1


@pytest.mark.parametrize(("direction", "owed", "following"), [(1, 2, 2), (-1, 2, 0), (1, 0, 2)])
def test_who_leaves_on_turn_with_turns_owed_leaves_none_of_them_behind(
    book: kernel.Rulebook, direction: int, owed: int, following: int
) -> None:
    state = book.position(3, {"hand": {2: ["till"]}, "turn": {"player": 1, "owed": owed}, "direction": direction})
    assert state.view(0)["turn"] == {"player": 1, "owed": owed, "direction": direction}
    state.leave(1)
    assert state.view(0)["turn"] == {"player": following, "owed": 0, "direction": direction}
    assert state.waiting.players == (following,)


def test_a_push_at_one_who_has_left_gives_nobody_turns(book: kernel.Rulebook) -> None:
    state = book.position(3, {"hand": {0: ["push"]}, "pile": ["till"]})
    state.apply(0, "play push victim=1")
    state.leave(1)
    passed(state)
    assert state.view(2)["turn"] == {"player": 0, "owed": 0, "direction": 1}
    state.apply(0, "draw")
    assert state.view(2)["turn"] == {"player": 2, "owed": 0, "direction": 1}


LEAVE = """\
leave: |
  move hand to: discard
  let heir = next_player(you)
  move (table where it is sweet) to: heir.table
  move hat to: heir.hat
  eliminate you
"""
HATS = GAME.replace("  marks: {see", "  hat: {see: none, per: player}\n  marks: {see").replace(
    "leave: |\n  eliminate you\n", LEAVE
)


@pytest.mark.parametrize("way", ["leave", "poison"])
def test_what_one_owner_alone_can_have_goes_where_the_game_says_in_one_step(way: str, tmp_path: Path) -> None:
    heir = (
        "tags: [sweet]\nwhen:\n  event: eliminate\n  in: table\n  if: event.player == you\n  do: |\n"
        "    let heir = next_player(you)\n    move hat to: heir.hat\n    move self to: heir.table\n"
    )
    cards = {**CARDS, "crown": heir, "poison": play("eliminate victim", "  choose: {victim: others}\n")}
    state = load(tmp_path, cards, game=HATS).position(
        3, {"hand": {0: ["poison"], 1: ["till"]}, "table": {1: ["crown"]}, "hat": {1: ["till", "stop"]}}
    )
    before = all_cards(state)
    steps = len(state.history())
    if way == "leave":
        state.leave(1)
    else:
        state.apply(0, "play poison victim=1")
        passed(state)
    assert state.describe()["table"] == {2: ["crown"]}
    assert sorted(state.describe()["hat"][2]) == ["stop", "till"]
    assert all_cards(state) == before
    assert not state.problems()
    moved = [entry for entry in state.news(0) if entry["event"] == "moved" and entry["to"] == ["table", 2]]
    assert [entry["cards"] for entry in moved] == [["crown"]]
    hats = [entry for entry in state.news(0) if entry["event"] == "moved" and entry["to"] == ["hat", 2]]
    assert {card for entry in hats for card in entry["cards"]} == {"unknown"}
    assert len(state.history()) > steps


def all_cards(state: kernel.State) -> list[str]:
    """Every card there is, wherever it lies."""
    found: list[str] = []

    def look(value: Any) -> None:
        if isinstance(value, dict):
            for inner in value.values():
                look(inner)
        elif isinstance(value, list):
            found.extend(str(card) for card in value)

    zones = {zone["name"] for zone in state.book.data["zones"]}
    look({name: value for name, value in state.describe().items() if name in zones})
    return sorted(found)


def test_a_move_that_is_called_like_a_verb_has_no_effect_either_when_its_target_is_gone(tmp_path: Path) -> None:
    rob = "moves:\n  rob:\n    choose: {victim: others where any(it.hand)}\n    do: |\n      pay you coins: 5\n"
    game = GAME.replace("moves:\n", rob).replace(
        "verbs:\n", 'verbs:\n  rob: {needs: {who: player}, do: "pay who coins: 1"}\n'
    )
    flee = "play: {at: response, to: 'target is not quiet', do: 'move you.hand to: discard'}\n"
    state = load(tmp_path, {"flee": flee, "tea": play("rob who: you")}, game=game).position(
        2, {"hand": {0: ["tea"], 1: ["flee", "tea"]}, "pile": ["tea"]}
    )
    state.apply(0, "rob victim=1")
    state.apply(1, "play flee")
    passed(state)
    assert coins(state) == [0, 0]
    assert "fizzled" in [entry["event"] for entry in state.news(0)]
