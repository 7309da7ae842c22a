"""What the compiled form tells about expressions before anybody plays: what they depend on.

Everything here reads the compiled form alone. Where it cannot tell, it says so, and play looks at the moment.
"""

from __future__ import annotations

from typing import Any, Final

from kernel.core import ActSpec

#: Nodes that depend on nothing but their parts and what is printed on a card.
PRINTED: Final = {
    "k",
    "and",
    "or",
    "not",
    "==",
    "!=",
    "in",
    "list",
    "if",
    "set?",
    "id",
    "title",
    "field",
    "tagged",
    "join",
    "union",
}

NONE: Final[frozenset[str]] = frozenset()

#: Nodes with a member: `[op, list, slot, expression]`.
MEMBERS: Final = {"where", "map", "all", "exists", "countif", "sumof", "minof", "maxof", "best", "disjoint"}

#: Nodes that depend on the frame, not by its variables alone.
FRAMED: Final = {"self", "event", "target", "act", "actarg", "can_play"}

#: Comparisons of numbers.
ORDER: Final = {"<", "<=", ">", ">=", "==", "!="}


def printed_only(x: Any, slot: int, asks: frozenset[str] = NONE) -> bool:
    """Does this expression depend on nothing but what is printed on the card (or kind) in the slot?

    `asks`: questions about one card whose answer does (see `printed_question`).
    """
    if not isinstance(x, list) or not x:
        return True
    op = x[0]
    if op == "k":
        return True
    if op == "v":
        return bool(x[1] == slot)
    if op == "ask":
        return x[1] in asks and x[2] == [["v", slot]]
    if op not in PRINTED or (op == "tagged" and (len(x) > 3 or x[2] == ["target"])):
        return False
    return all(printed_only(y, slot, asks) for y in x[1:])


def unchanging(x: Any, bound: tuple[int, ...] = ()) -> bool:
    """Does this expression depend on nothing but the kinds of the book?"""
    if not isinstance(x, list) or not x:
        return True
    op = x[0]
    if op in ("k", "kinds"):
        return True
    if op == "v":
        return x[1] in bound
    if op in ("where", "map", "all", "exists"):
        return unchanging(x[1], bound) and unchanging(x[3], (*bound, x[2]))
    return op in PRINTED and not (op == "tagged" and len(x) > 3) and all(unchanging(y, bound) for y in x[1:])


def printed_question(question: Any, answers: list[Any]) -> bool:
    """Is this a question about one card whose answer depends on nothing but its kind and the zone where it lies?"""
    params = question["params"]
    if len(params) != 1 or params[0][1] != "card" or not printed_only(question["default"], 0):
        return False
    own = (["==", ["v", 0], ["self"]], ["==", ["self"], ["v", 0]])
    return all(a["in"] is not None and a["if"] in own and unchanging(a["with"]) for a in answers)


def kinds_only(x: Any, slot: int) -> bool:
    """Does this condition on several cards (a list in the slot) depend on nothing but what is printed on them?"""
    if not isinstance(x, list) or not x:
        return False
    op = x[0]
    if op == "k":
        return True
    if op in ("and", "or", "not") or op in ORDER:
        return all(kinds_only(y, slot) for y in x[1:])
    if op in ("countif", "exists", "all"):
        return x[1] == ["v", slot] and printed_only(x[3], x[2])
    return bool(op == "count" and x[1] == ["v", slot])


def closed(x: Any, bound: tuple[int, ...] = ()) -> bool:
    """Does this expression depend on nothing of its frame but who `you` is?"""
    if not isinstance(x, list) or not x:
        return True
    op = x[0]
    if op == "k":
        return True
    if op == "v":
        return x[1] in bound
    if op in FRAMED:
        return False
    if op == "ask":
        return all(closed(y, bound) for y in x[2])
    if op in MEMBERS:
        return closed(x[1], bound) and closed(x[3], (*bound, x[2]))
    return all(closed(y, bound) for y in x[1:])


def of_others(x: Any, bound: tuple[int, ...] = ()) -> bool:
    """Does this expression depend on nothing but who plays and what lies in the zones of others (the slots bound)?"""
    if not isinstance(x, list) or not x:
        return True
    op = x[0]
    if op in ("k", "kinds", "others", "living", "dead", "players", "you"):
        return True
    if op == "v":
        return x[1] in bound
    if op == "zone":
        return len(x) == 3 and isinstance(x[2], list) and x[2][0] == "v" and x[2][1] in bound
    if op in ("where", "exists", "all", "countif"):
        return x[1] == ["others"] and of_others(x[3], (*bound, x[2]))
    plain = op in ORDER or op in ("cards", "any", "empty", "count", "and", "or", "not")  # mypyc takes no star in these
    return plain and all(of_others(y, bound) for y in x[1:])


