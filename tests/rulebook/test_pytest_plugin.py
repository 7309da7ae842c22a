"""The pytest plugin: a stranger's packs and rulings as tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cards.test_stranger_pack import write_pack

pytest_plugins = ["pytester"]

RULINGS = """\
about: [catnip]
rulings:
  - title: Whoever sleeps cannot be robbed
    source: house
    given: {hand: {0: [catnip, favor], 1: [skip], 2: [skip]}, draw_pile: [skip, skip]}
    players: 3
    steps:
      - 0: play catnip sleeper=1
      - illegal: {0: play favor victim=1}
  - title: Whoever sleeps can be robbed
    source: house
    given: {hand: {0: [catnip, favor], 1: [skip], 2: [skip]}, draw_pile: [skip, skip]}
    players: 3
    steps:
      - 0: play catnip sleeper=1
      - 0: play favor victim=1
"""
ARGS = ("-p", "rulebook.pytest_plugin", "-p", "no:cacheprovider", "--disable-plugin-autoload")


@pytest.fixture
def pack(pytester: pytest.Pytester) -> Path:
    """A repository with a pack in it."""
    folder = write_pack(pytester.path / "naps")
    (folder / "rulings").mkdir()
    (folder / "rulings" / "catnip.yaml").write_text(RULINGS, encoding="utf-8")
    return folder


def test_nothing_is_collected_unasked(pytester: pytest.Pytester, pack: Path) -> None:
    result = pytester.runpytest_subprocess(*ARGS)
    result.assert_outcomes()


def test_rulings_and_packs_are_tests(pytester: pytest.Pytester, pack: Path) -> None:
    result = pytester.runpytest_subprocess(*ARGS, "--rulebook", "--rulebook-games", "1", "-v")
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines(
        [
            "*naps/pack.yaml::check PASSED*",
            "*naps/pack.yaml::games PASSED*",
            "*naps/rulings/catnip.yaml::Whoever sleeps cannot be robbed PASSED*",
            "*naps/rulings/catnip.yaml::Whoever sleeps can be robbed FAILED*",
            "*play favor victim=1*",
        ]
    )
    assert "Traceback" not in result.stdout.str()
    assert "pytest_plugin.py" not in result.stdout.str()


def test_the_configuration_asks_for_them(pytester: pytest.Pytester, pack: Path) -> None:
    pytester.makeini("[pytest]\nrulebook = true\nrulebook_games = 0\n")
    result = pytester.runpytest_subprocess(*ARGS, "-k", "check or cannot")
    result.assert_outcomes(passed=2, deselected=1)


def test_faults_of_a_pack_are_told_as_check_tells_them(pytester: pytest.Pytester, pack: Path) -> None:
    catnip = pack / "catnip.yaml"
    catnip.write_text(catnip.read_text(encoding="utf-8").replace("lay asleep", "lai asleep"), encoding="utf-8")
    result = pytester.runpytest_subprocess(*ARGS, "--rulebook", "-k", "check or games")
    result.assert_outcomes(failed=1, skipped=1, deselected=2)
    result.stdout.fnmatch_lines(["*there is no verb `lai`*", "*catnip.yaml:9*"])


def test_a_broken_file_of_rulings_is_an_error_of_collection(pytester: pytest.Pytester, pack: Path) -> None:
    (pack / "rulings" / "broken.yaml").write_text("rulings:\n  - titel: x\n", encoding="utf-8")
    result = pytester.runpytest_subprocess(*ARGS, "--rulebook", "--rulebook-games", "0")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*unknown key*titel*", "*broken.yaml:2*"])


def test_a_game_that_does_not_keep_its_word_fails(pytester: pytest.Pytester, pack: Path) -> None:
    catnip = pack / "catnip.yaml"
    text = catnip.read_text(encoding="utf-8")
    assert "where it is not asleep" in text
    nothing = "(count(sleeper.hand) - count(sleeper.hand))"
    catnip.write_text(text.replace("lay asleep on: sleeper", f"if 1 / {nothing} > 99:\n      stop"), encoding="utf-8")
    manifest = pack / "pack.yaml"  # so many of the card that every game comes to one
    manifest.write_text(manifest.read_text(encoding="utf-8").replace("catnip: 4", "catnip: 40"), encoding="utf-8")
    result = pytester.runpytest_subprocess(*ARGS, "--rulebook", "--rulebook-games", "3", "-k", "games")
    result.assert_outcomes(failed=1, deselected=3)
    result.stdout.fnmatch_lines(["*replay:*"])


def test_a_wrong_number_of_games_is_said(pytester: pytest.Pytester, pack: Path) -> None:
    pytester.makeini("[pytest]\nrulebook = true\nrulebook_games = many\n")
    result = pytester.runpytest_subprocess(*ARGS)
    assert result.ret != 0
    result.stdout.fnmatch_lines(["*rulebook_games should be a whole number*"])


def test_books_are_made_once(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        def test_one(rulebook_load):
            book = rulebook_load("kittens", packs=["base"])
            assert book is rulebook_load("kittens", packs=["base"])
            assert book is not rulebook_load("kittens", packs=["base"], options={"hand_size": 4})
            assert book.new(players=2, seed=1).waiting.players
        """
    )
    pytester.runpytest_subprocess(*ARGS).assert_outcomes(passed=1)
