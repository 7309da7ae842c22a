"""The plain data of the machine: frames, acts, programs, and the two shapes that everything lowered has (Expr, Op).

`Rulebook` and `State` are built from these; no logic lives here, so that every other module can import it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from kernel.native import COMPILED, hint

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr

    from kernel.actions import Group
    from kernel.cardsets import CardSets
    from kernel.model import Plan
    from kernel.state import Data as State
if not COMPILED:
    mypyc_attr = hint

#: What a variable of a frame may hold: numbers, players and cards are ints; words and kinds are strings; lists are
#: tuples.
Value = Any

NOBODY: Final = -1
CHANCE: Final = -2
NO_CARD: Final = -1
NO_ACT: Final = -1


MANY: Final = 64
UNSET: Final[list[Value]] = [None] * MANY
"""Variables that are not set: a part of a list is made faster than a new list, compiled."""


class Expr:
    """A lowered expression: pure and total over a state and a frame."""

    __slots__ = ()

    def ev(self, s: State, f: Frame) -> Value:
        """The value in this state, seen from this frame."""
        raise NotImplementedError("abstract")

    def of_player(self, s: State, player: int, slots: int) -> Value:
        """The value where it depends on nothing of its frame but who `you` is. `slots`: how many variables it has."""
        if COMPILED and slots < MANY:
            if not SPARE:  # several: a list that empties gives its memory back, and takes it anew
                SPARE.extend([Frame(s.book.nothing, UNSET[:], player, NO_CARD, NO_ACT, None) for _ in range(SPARES)])
            f = SPARE.pop()
            f.prog = s.book.nothing
            f.you = player
            value = self.ev(s, f)
            SPARE.append(f)
            return value
        return self.ev(s, Frame(s.book.nothing, [None] * slots, player, NO_CARD, NO_ACT, None))


class Short(Expr):
    """An expression that functions of their own work out: `whole` for a state and a frame, `bare` for a state and who
    `you` is, where it depends on nothing else of its frame."""

    __slots__ = ("inner", "whole", "bare", "slots")

    def __init__(
        self, inner: Expr, whole: Callable[[State, Frame], Value], bare: Callable[[State, int], Value], slots: int
    ) -> None:
        self.inner = inner
        self.slots = slots  # how many variables it has
        self.whole = whole
        self.bare = bare

    def ev(self, s: State, f: Frame) -> Value:
        return self.whole(s, f)

    def of_player(self, s: State, player: int, slots: int) -> Value:
        return self.bare(s, player)


class Bare:
    """Works out an expression that depends on nothing of its frame but who `you` is."""

    __slots__ = ("inner", "slots")

    def __init__(self, inner: Expr, slots: int) -> None:
        self.inner = inner
        self.slots = slots

    def ev(self, s: State, player: int) -> Value:
        """The value for this player."""
        return self.inner.of_player(s, player, self.slots)


class Op:
    """A lowered operation: a place in a program, linked to the one that follows it."""

    __slots__ = ("pc", "next")

    pc: int
    next: Op

    def link(self, ops: list[Op]) -> None:
        """Find the operations that this one may go on with besides the next."""

    def run(self, s: State, f: Frame) -> Op | None:
        """Do it, and say with which operation the same frame goes on at once.

        None: the loop looks anew which frame goes on, or somebody is asked. Whoever may answer None has set the frame's
        `pc` to where it goes on.
        """
        raise NotImplementedError("abstract")


class Program:
    """A list of operations with the place in the source that each came from."""

    __slots__ = ("index", "ops", "slots", "blank", "lines", "file", "owner", "parts", "woven", "finishes")

    def __init__(self, index: int, slots: int, file: str, owner: str) -> None:
        self.index = index
        self.ops: list[Op] = []
        self.slots = slots
        self.blank: list[Value] = [None] * slots  # its variables, unset; in a book of as many as it has in the end
        self.lines: list[int] = []
        self.file = file
        self.owner = owner  # id of the kind, or name of the verb or move
        # Where lines come from elsewhere: from which operation on, the file, the owner.
        self.parts: list[tuple[int, str, str]] = []
        # It is what an act does: where it ends, the act is over.
        self.finishes = False
        # By operation: what runs a frame that stands there as far as it can; none where the book has no weaver.
        self.woven: list[Woven] = []

    def place(self, pc: int) -> tuple[str, int, str]:
        """The file, line and owner of an operation; no file for programs of the machine's own."""
        if not self.lines:
            return "", 0, ""
        pc = min(max(pc, 0), len(self.lines) - 1)
        file, owner = self.file, self.owner
        for first, other, name in self.parts:
            if first > pc:
                break
            file, owner = other, name
        return file, self.lines[pc], owner


