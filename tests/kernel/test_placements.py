"""Determinized states are drawn exactly evenly: compared with every placement there is, counted one by one."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import kernel
import rulebook
from kernel.determinize import Worlds
from kernel.placement import arrangements, below
from kernel.rng import Rng
from tests.kernel.parlour import load, passed, play

CARDS = {
    "peek": play("show top(pile, 1) to: [you]"),
    "deal": play("move top(pile, 1) to: victim.hand", "  choose: {victim: players}\n"),
    "tuck": play(
        "pick card from: hand by: you\npick at from: slots(pile) by: you secret: true\n"
        "move card to: pile at: at secret: true"
    ),
    "end": play("end_turn you"),
    "daze": play("lay blind on: you"),
    "blind": "mark: Blind\nwhile:\n  - {answer: hides, if: viewer == you and card in hand, with: 'true'}\n",
    "stop": "play: {at: response, to: 'target is not quiet', do: cancel target}\n",
    "tea": "tags: [sweet]\n",
    "milk": "text: nothing\n",
    "rum": "text: nothing\n",
}
Placement = dict[str, list[str]]
DRAWS = 1500


def game(folder: Path, never: str = "") -> kernel.Rulebook:
    """The parlour with a `never`."""
    load(folder, CARDS)
    file = folder / "parlour" / "game.yaml"
    file.write_text(file.read_text(encoding="utf-8") + (f"never:\n{never}" if never else ""), encoding="utf-8")
    return rulebook.load("parlour", packs=["base"], path=folder)


def places_of(state: kernel.State) -> Placement:
    """Hands (in any order) and pile of a state."""
    given = state.describe()
    found = {f"hand {p}": sorted(given.get("hand", {}).get(p, [])) for p in range(state.players)}
    return {**found, "pile": list(given.get("pile", []))}


def key(placement: Placement) -> str:
    """One text for a placement; hands are bags."""
    return json.dumps({zone: cards if zone == "pile" else sorted(cards) for zone, cards in placement.items()})


def expected(known: Placement, hidden: Placement, allowed: Callable[[Placement], bool]) -> Counter[str]:
    """Every placement of the hidden cards on their places that is allowed, with how many arrangements lead to it.

    `known` and `hidden` list the cards of each zone; in the pile a known card is written at its place, and a hidden
    place is "".
    """
    zones = [(zone, len(cards)) for zone, cards in hidden.items()]
    cards = [card for _, own in hidden.items() for card in own]
    found: Counter[str] = Counter()
    for order in itertools.permutations(cards):
        rest = list(order)
        placement: Placement = {}
        for zone, count in zones:
            mine = [rest.pop() for _ in range(count)]
            if zone == "pile":
                placement[zone] = [card or mine.pop() for card in known[zone]]
            else:
                placement[zone] = [*known[zone], *mine]
        if allowed(placement):
            found[key(placement)] += 1
    return found


def agree(found: Counter[str], wanted: Counter[str]) -> None:
    """The draws are those of the wanted distribution: chi squared stays below what happens once in about 10,000."""
    assert set(found) <= set(wanted), f"never allowed: {sorted(set(found) - set(wanted))[:3]}"
    total, draws = sum(wanted.values()), sum(found.values())
    shares = {one: draws * n / total for one, n in wanted.items()}
    assert min(shares.values()) > 4, "too few draws to say anything"
    chi = sum((found[one] - share) ** 2 / share for one, share in shares.items())
    degrees = len(wanted) - 1
    assert chi < degrees + 4 * (2 * degrees) ** 0.5 + 12, (chi, degrees)


def draws(state: kernel.State, player: int = 0, count: int = DRAWS) -> Counter[str]:
    worlds = state.worlds(player)
    return Counter(key(places_of(worlds.draw(seed))) for seed in range(count))


def everything(_: Placement) -> bool:
    return True


def in_hands(card: str, unless: Callable[[list[str]], bool]) -> Callable[[Placement], bool]:
    """`card` lies in nobody's hand, unless."""
    return lambda placement: all(
        card not in cards or unless(cards) for zone, cards in placement.items() if zone.startswith("hand")
    )


def test_without_conditions(tmp_path: Path) -> None:
    state = game(tmp_path).position(3, {"hand": {0: ["tea"], 1: ["milk", "rum"], 2: ["tea"]}, "pile": ["rum", "milk"]})
    wanted = expected(
        {"hand 0": ["tea"], "hand 1": [], "hand 2": [], "pile": ["", ""]},
        {"hand 0": [], "hand 1": ["milk", "rum"], "hand 2": ["tea"], "pile": ["rum", "milk"]},
        everything,
    )
    agree(draws(state), wanted)


