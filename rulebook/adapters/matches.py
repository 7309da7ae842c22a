"""A game played by action ids: whose turn it is to give one, which are legal, what they come to, and what is won.

The adapters share this; it needs none of their libraries. Several players may be asked at the same moment; the lowest
of them goes first, and what others cannot see of an answer (a pass, a secret choice) stays unseen until all are in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from kernel import ActionTable, GameError, IllegalAction, SetupError, Spelling

if TYPE_CHECKING:
    from kernel import Rulebook, State
    from rulebook.adapters.observing import Observer

TRIES = 100


class Match:
    """One game in progress, by ids. `last` is the last action that was carried out, as (player, text)."""

    def __init__(self, table: ActionTable, observer: Observer, state: State) -> None:
        self.table = table
        self.observer = observer
        self.state = state
        self.last: tuple[int, str] | None = None
        self.first: int | None = None  # goes before others who are asked as well, once
        self._spellings: dict[int, Spelling] = {}

    @classmethod
    def begin(cls, table: ActionTable, observer: Observer, seed: int, ask: str = "settled") -> Match:
        """A new game. Raises `kernel.SetupError` where there is none for so many players."""
        return cls(table, observer, table.book.new(players=observer.players, seed=seed, ask=ask))

    @classmethod
    def begin_undecided(
        cls, table: ActionTable, observer: Observer, seeds: Callable[[], int], ask: str, ready: Callable[[Match], None]
    ) -> Match:
        """A new game in which something is asked once it is `ready` (bots may have moved first).

        Seeds are tried until there is one. Raises `kernel.SetupError` where 100 games were over before that.
        """
        for _ in range(TRIES):
            match = cls.begin(table, observer, seeds(), ask)
            ready(match)
            if not match.over:
                return match
        hint = "; with ask='all' it may be" if ask == "settled" else ""
        raise SetupError(f"{table.book.title} is over before anything is asked{hint}", "undecided")

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.state.over

    @property
    def player(self) -> int | None:
        """Who gives the next id; None when the game is over."""
        waiting = self.state.waiting.players
        return self.first if self.first in waiting else waiting[0] if waiting else None

    def legal(self, player: int | None = None) -> list[int]:
        """The ids that this player (None: who is next) may give now, ascending; [] for one who is not asked."""
        who = self.player if player is None else player
        if who is None or who not in self.state.waiting.players:
            return []
        return self.spelling(who).ids

    def spelling(self, player: int) -> Spelling:
        """What a player who is asked is spelling."""
        found = self._spellings.get(player)
        if found is None:
            found = Spelling(self.table, self.state, player)
            self._spellings[player] = found
        return found

    def given(self, player: int) -> list[int]:
        """The ids that a player has given for an action that is not complete."""
        found = self._spellings.get(player)
        return [] if found is None else list(found.given)

    def step(self, id: int, player: int | None = None) -> bool:
        """A player who is asked (None: who is next) gives an id. Whether an action was complete and carried out.

        Raises `kernel.IllegalAction` or `InvalidAction`; then nothing has changed.
        """
        who = self.player if player is None else player
        if who is None:
            raise IllegalAction("the game is over", "over")
        if who not in self.state.waiting.players:
            raise IllegalAction(f"player {who} is not asked for anything now", "not_asked")
        action = self.spelling(who).take(id)
        if action is None:
            return False
        self.last = (who, action.text)
        self._act(who, lambda: self.state.apply(who, action))
        return True

    def time_out(self, player: int | None = None) -> None:
        """A player who is asked takes the documented default, as if time had run out; what was spelt is forgotten."""
        who = self.player if player is None else player
        if who is None:
            raise IllegalAction("the game is over", "over")
        self.last = (who, "")
        self._act(who, lambda: self.state.close(who))

    def _act(self, player: int, do: Callable[[], None]) -> None:
        question = (self.state.asked, self.state.ask_since)
        do()
        self.first = None
        begun = {p: spelling.given for p, spelling in self._spellings.items() if p != player}
        self._spellings = {}
        # What others have begun to spell stands as long as their question does.
        if question == (self.state.asked, self.state.ask_since):
            for other in self.state.waiting.players:
                self._spell_again(other, begun.get(other, ()))

    def _spell_again(self, player: int, ids: Sequence[int]) -> None:
        try:
            for id in ids:
                self.spelling(player).take(id)
        except GameError:
            self._spellings.pop(player, None)

    def observe(self, player: int) -> list[float]:
        """The observation of a player, whether asked or not."""
        spelling = self._spellings.get(player)
        return self.observer.observe(self.state.view(player), () if spelling is None else spelling.taken)

    def returns(self) -> list[float]:
        """What each player has won: see :func:`returns`."""
        return returns(self.observer.players, self.state.winners if self.state.over else ())

    def copy(self) -> Match:
        """An independent copy."""
        other = Match(self.table, self.observer, self.state.copy())
        other.last = self.last
        other.first = self.first
        for player, spelling in self._spellings.items():
            other._spell_again(player, spelling.given)
        return other

    def __deepcopy__(self, _memo: dict[int, Any]) -> Match:
        return self.copy()


def returns(players: int, winners: tuple[int, ...]) -> list[float]:
    """The pot: everybody pays 1, the winners share what all have paid. Nobody or everybody: nothing changes hands.

    The sum is 0; values lie between -1 and `players - 1`.
    """
    if not winners or len(winners) == players:
        return [0.0] * players
    share = players / len(winners) - 1
    return [share if p in winners else -1.0 for p in range(players)]


def prepare(book: Rulebook | str, players: int | None = None) -> tuple[ActionTable, Observer]:
    """The table and the observer for a book (or a game by its name); `players` left out: the fewest that can play.

    Raises `rulebook.PackError` for an unknown game, `kernel.SetupError` where so many cannot play.
    """
    import rulebook
    from rulebook.adapters.observing import Observer

    book = rulebook.load(book) if isinstance(book, str) else book
    table = ActionTable(book)
    numbers = range(book.players_min, book.players_max + 1) if players is None else [players]
    for number in numbers:
        try:
            book.new(players=number, seed=0)
        except SetupError:
            if number == numbers[-1]:
                raise
        else:
            return table, Observer(book, number, table)
    raise SetupError(f"{book.title} is for no number of players", "players")
