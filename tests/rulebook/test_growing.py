"""Books and games of any size: what thousands of cards have in common is worked out once."""

from __future__ import annotations

from pathlib import Path

import pytest

import kernel
import rulebook
from kernel import testing
from kernel.counts import Bits
from kernel.holding import FEW
from kernel.menu import FEW_PAGES, LOOKS, MARKS, MOST_KEPT, MOST_KINDS, MOST_PAGES, Finder, Menu, Page
from kernel.native import COMPILED
from rulebook.growing import GAME, Sizes, write


def load(sizes: Sizes, folder: Path) -> kernel.Rulebook:
    write(sizes, folder)
    return rulebook.load(GAME, path=folder, options={"hand_size": sizes.hand})


def test_sizes_are_what_was_asked_for(tmp_path: Path) -> None:
    sizes = Sizes(kinds=30, copies=3, players=6, hand=11)
    book = load(sizes, tmp_path)
    assert len(book.kinds) == 30
    view = book.new(players=6, seed=1).view(None)
    assert [len(view["zones"]["hand"][str(player)]) for player in range(6)] == [11] * 6
    assert len(view["zones"]["pile"]) == sizes.cards - 66


def test_hands_and_pile_keep_their_sizes(tmp_path: Path) -> None:
    state = load(Sizes(kinds=20, copies=10), tmp_path).new(players=4, seed=3, ask="settled")
    for step in range(300):
        player = state.waiting.players[0]
        legal = state.legal(player)
        state.apply(player, legal.at(step * 7 % len(legal)))
    zones = state.view(None)["zones"]
    assert all(5 <= len(hand) <= 9 for hand in zones["hand"].values())
    assert not state.over


@pytest.mark.parametrize("kinds", [20, 5 * FEW + 25])
def test_every_invariant_holds_with_few_cards_that_answer_and_with_many(tmp_path: Path, kinds: int) -> None:
    """`check_game` compares legal actions with the reference at every step."""
    book = load(Sizes(kinds=kinds, copies=2), tmp_path)
    book = kernel.Rulebook.from_data({**book.data, "limits": {**book.data["limits"], "decisions": 150}})
    assert testing.check_game(book, games=1, players=3, seed=5) > 100


def test_acts_that_answers_cannot_tell_apart_share_what_is_known_of_their_answers(tmp_path: Path) -> None:
    book = load(Sizes(kinds=300, copies=1), tmp_path)
    assert len({id(plan) for plan in book.plans}) == 2  # those of cards, and those of moves
    assert {len(plan.tests) for plan in book.plans} == {1}
    assert len(book.plans[0].kinds) == 60


def test_large_books_do_not_count_cards_in_one_number(tmp_path: Path) -> None:
    """Its length is that of the book, and would be looked through at every decision."""
    for kinds, usable in ((MOST_KINDS, True), (MOST_KINDS + 5, False)):
        book = load(Sizes(kinds=kinds, copies=1), tmp_path / str(kinds))
        assert Menu(book, 5).usable is usable


def test_compiled_of_many_pages_those_are_kept_that_are_looked_for_again(tmp_path: Path) -> None:
    menu = Menu(load(Sizes(kinds=60, copies=1), tmp_path), 2)
    few = {-key: Page([], [], Finder(()), False) for key in range(1, FEW_PAGES + 1)}
    for key, page in few.items():
        menu.keep(key, page)
    assert menu.pages == few
    pages = {key: Page([], [], Finder(()), False) for key in (7, (7, 8, 9), 1 << 20, 1 << 40, 1 << 50)}
    for _ in range(LOOKS):
        for again, page in pages.items():
            menu.keep(again, page)
        assert menu.pages == (few if COMPILED else few | pages)
    for again, page in pages.items():
        menu.keep(again, page)
    assert menu.pages == few | pages


def test_what_is_kept_of_hands_does_not_grow_without_end(tmp_path: Path) -> None:
    menu = Menu(load(Sizes(kinds=60, copies=1), tmp_path), 2)
    for key in range(3 * MOST_PAGES):
        for _ in range(LOOKS + 1):
            menu.keep(key, Page([], [], Finder(()), False))
    assert MOST_PAGES <= len(menu.pages) + len(menu.old) <= 2 * MOST_PAGES
    assert len(menu.marks) <= MARKS
    bits = Bits()
    bits.hubs = (1 << 20) - 1
    bits.more = [(0b11, 0b101 << 20)]
    for count in range(2 * MOST_KEPT):
        assert bits.of(count | 0b111 << 20) == (0b101 << 20 if count & 0b11 == 0b11 else 0)
    assert len(bits.masks) <= MOST_KEPT
