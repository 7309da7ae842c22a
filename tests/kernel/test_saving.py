"""Dumps and copies at every kind of open question, hostile dumps and books."""

from __future__ import annotations

import copy
import json
import pickle
import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import kernel
from tests.kernel.parlour import load, play
from tests.kernel.questions import QUESTIONS, at_question, make, transcript
from tests.kernel.refusals import COMPILED, REFUSED


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> kernel.Rulebook:
    return make(tmp_path_factory.mktemp("game"))


@pytest.mark.parametrize("question", QUESTIONS)
def test_dump_and_restore_go_on_exactly_as_the_original(book: kernel.Rulebook, question: str) -> None:
    state = at_question(book, question)
    text = json.dumps(state.dump())
    again = book.restore(json.loads(text))
    assert again.digest == state.digest
    assert json.dumps(again.dump()) == text
    assert [list(again.legal(p)) for p in range(3)] == [list(state.legal(p)) for p in range(3)]
    assert transcript(again) == transcript(state)


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_copy_goes_its_own_way(book: kernel.Rulebook, question: str) -> None:
    state = at_question(book, question)
    before = (state.digest, [state.view(p) for p in range(3)], state.history(), state.news(0))
    ways = [transcript(one) for one in (state.copy(), copy.copy(state), copy.deepcopy(state))]
    assert ways[0] == ways[1] == ways[2]
    assert (state.digest, [state.view(p) for p in range(3)], state.history(), state.news(0)) == before
    assert transcript(state) == ways[0]


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_refused_action_changes_nothing_at_any_question(book: kernel.Rulebook, question: str) -> None:
    state = at_question(book, question)
    before = (json.dumps(state.dump()), state.version, state.history())
    for player in (0, 1, 2, -1, 3, True, None, "0", 1.0):
        for action in ("", "play", "pass at=1", "choose", "choose nothing", "play play", "\x00", "x" * 9999, 7, None):
            with pytest.raises(REFUSED):
                state.apply(player, action)  # type: ignore[arg-type]
            if isinstance(player, int) or not COMPILED:
                state.legal(player)  # type: ignore[arg-type]
    assert (json.dumps(state.dump()), state.version, state.history()) == before


