"""What an engine can be asked for: one method each. Parameters are what `schemas/engine.json` lets through."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from rulebook.engine import PROTOCOL
from rulebook.engine import failures as no
from rulebook.engine.failures import Failure
from rulebook.engine.rpc import MAX_LINE, Method, Quit
from rulebook.engine.schema import check_params
from rulebook.engine.sessions import MAX_BOOKS, MAX_SESSIONS, Session, Shelf

if TYPE_CHECKING:
    from kernel import Rulebook, State

Params = dict[str, Any]
Result = dict[str, Any]

PAGE = 1000
"""The most actions or news in one answer."""
LARGEST = (1 << 53) - 1
"""The largest whole number that every JSON reader keeps exact."""


class Engine:
    """One engine: its books, its games, and the folders that `load` may be pointed at."""

    def __init__(
        self,
        allowed: Iterable[str] = (),
        max_sessions: int = MAX_SESSIONS,
        max_books: int = MAX_BOOKS,
        max_line: int = MAX_LINE,
    ) -> None:
        self.shelf = Shelf(max_sessions, max_books)
        self.allowed = tuple(os.path.realpath(folder) for folder in allowed)
        self.max_line = max_line

    def methods(self) -> dict[str, Method]:
        """Every method by its name; each checks its parameters first."""
        return {name: _checked(name, getattr(self, name)) for name in NAMES}

    # -- the engine and its books --------------------------------------------------------------------------------------

    def hello(self, params: Params) -> Result:
        """Who is there, and which protocol is spoken."""
        wanted = params.get("protocol", PROTOCOL)
        if wanted != PROTOCOL:
            raise Failure(no.PROTOCOL, "protocol", f"this engine speaks protocol {PROTOCOL}", supported=[PROTOCOL])
        from rulebook import __version__

        limits = {
            "line": self.max_line,
            "sessions": self.shelf.max_sessions,
            "books": self.shelf.max_books,
            "page": PAGE,
        }
        return {
            "protocol": PROTOCOL,
            "engine": "rulebook",
            "version": __version__,
            "methods": list(NAMES),
            "paths": bool(self.allowed),
            "limits": limits,
        }

    def games(self, _params: Params) -> Result:
        """The games that `load` knows by name."""
        from rulebook.library import games_below, shipped

        root = shipped()
        return {"games": sorted(games_below(root)) if root is not None else []}

    def load(self, params: Params) -> Result:
        """Open a book."""
        import rulebook

        path = params.get("path")
        book = rulebook.load(
            params.get("game", "kittens"),
            packs=params.get("packs"),
            preset=params.get("preset"),
            options=params.get("options"),
            path=None if path is None else self.permitted(path),
        )
        return {"book": self.shelf.keep_book(book), **about_book(book)}

    def permitted(self, path: str) -> str:
        """The real path, if it lies where the person who started the engine allowed. Raises :class:`Failure`."""
        if "\0" not in path:
            real = os.path.realpath(path)
            if any(real == folder or real.startswith(os.path.join(folder, "")) for folder in self.allowed):
                return real
        raise Failure(no.PATH, "path", "this path is not allowed here; start the engine with `--allow DIR` to allow it")

    def kinds(self, params: Params) -> Result:
        """What stands on the cards and marks of a book."""
        book = self.shelf.book(params["book"])
        rows = [
            {
                "id": kind.id,
                "title": kind.title,
                "text": kind.text,
                "pack": kind.pack,
                "tags": sorted(kind.tags),
                "fields": kind.fields,
                "mark": kind.mark,
            }
            for kind in book.kinds
        ]
        return {"kinds": rows}

    # -- games ---------------------------------------------------------------------------------------------------------

    def new(self, params: Params) -> Result:
        """Begin a game."""
        book = self.shelf.book(params["book"])
        begun = (params["players"], params["seed"], params.get("ask", "all"))
        self.shelf.room()
        return opened(self.shelf.open(book, book.new(*begun), begun))

    def position(self, params: Params) -> Result:
        """Begin at a position."""
        book = self.shelf.book(params["book"])
        self.shelf.room()
        given = params.get("given", {})
        state = book.position(params["players"], given, params.get("seed", 0), params.get("ask", "all"))
        return opened(self.shelf.open(book, state))

    def restore(self, params: Params) -> Result:
        """Go on with a saved game."""
        book = self.shelf.book(params["book"])
        self.shelf.room()
        try:
            data = json.loads(params["save"])
        except (ValueError, RecursionError):
            raise Failure(no.RESTORE, "restore", "`save` is not what `save` gave: it is no JSON") from None
        return opened(self.shelf.open(book, book.restore(data)))

    def copy(self, params: Params) -> Result:
        """Another session with the same game, to try things out."""
        session = self.shelf.session(params["session"])
        self.shelf.room()
        return opened(self.shelf.open(session.book, session.state.copy(), session.begun))

    def guess(self, params: Params) -> Result:
        """A new session with a game that the player cannot tell from the real one."""
        session = self.shelf.session(params["session"])
        player = seat(session, params["player"])
        self.shelf.room()
        return opened(self.shelf.open(session.book, session.state.determinize(player, params["seed"])))

    def status(self, params: Params) -> Result:
        """Who is asked, and whether the game is over."""
        return status(self.shelf.session(params["session"]).state)

    def legal(self, params: Params) -> Result:
        """What a player may do: one page of it."""
        session = self.shelf.session(params["session"])
        legal = session.state.legal(seat(session, params["player"]))
        total = legal.total
        start = min(params.get("from", 0), total)
        end = min(start + params.get("limit", PAGE), total)
        return {
            "version": session.state.version,
            "total": min(total, LARGEST),
            "actions": [legal[i].text for i in range(start, end)],
        }

    def words(self, params: Params) -> Result:
        """The words that actions are spelt with."""
        return {"words": list(self.shelf.table(self.shelf.book(params["book"])).names)}

    def spell(self, params: Params) -> Result:
        """Which ids may come next, or which action it is."""
        from kernel import Spelling

        session = self.shelf.session(params["session"])
        player = seat(session, params["player"])
        spelling = Spelling(self.shelf.table(session.book), session.state, player)
        for id in params.get("given", ()):
            spelling.take(id)
        action = spelling.action
        return {
            "version": session.state.version,
            "ids": spelling.ids,
            "action": None if action is None else action.text,
        }

    def apply(self, params: Params) -> Result:
        """A player does something."""
        session = self.shelf.session(params["session"])
        session.state.apply(seat(session, params["player"]), params["action"], at=params.get("at"))
        return status(session.state)

    def timeout(self, params: Params) -> Result:
        """The host's clock has run out: the player asked, or all of them, take the documented default."""
        session = self.shelf.session(params["session"])
        player = params.get("player")
        session.state.close(None if player is None else seat(session, player))
        return status(session.state)

    def leave(self, params: Params) -> Result:
        """A player is gone for good."""
        session = self.shelf.session(params["session"])
        session.state.leave(seat(session, params["player"]))
        return status(session.state)

    def view(self, params: Params) -> Result:
        """What a player, or a spectator (null), sees."""
        session = self.shelf.session(params["session"])
        return {"view": session.state.view(seat_or_none(session, params["player"]))}

    def news(self, params: Params) -> Result:
        """What a player, or a spectator (null), has been told since."""
        session = self.shelf.session(params["session"])
        rows = session.state.news(seat_or_none(session, params["player"]), params.get("since", 0))
        limit = params.get("limit", PAGE)
        return {"version": session.state.version, "news": rows[:limit], "more": len(rows) > limit}

    def save(self, params: Params) -> Result:
        """Everything, as one text that `restore` takes. It holds every secret of the game."""
        session = self.shelf.session(params["session"])
        return {"book": session.book.digest, "save": json.dumps(session.state.dump(), separators=(",", ":"))}

    def record(self, params: Params) -> Result:
        """The game as a record that `rulebook replay` reads. It holds every secret of the game."""
        from rulebook import records

        session = self.shelf.session(params["session"])
        if session.begun is None:
            raise Failure(no.UNKNOWN, "record", "only a game that was begun with `new` has a record")
        steps: list[records.Step] = []
        for step in session.state.history():
            if "a" in step:
                steps.append(records.Act(step["p"], step["a"]))
            elif "close" in step:
                steps.append(records.Close(step["close"]))
            else:
                steps.append(records.Leave(step["leave"]))
        if steps:  # the last one proves all before it
            last = steps[-1]
            last = type(last)(**{**_fields(last), "digest": session.state.digest[: records.DIGEST_LENGTH]})
            steps[-1] = last
        header = records.Header.of(session.book, *session.begun)
        return {"lines": list(records.lines(records.Record(header, tuple(steps))))}

    # -- the end -------------------------------------------------------------------------------------------------------

    def forget(self, params: Params) -> Result:
        """Let go of a session, or of a book with its sessions."""
        return {"forgot": self.shelf.forget(params["name"])}

    def quit(self, _params: Params) -> Result:
        """End the engine."""
        raise Quit({})


