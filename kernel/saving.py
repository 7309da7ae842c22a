"""Dumps: the whole state as JSON-able data and back, exactly.

What is read is checked; nothing of it is ever executed.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, Final

from kernel.core import Act, Frame, Program, Value
from kernel.errors import GameError, RestoreError
from kernel.knowledge import ANYBODY
from kernel.news import NewsItem, collect
from kernel.posts import survey
from kernel.seats import public
from kernel.soundness import unsound
from kernel.state import Data, Deal

if TYPE_CHECKING:
    from kernel.book import Rulebook
    from kernel.game import State, Step

FORMAT: Final = 2
MAX_CARDS: Final = 200_000
MAX_DEPTH: Final = 12


def out_value(v: Value) -> Any:
    """A value as JSON has it."""
    if isinstance(v, (tuple, list)):
        return [out_value(x) for x in v]
    return v


def in_value(v: Any, depth: int = 0) -> Value:
    """A value read back; lists become tuples."""
    if isinstance(v, list):
        if depth > MAX_DEPTH:
            raise RestoreError("a saved value is nested too deeply")
        return tuple([in_value(x, depth + 1) for x in v])
    if v is None or isinstance(v, (bool, int, str)):
        return v
    raise RestoreError(f"a saved value is of an unknown kind: {type(v).__name__}")


def dump_news(item: NewsItem) -> list[Any]:
    """One event."""
    return [
        item.n,
        item.event,
        item.by,
        list(item.cards),
        list(item.masks),
        item.src,
        item.dst,
        [[k, out_value(v)] for k, v in item.data],
        [[k, out_value(v)] for k, v in item.secret],
        item.private,
    ]


def dump_core(s: Data) -> dict[str, Any]:
    """Everything but the news."""
    width = max(1, len(s.book.card_attributes))
    return {
        "format": FORMAT,
        "book": s.book.digest,
        "players": s.players,
        "policy": "settled" if s.settled else "all",
        "seed": s.seed,
        "kinds": list(s.deal.kinds),
        "variants": list(s.deal.variants),
        "zones": [list(z) for z in s.zones],
        "known": list(s.known),
        "placed": list(s.placed),
        "card_attributes": [[k // width, k % width, out_value(v)] for k, v in sorted(s.card_attrs.items())],
        "card_marks": [[c, list(m)] for c, m in sorted(s.card_marks.items())],
        "aliases": [[c, k] for c, k in sorted(s.aliases.items())],
        "game_attributes": [out_value(v) for v in s.game_attrs],
        "player_attributes": [out_value(v) for v in s.player_attrs],
        "frames": [
            [f.prog.index, f.pc, [out_value(v) for v in f.vars], f.you, f.card, f.act, out_value(f.event), f.target]
            for f in s.frames
        ],
        "acts": [
            [
                a.n,
                a.spec.index,
                a.by,
                list(a.cards),
                [out_value(v) for v in a.vars],
                a.target,
                a.cancelled,
                a.passed,
                a.stage,
                a.alias,
            ]
            for a in s.acts
        ],
        "act_count": s.act_count,
        "turn": [s.turn, s.owed, s.direction, s.turn_ended, out_value(s.next_turn)],
        "out": s.out,
        "left": s.left,
        "rng": s.rng,
        "version": s.version,
        "decisions": s.decisions,
        "ask": [s.ask, s.ask_mask, s.ask_since],
        "over": s.over,
        "winners": list(s.winners),
        "chance": list(s.script),
        "known_to": s.known_to,
    }


def dump_state(s: State) -> dict[str, Any]:
    """Everything."""
    data = dump_core(s)
    data["news"] = [dump_news(item) for item in collect(s, 0)]
    data["past"] = dump_steps(s.steps)
    return data


def dump_steps(step: Step | None) -> list[Any]:
    """The steps that led here, oldest first; what players did is part of what they know."""
    from kernel.game import text_of

    found: list[Any] = []
    while step is not None:
        found.append([step[1], step[2], text_of(step), step[5], step[6]])
        step = step[0]
    return found[::-1]


def state_digest(s: Data) -> str:
    """A fingerprint of everything but the news."""
    text = json.dumps(dump_core(s), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


class Reader:
    """Reads fields of a dump with their types and bounds."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data

    def number(self, key: str, low: int, high: int) -> int:
        """A whole number within bounds."""
        return self.check(self.data.get(key), key, low, high)

    def check(self, v: Any, what: str, low: int, high: int) -> int:
        """The value, if it is a whole number within bounds."""
        if type(v) is not int or not low <= v <= high:
            raise RestoreError(f"the saved game is broken: '{what}' is not a number from {low} to {high}")
        return v

    def flag(self, v: Any, what: str) -> bool:
        """True or false."""
        if not isinstance(v, bool):
            raise RestoreError(f"the saved game is broken: '{what}' is neither true nor false")
        return v

    def numbers(self, key: str, length: int | None, low: int, high: int) -> list[int]:
        """A list of numbers, of a length where one is given."""
        v = self.rows(key, length)
        for x in v:
            self.check(x, key, low, high)
        return v

    def rows(self, key: str, length: int | None = None) -> list[Any]:
        """A list."""
        v = self.data.get(key)
        if not isinstance(v, list) or (length is not None and len(v) != length) or len(v) > MAX_CARDS:
            raise RestoreError(f"the saved game is broken: '{key}' is not a list of the right length")
        return list(v)

    def row(self, v: Any, length: int, what: str) -> list[Any]:
        """A list inside a list."""
        if not isinstance(v, list) or len(v) != length:
            raise RestoreError(f"the saved game is broken: an entry of '{what}' has not {length} parts")
        return v

    def text(self, v: Any, what: str) -> str:
        """A text."""
        if not isinstance(v, str) or len(v) > 100_000:
            raise RestoreError(f"the saved game is broken: '{what}' is not a text")
        return v


