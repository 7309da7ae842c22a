"""The shapes of files: what is refused, where, and with which words. And that the schemas editors use say the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from rulebook.diagnostics import Diagnostic, Diagnostics
from rulebook.library import shipped
from rulebook.schema_check import KINDS, Kind, check_shape, schema, without_vendor_keys
from rulebook.yamlread import read, to_data
from tests.rulebook.packfiles import GAME, card, pack

RULING = "rulings:\n  - title: A skip ends the turn\n"


def faults(kind: Kind, text: str) -> list[Diagnostic]:
    diagnostics = Diagnostics()
    sound = check_shape(read(text, name="x.yaml"), kind, diagnostics)
    assert sound == (not diagnostics.errors)
    return diagnostics.sorted()


def fault(kind: Kind, text: str) -> Diagnostic:
    found = faults(kind, text)
    assert len(found) == 1, [str(item) for item in found]
    return found[0]


CARD = card("skip", "text: Your turn is over.\n")


@pytest.mark.parametrize(
    ("kind", "text", "code", "line", "column", "words", "hint"),
    [
        ("card", CARD + "paly: {at: turn, do: x}\n", "RB200", 4, 1, "`paly`", "`play`"),
        ("card", CARD + "conditon: x\n", "RB200", 4, 1, "`conditon`", "`if` belongs below `play`"),
        ("card", CARD + "do: x\n", "RB200", 4, 1, "`do`", "`do` belongs below `play`"),
        ("card", CARD + "play: {at: turn, conditon: x, do: y}\n", "RB200", 4, 18, "`play.conditon`", "`if`"),
        ("card", CARD + "play: {at: turn, tagret: x, do: y}\n", "RB200", 4, 18, "`play.tagret`", "`choose`"),
        ("card", CARD + "when: [{event: x, do: y, iff: z}]\n", "RB200", 4, 26, "`when[0].iff`", "`if`"),
        ("card", CARD + "qqq: 1\n", "RB200", 4, 1, "`qqq`", "keys that can stand here: `card`"),
        ("card", "card: A\n", "RB201", 1, 1, "`id` is missing", "`id:` The file's name"),
        ("card", "id: a\n", "RB201", 1, 1, "`card` is missing", "title"),
        ("card", CARD + "play: {at: turn}\n", "RB201", 4, 8, "`do` is missing in `play`", "`do:`"),
        ("card", CARD + "while: {answer: x}\n", "RB201", 4, 9, "`with` is missing in `while`", ""),
        ("card", "card: 99\nid: a\n", "RB202", 1, 7, "a text, here is the number 99", '"99"'),
        ("card", CARD + "tags: action\n", "RB202", 4, 7, "a list, here is the text `action`", "[action]"),
        ("card", CARD + "play:\n  at: turn\n  do:\n", "RB202", 6, 3, "a program, here is nothing", ""),
        ("card", CARD + "play: {at: turn, do: [a]}\n", "RB202", 4, 22, "a program, here is a list", "quotes"),
        ("card", CARD + "play: {at: turn, if: [a], do: x}\n", "RB202", 4, 22, "an expression", "quotes"),
        ("card", "- a\n", "RB202", 1, 1, "a card file is a map of keys", ""),
        ("card", CARD + "play: {at: trun, do: x}\n", "RB203", 4, 12, "one of `turn`, `response`, `now`", "`turn`"),
        ("card", CARD + "plays_as: {from: x, ask: perhaps}\n", "RB202", 4, 26, "true or false", ""),
        ("card", "card: A\nid: A-b\n", "RB205", 2, 5, "`id` cannot be `A-b`", "small letters"),
        ("card", "card: A\nid: ../../index\n", "RB205", 2, 5, "`../../index`", "small letters"),
        ("card", CARD + "play: {at: turn, choose: {Victim: x}, do: y}\n", "RB205", 4, 27, "cannot be a key", "small"),
        ("card", CARD + "tags: [a, a]\n", "RB206", 4, 7, "stands twice", ""),
        ("card", CARD + "play: []\n", "RB206", 4, 7, "`play` is empty", ""),
        ("card", 'card: ""\nid: a\n', "RB206", 1, 7, "`card` is empty", ""),
        ("card", CARD + "play:\n  at: turn\n  do: >\n    a\n    b\n", "RB207", 6, 3, "folded", "`|`"),
        ("card", "card: A\nmark: A\nid: a\n", "RB208", 1, 7, "`card` cannot stand here", "not both"),
        ("card", CARD + "art: ../../secret.png\n", "RB200", 4, 1, "`art`", ""),
        ("pack", pack("base", "requres: [a]\n"), "RB200", 6, 1, "`requres`", "did you mean `needs`?"),
        ("pack", pack("base", "requires: [a]\n"), "RB200", 6, 1, "`requires`", "did you mean `needs`?"),
        ("pack", pack("base", "deck: {a: 1000000000}\n"), "RB204", 6, 11, "from 0 up to 1000", ""),
        ("pack", pack("base", "deck: {a: {x: -3}}\n"), "RB204", 6, 15, "`deck.a.x` is -3", ""),
        ("pack", pack("base", "deck: {a: many}\n"), "RB202", 6, 11, "a number, here is the text `many`", ""),
        ("pack", pack("base", 'needs: ["a >="]\n'), "RB205", 6, 9, "`needs[0]`", "`base >= 1.2`"),
        ("pack", pack("base", "needs: [../x]\n"), "RB205", 6, 9, "`needs[0]`", "the id of a pack"),
        ("pack", pack("base").replace('"1.0"', "1"), "RB202", 3, 10, "a text", '"1"'),
        ("pack", pack("base").replace('"1.0"', '"new"'), "RB205", 3, 10, "`version`", '"1.0"'),
        ("pack", pack("base").replace("language: 1\n", ""), "RB201", 1, 1, "`language` is missing", "1"),
        ("game", GAME + "setpu: x\n", "RB200", 12, 1, "`setpu`", "`setup`"),
        ("game", GAME.replace("see: none, ", ""), "RB201", 9, 9, "`see` is missing in `zones.box`", ""),
        ("game", GAME.replace("see: none", "see: nobody"), "RB203", 9, 14, "`none`, `owner`, `all`", ""),
        ("game", GAME.replace("per: player", "per: person"), "RB203", 8, 27, "it can only be `player`", ""),
        ("game", GAME.replace("min: 2", "min: 0"), "RB204", 5, 16, "`players.min` is 0", ""),
        ("game", GAME + "options: {a: {type: number}}\n", "RB201", 12, 15, "`default` is missing", ""),
        (
            "game",
            GAME + "moves: {a: {do: x, cards: {from: hand, count: 2, max: 3}}}\n",
            "RB208",
            12,
            55,
            "`moves.a.cards.max`",
            "exactly",
        ),
        ("rulings", RULING + "    steps: [{0: draw, 1: pass}]\n", "RB206", 3, 13, "more than 1 key", "its own `-`"),
        ("rulings", RULING + "    steps: [{expct: x}]\n", "RB200", 3, 14, "`rulings[0].steps[0].expct`", "`expect`"),
        ("rulings", RULING + "    steps: [clos]\n", "RB203", 3, 13, "only be `close`", "`close`"),
        ("rulings", RULING + "    steps: [{all: draw}]\n", "RB203", 3, 19, "only be `pass`", ""),
        ("rulings", RULING + "    steps: [{illegal: {x: draw}}]\n", "RB205", 3, 24, "`x` cannot be a key", "a player"),
        ("rulings", RULING + "    given: {turn: {playr: 1}}\n", "RB200", 3, 20, "`playr`", "`player`"),
        ("rulings", RULING + "    given: {hand: {0: skip}}\n", "RB202", 3, 23, "a list", "[skip]"),
        ("rulings", RULING + "    given: {direction: 2}\n", "RB203", 3, 24, "`1`, `-1`", ""),
        ("rulings", RULING + "    sees: [{player: 0, zone: a}]\n", "RB201", 3, 13, "`cards` is missing", ""),
        ("rulings", "rulings: []\n", "RB206", 1, 10, "`rulings` is empty", ""),
    ],
)
def test_one_fault_is_one_error_with_place_and_hint(
    kind: Kind, text: str, code: str, line: int, column: int, words: str, hint: str
) -> None:
    found = fault(kind, text)
    assert found.span is not None
    assert (found.code, found.span.line, found.span.column) == (code, line, column)
    assert words.strip("`") in found.message
    assert hint in found.hint


def test_a_misspelt_key_is_not_reported_as_missing_too() -> None:
    assert [item.code for item in faults("card", "crad: A\nid: a\n")] == ["RB200"]


def test_the_right_alternative_is_blamed() -> None:
    found = fault("card", CARD + "play:\n  - {at: turn, do: x}\n  - {at: now, choose: {v: {from: x, aks: y}}, do: z}\n")
    assert "`play[1].choose.v.aks`" in found.message
    assert "`ask`" in found.hint


def test_all_faults_of_a_file_are_found_in_one_run() -> None:
    found = faults("card", "card: 1\nid: B\ntags: x\nfoo: 1\nplay: {at: x, do: 1}\n")
    assert [item.code for item in found] == ["RB202", "RB205", "RB202", "RB200", "RB203", "RB202"]


@pytest.mark.parametrize(
    "text",
    [
        CARD,
        "mark: Cursed\nid: cursed\nwhile: {answer: hides, if: card.owner == you, with: true}\n",
        CARD + 'play: {at: now, from: [hand, table], if: true, do: "stop"}\n',
        CARD + "play:\n  - at: response\n    to: target is action\n    do: |\n      cancel target\n",
        CARD + "when: {event: drawn, in: table, do: stop}\nbefore: [{event: drawn, do: stop}]\n",
        CARD + "instead: {of: steal, in: [table, hand], do: proceed}\n",
        CARD + "plays_as: {from: kinds(), ask: true}\nfields: {rank: 7, suit: spades, wild: true}\n",
        CARD + "x-art: {prompt: a cat}\nplay: {at: turn, x-note: 1, do: stop}\n",
        CARD + "while:\n  in: hand\n  answer: x\n  with: >-\n    a folded\n    expression\n",
    ],
)
def test_cards_of_every_kind_pass(text: str) -> None:
    assert faults("card", text) == []


def test_vendor_keys_are_allowed_and_dropped() -> None:
    node = read(CARD + "x-art: 1\nplay: {at: turn, x-note: [{x-deep: 1}], do: stop}\n")
    clean = to_data(without_vendor_keys(node))
    assert "x-" not in json.dumps(clean)
    assert clean["play"] == {"at": "turn", "do": "stop"}


@pytest.mark.parametrize("kind", KINDS)
def test_schemas_are_sound_and_speak_to_people(kind: Kind) -> None:
    jsonschema.Draft202012Validator.check_schema(schema(kind))
    assert schema(kind)["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    for name, rule in schema(kind)["properties"].items():
        described = rule if "$ref" not in rule else {**schema(kind)["$defs"][rule["$ref"].rpartition("/")[2]], **rule}
        assert described.get("description") or described.get("title"), name


@pytest.mark.parametrize("kind", KINDS)
def test_every_map_of_fixed_keys_is_closed(kind: Kind) -> None:
    """A map that takes anything would swallow a misspelt key. The one exception holds values of attributes by name."""
    open_maps: list[str] = []

    def look(rule: Any, where: str) -> None:
        if isinstance(rule, dict):
            if rule.get("type") == "object" and not where.endswith("/if") and "additionalProperties" not in rule:
                open_maps.append(where)
            for key, below in rule.items():
                look(below, f"{where}/{key}")
        elif isinstance(rule, list):
            for number, below in enumerate(rule):
                look(below, f"{where}/{number}")

    look(schema(kind), "")
    assert [where for where in open_maps if not where.endswith("/given/properties/attributes")] == []


def kind_of(path: Path) -> Kind:
    if path.parent.name == "rulings":
        return "rulings"
    if path.parent.name == "decks":
        return "deck"
    return {"game.yaml": "game", "pack.yaml": "pack"}.get(path.name, "card")  # type: ignore[return-value]


def test_what_is_shipped_passes_the_published_schemas_alone() -> None:
    """An editor that knows nothing but the schemas accepts every file that is shipped."""
    root = shipped()
    assert root is not None
    for path in sorted(root.glob("**/*.yaml")):
        validator = jsonschema.Draft202012Validator(schema(kind_of(path)))
        errors = [error.message for error in validator.iter_errors(to_data(read(path)))]
        assert errors == [], path


def test_a_comma_that_cuts_an_action_in_two_is_explained() -> None:
    found = faults("rulings", RULING + "    steps: [{illegal: {0: choose a,3c}}]\n")
    assert [item.code for item in found] == ["RB202", "RB205"]
    assert found[1].hint.endswith("a comma inside `{…}` ends a value, unless the value is in quotes")


def test_a_list_where_a_name_is_wanted_asks_for_a_name() -> None:
    found = fault("game", GAME + "moves: {take: {cards: {from: [hand, table], count: 1}, do: x}}\n")
    assert (found.code, found.hint.startswith("it must be a name")) == ("RB202", True)
