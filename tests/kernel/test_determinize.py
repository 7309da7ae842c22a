"""Determinized states: they agree with the view, tell nothing of the real placement and are drawn evenly."""

from __future__ import annotations

import gc
import json
from collections import Counter
from typing import Any

import pytest

import kernel
import rulebook
from tests.kernel.parlour import load, passed, play
from tests.kernel.refusals import REFUSED

CARDS = {
    "peek": play("show top(pile, 1) to: [you]"),
    "stop": "play: {at: response, to: 'target is not quiet', do: cancel target}\n",
    "shout": 'play: {at: now, do: "note line: \\"shout\\""}\n',
    "deal": play("move top(pile, 1) to: victim.hand", "  choose: {victim: players}\n"),
    "tuck": play(
        "pick card from: hand by: you\npick at from: slots(pile) by: you secret: true\n"
        "move card to: pile at: at secret: true"
    ),
    "swap": play(
        "pick card from: it.hand by: living\nfor p in living:\n  let c = card[p]\n  if c is set:\n    move c to: pile"
    ),
    "end": play("end_turn you"),
    "till": play("pay you coins: 2"),
    "tea": "text: nothing\n",
    "milk": "text: nothing\n",
    "rum": "text: nothing\n",
}


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> kernel.Rulebook:
    return load(tmp_path_factory.mktemp("game"), CARDS)


def asked(state: kernel.State) -> int:
    return state.waiting.players[0]


def texts(state: kernel.State, player: int) -> list[str]:
    return [str(action) for action in state.legal(player)]


def reachable(thing: object) -> list[object]:
    """Everything that can be reached from it, but for classes, functions, modules and the rules themselves."""
    seen: dict[int, object] = {}
    todo: list[object] = [thing]
    while todo:
        one = todo.pop()
        if id(one) in seen or isinstance(one, (type, kernel.Rulebook)) or callable(one) or hasattr(one, "__path__"):
            continue
        seen[id(one)] = one
        todo.extend(gc.get_referents(one))
    return list(seen.values())


@pytest.mark.parametrize("ask", ["all", "settled"])
def test_it_agrees_with_what_the_player_sees_may_do_and_was_told(book: kernel.Rulebook, ask: str) -> None:
    for seed in range(6):
        state = book.new(players=3, seed=seed, ask=ask)
        for turn in range(25):
            if state.over:
                break
            for player in state.waiting.players:
                other = state.determinize(player, seed=turn)
                assert other.view(player) == state.view(player)
                assert texts(other, player) == texts(state, player)
                assert other.news(player) == state.news(player)
                assert not other.problems()
            player = state.waiting.players[-1]
            legal = state.legal(player)
            state.apply(player, legal[(turn * 5 + seed) % len(legal)])


def test_it_can_be_played_to_its_end_and_leaves_the_real_game_alone(book: kernel.Rulebook) -> None:
    state = book.new(players=3, seed=4)
    state.apply(asked(state), state.legal(asked(state))[0])
    digest = state.digest
    other = state.determinize(asked(state), seed=1)
    assert kernel.playout(other, seed=2).over
    assert state.digest == digest


def test_two_games_that_the_player_cannot_tell_apart_give_the_same(book: kernel.Rulebook) -> None:
    orders = [
        (["tea", "stop"], ["milk", "rum"]),
        (["rum", "milk"], ["stop", "tea"]),
        (["tea", "rum"], ["stop", "milk"]),
    ]
    found = set()
    for held, pile in orders:
        state = book.position(3, {"hand": {0: ["till", "peek"], 1: held}, "pile": pile})
        state.apply(0, "play till")
        other = state.determinize(0, seed=11)
        found.add((other.digest, json.dumps(other.dump(), sort_keys=True)))
    assert len(found) == 1


def test_hidden_cards_fall_in_every_way_about_as_often(book: kernel.Rulebook) -> None:
    state = book.position(2, {"hand": {0: ["till"], 1: ["tea"]}, "pile": ["milk", "rum"]})
    found: Counter[str] = Counter()
    for seed in range(900):
        given = state.determinize(0, seed).describe()
        found[json.dumps([given["hand"], given["pile"]])] += 1
    assert len(found) == 6
    assert sum((n - 150) ** 2 / 150 for n in found.values()) < 25  # chi squared, 5 degrees: one in 7000


