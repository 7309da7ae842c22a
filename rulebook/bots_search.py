"""Information-set Monte Carlo tree search, for any game.

One tree from the searching player's point of view (SO-ISMCTS). Each iteration draws a state that the player cannot tell
from the real one and walks down the tree by the actions that are legal there; at each node it weighs how often an
action was won with against how rarely it was tried of the times when it could have been. A new action becomes a new
node, from there the game is played out at random, and every node on the way is told how it ended for the player who
acted there. The most visited action is taken.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from typing import TYPE_CHECKING

import kernel
from rulebook.bots import Budget, Seat, derive, shares

if TYPE_CHECKING:
    from kernel import Action, LegalSet, State

EXPLORATION = 0.25
"""The weight of trying what was tried rarely. Results lie between 0 and 1."""
MANY = 40
"""Where there are more actions than these, they are opened one by one, as the node is visited more often."""

Key = tuple[int, str]


class Node:
    """What is known of one action at one place of the tree."""

    __slots__ = ("available", "children", "player", "value", "visits")

    def __init__(self, player: int) -> None:
        self.player = player  # who took the action that leads here
        self.visits = 0
        self.available = 0  # how often it could have been taken
        self.value = 0.0  # sum of what the games were worth to that player
        self.children: dict[Key, Node] = {}


class SearchBot:
    """Searches anew for each decision, within its budget."""

    __slots__ = ("_budget", "_decisions", "_seed")

    def __init__(self, seed: int, budget: Budget) -> None:
        self._seed = seed
        self._budget = budget
        self._decisions = 0

    def choose(self, seat: Seat) -> Action:
        """One of `seat.legal`."""
        legal = seat.legal
        if len(legal) == 1:
            return legal.at(0)
        self._decisions += 1
        root = search(seat, self._budget, derive(self._seed, self._decisions))
        best = max(root.children, key=lambda key: (root.children[key].visits, root.children[key].value))
        return next(exactly(legal, best[1]))


def search(seat: Seat, budget: Budget, seed: int) -> Node:
    """The tree after the budget is spent; its root's children are the actions of the player who is asked."""
    enough = budget.start()
    worlds = seat.worlds()
    root = Node(seat.player)
    rng = random.Random(seed)
    done = 0
    while not enough(done):
        iterate(root, worlds.draw(derive(seed, 0, done)), rng, derive(seed, 1, done))
        done += 1
    return root


def iterate(root: Node, state: State, rng: random.Random, seed: int) -> None:
    """One way down the tree, one new node, one game to its end, and what it tells to the nodes on the way."""
    path = [root]
    node = root
    player = root.player  # of several who are asked, the one who searches answers first
    while not state.over:
        legal = state.legal(player)
        if len(legal) == 1:
            state.apply(player, legal.at(0))
            player = min(state.waiting.players, default=0)
            continue
        action, new = pick(node, player, legal, rng)
        child = node.children.get((player, action.text))
        if child is None:
            child = node.children[player, action.text] = Node(player)
            child.available = 1
        state.apply(player, action)
        path.append(child)
        node = child
        if new:
            break
        player = min(state.waiting.players, default=0)
    kernel.playout(state, seed=seed)
    worth = shares(state)
    for node in path:
        node.visits += 1
        node.value += worth[node.player]


def pick(node: Node, player: int, legal: LegalSet, rng: random.Random) -> tuple[Action, bool]:
    """The action to go on with, and whether it is a new one."""
    children = node.children
    open: list[tuple[Action, Node]] = []
    fresh: list[Action] = []
    if len(legal) <= MANY:
        for action in legal:
            child = children.get((player, action.text))
            if child is None:
                fresh.append(action)
            else:
                open.append((action, child))
    else:
        for (who, text), child in children.items():
            if who == player:
                open.extend((action, child) for action in exactly(legal, text))
        if len(open) < MANY // 4 + math.isqrt(node.visits):
            action = legal.at(rng.randrange(len(legal)))
            if (player, action.text) not in children:
                fresh.append(action)
    for _, child in open:
        child.available += 1
    if fresh:
        return fresh[rng.randrange(len(fresh))], True
    return max(open, key=lambda item: promise(item[1]))[0], False


def exactly(legal: LegalSet, text: str) -> Iterator[Action]:
    """The action with this very text, if it is legal."""
    return (action for action in legal.find(text) if action.text == text)


def promise(child: Node) -> float:
    """How good an action looks, with a bonus for having been tried rarely (UCB1, for actions not always there)."""
    return child.value / child.visits + EXPLORATION * math.sqrt(math.log(child.available) / child.visits)
