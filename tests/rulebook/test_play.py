"""`rulebook play`: games of bots, from scripts and in a terminal; hostile input; saving and going on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulebook import records
from rulebook.records import Act
from rulebook.sessions import Session, restore
from tests.rulebook.cli_runs import CLEAR, Terminal, compiled, on_screen, run
from tests.rulebook.snip import book

SGR = re.compile(r"\x1b\[[0-9;]*m")


def holding(players: int, *cards: str) -> str:
    """A seed from which the first player begins with these cards, whatever shuffles do."""
    for seed in range(1000):
        if set(cards) <= set(book().new(players=players, seed=seed).view(0)["zones"]["hand"]["0"]):
            return str(seed)
    raise AssertionError(f"nobody is ever dealt {cards}")


def seed_of(text: str) -> int:
    found = re.search(r"seed (\d+)", text)
    assert found is not None
    return int(found[1])


def test_games_without_a_seed_differ_and_tell_the_seed_that_repeats_them(monkeypatch: pytest.MonkeyPatch) -> None:
    games = [run(monkeypatch, "play", "--players", "2", lines="quit\n").out for _ in range(20)]
    hands = {game.partition("your hand")[2].partition(">")[0] for game in games}
    assert len(hands) >= 19
    again = run(monkeypatch, "play", "--players", "2", "--seed", str(seed_of(games[0])), lines="quit\n").out
    assert again == games[0]


def test_with_nothing_to_read_bots_play_a_whole_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "game.jsonl"
    done = run(monkeypatch, "play", compiled(tmp_path), "--seed", "3", "--save", str(file))
    assert (done.code, done.err) == (0, "")
    assert "\x1b" not in done.out
    assert re.search(r"The game is over: .*Player \d.* wins?\n", done.out)
    assert "unknown" not in done.out
    record = records.read(file)
    assert [place.bot for place in record.header.places] == ["random"] * 3
    assert restore(record, lambda header: book()).state.over


def test_a_game_of_bots_alone_is_watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = run(monkeypatch, "play", compiled(tmp_path), "--bots", "random,random", "--players", "2", lines="draw\n")
    assert done.code == 0
    assert "The game is over" in done.out


# -- scripts -----------------------------------------------------------------------------------------------------------


def test_a_script_plays_by_notation_and_may_hold_comments_and_empty_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "game.jsonl"
    script = "# Ann begins\n\n  draw  \nhand\n"
    done = run(monkeypatch, "play", compiled(tmp_path), "--seed", "5", "--save", str(file), lines=script)
    assert done.code == 0
    assert done.out.count("> draw") == 1
    assert "your hand: " in done.out
    mine = [step.action for step in records.read(file).steps if isinstance(step, Act) and step.player == 0]
    assert mine[0] == "draw"
    assert "goes on" in done.err


def test_a_decision_is_taken_back_in_the_game_and_in_its_record_until_something_was_disclosed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "game.jsonl"
    script = "play tuck\npass\npass\nchoose 0\nundo\nchoose 1\n"
    seed = holding(2, "tuck")
    args = ("play", compiled(tmp_path), "--hotseat", "--players", "2", "--seed", seed, "--save", str(file), "--force")
    done = run(monkeypatch, *args, lines=script)
    assert done.code == 0
    assert done.out.count("Taken back.") == 1
    steps = [str(step) for step in records.read(file).steps]
    assert steps == ["player 0: play tuck", "player 0: pass", "player 1: pass", "player 0: choose 1"]
    assert run(monkeypatch, "replay", str(file), "--verify", "--path", args[1]).code == 0
    refused = run(monkeypatch, *args, lines=script + "undo\nundo\nundo\n")
    assert refused.code == 2
    assert "disclosed" in refused.err
    assert [str(step) for step in records.read(file).steps] == ["player 0: play tuck"]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("xyzzy", "invalid"),
        ("play", "illegal"),
        ("play stop", "illegal"),
        ("play grab victim=9", "illegal"),
        ("play grab", "ambiguous"),
        ("choose 0", "illegal"),
        ("pass", "illegal"),
        ("draw draw", "illegal"),
        ("NaN", "invalid"),
        ("[" * 1_000_000, "invalid"),
        ("\x00\x1b[2J", "invalid"),
        ("play \u202egrab", "illegal"),
    ],
    ids=lambda value: value[:12].encode("unicode_escape").decode(),
)
def test_a_line_that_is_refused_stops_a_script_with_its_reason_and_changes_nothing(
    line: str, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, file = compiled(tmp_path), tmp_path / "game.jsonl"
    args = ("play", game, "--seed", "5", "--players", "3", "--save", str(file))
    done = run(monkeypatch, *args, lines=f"{line}\ndraw\n")
    assert done.code == 2
    assert done.err.startswith("error: line 1: ")
    assert f"[{code}]" in done.err
    assert "\x1b" not in done.out + done.err
    assert "\u202e" not in done.out + done.err
    assert len(done.err) < 1000
    expected = tmp_path / "expected.jsonl"
    run(monkeypatch, *args[:-1], str(expected), lines="quit\n")
    assert file.read_text() == expected.read_text()
    assert run(monkeypatch, "play", "--resume", str(file), "--path", game, lines="draw\n").code == 0


def test_a_refusal_tells_nothing_hidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether a card is in nobody's hand or in somebody else's, the words are the same."""
    game = compiled(tmp_path)
    refused = {
        run(monkeypatch, "play", game, "--seed", str(seed), "--players", "2", lines=f"choose {kind}\n").err.replace(
            kind, "X"
        )
        for seed in range(3)
        for kind in ("grab", "peek", "stop", "tuck")
    }
    assert len(refused) == 1


