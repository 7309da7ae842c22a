"""Running one ruling against the kernel, from its position to what its players see at the end."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from kernel import CardError, EngineError, GameError, SetupError
from kernel.dealing import new_game
from rulebook.diagnostics import Diagnostics, Span, did_you_mean
from rulebook.rulings import codes
from rulebook.rulings.books import Books, Loaded
from rulebook.rulings.coverage import Line
from rulebook.rulings.model import (
    Act,
    Attempt,
    Close,
    Expect,
    Expression,
    Leave,
    Look,
    PassAll,
    Refuse,
    Ruling,
    Sees,
    Step,
)
from rulebook.rulings.outcomes import Failure, Outcome
from rulebook.rulings.stepping import CHANCE, Refused, Table

if TYPE_CHECKING:
    from kernel import State

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class _Failed(Exception):
    """A ruling that does not hold."""

    def __init__(self, message: str, span: Span, details: Iterable[str] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.span = span
        self.details = tuple(details)


def check_ruling(ruling: Ruling, books: Books, diagnostics: Diagnostics) -> Loaded | None:
    """Load the book of a ruling, compile every condition, and look for actions under `illegal` that no game could take.
    None where something is wrong, which goes to the diagnostics."""
    found = Diagnostics()
    loaded = books.find(ruling, found)
    if loaded is not None:
        _check(ruling, loaded, found)
    diagnostics.extend(found)
    return None if found.errors else loaded


def run_ruling(ruling: Ruling, books: Books, diagnostics: Diagnostics, covered: set[Line] | None = None) -> Outcome:
    """Run a ruling. What is wrong with the ruling itself goes to the diagnostics and makes it faulty; everything else
    that goes wrong is its failure. `covered` gathers the lines of the rules that ran."""
    loaded = check_ruling(ruling, books, diagnostics)
    if loaded is None:
        return Outcome(ruling, faulty=True)
    try:
        state = _start(ruling, loaded, covered)
    except _Failed as failed:
        return Outcome(ruling, Failure(failed.message, failed.span, failed.details))
    state.coverage = covered
    run = _Run(ruling, loaded, Table(state))
    failure = run.failure()
    return Outcome(ruling, failure, journal=tuple(run.table.journal))


def _check(ruling: Ruling, loaded: Loaded, diagnostics: Diagnostics) -> None:
    for expression in ruling.then:
        loaded.conditions.compile(expression, diagnostics)
    for step in ruling.steps:
        if isinstance(step, Expect):
            for expression in step.conditions:
                loaded.conditions.compile(expression, diagnostics)
        elif isinstance(step, Refuse):
            for attempt in step.attempts:
                _check_attempt(attempt, step.span, loaded, diagnostics)


def _check_attempt(attempt: Attempt, span: Span, loaded: Loaded, diagnostics: Diagnostics) -> None:
    """An action that this game has no word for is refused whatever the rules say."""
    words = attempt.action.split()
    kinds = [kind.id for kind in loaded.book.kinds]
    unknown, known = "", loaded.first_words
    if words[0] not in known:
        unknown = words[0]
    elif words[0] == "play" and len(words) > 1:
        match = _WORD.match(words[1])
        card = match.group() if match else words[1]
        if card not in kinds and card != "random":
            unknown, known = card, frozenset(kinds)
    if unknown:
        message = f"`{attempt.action}` is no action of this game: it knows no `{unknown}`"
        diagnostics.warning(codes.NO_ACTION, message, span, did_you_mean(unknown, sorted(known)))


def _start(ruling: Ruling, loaded: Loaded, covered: set[Line] | None) -> State:
    """The position that is given, or the game's own set-up."""
    try:
        if ruling.given is None:
            state = new_game(loaded.book, ruling.players, ruling.seed, "all", coverage=covered)
        else:
            state = loaded.book.position(players=ruling.players, given=ruling.given, seed=ruling.seed, ask="all")
    except SetupError as error:
        key = "players" if error.code == "players" else "given"
        raise _Failed(f"the game cannot begin so: {error.message}", ruling.part(key)) from error
    except GameError as error:
        raise _Failed(f"the game breaks in its set-up: {error.message}", ruling.part("given")) from error
    if ruling.chance:
        state.set_chance(ruling.chance)
    return state


