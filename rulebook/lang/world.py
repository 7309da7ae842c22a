"""What a program can speak about: the zones, attributes, kinds, verbs and questions of one book, by name.

It is filled from the files (`rulebook.lang.declare`) or from a compiled book (`rulebook.lang.ruling`); the
checker looks at nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from rulebook.lang.types import CARD, CARDS, FLAG, NUMBER, PLAYER, ZONE, Type
from rulebook.packs import Value


@dataclass(slots=True)
class Params:
    """A verb, an event or a question with its parameters, in order."""

    name: str
    params: dict[str, Type]


@dataclass(slots=True)
class Verb(Params):
    """A verb of the game."""

    window: bool = False


@dataclass(slots=True)
class Question(Params):
    """A question that cards answer."""

    type: Type = FLAG


@dataclass(slots=True)
class ActInfo:
    """What an act of one kind carries.

    Its parameters and choices by name, and whether it has cards (None: some have).
    """

    attributes: dict[str, Type] = field(default_factory=dict)
    cards: bool | None = False
    card: bool | None = False


@dataclass(slots=True)
class KindInfo:
    """A kind of card or mark."""

    title: str
    mark: bool
    tags: frozenset[str]
    fields: dict[str, Any]


@dataclass(slots=True)
class Setting:
    """An option or a fact: its value in this book, and the values it can have where they are listed."""

    value: Value
    type: Type
    values: tuple[Value, ...] = ()


@dataclass(slots=True)
class World:
    """Everything that has a name in a book."""

    zones: dict[str, bool] = field(default_factory=dict)
    """By name: whether each player has one."""
    game_attributes: dict[str, Type] = field(default_factory=dict)
    player_attributes: dict[str, Type] = field(default_factory=dict)
    card_attributes: dict[str, Type] = field(default_factory=dict)
    fields: dict[str, Type] = field(default_factory=dict)
    tags: set[str] = field(default_factory=set)
    kinds: dict[str, KindInfo] = field(default_factory=dict)
    absent: set[str] = field(default_factory=set)
    """Ids of kinds in packs of the game that are not loaded: known, though never met in this book."""
    act_tags: set[str] = field(default_factory=set)
    """Tags that moves, verbs and plays carry."""
    variants: set[str] = field(default_factory=set)
    options: dict[str, Setting] = field(default_factory=dict)
    facts: dict[str, Setting] = field(default_factory=dict)
    verbs: dict[str, Verb] = field(default_factory=dict)
    questions: dict[str, Question] = field(default_factory=dict)
    acts: dict[str, ActInfo] = field(default_factory=dict)
    whole: bool = True
    """Whether all packs of the game are loaded, so that what no card has is really nowhere."""

    @property
    def marks(self) -> list[str]:
        """Ids of the marks."""
        return [name for name, kind in self.kinds.items() if kind.mark]

    def taken(self, name: str) -> str:
        """What a name already is, so that no local name or choice can be called so; "" where it is free.

        Functions and questions are known by their bracket and take no name away.
        """
        if name in NAMES:
            return f"a name of the language ({NAMES[name]})"
        if name in self.zones:
            return "a zone"
        if name in self.game_attributes:
            return "an attribute of the game"
        return ""

    def domain(self, name: str) -> list[str] | None:
        """The words of a domain (see :class:`rulebook.lang.types.Type`), None where any word may be."""
        if name == "zone":
            return list(self.zones)
        if name == "act":
            return list(self.acts)
        if name == "kind":
            return [*self.kinds, *self.absent]
        if name == "variant":
            return list(self.variants)
        if name.startswith("option:"):
            return [str(value) for value in self.options[name[7:]].values]
        return None

    def field_type(self, name: str) -> Type:
        """The type of a field, which is set only if every card has it."""
        declared = self.fields[name]
        cards = [kind for kind in self.kinds.values() if not kind.mark]
        return declared if cards and all(name in kind.fields for kind in cards) else declared.unsure


KERNEL_EVENTS: dict[str, Params] = {
    "move": Params("move", {"cards": CARDS, "to": ZONE}),
    "shuffle": Params("shuffle", {"zone": ZONE}),
    "eliminate": Params("eliminate", {"player": PLAYER}),
    "revive": Params("revive", {"player": PLAYER}),
    "leave": Params("leave", {"player": PLAYER}),
    "act_done": Params("act_done", {}),
}
"""What happens in the kernel that cards can follow, with what `event` holds then."""

KERNEL_QUESTIONS: dict[str, Question] = {
    "shows": Question("shows", {"card": CARD, "viewer": PLAYER}, FLAG),
    "hides": Question("hides", {"card": CARD, "viewer": PLAYER}, FLAG),
}
"""Questions that the kernel itself asks."""

NAMES: dict[str, str] = {
    "you": "who acts",
    "self": "this card",
    "it": "the member looked at",
    "event": "the verb call that is followed or replaced",
    "target": "the act that is answered",
    "players": "all players",
    "living": "players who are not out",
    "dead": "players who are out",
    "others": "living players but you",
    "turn_of": "whose turn it is",
    "turns_owed": "how many turns are owed",
    "turn_ended": "whether this turn is over",
    "direction": "1, or -1 when play is reversed",
    "chance": "answers picks at random",
    "options": "the options",
    "facts": "the facts",
    "winners": "who has won (rulings)",
    "over": "whether the game is over (rulings)",
    "asked": "who is asked (rulings)",
}
"""Names of the language: nothing else can be called so."""

SIMPLE_NAMES: dict[str, Type] = {
    "players": Type("player", many=True),
    "living": Type("player", many=True),
    "dead": Type("player", many=True),
    "turn_of": PLAYER,
    "turns_owed": NUMBER,
    "turn_ended": FLAG,
    "direction": NUMBER,
}
RULING_NAMES: dict[str, Type] = {"winners": Type("player", many=True), "over": FLAG, "asked": Type("player", many=True)}
"""Names that only rulings know."""
