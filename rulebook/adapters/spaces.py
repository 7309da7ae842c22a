"""Spaces of Gymnasium for a book: ids as `Discrete`, observations as a `Dict` of numbers and a mask."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from gymnasium import spaces

from kernel import ActionTable
from rulebook.adapters.observing import LIMIT, Observer

SEEDS = 1 << 53
"""Games are begun with seeds below this."""


class Spaces:
    """What an agent may give and gets; `extra` ids stand behind those of the table."""

    def __init__(self, table: ActionTable, observer: Observer, extra: int = 0) -> None:
        self.ids = len(table) + extra
        self.size = observer.size

    def action(self) -> spaces.Discrete:
        """A space of ids, with chance of its own."""
        return spaces.Discrete(self.ids)

    def observation(self) -> spaces.Dict:
        """A space of observations, with chance of its own."""
        return spaces.Dict(
            {
                "observation": spaces.Box(-LIMIT, LIMIT, (self.size,), np.float32),
                "action_mask": spaces.Box(0, 1, (self.ids,), np.int8),
            }
        )

    def mask(self, legal: Iterable[int]) -> Any:
        """1 for each legal id, 0 for the others, int8."""
        found: Any = np.zeros(self.ids, np.int8)
        found[list(legal)] = 1
        return found

    def pack(self, observation: list[float], legal: Iterable[int]) -> dict[str, Any]:
        """What an agent gets."""
        return {"observation": np.array(observation, np.float32), "action_mask": self.mask(legal)}
