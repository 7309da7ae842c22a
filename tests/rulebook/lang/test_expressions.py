"""What each form of expression becomes (docs/compiled.md), how tightly forms bind, and that they survive being
written again."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulebook.diagnostics import Diagnostics
from rulebook.lang import tree
from rulebook.lang.parse import parse_expression
from rulebook.lang.text import Code, Reporter
from rulebook.lang.unparse import unparse
from tests.rulebook.lang.small import expression

HAND = ["cards", ["zone", "hand", ["you"]]]
PILE = ["cards", ["zone", "pile", None]]
POT = ["gattr", "pot"]
IT = ["v", 0]
SWEET = ["tagged", "sweet", IT]
RANKS = ["map", HAND, 0, ["field", "rank", IT]]

COMPILED: list[tuple[str, Any]] = [
    # values
    ("7", ["k", 7]),
    ("-7", ["k", -7]),
    ("true", ["k", True]),
    ('"a word"', ["k", "a word"]),
    (r'"\"quoted\" \\ \n"', ["k", '"quoted" \\ \n']),
    ("none", ["k", None]),
    ("[]", ["k", []]),
    ("[1, 2]", ["k", [1, 2]]),
    ("[you, turn_of]", ["list", ["you"], ["turn_of"]]),
    # names
    ("you", ["you"]),
    ("self", ["self"]),
    ("target", ["target"]),
    ("players", ["players"]),
    ("living", ["living"]),
    ("dead", ["dead"]),
    ("others", ["others"]),
    ("turn_of", ["turn_of"]),
    ("turns_owed", ["turns_owed"]),
    ("turn_ended", ["turn_ended"]),
    ("direction", ["direction"]),
    ("hand", ["zone", "hand", ["you"]]),
    ("pile", ["zone", "pile", None]),
    ("pot", POT),
    # attributes
    ("turn_of.hand", ["zone", "hand", ["turn_of"]]),
    ("you.coins", ["pattr", "coins", ["you"]]),
    ("self.up", ["cattr", "up", ["self"]]),
    ("self.from", ["cattr", "from", ["self"]]),
    ("self.id", ["id", ["self"]]),
    ("self.title", ["title", ["self"]]),
    ("self.variant", ["variant", ["self"]]),
    ("self.owner", ["owner", ["self"]]),
    ("target.kind", ["act", "kind", ["target"]]),
    ("target.by", ["act", "by", ["target"]]),
    ("target.card", ["act", "card", ["target"]]),
    ("target.cards", ["act", "cards", ["target"]]),
    ("target.who", ["actarg", "who", ["target"]]),
    # operators
    ("pot + 1", ["+", POT, ["k", 1]]),
    ("pot - 1", ["-", POT, ["k", 1]]),
    ("pot * 2", ["*", POT, ["k", 2]]),
    ("pot / 2", ["/", POT, ["k", 2]]),
    ("pot % 2", ["%", POT, ["k", 2]]),
    ("-pot", ["neg", POT]),
    ("hand + pile", ["union", HAND, PILE]),
    ("hand - pile", ["minus", HAND, PILE]),
    ("living - [you]", ["minus", ["living"], ["list", ["you"]]]),
    ("pot == 1", ["==", POT, ["k", 1]]),
    ("pot != 1", ["!=", POT, ["k", 1]]),
    ("pot < 1", ["<", POT, ["k", 1]]),
    ("pot <= 1", ["<=", POT, ["k", 1]]),
    ("pot > 1", [">", POT, ["k", 1]]),
    ("pot >= 1", [">=", POT, ["k", 1]]),
    ("you in dead", ["in", ["you"], ["dead"]]),
    ("you not in dead", ["not", ["in", ["you"], ["dead"]]]),
    ("self is sweet", ["tagged", "sweet", ["self"]]),
    ("self is not sweet", ["not", ["tagged", "sweet", ["self"]]]),
    ("target is sweet", ["tagged", "sweet", ["target"], "act"]),
    ("you is wet", ["bears", ["k", "wet"], ["you"], "player"]),
    ("self is wet", ["bears", ["k", "wet"], ["self"], "card"]),
    ("self.from is set", ["set?", ["cattr", "from", ["self"]]]),
    ("self.from is unset", ["not", ["set?", ["cattr", "from", ["self"]]]]),
    ("self.from == none", ["not", ["set?", ["cattr", "from", ["self"]]]]),
    ("self.from != none", ["set?", ["cattr", "from", ["self"]]]),
    ("turn_ended and you in dead", ["and", ["turn_ended"], ["in", ["you"], ["dead"]]]),
    ("turn_ended or you in dead", ["or", ["turn_ended"], ["in", ["you"], ["dead"]]]),
    ("not turn_ended", ["not", ["turn_ended"]]),
    ("1 if turn_ended else pot", ["if", ["turn_ended"], ["k", 1], POT]),
    ("hand[0]", ["index", HAND, ["k", 0]]),
    ("hand where it is sweet", ["where", HAND, 0, SWEET]),
    # functions
    ("count(hand)", ["count", HAND]),
    ("any(hand)", ["any", HAND]),
    ("empty(hand)", ["empty", HAND]),
    ("count(hand where it is sweet)", ["countif", HAND, 0, SWEET]),
    ("any(hand where it is sweet)", ["exists", HAND, 0, SWEET]),
    ("empty(hand where it is sweet)", ["not", ["exists", HAND, 0, SWEET]]),
    ("count(hand) > 0", ["any", HAND]),
    ("count(hand) == 0", ["empty", HAND]),
    ("0 == count(hand)", ["empty", HAND]),
    ("count(hand where it is sweet) >= 1", ["exists", HAND, 0, SWEET]),
    ("first(hand)", ["first", HAND]),
    ("last(hand)", ["last", HAND]),
    ("top(hand, 2)", ["top", HAND, ["k", 2]]),
    ("bottom(hand, 2)", ["bottom", HAND, ["k", 2]]),
    ("slots(pile)", ["slots", ["zone", "pile", None]]),
    ("range(1, pot)", ["range", ["k", 1], POT]),
    ("owner(self)", ["owner", ["self"]]),
    ("zone_of(self)", ["zone_of", ["self"]]),
    ("id(self)", ["id", ["self"]]),
    ("ids(hand)", ["ids", HAND]),
    ("title(self)", ["title", ["self"]]),
    ('title("tea")', ["title", ["k", "tea"]]),
    ("titles(hand)", ["titles", HAND]),
    ("next_player(you)", ["next_player", ["you"]]),
    ("ring(you)", ["ring", ["you"]]),
    ("seats(you)", ["seats", ["you"]]),
    ("player(0)", ["player", ["k", 0]]),
    ("kinds()", ["kinds"]),
    ("can_play(self)", ["can_play", ["self"]]),
    ("sum(hand, it.rank)", ["sumof", HAND, 0, ["field", "rank", IT]]),
    ("min(hand, it.rank)", ["minof", HAND, 0, ["field", "rank", IT]]),
    ("max(living, it.coins)", ["maxof", ["living"], 0, ["pattr", "coins", IT]]),
    ("sum([pot, 2])", ["sum", ["list", POT, ["k", 2]]]),
    ("min(pot, 2)", ["min", POT, ["k", 2]]),
    ("max(pot, 2)", ["max", POT, ["k", 2]]),
    ("best(living, it.coins)", ["best", ["living"], 0, ["pattr", "coins", IT]]),
    ("all(hand, it is sweet)", ["all", HAND, 0, SWEET]),
    ("map(hand, it.id)", ["map", HAND, 0, ["id", IT]]),
    ("groups(hand, it.rank)", ["groups", HAND, RANKS]),
    ("sets(hand, it.rank, 3)", ["sets", HAND, RANKS, ["k", 3]]),
    ("runs(hand, it.id, it.rank, pot)", ["runs", HAND, ["map", HAND, 0, ["id", IT]], RANKS, POT]),
    ("disjoint(groups(hand, it.rank), count(it))", ["disjoint", ["groups", HAND, RANKS], 0, ["count", IT]]),
    ("members(groups(hand, it.rank))", ["members", ["groups", HAND, RANKS]]),
    (
        "groups(hand, it.rank) where count(it) > 1",
        ["where", ["groups", HAND, RANKS], 0, [">", ["count", IT], ["k", 1]]],
    ),
    ("each(ids(hand))", ["each", ["ids", HAND]]),
    ('combined("a", self.title)', ["join", ["k", "a"], ["title", ["self"]]]),
    ('has_mark(you, "wet")', ["bears", ["k", "wet"], ["you"], "player"]),
    ("safe(you)", ["ask", "safe", [["you"]]]),
]

PRECEDENCE: list[tuple[str, str]] = [
    ("not a or not b", "(not a) or (not b)"),
    ("not a == b", "not (a == b)"),
    ("not not a", "not (not a)"),
    ("a or b and c", "a or (b and c)"),
    ("a and b or c and d", "(a and b) or (c and d)"),
    ("-1 - -1", "(-1) - (-1)"),
    ("--1", "-(-1)"),
    ("-a.b", "-(a.b)"),
    ("-a * b", "(-a) * b"),
    ("a - b - c", "(a - b) - c"),
    ("a - b + c", "(a - b) + c"),
    ("a / b * c", "(a / b) * c"),
    ("a * b % c", "(a * b) % c"),
    ("a + b * c", "a + (b * c)"),
    ("a < b + c", "a < (b + c)"),
    ("a in b + c", "a in (b + c)"),
    ("a not in b and c", "(a not in b) and c"),
    ("a is b and c is not d", "(a is b) and (c is not d)"),
    ("a where b where c", "(a where b) where c"),
    ("a where b and c", "a where (b and c)"),
    ("a where b == c", "a where (b == c)"),
    ("a + b where c", "(a + b) where c"),
    ("a in b where c", "(a in b) where c"),
    ("a where b if c else d", "(a where b) if c else d"),
    ("a if b else c if d else e", "a if b else (c if d else e)"),
    ("a if b or c else d", "a if (b or c) else d"),
    ("a.b[c].d", "((a.b)[c]).d"),
    ("f(a)[0] + 1", "(f(a)[0]) + 1"),
]


def parsed(text: str) -> tree.Expr:
    faults = Diagnostics()
    node = parse_expression(Reporter(Code(text), faults))
    assert node is not None, [str(item) for item in faults]
    return node


@pytest.mark.parametrize(("text", "code"), COMPILED, ids=[row[0] for row in COMPILED])
def test_an_expression_becomes(text: str, code: list[Any]) -> None:
    assert expression(text) == code


@pytest.mark.parametrize(("text", "same"), PRECEDENCE, ids=[row[0] for row in PRECEDENCE])
def test_forms_bind_as_the_reference_says(text: str, same: str) -> None:
    assert parsed(text) == parsed(same)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("-1 - -1", 0),
        ("7 / 2", 3),
        ("-7 / 2", -4),
        ("-7 % 2", 1),
        ("1 + 2 * 3 - 4 / 2", 5),
        ("(1 + 2) * 3", 9),
        ("10 - 3 - 2", 5),
        ("not true or not false", True),
        ("1 < 2 and 2 < 3", True),
        ("2 in [1, 2]", True),
        ("2 not in [1, 2]", False),
        ("min(2, 3) + max(2, 3)", 5),
        ('combined("a", "b")', "a b"),
    ],
)
def test_constants_are_worked_out(text: str, value: object) -> None:
    assert expression(text) == ["k", value]


def test_members_within_members_have_slots_of_their_own() -> None:
    assert expression("living where any(it.hand where it is sweet)") == [
        "where",
        ["living"],
        0,
        ["exists", ["cards", ["zone", "hand", IT]], 1, ["tagged", "sweet", ["v", 1]]],
    ]


def depth(code: Any) -> int:
    return 1 + max(map(depth, code), default=0) if isinstance(code, list) else 0


@pytest.mark.parametrize("operator", ["+", "*", "and"])
def test_long_chains_become_flat_trees(operator: str) -> None:
    member = "turn_ended" if operator == "and" else "pot"
    assert depth(expression(f" {operator} ".join([member] * 900))) < 15


SPACED = [
    ("count(hand where it is sweet)+1", "count( hand  where it is sweet ) + 1"),
    ("top(hand,2)", "top(\n  hand,  # whose hand\n  2\n)"),
    ("[you,turn_of]", "[ you\n, turn_of ]"),
    ("not(turn_ended)", "not turn_ended"),
    ("pot==1", "  pot   ==  1  "),
    ("1 if turn_ended else 2", "1\n  if turn_ended\n  else 2"),
    ("pot", "pot  # what lies in the middle"),
    ("hand[0]", "hand [ 0 ]"),
    ("self.up", "self . up"),
    ("self is not sweet", "self  is  not  sweet"),
]


@pytest.mark.parametrize(("one", "other"), SPACED)
def test_spaces_line_breaks_and_comments_mean_nothing(one: str, other: str) -> None:
    code = expression(one)
    assert code is not None
    assert expression(other) == code


NAMES = st.sampled_from(["a", "b", "it", "hand", "set", "notion", "iffy", "in_hand", "_x", "Z9"])
CONSTANTS = st.one_of(
    st.integers(0, 10**12),
    st.booleans(),
    st.none(),
    st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"]), max_size=6),
)


def larger(inner: st.SearchStrategy[tree.Expr]) -> st.SearchStrategy[tree.Expr]:
    """Expressions around others."""
    some = st.lists(inner, max_size=3).map(tuple)
    pair = st.lists(inner, min_size=2, max_size=4).map(tuple)
    comparisons = st.sampled_from(["==", "!=", "<", "<=", ">", ">=", "in", "not in"])
    return st.one_of(
        st.builds(tree.Attribute, st.just(0), st.just(0), inner, NAMES, st.just(0)),
        st.builds(tree.Call, st.just(0), st.just(0), NAMES, some),
        st.builds(tree.Index, st.just(0), st.just(0), inner, inner),
        st.builds(tree.ListOf, st.just(0), st.just(0), some),
        st.builds(tree.Not, st.just(0), st.just(0), inner),
        st.builds(tree.Negative, st.just(0), st.just(0), inner),
        st.builds(tree.Chain, st.just(0), st.just(0), st.sampled_from(["and", "or", "+", "*"]), pair),
        st.builds(tree.Binary, st.just(0), st.just(0), st.sampled_from(["-", "/", "%"]), inner, inner),
        st.builds(tree.Compare, st.just(0), st.just(0), comparisons, inner, inner),
        st.builds(
            tree.Is, st.just(0), st.just(0), inner, NAMES.filter(lambda name: name != "set"), st.booleans(), st.just(0)
        ),
        st.builds(tree.IsSet, st.just(0), st.just(0), inner, st.booleans()),
        st.builds(tree.Where, st.just(0), st.just(0), inner, inner),
        st.builds(tree.Ternary, st.just(0), st.just(0), inner, inner, inner),
    )


LEAVES: st.SearchStrategy[tree.Expr] = st.one_of(
    st.builds(tree.Constant, st.just(0), st.just(0), CONSTANTS), st.builds(tree.Name, st.just(0), st.just(0), NAMES)
)
EXPRESSIONS = st.recursive(LEAVES, larger, max_leaves=12)


@settings(max_examples=300, deadline=None)
@given(node=EXPRESSIONS)
def test_what_is_written_again_reads_the_same(node: tree.Expr) -> None:
    text = unparse(node)
    again = parsed(text)
    assert again == node
    assert unparse(again) == text


@settings(max_examples=150, deadline=None)
@given(node=EXPRESSIONS)
def test_any_expression_is_compiled_or_refused(node: tree.Expr) -> None:
    expression(unparse(node))


@settings(max_examples=200, deadline=None)
@given(text=st.text(max_size=80))
def test_any_text_is_compiled_or_refused(text: str) -> None:
    expression(text)
