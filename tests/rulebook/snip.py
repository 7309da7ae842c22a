"""A small game in compiled form, for tests of tools that must work for any game: no word of it is known to them.

Two to four players draw from a `pile`; a Grab takes a card from another, a Stop answers it, a Tuck puts itself back
into the pile at a secret place, a Peek looks at the top two. Whoever holds most cards when the pile is empty wins.
"""

from __future__ import annotations

from typing import Any

import kernel

YOU = ["you"]
PILE = ["zone", "pile", None]
HEAP = ["zone", "heap", None]


def hand(owner: Any) -> list[Any]:
    return ["zone", "hand", owner]


def cards(zone: Any) -> list[Any]:
    return ["cards", zone]


def program(*ops: Any, slots: int = 0, file: str = "snip/game.yaml") -> dict[str, Any]:
    return {"slots": slots, "ops": list(ops), "lines": list(range(1, len(ops) + 1)), "file": file}


def play(at: str, ops: dict[str, Any], **more: Any) -> dict[str, Any]:
    play = {"at": at, "from": ["hand"], "to": None, "if": None, "choose": [], "slots": ops["slots"], "program": ops}
    return {**play, "tags": [], "line": 1, **more}


def kind(name: str, title: str, text: str, *plays: Any, pack: str = "base") -> dict[str, Any]:
    return {
        "id": name, "title": title, "text": text, "pack": pack, "file": f"snip/{pack}/{name}.yaml", "mark": False,
        "tags": [], "fields": {}, "plays": list(plays), "when": [], "before": [], "instead": [], "while": [],
        "plays_as": None,
    }  # fmt: skip


def pick(slot: int, source: Any, **more: Any) -> list[Any]:
    question = {
        "slot": slot, "from": source, "it": slot + 1, "by": YOU, "many": False, "chance": False, "type": "card",
        "min": None, "max": None, "list": False, "order": False, "secret": False, "unseen": None, "or": None,
        "ask": None,
    }  # fmt: skip
    return ["pick", {**question, **more}]


VICTIM = {
    "name": "victim",
    "slot": 0,
    "set": ["where", ["others"], 1, ["any", ["cards", hand(["v", 1])]]],
    "type": "player",
    "or": False,
    "ask": None,
    "uses": [],
}


def snip(version: str = "1.0", grab_title: str = "Grab", broken: bool = False) -> dict[str, Any]:
    """The compiled form. `broken` makes playing a Tuck fail for the fault of its author."""
    grab = play(
        "turn",
        program(
            pick(2, cards(hand(["v", 0])), ask="Which card do you take?"),
            ["do", "move", {"": ["v", 2], "to": hand(YOU)}],
            slots=4,
        ),
        choose=[VICTIM],
    )
    grab["slots"] = 4
    stop = play(
        "response",
        program(["do", "cancel", {"": ["target"]}]),
        to=["==", ["act", "kind", ["target"]], ["k", "play"]],
    )
    place = pick(0, ["slots", PILE], type="number", secret=True, ask="At which place of the pile?")
    tuck_ops: list[Any] = [place, ["do", "move", {"": ["self"], "to": PILE, "at": ["v", 0], "secret": ["k", True]}]]
    if broken:
        tuck_ops = [["let", 0, ["/", ["k", 1], ["count", ["k", []]]]]]
    tuck = play("turn", program(*tuck_ops, slots=2, file="snip/base/tuck.yaml"))
    peek = play("turn", program(["do", "show", {"": ["top", cards(PILE), ["k", 2]], "to": ["list", YOU]}]))
    draw_ops = program(
        ["unless", ["any", cards(PILE)], 3],
        ["do", "move", {"": ["first", cards(PILE)], "to": hand(YOU)}],
        ["do", "end_turn", {"": YOU}],
        ["unless", ["empty", cards(PILE)], 5],
        ["do", "end_game", {"winners": ["best", ["living"], 0, ["count", cards(hand(["v", 0]))]]}],
        slots=2,
    )
    return {
        "format": 1, "game": "snip", "title": "Snip", "version": "1.0", "language": 1,
        "packs": [["base", version]], "preset": None, "options": {"hand_size": 3}, "facts": {},
        "players": {"min": 2, "max": 4},
        "zones": [
            {"name": "pile", "see": "none", "per_player": False, "order": True, "marks": False, "start": True},
            {"name": "heap", "see": "all", "per_player": False, "order": True, "marks": False, "start": False},
            {"name": "hand", "see": "owner", "per_player": True, "order": False, "marks": False, "start": False},
        ],
        "attributes": {
            "game": [], "card": [],
            "player": [{"name": "coins", "type": "number", "start": 2, "see": "all"}],
        },
        "fields": {}, "tags": [],
        "kinds": [
            kind("grab", grab_title, "Take a card from another player.", grab),
            kind("peek", "Peek", "Look at the top two cards of the pile.", peek),
            kind("stop", "Stop", "Cancel what was played.", stop),
            kind("tuck", "Tuck", "This card goes back into the pile, wherever you like.", tuck),
        ],
        "deck": [["grab", 8, None], ["peek", 4, None], ["stop", 6, None], ["tuck", 4, None]],
        "verbs": [], "questions": [],
        "moves": [{
            "name": "draw", "at": "turn", "to": None, "if": None, "tags": [], "default": True, "window": False,
            "cards": None, "choose": [], "slots": 2, "program": draw_ops, "text": None, "about": "",
        }],
        "play_announce": program(["do", "move", {"": ["v", 0], "to": HEAP}], slots=1),
        "can_act": {"slots": 0, "expr": ["living"]}, "now": None,
        "setup": program(
            ["do", "shuffle", {"": PILE}],
            ["iter", 0, ["players"]],
            ["next", 0, 2, 5],
            ["do", "move", {"": ["top", cards(PILE), ["k", 3]], "to": hand(["v", 2])}],
            ["jump", 2],
            slots=3,
        ),
        "play": program(
            ["do", "offer", {"": ["turn_of"]}],
            ["unless", ["turn_ended"], 3],
            ["do", "next_turn", {}],
            ["jump", 0],
        ),
        "leave": program(["do", "eliminate", {"": YOU}]),
        "limits": {"decisions": 500, "ending": "draw"},
        "never": [],
    }  # fmt: skip


def book(**more: Any) -> kernel.Rulebook:
    return kernel.Rulebook.from_data(snip(**more))
