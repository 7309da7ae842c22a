"""What a stranger may pass to a state, and what must not change or grow by asking."""

from __future__ import annotations

from pathlib import Path

import pytest

import kernel
import rulebook
from kernel import testing
from kernel.native import COMPILED
from kernel.seats import Seats
from tests.kernel import parlour

TWICE = {
    "tea": "tags: [quiet]\n" + parlour.play("if any(pile):\n  move [first(pile), first(pile)] to: hand"),
    "salt": "text: nothing\n",
}
RING = {
    "tea": "tags: [quiet]\n" + parlour.play("pay you coins: 2", "  if: not safe(you)\n"),
    "salt": "text: nothing\n",
    "ring": 'while: {in: hand, answer: safe, if: who != you, with: "true"}\n',
}


@pytest.fixture(scope="module")
def kittens() -> kernel.Rulebook:
    return rulebook.load("kittens", packs=["base"])


def test_looking_for_problems_mends_none(kittens: kernel.Rulebook) -> None:
    state = kittens.new(3, 1)
    state.live ^= 1 << 5
    assert state.problems()
    assert state.problems()


@pytest.mark.parametrize("player", [-1, 99, 2**70])
def test_a_player_who_is_not_there_learns_what_spectators_learn(kittens: kernel.Rulebook, player: int) -> None:
    state = kittens.new(3, 1)
    state.apply(state.waiting.players[0], state.legal(state.waiting.players[0])[0])
    assert state.news(player) == state.news()
    assert not state.legal(player)
    with pytest.raises(kernel.IllegalAction):
        state.close(player)


@pytest.mark.parametrize("player", [-2, 3, 2**70])
def test_nothing_is_evaluated_for_a_player_who_is_not_there(kittens: kernel.Rulebook, player: int) -> None:
    state = kittens.new(3, 1)
    with pytest.raises(kernel.InvalidAction, match="there is no player"):
        state.evaluate(["others"], you=player)
    assert state.evaluate(["others"], you=0) == (1, 2)


def test_moving_a_card_twice_at_once_counts_the_same_told_and_untold(tmp_path: Path) -> None:
    book = parlour.load(tmp_path, TWICE)
    state = book.position(2, {"hand": {0: ["tea", "salt"]}, "pile": ["salt", "tea", "salt"]})
    state.apply(0, "play tea")
    assert state.news()
    assert not state.problems()


def test_cards_that_exchange_what_they_are_take_along_where_they_count(tmp_path: Path) -> None:
    book = parlour.load(tmp_path, RING)
    state = book.position(2, {"hand": {0: ["tea"], 1: ["salt"]}, "pile": ["ring"]})
    ids = [book.kinds[kind].id for kind in state.deal.kinds]
    other = testing.exchanged(state, ids.index("ring"), ids.index("salt"))
    assert not other.problems()
    assert [str(action) for action in other.legal(0)] != [str(action) for action in state.legal(0)]


def test_variants_that_a_save_made_up_stay_out_of_the_book(kittens: kernel.Rulebook) -> None:
    state = kittens.new(3, 1)
    data = state.dump()
    known = len(kittens.cards.facing)
    for n in range(5):
        data["variants"] = [f"{n} {card}" for card in range(len(data["variants"]))]
        again = kittens.restore(data)
        again.determinize(again.waiting.players[0], n)
    assert len(kittens.cards.facing) == known
    assert kittens.restore(state.dump()).deal.facing is kittens.cards.facing


def test_seats_without_zones_are_worked_out_to_the_same_each_time(kittens: kernel.Rulebook) -> None:
    seats = Seats(2, ())
    for _ in range(3):
        assert len(seats.in_use(kittens).bits) == len(kittens.kinds)


@pytest.mark.skipif(COMPILED, reason="the compiled kernel has its bounds built in")
def test_what_hands_depend_on_is_numbered_within_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kernel.menu.MOST_KEPT", 2)
    book = rulebook.load("kittens", packs=["base", "imploding"])
    for seed in range(3):
        kernel.playout(book.new(3, seed), seed=seed)
    assert book.menus
    assert all(len(menu.numbers) <= 2 and menu.numbered >= len(menu.numbers) for menu in book.menus.values())
