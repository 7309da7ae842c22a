"""The types of the effect language, and what may stand where which type is wanted."""

from __future__ import annotations

from dataclasses import dataclass, replace

SINGLES = ("number", "flag", "word", "player", "card", "kind", "zone", "act")
"""What a single value can be, as designers write it."""
LISTS = {"players": "player", "cards": "card", "kinds": "kind", "words": "word", "numbers": "number", "flags": "flag"}
LISTS |= {"groups": "group"}
"""The lists, with what they hold; a group is itself a list of cards."""


@dataclass(frozen=True, slots=True)
class Type:
    """What an expression gives.

    `base` is one of :data:`SINGLES`, or `group` (always many: each group is a list of cards), `none` (the value none
    alone), `nothing` (what the empty list holds), `chance`, `place` (the word for the end of a zone) or `error` (a
    fault already reported: it fits everywhere). `maybe`: may be none. `answers`: a value for each player asked.
    `domain` names the set of words that a word can be, where that is known.
    """

    base: str
    many: bool = False
    maybe: bool = False
    answers: bool = False
    domain: str = ""

    def __str__(self) -> str:
        name = self.base
        if self.many:
            name = {"nothing": "empty list", "error": "list"}.get(name, f"{name}s")
        if self.answers:
            return f"answers ({name} for each player)"
        return f"maybe {name}" if self.maybe else name

    @property
    def wrong(self) -> bool:
        """Whether a fault in it was already reported."""
        return self.base == "error"

    @property
    def member(self) -> Type:
        """What a list of this type holds (a zone holds cards)."""
        if self.base == "zone":
            return CARD
        if self.base == "group":
            return CARDS
        return Type(self.base, domain=self.domain)

    @property
    def listed(self) -> Type:
        """A list of this type."""
        return Type(self.base, many=True, domain=self.domain)

    @property
    def sure(self) -> Type:
        """The same, and set."""
        return replace(self, maybe=False) if self.maybe else self

    @property
    def unsure(self) -> Type:
        """The same, or none."""
        return self if self.maybe or self.base in ("none", "error") else replace(self, maybe=True)

    @property
    def is_list(self) -> bool:
        """Whether it has members: a list or a zone."""
        return (self.many or self.base == "zone") and not self.answers

    @property
    def name(self) -> str:
        """Its name in the compiled form."""
        return f"{self.base}s" if self.many else self.base


NUMBER = Type("number")
FLAG = Type("flag")
WORD = Type("word")
PLAYER = Type("player")
PLAYERS = Type("player", many=True)
CARD = Type("card")
CARDS = Type("card", many=True)
KIND = Type("kind")
KINDS = Type("kind", many=True)
ZONE = Type("zone")
ACT = Type("act")
NONE = Type("none", maybe=True)
ERROR = Type("error")
MIXED = Type("mixed")
"""What acts carry under one name with types that do not fit together."""
GROUPS = Type("group", many=True)
EMPTY = Type("nothing", many=True)
CHANCE = Type("chance")
PLACE = Type("place")


def parse_type(text: str) -> Type | None:
    """A type as designers write it, `maybe` included; None if there is no such type."""
    words = text.split()
    maybe = len(words) == 2 and words[0] == "maybe"
    if maybe:
        words = words[1:]
    if len(words) != 1:
        return None
    if words[0] in SINGLES:
        return Type(words[0], maybe=maybe)
    if words[0] in LISTS:
        return Type(LISTS[words[0]], many=True, maybe=maybe)
    return None


def type_names() -> list[str]:
    """Every type that can be written."""
    return [*SINGLES, *LISTS]


def fits(given: Type, wanted: Type) -> bool:
    """Whether a value may stand where another type is wanted, whether it may be none left aside."""
    if given.wrong or wanted.wrong:
        return True
    if given.base == "none":
        return wanted.maybe
    if given.answers != wanted.answers:
        return False
    if wanted == CARDS or (wanted.base == "card" and wanted.many):
        if given.base == "zone" and not given.many:
            return True
    if given.many != wanted.many:
        return False
    if given.base == "nothing":
        return True
    return given.base == wanted.base or (given.base, wanted.base) == ("kind", "word")


def join(a: Type, b: Type) -> Type | None:
    """The type of a value that is either of two; None if there is none."""
    if a.wrong or b.wrong:
        return ERROR
    if a.base == "none":
        return b.unsure
    if b.base == "none":
        return a.unsure
    maybe = a.maybe or b.maybe
    if a.answers or b.answers:
        return a if a == b else None
    bases = {a.base, b.base}
    if bases in ({"zone", "card"}, {"zone", "nothing"}) and (a.many or b.many):
        return Type("card", many=True, maybe=maybe)
    if a.many != b.many:
        return None
    if a.base == "nothing":
        return replace(b, maybe=maybe)
    if b.base == "nothing":
        return replace(a, maybe=maybe)
    domain = a.domain if a.domain == b.domain else ""
    if a.base == b.base:
        return replace(a, maybe=maybe, domain=domain)
    if {a.base, b.base} == {"kind", "word"}:
        return Type("word", many=a.many, maybe=maybe)
    return None


def comparable(a: Type, b: Type) -> bool:
    """Whether `==` between the two can ever say anything."""
    if a.wrong or b.wrong or "none" in (a.base, b.base):
        return True
    if a.answers or b.answers:
        return False
    if a.base == "zone" or b.base == "zone":
        return a.is_list and b.is_list and (a.many or b.many) and {a.base, b.base} <= {"zone", "card", "nothing"}
    return join(a.sure, b.sure) is not None
