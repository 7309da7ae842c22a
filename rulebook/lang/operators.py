"""Checks and compiles what is made of operators: logic, comparisons, arithmetic, `where`, `is`, lists."""

from __future__ import annotations

from typing import Any

from rulebook.diagnostics import did_you_mean
from rulebook.lang import ir, tree
from rulebook.lang.learn import learn
from rulebook.lang.never import contradiction, never_members
from rulebook.lang.types import EMPTY, ERROR, FLAG, NONE, NUMBER, WORD, Type, comparable, join
from rulebook.lang.unit import WRONG, Unit, Value, a, handles

LIMIT = 10**12
"""Numbers lie between minus this and this."""


@handles(tree.Constant)
def constant(unit: Unit, node: tree.Constant) -> Value:
    value = node.value
    if value is None:
        return Value(ir.constant(None), NONE)
    if isinstance(value, bool):
        return Value(ir.constant(value), FLAG)
    if isinstance(value, int):
        if value > LIMIT:
            unit.error("RB444", "this number is larger than 10^12", node, "numbers lie between -10^12 and 10^12")
            return WRONG
        return Value(ir.constant(value), NUMBER)
    return Value(ir.constant(value), WORD)


@handles(tree.ListOf)
def list_of(unit: Unit, node: tree.ListOf) -> Value:
    if not node.items:
        return Value(ir.constant([]), EMPTY)
    values = [unit.check(item) for item in node.items]
    type: Type | None = None
    for item, value in zip(node.items, values, strict=True):
        if value.type.wrong:
            type = ERROR
            continue
        if value.type.is_list or value.type.answers:
            unit.error("RB420", f"a list cannot hold {a(value.type)}", item, "lists are joined by `+`")
            return WRONG
        if value.type.maybe:
            unit.unset(item) if value.type.base != "none" else unit.error("RB421", "a list cannot hold none", item)
            return WRONG
        joined = value.type if type is None else join(type, value.type)
        if joined is None:
            unit.error("RB420", f"this is {a(value.type)}, but the list begins with {a(type or ERROR)}", item)
            return WRONG
        type = joined
    if type is None or type.wrong:
        return WRONG
    settled = any(value.settled for value in values)
    if all(value.constant for value in values):
        return Value(ir.constant([value.ir[1] for value in values]), type.listed, settled)
    return Value(["list", *(value.ir for value in values)], type.listed)


@handles(tree.Not)
def negation(unit: Unit, node: tree.Not) -> Value:
    value = unit.want(node.of, FLAG, "what `not` turns around")
    if value.type.wrong:
        return WRONG
    return Value(ir.negate(value.ir), FLAG, value.settled)


@handles(tree.Negative)
def negative(unit: Unit, node: tree.Negative) -> Value:
    value = unit.want(node.of, NUMBER, "what `-` turns around")
    if value.type.wrong:
        return WRONG
    return Value(["k", -value.ir[1]] if value.constant else ["neg", value.ir], NUMBER, value.settled)


@handles(tree.Chain)
def chain(unit: Unit, node: tree.Chain) -> Value:
    if node.operator in ("and", "or"):
        return _logic(unit, node)
    values = [unit.check(item) for item in node.items]
    if any(value.type.wrong for value in values):
        return WRONG
    if node.operator == "+" and any(value.type.is_list for value in values):
        return _union(unit, node, values)
    fitted = [
        unit.fit(item, value, NUMBER, f"a member of `{node.operator}`")
        for item, value in zip(node.items, values, strict=True)
    ]
    if any(value.type.wrong for value in fitted):
        return WRONG
    return _number(unit, node, node.operator, fitted)


def _logic(unit: Unit, node: tree.Chain) -> Value:
    """`and` and `or`: later members may rely on what earlier ones have settled."""
    ends = node.operator == "or"  # the value that ends it
    before = unit.facts
    kept: list[list[Any]] = []
    settled = wrong = False
    decided: Value | None = None
    for item in node.items:
        value = unit.want(item, FLAG, f"a member of `{node.operator}`")
        wrong = wrong or value.type.wrong
        unit.facts = unit.facts.plus(learn(unit, item, not ends))
        if value.type.wrong or decided is not None:
            continue
        if value.constant:
            settled = settled or value.settled
            if value.ir[1] is ends:
                decided = Value(ir.constant(ends), FLAG, value.settled)
        else:
            kept.append(value.ir)
    unit.facts = before
    if wrong:
        return WRONG
    clash = contradiction(node) if not ends else None
    if clash is not None:
        unit.error("RB433", "this can never hold beside what stands before it", clash[0], clash[1])
        return WRONG
    if decided is not None:
        return decided
    if not kept:
        return Value(ir.constant(not ends), FLAG, settled)
    return Value(ir.chain(node.operator, kept), FLAG)