def renamed(x: Any, names: dict[int, int]) -> Any:
    """The same expression with its own variables numbered in the order in which they come."""
    if not isinstance(x, list) or not x:
        return x
    op = x[0]
    if isinstance(op, list):
        return [renamed(y, names) for y in x]
    if op == "k":
        return x
    if op == "v":
        return [op, names.get(x[1], x[1])]
    if op in MEMBERS:
        inner = {**names, x[2]: -1 - len(names)}
        return [op, renamed(x[1], names), inner[x[2]], *[renamed(y, inner) for y in x[3:]]]
    return [op, *[renamed(y, names) for y in x[1:]]]


def speaks_of(x: Any, slot: int) -> bool:
    """Does the expression speak of what lies in the slot?"""
    return isinstance(x, list) and (x == ["v", slot] or any(speaks_of(y, slot) for y in x))


def mentions(x: Any, found: set[str]) -> None:
    """Collect every text constant of an expression."""
    if isinstance(x, list):
        for y in x:
            mentions(y, found)
    elif isinstance(x, str):
        found.add(x)


def required(x: Any, node: str) -> int:
    """Which parameter (a slot) the condition requires to be `self`, or `you`; -1 for none."""
    if not isinstance(x, list) or not x:
        return -1
    if x[0] == "and":
        found = required(x[1], node)
        return found if found >= 0 else required(x[2], node)
    if x[0] == "==":
        for a, b in ((x[1], x[2]), (x[2], x[1])):
            if a == [node] and isinstance(b, list) and b[0] == "v":
                return int(b[1])
    return -1


def in_own_zone(x: Any) -> str:
    """The name of the zone of `you` in which the condition requires the first parameter to lie; empty for none."""
    if not isinstance(x, list) or not x:
        return ""
    if x[0] == "and":
        return in_own_zone(x[1]) or in_own_zone(x[2])
    if x[0] == "in" and x[1] == ["v", 0] and x[2][0] == "cards" and x[2][1][0] == "zone" and x[2][1][2] == ["you"]:
        return str(x[2][1][1])
    return ""


def by_place(x: Any, slot: int) -> bool:
    """Does this expression ask nothing of the card in the slot but in which zones it lies?"""
    if not isinstance(x, list) or not x:
        return True
    op = x[0]
    if op in ("and", "or", "not"):
        return all(by_place(y, slot) for y in x[1:])
    if op == "in" and x[1] == ["v", slot] and x[2][0] == "cards":
        return not speaks_of(x[2], slot)
    return not speaks_of(x, slot)


def attributed(x: Any) -> str:
    """The attribute that the very card must carry for the condition to hold; empty where there is none."""
    if not isinstance(x, list) or not x:
        return ""
    if x[0] == "and":
        return attributed(x[1]) or attributed(x[2])
    return str(x[1]) if x[0] == "cattr" and x[2] == ["self"] else ""


class Unknown:
    """What cannot be told before play."""


UNKNOWN: Final = Unknown()


def about_act(x: Any, act: ActSpec) -> Any:
    """The value of an expression about `target` if that is an act of this kind; UNKNOWN where it depends on more."""
    if not isinstance(x, list) or not x:
        return UNKNOWN
    op = x[0]
    if op == "k":
        return x[1]
    if op == "tagged":
        return x[1] in act.tags if x[2] == ["target"] else UNKNOWN
    if op == "act":
        return act.name if x[1] == "kind" and x[2] == ["target"] else UNKNOWN
    if op == "not":
        a = about_act(x[1], act)
        return a if a is UNKNOWN else not a
    if op in ("and", "or"):
        a, b = about_act(x[1], act), about_act(x[2], act)
        decides = op == "or"
        if a is not UNKNOWN and bool(a) == decides:
            return a
        if b is not UNKNOWN and bool(b) == decides and op == "and":
            return b
        if b is not UNKNOWN and bool(b) == decides:
            return True
        return b if a is not UNKNOWN else UNKNOWN
    if op in ("==", "!=", "in"):
        a, b = about_act(x[1], act), about_act(x[2], act)
        if a is UNKNOWN or b is UNKNOWN:
            return UNKNOWN
        if op == "in":
            return a in b
        return (a == b) == (op == "==")
    if op == "list":
        parts = [about_act(y, act) for y in x[1:]]
        return UNKNOWN if any(p is UNKNOWN for p in parts) else parts
    return UNKNOWN
