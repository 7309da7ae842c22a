"""Where output goes: rich consoles that colour a terminal and leave a pipe, a dumb terminal or `NO_COLOR` in peace."""

from __future__ import annotations

import sys
from typing import Any, TextIO

from rich.console import Console

from rulebook.cli import use_color

PLAIN_WIDTH = 100


def console(stream: TextIO | None = None, color: bool | None = None) -> Console:
    """A console on a stream (the standard output). `color`: False for none, None where it may have them."""
    target: Any = sys.stdout if stream is None else stream
    terminal = bool(getattr(target, "isatty", lambda: False)())
    colored = use_color(target) and color is not False
    # Markup and emoji codes stay off: texts of packs are shown as they stand.
    return Console(
        file=target,
        force_terminal=terminal,  # without colours a terminal is one all the same: it can be cleared
        color_system="auto" if colored else None,
        no_color=not colored,
        markup=False,
        emoji=False,
        highlight=False,
        width=None if terminal else PLAIN_WIDTH,
        legacy_windows=False,
    )
