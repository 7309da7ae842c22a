"""A recorded game, looked at again: forwards, backwards, at any step, through any player's eyes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from rulebook.diagnostics import visible
from rulebook.sessions import repeat_all
from rulebook.terminal import screen
from rulebook.terminal.glass import Glass, viewer_named
from rulebook.terminal.names import Names

if TYPE_CHECKING:
    from rich.console import Console

    from kernel import State
    from rulebook.records import Record
    from rulebook.sessions import Session

KEYS = "Enter: on · b: back · a number: that step · as WHO: other eyes · q: end"


class Playback:
    """A session at its beginning, with the steps that are to come. All states on the way are kept, to go back to."""

    def __init__(self, session: Session, record: Record, viewer: int | None, out: Console) -> None:
        places = record.header.places
        called = [place.name for place in places] or [f"Player {player}" for player in range(record.header.players)]
        self.session = session
        self.record = record
        self.viewer = viewer
        self.out = out
        self.names = Names(session.book, called)
        self.states: list[State] = [session.state.copy()]

    def state(self, step: int) -> State:
        """The state after so many steps. Raises :class:`rulebook.sessions.Divergence` if the record leads elsewhere."""
        while len(self.states) <= step:
            repeat_all(self.session, [self.record.steps[len(self.states) - 1]])
            self.states.append(self.session.state.copy())
        return self.states[step]

    def list(self) -> None:
        """All steps and what each of them led to."""
        self._header()
        glass = Glass(self.names, self.viewer)
        glass.skip(self.state(0))
        for number, step in enumerate(self.record.steps, start=1):
            state = self.state(number)
            self.out.print(Text(f"{number:>4}  {visible(str(step))}", style="dim"))
            for line in glass.lines(state):
                self.out.print(screen.log_line(line))
        self.out.print(screen.status(glass.view(self.state(len(self.record.steps))), glass.names))

    def show(self, step: int) -> None:
        """The table after so many steps, and what the last of them led to."""
        state = self.state(step)
        glass = Glass(self.names, self.viewer)
        if step:
            glass.skip(self.state(step - 1))
            self.out.print(
                Text(
                    f"step {step} of {len(self.record.steps)}: {visible(str(self.record.steps[step - 1]))}",
                    style="bold",
                )
            )
        else:
            glass.skip(state)
            self.out.print(Text(f"the beginning, {len(self.record.steps)} steps to come", style="bold"))
        for line in glass.lines(state):
            self.out.print(screen.log_line(line))
        self.out.print(screen.status(glass.view(state), glass.names))

    def browse(self) -> None:
        """Let a person go forwards and backwards."""
        self._header()
        step = 0
        self.show(step)
        while True:
            self.out.print(Text(f"{KEYS} > ", style="dim"), end="")
            try:
                line = input().strip().casefold()
            except EOFError:
                return
            if line in ("q", "quit"):
                return
            if line in ("b", "back"):
                step = max(0, step - 1)
            elif line.startswith("as "):
                try:
                    self.viewer = viewer_named(line[3:].strip(), self.record.header.players)
                except ValueError as error:
                    self.out.print(Text(f"as {error}", style="yellow"))
                    continue
            elif line.isdecimal() and len(line) < 9:
                step = min(int(line), len(self.record.steps))
            elif line:
                continue
            elif step == len(self.record.steps):
                return
            else:
                step += 1
            self.show(step)

    def _header(self) -> None:
        header = self.record.header
        packs = ", ".join(f"{name} {version}" for name, version in header.packs)
        self.out.print(Text(f"{visible(self.session.book.title)} ({visible(packs)})", style="bold"), end="")
        self.out.print(Text(f"   {header.players} players, seed {header.seed}", style="dim"))
