"""The numbers of chance: as they are defined, whichever way they are worked out; compiled, that is another way."""

from __future__ import annotations

import pytest

import kernel
import rulebook
from kernel.dealing import ADDEND, FACTOR
from kernel.rng import MASK, Rng, advance, output, random_order, sort_by_chance, start

STATES = [0, 1, 2**31, 2**63 - 1, 2**63, 2**64 - 1, 0x61C8864680B583EB, 0x9E3779B97F4A7C15, 12345678901234567890]


def splitmix(z: int) -> int:
    """The number that SplitMix64 gives for an advanced state."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def next_of(state: int) -> int:
    return (state + 0x9E3779B97F4A7C15) & MASK


def drawn(state: int, n: int) -> tuple[int, int]:
    """The number below n that a state gives, and the state after it."""
    while True:
        state = next_of(state)
        z = splitmix(state)
        if z < 2**64 - 2**64 % n:
            return z % n, state


@pytest.mark.parametrize("state", STATES)
def test_states_and_their_numbers(state: int) -> None:
    assert advance(state) == next_of(state)
    assert output(state) == splitmix(next_of(state))
    assert start(state) == output(state ^ output(0))


@pytest.mark.parametrize("n", [1, 2, 3, 7, 52, 2**31 - 1, 2**31, 2**31 + 1, 2**40 + 3, 2**63, 2**63 + 1, 2**64 - 1])
def test_numbers_below_another(n: int) -> None:
    for first in STATES:
        rng = Rng(0)
        rng.state = state = first
        for _ in range(40):
            wanted, state = drawn(state, n)
            assert (rng.below(n), rng.state) == (wanted, state)


@pytest.mark.parametrize("count", [0, 1, 2, 3, 17, 56, 255, 256, 257, 512, 600])
def test_orders(count: int) -> None:
    for state in STATES:
        numbers = [splitmix((state + 0x9E3779B97F4A7C15 * (i + 1)) & MASK) for i in range(count)]
        shift = 20 if count <= 256 else 12
        order = sorted(range(count), key=lambda i: (numbers[i] >> shift, i))
        assert list(random_order(count, state)) == order
        items = [f"card {i}" for i in range(count)]
        sort_by_chance(items, state)
        assert items == [f"card {i}" for i in order]
        rng = Rng(0)
        rng.state = state
        rng.shuffle(items)
        assert rng.state == (advance(state, count) if count > 1 else state)


@pytest.mark.parametrize("ask", ["all", "settled"])
def test_a_game_at_random_is_that_of_its_generator(ask: str) -> None:
    book = rulebook.load("kittens")
    for seed in range(6):
        played = kernel.playout(book.new(players=4, seed=seed, ask=ask), seed=seed + 2**40)
        state = book.new(players=4, seed=seed, ask=ask)
        chance = start(seed + 2**40)
        while not state.over:
            player = state.waiting.players[0]
            legal = state.legal(player)
            chance = (chance * FACTOR + ADDEND) & MASK
            state.apply(player, legal.at((chance >> 32) * len(legal) >> 32))
        assert played.digest == state.digest
