"""Who knows what: memory that follows cards, what ends it, and what each sees of the same moment."""

from __future__ import annotations

import json
from typing import Any

import pytest

import kernel
from tests.kernel.parlour import load, passed, play

GIVE = "pick card from: hand by: you\nmove card to: victim.hand secret: true"
TUCK = (
    "pick card from: hand by: you\npick at from: slots(pile) by: you secret: true\n"
    "move card to: pile at: at secret: true"
)
SORT = (
    "show top(pile, 2) to: [you]\npick cards from: top(pile, 2) by: you count: 2 order: true secret: true\n"
    "arrange top(pile, 2) as: cards secret: true"
)
CARDS = {
    "peek": play("show top(pile, 1) to: [you]"),
    "deal": play("move top(pile, 1) to: victim.hand", "  choose: {victim: players}\n"),
    "give": play(GIVE, "  choose: {victim: others}\n"),
    "drop": play("pick card from: hand by: you\nmove card to: discard"),
    "tuck": play(TUCK),
    "tuck_seen": play(
        TUCK + " seen_by: [witness]",
        "  choose: {witness: others}\n",
    ),
    "bury": play("pick card from: hand by: you\nmove card to: pile at: bottom"),
    "mix": play("shuffle pile"),
    "sort": play(SORT),
    "sort_seen": play(SORT + " seen_by: [witness]", "  choose: {witness: others}\n"),
    "fair": play("show top(pile, 1) to: living"),
    "end": play("end_turn you"),
    "tea": "text: nothing\n",
    "milk": "text: nothing\n",
    "rum": "text: nothing\n",
}


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> kernel.Rulebook:
    return load(tmp_path_factory.mktemp("game"), CARDS)


def steps(state: kernel.State, *actions: tuple[int, str]) -> kernel.State:
    """The actions, one after the other; nobody answers any."""
    for player, action in actions:
        state.apply(player, action)
        passed(state)
        assert not state.problems()
    return state


def hand(state: kernel.State, viewer: int | None, of: int) -> list[str]:
    found: list[str] = state.view(viewer)["zones"]["hand"][str(of)]
    return found


def pile(state: kernel.State, viewer: int | None) -> list[str]:
    found: list[str] = state.view(viewer)["zones"]["pile"]
    return found


def test_who_saw_the_top_card_can_name_it_in_the_hand_of_whoever_draws_it(book: kernel.Rulebook) -> None:
    state = book.position(3, {"hand": {0: ["peek", "deal"], 1: ["milk"]}, "pile": ["tea", "rum"]})
    steps(state, (0, "play peek"))
    assert [pile(state, viewer) for viewer in (0, 1, None)] == [["tea", "unknown"], ["unknown"] * 2, ["unknown"] * 2]
    steps(state, (0, "play deal victim=1"))
    assert hand(state, 0, 1) == ["tea", "unknown"]
    assert hand(state, 1, 1) == ["milk", "tea"] or hand(state, 1, 1) == ["tea", "milk"]
    assert hand(state, 2, 1) == hand(state, None, 1) == ["unknown", "unknown"]


def test_a_card_that_leaves_a_hidden_hand_unseen_ends_what_was_known_of_that_hand(book: kernel.Rulebook) -> None:
    given = {"hand": {0: ["peek", "deal", "end"], 1: ["milk", "give"]}, "pile": ["tea", "rum"]}
    state = book.position(3, given)
    steps(state, (0, "play peek"), (0, "play deal victim=1"), (0, "play end"), (1, "play give victim=2"))
    assert hand(state, 0, 1) == ["tea", "unknown"]  # the player only announced; nothing has left the hand unseen
    steps(state, (1, "choose milk"))
    assert hand(state, 0, 1) == hand(state, 0, 2) == ["unknown"]
    assert hand(state, 1, 2) == ["milk"]  # the giver knows what was given


