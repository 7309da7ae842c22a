"""What comes of running rulings: an outcome for each ruling, a report for all of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rulebook.diagnostics import Diagnostic, Span
from rulebook.rulings.coverage import Coverage
from rulebook.rulings.model import Ruling, RulingFile


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a ruling does not hold."""

    message: str
    span: Span
    details: tuple[str, ...] = ()
    """What belongs to it: the parts of a condition with their values, or what was legal."""
    position: Mapping[str, Any] = field(default_factory=dict)
    """Where the game stood, as `given` writes it."""
    journal: tuple[str, ...] = ()
    """Everything that was done, also what no step names."""

    def to_data(self) -> dict[str, Any]:
        """As JSON-able data."""
        return {
            "message": self.message,
            "line": self.span.line,
            "column": self.span.column,
            "details": list(self.details),
            "position": _keys_as_text(self.position),
            "journal": list(self.journal),
        }


@dataclass(frozen=True, slots=True)
class Outcome:
    """A ruling that was run: it holds, it fails, or it could not be run for faults in it (`faulty`)."""

    ruling: Ruling
    failure: Failure | None = None
    faulty: bool = False
    journal: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether the ruling holds."""
        return self.failure is None and not self.faulty

    @property
    def status(self) -> str:
        """`passed`, `failed` or `faulty`."""
        return "passed" if self.passed else "failed" if self.failure is not None else "faulty"

    def to_data(self) -> dict[str, Any]:
        """As JSON-able data."""
        ruling = self.ruling
        found: dict[str, Any] = {
            "title": ruling.title,
            "line": ruling.span.line,
            "source": ruling.source,
            "about": list(ruling.about),
            "status": self.status,
        }
        if self.failure is not None:
            found["failure"] = self.failure.to_data()
        return found


@dataclass(frozen=True, slots=True)
class FileReport:
    """A file of rulings and what came of each that was chosen. `broken`: the file could not be used."""

    file: RulingFile
    outcomes: tuple[Outcome, ...] = ()
    broken: bool = False

    @property
    def passed(self) -> int:
        """How many rulings hold."""
        return sum(outcome.passed for outcome in self.outcomes)

    @property
    def failed(self) -> int:
        """How many do not hold or cannot be run."""
        return len(self.outcomes) - self.passed


@dataclass(frozen=True, slots=True)
class Report:
    """All files of a run. `diagnostics` holds what is wrong with the files themselves, warnings among it."""

    files: tuple[FileReport, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    coverage: Coverage | None = None

    def __iter__(self) -> Iterator[Outcome]:
        """Every outcome, in the order of the files."""
        for file in self.files:
            yield from file.outcomes

    @property
    def passed(self) -> int:
        """How many rulings hold."""
        return sum(file.passed for file in self.files)

    @property
    def failed(self) -> int:
        """How many do not hold or cannot be run."""
        return sum(file.failed for file in self.files)

    @property
    def faults(self) -> tuple[Diagnostic, ...]:
        """The errors among the diagnostics."""
        return tuple(item for item in self.diagnostics if item.severity == "error")

    @property
    def ok(self) -> bool:
        """Whether every ruling holds and every file can be used."""
        return not self.failed and not self.faults

    def to_data(self) -> dict[str, Any]:
        """As JSON-able data."""
        found: dict[str, Any] = {
            "passed": self.passed,
            "failed": self.failed,
            "files": [
                {"file": each.file.name, "rulings": [outcome.to_data() for outcome in each.outcomes]}
                for each in self.files
            ],
            "diagnostics": [item.to_data() for item in self.diagnostics],
        }
        if self.coverage is not None:
            found["coverage"] = self.coverage.to_data()
        return found


def _keys_as_text(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _keys_as_text(each) for key, each in value.items()}
    return [_keys_as_text(each) for each in value] if isinstance(value, list | tuple) else value
