"""The page of a deck file: one table of all cards that it makes, and the file itself."""

from __future__ import annotations

from collections.abc import Mapping

from rulebook.site.escape import block, code, facts, front_matter, inline, link, markup, table
from rulebook.site.gather import Deck, Game


def page(deck: Deck, games: Mapping[str, str]) -> str:
    """The Markdown of a deck's page; `games` are the addresses of those that play with it, by title."""
    lines = [*front_matter(deck.title, deck.about), f"# {inline(deck.title)} {{#{deck.id}}}", ""]
    if deck.about:
        lines += [inline(deck.about), ""]
    pairs = [("Id", code(deck.id)), ("Cards", f"{sum(card.copies for card in deck.cards.values())}")]
    if games:
        pairs.append(("Played in", ", ".join(link(title, address) for title, address in games.items())))
    lines += facts(pairs)
    lines += ["## Cards { #cards }", ""]
    rows = (
        (
            f"{inline(card.title)} {{ #{card.id} }}",
            code(card.id),
            str(card.copies),
            *(inline(card.fields.get(name, "")) for name in deck.fields),
        )
        for card in deck.cards.values()
    )
    lines += table(("card", "id", "copies", *(inline(name) for name in deck.fields)), rows)
    lines += ["## File { #file }", "", f'<p class="rb-file">cards/{markup(deck.file)}</p>', ""]
    lines += block(deck.source, "yaml")
    return "\n".join(lines).rstrip() + "\n"


def address(deck: Deck, game: Game | None = None) -> str:
    """The path of a deck's page below `reference/`: beside the games, or below the one game that has it."""
    return f"{game.id}/decks/{deck.id}.md" if game is not None and deck.own else f"decks/{deck.id}.md"
