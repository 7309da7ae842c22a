"""How a request fails: a number for JSON-RPC, a stable word and a sentence, never a traceback."""

from __future__ import annotations

from typing import Any

from kernel import (
    AmbiguousAction,
    CardError,
    EngineError,
    GameError,
    IllegalAction,
    InvalidAction,
    RestoreError,
    SetupError,
)

PARSE = -32700
REQUEST = -32600
METHOD = -32601
PARAMS = -32602
INTERNAL = -32603
GAME = -32000
ILLEGAL = -32001
INVALID = -32002
AMBIGUOUS = -32003
SETUP = -32004
RESTORE = -32005
CARD = -32006
PACK = -32007
UNKNOWN = -32008
LIMIT = -32009
PATH = -32010
PROTOCOL = -32011

MAX_MESSAGE = 500
MAX_DIAGNOSTICS = 50

_NUMBERS: tuple[tuple[type[GameError], int], ...] = (
    (AmbiguousAction, AMBIGUOUS),  # before InvalidAction, which it is one of
    (InvalidAction, INVALID),
    (IllegalAction, ILLEGAL),
    (SetupError, SETUP),
    (RestoreError, RESTORE),
    (CardError, CARD),
    (EngineError, INTERNAL),
)


class Failure(Exception):
    """A request that was not carried out. `number` is JSON-RPC's, `code` the word that programs should look at."""

    def __init__(self, number: int, code: str, message: str, **more: Any) -> None:
        super().__init__(message)
        self.number = number
        self.code = code
        self.message = message if len(message) <= MAX_MESSAGE else message[: MAX_MESSAGE - 1] + "…"
        self.more = more

    def data(self) -> dict[str, Any]:
        """The `error` of the answer."""
        return {"code": self.number, "message": self.message, "data": {"code": self.code, **self.more}}


def of(error: Exception) -> Failure:
    """The failure that an exception stands for. What nobody foresaw is `internal`, with its type alone."""
    if isinstance(error, Failure):
        return error
    if isinstance(error, CardError):
        place = {"file": error.file, "line": error.line, "card": error.card}
        return Failure(CARD, error.code, error.message, **{key: value for key, value in place.items() if value})
    if isinstance(error, GameError):
        found = getattr(error, "diagnostics", None)
        if found is not None:
            rows = [item.to_data() for item in found]
            return Failure(PACK, error.code, error.message, diagnostics=rows[:MAX_DIAGNOSTICS], found=len(rows))
        number = next((number for kind, number in _NUMBERS if isinstance(error, kind)), GAME)
        return Failure(number, error.code, error.message)
    return Failure(INTERNAL, "internal", f"a fault of rulebook ({type(error).__name__}); please report it")
