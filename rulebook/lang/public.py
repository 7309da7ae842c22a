"""What everybody at the table can know: whether an expression says more.

Who is asked in a window follows from `to` of the responses, from `now` and from `can_act`. If one of them looked into a
hand, being asked would tell what is in it. Here the compiled form is walked with three levels: a value may be *open*;
it may be cards that are known by number and place alone (*covered*: the cards of a zone that not all see); or it may
depend on what only some can see, which is a fault.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, cast

from rulebook.lang import tree
from rulebook.lang.ir import IR
from rulebook.lang.pieces import Open

OPEN = 0
COVERED = 1
_PLAYED = -1
"""Stands among the names where the act is known to be a card played or a move, and no verb."""

_READS_FACE = {"id": "the kind of", "title": "the title of", "variant": "the variant of", "ids": "the kinds of"}
_READS_FACE |= {"titles": "the titles of", "can_play": "whether one can play"}
_PASSES_ON = {"cards", "first", "last", "top", "bottom", "each", "index", "groups", "sets", "runs", "members"}
_ABOUT_NUMBER = {"count", "any", "empty", "slots", "set?", "owner", "zone_of"}
_MEMBERS = {"where", "map", "all", "exists", "countif", "sumof", "minof", "maxof", "best", "disjoint"}


@dataclass(slots=True)
class Hidden(Exception):
    """An expression that is not public: the part that says too much, and what it says, in words."""

    part: IR
    what: str


def check_public(book: Mapping[str, Any], pieces: Iterable[Open]) -> None:
    """Report each piece of code that tells more than everybody knows. Raises nothing."""
    public = Public(book)
    for piece in pieces:
        try:
            public.check(piece.ir)
        except Hidden as hidden:
            message = f"`{piece.name}` looks at {hidden.what}"
            hint = "who is asked must follow from what everybody sees, else being asked tells a secret"
            if piece.name == "to":
                hint += "; what only the player knows belongs in `if:`"
            piece.report.error("RB446", message, _place(piece, hidden.part), hint)


def _place(piece: Open, part: IR) -> tree.Expr:
    """The smallest stretch of what was written that became this part."""
    best, size = piece.written, 1 << 30
    stack: list[tree.Node] = [piece.written]
    while stack:
        node = stack.pop()
        value = piece.unit.values.get(id(node))
        if value is not None and node.end - node.start < size and _holds(value.ir, part):
            best, size = cast(tree.Expr, node), node.end - node.start
        for field in fields(node):
            inner = getattr(node, field.name)
            parts = inner if isinstance(inner, tuple) else (inner,)
            stack.extend(item for item in parts if isinstance(item, tree.Node))
    return best


def _holds(ir: Any, part: IR) -> bool:
    return bool(ir == part) or (isinstance(ir, list) and any(_holds(inner, part) for inner in ir))


class Public:
    """What is public in one compiled book."""

    def __init__(self, book: Mapping[str, Any]) -> None:
        self.seen = {zone["name"]: zone["see"] == "all" for zone in book["zones"]}
        attributes = book["attributes"]
        self.players = {a["name"]: a["see"] == "all" for a in attributes["player"]}
        self.game = {a["name"]: a.get("see") == "all" for a in attributes["game"]}
        self.marks = any(zone["marks"] and zone["see"] == "all" for zone in book["zones"])
        self.questions = {question["name"]: question for question in book["questions"]}
        self.answers: dict[str, list[tuple[str, Any]]] = {}
        for kind in book["kinds"]:
            for answer in kind["while"]:
                self.answers.setdefault(answer["question"], []).append((kind["id"], answer))
        self.verbs = {verb["name"]: verb for verb in book["verbs"] if verb["window"]}
        own = [move["announce"] for move in book["moves"] if move["cards"] and move["announce"]]
        self.laid_open = all(map(self._laid_open, [book["play_announce"], *own]))
        self._asked: dict[tuple[str, tuple[int, ...]], str] = {}

    def check(self, code: IR) -> None:
        """Raise :class:`Hidden` where an expression tells what not everybody knows."""
        self._level(code, {})

    def _laid_open(self, announce: Any) -> bool:
        """Whether the cards of an act lie where all see them once it is announced."""
        if announce is None:
            return False
        moves = [op[2]["to"] for op in announce["ops"] if op[0] == "do" and op[1] == "move"]
        return bool(moves) and all(to[0] == "zone" and self.seen[to[1]] for to in moves)

    def _level(self, code: Any, names: dict[int, int]) -> int:
        head = code[0]
        if head == "k":
            return OPEN
        if head == "v":
            return names.get(code[1], OPEN)
        handler = _HANDLERS.get(head)
        if handler is not None:
            return int(handler(self, code, names))
        levels = [self._level(part, names) for part in code[1:] if isinstance(part, list) and part]
        if head in _PASSES_ON or head in ("if", "list", "union"):
            return max(levels, default=OPEN)
        if head in _ABOUT_NUMBER:
            return OPEN
        if COVERED in levels:
            if head in _READS_FACE:
                raise Hidden(code, f"{_READS_FACE[head]} cards that not everybody sees")
            raise Hidden(code, "which card it is, though not everybody sees it")
        if head == "can_play":
            raise Hidden(code, "what a player holds")
        return OPEN

    def _zone(self, code: Any, names: dict[int, int]) -> int:
        if code[2] is not None:
            self._level(code[2], names)
        return OPEN if self.seen[code[1]] else COVERED

    def _player(self, code: Any, names: dict[int, int]) -> int:
        self._level(code[2], names)
        if not self.players[code[1]]:
            raise Hidden(code, f"the attribute `{code[1]}`, which not everybody sees")
        return OPEN

    def _game(self, code: Any, names: dict[int, int]) -> int:
        if not self.game[code[1]]:
            raise Hidden(code, f"the attribute `{code[1]}`, which nobody sees (`see: all` shows it)")
        return OPEN

    def _card(self, code: Any, names: dict[int, int]) -> int:
        """A field, attribute or tag: of a card it stands on the face."""
        if self._level(code[2], names) == COVERED:
            raise Hidden(code, f"`{code[1]}` of a card that not everybody sees")
        return OPEN

    def _bears(self, code: Any, names: dict[int, int]) -> int:
        self._level(code[1], names)
        level = self._level(code[2], names)
        if code[3] == "player" and not self.marks:
            raise Hidden(code, "the marks of a player, which not everybody sees")
        if level == COVERED:
            raise Hidden(code, "the marks of a card that not everybody sees")
        return OPEN

    def _act(self, code: Any, names: dict[int, int]) -> int:
        """Cards that are played lie open if the game lays them so; the card that a verb was given may lie anywhere."""
        self._level(code[2], names)
        if code[1] not in ("card", "cards"):
            return OPEN
        given = code[1] == "card" and _PLAYED not in names and any(v["card"] is not None for v in self.verbs.values())
        return OPEN if self.laid_open and not given else COVERED

    def _carried(self, code: Any, names: dict[int, int]) -> int:
        """What an act was called with: a card that a verb was given may lie anywhere."""
        self._level(code[2], names)
        if _PLAYED in names:
            return OPEN  # what is announced with a card or a move is told to all
        types = {type for verb in self.verbs.values() for name, type, _ in verb["params"] if name == code[1]}
        return COVERED if types & {"card", "cards", "zone"} else OPEN

    def _members(self, code: Any, names: dict[int, int]) -> int:
        level = self._level(code[1], names)
        inner = self._level(code[3], {**names, code[2]: level})
        return inner if code[0] == "map" else level if code[0] in ("where", "best", "disjoint") else OPEN

    def _and(self, code: Any, names: dict[int, int]) -> int:
        """Members in order; once one has settled that the act is a card played or a move, the others may rely on it."""
        for part in _members_of_and(code):
            self._level(part, names)
            if self._says_played(part):
                names = {**names, _PLAYED: OPEN}
        return OPEN

    def _says_played(self, code: Any) -> bool:
        if code[0] not in ("==", "in") or len(code) != 3:
            return False
        kind, words = (code[1], code[2]) if code[1][0] == "act" else (code[2], code[1])
        if kind != ["act", "kind", ["target"]] or words[0] != "k":
            return False
        said = words[1] if isinstance(words[1], list) else [words[1]]
        return not any(word in self.verbs for word in said)

    def _equal(self, code: Any, names: dict[int, int]) -> int:
        if ["k", None] in (code[1], code[2]):
            self._level(code[2] if code[1] == ["k", None] else code[1], names)
            return OPEN
        if max(self._level(code[1], names), self._level(code[2], names)) == COVERED:
            raise Hidden(code, "which card it is, though not everybody sees it")
        return OPEN

    def _ask(self, code: Any, names: dict[int, int]) -> int:
        """A question: its default and every answer to it, from where the answers lie."""
        levels = tuple(self._level(argument, names) for argument in code[2])
        key = (code[1], levels)
        if key not in self._asked:
            self._asked[key] = ""  # a question that asks itself says nothing more
            self._asked[key] = self._question(code[1], levels)
        if self._asked[key]:
            raise Hidden(code, self._asked[key])
        return OPEN

    def _question(self, name: str, levels: tuple[int, ...]) -> str:
        """What an answer to a question tells that not everybody knows, in words; "" if nothing."""
        question = self.questions[name]
        slots = dict(enumerate(levels))
        try:
            self._level(question["default"], slots)
        except Hidden as hidden:
            return f"the answer to `{name}`: it looks at {hidden.what}"
        for kind, answer in self.answers.get(name, ()):
            closed = [zone for zone in answer["in"] or () if not self.seen[zone]]
            if closed:
                return f"the answer to `{name}`: `{kind}` gives one from `{closed[0]}`, which not everybody sees"
            try:
                for part in (answer["if"], answer["with"]):
                    if part is not None:
                        self._level(part, slots)
            except Hidden as hidden:
                return f"the answer to `{name}`: `{kind}` looks at {hidden.what}"
        return ""


def _members_of_and(code: Any) -> list[Any]:
    return [*_members_of_and(code[1]), *_members_of_and(code[2])] if code[0] == "and" else [code]


_HANDLERS: dict[str, Any] = {
    "zone": Public._zone,
    "pattr": Public._player,
    "gattr": Public._game,
    "cattr": Public._card,
    "field": Public._card,
    "tagged": Public._card,
    "bears": Public._bears,
    "act": Public._act,
    "actarg": Public._carried,
    "and": Public._and,
    "==": Public._equal,
    "!=": Public._equal,
    "ask": Public._ask,
    **dict.fromkeys(_MEMBERS, Public._members),
}
