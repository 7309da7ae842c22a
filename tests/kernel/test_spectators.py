"""A spectator knows what is public, not what all players happen to know."""

from __future__ import annotations

from pathlib import Path

from tests.kernel.parlour import load, passed, play

CARDS = {
    "give": play("pick card from: hand by: you\nmove card to: victim.hand", "  choose: {victim: others}\n"),
    "peek": play("show top(pile, 1) to: [you]"),
    "open": play("show top(pile, 1) to: players"),
    "rum": "text: nothing\n",
}


def test_a_card_given_secretly_between_two_is_no_spectators_business(tmp_path: Path) -> None:
    state = load(tmp_path, CARDS).position(2, {"hand": {0: ["give", "rum"], 1: ["peek"]}})
    state.apply(0, "play give victim=1")
    passed(state)
    state.apply(0, "choose rum")
    for player in (0, 1):
        assert "rum" in state.view(player)["zones"]["hand"]["1"]
    assert state.view(None)["zones"]["hand"]["1"] == ["unknown", "unknown"]
    assert "rum" not in str(state.news(None))


def test_what_each_player_has_seen_alone_is_not_public(tmp_path: Path) -> None:
    state = load(tmp_path, CARDS).position(2, {"hand": {0: ["peek"], 1: ["peek"]}, "pile": ["rum", "peek", "rum"]})
    state.apply(0, "play peek")
    state.apply(0, "draw")
    assert state.view(None)["zones"]["hand"]["0"] == ["unknown"]
    state.apply(1, "play peek")
    assert state.view(None)["zones"]["pile"] == ["unknown", "unknown"]


def test_what_is_shown_to_all_and_what_is_laid_open_is_public(tmp_path: Path) -> None:
    state = load(tmp_path, CARDS).position(2, {"hand": {0: ["open"]}, "pile": ["rum", "peek"]})
    state.apply(0, "play open")
    assert state.view(None)["zones"]["pile"] == ["rum", "unknown"]
    assert state.view(None)["zones"]["discard"] == ["open"]
    assert state.news(None) == state.news(1)
