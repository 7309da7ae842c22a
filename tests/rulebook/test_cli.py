"""The command line as a whole: codes, streams, and errors that never are tracebacks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

import kernel
from rulebook import cli
from rulebook.commands import COMMANDS
from tests.rulebook.cli_runs import ROOT, compiled, run


def test_help_lists_every_command(monkeypatch: pytest.MonkeyPatch) -> None:
    done = run(monkeypatch, "--help")
    assert (done.code, done.err) == (0, "")
    for name, entry in COMMANDS.items():
        assert name in done.out
        assert entry.about in done.out


def test_no_command_at_all_is_a_wrong_call(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(monkeypatch).code == 2


def test_version(monkeypatch: pytest.MonkeyPatch) -> None:
    done = run(monkeypatch, "--version")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("rulebook ")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["play", "kitens"], "kittens"),
        (["play", "--packs", "bse"], "base"),
        (["play", "--packs", "base,,"], "commas"),
        (["play", "--option", "hand_size"], "NAME=VALUE"),
        (["play", "--option", "hand_sise=3"], "hand_size"),
        (["play", "--preset", "clasic"], "classic"),
        (["play", "--players", "60"], "players"),
        (["play", "--players", "no"], "integer"),
        (["play", "--seed", "1e5"], "integer"),
        (["play", "--bots", "randm"], "did you mean `random`?"),
        (["play", "--bots", "random,random,random", "--players", "2"], "3 bots"),
        (["play", "--names", "Ann,Ann"], "different names"),
        (["play", "nothing.json"], "No such file"),
        (["replay", "."], "directory"),
        (["simulate", "--games", "0"], "range"),
        (["simulate", "--games", "2", "--out", "x.xls"], ".parquet"),
        (["build"], "--output"),
        (["build", "-o", "/nowhere/at/all.json"], "/nowhere/at/all.json"),
    ],
)
def test_a_wrong_call_is_one_clear_block(args: list[str], words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    done = run(monkeypatch, *args)
    assert (done.code, done.out) == (2, "")
    assert words in done.err
    assert "Traceback" not in done.err


def test_errors_of_the_kernel_keep_their_code_and_their_notes(capsys: pytest.CaptureFixture[str]) -> None:
    error = kernel.RestoreError("this is broken", "newer")
    error.add_note("get a newer rulebook")
    assert cli.report(error) == 1
    assert capsys.readouterr().err == "error[newer]: this is broken\n  get a newer rulebook\n"
    assert cli.report(kernel.SetupError("too many", "players")) == 2
    assert cli.report(kernel.CardError("no such thing", "a.yaml", 3, "skip")) == 1
    assert "a.yaml:3: no such thing (card skip)" in capsys.readouterr().err


def _failing(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    @click.command()
    def command() -> None:
        raise error

    monkeypatch.setattr(cli.group, "get_command", lambda ctx, name: command)


def test_a_fault_of_ours_is_said_to_be_ours_and_a_traceback_comes_when_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _failing(monkeypatch, RuntimeError("the wheels came off"))
    done = run(monkeypatch, "play")
    assert done.code == 3
    assert "RuntimeError: the wheels came off" in done.err
    assert "please report it" in done.err
    assert "Traceback" not in done.err
    monkeypatch.setenv("RULEBOOK_DEBUG", "1")
    assert "Traceback" in run(monkeypatch, "play").err


def test_an_interruption_leaves_cleanly(monkeypatch: pytest.MonkeyPatch) -> None:
    _failing(monkeypatch, KeyboardInterrupt())
    done = run(monkeypatch, "play")
    assert (done.code, done.err.strip()) == (130, "interrupted")


def test_a_reader_who_goes_away_is_no_error(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "rulebook", "build", compiled(tmp_path), "-o", "-"]
    done = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert done.stdout is not None
    assert done.stderr is not None
    done.stdout.close()
    err = done.stderr.read()
    done.stderr.close()
    assert (done.wait(), err) == (cli.BROKEN_PIPE, b"")


def test_a_terminal_that_knows_only_ascii_does_not_end_the_game(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    command = [sys.executable, "-m", "rulebook", "play", compiled(tmp_path), "--seed", "1"]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_build_may_be_replaced_by_a_newer_one_but_nothing_else_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "game.json"
    for _ in range(2):
        done = run(monkeypatch, "build", "-o", str(target))
        assert (done.code, done.out) == (0, "")
    book = kernel.Rulebook.from_json(target.read_text(encoding="utf-8"))
    assert kernel.playout(book.new(players=3, seed=1)).over
    assert book.digest in done.err
    other = tmp_path / "letter.txt"
    other.write_text("Dear Ann")
    assert run(monkeypatch, "build", "-o", str(other)).code == 2
    assert other.read_text() == "Dear Ann"
    assert run(monkeypatch, "build", "-o", str(other), "--force").code == 0
    assert run(monkeypatch, "build", "-o", "-").out == other.read_text(encoding="utf-8")
    assert {file.name for file in tmp_path.iterdir()} == {"game.json", "letter.txt"}


def test_a_compiled_game_takes_no_options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = run(monkeypatch, "play", compiled(tmp_path), "--packs", "base")
    assert done.code == 2
    assert "rulebook build" in done.err


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b"\xff\xfe", b"[" * 100_000, b'{"format": 99}'])
def test_what_is_no_compiled_game_is_refused(content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x.json").write_bytes(content)
    done = run(monkeypatch, "play", str(tmp_path / "x.json"))
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("error[")
    assert "Traceback" not in done.err
