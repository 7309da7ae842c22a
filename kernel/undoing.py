"""Undo: back to the last step that disclosed nothing.

A step disclosed something if after it anybody (a player or a spectator) knows more of what is hidden than before. It
can be seen from the states before and after:

* chance was used, by the generator or by values set for it;
* somebody can name a card that they could not name before, or know its place in a zone where it lay already;
* the last of several simultaneous answers came in, so that the others' answers are known;
* the program told somebody something in words;
* a game began or ended: after the end all is open among people, before the beginning there is nothing to go back to.

What a player knows anyway (their own hand, what lies face up) is not disclosed to them by moving it. What a player
shows to others, such as a card played from a hidden hand, is disclosed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kernel.errors import IllegalAction
from kernel.faces import visible
from kernel.news import collect
from kernel.picks import open_pick
from kernel.state import ASK_PICK, Data

if TYPE_CHECKING:
    from kernel.game import State


def disclosed(before: Data, after: Data) -> bool:
    """Does anybody know more of what is hidden in `after`, one step later, than in `before`?"""
    if after.over or before.rng != after.rng or len(before.script) != len(after.script):
        return True
    if answers_of_others(before) and not (after.ask == ASK_PICK and after.ask_since == before.ask_since):
        return True
    for item in collect(after, before.version):
        if item.event == "told":
            return True
    for card in range(len(before.where)):
        z = after.where[card]
        if before.book.kinds[before.deal.kinds[card]].mark or z < 0:
            continue
        saw = visible(after, card)
        known = visible(before, card) | before.known[card]
        if (saw | after.known[card]) & ~known:
            return True
        if before.where[card] == z and (saw | after.placed[card]) & ~(visible(before, card) | before.placed[card]):
            return True
    return False


def answers_of_others(s: Data) -> bool:
    """Is a question to several players open that one of them has answered already?"""
    if s.ask != ASK_PICK:
        return False
    op, f = open_pick(s)
    return bool(op.many) and any(value is not None for value in f.vars[op.slot])


def moments(s: State) -> list[State]:
    """The states before each of the steps since the anchor, and `s` itself at the end."""
    if s.base is None:
        return [s]
    s.catch_up()
    now = s.from_anchor(True)
    found: list[State] = []
    for step in s.since_anchor():
        if step[1] == "d":
            continue
        found.append(now.copy())
        now.repeat(step)
    found.append(s)
    return found


def count_undoable(s: State) -> int:
    """See `State.undoable`."""
    if s.over or s.base is None or s.steps is s.base.steps:
        return 0
    states = moments(s)
    found = 0
    for i in range(len(states) - 2, -1, -1):
        if disclosed(states[i], states[i + 1]):
            break
        found += 1
    return found


def undo(s: State, steps: int) -> None:
    """See `State.undo`."""
    if type(steps) is not int or steps < 1:
        raise IllegalAction("undo takes back one step or more", "undo")
    may = count_undoable(s)
    if steps > may:
        left = "nothing can be taken back now" if not may else f"only {may} of them can be taken back now"
        raise IllegalAction(f"what a step has disclosed stays disclosed: {left}", "undo")
    states = moments(s)
    earlier = states[-1 - steps]
    coverage = s.coverage
    s.take_over(earlier)
    s.coverage = coverage
    s.steps = earlier.steps
