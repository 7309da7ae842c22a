"""A game made to be as large as one likes: so many players, cards in hands and in the pile, kinds of cards.

All sizes have the same rules. On a turn a player plays a card of the hand and draws another, so that hands and pile
keep their sizes; some cards ask for a player, some for a kind of the discard pile, some stop what another is doing.
It serves to measure how costs grow with sizes and is no game to be played.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

GAME = "meadow"
PACK = "base"

_GAME = """\
game: Meadow
id: meadow
version: "1.0"
language: 1
players: {min: 2, max: 64}
packs: [base]
zones:
  pile: {see: none, order: true}
  discard: {see: all, order: true}
  hand: {see: owner, per: player}
  box: {see: none, start: true}
options:
  hand_size: {type: number, min: 1, max: 1000, default: 7}
attributes:
  player: {points: {type: number, start: 0, see: all}}
verbs:
  gain: {needs: {who: player, points: number}, do: "set who.points = who.points + points"}
  refill:
    needs: {who: player}
    do: |
      if empty(pile):
        move discard to: pile
        shuffle pile
      if any(pile):
        move first(pile) to: who.hand
moves:
  wait:
    default: true
    do: |
      end_turn you
announce: |
  move cards to: discard
  refill you
setup: |
  move box to: pile
  shuffle pile
  for p in players:
    move top(pile, options.hand_size) to: p.hand
play: |
  while count(living) > 1:
    while not turn_ended:
      offer turn_of
    next_turn
leave: |
  eliminate you
limits: {decisions: 1000000, ending: draw}
"""
_ON_TURN = "play:\n  at: turn\n"
_FRIEND = f"{_ON_TURN}  choose: {{{{friend: others where any(it.hand)}}}}\n  do: |\n"
_TRADE = "    pick {} from: {}.hand by: {}\n    move {} to: {}.hand\n"
_CARDS = (
    f"{_ON_TURN}  do: |\n    gain you points: {{n}}\n    end_turn you\n",
    f"{_FRIEND}    gain friend points: {{n}}\n",
    f"{_ON_TURN}  do: |\n    show top(pile, {{n}}) to: [you]\n",
    _FRIEND
    + _TRADE.format("gift", "friend", "friend", "gift", "you")
    + _TRADE.format("back", "you", "you", "back", "friend"),
    "play:\n  at: response\n  to: target.by != you\n  do: |\n    cancel target\n",
)
"""What kinds do, in turn; every fifth can answer what others play."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """How large a game is: kinds in the book, cards of each, players, cards in each hand."""

    kinds: int = 20
    copies: int = 10
    players: int = 4
    hand: int = 7

    @property
    def cards(self) -> int:
        """All cards together."""
        return self.kinds * self.copies


def write(sizes: Sizes, folder: Path) -> None:
    """Write the game below the folder, each kind of card as a file of its own."""
    pack = folder / GAME / PACK
    pack.mkdir(parents=True)
    (folder / GAME / "game.yaml").write_text(_GAME, encoding="utf-8")
    names = [f"card_{number}" for number in range(sizes.kinds)]
    deck = "".join(f"  {name}: {sizes.copies}\n" for name in names)
    head = f'pack: Meadow\nid: {PACK}\nversion: "1.0"\nlanguage: 1\ngame: {GAME}\nmain: true\n'
    (pack / "pack.yaml").write_text(f"{head}deck:\n{deck}", encoding="utf-8")
    for number, name in enumerate(names):
        body = _CARDS[number % len(_CARDS)].format(n=1 + number % 3)
        (pack / f"{name}.yaml").write_text(f"card: Card {number}\nid: {name}\n{body}", encoding="utf-8")
