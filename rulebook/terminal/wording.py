"""News as sentences. What a player may know arrives as data (`state.news`); here it becomes lines that read as people
talk.

No game is known here: the wording rests on the kernel's events, on titles and on the names that the game file gives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rulebook.diagnostics import visible
from rulebook.terminal.names import UNKNOWN, CardText, Names, capital, listing, words

Entry = Mapping[str, Any]
_KNOWN = frozenset({"n", "event", "by", "cards", "from", "to", "act", "what", "answers", "as"})
"""Keys of an announcement that are no choices."""


_PLAIN = frozenset({"n", "event", "by", "act", "what"})


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the log. `kind` is the event, for whoever colours it; a `turn` line begins a new paragraph."""

    text: str
    kind: str
    n: int


class Journal:
    """Turns one viewer's news into lines, in order. It remembers what acts were about, so that it can say what was
    cancelled.
    """

    def __init__(self, names: Names) -> None:
        self.names = names
        self._acts: dict[int, str] = {}
        self._wording: dict[str, Callable[[Entry], str]] = {
            "announced": self._announced,
            "moved": self._moved,
            "shuffled": lambda e: f"{capital(self.names.zone(e['from']))} is shuffled",
            "shown": self._shown,
            "arranged": self._arranged,
            "cancelled": lambda e: f"{capital(self._act(e))} is cancelled",
            "fizzled": lambda e: f"{capital(self._act(e))} has no effect any more",
            "lost": lambda e: f"{capital(self._act(e))} goes on without its {words(e['choice'])}",
            "direction": self._direction,
            "owed": lambda e: f"{self.names.subject(e['by'])} now {self._owes(e)}",
            "set": self._set,
            "laid": lambda e: f"{self.names.title(e['mark'])} now lies on {self._bearer(e)}",
            "lifted": lambda e: f"{self.names.title(e['mark'])} is taken off {self._bearer(e)}",
            "eliminated": lambda e: f"{self.names.does(e['by'], 'are')} out",
            "revived": lambda e: f"{self.names.does(e['by'], 'come')} back into the game",
            "turn": self._turn,
            "told": lambda e: capital(visible(str(e.get("text", "")))) or self._other(e),
            "over": self._over,
            "chose": self._chose,
            "left": lambda e: f"{self.names.does(e['by'], 'leave')} the game",
        }

    def lines(self, entries: Iterable[Entry]) -> Iterator[Line]:
        """The lines for the next entries. What two entries say alike is told once."""
        batch = list(entries)
        for index, entry in enumerate(batch):
            near = [*batch[max(0, index - 1) : index], *batch[index + 1 : index + 2]]
            if entry["event"] in ("moved", "shown") and any(_same_cards(entry, other) for other in near):
                continue
            if self._says_itself(entry, batch[index + 1 : index + 2]):
                continue
            text = self._wording.get(entry["event"], self._other)(entry)
            if text:
                yield Line(text, entry["event"], entry["n"])

    def _says_itself(self, entry: Entry, after: list[Entry]) -> bool:
        """Whether a move without cards or choices is told well enough by the cards that it moves.

        `Ann takes a card`.
        """
        plain = entry["event"] == "announced" and entry["what"] in self.names.moves and not set(entry) - _PLAIN
        return plain and bool(after) and after[0]["event"] == "moved" and after[0].get("by") == entry["by"]

    # -- acts ----------------------------------------------------------------------------------------------------------

    def _announced(self, entry: Entry) -> str:
        names = self.names
        by, what, cards = entry["by"], entry["what"], list(entry.get("cards", ()))
        choices = self._choices(entry, what, cards)
        kind = CardText.parse(cards[-1]).id if cards else ""
        self._acts[entry["act"]] = names.title(kind) if what == "play" and kind else words(what)
        answers = "answers" in entry
        if what == "play" and cards and what not in names.says:
            card = names.cards(cards)
            alias = f" as {names.title(entry['as'])}" if entry.get("as") else ""
            verb = names.does(by, "answer") + " with" if answers else names.does(by, "play")
            return f"{verb} {card}{alias}{choices}"
        if what in names.says:
            said, rest = names.say(what, self._chosen(entry, what, cards))
            choices = self._choices({name: entry[name] for name in rest}, what, cards)
            return f"{names.does(by, said)}{f' {names.cards(cards)}' if cards else ''}{choices}"
        done = words(what) + (f" ({names.cards(cards)})" if cards else "")
        if what in names.moves:
            if answers:
                return f"{names.does(by, 'answer')} with {done}{choices}"
            lead = names.does(by, "play") if cards else f"{capital(names.own(by))} move:"
            return f"{lead} {done}{choices}"
        return f"{capital(done)}: {names.player(by)}{choices}"

    def _chosen(self, entry: Entry, what: str, cards: list[str]) -> dict[str, str]:
        """The choices announced, each in words."""
        names = self.names
        return {
            key: names.value(names.choice_type(what, cards, key), value)
            for key, value in entry.items()
            if key not in _KNOWN
        }

    def _choices(self, entry: Entry, what: str, cards: list[str]) -> str:
        """What was announced besides: players as `on Ann`, the rest with their names."""
        text = ""
        for key, value in entry.items():
            if key in _KNOWN:
                continue
            kind = self.names.choice_type(what, cards, key)
            said = self.names.value(kind, value)
            text += f" on {said}" if kind == "player" else f", {words(key)} {said}"
        return text

    def _act(self, entry: Entry) -> str:
        return self._acts.get(entry["act"], "what was played")

    def _chose(self, entry: Entry) -> str:
        by, value = entry["by"], entry.get("value")
        if value is None:
            return f"{self.names.does(by, 'choose')} in secret"
        return f"{self.names.does(by, 'choose')} {self.names.value('word', value)}"

    # -- cards ---------------------------------------------------------------------------------------------------------

    def _moved(self, entry: Entry) -> str:
        names = self.names
        cards = list(entry.get("cards", ()))
        what = names.cards(cards)
        source, target = entry.get("from"), entry.get("to")
        if source == target:
            return f"{capital(what)} {_be(cards)} put elsewhere in {names.zone(target)}"
        by = entry.get("by")
        if by is not None and isinstance(target, list) and target[1] == by:
            if isinstance(source, list) and source[1] == by:
                return f"{names.does(by, 'move')} {what} from {names.zone(source, by)} to {names.zone(target, by)}"
            return f"{names.does(by, 'take')} {what} from {names.zone(source)}"
        if by is not None and isinstance(source, list) and source[1] == by:
            return f"{names.does(by, 'move')} {what} from {names.zone(source, by)} to {names.zone(target)}"
        place = f" from {names.zone(source)}" if source is not None else ""
        return f"{capital(what)} {'goes' if len(cards) == 1 else 'go'}{place} to {names.zone(target)}"

    def _shown(self, entry: Entry) -> str:
        names = self.names
        cards = list(entry.get("cards", ()))
        what = names.cards(cards) if UNKNOWN in cards else listing([names.card(card) for card in cards])
        zone = f" in {names.zone(entry['from'])}" if entry.get("from") is not None else ""
        return f"{self._viewers_see(list(entry.get('viewers', ())))} {what}{zone}"

    def _viewers_see(self, viewers: list[int]) -> str:
        names = self.names
        if len(viewers) == len(names.players) > 1:
            return "Everybody sees"
        if len(viewers) == 1:
            return names.does(viewers[0], "see")
        return f"{capital(listing([names.player(player) for player in viewers]))} see" if viewers else "Nobody sees"

    def _arranged(self, entry: Entry) -> str:
        names = self.names
        count = entry.get("count", 0)
        what = "a card" if count == 1 else f"{count} cards"
        place = f" of {names.zone(entry['from'])}" if entry.get("from") is not None else ""
        if "by" in entry:
            return f"{names.does(entry['by'], 'arrange')} {what}{place}"
        return f"{capital(what)}{place} are arranged anew"

    # -- players -------------------------------------------------------------------------------------------------------

    def _direction(self, entry: Entry) -> str:
        return "Play now goes the other way round" if entry["direction"] < 0 else "Play goes the usual way round again"

    def _owes(self, entry: Entry) -> str:
        owed = entry.get("owed", 0)
        verb = "owe" if entry["by"] == self.names.you else "owes"
        return f"{verb} {owed} turn{'' if owed == 1 else 's'}" if owed else f"{verb} no more turns"

    def _set(self, entry: Entry) -> str:
        if "value" not in entry:
            return ""
        name = words(entry["attribute"])
        kind = self.names.attributes.get(entry["attribute"], "word")
        if "by" in entry and isinstance(entry["value"], bool):
            return f"{self.names.subject(entry['by'])}: {name if entry['value'] else f'no longer {name}'}"
        if "by" not in entry:
            return f"{capital(name)} is now {self.names.value(kind, entry['value'])}"
        return f"{capital(self.names.own(entry['by']))} {name}: {self.names.value(kind, entry['value'])}"

    def _bearer(self, entry: Entry) -> str:
        player = entry.get("player", -1)
        return self.names.player(player) if player >= 0 else "a card"

    def _turn(self, entry: Entry) -> str:
        owed = entry.get("owed", 0)
        more = f", {owed} turns owed" if owed > 1 else ", 1 turn owed" if owed == 1 else ""
        return f"{capital(self.names.own(entry['by']))} turn{more}"

    def _over(self, entry: Entry) -> str:
        winners = entry.get("winners", [])
        if not winners:
            return "The game is over, nobody has won"
        verb = "win" if len(winners) > 1 or winners[0] == self.names.you else "wins"
        return f"The game is over: {listing([self.names.player(player) for player in winners])} {verb}"

    def _other(self, entry: Entry) -> str:
        """An event that has no wording of its own: its name, who did it, and what it was about."""
        names = self.names
        head = capital(words(str(entry["event"])))
        if "by" in entry:
            head = f"{names.subject(entry['by'])}: {words(str(entry['event']))}"
        parts = []
        if entry.get("cards"):
            parts.append(names.cards(entry["cards"]))
        if entry.get("from") is not None:
            parts.append(f"from {names.zone(entry['from'])}")
        if entry.get("to") is not None:
            parts.append(f"to {names.zone(entry['to'])}")
        for key, value in entry.items():
            if key not in _KNOWN:
                kind = names.choice_type("", [], key)
                parts.append(f"{words(key)} {names.value(kind, value)}")
        return f"{head} ({', '.join(parts)})" if parts else head


def _same_cards(moved: Entry, near: Entry) -> bool:
    return (
        near["event"] == "announced"
        and near.get("by") == moved.get("by")
        and _ids(near.get("cards", ())) == _ids(moved.get("cards", ()))
    )


def _ids(cards: Iterable[str]) -> list[str]:
    return sorted(CardText.parse(card).id for card in cards)


def _be(cards: list[str]) -> str:
    return "is" if len(cards) == 1 else "are"