def paths(data: Any, here: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The places of all values inside."""
    found = [here] if here else []
    for key, value in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        found += paths(value, (*here, key))
    return found


JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 20),
    st.sampled_from([10**30, -(10**30), 1.5, "", "hand", "zzz", [], {}, [[]], [0, 0, 0], {"a": 1}, [None] * 9]),
)


def spoiled(data: Any, draw: Callable[[Any], Any], times: int) -> Any:
    """The data with some of its values exchanged, doubled or taken out."""
    data = json.loads(json.dumps(data))
    for _ in range(times):
        places = paths(data)
        *way, last = places[draw(st.integers(0, len(places) - 1))]
        inside = data
        for step in way:
            inside = inside[step]
        what = draw(st.sampled_from(["junk", "junk", "number", "gone", "double"]))
        if what == "gone":
            del inside[last]
        elif what == "double" and isinstance(inside, list):
            inside.insert(last, json.loads(json.dumps(inside[last])))
        elif what == "number" and type(inside[last]) is int:
            inside[last] += draw(st.sampled_from([-2, -1, 1, 2]))
        else:
            inside[last] = json.loads(json.dumps(draw(JUNK)))  # never the very object, which the next step may change
    return data


HOSTILE = settings(
    max_examples=200,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@given(data=st.data())
@HOSTILE
def test_a_spoiled_dump_is_refused_or_works(book: kernel.Rulebook, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(QUESTIONS)))
    dump = spoiled(at_question(book, name).dump(), data.draw, data.draw(st.integers(1, 3)))
    try:
        state = book.restore(dump)
    except kernel.RestoreError:
        return
    try:
        for viewer in (0, 1, 2, None):
            json.dumps([state.view(viewer), state.news(viewer)])
        transcript(state, most=8)
    except kernel.EngineError as error:
        pytest.fail(f"a dump that cannot be was taken for a state: {error}")
    except kernel.GameError:
        pass  # a position that the rules cannot go on from: a typed error, and the process goes on


Damage = Callable[[dict[str, Any]], None]
DAMAGES: dict[str, tuple[str, Damage]] = {
    "an attribute of another type": ("move", lambda d: d["game_attributes"].__setitem__(0, 3)),
    "a player's attribute of another type": ("move", lambda d: d["player_attributes"].__setitem__(0, "much")),
    "an act without its frame": ("window", lambda d: d["frames"].pop()),
    "a frame without its act": ("window", lambda d: d["acts"].clear()),
    "a frame that stands there twice": ("pick", lambda d: d["frames"].append(d["frames"][-1])),
    "a pick that is not there": ("move", lambda d: d["ask"].__setitem__(0, 3)),
    "a window that is not there": ("move", lambda d: d["ask"].__setitem__(0, 2)),
    "nobody asked": ("move", lambda d: d["ask"].__setitem__(1, 0)),
    "answers of others than play": ("everybody's pick", lambda d: d["frames"][-1][2].__setitem__(0, [None, None])),
    "an act with cards that it does not take": ("window", lambda d: d["acts"][-1].__setitem__(3, [])),
    "an act as what it is not": ("window", lambda d: d["acts"][-1].__setitem__(9, "tea")),
    "an act with a choice that is none": ("pick", lambda d: d["acts"][-1][4].__setitem__(0, "you")),
    "a move that is not offered": ("pick", lambda d: d["ask"].__setitem__(0, 1)),
    "a window of an act that has not come so far": ("window", lambda d: d["frames"][-1].__setitem__(1, 1)),
    "a card in two places": ("move", lambda d: d["zones"][0].append(d["zones"][0][0])),
    "a card nowhere": ("move", lambda d: d["zones"][0].pop()),
    "an act with a number not given yet": ("window", lambda d: d.__setitem__("act_count", 0)),
    "an operation that is not there": ("pick", lambda d: d["frames"][-1].__setitem__(1, 999)),
    "too few variables": ("pick", lambda d: d["frames"][-1].__setitem__(2, [])),
    "a value that goes too deep": ("pick", lambda d: d["frames"][-1].__setitem__(2, [[[[[[[[[[[[[[[]]]]]]]]]]]]]]])),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_a_dump_that_no_game_could_leave_is_refused(book: kernel.Rulebook, name: str) -> None:
    question, damage = DAMAGES[name]
    dump = json.loads(json.dumps(at_question(book, question).dump()))
    book.restore(dump)
    damage(dump)
    with pytest.raises(kernel.RestoreError, match=r"the saved game is broken|a saved value"):
        book.restore(dump)


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_state_survives_pickle(book: kernel.Rulebook, question: str) -> None:
    state = at_question(book, question)
    transcript(state.copy())  # whatever the book has made of what it plays
    again, copy = pickle.loads(pickle.dumps([state, state.copy()]))
    assert again.dump() == copy.dump() == state.dump()
    assert again.book is copy.book
    assert transcript(again) == transcript(state)


@pytest.mark.parametrize("data", [None, 3, "x", [], {}, {"format": 1}, {"format": True}, {"format": "1"}])
def test_what_is_no_dump_is_refused(book: kernel.Rulebook, data: Any) -> None:
    with pytest.raises(kernel.RestoreError):
        book.restore(data)


def test_a_dump_of_a_newer_format_or_of_other_rules_says_so(
    book: kernel.Rulebook, tmp_path_factory: pytest.TempPathFactory
) -> None:
    dump = at_question(book, "move").dump()
    with pytest.raises(kernel.RestoreError, match="reads up to") as newer:
        book.restore({**dump, "format": dump["format"] + 1})
    assert newer.value.code == "format"
    other = load(tmp_path_factory.mktemp("other"), {"till": play("pay you coins: 3")})
    with pytest.raises(kernel.RestoreError, match="other rules") as foreign:
        other.restore(dump)
    assert foreign.value.code == "book"


@given(data=st.data())
@HOSTILE
def test_a_spoiled_book_is_refused_or_works(book: kernel.Rulebook, data: st.DataObject) -> None:
    text = json.dumps(spoiled(book.data, data.draw, data.draw(st.integers(1, 2))))
    try:
        other = kernel.Rulebook.from_json(text)
    except kernel.RestoreError:
        return
    try:
        transcript(other.new(players=2, seed=1), most=6)
    except kernel.GameError:
        pass  # types are the compiler's business: what it did not make may break, but as a typed error


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "1", '"x"', "{}", '{"format": 1}', "[" * 100_000, "NaN"])
def test_what_is_no_book_is_refused(text: str) -> None:
    with pytest.raises(kernel.RestoreError):
        kernel.Rulebook.from_json(text)


def test_a_book_is_the_same_book_when_it_is_read_back(book: kernel.Rulebook) -> None:
    again = kernel.Rulebook.from_json(json.dumps(book.data))
    assert again.digest == book.digest
    assert transcript(again.new(players=3, seed=9)) == transcript(book.new(players=3, seed=9))


def test_no_other_generator_and_no_other_game_changes_the_course(book: kernel.Rulebook) -> None:
    def run(disturb: bool) -> list[str]:
        state, other = book.new(players=3, seed=6), book.new(players=3, seed=7)
        found = []
        for turn in range(40):
            if disturb:
                random.seed(turn)
                if not other.over:
                    other.close()
            if state.over:
                break
            player = state.waiting.players[0]
            legal = state.legal(player)
            state.apply(player, legal[turn * 3 % len(legal)])
            found.append(state.digest)
        return found

    assert run(False) == run(True)
