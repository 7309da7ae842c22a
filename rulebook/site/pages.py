"""The pages of the card reference that hold many cards: the index of games, a game, a pack; and all pages together.

Addresses are made of ids alone: `reference/GAME/index.md`, `reference/GAME/packs/PACK.md`,
`reference/GAME/cards/CARD.md`. Inside a page a pack, a card, a move and an option have their ids for anchors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rulebook.site import cardpage, deckpage
from rulebook.site.escape import block, code, facts, front_matter, inline, link, table, words
from rulebook.site.gather import Card, Data, Deck, Game, Pack, items, mapping

INTRO = (
    "Every card of every game, made from the files in `cards/`: what it says, how often it is there, how it works, and "
    "the rulings that are executed as tests."
)


def reference(games: Iterable[Game]) -> dict[str, str]:
    """All pages of the reference by their path below the site's folder of pages, in a fixed order."""
    games = tuple(games)
    pages = {"reference/index.md": index(games)}
    for game in games:
        home = f"reference/{game.id}"
        pages[f"{home}/index.md"] = game_page(game)
        for pack in game.packs:
            pages[f"{home}/packs/{pack.id}.md"] = pack_page(pack, game)
        for card in game.cards.values():
            pages[f"{home}/cards/{card.id}.md"] = cardpage.page(card, game)
        for deck in game.decks.values():
            place = f"reference/{deckpage.address(deck, game)}"
            up = "../../" if deck.own else "../"
            players = [other for other in games if other.decks.get(deck.id) == deck]
            pages[place] = deckpage.page(deck, {other.title: f"{up}{other.id}/index.md" for other in players})
    return pages


def index(games: Iterable[Game]) -> str:
    """The list of games."""
    rows = (
        (
            link(game.title, f"{game.id}/index.md") + f"{{ #{game.id} }}",
            _players(game),
            str(len(game.packs)),
            str(len(game.cards) + len(game.titles)),
            str(len(game.rulings)),
        )
        for game in games
    )
    lines = [*front_matter("Card reference"), "# Card reference", "", INTRO, ""]
    lines += table(("game", "players", "packs", "cards", "rulings"), rows)
    decks = {deckpage.address(deck, game): deck for game in games for deck in game.decks.values()}
    if decks:
        lines += [
            "## Decks { #decks }",
            "",
            "Cards that are alike but for what is printed on them come from deck files.",
            "",
        ]
        lines += [f"* {link(deck.title, place)}" for place, deck in decks.items()]
    return _text(lines)


def game_page(game: Game) -> str:
    """A game: its packs with their cards, and what its rules let one choose."""
    lines = [*front_matter(game.title), f"# {inline(game.title)} {{#{game.id}}}", ""]
    if about := game.data.get("about"):
        lines += [inline(str(about)), ""]
    lines += [f"{_players(game)} players · version {inline(str(game.data.get('version', '')))}", ""]
    lines += ["## Packs { #packs }", ""]
    for pack in game.packs:
        lines += [f"### {link(pack.title, f'packs/{pack.id}.md')} {{#{pack.id}}}", ""]
        cards = _in_pack(pack, game)
        taken = [_taken(deck, said, game, "../") for deck, said in pack.decks.values()]
        lines += [" · ".join([*taken, *(_counted(card, pack) for card in cards)]) or "No cards of its own.", ""]
    lines += _presets(game) + _options(game) + _moves(game)
    about_rules = [ruling for ruling in game.rulings if not _has_home(ruling.about, game)]
    if about_rules:
        lines += ["## Rulings on the rules { #rules }", ""]
        lines += cardpage.rulings_section(about_rules, game, cardpage.namer(game, "cards/"), level=3)
    return _text(lines)


def pack_page(pack: Pack, game: Game) -> str:
    """A pack: its facts and its deck."""
    lines = [*front_matter(f"{pack.title} ({game.title})"), f"# {inline(pack.title)} {{#{pack.id}}}", ""]
    if about := pack.data.get("about"):
        lines += [inline(str(about)), ""]
    lines += facts(_pack_facts(pack, game))
    cards = _in_pack(pack, game)
    if any(pack.copies(card.id) for card in cards):
        lines += ["## Deck { #deck }", ""]
        rows = (_deck_row(card, pack) for card in cards if pack.copies(card.id))
        lines += table(("card", "copies", "what it says"), rows)
    others = [card for card in cards if not pack.copies(card.id)]
    if others:
        lines += ["## Not in the deck { #others }", ""]
        lines += table(("card", "", "what it says"), (_deck_row(card, pack) for card in others))
    return _text(lines)


def _deck_row(card: Card, pack: Pack) -> tuple[str, str, str]:
    name = link(card.title, f"../cards/{card.id}.md") + f"{{ #{card.id} }}"
    variants = [f"{inline(variant)} {count}" for variant, count in pack.deck.get(card.id, {}).items() if variant]
    copies = str(pack.copies(card.id)) + (f" ({', '.join(variants)})" if variants else "")
    return name, "a mark" if card.mark else copies if pack.copies(card.id) else "", inline(card.text)


