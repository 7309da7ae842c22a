"""Groups of cards by key, sets, runs, and the best choice of groups without a common card."""

from __future__ import annotations

import itertools
import random
import time
from pathlib import Path

import pytest

import kernel
from kernel.groups import Groups, best_choice, by_key, choices_of, runs_of, sets_of
from tests.kernel import parlour

CARDS = {
    "tally": parlour.play(
        "let kin = groups(hand, id(it))\n"
        "for one in kin where count(it) > 1:\n  pay you coins: count(one)\n"
        "move members(disjoint(kin, count(it) - 1)) to: table"
    ),
    "tea": "text: nothing\n",
    "cake": "text: nothing\n",
}


def rank(card: int) -> int:
    """Cards stand for thirteen ranks of four suits."""
    return card % 13


def suit(card: int) -> int:
    """The suit of a card."""
    return card // 13


def melds(hand: list[int]) -> Groups:
    """Sets and runs of three or more."""
    ranks = [rank(card) for card in hand]
    return sets_of(hand, ranks, 3) + runs_of(hand, [suit(card) for card in hand], ranks, 3)


def worth(group: tuple[int, ...]) -> int:
    """What a group is worth."""
    return sum(min(rank(card) + 1, 10) for card in group)


def best_by_trying_all(groups: Groups) -> int:
    """The most that disjoint groups are worth."""
    best = 0
    for size in range(min(len(groups), 4) + 1):
        for some in itertools.combinations(groups, size):
            members = [card for group in some for card in group]
            if len(members) == len(set(members)):
                best = max(best, sum(map(worth, some)))
    return best


def test_cards_are_grouped_by_key_in_the_order_in_which_keys_are_met() -> None:
    assert by_key([5, 1, 9, 4], ["b", "a", "b", "c"]) == ((5, 9), (1,), (4,))


def test_sets_are_every_choice_of_enough_cards_and_the_larger_come_first() -> None:
    assert sets_of([1, 2, 3, 4, 5], ["a", "a", "b", "a", "b"], 2) == (
        (1, 2, 4),
        (1, 2),
        (1, 4),
        (2, 4),
        (3, 5),
    )
    assert sets_of([1, 2], ["a", "b"], 2) == ()
    assert choices_of((7, 8, 9), 3) == [(7, 8, 9)]


def test_runs_share_a_key_follow_one_another_and_take_one_card_of_each_rank() -> None:
    cards = [10, 11, 12, 13, 20, 21]
    keys = ["a", "a", "a", "a", "a", "b"]
    assert runs_of(cards, keys, [1, 2, 3, 5, 2, 4], 3) == ((10, 11, 12), (10, 20, 12))
    assert runs_of(cards, keys, [1, 2, 3, 4, 9, 5], 3) == ((10, 11, 12, 13), (10, 11, 12), (11, 12, 13))


def test_the_best_choice_is_as_good_as_any() -> None:
    chooser = random.Random(5)
    overlapping = 0
    for _ in range(150):
        hand = chooser.sample(range(39), 14)
        groups = melds(hand)
        chosen = best_choice(groups, tuple(map(worth, groups)))
        members = [card for group in chosen for card in group]
        assert len(members) == len(set(members))
        assert sum(map(worth, chosen)) == best_by_trying_all(groups)
        overlapping += len(groups) > len(chosen)
    assert overlapping > 50


def test_groups_that_are_worth_nothing_are_left_out_and_of_equals_the_first_is_taken() -> None:
    assert best_choice(((1, 2), (3, 4), (5,)), (0, -3, 2)) == ((5,),)
    assert best_choice(((1, 2), (2, 3), (3, 4)), (4, 4, 0)) == ((1, 2),)
    assert best_choice((), ()) == ()


@pytest.mark.parametrize("ranks", [[0] * 1000, [n // 20 for n in range(1000)]], ids=["alike", "doubles"])
def test_a_thousand_cards_with_too_many_groups_are_refused_at_once(ranks: list[int]) -> None:
    began = time.perf_counter()
    with pytest.raises(kernel.CardError, match="2000 groups") as refused:
        sets_of(range(1000), ranks, 3)
    assert refused.value.code == "limit"
    with pytest.raises(kernel.CardError, match="2000 groups"):
        runs_of(range(1000), [0] * 1000, sorted([*ranks[:500], *range(500)]), 3)
    assert time.perf_counter() - began < 2


def test_a_search_that_grows_too_long_is_given_up() -> None:
    groups = melds(list(range(52)))
    assert len(groups) < 500
    with pytest.raises(kernel.CardError, match="too long"):
        best_choice(groups, tuple(len(group) * 7 % 5 + 1 for group in groups))


def test_programs_walk_through_groups_and_keep_them_while_they_wait(tmp_path: Path) -> None:
    book = parlour.load(tmp_path, CARDS)
    given = {"hand": {0: ["tally", "tea", "cake", "tea", "cake", "cake"], 1: ["tea"]}}
    state = book.position(2, given)
    state.apply(0, "play tally")
    parlour.passed(state)
    assert state.view(None)["attributes"]["coins"]["0"] == 5
    assert sorted(state.view(None)["zones"]["table"]["0"]) == ["cake", "cake", "cake", "tea", "tea"]
    assert kernel.Rulebook.from_json(book.to_json()).digest == book.digest
