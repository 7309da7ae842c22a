"""The diagnostics of the language (RB4xx); see :mod:`rulebook.codes`. Examples are programs (`do`) or expressions."""

from __future__ import annotations

from rulebook.codes import Code


def _do(code: str, title: str, meaning: str, wrong: str, right: str, severity: str = "error") -> Code:
    return Code(code, title, meaning, wrong, right, where="do", severity=severity)


def _plain(code: str, title: str, meaning: str) -> Code:
    return Code(code, title, meaning)


CODES = (
    _do(
        "RB401",
        "This cannot be read",
        "Something stands where the language has no use for it: a sign too many, an open bracket, a tab.",
        "move first(hand to: box",
        "end_turn you",
    ),
    _do(
        "RB402",
        "Too long or nested too deeply",
        "There are limits to how long a piece of code is and how deep brackets and blocks may stand in each other.",
        "let n = " + "(" * 200 + "1" + ")" * 200,
        "let n = (1)\nset turns_owed = n",
    ),
    _do(
        "RB403",
        "Indentation",
        "Lines of one block begin in the same column; a block stands below a line that ends in a colon.",
        "end_turn you\n    end_turn you",
        "if any(hand):\n  end_turn you",
    ),
    _do(
        "RB410",
        "An unknown name",
        "There is no such local name, parameter, zone, attribute of the game, option or fact here.",
        "shuffle pille",
        "shuffle pile",
    ),
    _do(
        "RB411",
        "An unknown attribute",
        "Players have zones and attributes, cards have attributes and fields, acts what was announced with them.",
        "shuffle you.pocket",
        "shuffle you.hand",
    ),
    _do(
        "RB412",
        "An unknown function or parameter",
        "There is no function or question of this name, or no such parameter.",
        "set turns_owed = cuont(hand)",
        "set turns_owed = count(hand)",
    ),
    _do(
        "RB413",
        "An unknown verb",
        "Verbs are those of the kernel and those that the game file declares under `verbs:`.",
        "end_trun you",
        "end_turn you",
    ),
    _do(
        "RB414",
        "An unknown label",
        "The verb has no value of this name.",
        "move hand too: box",
        "move hand to: box",
    ),
    _do(
        "RB415",
        "An unknown tag",
        "Tags are declared in the game file, under `tags:`.",
        "move hand where it is swet to: box",
        "move hand where it is sweet to: box",
    ),
    _do(
        "RB416",
        "An unknown kind of card",
        "No card of the packs in play, or of the game's other packs, has this id.",
        'move hand where id(it) == "tae" to: box',
        'move hand where id(it) == "tea" to: box',
    ),
    _plain("RB417", "An unknown word", "A zone, kind of act, variant or value of an option that is not there."),
    _plain("RB418", "An unknown question", "Questions are declared in the game file, under `questions:`."),
    _plain("RB419", "A type that is none, or not allowed here", "The types stand in the reference of the language."),
    _do(
        "RB420",
        "The wrong type",
        "A value of another type is needed here.",
        "shuffle you",
        "shuffle hand",
    ),
    _do(
        "RB421",
        "It may be none",
        "The value may be unset here; ask first, and within that condition it can be used.",
        "move first(hand) to: box",
        "if any(hand):\n  move first(hand) to: box",
    ),
    _do(
        "RB422",
        "Something is missing",
        "The verb, function or question needs a further value, or takes none.",
        "move hand",
        "move hand to: box",
    ),
    _do(
        "RB423",
        "Given twice",
        "The same value stands there twice, or two that exclude each other.",
        "move hand to: box to: pile",
        "move hand to: box",
    ),
    _do(
        "RB424",
        "The wrong number of values",
        "A function takes as many values as its reference says.",
        "set turns_owed = count(hand, 2)",
        "set turns_owed = count(hand)",
    ),
    _do(
        "RB425",
        "A comparison that says nothing",
        "The two sides are of types that are never equal.",
        "if count(hand) == you:\n  stop\nshuffle pile",
        "if count(hand) == 1:\n  stop\nshuffle pile",
    ),
    _do(
        "RB430",
        "A name that may be unset",
        "The name got its value in a block that has ended; it may never have had one.",
        "if any(hand):\n  let n = 1\n  set turns_owed = n\nset turns_owed = n",
        "let n = 0\nif any(hand):\n  let n = 1\nset turns_owed = n",
    ),
    _do(
        "RB431",
        "A name that is taken, or cannot be set",
        "Names of the language, zones and attributes cannot be given to something else; some things cannot be set.",
        "let you = 1",
        "let n = 1\nset turns_owed = n",
    ),
    _do(
        "RB432",
        "This can never be reached",
        "The program has ended before, in any case.",
        "stop\nshuffle pile",
        "shuffle pile\nstop",
    ),
    _do(
        "RB433",
        "This never holds or matches",
        "A condition that is always false, a set that is always empty, a number that cannot be.",
        "for p in dead where it in living:\n  shuffle p.hand",
        "for p in living:\n  shuffle p.hand",
    ),
    _do(
        "RB434",
        "This always holds",
        "A condition that is always true is none.",
        "if count(hand) >= 0:\n  shuffle pile",
        "if any(hand):\n  shuffle pile",
    ),
    _do(
        "RB435",
        "A name that is never used",
        "The value is worked out and forgotten.",
        "let n = 1",
        "let n = 1\nset turns_owed = n",
        "warning",
    ),
    _do(
        "RB440",
        "`proceed` where nothing is replaced",
        "`proceed` runs what an `instead` replaces; elsewhere there is nothing to go on with.",
        "proceed",
        "shuffle pile",
    ),
    _do(
        "RB441",
        "A name that has no meaning here",
        "`target` is known in responses, `event` in `when`, `before` and `instead`, `it` for members, `self` on cards.",
        "cancel target",
        "shuffle pile",
    ),
    _do(
        "RB442",
        "Chance decides nothing here",
        "`chance` answers picks: `pick … by: chance`.",
        "show hand to: chance",
        "pick card from: hand by: chance\nmove card to: box",
    ),
    _do(
        "RB443",
        "Not in this place",
        "The key, label or verb belongs somewhere else.",
        'refuse "no"',
        "shuffle pile",
    ),
    _do(
        "RB444",
        "A number that is too large",
        "Numbers lie between -10^12 and 10^12, ranges have at most 1000 members.",
        "set turns_owed = 99999999999999999999",
        "set turns_owed = 9",
    ),
    _do(
        "RB445",
        "Division by zero",
        "The divisor is the number 0.",
        "set turns_owed = 1 / 0",
        "set turns_owed = 1 / 2",
    ),
    _plain(
        "RB446",
        "More than everybody knows",
        "Who is asked follows from `to:` of responses, `now:` and `can_act:`. They may look at what all see: zones "
        "with `see: all`, how many cards lie in a zone, attributes with `see: all`, what is announced with an act.",
    ),
    _plain("RB451", "Something that cannot be chosen", "Cards, players, numbers, words and kinds can be chosen."),
    _plain("RB452", "Answers that cannot be joined so", "How answers are joined must fit the type of the question."),
    _plain("RB454", "Two cards with one id", "Every id is used once in a game."),
    _plain(
        "RB455", "Zones with a task", "One shared zone holds the decks at first, one zone of each player holds marks."
    ),
    _plain(
        "RB456",
        "A move called `play` beside cards that are played",
        "`play 7h` is either a card with a `play:` of its own or the game's move `play`; a game has one of the two.",
    ),
)
