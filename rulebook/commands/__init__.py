"""The commands of `rulebook`, one module each, with a module-level `command`.

The table :data:`COMMANDS` is the one place where a command is registered: the group, its help and the reference page
read it. A module is imported only when its command is called, so that `rulebook --help` costs next to nothing.
"""

from __future__ import annotations

from typing import NamedTuple


class Entry(NamedTuple):
    """One line of the table: the module that holds `command`, and what `rulebook --help` says of it."""

    module: str
    about: str


COMMANDS: dict[str, Entry] = {
    "play": Entry("rulebook.commands.play", "Play a game in the terminal, against bots or hot-seat."),
    "check": Entry("rulebook.commands.check", "Look for faults in packs, with what to type instead."),
    "fmt": Entry("rulebook.commands.fmt", "Lay out the files of games and packs."),
    "new": Entry("rulebook.commands.new", "Make a working game, pack or card to begin with."),
    "explain": Entry("rulebook.commands.explain", "Explain a diagnostic by its code."),
    "test": Entry("rulebook.commands.test", "Run the rulings of packs."),
    "simulate": Entry("rulebook.commands.simulate", "Play many games with bots and count what happens."),
    "replay": Entry("rulebook.commands.replay", "Step through a saved game, or prove that it is exact."),
    "build": Entry("rulebook.commands.build", "Compile a game into one JSON file that the kernel plays."),
    "bench": Entry("rulebook.commands.bench", "Measure how fast games run on this machine."),
    "engine": Entry("rulebook.commands.engine", "Play games for a program in another language (JSON-RPC)."),
    "docs": Entry("rulebook.commands.docs", "Build the card reference."),
}


def epilog(*examples: str) -> str:
    """The end of a command's `--help`: examples, each on its own line as it is typed."""
    lines = "\n".join(f"  {line}" for line in examples)
    return f"\b\nExample{'s' if len(examples) > 1 else ''}:\n{lines}"