def _union(unit: Unit, node: tree.Chain, values: list[Value]) -> Value:
    type: Type | None = None
    parts: list[list[Any]] = []
    for item, value in zip(node.items, values, strict=True):
        if value.type.maybe:
            unit.unset(item)
            return WRONG
        if not value.type.is_list:
            unit.error(
                "RB420", f"`+` joins lists here, and this is {a(value.type)}", item, "a list of one is written `[…]`"
            )
            return WRONG
        listed = value.type.member.listed if value.type.base == "zone" else value.type
        joined = listed if type is None else join(type, listed)
        if joined is None:
            unit.error("RB420", f"`+` joins lists of one type: this is {a(listed)}, not {a(type or ERROR)}", item)
            return WRONG
        type = joined
        parts.append(["cards", value.ir] if value.type.base == "zone" else value.ir)
    assert type is not None
    return Value(ir.chain("union", parts), type)


@handles(tree.Binary)
def binary(unit: Unit, node: tree.Binary) -> Value:
    left, right = unit.check(node.left), unit.check(node.right)
    if left.type.wrong or right.type.wrong:
        return WRONG
    if node.operator == "-" and (left.type.is_list or right.type.is_list):
        one = unit.as_list(node.left, left, "what `-` takes from")
        other = unit.as_list(node.right, right, "what `-` takes away")
        if one.type.wrong or other.type.wrong:
            return WRONG
        if join(one.type, other.type) is None:
            unit.error("RB420", f"`-` takes {a(one.type)} from the same: this is {a(other.type)}", node.right)
            return WRONG
        return Value(["minus", one.ir, other.ir], one.type)
    left = unit.fit(node.left, left, NUMBER, f"the left side of `{node.operator}`")
    right = unit.fit(node.right, right, NUMBER, f"the right side of `{node.operator}`")
    if left.type.wrong or right.type.wrong:
        return WRONG
    if node.operator in "/%" and right.constant and right.ir[1] == 0:
        if right.settled:
            return Value([node.operator, left.ir, right.ir], NUMBER)
        unit.error("RB445", "this divides by zero", node.right)
        return WRONG
    return _number(unit, node, node.operator, [left, right])


def _number(unit: Unit, node: tree.Expr, operator: str, values: list[Value]) -> Value:
    settled = any(value.settled for value in values)
    if not all(value.constant for value in values):
        if len(values) == 2:
            return Value([operator, values[0].ir, values[1].ir], NUMBER)
        return Value(ir.chain(operator, [value.ir for value in values]), NUMBER)
    result = values[0].ir[1]
    for value in values[1:]:
        result = ir.fold_number(operator, result, value.ir[1])
        if abs(result) > LIMIT:
            unit.error("RB444", "this number is beyond 10^12", node, "numbers lie between -10^12 and 10^12")
            return WRONG
    return Value(ir.constant(result), NUMBER, settled)


@handles(tree.Compare)
def compare(unit: Unit, node: tree.Compare) -> Value:
    if node.operator in ("in", "not in"):
        return _member(unit, node)
    if node.operator in ("==", "!="):
        return _equal(unit, node)
    left = unit.want(node.left, NUMBER, f"the left side of `{node.operator}`")
    right = unit.want(node.right, NUMBER, f"the right side of `{node.operator}`")
    if left.type.wrong or right.type.wrong:
        return WRONG
    return _compared(unit, node, left, right)


def _equal(unit: Unit, node: tree.Compare) -> Value:
    left, right = unit.check(node.left), unit.check(node.right)
    if left.type.wrong or right.type.wrong:
        return WRONG
    if left.type.base == "zone" and right.type.base == "zone":
        unit.error("RB425", "zones cannot be compared", node, '`zone_of(card) == "hand"` asks where a card is')
        return WRONG
    if not comparable(left.type, right.type):
        hint = "`id(card)` gives a card's kind" if {left.type.base, right.type.base} == {"card", "word"} else ""
        hint = "`id(card)` gives a card's kind" if {left.type.base, right.type.base} == {"card", "kind"} else hint
        message = f"{a(left.type)} and {a(right.type)} are never equal"
        unit.error("RB425", message, node, hint)
        return WRONG
    if not _same_words(unit, node.left, left, node.right, right):
        return WRONG
    left, right = _as_cards(left, right)
    never_none = [side for side, other in ((left, right), (right, left)) if other.type.base == "none"]
    if never_none and not never_none[0].type.maybe and not never_none[0].type.wrong:
        where = node.left if never_none[0] is left else node.right
        unit.error("RB433", "this is never none", where, "leave the comparison out")
        return WRONG
    return _compared(unit, node, left, right)


