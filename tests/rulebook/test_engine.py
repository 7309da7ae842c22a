"""`rulebook engine`: the protocol, its schema, its errors, who may know what, and what hostile input cannot do."""

from __future__ import annotations

import io
import json
import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from rulebook import records, sessions
from rulebook.commands.engine import command
from rulebook.engine.methods import NAMES, Engine
from rulebook.engine.rpc import answer_line, serve
from rulebook.engine.schema import schema, validator
from tests.rulebook.cli_runs import ROOT

NODE = ROOT / "docs" / "examples" / "node"


class Client:
    """An engine in this process. Every request and answer is held against the schema."""

    def __init__(self, **limits: Any) -> None:
        self.methods = Engine(**limits).methods()
        self.request_rules = Draft202012Validator(schema())
        self.answer_rules = validator("answer")

    def send(self, line: bytes) -> dict[str, Any]:
        """The answer to a line as it is."""
        raw, _ = answer_line(line, self.methods)
        assert raw is not None
        assert raw.endswith(b"\n")
        assert raw.count(b"\n") == 1
        answer: dict[str, Any] = json.loads(raw)
        self.answer_rules.validate(answer)
        return answer

    def result(self, method: str, **params: Any) -> dict[str, Any]:
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        self.request_rules.validate(request)
        answer = self.send(json.dumps(request).encode())
        assert "result" in answer, answer
        validator(f"result.{method}").validate(answer["result"])
        found: dict[str, Any] = answer["result"]
        return found

    def error(self, method: str, **params: Any) -> tuple[int, str]:
        answer = self.send(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode())
        assert "error" in answer, answer
        assert "Traceback" not in answer["error"]["message"]
        return answer["error"]["code"], answer["error"]["data"]["code"]

    def game(self, players: int = 3, seed: int = 4, **more: Any) -> str:
        book = self.result("load")["book"]
        session: str = self.result("new", book=book, players=players, seed=seed, **more)["session"]
        return session

    def finish(self, session: str) -> dict[str, Any]:
        """Play on, everybody taking the last action, to the end."""
        status = self.result("status", session=session)
        while not status["over"]:
            player = status["waiting"][0]
            total = self.result("legal", session=session, player=player, limit=0)["total"]
            last = self.result("legal", session=session, player=player, **{"from": total - 1})["actions"][0]
            status = self.result("apply", session=session, player=player, action=last, at=status["version"])
        return status


