"""Compiled games as files: what `rulebook build` wrote, read back with care."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kernel import RestoreError

if TYPE_CHECKING:
    from kernel import Rulebook

MAX_BYTES = 64 << 20
SUFFIX = ".json"


def read_book(path: Path) -> Rulebook:
    """The book in a compiled file. Raises OSError, or `kernel.RestoreError` for what is no compiled game."""
    from kernel import Rulebook

    with path.open("rb") as file:
        raw = file.read(MAX_BYTES + 1)
    if len(raw) > MAX_BYTES:
        raise RestoreError(f"{path.name} is larger than {MAX_BYTES >> 20} MB and no compiled game", "size")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise RestoreError(f"{path.name} is not text, so `rulebook build` did not write it", "format") from None
    return Rulebook.from_json(text)