def test_with_a_card_known_to_be_on_top(tmp_path: Path) -> None:
    state = game(tmp_path).position(2, {"hand": {0: ["peek"], 1: ["milk", "milk"]}, "pile": ["tea", "rum", "rum"]})
    state.apply(0, "play peek")
    passed(state)
    wanted = expected(
        {"hand 0": [], "hand 1": [], "pile": ["tea", "", ""]},
        {"hand 0": [], "hand 1": ["milk", "milk"], "pile": ["rum", "rum"]},
        everything,
    )
    agree(draws(state), wanted)


def test_with_a_card_known_to_be_in_the_pile_but_not_where(tmp_path: Path) -> None:
    given = {"hand": {0: ["peek", "end"], 1: ["tuck", "milk", "rum", "end"]}, "pile": ["tea", "rum"]}
    state = game(tmp_path).position(2, given)
    for player, action in ((0, "play peek"), (0, "play end"), (1, "play tuck"), (1, "choose milk"), (1, "choose 1")):
        state.apply(player, action)
        passed(state)
    state.apply(1, "play end")
    passed(state)
    wanted: Counter[str] = Counter()
    for at in range(3):  # tea lies anywhere in the pile; the other two places and the hand are open
        pile = ["", "", ""]
        pile[at] = "tea"
        wanted += expected(
            {"hand 0": [], "hand 1": [], "pile": pile},
            {"hand 0": [], "hand 1": ["rum"], "pile": ["milk", "rum"]},
            everything,
        )
    agree(draws(state), wanted)


NEVER = "  - {kind: rum, in: hand}\n"
UNLESS = '  - {kind: rum, in: hand, unless: "count(hand where id(it) == \\"milk\\") > 0"}\n'
AS_MANY = (
    '  - {kind: rum, in: hand, unless: "count(hand where id(it) == \\"milk\\") >= '
    'count(hand where id(it) == \\"rum\\")"}\n'
)
TAGGED = '  - {kind: rum, in: hand, unless: "any(hand where it is sweet)"}\n'
FAR = '  - {kind: rum, in: hand, unless: "any(pile where id(it) == \\"milk\\")"}\n'
TWO = '  - {kind: rum, in: hand}\n  - {kind: milk, in: pile, unless: "any(pile where id(it) == \\"rum\\")"}\n'


@pytest.mark.parametrize(
    ("never", "allowed", "local"),
    [
        (NEVER, in_hands("rum", lambda cards: False), True),
        (UNLESS, in_hands("rum", lambda cards: "milk" in cards), True),
        (AS_MANY, in_hands("rum", lambda cards: cards.count("milk") >= cards.count("rum")), True),
        (TAGGED, in_hands("rum", lambda cards: "tea" in cards), True),
        (FAR, lambda p: in_hands("rum", lambda _: "milk" in p["pile"])(p), False),
        (
            TWO,
            lambda p: in_hands("rum", lambda _: False)(p) and ("milk" not in p["pile"] or "rum" in p["pile"]),
            True,
        ),
    ],
    ids=["never", "unless", "as many", "tagged", "far", "two"],
)
def test_with_a_never(tmp_path: Path, never: str, allowed: Callable[[Placement], bool], local: bool) -> None:
    book = game(tmp_path, never)
    assert [ban.local for ban in book.bans] == [local] * len(book.bans)
    hidden = {"hand 0": [], "hand 1": ["milk", "tea"], "hand 2": ["milk", "tea"], "pile": ["rum", "rum", "milk"]}
    state = book.position(3, {"hand": {0: ["end"], 1: hidden["hand 1"], 2: hidden["hand 2"]}, "pile": hidden["pile"]})
    wanted = expected({"hand 0": ["end"], "hand 1": [], "hand 2": [], "pile": ["", "", ""]}, hidden, allowed)
    assert wanted != expected({"hand 0": ["end"], "hand 1": [], "hand 2": [], "pile": ["", "", ""]}, hidden, everything)
    agree(draws(state), wanted)
    plan = state.worlds(0).plan
    assert plan is not None
    if local:  # the count itself is exact, to the one: each placement of special kinds stands for as many arrangements
        special: set[str] = {book.kinds[kind].id for kind in plan.kinds}
        found = {
            json.dumps(
                [[card if card in special else "" for card in order[at:end]] for at, end in ((0, 2), (2, 4), (4, 7))]
            )
            for order in itertools.permutations([card for zone in hidden.values() for card in zone])
            if allowed({"hand 1": list(order[:2]), "hand 2": list(order[2:4]), "pile": list(order[4:])})
        }
        assert plan.total == len(found)


