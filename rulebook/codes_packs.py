"""The diagnostics of packs (RB3xx); see :mod:`rulebook.codes`."""

from __future__ import annotations

from rulebook.codes import Code

_GAME = """\
# game.yaml
game: Mini
id: mini
version: "1.0"
language: 1
players: {min: 2, max: 4}
packs: [base]
zones:
  hand: {see: owner, per: player}
  box: {see: none, start: true}
play: |
  end_game winners: living
"""


def _pack(name: str, more: str = "") -> str:
    head = f'# {name}/pack.yaml\npack: {name.title()}\nid: {name}\nversion: "1.0"\nlanguage: 1\ngame: mini\n'
    return head + more


def _card(pack: str, name: str) -> str:
    return f"# {pack}/{name}.yaml\ncard: {name.title()}\nid: {name}\n"


def _deck(rules: str) -> str:
    head = "# decks/tiny.yaml\ndeck: Tiny\nid: tiny\nlanguage: 1\nfields: {worth: number}\n"
    parts = "parts:\n  rank:\n    a: {title: Ace, worth: 1}\n    b: {title: Two, worth: 2}\n"
    return _GAME + _pack("base", "decks: {tiny: 1}\n") + head + parts + "cards:\n" + rules


CODES = (
    Code(
        "RB300",
        "A pack cannot be used",
        "Said where nothing more exact is known.",
    ),
    Code(
        "RB301",
        "An unknown game",
        "No game of this name comes with rulebook or lies at the path. A game's name is that of its folder.",
        wrong="rulebook check --path . chess",
        right="rulebook play kittens",
        where="command",
    ),
    Code(
        "RB302",
        "An unknown pack",
        (
            "The game has no pack of this name. A pack's name is that of its folder; packs of other distributions "
            "are found through the entry points `rulebook.packs`."
        ),
        wrong=_GAME,
        right=_GAME + _pack("base"),
        where="files",
    ),
    Code(
        "RB303",
        "An unknown preset",
        "The game file names no such preset.",
        wrong="rulebook play --preset clasic",
        right="rulebook play --preset classic",
        where="command",
    ),
    Code(
        "RB304",
        "An unknown option",
        "The game file declares no such option.",
        wrong=_GAME
        + "options:\n  hand_size: {type: number, min: 1, max: 20, default: 7}\n"
        + _pack("base", "options: {handsize: 5}\n"),
        right=_GAME
        + "options:\n  hand_size: {type: number, min: 1, max: 20, default: 7}\n"
        + _pack("base", "options: {hand_size: 5}\n"),
        where="files",
    ),
    Code(
        "RB305",
        "An option cannot have this value",
        "The game file says of which type an option is and what values it takes.",
        wrong=_GAME
        + "options:\n  hand_size: {type: number, min: 1, max: 20, default: 7}\n"
        + _pack("base", "options: {hand_size: 50}\n"),
        right=_GAME
        + "options:\n  hand_size: {type: number, min: 1, max: 20, default: 7}\n"
        + _pack("base", "options: {hand_size: 5}\n"),
        where="files",
    ),
    Code(
        "RB306",
        "A pack that is needed is missing",
        (
            "A pack names another under `needs` or `uses` which is not there, or, under `needs`, is not among the "
            "packs of this game."
        ),
        wrong=_GAME + _pack("base", "needs: [more]\n"),
        right=_GAME + _pack("base") + _pack("more", "needs: [base]\n"),
        where="files",
    ),
    Code(
        "RB307",
        "A pack of another version is needed",
        "`needs: [base >= 1.2]` asks for a version, and the pack that is there has another one.",
        wrong=_GAME + _pack("base") + _pack("more", "needs: [base >= 2]\n"),
        right=_GAME + _pack("base") + _pack("more", "needs: [base >= 1]\n"),
        where="files",
    ),
    Code(
        "RB308",
        "Packs need each other in a circle",
        "What is needed is taken first, so two packs cannot need each other. Put what they share in a third pack.",
        wrong=_GAME + _pack("base", "needs: [more]\n") + _pack("more", "uses: [base]\n"),
        right=_GAME + _pack("base") + _pack("more", "uses: [base]\n"),
        where="files",
    ),
    Code(
        "RB309",
        "A card is defined twice",
        (
            "In one game a card is defined in one pack. Others name that pack under `uses` and count copies in "
            "their own `deck`."
        ),
        wrong=_GAME + _pack("base", "uses: [more]\n") + _card("base", "boom") + _pack("more") + _card("more", "boom"),
        right=_GAME + _pack("base", "uses: [more]\n") + _pack("more") + _card("more", "boom"),
        where="files",
    ),
    Code(
        "RB310",
        "The id is not the name of the file",
        "A card's file is named after its id, a pack's and a game's folder too, so that a name leads to its file.",
        wrong=_GAME + _pack("base") + "# base/boom.yaml\ncard: Boom\nid: bang\n",
        right=_GAME + _pack("base") + _card("base", "boom"),
        where="files",
    ),
    Code(
        "RB311",
        "A path leads out of its folder",
        "A link inside a pack or game points outside. Nothing outside a pack's own folder is read.",
    ),
    Code(
        "RB312",
        "A newer language",
        "The file says it is written in a language that this rulebook does not know yet.",
        wrong=_GAME.replace("language: 1", "language: 2") + _pack("base"),
        right=_GAME + _pack("base"),
        where="files",
    ),
    Code(
        "RB313",
        "A path does not exist",
        "The path given to look for games or packs is not there.",
    ),
    Code(
        "RB314",
        "A path without game or pack",
        "The folder has neither a `game.yaml` nor a `pack.yaml`, nor do the folders in it.",
    ),
    Code(
        "RB315",
        "A fact that cannot be",
        "The game file declares the facts that packs may settle, with their types.",
        wrong=_GAME + "facts:\n  spares: {type: number, default: 9}\n" + _pack("base", "facts: {spare: 3}\n"),
        right=_GAME + "facts:\n  spares: {type: number, default: 9}\n" + _pack("base", "facts: {spares: 3}\n"),
        where="files",
    ),
    Code(
        "RB316",
        "A pack of another game",
        "A pack's manifest names its game, and a path that is one game or pack is not another.",
        wrong=_GAME + _pack("base").replace("game: mini", "game: kittens"),
        right=_GAME + _pack("base"),
        where="files",
    ),
    Code(
        "RB317",
        "No main deck",
        "Packs that say `main: true` can be the main deck, and one of them has to be in play.",
        wrong=_GAME + _pack("base") + _pack("big", "main: true\n"),
        right=_GAME + _pack("base", "main: true\n") + _pack("big", "main: true\n"),
        where="files",
    ),
    Code(
        "RB318",
        "No packs",
        "Neither the call nor the preset nor the game file names packs to play with.",
        wrong=_GAME.replace("packs: [base]\n", "") + _pack("base") + _pack("more"),
        right=_GAME + _pack("base") + _pack("more"),
        where="files",
    ),
    Code(
        "RB319",
        "A pack is named twice",
        "Each pack takes part once.",
        wrong="rulebook play --packs base,base",
        right="rulebook play --packs base",
        where="command",
    ),
    Code(
        "RB320",
        "A published pack cannot be found",
        (
            "A distribution declares an entry point `rulebook.packs` whose object is no module, path or function "
            "that gives a path, or whose folder has no `pack.yaml`. It is left out."
        ),
        severity="warning",
    ),
    Code(
        "RB321",
        "Nothing to check",
        "The path holds no game, no pack and no rulings.",
        severity="warning",
    ),
    Code(
        "RB322",
        "A folder that is not read",
        "A folder inside a game holds YAML files but no `pack.yaml`, so that nobody reads them.",
        wrong=_GAME + _pack("base") + "# more/boom.yaml\ncard: Boom\nid: boom\n",
        right=_GAME + _pack("base") + _card("base", "boom"),
        where="files",
        severity="warning",
    ),
    Code(
        "RB323",
        "A file that is not read",
        "Cards are read from files that end in `.yaml`.",
        wrong=_GAME + _pack("base") + "# base/boom.yml\ncard: Boom\nid: boom\n",
        right=_GAME + _pack("base") + _card("base", "boom"),
        where="files",
        severity="warning",
    ),
    Code(
        "RB340",
        "A card without a translation",
        (
            "A pack has texts in another language, but not for all of its cards, or not all of what stands on them. "
            "Where something is missing the card's own words are shown."
        ),
        wrong=_GAME + _pack("base") + _card("base", "boom") + "# base/texts/de.yaml\ntexts: de\n",
        right=_GAME
        + _pack("base")
        + _card("base", "boom")
        + "# base/texts/de.yaml\ntexts: de\ncards:\n  boom: {title: Bumm}\n",
        where="files",
        severity="warning",
    ),
    Code(
        "RB330",
        "An unknown deck",
        (
            "A pack takes a deck under `decks`, and there is no file of this name in the folder `decks` of the pack, "
            "of its game, beside the game or among what is shipped."
        ),
        wrong=_GAME + _pack("base", "decks: {standrad52: 1}\n"),
        right=_GAME + _pack("base", "decks: {standard52: 1}\n"),
        where="files",
    ),
    Code(
        "RB331",
        "A card that a deck cannot make",
        "The id of a rule names the parts whose members make a card; the title may speak of these only.",
        wrong=_deck('  - {id: "{rnak}x", title: "{rank}"}\n'),
        right=_deck('  - {id: "{rank}x", title: "{rank}"}\n'),
        where="files",
    ),
    Code(
        "RB332",
        "Two cards of a deck with one id",
        "Each card of a deck has its own id, which is why the id names all parts that make a difference.",
        wrong=_deck('  - {id: "{rank}x", title: "{rank}"}\n  - {id: ax, title: Another}\n'),
        right=_deck('  - {id: "{rank}x", title: "{rank}", copies: 2}\n'),
        where="files",
    ),
    Code(
        "RB333",
        "A field that a deck cannot give",
        "A deck declares its fields with their types under `fields`, and each card is given a field once.",
        wrong=_deck('  - {id: "{rank}x", title: "{rank}"}\n  - {id: one, title: One, fields: {worth: three}}\n'),
        right=_deck('  - {id: "{rank}x", title: "{rank}"}\n  - {id: one, title: One, fields: {worth: 3}}\n'),
        where="files",
    ),
    Code(
        "RB334",
        "Too many cards",
        "A deck makes 1000 kinds of cards at most. Every part that the id of a rule names multiplies them.",
    ),
    Code(
        "RB335",
        "Nothing to leave out",
        "`without` names cards of the deck by id, or by fields and values that some of them have.",
        wrong=_GAME + _pack("base", "decks: {standard52: {without: [joker]}}\n"),
        right=_GAME + _pack("base", 'decks: {standard52: {without: [qc, {rank: ["2", "3"]}]}}\n'),
        where="files",
    ),
    Code(
        "RB336",
        "A field of two types",
        "The game file need not declare the fields of a deck; where it does, it must give them the same types.",
        wrong=_GAME + "fields: {rank: number}\n" + _pack("base", "decks: {standard52: 1}\n"),
        right=_GAME + "fields: {rank: word}\n" + _pack("base", "decks: {standard52: 1}\n"),
        where="files",
    ),
    Code(
        "RB337",
        "Something in a deck that no card has",
        "A part that the id of no rule names makes no card, and a field that nothing gives is always unset.",
        wrong=_deck('  - {id: "{rank}x", title: "{rank}"}\n').replace(
            "{worth: number}", "{worth: number, wroth: flag}"
        ),
        right=_deck('  - {id: "{rank}x", title: "{rank}"}\n'),
        where="files",
        severity="warning",
    ),
)
