"""`rulebook new`: a working game, pack or card to begin with."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from rulebook.commands import epilog


@click.command(
    "new",
    epilog=epilog("rulebook new game tea_time", "rulebook new pack lucky", "rulebook new card lucky_cat --in lucky"),
)
@click.argument("what", metavar="game|pack|card", type=click.Choice(["game", "pack", "card"]))
@click.argument("name")
@click.option(
    "--in",
    "place",
    metavar="DIR",
    type=click.Path(path_type=Path),
    default=".",
    help="Where: any folder for a game, a game's or any other for a pack, a pack's for a card.  [default: here]",
)
@click.option(
    "--game", metavar="GAME", help="The game of a pack that lies outside of its game's folder.  [default: kittens]"
)
def command(what: Literal["game", "pack", "card"], name: str, place: Path, game: str | None) -> None:
    """Make a game, a pack or a card that works, for you to change.

    What is written passes `rulebook check` and `rulebook test`. A card comes with a ruling and goes into the deck of
    its pack. Nothing that is there is overwritten.
    """
    from rulebook import starters
    from rulebook.library import display

    if not place.is_dir():
        raise click.UsageError(f"{str(place)[:200]!r} is no folder")
    if game is not None and what != "pack":
        raise click.UsageError("--game is for packs; a card belongs to the pack that it lies in")
    try:
        if what == "game":
            written = starters.new_game(name, place)
        elif what == "pack":
            written = starters.new_pack(name, place, game)
        else:
            written = starters.new_card(name, place)
    except starters.Refused as refused:
        raise click.UsageError(str(refused)) from None
    for path in written.made:
        click.echo(display(path))
    for path in written.changed:
        click.echo(f"{display(path)} (changed)")
    home = display(place if what == "card" else place / name)
    click.echo(f"next: rulebook check {home} && rulebook test {home}", err=True)
