"""A game that is being played and recorded, and the way from a record back to the very same game.

What goes wrong on the way back is a `kernel.RestoreError`: another book's digest (with the pack that differs), or a
:class:`Divergence` at the step where the game takes another course than the record says.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from kernel import GameError, RestoreError
from rulebook import records
from rulebook.records import DIGEST_LENGTH, Act, Close, Header, Leave, Place, Record, Step

if TYPE_CHECKING:
    from kernel import Action, Rulebook, State


class Divergence(RestoreError):
    """Played again, the game is not what the record says. `step` counts from 1."""

    default_code = "divergence"

    def __init__(self, step: int, message: str, expected: str | None = None, found: str | None = None) -> None:
        super().__init__(message)
        self.step = step
        self.expected = expected
        self.found = found


class Session:
    """A game with its record. All that is done goes through here, so that nothing is missing when it is saved."""

    __slots__ = ("book", "header", "path_option", "state", "steps")

    def __init__(self, book: Rulebook, header: Header) -> None:
        self.book = book
        self.header = header
        self.state: State = book.new(players=header.players, seed=header.seed, ask=header.ask)
        self.steps: list[Step] = []
        self.path_option = ""  # what a command must be given besides a record to find this book: ` --path DIR`

    @classmethod
    def new(cls, book: Rulebook, players: int, seed: int, ask: str, places: Iterable[Place] = ()) -> Session:
        """Begin a game. Raises `kernel.SetupError` if there is none for so many players."""
        return cls(book, Header.of(book, players, seed, ask, places))

    @property
    def record(self) -> Record:
        """What was done so far."""
        return Record(self.header, tuple(self.steps))

    def digest(self) -> str:
        """The beginning of the digest of the state as it is, as records carry it."""
        return self.state.digest[:DIGEST_LENGTH]

    def apply(self, player: int, action: Action | str) -> None:
        """A player does something. Raises what `State.apply` raises; then nothing has happened and nothing is
        recorded.
        """
        text = str(action)
        self.state.apply(player, action)
        self.steps.append(Act(player, text, self.digest()))

    def close(self, player: int | None = None) -> None:
        """Let a player, or all who are asked, take the documented default."""
        self.state.close(player)
        self.steps.append(Close(player, self.digest()))

    def leave(self, player: int) -> None:
        """A player is gone."""
        self.state.leave(player)
        self.steps.append(Leave(player, self.digest()))

    def undo(self, steps: int) -> None:
        """Take back the last steps, in the game and in its record. Raises what `State.undo` raises; then nothing has
        happened.
        """
        self.state.undo(steps)
        del self.steps[-steps:]

    def repeat(self, step: Step) -> None:
        """Do what a record says, and see that it leads where the record says. Raises :class:`Divergence`, then
        undone.
        """
        number = len(self.steps) + 1
        before = self.state.copy()
        try:
            match step:
                case Act(player, action):
                    self.apply(player, action)
                case Close(who):
                    self.close(who)
                case Leave(player):
                    self.leave(player)
        except GameError as error:
            if is_fault(error):
                raise
            raise Divergence(number, f"step {number} ({step}) is refused here: {error.message}") from error
        found = self.steps[-1].digest
        if step.digest is not None and found is not None and not found.startswith(step.digest[:DIGEST_LENGTH]):
            self.state = before
            self.steps.pop()
            message = f"step {number} ({step}) leads elsewhere: expected state {step.digest}, found {found}"
            raise Divergence(number, message, step.digest, found)


def restore(record: Record, load: Callable[[Header], Rulebook]) -> Session:
    """The game of a record, played to its last step. `load` finds the book; see :func:`load_recorded`."""
    session = begin(record.header, load)
    repeat_all(session, record.steps)
    return session


def repeat_all(session: Session, steps: Iterable[Step]) -> None:
    """Do all that a record says; a fault of the rules or the engine on the way is reported with the record that shows
    it.
    """
    tried: list[Step] = []
    with reported(session, lambda: tried[-1] if tried else None):
        for step in steps:
            tried.append(step)
            session.repeat(step)
            tried.clear()


def begin(header: Header, load: Callable[[Header], Rulebook]) -> Session:
    """The beginning of the game of a record. Raises `kernel.RestoreError` if its book is not the same any more."""
    book = load(header)
    same_book(header, book)
    return Session(book, header)


def load_recorded(header: Header, path: str | None = None) -> Rulebook:
    """The book that a record names, from the packs that are here now; `path` may also be a compiled game."""
    import rulebook
    from rulebook.compiled import SUFFIX, read_book

    if path is not None and path.endswith(SUFFIX):
        return read_book(Path(path))
    try:
        return rulebook.load(
            header.game,
            packs=[name for name, _ in header.packs],
            preset=header.preset,
            options=header.options,
            path=path,
        )
    except GameError as error:
        packs = ", ".join(f"{name} {version}" for name, version in header.packs)
        error.add_note(f"the record was made with {header.game} and these packs: {packs}")
        raise


def same_book(header: Header, book: Rulebook) -> None:
    """Raise `kernel.RestoreError` that names what differs, unless the record was made with this very book."""
    if book.digest == header.digest and book.game == header.game:
        return
    error = RestoreError(
        "this record was made with other rules: " + "; ".join(_differences(header, book)), "other_book"
    )
    error.add_note("play it with the packs it was made with (`--path` says where they lie)")
    raise error


def _differences(header: Header, book: Rulebook) -> Iterator[str]:
    if header.game != book.game:
        yield f"game {header.game}, here {book.game}"
        return
    here = dict(book.packs)
    recorded = dict(header.packs)
    parts = records.part_digests(book)
    found = False
    for name in sorted({*recorded, *here}):
        old, new = recorded.get(name), here.get(name)
        if old is None or new is None:
            found = True
            yield f"pack {name} {new} is new here" if old is None else f"pack {name} {old} is missing here"
        elif old != new:
            found = True
            yield f"pack {name} was {old}, here it is {new}"
        elif name in header.parts and header.parts[name] != parts.get(name):
            found = True
            yield f"pack {name} {old} has other cards here (digest {header.parts[name]}, here {parts.get(name)})"
    options = dict(book.options)
    for name in sorted({*header.options, *options}):
        if header.options.get(name) != options.get(name):
            found = True
            yield f"option {name} was {header.options.get(name)}, here it is {options.get(name)}"
    if not found:
        yield f"the rules of {header.game} (digest {header.digest[:DIGEST_LENGTH]}, here {book.digest[:DIGEST_LENGTH]})"


@contextmanager
def reported(session: Session, attempt: Callable[[], Step | None] = lambda: None) -> Iterator[None]:
    """Whatever fails inside for a fault of the rules or of the engine leaves a record behind that shows it again.

    `attempt` gives the step that was being tried. The exception goes on, with notes on seed, digest and the record's
    file.
    """
    try:
        yield
    except Exception as error:
        if is_fault(error):
            report_fault(error, session.record, attempt(), session.path_option)
        raise


def is_fault(error: Exception) -> bool:
    """Whether an exception is a fault of rules or engine, not of whoever plays."""
    from kernel import CardError, EngineError

    return isinstance(error, CardError | EngineError) or not isinstance(error, GameError | OSError)


def report_fault(error: Exception, record: Record, tried: Step | None = None, path_option: str = "") -> None:
    """Write the record of a game that failed to a temporary file, and note on the exception how to see it again."""
    steps = record.steps if tried is None else (*record.steps, tried)
    error.add_note(f"game {record.header.game}, seed {record.header.seed}, book {record.header.digest[:DIGEST_LENGTH]}")
    parts = record.header.parts
    packs = (f"{name} {version} ({parts.get(name, 'no digest')})" for name, version in record.header.packs)
    error.add_note(f"packs: {', '.join(packs)}")
    try:
        handle, name = tempfile.mkstemp(prefix="rulebook-fault-", suffix=".jsonl")
        with open(handle, "w", encoding="utf-8", newline="\n") as file:
            file.writelines(line + "\n" for line in records.lines(Record(record.header, steps)))
    except OSError:
        actions = "; ".join(str(step) for step in steps[-20:])
        error.add_note(f"the last steps: {actions}")
        return
    error.add_note(f"the {len(steps)} steps that led here: {Path(name)}")
    error.add_note(f"see it again with: rulebook replay --verify {name}{path_option}")
