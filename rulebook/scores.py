"""Points: what each player has where a game counts any.

A game that counts points asks a question called `score`, about one player, whose answer is a number. Nothing else makes
it special: programs of the game may ask it like any other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kernel import Rulebook, State

SCORE = "score"


def counts_points(book: Rulebook) -> bool:
    """Whether the game has a question `score` about one player that a number answers."""
    return any(
        question["name"] == SCORE
        and question["type"] == "number"
        and [kind for _, kind in question["params"]] == ["player"]
        for question in book.data["questions"]
    )


def scores(state: State) -> list[int]:
    """The points of each player, in the order of seats; empty where the game counts none.

    They are worked out from everything that lies on the table, seen or not: show them when the game is over.
    """
    if not counts_points(state.book):
        return []
    return [int(state.evaluate(["ask", SCORE, [["k", player]]])) for player in range(state.players)]
