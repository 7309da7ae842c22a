"""Rulings in readable form: what is given, what is done, and what must then be so, as Markdown.

The notation of rulings is small, so that most of it has words of its own here; whatever has none is shown as it
stands in the file. Names of cards become links through `name`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from rulebook.site.escape import code, inline, words
from rulebook.site.gather import Data, Game, Ruling, items, mapping

Name = Callable[[str], str]
"""From a card's id to Markdown that names it."""

_CARD = re.compile(r"([0-9]*[a-z][a-z0-9_]*)(\#\d+)?(\(.*\))?")
_ASIDE = ("turn", "dead", "direction", "marks", "attributes")


def setting(ruling: Ruling, game: Game, name: Name) -> list[str]:
    """The lines that say where a ruling starts."""
    data = ruling.data
    lines = [f"{data.get('players', 2)} players"]
    if packs := items(data.get("packs")):
        lines[0] += " · packs " + ", ".join(code(str(pack)) for pack in packs)
    if preset := data.get("preset"):
        lines[0] += f" · preset {code(str(preset))}"
    for option, value in mapping(data.get("options")).items():
        lines[0] += f" · {code(f'{option}: {_written(value)}')}"
    if "given" not in data:
        lines.append(f"the game's own set-up, from seed {data.get('seed', 0)}")
        return lines
    given = mapping(data["given"])
    zones = mapping(game.data.get("zones"))
    for zone, cards in given.items():
        if zone not in _ASIDE:
            lines += _zone(str(zone), cards, mapping(zones.get(zone)), name)
    return lines + _aside(given, name)


def _zone(zone: str, cards: object, about: Data, name: Name) -> list[str]:
    order = ", top first" if about.get("order") else ""
    if not isinstance(cards, Mapping):
        return [f"{inline(words(zone))}{order}: {_cards(cards, name)}"]
    if zone == "hand":
        return [f"player {owner} holds {_cards(held, name)}" for owner, held in cards.items()]
    return [f"{inline(words(zone))} of player {owner}{order}: {_cards(held, name)}" for owner, held in cards.items()]


def _aside(given: Data, name: Name) -> list[str]:
    lines = []
    for player, marks in mapping(given.get("marks")).items():
        lines.append(f"player {player} bears {_cards(marks, name)}")
    turn = mapping(given.get("turn"))
    owed = turn.get("owed", 0)
    owes = f", who owes {_count(owed, 'turn')}" if owed else ""
    if turn:
        lines.append(f"it is the turn of player {turn.get('player', 0)}{owes}")
    if dead := items(given.get("dead")):
        lines.append(f"out of the game: {_players(dead)}")
    if given.get("direction") == -1:
        lines.append("play goes the other way round")
    for key, value in mapping(given.get("attributes")).items():
        lines.append(f"{code(str(key))} is {code(_written(value))}")
    return lines


def steps(ruling: Ruling, name: Name) -> list[str]:
    """One line for each step, and for what must be so at the end."""
    lines: list[str] = []
    if chance := items(ruling.data.get("chance")):
        lines.append(f"Chance gives {_cards(chance, name)}.")
    for entry in items(ruling.data.get("steps")):
        if isinstance(entry, Mapping):
            for who, what in entry.items():
                lines += _step(who, what, name)
        else:
            lines.append("The time is up: everybody who is asked takes the default.")
    for expression in items(ruling.data.get("then")):
        lines.append(f"**In the end** {expectation(str(expression), name)}.")
    for view in items(ruling.data.get("sees")):
        lines.append(_sees(mapping(view), name))
    return lines


def _step(who: object, what: object, name: Name) -> list[str]:
    if who == "expect":
        return [f"Now {expectation(str(expression), name)}." for expression in items(what)]
    if who == "during":
        return [f"At this moment {expectation(str(expression), name)}." for expression in items(what)]
    if who in ("illegal", "illegal_now"):
        now = " now" if who == "illegal_now" else ""
        refused = [(player, action) for player, actions in mapping(what).items() for action in items(actions)]
        return [f"Player {player} may **not**{now} {act(str(action), name, plain=True)}." for player, action in refused]
    if who == "close":
        return ["The time is up: everybody who is asked takes the default."]
    if who == "all":
        return ["Everybody passes."]
    return [f"Player {who} {act(str(action), name)}." for action in items(what)]


