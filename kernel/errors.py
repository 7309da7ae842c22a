"""Every error of the kernel.

Each says whose fault it is (caller, author of the rules, engine) and carries a stable code.
"""

from __future__ import annotations


class GameError(Exception):
    """Base of all errors. `code` is a stable word for programs, `message` one sentence for people."""

    default_code = "error"

    def __init__(self, message: str, code: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.code = code if code is not None else self.default_code


class InvalidAction(GameError):
    """The text or object is not an action at all."""

    default_code = "invalid"


class AmbiguousAction(InvalidAction):
    """More than one legal action fits the text."""

    default_code = "ambiguous"


class IllegalAction(GameError):
    """An action, but not now: not this player's question, not legal, stale, or the game is over."""

    default_code = "illegal"


class SetupError(GameError, ValueError):
    """No game can be set up as asked (number of players, position, seed)."""

    default_code = "setup"


class RestoreError(GameError):
    """Saved data that is broken, of another rulebook, or of a newer format."""

    default_code = "restore"


class CardError(GameError):
    """The fault of the rules' author, met at play: names the file, the line and the card."""

    default_code = "card"

    def __init__(self, message: str, file: str = "", line: int = 0, card: str = "", code: str | None = None) -> None:
        place = f"{file}:{line}: " if file else ""
        about = f" (card {card})" if card else ""
        super().__init__(f"{place}{message}{about}", code)
        self.file = file
        self.line = line
        self.card = card


class EngineError(GameError):
    """A fault of the kernel itself; please report it with seed and actions."""

    default_code = "engine"
