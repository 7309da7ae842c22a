"""What is woven does what the plain way does: at random, at its limits, and with names that would like to be code."""

from __future__ import annotations

import ast
import inspect
import json
import pickle
import re
import sys
from pathlib import Path
from typing import Any

import pytest

import kernel
from kernel import game, machine, weave
from kernel.core import Expr, Frame
from kernel.game import FAULTS
from kernel.lower import Lowering
from kernel.writer import HELD, NoFrame
from tests.kernel import parlour
from tests.kernel.scribble import SLOTS, Scribbler

CARDS = {
    "tea": "tags: [sweet]\n" + parlour.play("pay you coins: 2"),
    "salt": "text: nothing\n",
    "hat": 'mark: Hat\nwhile: {answer: safe, if: who == you, with: "true"}\n',
    "ring": 'while: {in: hand, answer: worth, if: who == you, with: "2"}\n',
    "bell": 'while: {in: table, answer: calls, if: who == you, with: "[\\"bell\\"]"}\n',
    "echo": 'when: {event: pay, in: table, do: "pay you coins: 1"}\n',
    "horn": 'when: {event: move, in: table, do: "note line: \\"horn\\""}\n',
}
GIVEN = {
    "hand": {0: ["tea", "salt"], 1: ["ring"], 2: ["tea"]},
    "pile": ["salt", "tea", "salt"],
    "discard": ["salt"],
    "table": {1: ["bell", "horn"]},
    "marks": {0: ["hat"]},
}
VALUES: tuple[Any, ...] = (0, 1, 2, 3, -1, 7, (), (0, 1), (2, 0, 1), "tea", "", True, False, None, ("tea", "salt"))


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> tuple[kernel.Rulebook, kernel.Rulebook]:
    """The same rules the plain way and with a weaver that weaves whatever it runs."""
    data = parlour.load(tmp_path_factory.mktemp("game"), CARDS).data
    return pair(data)


def pair(data: Any) -> tuple[kernel.Rulebook, kernel.Rulebook]:
    plain = kernel.Rulebook.from_data(data, plain=True)
    woven = kernel.Rulebook.from_data(data)
    if woven.weaver is None:
        pytest.skip("nothing is woven where the kernel is compiled")
    woven.weaver.hot = 0
    return plain, woven


def outcome(what: Any) -> Any:
    """What a call gives, or how it fails."""
    try:
        value = what()
    except kernel.GameError as error:
        return type(error).__name__, str(error)
    except (*FAULTS, RecursionError) as error:
        return "fault", isinstance(error, RecursionError)
    return repr(tuple(value) if isinstance(value, list) else value)


def worked_out(book: kernel.Rulebook, x: Any, values: list[Any], bare: bool, woven: bool) -> Any:
    """An expression in a position: its value or its error, and what it leaves behind."""
    state = book.position(3, GIVEN)
    state.out = 4
    state.budget = 40
    e: Expr = Lowering(book.names).expr(x)
    frame = Frame(book.nothing, values[:], 1, state.zones[0][0] if state.zones[0] else 0, -1, None)
    if woven:
        assert book.weaver is not None
        if bare:
            try:
                short = book.weaver.bare(e)
            except NoFrame:
                return None
            return outcome(lambda: short(state, 1)), state.budget
        whole = book.weaver.whole(e)
        return outcome(lambda: whole(state, frame)), state.budget, frame.vars
    if bare:
        return outcome(lambda: e.of_player(state, 1, SLOTS)), state.budget
    return outcome(lambda: e.ev(state, frame)), state.budget, frame.vars


def same(plain: Any, woven: Any) -> bool:
    """What no compiler writes (a number that is gone through like a list) may fail in either of two places; and what
    fails may leave anything behind."""
    if woven is None or plain == woven:
        return True
    one, other = plain[0], woven[0]
    failed = isinstance(one, tuple) and isinstance(other, tuple)
    return failed and (one == other or "fault" in (one[0], other[0]))


@pytest.mark.parametrize("seed", range(6))
def test_expressions_at_random(books: tuple[kernel.Rulebook, kernel.Rulebook], seed: int) -> None:
    plain, woven = books
    scribbler = Scribbler(seed)
    for _ in range(40):
        x = scribbler.expr(4)
        values = [scribbler.pick(*VALUES) for _ in range(SLOTS)]
        for bare in (False, True):
            one = worked_out(plain, x, values, bare, False)
            other = worked_out(woven, x, values, bare, True)
            assert same(one, other), (bare, x, values, one, other)


