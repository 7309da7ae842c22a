"""What a game begins with, for every mix of packs and every number of players, and which games are refused and why."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import pytest

import kernel
import rulebook

Packs = tuple[str, ...]
Cell = tuple[int, int, int, int]
"""Exploding Kittens, Imploding Kittens, spare rescue cards, cards in the pile."""


@cache
def load(packs: Packs, **options: Any) -> kernel.Rulebook:
    """A book, compiled once."""
    return rulebook.load("kittens", packs=packs, options=options)


def zones(state: kernel.State) -> dict[str, Any]:
    """Where every card lies: zone -> cards, zone per player -> player -> cards."""
    return state.describe()


def hands(state: kernel.State) -> list[list[str]]:
    """The players' hands."""
    given = zones(state)["hand"]
    return [list(given.get(player, ())) for player in range(state.players)]


def cell(book: kernel.Rulebook, players: int) -> Cell:
    """What is counted in the tables."""
    state = book.new(players=players, seed=1)
    pile = zones(state)["draw_pile"]
    held = [card for hand in hands(state) for card in hand]
    rescues = Counter(card for card in [*pile, *held] if card in ("defuse", "zombie_kitten"))
    stash = Counter(card for card in zones(state).get("stash", ()) if card in ("defuse", "zombie_kitten"))
    spare = sum(rescues.values()) + sum(stash.values()) - players
    return pile.count("exploding_kitten"), pile.count("imploding_kitten"), spare, len(pile)


OE: Packs = ("base",)
IMP, STR, BAR = "imploding", "streaking", "barking"

PRINT: dict[Packs, dict[int, Cell]] = {
    OE: {2: (1, 0, 2, 35), 3: (2, 0, 2, 29), 4: (3, 0, 2, 23), 5: (4, 0, 1, 16)},
    (*OE, BAR): {2: (1, 0, 4, 51), 3: (2, 0, 3, 44), 4: (3, 0, 2, 37), 5: (4, 0, 1, 30)},
    (*OE, STR): {2: (2, 0, 2, 50), 3: (3, 0, 2, 44), 4: (4, 0, 2, 38), 5: (5, 0, 1, 31)},
    (*OE, STR, BAR): {2: (2, 0, 4, 66), 3: (3, 0, 3, 59), 4: (4, 0, 2, 52), 5: (5, 0, 1, 45)},
    (*OE, IMP): {2: (1, 1, 2, 55), 3: (1, 1, 2, 48), 4: (2, 1, 2, 42), 5: (3, 1, 1, 35), 6: (4, 1, 0, 28)},
    (*OE, IMP, BAR): {2: (1, 1, 4, 71), 3: (1, 1, 3, 63), 4: (2, 1, 2, 56), 5: (3, 1, 1, 49), 6: (4, 1, 0, 42)},
    (*OE, IMP, STR): {2: (1, 1, 2, 69), 3: (2, 1, 2, 63), 4: (3, 1, 2, 57), 5: (4, 1, 1, 50), 6: (5, 1, 0, 43)},
    (*OE, IMP, STR, BAR): {2: (1, 1, 4, 85), 3: (2, 1, 3, 78), 4: (3, 1, 2, 71), 5: (4, 1, 1, 64), 6: (5, 1, 0, 57)},
}
"""The original deck and its expansions, as printed."""

ONLINE: dict[Packs, dict[int, Cell]] = {
    OE: {2: (1, 0, 2, 35), 3: (2, 0, 2, 29)},
    (*OE, BAR): {2: (1, 0, 4, 51), 3: (2, 0, 3, 44)},
    (*OE, STR, BAR): {2: (2, 0, 2, 64), 3: (3, 0, 2, 58)},
    (*OE, IMP): {2: (0, 1, 2, 54), 3: (1, 1, 2, 48)},
    (*OE, IMP, BAR): {2: (0, 1, 2, 68), 3: (1, 1, 2, 62)},
    (*OE, IMP, STR, BAR): {2: (1, 1, 2, 83), 3: (2, 1, 2, 77)},
}
"""The same at an online table, where the figures differ."""

OTHER_DECKS: dict[Packs, dict[int, Cell]] = {
    ("evil",): {2: (1, 0, 2, 32), 3: (2, 0, 2, 26), 4: (3, 0, 2, 20), 5: (4, 0, 1, 13)},
    ("zombie",): {2: (1, 0, 0, 9), 3: (2, 0, 0, 11), 4: (3, 0, 1, 28), 5: (4, 0, 0, 21)},
    ("two_player",): {2: (1, 0, 1, 16)},
    ("party",): {
        2: (1, 0, 1, 29),
        3: (2, 0, 0, 22),
        4: (3, 0, 3, 38),
        5: (4, 0, 2, 31),
        6: (5, 0, 1, 24),
        7: (6, 0, 0, 17),
        8: (7, 0, 2, 54),
        9: (8, 0, 1, 47),
        10: (9, 0, 0, 40),
    },
}


