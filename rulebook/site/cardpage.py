"""The page of one card or mark: its face, its facts, its file, its rulings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rulebook.site.escape import anchor, block, code, facts, front_matter, inline, link, markup, words
from rulebook.site.gather import Card, Data, Game, Ruling, items, mapping
from rulebook.site.readable import Name, setting, steps

_WHEN = {
    "turn": "on your turn",
    "response": "in answer to what somebody does",
    "now": "whenever play waits between actions",
}


def page(card: Card, game: Game) -> str:
    """The Markdown of a card's page, which lies in the folder `cards/` of its game."""
    name = namer(game, "")
    lines = front_matter(card.title, card.text)
    lines += [f"# {inline(card.title)} {{#{card.id}}}", "", _face(card, game), ""]
    if card.text:
        lines += [inline(card.text), ""]
    lines += facts(_facts(card, game))
    lines += ["## Effect { #effect }", ""]
    if not any(key in card.data for key in ("play", "when", "before", "instead", "while", "plays_as")):
        lines += [f"This {_sort(card)} does nothing by itself. This is its whole file:", ""]
    lines += [f'<p class="rb-file">cards/{markup(card.file)}</p>', "", *block(card.source, "yaml")]
    rulings = game.about(card.id)
    if rulings:
        lines += ["## Rulings { #rulings }", "", "Each of these is executed by `rulebook test`.", ""]
        lines += rulings_section(rulings, game, name, level=3)
    return "\n".join(lines).rstrip() + "\n"


def namer(game: Game, folder: str) -> Name:
    """How a page names a card: a link to its page in `folder`, the title of one that a deck file makes, or the words of
    the id where there is no such card."""
    cards, titles = game.cards, game.titles

    def name(identifier: str) -> str:
        card = cards.get(identifier)
        return (
            inline(titles.get(identifier) or words(identifier))
            if card is None
            else link(card.title, f"{folder}{card.id}.md")
        )

    return name


def rulings_section(rulings: Iterable[Ruling], game: Game, name: Name, level: int) -> list[str]:
    """Rulings one after the other, each under a heading with an anchor made of its title."""
    lines: list[str] = []
    seen: dict[str, int] = {}
    for ruling in rulings:
        base = f"ruling-{anchor(ruling.title)}"
        seen[base] = seen.get(base, 0) + 1
        fragment = base if seen[base] == 1 else f"{base}-{seen[base]}"
        lines += [f"{'#' * level} {inline(ruling.title)} {{#{fragment}}}", ""]
        source = f"Source: {inline(ruling.source)}" if ruling.source else "Source not given"
        lines += [f"*{source}* · {code(f'cards/{ruling.file}')}", "", "**Given**", ""]
        lines += [f"* {line}" for line in setting(ruling, game, name)]
        lines += ["", "**Then**", ""]
        lines += [f"{number}. {line}" for number, line in enumerate(steps(ruling, name), 1)]
        lines.append("")
    return lines


def playable(data: Data) -> Iterator[str]:
    """For each way to play a card: when, from where, and what is announced with it."""
    for play in map(mapping, items(data.get("play"))):
        text = _WHEN.get(str(play.get("at")), inline(str(play.get("at"))))
        zones = [str(zone) for zone in items(play.get("from")) if zone != "hand"]
        if zones:
            text += f", from {' or '.join(inline(words(zone)) for zone in zones)}"
        if "to" in play:
            text += f", to {code(str(play['to']))}"
        if "if" in play:
            text += f", if {code(str(play['if']))}"
        if chosen := mapping(play.get("choose")):
            text += f"; names {' and '.join(f'a {inline(words(str(choice)))}' for choice in chosen)}"
        yield text


def _face(card: Card, game: Game) -> str:
    """A small picture of the card in HTML; its colour follows from its first tag."""
    first = (card.tags or ("",))[0]
    hue = sum(first.encode()) * 47 % 360
    kind = "rb-face rb-mark" if card.mark else "rb-face"
    foot = " · ".join([_pack_title(card.pack, game), *(words(tag) for tag in card.tags)])
    return (
        f'<div class="{kind}" style="--rb-hue: {hue}" aria-hidden="true">'
        f'<div class="rb-face-title">{markup(card.title)}</div>'
        f'<div class="rb-face-text">{markup(card.text)}</div>'
        f'<div class="rb-face-foot">{markup(foot)}</div></div>'
    )


def _sort(card: Card) -> str:
    return "mark" if card.mark else "card"


def _pack_title(pack: str, game: Game) -> str:
    return next((found.title for found in game.packs if found.id == pack), pack)


def _facts(card: Card, game: Game) -> Iterator[tuple[str, str]]:
    yield "Id", code(card.id) + (" (a mark)" if card.mark else "")
    yield "Pack", link(_pack_title(card.pack, game), f"../packs/{card.pack}.md")
    copies = [
        f"{pack.copies(card.id)} in {link(pack.title, f'../packs/{pack.id}.md')}{_variants(pack.deck[card.id])}"
        for pack in game.packs
        if card.id in pack.deck
    ]
    if not card.mark:
        yield "Copies", ", ".join(copies) or "in no deck"
    if card.tags:
        meanings = mapping(game.data.get("tags"))
        yield "Tags", "; ".join(_tag(tag, meanings) for tag in card.tags)
    if fields := mapping(card.data.get("fields")):
        yield "Fields", ", ".join(f"{inline(words(str(key)))} {inline(str(value))}" for key, value in fields.items())
    ways = list(playable(card.data))
    if not card.mark:
        yield "Played", "<br>".join(ways) or "never by choice"
    if acts := list(_acts(card)):
        yield "Acts by itself", "<br>".join(acts)
    if "plays_as" in card.data:
        yield "Plays as", f"one of {code(str(mapping(card.data['plays_as']).get('from', 'other cards')))}"


def _variants(copies: Mapping[str, int]) -> str:
    named = [f"{inline(variant)} {count}" for variant, count in copies.items() if variant]
    return f" ({', '.join(named)})" if named else ""


def _tag(tag: str, meanings: Data) -> str:
    meaning = meanings.get(tag)
    return f"{code(tag)} {inline(str(meaning))}" if meaning else code(tag)


def _acts(card: Card) -> Iterator[str]:
    for key, said in (("when", "after"), ("before", "before"), ("instead", "instead of"), ("while", "answers")):
        for ability in map(mapping, items(card.data.get(key))):
            about = ability.get("event") or ability.get("of") or ability.get("answer") or ""
            zones = " or ".join(inline(words(str(zone))) for zone in items(ability.get("in")))
            where = f", as long as it lies in the {zones}" if zones else ""
            yield f"{said} {code(str(about))}{where}"