def test_the_only_card_of_a_hand_is_followed(book: kernel.Rulebook) -> None:
    given = {"hand": {0: ["peek", "deal", "end"], 1: ["give"]}, "pile": ["tea", "rum"]}
    state = book.position(4, given)
    steps(state, (0, "play peek"), (0, "play deal victim=1"), (0, "play end"), (1, "play give victim=2"))
    steps(state, (1, "choose tea"))
    assert hand(state, 0, 2) == ["tea"]
    assert hand(state, 3, 2) == hand(state, None, 2) == ["unknown"]


def test_of_two_like_cards_nobody_can_say_which_one_was_laid_down(book: kernel.Rulebook) -> None:
    given = {"hand": {0: ["peek", "deal", "end"], 1: ["tea", "rum", "drop"]}, "pile": ["tea", "milk"]}
    state = book.position(3, given)
    steps(state, (0, "play peek"), (0, "play deal victim=1"), (0, "play end"), (1, "play drop"), (1, "choose tea"))
    assert hand(state, 0, 1) == ["unknown", "unknown"]
    other = book.position(3, given)
    steps(other, (0, "play peek"), (0, "play deal victim=1"), (0, "play end"), (1, "play drop"), (1, "choose rum"))
    assert hand(other, 0, 1) == ["tea", "unknown"]


def test_a_secret_insertion_leaves_that_the_card_is_within_but_not_where(book: kernel.Rulebook) -> None:
    given = {"hand": {0: ["peek", "end"], 1: ["milk", "tuck"]}, "pile": ["tea", "rum"]}
    state = steps(book.position(3, given), (0, "play peek"), (0, "play end"), (1, "play tuck"))
    steps(state, (1, "choose milk"), (1, "choose 1"))
    assert pile(state, 0) == ["unknown"] * 3
    assert state.view(0)["within"] == {"pile": ["tea"]}
    assert pile(state, 1) == ["unknown", "milk", "unknown"]
    assert state.view(2)["within"] == state.view(None)["within"] == {}
    assert "milk" not in json.dumps([state.view(2), state.news(2), state.view(None), state.news(None)])


def test_who_watches_a_secret_insertion_knows_the_place(book: kernel.Rulebook) -> None:
    state = book.position(3, {"hand": {0: ["milk", "peek", "tuck_seen"]}, "pile": ["tea", "rum"]})
    steps(state, (0, "play peek"), (0, "play tuck_seen witness=2"), (0, "choose milk"), (0, "choose 1"))
    assert pile(state, 0) == ["tea", "milk", "unknown"]
    assert pile(state, 1) == ["unknown"] * 3
    # Whoever watches the place and does not see the face learns nothing that a view could name.
    assert "milk" not in json.dumps(state.view(1))


def test_a_card_put_openly_to_the_bottom_leaves_the_places_above_known(book: kernel.Rulebook) -> None:
    state = book.position(2, {"hand": {0: ["milk", "peek", "bury"]}, "pile": ["tea", "rum"]})
    steps(state, (0, "play peek"), (0, "play bury"), (0, "choose milk"))
    assert pile(state, 0) == ["tea", "unknown", "milk"]
    assert pile(state, 1) == ["unknown"] * 3


def test_a_shuffle_ends_all_memory_of_the_zone(book: kernel.Rulebook) -> None:
    state = book.position(2, {"hand": {0: ["peek", "mix"]}, "pile": ["tea", "rum"]})
    steps(state, (0, "play peek"), (0, "play mix"))
    assert pile(state, 0) == ["unknown"] * 2


