"""OpenSpiel: its random simulations and playthroughs, and what its algorithms rely on."""

from __future__ import annotations

import random
from typing import Any

import pytest

pytest.importorskip("pyspiel", reason="open_spiel is not installed; pip install '.[openspiel]'")

import numpy as np
import pyspiel
from open_spiel.python.algorithms import generate_playthrough, ismcts, mcts

import rulebook
from rulebook.adapters import openspiel

GAMES = ("kittens", "court")


def load(game: str, **more: Any) -> Any:
    return pyspiel.load_game(openspiel.SHORT_NAME, {"game": game, **more})


def walk(state: Any, seed: int, steps: int = 10_000) -> Any:
    chance = random.Random(seed)
    while not state.is_terminal() and steps:
        state.apply_action(chance.randrange(256) if state.is_chance_node() else chance.choice(state.legal_actions()))
        steps -= 1
    return state


@pytest.mark.parametrize("game", GAMES)
def test_random_simulations_pass_with_every_state_written_and_read_back(game: str) -> None:
    pyspiel.random_sim_test(load(game, players=3), 1, True, False)


@pytest.mark.parametrize(("game", "options"), [("hearts", "target:1"), ("crazy_eights", ""), ("go_fish", "")])
def test_random_simulations_of_longer_games_pass(game: str, options: str) -> None:
    pyspiel.random_sim_test(load(game, options=options), 1, False, False)


@pytest.mark.parametrize("game", GAMES)
def test_playthroughs_are_made_and_made_again_the_same(game: str) -> None:
    name = f"{openspiel.SHORT_NAME}(game={game},players=2)"
    text = generate_playthrough.playthrough(name, None, seed=3)
    assert "IsTerminal() = True" in text
    ids = [int(line.partition(": ")[2]) for line in text.split("\n") if line.startswith("action: ")]
    assert generate_playthrough.playthrough(name, ids, seed=3) == text


def test_parameters_name_packs_presets_and_options() -> None:
    game = load("kittens", packs="base+imploding", options="hand_size:4+combos:five_different", players=3)
    book = rulebook.load("kittens", packs=["base", "imploding"], options={"hand_size": 4, "combos": "five_different"})
    assert openspiel.start_of(tuple(sorted({**openspiel.PARAMETERS, **game.get_parameters()}.items()))).table.names
    state = walk(game.new_initial_state(), 1, 3)
    assert state.match.state.book.digest == book.digest
    assert state.match.state.players == game.num_players() == 3


def test_a_state_written_as_text_is_the_same_state() -> None:
    game = load("kittens", players=2)
    state = walk(game.new_initial_state(), 4, 12)
    _, again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
    assert str(again) == str(state)
    assert again.history() == state.history()
    for player in range(2):
        assert again.information_state_string(player) == state.information_state_string(player)
        assert again.observation_tensor(player) == state.observation_tensor(player)


def test_a_clone_goes_its_own_way() -> None:
    state = walk(load("court", players=2).new_initial_state(), 2, 9)
    before = str(state)
    assert str(state.clone()) == before
    walk(state.clone(), 3)
    assert str(state) == before


def test_the_tensor_is_the_observation_in_its_named_parts() -> None:
    game = load("kittens", players=3)
    state = walk(game.new_initial_state(), 5, 9)
    observer = game.make_py_observer()
    for player in range(3):
        observer.set_from(state, player)
        assert observer.tensor.tolist() == state.match.observe(player) == state.observation_tensor(player)
        assert observer.dict["zone.hand"].shape == (3, len(state.match.observer.kinds) + 1)
        assert np.shares_memory(observer.dict["turn"], observer.tensor)
    with pytest.raises(ValueError, match="all players"):
        game.make_py_observer(
            pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS)
        )
    with pytest.raises(ValueError, match="no parameters"):
        game.make_py_observer(None, {"x": 1})


def test_information_states_are_the_players_own_and_returns_add_up_to_nothing() -> None:
    game = load("kittens", players=3)
    state = walk(game.new_initial_state(), 6, 20)
    for player in range(3):
        assert state.information_state_string(player).startswith(state.match.state.information_state(player).text)
    state = walk(state, 6)
    assert sum(state.returns()) == 0
    assert max(state.returns()) == 2


def test_a_resampled_state_looks_the_same_to_its_player_and_holds_no_seed() -> None:
    game = load("kittens", players=3)
    resample = openspiel.resampler(1)
    chance = random.Random(8)
    state = walk(game.new_initial_state(), 8, 5)
    for _ in range(12):
        me = state.current_player()
        guess = resample(state, me)
        assert guess.information_state_string(me) == state.information_state_string(me)
        assert guess.observation_tensor(me) == state.observation_tensor(me)
        assert (guess.current_player(), guess.legal_actions()) == (me, state.legal_actions())
        assert guess.history() == []
        with pytest.raises(TypeError, match="cannot be written"):
            guess.serialize()
        assert len({str(resample(state, me)) for _ in range(4)}) > 1
        state.apply_action(chance.choice(state.legal_actions()))


@pytest.mark.parametrize("game", GAMES)
def test_a_tree_search_on_information_sets_plays(game: str) -> None:
    state = walk(load(game, players=2).new_initial_state(), 9, 3)
    bot = ismcts.ISMCTSBot(
        game=state.get_game(),
        evaluator=mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)),
        uct_c=2.0,
        max_simulations=2,
        random_state=np.random.RandomState(2),
    )
    bot.set_resampler(openspiel.resampler(3))
    for _ in range(8):
        if state.is_terminal():
            break
        state.apply_action(bot.step(state))
    assert len(state.history()) > 3
