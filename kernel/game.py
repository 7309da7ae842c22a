"""`State`: one game in progress, with the methods that programs use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from kernel.actions import NOTHING_LEGAL, PASS, Action, Group, LegalSet, PickGroup
from kernel.acts import take
from kernel.core import NO_ACT, NO_CARD, NOBODY, Frame, Value
from kernel.errors import AmbiguousAction, CardError, EngineError, GameError, IllegalAction, InvalidAction
from kernel.information import Information, information_state
from kernel.knowledge import bits_list
from kernel.lower import Lowering
from kernel.machine import OPERATIONS, count_decision, end_undecided, failed, run
from kernel.native import COMPILED
from kernel.news import collect, render, tell
from kernel.picks import open_pick
from kernel.state import ASK_MOVE, ASK_PICK, ASK_WINDOW, NO_ASK, Data
from kernel.turn import legal_now

if TYPE_CHECKING:
    from kernel.book import Rulebook
    from kernel.determinize import Worlds

MAX_ACTION_TEXT: Final = 4096
ASKED: Final = ("", "move", "window", "pick")
PLAYED: Final = 4  # so much is noted of each action in `State.played`
#: What a fault of the kernel (or a compiled form that no compiler wrote) would raise.
FAULTS: Final = (TypeError, ValueError, IndexError, KeyError, AttributeError, AssertionError, ZeroDivisionError)


def engine_fault(error: BaseException) -> EngineError:
    """A fault of the kernel as a typed error."""
    return EngineError(f"the kernel failed ({type(error).__name__}: {error}); please report it with seed and actions")


class Waiting:
    """Who has to answer now."""

    __slots__ = ("players", "kind")

    def __init__(self, players: tuple[int, ...], kind: str) -> None:
        self.players = players
        self.kind = kind  # "move", "window", "pick", or "" when the game is over

    def __repr__(self) -> str:
        return f"Waiting(players={self.players})"


#: One recorded step of a game, in a chain shared between copies: the step before (None: there is none); what it is ("a"
#: action, "close", "leave", "chance"; "d": a default that the "close" after it stands for); the player; the action, or
#: the set of actions that it is taken from, or a text; its number in that set; the version of the state before the
#: step; bits of the players who were asked then. A plain tuple, since one is made for every decision; of any length for
#: the compiler, which would copy one of a known length, and steps are told apart by which object they are.
Step = tuple[Any, ...]


def text_of(step: Step) -> str:
    """The action in the notation, or the values of chance, one a line."""
    said = action_of(step)
    return said if isinstance(said, str) else said.text


def as_text(before: Step | None, step: Step, player: int) -> Step:
    """The same step of a player behind another one, with its action as a text."""
    return before, step[1], player, text_of(step), 0, step[5], step[6]


def action_of(step: Step) -> Action | str:
    """The action that was taken, or what else is said of the step."""
    said: Action | LegalSet | str = step[3]
    return said.at(step[4]) if isinstance(said, LegalSet) else said


class Anchor:
    """A moment to which a game can be put back, shared by its copies."""

    __slots__ = ("steps", "state")

    def __init__(self, steps: Step | None, state: State | None) -> None:
        self.steps = steps  # those before it
        self.state = state  # None: as the game was dealt, and it has not been dealt again yet


class State(Data):
    """One game at one moment. Made by `Rulebook.new`, `position` or `restore`; never by hand."""

    __slots__ = ("base", "past", "played")

    base: Anchor | None
    past: Step | None
    played: list[Any] | None  # what was done after `past`, as `unfold` reads it; few objects for the garbage collector

    @property
    def steps(self) -> Step | None:
        """The last recorded step."""
        if self.played:
            self.unfold(self.played)
        return self.past

    @steps.setter
    def steps(self, step: Step | None) -> None:
        self.past = step
        self.played = None

    def unfold(self, played: list[Any]) -> None:
        """Make steps of what a game played to its end noted: set of actions, number there, version, who was asked."""
        step = self.past
        for at in range(0, len(played), PLAYED):
            legal, chosen, version, mask = played[at : at + PLAYED]
            step = step, "a", (mask & -mask).bit_length() - 1, legal, chosen, version, mask
        self.past = step  # at one stroke, in case somebody interrupts
        played.clear()

    # -- reading -----------------------------------------------------------------------------------------------------

    @property
    def waiting(self) -> Waiting:
        """Who has to answer now: `.players`, several at once in a window; nobody when the game is over."""
        if self.over or self.ask == NO_ASK:
            return Waiting((), self.asked)
        players = self.players
        return Waiting(self.book.players_by_out(players, (1 << players) - 1 & ~self.ask_mask), ASKED[self.ask])

    @property
    def asked(self) -> str:
        """What is asked: "move", "window", "pick", or "" when the game is over."""
        return ASKED[self.ask]

    def legal(self, player: int) -> LegalSet:
        """What this player may do now: a lazy sequence of `Action`, empty if nothing.

        Never raises for a wrong player.
        """
        if COMPILED and self.offered is not None and player >= 0 and self.ask_mask >> player == 1:
            return self.offered
        if type(player) is not int:
            return NOTHING_LEGAL
        found = self.legal_cache.get(player)
        if found is None:
            if self.offered is not None and player >= 0 and self.ask_mask >> player == 1:
                return self.offered
            if self.over or not 0 <= player < self.players:
                return NOTHING_LEGAL
            self.budget = OPERATIONS
            try:
                found = legal_now(self, player)
            except RecursionError:
                raise CardError("questions ask each other without end", code="limit") from None
            self.legal_cache[player] = found
        return found

    def view(self, player: int | None = None) -> dict[str, Any]:
        """What this player may see, as JSON-able data; None is a spectator."""
        from kernel.view import make_view

        return make_view(self, player)

    def news(self, player: int | None = None, since: int = 0) -> list[dict[str, Any]]:
        """The events after number `since`, oldest first, redacted for this player (None: a spectator)."""
        who = player if type(player) is int and 0 <= player < self.players else NOBODY
        if self.known_to >= 0 and who != self.known_to:
            who = NOBODY
        self.catch_up()
        return [render(self, item, who) for item in collect(self, since)]

    def observation(self, player: int | None = None) -> Information:
        """What this player (None: a spectator) sees now: `view` as `.data`, with a `.text` form; see `Information`."""
        return Information(self.view(player))

    def information_state(self, player: int | None = None) -> Information:
        """All that this player (None: a spectator) knows, with perfect recall.

        `.data` is `{"player", "players", "past", "now"}`: `past` holds the entries of `news` and the player's own
        actions `{"n": version, "did": text, "asked": [players]}` (`default` instead of `did` where the host's clock
        decided) in the order in which they happened, `now` is `view`. `.text` is the same as text. Two states of which
        a player knows the same have equal information states.
        """
        return information_state(self, player)

    @property
    def digest(self) -> str:
        """A fingerprint of the whole state but its news: same digest, same game from here on."""
        from kernel.saving import state_digest

        return state_digest(self)

    def problems(self) -> list[str]:
        """What is wrong with the invariants; [] where all is well."""
        from kernel.testing import find_problems

        return find_problems(self)

    @property
    def step_count(self) -> int:
        """How many steps were recorded since this game (or position, or restored save) began."""
        count = len(self.played) // PLAYED if self.played else 0
        step = self.past
        while step is not None:
            count += step[1] != "d"
            step = step[0]
        return count

    def history(self) -> list[dict[str, Any]]:
        """The steps since this game (or position, or restored save) began, as records write them."""
        found: list[dict[str, Any]] = []
        for x in self.since_anchor():
            what, player = x[1], x[2]
            if what == "a":
                found.append({"p": player, "a": text_of(x)})
            elif what == "chance":
                text = text_of(x)
                found.append({"chance": text.split("\n") if text else []})
            elif what != "d":
                found.append({what: player if player >= 0 else None})
        return found

    def since_anchor(self) -> list[Step]:
        """The steps since the moment that `anchor` remembers, oldest first."""
        first = self.base.steps if self.base is not None else None
        found: list[Step] = []
        step = self.steps
        while step is not None and step is not first:
            found.append(step)
            step = step[0]
        return found[::-1]

    def describe(self) -> dict[str, Any]:
        """The position as `given` of a ruling writes it."""
        from kernel.position import describe_state

        return describe_state(self)

    def evaluate(self, expr: Any, slots: int = 0, you: int | None = None) -> Value:
        """The value of a compiled expression in this position (see docs/compiled.md); lists come as tuples.

        `you`: the player whom it is about (None: the one on turn). Raises InvalidAction for one who is not there.
        """
        if you is not None and not NOBODY <= you < self.players:
            raise InvalidAction(f"there is no player {str(you)[:20]}; players are 0 to {self.players - 1}", "player")
        fr = Frame(self.book.nothing, [None] * max(slots, 1), self.turn if you is None else you, NO_CARD, NO_ACT, None)
        self.budget = OPERATIONS
        value = Lowering(self.book.names).expr(expr).ev(self, fr)
        return tuple(value) if isinstance(value, list) else value

    # -- doing -------------------------------------------------------------------------------------------------------

    def apply(self, player: int, action: Action | str, at: int | None = None) -> None:
        """Carry out an action of a player.

        `action`: an `Action` or its text. `at`: the `version` it was meant for. Raises InvalidAction, AmbiguousAction,
        IllegalAction (code "stale", "over", "not_asked" or "illegal"), or CardError; then nothing has changed.
        """
        if type(player) is not int or not 0 <= player < self.players:
            raise InvalidAction(
                f"there is no player {str(player)[:20]!r}; players are 0 to {self.players - 1}", "player"
            )
        if self.over:
            raise IllegalAction("the game is over", "over")
        if at is not None and at < self.ask_since:
            raise IllegalAction(f"that was meant for version {at}; what is asked has changed since", "stale")
        legal = self.legal(player)
        if isinstance(action, Action) and action.source is legal and action.group >= 0:
            chosen = action
        else:
            chosen = self.resolve(player, legal, action)
        version = self.version
        asked = self.ask_mask
        try:
            self.perform(player, legal.groups[chosen.group], chosen.index)
        except GameError:
            self.recover()
            raise
        except FAULTS as error:
            self.recover()
            raise engine_fault(error) from error
        if self.played:
            self.unfold(self.played)
        self.past = self.past, "a", player, chosen, 0, version, asked

    def resolve(self, player: int, legal: LegalSet, action: object) -> Action:
        """The legal action that was meant, or the error that says why there is none."""
        text = action.text if isinstance(action, Action) else action
        if not isinstance(text, str):
            raise InvalidAction(f"an action is a text, not {type(text).__name__}")
        if len(text) > MAX_ACTION_TEXT:
            raise InvalidAction(f"an action is at most {MAX_ACTION_TEXT} characters long")
        words = text.split()
        found = legal.find(text)
        if len(found) > 1:
            exact = [a for a in found if a.text == " ".join(words)]
            if len(exact) == 1:
                return exact[0]
            raise AmbiguousAction(f"'{text}' fits more than one action: {found[0].text}; {found[1].text}; …")
        if found:
            return found[0]
        if not words or words[0] not in self.verbs_known():
            raise InvalidAction(f"'{text[:80]}' is no action of this game", "invalid")
        if not legal.total:
            raise IllegalAction(f"player {player} is not asked for anything now", "not_asked")
        raise IllegalAction(f"'{text[:80]}' is not possible now", "illegal")

    def verbs_known(self) -> set[str]:
        """First words of actions."""
        return {"pass", "choose", "play"} | {s.text.split()[0] for s in self.book.specs if s.kind < 0}

    def perform(self, player: int, group: Group, index: int) -> None:
        """Do action `index` of a group and go on until the next question."""
        s = self
        s.budget = OPERATIONS
        s.offered = None
        if s.legal_cache:
            s.legal_cache = {}
        spec = group.act
        if spec is not None:
            s.ask = NO_ASK
            s.ask_mask = 0
            s.decisions += 1
            if s.decisions > s.book.decision_limit:
                end_undecided(s)
            elif spec.launch is None:
                take(s, player, group, index)
            else:
                launch = spec.launch
                try:
                    launch(s, player, group, index)
                except (CardError, RecursionError) as error:
                    raise failed(s, None, None, error) from None
        elif group.what == PASS:
            s.top().passed |= 1 << player
            s.ask_mask &= ~(1 << player)
            if s.ask_mask:
                return
            s.ask = NO_ASK
        else:
            assert isinstance(group, PickGroup)
            op, f = open_pick(s)
            op.answer(s, f, player, group, index)
            count_decision(s)
        if s.ask == NO_ASK and not s.over:
            run(s)

    def close(self, player: int | None = None) -> None:
        """The host's clock: each player asked (or this one) takes the documented default.

        In a window: pass (or the first answer, where the act says so). On turn: the game's default move. Else: chance.
        IllegalAction if nobody (or not this player) is asked. A recorded step.
        """
        if self.over:
            raise IllegalAction("the game is over", "over")
        if player is not None and (type(player) is not int or player < 0 or not self.ask_mask >> player & 1):
            raise IllegalAction(f"player {str(player)[:20]} is not asked for anything now", "not_asked")
        kind = self.ask
        since = self.ask_since
        steps = self.steps
        version = self.version
        mask = self.ask_mask
        try:
            for p in bits_list(self.ask_mask) if player is None else [player]:
                if self.ask == kind and self.ask_since == since and self.ask_mask >> p & 1 and not self.over:
                    legal = self.legal(p)
                    before = self.version
                    asked = self.ask_mask
                    chosen = self.default_of(p, legal)
                    self.perform(p, legal.groups[chosen.group], chosen.index)
                    self.steps = self.steps, "d", p, chosen, 0, before, asked
        except GameError:
            self.steps = steps
            self.recover()
            raise
        except FAULTS as error:
            self.steps = steps
            self.recover()
            raise engine_fault(error) from error
        self.steps = self.steps, "close", NOBODY if player is None else player, "", 0, version, mask

    def default_of(self, player: int, legal: LegalSet) -> Action:
        """What a player does whose time is up."""
        if self.ask == ASK_WINDOW:
            respond = self.top().spec.respond_on_timeout and legal.total > 1
            return legal.at(1 if respond else 0)
        if self.ask == ASK_MOVE:
            at = 0
            for g in legal.groups:
                spec = getattr(g, "spec", None)
                if spec is not None and spec.default:
                    return legal.at(at)
                at += g.size
        return legal.at(self.below(legal.total))

    def leave(self, player: int) -> None:
        """A player is gone for good: open questions to them are settled, the game's `leave` program runs.

        A recorded step.
        """
        if type(player) is not int or not 0 <= player < self.players:
            raise InvalidAction(f"there is no player {str(player)[:20]!r}", "player")
        if self.over:
            raise IllegalAction("the game is over", "over")
        if self.left >> player & 1:
            raise IllegalAction(f"player {player} has left already", "left")
        version = self.version
        mask = self.ask_mask
        try:
            self.drop(player)
        except GameError:
            self.recover()
            raise
        except FAULTS as error:
            self.recover()
            raise engine_fault(error) from error
        self.steps = self.steps, "leave", player, "", 0, version, mask

    def drop(self, player: int) -> None:
        """Take a player out of what is asked and announced, then let the game say what that means."""
        s = self
        s.budget = OPERATIONS
        bit = 1 << player
        if s.ask == ASK_PICK and s.ask_mask & bit:
            legal = s.legal(player)
            op, f = open_pick(s)
            group = legal.groups[0]
            assert isinstance(group, PickGroup)
            s.forget_legal()
            op.answer(s, f, player, group, s.below(legal.total))
        s.forget_legal()
        kind, mask = s.ask, s.ask_mask
        s.left |= bit
        tell(s, "left", player)
        for act in s.acts:
            if act.by == player and not act.cancelled and act.stage == 0:
                act.cancelled = True
                tell(s, "cancelled", player, data=(("act", act.n),))
        s.ask = NO_ASK
        s.ask_mask = 0
        if kind != NO_ASK:
            s.frames.append(Frame(s.book.leave_wrapper, [kind, mask & ~bit], player, NO_CARD, NO_ACT, None))
        if s.book.kernel_heard.get("leave"):
            s.frames.append(Frame(s.book.left_program, [], player, NO_CARD, NO_ACT, None))
        program = s.book.leave_program
        if program is not None:
            s.frames.append(Frame(program, [None] * program.slots, player, NO_CARD, NO_ACT, None))
        run(s)

    def set_chance(self, values: Sequence[object]) -> None:
        """Settle the next random picks, in order, by these values (ids of cards, players, words).

        For rulings and tests.
        """
        self.script = [str(v) for v in values]
        self.steps = self.steps, "chance", NOBODY, "\n".join(self.script), 0, self.version, self.ask_mask

    @property
    def chance_left(self) -> int:
        """How many values of `set_chance` have not been used."""
        return len(self.script)

    # -- copies ------------------------------------------------------------------------------------------------------

    def copy(self) -> State:
        """An independent copy; the past is shared."""
        c = State(self.book, self.players, self.seats, self.settled, self.seed, self)
        c.base = self.base
        c.steps = self.steps
        return c

    def __copy__(self) -> State:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> State:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return restored, (self.book, self.dump())

    def anchor(self) -> None:
        """Remember this moment as the one that a failed call is recovered from, and how far `undo` goes."""
        self.base = None
        self.base = Anchor(self.steps, self.copy())

    def recover(self) -> None:
        """Put back what a call that failed in the middle has changed: play the recorded steps again from the anchor."""
        again = self.from_anchor(self.telling)
        for step in self.since_anchor():
            again.repeat(step)
        coverage = self.coverage
        self.take_over(again)
        self.coverage = coverage

    def from_anchor(self, telling: bool) -> State:
        """The state at the anchor; with `telling` its news are complete and go on being written down."""
        base = self.base
        if base is None:
            raise EngineError("what has happened cannot be played again: the state has no anchor")
        first = base.state
        if first is None:
            from kernel.dealing import new_game

            first = new_game(self.book, self.players, self.seed, "settled" if self.settled else "all", True)
            base.state = first
        again = first.copy()
        again.base = base
        again.coverage = None
        again.telling = telling
        return again

    def catch_up(self) -> None:
        """Have all news written down: what was played quietly is played again. From now on they are written at once."""
        if self.told != self.version:
            again = self.from_anchor(True)
            for step in self.since_anchor():
                again.repeat(step)
            self.news_tail = again.news_tail
            self.told = again.told
            if self.told != self.version:
                raise EngineError("playing again what has happened gave other news; please report it")
        self.telling = True

    def repeat(self, step: Step) -> None:
        """Take a recorded step once more, in the state that it was taken in."""
        what, player = step[1], step[2]
        if what == "a":
            self.apply(player, self.again(step))
        elif what == "close":
            self.close(None if player < 0 else player)
        elif what == "leave":
            self.leave(player)
        elif what == "chance":
            text = text_of(step)
            self.set_chance(text.split("\n") if text else [])

    def again(self, step: Step) -> Action | str:
        """The action of a recorded step: its place among what is legal tells apart what is written alike."""
        said = action_of(step)
        if isinstance(said, str):
            return said
        text = said.text
        if said.group >= 0:
            legal = self.legal(step[2])
            if said.group < len(legal.groups) and said.index < legal.groups[said.group].size:
                chosen = Action(None, said.what, legal, said.group, said.index)
                if chosen.text == text:
                    return chosen
        return text

    @property
    def undoable(self) -> int:
        """How many of the last steps disclosed nothing to anybody, so that `undo` can take them back; 0 if none.

        A step discloses where chance was used, where anybody can name a card or know its place that could not before,
        where the others' simultaneous answers came to light, where the rules told somebody something, and where the
        game ended. At most the steps since the game (or position, or restored save) began. Costs a replay.
        """
        from kernel.undoing import count_undoable

        return count_undoable(self)

    def undo(self, steps: int = 1) -> None:
        """Take back the last steps, of whomever they were: the state is again what it was before them.

        Actions, `close` and `leave` are steps. News and version go back too. IllegalAction (code "undo")
        if more than `undoable`; then nothing has changed.
        """
        from kernel.undoing import undo

        undo(self, steps)

    def determinize(self, player: int, seed: int) -> State:
        """A state that this player, who is asked, cannot tell from the real one, drawn uniformly from the placements
        that agree with `view(player)` and with the game's `never`. It carries that player's news and actions only, and
        a new generator. IllegalAction if the player is not asked.
        """
        return self.worlds(player).draw(seed)

    def worlds(self, player: int) -> Worlds:
        """All that `determinize` may give for this player: `.draw(seed)` as often as wanted, each draw the cheaper.

        It holds nothing of what the player may not know. IllegalAction if the player is not asked.
        """
        from kernel.determinize import Worlds

        self.catch_up()
        return Worlds(self, player)

    def dump(self) -> dict[str, Any]:
        """Everything, as JSON-able data for `Rulebook.restore`. It holds every secret of the game."""
        from kernel.saving import dump_state

        self.catch_up()
        return dump_state(self)

    def __repr__(self) -> str:
        asked = "over" if self.over else f"{self.asked} {list(self.waiting.players)}"
        return f"<State {self.book.game} players={self.players} turn={self.turn} {asked} version={self.version}>"


def restored(book: Rulebook, data: dict[str, Any]) -> State:
    """The state that was pickled, as its dump and the book that goes with it."""
    return book.restore(data)
