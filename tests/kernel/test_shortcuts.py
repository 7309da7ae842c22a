"""What is found by a shorter road is what the plain road finds."""

from __future__ import annotations

from pathlib import Path

import pytest

import kernel
import rulebook
from kernel.dealing import new_game
from kernel.legal import legal_for
from kernel.testing import check_game
from tests.kernel.parlour import GAME, load, log, passed, play

TEA = {"tea": play('note line: "tea"')}
OPTIONAL = """\
verbs:
  maybe:
    needs: {who: player, n: maybe number, some: maybe cards}
    do: |
      if some is set and count(some) > 0:
        note line: "some"
      if n is set and 0 - n + 3 < 1:
        note line: "big"
      elif n is set:
        note line: "small"
      else:
        note line: "none"
"""
NOW_MOVE = """\
moves:
  shout:
    at: now
    do: |
      note line: "shout"
"""
TWICE = """\
play:
  - at: response
    to: target is quiet
    do: |
      cancel target
  - at: now
    do: |
      note line: "now"
"""


def both(state: kernel.State) -> list[list[str]]:
    """The legal actions of all players, which both ways agree on."""
    quick = [[str(a) for a in state.legal(p)] for p in range(state.players)]
    assert quick == [[str(a) for a in legal_for(state, p)] for p in range(state.players)]
    return quick


def test_a_parameter_left_out_of_a_verb_put_in_place_is_none(tmp_path: Path) -> None:
    cards = {"tea": play("maybe who: you\nmaybe who: you n: 3\nmaybe who: you n: 2 some: hand")}
    book = load(tmp_path, cards, game=GAME.replace("verbs:\n", OPTIONAL))
    state = book.position(2, {"hand": {0: ["tea", "tea"], 1: []}, "pile": ["tea"]})
    state.apply(0, "play tea")
    passed(state)
    assert log(state) == ["none", "big", "some", "small"]


def test_a_now_card_that_also_responds_is_no_now_card_where_none_may_be_played(tmp_path: Path) -> None:
    book = load(tmp_path, {**TEA, "twice": TWICE})
    state = book.position(2, {"hand": {0: ["tea"], 1: ["twice"]}, "pile": ["tea", "tea"]})
    state.apply(0, "draw")
    assert both(state) == [["pass"], ["pass", "play twice"]]
    check_game(book, games=1, thorough=20)


def test_now_moves_are_made_when_now_cards_are_played(tmp_path: Path) -> None:
    book = load(tmp_path, TEA, game=GAME.replace("moves:\n", NOW_MOVE))
    state = book.position(2, {"hand": {0: ["tea"], 1: []}, "pile": ["tea", "tea"]})
    assert both(state) == [["draw", "shout", "play tea"], ["shout"]]
    state.apply(0, "play tea")
    assert both(state) == [["pass", "shout"], ["pass", "shout"]]
    state.apply(1, "shout")
    passed(state)
    assert log(state) == ["shout", "tea"]
    state.apply(0, "draw")  # it is quiet
    assert state.waiting.kind == "move"
    check_game(book, games=1, thorough=20)


@pytest.mark.parametrize("heard", [False, True])
def test_a_card_is_itself_again_when_its_act_is_over_whoever_listens(tmp_path: Path, heard: bool) -> None:
    cards = {**TEA, "ape": 'plays_as: {from: each(ids(discard) where it == "tea")}\n'}
    if heard:
        cards["ear"] = "when:\n  - {event: move, in: table, do: 'note \"heard\"'}\n"
    book = load(tmp_path, cards)
    state = book.position(2, {"hand": {0: ["ape"], 1: []}, "discard": ["tea"], "pile": ["tea"]})
    state.apply(0, "play ape")
    passed(state)
    assert state.view(1)["zones"]["discard"] == ["ape", "tea"]


@pytest.mark.parametrize("secret", [False, True])
def test_a_card_that_hides_itself_where_it_arrives_is_not_seen_there(tmp_path: Path, secret: bool) -> None:
    game = GAME.replace("  table: ", "  den: {see: all, per: player}\n  table: ")
    shroud = 'while:\n  - {in: den, answer: hides, if: owner(card) == owner(self), with: "true"}\n'
    take = "move top(pile, 1) to: you.den" + (" secret: true" if secret else "")
    book = load(tmp_path, {"shroud": shroud, "tea": play(take)}, game=game)
    state = book.position(2, {"hand": {0: ["tea"], 1: []}, "pile": ["shroud", "tea"]})
    state.apply(0, "play tea")
    passed(state)
    assert state.view(1)["zones"]["den"]["0"] == ["unknown"]
    assert state.news(1)[-1]["cards"] == ["unknown"]
    card = next(c for c, k in enumerate(state.deal.kinds) if book.ids[k] == "shroud")
    assert not state.known[card]


