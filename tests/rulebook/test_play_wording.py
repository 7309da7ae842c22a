"""What a terminal says: actions and news in words, menus in steps, and nothing that would be another game's word."""

from __future__ import annotations

from typing import Any

import pytest

import rulebook
from rulebook.terminal import screen
from rulebook.terminal.choices import Choices, Said
from rulebook.terminal.names import Names, listing, third_person
from rulebook.terminal.wording import Journal
from tests.rulebook.snip import book

NAMES = Names(book(), ["Ann", "Bob", "Chris"], you=1)


def said(*entries: dict[str, Any], you: int | None = 1) -> list[str]:
    numbered = [{"n": number, **entry} for number, entry in enumerate(entries, start=1)]
    return [line.text for line in Journal(NAMES.seen_by(you)).lines(numbered)]


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({"event": "announced", "by": 0, "act": 1, "what": "play", "cards": ["peek"]}, "Ann plays Peek"),
        (
            {"event": "announced", "by": 0, "act": 1, "what": "play", "cards": ["grab"], "victim": 1},
            "Ann plays Grab on you",
        ),
        (
            {"event": "announced", "by": 1, "act": 2, "answers": 1, "what": "play", "cards": ["stop"]},
            "You answer with Stop",
        ),
        ({"event": "announced", "by": 2, "act": 1, "what": "draw"}, "Chris' move: draw"),
        (
            {"event": "moved", "by": 0, "cards": ["unknown", "unknown"], "from": "pile", "to": ["hand", 0]},
            "Ann takes 2 cards from the pile",
        ),
        (
            {"event": "moved", "by": 0, "cards": ["stop"], "from": ["hand", 1], "to": ["hand", 0]},
            "Ann takes Stop from your hand",
        ),
        (
            {"event": "moved", "by": 0, "cards": ["stop", "stop"], "from": ["hand", 0], "to": "heap"},
            "Ann moves Stop ×2 from their hand to the heap",
        ),
        ({"event": "shuffled", "from": "pile"}, "The pile is shuffled"),
        (
            {"event": "shown", "viewers": [1], "cards": ["stop", "grab"], "from": "pile"},
            "You see Stop and Grab in the pile",
        ),
        (
            {"event": "shown", "viewers": [0], "cards": ["unknown", "unknown"], "from": "pile"},
            "Ann sees 2 cards in the pile",
        ),
        ({"event": "set", "by": 0, "attribute": "well_fed", "value": True}, "Ann: well fed"),
        ({"event": "set", "by": 1, "attribute": "well_fed", "value": False}, "You: no longer well fed"),
        ({"event": "set", "by": 0, "attribute": "coins", "value": 3}, "Ann's coins: 3"),
        ({"event": "eliminated", "by": 1}, "You are out"),
        ({"event": "eliminated", "by": 0}, "Ann is out"),
        ({"event": "turn", "by": 1, "owed": 2}, "Your turn, 2 turns owed"),
        ({"event": "over", "winners": [0, 1]}, "The game is over: Ann and you win"),
        ({"event": "over", "winners": []}, "The game is over, nobody has won"),
        ({"event": "chose", "by": 0}, "Ann chooses in secret"),
        ({"event": "left", "by": 0}, "Ann leaves the game"),
        ({"event": "told", "text": "a comet\x1b[2J is seen"}, "A comet\\x1b[2J is seen"),
        ({"event": "comet_seen", "by": 0, "cards": ["stop"], "height": 3}, "Ann: comet seen (Stop, height 3)"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_news_are_sentences(entry: dict[str, Any], words: str) -> None:
    assert said(entry) == [words]


def test_what_two_entries_say_alike_is_told_once() -> None:
    moved = {"event": "moved", "by": 0, "cards": ["peek"], "from": ["hand", 0], "to": "heap"}
    played = {"event": "announced", "by": 0, "act": 1, "what": "play", "cards": ["peek"]}
    assert said(moved, played) == said(played, moved) == ["Ann plays Peek"]
    drawn = {"event": "moved", "by": 0, "cards": ["unknown"], "from": "pile", "to": ["hand", 0]}
    assert said({"event": "announced", "by": 0, "act": 1, "what": "draw"}, drawn) == ["Ann takes a card from the pile"]


def test_what_was_cancelled_is_named() -> None:
    played = {"event": "announced", "by": 0, "act": 1, "what": "play", "cards": ["peek"]}
    assert said(played, {"event": "cancelled", "by": 1, "act": 1}) == ["Ann plays Peek", "Peek is cancelled"]


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        ("draw", Said("draw", "draw")),
        ("play grab victim=2", Said("play grab victim=2", "play", ("grab",), (("victim", "2"),))),
        ("ask who=1 what=stop", Said("ask who=1 what=stop", "ask", (), (("who", "1"), ("what", "stop")))),
        ("choose a(x,as=b),c#2", Said("choose a(x,as=b),c#2", "choose", ("a(x,as=b)", "c#2"))),
    ],
)
def test_notation_is_taken_apart(text: str, parsed: Said) -> None:
    assert Said.parse(text) == parsed


