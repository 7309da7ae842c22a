"""The commands as a person or a script calls them: what they print, where, and with which exit code."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import rulebook

ESCAPE = "\x1b"
ROOT = Path(__file__).resolve().parents[2]


def run(
    *arguments: str, typed: str = "", cwd: Path | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run the command with its standard input from a pipe."""
    env = {**os.environ, **environment}
    return subprocess.run(
        [sys.executable, "-m", "rulebook", *arguments], input=typed, capture_output=True, text=True, env=env, cwd=cwd
    )


def test_a_game_of_bots_is_shown_from_start_to_end_where_nothing_can_be_read() -> None:
    done = run("play", "--players", "3", "--seed", "3")
    assert done.returncode == 0
    assert done.stderr == ""
    assert ESCAPE not in done.stdout
    assert "wins" in done.stdout
    assert run("play", "--players", "3", "--seed", "3").stdout == done.stdout


def test_a_drawn_seed_is_told_and_games_differ() -> None:
    seeds = {re.search(r"seed (\d+)", run("play", "--players", "2").stdout)[1] for _ in range(3)}  # type: ignore[index]
    assert len(seeds) == 3


def test_a_game_can_be_scripted_and_a_refused_line_ends_it() -> None:
    done = run("play", "--players", "2", "--seed", "1", typed="draw\n")
    assert done.returncode == 0
    assert "You take" in done.stdout
    wrong = run("play", "--players", "2", "--seed", "1", typed="xyzzy\n")
    assert wrong.returncode == 2
    assert "line 1" in wrong.stderr
    assert "Traceback" not in wrong.stderr


def test_a_saved_game_goes_on_and_is_proved(tmp_path: Path) -> None:
    saved = tmp_path / "evening.jsonl"
    assert run("play", "--players", "2", "--seed", "1", "--save", str(saved), typed="draw\n").returncode == 0
    steps = saved.read_text(encoding="utf-8").splitlines()
    header = json.loads(steps[0])
    assert {"format", "game", "packs", "digest", "options", "players", "seed", "ask"} <= set(header)
    assert json.loads(steps[1])["a"] == "draw"
    assert run("replay", str(saved), "--verify").returncode == 0
    more = run("play", "--resume", str(saved), typed="legal\n")
    assert more.returncode == 0
    assert run("replay", str(saved), "--verify").returncode == 0


def test_an_altered_record_is_found_out_at_its_step(tmp_path: Path) -> None:
    saved = tmp_path / "evening.jsonl"
    run("play", "--players", "2", "--seed", "1", "--save", str(saved), typed="draw\n")
    header = json.loads(saved.read_text(encoding="utf-8").split("\n")[0])
    begun = rulebook.load("kittens").new(players=2, seed=header["seed"], ask=header["ask"])
    other = next(str(action) for action in begun.legal(0) if str(action) != "draw")  # whatever was dealt
    saved.write_text(saved.read_text(encoding="utf-8").replace('"draw"', f'"{other}"'), encoding="utf-8")
    done = run("replay", str(saved), "--verify")
    assert done.returncode == 1
    assert "step 1" in done.stderr
    assert "expected" in done.stderr


def test_a_record_whose_header_was_changed_is_refused(tmp_path: Path) -> None:
    saved = tmp_path / "evening.jsonl"
    run("play", "--players", "2", "--seed", "1", "--save", str(saved), typed="draw\n")
    lines = saved.read_text(encoding="utf-8").splitlines()
    header = {**json.loads(lines[0]), "players": 3}
    saved.write_text("\n".join([json.dumps(header), *lines[1:]]) + "\n", encoding="utf-8")
    done = run("replay", str(saved), "--verify")
    assert done.returncode in (1, 2)
    assert "line 1" in done.stderr


def test_a_record_of_other_rules_says_which_pack_differs(tmp_path: Path) -> None:
    saved = tmp_path / "evening.jsonl"
    game = tmp_path / "kittens"
    shutil.copytree(ROOT / "cards" / "kittens", game)
    pack = game / "base" / "pack.yaml"
    pack.write_text(pack.read_text(encoding="utf-8").replace('version: "1.0"', 'version: "0.9"'), encoding="utf-8")
    arguments = ("play", "--path", str(game), "--players", "2", "--seed", "1", "--save", str(saved))
    assert run(*arguments, typed="draw\n").returncode == 0
    done = run("replay", str(saved), "--verify")
    assert done.returncode in (1, 2)
    assert "base" in done.stderr
    assert "0.9" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "text", ["", "{", "[]\n", "null\n", '{"format": 99}\n', "\x00\x01", '{"format": 1}\n{"p": 0}\n']
)
def test_a_broken_record_is_refused_in_one_block(text: str, tmp_path: Path) -> None:
    saved = tmp_path / "broken.jsonl"
    saved.write_text(text, encoding="utf-8")
    done = run("replay", str(saved))
    assert done.returncode in (1, 2)
    assert done.stderr.startswith("error")
    assert "Traceback" not in done.stderr
    assert saved.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("arguments", "code", "part"),
    [
        (["play", "chess"], 1, "kittens"),
        (["play", "--packs", "bsae"], 1, "did you mean `base`"),
        (["play", "--preset", "clasic"], 1, "classic"),
        (["play", "--option", "hand_sise=3"], 1, "hand_size"),
        (["play", "--option", "hand_size=many"], 1, "hand_size"),
        (["play", "--players", "9"], 1, "Exploding Kittens"),
        (["play", "--path", "/no/such/folder"], 1, "/no/such/folder"),
        (["play", "--resume", "/no/such/file"], 2, "/no/such/file"),
        (["test", "/no/such/folder"], 2, "does not exist"),
        (["check", "/no/such/folder"], 2, "does not exist"),
        (["plya"], 2, "did you mean `play`"),
        (["explain", "RB999"], 2, "RB999"),
    ],
)
def test_a_wrong_call_is_answered_with_what_to_do_instead(arguments: list[str], code: int, part: str) -> None:
    done = run(*arguments)
    assert done.returncode in ({1, 2} if code == 1 else {code}), done.stderr
    assert part in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "command", ["play", "check", "explain", "test", "simulate", "replay", "build", "bench", "docs"]
)
def test_every_command_has_help_with_an_example(command: str) -> None:
    done = run(command, "--help")
    assert done.returncode == 0
    assert f"rulebook {command}" in done.stdout
    assert "Example" in done.stdout


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from rulebook.cli import main\n"
        "try: main(['--help'])\nexcept SystemExit: pass\n"
        "print(sorted({'yaml', 'lark', 'jsonschema', 'rich'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith("[]")


def test_simulations_count_the_same_however_many_processes_play() -> None:
    one = run("simulate", "--games", "40", "--players", "3", "--seed", "5")
    two = run("simulate", "--games", "40", "--players", "3", "--seed", "5", "--jobs", "2")
    assert one.returncode == two.returncode == 0
    assert one.stdout == two.stdout
    assert "Wins by seat" in one.stdout


def test_a_built_game_is_what_the_kernel_reads(tmp_path: Path) -> None:
    import kernel

    built = tmp_path / "base.json"
    assert run("build", "-o", str(built)).returncode == 0
    assert kernel.Rulebook.from_json(built.read_text(encoding="utf-8")).game == "kittens"
