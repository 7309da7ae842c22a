"""Games as environments of learning libraries: PettingZoo, Gymnasium, OpenSpiel.

Each library is optional, and imported by its module here: `rulebook.adapters.pettingzoo`, `gymnasium`, `openspiel`.
What they share needs none of them: `matches` plays a game by action ids, `observing` makes tensors out of views.
docs/adapters.md describes ids, tensors and rewards.
"""

from __future__ import annotations

import importlib
from types import ModuleType


class MissingLibrary(ImportError):
    """An optional library is not installed. The message says what to install."""


def need(module: str, extra: str) -> ModuleType:
    """The library, imported now. Raises :class:`MissingLibrary` where it is not there."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        if error.name is not None and error.name.split(".")[0] != module.split(".")[0]:
            raise  # it is there, but something that it needs is not: that is what should be said
        raise MissingLibrary(
            f"this needs `{module}`, which is not installed: pip install 'rulebook-engine[{extra}]'", name=module
        ) from None
