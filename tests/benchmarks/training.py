"""The trial run of `make compiled`: games with a kernel that counts what runs, which the C compiler learns from."""

from __future__ import annotations

from random import Random

import kernel
import rulebook
from kernel.native import COMPILED

#: Games and packs; how many are played at one go, how many by `legal` and `apply`; fewer of those that take long.
GAMES: tuple[tuple[str, tuple[str, ...] | None, int, int], ...] = (
    ("kittens", ("base",), 300, 60),
    ("kittens", ("base", "imploding", "streaking", "barking", "zombie", "burglar"), 100, 12),
    ("court", None, 50, 10),
    ("market", None, 10, 1),
    ("crazy_eights", None, 10, 2),
    ("go_fish", None, 10, 2),
    ("cheat", None, 5, 1),
    ("hearts", None, 5, 1),
    ("gin_rummy", None, 2, 1),
)
PONDERED = 2  # so many of the first forty states of such a game are looked at, copied and played on, as a bot does


def train(book: kernel.Rulebook, whole: int, by_calls: int) -> None:
    """Play games of this book."""
    players = max(book.players_min, min(4, book.players_max))
    for seed in range(whole):
        kernel.playout(book.new(players=players, seed=seed, ask="settled"), seed=seed)
    for seed in range(by_calls):
        chance = Random(seed)
        pondered = frozenset(chance.sample(range(40), PONDERED))
        state = book.new(players=players, seed=seed, ask="settled" if seed % 5 else "all")
        while not state.over:
            player = state.waiting.players[0]
            if state.decisions in pondered:
                state.view(player)
                kernel.playout(state.determinize(player, seed), seed=seed)
                kernel.playout(state.copy(), seed=seed)
            legal = state.legal(player)
            state.apply(player, legal[chance.randrange(len(legal))])
        state.news()
        book.restore(state.dump())


if __name__ == "__main__":
    if not COMPILED:
        raise SystemExit(f"this is not a compiled kernel: {kernel.__file__}")
    for name, packs, whole, by_calls in GAMES:
        train(rulebook.load(name, packs=packs), whole, by_calls)
