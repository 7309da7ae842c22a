"""What a game file says must mean something: keys that say nothing where they stand, and doubles, are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rulebook.lang.small import GAME, faults, load, program

DRAW = 'moves:\n  draw: {do: "move top(pile, 1) to: hand", default: true}\n'
POUR = "  pour: {needs: {who: player, cups: number},"


def game(old: str, new: str) -> str:
    assert old in GAME
    return GAME.replace(old, new)


FAULTS = [
    (game(DRAW, DRAW + "  sip: {to: target is sweet, do: shuffle pile}\n"), "RB443", "only a response"),
    (game(DRAW, DRAW + "  sip: {at: now, to: target is sweet, do: shuffle pile}\n"), "RB443", "only a response"),
    (game(DRAW, DRAW + "  sip: {at: response, do: cancel target}\n"), "RB422", "what acts it answers"),
    (game(DRAW, DRAW + "  sip: {default: true, do: shuffle pile}\n"), "RB423", "`draw` and `sip`"),
    (game(DRAW, DRAW + "  sip: {at: response, to: true, default: true, do: cancel target}\n"), "RB443", "on turn"),
    (game(POUR, POUR + " by: who,"), "RB443", "`by:`"),
    (game(POUR, POUR + " timeout: respond,"), "RB443", "`timeout:`"),
    (game(POUR, POUR + " tags: [sweet],"), "RB443", "`tags:`"),
    (game("answer: flag, default: any(who.hand)", "answer: zone, default: who.hand"), "RB419", "a zone"),
    (game("answer: flag, default: any(who.hand)", "answer: act, default: who.hand"), "RB419", "an act"),
    (game("start: 0, see: all}}", "start: 0}}"), "RB201", "`see`"),
    (game("start: 0, see: all}}", "start: none, see: all}}"), "RB420", "`none`"),
    (game(DRAW, DRAW + "  sip: {choose: {some: 'sets(hand, 1, 1)'}, do: shuffle pile}\n"), "RB451", "groups"),
    (game(DRAW, DRAW + "  sip: {cards: {from: [hand, pile], count: 1}, do: shuffle pile}\n"), "RB202", "a list"),
    (GAME + "never: [{kind: tea, in: box, unless: you in dead}]\n", "RB441", "`you`"),
    (GAME + "never: [{kind: tea, in: box, unless: any(hand)}]\n", "RB441", "`hand`"),
]


@pytest.mark.parametrize(("text", "code", "word"), FAULTS, ids=[f"{row[1]} {row[2]}" for row in FAULTS])
def test_a_game_file_that_says_what_means_nothing_is_refused(text: str, code: str, word: str, tmp_path: Path) -> None:
    found = faults(tmp_path, game=text)
    assert [item.code for item in found] == [code], [str(item) for item in found]
    assert word in found[0].message
    assert found[0].span is not None
    assert found[0].hint


def test_who_holds_the_card_may_decide_whether_it_can_be(tmp_path: Path) -> None:
    assert faults(tmp_path, game=GAME + "never: [{kind: tea, in: hand, unless: you in dead}]\n") == []


@pytest.mark.parametrize(
    ("choice", "code"),
    [("{from: others, or: you}", "RB203"), ("{from: others, or: 3}", "RB203"), ("{from: others, type: card}", "RB200")],
)
def test_a_choice_says_only_what_is_read(choice: str, code: str, tmp_path: Path) -> None:
    tea = f"play: {{at: turn, choose: {{who: {choice}}}, do: shuffle pile}}\n"
    assert [item.code for item in faults(tmp_path, tea)] == [code]


def test_a_response_to_every_act_says_so(tmp_path: Path) -> None:
    tea = "play: {at: response, to: true, do: cancel target}\n"
    assert faults(tmp_path, tea) == []
    missing = faults(tmp_path, tea.replace("to: true, ", ""))
    assert [item.code for item in missing] == ["RB422"]
    assert "`to: true`" in missing[0].hint


def test_cards_of_a_move_are_unknown_where_it_is_found_out_who_is_asked(tmp_path: Path) -> None:
    move = "  sip: {at: response, to: count(cards) > 1, cards: {from: hand, count: 2}, do: cancel target}\n"
    assert [item.code for item in faults(tmp_path, game=game(DRAW, DRAW + move))] == ["RB410"]


def test_nobody_is_asked_about_a_move_without_a_window(tmp_path: Path) -> None:
    tea = "play: {at: response, to: true, do: cancel target}\n"
    asked = []
    for window in ("true", "false"):
        folder = tmp_path / window
        book = load(folder, tea, game("default: true}", f"default: true, window: {window}}}"))
        state = book.position(2, {"pile": ["cake", "cake"], "hand": {0: ["tea"], 1: ["tea"]}})
        state.apply(0, "draw")
        asked.append((state.asked, len(state.view(0)["zones"]["pile"])))
    assert asked == [("window", 2), ("move", 1)]


def test_what_lies_in_a_zone_is_uncertain_after_a_verb_whoever_names_the_zone(tmp_path: Path) -> None:
    for zone, event in (("event.to", "move"), ("event.zone", "shuffle")):
        text = f"when: {{event: {event}, in: table, do: 'DO'}}\n"
        sure = text.replace("'DO'", f'"if any({zone}):\\n  move first({zone}) to: box"')
        unsure = text.replace(
            "'DO'", f'"if any({zone}):\\n  move first({zone}) to: box\\n  move first({zone}) to: box"'
        )
        assert faults(tmp_path, sure) == []
        assert [item.code for item in faults(tmp_path, unsure)] == ["RB421"]


def test_a_name_that_is_nowhere_is_told_once(tmp_path: Path) -> None:
    found = faults(tmp_path, program("set pot = cups\nif cups > 2:\n  set pot = cups + mugs"))
    assert [item.message for item in found] == [
        "there is nothing called `cups` here (and 2 more)",
        "there is nothing called `mugs` here",
    ]


def test_a_zone_under_another_name_can_be_given_as_cards(tmp_path: Path) -> None:
    found = faults(tmp_path, program("let x = hand\nlet x = x where it is sweet\nmove x to: box"))
    assert [item.code for item in found] == ["RB420"]
    assert "`let x = ZONE + []`" in found[0].hint
    assert faults(tmp_path, program("let x = hand + []\nlet x = x where it is sweet\nmove x to: box")) == []


@pytest.mark.parametrize("word", ["else if", "elseif", "elsif"])
def test_other_words_for_elif_are_answered_with_it(word: str, tmp_path: Path) -> None:
    found = faults(tmp_path, program(f"if any(hand):\n  stop\n{word} any(pile):\n  stop"))
    assert [item.code for item in found] == ["RB401"]
    assert found[0].hint == "write `elif`"
