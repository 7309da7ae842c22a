"""Choosing several things out of classes of like things.

How many bags or sequences there are, and the i-th of them, without a list of all.
"""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=4096)
def combinations(counts: tuple[int, ...], k: int) -> int:
    """How many different bags of k things the classes give (`counts`: how many things in each class)."""
    if k == 0:
        return 1
    if not counts:
        return 0
    return sum(combinations(counts[1:], k - take) for take in range(min(counts[0], k) + 1))


def combination(counts: tuple[int, ...], k: int, i: int) -> list[int]:
    """The i-th bag: the classes' indexes in ascending order."""
    found: list[int] = []
    at = 0
    while k > 0:
        rest = counts[at + 1 :]
        for take in range(min(counts[at], k), -1, -1):
            options = combinations(rest, k - take)
            if i < options:
                found.extend([at] * take)
                k -= take
                break
            i -= options
        at += 1
    return found


@lru_cache(maxsize=4096)
def sequences(counts: tuple[int, ...], k: int) -> int:
    """How many different sequences of k things the classes give; `counts` sorted."""
    if k == 0:
        return 1
    total = 0
    last = -1
    same = 0
    for at, c in enumerate(counts):
        if c == 0:
            continue
        if c == last:
            total += same
            continue
        last = c
        same = sequences(tuple(sorted((*counts[:at], c - 1, *counts[at + 1 :]))), k - 1)
        total += same
    return total


def sequence(counts: tuple[int, ...], k: int, i: int) -> list[int]:
    """The i-th sequence: the classes' indexes in order."""
    left = list(counts)
    found: list[int] = []
    while k > 0:
        for at, c in enumerate(left):
            if c == 0:
                continue
            left[at] = c - 1
            options = sequences(tuple(sorted(left)), k - 1)
            if i < options:
                found.append(at)
                k -= 1
                break
            i -= options
            left[at] = c
    return found
