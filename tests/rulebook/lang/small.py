"""A game that is just large enough to write programs and expressions in."""

from __future__ import annotations

import textwrap
from pathlib import Path

from rulebook.checking import check_paths
from rulebook.diagnostics import Diagnostic

GAME = """\
game: Small
id: small
version: "1.0"
language: 1
players: {min: 2, max: 4}
packs: [base]
zones:
  pile: {see: none, order: true}
  hand: {see: owner, per: player}
  table: {see: all, per: player}
  marks: {see: all, per: player, marks: true}
  box: {see: none, start: true}
attributes:
  card: {up: flag, from: player}
  player: {coins: {type: number, start: 0, see: all}}
  game: {pot: {type: number, start: 0}}
fields: {rank: number}
tags: {sweet: "tastes sweet"}
questions:
  safe: {about: {who: player}, answer: flag, default: any(who.hand)}
verbs:
  pour: {needs: {who: player, cups: number}, do: "set who.coins = cups"}
  spill:
    needs: {who: player, card: card}
    window: true
    do: "move card to: box"
moves:
  draw: {do: "move top(pile, 1) to: hand", default: true}
setup: |
  move box to: pile
play: |
  while any(pile):
    offer turn_of
    next_turn
  end_game winners: living
leave: |
  eliminate you
"""

PACK = """\
pack: Base
id: base
version: "1.0"
language: 1
game: small
main: true
deck: {tea: 4, cake: 2}
"""

CAKE = "card: Cake\nid: cake\ntags: [sweet]\nfields: {rank: 2}\n"
WET = "mark: Wet\nid: wet\n"


def write_game(folder: Path, tea: str) -> Path:
    """The game in a folder `small` below; `tea` is what its file `tea.yaml` says behind title and id."""
    root = folder / "small"
    (root / "base").mkdir(parents=True, exist_ok=True)
    (root / "game.yaml").write_text(GAME, encoding="utf-8")
    (root / "base" / "pack.yaml").write_text(PACK, encoding="utf-8")
    (root / "base" / "cake.yaml").write_text(CAKE, encoding="utf-8")
    (root / "base" / "wet.yaml").write_text(WET, encoding="utf-8")
    (root / "base" / "tea.yaml").write_text("card: Tea\nid: tea\nfields: {rank: 1}\n" + tea, encoding="utf-8")
    return root


def program(text: str) -> str:
    """A card's `play` with this program, which begins in line 7, column 5."""
    return "play:\n  at: turn\n  do: |\n" + textwrap.indent(text, "    ") + "\n"


def faults(folder: Path, tea: str) -> list[Diagnostic]:
    """What the checker says about the game with this card."""
    return list(check_paths([write_game(folder, tea)]).diagnostics)
