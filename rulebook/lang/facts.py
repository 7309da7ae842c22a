"""What is certain at a place in the code: which values are set, and what kinds of act an act can be.

Knowledge is kept by the spelling of the expression it is about (`target.card`, `first(hand)`). Some of it ends with
the next verb,
because the state may have changed; what is about local names, parameters and the act answered stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Facts:
    """`known`: expressions that are set, with whether the next verb may change that. `acts`: kinds an act is one of."""

    known: Mapping[str, bool] = field(default_factory=dict)
    acts: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def plus(self, other: Facts) -> Facts:
        """Both hold."""
        if not other.known and not other.acts:
            return self
        acts = dict(self.acts)
        for name, kinds in other.acts.items():
            acts[name] = acts[name] & kinds if name in acts else kinds
        return Facts({**self.known, **other.known}, acts)

    def either(self, other: Facts) -> Facts:
        """One of the two holds."""
        known = {name: changing or other.known[name] for name, changing in self.known.items() if name in other.known}
        acts = {name: kinds | other.acts[name] for name, kinds in self.acts.items() if name in other.acts}
        return Facts(known, acts)

    def without(self, names: Iterable[str]) -> Facts:
        """Without all that is about one of these names."""
        words = [re.escape(name) for name in names]
        if not words or (not self.known and not self.acts):
            return self
        about = re.compile(rf"(?<![.\w])(?:{'|'.join(words)})\b")
        known = {name: changing for name, changing in self.known.items() if not about.search(name)}
        acts = {name: kinds for name, kinds in self.acts.items() if not about.search(name)}
        return Facts(known, acts)

    def after_verb(self) -> Facts:
        """What is left when the state may have changed."""
        if not any(self.known.values()):
            return self
        return Facts({name: False for name, changing in self.known.items() if not changing}, self.acts)


NOTHING = Facts()
