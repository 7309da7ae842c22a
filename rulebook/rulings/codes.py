"""The diagnostics of rulings (RB5xx); see :mod:`rulebook.codes`."""

from __future__ import annotations

from rulebook.codes import Code

_HEAD = """\
rulings:
  - title: A Skip ends the turn without drawing
    source: house
    given: {hand: {0: [skip]}, draw_pile: [favor]}
"""
_PLAY = "    steps:\n      - 0: play skip\n"
_THEN = "    then:\n      - turn_of == player(1)\n"
_RIGHT = _HEAD + _PLAY + _THEN
_SECOND = """\
  - title: A Skip ends the turn without drawing
    given: {hand: {0: [skip]}, draw_pile: [favor]}
    steps:
      - 0: play skip
    then:
      - ids(draw_pile) == ["favor"]
"""

PLAYER = "RB500"
BOOK = "RB501"
NOTHING = "RB502"
TWICE = "RB503"
NO_ACTION = "RB504"

CODES = (
    Code(
        PLAYER,
        "no such player",
        "Players are numbered from 0; with `players: 3` the last one is 2. Left out, two play.",
        wrong=_HEAD + "    steps:\n      - 2: draw\n" + _THEN,
        right=_HEAD + "    players: 3\n    steps:\n      - 0: draw\n" + _THEN,
        where="rulings",
    ),
    Code(
        BOOK,
        "the game of a ruling cannot be loaded",
        "The game, packs, preset and options of a ruling must make up something that can be played. Left out, the "
        "game is the one whose folder holds the file, else `kittens`. What is wrong has diagnostics of its own.",
        wrong=_RIGHT.replace("house", "house\n    packs: [bsae]"),
        right=_RIGHT.replace("house", "house\n    packs: [base]"),
        where="rulings",
    ),
    Code(
        NOTHING,
        "a ruling that cannot fail",
        "There is no step that could be refused and nothing is expected: no `then`, `sees`, `expect`, `during` or "
        "`illegal`.",
        wrong=_HEAD,
        right=_RIGHT,
        where="rulings",
        severity="warning",
    ),
    Code(
        TWICE,
        "two rulings of one file have the same title",
        "A title stands for its ruling in reports and on the reference pages, so it should stand once in a file.",
        wrong=_RIGHT + _SECOND,
        right=_RIGHT + _SECOND.replace("without drawing", "and leaves the pile alone"),
        where="rulings",
        severity="warning",
    ),
    Code(
        NO_ACTION,
        "what is refused here is no action of this game",
        "An action under `illegal` names a card or a move that the game does not have. It is refused whatever "
        "happens, so the ruling proves nothing; most likely it is misspelt.",
        wrong=_HEAD + "    steps:\n      - illegal: {1: play skpi}\n    then: [turn_of == player(0)]\n",
        right=_HEAD + "    steps:\n      - illegal: {1: play skip}\n    then: [turn_of == player(0)]\n",
        where="rulings",
        severity="warning",
    ),
)
