"""What a player sees, drawn from `state.view`: zones, hands, whose turn it is and what is going on. Knows no game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from rich.console import Group, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from rulebook.terminal.choices import Choices, Menu, Said, Several
from rulebook.terminal.names import UNKNOWN, Names, capital, listing, times, words
from rulebook.terminal.wording import Line

TOP = 6
"""So many cards of a pile are named; `zone NAME` shows all of them."""

STYLES = {
    "announced": "bold",
    "turn": "cyan",
    "cancelled": "yellow",
    "fizzled": "yellow",
    "lost": "yellow",
    "shown": "green",
    "told": "green",
    "eliminated": "bold red",
    "revived": "bold green",
    "over": "bold magenta",
}

View = Mapping[str, Any]


def log_line(line: Line, aside: str = "") -> Text:
    """A line of the log; the beginning of a turn stands out, with something said `aside`."""
    if line.kind == "turn":
        return Text.assemble((f"\n{line.text}", STYLES["turn"]), (f"   {aside}" if aside else "", "dim"))
    return Text(f"  {line.text}", style=STYLES.get(line.kind, ""))


def status(view: View, names: Names, roles: Sequence[str] = ()) -> RenderableType:
    """The table as the viewer sees it. `roles` says who plays at each place (`random`), for those who want to know."""
    rows = Table.grid(padding=(0, 2))
    rows.add_column(style="dim", no_wrap=True)
    rows.add_column()
    for name, text in _shared_zones(view, names):
        rows.add_row(name, text)
    for name, value in view["attributes"].items():
        if name not in names.player_attributes and value not in ("", [], None):  # what is not there yet
            rows.add_row(words(name), Text(names.value(names.attributes.get(name, "word"), value)))
    for player in range(view["players"]):
        if player != names.you:
            rows.add_row(Text(names.player(player)), _player_line(view, names, player, roles))
    for name, text in own_zones(view, names):
        rows.add_row(name, text)
    return Group(Rule(Text(headline(view, names)), align="left", style="cyan"), rows)


def headline(view: View, names: Names) -> str:
    """Whose turn it is and what is special about it."""
    if view["over"]:
        return "The game is over"
    turn = view["turn"]
    text = f"{capital(names.own(turn['player']))} turn"
    if turn["owed"] > 1:
        text += f", {turn['owed']} turns owed"
    if turn["direction"] < 0:
        text += ", the other way round"
    return text


def _shared_zones(view: View, names: Names) -> Iterator[tuple[str, Text]]:
    for name, cards in view["zones"].items():
        zone = names.zones[name]
        if zone["per_player"] or (zone["start"] and not zone["order"]):  # what never came into the game
            continue
        if cards or zone["order"]:
            text = pile(cards, names, bool(zone["order"]))
            inside = view.get("within", {}).get(name)
            if inside:
                text.append(f"  somewhere in it: {names.cards(inside)}", style="green")
            yield words(name), text


def heights(view: View, names: Names) -> str:
    """How high the piles are that nobody sees into: `draw pile 12`."""
    piles = [name for name, zone in names.zones.items() if zone["order"] and zone["see"] != "all"]
    shared = [name for name in piles if not names.zones[name]["per_player"]]
    return ", ".join(f"{words(name)} {len(view['zones'][name])}" for name in shared)


def pile(cards: Sequence[str], names: Names, ordered: bool) -> Text:
    """A zone in one line: an ordered one from the top, as far as it is known; another as its cards, counted."""
    if not cards:
        return Text("empty", style="dim")
    number = f"{len(cards)} card{'' if len(cards) == 1 else 's'}"
    if all(card == UNKNOWN for card in cards):
        return Text(number)
    if not ordered:
        return Text(brief(cards, names))
    parts = []
    shown = 0
    for unknown, run in groupby(cards, lambda card: card == UNKNOWN):
        group = list(run)
        if unknown:
            parts.append("?" if len(group) == 1 else f"? ×{len(group)}")
            shown += 1
        else:
            room = max(0, TOP - shown)
            parts += [names.card(card) for card in group[:room]]
            shown += len(group[:room])
            if len(group) > room:
                parts.append("…")
                break
    if parts[-1].startswith("?"):
        parts.pop()
    return Text.assemble(number, (", from the top: ", "dim"), ", ".join(parts))


def _player_line(view: View, names: Names, player: int, roles: Sequence[str]) -> Text:
    parts = []
    if player in view["dead"]:
        parts.append("out")
    for name, zones in view["zones"].items():
        zone = names.zones[name]
        cards = zones.get(str(player), ()) if zone["per_player"] else ()
        if cards:
            parts.append(f"{words(name)}: {brief(cards, names)}")
    parts += [f"{name} {value}" for name, value in _attributes(view, names, player)]
    text = Text(", ".join(parts) or "nothing")
    if player < len(roles) and roles[player]:
        text.append(f"  ({roles[player]})", style="dim")
    return text


def brief(cards: Sequence[str], names: Names) -> str:
    """A zone without order: what is known of it, the rest counted; of many different cards only the first are named."""
    if all(card == UNKNOWN for card in cards):
        return f"{len(cards)} card{'' if len(cards) == 1 else 's'}"
    known = names.sorted(cards)
    different = list(dict.fromkeys(known))
    if len(different) <= TOP:
        return names.cards(known)
    return f"{', '.join(names.card(card) for card in different[:TOP])}, … ({len(cards)} cards)"


def own_zones(view: View, names: Names) -> Iterator[tuple[str, Text]]:
    """What lies before the viewer and what is in their hand, name and cards."""
    you = names.you
    if you is None:
        return
    if you in view["dead"]:
        yield "you", Text("out", style=STYLES["eliminated"])
    for name, value in _attributes(view, names, you):
        yield f"your {name}", Text(value)
    for name, zones in view["zones"].items():
        if names.zones[name]["per_player"]:
            cards = zones.get(str(you), ())
            if cards or name == _hand(names):
                whole = names.zones[name]["see"] == "owner"
                yield f"your {words(name)}", hand(cards, names) if whole else Text(brief(cards, names))


def _hand(names: Names) -> str | None:
    """The zone that a player always wants to see, even empty: the first that is seen by its owner alone."""
    return next((name for name, zone in names.zones.items() if zone["per_player"] and zone["see"] == "owner"), None)


def whole_zone(view: View, names: Names, name: str) -> RenderableType:
    """All cards of the zones that go by this name, numbered where their order counts."""
    wanted = name.casefold().replace(" ", "_")
    if wanted not in view["zones"]:
        known = [words(zone) for zone in view["zones"]]
        return Text(f"zone NAME, with one of: {', '.join(known)}.", style="yellow")
    zones = view["zones"][wanted]
    labels = (
        {names.zone([wanted, int(p)]): cards for p, cards in zones.items()}
        if isinstance(zones, Mapping)
        else {names.zone(wanted): zones}
    )
    lines = []
    for label, cards in labels.items():
        shown = (
            listing([names.card(card) for card in cards])
            if names.zones[wanted]["order"]
            else names.cards(names.sorted(cards))
        )
        lines.append(Text.assemble((f"{capital(label)}: ", "dim"), shown if cards else "empty"))
    return Group(*lines)


def hand(cards: Sequence[str], names: Names) -> Text:
    """One's own cards, alike ones together, as the game sorts them, else in the order in which they came."""
    if not cards:
        return Text("empty", style="dim")
    counted: dict[str, int] = {}
    for card in names.sorted(cards):
        counted[card] = counted.get(card, 0) + 1
    parts = [times("unseen" if card == UNKNOWN else names.card(card), count) for card, count in counted.items()]
    return Text(" · ".join(parts), style="bold")


