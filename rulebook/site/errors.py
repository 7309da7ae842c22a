"""The page of error codes, made from the registry: one section and one anchor (`#rb101`) for each code."""

from __future__ import annotations

from collections.abc import Iterable

from rulebook.codes import Code, registry
from rulebook.site.escape import block, code, front_matter, inline, table

LANGUAGES = {"command": "console", "do": "", "expression": ""}
"""How examples are coloured; what is not named here is YAML."""


def page(codes: Iterable[Code] | None = None) -> str:
    """The Markdown of `errors.md`."""
    known = list(registry().values() if codes is None else codes)
    lines = [*front_matter("Error codes"), "# Error codes", ""]
    lines += [
        "Every fault that `rulebook check` and the other commands find has a code. `rulebook explain CODE` shows the",
        "same in the terminal. A code is never given to something else.",
        "",
    ]
    for group in dict.fromkeys(entry.group for entry in known):
        members = [entry for entry in known if entry.group == group]
        lines += [f"## {inline(group)} {{#{members[0].code[:3].lower()}}}", ""]
        rows = ((f"[{entry.code}](#{entry.code.lower()})", inline(entry.title)) for entry in members)
        lines += table(("code", "what"), rows)
        for entry in members:
            lines += _section(entry)
    return "\n".join(lines).rstrip() + "\n"


def _section(entry: Code) -> list[str]:
    lines = [f"### {entry.code}: {inline(entry.title)} {{#{entry.code.lower()}}}", ""]
    if entry.severity != "error":
        lines += [f"A {inline(entry.severity)}: it does not stop the pack from being played.", ""]
    for paragraph in entry.meaning.split("\n\n"):
        lines += [_prose(paragraph), ""]
    language = LANGUAGES.get(entry.where, "yaml")
    for head, example in (("Wrong", entry.wrong), ("Right", entry.right)):
        if example:
            lines += [f"{head}:", "", *block(example, language)]
    return lines


def _prose(text: str) -> str:
    """A meaning, whose code stands between backticks."""
    return "".join(code(part) if number % 2 else _spaced(part) for number, part in enumerate(text.split("`")))


def _spaced(part: str) -> str:
    """:func:`inline` folds the spaces at the ends away, which matter between two pieces."""
    shown = inline(part)
    return f"{' ' if part[:1].isspace() else ''}{shown}{' ' if shown and part[-1:].isspace() else ''}"
