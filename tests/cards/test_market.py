"""Market: a deck-builder with some twenty kinds of cards, played by the same kernel."""

from __future__ import annotations

import pytest

import kernel
import rulebook
from kernel.position import describe_state
from kernel.testing import check_game


@pytest.fixture(scope="module")
def book() -> kernel.Rulebook:
    """The game with its first kingdom."""
    return rulebook.load("market")


@pytest.mark.parametrize("options", [{}, {"kingdom": []}], ids=["first", "by chance"])
def test_random_games_keep_what_every_game_must_keep(options: dict[str, list[str]]) -> None:
    check_game(rulebook.load("market", options=options), games=3, thorough=120)


@pytest.mark.parametrize("preset", ["beginners", "quarrel", "growth"])
def test_random_games_end_by_themselves(preset: str) -> None:
    book = rulebook.load("market", preset=preset)
    for players in range(2, 5):
        state = kernel.playout(book.new(players=players, seed=players, ask="settled"), seed=players)
        assert state.winners
        assert state.decisions < 2000


def test_every_card_that_was_bought_comes_up_again(book: kernel.Rulebook) -> None:
    state = book.new(players=2, seed=1)
    state.apply(0, "buy rumour")
    state.apply(0, "end")
    seen: set[str] = set()
    while not state.over and "rumour" not in seen:
        player = state.waiting.players[0]
        if player == 0:
            seen.update(state.view(0)["zones"]["hand"]["0"])
        state.apply(player, "end")
        assert state.version < 100
    assert "rumour" in seen


@pytest.mark.parametrize(
    ("kingdom", "reason"),
    [
        (["penny", *"square porter inn fair stall council scribe bazaar garden".split()], "not in every game"),
        (["square", "porter"], "ten cards"),
    ],
)
def test_a_kingdom_that_cannot_be_is_refused(kingdom: list[str], reason: str) -> None:
    book = rulebook.load("market", options={"kingdom": kingdom})
    with pytest.raises(kernel.SetupError, match=reason):
        book.new(players=2, seed=0)


def test_the_kingdom_is_named_in_one_text_on_the_command_line() -> None:
    names = "garden,gossip,inn,fair,stall,council,scribe,bazaar,square,foreman"
    assert rulebook.load("market", options={"kingdom": names}).options["kingdom"] == names.split(",")


def test_an_attack_asks_whoever_may_be_guarded_whatever_they_hold(book: kernel.Rulebook) -> None:
    asked = set()
    for card in ("gatekeeper", "hut"):
        state = book.position(players=3, given={"hand": {0: ["gossip"], 1: [card]}, "supply": ["rumour", "palace"]})
        state.apply(0, "play gossip")
        asked.add(tuple(state.waiting.players))
    assert asked == {(1, 2)}


def test_a_guess_at_hidden_cards_holds_none_that_are_not_in_the_game(book: kernel.Rulebook) -> None:
    state = book.new(players=3, seed=4)
    kingdom = set(state.view(None)["zones"]["supply"])
    for seed in range(10):
        guess = state.determinize(0, seed)
        hands = describe_state(guess)["hand"]
        assert sorted(hands[0]) == sorted(state.view(0)["zones"]["hand"]["0"])
        assert {card for player in (1, 2) for card in hands[player]} <= kingdom
