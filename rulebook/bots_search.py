"""Information-set Monte Carlo tree search, for any game.

One tree from the searching player's point of view (SO-ISMCTS). Each iteration draws a state that the player cannot tell
from the real one and walks down the tree by the actions that are legal there; at each node it weighs how often an
action was won with against how rarely it was tried of the times when it could have been. A new action becomes a new
node, from there the game is played out at random, and every node on the way is told how it ended for the player who
acted there. The most visited action is taken.

How one game at random ends is mostly luck. So a few steps behind the new node the position is judged by what all games
played in mind so far have taught (`rulebook.bots_value`), and what the nodes are told is mostly that judgement.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from typing import TYPE_CHECKING

import kernel
from rulebook.bots import Budget, Seat, derive, shares
from rulebook.bots_value import Judge

if TYPE_CHECKING:
    from kernel import Action, LegalSet, State

EXPLORATION = 0.6
"""The weight of trying what was tried rarely, in standard deviations of what nodes are told."""
STEPS = 8
"""So many decisions behind a new node the position is judged; by then what was just done has shown its effect."""
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


class Told:
    """How much what nodes are told differs. It begins as if some games had been told."""

    __slots__ = ("count", "squares", "total")

    def __init__(self) -> None:
        self.count = 20
        self.total = 6.0
        self.squares = 6.0

    def add(self, values: list[float]) -> None:
        """What one game was worth to each player."""
        self.count += len(values)
        self.total += sum(values)
        self.squares += sum([value * value for value in values])

    def deviation(self) -> float:
        """The standard deviation."""
        mean = self.total / self.count
        return math.sqrt(max(self.squares / self.count - mean * mean, 0.0))


class SearchBot:
    """Searches anew for each decision, within its budget; what positions are worth it goes on learning."""

    __slots__ = ("_budget", "_decisions", "_judge", "_seed")

    def __init__(self, seed: int, budget: Budget) -> None:
        self._seed = seed
        self._budget = budget
        self._decisions = 0
        self._judge = Judge()

    def choose(self, seat: Seat) -> Action:
        """One of `seat.legal`."""
        legal = seat.legal
        if len(legal) == 1:
            return legal.at(0)
        self._decisions += 1
        root = search(seat, self._budget, derive(self._seed, self._decisions), self._judge)
        best = max(root.children, key=lambda key: (root.children[key].visits, root.children[key].value))
        return next(exactly(legal, best[1]))


def search(seat: Seat, budget: Budget, seed: int, judge: Judge) -> Node:
    """The tree after the budget is spent; its root's children are the actions of the player who is asked."""
    enough = budget.start()
    worlds = seat.worlds()
    root = Node(seat.player)
    rng = random.Random(seed)
    told = Told()
    done = 0
    while not enough(done):
        state = worlds.draw(derive(seed, 0, done))
        path = descend(root, state, rng, EXPLORATION * told.deviation())
        worth = play_out(state, rng, derive(seed, 1, done), judge)
        told.add(worth)
        for node in path:
            node.visits += 1
            node.value += worth[node.player]
        done += 1
    return root


def descend(root: Node, state: State, rng: random.Random, exploration: float) -> list[Node]:
    """Walk down the tree to a new node, with the state; the nodes on the way."""
    path = [root]
    node = root
    player = root.player  # of several who are asked, the one who searches answers first
    while not state.over:
        legal = state.legal(player)
        if len(legal) == 1:
            state.apply(player, legal.at(0))
            player = min(state.waiting.players, default=0)
            continue
        action, new = pick(node, player, legal, rng, exploration)
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
    return path


def play_out(state: State, rng: random.Random, seed: int, judge: Judge) -> list[float]:
    """Play a state to its end at random; what that was worth to each player, mostly as judged after a few steps."""
    for _ in range(STEPS):
        if state.over:
            return outcome(state)
        player = min(state.waiting.players)
        legal = state.legal(player)
        state.apply(player, legal.at(rng.randrange(len(legal))))
    if state.over:
        return outcome(state)
    found = judge.look(state)
    expected = judge.worth(found)
    kernel.playout(state, seed=seed)
    result = outcome(state)
    judge.learn(found, expected, result)
    return judge.settle(expected, result)


def outcome(state: State) -> list[float]:
    """What a finished game is worth to each player; one that nobody has won half an even share to those not out."""
    if state.winners:
        return shares(state)
    living = state.living()
    return [0.5 / state.players if player in living else 0.0 for player in range(state.players)]


def pick(node: Node, player: int, legal: LegalSet, rng: random.Random, exploration: float) -> tuple[Action, bool]:
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
    return max(open, key=lambda item: promise(item[1], exploration))[0], False


def exactly(legal: LegalSet, text: str) -> Iterator[Action]:
    """The action with this very text, if it is legal."""
    return (action for action in legal.find(text) if action.text == text)


def promise(child: Node, exploration: float) -> float:
    """How good an action looks, with a bonus for having been tried rarely (UCB1, for actions not always there)."""
    return child.value / child.visits + exploration * math.sqrt(math.log(child.available) / child.visits)
