"""Fills the world of a book from its files: what is declared in the game file, and what the cards are."""

from __future__ import annotations

import re
from typing import Any

from rulebook.decks import cards_of_decks
from rulebook.diagnostics import Diagnostics, Span, did_you_mean
from rulebook.lang.functions import FUNCTIONS
from rulebook.lang.reading import entries, flag, scalar, scalars, text
from rulebook.lang.types import ERROR, FLAG, NUMBER, WORD, Type, parse_type, type_names
from rulebook.lang.unit import a
from rulebook.lang.verbs import KERNEL_VERBS
from rulebook.lang.world import KERNEL_QUESTIONS, NAMES, KindInfo, Question, Setting, Verb, World
from rulebook.packs import GameSource, map_of, value_of
from rulebook.yamlread import Map, Node, Scalar, Seq, to_data

_CARD_NAMES = ("id", "title", "variant", "owner")
_STATEMENTS = ("let", "set", "pick", "if", "for", "while", "stop", "proceed", "elif", "else")


def declare(source: GameSource, diagnostics: Diagnostics) -> World:
    """The world of a game with its packs; faults of the declarations are reported."""
    return _Declarations(source, diagnostics).world


class _Declarations:
    def __init__(self, source: GameSource, diagnostics: Diagnostics) -> None:
        self.source = source
        self.diagnostics = diagnostics
        self.world = World()
        self.game = source.game
        self._zones()
        self._attributes()
        self.world.tags = {name for name, _, _ in entries(self.game, "tags")}
        self._settings()
        self._questions()
        self._verbs()
        self._absent()
        self._kinds()
        self._listed_kinds()

    def error(self, code: str, message: str, at: Span, hint: str = "") -> None:
        self.diagnostics.error(code, message, at, hint)

    def _listed_kinds(self) -> None:
        """The kinds that options list must be cards of the book."""
        for name, setting in self.world.options.items():
            if setting.type.base != "kind" or not isinstance(setting.value, tuple):
                continue
            cards = [id for id, kind in self.world.kinds.items() if not kind.mark]
            option = map_of(self.game, "options")[name]
            default = option.get("default") if isinstance(option, Map) else None
            at = default.span if default is not None and value_of(default) == setting.value else None
            for id in setting.value:
                if id not in cards:
                    message = f'the option `{name}` lists "{id}", which is no card of the packs in play'
                    self.diagnostics.error("RB416", message, at, did_you_mean(str(id), cards))

    # Declarations of the game file

    def _free(self, name: str, key: Scalar, what: str) -> bool:
        """Whether a name can be given to a zone or an attribute of the game."""
        taken = ""
        if name in NAMES:
            taken = "a name of the language"
        elif name in self.world.zones:
            taken = "a zone"
        if taken:
            self.error("RB431", f"`{name}` is already {taken}", key.span, f"take another name for the {what}")
        return not taken

    def _zones(self) -> None:
        starts: list[str] = []
        marks: list[str] = []
        for name, key, node in entries(self.game, "zones"):
            if not isinstance(node, Map) or not self._free(name, key, "zone"):
                continue
            per_player = text(node, "per") == "player"
            self.world.zones[name] = per_player
            if flag(node, "start"):
                starts.append(name)
                if len(starts) > 1 or per_player:
                    self.error("RB455", "the decks begin in one zone, shared by all", key.span, f"it is `{starts[0]}`")
            if flag(node, "marks"):
                marks.append(name)
                if len(marks) > 1 or not per_player:
                    hint = "declare it with `per: player`" if not per_player else f"it is `{marks[0]}`"
                    self.error("RB455", "marks on players lie in one zone of each player", key.span, hint)

    def type_of(self, node: Node | None) -> Type:
        """A type that is written somewhere."""
        if isinstance(node, Map):
            node = node.get("type")
        if not isinstance(node, Scalar):
            return ERROR
        found = parse_type(node.text)
        if found is None:
            hint = did_you_mean(node.text.removeprefix("maybe").strip(), type_names())
            if not hint:
                hint = "types are " + ", ".join(type_names())
            self.error("RB419", f"there is no type `{node.text}`", node.span, hint)
            return ERROR
        return found

    def _attributes(self) -> None:
        node = self.game.get("attributes")
        attributes = node if isinstance(node, Map) else None
        for name, key, value in entries(attributes, "game"):
            type = self._state_type(value)
            if self._free(name, key, "attribute"):
                self.world.game_attributes[name] = type
            self._start(value, type)
        for name, key, value in entries(attributes, "player"):
            type = self._state_type(value)
            self._start(value, type)
            if name in self.world.zones:
                self.error("RB431", f"`{name}` is already a zone", key.span, "take another name for the attribute")
                continue
            self.world.player_attributes[name] = type
        for name, key, value in entries(attributes, "card"):
            type = self._state_type(value)
            if name in _CARD_NAMES:
                self.error("RB431", f"every card has a `{name}` already", key.span, "take another name")
                continue
            unset = type.base not in ("number", "flag", "word") or type.many
            self.world.card_attributes[name] = type.unsure if unset else type
        for name, key, value in entries(self.game, "fields"):
            type = self.type_of(value)
            if type.base not in ("number", "flag", "word", "kind", "error") or type.maybe:
                self.error(
                    "RB419", f"a field cannot be a {type}", value.span, "fields are number, flag, word, kind or lists"
                )
                type = ERROR
            if name in _CARD_NAMES or name in self.world.card_attributes:
                self.error("RB431", f"every card has a `{name}` already", key.span, "take another name")
                continue
            self.world.fields[name] = type
        self._fields_of_decks()

    def _fields_of_decks(self) -> None:
        """What the deck files in use say of their cards: the game need not declare it again."""
        for use in (use for pack in self.source.packs for use in pack.decks):
            for name, node in use.deck.fields.items():
                type = self.type_of(node)
                before = self.world.fields.get(name, type)
                if name in _CARD_NAMES or name in self.world.card_attributes:
                    self.error("RB431", f"every card has a `{name}` already", node.span, "take another name")
                elif before != type and not before.wrong:
                    own = self.game.get("fields")
                    at = own.keys[name].span if isinstance(own, Map) and name in own.keys else node.span
                    message = f"the field `{name}` is a {before} here and a {type} in the deck `{use.deck.id}`"
                    self.error("RB336", message, at, "leave it out here: decks declare their fields themselves")
                    self.world.fields[name] = ERROR
                else:
                    self.world.fields[name] = type

    def _state_type(self, node: Node) -> Type:
        type = self.type_of(node)
        if type.base in ("zone", "act", "group"):
            self.error("RB419", f"an attribute cannot be a {type}", node.span, "its values must outlive what happens")
            return ERROR
        return type

    def _start(self, node: Node, type: Type) -> None:
        start = scalar(node, "start") if isinstance(node, Map) else None
        if start is None or type.wrong:
            return
        if start_value(start, type) is _MISFIT:
            hint = f"write `type: maybe {type}` for one that may be none" if start.text == "none" else ""
            self.error("RB420", f"the start of a {type} cannot be `{start.text}`", start.span, hint)

    def _settings(self) -> None:
        types = {"number": NUMBER, "flag": FLAG, "word": WORD}
        for name, _, node in entries(self.game, "options"):
            if isinstance(node, Map) and name in self.source.options:
                values = tuple(item.value for item in scalars(node, "values") if item.value is not None)
                type = parse_type(text(node, "type")) or WORD
                if type.base == "word" and values:
                    type = Type("word", many=type.many, domain=f"option:{name}")
                self.world.options[name] = Setting(self.source.options[name], type, values)
        for name, _, node in entries(self.game, "facts"):
            if isinstance(node, Map) and name in self.source.facts:
                self.world.facts[name] = Setting(self.source.facts[name], types.get(text(node, "type"), WORD))

    def params(self, node: Map, key: str) -> dict[str, Type]:
        """The parameters of a verb or a question."""
        found: dict[str, Type] = {}
        for name, own, value in entries(node, key):
            type = self.type_of(value)
            if name in NAMES or name in self.world.zones or name in self.world.game_attributes:
                what = (
                    "a name of the language"
                    if name in NAMES
                    else "a zone"
                    if name in self.world.zones
                    else "an attribute"
                )
                self.error("RB431", f"`{name}` is already {what}", own.span, "take another name for the parameter")
                type = ERROR
            found[name] = type
        return found

    def _questions(self) -> None:
        for name, key, node in entries(self.game, "questions"):
            if not isinstance(node, Map):
                continue
            if name in FUNCTIONS or name in KERNEL_QUESTIONS:
                what = "a function of the language" if name in FUNCTIONS else "a question of the kernel"
                self.error("RB431", f"`{name}` is already {what}", key.span, "take another name for the question")
                continue
            type = self.type_of(node.get("answer"))
            if type.base in ("zone", "act"):
                answer = scalar(node, "answer")
                hint = "ask for its cards, a word, a player or a number instead"
                self.error("RB419", f"an answer cannot be {a(type)}", answer.span if answer else key.span, hint)
                type = ERROR
            self.world.questions[name] = Question(name, self.params(node, "about"), type)

    def _verbs(self) -> None:
        for name, key, node in entries(self.game, "verbs"):
            if not isinstance(node, Map):
                continue
            if name in KERNEL_VERBS or name in _STATEMENTS or name in ("act_done", "leave"):
                what = "a verb of the kernel" if name in KERNEL_VERBS else "a word of the language"
                self.error("RB431", f"`{name}` is already {what}", key.span, "take another name for the verb")
                continue
            self.world.verbs[name] = Verb(name, self.params(node, "needs"), flag(node, "window"))

    # Cards

    def _absent(self) -> None:
        """Kinds in packs of this game that are not loaded.

        Their names are known, so that no one takes them for mistakes.
        """
        loaded = {pack.path.resolve() for pack in self.source.packs}
        try:
            folders = sorted(path for path in self.source.root.iterdir() if (path / "pack.yaml").is_file())
        except OSError:
            folders = []
        for folder in folders:
            if folder.resolve() in loaded:
                continue
            self.world.whole = False
            self.world.absent.update(
                path.stem
                for path in folder.glob("*.yaml")
                if path.name != "pack.yaml" and re.match(r"[a-z]", path.stem)
            )
            self.world.absent.update(cards_of_decks(self.source.root, folder))

    def _kinds(self) -> None:
        world = self.world
        for pack in self.source.packs:
            for card in pack.cards.values():
                tags = list(scalars(card.node, "tags"))
                for tag in tags:
                    if tag.text not in world.tags:
                        hint = did_you_mean(tag.text, world.tags) or "tags are declared in the game file, under `tags:`"
                        self.error("RB415", f"there is no tag `{tag.text}`", tag.span, hint)
                title = text(card.node, "mark" if card.is_mark else "card")
                info = KindInfo(title, card.is_mark, frozenset(tag.text for tag in tags), self._fields(card.node))
                if card.id in world.kinds:
                    self.error(
                        "RB454", f"there are two cards `{card.id}`", card.node.span, "ids are used once in a game"
                    )
                world.kinds[card.id] = info
        if self.source.left_out:
            world.whole = False
            world.absent |= self.source.left_out
        world.absent -= set(world.kinds)
        for pack in self.source.packs:
            for _, _, copies in entries(pack.manifest, "deck"):
                if isinstance(copies, Map):
                    world.variants.update(copies.entries)
            for use in pack.decks:
                world.variants.update(variant for _, variant in use.counts if variant)

    def _fields(self, node: Map) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, key, value in entries(node, "fields"):
            if name not in self.world.fields:
                hint = did_you_mean(name, self.world.fields) or "fields are declared in the game file, under `fields:`"
                self.error("RB411", f"there is no field `{name}`", key.span, hint)
                continue
            data = to_data(value)
            type = self.world.fields[name]
            if type.wrong:
                continue
            if not _of_type(data, type, isinstance(value, Seq)):
                self.error("RB420", f"the field `{name}` must be a {type}", value.span)
                continue
            found[name] = data
        return found


_MISFIT = object()


def start_value(node: Scalar, type: Type) -> Any:
    """The value that an attribute begins with; a mark of its own if it cannot be."""
    if type.maybe and node.text == "none":
        return None
    value = node.value
    if type.many:
        return _MISFIT
    fits = {"number": int, "player": int, "flag": bool, "word": str, "kind": str}.get(type.base)
    if fits is None or not isinstance(value, fits) or (fits is int and isinstance(value, bool)):
        return _MISFIT
    return value


def _of_type(data: Any, type: Type, is_list: bool) -> bool:
    if type.many != is_list:
        return False
    if is_list:
        return all(_of_type(item, type.member, False) for item in data)
    if type.base == "number":
        return isinstance(data, int) and not isinstance(data, bool)
    return isinstance(data, bool) if type.base == "flag" else isinstance(data, str)
