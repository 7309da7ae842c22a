"""`play CARD` and `can_play`, what a verb does whose time is up, and answers of which the first counts."""

from __future__ import annotations

from pathlib import Path

import pytest

import kernel
from tests.kernel.parlour import GAME, load, log, passed, play

TILL = play("pay you coins: 2")
STOP = "play: {at: response, to: 'target is not quiet', do: cancel target}\n"
GIFT = play("pay victim coins: 1", "  choose: {victim: others, thanks: '[1, 2]'}\n")
BLIND = play("if any(hand):\n  play first(hand)")
PICKY = play(
    "for card in hand:\n  if can_play(card):\n    note line: combined(id(card), \"can\")\n"
    "  else:\n    note line: combined(id(card), \"cannot\")"
)  # fmt: skip
CARDS = {
    "till": TILL,
    "stop": STOP,
    "gift": GIFT,
    "blind": BLIND,
    "picky": PICKY,
    "poor": play("pay you coins: 9", "  if: you.coins < 0\n"),
    "lone": play("pay victim coins: 1", "  choose: {victim: dead}\n"),
    "mute": "text: nothing\n",
}


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> kernel.Rulebook:
    return load(tmp_path_factory.mktemp("game"), CARDS)


def coins(state: kernel.State) -> dict[str, int]:
    found: dict[str, int] = state.view(0)["attributes"]["coins"]
    return found


def test_a_card_played_from_a_program_is_an_act_that_may_be_answered(book: kernel.Rulebook) -> None:
    state = book.position(2, {"hand": {0: ["blind", "till"], 1: ["stop", "stop"]}})
    state.apply(0, "play blind")
    state.apply(0, "pass")
    state.apply(1, "pass")
    assert [act["text"] for act in state.view(1)["acts"]] == ["play blind", "play till"]
    answered = state.copy()
    passed(state)
    assert coins(state)["0"] == 2
    assert sorted(state.view(0)["zones"]["discard"]) == ["blind", "till"]
    answered.apply(1, "play stop")
    passed(answered)
    assert coins(answered)["0"] == 0
    assert answered.view(0)["zones"]["discard"] == ["stop", "till", "blind"]


def test_what_the_card_announces_is_asked_one_after_the_other(book: kernel.Rulebook) -> None:
    state = book.position(3, {"hand": {0: ["blind", "gift"]}})
    state.apply(0, "play blind")
    passed(state)
    assert state.asked == "pick"
    assert [str(action) for action in state.legal(0)] == ["choose 1", "choose 2"]
    assert state.view(1)["asked"] == [0]
    state.apply(0, "choose 2")
    again = book.restore(state.dump())
    for one in (state, again):
        one.apply(0, "choose 1")
        assert one.view(2)["acts"][-1]["text"] == "play gift victim=2 thanks=1"
        passed(one)
        assert coins(one) == {"0": 0, "1": 0, "2": 1}
    assert state.digest == again.digest


@pytest.mark.parametrize("card", ["poor", "lone", "mute", "stop"])
def test_who_plays_what_cannot_be_played_without_asking_first_is_told_so(book: kernel.Rulebook, card: str) -> None:
    state = book.position(2, {"hand": {0: ["blind", card]}})
    state.apply(0, "play blind")
    state.apply(0, "pass")
    digest = state.digest
    with pytest.raises(kernel.CardError, match="ask `can_play` first") as caught:
        state.apply(1, "pass")
    assert (caught.value.file, caught.value.card) == ("parlour/base/blind.yaml", "blind")
    assert state.digest == digest


def test_whether_a_card_can_be_played_is_what_legal_says_of_it(book: kernel.Rulebook) -> None:
    hand = ["gift", "lone", "mute", "poor", "stop", "till"]
    state = book.position(2, {"hand": {0: ["picky", *hand]}})
    legal = {str(action).split()[1] for action in state.legal(0) if str(action).startswith("play")}
    state.apply(0, "play picky")
    passed(state)
    told = dict(line.split() for line in log(state))
    assert set(told) == set(hand)
    assert {card for card, word in told.items() if word == "can"} == legal - {"picky"}


RESPOND = GAME.replace(
    "moves:\n",
    "  robbery:\n    needs: {victim: player}\n    window: true\n    by: victim\n    TIMEOUT\n    do: |\n"
    "      pay victim coins: 0 - 3\nmoves:\n",
)
HEIST = {
    "heist": play("robbery victim", "  choose: {victim: others}\n  tags: [quiet]\n"),
    "shield": "play: {at: response, to: 'target.kind == \"robbery\" and target.by == you', do: cancel target}\n",
}


@pytest.mark.parametrize(("timeout", "left"), [("", -3), ("timeout: pass", -3), ("timeout: respond", 0)])
def test_whose_time_is_up_answers_if_the_verb_says_so(timeout: str, left: int, tmp_path: Path) -> None:
    book = load(tmp_path, HEIST, game=RESPOND.replace("    TIMEOUT\n", f"    {timeout}\n" if timeout else ""))
    state = book.position(2, {"hand": {0: ["heist"], 1: ["shield"]}})
    state.apply(0, "play heist victim=1")
    assert state.view(1)["acts"][-1]["text"] == "robbery"
    state.close()
    assert coins(state)["1"] == left
    assert state.view(1)["zones"]["hand"]["1"] == ([] if left == 0 else ["shield"])


def test_whose_time_is_up_passes_where_there_is_no_answer(tmp_path: Path) -> None:
    book = load(tmp_path, HEIST, game=RESPOND.replace("TIMEOUT", "timeout: respond"))
    state = book.position(2, {"hand": {0: ["heist"], 1: ["heist"]}})
    state.apply(0, "play heist victim=1")
    state.close()
    assert coins(state)["1"] == -3


FIRST = GAME.replace(
    "questions:\n",
    "questions:\n  colour: {about: {who: player}, answer: word, join: first, default: '\"grey\"'}\n"
    "  size: {about: {who: player}, answer: number, join: first, default: 7}\n",
)


def test_of_several_answers_the_first_counts_and_the_default_where_nobody_answers(tmp_path: Path) -> None:
    say = play("note line: colour(you)\nif size(you) == 7:\n  note line: \"seven\"")  # fmt: skip
    paint = 'while: {in: table, answer: colour, if: who != owner(self), with: "\\"%s\\""}\n'
    cards = {
        "say": say,
        "red": paint % "red",
        "blue": paint % "blue",
        "small": "while: {in: table, answer: size, with: 1}\n",
    }
    book = load(tmp_path, cards, game=FIRST)
    answers = {}
    for name, table in {
        "nobody": {},
        "own": {0: ["red"]},
        "one": {1: ["red"]},
        "seats": {1: ["red"], 2: ["blue"]},
        "seats round": {1: ["blue"], 2: ["red"]},
        "alike": {1: ["red", "blue"]},
        "small": {2: ["small"]},
    }.items():
        state = book.position(3, {"hand": {0: ["say"]}, "table": table})
        state.apply(0, "play say")
        passed(state)
        answers[name] = log(state)
    assert answers["nobody"] == answers["own"] == ["grey", "seven"]
    assert answers["one"] == ["red", "seven"]
    assert answers["small"] == ["grey"]
    for name in ("seats", "seats round", "alike"):
        assert answers[name] == ["blue", "seven"], "the kind whose id comes first is heard, wherever it lies"
