"""How a player is asked for a move as Python source: `kernel.acts.offer`, for the menu of a book.

What the function does not find on the pages of the menu, or cannot be looked up there, goes the plain way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kernel.machine import OPERATIONS
from kernel.turn import NO_KINDS
from kernel.writer import Line, Writer

if TYPE_CHECKING:
    from kernel.counts import Counts
    from kernel.menu import Menu

PARAMS = "s, _you"
PLAINLY = "return plainly(s, _you)"


def offered(w: Writer, menu: Menu, only: Counts) -> None:
    """Writes the body of the function; its parameters are `PARAMS`. `only`: how cards are counted there."""

    def plain_if(test: str) -> None:
        w.put(f"if {test}:", [Line(PLAINLY, 0)])

    if w.book.hides:
        plain_if(f"s.live & {w.bind(w.book.hiding)} and hiding(s, _you)")
    w.put(f"zone = _zones[_base[{only.definition}] + _you]")
    plain_if("s.odd and not s.odd.isdisjoint(zone) and unlike(s, zone)")
    w.put(f"count = sum(map(s.deal.weighing[0], zone)) + {w.bind(only.added)}")
    kept = w.bind(only.kept)
    if only.kept.hubs:
        w.put(f"bits = {w.bind(only.kept.masks)}.get(count & {w.bind(only.kept.hubs)})")
        w.put(f"at = count & bits if bits is not None else {kept}.of(count)")
    else:
        w.put(f"at = count & {w.bind(only.kept.kept)}")
    w.put(f"page = {w.bind(menu)}.pages.get(at)")
    none = w.bind(NO_KINDS)
    w.put("if page is None:", [Line(f"page = turned_to(s, _you, {w.bind(menu)}, at, [count], {none})", 0)])
    plain_if("page.apart")
    w.put("found = page.finder.woven")
    plain_if("found is None")
    w.put("value = found(s, _you)")
    w.put("legal = page.sets.get(value)")
    w.put("if legal is None:", [Line("legal = filled(s, _you, page, value)", 0)])
    w.put(
        "if legal.total > 1:",
        [
            Line("s.ask = 1", 0),
            Line("s.ask_mask = 1 << _you", 0),
            Line("s.ask_since = s.version", 0),
            Line("s.offered = legal", 0),
        ],
    )
    w.put(
        f"elif legal.total and s.settled and s.decisions < {w.book.decision_limit}:",
        [
            Line("group = legal.groups[0]", 0),
            Line("launch = group.act.launch or take", 0),
            Line("s.ask_since = s.version", 0),
            Line(f"s.budget = {OPERATIONS}", 0),
            Line("s.decisions += 1", 0),
            Line("launch(s, _you, group, 0)", 0),
        ],
    )
    w.put("else:", [Line("ask(s, _you, legal)", 0)])