BIG: Final = 1 << 70


def restore_state(book: Rulebook, data: Any) -> State:
    """The state of a dump; RestoreError where it is not one of this book."""
    if not isinstance(data, dict):
        raise RestoreError("a saved game is a JSON object")
    found = data.get("format")
    if type(found) is not int or found < 1:
        raise RestoreError("this is no saved game: it has no format number", "format")
    if found > FORMAT:
        raise RestoreError(f"the saved game has format {found}; this kernel reads up to {FORMAT}", "format")
    if found < FORMAT:
        raise RestoreError(
            f"the saved game has format {found} of an older kernel; its record can be played again", "format"
        )
    if data.get("book") != book.digest:
        raise RestoreError("the saved game belongs to other rules (another pack, version or option)", "book")
    try:
        s = read_state(book, Reader(data))
        fault = unsound(s)
        wrong = [fault] if fault else s.problems()
        if wrong:
            raise RestoreError(f"the saved game is broken: {wrong[0]}")
    except GameError as error:
        if isinstance(error, RestoreError):
            raise
        raise RestoreError(f"the saved game is broken: {error.message}") from None
    except (TypeError, ValueError, KeyError, IndexError, AttributeError, RecursionError, AssertionError) as error:
        raise RestoreError(f"the saved game is broken ({type(error).__name__})") from None
    return s


