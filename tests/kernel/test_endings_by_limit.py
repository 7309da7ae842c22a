"""Who wins a game that does not end by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

import kernel
import rulebook
from tests.kernel import parlour

CARDS = {"till": parlour.play("pay you coins: 2"), "tea": "text: nothing\n"}
LIMITS = "limits: {decisions: 300, ending: draw}"


def limited(folder: Path, limits: str) -> kernel.Rulebook:
    """The parlour with other limits."""
    parlour.load(folder, CARDS)
    path = folder / "parlour" / "game.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace(LIMITS, f"limits: {{{limits}}}"), encoding="utf-8")
    return rulebook.load("parlour", path=folder)


@pytest.mark.parametrize(
    ("limits", "winners"),
    [
        ("decisions: 3, ending: draw", (0, 1, 2)),
        ("decisions: 3, ending: none", ()),
        ('decisions: 3, winners: "best(living, it.coins)"', (1,)),
        ('decisions: 3, winners: "living where it.coins > 99"', ()),
    ],
)
def test_the_game_says_who_wins_when_it_is_cut(tmp_path: Path, limits: str, winners: tuple[int, ...]) -> None:
    book = limited(tmp_path, limits)
    for each in (book, kernel.Rulebook.from_json(book.to_json())):
        state = each.position(3, {"hand": {1: ["till"]}, "pile": ["tea"] * 9})
        state.apply(0, "draw")
        state.apply(1, "play till")
        assert not state.over
        parlour.passed(state)
        state.apply(1, "draw")
        assert not state.over
        state.apply(2, "draw")
        assert state.winners == winners
        assert state.over


def test_two_ways_to_say_who_wins_are_one_too_many(tmp_path: Path) -> None:
    with pytest.raises(rulebook.PackError) as refused:
        limited(tmp_path, 'decisions: 3, ending: draw, winners: "living"')
    assert [item.code for item in refused.value.diagnostics] == ["RB443"]


def test_winners_are_players(tmp_path: Path) -> None:
    with pytest.raises(rulebook.PackError) as refused:
        limited(tmp_path, "decisions: 3, winners: count(living)")
    assert [item.code for item in refused.value.diagnostics] == ["RB420"]
