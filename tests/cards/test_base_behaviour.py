"""The base pack through the Python interface: what is told to whom, what answers what, what is listed."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

import kernel
import rulebook
from tests.cards.base_game import Given, announcements, moves_to_hand, news_text, pass_all, random_step


@pytest.fixture(scope="module")
def book() -> kernel.Rulebook:
    """The original deck, compiled once."""
    return rulebook.load("kittens", packs=["base"])


@pytest.fixture(scope="module")
def five_book() -> kernel.Rulebook:
    """The original deck with the five-card combo of older sheets."""
    return rulebook.load("kittens", packs=["base"], options={"combos": "five_different"})


# -- who is told what -------------------------------------------------------------------------------------------------


def test_a_card_taken_by_a_pair_is_named_to_thief_and_victim_alone(book: kernel.Rulebook) -> None:
    state = book.position(
        players=3, given={"hand": {0: ["tacocat", "tacocat"], 1: ["shuffle"], 2: ["skip"]}, "draw_pile": ["favor"]}
    )
    state.apply(0, "pair tacocat victim=1")
    pass_all(state)
    assert moves_to_hand(state, 0, 0) == [["shuffle"]]
    assert moves_to_hand(state, 1, 0) == [["shuffle"]]
    assert moves_to_hand(state, 2, 0) == [["unknown"]]
    assert moves_to_hand(state, None, 0) == [["unknown"]]
    assert "shuffle" not in news_text(state, 2)
    assert "shuffle" not in news_text(state, None)


def test_the_gift_for_a_favor_is_named_to_giver_and_taker_alone(book: kernel.Rulebook) -> None:
    state = book.position(
        players=3, given={"hand": {0: ["favor"], 1: ["shuffle", "attack"], 2: ["skip"]}, "draw_pile": ["nope"]}
    )
    state.apply(0, "play favor victim=1")
    pass_all(state)
    state.apply(1, "choose attack")
    assert moves_to_hand(state, 0, 0) == [["attack"]]
    assert moves_to_hand(state, 1, 0) == [["attack"]]
    assert moves_to_hand(state, 2, 0) == [["unknown"]]
    for outsider in (2, None):
        assert "attack" not in news_text(state, outsider)
        assert "shuffle" not in news_text(state, outsider)
    assert "shuffle" not in news_text(state, 0)


def test_a_drawn_card_is_named_to_its_drawer_alone(book: kernel.Rulebook) -> None:
    state = book.position(players=3, given={"draw_pile": ["shuffle", "favor"]})
    state.apply(0, "draw")
    assert moves_to_hand(state, 0, 0) == [["shuffle"]]
    for outsider in (1, 2, None):
        assert moves_to_hand(state, outsider, 0) == [["unknown"]]


def test_cards_seen_on_the_pile_are_told_to_the_viewer_and_to_nobody_else(book: kernel.Rulebook) -> None:
    state = book.position(
        players=3, given={"hand": {0: ["see_the_future_3"]}, "draw_pile": ["attack", "skip", "favor", "nope"]}
    )
    state.apply(0, "play see_the_future_3")
    pass_all(state)
    shown = [entry["cards"] for entry in state.news(0) if entry["event"] == "shown"]
    assert shown == [["attack", "skip", "favor"]]
    for outsider in (1, 2, None):
        told = [entry for entry in state.news(outsider) if entry["event"] == "shown"]
        assert [entry["cards"] for entry in told] == [["unknown", "unknown", "unknown"]]
        for hidden in ("attack", "skip", "favor", "nope"):
            assert hidden not in news_text(state, outsider)


def test_the_place_of_a_kitten_put_back_is_told_to_nobody_but_who_chose_it(book: kernel.Rulebook) -> None:
    told: list[list[str]] = []
    for place in ("0", "1", "2"):
        state = book.position(
            players=3, given={"hand": {0: ["defuse"]}, "draw_pile": ["exploding_kitten", "skip", "favor"]}
        )
        for text in ("draw", "play defuse", f"choose {place}"):
            state.apply(0, text)
        told.append([json.dumps([state.news(p), state.view(p)]) for p in (1, 2, None)])
    assert told[0] == told[1] == told[2]


def test_an_explosion_is_told_to_everybody(book: kernel.Rulebook) -> None:
    state = book.position(players=3, given={"hand": {0: ["shuffle"]}, "draw_pile": ["exploding_kitten", "favor"]})
    state.apply(0, "draw")
    for reader in (0, 1, 2, None):
        assert "exploding_kitten" in news_text(state, reader)
        assert state.view(reader)["zones"]["table"]["0"] == ["exploding_kitten"]
    pass_all(state)
    for reader in (0, 1, 2, None):
        assert state.view(reader)["dead"] == [0]
        assert state.view(reader)["zones"]["discard"] == ["exploding_kitten", "shuffle"]
        assert "shuffle" in news_text(state, reader)


def test_what_a_triple_names_and_gets_is_told_to_everybody(book: kernel.Rulebook) -> None:
    state = book.position(
        players=3, given={"hand": {0: ["tacocat"] * 3, 1: ["defuse", "skip"], 2: ["favor"]}, "draw_pile": ["nope"]}
    )
    state.apply(0, "triple tacocat victim=1 named=defuse")
    for reader in (0, 1, 2, None):
        announced = [entry for entry in state.news(reader) if entry["event"] == "announced"][-1]
        assert announced["named"] == "defuse"
        assert announced["victim"] == 1
    pass_all(state)
    state.apply(1, "choose defuse")
    for reader in (0, 1, 2, None):
        assert moves_to_hand(state, reader, 0) == [["defuse"]]
        assert "skip" not in news_text(state, reader)


def test_what_the_five_fetch_is_told_to_everybody(five_book: kernel.Rulebook) -> None:
    hand = ["attack", "skip", "favor", "shuffle", "tacocat"]
    state = five_book.position(
        players=3, given={"hand": {0: hand}, "draw_pile": ["nope", "nope"], "discard": ["defuse", "beard_cat"]}
    )
    state.apply(0, "five attack,skip,favor,shuffle,tacocat card=defuse")
    pass_all(state)
    for reader in (0, 1, 2, None):
        assert moves_to_hand(state, reader, 0) == [["defuse"]]
        assert state.view(reader)["zones"]["hand"]["0"] == ["defuse"]


def test_everybody_has_the_same_number_of_news(book: kernel.Rulebook) -> None:
    state = book.new(players=4, seed=3)
    chooser = random.Random(3)
    while not state.over:
        random_step(state, chooser)
        lengths = {len(state.news(reader)) for reader in (0, 1, 2, 3, None)}
        assert len(lengths) == 1
    numbers = [entry["n"] for entry in state.news(None)]
    assert numbers == sorted(set(numbers))


def test_news_since_a_number_are_the_rest_of_all_news(book: kernel.Rulebook) -> None:
    state = book.new(players=3, seed=1)
    state.apply(0, "draw")
    news = state.news(1)
    middle = news[len(news) // 2]["n"]
    assert state.news(1, since=middle) == [entry for entry in news if entry["n"] > middle]


def test_nobody_is_dealt_a_look_at_hidden_cards(book: kernel.Rulebook) -> None:
    state = book.new(players=3, seed=5)
    for reader in (0, 1, 2, None):
        zones = state.view(reader)["zones"]
        assert set(zones["draw_pile"]) == {"unknown"}
        for owner, cards in zones["hand"].items():
            assert len(cards) == 8
            assert ("unknown" in cards) == (owner != str(reader))
    spectator = news_text(state, None)
    for kind in ("attack", "skip", "shuffle", "favor", "nope", "tacocat", "see_the_future_3"):
        assert f'"{kind}"' not in spectator


def test_a_spectator_who_comes_late_sees_what_one_saw_from_the_start(book: kernel.Rulebook) -> None:
    state = book.new(players=3, seed=8)
    chooser = random.Random(8)
    streamed: list[dict[str, Any]] = []
    while not state.over:
        random_step(state, chooser)
        streamed.extend(state.news(None, since=streamed[-1]["n"] if streamed else 0))
    assert streamed == state.news(None)


def test_whether_somebody_holds_a_nope_shows_in_nothing(book: kernel.Rulebook) -> None:
    seen: list[str] = []
    for held in ("nope", "tacocat"):
        state = book.position(players=3, given={"hand": {0: ["attack"], 1: [held]}, "draw_pile": ["skip", "favor"]})
        state.apply(0, "play attack")
        stream = [state.version, state.waiting.players]
        stream += [[state.view(reader), state.news(reader)] for reader in (0, 2, None)]
        seen.append(json.dumps(stream))
    assert seen[0] == seen[1]


def test_the_reason_for_a_refusal_tells_nothing_hidden(book: kernel.Rulebook) -> None:
    reasons: list[list[tuple[str, str]]] = []
    for held, top in (("nope", "exploding_kitten"), ("tacocat", "skip")):
        state = book.position(players=3, given={"hand": {0: ["attack"], 1: [held]}, "draw_pile": [top, "favor"]})
        found: list[tuple[str, str]] = []
        for player, text in ((0, "play nope"), (0, "play favor victim=1"), (2, "draw"), (0, "pair nope victim=1")):
            with pytest.raises(kernel.GameError) as caught:
                state.apply(player, text)
            found.append((caught.value.code, caught.value.message))
        reasons.append(found)
    assert reasons[0] == reasons[1]


# -- what answers what ------------------------------------------------------------------------------------------------


def test_each_nope_in_the_news_names_the_play_it_answers(book: kernel.Rulebook) -> None:
    state = book.position(
        players=4,
        given={"hand": {0: ["attack"], 1: ["nope"], 2: ["nope"], 3: ["nope"]}, "draw_pile": ["skip", "favor"]},
    )
    state.apply(0, "play attack")
    state.apply(1, "play nope")
    state.apply(2, "play nope")
    plays = announcements(state)
    assert [entry["by"] for entry in plays] == [0, 1, 2]
    assert "answers" not in plays[0]
    assert plays[1]["answers"] == plays[0]["act"]
    assert plays[2]["answers"] == plays[1]["act"]
    assert [act["n"] for act in state.view(None)["acts"]] == [entry["act"] for entry in plays]
    pass_all(state)
    assert state.view(None)["turn"] == {"player": 1, "owed": 2, "direction": 1}
    assert state.view(None)["acts"] == []


def test_a_favor_noped_and_un_noped_still_aims_at_its_first_victim(book: kernel.Rulebook) -> None:
    state = book.position(
        players=4,
        given={
            "hand": {0: ["favor"], 1: ["nope"], 2: ["skip", "attack"], 3: ["nope", "tacocat"]},
            "draw_pile": ["skip"],
        },
    )
    for player, text in ((0, "play favor victim=2"), (1, "play nope"), (3, "play nope")):
        state.apply(player, text)
    pass_all(state)
    assert state.waiting.players == (2,)
    state.apply(2, "choose attack")
    assert state.view(0)["zones"]["hand"]["0"] == ["attack"]
    assert state.view(3)["zones"]["hand"]["3"] == ["tacocat"]


# -- what is listed can be done ---------------------------------------------------------------------------------------


def test_every_listed_action_can_be_taken_and_acts_on_a_copy_alone(book: kernel.Rulebook) -> None:
    state = book.new(players=3, seed=13)
    chooser = random.Random(13)
    for _ in range(60):
        if state.over:
            break
        before = state.digest
        for player in state.waiting.players:
            for action in state.legal(player):
                state.copy().apply(player, str(action))
        assert state.digest == before
        random_step(state, chooser)


def test_every_card_of_the_pack_does_something_when_nobody_answers(book: kernel.Rulebook) -> None:
    positions: dict[str, list[tuple[int, str]]] = {
        "attack": [(0, "play attack")],
        "skip": [(0, "play skip")],
        "shuffle": [(0, "play shuffle")],
        "see_the_future_3": [(0, "play see_the_future_3")],
        "favor": [(0, "play favor victim=1"), (1, "choose tacocat")],
        "nope": [(0, "play skip"), (0, "play nope")],
        "defuse": [(0, "draw"), (0, "play defuse"), (0, "choose 0")],
    }
    for kind, steps in positions.items():
        hand = [kind, "skip"] if kind != "skip" else [kind]
        given: Given = {"hand": {0: hand, 1: ["tacocat"]}, "draw_pile": ["exploding_kitten", "favor", "favor"]}
        state = book.position(players=3, given=given)
        start = state.describe()
        for player, text in steps:
            if text.startswith("choose"):
                pass_all(state)
            state.apply(player, text)
        pass_all(state)
        assert state.view(0)["zones"]["discard"][0] == kind
        told = [entry for entry in state.news(0) if entry["event"] != "announced" and entry.get("to") != "discard"]
        assert told or state.describe()["turn"] != start["turn"], kind