def _pack_facts(pack: Pack, game: Game) -> Iterator[tuple[str, str]]:
    titles = {other.id: other.title for other in game.packs}

    def packs(names: Iterable[object]) -> str:
        return ", ".join(_pack_link(str(name), titles) for name in names)

    yield "Game", link(game.title, "../index.md")
    yield "Id", f"{code(pack.id)}, version {inline(str(pack.data.get('version', '')))}"
    if pack.decks:
        yield "Decks", ", ".join(_taken(deck, said, game, "../../") for deck, said in pack.decks.values())
    if pack.deck or pack.cards or not pack.decks:
        yield "Cards", f"{sum(pack.copies(card) for card in pack.deck)} in the deck, {len(pack.cards)} defined here"
    if pack.data.get("main"):
        yield "Deck", "can be the main deck"
    if needs := items(pack.data.get("needs")):
        yield "Needs", packs(needs)
    if uses := items(pack.data.get("uses")):
        yield "Uses cards of", packs(uses)
    for key, head in (("facts", "Settles"), ("options", "Sets options")):
        if values := mapping(pack.data.get(key)):
            yield head, ", ".join(code(f"{name}: {_value(value)}") for name, value in values.items())


def _pack_link(requirement: str, titles: dict[str, str]) -> str:
    name, _, version = requirement.partition(" ")
    if name not in titles:
        return code(requirement)
    return link(titles[name], f"{name}.md") + (f" {inline(version)}" if version else "")


def _in_pack(pack: Pack, game: Game) -> list[Card]:
    """The cards defined in the pack and those of other packs that its deck counts."""
    own = {card.id for card in pack.cards}
    foreign = [card for card in game.cards.values() if card.id in pack.deck and card.id not in own]
    return [*pack.cards, *foreign]


def _taken(deck: Deck, said: Data | int, game: Game, up: str) -> str:
    """A deck that a pack takes: how often, and without which cards. `up` leads from the page to `reference/`."""
    text = link(deck.title, f"{up}{deckpage.address(deck, game)}")
    about = mapping(said)
    copies = said if isinstance(said, int) else about.get("copies", 1)
    if isinstance(copies, int):
        text += f" ×{copies}" if copies > 1 else ""
    else:
        text += f" ({', '.join(f'{inline(str(variant))} {count}' for variant, count in mapping(copies).items())})"
    gone = [_left_out(item, deck) for item in items(about.get("without"))]
    return f"{text} without {', '.join(gone)}" if gone else text


def _left_out(item: object, deck: Deck) -> str:
    if not isinstance(item, Mapping):
        card = deck.cards.get(str(item))
        return inline(card.title if card is not None else str(item))
    return ", ".join(f"{inline(str(name))} {inline(_value(items(value)))}" for name, value in item.items())


def _counted(card: Card, pack: Pack) -> str:
    copies = pack.copies(card.id)
    return link(card.title, f"cards/{card.id}.md") + (f" ×{copies}" if copies > 1 else "")


def _presets(game: Game) -> list[str]:
    rows = []
    for name, preset in mapping(game.data.get("presets")).items():
        values = mapping(preset)
        packs = ", ".join(code(str(pack)) for pack in items(values.get("packs")))
        chosen = ", ".join(code(f"{key}: {_value(value)}") for key, value in mapping(values.get("options")).items())
        rows.append((f"{code(str(name))} {{ #preset-{name} }}", packs, chosen, inline(str(values.get("about") or ""))))
    body = table(("preset", "packs", "options", "what it is"), rows)
    return ["## Presets { #presets }", "", *body] if body else []


def _options(game: Game) -> list[str]:
    rows = []
    for name, option in mapping(game.data.get("options")).items():
        about = mapping(option)
        default = code(_value(about["default"])) if "default" in about else ""
        text = inline(str(about.get("about") or ""))
        rows.append((f"{code(str(name))} {{ #option-{name} }}", _range(about), default, text))
    body = table(("option", "values", "default", "what it settles"), rows)
    return ["## Options { #options }", "", *body] if body else []


def _range(option: Data) -> str:
    if values := items(option.get("values")):
        return ", ".join(code(_value(value)) for value in values)
    if option.get("type") == "flag":
        return "<code>true</code>, <code>false</code>"
    low, high = option.get("min"), option.get("max")
    if option.get("type") in ("kinds", "words", "numbers"):
        bounds = str(low) if low == high and low is not None else f"{low or 0} to {high if high is not None else 'any'}"
        return inline(f"{bounds} {option['type']}")
    return f"{low} to {high}" if low is not None and high is not None else inline(str(option.get("type", "")))


def _moves(game: Game) -> list[str]:
    if not game.moves:
        return []
    besides = any("play" in card.data for card in game.cards.values())
    lines = ["## Moves { #moves }", "", f"What can be done{' besides playing a card' if besides else ''}.", ""]
    for name, move in game.moves.items():
        about = mapping(move)
        lines += [f"### {inline(words(str(name)))} {{#move-{name}}}", ""]
        if text := about.get("about"):
            lines += [inline(str(text)), ""]
        program = str(about.get("do") or "")
        if program:
            lines += block(program)
        rulings = [ruling for ruling in game.about(str(name)) if str(name) not in game.cards]
        lines += cardpage.rulings_section(rulings, game, cardpage.namer(game, "cards/"), level=4)
    return lines


def _has_home(about: Iterable[str], game: Game) -> bool:
    """Whether a ruling already stands with a card or a move."""
    return any(name in game.cards or name in game.moves for name in about)


def _players(game: Game) -> str:
    players = mapping(game.data.get("players"))
    low, high = (inline(str(players.get(key, "?"))) for key in ("min", "max"))
    if low == high:
        return low
    return f"{low} to {high}" if (low + high).isdigit() else f"{low} and more, as the packs allow"


def _value(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(_value(item) for item in value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _text(lines: list[str]) -> str:
    return "\n".join(lines).rstrip() + "\n"