def test_a_menu_asks_step_by_step_and_ends_at_one_action() -> None:
    choices = Choices(["draw", "play grab victim=0", "play grab victim=2", "play peek"], NAMES, {"kind": "move"})
    menu = choices.menu()
    assert [(entry.key, entry.label) for entry in menu.entries] == [
        ("1", "Draw"),
        ("2", "Play Grab …"),
        ("3", "Play Peek"),
    ]
    assert menu.entries[0].action == "draw"
    assert menu.entries[1].action is None
    step = choices.refine(menu.entries[1])
    assert (step.title, [entry.label for entry in step.entries]) == ("Victim?", ["Ann", "Chris"])
    assert step.entries[1].action == "play grab victim=2"


def test_every_action_can_be_reached_through_the_menus() -> None:
    actions = [f"pair {a},{b} victim={c}" for a in "abcdef" for b in "abcdef" for c in range(3)]
    choices = Choices(actions, NAMES, {"kind": "move"})
    found = []
    todo = list(choices.menu().entries)
    while todo:
        entry = todo.pop()
        if entry.action is not None:
            found.append(entry.action)
        else:
            assert len(choices.refine(entry).entries) > 1
            todo += choices.refine(entry).entries
    assert sorted(found) == sorted(actions)


def test_numbers_that_are_asked_for_are_typed_as_they_are() -> None:
    choices = Choices([f"choose {place}" for place in range(12)], NAMES, {"kind": "pick", "type": "number"})
    menu = choices.menu()
    entry = menu.find("7")
    assert entry is not None
    assert entry.action == "choose 7"
    players = Choices(["choose 0", "choose 2"], NAMES, {"kind": "pick", "type": "player"}).menu()
    assert [(entry.key, entry.label, entry.action) for entry in players.entries] == [
        ("1", "Ann", "choose 0"),
        ("2", "Chris", "choose 2"),
    ]
    mixed = Choices(["choose 0", "choose keep"], NAMES, {"kind": "pick", "type": "word"}).menu()
    assert [entry.key for entry in mixed.entries] == ["0", "keep"]


def test_several_things_are_chosen_by_their_numbers_in_order() -> None:
    orders = ["grab,peek,stop", "peek,grab,stop", "stop,peek,grab"]
    several = Choices([f"choose {order}" for order in orders], NAMES, {"kind": "pick", "type": "card"}).sequence()
    assert several is not None
    assert several.labels == ("Grab", "Peek", "Stop")
    assert several.action([3, 2, 1]) == "choose stop,peek,grab"
    assert several.action([1, 2]) is None
    assert several.action([1, 1, 2]) is None
    assert several.action([1, 2, 9]) is None
    assert Choices(["draw"], NAMES).sequence() is None


def test_two_alike_are_two_things_to_choose() -> None:
    orders = ["choose grab,grab,stop", "choose grab,stop,grab", "choose stop,grab,grab"]
    several = Choices(orders, NAMES, {"kind": "pick", "type": "card"}).sequence()
    assert several is not None
    assert several.labels == ("Grab", "Grab", "Stop")
    assert several.action([3, 1, 2]) == "choose stop,grab,grab"


def test_a_pile_is_told_from_the_top_as_far_as_it_is_known() -> None:
    def pile(cards: list[str]) -> str:
        return screen.pile(cards, NAMES, ordered=True).plain

    assert pile([]) == "empty"
    assert pile(["unknown"] * 5) == "5 cards"
    assert pile(["stop", "unknown", "unknown"]) == "3 cards, from the top: Stop"
    assert pile(["unknown", "unknown", "stop"]) == "3 cards, from the top: ? ×2, Stop"
    assert pile(["stop"] * 9) == "9 cards, from the top: Stop, Stop, Stop, Stop, Stop, Stop, …"


def test_small_words() -> None:
    assert [third_person(verb) for verb in ("play", "pass", "carry", "have", "are", "go")] == [
        "plays", "passes", "carries", "has", "is", "goes",
    ]  # fmt: skip
    assert [listing(list(parts)) for parts in ("", "a", "ab", "abc")] == ["nothing", "a", "a and b", "a, b and c"]


def test_a_number_is_not_called_by_the_title_of_a_rank() -> None:
    names = Names(rulebook.load("crazy_eights"), ["Ann", "Bob"], you=0)
    assert names.value("word", "10") == "Ten"
    assert [names.value("word", 10), names.value("number", "10"), names.value("numbers", [9, 10])] == [
        "10",
        "10",
        "9 and 10",
    ]