def test_the_schema_is_one_and_names_every_method() -> None:
    Draft202012Validator.check_schema(schema())
    assert schema()["properties"]["method"]["enum"] == list(NAMES)
    for name in NAMES:
        assert f"params.{name}" in schema()["$defs"]
        assert f"result.{name}" in schema()["$defs"]
    page = (ROOT / "docs" / "engine.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1].strip(" `") for line in page.splitlines() if line.startswith("| `")]
    assert rows == list(NAMES)


def test_every_parameter_of_the_schema_stands_in_the_docs() -> None:
    page = (ROOT / "docs" / "engine.md").read_text(encoding="utf-8")
    rows = {line.split("|")[1].strip(" `"): line.split("|")[2] for line in page.splitlines() if line.startswith("| `")}
    for name in NAMES:
        rules = schema()["$defs"][f"params.{name}"]
        needed = rules.get("required", [])
        assert rows[name].split() == [f"`{key}`" if key in needed else f"`{key}?`" for key in rules["properties"]]


def test_the_talk_in_the_docs_goes_as_it_is_written() -> None:
    page = (ROOT / "docs" / "engine.md").read_text(encoding="utf-8")
    methods = Engine().methods()
    book = ""
    raw: bytes | None = b""
    said = 0
    for line in page.split("```")[1].splitlines():
        if line.startswith("> "):
            raw, _ = answer_line(line[2:].replace("9c0e…", book).encode(), methods)
            assert raw is not None
            result = json.loads(raw)["result"]
            book = result.get("book", book)
        elif line.startswith("< "):
            # What follows from the cards that were dealt changes when cards do.
            pattern = re.escape(line[2:].replace("9c0e…", "…")).replace("…", ".*")
            pattern = re.sub('"asked":"[a-z]+"', '"asked":"[a-z]+"', re.sub(r"\d+", r"\\d+", pattern))
            assert re.fullmatch(pattern, raw.decode().strip() if raw else ""), (line, raw)
            said += 1
    assert said == 5


def test_a_game_is_played_to_its_end_and_its_record_is_exact() -> None:
    client = Client()
    session = client.game(players=3)
    status = client.finish(session)
    assert len(status["winners"]) == 1
    record = records.parse("\n".join(client.result("record", session=session)["lines"]))
    played = sessions.restore(record, sessions.load_recorded)
    assert list(played.state.winners) == status["winners"]
    assert record.steps[-1].digest == played.digest()


def test_a_saved_game_goes_on_the_same_way_in_another_engine() -> None:
    client = Client()
    session = client.game()
    for _ in range(6):
        status = client.result("status", session=session)
        client.result("timeout", session=session, player=status["waiting"][0])
    save = client.result("save", session=session)
    other = Client()
    assert other.result("load")["book"] == save["book"]
    again = other.result("restore", **save)["session"]
    for player in (0, 1, 2, None):
        assert other.result("view", session=again, player=player) == client.result(
            "view", session=session, player=player
        )
    assert other.finish(again)["winners"] == client.finish(session)["winners"]
    assert other.error("record", session=again) == (-32008, "record")


def test_views_news_and_actions_are_those_of_the_player_named() -> None:
    client = Client()
    given = {"hand": {"0": ["skip", "favor"], "1": ["attack"]}, "draw_pile": ["shuffle", "favor", "favor"]}
    book = client.result("load")["book"]
    session = client.result("position", book=book, players=2, given=given)["session"]
    views = [client.result("view", session=session, player=p)["view"] for p in (0, 1, None)]
    assert "unknown" not in views[0]["zones"]["hand"]["0"]
    assert set(views[0]["zones"]["hand"]["1"]) == {"unknown"}
    assert set(views[1]["zones"]["hand"]["0"]) == {"unknown"}
    assert set(views[2]["zones"]["hand"]["0"] + views[2]["zones"]["hand"]["1"]) == {"unknown"}
    client.result("apply", session=session, player=0, action="draw")
    drawn = [client.result("news", session=session, player=p, since=views[0]["version"])["news"] for p in (0, 1, None)]
    assert len({len(rows) for rows in drawn}) == 1
    assert "unknown" not in json.dumps(drawn[0])
    assert "unknown" in json.dumps(drawn[1])
    assert drawn[1] == drawn[2]
    assert client.result("legal", session=session, player=0)["actions"] == []


def test_a_guess_shows_its_player_the_same_and_leaves_the_game_alone() -> None:
    client = Client()
    session = client.game(players=2)
    before = client.result("save", session=session)
    guess = client.result("guess", session=session, player=0, seed=9)["session"]
    for method in ("view", "news", "legal"):
        assert client.result(method, session=guess, player=0) == client.result(method, session=session, player=0)
    client.finish(guess)
    copied = client.result("copy", session=session)["session"]
    client.finish(copied)
    assert client.result("save", session=session) == before
    assert client.error("guess", session=session, player=1, seed=9)[0] < -32000


def test_a_position_is_begun_and_its_actions_are_spelt_by_ids() -> None:
    client = Client()
    book = client.result("load")["book"]
    words = client.result("words", book=book)["words"]
    given = {"hand": {"0": ["favor"], "1": ["skip"], "2": ["nope"]}, "draw_pile": ["skip", "skip"]}
    session = client.result("position", book=book, players=3, given=given)["session"]
    first = client.result("spell", session=session, player=0)
    assert [words[id] for id in first["ids"]] == ["draw", "play favor"]
    favor, second = words.index("play favor"), words.index("player 2")
    next_one = client.result("spell", session=session, player=0, given=[favor])
    assert [words[id] for id in next_one["ids"]] == ["player 1", "player 2"]
    done = client.result("spell", session=session, player=0, given=[favor, second])
    assert (done["ids"], done["action"]) == ([], "play favor victim=2")
    client.result("apply", session=session, player=0, action=done["action"], at=done["version"])
    assert client.error("spell", session=session, player=1, given=[favor]) == (-32001, "illegal")
    assert client.error("spell", session=session, player=1, given=[len(words)]) == (-32002, "invalid")
    assert client.result("spell", session=session, player=1, given=[words.index("pass")])["action"] == "pass"
    assert client.error("position", book=book, players=3, given={"hands": {}}) == (-32004, "position")
    assert client.error("position", book=book, players=3, given={"hand": {"9": ["skip"]}}) == (-32004, "position")
    assert client.error("record", session=session) == (-32008, "record")


def test_what_is_refused_is_a_typed_error_and_changes_nothing() -> None:
    client = Client()
    session = client.game(players=2)
    before = client.result("save", session=session)
    assert client.error("apply", session=session, player=1, action="draw") == (-32001, "not_asked")
    assert client.error("apply", session=session, player=0, action="draw", at=0) == (-32001, "stale")
    assert client.error("apply", session=session, player=0, action="pass") == (-32001, "illegal")
    assert client.error("apply", session=session, player=0, action="sing") == (-32002, "invalid")
    assert client.error("apply", session=session, player=7, action="draw") == (-32002, "player")
    assert client.error("timeout", session=session, player=1) == (-32001, "not_asked")
    assert client.error("status", session="s99") == (-32008, "session")
    assert client.error("new", book="none", players=2, seed=1) == (-32008, "book")
    assert client.error("new", book=before["book"], players=60, seed=1) == (-32004, "players")
    assert client.error("restore", book=before["book"], save="{}")[0] == -32005
    assert client.error("restore", book=before["book"], save="[" * 100_000) == (-32005, "restore")
    assert client.error("hello", protocol=2) == (-32011, "protocol")
    assert client.error("load", game="kitens") == (-32007, "RB301")
    assert client.error("load", options={"hand_sise": 3})[0] == -32007
    assert client.error("nwe") == (-32601, "method")
    for key in ("_id", "__class__", "shelf", "permitted"):
        assert client.error(key) == (-32601, "method")
    assert client.result("save", session=session) == before


@pytest.mark.parametrize(
    ("method", "params", "words"),
    [
        ("new", {"book": "x", "seed": 1}, "`params` needs `players`"),
        ("new", {"book": "x", "players": 2, "seed": "1"}, "`seed` cannot be that: a whole number"),
        ("new", {"book": "x", "players": 2, "seed": 1, "aks": "all"}, "`aks`; it may hold"),
        ("new", {"book": "x", "players": True, "seed": 1}, "`players`"),
        ("legal", {"session": "s1", "player": 0, "limit": 1001}, "1000"),
        ("load", {"game": "../kittens"}, "`game` cannot be that: a name"),
        ("load", {"packs": ["base", "/etc"]}, "`packs[1]` cannot be that: a name"),
        ("apply", {"session": "s1", "player": 0, "action": "x" * 5000}, "4096 characters"),
        ("view", {"session": "s1"}, "`player`"),
    ],
)
def test_a_wrong_parameter_is_named_with_what_it_must_be(method: str, params: dict[str, Any], words: str) -> None:
    client = Client()
    request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    assert not client.request_rules.is_valid(request)
    error = client.send(json.dumps(request).encode())["error"]
    assert error["code"] == -32602
    assert words in error["message"]
    assert len(error["message"]) <= 500


@pytest.mark.parametrize(
    ("line", "number"),
    [
        (b"{", -32700),
        (b"\xff\xfe", -32700),
        (b"[" * 200_000, -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":"hello","params":{"protocol":1e400}}', -32700),
        (b'{"jsonrpc":"2.0","id":NaN,"method":"hello"}', -32700),
        (b'{"jsonrpc":"2.0","id":1,"id":2,"method":"hello"}', -32700),
        (b'{"jsonrpc":"2.0","id":' + b"9" * 5000 + b',"method":"hello"}', -32700),
        (b"[]", -32600),
        (b"1", -32600),
        (b'{"jsonrpc":"1.0","id":1,"method":"hello"}', -32600),
        (b'{"jsonrpc":"2.0","id":{},"method":"hello"}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":7}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":"hello","params":[1]}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":"hello","extra":1}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":"\\ud800"}', -32601),
    ],
)
def test_a_line_that_is_no_request_is_one_error_and_the_engine_goes_on(line: bytes, number: int) -> None:
    client = Client()
    assert client.send(line)["error"]["code"] == number
    assert client.result("hello")["protocol"] == 1


def test_arbitrary_parameters_never_meet_an_unforeseen_fault() -> None:
    client = Client(max_sessions=8)
    session = client.game()
    book = client.result("load")["book"]
    save = client.result("save", session=session)["save"]
    sense: dict[str, Any] = {"session": session, "book": book, "player": 0, "players": 2, "seed": 3, "name": "s5"}
    junk: list[Any] = [0, 1, -1, 63, 64, 10**30, "", None, True, [], {}, "x" * 300, "draw", "\ud800", [5], [[[]]], "0"]
    junk += [{"hand": {"0": ["skip(up)"]}}, {"hand": [["skip"]]}, {"turn": {"player": 9}}, {"draw_pile": 7}, save[:-9]]
    chance = random.Random(6)
    numbers: set[int] = set()
    for _ in range(1200):
        method = chance.choice([name for name in NAMES if name not in ("quit", "load")])
        params = {}
        for key in schema()["$defs"][f"params.{method}"]["properties"]:
            if chance.random() < 0.85:
                sensible = key in sense and chance.random() < 0.7
                params[key] = sense[key] if sensible else chance.choice(junk)
        answer = client.send(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode())
        if "result" in answer:
            validator(f"result.{method}").validate(answer["result"])
        numbers.add(answer.get("error", {}).get("code", 0))
    assert -32603 not in numbers
    assert {0, -32602, -32001, -32008} <= numbers


def test_books_and_sessions_are_bounded_and_can_be_forgotten() -> None:
    client = Client(max_sessions=2, max_books=1)
    session = client.game()
    book = client.result("load")["book"]  # the same rules are the same book
    client.result("copy", session=session)
    assert client.error("copy", session=session) == (-32009, "sessions")
    assert client.error("guess", session=session, player=0, seed=1) == (-32009, "sessions")
    assert client.error("load", options={"hand_size": 3}) == (-32009, "books")
    assert client.result("forget", name=session) == {"forgot": "session"}
    assert client.error("status", session=session) == (-32008, "session")
    assert client.result("new", book=book, players=2, seed=1)["session"] == "s3"
    assert client.result("forget", name=book) == {"forgot": "book"}
    assert client.error("status", session="s3") == (-32008, "session")
    assert client.error("forget", name=book) == (-32008, "forget")


def test_a_path_is_read_only_below_an_allowed_folder(tmp_path: Path) -> None:
    allowed, outside = tmp_path / "allowed", tmp_path / "allowed-not"
    for folder in (allowed, outside):
        shutil.copytree(ROOT / "tests" / "rulebook" / "rulings" / "games" / "tea", folder / "tea")
    (allowed / "link").symlink_to(outside)
    closed, client = Client(), Client(allowed=[str(allowed)])
    assert closed.result("hello")["paths"] is False
    assert client.result("hello")["paths"] is True
    assert client.result("load", game="tea", path=str(allowed / "tea"))["game"] == "tea"
    refused = closed.error("load", game="tea", path=str(allowed / "tea"))
    assert refused == (-32010, "path")
    for path in (outside, allowed / ".." / "allowed-not", allowed / "link" / "tea", "/nowhere/at/all", "a\0b"):
        assert client.error("load", game="tea", path=str(path)) == refused


def test_a_long_line_is_skipped_whole_and_the_next_is_answered() -> None:
    lines = [b"x" * 5000, b'{"jsonrpc":"2.0","id":1,"method":"hello"}', b"", b"y" * 200_000, b'{"id":2}']
    sink = io.BytesIO()
    serve(io.BytesIO(b"\n".join(lines)), sink, Engine(max_line=1024).methods(), 1024)
    answers = [json.loads(line) for line in sink.getvalue().splitlines()]
    assert [a.get("error", {}).get("data", {}).get("code") for a in answers] == [
        "too_long",
        None,
        "too_long",
        "request",
    ]
    assert answers[1]["result"]["limits"]["line"] == 1024


def test_a_line_of_exactly_the_limit_is_read() -> None:
    line = b'{"jsonrpc":"2.0","id":1,"method":"hello"}'
    for end in (b"\n", b"\r\n", b""):
        for more, refused in ((0, False), (1, True)):
            sink = io.BytesIO()
            serve(io.BytesIO(b" " * more + line + end), sink, Engine().methods(), len(line))
            assert (b"too_long" in sink.getvalue()) == refused


def test_a_notification_is_carried_out_and_never_answered() -> None:
    methods = Engine().methods()
    assert answer_line(b'{"jsonrpc":"2.0","method":"hello"}', methods) == (None, False)
    assert answer_line(b'{"jsonrpc":"2.0","method":"nothing"}', methods) == (None, False)
    assert answer_line(b'{"jsonrpc":"2.0","method":"quit"}', methods) == (None, True)
    raw, done = answer_line(b'{"jsonrpc":"2.0","id":"x","method":"quit"}', methods)
    assert (raw, done) == (b'{"jsonrpc":"2.0","id":"x","result":{}}\n', True)


def test_an_unforeseen_fault_is_an_error_without_a_place_in_our_source() -> None:
    def broken(_params: dict[str, Any]) -> dict[str, Any]:
        raise ZeroDivisionError("secret place")

    raw, done = answer_line(b'{"jsonrpc":"2.0","id":1,"method":"hello"}', {"hello": broken})
    assert raw is not None
    assert not done
    error = json.loads(raw)["error"]
    assert (error["code"], error["data"]["code"]) == (-32603, "internal")
    assert "secret" not in error["message"]


def test_what_a_library_prints_does_not_reach_the_client(capsys: pytest.CaptureFixture[str]) -> None:
    def chatty(_params: dict[str, Any]) -> dict[str, Any]:
        print("hello there")
        return {}

    sink = io.BytesIO()
    serve(io.BytesIO(b'{"jsonrpc":"2.0","id":1,"method":"hello"}\n'), sink, {"hello": chatty})
    assert sink.getvalue() == b'{"jsonrpc":"2.0","id":1,"result":{}}\n'
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", "hello there\n")


def test_the_command_answers_a_pipe_and_ends_with_it() -> None:
    lines = b'{"jsonrpc":"2.0","id":1,"method":"hello"}\n{"jsonrpc":"2.0","id":2,"method":"games"}\n'
    done = subprocess.run(
        [sys.executable, "-m", "rulebook", "engine"], input=lines, cwd=ROOT, capture_output=True, timeout=60, check=True
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert "kittens" in answers[1]["result"]["games"]
    assert done.stderr == b""


def test_starting_the_engine_imports_neither_the_language_nor_schemas() -> None:
    code = (
        "import sys, rulebook.commands.engine; print(sorted({'yaml', 'lark', 'jsonschema', 'rich'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    assert command.epilog is not None


def node() -> str:
    found = shutil.which("node")
    if found is None:
        pytest.skip("node is not installed, so the client in docs/examples/node cannot be run")
    return found


@pytest.mark.parametrize("seed", [1, 2])
def test_two_bots_in_node_play_a_whole_game(seed: int, tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    args = [node(), str(NODE / "two_bots.mjs"), "--seed", str(seed), "--record", str(file)]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [*args, "--", sys.executable, "-m", "rulebook", "engine"],
        cwd=tmp_path, env=env, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    said = json.loads(done.stdout)
    played = sessions.restore(records.read(file), sessions.load_recorded)
    assert said["decisions"] == len(played.steps) > 5
    assert said["winners"] == list(played.state.winners)


def test_the_node_client_throws_typed_errors_and_tells_when_the_engine_is_gone(tmp_path: Path) -> None:
    script = tmp_path / "faults.mjs"
    script.write_text(
        f"""import {{ Engine, EngineError }} from {json.dumps((NODE / "engine.mjs").as_uri())};
const engine = await Engine.start(process.argv[2], process.argv.slice(3));
try {{ await engine.call("load", {{ game: "kitens" }}); }}
catch (error) {{ console.log(error instanceof EngineError, error.code, error.number); }}
await engine.quit();
try {{ await new Promise((r) => setTimeout(r, 50)); await engine.call("hello"); await engine.call("hello"); }}
catch (error) {{ console.log(error.message.includes("ended")); }}
try {{ await Engine.start("/nowhere/at/all"); }} catch (error) {{ console.log(error.code); }}
""",
        encoding="utf-8",
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [node(), str(script), sys.executable, "-m", "rulebook", "engine"],
        env=env, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.stderr == ""
    assert done.stdout.split("\n")[:3] == ["true RB301 -32007", "true", "ENOENT"]
