"""What a file of rulings says, and what is wrong with one."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulebook.codes import registry
from rulebook.diagnostics import Diagnostics
from rulebook.rulings.books import Books
from rulebook.rulings.codes import CODES
from rulebook.rulings.homes import home_of, packs_below, ruling_files
from rulebook.rulings.reading import read_file
from rulebook.rulings.running import check_ruling
from tests.rulebook.rulings.tea import GAMES, TEA, outcome_of, read, read_ruling


def test_defaults() -> None:
    file, diagnostics = read_ruling("then: [turn_of == player(0)]")
    assert not diagnostics.items
    (ruling,) = file.rulings
    assert (ruling.players, ruling.seed, ruling.given, ruling.chance, ruling.steps) == (2, 0, None, (), ())
    assert (ruling.book.game, ruling.book.packs, ruling.book.preset, dict(ruling.book.options)) == (
        "tea",
        None,
        None,
        {},
    )
    assert ruling.book.path == str(TEA)


def test_ruling_reads_as_lines() -> None:
    file, diagnostics = read_ruling("""
        players: 3
        steps:
          - 0: play gift victim=1
          - 1: choose cup
          - all: pass
          - close
          - close: 2
          - 2: leave
          - illegal: {1: draw, 2: [draw, pass]}
          - illegal_now: {1: draw}
          - expect: [turn_of == player(0), not over]
          - during: over
          - sees: {player: 0, zone: hand, cards: [cup]}
          - note: This is for the reader.
        then: [over]
        sees: [{player: 0, zone: hand, of: 1, cards: []}]
    """)
    assert not diagnostics.items
    assert list(file.rulings[0]) == [
        "player 0: play gift victim=1",
        "player 1: choose cup",
        "everybody passes",
        "time runs out",
        "time runs out for player 2",
        "player 2 leaves",
        "refused: player 1: draw, player 2: draw, player 2: pass",
        "refused now: player 1: draw",
        "expect turn_of == player(0) · not over",
        "during over",
        "player 0 sees in hand: cup",
        "then over",
        "player 0 sees in hand of player 1: nothing",
    ]


def test_about_of_file_and_ruling_are_joined() -> None:
    file, _ = read("""
        about: [cup, mop]
        rulings:
          - title: One
            about: [peek, cup]
            then: [not over]
          - title: Two
            then: [not over]
    """)
    assert [ruling.about for ruling in file.rulings] == [("cup", "mop", "peek"), ("cup", "mop")]


def test_unknown_key_is_a_fault_and_the_file_is_not_used() -> None:
    file, diagnostics = read_ruling("""
        steps:
          - ilegal: {1: draw}
        then: [not over]
    """)
    (item,) = diagnostics.items
    assert item.code == "RB200"
    assert "illegal" in item.hint
    assert (item.span and item.span.line, item.span and item.span.column) == (4, 9)
    assert file.rulings == ()


def test_player_who_does_not_play_is_a_fault() -> None:
    _, diagnostics = read_ruling("""
        steps:
          - 2: draw
          - illegal: {3: draw}
          - close: 4
        sees: [{player: 5, zone: hand, cards: []}, {player: 0, zone: hand, of: 6, cards: []}]
    """)
    assert [item.code for item in diagnostics] == ["RB500"] * 5
    assert diagnostics.items[0].message == "there is no player 2: 2 play, numbered 0 to 1"


def test_ruling_that_cannot_fail_is_doubted() -> None:
    _, diagnostics = read_ruling("given: {draw_pile: [cup]}")
    assert [(item.code, item.severity) for item in diagnostics] == [("RB502", "warning")]


def test_title_that_stands_twice_is_doubted() -> None:
    _, diagnostics = read("""
        rulings:
          - {title: One, then: [not over]}
          - {title: One, then: [not over]}
    """)
    assert [item.code for item in diagnostics] == ["RB503"]


def test_broken_condition_is_a_fault_with_its_place() -> None:
    outcome, diagnostics = outcome_of("then: [turn_off == player(1)]")
    assert outcome.status == "faulty"
    (item,) = diagnostics.errors
    assert item.span is not None
    assert (item.span.file, item.span.line, item.span.column) == ("made_up.yaml", 3, 12)


def test_condition_that_is_no_flag_is_a_fault() -> None:
    outcome, diagnostics = outcome_of("then: [count(draw_pile)]")
    assert outcome.status == "faulty"
    assert len(diagnostics.errors) == 1


def test_book_that_cannot_be_loaded_is_a_fault() -> None:
    outcome, diagnostics = outcome_of("""
        packs: [bsae]
        then: [not over]
    """)
    assert outcome.status == "faulty"
    assert diagnostics.errors[0].code == "RB501"
    assert "bsae" in diagnostics.errors[0].message


@pytest.mark.parametrize("code", CODES, ids=lambda code: code.code)
def test_examples_of_the_codes_are_what_they_say(code, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    def found(text: str) -> list[str]:
        diagnostics = Diagnostics()
        file = read_file(tmp_path / "rulings.yaml", diagnostics, text=text)
        books = Books()
        for ruling in file.rulings:
            check_ruling(ruling, books, diagnostics)
        return [item.code for item in diagnostics]

    assert code.code in registry()
    assert code.code in found(code.wrong)
    assert found(code.right) == []


# -- where rulings lie -----------------------------------------------------------------------------------------------


def test_files_are_found_at_and_below_a_path() -> None:
    file = TEA / "base" / "rulings" / "tea.yaml"
    for place in (file, file.parent, TEA / "base", TEA, GAMES):
        assert ruling_files([place]) == [file]
    assert ruling_files([file, GAMES]) == [file]


def test_files_outside_of_a_folder_of_rulings_are_known_by_their_key(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("about: []\nrulings: []\n")
    (tmp_path / "b.yaml").write_text("card: A\nid: a\n")
    assert ruling_files([tmp_path]) == [tmp_path / "a.yaml"]


def test_path_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        ruling_files([tmp_path / "nowhere"])


def test_game_is_that_of_the_folder_else_kittens(tmp_path: Path) -> None:
    inside = home_of(TEA / "base" / "rulings" / "tea.yaml")
    assert inside.where("") == ("tea", str(TEA))
    assert inside.where("tea") == ("tea", str(TEA))
    assert inside.where("kittens") == ("kittens", None)
    assert home_of(tmp_path / "x.yaml").where("") == ("kittens", None)
    assert home_of(tmp_path / "x.yaml").where("hearts") == ("hearts", None)


def test_pack_outside_of_its_game_is_played_too(tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "pack.yaml").write_text('pack: More\nid: more\nversion: "1"\nlanguage: 1\ngame: hearts\n')
    home = home_of(tmp_path / "more" / "rulings" / "x.yaml")
    assert home.where("") == ("hearts", str(tmp_path / "more"))
    assert home.where("tea") == ("tea", None)


def test_packs_at_and_around_a_path() -> None:
    for place in (TEA, TEA / "base", TEA / "base" / "rulings", TEA / "base" / "rulings" / "tea.yaml"):
        assert packs_below(place) == [TEA / "base"]
    assert packs_below(GAMES.parent / "test_reading.py") == []
