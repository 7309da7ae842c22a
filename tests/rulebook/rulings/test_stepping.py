"""How steps are taken: as things stand, else after everybody has passed; what needs no answer is answered."""

from __future__ import annotations

import pytest

from rulebook.rulings import stepping
from tests.rulebook.rulings.tea import fails, holds


def test_step_that_is_legal_is_taken_as_things_stand() -> None:
    outcome = holds("""
        given: {hand: {0: [peek], 1: [mop]}, draw_pile: [cup, cup]}
        steps:
          - 0: play peek
          - 1: play mop
        then: [count(discard) == 2]
    """)
    assert outcome.journal[:2] == ("0: play peek", "1: play mop")


def test_everybody_passes_until_the_step_is_legal() -> None:
    outcome = holds("""
        given: {hand: {0: [peek], 1: [mop]}, draw_pile: [cup, cup]}
        steps:
          - 0: play peek
          - 0: draw
        then: ['ids(player(1).hand) == ["mop"]', turn_of == player(1)]
    """)
    assert outcome.journal == ("0: play peek", "everybody passes", "0: draw")


def test_windows_are_passed_one_after_the_other() -> None:
    outcome = holds("""
        given: {hand: {0: [peek, mop], 1: [mop]}, draw_pile: [cup, cup]}
        steps:
          - 0: play peek
          - 1: play mop
          - 0: play mop
          - 0: draw
        then: [count(discard) == 3]
        sees: [{player: 0, zone: hand, cards: [cup]}]
    """)
    assert "everybody passes" in outcome.journal


def test_player_can_pass_by_name() -> None:
    failure = fails("""
        given: {hand: {0: [peek], 1: [mop]}, draw_pile: [cup, cup]}
        steps:
          - 0: play peek
          - 1: pass
          - 1: play mop
    """)
    assert failure.message == "`1: play mop` is refused"


def test_all_pass_closes_the_window_and_nothing_more() -> None:
    holds("""
        given: {hand: {0: [peek], 1: [mop]}, draw_pile: [cup, cup]}
        steps:
          - 0: play peek
          - all: pass
          - during: asked == [player(0)]
          - all: pass
          - during: turn_of == player(0)
    """)


def test_answer_without_alternative_can_be_left_out_before_a_step() -> None:
    outcome = holds("""
        given: {hand: {0: [gift], 1: [cup, cup]}, draw_pile: [mop, mop]}
        steps:
          - 0: play gift
          - 0: draw
        then: [count(player(0).hand) == 2]
    """)
    assert "1: choose cup (no alternative)" in outcome.journal


def test_answer_with_alternatives_cannot_be_left_out() -> None:
    failure = fails("""
        given: {hand: {0: [gift], 1: [cup, mop]}, draw_pile: [mop, mop]}
        steps:
          - 0: play gift
          - 0: draw
    """)
    assert failure.message == "`0: draw` is refused"
    assert "legal for player 0: nothing" in failure.details
    assert "asked (pick): 1" in failure.details


def test_then_answers_what_has_no_alternative() -> None:
    holds("""
        given: {hand: {0: [gift], 1: [cup]}, draw_pile: [mop, mop]}
        steps: [0: play gift]
        then: [count(player(1).hand) == 0]
    """)


def test_expect_leaves_an_answer_to_the_step_that_gives_it() -> None:
    holds("""
        players: 3
        given: {hand: {0: [spill, cup], 1: [cup], 2: [mop]}, draw_pile: [cup, cup]}
        steps:
          - 0: play spill
          - expect: asked == [player(1), player(2)]
          - 2: choose mop
          - 1: choose cup
        then: [count(discard) == 4]
    """)


def test_during_lets_nobody_pass() -> None:
    holds("""
        given: {hand: {0: [peek], 1: [mop]}, draw_pile: [cup, cup]}
        steps:
          - 0: play peek
          - during: [asked == players, count(discard) == 1]
    """)
    failure = fails("""
        given: {hand: {0: [gift], 1: [cup]}, draw_pile: [cup, cup]}
        steps:
          - 0: play gift
          - during: count(player(1).hand) == 0
    """)
    assert failure.message == "during: count(player(1).hand) == 0 — does not hold"


def test_host_can_close_and_players_can_leave() -> None:
    holds("""
        players: 3
        given: {draw_pile: [cup, cup, cup, cup]}
        steps:
          - close
          - close: 1
          - 2: leave
        then: [turn_of == player(0), 'dead == [player(2)]', count(player(0).hand) == 1]
    """)


def test_closing_for_one_who_is_not_asked_fails() -> None:
    failure = fails("""
        given: {draw_pile: [cup, cup]}
        steps: [close: 1]
    """)
    assert "not_asked" in failure.message


def test_refused_step_says_why_and_what_was_legal() -> None:
    failure = fails("""
        given: {hand: {0: [peek, gift], 1: [cup]}, draw_pile: [cup, cup]}
        steps:
          - 0: draw
          - 0: play peek
    """)
    assert failure.message == "`0: play peek` is refused"
    assert failure.details[0].startswith("not_asked: ")
    assert "asked (move): 1" in failure.details
    assert failure.span.line == 6
    assert failure.journal == ("0: draw",)
    assert failure.position["turn"]["player"] == 1


def test_many_legal_actions_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stepping, "MAX_LEGAL", 2)
    failure = fails("""
        given: {hand: {0: [peek, gift, toss], 1: [cup]}, draw_pile: [cup]}
        steps: [0: play mop]
    """)
    legal = next(line for line in failure.details if line.startswith("legal for player 0: "))
    assert legal.count("·") == 1
    assert legal.endswith(" … 2 more")


def test_ambiguous_step_fails() -> None:
    failure = fails("""
        players: 3
        given: {hand: {0: [gift], 1: [cup], 2: [cup]}, draw_pile: [cup]}
        steps: [0: play gift]
    """)
    assert failure.details[0].startswith("ambiguous: ")


def test_text_that_is_no_action_fails() -> None:
    failure = fails("""
        given: {draw_pile: [cup]}
        steps: [0: dance]
    """)
    assert failure.details[0].startswith("invalid: ")
