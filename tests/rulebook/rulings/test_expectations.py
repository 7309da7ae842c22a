"""Rulings that should fail do, and say what is the matter."""

from __future__ import annotations

from tests.rulebook.rulings.tea import fails, holds, outcome_of


def test_condition_that_fails_shows_its_parts() -> None:
    failure = fails("""
        given: {hand: {0: [peek, cup]}, draw_pile: [mop, cup]}
        then: [count(player(0).hand) == 1 and turn_of == player(0)]
    """)
    assert failure.message == "then: count(player(0).hand) == 1 and turn_of == player(0) — does not hold"
    lines = [" ".join(line.split()) for line in failure.details]
    assert "count(player(0).hand) = 2" in lines
    assert 'player(0).hand = ["cup", "peek"]' in lines
    assert "turn_of = player(0)" in lines
    assert failure.span.line == 4


def test_condition_on_nothing_shows_how_many_there_are() -> None:
    failure = fails("""
        given: {hand: {0: [peek, cup]}, draw_pile: [mop]}
        then: [count(player(0).hand) == 0 or count(draw_pile where it is not firm) == 0]
    """)
    lines = [" ".join(line.split()) for line in failure.details]
    assert "count(player(0).hand) = 2" in lines
    assert "count(draw_pile where it is not firm) = 1" in lines


def test_ids_are_shown_in_the_order_in_which_they_are_compared() -> None:
    failure = fails("""
        given: {hand: {0: [peek, mop, cup]}, draw_pile: [peek, mop, cup]}
        then: ['ids(player(0).hand) == ids(draw_pile)']
    """)
    lines = [" ".join(line.split()) for line in failure.details]
    assert lines == ['ids(player(0).hand) = ["cup", "mop", "peek"]', 'ids(draw_pile) = ["peek", "mop", "cup"]']


def test_condition_about_members_shows_them() -> None:
    failure = fails("""
        given: {hand: {0: [peek, cup], 1: [cup]}, draw_pile: [mop]}
        then: ["all(players, count(it.hand) == 2)"]
    """)
    lines = [" ".join(line.split()) for line in failure.details]
    assert "count(it.hand), for each = [2, 1]" in lines


def test_ids_of_unordered_zones_are_sorted() -> None:
    holds("""
        given: {hand: {0: [peek, cup, mop], 1: [mop, cup]}, draw_pile: [mop, cup]}
        then:
          - ids(player(0).hand) == ["cup", "mop", "peek"]
          - ids(player(0).hand where it is firm or it is not firm) == ["cup", "mop", "peek"]
          - ids(draw_pile) == ["mop", "cup"]
          - titles(player(1).hand) == ["Cup", "Mop"]
          - any(players where ids(it.hand) == ["cup", "mop"])
    """)


def test_condition_without_value_fails() -> None:
    failure = fails("""
        given: {draw_pile: [mop, cup]}
        then: [count(draw_pile) / count(discard) == 1]
    """)
    assert "has no value" in failure.message


def test_what_is_illegal_must_be_refused_as_things_stand() -> None:
    failure = fails("""
        given: {hand: {0: [peek]}, draw_pile: [cup, cup]}
        steps: [illegal: {1: draw, 0: play peek}]
    """)
    assert failure.message == "`0: play peek` should be refused, but is legal as things stand"


def test_what_is_illegal_must_be_refused_after_everybody_passed() -> None:
    body = """
        given: {hand: {0: [peek]}, draw_pile: [cup, cup]}
        steps:
          - 0: play peek
          - WORD: {0: draw}
    """
    failure = fails(body.replace("WORD", "illegal"))
    assert failure.message == "`0: draw` should be refused, but is legal after everybody has passed"
    outcome = holds(body.replace("WORD", "illegal_now"))
    assert outcome.journal == ("0: play peek", "everybody passes")


