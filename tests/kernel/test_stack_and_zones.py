"""What a state knows of its zones and acts: where odd cards lie, and the stack of acts, of which a copy has its own."""

from __future__ import annotations

import rulebook


def test_odd_cards_of_a_zone_are_found_however_many_lie_elsewhere() -> None:
    state = rulebook.load("kittens", packs=["base"]).new(players=2, seed=1)
    zones = range(len(state.zones))
    for step in (1, 2, 7, 40):
        for first in range(step):
            state.odd = set(range(first, len(state.where), step))
            held = [z for z in zones if not state.odd.isdisjoint(state.zones[z])]
            assert [z for z in zones if state.holds_odd(z)] == held


def test_a_copy_has_acts_of_its_own_in_the_same_order() -> None:
    book = rulebook.load("kittens", packs=["base"])
    hands = {0: ["favor", "nope"], 1: ["nope", "skip"]}
    state = book.position(players=2, given={"hand": hands, "draw_pile": ["skip", "skip"]})
    state.apply(0, "play favor victim=1")
    state.apply(1, "play nope")
    other = state.copy()
    assert [act.spec.text for act in other.acts] == [act.spec.text for act in state.acts]
    assert len(state.acts) == 2
    assert not {id(act) for act in state.acts} & {id(act) for act in other.acts}
    while other.waiting.kind == "window":
        other.apply(other.waiting.players[0], "pass")
    assert not other.acts
    assert len(state.acts) == 2
    assert book.restore(state.dump()).dump() == state.dump()