def rows(table: dict[Packs, dict[int, Cell]]) -> list[tuple[Packs, int, Cell]]:
    """The cells of a table, one after the other."""
    return [(packs, players, numbers) for packs, row in table.items() for players, numbers in row.items()]


@pytest.mark.parametrize(("packs", "players", "expected"), rows(PRINT) + rows(OTHER_DECKS))
def test_kittens_spares_and_pile(packs: Packs, players: int, expected: Cell) -> None:
    assert cell(load(packs), players) == expected


@pytest.mark.parametrize(("packs", "players", "expected"), rows(ONLINE))
def test_kittens_spares_and_pile_online(packs: Packs, players: int, expected: Cell) -> None:
    assert cell(rulebook.load("kittens", packs=packs, preset="online"), players) == expected


@pytest.mark.parametrize("policy", ["max2", "all", "two_player_only"])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_other_policies_for_spare_rescue_cards(policy: str, players: int) -> None:
    spare = 6 - players
    expected = {"max2": min(2, spare), "all": spare, "two_player_only": 2 if players == 2 else spare}[policy]
    assert cell(load(OE, spare_rescue_policy=policy), players)[2] == expected


# -- who may play ----------------------------------------------------------------------------------------------------

LIMITS: dict[Packs, int] = {
    OE: 5,
    (*OE, IMP): 6,
    (*OE, STR): 5,
    (*OE, IMP, STR): 6,
    (*OE, BAR): 5,
    (*OE, IMP, BAR): 6,
    (*OE, STR, BAR): 5,
    (*OE, IMP, STR, BAR): 6,
    ("base", "burglar"): 5,
    ("base", "evil"): 9,
    ("base", "evil", IMP): 10,
    ("base", "evil", STR): 9,
    ("base", "evil", IMP, STR): 10,
    ("party",): 10,
    ("party", IMP): 10,
    ("party", STR): 10,
    ("party", BAR): 10,
    ("evil",): 5,
    ("evil", IMP): 6,
    ("evil", STR): 5,
    ("evil", IMP, STR): 6,
    ("zombie",): 5,
    ("zombie", IMP): 5,
    ("zombie", STR): 5,
    ("zombie", IMP, STR): 5,
    ("base", "zombie"): 9,
    ("base", "zombie", IMP): 10,
    ("base", "zombie", STR): 9,
    ("party", "zombie"): 10,
    ("two_player",): 2,
}


@pytest.mark.parametrize("packs", LIMITS)
def test_as_many_as_the_cards_allow_may_play(packs: Packs) -> None:
    book = load(packs)
    for players in range(2, LIMITS[packs] + 1):
        state = book.new(players=players, seed=3)
        assert len(hands(state)) == players
        assert not state.problems()


@pytest.mark.parametrize("packs", LIMITS)
def test_more_players_are_refused_with_a_reason(packs: Packs) -> None:
    book = load(packs)
    for players in range(LIMITS[packs] + 1, 12):
        with pytest.raises(kernel.SetupError) as refusal:
            book.new(players=players, seed=3)
        assert str(refusal.value)


@pytest.mark.parametrize("players", [0, 1])
def test_nobody_plays_alone(players: int) -> None:
    with pytest.raises(kernel.SetupError):
        load(OE).new(players=players, seed=3)


def test_why_six_cannot_play_the_original_deck() -> None:
    with pytest.raises(kernel.SetupError, match="not enough Exploding Kittens"):
        load(OE).new(players=6, seed=3)


def test_why_six_cannot_play_zombie_kittens() -> None:
    with pytest.raises(kernel.SetupError, match="not enough rescue cards"):
        load(("zombie", IMP, STR)).new(players=6, seed=3)


def test_why_three_cannot_play_the_two_player_edition() -> None:
    with pytest.raises(kernel.SetupError, match="so many players"):
        load(("two_player",)).new(players=3, seed=3)


@pytest.mark.parametrize("expansion", [IMP, STR, BAR])
def test_the_two_player_edition_takes_no_expansion(expansion: str) -> None:
    with pytest.raises(kernel.SetupError, match="not made to be expanded"):
        load(("two_player", expansion)).new(players=2, seed=3)


