"""The registry of diagnostic codes: one entry a code, from which `rulebook explain`, the site and the tests are made.

`RB1xx` reading a file · `RB2xx` its shape · `RB3xx` packs · `RB4xx` the language · `RB5xx` rulings · `RB6xx` the
command line. Each part keeps a list `CODES` in a module of its own, named in :data:`MODULES`; :func:`registry` joins
them.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

MODULES = (
    "rulebook.codes_reading",
    "rulebook.codes_shape",
    "rulebook.codes_packs",
    "rulebook.lang.codes",
    "rulebook.rulings.codes",
    "rulebook.commands.codes",
)
"""Where the parts keep their lists; a part that is not installed has no codes."""


@dataclass(frozen=True, slots=True)
class Code:
    """What stands behind a code. `wrong` and `right` are small complete examples: whole card files unless `where`
    says otherwise (`card`, `mark`, `game`, `pack`, `rulings`, `do` for a program, `expression`, `command` for a
    command line, `files` for several files, each under a line `# path`)."""

    code: str
    title: str
    meaning: str
    wrong: str = ""
    right: str = ""
    where: str = "card"
    severity: str = "error"

    @property
    def group(self) -> str:
        """The part of the tool it comes from, in words."""
        return GROUPS.get(self.code[:3], "")


GROUPS = {
    "RB1": "Reading a file",
    "RB2": "The shape of a file",
    "RB3": "Packs",
    "RB4": "The language",
    "RB5": "Rulings",
    "RB6": "The command line",
}


def join(lists: Iterable[Iterable[Code]]) -> dict[str, Code]:
    """Several lists as one registry in the order of the codes; a code that stands twice is our own fault."""
    found: dict[str, Code] = {}
    for codes in lists:
        for code in codes:
            if code.code in found:
                raise ValueError(f"{code.code} is registered twice")
            found[code.code] = code
    return dict(sorted(found.items()))


@cache
def registry() -> dict[str, Code]:
    """All codes there are, by code."""
    lists: list[Iterable[Code]] = []
    for name in MODULES:
        try:
            module = importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name is None or not name.startswith(error.name):
                raise
            continue
        lists.append(module.CODES)
    return join(lists)
