"""The table: people and bots around one game, in one terminal or from a script.

It decides whom to ask next, lets bots answer, gives the screen from one person to the next without showing anything
of the former's, and keeps the game safe (saves, interruptions). Questions are put by :mod:`rulebook.terminal.prompt`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from rich.rule import Rule
from rich.text import Text

from kernel import GameError, IllegalAction
from rulebook.bots import Bot, Seat
from rulebook.diagnostics import visible
from rulebook.records import Act, Step
from rulebook.scores import scores
from rulebook.sessions import Session, is_fault, reported
from rulebook.terminal import screen
from rulebook.terminal.choices import Choices
from rulebook.terminal.glass import EVERYTHING, Glass
from rulebook.terminal.lines import EndOfLines, Lines
from rulebook.terminal.names import Names, capital
from rulebook.terminal.prompt import Prompt, Quit, TakenBack, passing_of

if TYPE_CHECKING:
    from rich.console import Console

RECALLED = 8
"""So many lines of what happened are shown when a game is taken up again."""


class Keeper(Protocol):
    """Where the game is saved."""

    def keep(self, session: Session) -> None:
        """Save to the file that was asked for, if one was."""
        ...

    def save_as(self, session: Session, name: str) -> str:
        """Save to a file that the person names; what to tell them."""
        ...


class Table:
    """A game between people and bots. `bots` says which places are bots'; all others are people's."""

    def __init__(
        self, session: Session, bots: Mapping[int, Bot], names: Names, out: Console, lines: Lines, keeper: Keeper
    ) -> None:
        self.session = session
        self.bots = dict(bots)
        self.names = names
        self.out = out
        self.lines = lines
        self.keeper = keeper
        self.people = [player for player in range(session.state.players) if player not in self.bots]
        self.glasses: dict[int | None, Glass] = {}
        self.viewer: int | None = self.people[0] if len(self.people) == 1 else None if self.people else EVERYTHING
        self._tried: Step | None = None
        self._offered = -1
        self._just_told = False  # the one who looks was told a secret after their last answer
        self._now_cards = _has_now(session)

    # -- what prompts need ---------------------------------------------------------------------------------------------

    @property
    def scripted(self) -> bool:
        """Whether lines come from a script."""
        return not self.lines.interactive

    @property
    def shared(self) -> bool:
        """Whether several people share this terminal, so that the screen goes from hand to hand."""
        return len(self.people) > 1

    def ask(self, prompt: str) -> str:
        """Show a prompt and read a line. Raises :class:`Quit` where nothing more comes."""
        if not self.scripted:
            self.out.print(Text(prompt, style="bold"), end="")
        try:
            line = self.lines.read()
        except EndOfLines:
            if not self.scripted:
                self.out.print()
            raise Quit from None
        if self.scripted:
            self.out.print(Text(f"{prompt}{visible(line)}", style="bold"))
        return line

    def save_as(self, name: str) -> str:
        """Save the game to a file that the person names."""
        return self.keeper.save_as(self.session, name)

    def undo(self) -> str | None:
        """Take back the last decision of the person who is asked, with all that came after it; the reason where that
        cannot be done.
        """
        steps = self.session.steps
        own = [at for at, step in enumerate(steps) if isinstance(step, Act) and step.player == self.viewer]
        if not own:
            return "You have decided nothing yet that could be taken back."
        try:
            self.session.undo(len(steps) - own[-1])
        except IllegalAction:
            return "Something has been disclosed since your last decision (a card, a place, chance): it stands."
        for glass in self.glasses.values():
            glass.since = min(glass.since, self.session.state.version)
        self._offered = -1
        self._just_told = False
        self.keeper.keep(self.session)
        return None

    # -- the game ------------------------------------------------------------------------------------------------------

    def play(self) -> bool:
        """Play until the game is over (True) or somebody leaves it (False)."""
        state = self.session.state
        self._begin()
        try:
            with reported(self.session, lambda: self._tried):
                while not state.over:
                    self._turn()
        except Quit:
            return False
        finally:
            self.keeper.keep(self.session)
            if self.shared and not self.scripted:
                self._clear()
        self._finish()
        return True

    def _begin(self) -> None:
        glass = self.glass(self.viewer)
        if self.shared and not self.scripted:
            return
        recalled = list(Glass(self.names, self.viewer).lines(self.session.state)) if self.session.steps else []
        for line in recalled[-RECALLED:]:
            self.out.print(screen.log_line(line))
        if self.scripted or not self.people:
            self.out.print(screen.status(glass.view(self.session.state), glass.names, self._roles()))

    def _turn(self) -> None:
        """Let whoever has to answer do so: bots first, since they take no time."""
        waiting = self.session.state.waiting.players
        bots = [player for player in waiting if player in self.bots]
        if not bots:
            self._question(self.viewer if self.viewer in waiting else waiting[0])
            return
        if self._now_cards and self.session.state.asked == "move":
            self._offer(bots[0])
        if self.session.state.waiting.players == waiting:
            action = self.bots[bots[0]].choose(Seat(self.session.state, bots[0]))
            self._apply(bots[0], str(action))
            if not self.shared or self.scripted:
                self.tell()

    def _apply(self, player: int, action: str) -> None:
        self._tried = Act(player, action)
        self.session.apply(player, action)
        self._tried = None

    def _attempt(self, player: int, action: str) -> str | None:
        """Do what a person typed; the reason if it is refused."""
        try:
            self._apply(player, action)
        except GameError as error:
            if is_fault(error):
                raise
            self._tried = None
            return f"{error.message} [{error.code}]" if self.scripted else error.message
        self.keeper.keep(self.session)
        return None

    # -- questions -----------------------------------------------------------------------------------------------------

    def _question(self, player: int) -> None:
        """Ask a person, who gets the screen first."""
        self._hand_over(player)
        self.tell()
        self._just_told = False
        state, glass = self.session.state, self.glass(player)
        view = glass.view(state)
        choices = Choices(state.legal(player), glass.names, view.get("ask"))
        if not self.scripted:
            self.out.print()
            if choices.ask.get("kind") == "move" or self.shared:
                self.out.print(screen.status(view, glass.names, self._roles()))
            else:
                for name, text in screen.own_zones(view, glass.names):
                    self.out.print(Text.assemble((f"{name}  ", "dim"), text))
            self.out.print(screen.question(view, glass.names, choices))
        prompt = Prompt(self, state, glass, choices, passing_of(choices))
        self._put(prompt, player)

    def _put(self, prompt: Prompt, player: int) -> None:
        """Let a person answer, or take back what they decided before."""
        try:
            prompt.answer(lambda action: self._attempt(player, action))
        except TakenBack:
            self.out.print(Text("Taken back.", style="yellow"))
            return
        self._just_told = prompt.glass.has_secrets(self.session.state)
        self.tell()

    def _offer(self, mover: int) -> None:
        """Before a bot moves, people may play cards that can be played now. Asked once for each moment, and whoever
        could hold such a card is asked in the same way.
        """
        state = self.session.state
        if self.scripted or self._offered == state.version or not self.people:
            return
        self._offered = state.version
        if not self.shared:
            if state.legal(self.people[0]):
                self._interject(self.people[0], mover)
            return
        self._take_away("everybody")
        self.out.print(Text(f"{capital(self.names.player(mover))} is about to move."))
        while True:
            line = self.ask("Enter goes on; who wants to play a card now types the number of their place: ")
            if not line:
                return
            if line.isdecimal() and int(line) in self.people:
                self._hand_over(int(line))
                self._interject(int(line), mover)
                return

    def _interject(self, player: int, mover: int) -> None:
        state, glass = self.session.state, self.glass(player)
        choices = Choices(state.legal(player), glass.names)
        if not choices.actions:
            self.ask("You have no card that can be played now. Enter goes on. ")
            return
        self.out.print(
            Text(f"\n{capital(glass.names.player(mover))} is about to move. You may play now (Enter: nothing):")
        )
        prompt = Prompt(self, state, glass, choices, optional=True)
        self._put(prompt, player)

    # -- the screen ----------------------------------------------------------------------------------------------------

    def glass(self, viewer: int | None) -> Glass:
        """What a viewer sees of this game; made when it is first looked through, with all that was before taken as
        read.
        """
        if viewer not in self.glasses:
            self.glasses[viewer] = Glass(self.names, viewer)
            self.glasses[viewer].skip(self.session.state)
        return self.glasses[viewer]

    def tell(self) -> None:
        """Print what is new for the one who looks."""
        state, glass = self.session.state, self.glass(self.viewer)
        lines = list(glass.lines(state))
        if lines and lines[-1].kind == "turn" and not self.scripted and self.viewer in state.waiting.players:
            lines.pop()  # the table that is shown next says so too
        for line in lines:
            # Only the last turn of several that passed at once is the one that the piles are as high as now.
            current = line.kind == "turn" and not any(later.kind == "turn" and later.n > line.n for later in lines)
            aside = screen.heights(glass.view(state), glass.names) if current else ""
            self.out.print(screen.log_line(line, aside))

    def _hand_over(self, player: int) -> None:
        """Give the screen to another person: nothing of the former's is left on it."""
        if not self.shared or self.viewer == player:
            return
        for person in self.people:
            self.glass(person)
        name = capital(self.names.seen_by(None).player(player))
        if self.scripted:
            self.viewer = player
            self.out.print(Rule(Text(name)))
            return
        self._take_away(name)
        self.ask(f"{name} is asked. Enter when nobody else looks. ")
        self._clear()
        self.viewer = player

    def _take_away(self, name: str) -> None:
        """Clear the screen for somebody else; who was told a secret (what they have drawn) may read it first."""
        former, self.viewer = self.viewer, None
        if former is not None and (self._just_told or self.glass(former).has_secrets(self.session.state)):
            self.viewer = former
            self.tell()
            self.ask(f"Enter clears the screen for {name}. ")
            self.viewer = None
        self._just_told = False
        self._clear()

    def _clear(self) -> None:
        """Nothing stays on the screen or above it. A terminal that cannot clear gets empty lines."""
        if self.out.is_dumb_terminal or not self.out.is_terminal:
            self.out.print("\n" * 100)
        else:
            self.out.file.write("\x1b[H\x1b[2J\x1b[3J")
            self.out.file.flush()

    def _finish(self) -> None:
        state = self.session.state
        viewer = None if self.shared else self.viewer
        self.viewer = viewer
        if not self.shared or self.scripted:
            self.tell()
        else:
            for line in list(Glass(self.names, None).lines(state))[-RECALLED:]:
                self.out.print(screen.log_line(line))
        self.out.print()
        names = self.glass(viewer).names
        self.out.print(screen.status(self.glass(viewer).view(state), names, self._roles()))
        points = scores(state)
        if points:
            self.out.print(screen.score_line(points, names))

    def _roles(self) -> list[str]:
        return [place.bot or "" for place in self.session.header.places]


def _has_now(session: Session) -> bool:
    """Whether the book has anything that is played between actions, by whoever likes."""
    data = session.book.data
    plays = [play for kind in data["kinds"] for play in kind["plays"]]
    return any(play["at"] == "now" for play in [*plays, *data["moves"]])
