"""`rulebook bench --games`: many games at random play, and the same games of other libraries beside them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from rulebook import elsewhere
from rulebook.cli import main
from rulebook.commands import benchgames
from rulebook.elsewhere import Elsewhere, Library


def test_games_are_measured_and_a_missing_library_is_told_in_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    absent = Library("Nowhere", "no-such-distribution-anywhere", "nowhere", lambda module, name, players: None)
    monkeypatch.setattr(benchgames, "LIBRARIES", (absent,))
    assert main(["bench", "--games", "court,old_maid", "--seconds", "0.5"]) == 0
    said = capsys.readouterr().out
    assert re.search(r"court +[\d,]+ decisions/s \([\d,]+ to [\d,]+\) +\d+\.\d decisions a game +4 players", said)
    assert re.search(r"old_maid +no decisions +[\d,]+ games/s", said)
    assert "Nowhere is not installed here, so nothing is compared with it." in said


def test_the_same_game_elsewhere_plays_in_the_same_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, int]] = []

    def find(module: Any, name: str, players: int) -> Elsewhere | None:
        asked.append((name, players))
        return Elsewhere("Clicker", 2, lambda seed: 1000) if name == "court" else None

    monkeypatch.setattr(benchgames, "LIBRARIES", (Library("Clicker", "click", "click", find),))
    file = tmp_path / "games.json"
    assert main(["bench", "--games", "court,hearts", "--seconds", "0.5", "--json", str(file)]) == 0
    said = capsys.readouterr().out
    assert asked == [("court", 4), ("hearts", 4)]
    assert re.search(r"Clicker [\d.]+ .*2 players; ours has 0\.\d\d of its speed", said)
    report = json.loads(file.read_text(encoding="utf-8"))
    assert list(report["games"]["court"]["elsewhere"]) == [f"Clicker {report['libraries']['Clicker']}"]
    assert report["games"]["hearts"]["elsewhere"] == {}
    assert report["games"]["hearts"]["kernel"]["games"] >= 5


def test_all_are_the_shipped_games() -> None:
    assert {"court", "hearts", "kittens", "market"} <= set(benchgames.chosen("all"))
    assert benchgames.chosen("hearts, court") == ["hearts", "court"]


def test_a_game_that_there_is_not_is_a_wrong_call(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--games", "heart"]) == 2
    assert "did you mean `hearts`?" in capsys.readouterr().err


def test_a_game_of_the_first_library_is_played_to_its_end() -> None:
    class State:
        """Three choices of two, with a throw of chance in between."""

        def __init__(self) -> None:
            self.steps = 0

        def is_terminal(self) -> bool:
            return self.steps >= 5

        def is_chance_node(self) -> bool:
            return self.steps == 1

        def chance_outcomes(self) -> list[tuple[int, float]]:
            return [(0, 0.5), (1, 0.5)]

        def legal_actions(self) -> list[int]:
            return [0, 1] if self.steps != 4 else [0]

        def apply_action(self, action: int) -> None:
            self.steps += 1

    game = SimpleNamespace(new_initial_state=State, num_players=lambda: 3, get_parameters=lambda: {"players": 2})
    loaded: list[tuple[Any, ...]] = []

    def load_game(*arguments: Any) -> Any:
        loaded.append(arguments)
        return game

    spiel = SimpleNamespace(registered_games=lambda: [SimpleNamespace(short_name="hearts")], load_game=load_game)
    found = elsewhere._open_spiel(spiel, "hearts", 3)
    assert found is not None
    assert found.play(1) == 3, "chance and what has no alternative are no decisions"
    assert (found.players, loaded) == (3, [("hearts",), ("hearts", {"players": 3})])
    assert elsewhere._open_spiel(spiel, "court", 3) is None


def test_a_game_of_the_second_library_is_found_by_its_name_with_hyphens() -> None:
    class Table:
        """An environment that is over after four steps."""

        num_players = 2

        def seed(self, seed: int) -> None:
            self.left = 4

        def reset(self) -> tuple[dict[str, Any], int]:
            return {"legal_actions": {0: None, 1: None}}, 0

        def is_over(self) -> bool:
            return self.left == 0

        def step(self, action: int) -> tuple[dict[str, Any], int]:
            self.left -= 1
            return self.reset()

    def make(name: str, config: dict[str, Any]) -> Table:
        if name != "gin-rummy":
            raise ValueError(name)
        return Table()

    library = SimpleNamespace(make=make)
    found = elsewhere._rlcard(library, "gin_rummy", 2)
    assert found is not None
    assert found.play(7) == 4
    assert elsewhere._rlcard(library, "hearts", 4) is None
