"""The verbs of the kernel with their labels.

One table, from which the checker, messages and reference pages are made.
"""

from __future__ import annotations

from dataclasses import dataclass

from rulebook.lang.types import ACT, CARD, CARDS, FLAG, NUMBER, PLACE, PLAYER, PLAYERS, WORD, ZONE, Type

BEARER = Type("bearer")
"""A card or a player: what a mark lies on."""
MARK = Type("mark")
"""The id of a mark."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A value of a verb; `label` "" is the one without a label."""

    label: str
    type: Type
    required: bool = True


@dataclass(frozen=True, slots=True)
class KernelVerb:
    """A verb of the kernel: `shape` is how it is written."""

    name: str
    shape: str
    slots: tuple[Slot, ...]
    meaning: str
    setup_only: bool = False

    @property
    def labels(self) -> list[str]:
        """Its labels."""
        return [slot.label for slot in self.slots if slot.label]


_SECRET = Slot("secret", FLAG, False)
_SEEN_BY = Slot("seen_by", PLAYERS, False)

_LIST = [
    KernelVerb(
        "move",
        "move CARDS to: ZONE",
        (Slot("", CARDS), Slot("to", ZONE), Slot("at", PLACE, False), _SECRET, _SEEN_BY),
        "one card or several, in order, each to place `at` (0 is the top, the default; `bottom` the end)",
    ),
    KernelVerb("shuffle", "shuffle ZONE", (Slot("", ZONE),), "all memory of it ends"),
    KernelVerb("show", "show CARDS to: PLAYERS", (Slot("", CARDS), Slot("to", PLAYERS)), "they see these faces now"),
    KernelVerb(
        "arrange",
        "arrange CARDS as: CARDS",
        (Slot("", CARDS), Slot("as", CARDS), _SECRET, _SEEN_BY),
        "the cards, all of one zone, take each other's places in the new order",
    ),
    KernelVerb("cancel", "cancel ACT", (Slot("", ACT),), "it will not resolve"),
    KernelVerb("lay", "lay MARK on: X", (Slot("", MARK), Slot("on", BEARER)), "a mark on a player or card"),
    KernelVerb("lift", "lift MARK from: X", (Slot("", MARK), Slot("from", BEARER)), "the mark is gone"),
    KernelVerb("eliminate", "eliminate PLAYER", (Slot("", PLAYER),), "the player is out"),
    KernelVerb("revive", "revive PLAYER", (Slot("", PLAYER),), "the player is in again"),
    KernelVerb(
        "end_turn", "end_turn PLAYER", (Slot("", PLAYER), Slot("all", FLAG, False)), "takes one of the turns owed"
    ),
    KernelVerb(
        "give_turns",
        "give_turns N to: PLAYER",
        (Slot("", NUMBER), Slot("to", PLAYER)),
        "PLAYER is next and owes N turns",
    ),
    KernelVerb("next_turn", "next_turn", (), "goes on to whoever is next"),
    KernelVerb("offer", "offer PLAYER", (Slot("", PLAYER),), "the player makes one move"),
    KernelVerb("play", "play CARD", (Slot("", CARD),), "`you` play that card, whether or not you can see it"),
    KernelVerb("refuse", "refuse REASON", (Slot("", WORD),), "no such game can be set up", setup_only=True),
    KernelVerb("end_game", "end_game winners: PLAYERS", (Slot("winners", PLAYERS),), "the game is over"),
    KernelVerb(
        "tell", "tell TEXT", (Slot("", WORD), Slot("about", CARDS, False), Slot("to", PLAYERS, False)), "a line of news"
    ),
]

KERNEL_VERBS: dict[str, KernelVerb] = {verb.name: verb for verb in _LIST}
"""All verbs of the kernel by name."""

PICK_LABELS: dict[str, str] = {
    "from": "the set to choose from",
    "by": "who chooses",
    "count": "exactly how many",
    "min": "at least how many",
    "max": "at most how many",
    "order": "whether the order of the answer counts",
    "secret": "whether others are not told",
    "unseen": "cards that are one choice, `random`",
    "or": "the value when there is nothing to choose",
    "ask": "what a person is asked",
}
"""The labels of `pick`."""
