"""Games with decks of cards in the terminal: sorted hands, words of the deck, sentences of the game."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulebook
from rulebook.checking import check_paths
from rulebook.terminal import screen
from rulebook.terminal.choices import Choices
from rulebook.terminal.names import Names
from rulebook.terminal.wording import Journal
from tests.rulebook.cli_runs import run
from tests.rulebook.packfiles import GAME, pack, write

HAND = ["10c", "2s", "as", "kd", "2c", "unknown"]


def names(game: str) -> Names:
    return Names(rulebook.load(game), ["Ann", "Bob", "Chris"], you=0)


def test_a_hand_is_sorted_as_the_deck_lists_its_cards() -> None:
    shown = screen.hand(HAND, names("go_fish")).plain
    assert shown == "Two of Clubs · Two of Spades · Ten of Clubs · King of Diamonds · Ace of Spades · unseen"


def test_a_game_may_sort_by_fields(tmp_path: Path) -> None:
    game = GAME + "sort: [colour, high]\n"
    root = write(tmp_path / "mini", {"game.yaml": game, "base/pack.yaml": pack("base", "decks: {standard52: 1}\n")})
    mine = Names(rulebook.load("mini", path=root), ["Ann", "Bob"], you=0)
    assert mine.sorted(HAND) == ["2c", "2s", "10c", "as", "kd", "unknown"]
    write(root, {"game.yaml": GAME + "sort: [color]\n"})
    (fault,) = check_paths([root]).diagnostics
    assert (fault.code, fault.span.line if fault.span else 0) == ("RB411", 12)
    assert "colour" in fault.hint


def test_cards_of_a_game_without_order_stay_as_they_come() -> None:
    kittens = names("kittens")
    assert kittens.sorted(["skip", "attack", "unknown", "favor"]) == ["skip", "attack", "unknown", "favor"]


def test_actions_stand_in_the_order_of_the_cards() -> None:
    state = rulebook.load("crazy_eights").position(
        players=3, given={"hand": {0: ["ks", "10s", "2s"]}, "discard": ["3s"], "draw_pile": ["4c"]}
    )
    labels = [entry.label for entry in Choices(state.legal(0), names("crazy_eights")).menu().entries]
    assert labels == ["Play Two of Spades", "Play Ten of Spades", "Play King of Spades", "Draw a card"]


def test_a_move_is_told_as_the_game_says_it_with_its_choices_in_their_places() -> None:
    fish = names("go_fish")
    state = rulebook.load("go_fish").position(players=3, given={"hand": {0: ["ks", "10s", "2s"]}, "draw_pile": ["4c"]})
    choices = Choices(state.legal(0), fish)
    first = choices.menu()
    assert (first.title, [entry.label for entry in first.entries]) == ("Whom do you ask?", ["Bob", "Chris"])
    second = choices.refine(first.entries[1])
    assert (second.title, [entry.label for entry in second.entries]) == ("For which rank?", ["Two", "Ten", "King"])
    assert choices.label(second.entries[2].actions[0]) == "Ask Chris for King"
    entry = {"n": 1, "event": "announced", "by": 1, "act": 1, "what": "ask", "victim": 0, "rank": "q"}
    assert [line.text for line in Journal(fish).lines([entry])] == ["Bob asks you for Queen"]


def test_who_has_no_choice_is_asked_all_the_same_where_a_game_knows_no_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    done = run(monkeypatch, "play", "old_maid", "--players", "3", "--seed", "1", lines="take victim=1\nquit\n")
    assert done.code == 0
    assert "You take a card from Player 1" in done.out
    assert "The game is over" not in done.out


def test_long_public_zones_are_cut_and_can_be_seen_whole() -> None:
    fish = names("go_fish")
    cards = [f"{rank}{suit}" for rank in "234" for suit in "cdhs"]
    shown = (
        "Two of Clubs, Two of Diamonds, Two of Hearts, Two of Spades, Three of Clubs, Three of Diamonds, … (12 cards)"
    )
    assert screen.brief(cards, fish) == shown
    assert screen.brief(cards[:2], fish) == "Two of Clubs and Two of Diamonds"


def test_a_word_that_is_not_there_yet_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    done = run(monkeypatch, "play", "crazy_eights", "--players", "3", "--seed", "1", lines="quit\n")
    assert "round" in done.out
    assert "called" not in done.out