def _attributes(view: View, names: Names, player: int) -> Iterator[tuple[str, str]]:
    """What the viewer sees of a player's attributes, as (name, value)."""
    for name, values in view["attributes"].items():
        if (
            name in names.player_attributes and values.get(str(player), False) is not False
        ):  # a flag is told where it is set
            yield words(name), names.value(names.attributes.get(name, "word"), values[str(player)])


def score_line(points: Sequence[int], names: Names) -> Text:
    """What each player has got in the end."""
    parts = [f"{names.player(player)} {number}" for player, number in enumerate(points)]
    return Text.assemble(("score  ", "dim"), (" · ".join(parts), "bold"))


# -- questions ---------------------------------------------------------------------------------------------------------


def question(view: View, names: Names, choices: Choices) -> Text:
    """What the player is asked, as a person would put it."""
    ask = view.get("ask") or {}
    prompt = ask.get("prompt")
    kind = ask.get("kind")
    if kind == "window":
        acts = view.get("acts") or []
        if not acts:
            return Text("Do you answer?")
        act = act_name(acts[-1], names, acts)
        return Text(f"{capital(act)} is about to happen." if choices.only_pass else f"Do you answer {act}?")
    if prompt:
        text = capital(names.value("text", str(prompt)))
        return Text(text if text.endswith(("?", ":", ".", "!")) else f"{text}:")
    return Text("What do you do?" if kind == "move" else "What do you choose?")


