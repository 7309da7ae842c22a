"""The diagnostics of the shape of files (RB2xx); see :mod:`rulebook.codes`."""

from __future__ import annotations

from rulebook.codes import Code

_HEAD = "card: Skip\nid: skip\ntext: Your turn is over.\n"
_PLAY = "play:\n  at: turn\n  do: end_turn you\n"
_SKIP = _HEAD + _PLAY

CODES = (
    Code(
        "RB200",
        "An unknown key",
        (
            "Nothing reads this key, so what stands below it would be ignored in silence. Mostly it is misspelt "
            "or stands one level too high. Keys that begin with `x-` are free for other tools."
        ),
        wrong=_HEAD + "play:\n  at: turn\n  conditon: count(hand) > 1\n  do: end_turn you\n",
        right=_HEAD + "play:\n  at: turn\n  if: count(hand) > 1\n  do: end_turn you\n",
    ),
    Code(
        "RB201",
        "A key is missing",
        "A file or part of it cannot do without this key.",
        wrong="card: Skip\n" + _PLAY,
        right=_SKIP,
    ),
    Code(
        "RB202",
        "A value of the wrong kind",
        (
            "A text stands where a list is wanted, a number where a text is wanted, and so on. A text that looks "
            "like a number needs quotes."
        ),
        wrong="card: 99\nid: ninety_nine\n",
        right='card: "99"\nid: ninety_nine\n',
    ),
    Code(
        "RB203",
        "Not one of the values that can stand here",
        "The key takes one of a few words.",
        wrong=_HEAD + "play:\n  at: trun\n  do: end_turn you\n",
        right=_SKIP,
    ),
    Code(
        "RB204",
        "A number out of range",
        "The message says from where to where the number may go.",
        wrong='pack: Mine\nid: mine\nversion: "1.0"\nlanguage: 1\ngame: kittens\ndeck: {skip: 1000000000}\n',
        right='pack: Mine\nid: mine\nversion: "1.0"\nlanguage: 1\ngame: kittens\ndeck: {skip: 10}\n',
        where="pack",
    ),
    Code(
        "RB205",
        "A name or version of the wrong form",
        "Names are small letters, digits and _, beginning with a letter. Versions are numbers with dots, in quotes.",
        wrong="card: Skip\nid: Skip-Card\n",
        right="card: Skip\nid: skip_card\n",
    ),
    Code(
        "RB206",
        "Empty, doubled or too long",
        (
            "A list or text that may not be empty is empty, something stands twice in a list, or there is too "
            "much of it."
        ),
        wrong=_HEAD + "tags: [action, action]\n",
        right=_HEAD + "tags: [action]\n",
    ),
    Code(
        "RB207",
        "A folded program",
        "Below `>` line breaks become spaces, and a program has one statement a line. An expression may be folded.",
        wrong=_HEAD + "play:\n  at: turn\n  do: >\n    shuffle draw_pile\n    end_turn you\n",
        right=_HEAD + "play:\n  at: turn\n  do: |\n    shuffle draw_pile\n    end_turn you\n",
    ),
    Code(
        "RB208",
        "Keys that exclude each other",
        "Two keys say the same thing in two ways.",
        wrong="card: Cursed\nmark: Cursed\nid: cursed\n",
        right="mark: Cursed\nid: cursed\n",
    ),
)
