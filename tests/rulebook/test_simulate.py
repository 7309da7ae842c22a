"""`rulebook simulate`: the same games however they are played, honest figures, and files that others can read."""

from __future__ import annotations

import csv
import importlib.util
import json
from pathlib import Path

import pytest

import kernel
import rulebook
from rulebook import simulation
from rulebook.bots import RandomBot, Seat, derive, make
from rulebook.simulation import Failure, Plan, Result, play_game
from tests.rulebook.cli_runs import compiled, run
from tests.rulebook.snip import book

PLAN = Plan(games=12, players=3, bots=("random",) * 3, seed=7)


def test_a_game_of_a_run_can_be_played_again_alone() -> None:
    rules = book()
    results = list(simulation.run(rules, PLAN))
    assert [result.game for result in results] == list(range(12))
    assert results[5] == play_game(rules, PLAN, 5)
    assert len({result.seed for result in results}) == 12
    assert not {derive(7, game) for game in range(1000)} & {derive(8, game) for game in range(1000)}


def test_several_processes_play_the_same_games() -> None:
    rules = book()
    assert list(simulation.run(rules, PLAN, jobs=2)) == list(simulation.run(rules, PLAN))


def test_a_run_ends_at_the_first_failure() -> None:
    results = list(simulation.run(book(broken=True), PLAN))
    assert isinstance(results[-1], Failure)
    assert all(isinstance(result, Result) for result in results[:-1])
    assert results[-1].tried is not None
    assert results[-1].tried[1] == "play tuck"


def test_a_game_that_its_limit_ended_is_told_apart_though_its_decisions_were_settled() -> None:
    data = rulebook.load("old_maid").data
    short = kernel.Rulebook.from_data({**data, "limits": {**data["limits"], "decisions": 5}})
    results = [play_game(rules, PLAN, 0) for rules in (short, rulebook.load("old_maid"))]
    assert [isinstance(result, Result) and result.limited for result in results] == [True, False]


def test_figures() -> None:
    results = [
        Result(0, 1, 10, (0,), False, {"grab": 2}),
        Result(1, 2, 20, (0, 1), False, {"grab": 1, "stop": 3}),
        Result(2, 3, 60, (), True, {}),
    ]
    found = simulation.summary(results, Plan(games=3, players=2, bots=("random",) * 2, seed=1))
    assert (found.games, found.decisions, found.mean, found.median, found.longest) == (3, 90, 30, 20, 60)
    assert [win.count for win in found.wins] == [2, 1]
    assert (found.without_winner, found.limited) == (1, 1)
    assert found.played == (("grab", 3), ("stop", 3))


def test_the_interval_holds_what_it_should() -> None:
    half = simulation.share(50, 100)
    assert half.rate == 0.5
    assert (round(half.low, 4), round(half.high, 4)) == (0.4038, 0.5962)  # Wilson's, as tables have it
    assert simulation.share(0, 10).low == 0.0
    assert simulation.share(10, 10).high == pytest.approx(1.0)
    assert (simulation.share(0, 0).low, simulation.share(0, 0).high) == (0.0, 1.0)


def test_rows_go_to_files_that_others_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = compiled(tmp_path)
    args = ("simulate", game, "--games", "5", "--players", "2", "--seed", "3", "--out")
    table, lines = tmp_path / "games.csv", tmp_path / "games.jsonl"
    for target in (table, lines):
        done = run(monkeypatch, *args, str(target))
        assert (done.code, done.err) == (0, "")
    with table.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    data = [json.loads(line) for line in lines.read_text(encoding="utf-8").splitlines()]
    assert len(rows) == len(data) == 5
    for flat, row in zip(rows, data, strict=True):
        assert flat["seed"] == str(row["seed"])
        assert flat["winners"].split() == [str(player) for player in row["winners"]]
        assert json.loads(flat["played"]) == row["played"]
        assert row["bots"] == ["random", "random"]
    done = run(monkeypatch, *args, str(table))
    assert done.code == 2
    assert "--force" in done.err
    assert run(monkeypatch, *args, str(table), "--force").code == 0


def test_a_parquet_file_holds_the_same_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed (pip install '.[results]')")
    args = ("simulate", compiled(tmp_path), "--games", "5", "--players", "2", "--seed", "3", "--out")
    for target in ("games.parquet", "games.jsonl"):
        done = run(monkeypatch, *args, str(tmp_path / target))
        assert (done.code, done.err) == (0, "")
    lines = [json.loads(line) for line in (tmp_path / "games.jsonl").read_text(encoding="utf-8").splitlines()]
    table = parquet.read_table(tmp_path / "games.parquet")
    rows = [{**row, "played": dict(row["played"])} for row in table.to_pylist()]
    assert rows == lines
    assert str(table.schema.field("played").type).startswith("map<string, int32")
    assert str(table.schema.field("winners").type).startswith("list<")
    assert table.schema.field("limited").type == "bool"
    assert not list(tmp_path.glob(".*.part"))
    done = run(monkeypatch, *args, str(tmp_path / "games.parquet"))
    assert done.code == 2
    assert "--force" in done.err


def test_without_pyarrow_a_parquet_file_is_refused_before_anything_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(
        "importlib.util.find_spec", lambda name, *rest: None if name == "pyarrow" else find(name, *rest)
    )
    done = run(
        monkeypatch, "simulate", compiled(tmp_path), "--games", "100000000", "--out", str(tmp_path / "x.parquet")
    )
    assert (done.code, done.out) == (2, "")
    assert "pip install" in done.err


def test_a_seed_that_was_drawn_is_told_and_repeats_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = compiled(tmp_path)
    first = run(monkeypatch, "simulate", game, "--games", "3")
    seed = first.err.removeprefix("seed ").strip()
    assert run(monkeypatch, "simulate", game, "--games", "3", "--seed", seed).out == first.out


def test_a_bot_gets_its_seat_and_never_the_state() -> None:
    state = book().new(players=2, seed=1)
    seat = Seat(state, 0)
    assert seat.view() == state.view(0)
    assert seat.news() == state.news(0)
    assert not [name for name in dir(seat) if getattr(seat, name) is state and not name.startswith("_Seat__")]
    before = state.digest
    assert str(RandomBot(3).choose(seat)) == str(RandomBot(3).choose(seat))
    assert state.digest == before
    assert type(make("random", 1)) is RandomBot