def test_trying_what_is_illegal_changes_nothing() -> None:
    outcome = holds("""
        given: {hand: {0: [peek], 1: [mop]}, draw_pile: [cup, cup]}
        steps:
          - 0: play peek
          - illegal: {1: [draw, play peek]}
          - during: asked == players
          - 1: play mop
        then: [count(discard) == 2]
    """)
    assert outcome.journal[1] == "1: play mop"


def test_ambiguous_action_is_refused() -> None:
    holds("""
        players: 3
        given: {hand: {0: [gift], 1: [cup], 2: [cup]}, draw_pile: [cup]}
        steps: [illegal: {0: play gift}]
        then: [not over]
    """)


def test_misspelt_action_under_illegal_is_doubted() -> None:
    outcome, diagnostics = outcome_of("""
        given: {hand: {0: [gift]}, draw_pile: [cup]}
        steps:
          - illegal: {0: play gfit, 1: drwa}
        then: [not over]
    """)
    assert outcome.passed
    found = [(item.code, item.severity, item.hint) for item in diagnostics]
    assert found == [
        ("RB504", "warning", "did you mean `gift`?"),
        ("RB504", "warning", "did you mean `draw`?"),
    ]


def test_chance_that_is_left_over_fails() -> None:
    failure = fails("""
        chance: [1, 0]
        given: {hand: {0: [toss]}, draw_pile: [cup, cup, cup]}
        steps: [0: play toss]
        then: [count(player(1).hand) == 1]
    """)
    assert failure.message == "chance was asked less often than the ruling says: left over is 0"


def test_chance_that_cannot_be_fails() -> None:
    failure = fails("""
        chance: [7]
        given: {hand: {0: [toss]}, draw_pile: [cup, cup, cup]}
        steps:
          - 0: play toss
          - 0: draw
    """)
    assert failure.message.startswith("chance: ")


def test_chance_that_is_used_up_follows_the_seed() -> None:
    outcome = holds("""
        chance: [1]
        given: {hand: {0: [toss, toss]}, draw_pile: [cup, cup, cup]}
        steps:
          - 0: play toss
          - 0: play toss
        then: [count(player(0).hand) + count(player(1).hand) == 2]
    """)
    assert outcome.passed


def test_wrong_sight_fails() -> None:
    failure = fails("""
        given: {hand: {0: [cup, peek]}, draw_pile: [cup, mop]}
        sees:
          - {player: 0, zone: hand, cards: [peek, cup]}
          - {player: 1, zone: hand, of: 0, cards: [unknown, unknown]}
          - {player: 1, zone: draw_pile, cards: [cup, unknown]}
    """)
    assert failure.message == "sees: player 1 sees something else in draw_pile"
    assert failure.details == ("wanted: [cup, unknown]", "seen:   [unknown, unknown]")
    assert failure.span.line == 7


def test_sight_of_a_zone_that_is_not_there_fails() -> None:
    failure = fails("""
        given: {draw_pile: [cup, mop]}
        sees: [{player: 0, zone: draw_plie, cards: []}]
    """)
    assert "draw_plie" in failure.message
    assert failure.details == ("did you mean `draw_pile`?",)


def test_sight_of_somebodys_in_a_shared_zone_fails() -> None:
    failure = fails("""
        given: {draw_pile: [cup]}
        sees: [{player: 0, zone: draw_pile, of: 1, cards: [unknown]}]
    """)
    assert "nobody's zone" in failure.message


def test_position_that_cannot_be_fails() -> None:
    failure = fails("""
        given: {hand: {0: [cap]}, draw_pile: [cup]}
        then: [not over]
    """)
    assert failure.message.startswith("the game cannot begin so: ")
    assert failure.span.line == 3


def test_number_of_players_that_cannot_be_fails() -> None:
    failure = fails("""
        players: 9
        given: {draw_pile: [cup]}
        then: [not over]
    """)
    assert "players" in failure.message
    assert failure.span.line == 3


def test_set_up_of_the_game_where_nothing_is_given() -> None:
    holds("""
        players: 4
        seed: 3
        options: {hand_size: 3}
        then: ["all(players, count(it.hand) == 3)", count(draw_pile) == 6]
    """)