def act_name(act: Mapping[str, Any], names: Names, acts: Sequence[Mapping[str, Any]] = ()) -> str:
    """An act as something one can speak of: `Ann's Favor on you`, `your draw`, `Bob's Nope (to your Favor)`."""
    said = Said.parse(str(act["text"]))
    label = Choices((), names).label(said)
    if said.move == "play":
        label = label.partition(" ")[2]
    else:
        label = label[:1].lower() + label[1:]
    text = f"{names.own(act['by'])} {label}" if act.get("by", -1) >= 0 else label
    answered = next((other for other in acts if other["n"] == act.get("answers")), None)
    return f"{text} (to {act_name(answered, names)})" if answered is not None else text


def menu(shown: Menu, default: str | None = None) -> RenderableType:
    """The entries of a menu; many numbers in a row are said in one line."""
    numbers = [
        int(entry.key) for entry in shown.entries if entry.label == entry.key and entry.key.lstrip("-").isdecimal()
    ]
    if len(numbers) == len(shown.entries) > 3 and numbers == list(range(numbers[0], numbers[0] + len(numbers))):
        return Text(f"  a number from {numbers[0]} to {numbers[-1]}")
    rows = Table.grid(padding=(0, 1))
    rows.add_column(justify="right", style="cyan", no_wrap=True, min_width=4)
    rows.add_column()
    for entry in shown.entries:
        text = Text(entry.label)
        if default is not None and entry.action == default:
            text.append("  (or just Enter)", style="dim")
        rows.add_row(entry.key, text)
    if shown.more:
        rows.add_row("", Text("… and more, which can be typed", style="dim"))
    return rows


def several(shown: Several) -> RenderableType:
    """A question for several things at once."""
    rows = Table.grid(padding=(0, 1))
    rows.add_column(justify="right", style="cyan", min_width=4)
    rows.add_column()
    for number, label in enumerate(shown.labels, start=1):
        rows.add_row(str(number), label)
    count = str(shown.least) if shown.least == shown.most else f"{shown.least} to {shown.most}"
    example = " ".join(str(number) for number in range(shown.most, 0, -1))
    rows.add_row("", Text(f"{count} of them by number, in order, such as: {example}", style="dim"))
    return rows


def card_text(kind: Any, names: Names) -> RenderableType:
    """What stands on a card."""
    from rulebook.diagnostics import visible

    lines = [visible(line) for line in names.texts.get(kind.id, "").strip().splitlines()]
    head = Text.assemble((names.title(kind.id), "bold"), (f"  {visible(kind.id)}, pack {visible(kind.pack)}", "dim"))
    return Group(head, Text("\n".join(lines) or "Nothing stands on it."))