def _as_cards(left: Value, right: Value) -> tuple[Value, Value]:
    if left.type.base == "zone":
        left = Value(["cards", left.ir], left.type.member.listed)
    if right.type.base == "zone":
        right = Value(["cards", right.ir], right.type.member.listed)
    return left, right


def _same_words(unit: Unit, left_node: tree.Expr, left: Value, right_node: tree.Expr, right: Value) -> bool:
    """Words that are compared with kinds, zones and the like must be among them."""
    sound = True
    for type, other in ((left.type, right_node), (right.type, left_node)):
        domain = "kind" if type.base == "kind" else type.domain
        if domain:
            sound &= unit.check_words(other, domain)
    return sound


def _compared(unit: Unit, node: tree.Compare, left: Value, right: Value) -> Value:
    settled = left.settled or right.settled
    if left.constant and right.constant:
        return Value(ir.constant(ir.fold_compare(node.operator, left.ir[1], right.ir[1])), FLAG, settled)
    if left.ir[0] in ("count", "countif") and right.constant:
        number, operator = right.ir[1], node.operator
        if (operator in ("<", "==", "<=") and number < 0) or (operator == "<" and number == 0):
            unit.error("RB433", "a count is never less than 0", node)
            return WRONG
        if (operator in (">", "!=", ">=") and number < 0) or (operator == ">=" and number == 0):
            unit.error("RB434", "a count is always at least 0", node, "leave the condition out")
            return WRONG
    if left.ir == right.ir:
        always = node.operator in ("==", "<=", ">=")
        message = "this compares a value with itself"
        unit.error("RB434" if always else "RB433", message, node)
        return WRONG
    if left.constant and node.operator in ("==", "!=") and right.ir[0] in ("count", "countif"):
        left, right = right, left
    return Value(ir.compare(node.operator, left.ir, right.ir), FLAG)


def _member(unit: Unit, node: tree.Compare) -> Value:
    left = unit.check(node.left)
    right = unit.listed(node.right, f"the right side of `{node.operator}`")
    if left.type.wrong or right.type.wrong:
        return WRONG
    if left.type.base == "none":
        unit.error("RB433", "none is in no list", node.left, "`is set` asks whether there is a value")
        return WRONG
    if left.type.is_list or left.type.answers:
        unit.error("RB420", f"the left side of `{node.operator}` is one member, this is {a(left.type)}", node.left)
        return WRONG
    if right.type.base == "nothing":
        unit.error("RB433", "nothing is in an empty list", node)
        return WRONG
    if not comparable(left.type, right.type.member):
        hint = (
            "`ids(…)` gives the kinds of cards"
            if right.type.base == "card" and left.type.base in ("word", "kind")
            else ""
        )
        unit.error("RB425", f"{a(left.type)} is never in {right.type}", node, hint)
        return WRONG
    if not _same_words(unit, node.left, left, node.right, Value(right.ir, right.type.member)):
        return WRONG
    settled = left.settled or right.settled
    if left.constant and right.constant:
        return Value(ir.constant((left.ir[1] in right.ir[1]) == (node.operator == "in")), FLAG, settled)
    code: list[Any] = ["in", left.ir, right.ir]
    return Value(code if node.operator == "in" else ["not", code], FLAG)


@handles(tree.Is)
def is_tag(unit: Unit, node: tree.Is) -> Value:
    value = unit.check(node.of)
    if value.type.wrong:
        return WRONG
    at = (node.tag_start, node.end)
    if value.type.is_list and not value.type.answers:
        unit.error(
            "RB420",
            f"`is` asks about one, this is {a(value.type)}",
            node.of,
            "`any(… where it is TAG)` asks about many",
        )
        return WRONG
    if value.type.base not in ("card", "kind", "act", "player") or value.type.answers:
        unit.error("RB420", f"`is` asks about a card, kind, act or player, this is {a(value.type)}", node.of)
        return WRONG
    if value.type.maybe:
        unit.unset(node.of)
        return WRONG
    code = _tag_code(unit, node.tag, value, at, node)
    if code is None:
        return WRONG
    result = Value(code, FLAG, settled=True) if code[0] == "k" else Value(code, FLAG)
    return Value(ir.negate(result.ir), FLAG, result.settled) if node.negated else result


