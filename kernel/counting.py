"""Choosing several things out of classes of like things.

How many bags or sequences there are, and the i-th of them, without a list of all.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache


@lru_cache(maxsize=4096)
def combinations(counts: tuple[int, ...], k: int) -> int:
    """How many different bags of k things the classes give (`counts`: how many things in each class)."""
    if k <= 1:
        return 1 if k == 0 else len(counts) - counts.count(0)
    row = [1] + [0] * k
    for count in counts:
        row = with_class(row, count, k)
    return row[k]


def with_class(row: list[int], count: int, k: int) -> list[int]:
    """How many bags of 0 to k things there are once a further class of `count` things can be taken from."""
    if count == 1:
        return [1] + [row[j] + row[j - 1] for j in range(1, k + 1)]
    found: list[int] = []
    total = 0
    for j in range(k + 1):
        total += row[j]
        if j > count:
            total -= row[j - count - 1]
        found.append(total)
    return found


@lru_cache(maxsize=256)
def suffix_counts(counts: tuple[int, ...], k: int) -> list[list[int]]:
    """How many bags of 0 to k things the classes from number n on give, for each n."""
    row = [1] + [0] * k
    rows = [row]
    for count in reversed(counts):
        row = with_class(row, count, k)
        rows.append(row)
    return rows[::-1]


def combination(counts: tuple[int, ...], k: int, i: int) -> list[int]:
    """The i-th bag: the classes' indexes in ascending order."""
    found: list[int] = []
    rows = suffix_counts(counts, k)
    at = 0
    while k > 0:
        rest = rows[at + 1]
        for take in range(min(counts[at], k), -1, -1):
            options = rest[k - take]
            if i < options:
                found.extend([at] * take)
                k -= take
                break
            i -= options
        at += 1
    return found


def combination_rank(counts: tuple[int, ...], bag: Sequence[int]) -> int:
    """Which of the bags of its size this one is: the inverse of `combination`."""
    at = 0
    k = len(bag)
    rows = suffix_counts(counts, k)
    for c, count in enumerate(counts):
        if k == 0:
            break
        take = bag.count(c)
        for more in range(min(count, k), take, -1):
            at += rows[c + 1][k - more]
        k -= take
    return at


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