class _Run:
    """One ruling on its way."""

    def __init__(self, ruling: Ruling, loaded: Loaded, table: Table) -> None:
        self.ruling = ruling
        self.conditions = loaded.conditions
        self.table = table

    def failure(self) -> Failure | None:
        """Take all steps and look at the end; None where everything holds."""
        ruling = self.ruling
        span = ruling.span
        try:
            for number, step in enumerate(ruling.steps):
                span = step.span
                self.step(step, ruling.steps[number + 1 :])
            span = ruling.part("then")
            self.end()
        except _Failed as failed:
            return self.failed(failed.message, failed.span, failed.details)
        except Refused as refused:
            return self.failed(refused.message, span, refused.details)
        except GameError as error:
            return self.failed(_broken(error), span, [])
        return None

    def failed(self, message: str, span: Span, details: Sequence[str]) -> Failure:
        state = self.table.state
        return Failure(message, span, tuple(details), state.describe(), tuple(self.table.journal))

    def step(self, step: Step, ahead: Sequence[Step]) -> None:
        table = self.table
        match step:
            case Act(attempt):
                table.act(attempt)
            case PassAll():
                table.pass_all()
            case Close(player):
                table.close(player)
            case Leave(player):
                table.leave(player)
            case Refuse(attempts, now):
                for attempt in attempts:
                    when = table.accepts(attempt, ahead, now=now)
                    if when is not None:
                        message = f"`{attempt.player}: {attempt.action}` should be refused, but is legal {when}"
                        raise _Failed(message, step.span, table.legal_lines(attempt.player))
            case Expect(conditions, during):
                if not during:
                    table.settle(ahead)
                for condition in conditions:
                    self.hold(condition, "during" if during else "expect")
            case Look(sights):
                self.look(sights)

    def end(self) -> None:
        """What holds when everybody has let everything pass, what is seen then, and that chance had its way."""
        ruling, table = self.ruling, self.table
        table.settle()
        for condition in ruling.then:
            self.hold(condition, "then")
        self.look(ruling.sees)
        left = table.state.chance_left
        if left:
            shown = ", ".join(ruling.chance[len(ruling.chance) - left :])
            message = f"chance was asked less often than the ruling says: left over is {shown}"
            raise _Failed(message, ruling.part("chance"))

    def hold(self, condition: Expression, word: str) -> None:
        state = self.table.state
        try:
            holds = self.conditions.holds(condition, state)
        except CardError as error:
            parts = self.parts(condition)
            raise _Failed(f"{word}: {condition.text} — has no value: {error.message}", condition.span, parts) from error
        if not holds:
            raise _Failed(f"{word}: {condition.text} — does not hold", condition.span, self.parts(condition))

    def parts(self, condition: Expression) -> list[str]:
        parts = self.conditions.parts(condition, self.table.state)
        width = max((2 * part.depth + len(part.text) for part in parts if len(part.text) <= 60), default=0)
        return [f"{'  ' * part.depth}{part.text}".ljust(width) + f" = {part.value}" for part in parts]

    def look(self, sights: Sequence[Sees]) -> None:
        ordered = {zone["name"]: zone["order"] for zone in self.conditions.book.data["zones"]}
        views: dict[int, dict[str, Any]] = {}
        for sight in sights:
            if sight.zone not in ordered:
                hint = did_you_mean(sight.zone, ordered)
                raise _Failed(f"there is no zone `{sight.zone}` to look at", sight.span, [hint] if hint else [])
            zones = views.setdefault(sight.player, self.table.state.view(sight.player)["zones"])
            zone = zones[sight.zone]
            if isinstance(zone, dict):
                zone = zone[str(sight.player if sight.of is None else sight.of)]
            elif sight.of is not None:
                raise _Failed(f"`{sight.zone}` is nobody's zone: leave out `of`", sight.span)
            arrange: Callable[[Iterable[str]], list[str]] = list if ordered[sight.zone] else sorted
            seen, wanted = arrange(zone), arrange(map(_spaceless, sight.cards))
            if list(map(_spaceless, seen)) != wanted:
                whose = "" if sight.of is None else f" of player {sight.of}"
                message = f"sees: player {sight.player} sees something else in {sight.zone}{whose}"
                shown = [f"wanted: [{', '.join(wanted)}]", f"seen:   [{', '.join(seen)}]"]
                raise _Failed(message, sight.span, shown)


def _spaceless(card: str) -> str:
    """`a(b, c)` and `a(b,c)` are the same card."""
    return card.replace(" ", "")


def _broken(error: GameError) -> str:
    if error.code == CHANCE:
        return f"chance: {error.message}"
    if isinstance(error, EngineError):
        return f"the kernel failed here: {error.message}"
    if isinstance(error, CardError):
        return f"the rules break here: {error.message}"
    return f"{error.code}: {error.message}"
