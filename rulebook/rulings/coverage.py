"""Which statements of the cards, and of whole games, ran while rulings were run, and which cards no ruling is about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kernel import Rulebook

Line = tuple[str, int]
"""A line of a file with rules."""


@dataclass(frozen=True, slots=True)
class CardCoverage:
    """One card or mark: the lines of its statements, those that ran, and what of it never ran at all."""

    id: str
    file: str
    lines: frozenset[int]
    ran: frozenset[int]
    idle: tuple[str, ...]
    """Its plays and abilities of which no statement ran, such as `play (line 7)`."""
    has_ruling: bool

    @property
    def missing(self) -> tuple[int, ...]:
        """The lines that never ran, in order."""
        return tuple(sorted(self.lines - self.ran))

    def to_data(self) -> dict[str, Any]:
        """As JSON-able data."""
        return {
            "id": self.id,
            "file": self.file,
            "lines": len(self.lines),
            "ran": len(self.ran),
            "missing": list(self.missing),
            "idle": list(self.idle),
            "has_ruling": self.has_ruling,
        }


@dataclass(frozen=True, slots=True)
class Coverage:
    """All cards of the packs that were looked at, and the game files of games that were looked at whole. Cards that a
    deck file makes have no statements and need no ruling; they are left out."""

    cards: tuple[CardCoverage, ...]
    games: tuple[CardCoverage, ...] = ()

    @property
    def files(self) -> tuple[CardCoverage, ...]:
        """Everything that was measured."""
        return (*self.games, *self.cards)

    @property
    def lines(self) -> int:
        """How many statement lines there are."""
        return sum(len(file.lines) for file in self.files)

    @property
    def ran(self) -> int:
        """How many of them ran."""
        return sum(len(file.ran) for file in self.files)

    @property
    def percent(self) -> float:
        """The part that ran; 100 where there is nothing to run."""
        return 100 * self.ran / self.lines if self.lines else 100.0

    @property
    def without_ruling(self) -> tuple[str, ...]:
        """The cards that no ruling is about."""
        return tuple(card.id for card in self.cards if not card.has_ruling)

    def to_data(self) -> dict[str, Any]:
        """As JSON-able data."""
        return {
            "percent": round(self.percent, 1),
            "lines": self.lines,
            "ran": self.ran,
            "without_ruling": list(self.without_ruling),
            "cards": [card.to_data() for card in self.cards],
            "games": [game.to_data() for game in self.games],
        }


def measure(
    books: Iterable[Rulebook],
    covered: set[Line],
    about: Iterable[str],
    packs: frozenset[str] | None,
    games: frozenset[str] = frozenset(),
) -> Coverage:
    """The coverage of the cards of these books, only of those of certain packs where `packs` names some, and of the
    game files of `games`. What one book folds away (an option that is off) another may hold, so all their lines
    count."""
    units: dict[tuple[str, str], dict[str, set[int]]] = {}
    rules: dict[tuple[str, str], dict[str, set[int]]] = {}
    for book in books:
        if book.data["game"] in games:
            file = f"{book.data['game']}/game.yaml"
            found = rules.setdefault((book.data["game"], file), {})
            for name, lines in _rules(book.data, file):
                found.setdefault(name, set()).update(lines)
        for kind in book.data["kinds"]:
            if "place" not in kind and (packs is None or kind["pack"] in packs):
                found = units.setdefault((kind["id"], kind["file"]), {})
                for name, lines in _units(kind):
                    found.setdefault(name, set()).update(lines)
    named = set(about)
    cards = [_card(id, file, parts, covered, id in named) for (id, file), parts in sorted(units.items())]
    whole = [_card(id, file, parts, covered, True) for (id, file), parts in sorted(rules.items())]
    return Coverage(tuple(cards), tuple(whole))


def _card(id: str, file: str, parts: Mapping[str, set[int]], covered: set[Line], named: bool) -> CardCoverage:
    lines = frozenset(line for part in parts.values() for line in part)
    ran = frozenset(line for line in lines if (file, line) in covered)
    idle = tuple(name for name, part in parts.items() if part and not part & ran)
    return CardCoverage(id, file, lines, ran, idle, named)


def _units(kind: Mapping[str, Any]) -> Iterator[tuple[str, set[int]]]:
    """The plays and abilities of a kind by name, with the lines of their statements."""
    for play in kind["plays"]:
        yield f"play at {play['at']} (line {play['line']})", _own_lines(play["program"])
    for key in ("when", "before", "instead"):
        for ability in kind[key]:
            lines = _own_lines(ability["program"])
            yield f"{key} {ability['event']} (line {min(lines, default=0)})", lines


def _rules(data: Mapping[str, Any], file: str) -> Iterator[tuple[str, set[int]]]:
    """The programs of a game file by name, with the lines of their statements."""
    for key in ("announce", "setup", "play", "leave"):
        program = data["play_announce" if key == "announce" else key]
        if program is not None and program["file"] == file:
            yield key, _own_lines(program)
    for verb in data["verbs"]:
        yield f"verb {verb['name']}", _own_lines(verb["program"])
    for move in data["moves"]:
        yield f"move {move['name']}", _own_lines(move["program"])


def _own_lines(program: Mapping[str, Any]) -> set[int]:
    """The lines of a program that stand in its own file, not in that of a verb put in place."""
    lines = program["lines"]
    parts = program.get("parts") or [[0, program["file"], ""]]
    ends = [part[0] for part in parts[1:]] + [len(lines)]
    found: set[int] = set()
    for (first, file, _), end in zip(parts, ends, strict=True):
        if file == program["file"]:
            found.update(lines[first:end])
    return found