def test_what_is_written_alike_is_told_apart_when_it_is_played_again(tmp_path: Path) -> None:
    book = load(tmp_path, {"tea": play('note line: "tea"', "  from: [hand, table]\n")})
    given = {"hand": {0: ["tea"], 1: []}, "table": {0: ["tea"], 1: []}, "pile": ["tea", "tea"]}
    for number in (1, 2):
        state = book.position(2, given)
        assert [str(a) for a in state.legal(0)] == ["draw", "play tea", "play tea"]
        state.apply(0, state.legal(0)[number])
        played = state.view(0)["zones"]
        assert state.news(0)[-1]["cards"] == ["tea"]  # quietly until now
        state.recover()
        assert state.view(0)["zones"] == played
        assert len(played["hand"]["0"]) == number - 1


def test_a_limit_met_by_moves_without_an_alternative_ends_the_game_alike_on_both_ways(tmp_path: Path) -> None:
    book = load(tmp_path, {"tea": "text: nothing\n"})
    quick, plain = new_game(book, 2, 1, "settled"), new_game(book, 2, 1, "settled", coverage=set())
    assert quick.over
    assert quick.version == plain.version
    assert quick.digest == plain.digest


@pytest.mark.parametrize("zone", ["pile", "hand"])
def test_flags_about_zones_are_flags_and_numbers_numbers(tmp_path: Path, zone: str) -> None:
    load(tmp_path, TEA)
    state = rulebook.load("parlour", packs=["base"], path=tmp_path).position(2, {"hand": {0: ["tea"]}})
    there = zone == "hand"
    mine = ["cards", ["zone", zone, ["you"] if there else None]]
    tea = ["==", ["id", ["v", 1]], ["k", "tea"]]
    for cards in (mine, ["where", mine, 1, tea]):
        assert state.evaluate(["any", cards], 2, 0) is there
        assert state.evaluate(["empty", cards], 2, 0) is not there
        assert repr(state.evaluate(["count", cards], 2, 0)) == ("1" if there else "0")
    assert state.evaluate(["exists", mine, 1, tea], 2, 0) is there
    assert repr(state.evaluate(["countif", mine, 1, tea], 2, 0)) == ("1" if there else "0")
    theirs = ["cards", ["zone", "hand", ["v", 0]]]
    for how, found in (("any", "(True, False)"), ("empty", "(False, True)"), ("count", "(1, 0)")):
        assert repr(state.evaluate(["map", ["players"], 0, [how, theirs]], 2, 0)) == found


def test_a_marked_card_beside_an_answer_leaves_what_is_kept_of_it_as_it_is(tmp_path: Path) -> None:
    cards = {
        **TEA,
        "stop": "play:\n  at: response\n  to: not (target is quiet)\n  do: |\n    cancel target\n",
        "pinned": 'mark: Pinned\nwhile: {answer: shows, if: card == self, with: "true"}\n',
    }
    book = load(tmp_path, cards)
    for mine in (["stop", "tea(pinned)"], ["tea", "tea", "stop"]):
        state = book.position(2, {"hand": {0: ["tea"], 1: mine}, "pile": ["tea", "tea"]})
        state.apply(0, "play tea")
        assert both(state) == [["pass"], ["pass", "play stop"]]
        state.apply(1, "play stop")
        passed(state)
        assert state.view(0)["zones"]["discard"] == ["stop", "tea"]


def test_what_is_shown_while_a_question_is_open_can_be_named_in_the_answer(tmp_path: Path) -> None:
    """The lamp shows itself on top of the pile, and comes there before the question."""
    cards = {
        "lamp": 'while:\n  - {in: pile, answer: shows, if: card == self and first(pile) == self, with: "true"}\n',
        "seek": play(
            'move top(pile, 1) to: box\npick card from: pile by: you\nmove card to: hand\nnote line: "sought"'
        ),
    }
    book = load(tmp_path, cards)
    state = book.position(2, {"hand": {0: ["seek"], 1: []}, "pile": ["seek", "lamp", "seek", "seek"]})
    state.apply(0, "play seek")
    passed(state)
    assert both(state) == [["choose lamp", "choose random"], []]


@pytest.mark.parametrize("hot", [0, 10_000])
def test_what_moves_depend_on_is_found_the_same_woven_or_step_by_step(tmp_path: Path, hot: int) -> None:
    """Conditions made of others, choices that may be left out, and cards that share both."""
    some = "others where any(it.hand)"
    cards = {
        "lend": play(
            "move top(hand, 1) to: who.hand", f"  if: any(hand) and not safe(you)\n  choose: {{who: {some}}}\n"
        ),
        "gift": play("stop", f'  if: safe(you) and any(pile)\n  choose: {{who: {some}, n: "range(1, count(pile))"}}\n'),
        "hint": play("stop", "  choose: {who: {from: others where safe(it), or: none}}\n"),
        "hat": 'while:\n  - {in: table, answer: safe, if: who == you, with: "true"}\n' + play("move self to: table"),
    }
    book = load(tmp_path, cards)
    if book.weaver is not None:
        book.weaver.hot = hot
    assert check_game(book, games=2, players=3, thorough=5) > 20
