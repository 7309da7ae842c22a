"""What is said when reading stops: the words of the one who types, never a name of the grammar."""

from __future__ import annotations

import re

from rulebook.lang.verbs import KERNEL_VERBS, PICK_LABELS

_SHOWN = re.compile(r'"(?:[^"\\\n]|\\[^\n])*"|[A-Za-z_][A-Za-z0-9_]*|[0-9]+|==|!=|<=|>=|&&|\|\||[^\s]')
_WORDS = {
    "if": "IF",
    "elif": "ELIF",
    "else": "ELSE",
    "for": "FOR",
    "while": "WHILE",
    "let": "LET",
    "pick": "PICK",
    "stop": "STOP",
    "proceed": "PROCEED",
    "where": "WHERE",
    "or": "OR",
    "and": "AND",
    "not": "NOT",
    "in": "IN",
    "is": "IS",
    "true": "TRUE",
    "false": "FALSE",
    "none": "NONE",
}
RESERVED = frozenset(_WORDS)
"""Words of the language that cannot be names."""

_SIGNS = {
    "RPAR": "`)`",
    "RSQB": "`]`",
    "_COMMA": "`,`",
    "_COLON": "`:`",
    "_ASSIGN": "`=`",
    "IN": "`in`",
    "LABEL": "a label",
    "_NL": "the end of the line",
    "$END": "the end",
    "ELSE": "`else`",
    "SET": "`set`",
    "UNSET": "`unset`",
    "NOT": "`not`",
    "IF": "`if`",
}
_LABELS = {*PICK_LABELS, *(label for verb in KERNEL_VERBS.values() for label in verb.labels)}
_OPERATORS = {"PLUS", "MINUS", "TIMES", "OVER", "MODULO", "CMP", "AND", "OR", "IS", "WHERE", "_DOT"}


def explain_token(kind: str, accepts: frozenset[str], text: str, at: int, whole: str) -> tuple[str, str, int, int]:
    """Message, hint, start and end for a token that cannot stand where it stands.

    `whole`: "program" or "expression".
    """
    match = _SHOWN.match(text, at)
    shown = match.group() if match else ""
    end = at + len(shown)
    expected = _expected(accepts, whole)
    if not match or kind in ("_NL", "$END", "_INDENT", "_DEDENT"):
        what = "the line ends too early" if whole == "program" else "the expression ends too early"
        if whole == "expression" and not text.strip():
            what = "there is no expression here"
        return f"{what}: {expected} should follow", _end_hint(accepts, text, at), at, at + 1
    message = f"`{_short(shown)}` cannot stand here: {expected} should"
    return message, _hint(shown, accepts, text, at, end), at, end


def _short(shown: str) -> str:
    return shown if len(shown) <= 40 else shown[:37] + "…"


def _expected(accepts: frozenset[str], whole: str) -> str:
    """What may stand at a place, as few words as possible: at most five, sorted."""
    found: set[str] = set()
    if {"LET", "PICK"} <= accepts:
        found.add("a statement")
    elif {"NUMBER", "STRING"} <= accepts:
        found.add("a value")
        if "RPAR" in accepts:
            found.add("`)`")
        if "RSQB" in accepts:
            found.add("`]`")
        if "LABEL" in accepts:
            found.update(("a label", "the end of the line"))
    else:
        operator = len(accepts & _OPERATORS) > 3
        if operator:
            found.add("an operator")
        for terminal in accepts:
            if operator and terminal in ("IN", "NOT", "LPAR", "LSQB", "IF"):
                continue
            if terminal == "NAME":
                found.add("a name")
            elif terminal in _SIGNS:
                found.add(_SIGNS[terminal])
            elif terminal == "CMP":
                found.add("a comparison")
    if not found:
        return "a statement" if whole == "program" else "a value"
    words = sorted(found, key=lambda word: (word.startswith("the end"), word.strip("`")))[:5]
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1]


def _end_hint(accepts: frozenset[str], text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at].strip()
    first = line.split(" ")[0] if line else ""
    if "_COLON" in accepts and first in ("if", "elif", "for", "while", "else"):
        return f"a line that begins with `{first}` ends in a colon"
    return ""


def _hint(shown: str, accepts: frozenset[str], text: str, at: int, end: int) -> str:
    line_start = text.rfind("\n", 0, at) + 1
    before = text[line_start:at].rstrip()
    first = before.split(" ")[0].rstrip(":") if before else ""
    if before.endswith(":") and first in ("if", "elif", "else", "for", "while"):
        return "a block stands on the lines below, indented"
    if shown == "else" and text[end:].lstrip().startswith(":") and re.match(r"[ \t]*if\b", text[end:]) is None:
        return "`else:` stands in the column of its `if`"
    if shown == "else" and re.match(r"[ \t]+if\b", text[end:]):
        return "write `elif`"
    if shown == "elif":
        return "`elif` stands in the column of its `if`"
    if shown in ("elseif", "elsif") or first in ("elseif", "elsif") or (shown == "if" and before == "else"):
        return "write `elif`"
    if shown == "=" and "CMP" in accepts:
        return "`==` compares; `let name = …` gives a value to a name"
    if shown == "=":
        return "`let name = …` gives a value to a name, `set place = …` changes the state"
    if shown in ("==", "!=", "<", "<=", ">", ">=", "in", "is") and "AND" in accepts:
        return "comparisons do not chain: join two of them by `and`"
    if shown == "'":
        return 'texts stand in `"`'
    if shown in ("&&", "&"):
        return "write `and`"
    if shown in ("||", "|"):
        return "write `or`"
    if shown == "!":
        return "write `not`"
    if shown == "{" or shown == "}":
        return "lists stand in `[` and `]`"
    if shown == ":" and first in ("if", "elif", "while") and before == first:
        return f"`{first}` needs a condition before the colon"
    if shown == ":" and before.startswith("pick "):
        return "the answer needs a name: `pick card from: …`"
    if shown == ":" and "LABEL" not in accepts:
        return "only `if`, `elif`, `else`, `for` and `while` lines end in a colon"
    if shown.isdigit() and before.endswith("."):
        return "numbers are whole"
    if shown == "." and re.search(r"[0-9]$", before):
        return "numbers are whole"
    if shown == "," and "LABEL" in accepts:
        return "the values of a verb stand behind labels, without commas"
    if shown in RESERVED and "NAME" in accepts:
        return f"`{shown}` is a word of the language and cannot be a name"
    if shown == "." and re.match(r"\w+\s*=(?!=)", text[end:]):
        return "`set place = …` changes the state"
    if shown[:1].isalpha() and re.match(r"[ \t]*:[ \t]*(?:#.*)?(?:\n|$)", text[end:]):
        return f"a value is missing behind `{_short(shown)}:`"
    if "LABEL" in accepts and shown in _LABELS:
        return f"a label ends in a colon: `{shown}:`"
    if "LABEL" in accepts and shown[:1].isalpha():
        return f"a further value needs its label, `label: {_short(shown)}`"
    return ""