def test_what_is_known_stays_where_it_is_known_to_be(book: kernel.Rulebook) -> None:
    state = book.position(2, {"hand": {0: ["peek", "deal"], 1: ["milk"]}, "pile": ["tea", "rum", "stop"]})
    state.apply(0, "play peek")
    passed(state)
    assert {state.determinize(0, seed).describe()["pile"][0] for seed in range(30)} == {"tea"}
    state.apply(0, "play deal victim=1")
    passed(state)
    for seed in range(30):
        hand = state.determinize(0, seed).describe()["hand"]
        assert "tea" in (hand.get("1") or hand.get(1))


def test_what_is_known_to_be_in_the_pile_takes_any_of_its_unknown_places(book: kernel.Rulebook) -> None:
    state = book.position(2, {"hand": {0: ["peek", "end"], 1: ["tuck", "milk", "end"]}, "pile": ["tea", "rum"]})
    for player, action in ((0, "play peek"), (0, "play end"), (1, "play tuck"), (1, "choose milk"), (1, "choose 1")):
        state.apply(player, action)
        passed(state)
    state.apply(1, "play end")
    passed(state)
    places: Counter[int] = Counter()
    for seed in range(90):
        places[state.determinize(0, seed).describe()["pile"].index("tea")] += 1
    assert sorted(places) == [0, 1, 2]
    assert min(places.values()) > 12


def test_no_real_face_can_be_reached_from_it(book: kernel.Rulebook) -> None:
    state = book.new(players=3, seed=21)
    for turn in range(8):
        player = state.waiting.players[0]
        legal = state.legal(player)
        state.apply(player, legal[turn % len(legal)])
    player = state.waiting.players[0]
    other = state.determinize(player, seed=5)
    real: set[int] = {id(state), id(state.deal), id(state.deal.kinds), id(state.base), id(state.news_tail)}
    for one in reachable(other):
        assert id(one) not in real
        assert one != state.deal.kinds  # neither the same list nor an equal one
        if isinstance(one, int):
            assert one != state.rng
    view = state.view(player)
    assert {type(one) for one in reachable(view)} <= {dict, list, str, int, bool, type(None)}


def test_it_shows_others_no_more_than_a_spectator_sees(book: kernel.Rulebook) -> None:
    state = book.new(players=3, seed=2)
    player = asked(state)
    other = state.determinize(player, seed=5)
    for viewer in (p for p in range(3) if p != player):
        assert other.view(viewer) == other.view(None)
        assert other.news(viewer) == other.news(None)


def test_who_is_not_asked_gets_none(book: kernel.Rulebook) -> None:
    state = book.position(3, {"hand": {0: ["till"]}})
    for player in (1, 7, -1, True, None, "0"):
        with pytest.raises(REFUSED):
            state.determinize(player, seed=1)  # type: ignore[arg-type]


def test_answers_that_are_not_open_yet_are_drawn_anew(book: kernel.Rulebook) -> None:
    given = {"hand": {0: ["swap", "tea"], 1: ["milk", "rum"], 2: ["stop"]}}
    results: list[Any] = []
    for answer in ("milk", "rum"):
        state = book.position(3, given)
        state.apply(0, "play swap")
        passed(state)
        state.apply(1, f"choose {answer}")
        results.append([state.determinize(0, seed).digest for seed in range(12)])
    assert results[0] == results[1]
    assert len(set(results[0])) > 1


def test_the_seed_of_the_game_draws_no_nearer_to_the_truth_than_others() -> None:
    court = rulebook.load("court")

    def right(further: int) -> float:
        """What share of the cards that a player does not know is drawn as it is."""
        hits = 0
        unknown = 0
        for seed in range(150):
            state = court.new(players=4, seed=seed)
            player = asked(state)
            drawn = state.determinize(player, seed + further)
            for card, zone in enumerate(state.where):
                if state.seats.owner[zone] != player:
                    unknown += 1
                    hits += state.deal.kinds[card] == drawn.deal.kinds[card]
        return hits / unknown

    assert abs(right(0) - right(10_000)) < 0.05
