"""Running the command line in tests: within this process, or as a person would, in a terminal of its own."""

from __future__ import annotations

import contextlib
import io
import json
import os
import pty
import select
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from rulebook.cli import main
from tests.rulebook.snip import snip

ROOT = Path(__file__).resolve().parents[2]
CLEAR = "\x1b[H\x1b[2J\x1b[3J"


@dataclass(frozen=True)
class Run:
    code: int
    out: str
    err: str


def run(monkeypatch: pytest.MonkeyPatch, *args: str, lines: str = "") -> Run:
    """A run in this process. `lines` is what stands on the standard input."""
    out, err = io.StringIO(), io.StringIO()
    monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(args)
    return Run(code, out.getvalue(), err.getvalue())


def compiled(folder: Path, name: str = "snip", **more: Any) -> str:
    """The test game as a compiled file."""
    file = folder / f"{name}.json"
    file.write_text(json.dumps(snip(**more)), encoding="utf-8")
    return str(file)


class Terminal:
    """`rulebook …` in a pseudo-terminal: what a person sees, and what they type."""

    def __init__(self, *args: str, **environment: str) -> None:
        kept = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        env = {**kept, "TERM": "xterm", "COLUMNS": "100", "LINES": "40", **environment}
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(ROOT)
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # ignored where the tests run in the background of a shell
            os.execve(sys.executable, [sys.executable, "-m", "rulebook", *args], env)
        self.seen = ""

    def until(self, *texts: str, seconds: float = 30) -> str:
        """Everything that is printed up to the first of these texts, from where the last call stopped."""
        end = time.monotonic() + seconds
        while not any(text in self.seen for text in texts):
            left = end - time.monotonic()
            data = b""
            if left > 0 and select.select([self.fd], [], [], left)[0]:
                with contextlib.suppress(OSError):  # the other end is closed
                    data = os.read(self.fd, 65536)
            if not data:
                raise AssertionError(f"{texts} did not come; there was:\n{self.seen}")
            self.seen += data.decode("utf-8", "replace")
        place = min(self.seen.index(text) + len(text) for text in texts if text in self.seen)
        found, self.seen = self.seen[:place], self.seen[place:]
        return found

    def type(self, line: str) -> None:
        os.write(self.fd, f"{line}\n".encode())

    def interrupt(self) -> None:
        """Ctrl-C, once the prompt that was seen is really being read."""
        time.sleep(0.3)
        os.kill(self.pid, signal.SIGINT)

    def end(self, seconds: float = 30) -> tuple[int, str]:
        """The exit code, and what was printed last."""
        end = time.monotonic() + seconds
        while select.select([self.fd], [], [], max(0.0, end - time.monotonic()))[0]:
            try:
                data = os.read(self.fd, 65536)
            except OSError:  # the other end is closed
                data = b""
            if not data:
                break
            self.seen += data.decode("utf-8", "replace")
        else:
            os.kill(self.pid, signal.SIGKILL)
        _, status = os.waitpid(self.pid, 0)
        os.close(self.fd)
        return os.waitstatus_to_exitcode(status), self.seen


def on_screen(text: str) -> str:
    """What is left on the screen and above it after these characters: everything since the last clearing."""
    return text.rpartition(CLEAR)[2]