@pytest.mark.parametrize("expansion", [IMP, STR, BAR, "burglar"])
def test_an_expansion_needs_a_main_deck(expansion: str) -> None:
    with pytest.raises(rulebook.PackError, match="none of these packs can be the main deck"):
        load((expansion,))


def test_hands_cannot_be_larger_than_the_deck() -> None:
    with pytest.raises(kernel.SetupError, match="not enough cards"):
        load(OE, hand_size=20).new(players=5, seed=3)


# -- hands -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("packs", LIMITS)
def test_everybody_begins_with_a_rescue_card_and_seven_others(packs: Packs) -> None:
    state = load(packs).new(players=2, seed=5)
    for hand in hands(state):
        assert len(hand) == 8
        assert {"defuse", "zombie_kitten"} & set(hand)
        assert not {"exploding_kitten", "imploding_kitten", "cat_burglar", "godcat", "devilcat"} & set(hand)


def test_fewer_cards_can_be_dealt() -> None:
    assert [len(hand) for hand in hands(load(OE, hand_size=4).new(players=3, seed=5))] == [5, 5, 5]


@pytest.mark.parametrize("players", range(2, 10))
def test_mixed_with_zombie_kittens_everybody_has_one_as_long_as_there_are_any(players: int) -> None:
    state = load(("base", "zombie")).new(players=players, seed=11)
    dealt = sum("zombie_kitten" in hand for hand in hands(state))
    assert dealt == min(5, players)
    assert cell(load(("base", "zombie")), players)[2] == 2


# -- halves of a deck ------------------------------------------------------------------------------------------------

PARTY_HALVES = {
    2: (44, 3, 3, 2),
    3: (44, 3, 3, 2),
    4: (67, 7, 4, 4),
    7: (67, 7, 4, 4),
    8: (111, 10, 7, 6),
    10: (111, 10, 7, 6),
}
"""Players: non-Kitten cards, Defuses, Tacocats, Feral Cats that are played with."""


@pytest.mark.parametrize("players", PARTY_HALVES)
def test_halves_of_the_party_pack(players: int) -> None:
    state = load(("party",)).new(players=players, seed=2)
    used = Counter(zones(state)["draw_pile"]) + Counter(card for hand in hands(state) for card in hand)
    spare = cell(load(("party",)), players)[2]
    assert spare == PARTY_HALVES[players][1] - players
    assert (
        sum(used.values()) - used["exploding_kitten"],
        used["defuse"],
        used["tacocat"],
        used["feral_cat"],
    ) == PARTY_HALVES[players]


@pytest.mark.parametrize(
    ("players", "number", "cats"), [(2, 24, "co dc"), (3, 33, "el va"), (4, 57, "co dc el va"), (5, 57, "co dc el va")]
)
def test_halves_of_zombie_kittens(players: int, number: int, cats: str) -> None:
    names = {"co": "cat_o_lantern", "dc": "de_cat_pitated", "el": "electrocat", "va": "vampire_cat"}
    state = load(("zombie",)).new(players=players, seed=2)
    used = Counter(zones(state)["draw_pile"]) + Counter(card for hand in hands(state) for card in hand)
    assert sum(used.values()) - used["exploding_kitten"] == number
    assert {name: used[name] for name in names.values() if used[name]} == {names[cat]: 4 for cat in cats.split()}


def test_an_expansion_of_the_party_pack_is_used_whole() -> None:
    state = load(("party", STR)).new(players=2, seed=2)
    used = Counter(zones(state)["draw_pile"]) + Counter(card for hand in hands(state) for card in hand)
    assert sum(used.values()) - used["exploding_kitten"] == 44 + 14


# -- stash, token, mat, faster game ----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
def test_six_cards_are_laid_aside_for_the_tower_which_is_not_among_them(seed: int) -> None:
    state = load((*OE, BAR)).new(players=3, seed=seed)
    stash = zones(state)["stash"]
    assert len(stash) == 6
    assert not {"tower_of_power", "exploding_kitten"} & set(stash)
    held = [card for hand in hands(state) for card in hand]
    assert [*zones(state)["draw_pile"], *held].count("tower_of_power") == 1


@pytest.mark.parametrize("players", [2, 3, 5])
def test_the_cat_burglar_begins_before_the_last_player(players: int) -> None:
    state = load(("base", "burglar")).new(players=players, seed=4)
    assert zones(state)["table"] == {players - 1: ["cat_burglar"]}


def test_godcat_and_devilcat_wait_on_the_mat() -> None:
    state = load(("evil",)).new(players=3, seed=4)
    assert sorted(zones(state)["playmat"]) == ["devilcat", "godcat"]


