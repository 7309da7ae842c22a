"""The same games in other libraries, so that one run can tell how fast each plays on this machine.

OpenSpiel and RLCard are looked for when they are asked for and are no requirement of rulebook. A game is found there by
its id (`gin_rummy`, in RLCard `gin-rummy`); nothing here knows which games there are. What they play differs in detail:
one deal and not many, a fixed number of players, other house rules.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module, metadata
from random import Random
from typing import Any

from rulebook.speed import Contestant


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A game of another library: who made it, for how many players it is loaded, and random play of it."""

    library: str
    players: int
    play: Contestant


@dataclass(frozen=True, slots=True)
class Library:
    """Another library: its title, the distribution that brings it, and how it finds a game for so many players."""

    title: str
    distribution: str
    module: str
    find: Callable[[Any, str, int], Elsewhere | None]

    @property
    def version(self) -> str | None:
        """The version that is installed; None where it is not."""
        try:
            return metadata.version(self.distribution)
        except metadata.PackageNotFoundError:
            return None

    def game(self, name: str, players: int) -> Elsewhere | None:
        """The library's game of that name, for so many players if it can; None where it has none or is not there."""
        if self.version is None:
            return None
        return self.find(import_module(self.module), name, players)


def _open_spiel(pyspiel: Any, name: str, players: int) -> Elsewhere | None:
    if name not in {game.short_name for game in pyspiel.registered_games()}:
        return None
    game = pyspiel.load_game(name)
    if "players" in game.get_parameters():
        game = pyspiel.load_game(name, {"players": players})

    def play(seed: int) -> int:
        chance = Random(seed)
        state = game.new_initial_state()
        decisions = 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(chance.choices(outcomes, weights)[0])
                continue
            legal = state.legal_actions()
            decisions += len(legal) > 1
            state.apply_action(legal[int(chance.random() * len(legal))])
        return decisions

    return Elsewhere("OpenSpiel", game.num_players(), play)


def _rlcard(rlcard: Any, name: str, players: int) -> Elsewhere | None:
    try:
        environment = rlcard.make(name.replace("_", "-"), config={"seed": 0})
    except ValueError:
        return None

    def play(seed: int) -> int:
        chance = Random(seed)
        environment.seed(seed)
        state, _ = environment.reset()
        decisions = 0
        while not environment.is_over():
            legal = list(state["legal_actions"])
            decisions += len(legal) > 1
            state, _ = environment.step(legal[int(chance.random() * len(legal))])
        return decisions

    return Elsewhere("RLCard", environment.num_players, play)


LIBRARIES = (
    Library("OpenSpiel", "open_spiel", "pyspiel", _open_spiel),
    Library("RLCard", "rlcard", "rlcard", _rlcard),
)
