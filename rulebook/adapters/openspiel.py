"""OpenSpiel: every game as a Python game called `python_rulebook`.

`pyspiel.load_game("python_rulebook", {"game": "kittens", "players": 3})` once this module is imported. Chance is
explicit: at the beginning it draws the seed of the game, byte by byte. Everything after follows from the seed and the
actions, so a history is the whole game, and there are 16,777,216 games.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from rulebook.adapters import need

need("pyspiel", "openspiel")

import numpy as np  # noqa: E402
import pyspiel  # noqa: E402

from kernel import Rulebook  # noqa: E402
from rulebook.adapters.matches import Match, prepare, returns  # noqa: E402

SHORT_NAME = "python_rulebook"
BYTES = 3
OUTCOMES = 256
MAX_PLAYERS = 64

PARAMETERS = {"game": "kittens", "packs": "", "preset": "", "options": "", "players": 0, "ask": "settled"}

GAME_TYPE = pyspiel.GameType(
    short_name=SHORT_NAME,
    long_name="Card games of rulebook",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=MAX_PLAYERS,
    min_num_players=1,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    provides_factored_observation_string=False,
    default_loadable=True,
    parameter_specification=PARAMETERS,
)


class Start:
    """What all states of a game share: its table of ids, its observer, and whom it asks."""

    def __init__(self, params: tuple[tuple[str, Any], ...]) -> None:
        self.params = params
        given = dict(params)
        self.table, self.observer = prepare(book_of(given), given["players"] or None)
        self.players = self.observer.players
        self.ask: str = given["ask"]


@lru_cache(maxsize=64)
def start_of(params: tuple[tuple[str, Any], ...]) -> Start:
    """What the parameters stand for. Kept, as every state that is read back from text asks for it again."""
    return Start(params)


def book_of(params: dict[str, Any]) -> Rulebook:
    """The book that parameters name. Names in `packs` stand with `+` between them, options as `name:value+name:value`.

    Raises what :func:`rulebook.load` raises.
    """
    import rulebook
    from rulebook.commands.choosing import option_value

    pairs = [pair.partition(":") for pair in params["options"].split("+") if pair]
    return rulebook.load(
        params["game"],
        packs=params["packs"].split("+") if params["packs"] else None,
        preset=params["preset"] or None,
        options={name: option_value(value) for name, _, value in pairs},
    )


class Course:
    """How a game went: the bytes of its seed, then ids. `match` is None until the seed is complete.

    It is copied and written as OpenSpiel does with attributes of states; written, it is its parameters and its course.
    """

    def __init__(self, start: Start) -> None:
        self.start = start
        self.drawn: list[int] = []
        self.ids: list[int] = []
        self.match: Match | None = None

    def step(self, action: int) -> None:
        """Chance gives a byte, or a player an id."""
        if self.match is not None:
            self.match.step(action)
            self.ids.append(action)
            return
        self.drawn.append(action)
        if len(self.drawn) == BYTES:
            seed = int.from_bytes(bytes(self.drawn), "big")
            self.match = Match.begin(self.start.table, self.start.observer, seed, self.start.ask)

    @classmethod
    def guessed(cls, real: Course, player: int, seed: int) -> Course:
        """A course that this player, who is asked, cannot tell from the real one; it has no seed that could be told."""
        assert real.match is not None
        course = cls(real.start)
        course.match = Match(real.start.table, real.start.observer, real.match.state.determinize(player, seed))
        course.match.first = player  # whether others are asked as well is not known, and may differ
        for id in real.match.given(player):
            course.match.step(id, player)
        return course

    def __deepcopy__(self, _memo: dict[int, Any]) -> Course:
        other = Course(self.start)
        other.drawn = list(self.drawn)
        other.ids = list(self.ids)
        other.match = None if self.match is None else self.match.copy()
        return other

    def __reduce__(self) -> tuple[Any, ...]:
        if self.match is not None and not self.drawn:
            raise TypeError("a resampled state has no history of its own and cannot be written")
        return course_again, (self.start.params, tuple(self.drawn), tuple(self.ids))


def course_again(params: tuple[tuple[str, Any], ...], drawn: tuple[int, ...], ids: tuple[int, ...]) -> Course:
    """A course that was written, played again."""
    course = Course(start_of(params))
    for action in (*drawn, *ids):
        course.step(action)
    return course


class RulebookGame(pyspiel.Game):  # type: ignore[misc,unused-ignore]
    """One book for one number of players (`players`; 0: the fewest that can play)."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        self.start = start_of(tuple(sorted({**PARAMETERS, **(params or {})}.items())))
        book = self.start.table.book
        players = self.start.players
        cards = sum(count for _, count, _ in book.deck)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.start.table),
            max_chance_outcomes=OUTCOMES,
            num_players=players,
            min_utility=-1.0,
            max_utility=float(max(players - 1, 0)),
            utility_sum=0.0,
            # Each decision is spelt with its cards and what it announces, and may be answered by everybody with a pass.
            max_game_length=(book.decision_limit + 1) * (cards + 16 + players),
        )
        super().__init__(GAME_TYPE, info, params or {})

    def new_initial_state(self) -> RulebookState:
        """The state before chance has drawn the seed."""
        return RulebookState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> RulebookObserver:
        """What makes observations of states."""
        return RulebookObserver(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


class RulebookState(pyspiel.State):  # type: ignore[misc,unused-ignore]
    """One game in progress."""

    def __init__(self, game: RulebookGame) -> None:
        super().__init__(game)
        self.course = Course(game.start)

    @property
    def match(self) -> Match | None:
        """The game; None until chance has drawn the seed."""
        return self.course.match

    def current_player(self) -> int:
        """Who gives the next id."""
        if self.match is None:
            return int(pyspiel.PlayerId.CHANCE)
        player = self.match.player
        return int(pyspiel.PlayerId.TERMINAL) if player is None else player

    def _legal_actions(self, player: int) -> list[int]:
        return [] if self.match is None or self.match.player != player else self.match.legal(player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The values of the next byte of the seed, all alike."""
        return [(byte, 1 / OUTCOMES) for byte in range(OUTCOMES)]

    def _apply_action(self, action: int) -> None:
        self.course.step(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return f"seed byte {action}" if player == pyspiel.PlayerId.CHANCE else self.course.start.table.names[action]

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.match is not None and self.match.over

    def returns(self) -> list[float]:
        """What everybody has won; zeros before the end."""
        return returns(self.course.start.players, ()) if self.match is None else self.match.returns()

    def __str__(self) -> str:
        if self.match is None:
            return f"seed {self.course.drawn}"
        names = self.course.start.table.names
        spelt = [names[id] for p in range(self.course.start.players) for id in self.match.given(p)]
        return "\n".join([self.match.state.digest, *spelt])


def resampler(seed: int = 0) -> Callable[[RulebookState, int], RulebookState]:
    """A function for `ISMCTSBot.set_resampler`: states that the player, who is to act, cannot tell from the real one.

    They are drawn as `State.determinize` says, and hold nothing of the real game that the player does not know: their
    history is empty, and they cannot be written.
    """
    seeds = random.Random(seed)

    def resample(state: RulebookState, player: int) -> RulebookState:
        found: RulebookState = state.get_game().new_initial_state()
        found.course = Course.guessed(state.course, player, seeds.getrandbits(53))
        return found

    return resample


class RulebookObserver:
    """Observations: the tensor in its named parts (not for perfect recall, which has the text alone), and the text.

    The text for perfect recall is the player's information state, with what is being spelt; otherwise what is seen now.
    Without private information it is the spectator's.
    """

    def __init__(self, game: RulebookGame, iig_obs_type: Any, params: Any) -> None:
        if params:
            raise ValueError(f"there are no parameters of observations here, but these were given: {params}")
        if iig_obs_type.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise ValueError("nobody sees what all players see")
        self._names = game.start.table.names
        self._recall = iig_obs_type.perfect_recall
        self._private = iig_obs_type.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        parts = game.start.observer.parts.values() if self._private and not self._recall else ()
        self.tensor: Any = np.zeros(game.start.observer.size if parts else 0, np.float32)
        self.dict = {p.name: self.tensor[p.start : p.start + p.size].reshape(p.shape) for p in parts}

    def set_from(self, state: RulebookState, player: int) -> None:
        """Fill the tensor with what the player sees; zeros before the game has begun."""
        self.tensor.fill(0)
        if state.match is not None and self.tensor.size:
            self.tensor[:] = state.match.observe(player)

    def string_from(self, state: RulebookState, player: int) -> str:
        """What the player knows or sees, as text."""
        match = state.match
        if match is None:
            return f"player {player}: the game has not begun"
        who = player if self._private else None
        text = match.state.information_state(who).text if self._recall else match.state.observation(who).text
        spelt = [] if who is None else match.given(who)
        return "\n".join([text, *(f"spelt: {self._names[id]}" for id in spelt)])


pyspiel.register_game(GAME_TYPE, RulebookGame)
