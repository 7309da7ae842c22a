"""What does not depend on the card is worked out once, not for each card that a move might take.

`where: it.suit == first(trick).suit` looks at every card of a hand; the suit that was led is the same for all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kernel.analysis import printed_only
from rulebook.lang.ir import IR, MEMBERS

WORTH = 4
"""An expression of fewer nodes is as quickly worked out again as remembered."""


def hoist(move: dict[str, Any]) -> None:
    """Let the conditions on the cards of a compiled move remember what is the same for all cards."""
    cards = move.get("cards")
    if not cards:
        return
    hoister = _Hoister(move["slots"])
    for key in ("where", "alike", "unlike"):
        if cards[key] and not printed_only(cards[key][1], cards[key][0]):
            cards[key][1] = hoister.visit(cards[key][1])
    move["slots"] = hoister.slots


class _Hoister:
    def __init__(self, slots: int) -> None:
        self.slots = slots
        self.kept: dict[str, int] = {}

    def visit(self, ir: IR) -> IR:
        """The expression with all that is the same for every card remembered, from the outside in."""
        if ir[0] == "k":
            return ir
        inner: IR = [self._part(part) for part in ir]
        if _free(ir) or _nodes(ir) < WORTH:
            return inner
        text = repr(ir)
        if text not in self.kept:
            self.kept[text] = self.slots
            self.slots += 1
        return ["once", self.kept[text], inner]

    def _part(self, part: Any) -> Any:
        if not isinstance(part, list) or not part:
            return part
        return self.visit(part) if isinstance(part[0], str) else [self._part(item) for item in part]


def _free(ir: Any) -> set[int]:
    """The slots that an expression reads and does not fill itself."""
    if not isinstance(ir, list) or not ir or ir[0] == "k":
        return set()
    if ir[0] == "v":
        return {ir[1]}
    found = set().union(*(_free(part) for part in ir if isinstance(part, list)))
    return found - {ir[2]} if ir[0] in MEMBERS and not _reads(ir[1], ir[2]) else found


def _reads(ir: Any, slot: int) -> bool:
    return slot in _free(ir)


def _nodes(ir: Any) -> int:
    return sum(1 for _ in _walk(ir))


def _walk(ir: Any) -> Iterator[IR]:
    if isinstance(ir, list) and ir and ir[0] != "k":
        if isinstance(ir[0], str):
            yield ir
        for part in ir:
            yield from _walk(part)