def played(book: kernel.Rulebook, seed: int) -> Any:
    """Some steps of a game, and its end or its error."""
    scribbler = Scribbler(seed)
    state = book.position(3, GIVEN, seed=seed)
    told: list[Any] = []
    for _ in range(6):
        if state.over:
            break
        player = state.waiting.players[0]
        legal = state.legal(player)
        action = legal[scribbler.random.randrange(len(legal))]
        told.append(outcome(lambda p=player, a=action: state.apply(p, a)))
        told.append(json.dumps(state.dump(), sort_keys=True))
        if isinstance(told[-2], tuple):
            break
    return told


@pytest.mark.parametrize("seed", range(16))
def test_programs_at_random(
    books: tuple[kernel.Rulebook, kernel.Rulebook], seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game, "OPERATIONS", 60)
    monkeypatch.setattr(machine, "OPERATIONS", 60)
    data = json.loads(books[0].to_json())
    scribbler = Scribbler(1000 + seed)
    for raw in data["moves"]:
        raw["program"] = scribbler.program(scribbler.random.randrange(3, 14))
        raw["slots"] = raw["program"]["slots"]
    plain, woven = pair(data)
    for game_seed in range(3):
        assert played(plain, game_seed) == played(woven, game_seed)


def sources(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """All text that becomes code from now on."""
    found: list[str] = []

    def noted(source: str, *args: Any) -> Any:
        found.append(source)
        return compile(source, *args)

    monkeypatch.setattr(weave, "compile", noted, raising=False)
    return found


NAMES = re.compile(
    r"[KQtv]\d+|_[a-z]+|s|f|stretch|given|value|card|bits"
    r"|group|index|sets|values|count|args|cards|number|target|act|at|zone|able|noted|saw|to|move|page|found|legal|launch"
)


def test_no_text_of_a_book_becomes_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    evil = "\"\"\"'''\n__import__('os').system('true')#"
    book = parlour.load(tmp_path, CARDS)
    data = json.loads(book.to_json().replace('"coins"', json.dumps("coins" + evil)))
    for raw in data["moves"]:
        raw["program"]["ops"][:0] = [
            ["let", 0, ["k", evil]],
            ["set_game", "log", ["list", ["join", ["v", 0], ["k", evil]]]],
        ]
        raw["program"]["lines"][:0] = [1, 1]
        raw["program"]["slots"] += 1
        for op in raw["program"]["ops"][2:]:
            if op[0] in ("jump", "unless"):
                op[-1] += 2
    found = sources(monkeypatch)
    _, woven = pair(data)
    kernel.playout(woven.new(3, 1), seed=1)
    assert len(found) > 5
    attributes = set()
    for source in found:
        assert evil not in source
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Constant):
                assert node.value is None or type(node.value) in (int, bool)
            elif isinstance(node, ast.Name):
                assert NAMES.fullmatch(node.id) or node.id in weave.HELPERS or node.id in HELD, node.id
            elif isinstance(node, ast.Attribute):
                attributes.add(node.attr)
            assert not isinstance(node, (ast.Import, ast.ImportFrom, ast.Global, ast.Lambda))
    assert not [name for name in attributes if name.startswith("__")]


def test_a_function_has_no_built_in_names_but_its_own(books: tuple[kernel.Rulebook, kernel.Rulebook]) -> None:
    _, woven = books
    assert woven.weaver is not None
    function = woven.weaver.weave(woven.play, 0)
    assert function.__globals__["__builtins__"] is weave.HELPERS
    assert not {"open", "eval", "exec", "__import__", "getattr"} & set(weave.HELPERS)


def test_errors_are_placed_where_the_plain_way_places_them(tmp_path: Path) -> None:
    cards = {
        "bad": parlour.play('let x = 1\nlet y = x - 1\nfor p in living:\n  note "fine"\n  let z = x / y\nnote "never"'),
        "deep": parlour.play('let x = 1\nwhile x > 0:\n  let x = x + 1\nnote "never"'),
    }
    for id, line in (("bad", "divided by zero"), ("deep", "does not come to an end")):
        errors = []
        for book in pair(parlour.load(tmp_path / id, cards).data):
            state = book.position(2, {"hand": {0: [id]}, "pile": [id]})
            before = state.dump()
            with pytest.raises(kernel.CardError, match=line) as raised:
                state.apply(0, f"play {id}")
            errors.append((str(raised.value), raised.value.file, raised.value.line, raised.value.card))
            assert raised.value.line > 0
            assert raised.value.card == id
            assert state.dump() == before
        assert errors[0] == errors[1]


