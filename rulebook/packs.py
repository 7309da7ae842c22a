"""Finding games and packs, and loading those that are wanted: everything between a name and the sources of a compiler run."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from rulebook.yamlread import Map

Value = int | bool | str
"""The value of an option or a fact."""


@dataclass(frozen=True, slots=True)
class CardSource:
    """One card or mark: its id, its file as spans name it, and what stands in it (its shape is already checked)."""

    id: str
    file: str
    node: Map
    is_mark: bool


@dataclass(frozen=True, slots=True)
class PackSource:
    """One pack: its manifest `pack.yaml` and its cards by id, sorted. `in_play` is false for a pack that is only `used`:
    its cards are defined, its deck, options and facts are not taken."""

    id: str
    path: Path
    manifest: Map
    cards: dict[str, CardSource]
    in_play: bool = True

    @property
    def version(self) -> str:
        """The version that the manifest declares."""
        node = self.manifest.entries.get("version")
        return str(getattr(node, "text", ""))


@dataclass(frozen=True, slots=True)
class GameSource:
    """What the compiler turns into a book: a game, its packs in dependency order (needed and used ones first), and everything
    settled before: the value of every option and every fact, and the preset's name."""

    id: str
    root: Path
    file: str
    game: Map
    packs: tuple[PackSource, ...]
    options: dict[str, Value] = field(default_factory=dict)
    preset: str | None = None
    facts: dict[str, Value] = field(default_factory=dict)
