"""What a rulebook is made of once it is lowered: zones, kinds of cards, verbs, questions, abilities.

Immutable in play.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from kernel.core import ActSpec, Expr, Program, Value

if TYPE_CHECKING:
    from kernel.actions import LegalSet
    from kernel.menu import Steps


class Zone:
    """A declared zone; the state holds one list for it, or one for each player."""

    __slots__ = ("index", "name", "see", "per_player", "order", "marks", "start")

    def __init__(
        self, index: int, name: str, see: str, per_player: bool, order: bool, marks: bool, start: bool
    ) -> None:
        self.index = index
        self.name = name
        self.see = see
        self.per_player = per_player
        self.order = order
        self.marks = marks
        self.start = start


class Kind:
    """A kind of card (or mark): what stands on it and what it can do."""

    __slots__ = (
        "index",
        "id",
        "title",
        "text",
        "pack",
        "file",
        "mark",
        "tags",
        "fields",
        "plays",
        "turn_plays",
        "answer_plays",
        "plays_as",
        "plays_as_if",
        "plays_as_ask",
        "plays_as_slots",
        "plays_as_shared",
        "abilities",
    )

    def __init__(self, index: int, id: str, title: str, text: str, pack: str, file: str, mark: bool) -> None:
        self.index = index
        self.id = id
        self.title = title
        self.text = text
        self.pack = pack
        self.file = file
        self.mark = mark
        self.tags: frozenset[str] = frozenset()
        self.fields: dict[str, Any] = {}
        self.plays: tuple[ActSpec, ...] = ()
        self.turn_plays: tuple[ActSpec, ...] = ()  # at: turn
        self.answer_plays: tuple[ActSpec, ...] = ()  # at: response or now
        self.plays_as: Expr | None = None
        self.plays_as_if: Expr | None = None
        self.plays_as_ask = False
        self.plays_as_slots = 0
        self.plays_as_shared = -1  # number of `plays_as_if` among what depends on nothing but who acts
        self.abilities: tuple[Ability, ...] = ()

    def __repr__(self) -> str:
        return f"Kind({self.id})"


class Verb:
    """A verb of the game file. With `spec`, calling it announces an act that may be answered."""

    __slots__ = (
        "index",
        "name",
        "params",
        "program",
        "spec",
        "before",
        "instead",
        "when",
        "heard",
        "calm",
        "early",
        "at_end",
        "about",
    )

    def __init__(self, index: int, name: str, params: tuple[tuple[str, str, bool], ...], about: str) -> None:
        self.index = index
        self.name = name
        self.params = params
        self.program: Program | None = None
        self.spec: ActSpec | None = None
        self.before: tuple[Ability, ...] = ()
        self.instead: tuple[Ability, ...] = ()
        self.when: tuple[Ability, ...] = ()
        self.heard = False
        self.calm = False  # whether nothing that listens can come or go while it is carried out
        self.early: tuple[Ability, ...] = ()  # what changes a call of it, or comes in behind it, if it is near now …
        self.at_end: tuple[Ability, ...] = ()  # … or if it is near when the verb is over
        self.about = about


class Ability:
    """`when`, `before` or `instead` of a kind."""

    __slots__ = ("index", "kind", "event", "zones", "condition", "program", "watched", "live", "attribute")

    def __init__(
        self, index: int, kind: int, event: str, zones: frozenset[int] | None, condition: Expr | None, program: Program
    ) -> None:
        self.index = index
        self.kind = kind
        self.event = event
        self.zones = zones  # indexes of zone definitions; None for a mark
        self.condition = condition
        self.program = program
        self.watched: list[frozenset[int]] = []  # by number of players: the lists of zones in which it counts
        self.live = 0  # of `Data.live`: the bits of which one is there where it may count for a card
        self.attribute = -1  # the attribute that the card must carry


class Answer:
    """`while` of a kind: an answer to a question as long as the card lies where it counts."""

    __slots__ = (
        "kind",
        "zones",
        "condition",
        "value",
        "slots",
        "same",
        "same_you",
        "mark",
        "one_viewer",
        "watched",
        "live",
        "attribute",
        "by_place",
        "own_zone",
        "seers",
    )

    def __init__(
        self, kind: int, zones: frozenset[int] | None, condition: Expr | None, value: Expr, slots: int, mark: bool
    ) -> None:
        self.kind = kind
        self.zones = zones
        self.condition = condition
        self.value = value
        self.slots = slots
        self.one_viewer = True  # of `shows` and `hides`: whether it depends on who looks
        self.watched: list[frozenset[int]] = []  # by number of players: the lists of zones in which it counts
        self.live = 0  # of `Data.live`: the bits of which one is there where a card may give it
        self.own_zone = -1  # the zone of `you` in which the first parameter, a card, must lie
        self.by_place = False  # whether it asks nothing of the first parameter, a card, but in which zones it lies
        self.attribute = -1  # the attribute that the card must carry
        # Of `shows` and `hides`, for a state, a holder, its owner, a card and bits: these and those for whom it holds.
        self.seers: Callable[[Any, int, int, int, int], int] | None = None
        self.same_you = -1  # the parameter that the condition requires to be `you`
        self.same = -1  # the parameter that the condition requires to be this very card
        self.mark = mark


class Question:
    """A question of the game, answered by its default and by cards."""

    __slots__ = (
        "index",
        "name",
        "params",
        "type",
        "join",
        "base",
        "slots",
        "default",
        "answers",
        "lone",
        "live",
        "woven",
    )

    def __init__(self, index: int, name: str, params: tuple[tuple[str, str], ...], type: str, join: str) -> None:
        self.index = index
        self.name = name
        self.params = params
        self.type = type
        self.join = join
        self.base = True
        self.slots = 0
        self.default: Expr | None = None
        self.answers: tuple[Answer, ...] = ()
        self.lone = False  # whether no card gives an answer about itself alone, and the default is something fixed
        self.live = 0  # the bits of all answers
        self.woven: Callable[..., Any] | None = None  # answers for a state, who and which card asks, and the arguments


class Attribute:
    """A declared piece of state beside the cards."""

    __slots__ = ("index", "name", "type", "start", "see")

    def __init__(self, index: int, name: str, type: str, start: Any, see: str) -> None:
        self.index = index
        self.name = name
        self.type = type
        self.start = start
        self.see = see


class Ban:
    """`never`: a kind that cannot lie in a zone unless a condition holds for the zone's owner."""

    __slots__ = ("kind", "zone", "unless", "slots", "guards", "local")

    def __init__(
        self, kind: int, zone: int, unless: Expr | None, slots: int, guards: frozenset[int], local: bool
    ) -> None:
        self.kind = kind
        self.zone = zone
        self.unless = unless
        self.slots = slots
        self.guards = guards  # kinds that the condition speaks of
        self.local = local  # the condition can be told from the zone's own cards: see `kernel.placement.is_local`


