"""`rulebook play`: a game in the terminal, against bots or hot-seat, or from a script of actions."""

from __future__ import annotations

import secrets
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulebook.commands import epilog
from rulebook.commands.choosing import Choice, game_options, split_names

if TYPE_CHECKING:
    from kernel import Rulebook
    from rulebook.records import Place
    from rulebook.sessions import Session

REFUSED = 2


@click.command(
    epilog=epilog(
        "rulebook play",
        "rulebook play kittens --packs base,imploding --players 4 --seed 7",
        "rulebook play --hotseat --players 3 --names Ann,Bob,Cleo --save evening.jsonl",
        "rulebook play --resume evening.jsonl",
        "printf 'draw\\n' | rulebook play --players 2 --seed 1",
    )
)
@game_options
@click.option(
    "--players", metavar="N", type=click.IntRange(1, 64), help="How many play. Default: 3, or as near as can be."
)
@click.option(
    "--bots",
    metavar="A,B",
    help="Bots for the last places (`random`, `ismcts:200`, `ismcts:1.5s`); the last is repeated.",
)
@click.option("--hotseat", is_flag=True, help="Every place without a bot is a person's; they share this terminal.")
@click.option("--names", metavar="A,B", help="What the players are called, first place first.")
@click.option("--seed", metavar="S", type=int, help="Where chance begins; drawn and printed if left out.")
@click.option(
    "--ask",
    type=click.Choice(["all", "settled"]),
    help="Whom to ask: all who could answer, or only those with a choice. "
    "Default: all if several people play, or if the game knows no answers.",
)
@click.option("--save", metavar="FILE", help="Keep the game in this file, move by move.")
@click.option("--resume", metavar="FILE", help="Go on with a saved game.")
@click.option("--force", is_flag=True, help="Let --save replace any file.")
@click.option("--language", metavar="L", help="Titles and texts of cards in this language, where there are any.")
@click.option("--no-color", is_flag=True, help="No colours. (NO_COLOR in the environment does the same.)")
def command(
    choice: Choice,
    players: int | None,
    bots: str | None,
    hotseat: bool,
    names: str | None,
    seed: int | None,
    ask: str | None,
    save: str | None,
    resume: str | None,
    force: bool,
    language: str | None,
    no_color: bool,
) -> int:
    """Play a game in the terminal.

    You sit at place 0, bots take the others. A number chooses from the menu; actions can also be typed
    (`draw`, `play favor victim=2`); `help` lists what else there is.

    Where the standard input is no terminal, it holds one action a line, and a line that is refused ends the run with
    exit code 2. Where it holds nothing, bots play a whole game.
    """
    from rulebook.terminal.lines import Lines

    lines = Lines(sys.stdin)
    unattended = not lines.any()
    if resume is not None:
        given = (players, bots, names, seed, ask)
        if any(value is not None for value in given) or hotseat or choice != Choice(path=choice.path):
            raise click.UsageError(
                "--resume goes on as the game was begun; only --path, --save, --force and --no-color go with it"
            )
        session = _resumed(resume, choice)
    else:
        book = choice.load()
        seats = _seats(book, players, bots, hotseat, names, unattended)
        people = sum(1 for place in seats if place.bot is None)
        session = _begun(book, seats, seed, ask or _whom_to_ask(book, people))
    session.path_option = choice.path_option
    keeper = _Keeper(save, force, resume, choice.path_option)
    keeper.check(session)
    _check_language(session.book, language)
    return _play(session, lines, keeper, unattended, no_color, language)


def _check_language(book: Rulebook, language: str | None) -> None:
    from rulebook.diagnostics import did_you_mean, visible
    from rulebook.translations import languages

    known = languages(book)
    if language is not None and not any(language == name or language.startswith(f"{name}-") for name in known):
        hint = did_you_mean(language, known) or "these packs have texts in no other language"
        raise click.UsageError(f"there are no texts in `{visible(language[:40])}`; {hint}")


def _whom_to_ask(book: Rulebook, people: int) -> str:
    """All, where several people play or nothing is ever answered; else one person is asked only where there is a
    choice, and need not pass again and again."""
    data = book.data
    plays = [play for kind in data["kinds"] for play in kind["plays"]]
    answered = any(play["at"] != "turn" for play in [*plays, *data["moves"]])
    return "all" if people > 1 or not answered else "settled"


def _begun(book: Rulebook, places: list[Place], seed: int | None, ask: str) -> Session:
    from rulebook.sessions import Session

    return Session.new(book, len(places), secrets.randbelow(10**9) if seed is None else seed, ask, places)


def _resumed(file: str, choice: Choice) -> Session:
    from rulebook import records
    from rulebook.sessions import load_recorded, restore

    return restore(records.read(file), lambda header: load_recorded(header, choice.path))


