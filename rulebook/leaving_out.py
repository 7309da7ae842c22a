"""Playing with what works of a game whose cards are not all sound: faulty cards are left out, and told.

A card left out is as one of a pack that is not in play: its id is known, it is in no deck, and no other card takes
it for a mistake. What is wrong elsewhere, in the game file, a manifest or a deck, is refused as ever.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulebook.cache import Request
from rulebook.diagnostics import Diagnostic, Diagnostics
from rulebook.library import open_library
from rulebook.loading import compile_source, with_texts
from rulebook.packs import GameSource
from rulebook.resolve import gather, open_shelf


def compile_without_broken(request: Request) -> tuple[dict[str, Any], list[Diagnostic]]:
    """The compiled form without the cards that have faults, and their faults in the order of files and places. Raises
    :class:`rulebook.PackError` for faults that no card has."""
    told = Diagnostics()
    left_out: set[str] = set()
    while True:
        found = Diagnostics()
        library = open_library(request.path, found)
        shelf = open_shelf(library, request.game, found) if not found.errors else None
        source = None
        if shelf is not None:
            source = gather(shelf, found, request.packs, request.preset, request.options)
        if source is None:
            found.check()
        assert source is not None, "there is nothing to compile, and nobody said why"
        files = _files(source)
        data = compile_source(_without(source, left_out), compiled := Diagnostics())
        faults = [item for item in (*found.errors, *compiled.errors) if _card(item, files) not in left_out]
        cards = {_card(item, files) for item in faults}
        if "" in cards:
            others = Diagnostics()
            others.extend(faults)
            others.check()
        if not faults:
            assert data is not None, "nothing was compiled, and nobody said why"
            data = with_texts(data, source)
            return {**data, **({"left_out": sorted(left_out)} if left_out else {})}, told.sorted()
        told.extend(faults)
        left_out |= cards


def _files(source: GameSource) -> dict[str, str]:
    """The files of cards that can be left out, with their cards; what a deck file makes stands or falls with it."""
    return {card.file: card.id for pack in source.packs for card in pack.cards.values() if not card.deck}


def _card(item: Diagnostic, files: dict[str, str]) -> str:
    """The card whose file has this fault; "" if it is no card's."""
    return files.get(item.span.file, "") if item.span is not None else ""


def _without(source: GameSource, left_out: set[str]) -> GameSource:
    packs = tuple(
        replace(pack, cards={id: card for id, card in pack.cards.items() if id not in left_out})
        for pack in source.packs
    )
    return replace(source, packs=packs, left_out=frozenset(left_out))
