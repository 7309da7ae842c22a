"""From what somebody asks for (a game, packs, a preset, options) to the sources of one compiler run.

Everything that is wrong is reported in one run: a fault in one file never hides a fault in another.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from rulebook import decks
from rulebook.diagnostics import Diagnostics, Span
from rulebook.graph import Manifest, check_graph, in_order
from rulebook.library import GAME_FILE, Library, display, published
from rulebook.packs import (
    CardSource,
    GameSource,
    PackSource,
    Single,
    inside,
    map_of,
    read_cards,
    read_game,
    read_manifest,
    text_of,
    texts_of,
    unknown,
)
from rulebook.settle import settle_facts, settle_options
from rulebook.yamlread import Map, Scalar

DEFAULT_GAME = "kittens"


@dataclass(slots=True)
class Shelf:
    """The files of one game as far as they were read, so that several runs (as `check` makes them) read each file
    once."""

    game_id: str
    root: Path
    library: Library
    game: Map | None
    manifests: dict[str, Manifest] = field(default_factory=dict)
    cards: dict[str, dict[str, CardSource]] = field(default_factory=dict)
    opened: dict[Path, decks.Deck | None] = field(default_factory=dict)
    lost: set[str] = field(default_factory=set)
    places: dict[str, Path] = field(default_factory=dict)
    looked_outside: bool = False

    def place(self, name: str, diagnostics: Diagnostics) -> Path | None:
        """The folder of a pack. What other distributions publish is looked at only when a name is not found
        otherwise."""
        if name not in self.places and not self.looked_outside:
            self.looked_outside = True
            for other, path in published(diagnostics).items():
                self.places.setdefault(other, path)
        return self.places.get(name)

    def manifest(self, name: str, diagnostics: Diagnostics) -> Manifest | None:
        """The manifest of a pack, read once; None where there is no such pack or its manifest was refused (`lost`)."""
        if name in self.manifests or name in self.lost:
            return self.manifests.get(name)
        path = self.place(name, diagnostics)
        if path is None:
            return None
        node = self._read(path, diagnostics)
        if node is None:
            self.lost.add(name)
            return None
        self.manifests[name] = Manifest(name, path, node)
        return self.manifests[name]

    def _read(self, path: Path, diagnostics: Diagnostics) -> Map | None:
        if path.parent == self.root and not inside(path, self.root):
            message = f"the pack {display(path)} leads out of the folder of its game"
            diagnostics.error("RB311", message, None, "name its own folder with `path` instead of linking to it")
            return None
        node = read_manifest(path, diagnostics)
        if node is None:
            return None
        belongs = node.get("game")
        if isinstance(belongs, Scalar) and belongs.text != self.game_id:
            message = f"this pack belongs to the game `{belongs.text}`, not to `{self.game_id}`"
            diagnostics.error("RB316", message, belongs.span)
            return None
        return node

    def cards_of(self, manifest: Manifest, diagnostics: Diagnostics) -> dict[str, CardSource]:
        """The cards of a pack and of the decks that it takes, read once. A card of the pack that a deck makes too is
        reported, and its file counts."""
        if manifest.id not in self.cards:
            cards = read_cards(manifest.path, diagnostics)
            for use in self.decks_of(manifest, diagnostics) or ():
                for id, card in use.deck.cards.items():
                    if cards.setdefault(id, card) is not card:
                        _twice(cards[id], card, diagnostics)
            self.cards[manifest.id] = cards
        return self.cards[manifest.id]

    def decks_of(self, manifest: Manifest, diagnostics: Diagnostics) -> tuple[decks.Use, ...] | None:
        """The decks that a pack takes; each file is read once. None where one of them cannot be used."""
        places = decks.places(self.root, manifest.path)
        there = decks.known(places)
        found: list[decks.Use] = []
        wanted = manifest.node.get("decks")
        for name, node in map_of(manifest.node, "decks").items():
            path = there.get(name)
            if path is None:
                assert isinstance(wanted, Map)
                message, hint = unknown("deck", name, there)
                diagnostics.error("RB330", message, wanted.keys[name].span, hint)
                continue
            if path not in self.opened:
                self.opened[path] = decks.read_deck(path, diagnostics)
            deck = self.opened[path]
            if deck is not None:
                found.append(decks.take(deck, node, diagnostics))
        return tuple(found) if len(found) == len(map_of(manifest.node, "decks")) else None


def open_shelf(library: Library, game: str | None, diagnostics: Diagnostics) -> Shelf | None:
    """Find a game and read its `game.yaml`; the shelf has no `game` if that file was refused."""
    name = _game_id(library, game, diagnostics)
    root = library.games.get(name)
    if root is None:
        if not diagnostics.errors:
            message, hint = unknown("game", name, library.games)
            if "/" in name or os.sep in name:
                hint = f"what lies in a folder is named by its path: `--path {name}`"
            diagnostics.error("RB301", message, None, hint)
        return None
    return Shelf(name, root, library, read_game(root, diagnostics), places=library.packs_of(name))


def _game_id(library: Library, game: str | None, diagnostics: Diagnostics) -> str:
    """The game that is meant: a path to a game or pack decides where none, or the default, is named."""
    if library.chosen is None or library.chosen[0] not in ("game", "pack"):
        return game or DEFAULT_GAME
    kind, name = library.chosen
    if kind == "game":
        own: str | None = name
    else:
        manifest = read_manifest(library.packs[name], Diagnostics())
        own = text_of(manifest, "game") if manifest is not None else None
    if own is None or game in (None, DEFAULT_GAME, own):
        return own or game or DEFAULT_GAME
    where = display(library.games[name] if kind == "game" else library.packs[name])
    diagnostics.error(
        "RB316", f"{where} is {'the game' if kind == 'game' else 'a pack of the game'} `{own}`, not `{game}`", None
    )
    return game or DEFAULT_GAME


def gather(
    shelf: Shelf,
    diagnostics: Diagnostics,
    packs: Iterable[str] | None = None,
    preset: str | None = None,
    options: Mapping[str, Single | Sequence[Single]] | None = None,
) -> GameSource | None:
    """The sources for a game with these packs, preset and options; None where they are too broken to be compiled."""
    game = shelf.game
    chosen = _preset(game, preset, diagnostics)
    wanted = _wanted(shelf, packs, chosen, diagnostics)
    usable = _find(shelf, wanted, diagnostics)
    names = [name for name, _ in wanted if name in shelf.manifests]
    rank = {name: number for number, name in enumerate(names)}
    around = _closure(shelf, names, diagnostics)
    sound = check_graph(around, names, shelf.places, diagnostics, shelf.lost)
    _main_deck(shelf, names, diagnostics)
    loaded = _load(shelf, around, names, diagnostics)
    if loaded is not None:
        loaded = _without_doubles(loaded, diagnostics)
    if game is None:
        return None
    heard = [around[name] for name in in_order(around, rank) if name in rank]
    values = settle_options(game, heard, chosen, options or {}, diagnostics)
    facts = settle_facts(game, [around[name] for name in in_order(around) if name in rank], diagnostics)
    if not usable or not sound or not wanted or loaded is None:
        return None
    file = display(shelf.root / GAME_FILE)
    return GameSource(shelf.game_id, shelf.root, file, game, loaded, values, preset, facts)


def _preset(game: Map | None, name: str | None, diagnostics: Diagnostics) -> Map | None:
    if name is None or game is None:
        return None
    presets = map_of(game, "presets")
    found = presets.get(name)
    if not isinstance(found, Map):
        message, hint = unknown("preset", name, presets)
        diagnostics.error("RB303", message, None, hint)
        return None
    return found


def _wanted(
    shelf: Shelf, packs: Iterable[str] | None, preset: Map | None, diagnostics: Diagnostics
) -> list[tuple[str, Span | None]]:
    """The packs to play with and where each is named: those given, else the preset's, else the game's own."""
    if packs is not None:
        listed = packs.split(",") if isinstance(packs, str) else packs
        names: list[tuple[str, Span | None]] = [(str(name).strip(), None) for name in listed]
    else:
        source = preset if preset is not None and preset.get("packs") is not None else shelf.game
        names = [(item.text, item.span) for item in texts_of(source, "packs")] if source is not None else []
        names = _with_chosen(shelf, names, diagnostics)
    if packs is None and not names and len(shelf.places) == 1:
        names = [(name, None) for name in shelf.places]
    if not names and (packs is not None or shelf.game is not None):
        there = ", ".join(f"`{name}`" for name in sorted(shelf.places))
        diagnostics.error("RB318", "no packs are named to play with", None, f"there are: {there}" if there else "")
    for number, (name, span) in enumerate(names):
        if name in [other for other, _ in names[:number]]:
            diagnostics.error("RB319", f"the pack `{name}` is named twice", span)
    return list({name: (name, span) for name, span in names}.values())


def _with_chosen(
    shelf: Shelf, names: list[tuple[str, Span | None]], diagnostics: Diagnostics
) -> list[tuple[str, Span | None]]:
    """A pack that the path itself is, is played too, with what it needs; one that can be the main deck, instead of
    others."""
    if shelf.library.chosen is None or shelf.library.chosen[0] != "pack":
        return names
    name = shelf.library.chosen[1]
    manifest = shelf.manifest(name, diagnostics)
    if manifest is None:
        return [*names, (name, None)]
    needs: list[tuple[str, Span | None]] = [(need.pack, need.span) for need in manifest.needs()]
    main = manifest.node.get("main")
    alone = isinstance(main, Scalar) and main.value is True
    all_named = [*([] if alone else names), *needs, (name, None)]
    return list({pack: (pack, span) for pack, span in all_named}.values())


def _find(shelf: Shelf, wanted: list[tuple[str, Span | None]], diagnostics: Diagnostics) -> bool:
    """Read the manifests of the packs named; true if all are there."""
    found = True
    for name, span in wanted:
        if shelf.manifest(name, diagnostics) is not None:
            continue
        found = False
        if name not in shelf.lost:
            message, hint = unknown("pack", name, shelf.places)
            diagnostics.error("RB302", f"{message} of the game `{shelf.game_id}`", span, hint)
    return found


def _closure(shelf: Shelf, names: Iterable[str], diagnostics: Diagnostics) -> dict[str, Manifest]:
    """The packs named and all that they need and use, as far as they are there."""
    found: dict[str, Manifest] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        manifest = shelf.manifest(name, diagnostics)
        if manifest is not None and name not in found:
            found[name] = manifest
            waiting += [need.pack for need in (*manifest.needs(), *manifest.uses())]
    return found


def _main_deck(shelf: Shelf, names: Iterable[str], diagnostics: Diagnostics) -> None:
    """Where some pack of the game can be the main deck, one of those in play has to be."""
    if shelf.lost or not names:
        return

    def is_main(name: str) -> bool:
        manifest = shelf.manifest(name, Diagnostics())
        main = manifest.node.get("main") if manifest is not None else None
        return isinstance(main, Scalar) and main.value is True

    if any(is_main(name) for name in names):
        return
    mains = [name for name in sorted(shelf.places) if is_main(name)]
    if mains:
        listed = ", ".join(f"`{name}`" for name in mains)
        message = f"none of these packs can be the main deck: {', '.join(names)}"
        diagnostics.error("RB317", message, None, f"play with one of {listed} too")


def _load(
    shelf: Shelf, around: Mapping[str, Manifest], playing: Iterable[str], diagnostics: Diagnostics
) -> tuple[PackSource, ...] | None:
    """The packs in dependency order, the same whatever order they were named in. Packs that are needed but not in
    play are reported already and left out; packs that are used bring their cards only. None where one of them takes
    a deck that cannot be used."""
    in_play = set(playing)
    used = {need.pack for name in in_play for need in around[name].uses()}
    while True:
        more = {need.pack for name in used if name in around for need in around[name].uses()} - used
        if not more:
            break
        used |= more
    loaded: list[PackSource] = []
    sound = True
    for name in in_order(around):
        if name in in_play or name in used:
            pack = around[name]
            cards, taken = shelf.cards_of(pack, diagnostics), shelf.decks_of(pack, diagnostics)
            sound = sound and taken is not None
            loaded.append(PackSource(name, pack.path, pack.node, cards, name in in_play, taken or ()))
    return tuple(loaded) if sound else None


def _without_doubles(packs: tuple[PackSource, ...], diagnostics: Diagnostics) -> tuple[PackSource, ...]:
    """A card is defined once in a game. Of two, the first is kept, so that the rest can be checked."""
    seen: dict[str, CardSource] = {}
    kept: list[PackSource] = []
    for pack in packs:
        cards: dict[str, CardSource] = {}
        for card in pack.cards.values():
            if card.id not in seen:
                seen[card.id] = cards[card.id] = card
            elif not (card.deck and seen[card.id].file == card.file):  # one deck, taken by two packs
                _twice(seen[card.id], card, diagnostics)
        kept.append(replace(pack, cards=cards))
    return tuple(kept)


def _twice(first: CardSource, card: CardSource, diagnostics: Diagnostics) -> None:
    message = f"the card `{card.id}` is defined twice: in {first.file} and in {card.file}"
    hint = "define it once, in the pack that brings it; other packs name that pack under `uses`"
    diagnostics.error("RB309", message, _place(card), hint, (("the other one", _place(first)),))


def _place(card: CardSource) -> Span:
    node = card.node.get("id")
    return node.span if node is not None else card.node.span
