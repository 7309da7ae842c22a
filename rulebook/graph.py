"""What packs need of each other: versions, missing ones, circles, and the order in which they are taken."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from pathlib import Path

from rulebook.diagnostics import Diagnostics, Span
from rulebook.packs import text_of, texts_of
from rulebook.yamlread import Map

_NEED = re.compile(r"([a-z][a-z0-9_]*) *(.*)")
_CONDITION = re.compile(r"(>=|<=|==|>|<) *([0-9.]+)")
_COMPARE: dict[str, Callable[[tuple[int, ...], tuple[int, ...]], bool]] = {
    ">=": lambda a, b: a >= b,
    "<=": lambda a, b: a <= b,
    "==": lambda a, b: a == b,
    ">": lambda a, b: a > b,
    "<": lambda a, b: a < b,
}


@dataclass(frozen=True, slots=True)
class Manifest:
    """A pack that was found: its folder and its `pack.yaml`."""

    id: str
    path: Path
    node: Map

    @property
    def version(self) -> str:
        """The version that it declares."""
        return text_of(self.node, "version")

    def needs(self) -> list[Need]:
        """The packs that must be played with it."""
        return [parse_need(item.text, item.span) for item in texts_of(self.node, "needs")]

    def uses(self) -> list[Need]:
        """The packs whose definitions it takes."""
        return [parse_need(item.text, item.span) for item in texts_of(self.node, "uses")]


@dataclass(frozen=True, slots=True)
class Need:
    """One entry of `needs` or `uses`: a pack, and what its version must be."""

    pack: str
    conditions: tuple[tuple[str, str], ...]
    span: Span

    def fits(self, version: str) -> bool:
        """Whether a version meets all conditions."""
        found = version_key(version)
        return all(_COMPARE[sign](found, version_key(wanted)) for sign, wanted in self.conditions)

    def __str__(self) -> str:
        return " ".join([self.pack, ", ".join(f"{sign} {version}" for sign, version in self.conditions)]).strip()


def parse_need(text: str, span: Span) -> Need:
    """`base`, `base >= 1.2` or `base >= 1.2, < 2` (the shape is already checked)."""
    match = _NEED.match(text)
    name, rest = match.groups() if match else (text, "")
    return Need(name, tuple((sign, version) for sign, version in _CONDITION.findall(rest)), span)


def version_key(version: str) -> tuple[int, ...]:
    """Versions in their order: 1.10 is newer than 1.9, and 1.0 is 1."""
    numbers = [int(part) for part in version.split(".") if part.isdigit()]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


def check_graph(
    manifests: Mapping[str, Manifest],
    in_play: Iterable[str] | None,
    known: Iterable[str],
    diagnostics: Diagnostics,
    lost: Iterable[str] = (),
) -> bool:
    """Report what packs need and do not get, and every circle once; true if there was nothing to report.

    `in_play` are the packs named for a game (None: only ask whether what is needed exists at all), `known` all packs
    that could be named, `lost` those whose faults are reported already.
    """
    before = len(diagnostics.errors)
    playing = None if in_play is None else set(in_play)
    names, gone = sorted(known), set(lost)
    for manifest in (manifests[name] for name in sorted(manifests)):
        here = playing is None or manifest.id in playing
        for need, must_play in [*((n, True) for n in manifest.needs()), *((n, False) for n in manifest.uses())]:
            found = manifests.get(need.pack)
            verb = "needs" if must_play else "uses"
            if need.pack in gone:
                continue
            if found is None:
                there = ", ".join(names) or "nothing"
                message = f"{manifest.id} {verb} {need.pack} (not found in: {there})"
                diagnostics.error("RB306", message, need.span)
            elif not need.fits(found.version):
                message = f"{manifest.id} {verb} {need}, found {found.version}"
                diagnostics.error("RB307", message, need.span)
            elif must_play and here and playing is not None and need.pack not in playing:
                together = ",".join(sorted({*playing, need.pack}))
                message = f"{manifest.id} needs {need.pack}, which is not among the packs of this game"
                diagnostics.error("RB306", message, need.span, f"play with the packs {together}")
    for circle in circles(manifests):
        first = manifests[circle[0]]
        spans = [need.span for need in (*first.needs(), *first.uses()) if need.pack == circle[1]]
        diagnostics.error("RB308", f"packs need each other in a circle: {' -> '.join(circle)}", spans[0])
    return len(diagnostics.errors) == before


def circles(manifests: Mapping[str, Manifest]) -> list[list[str]]:
    """Every circle of packs that a walk meets, each once, beginning with its first name: [a, b, c, a]."""
    found: list[list[str]] = []
    done: set[str] = set()
    for start in sorted(manifests):
        trail: list[str] = []
        waiting: list[list[str]] = [[start]]
        while waiting:  # a walk in depth without recursion: `waiting` holds what is still to visit at each depth
            if not waiting[-1]:
                waiting.pop()
                if trail:
                    done.add(trail.pop())
                continue
            name = waiting[-1].pop(0)
            if name in trail:
                circle = trail[trail.index(name) :]
                least = circle.index(min(circle))
                turned = [*circle[least:], *circle[:least]]
                if [*turned, turned[0]] not in found:
                    found.append([*turned, turned[0]])
            elif name in manifests and name not in done:
                trail.append(name)
                waiting.append(_neighbours(manifests[name]))
    return found


def in_order(manifests: Mapping[str, Manifest], rank: Mapping[str, int] | None = None) -> list[str]:
    """The packs so that each comes after what it needs and uses; else by `rank`, and by name. Circles are broken
    anywhere."""
    below = {
        name: {other for other in _neighbours(manifests[name]) if other in manifests and other != name}
        for name in manifests
    }
    above: dict[str, list[str]] = {name: [] for name in manifests}
    for name, others in below.items():
        for other in others:
            above[other].append(name)
    free = [((rank or {}).get(name, -1), name) for name, others in below.items() if not others]
    heapify(free)
    ordered: list[str] = []
    while below:
        name = heappop(free)[1] if free else min(below)  # none is free: a circle, which was reported
        if below.pop(name, None) is None:
            continue
        ordered.append(name)
        for other in above[name]:
            waiting = below.get(other)
            if waiting is not None:
                waiting.discard(name)
                if not waiting:
                    heappush(free, ((rank or {}).get(other, -1), other))
    return ordered


def _neighbours(manifest: Manifest) -> list[str]:
    return list(dict.fromkeys(need.pack for need in (*manifest.needs(), *manifest.uses())))
