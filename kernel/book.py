"""`Rulebook`: the rules of a game with its packs and options, immutable and shared by every state."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, Final

from kernel.actions import Group
from kernel.acts import Announce, Resolve, Window
from kernel.asking import FLAGS
from kernel.build import NEVER, Builder, laid
from kernel.core import ActSpec, Expr, Frame, Program, Short
from kernel.errors import GameError, RestoreError
from kernel.events import Body, Collect, Finish, FireNext, Left, as_answer, finish_act
from kernel.expr import Const
from kernel.flow import Jump, Let, LetPlain, SetGame, SetTurn, Stop, Unless
from kernel.machine import End, Reopen, builtin
from kernel.model import Ability, Answer, Attribute, Kind, Plan, Question, Verb, Zone
from kernel.ops import EndTurn, GiveTurns, NextTurn, Tell
from kernel.picks import PlayChoices, pick_group, reopen_pick
from kernel.posts import Posts, any_of
from kernel.prepare import Preparation, make_plans, steady_answers
from kernel.seats import Seats
from kernel.state import Data, Deal
from kernel.weave import Weaver, weaver_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from kernel.actions import PickGroup
    from kernel.cardsets import Class
    from kernel.game import State
    from kernel.menu import Menu

MAX_PLAYERS: Final = 64
MOST_SETS: Final = 4096  # so many sets of players are kept for each number of players
MAX_TEXT: Final = 64 * 1024 * 1024


def canonical(data: Any) -> str:
    """The one text that stands for the data."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def rules_of(data: dict[str, Any]) -> dict[str, Any]:
    """What of the compiled form are rules: not what is said of them in other languages."""
    return {key: value for key, value in data.items() if key != "translations"}


#: Operations that move no card and call nothing.
CALM: Final = frozenset([EndTurn, GiveTurns, NextTurn, Tell, Let, LetPlain, SetTurn, SetGame, Jump, Unless, Stop, End])


