"""Playing a ruling: how its steps are taken, who lets what pass meanwhile, and what it means that a step must be
refused.

A ruling names only what matters. A step that is legal as things stand is taken so; otherwise the way is cleared:
everybody passes, window after window, and a pick that has a single answer is answered, until the step is legal or
nothing is left to clear. Who is to make a move is never pushed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kernel import AmbiguousAction, EngineError, GameError, IllegalAction, InvalidAction
from rulebook.rulings.model import EVERYBODY, Act, Attempt, Step

if TYPE_CHECKING:
    from kernel import State

MAX_CLEARED = 1000
"""Windows and picks that are cleared for one step; more means that the game goes round in circles."""
MAX_LEGAL = 12
"""Legal actions that are named where a step is refused."""

PASS = "pass"
CHANCE = "chance"
"""The code of the error that the values of `chance:` cannot be."""


class Refused(Exception):
    """A step that cannot be taken, with the lines that say why."""

    def __init__(self, message: str, details: Sequence[str]) -> None:
        super().__init__(message)
        self.message = message
        self.details = tuple(details)


class Table:
    """A state and those who sit around it. `journal` tells everything that was done, also what no step names."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.journal: list[str] = []

    # -- steps ---------------------------------------------------------------------------------------------------------

    def act(self, attempt: Attempt) -> None:
        """Take an action, now or after the way was cleared. Raises :class:`Refused`, and whatever breaks the game."""
        first: GameError | None = None
        while True:
            try:
                self.state.apply(attempt.player, attempt.action)
                break
            except (IllegalAction, InvalidAction) as error:
                if error.code == CHANCE:
                    raise
                first = first or error
                if not self.clear():
                    raise self._refused(attempt, first, error) from None
        self.journal.append(f"{attempt.player}: {attempt.action}")

    def pass_all(self) -> None:
        """Close the window that is open (if there is one) by everybody's pass."""
        while self.state.asked == "pick" and self.clear():
            pass
        if self.state.asked == "window":
            self.clear()

    def close(self, player: int) -> None:
        """The host's clock runs out, for everybody asked or for one player."""
        self.state.close(None if player == EVERYBODY else player)
        self.journal.append("close" if player == EVERYBODY else f"close: {player}")

    def leave(self, player: int) -> None:
        """A player is gone."""
        self.state.leave(player)
        self.journal.append(f"{player}: leave")

    def settle(self, ahead: Sequence[Step] = ()) -> None:
        """Clear the way as far as it goes; answers that the steps `ahead` are about to give are left to them."""
        while self.clear(self.about_to_answer(ahead)):
            pass

    def accepts(self, attempt: Attempt, ahead: Sequence[Step], *, now: bool) -> str | None:
        """When an action that should be refused is taken instead: in words, else None. Tried on copies, as things stand
        and (unless `now`) after everybody has let things pass."""
        if self._takes(attempt):
            return "as things stand"
        if now:
            return None
        later = Table(self.state.copy())
        later.settle(ahead)
        if not later.journal:
            return None
        return "after everybody has passed" if later._takes(attempt) else None

    # -- clearing the way ----------------------------------------------------------------------------------------------

    def clear(self, keep: frozenset[int] = frozenset()) -> bool:
        """One window passed by everybody, or the answers without alternative of one pick but those of `keep`. Whether
        there was something to clear."""
        state = self.state
        if len(self.journal) > MAX_CLEARED:
            return False
        if state.asked == "window":
            for player in state.waiting.players:
                state.apply(player, PASS)
            self.journal.append("everybody passes")
            return True
        answered = False
        if state.asked == "pick":
            for player in state.waiting.players:
                legal = state.legal(player)
                if player not in keep and len(legal) == 1:
                    action = str(legal[0])
                    state.apply(player, action)
                    self.journal.append(f"{player}: {action} (no alternative)")
                    answered = True
        return answered

    def about_to_answer(self, ahead: Sequence[Step]) -> frozenset[int]:
        """The players whose answers to the open pick are the next actions that the ruling names."""
        players: set[int] = set()
        for step in ahead if self.state.asked == "pick" else ():
            if isinstance(step, Act):
                if step.attempt.player not in self.state.waiting.players or not self._takes(step.attempt):
                    break
                players.add(step.attempt.player)
        return frozenset(players)

    def _takes(self, attempt: Attempt) -> bool:
        """Whether the action is legal as things stand (also where several fit it). Nothing changes."""
        tried = self.state.copy()
        try:
            tried.apply(attempt.player, attempt.action)
        except AmbiguousAction:
            return False  # refused as it stands: it does not say what is announced with it
        except (IllegalAction, InvalidAction) as error:
            if tried.digest != self.state.digest:
                raise EngineError(f"`{attempt.action}` is refused and yet changes the state") from error
            return error.code == CHANCE
        return True

    # -- words ---------------------------------------------------------------------------------------------------------

    def _refused(self, attempt: Attempt, first: GameError | None, last: GameError) -> Refused:
        details = []
        if first is not None and first.message != last.message:
            details.append(f"as things stood: {first.code}: {first.message}")
            details.append(f"after everybody passed: {last.code}: {last.message}")
        else:
            details.append(f"{last.code}: {last.message}")
        details += self.legal_lines(attempt.player)
        return Refused(f"`{attempt.player}: {attempt.action}` is refused", details)

    def legal_lines(self, player: int) -> list[str]:
        """What the player may do now, and who is asked for what."""
        legal = self.state.legal(player)
        shown = [str(legal[i]) for i in range(min(len(legal), MAX_LEGAL))]
        more = f" … {len(legal) - MAX_LEGAL} more" if len(legal) > MAX_LEGAL else ""
        lines = [f"legal for player {player}: {' · '.join(shown) or 'nothing'}{more}"]
        asked = ", ".join(map(str, self.state.waiting.players))
        return [*lines, f"asked ({self.state.asked}): {asked}" if asked else "nobody is asked: the game is over"]