def test_a_known_card_that_needs_a_guard_has_one(tmp_path: Path) -> None:
    """Player 1 was dealt a rum that player 0 saw: the hand must hold milk."""
    book = game(tmp_path, UNLESS)
    state = book.position(2, {"hand": {0: ["peek", "deal"], 1: ["milk", "tea"]}, "pile": ["rum", "tea", "milk"]})
    for action in ("play peek", "play deal victim=1"):
        state.apply(0, action)
        passed(state)
    wanted = expected(
        {"hand 0": [], "hand 1": ["rum"], "pile": ["", ""]},
        {"hand 0": [], "hand 1": ["milk", "tea"], "pile": ["tea", "milk"]},
        in_hands("rum", lambda cards: "milk" in cards),
    )
    agree(draws(state), wanted)


def test_a_hand_hidden_from_its_owner(tmp_path: Path) -> None:
    book = game(tmp_path, NEVER)
    state = book.position(2, {"hand": {0: ["daze"], 1: ["milk"]}, "pile": ["tea", "rum", "stop"]})
    state.apply(0, "play daze")
    passed(state)
    state.apply(0, "draw")
    state.apply(1, "draw")
    assert state.view(0)["zones"]["hand"]["0"] == ["unknown"]
    wanted = expected(
        {"hand 0": [], "hand 1": [], "pile": [""]},
        {"hand 0": ["tea"], "hand 1": ["milk", "rum"], "pile": ["stop"]},
        in_hands("rum", lambda _: False),
    )
    agree(draws(state), wanted)


def test_a_position_that_breaks_a_never_already_is_drawn_from_all_placements(tmp_path: Path) -> None:
    book = game(tmp_path, NEVER)
    state = book.position(2, {"hand": {0: ["end"], 1: ["rum"]}, "pile": []})
    assert {key(places_of(state.worlds(0).draw(seed))) for seed in range(5)} == {key(places_of(state))}
    state = book.position(2, {"hand": {0: ["end"], 1: ["rum", "rum"]}, "pile": ["tea"]})
    assert len(draws(state, count=60)) == 2


def test_placements_too_many_to_be_counted_are_drawn_until_they_are_allowed(tmp_path: Path) -> None:
    book = game(tmp_path, UNLESS)
    pile = ["rum", "milk"] * 150
    state = book.position(2, {"hand": {0: ["end"], 1: ["milk", "rum", "tea"]}, "pile": pile})
    worlds = state.worlds(0)
    assert worlds.plan is not None
    assert not worlds.plan.countable
    hands = [places_of(worlds.draw(seed))["hand 1"] for seed in range(40)]
    assert all("milk" in hand for hand in hands if "rum" in hand)
    assert any("rum" in hand for hand in hands)


def test_worlds_hold_nothing_of_the_real_placement(tmp_path: Path) -> None:
    book = game(tmp_path, UNLESS)
    found: set[str] = set()
    for one, two, pile in ((["milk", "rum"], ["tea"], ["tea"]), (["tea", "milk"], ["tea"], ["rum"])):
        state = book.position(3, {"hand": {0: ["end"], 1: one, 2: two}, "pile": pile})
        worlds: Worlds = state.worlds(0)
        inside: Any = [worlds.template.dump(), worlds.unseen, worlds.stock, worlds.loose, worlds.seen]
        found.add(json.dumps([inside, [worlds.draw(seed).dump() for seed in range(9)]], sort_keys=True))
    assert len(found) == 1


def test_draws_are_repeatable_and_do_not_touch_each_other(tmp_path: Path) -> None:
    state = game(tmp_path, UNLESS).new(players=3, seed=5)
    player = state.waiting.players[0]
    worlds = state.worlds(player)
    first = [worlds.draw(seed).digest for seed in range(10)]
    kernel.playout(worlds.draw(3), seed=1)
    assert [worlds.draw(seed).digest for seed in range(10)] == first
    assert [state.determinize(player, seed).digest for seed in range(10)] == first
    assert len(set(first)) == 10


def test_the_shipped_conditions_can_be_counted() -> None:
    for packs in (["base"], ["base", "imploding", "streaking", "barking", "burglar"], ["evil"]):
        book = rulebook.load("kittens", packs=packs)
        assert book.bans
        assert all(ban.local for ban in book.bans)


def test_counting() -> None:
    assert arrangements(4, (2, 1)) == 12
    assert arrangements(2, (2, 1)) == 0
    rng = Rng(1)
    big = 10**30
    found = [below(rng, big) for _ in range(200)]
    assert max(found) < big
    assert 0.4 < sum(found) / len(found) / big < 0.6
    assert {below(rng, 3) for _ in range(40)} == {0, 1, 2}
