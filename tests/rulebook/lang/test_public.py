"""Who is asked must follow from what everybody can know: what `to`, `now` and `can_act` may look at."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rulebook.lang.small import GAME, faults

GAME_WITH_SECRETS = (
    GAME.replace(
        "player: {coins: {type: number, start: 0, see: all}}",
        "player: {coins: {type: number, start: 0, see: all}, goal: {type: number, start: 0, see: owner}}",
    )
    .replace("start: 0}}\nfields", "start: 0}, fee: {type: number, start: 0, see: all}}\nfields")
    .replace("setup: |\n", "announce: |\n  move cards to: table\nsetup: |\n")
    .replace("questions:\n", "questions:\n  rich: {about: {who: player}, answer: flag, default: 'who.coins > 3'}\n"
             "  sweet_hand: {about: {who: player}, answer: flag, default: 'any(who.hand where it is sweet)'}\n"
             "  drunk: {about: {who: player}, answer: flag, default: 'false'}\n")
)  # fmt: skip


def response(to: str) -> str:
    return f"tags: [sweet]\nplay:\n  at: response\n  to: >-\n    {to}\n  do: cancel target\n"


OPEN = [
    "target is sweet",
    'target.kind == "play" and target.by != you',
    'target.kind == "spill" and target.who == you',
    'target.kind == "play" and target.card is sweet',
    "count(you.hand) > 3 and any(pile)",
    "any(you.table where it is sweet)",
    "id(first(you.table)) == \"cake\" if any(you.table) else false",
    "you.coins > 1 and fee == 0 and you is wet",
    "rich(you) and safe(you)",
    "any(others where count(it.hand) > 2 and it.coins == 0)",
    "turn_of == you and turns_owed < 2",
    "first(pile) is set",
    "sum(others, count(it.hand)) > 3",
]  # fmt: skip


@pytest.mark.parametrize("to", OPEN)
def test_what_everybody_sees_may_decide_who_is_asked(to: str, tmp_path: Path) -> None:
    assert [str(item) for item in faults(tmp_path, response(to), GAME_WITH_SECRETS)] == []


HIDDEN = [
    ("any(you.hand where it is sweet)", "it is sweet", "`sweet`"),
    ("count(you.hand) > 1 and any(hand where id(it) == \"cake\")", "id(it)", "kind"),
    ("any(hand) and first(hand) is sweet", "first(hand) is sweet", "`sweet`"),
    ("any(pile) and id(first(pile)) == \"cake\"", "id(first(pile))", "kind"),
    ("\"cake\" in ids(hand)", "ids(hand)", "kinds"),
    ("sum(hand, 1 if it.up else 0) > 2", "it.up", "`up`"),
    ("any(table) and first(table) in hand", "first(table) in hand", "which card"),
    ("count(hand - table) > 2", "hand - table", "which card"),
    ("you.goal > 2", "you.goal", "`goal`"),
    ("pot > 2", "pot", "see: all"),
    ("sweet_hand(you)", "sweet_hand(you)", "`sweet_hand`"),
    ("any(living where sweet_hand(it))", "sweet_hand(it)", "`sweet_hand`"),
    ("target.kind == \"spill\" and target.card is sweet", "target.card is sweet", "`sweet`"),
    ("any(hand where can_play(it))", "can_play(it)", "play"),
]  # fmt: skip


@pytest.mark.parametrize(("to", "part", "word"), HIDDEN, ids=[row[0] for row in HIDDEN])
def test_what_only_some_see_may_not(to: str, part: str, word: str, tmp_path: Path) -> None:
    found = faults(tmp_path, response(to), GAME_WITH_SECRETS)
    assert [item.code for item in found] == ["RB446"], [str(item) for item in found]
    span = found[0].span
    assert span is not None
    assert word in found[0].message
    assert span.column == 5 + to.index(part)
    assert span.end_column == span.column + len(part)


def test_an_answer_from_a_hand_makes_a_question_secret(tmp_path: Path) -> None:
    answer = "while: {in: hand, answer: drunk, if: who == owner(self), with: 'true'}\n"
    found = faults(tmp_path, response("drunk(you)") + answer, GAME_WITH_SECRETS)
    assert [item.code for item in found] == ["RB446"]
    assert "`tea` gives one from `hand`" in found[0].message
    open_answer = answer.replace("hand", "table")
    assert faults(tmp_path, response("drunk(you)") + open_answer, GAME_WITH_SECRETS) == []


@pytest.mark.parametrize(
    "key", ["now: any(you.hand where it is sweet)", "can_act: players where any(it.hand where it is sweet)"]
)
def test_now_and_can_act_are_public_too(key: str, tmp_path: Path) -> None:
    assert [item.code for item in faults(tmp_path, "", f"{GAME}{key}\n")] == ["RB446"]


def test_cards_that_are_announced_face_down_tell_nothing(tmp_path: Path) -> None:
    game = GAME_WITH_SECRETS.replace("move cards to: table", "move cards to: pile")
    found = faults(tmp_path, response('target.kind == "play" and target.card is sweet'), game)
    assert [item.code for item in found] == ["RB446"]


def test_no_card_is_known_where_it_is_found_out_who_is_asked(tmp_path: Path) -> None:
    found = faults(tmp_path, response("self.up"), GAME_WITH_SECRETS)
    assert [item.code for item in found] == ["RB441"]
    assert "`if:`" in found[0].hint
