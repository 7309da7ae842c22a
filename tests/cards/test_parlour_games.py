"""Crazy Eights, Go Fish and Old Maid under random play: invariants for every number of players, and that games end."""

from __future__ import annotations

import pytest

import kernel
import rulebook
from kernel import testing

PLAYERS = {"crazy_eights": range(2, 8), "go_fish": range(2, 7), "old_maid": range(2, 9)}
EVERY_OPTION: dict[str, dict[str, int | bool]] = {
    "crazy_eights": {"draw_until_playable": True, "skip_queens": True, "draw_two_twos": True, "reverse_aces": True},
    "go_fish": {"sets": 2},
    "old_maid": {},
}
TABLES = [pytest.param(game, players, id=f"{game}-{players}") for game in PLAYERS for players in PLAYERS[game]]


def bounded(game: str, **options: int | bool) -> kernel.Rulebook:
    """The game, ended by its limit so early that the checks, which look at all of the past, stay quick."""
    data = dict(rulebook.load(game, options=options).data)
    return kernel.Rulebook.from_data({**data, "limits": {**data["limits"], "decisions": 120}})


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_the_game_keeps_what_every_game_must_keep(game: str, players: int) -> None:
    testing.check_game(bounded(game), games=1, players=players, seed=4, thorough=12)


@pytest.mark.parametrize("game", PLAYERS)
def test_it_keeps_it_with_other_options(game: str) -> None:
    testing.check_game(bounded(game, **EVERY_OPTION[game]), games=1, players=3, seed=9, thorough=12)


def test_a_match_of_several_deals_keeps_it_too() -> None:
    testing.check_game(bounded("crazy_eights", target=5), games=1, players=2, seed=2, thorough=12)
    book = rulebook.load("crazy_eights", options={"target": 60})
    state = kernel.playout(book.new(players=3, seed=18), seed=18)
    attributes = state.describe()["attributes"]
    assert attributes["round"] > 1
    assert max(attributes["points"].values()) >= 60


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_games_end_by_their_rules_and_somebody_wins(game: str, players: int) -> None:
    book = rulebook.load(game)
    limit = book.data["limits"]["decisions"]
    for seed in range(4):
        state = kernel.playout(book.new(players=players, seed=seed), seed=seed)
        assert state.decisions < limit
        assert state.winners
        assert len(state.winners) < players or game == "go_fish"


def test_old_maid_ends_with_the_last_queen_in_one_hand() -> None:
    book = rulebook.load("old_maid")
    for players in (2, 5, 8):
        state = kernel.playout(book.new(players=players, seed=7), seed=7)
        (loser,) = set(range(players)) - set(state.winners)
        hands = state.describe()["hand"]
        (card,) = hands.pop(loser)
        assert card in ("qd", "qh", "qs")
        assert not any(hands.values())


def test_go_fish_makes_all_thirteen_books() -> None:
    book = rulebook.load("go_fish")
    for players in (2, 4, 6):
        state = kernel.playout(book.new(players=players, seed=7), seed=7)
        books = state.describe()["books"]
        assert sum(len(cards) for cards in books.values()) == 52
        most = max(len(cards) for cards in books.values())
        assert [player for player, cards in books.items() if len(cards) == most] == list(state.winners)


def test_no_eight_is_turned_up_at_the_beginning() -> None:
    book = rulebook.load("crazy_eights")
    tops = [book.new(players=4, seed=seed).view(None)["zones"]["discard"] for seed in range(80)]
    assert not [top for top in tops if top[0].startswith("8")]
    assert len({top[0] for top in tops}) > 30


@pytest.mark.parametrize("game", ["crazy_eights", "gin_rummy", "hearts"])
def test_what_a_book_remembers_of_one_game_changes_no_other(game: str) -> None:
    book = rulebook.load(game)
    players = book.players_min
    for seed in range(4):
        fresh = kernel.Rulebook.from_data(book.data, plain=True)
        assert (
            kernel.playout(book.new(players, seed), seed=seed).digest
            == kernel.playout(fresh.new(players, seed), seed=seed).digest
        )
