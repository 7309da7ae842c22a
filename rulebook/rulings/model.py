"""What stands in a file of rulings, as values: the file, its rulings, and the steps of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from rulebook.diagnostics import Span
from rulebook.yamlread import Scalar

EVERYBODY = -1
"""Stands where a player's number does: `all: pass`, and `close` without a player."""


@dataclass(frozen=True, slots=True)
class Expression:
    """A condition as it is written, with its place; it is compiled against the book when the ruling runs."""

    scalar: Scalar

    @property
    def text(self) -> str:
        """The condition as one line."""
        return " ".join(self.scalar.text.split())

    @property
    def span(self) -> Span:
        """Where it stands."""
        return self.scalar.span


@dataclass(frozen=True, slots=True)
class Attempt:
    """A player and the text of an action."""

    player: int
    action: str

    def __str__(self) -> str:
        return f"player {self.player}: {self.action}"


@dataclass(frozen=True, slots=True)
class Act:
    """`- 0: play skip`: the player does this."""

    attempt: Attempt
    span: Span

    def __str__(self) -> str:
        return str(self.attempt)


@dataclass(frozen=True, slots=True)
class PassAll:
    """`- all: pass`: everybody in the open window passes."""

    span: Span

    def __str__(self) -> str:
        return "everybody passes"


@dataclass(frozen=True, slots=True)
class Close:
    """`- close` and `- close: 2`: the host's clock runs out, for everybody asked or for one player."""

    player: int
    span: Span

    def __str__(self) -> str:
        return "time runs out" if self.player == EVERYBODY else f"time runs out for player {self.player}"


@dataclass(frozen=True, slots=True)
class Leave:
    """`- 0: leave`: the player is gone."""

    player: int
    span: Span

    def __str__(self) -> str:
        return f"player {self.player} leaves"


@dataclass(frozen=True, slots=True)
class Expect:
    """`expect` (after everybody has let it pass) and `during` (as it is): each condition must hold."""

    conditions: tuple[Expression, ...]
    during: bool
    span: Span

    def __str__(self) -> str:
        return f"{'during' if self.during else 'expect'} {' · '.join(each.text for each in self.conditions)}"


@dataclass(frozen=True, slots=True)
class Refuse:
    """`illegal` and `illegal_now`: each of these must be refused."""

    attempts: tuple[Attempt, ...]
    now: bool
    span: Span

    def __str__(self) -> str:
        return f"refused{' now' if self.now else ''}: {', '.join(map(str, self.attempts))}"


@dataclass(frozen=True, slots=True)
class Sees:
    """What a player's view must hold of a zone. `of` names whose zone it is; None: a shared zone, or the viewer's
    own."""

    player: int
    zone: str
    of: int | None
    cards: tuple[str, ...]
    span: Span

    def __str__(self) -> str:
        whose = "" if self.of is None else f" of player {self.of}"
        return f"player {self.player} sees in {self.zone}{whose}: {', '.join(self.cards) or 'nothing'}"


@dataclass(frozen=True, slots=True)
class Look:
    """`- sees: …`: the views as they are at this moment."""

    sights: tuple[Sees, ...]
    span: Span

    def __str__(self) -> str:
        return " · ".join(map(str, self.sights))


Step: TypeAlias = Act | PassAll | Close | Leave | Expect | Refuse | Look


@dataclass(frozen=True, slots=True)
class BookChoice:
    """Which book a ruling is about: what :func:`rulebook.load` is asked for."""

    game: str
    packs: tuple[str, ...] | None = None
    preset: str | None = None
    options: Mapping[str, int | bool | str | tuple[int | bool | str, ...]] = field(default_factory=dict)
    path: str | None = None

    @property
    def key(self) -> tuple[Any, ...]:
        """Equal for choices of the same book. `True` and `1` differ here, as they do in a book."""
        options = tuple(sorted((name, type(value).__name__, value) for name, value in self.options.items()))
        return (self.game, self.packs, self.preset, options, self.path)


@dataclass(frozen=True, slots=True)
class Ruling:
    """One executed example of the rules."""

    title: str
    source: str
    note: str
    about: tuple[str, ...]
    book: BookChoice
    players: int
    seed: int
    given: Mapping[str, Any] | None
    """None: the game's own set-up from the seed."""
    chance: tuple[str, ...]
    steps: tuple[Step, ...]
    then: tuple[Expression, ...]
    sees: tuple[Sees, ...]
    span: Span
    parts: Mapping[str, Span] = field(default_factory=dict)
    """Where its keys stand, for messages about the whole of one."""

    def part(self, key: str) -> Span:
        """Where a key stands, or the ruling itself where the key is left out."""
        return self.parts.get(key, self.span)

    def __iter__(self) -> Iterator[str]:
        """The ruling as lines for people: its steps, then what holds at the end."""
        yield from map(str, self.steps)
        for condition in self.then:
            yield f"then {condition.text}"
        yield from map(str, self.sees)


@dataclass(frozen=True, slots=True)
class RulingFile:
    """A file of rulings. Without rulings if it could not be read."""

    path: Path
    name: str
    """The path as it is printed."""
    about: tuple[str, ...] = ()
    rulings: tuple[Ruling, ...] = ()