def act(action: str, name: Name, *, plain: bool = False) -> str:
    """An action of the notation after "Player 1 …": "plays Favor, victim 2"; with `plain` after "may": "play Favor"."""
    first, *rest = action.split()
    values = [part.split("=", 1) for part in rest if "=" in part]
    cards = [part for part in rest if "=" not in part]
    shown = ", ".join(_member(card, name) for part in cards for card in part.split(","))
    more = "".join(f", {inline(words(key))} {_member(value, name)}" for key, value in values)
    ending = "" if plain else "s"
    if first == "leave":
        return f"leave{ending} the game"
    if first == "pass":
        return "pass" if plain else "passes"
    if first in ("play", "choose"):
        return f"{first}{ending} {shown}{more}"
    if shown:
        return f"play{ending} {inline(words(first))}: {shown}{more}"
    return f"{inline(words(first))}{ending}{more}"


def expectation(expression: str, name: Name) -> str:
    """A condition in words where there are some, else as code."""
    text = " ".join(expression.split())
    for pattern, say in _SAYINGS:
        if match := pattern.fullmatch(text):
            return say(match, name)
    return f"{code(text)} holds"


def _whose_turn(match: re.Match[str], _name: Name) -> str:
    return f"it is the turn of player {match['player']}"


def _owed(match: re.Match[str], _name: Name) -> str:
    number = int(match["n"])
    return f"{_count(number, 'turn')} {'is' if number == 1 else 'are'} owed" if number else "no turn is owed"


def _over(match: re.Match[str], _name: Name) -> str:
    return "the game goes on" if match["not"] else "the game is over"


def _winners(match: re.Match[str], _name: Name) -> str:
    found = re.findall(r"\d+", match["players"])
    if not found:
        return "nobody has won"
    return f"{_players(found)} {'has' if len(found) == 1 else 'have'} won"


def _in_state(match: re.Match[str], _name: Name) -> str:
    found = re.findall(r"\d+", match["players"])
    what = {"asked": "asked", "dead": "out of the game", "living": "living"}[match["state"]]
    return f"{_players(found) if found else 'nobody'} {'are' if len(found) > 1 else 'is'} {what}"


def _direction(match: re.Match[str], _name: Name) -> str:
    return f"play goes {'the other' if match['sign'] else 'the usual'} way round"


def _ids(match: re.Match[str], name: Name) -> str:
    found = re.findall(r'"([^"]*)"', match["cards"])
    return f"{_place(match)} holds {', '.join(_member(card, name) for card in found) or 'nothing'}"


def _number_of_cards(match: re.Match[str], _name: Name) -> str:
    return f"{_place(match)} holds {_count(int(match['n']), 'card')}"


def _place(match: re.Match[str]) -> str:
    owner = match["owner"]
    zone = inline(words(match["zone"]))
    return f"the {zone}" if owner is None else f"the {zone} of player {owner}"


_ZONE = r"(?:player\((?P<owner>\d+)\)\.)?(?P<zone>[a-z_]+)"
_SAYINGS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], Name], str]], ...] = (
    (re.compile(r"turn_of == player\((?P<player>\d+)\)"), _whose_turn),
    (re.compile(r"turns_owed == (?P<n>\d+)"), _owed),
    (re.compile(r"(?P<not>not )?over"), _over),
    (re.compile(r"winners == \[(?P<players>(?:player\(\d+\)(?:, )?)*)\]"), _winners),
    (re.compile(r"(?P<state>asked|dead|living) == \[(?P<players>(?:player\(\d+\)(?:, )?)*)\]"), _in_state),
    (re.compile(r"direction == (?P<sign>-?)1"), _direction),
    (re.compile(rf"(?:ids|titles)\({_ZONE}\) == \[(?P<cards>(?:\"[^\"]*\"(?:, ?)?)*)\]"), _ids),
    (re.compile(rf"count\({_ZONE}\) == (?P<n>\d+)"), _number_of_cards),
)


def _sees(view: Data, name: Name) -> str:
    whose = f" of player {view['of']}" if "of" in view else ""
    zone = inline(words(str(view.get("zone", ""))))
    return f"Player {view.get('player', 0)} sees in the {zone}{whose}: {_cards(view.get('cards'), name)}."


def _cards(cards: object, name: Name) -> str:
    return ", ".join(_member(str(card), name) for card in items(cards)) or "nothing"


def _member(text: str, name: Name) -> str:
    """A card as rulings write it (`skip(marked)`, `skip#2`), or any other value."""
    match = _CARD.fullmatch(text)
    if match is None:
        return inline(text)
    card, which, more = match.groups(default="")
    return name(card) + inline(which) + (f" {inline(more)}" if more else "")


def _players(players: Sequence[object]) -> str:
    return " and ".join(f"player {player}" for player in players)


def _count(number: object, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _written(value: object) -> str:
    """A value as YAML writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)
