"""A game that is just large enough to write programs and expressions in."""

from __future__ import annotations

import tempfile
import textwrap
from functools import cache
from pathlib import Path
from typing import Any

import rulebook
from kernel import Rulebook
from rulebook.checking import check_paths
from rulebook.diagnostics import Diagnostic, Diagnostics
from rulebook.lang.parse import parse_expression, parse_program
from rulebook.lang.ruling import book_world
from rulebook.lang.statements import Program
from rulebook.lang.text import Code, Reporter
from rulebook.lang.unit import Context, Unit
from rulebook.lang.world import World

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


def write_game(folder: Path, tea: str = "", game: str = GAME) -> Path:
    """The game in a folder `small` below; `tea` is what its file `tea.yaml` says behind title, id and fields."""
    root = folder / "small"
    (root / "base").mkdir(parents=True, exist_ok=True)
    (root / "game.yaml").write_text(game, encoding="utf-8")
    (root / "base" / "pack.yaml").write_text(PACK, encoding="utf-8")
    (root / "base" / "cake.yaml").write_text(CAKE, encoding="utf-8")
    (root / "base" / "wet.yaml").write_text(WET, encoding="utf-8")
    (root / "base" / "tea.yaml").write_text("card: Tea\nid: tea\nfields: {rank: 1}\n" + tea, encoding="utf-8")
    return root


def program(text: str) -> str:
    """A card's `play` with this program, which begins in line 7, column 5."""
    return "play:\n  at: turn\n  do: |\n" + textwrap.indent(text, "    ") + "\n"


def faults(folder: Path, tea: str = "", game: str = GAME) -> list[Diagnostic]:
    """What the checker says about the game with this card."""
    return list(check_paths([write_game(folder, tea, game)]).diagnostics)


def load(folder: Path, tea: str = "", game: str = GAME) -> Rulebook:
    """The book of the game with this card."""
    return rulebook.load("small", path=write_game(folder, tea, game))


@cache
def world() -> World:
    """The names of the game."""
    with tempfile.TemporaryDirectory() as folder:
        found = book_world(load(Path(folder)).data)
    found.whole = True
    found.act_tags.add("sweet")
    return found


def unit(text: str, **context: Any) -> tuple[Unit, Diagnostics]:
    """A unit for a piece of code on a card, and where its faults go."""
    faults = Diagnostics()
    surroundings = Context(card=True, target=True, **context)
    return Unit(world(), Reporter(Code(text, "tea.yaml"), faults), surroundings), faults


def expression(text: str) -> list[Any] | None:
    """The compiled form of an expression, None where it is faulty."""
    here, faults = unit(text)
    node = parse_expression(here.report)
    value = here.check(node) if node is not None else None
    return value.ir if value is not None and not faults.errors else None


def operations(text: str, **context: Any) -> list[list[Any]]:
    """The operations that a program becomes; it has no faults."""
    here, faults = unit(text, **context)
    compiled = Program(here)
    with here.block():
        compiled.run(parse_program(here.report))
    assert faults.errors == []
    return compiled.out.ops