def _seats(
    book: Rulebook, players: int | None, bots: str | None, hotseat: bool, names: str | None, unattended: bool
) -> list[Place]:
    """Who sits where: people first, then bots."""
    from rulebook.bots import UnknownBot, make
    from rulebook.records import Place

    programs = () if bots is None else split_names(bots, "--bots")
    try:
        for program in programs:
            make(program, 0, time.monotonic)
    except UnknownBot as error:
        raise click.UsageError(str(error)) from None
    if players is None:
        wanted = len(programs) + 1 if programs and not hotseat else 3
        players = min(max(wanted, book.players_min), book.players_max)
    if len(programs) > players:
        raise click.UsageError(f"--bots names {len(programs)} bots for {players} places")
    people = 0 if unattended else players - len(programs) if hotseat else min(1, players - len(programs))
    filling = programs[-1:] or ("random",)
    seated = (*programs, *filling * players)[: players - people]
    called = () if names is None else split_names(names, "--names")
    if len(called) > players or len(set(called)) != len(called):
        raise click.UsageError(f"--names takes up to {players} different names")
    default = tuple(f"Player {player}" for player in range(players))
    everybody = (*called, *default[len(called) :])
    return [Place(everybody[player], None if player < people else seated[player - people]) for player in range(players)]


def _play(
    session: Session, lines: object, keeper: _Keeper, unattended: bool, no_color: bool, language: str | None
) -> int:
    from rich.text import Text

    from rulebook.bots import derive, make
    from rulebook.diagnostics import visible
    from rulebook.terminal.console import console
    from rulebook.terminal.lines import Lines
    from rulebook.terminal.names import Names
    from rulebook.terminal.prompt import Refused
    from rulebook.terminal.table import Table

    assert isinstance(lines, Lines)
    header, book = session.header, session.book
    places = header.places
    bots = {
        player: make(places[player].bot or "random", derive(header.seed, player, len(session.steps)), time.monotonic)
        for player in range(header.players)
        if unattended or (player < len(places) and places[player].bot is not None)
    }
    called = [place.name for place in places] or [f"Player {player}" for player in range(header.players)]
    out = console(color=False if no_color else None)
    packs = ", ".join(name for name, _ in header.packs)
    out.print(Text(f"{visible(book.title)} ({visible(packs)})", style="bold"), end="")
    out.print(Text(f"   {header.players} players, seed {header.seed}", style="dim"))
    table = Table(session, bots, Names(book, called, language=language), out, lines, keeper)
    keeper.check(session)
    try:
        finished = table.play()
    except Refused as error:
        click.echo(f"error: line {lines.number}: {visible(str(error))}", err=True)
        keeper.say()
        return REFUSED
    except KeyboardInterrupt:
        click.echo(err=True)
        keeper.say()
        raise
    if not finished:
        keeper.say()
    return 0


class _Keeper:
    """Saves the game to the file that was asked for, after every decision of a person."""

    def __init__(self, file: str | None, force: bool, resumed: str | None, path_option: str) -> None:
        self.file = None if file is None else Path(file)
        self.force = force
        self.path_option = path_option
        self.own = set() if resumed is None else {Path(resumed).absolute()}

    def check(self, session: Session) -> None:
        """Refuse a file that is somebody else's before the game begins."""
        if self.file is not None:
            if self._foreign(self.file):
                raise click.UsageError(f"there is a file {self.file} already; --force lets --save replace it")
            self.keep(session)

    def keep(self, session: Session) -> None:
        """Save, if a file was asked for."""
        if self.file is not None:
            self._write(session, self.file, self.force)

    def save_as(self, session: Session, name: str) -> str:
        """Save to a file that the person names; says what happened."""
        from rulebook.diagnostics import visible

        path = Path(name)
        try:
            self._write(session, path, False)
        except OSError as error:
            return f"Not saved: {visible(error.strerror or str(error))}: {visible(name)}"
        if self.file is None:
            self.file = path
        return f"Saved in {visible(name)}; `rulebook play --resume {visible(name + self.path_option)}` goes on."

    def say(self) -> None:
        """Tell where the game was saved, for one that is not over."""
        if self.file is not None:
            click.echo(f"saved in {self.file}; rulebook play --resume {self.file}{self.path_option} goes on", err=True)

    def _foreign(self, path: Path) -> bool:
        return path.exists() and path.absolute() not in self.own and not self.force

    def _write(self, session: Session, path: Path, force: bool) -> None:
        from rulebook import records

        records.write(path, session.record, overwrite=force or path.absolute() in self.own)
        self.own.add(path.absolute())