class Rulebook:
    """The rules of one game. Make one with `rulebook.load`, or from the compiled form with `from_json`.

    `data` is the compiled form; do not change it. `kinds` are all kinds of cards and marks, sorted by id.
    """

    def __init__(self, data: Any, plain: bool = False) -> None:
        b = Builder(data)
        b.build()
        self.data: dict[str, Any] = data
        self.names = b.names
        self.digest: str = hashlib.sha256(canonical(rules_of(data)).encode()).hexdigest()
        self.game: str = str(data["game"])
        self.title: str = str(data["title"])
        self.version: str = str(data["version"])
        self.packs: tuple[tuple[str, str], ...] = tuple([(str(p[0]), str(p[1])) for p in data["packs"]])
        self.preset: str | None = data.get("preset")
        self.options: dict[str, Any] = dict(data.get("options") or {})
        self.players_min: int = int(data["players"]["min"])
        self.players_max: int = int(data["players"]["max"])
        if not 1 <= self.players_min <= self.players_max <= MAX_PLAYERS:
            raise RestoreError(f"the numbers of players must be 1 to {MAX_PLAYERS}", "book")
        self.zones: tuple[Zone, ...] = tuple(b.zones)
        self.zone_by_name: dict[str, Zone] = b.names.zones
        self.kinds: tuple[Kind, ...] = tuple(b.kinds)
        self.kind_by_id: dict[str, Kind] = b.names.kinds
        self.ids: tuple[str, ...] = tuple([k.id for k in b.kinds])
        self.verbs: tuple[Verb, ...] = tuple(b.verbs)
        self.verb_by_name: dict[str, Verb] = b.names.verbs
        self.questions: dict[str, Question] = b.names.questions
        self.game_attributes: tuple[Attribute, ...] = tuple(b.names.game_attributes.values())
        self.player_attributes: tuple[Attribute, ...] = tuple(b.names.player_attributes.values())
        self.card_attributes: tuple[Attribute, ...] = tuple(b.names.card_attributes.values())
        self.abilities: tuple[Ability, ...] = tuple(b.abilities)
        self.ability_places: tuple[Answer, ...] = tuple([as_answer(a) for a in b.abilities])
        self.specs: tuple[ActSpec, ...] = tuple(b.specs)
        self.turn_moves: tuple[ActSpec, ...] = tuple(b.turn_moves)
        self.answer_moves: tuple[ActSpec, ...] = tuple(b.answer_moves)
        self.bans = tuple(b.bans)
        self.kernel_heard: dict[str, tuple[Ability, ...]] = b.kernel_heard
        self.moves_heard: tuple[Ability, ...] = b.kernel_heard.get("move", ())
        self.done_abilities: tuple[Ability, ...] = b.kernel_heard.get("act_done", ())
        lower = b.lower
        self.setup = b.program(data["setup"], "setup")
        self.play = b.program(data["play"], "play")
        self.leave_program = b.program(data["leave"], "leave") if data.get("leave") else None
        self.announce = b.program(data["play_announce"], "announce") if data.get("play_announce") else None
        self.programs: tuple[Program, ...] = tuple(b.programs)
        for program in self.programs:
            program.blank = [None] * program.slots
        can = data["can_act"]
        self.can_act = lower.expr(can["expr"])
        self.can_act_slots = lower.slot(can["slots"])
        #: Of each player that is looked at, the variable and the condition, where it is one.
        self.can_act_slot = -1
        self.can_act_test: Expr | None = None
        self.actors: Callable[[Data, int], int] | None = None  # looks at each of some players, where that is woven
        if can["expr"][0] == "where" and can["expr"][1] == ["players"]:
            self.can_act_slot = int(can["expr"][2])
            self.can_act_test = lower.expr(can["expr"][3])
        self.can_act_living: bool = can["expr"] == ["living"]
        now = data.get("now")
        self.now = lower.expr(now["expr"]) if now else None
        self.now_slots = lower.slot(now["slots"]) if now else 0
        limits = data.get("limits") or {}
        self.decision_limit = int(limits.get("decisions") or 5000)
        self.ending = str(limits.get("ending") or "draw")
        winners = limits.get("winners")
        self.limit_winners = lower.expr(winners["expr"]) if winners else None
        self.limit_slots = lower.slot(winners["slots"]) if winners else 0
        self.deck: tuple[tuple[str, int, str], ...] = tuple(
            [(str(r[0]), int(r[1]), str(r[2] or "")) for r in data["deck"]]
        )
        for id, count, _ in self.deck:
            if id not in self.kind_by_id or count < 0:
                raise RestoreError(f"a deck holds {count} cards of '{id[:40]}'", "book")
        if sum(r[1] for r in self.deck) > 100_000:
            raise RestoreError("the decks hold more than 100000 cards", "book")
        kinds: list[int] = []
        variants: list[str] = []
        for id, count, variant in self.deck:
            kinds.extend([self.kind_by_id[id].index] * count)
            variants.extend([variant] * count)
        self.cards = Deal(tuple(kinds), len(self.kinds), tuple(variants))  # all that the decks hold
        self.all_cards = list(range(len(kinds)))  # as they lie where a game begins; copied, never changed
        self.builtins()
        self.tables()
        self.prepare(b)
        self.weaver: Weaver | None = None if plain else weaver_of(self)

    def builtins(self) -> None:
        """The machine's own programs, with numbers below zero for saved games."""
        self.nothing = builtin([])
        self.act_program = builtin([Announce(), Window(), Resolve(), Finish()])
        self.verb_program = builtin([Collect(False), FireNext(), Body(), Collect(True), FireNext()])
        self.event_program = builtin([FireNext()])
        self.play_program = builtin([PlayChoices()])
        self.leave_wrapper = builtin([Reopen()])
        self.left_program = builtin([Left()])
        self.own_programs: tuple[Program, ...] = (
            self.nothing,
            self.act_program,
            self.verb_program,
            self.event_program,
            self.play_program,
            self.leave_wrapper,
            self.left_program,
        )
        for i, p in enumerate(self.own_programs):
            p.index = -1 - i
        self.announce_zone = -1
        place = laid(self.data.get("play_announce"))
        if place is not None:
            self.announce_zone = self.zone_by_name[place[0]].index

    def tables(self) -> None:
        """What can be looked up in play."""
        self.game_starts: list[Any] = [a.start for a in self.game_attributes]
        self.player_starts: list[list[Any]] = [  # by number of players
            [a.start for a in self.player_attributes for _ in range(n)] for n in range(self.players_max + 1)
        ]
        self.seats: tuple[Seats, ...] = tuple([Seats(n, self.zones) for n in range(self.players_max + 1)])
        self.mark_zone = next((z.index for z in self.zones if z.marks), -1)
        self.start_zone = next((z.index for z in self.zones if z.start), -1)
        shows = self.questions.get("shows")
        hides = self.questions.get("hides")
        #: Whether questions are answered by whatever cards of a kind are in play: these are asked for all the time.
        self.seeks_kinds = any(a.same < 0 or a.mark for q in self.questions.values() for a in q.answers)
        self.shows: tuple[Answer, ...] = shows.answers if shows else ()
        self.hides: tuple[Answer, ...] = hides.answers if hides else ()
        self.shows_others = any(a.same != 0 for a in self.shows)  # something shows other cards than itself
        self.card_width = len(self.card_attributes)
        self.faces_plain = not self.shows and not self.hides  # zones alone say who sees a face
        faces = [*self.shows, *self.hides]
        self.face_kinds: frozenset[int] = frozenset([a.kind for a in faces])  # kinds that may show or hide themselves
        #: What may show or hide other cards than those that say so, or carry the mark that does.
        self.face_others: tuple[Answer, ...] = tuple([a for a in faces if a.same != 0])
        #: Whether these tell cards of one zone apart no further.
        self.faces_by_place = all(a.by_place for a in self.face_others)
        self.posts = Posts()
        for ability in self.abilities:
            ability.watched = [watch(ability.zones, seats) for seats in self.seats]
            ability.live = self.posts.add(ability.kind, ability.zones, ability.zones is None)
            place = self.ability_places[ability.index]
            place.watched = ability.watched
            place.live = ability.live
        for question in self.questions.values():
            for a in question.answers:
                a.watched = [watch(a.zones, seats) for seats in self.seats]
                a.live = self.posts.add(a.kind, a.zones, a.mark)
            question.live = any_of(question.answers)
            default = question.default
            fixed = type(default) is Const and question.join != "union"
            if question.join in FLAGS:
                fixed = type(default) is Const and type(default.value) is bool
            if fixed and question.answers and all(a.same < 0 for a in question.answers):
                question.lone = True
        #: Whether nothing shows itself but cards that more than their kinds tells apart.
        self.shows_odd = not self.shows_others and all(a.mark or a.attribute >= 0 for a in self.shows)
        #: Bits of `Data.live`: of what hides, and of what shows or hides others, one is there where something may.
        self.hiding = any_of(self.hides)
        self.showing_others = any_of(self.face_others)
        self.done_live = any_of(self.done_abilities)
        #: By definition: whether players see the faces of their own cards there.
        self.sighted: tuple[bool, ...] = tuple([z.see != "none" for z in self.zones])
        self.now_spec_exists = any(s.at == "now" for s in self.specs)
        play_zones: set[int] = set()
        answer_zones: set[int] = set()
        borrows = any(k.plays_as is not None for k in self.kinds)
        for s in self.specs:
            if s.kind >= 0:
                (answer_zones if s.at != "turn" else play_zones).update(s.froms)
        if self.now_spec_exists or borrows:
            play_zones |= answer_zones
        if borrows:
            answer_zones |= play_zones
        self.play_zones: tuple[int, ...] = tuple(sorted(play_zones))
        self.answer_zones: tuple[int, ...] = tuple(sorted(answer_zones))
        #: By number of players and list of a zone: bits of those who answer with cards from there; 0 at the end.
        self.answerers: tuple[list[int], ...] = tuple([self.answerers_at(seats) for seats in self.seats])
        #: By number of players: the lists of zones in which somebody can answer with a card.
        self.answered_from: tuple[frozenset[int], ...] = tuple(
            [watch(frozenset(self.answer_zones), seats) for seats in self.seats]
        )
        self.answer_kinds: frozenset[int] = frozenset(
            [k.index for k in self.kinds if k.answer_plays or k.plays_as is not None]
        )

    def answerers_at(self, seats: Seats) -> list[int]:
        """Bits of the players who can answer with a card, by the list of the zone in which it lies."""
        everybody = (1 << seats.players) - 1
        found = [0] * (len(seats.definition) + 1)
        for z, definition in enumerate(seats.definition):
            if definition in self.answer_zones:
                found[z] = 1 << seats.owner[z] if seats.split[definition] else everybody
        return found

    def prepare(self, b: Builder) -> None:
        """What depends on the rules alone is worked out now."""
        dead = {raw["name"] for raw in self.data["moves"] if raw.get("if") == NEVER or raw.get("to") == NEVER}
        self.plans: tuple[Plan, ...] = make_plans(self, b.raw_specs, dead)
        for spec in self.specs:
            spec.blank = [None] * spec.slots
            plan = self.plans[spec.index]
            spec.plan = plan
            spec.answerable = spec.window and (plan.everybody or bool(plan.tests) or plan.ask_now)
            if spec.lay_zone >= 0:
                spec.lay_own = self.zones[spec.lay_zone].per_player
            if spec.cards is None and spec.kind < 0:
                spec.straight = spec.announce is None
            else:
                laid_only = (spec.lay_zone >= 0 or spec.lay_shown) and not spec.lay_more
                spec.straight = laid_only or (spec.announce is None and self.announce is None)
        for verb in self.verbs:
            program = verb.program
            verb.calm = verb.spec is None and program is not None and all(type(op) in CALM for op in program.ops)
            verb.early = (*verb.before, *verb.instead, *(verb.when if verb.calm else ()))
            verb.at_end = () if verb.calm else verb.when
        preparation = Preparation(self)
        for index, raw in b.raw_specs.items():
            preparation.spec(self.specs[index], raw)
        for kind in self.kinds:
            if kind.plays_as is not None:
                preparation.borrower(kind, self.data["kinds"][kind.index]["plays_as"].get("if"))
        self.shared: tuple[Short, ...] = tuple(preparation.shared)
        self.constant: tuple[bool, ...] = tuple(preparation.constant)  # which of those never change
        self.tests: dict[int, tuple[tuple[int, bool], ...]] = (
            preparation.tests
        )  # what must hold for a condition, or not
        self.constants: dict[int, Any] = {}  # and the values of these that were asked for
        for plan in dict.fromkeys(self.plans):
            steady_answers(self, plan)
        self.menus: dict[int, Menu] = {}
        self.kind_classes: dict[int, Class] = {}  # as groups that are kept name kinds
        #: By definition of a zone: for each kind its only group of actions on turn if that is always the same, and the
        #: other kinds that can be played from there.
        self.play_table: list[tuple[list[Group | None], frozenset[int]]] = [
            self.plays_from(z.index) for z in self.zones
        ]

    def plays_from(self, definition: int) -> tuple[list[Group | None], frozenset[int]]:
        """What `play_table` holds for a zone."""
        alone: list[Group | None] = []
        others: set[int] = set()
        for kind in self.kinds:
            plays = [p for p in kind.plays if p.at != "response" and definition in p.froms]
            only = plays[0] if len(plays) == 1 and kind.plays_as is None else None
            group = only.fixed if only is not None and only.at == "turn" else None
            alone.append(group)
            if group is None and (plays or kind.plays_as is not None):
                others.add(kind.index)
        return alone, frozenset(others)

    # -- small questions of the machine ------------------------------------------------------------------------------

    def players_by_out(self, n: int, out: int) -> tuple[int, ...]:
        """The players of 0 … n-1 whose bit is not set."""
        rest = self.seats[n].rest
        found = rest.get(out)
        if found is None:
            found = tuple([p for p in range(n) if not out >> p & 1])
            if len(rest) < MOST_SETS:
                rest[out] = found
        return found

    def can_act_mask(self, s: Data, among: int = -1) -> int:
        """Bits of the players, of these, who may be asked in windows."""
        if self.can_act_test is not None and among >= 0:
            actors = self.actors
            return self.able(s, among & ~s.left) if actors is None else actors(s, among & ~s.left)
        if self.can_act_living:
            return (1 << s.players) - 1 & ~s.out & ~s.left & among
        mask = 0
        fr = Frame(self.nothing, [None] * self.can_act_slots, s.turn, -1, -1, None)
        for p in self.can_act.ev(s, fr):
            mask |= 1 << p
        return mask & ~s.left & among

    def able(self, s: Data, rest: int) -> int:
        """Bits of those of these players for whom the condition holds that says who may be asked."""
        test = self.can_act_test
        assert test is not None
        mask = 0
        fr = Frame(self.nothing, [None] * self.can_act_slots, s.turn, -1, -1, None)
        while rest:
            bit = rest & -rest
            fr.vars[self.can_act_slot] = bit.bit_length() - 1
            if test.ev(s, fr):
                mask |= bit
            rest ^= bit
        return mask

    def finish_act(self, s: Data) -> None:
        """The act on top is over."""
        finish_act(s)

    def pick_group(self, s: Data, player: int) -> PickGroup:
        """The possible answers of a player to the open pick."""
        return pick_group(s, player)

    def reopen_pick(self, s: Data, f: Frame, mask: int) -> None:
        """Ask a pick again after somebody has left."""
        reopen_pick(s, f, mask)

    # -- public ------------------------------------------------------------------------------------------------------

    @staticmethod
    def from_json(text: str) -> Rulebook:
        """The rulebook of a compiled game (what `rulebook build` writes). Raises RestoreError where it is broken."""
        if len(text) > MAX_TEXT:
            raise RestoreError("a compiled game is at most 64 MiB long", "book")
        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise RestoreError(f"this is no JSON: {error}", "book") from None
        return Rulebook.from_data(data)

    @staticmethod
    def from_data(data: Any, plain: bool = False) -> Rulebook:
        """The rulebook of a compiled game given as data."""
        if not isinstance(data, dict):
            raise RestoreError("a compiled game is a JSON object", "book")
        try:
            return Rulebook(data, plain)
        except GameError:
            raise
        except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError, RecursionError) as error:
            raise RestoreError(f"the compiled form is broken: {type(error).__name__} {error}", "book") from None

    def to_json(self) -> str:
        """The compiled form as text; `from_json` reads it back to the same digest."""
        return canonical(self.data)

    def new(self, players: int, seed: int, ask: str = "all") -> State:
        """A new game. SetupError if this number of players, seed or policy cannot be."""
        from kernel.dealing import new_game

        return new_game(self, players, seed, ask)

    def position(
        self, players: int = 2, given: Mapping[str, Any] | None = None, seed: int = 0, ask: str = "all"
    ) -> State:
        """Any position, written as `given` in rulings: only the cards named exist. SetupError says what is wrong."""
        from kernel.position import make_position

        return make_position(self, players, {} if given is None else given, seed, ask)

    def restore(self, data: Any) -> State:
        """The state of a `dump`. RestoreError for another book's, a newer format's, or broken data."""
        from kernel.saving import restore_state

        return restore_state(self, data)

    def __reduce__(self) -> tuple[Callable[..., Rulebook], tuple[Any, bool]]:
        return Rulebook.from_data, (self.data, self.weaver is None)  # copies and pickles are made anew from the data

    def __repr__(self) -> str:
        return f"<Rulebook {self.game} {'+'.join(p[0] for p in self.packs)} {self.digest[:12]}>"


def watch(zones: frozenset[int] | None, seats: Seats) -> frozenset[int]:
    """The lists of these zones; of all where they are None."""
    return frozenset([z for z, d in enumerate(seats.definition) if zones is None or d in zones])
