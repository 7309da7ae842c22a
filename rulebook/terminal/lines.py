"""Where a person's lines come from: a terminal, or a file or pipe that holds one action a line."""

from __future__ import annotations

from typing import TextIO

LONGEST = 4096


class EndOfLines(Exception):
    """There is nothing more to read."""


class Lines:
    """Lines of input. `interactive` is a terminal with a person before it; otherwise lines are a script."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.interactive = stream.isatty()
        self.number = 0
        self._ahead: str | None = None

    def any(self) -> bool:
        """Whether there is anything to read at all. A terminal always has something; a script is looked at."""
        if self.interactive or self._ahead is not None:
            return True
        try:
            self._ahead = self._line()
        except EndOfLines:
            return False
        return True

    def read(self) -> str:
        """The next line, without the blanks around it; of a script, the next that is not empty and no comment (`#`).

        Raises :class:`EndOfLines`.
        """
        if self._ahead is not None:
            line, self._ahead = self._ahead, None
            return line
        return self._line()

    def _line(self) -> str:
        while True:
            raw = self.stream.readline(LONGEST + 1)
            if not raw:
                raise EndOfLines
            self.number += 1
            if len(raw) > LONGEST:
                while raw and not raw.endswith("\n"):
                    raw = self.stream.readline(LONGEST)
                return "?" * 40  # no action is that long; it is refused like any other that makes no sense
            line = raw.strip()
            if self.interactive or (line and not line.startswith("#")):
                return line
