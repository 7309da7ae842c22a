"""What the language refuses: which code, where exactly, and what it says to do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.rulebook.lang.small import faults, program

#: Program, code, line (the first line of the program is 7), column, part of the message or hint.
REJECTED = [
    ("end_turn yuo", "RB410", 7, 14, "did you mean `you`"),
    ("shuffle pile\nshufle pile", "RB413", 8, 5, "did you mean `shuffle`"),
    ("move hand too: box", "RB414", 7, 15, "did you mean `to`"),
    ("move hand where it is swet to: box", "RB415", 7, 27, "did you mean `sweet`"),
    ('if any(hand where id(it) == "tee"):\n  shuffle pile', "RB416", 7, 33, "did you mean `tea`"),
    ("pour you cups: you", "RB420", 7, 20, "must be a number"),
    ("pour you", "RB422", 7, 5, "cups"),
    ("pour who: you who: you cups: 1", "RB423", 7, 19, "twice"),
    ("move first(hand) to: box", "RB421", 7, 10, "any(hand)"),
    ("set you.coins = self.from", "RB4", 7, 21, ""),
    ("set pott = 1", "RB410", 7, 9, "did you mean `pot`"),
    ("set pot = count(groups(living, it.coins))", "RB420", 7, 28, "must be cards"),
    ("set pot = count(groups(hand, it.from))", "RB421", 7, 34, "it.from is set"),
    ("set pot = count(groups(hand, ids(hand)))", "RB420", 7, 34, "a word or number"),
    ("set pot = count(sets(hand, it.rank))", "RB424", 7, 21, "sets(CARDS, KEY, N)"),
    ("set pot = count(runs(hand, it.rank, it.id, 3))", "RB420", 7, 41, "must be a number"),
    ("set pot = count(disjoint(hand, 1))", "RB420", 7, 30, "must be groups"),
    ("move groups(hand, it.rank) to: pile", "RB420", 7, 10, "must be cards"),
    ("pick one from: groups(hand, it.rank) by: you\nset pot = count(one)", "RB4", 7, 20, ""),
    ("if any(players, any(it.hand)):\n  shuffle pile", "RB424", 7, 8, "any(LIST where CONDITION)"),
    ("stop\nshuffle pile", "RB432", 8, 5, "reached"),
    ("if any(hand):\n  let n = 2\nset pot = n", "RB430", 9, 15, "line 8"),
    ("set pot = it", "RB441", 7, 15, "member"),
    ("set pot = count(event.cards)", "RB4", 7, 21, ""),
    ("proceed", "RB440", 7, 5, "instead"),
    ("set pot = 3 * (2 + 1", "RB401", 7, None, ""),
    ("set pot == 3", "RB401", 7, 13, ""),
    ("if any(hand)\n  shuffle pile", "RB401", 7, None, ""),
    ("for in hand:\n  shuffle pile", "RB401", 7, None, ""),
    ("pick from: hand by: you", "RB401", 7, None, ""),
    ("let 3 = pot", "RB401", 7, 9, ""),
    ('set pot = "a', "RB401", 7, 15, "closed"),
    ("set pot = 1 +", "RB401", 7, None, ""),
    ("set pot = pot @ 2", "RB401", 7, 19, ""),
    ("shuffle pile pile", "RB401", 7, 18, ""),
    ("set pot = pot if any(hand)", "RB401", 7, None, ""),
    ("while any(pile):\nshuffle pile", "RB403", 7, 5, "block"),
    ("set pot = count(hand where it.rnak > 1)", "RB411", 7, 35, "did you mean `rank`"),
    ("set pot = safe(hand)", "RB420", 7, 20, "player"),
    ("lay wett on: you", "RB4", 7, 9, ""),
    ("pick card from: hand by: you cuont: 2", "RB414", 7, 34, "did you mean `count`"),
    ("spill card: self", "RB422", 7, 5, "who"),
    ("tell 3", "RB420", 7, 10, "word"),
    ("give_turns 1 to: hand", "RB420", 7, 22, "player"),
]
INTERNAL = re.compile(r"__ANON|_NL|_INDENT|_DEDENT|LPAR|RPAR|LSQB|\$END|Token|\bNAME\b|MORETHAN|LABEL|UNKNOWN")


@pytest.mark.parametrize(("text", "code", "line", "column", "part"), REJECTED, ids=[row[0][:40] for row in REJECTED])
def test_a_faulty_program_is_refused_at_its_place(
    text: str, code: str, line: int, column: int | None, part: str, tmp_path: Path
) -> None:
    found = [item for item in faults(tmp_path, program(text)) if item.severity == "error"]
    assert len(found) == 1, [str(item) for item in found]
    fault = found[0]
    assert fault.code.startswith(code)
    assert fault.span is not None
    assert fault.span.line == line
    if column is not None:
        assert fault.span.column == column
    assert part in fault.message + " " + fault.hint
    assert fault.span.file.endswith("tea.yaml")
    assert not INTERNAL.search(fault.message + fault.hint)


def test_several_faults_are_reported_in_one_run(tmp_path: Path) -> None:
    text = "shuffel pile\nset pot = cuont(hand)\nif any(hand):\n  move hand too: box\nend_turn yuo"
    found = faults(tmp_path, program(text))
    assert [item.code for item in found] == ["RB413", "RB412", "RB414", "RB410"]
    assert [item.span.line for item in found if item.span] == [7, 8, 10, 11]


def test_a_fault_of_syntax_does_not_hide_faults_in_other_lines(tmp_path: Path) -> None:
    found = faults(tmp_path, program("set pot = = 3\nshuffle pille"))
    assert [item.code for item in found] == ["RB401", "RB410"]


@pytest.mark.parametrize(
    "text",
    ["set pot = " + "(" * 5000 + "1" + ")" * 5000, "if " + " and ".join(["any(hand)"] * 5000) + ":\n  shuffle pile"],
    ids=["brackets", "a chain of and"],
)
def test_bombs_are_refused_at_their_place(text: str, tmp_path: Path) -> None:
    found = faults(tmp_path, program(text))
    assert {item.code for item in found} == {"RB402"}


def test_a_chain_of_some_hundred_is_fine(tmp_path: Path) -> None:
    text = "if " + " and ".join(f"count(hand) != {n}" for n in range(1, 300)) + ":\n  shuffle pile"
    assert faults(tmp_path, program(text)) == []


@pytest.mark.parametrize(
    ("tea", "code"),
    [
        ("play: {at: response, to: 'target.kind == \"spil\"', do: cancel target}\n", "RB417"),
        ("play: {at: response, to: 'target.victim == you', do: cancel target}\n", "RB411"),
        ("when: {event: poor, in: hand, do: shuffle pile}\n", "RB413"),
        ("when: {event: pour, in: hnad, do: shuffle pile}\n", "RB417"),
        ("while: {in: hand, answer: saef, with: 'true'}\n", "RB418"),
        ("while: {in: hand, answer: safe, with: '3'}\n", "RB420"),
        ("tags: [bitter]\n", "RB415"),
        ("play: {at: turn, choose: {who: othres}, do: shuffle pile}\n", "RB410"),
        ("play: {at: turn, if: 'count(hand) < 0', do: shuffle pile}\n", "RB433"),
    ],
)
def test_faults_of_cards_beside_their_programs(tea: str, code: str, tmp_path: Path) -> None:
    assert {item.code for item in faults(tmp_path, tea) if item.severity == "error"} == {code}


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(alphabet='abehilopsty _.,:()[]"=<>+-*/%#\n0123456789', max_size=120))
def test_whatever_is_typed_gives_faults_or_a_program(text: str, tmp_path: Path) -> None:
    for item in faults(tmp_path, program(text or "x")):
        assert item.code.startswith("RB")
