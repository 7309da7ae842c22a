"""Lasting answers to questions, marks on players and cards, and what they let players see."""

from __future__ import annotations

from pathlib import Path

from tests.kernel.parlour import load, log, passed, play

ASK = play(
    'if safe(you):\n  note line: "safe"\nif not every(you):\n  note line: "not every"\n'
    "pay you coins: worth(you) * 100 + most(you) * 10\nfor word in calls(you):\n  note line: word"
)


def test_answers_are_joined_as_the_question_says_and_end_with_their_card(tmp_path: Path) -> None:
    cards = {
        "ask": ASK,
        "lamp": """\
while:
  - {in: table, answer: safe, if: who == you, with: "true"}
  - {in: table, answer: every, if: who == you, with: "false"}
  - {in: table, answer: worth, if: who == you, with: "3"}
  - {in: table, answer: most, if: who == you, with: "4"}
  - {in: table, answer: calls, if: who == you, with: '["lamp"]'}
""",
    }
    book = load(tmp_path, cards)
    with_two = book.position(2, {"hand": {0: ["ask"]}, "table": {0: ["lamp", "lamp"]}})
    with_two.apply(0, "play ask")
    assert log(with_two) == ["safe", "not every", "lamp", "self"]
    assert with_two.view(0)["attributes"]["coins"]["0"] == 740
    elsewhere = book.position(2, {"hand": {0: ["ask"]}, "table": {1: ["lamp"]}})
    elsewhere.apply(0, "play ask")
    assert log(elsewhere) == ["self"]
    assert elsewhere.view(0)["attributes"]["coins"]["0"] == 110


def test_a_mark_on_a_player_answers_until_it_is_lifted(tmp_path: Path) -> None:
    cards = {
        "bless": play("lay blessed on: victim\nlay blessed on: victim", "  choose: {victim: players}\n"),
        "damn": play("lift blessed from: victim", "  choose: {victim: players}\n"),
        "ask": play("pay you coins: 1 if safe(player(1)) else 10"),
        "blessed": 'mark: Blessed\nwhile: {answer: safe, if: who == you, with: "true"}\n',
    }
    state = load(tmp_path, cards).position(2, {"hand": {0: ["bless", "ask", "damn", "ask", "bless", "ask"]}})
    state.apply(0, "play bless victim=1")
    assert state.view(None)["zones"]["marks"] == {"0": [], "1": ["blessed"]}
    for action in ("play ask", "play damn victim=1", "play ask", "play bless victim=1", "play ask"):
        state.apply(0, action)
    assert state.view(0)["attributes"]["coins"]["0"] == 1 + 10 + 1
    assert not state.problems()


def test_a_mark_on_a_card_shows_it_to_others_and_falls_off_when_it_changes_hands(tmp_path: Path) -> None:
    cards = {
        "pin": play("pick card from: victim.hand by: chance\nlay pinned on: card", "  choose: {victim: others}\n"),
        "take": play(
            "move first(victim.hand) to: hand", "  choose: {victim: others where any(it.hand)}\n  if: any(pile)\n"
        ).replace(
            "    move first(victim.hand) to: hand", "    if any(victim.hand):\n      move first(victim.hand) to: hand"
        ),
        "tea": "text: nothing\n",
        "pinned": 'mark: Pinned\nwhile: {answer: shows, if: card == self and viewer != owner(self), with: "true"}\n',
    }
    book = load(tmp_path, cards)
    state = book.position(3, {"hand": {0: ["pin", "take"], 1: ["tea"]}, "pile": ["tea"]})
    state.apply(0, "play pin victim=1")
    assert state.view(2)["zones"]["hand"]["1"] == ["tea(pinned)"]
    state.apply(0, "play take victim=1")
    assert state.view(0)["zones"]["hand"]["0"] == ["tea"]
    assert state.view(2)["zones"]["hand"]["0"] == ["tea"]  # everybody saw which card it was
    assert not state.problems()


def test_what_is_hidden_from_its_owner_is_not_offered_by_name(tmp_path: Path) -> None:
    cards = {
        "till": play("pay you coins: 2"),
        "fog": play("lay lost on: victim\nshuffle victim.hand", "  choose: {victim: others}\n"),
        "lost": 'mark: Lost\nwhile: {answer: hides, if: viewer == you and owner(card) == you, with: "true"}\n',
    }
    state = load(tmp_path, cards).position(2, {"hand": {0: ["fog"], 1: ["till", "fog"]}, "pile": ["till"]})
    state.apply(0, "play fog victim=1")
    passed(state)
    state.apply(0, "draw")
    assert state.view(1)["zones"]["hand"]["1"] == ["unknown", "unknown"]
    assert [str(action) for action in state.legal(1)] == ["draw"]
