"""The books that rulings are about, each loaded once in a run; what is wrong with one is said once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import rulebook
from rulebook.diagnostics import Diagnostic, Diagnostics, PackError
from rulebook.rulings import codes
from rulebook.rulings.expectations import Conditions
from rulebook.rulings.model import BookChoice, Ruling

if TYPE_CHECKING:
    from kernel import Rulebook


@dataclass(slots=True)
class Loaded:
    """A book with everything that is derived from it for its rulings."""

    book: Rulebook
    conditions: Conditions
    first_words: frozenset[str]
    """The words that actions of this game begin with."""


class Books:
    """The books of a run."""

    def __init__(self) -> None:
        self._loaded: dict[Any, Loaded | tuple[Diagnostic, ...]] = {}

    def find(self, ruling: Ruling, diagnostics: Diagnostics) -> Loaded | None:
        """The book of a ruling; None where it cannot be loaded, with the reasons in the diagnostics."""
        found = self.load(ruling.book)
        if isinstance(found, Loaded):
            return found
        key = next((key for key in ("packs", "preset", "options", "game") if key in ruling.parts), "title")
        reason = next((item.message for item in found if item.severity == "error"), "it has faults")
        diagnostics.error(codes.BOOK, f"the game of this ruling cannot be loaded: {reason}", ruling.part(key))
        diagnostics.extend(item for item in found if item.span is not None)
        return None

    def load(self, choice: BookChoice) -> Loaded | tuple[Diagnostic, ...]:
        """A book, or why there is none."""
        found = self._loaded.get(choice.key)
        if found is None:
            try:
                book = rulebook.load(
                    choice.game, packs=choice.packs, preset=choice.preset, options=choice.options, path=choice.path
                )
                found = Loaded(book, Conditions(book), _first_words(book))
            except PackError as error:
                found = error.diagnostics
            self._loaded[choice.key] = found
        return found

    def all(self) -> list[Rulebook]:
        """Every book that was loaded."""
        return [found.book for found in self._loaded.values() if isinstance(found, Loaded)]


def _first_words(book: Rulebook) -> frozenset[str]:
    moves = {str(move.get("text") or move["name"]).split()[0] for move in book.data["moves"]}
    return frozenset({"play", "choose", "pass"} | moves)
