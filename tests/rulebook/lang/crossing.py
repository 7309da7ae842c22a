"""Programs for every verb of the kernel with every kind of selector that fits it, and what comes of each.

Run as a program it prints, as JSON, the compiled game's digest and the outcome of every program.
"""

from __future__ import annotations

import json
import sys
from itertools import product
from pathlib import Path
from typing import Any

import kernel
from tests.kernel.parlour import load

CARDS = [
    "hand",
    "victim.hand",
    "discard",
    "top(pile, 2)",
    "bottom(pile, 1)",
    "hand where it is sweet",
    "victim.hand where it is not sweet where id(it) != \"gum\"",
    "hand + table",
    "discard - top(discard, 1)",
    "best(hand, it.rank)",
    "pile if count(hand) > 99 else table",
]  # fmt: skip
PLAYERS = [
    "players", "living", "others", "[you]", "[victim, you]", "ring(you)", "seats(victim)", "players - [you]",
    "living where count(it.hand) > 1", "best(living, count(it.hand))", "others + [you]", "dead + living",
]  # fmt: skip
PLAYER = ["you", "victim", "turn_of", "next_player(you)", "player(1)", "victim if any(hand) else you"]
ZONES = ["pile", "hand", "table", "discard", "victim.hand", "next_player(victim).table"]
NUMBERS = [
    "1", "count(victim.hand)", "turns_owed + 1", "sum(living, count(it.hand))", "min(2, count(pile))", "7 % 4 / 2",
    "max(hand, it.rank)", "-1 + 2 * 1", "sum(range(1, 3))", "count(hand where it is sweet)",
]  # fmt: skip
WORDS = ['"plain"', "id(self)", "combined(id(self), \"x\")", "zone_of(self)"]  # fmt: skip
KINDS = ["ids(hand)", "each(ids(victim.hand + hand))", "kinds()", '["gum", "pie"]']
CHOICES = [*CARDS, *PLAYERS, *KINDS, "slots(pile)", "range(0, 2)", "titles(hand)"]

TEMPLATES: list[tuple[str, list[list[str]]]] = [
    ("move {} to: {}", [CARDS, ZONES]),
    ("move {} to: pile at: {}", [CARDS, ["0", "bottom", "1", "bottom if any(hand) else 0", "count(pile) / 2"]]),
    ("move {} to: pile at: 1 secret: true seen_by: {}", [CARDS[:4], PLAYERS]),
    ("show {} to: {}", [CARDS, PLAYERS[::3]]),
    ("shuffle {}", [ZONES]),
    ("arrange {0} as: {0}", [["top(pile, 3)", "pile", "discard", "bottom(pile, 2)"]]),
    ("arrange top(pile, 2) as: top(pile, 2) secret: true seen_by: {}", [PLAYERS]),
    ("lay blessed on: {}", [PLAYER]),
    ("for c in {}:\n  lay blessed on: c\n  lift \"blessed\" from: c", [CARDS]),
    ("lift blessed from: {}", [PLAYER]),
    ("eliminate {}", [PLAYER]),
    ("eliminate {}\nrevive victim\nrevive you", [PLAYER]),
    ("for p in {}:\n  eliminate p", [PLAYERS]),
    ("end_turn {}", [PLAYER]),
    ("end_turn {} all: true", [PLAYER]),
    ("give_turns {} to: {}", [NUMBERS, PLAYER[1::3]]),
    ("end_game winners: {}", [PLAYERS]),
    ("tell \"news\" about: {} to: {}", [CARDS, PLAYERS[1::4]]),
    ("tell {}", [WORDS]),
    ("set turns_owed = {}", [NUMBERS]),
    ("set direction = 0 - direction\nset victim.coins = {}\nset log = log + [{}]", [NUMBERS, WORDS]),
    ("pick c from: {} by: {} or: none", [CHOICES, ["victim", "chance"]]),
    ("pick c from: {} by: you min: 0 max: 2", [CHOICES[::2]]),
    ("pick c from: {} by: you count: 1 order: true", [CHOICES[1::2]]),
    ("pick c from: {} by: living secret: true\nfor p in living:\n  if c[p] is set:\n    pay p coins: 1", [CHOICES]),
    ("pick c from: victim.hand by: you unseen: {}\nmove c to: hand", [CARDS]),
    ("for x in {}:\n  pay you coins: 1", [CHOICES]),
    ("let n = 0\nwhile n < {}:\n  let n = n + 1\npay you coins: n", [NUMBERS]),
    ("if any({}):\n  stop\npay you coins: 1", [CHOICES]),
    ("pay {} coins: {}", [PLAYER[::2], NUMBERS]),
    ("pay {} coins: 6", [PLAYER]),
    ("offer {}", [["you", "victim"]]),
    ("let c = first({})\nif c is set:\n  if can_play(c):\n    play c", [CARDS]),
    ("next_turn", []),
]  # fmt: skip
PROGRAMS = [text.format(*values) for text, sets in TEMPLATES for values in product(*sets)]

GIVEN: dict[str, Any] = {
    "hand": {0: ["gum", "pie", "pie"], 1: ["pie", "gum"], 2: ["gum"]},
    "pile": ["gum", "pie", "gum", "pie"],
    "discard": ["pie", "gum"],
    "table": {0: ["gum"], 1: ["pie"]},
    "marks": {1: ["blessed"]},
}


def indented(text: str, by: str) -> str:
    return "".join(f"{by}{line}\n" for line in text.split("\n"))


def book(folder: Path) -> kernel.Rulebook:
    """The parlour with a card for each program."""
    from tests.kernel.parlour import GAME

    head = "fields: {rank: 0}\nplay:\n  at: turn\n  choose: {victim: others}\n  do: |\n"
    cards = {f"p{number}": head + indented(text, "    ") for number, text in enumerate(PROGRAMS)}
    cards["gum"] = "tags: [sweet]\nfields: {rank: 2}\nplay: {at: turn, do: \"pay you coins: 5\"}\n"  # fmt: skip
    cards["pie"] = "fields: {rank: 1}\n"
    cards["blessed"] = "mark: Blessed\n"
    return load(folder, cards, game=GAME.replace("tags:", "fields: {rank: number}\ntags:", 1))


def outcome(rules: kernel.Rulebook, number: int) -> list[Any]:
    """What comes of a program: what all see at once, what is done then, digest, views, news, and what is legal then."""
    given = {**GIVEN, "hand": {**GIVEN["hand"], 0: [f"p{number}", *GIVEN["hand"][0]]}}
    state = rules.position(3, given, seed=number)
    state.apply(0, f"play p{number} victim=1")
    taken: list[Any] = [state.view(None)]
    for step in range(8):
        if state.over or (state.asked == "move" and step > 3):
            break
        player = state.waiting.players[-1]
        legal = state.legal(player)
        action = str(legal[step * 7 % len(legal)])
        state.apply(player, action)
        taken.append([player, action])
    assert not state.problems(), state.problems()
    listed = [[str(action) for action in state.legal(p)] for p in range(3)]
    return [taken, state.digest, [state.view(p) for p in (None, 0, 1, 2)], state.news(1), listed]


if __name__ == "__main__":
    rules = book(Path(sys.argv[1]))
    found = {PROGRAMS[number]: outcome(rules, number) for number in range(len(PROGRAMS))}
    json.dump({"book": rules.digest, "outcomes": found}, sys.stdout)