def read_state(book: Rulebook, r: Reader) -> State:
    """Field by field."""
    from kernel.dealing import blank

    data = r.data
    policy = data.get("policy")
    if policy not in ("all", "settled"):
        raise RestoreError("the saved game is broken: 'policy' is neither all nor settled")
    n = r.number("players", book.players_min, book.players_max)
    seed = data.get("seed")
    if type(seed) is not int or abs(seed) > 1 << 256:
        raise RestoreError("the saved game is broken: 'seed' is not a number")
    s = blank(book, n, seed, policy)
    everybody = (1 << n) - 1
    kinds = r.numbers("kinds", None, 0, len(book.kinds) - 1)
    variants = [r.text(v, "variants") for v in r.rows("variants", len(kinds))]
    known = {*zip(book.cards.kinds, book.cards.variants, strict=True)}
    ours = all(not variant or (kind, variant) in known for kind, variant in zip(kinds, variants, strict=True))
    # The book numbers the faces of its own cards, and of no others: it would grow with them.
    s.deal = Deal(tuple(kinds), len(book.kinds), tuple(variants), book.cards if ours else None)
    cards = len(kinds)
    s.where = [-1] * cards
    for i, zone in enumerate(r.rows("zones", len(s.zones))):
        if not isinstance(zone, list) or len(zone) > cards:
            raise RestoreError("the saved game is broken: a zone is not a list of cards")
        for c in zone:
            r.check(c, "zones", 0, cards - 1)
            if s.where[c] >= 0:
                raise RestoreError("the saved game is broken: a card lies in two places")
            s.where[c] = i
        s.zones[i] = list(zone)
    s.known = r.numbers("known", cards, 0, public(n))
    s.placed = r.numbers("placed", cards, 0, public(n))
    s.noted = [ANYBODY] * len(s.zones)
    width = len(book.card_attributes)
    for row in r.rows("card_attributes"):
        c, a, v = r.row(row, 3, "card_attributes")
        s.card_attrs[r.check(c, "card", 0, cards - 1) * width + r.check(a, "attribute", 0, width - 1)] = in_value(v)
    for row in r.rows("card_marks"):
        c, marks = r.row(row, 2, "card_marks")
        s.card_marks[r.check(c, "card", 0, cards - 1)] = tuple(
            [r.check(m, "mark", 0, len(book.kinds) - 1) for m in marks]
        )
    for row in r.rows("aliases"):
        c, k = r.row(row, 2, "aliases")
        s.aliases[r.check(c, "card", 0, cards - 1)] = r.check(k, "kind", 0, len(book.kinds) - 1)
    s.game_attrs = [in_value(v) for v in r.rows("game_attributes", len(s.game_attrs))]
    s.player_attrs = [in_value(v) for v in r.rows("player_attributes", len(s.player_attrs))]
    for row in r.rows("acts"):
        act = read_act(book, r, row, n, cards)
        act.below = s.top_act
        s.top_act = act
    s.frames = [read_frame(book, r, row, n, cards) for row in r.rows("frames")]
    s.act_count = r.number("act_count", 0, BIG)
    turn = r.row(data.get("turn"), 5, "turn")
    s.turn = r.check(turn[0], "turn", 0, n - 1)
    s.owed = r.check(turn[1], "owed", 0, 10_000)
    s.direction = r.check(turn[2], "direction", -1, 1) or 1
    s.turn_ended = r.flag(turn[3], "turn_ended")
    if turn[4] is not None:
        to, owed = r.row(turn[4], 2, "next_turn")
        s.next_turn = (r.check(to, "next_turn", -1, n - 1), r.check(owed, "next_turn", 0, 10_000))
    s.out = r.number("out", 0, everybody)
    s.left = r.number("left", 0, everybody)
    s.rng = r.number("rng", 0, (1 << 64) - 1)
    s.version = r.number("version", 0, BIG)
    s.decisions = r.number("decisions", 0, BIG)
    ask = r.row(data.get("ask"), 3, "ask")
    s.ask = r.check(ask[0], "ask", 0, 3)
    s.ask_mask = r.check(ask[1], "ask", 0, everybody)
    s.ask_since = r.check(ask[2], "ask", 0, BIG)
    s.over = r.flag(data.get("over"), "over")
    s.winners = tuple(r.numbers("winners", None, 0, n - 1))
    s.script = [r.text(x, "chance") for x in r.rows("chance")]
    s.known_to = r.number("known_to", -1, n - 1)
    for row in r.rows("news"):
        s.news_tail = read_news(r, row, s.news_tail, n, len(s.zones))
    s.told = s.version
    survey(s)
    for row in r.rows("past") if "past" in data else ():
        s.steps = read_step(r, row, s.steps, n)
    s.anchor()
    return s


