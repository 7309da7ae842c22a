"""Records: written whole, read with suspicion, played again exactly or refused at the step where they differ."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import kernel
from rulebook import records, sessions
from rulebook.records import Act, Close, Leave, Place
from rulebook.sessions import Divergence, Session, restore
from tests.rulebook.cli_runs import Terminal, compiled, run
from tests.rulebook.snip import book


def played(seed: int, ask: str = "all", steps: int | None = None, clock: bool = True, players: int = 3) -> Session:
    """A game of random decisions, of clocks that run out and of players who leave."""
    chance = random.Random(seed)
    session = Session.new(book(), players, seed, ask, [Place(f"Seat {player}") for player in range(players)])
    state = session.state
    left = False
    while not state.over and (steps is None or len(session.steps) < steps):
        player = chance.choice(state.waiting.players)
        roll = chance.random() if clock else 1.0
        if roll < 0.05:
            session.close(chance.choice([None, player]))
        elif roll < 0.07 and not left:
            left = True
            session.leave(player)
        else:
            legal = state.legal(player)
            session.apply(player, legal[chance.randrange(len(legal))])
    return session


def again(record: records.Record) -> Session:
    return restore(record, lambda header: book())


def as_text(record: records.Record) -> str:
    return "\n".join(records.lines(record)) + "\n"


@pytest.mark.parametrize("ask", ["all", "settled"])
@pytest.mark.parametrize("seed", range(8))
def test_a_game_with_responses_clocks_and_leavers_is_played_again_exactly(seed: int, ask: str) -> None:
    session = played(seed, ask)
    found = again(records.parse(as_text(session.record)))
    assert found.state.dump() == session.state.dump()
    assert found.record == session.record


def test_every_step_says_who_decided_what() -> None:
    steps = [step for seed in range(8) for step in played(seed).steps]
    for step in steps:
        assert set(records.step_data(step)) - {"d"} in ({"p", "a"}, {"close"}, {"leave"})
    assert {Act, Close, Leave} == {type(step) for step in steps}


@pytest.mark.parametrize("ask", ["all", "settled"])
def test_saved_and_taken_up_again_at_any_step_the_game_is_the_same(ask: str, tmp_path: Path) -> None:
    """Windows that are open and choices that are half made are saved too."""
    whole = played(4, ask, clock=False)
    asked = set()
    for count in range(len(whole.steps) + 1):
        session = played(4, ask, count, clock=False)
        records.write(tmp_path / "game.jsonl", session.record, overwrite=True)
        found = again(records.read(tmp_path / "game.jsonl")).state
        state = session.state
        asked.add(state.asked)
        assert found.digest == state.digest
        assert found.waiting.players == state.waiting.players
        for player in range(3):
            assert [str(action) for action in found.legal(player)] == [str(action) for action in state.legal(player)]
            assert found.view(player) == state.view(player)
            assert found.news(player) == state.news(player)
        assert kernel.playout(found, seed=1).digest == kernel.playout(state.copy(), seed=1).digest
    assert asked >= {"move", "window", "pick"}


def test_an_altered_choice_is_found_at_its_step_with_both_digests() -> None:
    record = played(2, clock=False).record
    fresh = Session(book(), record.header)
    changed = 0
    for index, step in enumerate(record.steps):
        assert isinstance(step, Act)
        others = [str(action) for action in fresh.state.legal(step.player) if str(action) != step.action]
        if others:
            steps = (*record.steps[:index], Act(step.player, others[-1], step.digest), *record.steps[index + 1 :])
            found = []
            for _ in range(2):  # twice in one process gives the same
                with pytest.raises(Divergence) as caught:
                    again(records.Record(record.header, steps))
                found.append((caught.value.step, caught.value.expected, caught.value.found, str(caught.value)))
            assert found[0] == found[1]
            assert found[0][:2] == (index + 1, step.digest)
            assert str(found[0][2]) in found[0][3]
            changed += 1
        fresh.repeat(step)
    assert changed > 10


def test_a_step_that_is_refused_is_a_divergence_too_and_nothing_has_happened() -> None:
    session = played(2, steps=3, clock=False)
    before = session.digest()
    player = session.state.waiting.players[0]
    with pytest.raises(Divergence, match=r"step 4 .*draw draw.* is refused"):
        session.repeat(Act(player, "draw draw"))
    with pytest.raises(Divergence, match="leads elsewhere"):
        session.repeat(Act(player, str(session.state.legal(player)[0]), "0" * 16))
    assert session.digest() == before
    assert len(session.steps) == 3


def test_names_that_change_places_in_the_header_are_noticed() -> None:
    header, _, rest = as_text(played(1, steps=4).record).partition("\n")
    data = json.loads(header)
    data["places"][0], data["places"][1] = data["places"][1], data["places"][0]
    with pytest.raises(kernel.RestoreError, match="was changed") as caught:
        records.parse(json.dumps(data) + "\n" + rest)
    assert caught.value.code == "altered"


def test_a_record_with_nothing_but_what_it_must_have_is_read_too() -> None:
    session = played(1)
    lines = [json.loads(line) for line in records.lines(session.record)]
    bare = [
        {key: value for key, value in line.items() if key not in ("d", "check", "parts", "places")} for line in lines
    ]
    found = again(records.parse("\n".join(json.dumps(line) for line in bare)))
    assert found.state.dump() == session.state.dump()


def test_another_version_of_a_pack_is_named_and_refused() -> None:
    record = played(1, steps=4).record
    with pytest.raises(kernel.RestoreError, match=r"pack base was 1\.0, here it is 1\.1") as caught:
        restore(record, lambda header: book(version="1.1", grab_title="Snatch"))
    assert caught.value.code == "other_book"
    with pytest.raises(kernel.RestoreError, match=r"pack base 1\.0 has other cards here \(digest \w+, here \w+\)"):
        restore(record, lambda header: book(grab_title="Snatch"))


def test_other_rules_are_refused_by_every_command_that_reads_records(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "game.jsonl"
    records.write(file, played(1).record)
    assert run(monkeypatch, "replay", str(file), "--verify", "--path", compiled(tmp_path)).code == 0
    theirs = compiled(tmp_path, "theirs", version="1.1", grab_title="Snatch")
    for command in (["replay", str(file), "--verify"], ["replay", str(file)], ["play", "--resume", str(file)]):
        done = run(monkeypatch, *command, "--path", theirs)
        assert (done.code, done.out) == (1, "")
        assert "error[other_book]: this record was made with other rules: pack base was 1.0, here it is 1.1" in done.err


def test_a_game_that_is_not_here_is_said_to_be_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "game.jsonl"
    records.write(file, played(1).record)
    done = run(monkeypatch, "replay", str(file))
    assert done.code == 2
    assert "there is no game `snip`" in done.err
    assert "made with snip and these packs: base 1.0" in done.err


GOOD = {
    "format": 1, "game": "snip", "packs": [["base", "1.0"]], "digest": "0" * 64, "options": {}, "preset": None,
    "players": 2, "seed": 1, "ask": "all",
}  # fmt: skip


@pytest.mark.parametrize(
    ("line", "change", "words"),
    [
        (1, {"format": 2}, "newer rulebook"),
        (1, {"format": True}, "format"),
        (1, {"format": "1"}, "format"),
        (1, {"players": 0}, "players"),
        (1, {"players": 10**9}, "players"),
        (1, {"players": 2.0}, "players"),
        (1, {"seed": "1"}, "seed"),
        (1, {"seed": 10**60}, "seed"),
        (1, {"ask": "nobody"}, "ask"),
        (1, {"packs": "base"}, "packs"),
        (1, {"packs": [["base"]]}, "packs"),
        (1, {"options": []}, "options"),
        (1, {"options": {"a": [[1]]}}, "options"),
        (1, {"options": {"a": {"b": 1}}}, "options"),
        (1, {"preset": 3}, "preset"),
        (1, {"game": ""}, "game"),
        (1, {"digest": None}, "digest"),
        (1, {"places": [{"name": "Ann", "bot": None}]}, "2 places"),
        (1, {"places": [1, 2]}, "place"),
        (1, {"parts": {"base": 1}}, "parts"),
        (1, {"surprise": 1}, "`surprise` is unknown"),
        (2, {"p": 2, "a": "draw"}, "`p`"),
        (2, {"p": -1, "a": "draw"}, "`p`"),
        (2, {"p": True, "a": "draw"}, "`p`"),
        (2, {"p": 0}, "`a`"),
        (2, {"a": "draw"}, "`p`"),
        (2, {"p": 0, "a": 7}, "`a`"),
        (2, {"p": 0, "a": "x" * 5000}, "`a`"),
        (2, {"p": 0, "a": "draw", "d": 5}, "`d`"),
        (2, {"p": 0, "a": "draw", "close": None}, "`close` is unknown"),
        (2, {"close": 9}, "`close`"),
        (2, {"leave": None}, "`leave`"),
        (2, {"jump": 1}, "a step is"),
        (2, {}, "a step is"),
    ],
)
def test_a_line_that_makes_no_sense_is_refused_by_its_number(line: int, change: dict[str, Any], words: str) -> None:
    rows = [json.dumps({**GOOD, **change})] if line == 1 else [json.dumps(GOOD), json.dumps(change)]
    with pytest.raises(kernel.RestoreError, match=words) as caught:
        records.parse("\n".join(rows), "game.jsonl")
    assert f"game.jsonl, line {line}: " in caught.value.message


@pytest.mark.parametrize(
    "text",
    [
        "\n",
        "{}",
        '{"format": NaN}',
        '{"format": 1, "format": 1}',
        "[" * 60_000,
        '{"a":' * 10_000,
        '{"format": ' + "9" * 10_000 + "}",
        "\x00\x1b[31m",
        json.dumps(GOOD) + "\n\n",
        json.dumps(GOOD) + "\n" + "x" * 70_000,
        json.dumps(GOOD) + '\n{"p": 0, "a": "dr',
    ],
    ids=lambda text: repr(text[:12]),
)
def test_what_is_no_record_is_refused_by_type_and_never_otherwise(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(kernel.RestoreError):
        records.parse(text)
    file = tmp_path / "game.jsonl"
    file.write_text(text)
    done = run(monkeypatch, "replay", str(file))
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("error[")
    assert "\x1b" not in done.err


def test_a_file_without_end_is_not_read_to_its_end(tmp_path: Path) -> None:
    file = tmp_path / "huge.jsonl"
    with file.open("wb") as opened:
        opened.truncate(records.MAX_BYTES * 64)
    with pytest.raises(kernel.RestoreError, match="larger than"):
        records.read(file)
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(kernel.RestoreError, match="not text"):
        records.read(file)


def test_writing_leaves_the_old_file_whole_and_nothing_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "game.jsonl"
    first = played(1, steps=3).record
    records.write(file, first)
    with pytest.raises(FileExistsError):
        records.write(file, played(1, steps=5).record)
    assert records.read(file) == first

    def fails(*_: object) -> None:
        raise OSError(28, "no space left")

    monkeypatch.setattr("os.fsync", fails)
    with pytest.raises(OSError, match="no space"):
        records.write(file, played(1, steps=5).record, overwrite=True)
    assert records.read(file) == first
    assert [entry.name for entry in tmp_path.iterdir()] == ["game.jsonl"]


def test_a_fault_of_a_card_leaves_a_record_that_shows_it_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = compiled(tmp_path, broken=True)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    done = run(monkeypatch, "simulate", game, "--games", "50", "--seed", "1")
    assert done.code == 1
    first, *notes = done.err.splitlines()
    assert first == "error[card]: snip/base/tuck.yaml:1: a number is divided by zero (card tuck)"
    assert any(note.strip().startswith("game snip, seed ") for note in notes)
    assert any("packs: base 1.0 (" in note for note in notes)
    command = notes[-1].partition("see it again with: rulebook ")[2].split()
    for _ in range(2):
        shown = run(monkeypatch, *command)
        assert shown.code == 1
        assert shown.err.splitlines()[0] == first
    assert run(monkeypatch, "play", game, "--seed", "1", "--players", "2").err.splitlines()[0] == first


def test_where_no_record_can_be_left_the_last_steps_are_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = kernel.EngineError("the wheels came off")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "missing"))
    sessions.report_fault(error, played(1, steps=2).record, Act(0, "draw"))
    assert "the last steps: " in error.__notes__[-1]
    assert error.__notes__[-1].endswith("player 0: draw")


def test_verify_proves_a_record_and_stops_where_it_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = compiled(tmp_path)
    record = played(2, clock=False).record
    good, bad = tmp_path / "good.jsonl", tmp_path / "bad.jsonl"
    records.write(good, record)
    done = run(monkeypatch, "replay", str(good), "--verify", "--path", game)
    assert (done.code, done.err) == (0, "")
    assert f"{len(record.steps)} steps, {len(record.steps)} digests compared, all the same" in done.out
    steps = list(record.steps)
    steps[8] = Act(0, steps[8].action if isinstance(steps[8], Act) else "draw", "0" * 16)
    records.write(bad, records.Record(record.header, tuple(steps)))
    done = run(monkeypatch, "replay", str(bad), "--verify", "--path", game)
    assert (done.code, done.out) == (1, "")
    assert "error[divergence]: step 9 " in done.err


def test_a_replay_lists_every_step_or_shows_one_through_anybodys_eyes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = compiled(tmp_path)
    session = played(2, clock=False)
    file = str(tmp_path / "game.jsonl")
    records.write(file, session.record)
    listed = run(monkeypatch, "replay", file, "--path", game)
    assert listed.code == 0
    for number, step in enumerate(session.steps, start=1):
        assert f"{number:>4}  {step}" in listed.out
    assert "The game is over" in listed.out
    hidden = {
        who: run(monkeypatch, "replay", file, "--path", game, "--step", "0", "--as", who).out.count(": 3 cards")
        for who in ("everything", "1", "spectator")
    }
    assert hidden == {"everything": 0, "1": 2, "spectator": 3}
    for wrong in (["--as", "7"], ["--as", "nobody"], ["--step", "100000"]):
        assert run(monkeypatch, "replay", file, "--path", game, *wrong).code == 2


def test_on_a_terminal_one_goes_on_and_back_to_any_step_and_through_other_eyes(tmp_path: Path) -> None:
    game = compiled(tmp_path)
    session = played(2, clock=False)
    file = str(tmp_path / "game.jsonl")
    records.write(file, session.record)
    prompt = "q: end > "
    found = Terminal("replay", file, "--path", game, NO_COLOR="1")
    steps = len(session.steps)
    assert f"the beginning, {steps} steps to come" in found.until(prompt)
    for typed, shown in (
        ("", f"step 1 of {steps}: {session.steps[0]}"),
        ("", f"step 2 of {steps}: {session.steps[1]}"),
        ("b", f"step 1 of {steps}: {session.steps[0]}"),
        ("back", "the beginning"),
        ("b", "the beginning"),
        ("5", f"step 5 of {steps}: {session.steps[4]}"),
        ("as spectator", f"step 5 of {steps}"),
        ("as nobody", "as a player from 0 to"),
        ("99999", f"step {steps} of {steps}"),
    ):
        found.type(typed)
        assert shown in found.until(prompt), typed
    found.type("0")
    spectator = found.until(prompt)
    found.type("as 1")
    player = found.until(prompt)
    found.type("as everything")
    everything = found.until(prompt)
    assert [text.count(": 3 cards") for text in (spectator, player, everything)] == [3, 2, 0]
    found.type("q")
    assert found.end()[0] == 0
