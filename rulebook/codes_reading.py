"""The diagnostics of reading files (RB1xx); see :mod:`rulebook.codes`."""

from __future__ import annotations

from rulebook.codes import Code

_HEAD = "card: Skip\nid: skip\ntext: Your turn is over.\n"
_PLAY = "play:\n  at: turn\n  do: end_turn you\n"
_SKIP = _HEAD + _PLAY

CODES = (
    Code(
        "RB100",
        "A file cannot be read",
        "The file is not there, is a folder, or may not be read by this user. Nothing else is said about it.",
    ),
    Code(
        "RB101",
        "A file is too large",
        (
            "No file of a pack is larger than 1 MiB, and a larger one is refused before it is read. Give each "
            "card a file of its own, and spread rulings over several files."
        ),
    ),
    Code(
        "RB102",
        "A file is not UTF-8",
        (
            "Files are read as UTF-8. The place is that of the first byte that does not fit; mostly the file was "
            "saved in an older encoding."
        ),
    ),
    Code(
        "RB103",
        "A character cannot stand in a file",
        (
            "Control characters, unusual line breaks (U+0085, U+2028, U+2029) and characters that turn the "
            "direction of text around are refused: what is read would not be what is seen. Between double quotes "
            "they can be written as escapes."
        ),
        wrong=_HEAD + "about: a\u2028b\n",
        right=_HEAD + 'about: "a\\u2028b"\n',
    ),
    Code(
        "RB104",
        "A tab",
        "YAML is indented with spaces, and a tab looks different in every editor. A tab inside quotes is fine.",
        wrong=_HEAD + "play:\n\tat: turn\n\tdo: end_turn you\n",
        right=_SKIP,
    ),
    Code(
        "RB105",
        "This is not YAML",
        "The text cannot be read as keys and values. The message says what stands in the wrong place.",
        wrong=_HEAD + "play\n",
        right=_SKIP,
    ),
    Code(
        "RB106",
        "A quote or bracket is not closed",
        (
            "What was opened with a quote, `[` or `{` has to be closed. Within brackets, a text with a comma, a "
            "colon or a bracket of its own needs quotes."
        ),
        wrong=_HEAD + "tags: [action, cat\n" + _PLAY,
        right=_HEAD + "tags: [action, cat]\n" + _PLAY,
    ),
    Code(
        "RB107",
        "A second colon",
        "A colon with a space behind it begins a value. Inside a text it needs quotes around the text.",
        wrong="card: Skip\nid: skip\ntext: Now: your turn is over.\n",
        right='card: Skip\nid: skip\ntext: "Now: your turn is over."\n',
    ),
    Code(
        "RB108",
        "Wrong indentation",
        (
            "Keys of one map begin in the same column, and so do items of one list. A line that is indented "
            "otherwise belongs to nothing."
        ),
        wrong=_HEAD + "play:\n    at: turn\n  do: end_turn you\n",
        right=_SKIP,
    ),
    Code(
        "RB109",
        "A value begins with a character that YAML keeps for itself",
        "A plain value cannot begin with @, %, a backtick or a tab.",
        wrong="card: @home\nid: home\n",
        right='card: "@home"\nid: home\n',
    ),
    Code(
        "RB110",
        "A key stands twice",
        (
            "Of two equal keys in one map only one could be meant, and nobody can know which. Several ways to "
            "play a card are a list below one `play`."
        ),
        wrong=_HEAD + _PLAY + "play:\n  at: now\n  do: end_turn you\n",
        right=_HEAD + "play:\n  - {at: turn, do: end_turn you}\n  - {at: now, do: end_turn you}\n",
    ),
    Code(
        "RB111",
        "Anchors and aliases",
        (
            "`&name` and `*name` are not read: a card is read where it stands, without following references. What "
            "cards share is a verb of the game file."
        ),
        wrong=_HEAD + "tags: &mine [action]\nfields: {a: *mine}\n",
        right=_HEAD + "tags: [action]\n",
    ),
    Code(
        "RB112",
        "Merge keys",
        "`<<` is not read: what a card does stands in the card. What cards share is a verb of the game file.",
        wrong=_HEAD + "play:\n  <<: base\n  at: turn\n  do: end_turn you\n",
        right=_SKIP,
    ),
    Code(
        "RB113",
        "YAML tags",
        (
            "`!name` and `!!name` ask a reader to build something else from a value. Nothing but maps, lists and "
            "single values is ever built."
        ),
        wrong="card: !!str Skip\nid: skip\n",
        right="card: Skip\nid: skip\n",
    ),
    Code(
        "RB114",
        "Several documents in one file",
        "One file holds one card, game, pack or list of rulings. `---` begins another document.",
        wrong=_SKIP + "---\n" + _SKIP,
        right=_SKIP,
    ),
    Code(
        "RB115",
        "An empty file",
        "The file holds nothing, or comments only.",
        wrong="# to do\n",
        right=_SKIP,
    ),
    Code(
        "RB116",
        "A key that is no word",
        (
            "Keys are single words or numbers. In a map between braces, an action with a comma or a bracket needs "
            "quotes."
        ),
        wrong=_HEAD + "? [a, b]\n: c\n",
        right=_SKIP,
    ),
    Code(
        "RB117",
        "A value that readers of YAML disagree about",
        (
            "`010`, `1.10`, `0x1f`, `True` are numbers and flags to some readers, and not the same ones to all. "
            "Write whole numbers plainly, true and false in small letters, and everything else in quotes."
        ),
        wrong="pack: Mine\nid: mine\nversion: 1.10\nlanguage: 1\ngame: kittens\n",
        right='pack: Mine\nid: mine\nversion: "1.10"\nlanguage: 1\ngame: kittens\n',
        where="pack",
    ),
    Code(
        "RB118",
        "A number is too large",
        "Numbers lie between minus and plus 10¹².",
        wrong=_HEAD + "fields: {rank: 99999999999999999999}\n",
        right=_HEAD + "fields: {rank: 99}\n",
    ),
    Code(
        "RB119",
        "Too deep",
        "Lists and maps may lie in each other sixty times.",
        wrong=_HEAD + "about: " + "[" * 64 + "]" * 64 + "\n",
        right=_HEAD,
    ),
    Code(
        "RB120",
        "Directives",
        "Lines that begin with % tell a reader how to read. Files of packs need none.",
        wrong="%YAML 1.1\n---\n" + _SKIP,
        right=_SKIP,
    ),
    Code(
        "RB121",
        "An unknown escape",
        (
            "Between double quotes a backslash begins an escape such as `\n`. Double it where it is meant, or use "
            "single quotes."
        ),
        wrong='card: "Cat\\dog"\nid: cat_dog\n',
        right="card: 'Cat\\dog'\nid: cat_dog\n",
    ),
)