def _tag_code(unit: Unit, tag: str, value: Value, at: tuple[int, int], node: tree.Is) -> list[Any] | None:
    world = unit.world
    base = value.type.base
    marks = world.marks
    codes: list[list[Any]] = []
    if tag in world.tags and base != "player":
        has = _who_has(unit, tag, base)
        if not has:
            what = {"act": "act", "kind": "card"}.get(base, "card")
            unit.error("RB433", f"no {what} is ever `{tag}`", at, f"no {what} has this tag; is a file missing?")
            return None
        codes.append(["tagged", tag, value.ir, "act"] if base == "act" else ["tagged", tag, value.ir])
    if tag in marks and base in ("card", "player"):
        codes.append(["bears", ["k", tag], value.ir, base])
    if codes:
        return ir.chain("or", codes)
    if tag in world.absent:  # a mark of a pack that is not in this book
        return ir.constant(False)
    known = [*marks] if base == "player" else [*world.tags, *(marks if base == "card" else [])]
    if base == "player" and tag in world.tags:
        unit.error(
            "RB415", f"`{tag}` is a tag, and players have none", at, "players bear marks: " + did_you_mean(tag, marks)
        )
    elif tag in ("set", "unset"):
        unit.error("RB415", f"there is no tag `{tag}`", at, "write `is unset`")
    else:
        what = {"player": "mark", "card": "tag or mark"}.get(base, "tag")
        unit.error("RB415", f"there is no {what} `{tag}`", at, did_you_mean(tag, known))
    return None


def _who_has(unit: Unit, tag: str, base: str) -> bool:
    world = unit.world
    if not world.whole:
        return True
    if base == "act":
        return tag in world.act_tags
    return any(tag in kind.tags for kind in world.kinds.values())


@handles(tree.IsSet)
def is_set(unit: Unit, node: tree.IsSet) -> Value:
    value = unit.check(node.of)
    if value.type.wrong:
        return WRONG
    if value.type.base == "none":
        if value.constant and not isinstance(node.of, tree.Name):
            unit.error("RB434", "none is always unset", node)
            return WRONG
    elif not value.type.maybe:
        hint = "`any(…)` asks whether it has members" if value.type.is_list else "leave the condition out"
        unit.error("RB434", f"{_article(value.type)} is always set here", node, hint)
        return WRONG
    code: list[Any] = ["set?", value.ir]
    return Value(["not", code] if node.negated else code, FLAG)


def _article(type: Type) -> str:
    return f"this {type}"


@handles(tree.Where)
def where(unit: Unit, node: tree.Where) -> Value:
    value = unit.listed(node.of, "what stands before `where`")
    with unit.member(value.type.member if not value.type.wrong else ERROR) as slot:
        condition = unit.want(node.condition, FLAG, "the condition of `where`")
    if value.type.wrong or condition.type.wrong:
        return Value(["k", None], value.type) if value.type.wrong else Value(["k", []], ERROR)
    if value.type.base == "nothing":
        unit.error("RB433", "an empty list has no members to look at", node.of)
        return WRONG
    if condition.constant and not condition.settled:
        never = condition.ir[1] is False
        message = "no member can ever meet this condition" if never else "every member meets this condition"
        unit.error("RB433" if never else "RB434", message, node.condition, "" if never else "leave `where` out")
        return WRONG
    found = never_members(unit, node)
    if found is not None:
        unit.error("RB433", "no member can ever meet this condition", found[0], found[1])
        return WRONG
    if ir.is_flag(condition.ir, True):
        return Value(value.ir, value.type)
    return Value(["where", value.ir, slot, condition.ir], value.type)


@handles(tree.Ternary)
def ternary(unit: Unit, node: tree.Ternary) -> Value:
    condition = unit.want(node.condition, FLAG, "the condition of `if`")
    with unit.assuming(learn(unit, node.condition, True)):
        then = unit.check(node.then)
    with unit.assuming(learn(unit, node.condition, False)):
        other = unit.check(node.other)
    if condition.type.wrong or then.type.wrong or other.type.wrong:
        return WRONG
    type = join(then.type, other.type)
    if type is None:
        message = f"one way this is {a(then.type)}, the other way {a(other.type)}"
        unit.error("RB420", message, node, "both must be of one type")
        return WRONG
    if type.base == "card" and type.many:
        then, other = _as_cards(then, other)
    if condition.constant:
        if not condition.settled:
            always = "holds" if condition.ir[1] else "fails"
            unit.error("RB434", f"this condition always {always}", node.condition, "write what it gives")
            return WRONG
        chosen = then if condition.ir[1] else other
        return Value(chosen.ir, type, settled=True)
    return Value(["if", condition.ir, then.ir, other.ir], type)