@pytest.mark.parametrize(("players", "before"), [(2, 34), (3, 27), (4, 20), (5, 12)])
def test_the_faster_game_removes_a_third_before_the_kittens_go_in(players: int, before: int) -> None:
    state = load(OE, faster_game=True).new(players=players, seed=6)
    assert len(zones(state)["draw_pile"]) == before - before // 3 + players - 1
    assert [len(hand) for hand in hands(state)] == [8] * players


@pytest.mark.parametrize("seed", range(6))
def test_in_the_faster_game_the_tower_is_always_in_the_pile(seed: int) -> None:
    state = load((*OE, BAR), faster_game=True).new(players=3, seed=seed)
    assert "tower_of_power" in zones(state)["draw_pile"]


# -- choose your hand ------------------------------------------------------------------------------------------------


def choose(state: kernel.State, answers: dict[int, list[str]]) -> None:
    """Everybody chooses, the players in order at each step; who has nothing to say takes the first card on offer."""
    while state.waiting.players and any(str(a).startswith("choose") for a in state.legal(state.waiting.players[0])):
        for player in state.waiting.players:
            wanted = answers.get(player, [])
            state.apply(player, f"choose {wanted.pop(0)}" if wanted else state.legal(player)[0])


def chosen_game(players: int, answers: dict[int, list[str]], seed: int = 9) -> kernel.State:
    """A game for which everybody has chosen."""
    state = rulebook.load("kittens", preset="choose").new(players=players, seed=seed)
    choose(state, answers)
    return state


def test_chosen_cards_make_the_hand_with_a_defuse() -> None:
    mine = ["skip", "skip", "nope", "nope", "attack", "clone", "tacocat"]
    state = chosen_game(2, {0: list(mine)})
    assert sorted(hands(state)[0]) == sorted([*mine, "defuse"])
    assert len(hands(state)[1]) == 8


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_chosen_pile_and_its_kittens(players: int) -> None:
    state = chosen_game(players, {})
    pile = zones(state)["draw_pile"]
    assert pile.count("exploding_kitten") == players - 1
    assert len(pile) == 5 * players + 2 * players + players - 1
    assert [len(hand) for hand in hands(state)] == [8] * players


def test_each_streaking_kitten_in_the_pile_brings_an_exploding_kitten() -> None:
    book = rulebook.load("kittens", packs=["base", "zombie", "streaking", "choose"], preset="choose")
    state = book.new(players=2, seed=9)
    hand = ["skip"] * 4 + ["nope"] * 3
    choose(state, {0: [*hand, "streaking_kitten"], 1: ["favor"] * 4 + ["shuffle"] * 3})
    assert zones(state)["draw_pile"].count("exploding_kitten") == 2


@pytest.mark.parametrize(
    "card", ["defuse", "exploding_kitten", "streaking_kitten", "alter_the_future_3", "zombie_kitten"]
)
def test_what_may_not_be_chosen_for_a_hand(card: str) -> None:
    book = rulebook.load("kittens", packs=["base", "zombie", "imploding", "streaking", "choose"], preset="choose")
    state = book.new(players=2, seed=9)
    before = state.digest
    with pytest.raises(kernel.IllegalAction):
        state.apply(0, f"choose {card}")
    assert state.digest == before
    state.apply(0, "choose skip")


def test_a_defuse_may_be_chosen_for_the_pile() -> None:
    state = chosen_game(2, {0: ["skip"] * 4 + ["nope"] * 3 + ["defuse"] * 2})
    assert zones(state)["draw_pile"].count("defuse") >= 2


def test_nobody_takes_more_than_four_of_a_title() -> None:
    state = rulebook.load("kittens", preset="choose").new(players=2, seed=9)
    for _ in range(4):
        state.apply(0, "choose nope")
        state.apply(1, "choose skip")
    with pytest.raises(kernel.IllegalAction):
        state.apply(0, "choose nope")


def test_who_is_too_late_for_the_last_copy_chooses_again() -> None:
    state = rulebook.load("kittens", preset="choose").new(players=2, seed=9)
    state.apply(0, "choose grave_robber")
    state.apply(1, "choose grave_robber")
    assert list(state.waiting.players) == [1]
    with pytest.raises(kernel.IllegalAction):
        state.apply(1, "choose grave_robber")
    state.apply(1, "choose skip")
    assert [sorted(set(hand) - {"defuse"}) for hand in hands(state)] == [["grave_robber"], ["skip"]]


def test_six_cannot_choose_their_hands() -> None:
    with pytest.raises(kernel.SetupError, match="so many players"):
        rulebook.load("kittens", preset="choose").new(players=6, seed=9)
