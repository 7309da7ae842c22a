"""Observations: what their parts say, and that they say nothing that the view does not."""

from __future__ import annotations

import random
from typing import Any

import pytest

import kernel
import rulebook
from kernel import testing
from kernel.faces import visible
from rulebook.adapters.matches import Match, prepare
from rulebook.adapters.observing import LIMIT, Observer, cut
from tests.rulebook.adapters.games import GAMES, policy


def observer_of(game: str = "kittens", players: int = 3, **more: Any) -> Observer:
    book = rulebook.load(game, **more)
    return Observer(book, players, kernel.ActionTable(book))


class Seen:
    """An observation, read by the names of its parts."""

    def __init__(self, observer: Observer, view: dict[str, Any], taken: tuple[int, ...] = ()) -> None:
        self.observer = observer
        self.numbers = observer.observe(view, taken)

    def __getitem__(self, name: str) -> list[float]:
        part = self.observer.parts[name]
        return self.numbers[part.start : part.start + part.size]

    def row(self, name: str, i: int) -> list[float]:
        width = self.observer.parts[name].size // self.observer.parts[name].shape[0]
        return self[name][i * width : (i + 1) * width]

    def kinds(self, counts: list[float]) -> dict[str, float]:
        names = [*self.observer.kinds, "unknown"]
        return {names[i]: count for i, count in enumerate(counts) if count}


@pytest.fixture(scope="module")
def observer() -> Observer:
    return observer_of(packs=["base", "imploding"])


@pytest.fixture(scope="module")
def state(observer: Observer) -> kernel.State:
    return observer.book.position(
        players=3,
        given={
            "hand": {0: ["nope", "favor"], 1: ["skip", "skip", "attack"], 2: ["nope"]},
            "draw_pile": ["imploding_kitten(up)", "favor", "skip", "attack", "nope", "tacocat"],
            "discard": ["attack", "skip"],
            "turn": {"player": 1, "owed": 2},
        },
    )


def test_parts_follow_each_other_without_gaps_and_have_a_meaning(observer: Observer) -> None:
    at = 0
    for name, part in observer.parts.items():
        assert part.start == at
        assert part.size > 0
        assert part.about
        assert part.name == name
        at += part.size
    assert at == observer.size


def test_players_are_counted_from_the_observer_on(observer: Observer, state: kernel.State) -> None:
    for me, turn in ((0, [0, 1, 0]), (1, [1, 0, 0]), (2, [0, 0, 1])):
        seen = Seen(observer, state.view(me))
        assert seen["turn"] == turn
        assert seen["seat"] == [float(p == me) for p in range(3)]
        assert seen["owed"] == [2]
        own = seen.kinds(seen.row("zone.hand", 0))
        assert own == [{"nope": 1, "favor": 1}, {"skip": 2, "attack": 1}, {"nope": 1}][me]
        assert seen.kinds(seen.row("zone.hand", 1)) == {"unknown": [3, 1, 2][me]}


def test_places_of_an_ordered_zone_are_told_one_by_one(observer: Observer, state: kernel.State) -> None:
    seen = Seen(observer, state.view(0))
    assert seen.kinds(seen["zone.draw_pile"]) == {"unknown": 5, "imploding_kitten": 1}
    assert [seen.kinds(seen.row("top.draw_pile", i)) for i in range(3)] == [
        {"imploding_kitten": 1},
        {"unknown": 1},
        {"unknown": 1},
    ]
    assert seen.kinds(seen["bottom.draw_pile"]) == {"unknown": 1}
    assert seen.kinds(seen.row("top.discard", 0)) == {"attack": 1}
    assert seen.kinds(seen.row("top.discard", 2)) == {}
    assert seen.kinds(seen["bottom.discard"]) == {"skip": 1}
    assert seen["signs.draw_pile"][observer.signs["up"]] == 1
    assert sum(seen["signs.draw_pile"]) == 1


def test_what_is_asked_and_what_is_going_on(observer: Observer, state: kernel.State) -> None:
    played = state.copy()
    assert Seen(observer, state.view(1))["ask.kind"] == [1, 0, 0]
    assert Seen(observer, state.view(0))["ask.kind"] == [0, 0, 0]
    played.apply(1, "play attack")
    seen = Seen(observer, played.view(0))
    assert seen["ask.kind"] == [0, 1, 0]
    assert seen["acts.count"] == [1]
    assert seen["act0.by"] == [0, 1, 0]
    assert seen["act0.head"][observer.heads["play"]] == 1
    assert seen.kinds(seen["act0.cards"]) == {"attack": 1}
    assert seen["act0.cancelled"] == [0]
    played.apply(0, "play nope")
    seen = Seen(observer, played.view(2))
    assert seen["acts.count"] == [2]
    assert (seen.kinds(seen["act0.cards"]), seen.kinds(seen["act1.cards"])) == ({"nope": 1}, {"attack": 1})


def test_what_an_act_announces_is_told(observer: Observer) -> None:
    book = observer.book
    state = book.position(
        players=3,
        given={
            "hand": {1: ["tacocat", "tacocat", "tacocat"], 2: ["nope"]},
            "draw_pile": ["skip"],
            "turn": {"player": 1, "owed": 0},
        },
    )
    state.apply(1, "triple tacocat victim=2 named=nope")
    seen = Seen(observer, state.view(0))
    assert seen["act0.head"][observer.heads["triple"]] == 1
    assert seen["act0.players"] == [0, 0, 1]
    assert seen.kinds(seen["act0.kinds"]) == {"nope": 1}
    assert Seen(observer, state.view(1))["act0.players"] == [0, 1, 0]