# -- saving ------------------------------------------------------------------------------------------------------------


def test_a_game_taken_up_again_is_the_one_that_was_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, file = compiled(tmp_path), tmp_path / "game.jsonl"
    run(monkeypatch, "play", game, "--seed", "5", "--names", "Ann", "--save", str(file), lines="draw\n")
    before = records.read(file)
    resume = ("play", "--resume", str(file), "--path", game, "--save", str(file))
    looked = run(monkeypatch, *resume, lines="hand\n")
    assert looked.code == 0
    assert records.read(file) == before
    view = restore(before, lambda header: book()).state.view(0)
    hand = looked.out.partition("> hand\n")[2].partition("your hand: ")[2].partition("\n")[0]
    assert count_of(hand) == len(view["zones"]["hand"]["0"])
    assert run(monkeypatch, *resume).code == 0
    after = records.read(file)
    assert after.steps[: len(before.steps)] == before.steps
    assert restore(after, lambda header: book()).state.over


def test_a_file_of_somebody_else_is_never_replaced_unasked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, letter = compiled(tmp_path), tmp_path / "letter.txt"
    letter.write_text("Dear Ann")
    done = run(monkeypatch, "play", game, "--save", str(letter))
    assert (done.code, done.out) == (2, "")
    assert "--force" in done.err
    asked = run(monkeypatch, "play", game, "--seed", "1", lines=f"save {letter}\n")
    assert "Not saved" in asked.out
    assert letter.read_text() == "Dear Ann"
    assert run(monkeypatch, "play", game, "--save", str(letter), "--force").code == 0
    assert records.read(letter).steps


def test_how_a_game_was_begun_cannot_be_changed_when_it_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, file = compiled(tmp_path), tmp_path / "game.jsonl"
    run(monkeypatch, "play", game, "--save", str(file), lines="draw\n")
    for more in (["--seed", "1"], ["--players", "2"], ["--hotseat"], ["--names", "Ann"], ["--packs", "base"]):
        assert run(monkeypatch, "play", "--resume", str(file), *more).code == 2


# -- what strangers wrote ----------------------------------------------------------------------------------------------

IMAGE = "<img src=x onerror=alert(1)>"


def test_texts_of_packs_and_names_of_players_are_shown_as_they_stand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = compiled(tmp_path, grab_title=IMAGE + "\x1b[31m[bold]:smile:{{ }}\x07")
    name = "**x** [l](javascript:1)"
    done = run(
        monkeypatch, "play", game, "--names", f"{name},\x1b]0;owned\x07", "--seed", "5", lines="help grab\ndraw\n"
    )
    assert done.code == 0
    assert IMAGE + "\\x1b[31m[bold]:smile:{{ }}\\x07" in done.out
    assert "\\x1b]0;owned\\x07" in done.out
    assert not {"\x1b", "\x07"} & set(done.out + done.err)
    watched = run(monkeypatch, "play", game, "--names", name, "--seed", "5")
    assert name in watched.out


def test_a_records_names_are_made_safe_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "game.jsonl"
    session = Session.new(book(), 2, 1, "all", [records.Place("\x1b[2J"), records.Place("Bob")])
    session.apply(0, "draw")
    records.write(file, session.record)
    for command in (["replay", str(file)], ["play", "--resume", str(file)]):
        done = run(monkeypatch, *command, "--path", compiled(tmp_path))
        assert done.code == 0
        assert "\x1b" not in done.out


# -- in a terminal -----------------------------------------------------------------------------------------------------


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    """One person against two bots."""
    seed = holding(3, "grab", "tuck")
    return Terminal("play", compiled(tmp_path), "--seed", seed, "--save", str(tmp_path / "game.jsonl"))


