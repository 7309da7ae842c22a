"""Books and games that an engine holds, by the names that the client knows them by. How many is bounded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulebook.engine.failures import LIMIT, UNKNOWN, Failure

if TYPE_CHECKING:
    from kernel import ActionTable, Rulebook, State

MAX_BOOKS = 16
MAX_SESSIONS = 64


@dataclass(slots=True)
class Session:
    """One game. `begun` is what it was begun with (players, seed, policy) where it has its whole history."""

    name: str
    book: Rulebook
    state: State
    begun: tuple[int, int, str] | None = None


class Shelf:
    """Everything that is open."""

    def __init__(self, max_sessions: int = MAX_SESSIONS, max_books: int = MAX_BOOKS) -> None:
        self.max_sessions = max_sessions
        self.max_books = max_books
        self.books: dict[str, Rulebook] = {}
        self.sessions: dict[str, Session] = {}
        self._tables: dict[str, ActionTable] = {}
        self._count = 0

    def keep_book(self, book: Rulebook) -> str:
        """The name of a book: its digest, so that the same rules are one book."""
        if book.digest not in self.books and len(self.books) >= self.max_books:
            raise Failure(LIMIT, "books", f"{self.max_books} books are open; `forget` one first")
        self.books[book.digest] = book
        return book.digest

    def book(self, name: str) -> Rulebook:
        """The book of that name. Raises :class:`Failure`."""
        found = self.books.get(name)
        if found is None:
            raise Failure(UNKNOWN, "book", f"no book `{name[:64]}` is open; `load` gives the name")
        return found

    def table(self, book: Rulebook) -> ActionTable:
        """The numbered words of a book, made once."""
        from kernel import ActionTable

        found = self._tables.get(book.digest)
        if found is None:
            found = ActionTable(book)
            self._tables[book.digest] = found
        return found

    def room(self) -> None:
        """Raise :class:`Failure` where no further game can be opened."""
        if len(self.sessions) >= self.max_sessions:
            raise Failure(LIMIT, "sessions", f"{self.max_sessions} sessions are open; `forget` one first")

    def open(self, book: Rulebook, state: State, begun: tuple[int, int, str] | None = None) -> Session:
        """A new session. Names are never used again. Raises :class:`Failure` where there are too many."""
        self.room()
        self._count += 1
        session = Session(f"s{self._count}", book, state, begun)
        self.sessions[session.name] = session
        return session

    def session(self, name: str) -> Session:
        """The session of that name. Raises :class:`Failure`."""
        found = self.sessions.get(name)
        if found is None:
            raise Failure(UNKNOWN, "session", f"no session `{name[:64]}` is open; `new` and `restore` give the name")
        return found

    def forget(self, name: str) -> str:
        """Let go of a session, or of a book and its sessions. Which it was. Raises :class:`Failure`."""
        if self.sessions.pop(name, None) is not None:
            return "session"
        if self.books.pop(name, None) is not None:
            self._tables.pop(name, None)
            self.sessions = {key: s for key, s in self.sessions.items() if s.book.digest != name}
            return "book"
        raise Failure(UNKNOWN, "forget", f"neither a session nor a book `{name[:64]}` is open")