#: Announces the act that action `index` of a group stands for.
Launch = Callable[["State", int, "Group", int], None]
#: Runs a frame, and says with which operation it goes on the plain way, as `Op.run` does.
Woven = Callable[["State", "Frame"], "Op | None"]


@mypyc_attr(free_list_len=1)
class Frame:
    """A program in progress: where it stands, its variables, who and which card it is about."""

    __slots__ = ("prog", "pc", "vars", "you", "card", "act", "event", "target")

    def __init__(
        self, prog: Program, vars: list[Value], you: int, card: int, act: int, event: tuple[Value, ...] | None
    ) -> None:
        self.prog = prog
        self.pc = 0
        self.vars = vars
        self.you = you
        self.card = card
        self.act = act  # number of the act in whose course it runs
        self.event = event  # arguments of the verb call an ability answers
        self.target = NO_ACT  # number of the act that this one answers

    def copy(self) -> Frame:
        """An independent frame; values are immutable and shared."""
        f = Frame(self.prog, self.vars[:], self.you, self.card, self.act, self.event)
        f.pc = self.pc
        f.target = self.target
        return f


SPARES: Final = 8  # so many are made at once
SPARE: Final[list[Frame]] = []
"""Frames of expressions that have been worked out, compiled; no variable is read before it is set."""

# The stages of an act.
ANNOUNCED: Final = 0
RESOLVING: Final = 1


@mypyc_attr(free_list_len=1)
class Act:
    """Something announced: a card played, a move, or a verb that may be answered."""

    __slots__ = ("n", "spec", "by", "cards", "vars", "target", "cancelled", "passed", "stage", "alias", "below")

    def __init__(self, n: int, spec: ActSpec, by: int, cards: tuple[int, ...], vars: list[Value], target: int) -> None:
        self.n = n
        self.spec = spec
        self.by = by
        self.cards = cards
        self.vars = vars
        self.target = target
        self.cancelled = False
        self.passed = 0
        self.stage = ANNOUNCED
        self.alias = ""  # the kind as which its card was played, where that is not its own
        self.below: Act | None = None  # the act that is next on the stack

    def copy(self) -> Act:
        """An independent act, on top of none."""
        a = Act(self.n, self.spec, self.by, self.cards, self.vars[:], self.target)
        a.cancelled = self.cancelled
        a.passed = self.passed
        a.stage = self.stage
        a.alias = self.alias
        return a


def copied(act: Act | None) -> Act | None:
    """A copy of a stack of acts, of which this is the top."""
    if act is None:
        return None
    top = above = act.copy()
    while act.below is not None:
        act = act.below
        above.below = act.copy()
        above = above.below
    return top


class Choice:
    """Something announced with a play or move: a player, a card, a word …, out of a set."""

    __slots__ = ("name", "slot", "set", "type", "optional", "ask", "uses", "shared")

    def __init__(
        self, name: str, slot: int, set: Expr, type: str, optional: bool, ask: str, uses: tuple[int, ...]
    ) -> None:
        self.name = name
        self.slot = slot
        self.set = set
        self.type = type
        self.optional = optional
        self.ask = ask
        self.uses = uses  # earlier choices it depends on; -1 stands for the cards
        self.shared = -1  # number of its set among those that depend on nothing but who chooses


