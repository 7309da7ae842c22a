"""The page about the games: every game is on it, and what it says of their length is true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "games.md").read_text(encoding="utf-8")
GAMES = sorted(path.parent.name for path in (ROOT / "cards").glob("*/game.yaml"))


def characters(game: str) -> int:
    """How long the rules of a game are: all its files but the rulings."""
    files = (path for path in (ROOT / "cards" / game).rglob("*.yaml") if "rulings" not in path.parts)
    return sum(len(path.read_text(encoding="utf-8")) for path in files)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_on_the_page(game: str) -> None:
    assert f"(reference/{game}/index.md)" in PAGE


def test_the_lengths_on_the_page_are_near_the_truth() -> None:
    rows = re.findall(r"^\| (Hearts|Gin Rummy|Crazy Eights|Go Fish|Court|Market)[^|]*\| ([\d,]+)", PAGE, re.MULTILINE)
    said = {title: int(number.replace(",", "")) for title, number in rows if number}
    assert len(said) == 6
    for title, number in said.items():
        assert number == pytest.approx(characters(title.lower().replace(" ", "_")), rel=0.15), title


def test_the_rules_of_the_small_games_are_no_longer_than_a_good_sheet() -> None:
    for game in set(GAMES) - {"kittens"}:
        assert len((ROOT / "cards" / game / "game.yaml").read_text(encoding="utf-8").splitlines()) <= 280, game
