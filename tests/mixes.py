"""The mixes of packs and presets that random play goes through."""

from __future__ import annotations

from functools import cache

import kernel
import rulebook

Mix = tuple[str, str | None]

MAINS = ("base", "party", "evil", "zombie")
EXPANSIONS = (
    "",
    "imploding",
    "streaking",
    "barking",
    "burglar",
    "imploding,streaking",
    "imploding,barking",
    "streaking,barking",
    "imploding,streaking,barking",
    "imploding,streaking,barking,burglar",
)
PRESETS: tuple[Mix, ...] = (
    ("base", "classic"),
    ("base", "classic_2015"),
    ("base,burglar", "burglar"),
    ("base", "online"),
    ("base,barking", "online"),
    ("base,imploding,streaking,barking", "online"),
    ("base,barking", "barking_print"),
    ("base,streaking,barking", "barking_print"),
    ("party", "party"),
    ("evil", "evil"),
    ("two_player", "two_player"),
    ("zombie", "zombie"),
    ("base,zombie,choose", "choose"),
)
TWO_MAINS: tuple[Mix, ...] = (
    ("base,zombie", None),
    ("base,zombie,streaking", None),
    ("base,zombie,burglar", None),
    ("base,zombie,imploding,streaking,barking,burglar", None),
    ("party,zombie", None),
    ("party,zombie,streaking,barking", None),
    ("evil,zombie", None),
    ("base,evil", None),
    ("base,party", None),
)


def mixes() -> list[Mix]:
    """Every mix, in a fixed order."""
    plain: list[Mix] = [(f"{main},{more}".rstrip(","), None) for main in MAINS for more in EXPANSIONS]
    return [*plain, *PRESETS, *TWO_MAINS]


@cache
def load(mix: Mix) -> kernel.Rulebook:
    """The book of a mix."""
    packs, preset = mix
    return rulebook.load("kittens", packs=packs.split(","), preset=preset)


def sizes(book: kernel.Rulebook) -> list[int]:
    """The numbers of players for which a game can be set up."""
    found = []
    for players in range(book.players_min, book.players_max + 1):
        try:
            book.new(players=players, seed=0)
        except kernel.SetupError:
            continue
        found.append(players)
    return found