def test_short_games_weave_nothing_and_a_plain_book_never_does(tmp_path: Path) -> None:
    data = parlour.load(tmp_path, CARDS).data
    book = kernel.Rulebook.from_data(data)
    plain = kernel.Rulebook.from_data(data, plain=True)
    assert plain.weaver is None
    for seed in range(30):
        kernel.playout(plain.new(2, seed), seed=seed)
    if book.weaver is not None:
        book.weaver.hot = 60
        state = book.new(2, 1)
        for _ in range(4):
            player = state.waiting.players[0]
            state.apply(player, state.legal(player)[0])
        assert book.weaver.stretches == 0
        for seed in range(60):
            kernel.playout(book.new(2, seed), seed=seed)
        assert book.weaver.stretches > 0


def test_books_are_pickled_whatever_is_woven(books: tuple[kernel.Rulebook, kernel.Rulebook]) -> None:
    for book in books:
        kernel.playout(book.new(2, 1), seed=1)
        again = pickle.loads(pickle.dumps(book))
        assert again.digest == book.digest
        assert (again.weaver is None) == (book.weaver is None)


def test_with_coverage_everything_runs_the_plain_way(books: tuple[kernel.Rulebook, kernel.Rulebook]) -> None:
    from kernel.dealing import new_game

    lines: list[set[tuple[str, int]]] = [set(), set()]
    for book, found in zip(books, lines, strict=True):
        kernel.playout(new_game(book, 2, 3, "all", coverage=found), seed=3)
    assert lines[0]
    assert lines[0] == lines[1]


def test_a_book_of_great_programs_costs_no_more_than_it_may(
    books: tuple[kernel.Rulebook, kernel.Rulebook], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = json.loads(books[0].to_json())
    deep: list[Any] = ["v", 0]
    for i in range(150):
        deep = (
            ["if", ["<", deep, ["k", i]], ["+", deep if i < 6 else ["v", 0], ["k", 1]], ["not", deep]]
            if i < 9
            else ["not", deep]
        )
    ops: list[Any] = [["let", 0, ["k", 1]], ["let", 1, deep], ["let", 2, ["list", *[["v", 0]] * 3000]]]
    size = 4000
    ops += [["unless", ["<", ["v", 0], ["k", i]], size] for i in range(300)]  # as deep as it is long
    ops += [["let", 0, ["+", ["v", 0], ["k", i]]] for i in range(size - len(ops))]
    raw = data["moves"][0]
    raw["program"] = {**raw["program"], "ops": ops, "lines": [1] * size, "slots": 5}
    found = sources(monkeypatch)
    plain, woven = pair(data)
    assert played(plain, 1) == played(woven, 1)
    assert max(len(source) for source in found) < 200_000


def test_where_there_is_little_room_left_nothing_is_woven(books: tuple[kernel.Rulebook, kernel.Rulebook]) -> None:
    data = books[0].data
    plain, woven = pair(data)

    def deep(book: kernel.Rulebook, room: int) -> Any:
        state = book.position(3, GIVEN)
        return below(room, lambda: outcome(lambda: state.apply(0, "draw"))), state.digest

    def below(room: int, what: Any) -> Any:
        return what() if room == 0 else below(room - 1, what)

    here = len(inspect.stack(0))
    room = sys.getrecursionlimit() - here - 60
    assert deep(plain, room) == deep(woven, room)


def test_an_act_played_in_one_piece_stands_where_it_would_when_something_looks(tmp_path: Path) -> None:
    cards = {
        "calm": parlour.play("pay you coins: 1\nmove top(pile, 1) to: hand"),
        "loud": parlour.play(
            'note line: "before"\nlet n = count(hand)\nif n > 1:\n  pay you coins: n\nnote line: "after"'
        ),
        "echo": 'when: {event: pay, in: table, do: "note line: \\"echo\\""}\n',
    }
    plain, woven = pair(parlour.load(tmp_path, cards).data)
    for id in ("calm", "loud"):
        for echoes in ([], ["echo"]):
            given = {"hand": {0: [id, id, "echo"]}, "pile": [id, "echo"], "table": {0: echoes}}
            states = [book.position(2, given) for book in (plain, woven, woven)]
            for state in states:
                state.apply(0, f"play {id}")
            assert [state.dump() for state in states[1:]] == [states[0].dump()] * 2
    assert woven.weaver is not None
    launched = [spec.launch for spec in woven.specs if inspect.isfunction(spec.launch)]
    assert launched
    assert all(not inspect.isfunction(spec.launch) for spec in plain.specs)