#: What is known of the answers of a kind: nothing; they are always the same; they depend on shared values; they must be
#: asked whether they fit.
UNSURE: Final = 1
STEADY: Final = 2
VARIED: Final = 4
DOUBTFUL: Final = 8


class Plan:
    """What could answer an act, as far as the book tells; the same for all acts that answers cannot tell apart."""

    __slots__ = (
        "number",
        "everybody",
        "tests",
        "now",
        "ask_now",
        "moves",
        "kinds",
        "sought",
        "always",
        "never",
        "zone",
        "steady",
        "varied",
        "alone",
        "known",
        "flags",
        "doubtful",
        "windows",
    )

    def __init__(self, number: int) -> None:
        self.number = number
        self.everybody = False  # some answer fits it whoever gives it
        # Answers that fit for some players, or at some moments; of those with the same condition one.
        self.tests: tuple[ActSpec, ...] = ()
        self.now = False  # whether NOW cards may answer it, for somebody, at some moment
        self.ask_now = False  # whether NOW cards may answer it must be asked
        self.moves = False  # an answer among these is a move
        self.kinds: frozenset[int] = frozenset()  # the kinds of cards that could answer
        self.sought: tuple[int, ...] = ()  # … in ascending order
        self.always: set[int] = set()  # indexes of answers that fit it for everybody
        self.never: set[int] = set()  # … and of those that never do
        self.zone = -1  # the only zone from which cards answer, where the kinds there are all that matters
        self.steady: frozenset[int] = frozenset()  # those kinds of which each card gives the same answers always
        #: The others whose answers depend on nothing but shared values, and on which.
        self.varied: dict[int, Steps] = {}
        self.alone = -1  # that value, where it is one and the same for all of these
        self.known: frozenset[int] = frozenset()  # these, the steady ones and the doubtful ones
        self.flags: list[int] = []  # compiled, by kind: 0 if it could not answer, else one of the four
        self.doubtful: dict[int, tuple[ActSpec, ...]] = {}  # of others: the answers that must be asked whether they fit
        #: By the kinds that a player holds (compiled: as bits) and, where they matter, those values and answers.
        self.windows: dict[Value, LegalSet] = {}