NAMES = (
    "hello", "games", "load", "kinds", "words", "new", "position", "restore", "copy", "guess", "status", "legal",
    "spell", "apply", "timeout", "leave", "view", "news", "save", "record", "forget", "quit",
)  # fmt: skip
"""Every method, in the order of docs/engine.md."""


def _checked(name: str, method: Method) -> Method:
    def call(params: Params) -> Result:
        check_params(name, params)
        return method(params)

    return call


def _fields(step: Any) -> dict[str, Any]:
    return {name: getattr(step, name) for name in step.__slots__}


def about_book(book: Rulebook) -> Result:
    """What a client should know of a book before a game."""
    return {
        "game": book.game,
        "title": book.title,
        "version": book.version,
        "packs": [list(pack) for pack in book.packs],
        "preset": book.preset,
        "options": {name: list(value) if isinstance(value, tuple) else value for name, value in book.options.items()},
        "players": {"min": book.players_min, "max": book.players_max},
    }


def status(state: State) -> Result:
    """Where a game stands, for its host."""
    waiting = state.waiting
    return {
        "version": state.version,
        "waiting": list(waiting.players),
        "asked": waiting.kind if waiting.players else "",
        "over": state.over,
        "winners": list(state.winners),
    }


def opened(session: Session) -> Result:
    """The answer where a session begins."""
    return {
        "session": session.name,
        "book": session.book.digest,
        "players": session.state.players,
        **status(session.state),
    }


def seat(session: Session, player: int) -> int:
    """The player, if there is one of that number. Raises :class:`Failure`."""
    if not 0 <= player < session.state.players:
        raise Failure(
            no.INVALID, "player", f"there is no player {player}; players are 0 to {session.state.players - 1}"
        )
    return player


def seat_or_none(session: Session, player: int | None) -> int | None:
    """A player, or None for a spectator."""
    return None if player is None else seat(session, player)
