"""What lasts until a moment, what happens to several at once, who is asked before whom, and how copies age."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

import kernel
from tests.kernel.parlour import GAME, load, log, passed, play

CARDS = {
    "till": play("pay you coins: 2"),
    "back": play("set direction = 0 - direction"),
    "push": play("give_turns 2 to: victim", "  choose: {victim: others}\n"),
    "skip": play("end_turn you"),
    "shade": play("lay shaded on: victim", "  choose: {victim: players}\n"),
    # A status that ends itself when the turn of its bearer has ended and another begins.
    "shaded": (
        "mark: Shaded\n"
        'while: {answer: safe, if: who == you, with: "true"}\n'
        "before:\n  event: begin\n  if: turn_of == you\n  do: |\n    lift shaded from: you\n"
    ),
    "plague": play("for p in others:\n  fall who: p"),
    "will": (
        "when:\n  event: fall\n  in: hand\n  if: event.who == you\n  do: |\n    pay next_player(you) coins: 7\n"
        "    note line: combined(\"will of\", \"one\")\n"
    ),
    "later": play("lay waiting on: you"),
    "waiting": (
        "mark: Waiting\nwhen:\n  event: begin\n  if: turn_of == you\n  do: |\n"
        "    lift waiting from: you\n"
        "    pick word from: [\"yes\", \"no\"] by: you\n    note line: word\n"
    ),
    "first": play(
        'pick one from: ["a", "b"] by: victim\nnote line: one\npick two from: ["c", "d"] by: you\nnote line: two',
        "  choose: {victim: others}\n",
    ),
    "each": play(
        "let seen = 0\nfor p in ring(you):\n  pick cards from: p.hand by: p count: min(2, count(p.hand)) secret: true\n"
        "  move cards to: p.table\n"
    ),
    "blind": play("pick cards from: it.hand by: living count: 2 secret: true\nfor p in living:\n  let c = cards[p]\n"
                  "  if c is set:\n    move c to: discard"),
    "dear": play(
        'pick word from: ["pay", "no"] by: you ask: "Pay to look?"\nif word == "pay" and any(hand):\n'
        "  pick price from: hand by: you\n  move price to: discard\n  show top(pile, 1) to: [you]"
    ),
}  # fmt: skip
TABLE = (
    GAME.replace(
        "verbs:\n",
        'verbs:\n  begin: {needs: {who: player}, do: note line: ""}\n'.replace(
            'do: note line: ""', 'do: "set pot = pot + 1"'
        )
        + "  fall: {needs: {who: player}, do: eliminate who}\n",
    )
    .replace("game: {log:", "game: {pot: {type: number, start: 0}, log:")
    .replace("    next_turn\n", "    next_turn\n    begin turn_of\n")
)


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> kernel.Rulebook:
    return load(tmp_path_factory.mktemp("game"), CARDS, game=TABLE)


def coins(state: kernel.State) -> list[int]:
    found = state.view(0)["attributes"]["coins"]
    return [found[str(p)] for p in range(state.players)]


def shaded(state: kernel.State) -> bool:
    return any(cards for cards in state.view(None)["zones"]["marks"].values())


def go(state: kernel.State, player: int, action: str) -> None:
    state.apply(player, action)
    passed(state)


@pytest.mark.parametrize("way", ["plain", "reversed", "pushed"])
def test_what_lasts_until_a_turn_ends_then_and_is_gone_from_every_view(book: kernel.Rulebook, way: str) -> None:
    hand = {0: ["shade", "back", "push"], 1: ["skip", "skip"], 2: ["skip"]}
    state = book.position(3, {"hand": hand, "pile": ["till"] * 9})
    go(state, 0, "play shade victim=1")
    assert shaded(state)
    if way == "reversed":
        go(state, 0, "play back")
    if way == "pushed":
        go(state, 0, "play push victim=1")
    else:
        go(state, 0, "draw")
    if way == "reversed":  # the others come first
        assert state.waiting.players == (2,)
        assert shaded(state)
        go(state, 2, "draw")
    assert state.waiting.players == (1,)
    assert not shaded(state)
    assert all("shaded" not in str(state.view(p)) for p in (None, 0, 1, 2))


def test_of_several_who_fall_in_one_effect_nobody_is_saved_by_what_another_leaves(book: kernel.Rulebook) -> None:
    given = {"hand": {0: ["plague"], 1: ["will"], 2: ["will"]}, "pile": ["till"]}
    outcomes = []
    for swap in (False, True):
        state = book.position(3, {**given, "hand": {0: ["plague"], 1: ["till" if swap else "will"], 2: ["will"]}})
        state.apply(0, "play plague")
        passed(state)
        assert state.view(None)["dead"] == [1, 2]
        news = [entry for entry in state.news(None) if entry["event"] in ("eliminated", "over")]
        assert [entry.get("by") for entry in news if entry["event"] == "eliminated"] == [1, 2]
        outcomes.append(coins(state))
    # One statement after the other: what follows the first fall comes before the second, and saves nobody.
    assert outcomes == [[7, 0, 7], [7, 0, 0]]


def test_what_waits_for_one_who_has_left_is_never_asked(book: kernel.Rulebook) -> None:
    for leaver in (0, None):
        state = book.position(3, {"hand": {0: ["later"]}, "pile": ["till"] * 9})
        go(state, 0, "play later")
        go(state, 0, "draw")
        if leaver is not None:
            state.leave(leaver)
        go(state, 1, "draw")
        go(state, 2, "draw")
        if leaver is None:
            assert state.asked == "pick"
            assert state.waiting.players == (0,)
        else:
            assert state.waiting.players == (1,)
            assert log(state) == []
        kernel.playout(state, seed=1)


def test_the_second_question_waits_for_the_first(book: kernel.Rulebook) -> None:
    state = book.position(2, {"hand": {0: ["first"]}, "pile": ["till"]})
    go(state, 0, "play first victim=1")
    assert state.waiting.players == (1,)
    for action in ("choose c", "choose a", "draw", "pass"):
        with pytest.raises(kernel.IllegalAction):
            state.apply(0, action)
    state.apply(1, "choose b")
    assert state.waiting.players == (0,)
    with pytest.raises(kernel.IllegalAction):
        state.apply(1, "choose c")
    state.apply(0, "choose c")
    assert log(state) == ["b", "c"]


def test_one_after_the_other_is_asked_in_the_order_of_the_ring_and_finishes_first(book: kernel.Rulebook) -> None:
    hand = {0: ["till", "till"], 1: ["each", "skip", "till"], 2: ["skip", "back"]}
    state = book.position(3, {"hand": hand, "turn": {"player": 1}, "pile": ["till"]})
    go(state, 1, "play each")
    asked = []
    while state.asked == "pick":
        asked.append(state.waiting.players)
        state.apply(state.waiting.players[0], str(state.legal(state.waiting.players[0])[0]))
    assert asked == [(1,), (2,), (0,)]


def test_at_one_moment_nobody_sees_the_choice_of_another(book: kernel.Rulebook) -> None:
    hand = {0: ["blind", "till", "skip"], 1: ["skip", "back", "till"], 2: ["skip", "push", "till"]}
    state = book.position(3, {"hand": hand, "pile": ["till"]})
    go(state, 0, "play blind")
    before = (state.view(0), state.news(0), state.view(None))
    state.apply(1, "choose back,skip")
    after = (state.view(0), state.news(0), state.view(None))
    assert {**after[0], "asked": None} == {**before[0], "asked": None}
    assert after[1] == before[1]
    assert {**after[2], "asked": None} == {**before[2], "asked": None}


def test_nothing_is_shown_before_the_price_is_paid(book: kernel.Rulebook) -> None:
    hand: dict[int, list[str]] = {0: ["dear", "skip", "back"]}
    worlds = []
    for top in ("till", "push"):
        state = book.position(2, {"hand": hand, "pile": [top, "skip"]})
        go(state, 0, "play dear")
        asked = [state.view(0), [str(action) for action in state.legal(0)], state.news(0)]
        state.apply(0, "choose pay")
        asked += [state.view(0), [str(action) for action in state.legal(0)]]
        state.apply(0, "choose back")
        worlds.append((asked, state.view(0)["zones"]["pile"], state.view(1)["zones"]["pile"]))
    assert worlds[0][0] == worlds[1][0]
    assert [world[1] for world in worlds] == [["till", "unknown"], ["push", "unknown"]]
    assert [world[2] for world in worlds] == [["unknown", "unknown"]] * 2


def test_a_pile_that_runs_dry_is_filled_from_the_discards_if_the_game_says_so(tmp_path: Path) -> None:
    refill = "if empty(pile) and any(discard):\n  move discard to: pile\n  shuffle pile\nif any(pile):\n"
    refill = "".join(f"      {line}\n" for line in refill.splitlines())
    cards: dict[str, str] = {"till": play("pay you coins: 2"), "tea": "text: nothing\n"}
    piles: list[Any] = []
    for name, game in (("with", GAME.replace("      if any(pile):\n", refill)), ("without", GAME)):
        rules = load(tmp_path / name, cards, game=game)
        for seed in (1, 1, 2):
            state = rules.position(2, {"hand": {0: ["till"]}, "discard": ["tea", "till"] * 6}, seed=seed)
            state.apply(0, "draw")
            zones = state.view(0)["zones"]
            piles.append(
                (name, len(zones["pile"]), len(zones["hand"]["0"]), state.describe()["pile"] if name == "with" else [])
            )
            assert not state.problems()
    assert [row[:3] for row in piles] == [("with", 11, 2)] * 3 + [("without", 0, 1)] * 3
    assert piles[0] == piles[1]
    assert piles[0] != piles[2]  # the shuffle follows the seed


def test_a_copy_late_in_a_game_costs_no_more_than_one_early(book: kernel.Rulebook) -> None:
    def cost(state: kernel.State) -> float:
        best = 1.0
        for _ in range(5):
            begin = time.process_time()
            for _ in range(200):
                state.copy()
            best = min(best, time.process_time() - begin)
        return best

    state = book.position(3, {"hand": {0: ["till"]}, "pile": ["till", "skip"]})
    early = late = 0.0
    for step in range(240):
        if step == 10:
            early = cost(state)
        state.apply(state.waiting.players[0], "draw")
    late = cost(state)
    assert len(state.history()) == 240
    assert late < 3 * early + 0.002
