"""What a player knows, in one piece: everything told, everything done, what is seen now.

An information state is made of the news that the player was told and the player's own actions, in the order in which
they happened, and of the view as it is now. Each own action carries who else was asked at that moment, as far as the
player saw it: passes are no news, but whoever decides sees who still has to. So the information states of one player
have perfect recall: two games that once looked different to a player when deciding look different for good.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from kernel.knowledge import bits_list

if TYPE_CHECKING:
    from kernel.game import State, Step

UNKNOWN: Final = "unknown"


class Information:
    """What a player knows (`State.information_state`) or sees (`State.observation`).

    `data` is JSON-able, `text` the same as lines of text. Equal where these are equal, so it can be the key of a table.
    """

    __slots__ = ("data", "_text")

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data
        self._text: str | None = None

    @property
    def text(self) -> str:
        """One line an event, `> ACTION` for what the player did, then what is seen now, one line a fact."""
        text = self._text
        if text is None:
            text = "\n".join(lines_of(self.data))
            self._text = text
        return text

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Information of player {self.data.get('player')}, {len(self.data.get('past', ()))} events>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Information) and other.data == self.data

    def __hash__(self) -> int:
        return hash(self.text)


def lines_of(data: dict[str, Any]) -> list[str]:
    """The lines of the text form. Values are JSON, so different data never give the same text."""
    if "past" not in data:
        return facts(data)
    found = [f"player {short(data['player'])} of {data['players']}"]
    for entry in data["past"]:
        if "did" in entry:
            found.append(f"{entry['n']} > {entry['did']} {short(entry['asked'])}")
        elif "default" in entry:
            found.append(f"{entry['n']} > time is up: {entry['default']} {short(entry['asked'])}")
        else:
            rest = " ".join([f"{key}={short(entry[key])}" for key in entry if key not in ("n", "event")])
            found.append(f"{entry['n']} {entry['event']} {rest}".rstrip())
    found.append("now")
    found.extend(facts(data["now"]))
    return found


def facts(view: dict[str, Any]) -> list[str]:
    """A view, one line a fact."""
    found: list[str] = []
    for key, value in view.items():
        if key in ("zones", "within", "attributes"):
            for name, what in value.items():
                if isinstance(what, dict):
                    for owner, own in what.items():
                        found.append(f"{key} {name} {owner}: {short(own)}")
                else:
                    found.append(f"{key} {name}: {short(what)}")
        else:
            found.append(f"{key}: {short(value)}")
    return found


def short(value: Any) -> str:
    """JSON without spaces, but for runs of unknown cards: `48*unknown`, which JSON has no other use for."""
    if isinstance(value, list) and value.count(UNKNOWN) > 1:
        parts: list[str] = []
        run = 0
        for x in [*value, None]:
            if x == UNKNOWN:
                run += 1
                continue
            if run:
                parts.append(f"{run}*unknown")
            run = 0
            parts.append(short(x))
        return "[" + ",".join(parts[:-1]) + "]"
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def asked_as_seen(s: State, step: Step) -> list[int]:
    """Who was asked when the step was taken, as its player saw it."""
    return [step[2]] if s.settled else bits_list(step[6])


def own_steps(s: State, player: int) -> list[Step]:
    """What the player did, or had done by the host's clock, oldest first."""
    found: list[Step] = []
    step = s.steps
    while step is not None:
        if step[2] == player and step[1] in ("a", "d"):
            found.append(step)
        step = step[0]
    return found[::-1]


def information_state(s: State, player: int | None) -> Information:
    """See `State.information_state`."""
    view = s.view(player)
    who: int | None = view["player"]
    past: list[dict[str, Any]] = []
    own = own_steps(s, who) if who is not None else []
    at = 0
    for entry in s.news(who):
        while at < len(own) and own[at][5] < entry["n"]:
            past.append(deed(s, own[at]))
            at += 1
        past.append(entry)
    while at < len(own):
        past.append(deed(s, own[at]))
        at += 1
    return Information({"player": who, "players": s.players, "past": past, "now": view})


def deed(s: State, step: Step) -> dict[str, Any]:
    """An own action as an entry of the past; `n` is the version at which it was taken."""
    from kernel.game import text_of

    word = "did" if step[1] == "a" else "default"
    return {"n": step[5], word: text_of(step), "asked": asked_as_seen(s, step)}