def test_who_arranges_secretly_alone_knows_the_order_but_for_those_who_watch(book: kernel.Rulebook) -> None:
    for name, watching in (("sort", False), ("sort_seen witness=1", True)):
        card = name.split()[0]
        state = book.position(3, {"hand": {0: [card, "fair"]}, "pile": ["tea", "rum", "milk"]})
        steps(state, (0, "play fair"))
        assert pile(state, 1)[0] == pile(state, None)[0] == "tea"  # shown to all is known to all, also to who watches
        steps(state, (0, f"play {name}"), (0, "choose rum,tea"))
        assert pile(state, 0) == ["rum", "tea", "unknown"]
        assert pile(state, 1) == ["unknown", "tea" if watching else "unknown", "unknown"]
        assert pile(state, 2) == ["unknown"] * 3
        assert state.view(2)["within"] == {"pile": ["tea"]}


def test_a_view_holds_what_is_promised_and_is_plain_data(book: kernel.Rulebook) -> None:
    state = book.new(players=3, seed=3)
    keys = {"version", "player", "players", "turn", "dead", "left", "over", "winners", "acts", "asked", "zones"}
    keys |= {"within", "attributes"}
    for _ in range(25):
        for viewer in (0, 1, 2, None, 7, -1):
            view = state.view(viewer)
            assert json.loads(json.dumps(view)) == view
            assert set(view) - {"ask"} == keys
            assert ("ask" in view) == (viewer in state.waiting.players)
        if state.over:
            break
        player = state.waiting.players[-1]
        state.apply(player, state.legal(player)[0])


def test_whoever_comes_later_to_watch_sees_what_those_see_who_watched_from_the_start(book: kernel.Rulebook) -> None:
    state = book.new(players=3, seed=5)
    watched: list[dict[str, Any]] = []
    for turn in range(40):
        watched += state.news(None, watched[-1]["n"] if watched else 0)
        if state.over:
            break
        player = state.waiting.players[0]
        legal = state.legal(player)
        state.apply(player, legal[turn % len(legal)])
    watched += state.news(None, watched[-1]["n"])
    assert watched == state.news(None)
    assert state.view(None) == state.view(17)  # who is nobody sees what everybody sees


def test_changing_a_view_or_the_news_changes_no_game(book: kernel.Rulebook) -> None:
    state = book.position(2, {"hand": {0: ["peek"]}, "pile": ["tea"]})
    steps(state, (0, "play peek"))
    digest, view, news = state.digest, state.view(0), state.news(0)
    wrecked = state.view(0)
    wrecked["zones"]["pile"].clear()
    wrecked["turn"]["player"] = 1
    for entry in state.news(0):
        entry.clear()
    assert (state.digest, state.view(0), state.news(0)) == (digest, view, news)


def test_news_only_grow_and_tell_each_as_many_events(book: kernel.Rulebook) -> None:
    state = book.new(players=3, seed=8)
    seen: dict[int | None, list[dict[str, Any]]] = {viewer: [] for viewer in (0, 1, 2, None)}
    for turn in range(60):
        if state.over:
            break
        player = state.waiting.players[0]
        legal = state.legal(player)
        state.apply(player, legal[(turn * 7) % len(legal)])
        for viewer, before in seen.items():
            now = state.news(viewer)
            assert now[: len(before)] == before
            assert state.news(viewer, since=before[-1]["n"] if before else 0) == now[len(before) :]
            seen[viewer] = now
        assert len({tuple(entry["n"] for entry in news) for news in seen.values()}) == 1


def test_news_name_cards_only_to_those_who_may_know_them(book: kernel.Rulebook) -> None:
    state = book.position(3, {"hand": {0: ["peek", "give", "rum"]}, "pile": ["tea", "milk"]})
    steps(state, (0, "play peek"), (0, "play give victim=1"), (0, "choose rum"))
    shown = {viewer: [e["cards"] for e in state.news(viewer) if e["event"] == "shown"] for viewer in (0, 1, None)}
    assert shown == {0: [["tea"]], 1: [["unknown"]], None: [["unknown"]]}
    told = json.dumps([state.news(2), state.news(None)])
    assert "rum" not in told
    assert "tea" not in told
    assert "rum" in json.dumps(state.news(1))
