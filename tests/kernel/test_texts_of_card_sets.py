"""Which bags of cards a text stands for: found without a list of all, and the same as by looking through that list."""

from __future__ import annotations

import random

from kernel.cardsets import BagSets, CardSets, Class, fits_tokens


def classes_at_random(chooser: random.Random) -> list[Class]:
    """Cards of up to three kinds; where cards of a kind differ they are told apart by number."""
    found: list[Class] = []
    number = 0
    for kind, id in enumerate("abc"):
        unlike = chooser.randrange(4)
        for n in range(unlike):
            size = chooser.randrange(1, 3)
            found.append(Class(id if unlike == 1 else f"{id}#{n + 1}", id, kind, list(range(number, number + size))))
            number += size
    return found


def test_texts_stand_for_the_bags_that_a_look_through_all_finds() -> None:
    chooser = random.Random(1)
    ambiguous = 0
    for _ in range(600):
        classes = classes_at_random(chooser)
        least = chooser.randrange(1, 4)
        sets = BagSets(classes, least, least + chooser.randrange(3))
        tokens = [chooser.choice(["a", "b", "c", *(c.label for c in classes)]) for _ in range(chooser.randrange(1, 5))]
        found = sets.find(tokens)
        assert len(found) == len(set(found)) == len(CardSets.find(sets, tokens))
        for i in found:
            bag = [classes[at] for at in sets.bag(i)]
            assert fits_tokens(bag, tokens * len(bag) if sets.whole and len(tokens) == 1 else tokens)
        ambiguous += len(found) > 1
    assert ambiguous


def test_a_text_for_many_unlike_cards_of_one_kind_is_found_at_once() -> None:
    classes = [Class(f"a#{n}", "a", 0, [n]) for n in range(200)]
    sets = BagSets(classes, 1, 150)
    assert len(sets.find(["a"] * 150)) == 2
    assert sets.bag(sets.find([f"a#{n}" for n in range(7)])[0]) == list(range(7))
