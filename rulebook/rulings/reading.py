"""From a file of rulings to its values. Whatever is wrong with the file is a diagnostic; the file is then not used.

The shape of the file (keys, lists, texts) is checked by its schema before anything is read here. What a ruling says
about a game (ids, actions, expressions) is not looked at: that needs the book."""

from __future__ import annotations

from pathlib import Path

from rulebook.diagnostics import Diagnostics, Span
from rulebook.packs import value_of
from rulebook.rulings import codes
from rulebook.rulings.homes import Home, home_of
from rulebook.rulings.model import (
    EVERYBODY,
    Act,
    Attempt,
    BookChoice,
    Close,
    Expect,
    Expression,
    Leave,
    Look,
    PassAll,
    Refuse,
    Ruling,
    RulingFile,
    Sees,
    Step,
)
from rulebook.schema_check import check_shape, without_vendor_keys
from rulebook.yamlread import Map, Node, Scalar, Seq, read_into, to_data

PLAYERS = 2
"""How many play where a ruling does not say."""


def read_file(path: Path, diagnostics: Diagnostics, *, name: str | None = None, text: str | None = None) -> RulingFile:
    """Read one file, named `name` in messages; `text` stands in for what is on the disk. A file with faults has no
    rulings."""
    shown = str(path) if name is None else name
    found = Diagnostics()
    node = read_into(path if text is None else text, found, name=shown)
    file = RulingFile(path, shown)
    if node is not None and check_shape(node, "rulings", found):
        plain = without_vendor_keys(node)
        assert isinstance(plain, Map)  # the schema says so
        file = read_map(plain, path, found, name=shown)
    diagnostics.extend(found)
    return RulingFile(path, shown, file.about) if found.errors else file


def read_map(node: Map, path: Path, diagnostics: Diagnostics, *, name: str) -> RulingFile:
    """The rulings of a file whose shape was found to be right; without rulings where something else is wrong."""
    before = len(diagnostics.errors)
    file = _Reader(home_of(path), diagnostics).file(node, RulingFile(path, name))
    return file if len(diagnostics.errors) == before else RulingFile(path, name, file.about)


class _Reader:
    """Reads the nodes of one file of the right shape; what the schema cannot say goes to the diagnostics."""

    def __init__(self, home: Home, diagnostics: Diagnostics) -> None:
        self.home = home
        self.diagnostics = diagnostics

    def file(self, node: Map, file: RulingFile) -> RulingFile:
        about = _words(node.get("about"))
        rulings = tuple(self.ruling(item, about) for item in _items(node.get("rulings")) if isinstance(item, Map))
        seen: dict[str, Ruling] = {}
        for ruling in rulings:
            first = seen.setdefault(ruling.title, ruling)
            if first is not ruling:
                related = (("the other one", first.part("title")),)
                message = "two rulings of this file have this title"
                self.diagnostics.warning(codes.TWICE, message, ruling.part("title"), "say what differs", related)
        return RulingFile(file.path, file.name, about, rulings)

    def ruling(self, node: Map, about: tuple[str, ...]) -> Ruling:
        players = _number(node.get("players"), PLAYERS)
        given = node.get("given")
        steps = [self.step(item, players) for item in _items(node.get("steps"))]
        ruling = Ruling(
            title=_text(node.get("title")),
            source=_text(node.get("source")),
            note=_text(node.get("note")),
            about=tuple(dict.fromkeys((*about, *_words(node.get("about"))))),
            book=self.book(node),
            players=players,
            seed=_number(node.get("seed"), 0),
            given=to_data(given, numbers_as_keys=True) if isinstance(given, Map) else None,
            chance=_words(node.get("chance")),
            steps=tuple(step for step in steps if step is not None),
            then=_conditions(node.get("then")),
            sees=tuple(self.sight(item, players) for item in _items(node.get("sees"))),
            span=_first(node.span),
            parts={key: scalar.span for key, scalar in node.keys.items()},
        )
        if not (ruling.then or ruling.sees or ruling.steps):
            message = "this ruling expects nothing, so it cannot fail"
            self.diagnostics.warning(codes.NOTHING, message, ruling.span, "say under `then:` what holds at the end")
        return ruling

    def book(self, node: Map) -> BookChoice:
        game, path = self.home.where(_text(node.get("game")))
        options = node.get("options")
        values = {}
        for key, value in options.entries.items() if isinstance(options, Map) else ():
            chosen = value_of(value)
            if chosen is not None:
                values[key] = chosen
        packs = _words(node.get("packs")) if "packs" in node.entries else None
        return BookChoice(game, packs, _text(node.get("preset")) or None, values, path)

    def sight(self, node: Node, players: int) -> Sees:
        assert isinstance(node, Map)  # the schema says so
        player = self.player(node.get("player"), players)
        of = self.player(node.get("of"), players) if "of" in node.entries else None
        return Sees(player, _text(node.get("zone")), of, _words(node.get("cards")), _first(node.span))

    def step(self, node: Node, players: int) -> Step | None:
        if not isinstance(node, Map):
            return Close(EVERYBODY, node.span)
        ((name, value),) = node.entries.items()
        key = node.keys[name]
        match name:
            case "note":
                return None
            case "expect" | "during":
                return Expect(_conditions(value), name == "during", key.span)
            case "illegal" | "illegal_now":
                return Refuse(self.attempts(value, players), name == "illegal_now", key.span)
            case "sees":
                sights = value.items if isinstance(value, Seq) else (value,)
                return Look(tuple(self.sight(item, players) for item in sights), key.span)
            case "close":
                return Close(self.player(value, players), key.span)
            case "all":
                return PassAll(key.span)
        player = self.player(key, players)
        action = _text(value)
        span = Span(key.span.file, key.span.line, key.span.column, value.span.end_line, value.span.end_column)
        return Leave(player, span) if action == "leave" else Act(Attempt(player, action), span)

    def attempts(self, node: Node, players: int) -> tuple[Attempt, ...]:
        """`{1: draw, 2: [draw, play skip]}`: each action of each player."""
        found = []
        for name, value in node.entries.items() if isinstance(node, Map) else ():
            key = node.keys[name] if isinstance(node, Map) else None
            player = self.player(key, players)
            found += [Attempt(player, _text(item)) for item in (value.items if isinstance(value, Seq) else (value,))]
        return tuple(found)

    def player(self, node: Node | None, players: int) -> int:
        """A player's number; one who does not play is reported."""
        number = int(node.text) if isinstance(node, Scalar) else 0
        if node is not None and number >= players:
            message = f"there is no player {number}: {players} play, numbered 0 to {players - 1}"
            self.diagnostics.error(codes.PLAYER, message, node.span, f"`players: {number + 1}` makes it so")
        return number


def _items(node: Node | None) -> tuple[Node, ...]:
    return node.items if isinstance(node, Seq) else ()


def _text(node: Node | None) -> str:
    return " ".join(node.text.split()) if isinstance(node, Scalar) else ""


def _words(node: Node | None) -> tuple[str, ...]:
    return tuple(_text(item) for item in _items(node))


def _number(node: Node | None, default: int) -> int:
    return node.value if isinstance(node, Scalar) and isinstance(node.value, int) else default


def _conditions(node: Node | None) -> tuple[Expression, ...]:
    """One condition or a list of them."""
    items = (node,) if isinstance(node, Scalar) else _items(node)
    return tuple(Expression(item) for item in items if isinstance(item, Scalar))


def _first(span: Span) -> Span:
    """The beginning of a span that covers several lines: enough to jump to, and no page of carets."""
    if span.end_line == span.line:
        return span
    return Span(span.file, span.line, span.column, span.line, span.column + 1)
