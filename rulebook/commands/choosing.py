"""Which game a command is about: the argument GAME and the options `--packs --preset --option --path`, the same
everywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulebook.compiled import SUFFIX

if TYPE_CHECKING:
    from kernel import Rulebook
    from rulebook.diagnostics import Diagnostic

DEFAULT_GAME = "kittens"

OptionValue = int | bool | str


@dataclass(frozen=True, slots=True)
class Choice:
    """The game that somebody asked for on the command line."""

    game: str = DEFAULT_GAME
    packs: tuple[str, ...] | None = None
    preset: str | None = None
    options: dict[str, OptionValue] = field(default_factory=dict)
    path: str | None = None

    @property
    def compiled(self) -> bool:
        """Whether GAME is a file that `rulebook build` wrote."""
        return self.game.endswith(SUFFIX)

    def load(self, skipped: list[Diagnostic] | None = None) -> Rulebook:
        """The book of rules. Raises what :func:`rulebook.load` (which also says what `skipped` is) and
        `kernel.Rulebook.from_json` raise."""
        if not self.compiled:
            import rulebook

            return rulebook.load(self.game, self.packs, self.preset, self.options, self.path, skipped)
        if self.packs is not None or self.preset is not None or self.options or self.path is not None:
            raise click.UsageError(
                "a compiled game is played as it was built; --packs, --preset, --option, --path go to `rulebook build`"
            )
        from rulebook.compiled import read_book

        return read_book(Path(self.game))

    @property
    def path_option(self) -> str:
        """What must be given again, besides a record, to find this game: ` --path DIR`, or nothing."""
        place = self.game if self.compiled else self.path
        return "" if place is None else f" --path {place}"


def option_value(text: str) -> OptionValue:
    """`true` and `false` are flags, digits a number, everything else a word."""
    if text in ("true", "false"):
        return text == "true"
    if text.lstrip("-").isdecimal() and text.isascii() and len(text) <= 16 and text.count("-") <= 1:
        return int(text)
    return text


def game_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command GAME and the options that choose it; it receives them as one argument, `choice`."""

    @wraps(command)
    def with_choice(
        game: str, packs: str | None, preset: str | None, options: tuple[str, ...], path: str | None, **rest: Any
    ) -> Any:
        chosen = None if packs is None else split_names(packs, "--packs")
        return command(choice=Choice(game, chosen, preset, dict(_pair(text) for text in options), path), **rest)

    for decorate in (
        click.option("--path", metavar="DIR", help="Where the game or further packs lie."),
        click.option(
            "--option",
            "options",
            metavar="NAME=VALUE",
            multiple=True,
            help="An option of the game (a list: A,B,C); may be repeated.",
        ),
        click.option("--preset", metavar="NAME", help="A set of packs and options that the game names."),
        click.option(
            "--packs", metavar="A,B", help="The packs to play with, instead of the game's or the preset's own."
        ),
        click.argument("game", metavar="[GAME]", default=DEFAULT_GAME),
    ):
        with_choice = decorate(with_choice)
    return with_choice


def split_names(text: str, option: str) -> tuple[str, ...]:
    """The names in `a,b,c`. Raises a usage error where one is missing."""
    names = tuple(name.strip() for name in text.split(","))
    if not all(names):
        raise click.UsageError(f"{option} takes names with commas between them, such as `a,b`")
    return names


def _pair(text: str) -> tuple[str, OptionValue]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise click.UsageError(f"--option takes NAME=VALUE, not `{text[:80]}`")
    return name.strip(), option_value(value.strip())