def read_step(r: Reader, row: Any, prev: Step | None, n: int) -> Step:
    """One step of the past."""
    x = r.row(row, 5, "past")
    if x[0] not in ("a", "d", "close", "leave", "chance"):
        raise RestoreError("the saved game is broken: 'past' holds a step of an unknown kind")
    player = r.check(x[1], "past", -1 if x[0] in ("close", "chance") else 0, n - 1)
    version = r.check(x[3], "past", prev[5] if prev is not None else 0, BIG)
    return prev, x[0], player, r.text(x[2], "past"), 0, version, r.check(x[4], "past", 0, (1 << n) - 1)


def read_act(book: Rulebook, r: Reader, row: Any, n: int, cards: int) -> Act:
    """One act."""
    x = r.row(row, 10, "acts")
    spec = book.specs[r.check(x[1], "act", 0, len(book.specs) - 1)]
    vars = [in_value(v) for v in x[4]]
    if len(vars) < max(len(spec.params), spec.slots):
        raise RestoreError("the saved game is broken: an act has too few values")
    of = tuple([r.check(c, "act", 0, cards - 1) for c in x[3]])
    act = Act(
        r.check(x[0], "act", 0, BIG), spec, r.check(x[2], "act", 0, n - 1), of, vars, r.check(x[5], "act", -1, BIG)
    )
    act.cancelled = r.flag(x[6], "act")
    act.passed = r.check(x[7], "act", 0, (1 << n) - 1)
    act.stage = r.check(x[8], "act", 0, 1)
    act.alias = r.text(x[9], "act")
    if act.alias and act.alias not in book.kind_by_id:
        raise RestoreError("the saved game is broken: an act names an unknown kind")
    return act


def program_at(book: Rulebook, r: Reader, index: Any) -> Program:
    """A program by its number; the machine's own have numbers below zero."""
    at = r.check(index, "frame", -len(book.own_programs), len(book.programs) - 1)
    return book.programs[at] if at >= 0 else book.own_programs[-1 - at]


def read_frame(book: Rulebook, r: Reader, row: Any, n: int, cards: int) -> Frame:
    """One frame."""
    x = r.row(row, 8, "frames")
    prog = program_at(book, r, x[0])
    vars = [in_value(v) for v in r.row(x[2], len(x[2]), "frames")]
    if len(vars) < prog.slots:
        raise RestoreError("the saved game is broken: a frame has too few variables")
    event = in_value(x[6])
    if event is not None and not isinstance(event, tuple):
        raise RestoreError("the saved game is broken: the event of a frame is no list")
    f = Frame(
        prog,
        vars,
        r.check(x[3], "frame", -1, n - 1),
        r.check(x[4], "frame", -1, cards - 1),
        r.check(x[5], "frame", -1, BIG),
        event,
    )
    f.pc = r.check(x[1], "frame", 0, len(prog.ops) - 1)
    f.target = r.check(x[7], "frame", -1, BIG)
    return f


def read_news(r: Reader, row: Any, prev: NewsItem | None, n: int, zones: int) -> NewsItem:
    """One event."""
    x = r.row(row, 10, "news")
    number = r.check(x[0], "news", (prev.n if prev else 0) + 1, BIG)
    texts = tuple([r.text(t, "news") for t in x[3]])
    masks = tuple([r.check(m, "news", 0, public(n)) for m in r.row(x[4], len(texts), "news")])
    pairs = []
    for part in (x[7], x[8]):
        pairs.append(tuple([(r.text(p[0], "news"), out_value(in_value(p[1]))) for p in part]))
    return NewsItem(
        prev,
        number,
        r.text(x[1], "news"),
        r.check(x[2], "news", -1, n - 1),
        texts,
        masks,
        r.check(x[5], "news", -1, zones - 1),
        r.check(x[6], "news", -1, zones - 1),
        pairs[0],
        pairs[1],
        r.check(x[9], "news", 0, public(n)),
    )