def test_a_person_chooses_by_number_by_word_and_by_notation(terminal: Terminal, tmp_path: Path) -> None:
    shown = SGR.sub("", terminal.until("> "))
    assert "Your turn" in shown
    assert re.search(r"1 Draw\s+2 Play Grab …\s+(3 Play Peek\s+)?\d Play Tuck", shown)
    terminal.type("2")
    assert re.search(r"Victim\?\s+1 Player 1\s+2 Player 2", SGR.sub("", terminal.until("> ")))
    terminal.type("back")
    assert "Play Tuck" in terminal.until("> ")
    terminal.type("99")
    assert "there is no such number" in terminal.until("> ")
    terminal.type("xyzzy")
    assert "no action of this game" in terminal.until("> ")
    terminal.type("help grab")
    assert "Take a card from another player." in terminal.until("> ")
    terminal.type("legal")
    assert "play grab victim=2" in terminal.until("> ")
    terminal.type("log")
    assert "The pile is shuffled" in terminal.until("> ")
    terminal.type("DRAW")
    assert "You take" in terminal.until("> ")
    terminal.type("quit")
    code, last = terminal.end()
    assert code == 0
    assert "--resume" in last
    steps = records.read(tmp_path / "game.jsonl").steps
    assert isinstance(steps[0], Act)
    assert steps[0].action == "draw"


def test_an_interruption_keeps_the_game(terminal: Terminal, tmp_path: Path) -> None:
    terminal.until("> ")
    terminal.type("draw")
    terminal.until("> ")
    terminal.interrupt()
    code, last = terminal.end()
    assert code == 130
    assert "Traceback" not in last
    assert "saved in" in last
    assert records.read(tmp_path / "game.jsonl").steps


def test_the_end_of_input_leaves_the_game(terminal: Terminal) -> None:
    terminal.until("> ")
    terminal.type("\x04")
    code, last = terminal.end()
    assert code == 0
    assert "Traceback" not in last


@pytest.mark.parametrize(
    ("environment", "options", "colors", "escapes"),
    [
        ({}, [], True, True),
        ({"NO_COLOR": "1"}, [], False, False),
        ({"TERM": "dumb"}, [], False, False),
        ({}, ["--no-color"], False, False),
    ],
)
def test_colours_are_for_terminals_that_want_them(
    environment: dict[str, str], options: list[str], colors: bool, escapes: bool, tmp_path: Path
) -> None:
    found = Terminal("play", compiled(tmp_path), "--seed", "5", *options, **environment)
    shown = found.until("> ")
    found.type("quit")
    found.end()
    assert bool(SGR.search(shown)) == colors
    assert ("\x1b" in shown) == escapes


# -- hot-seat ----------------------------------------------------------------------------------------------------------


def curtain(name: str) -> str:
    return f"{name} is asked. Enter when nobody else looks. "


def test_between_players_nothing_of_the_former_is_left_on_the_screen(tmp_path: Path) -> None:
    people = ("Ann", "Bob")
    options = ("--hotseat", "--players", "2", "--names", ",".join(people), "--seed", "5", "--no-color")
    found = Terminal("play", compiled(tmp_path), *options)
    state = book().new(players=2, seed=5, ask="all")
    former = -1
    changes = pauses = 0
    while changes < 8:
        player = former if former in state.waiting.players else state.waiting.players[0]
        if former != player:
            pause = f"Enter clears the screen for {people[player]}. "
            text = found.until(curtain(people[player]), pause)
            if text.endswith(pause):  # there was something that only the former may read
                assert CLEAR not in text
                found.type("")
                text = found.until(curtain(people[player]))
                pauses += 1
            assert CLEAR in text
            assert on_screen(text) == curtain(people[player])
            found.type("")
            changes += 1
        shown = found.until("> ")
        if former != player:
            assert CLEAR in shown
            shown = on_screen(shown)
        hand = re.search(r"your hand +(.*?)\r?\n", shown)
        assert hand is not None
        assert count_of(hand[1]) == len(state.view(player)["zones"]["hand"][str(player)])
        assert re.search(rf"{people[1 - player]} +hand: \d cards?", shown)
        action = str(state.legal(player)[0])
        found.type(action)
        state.apply(player, action)
        former = player
    assert pauses > 0
    found.interrupt()
    code, last = found.end()
    assert code == 130
    assert CLEAR in last
    assert "hand" not in on_screen(last)


def count_of(hand: str) -> int:
    """How many cards a hand has, as it is written: `Grab ×2 · Stop`."""
    return sum(int(number or 1) for number in re.findall(r"[A-Z]\w+(?: ×(\d+))?", hand))
