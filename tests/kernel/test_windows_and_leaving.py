"""Windows, who is asked and what being asked tells; picks; leaving and closing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import kernel
from tests.kernel.parlour import load, log, passed, play

STOP = "play: {at: response, to: 'target is not quiet', do: cancel target}\n"
CARDS = {
    "till": play("pay you coins: 2"),
    "stop": STOP,
    "shout": 'play: {at: now, do: "note line: \\"shout\\""}\n',
    "gift": play(
        "pick card from: victim.hand by: victim\nmove card to: hand", "  choose: {victim: others where any(it.hand)}\n"
    ),
    "vote": play(
        'pick word from: ["yes", "no"] by: living secret: true\n'
        'for p in living:\n  if word[p] == "yes":\n    pay p coins: 1'
    ),
    "order": play(
        "show top(pile, 3) to: [you]\n"
        "pick cards from: top(pile, 3) by: you count: min(3, count(pile)) order: true\n"
        "arrange top(pile, 3) as: cards"
    ),
}


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> kernel.Rulebook:
    return load(tmp_path_factory.mktemp("game"), CARDS)


def test_all_are_asked_whatever_they_hold(book: kernel.Rulebook) -> None:
    streams = []
    for hand in (["stop"], ["till"]):
        state = book.position(3, {"hand": {0: ["till"], 1: hand}})
        state.apply(0, "play till")
        streams.append((state.waiting.players, state.view(0), state.news(0), state.view(None)))
    assert streams[0] == streams[1]
    assert streams[0][0] == (0, 1, 2)


def test_settled_asks_those_with_an_answer_and_nobody_sees_it(book: kernel.Rulebook) -> None:
    state = book.position(3, {"hand": {0: ["till", "till"], 1: ["stop"]}}, ask="settled")
    state.apply(0, "play till")
    assert state.waiting.players == (1,)
    assert state.view(1)["asked"] == [1]
    assert state.view(0)["asked"] == state.view(None)["asked"] == []


def test_passes_commute_and_none_counts_as_seen(book: kernel.Rulebook) -> None:
    digests = set()
    for order in ((0, 1, 2), (2, 1, 0), (1, 0, 2)):
        state = book.position(3, {"hand": {0: ["till"]}, "pile": ["stop"]})
        state.apply(0, "play till")
        version = state.version
        for player in order[:-1]:
            state.apply(player, "pass", at=version)
            assert state.version == version
        state.apply(order[-1], "pass", at=version)
        digests.add(state.digest)
    assert len(digests) == 1


@pytest.mark.parametrize("answers", range(6))
def test_an_even_number_of_answers_leaves_the_act_standing(book: kernel.Rulebook, answers: int) -> None:
    state = book.position(3, {"hand": {0: ["till"], 1: ["stop"] * 3, 2: ["stop"] * 3}})
    state.apply(0, "play till")
    for k in range(answers):
        state.apply(1 + k % 2, "play stop")
    passed(state)
    assert state.view(0)["attributes"]["coins"]["0"] == (2 if answers % 2 == 0 else 0)
    assert len(state.view(0)["zones"]["discard"]) == answers + 1


def test_a_long_chain_is_copied_saved_and_resolved(book: kernel.Rulebook) -> None:
    state = book.position(2, {"hand": {0: ["till"], 1: ["stop"] * 280}})
    state.apply(0, "play till")
    for _ in range(280):
        state.apply(1, "play stop")
    again = book.restore(json.loads(json.dumps(state.copy().dump())))
    for one in (state, again):
        passed(one)
        assert one.view(0)["attributes"]["coins"]["0"] == 2
    assert state.digest == again.digest


def test_an_answer_to_what_is_no_longer_on_top_is_stale(book: kernel.Rulebook) -> None:
    state = book.position(3, {"hand": {0: ["till"], 1: ["stop"], 2: ["stop"]}})
    state.apply(0, "play till")
    seen = state.version
    state.apply(1, "play stop", at=seen)
    digest = state.digest
    with pytest.raises(kernel.IllegalAction) as caught:
        state.apply(2, "play stop", at=seen)
    assert caught.value.code == "stale"
    assert state.digest == digest


def test_a_now_card_resolves_first_and_the_act_below_asks_again(book: kernel.Rulebook) -> None:
    state = book.position(3, {"hand": {0: ["till"], 1: ["shout"], 2: ["stop"]}})
    state.apply(0, "play till")
    state.apply(2, "pass")
    state.apply(1, "play shout")
    passed_once = [0, 1, 2]
    for player in passed_once:
        state.apply(player, "pass")
    assert log(state) == ["shout"]
    assert state.waiting.kind == "window"
    state.apply(2, "play stop")
    passed(state)
    assert state.view(0)["attributes"]["coins"]["0"] == 0


def test_a_now_card_is_legal_before_a_move_of_another(book: kernel.Rulebook) -> None:
    state = book.position(3, {"hand": {0: ["till"], 1: ["shout"]}})
    assert state.waiting.players == (0,)
    assert [str(action) for action in state.legal(1)] == ["play shout"]
    assert len(state.legal(2)) == 0


def test_simultaneous_answers_are_hidden_until_all_are_in(book: kernel.Rulebook) -> None:
    state = book.position(3, {"hand": {0: ["vote"]}})
    state.apply(0, "play vote")
    passed(state)
    assert state.waiting.players == (0, 1, 2)
    before = (state.view(1), state.news(1))
    state.apply(2, "choose yes")
    after = (state.view(1), state.news(1))
    assert before[1] == after[1]
    assert before[0]["zones"] == after[0]["zones"]
    state.apply(0, "choose no")
    state.apply(1, "choose yes")
    assert state.view(None)["attributes"]["coins"] == {"0": 0, "1": 1, "2": 1}
    told = [entry for entry in state.news(1) if entry["event"] == "chose"]
    assert [entry.get("value") for entry in told] == [None, "yes", None]


def test_an_ordered_pick_takes_every_order_of_what_is_there(book: kernel.Rulebook) -> None:
    state = book.position(2, {"hand": {0: ["order"]}, "pile": ["till", "stop", "gift"]})
    state.apply(0, "play order")
    passed(state)
    assert len(state.legal(0)) == 6
    for text in ("choose random", "choose till,till,gift", "choose till"):
        with pytest.raises(kernel.GameError):
            state.apply(0, text)


def test_who_leaves_is_no_longer_asked_and_their_act_is_gone(book: kernel.Rulebook) -> None:
    state = book.position(3, {"hand": {0: ["till"], 1: ["stop"]}, "pile": ["stop"]})
    state.apply(0, "play till")
    state.leave(0)
    passed(state)
    assert state.view(1)["attributes"]["coins"]["0"] == 0
    assert state.waiting.players == (1,)
    assert state.view(1)["turn"] == {"player": 1, "owed": 0, "direction": 1}
    with pytest.raises(kernel.IllegalAction):
        state.leave(0)


def test_a_victim_who_leaves_in_the_window_makes_the_act_fizzle(book: kernel.Rulebook) -> None:
    state = book.position(3, {"hand": {0: ["gift"], 1: ["till"]}, "pile": ["stop"]})
    state.apply(0, "play gift victim=1")
    state.leave(1)
    passed(state)
    assert state.waiting.players == (0,)
    assert "fizzled" in [entry["event"] for entry in state.news(2)]


def test_a_giver_who_leaves_over_the_question_answers_by_chance(book: kernel.Rulebook) -> None:
    state = book.position(3, {"hand": {0: ["gift"], 1: ["till", "stop"]}, "pile": ["stop"]})
    state.apply(0, "play gift victim=1")
    passed(state)
    assert state.waiting.players == (1,)
    state.leave(1)
    assert state.waiting.players == (0,)
    assert not state.problems()


def test_the_last_to_stay_wins_at_once(book: kernel.Rulebook) -> None:
    state = book.position(2, {"hand": {0: ["gift"], 1: ["till", "stop"]}, "pile": ["stop"]})
    state.apply(0, "play gift victim=1")
    passed(state)
    state.leave(0)
    while not state.over:
        state.close()
    assert state.winners == (1,)
    assert len(state.legal(1)) == 0
    with pytest.raises(kernel.IllegalAction) as caught:
        state.apply(1, "draw")
    assert caught.value.code == "over"


def test_the_clock_takes_the_documented_default(book: kernel.Rulebook) -> None:
    state = book.position(2, {"hand": {0: ["till"]}, "pile": ["stop", "stop"]})
    state.apply(0, "play till")
    state.close()
    assert state.view(0)["attributes"]["coins"]["0"] == 2
    state.close()
    assert state.waiting.players == (1,)
    assert state.history()[-1] == {"close": None}
    with pytest.raises(kernel.IllegalAction):
        state.close(0)


def test_whoever_asks_at_whatever_time_gets_a_sequence(book: kernel.Rulebook) -> None:
    state = book.new(players=3, seed=2)
    for _ in range(30):
        for who in (-1, 0, 1, 2, 3, 99):
            assert len(list(state.legal(who))) == len(state.legal(who))
        if state.over:
            break
        player = state.waiting.players[0]
        state.apply(player, state.legal(player)[-1])


def test_actions_are_values(book: kernel.Rulebook) -> None:
    state = book.position(2, {"hand": {0: ["gift"], 1: ["till"]}})
    one, two = state.legal(0)[0], state.copy().legal(0)[0]
    assert one == two
    assert hash(one) == hash(two)
    assert len({one, two, *state.legal(0)}) == len(state.legal(0))
    state.copy().apply(0, two)
    assert one in state.legal(0)
    assert "draw" in state.legal(0)
    assert "xyzzy" not in state.legal(0)


def test_that_a_player_has_left_can_be_followed(tmp_path: Path) -> None:
    heir = (
        'when: {event: leave, in: table, if: event.player != you, do: "pay you coins: 1 + count(event.player.hand)"}\n'
    )
    state = load(tmp_path, {**CARDS, "heir": heir}).position(
        3, {"hand": {1: ["till", "stop"]}, "table": {0: ["heir"], 1: ["heir"], 2: ["heir"]}}
    )
    state.leave(1)
    assert state.view(0)["dead"] == [1]  # the game's own program has run before
    assert state.view(0)["attributes"]["coins"] == {"0": 3, "1": 0, "2": 3}
    assert state.waiting.players == (0,)
    state.leave(2)
    assert state.view(0)["attributes"]["coins"]["0"] == 3 + 1
    again = load(tmp_path, {**CARDS, "heir": heir}).position(3, {"table": {0: ["heir"]}})
    again.leave(0)  # whoever is on turn goes too: the next one is asked
    assert again.waiting.players == (1,)