def test_cards_that_were_seen_are_known_by_their_places_or_to_be_inside(observer: Observer) -> None:
    state = observer.book.position(
        players=3,
        given={
            "hand": {0: ["see_the_future_3"], 1: ["defuse"]},
            "draw_pile": ["exploding_kitten", "skip", "nope", "favor"],
        },
    )

    def everybody_passes() -> None:
        while state.waiting.kind == "window":
            responses = [a for a in state.legal(state.waiting.players[0]) if str(a) == "play defuse"]
            state.apply(state.waiting.players[0], responses[0] if responses else "pass")

    state.apply(0, "play see_the_future_3")
    everybody_passes()
    seen = Seen(observer, state.view(0))
    assert [seen.kinds(seen.row("top.draw_pile", i)) for i in range(4)] == [
        {"exploding_kitten": 1}, {"skip": 1}, {"nope": 1}, {"unknown": 1},
    ]  # fmt: skip
    assert sum(seen["within.draw_pile"]) == 0
    state = observer.book.position(
        players=3, given={"hand": {0: ["defuse"]}, "draw_pile": ["exploding_kitten", "skip", "nope", "favor"]}
    )
    state.apply(0, "draw")
    everybody_passes()
    state.apply(0, "choose 2")
    hidden = Seen(observer, state.view(1))
    assert hidden.kinds(hidden["within.draw_pile"]) == {"exploding_kitten": 1}
    assert hidden.kinds(hidden["zone.draw_pile"]) == {"unknown": 4}


def test_attributes_by_their_type() -> None:
    court = observer_of("court")
    state = court.book.new(players=3, seed=1)
    state.apply(0, "income")
    while state.waiting.kind == "window":
        state.apply(state.waiting.players[0], "pass")
    assert Seen(court, state.view(0))["player.coins"] == [3, 2, 2]
    assert Seen(court, state.view(2))["player.coins"] == [2, 3, 2]
    market = observer_of("market")
    state = market.book.new(players=3, seed=1)
    seen = Seen(market, state.view(1))
    names = market.parts["game.phase"].about.removeprefix("one-hot: ").split("; ")[0].split(", ")
    assert {"action", "buy", "money"} <= set(names)
    assert [names[i] for i, x in enumerate(seen["game.phase"]) if x] == [state.view(1)["attributes"]["phase"]]
    assert seen["game.buys"] == [1]
    assert "game.piles" not in market.parts  # nobody sees it


def test_the_ids_of_the_action_that_is_being_spelt(observer: Observer, state: kernel.State) -> None:
    table = observer.table
    a, b = table.id("play favor"), table.id("player 2")
    seen = Seen(observer, state.view(0), (a, b, b))
    assert (seen["spelt"][a], seen["spelt"][b], sum(seen["spelt"])) == (1, 2, 3)
    assert seen["spelt.last"][b] == sum(seen["spelt.last"]) == 1


def test_numbers_are_cut_to_the_bounds_of_the_space() -> None:
    assert [cut(x) for x in (5, -5, 10**12, -(10**12))] == [5, -5, LIMIT, -LIMIT]


def test_only_the_view_of_one_of_these_players_can_be_observed(observer: Observer, state: kernel.State) -> None:
    for view in (state.view(None), observer.book.new(players=2, seed=1).view(0)):
        with pytest.raises(ValueError, match="one of 3 players"):
            observer.observe(view)


@pytest.mark.parametrize("game", GAMES)
def test_two_cards_that_a_player_cannot_tell_apart_make_no_difference(game: str) -> None:
    table, observer = prepare(game)
    chance = random.Random(5)
    compared = 0
    for seed in range(4):
        match = Match.begin(table, observer, seed, policy(game))
        for _ in range(60):
            if match.over:
                break
            state, me = match.state, chance.randrange(observer.players)
            check = testing.Check(state.book, observer.players, seed, "settled", 1)
            unknown = [
                c
                for c in range(len(state.where))
                if state.where[c] >= 0 and not (visible(state, c) | state.known[c]) & 1 << me
            ]
            two = check.two_unlike(state, unknown)
            if two is not None and (match.player == me or state.asked != "pick"):
                other = Match(table, observer, testing.exchanged(state, *two))
                same = Match(table, observer, state)  # nothing begun, in either
                assert other.observe(me) == same.observe(me)
                if match.player == me and state.asked != "pick":
                    assert other.legal(me) == same.legal(me)
                compared += 1
            match.step(chance.choice(match.legal()))
    assert compared > 5


@pytest.mark.parametrize("game", GAMES)
def test_every_moment_of_random_games_can_be_observed_within_the_bounds(game: str) -> None:
    table, observer = prepare(game)
    chance = random.Random(2)
    for seed in range(2):
        match = Match.begin(table, observer, seed, policy(game))
        before: list[float] = []
        for _ in range(300):
            if match.over:
                break
            seen = match.observe(match.player or 0)
            assert len(seen) == observer.size
            assert all(-LIMIT <= x <= LIMIT for x in seen)
            assert seen != before
            before = seen
            match.step(chance.choice(match.legal()))
