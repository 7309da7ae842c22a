"""What lies in the boxes: totals, and the cards that set-up counts."""

from __future__ import annotations

from collections import Counter

import pytest

import rulebook

TOTALS = {
    "base": 56,
    "party": 120,
    "two_player": 32,
    "evil": 55,
    "zombie": 61,
    "imploding": 20,
    "streaking": 15,
    "barking": 20,
    "burglar": 1,
}
"""Cards in each box. Good vs. Evil counts its two playmat cards, the Cat Burglar is a token."""

EXPANSIONS = ("imploding", "streaking", "barking", "burglar")
"""Boxes that need a main deck beside them."""

KITTENS_AND_RESCUES = {
    "base": {"exploding_kitten": 4, "defuse": 6},
    "party": {"exploding_kitten": 9, "defuse": 10},
    "two_player": {"exploding_kitten": 1, "defuse": 3},
    "evil": {"exploding_kitten": 4, "defuse": 6},
    "zombie": {"exploding_kitten": 4, "zombie_kitten": 5},
    "imploding": {"imploding_kitten": 1},
    "streaking": {"exploding_kitten": 1, "streaking_kitten": 1},
    "barking": {"barking_kitten": 2},
}

HALVES = {
    "party": {"paw": 44, "plain": 67, "": 9},
    "zombie": {"grave_paw": 24, "grave_plain": 33, "": 4},
}
"""Cards with a paw print, without, and the Kittens that belong to neither half."""

OTHERS = {
    "base": {"nope": 5, "see_the_future_3": 5, "attack": 4, "skip": 4, "favor": 4, "shuffle": 4, "cattermelon": 4},
    "imploding": {
        "reverse": 4,
        "targeted_attack": 3,
        "draw_from_bottom": 4,
        "alter_the_future_3": 4,
        "feral_cat": 4,
    },
    "streaking": {
        "super_skip": 1,
        "see_the_future_5": 1,
        "alter_the_future_5": 1,
        "swap_top_and_bottom": 3,
        "garbage_collection": 1,
        "catomic_bomb": 1,
        "mark": 3,
        "curse_of_the_cat_butt": 2,
    },
    "barking": {
        "super_skip": 1,
        "personal_attack": 4,
        "bury": 2,
        "alter_the_future_3_now": 2,
        "share_the_future_3": 2,
        "potluck": 2,
        "ill_take_that": 4,
        "tower_of_power": 1,
    },
    "zombie": {
        "nope": 5,
        "skip": 3,
        "super_skip": 2,
        "attack": 2,
        "attack_of_the_dead": 3,
        "dig_deeper": 4,
        "see_the_future_3": 4,
        "shuffle_now": 2,
        "grave_robber": 1,
        "favor": 3,
        "feed_the_dead": 2,
        "clone": 3,
        "clairvoyance": 2,
        "electrocat": 4,
        "vampire_cat": 4,
        "cat_o_lantern": 4,
        "de_cat_pitated": 4,
    },
    "party": {
        "nope": 9,
        "skip": 10,
        "attack": 5,
        "targeted_attack": 5,
        "draw_from_bottom": 7,
        "see_the_future_3": 6,
        "alter_the_future_3": 6,
        "shuffle": 6,
        "favor": 6,
        "feral_cat": 6,
        "tacocat": 7,
        "rainbow_ralphing_cat": 7,
    },
    "evil": {
        "nope": 5,
        "attack": 2,
        "targeted_attack": 2,
        "favor": 4,
        "shuffle": 2,
        "reveal_the_future_3": 3,
        "raising_heck": 2,
        "armageddon": 3,
        "feral_cat": 4,
        "horse_cat": 4,
        "knight_cat": 4,
        "mercat": 4,
        "troll_cat": 4,
        "godcat": 1,
        "devilcat": 1,
    },
    "two_player": {
        "nope": 3,
        "skip": 3,
        "attack": 2,
        "see_the_future_3": 3,
        "shuffle": 2,
        "favor": 3,
        "tacocat": 4,
        "beard_cat": 4,
        "rainbow_ralphing_cat": 4,
    },
}


def deck_of(pack: str) -> tuple[Counter[str], Counter[str]]:
    """Copies in one box, by card and by variant."""
    cards: Counter[str] = Counter()
    variants: Counter[str] = Counter()
    expansion = pack in EXPANSIONS
    for sign, packs in ((1, ["base", pack] if expansion else [pack]), (-1, ["base"] if expansion else [])):
        for kind, count, variant in rulebook.load("kittens", packs=packs).data["deck"] if packs else []:
            cards[kind] += sign * count
            variants[variant or ""] += sign * count
    return +cards, +variants


@pytest.mark.parametrize("pack", sorted(TOTALS))
def test_a_box_holds_as_many_cards_as_it_says(pack: str) -> None:
    assert sum(deck_of(pack)[0].values()) == TOTALS[pack]


@pytest.mark.parametrize("pack", sorted(KITTENS_AND_RESCUES))
def test_kittens_and_rescue_cards_of_a_box(pack: str) -> None:
    cards = deck_of(pack)[0]
    found = {k: n for k, n in cards.items() if k.endswith("_kitten") or k == "defuse"}
    assert found == KITTENS_AND_RESCUES[pack]


@pytest.mark.parametrize("pack", sorted(OTHERS))
def test_copies_of_the_other_cards(pack: str) -> None:
    cards = deck_of(pack)[0]
    assert {kind: cards[kind] for kind in OTHERS[pack]} == OTHERS[pack]


@pytest.mark.parametrize("pack", sorted(HALVES))
def test_halves_for_few_players(pack: str) -> None:
    assert dict(deck_of(pack)[1]) == HALVES[pack]


def test_choose_your_hand_has_no_cards_of_its_own() -> None:
    alone = rulebook.load("kittens", packs=["base"]).data["deck"]
    assert rulebook.load("kittens", packs=["base", "choose"]).data["deck"] == alone
