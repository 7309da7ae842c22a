"""Every verb with every selector that fits it: all compile, none breaks at play, and no hash seed changes anything."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rulebook.lang.verbs import KERNEL_VERBS
from tests.rulebook.lang.crossing import PROGRAMS

ROOT = Path(__file__).resolve().parents[3]
SEEDS = ("0", "4242")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """All programs run in two processes, each with a hash seed of its own."""
    found = []
    processes = []
    for seed in SEEDS:
        folder = tmp_path_factory.mktemp(f"seed_{seed}")
        env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT), "RULEBOOK_CACHE": "off"}
        call = [sys.executable, "-m", "tests.rulebook.lang.crossing", str(folder)]
        processes.append(subprocess.Popen(call, env=env, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE))
    for process in processes:
        out, err = process.communicate(timeout=300)
        assert process.returncode == 0, err.decode()[-2000:]
        found.append(json.loads(out))
    return found


def test_every_verb_of_the_kernel_is_crossed() -> None:
    used = {word for text in PROGRAMS for line in text.split("\n") for word in line.split()[:1]}
    assert set(KERNEL_VERBS) - used <= {"cancel", "refuse"}  # these stand in responses and in set-up alone
    assert len(PROGRAMS) > 400
    assert len(set(PROGRAMS)) == len(PROGRAMS)


def test_two_hash_seeds_give_the_same_book_and_the_same_outcome_of_every_program(runs: list[dict[str, Any]]) -> None:
    one, other = runs
    assert one["book"] == other["book"]
    different = [text for text in one["outcomes"] if one["outcomes"][text] != other["outcomes"][text]]
    assert different == []
    assert hashlib.sha256(json.dumps(one).encode()).digest() == hashlib.sha256(json.dumps(other).encode()).digest()


def outcome(runs: list[dict[str, Any]], text: str) -> dict[str, Any]:
    view: dict[str, Any] = runs[0]["outcomes"][text][0][0]
    return view


def test_some_of_them_do_what_they_say(runs: list[dict[str, Any]]) -> None:
    zones = outcome(runs, "move hand to: pile")["zones"]
    assert len(zones["pile"]) == 4 + 3
    assert zones["hand"]["0"] == []
    assert outcome(runs, "end_game winners: others")["winners"] == [1, 2]
    assert outcome(runs, "eliminate victim")["dead"] == [1]
    assert outcome(runs, "give_turns max(hand, it.rank) to: victim")["turn"]["player"] == 1
    assert outcome(runs, "pay next_player(you) coins: 6")["attributes"]["coins"]["1"] == 6
    assert outcome(runs, "for x in others + [you]:\n  pay you coins: 1")["attributes"]["coins"]["0"] == 3
    table = outcome(runs, "move best(hand, it.rank) to: table")["zones"]["table"]["0"]
    assert table == ["gum", "gum"]
