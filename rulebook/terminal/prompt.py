"""One question to one person: shows the menu, reads lines, answers `help`, `hand`, `log` …, and returns an action.

An action may be chosen by number, in a few steps, or typed in notation. Nothing is decided here: the kernel says what
is legal.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from rich.text import Text

from rulebook.diagnostics import did_you_mean, visible
from rulebook.terminal import screen
from rulebook.terminal.choices import PASS, Choices, Entry, Menu
from rulebook.terminal.glass import Glass

if TYPE_CHECKING:
    from rich.console import Console

    from kernel import State

SHOWN_LOG = 20
BACK = ("b", "back")

HELP = """\
A number chooses from the menu; an action can also be typed, such as: {example}
  help CARD    what stands on a card
  hand         your cards                  table        everything you see
  zone NAME    all cards of a zone         log [N]      what has happened
  legal        all you may do, as typed    save FILE    save the game
  undo         take back your last decision, if nothing was disclosed since
  quit         leave the game              back         one step back in a menu
A command can begin with a slash (/log) where the game has a move of that name."""


class Quit(Exception):
    """The person wants to leave the game."""


class TakenBack(Exception):
    """Steps were taken back: what was asked is not asked any more."""


class Refused(Exception):
    """A line of a script that makes no sense here: a script stops at it."""


class Desk(Protocol):
    """What a prompt needs of the table it stands on."""

    out: Console

    def ask(self, prompt: str) -> str:
        """Show a prompt and read a line."""
        ...

    def save_as(self, name: str) -> str:
        """Save the game and say so."""
        ...

    def undo(self) -> str | None:
        """Take back the last decision of the person who is asked; the reason where that cannot be done."""
        ...

    @property
    def scripted(self) -> bool:
        """Whether lines come from a script."""
        ...


@dataclass(slots=True)
class Prompt:
    """A question to the person who looks through `glass`. `passing` is the action that Enter alone stands for, if
    there is one; where the question is `optional`, Enter means that nothing is done.
    """

    desk: Desk
    state: State
    glass: Glass
    choices: Choices
    passing: str | None = None
    optional: bool = False
    _path: list[Entry] = field(default_factory=list)

    def answer(self, attempt: Callable[[str], str | None]) -> str | None:
        """Ask until `attempt` takes an action (it returns None, or the reason why not). None: nothing is done."""
        menu = self.choices.menu()
        self.show(menu)
        while True:
            line = self.desk.ask("> ")
            found = self._read(line, menu)
            if isinstance(found, Menu):
                menu = found
                self.show(menu)
            elif found == "":
                return None
            elif found is not None:
                reason = attempt(found)
                if reason is None:
                    return found
                self.refuse(reason)
                self._path.clear()
                menu = self.choices.menu()

    def show(self, menu: Menu) -> None:
        """Print the menu (nothing in a script, which knows what it wants)."""
        if self.desk.scripted:
            return
        several = self.choices.sequence()
        if several is not None:
            self.desk.out.print(screen.several(several))
            return
        if menu.title:
            before = f"{self._path[-1].label.removesuffix(' …')}: " if self._path else ""
            self.desk.out.print(Text(f"{before}{menu.title}"))
        self.desk.out.print(screen.menu(menu, self.passing))

    def refuse(self, reason: str) -> None:
        """Say why a line is not taken. A script ends there."""
        if self.desk.scripted:
            raise Refused(reason)
        self.desk.out.print(Text(f"{visible(reason)} (`help` says what can be typed)", style="yellow"))

    def _read(self, line: str, menu: Menu) -> Menu | str | None:
        """What a line means: an action, the next menu, "" for Enter where nothing is asked, or None (dealt with, ask
        again).
        """
        if not line:
            return self._enter()
        entry = menu.find(line) or menu.find(line.casefold())
        if entry is not None and not self.desk.scripted and self.choices.sequence() is None:
            return self._chosen(entry)
        word, _, rest = line.partition(" ")
        if line.casefold() in BACK and self._path:
            self._path.clear()
            return self.choices.menu()
        command = self._command(word)
        if command is not None:
            command(rest.strip())
            return None
        # A script says what it means in notation: the numbers and words of menus are for those who see them.
        return line if self.desk.scripted else self._said(line, menu)

    def _enter(self) -> str | None:
        if self.passing is not None or self.optional:
            return self.passing or ""
        if self.desk.scripted:
            self.refuse("an empty line is no action")
        return None

    def _chosen(self, entry: Entry) -> Menu | str:
        if entry.action is not None:
            return entry.action
        self._path.append(entry)
        return self.choices.refine(entry)

    def _said(self, line: str, menu: Menu) -> Menu | str | None:
        """A line that is no key: numbers of several things, the first words of one entry (`draw`), else notation."""
        several = self.choices.sequence()
        if several is not None and re.fullmatch(r"[\d\s,]+", line):
            numbers = [int(word) for word in re.findall(r"\d{1,4}", line)]
            action = several.action(numbers)
            if action is None:
                self.refuse("that does not fit: as many as asked, each once")
            return action
        wanted = line.casefold()
        if any(said.text == line for said in self.choices.actions):
            return line
        labels = {entry.label.removesuffix(" …").casefold(): entry for entry in menu.entries}
        exact = [labels[wanted]] if wanted in labels else []
        same = exact or [entry for label, entry in labels.items() if label.startswith(wanted)]
        if len(same) == 1:
            return self._chosen(same[0])
        if wanted.isdecimal():
            self.refuse("there is no such number here")
            return None
        return line

    # -- commands ------------------------------------------------------------------------------------------------------

    def _command(self, word: str) -> Callable[[str], None] | None:
        commands: dict[str, Callable[[str], None]] = {
            "help": self._help,
            "?": self._help,
            "hand": self._hand,
            "table": self._table,
            "zone": self._zone,
            "log": self._log,
            "legal": self._legal,
            "save": self._save,
            "undo": self._undo,
            "quit": self._quit,
            "exit": self._quit,
        }
        if word.startswith("/"):
            return commands.get(word[1:])
        if any(said.move == word for said in self.choices.actions):
            return None
        return commands.get(word)

    def _help(self, about: str) -> None:
        out = self.desk.out
        if not about:
            example = next((said.text for said in reversed(self.choices.actions)), PASS)
            out.print(Text(HELP.replace("{example}", visible(example))))
            return
        wanted = about.casefold()
        names = self.glass.names
        kinds = names.book.kinds
        found = [kind for kind in kinds if wanted in (kind.id, kind.title.casefold(), names.title(kind.id).casefold())]
        if not found:
            hint = did_you_mean(about, [name for kind in kinds for name in (kind.id, names.title(kind.id))])
            out.print(
                Text(
                    f"No card is called {visible(about[:80])}" + (f"; {hint}" if "mean" in hint else "."),
                    style="yellow",
                )
            )
        for kind in found:
            out.print(screen.card_text(kind, self.glass.names))

    def _hand(self, _: str) -> None:
        view = self.glass.view(self.state)
        for name, text in screen.own_zones(view, self.glass.names):
            self.desk.out.print(Text.assemble((f"{name}: ", "dim"), text))

    def _table(self, _: str) -> None:
        self.desk.out.print(screen.status(self.glass.view(self.state), self.glass.names))

    def _zone(self, name: str) -> None:
        self.desk.out.print(screen.whole_zone(self.glass.view(self.state), self.glass.names, name))

    def _log(self, count: str) -> None:
        number = int(count) if count.isdecimal() and len(count) < 6 else SHOWN_LOG
        history = list(Glass(self.glass.names, self.glass.viewer).lines(self.state))
        for line in history[-number:] if number else []:
            self.desk.out.print(screen.log_line(line))

    def _legal(self, _: str) -> None:
        for said in self.choices.actions:
            self.desk.out.print(Text(visible(said.text)))

    def _save(self, name: str) -> None:
        self.desk.out.print(Text(self.desk.save_as(name) if name else "save FILE: the file's name is missing."))

    def _undo(self, _: str) -> None:
        reason = self.desk.undo()
        if reason is None:
            raise TakenBack
        self.refuse(reason)

    def _quit(self, _: str) -> None:
        raise Quit


def passing_of(choices: Choices) -> str | None:
    """What Enter alone does: let things happen, where that can be done, or the only answer there is."""
    if len(choices.actions) == 1 and choices.ask.get("kind") in ("pick", "move"):
        return choices.actions[0].text
    return PASS if choices.can_pass and choices.ask.get("kind") == "window" else None
