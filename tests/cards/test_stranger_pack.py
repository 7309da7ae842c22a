"""Packs by somebody else: dropped into the folder, or found through an entry point, with no other change."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import rulebook

ROOT = Path(__file__).resolve().parents[2]
PACK = """\
pack: Nap Time
id: naps
version: "2.1"
language: 1
game: kittens
needs: [base]
deck: {catnip: 4, wake_up: 2}
"""
CATNIP = """\
card: Catnip
id: catnip
text: Another player falls asleep and cannot be robbed until somebody wakes them.
tags: [action]
play:
  at: turn
  choose: {sleeper: others where it is not asleep}
  do: |
    lay asleep on: sleeper
"""
WAKE_UP = """\
card: Wake Up
id: wake_up
text: Everybody who sleeps wakes up.
tags: [action]
play:
  at: turn
  if: any(players where it is asleep)
  do: |
    for p in players where it is asleep:
      lift asleep from: p
"""
ASLEEP = """\
mark: Asleep
id: asleep
while: {answer: can_be_robbed, if: who == you, with: "false"}
"""


def write_pack(folder: Path) -> Path:
    """The stranger's pack as a folder."""
    folder.mkdir(parents=True)
    for name, text in (("pack", PACK), ("catnip", CATNIP), ("wake_up", WAKE_UP), ("asleep", ASLEEP)):
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return folder


def test_a_pack_dropped_beside_the_others_is_played(tmp_path: Path) -> None:
    game = tmp_path / "kittens"
    shutil.copytree(ROOT / "cards" / "kittens", game)
    write_pack(game / "naps")
    book = rulebook.load("kittens", packs=["base", "naps"], path=game)
    assert ("naps", "2.1") in book.packs
    state = book.position(
        players=3, given={"hand": {0: ["catnip", "wake_up", "favor"], 1: ["skip"], 2: ["nope"]}, "draw_pile": ["skip"]}
    )
    assert "play wake_up" not in state.legal(0)
    state.apply(0, "play catnip sleeper=1")
    while state.waiting.kind == "window":
        state.apply(state.waiting.players[0], "pass")
    assert state.view(2)["zones"]["marks"]["1"] == ["asleep"]
    assert "play favor victim=1" not in state.legal(0)
    assert "play favor victim=2" in state.legal(0)
    assert "play wake_up" in state.legal(0)
    assert any(entry.get("cards") == ["catnip"] for entry in state.news(None))


def test_the_new_cards_are_dealt_and_random_games_keep_what_they_must(tmp_path: Path) -> None:
    from kernel import testing

    book = rulebook.load("kittens", packs=["base", "naps"], path=write_pack(tmp_path / "naps"))
    assert {"catnip", "wake_up"} <= {row[0] for row in book.data["deck"]}
    assert testing.check_game(book, games=1, players=3, seed=4, thorough=6) > 10


def test_a_pack_is_found_through_its_entry_point(tmp_path: Path) -> None:
    package = tmp_path / "site" / "nap_time"
    write_pack(package / "naps")
    (package / "__init__.py").write_text(
        "from pathlib import Path\n\n\ndef folder() -> Path:\n    return Path(__file__).parent / 'naps'\n",
        encoding="utf-8",
    )
    info = tmp_path / "site" / "nap_time-2.1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: nap-time\nVersion: 2.1\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("[rulebook.packs]\nnaps = nap_time:folder\n", encoding="utf-8")
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path / "site"), str(ROOT)])}
    code = (
        "import kernel, rulebook; book = rulebook.load('kittens', packs=['base', 'naps']);"
        "print(book.packs, kernel.playout(book.new(players=3, seed=1), seed=1).over)"
    )
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "('naps', '2.1')" in done.stdout
    assert "True" in done.stdout


def test_a_card_that_is_there_already_is_refused_with_both_places(tmp_path: Path) -> None:
    pack = write_pack(tmp_path / "naps")
    (pack / "favor.yaml").write_text("card: Favour\nid: favor\n", encoding="utf-8")
    with pytest.raises(rulebook.PackError) as caught:
        rulebook.load("kittens", packs=["base", "naps"], path=pack)
    fault = caught.value.diagnostics[0]
    assert "favor" in fault.message
    assert fault.related or "base" in fault.message + fault.hint