class CardSpec:
    """Which cards a move takes."""

    __slots__ = (
        "zone",
        "least",
        "most",
        "where",
        "where_slot",
        "alike",
        "unlike",
        "key_slot",
        "condition",
        "fits_by_kind",
        "keys_by_kind",
        "keysets_by_kind",
        "quick",
        "one_kind",
        "hubs",
        "memo",
        "holding",
    )

    def __init__(self, zone: int, least: int, most: int) -> None:
        self.zone = zone  # index of the zone's definition
        self.least = least
        self.most = most
        self.where: Expr | None = None
        self.where_slot = 0
        self.alike: Expr | None = None
        self.unlike: Expr | None = None
        self.key_slot = 0
        self.condition: Expr | None = None
        # What `where` and the keys are for each kind, where they depend on nothing else.
        self.fits_by_kind: list[bool] | None = None
        self.keys_by_kind: list[tuple[Value, ...]] | None = None
        self.keysets_by_kind: list[frozenset[Value]] | None = None
        self.quick = False  # the sets depend on nothing but the kinds of the cards
        self.one_kind = False  # and each set is of one kind
        self.hubs: frozenset[int] = frozenset()  # kinds without which each set is of one kind
        self.memo: dict[tuple[int, ...], CardSets | None] = {}
        self.holding: dict[tuple[int, ...], bool] = {}  # for cards of which kinds the condition holds


class ActSpec:
    """What is fixed about an act before anyone plays it: a play of a card, a move, or a verb with a window."""

    __slots__ = (
        "index",
        "name",
        "text",
        "at",
        "kind",
        "froms",
        "to",
        "condition",
        "condition_shared",
        "choices",
        "cards",
        "slots",
        "blank",
        "program",
        "announce",
        "lay_zone",
        "lay_bottom",
        "lay_shown",
        "lay_more",
        "lay_own",
        "tags",
        "default",
        "respond_on_timeout",
        "params",
        "named",
        "by_param",
        "card_param",
        "quick",
        "fixed",
        "straight",
        "unsteady",
        "memo",
        "file",
        "line",
        "dependent",
        "window",
        "answerable",
        "plan",
        "launch",
    )

    def __init__(self, index: int, name: str, text: str, at: str, kind: int) -> None:
        self.index = index
        self.name = name
        self.text = text
        self.at = at
        self.kind = kind  # index of the kind whose play it is, or -1
        self.froms: tuple[int, ...] = ()
        self.to: Expr | None = None
        self.condition: Expr | None = None
        self.condition_shared = -1  # number of the condition among what depends on nothing but who acts
        self.choices: tuple[Choice, ...] = ()
        self.cards: CardSpec | None = None
        self.slots = 0
        self.blank: list[Value] = []  # as many times None
        self.program: Program | None = None
        self.announce: Program | None = None  # runs when it is announced, in place of the game's own
        self.lay_zone = -1  # the zone that its cards are laid in, where announcing it does that first
        self.lay_bottom = False
        self.lay_shown = False  # announcing it shows its cards to everybody first
        self.lay_own = False  # of that zone each player has one
        self.lay_more = False  # announcing it does more than that
        self.tags: frozenset[str] = frozenset()
        self.default = False
        self.respond_on_timeout = False
        self.params: dict[str, int] = {}
        self.named: tuple[tuple[str, int], ...] = ()  # players that a verb is told with, besides who does it
        self.by_param = -1
        self.card_param = -1
        self.quick = False  # what it offers depends on nothing but kinds of cards and shared sets of choices
        self.straight = False  # announcing it runs no program
        self.unsteady = True  # laying its cards could take a choice away
        self.fixed: Group | None = None  # its only group, where it is always the same
        self.memo: dict[tuple[Value, ...], Group] = {}
        self.file = ""
        self.line = 0
        self.dependent = False
        self.window = True  # whether anybody is asked for an answer to it
        self.answerable = True  # … and whether there is any
        self.plan: Plan
        self.launch: Launch | None = None  # announces it for an action, where the book has a weaver
