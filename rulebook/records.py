"""Records: one file format for saved games and replays. JSON lines, a header and then one line a step.

    {"format": 1, "game": "kittens", "packs": [["base", "1.0"]], "digest": "…", "options": {…}, "preset": null, …}
    {"p": 1, "a": "play nope", "d": "0c5f…"}      player 1 did this; `d` begins the digest of the state that it led to
    {"close": null}   {"close": 2}                the host let all, or one, take the documented default
    {"leave": 3}                                  a player left

A record holds no state: a game is its book, its seed and what was decided, so playing the steps again is exact.
Digests make a difference show at the step where it begins. Whoever reads a file from elsewhere gets a
`kernel.RestoreError` with the line, never anything else. Playing a record is the business of
:mod:`rulebook.sessions`.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from kernel import RestoreError
from rulebook.files import write_text

if TYPE_CHECKING:
    from kernel import Rulebook

FORMAT = 1
MAX_BYTES = 16 << 20
MAX_LINE = 64 << 10
MAX_STEPS = 200_000
MAX_ACTION = 4096
MAX_PLAYERS = 64
DIGEST_LENGTH = 16

OptionValue = int | bool | str | list[int | bool | str]


@dataclass(frozen=True, slots=True)
class Place:
    """Who sits at a place of the table: a name to print, and the bot that plays there (None: a person)."""

    name: str
    bot: str | None = None


@dataclass(frozen=True, slots=True)
class Header:
    """What a game was begun with. `parts` are digests of the rules and of each pack, to tell which of them differs."""

    game: str
    packs: tuple[tuple[str, str], ...]
    digest: str
    options: Mapping[str, OptionValue]
    preset: str | None
    players: int
    seed: int
    ask: str = "all"
    places: tuple[Place, ...] = ()
    parts: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, book: Rulebook, players: int, seed: int, ask: str, places: Iterable[Place] = ()) -> Header:
        """The header of a new game of this book."""
        return cls(
            game=book.game,
            packs=tuple((name, version) for name, version in book.packs),
            digest=book.digest,
            options=dict(book.options),
            preset=book.preset,
            players=players,
            seed=seed,
            ask=ask,
            places=tuple(places),
            parts=part_digests(book),
        )


@dataclass(frozen=True, slots=True)
class Act:
    """A player did something; the action in notation."""

    player: int
    action: str
    digest: str | None = None

    def __str__(self) -> str:
        return f"player {self.player}: {self.action}"


@dataclass(frozen=True, slots=True)
class Close:
    """The host let a player, or all who were asked (None), take the documented default."""

    player: int | None = None
    digest: str | None = None

    def __str__(self) -> str:
        return "close" if self.player is None else f"close for player {self.player}"


@dataclass(frozen=True, slots=True)
class Leave:
    """A player left the game."""

    player: int
    digest: str | None = None

    def __str__(self) -> str:
        return f"player {self.player} leaves"


Step = Act | Close | Leave


@dataclass(frozen=True, slots=True)
class Record:
    """A whole record."""

    header: Header
    steps: tuple[Step, ...] = ()


def part_digests(book: Rulebook) -> dict[str, str]:
    """A digest for each pack (its cards) and one for the rules of the game (everything else), named `rules`."""
    kinds: dict[str, list[Any]] = {name: [] for name, _ in book.packs}
    for kind in book.data["kinds"]:
        kinds.setdefault(kind["pack"], []).append(kind)
    rest = {key: value for key, value in book.data.items() if key != "kinds"}
    return {"rules": _short(rest), **{pack: _short(cards) for pack, cards in sorted(kinds.items())}}


def _short(data: Any) -> str:
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:DIGEST_LENGTH]


# -- writing -----------------------------------------------------------------------------------------------------------


def header_data(header: Header) -> dict[str, Any]:
    """The header line as JSON-able data. `check` covers the rest of the line, so that no name can change its place
    unseen.
    """
    data: dict[str, Any] = {
        "format": FORMAT,
        "game": header.game,
        "packs": [list(pack) for pack in header.packs],
        "digest": header.digest,
        "options": dict(header.options),
        "preset": header.preset,
        "players": header.players,
        "seed": header.seed,
        "ask": header.ask,
    }
    if header.places:
        data["places"] = [{"name": place.name, "bot": place.bot} for place in header.places]
    if header.parts:
        data["parts"] = dict(header.parts)
    return {**data, "check": _short(data)}


def step_data(step: Step) -> dict[str, Any]:
    """The line of a step as JSON-able data."""
    data: dict[str, Any]
    match step:
        case Act(player, action):
            data = {"p": player, "a": action}
        case Close(who):
            data = {"close": who}
        case Leave(player):
            data = {"leave": player}
    if step.digest is not None:
        data["d"] = step.digest
    return data


def lines(record: Record) -> Iterator[str]:
    """The lines of a record, without line ends."""
    for data in (header_data(record.header), *map(step_data, record.steps)):
        yield json.dumps(data, ensure_ascii=False)


def write(path: str | os.PathLike[str], record: Record, overwrite: bool = False) -> None:
    """Write a record in one piece: the old file, if any, stays whole until the new one is.

    Raises FileExistsError where there is a file already, unless `overwrite`; other OSErrors as they come.
    """
    write_text(Path(path), "".join(line + "\n" for line in lines(record)), overwrite)


# -- reading -----------------------------------------------------------------------------------------------------------


def read(path: str | os.PathLike[str]) -> Record:
    """Read a record. Raises OSError if there is no such file and `kernel.RestoreError` for everything that is wrong
    in it.
    """
    target = Path(path)
    with target.open("rb") as file:
        raw = file.read(MAX_BYTES + 1)
    if len(raw) > MAX_BYTES:
        _fault("size", f"{target.name} is larger than {MAX_BYTES >> 20} MB and no record")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        _fault("format", f"{target.name} is not text and no record")
    return parse(text, target.name)


def parse(text: str, name: str = "the record") -> Record:
    """A record from its text. Raises `kernel.RestoreError` that names the line."""
    rows = text.split("\n")
    if rows and rows[-1] == "":
        rows.pop()
    if not rows:
        _fault("format", f"{name} is empty, a record begins with a header")
    if len(rows) - 1 > MAX_STEPS:
        _fault("size", f"{name} has more than {MAX_STEPS} steps")
    header = _header(_Line(name, 1, rows[0]))
    steps = tuple(_step(_Line(name, number, row), header.players) for number, row in enumerate(rows[1:], start=2))
    return Record(header, steps)


def is_record(path: Path) -> bool:
    """Whether a file begins as a record does: such a file may be replaced by a newer save of the same game."""
    try:
        with path.open("rb") as file:
            first = file.readline(MAX_LINE)
        _header(_Line(path.name, 1, first.decode("utf-8").rstrip("\n")))
    except (OSError, UnicodeDecodeError, RestoreError):
        return False
    return True


class _Line:
    """One line of a file, read with care: every complaint names the line."""

    def __init__(self, name: str, number: int, text: str) -> None:
        self.place = f"{name}, line {number}"
        if len(text) > MAX_LINE:
            self.fault("this line is far too long for a record", "size")
        try:
            data = json.loads(text, parse_constant=self._constant, object_pairs_hook=self._object)
        except (ValueError, RecursionError):
            self.fault("this is not JSON")
        if not isinstance(data, dict):
            self.fault("a line of a record is a JSON object")
        self.data: dict[str, Any] = data

    def fault(self, message: str, code: str = "format") -> NoReturn:
        _fault(code, f"{self.place}: {message}")

    def _constant(self, text: str) -> NoReturn:
        self.fault(f"{text} is no value of a record")

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        data = dict(pairs)
        if len(data) != len(pairs):
            self.fault("a key stands here twice")
        return data

    def text(self, key: str, limit: int = 200) -> str:
        value = self.data.get(key)
        if not isinstance(value, str) or not 0 < len(value) <= limit:
            self.fault(f"`{key}` should be a text of 1 to {limit} characters")
        return value

    def number(self, key: str, low: int, high: int) -> int:
        value = self.data.get(key)
        if type(value) is not int or not low <= value <= high:
            self.fault(f"`{key}` should be a whole number from {low} to {high}")
        return value

    def only(self, *keys: str) -> None:
        for key in self.data:
            if key not in keys:
                self.fault(f"`{key[:40]}` is unknown here")


def _fault(code: str, message: str) -> NoReturn:
    raise RestoreError(message, code)


_HEADER_KEYS = (
    "format", "game", "packs", "digest", "options", "preset", "players", "seed", "ask", "places", "parts", "check",
)  # fmt: skip


def _header(line: _Line) -> Header:
    data = line.data
    if "format" not in data or "seed" not in data:
        line.fault("this is no record: it does not begin with a header")
    version = line.number("format", 1, 1 << 30)
    if version > FORMAT:
        line.fault(f"format {version} was written by a newer rulebook; this one reads up to format {FORMAT}", "newer")
    line.only(*_HEADER_KEYS)
    packs = data.get("packs")
    if not isinstance(packs, list) or not all(_texts(pack, 2) for pack in packs) or len(packs) > 200:
        line.fault('`packs` should be a list such as [["base", "1.0"]]')
    options = data.get("options")
    if not isinstance(options, dict) or not all(_setting(value) for value in options.values()):
        line.fault("`options` should name the options and their values")
    preset = data.get("preset")
    if preset is not None and not isinstance(preset, str):
        line.fault("`preset` should be a name or null")
    if data.get("ask", "all") not in ("all", "settled"):
        line.fault("`ask` should be `all` or `settled`")
    players = line.number("players", 1, MAX_PLAYERS)
    parts = data.get("parts", {})
    if not isinstance(parts, dict) or not _texts(list(parts.values()), len(parts)):
        line.fault("`parts` should name a digest for each pack")
    if "check" in data and data["check"] != _short({key: value for key, value in data.items() if key != "check"}):
        line.fault("the header was changed after it was written: its `check` does not fit", "altered")
    return Header(
        game=line.text("game"),
        packs=tuple((pack[0], pack[1]) for pack in packs),
        digest=line.text("digest"),
        options=options,
        preset=preset,
        players=players,
        seed=line.number("seed", -(1 << 127), 1 << 127),
        ask=data.get("ask", "all"),
        places=_places(line, players),
        parts=parts,
    )


def _setting(value: Any) -> bool:
    """Whether it can be the value of an option."""
    return all(isinstance(item, int | str) for item in (value if isinstance(value, list) else [value]))


def _texts(value: Any, length: int) -> bool:
    return isinstance(value, list) and len(value) == length and all(isinstance(item, str) for item in value)


def _places(line: _Line, players: int) -> tuple[Place, ...]:
    rows = line.data.get("places", [])
    if not isinstance(rows, list) or (rows and len(rows) != players):
        line.fault(f"`places` should name who sits at each of the {players} places")
    places = []
    for row in rows:
        if not isinstance(row, dict) or set(row) != {"name", "bot"} or not isinstance(row["name"], str):
            line.fault("a place has a `name` and a `bot`")
        if row["bot"] is not None and not isinstance(row["bot"], str):
            line.fault("`bot` should be a bot's name or null")
        places.append(Place(row["name"], row["bot"]))
    return tuple(places)


def _step(line: _Line, players: int) -> Step:
    data = line.data
    digest = line.text("d", 64) if "d" in data else None
    if "a" in data or "p" in data:
        line.only("p", "a", "d")
        return Act(line.number("p", 0, players - 1), line.text("a", MAX_ACTION), digest)
    if "close" in data:
        line.only("close", "d")
        return Close(None if data["close"] is None else line.number("close", 0, players - 1), digest)
    if "leave" in data:
        line.only("leave", "d")
        return Leave(line.number("leave", 0, players - 1), digest)
    line.fault('a step is {"p": 0, "a": "…"}, {"close": …} or {"leave": …}')
