"""A small invented game, with cards that each test brings along."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import kernel
import rulebook

GAME = """\
game: Parlour
id: parlour
version: "1.0"
language: 1
players: {min: 2, max: 4}
packs: [base]
zones:
  pile: {see: none, order: true}
  discard: {see: all, order: true}
  hand: {see: owner, per: player}
  table: {see: all, per: player}
  marks: {see: all, per: player, marks: true}
  box: {see: none, start: true}
attributes:
  player: {coins: {type: number, start: 0, see: all}}
  game: {log: {type: words, start: []}}
tags: {sweet: "tastes sweet", quiet: "nobody answers it"}
questions:
  safe: {about: {who: player}, answer: flag, default: "false"}
  every: {about: {who: player}, answer: flag, join: all, default: "true"}
  worth: {about: {who: player}, answer: number, join: sum, default: 1}
  most: {about: {who: player}, answer: number, join: max, default: 1}
  calls: {about: {who: player}, answer: words, join: union, default: '["self"]'}
verbs:
  pay: {needs: {who: player, coins: number}, do: "set who.coins = who.coins + coins"}
  note: {needs: {line: word}, do: "set log = log + [line]"}
moves:
  draw:
    default: true
    tags: [quiet]
    do: |
      if any(pile):
        move first(pile) to: hand
      end_turn you
announce: |
  move cards to: discard
now: target is not quiet
setup: |
  move box to: pile
  shuffle pile
play: |
  while count(living) > 1:
    while not turn_ended:
      offer turn_of
    next_turn
  end_game winners: living
leave: |
  eliminate you
limits: {decisions: 300, ending: draw}
"""


def load(
    folder: Path, cards: dict[str, str], packs: dict[str, dict[str, str]] | None = None, game: str | None = None
) -> kernel.Rulebook:
    """The game with these cards (id: what stands behind title and id) in its pack, and further packs of cards."""
    root = folder / "parlour"
    everything = {"base": cards, **(packs or {})}
    for pack, content in everything.items():
        (root / pack).mkdir(parents=True, exist_ok=True)
        deck = ", ".join(f"{id}: 2" for id, text in content.items() if not text.startswith("mark:"))
        main = "main: true\n" if pack == "base" else ""
        (root / pack / "pack.yaml").write_text(
            f'pack: {pack.title()}\nid: {pack}\nversion: "1.0"\nlanguage: 1\ngame: parlour\n{main}deck: {{{deck}}}\n',
            encoding="utf-8",
        )
        for id, text in content.items():
            head = "" if text.startswith("mark:") else f"card: {id.title()}\n"
            first, _, rest = text.partition("\n") if text.startswith("mark:") else ("", "", text)
            body = f"{first}\nid: {id}\n{rest}" if first else f"{head}id: {id}\n{rest}"
            (root / pack / f"{id}.yaml").write_text(body, encoding="utf-8")
    (root / "game.yaml").write_text(game or GAME, encoding="utf-8")
    return rulebook.load("parlour", packs=list(everything), path=folder)


def play(text: str, more: str = "") -> str:
    """A card's `play` on turn with this program."""
    body = "\n".join("    " + line for line in text.strip("\n").split("\n"))
    return f"play:\n  at: turn\n{more}  do: |\n{body}\n"


def passed(state: kernel.State) -> None:
    """Everybody passes until no window is open."""
    while state.waiting.kind == "window":
        state.apply(state.waiting.players[0], "pass")


def log(state: kernel.State) -> list[Any]:
    """What the cards have noted."""
    return list(state.describe()["attributes"]["log"])
