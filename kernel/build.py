"""From the compiled form to a rulebook: every table that play needs, made once."""

from __future__ import annotations

from typing import Any, Final

from kernel.analysis import attributed, by_place, in_own_zone, mentions, required, speaks_of
from kernel.core import ActSpec, CardSpec, Choice, Expr, Program
from kernel.errors import RestoreError
from kernel.lower import Lowering, Names, bad
from kernel.model import Ability, Answer, Attribute, Ban, Kind, Question, Verb, Zone
from kernel.placement import is_local

FORMAT: Final = 1
NEVER: Final = ["k", False]
TYPE_START: Final[dict[str, Any]] = {"number": 0, "flag": False, "word": ""}


def laid(program: Any) -> tuple[str, bool] | None:
    """Where a program lays the cards announced (the zone's name, and whether beneath), if it does that first."""
    ops = program["ops"] if program else []
    if not ops or ops[0][:2] != ["do", "move"]:
        return None
    labels = ops[0][2]
    zone, at = labels.get("to"), labels.get("at") or ["k", 0]
    if set(labels) - {"", "to", "at"} or labels.get("") != ["v", 0] or at not in (["k", 0], ["k", "bottom"]):
        return None
    return (str(zone[1]), at[1] == "bottom") if zone[0] == "zone" and zone[2] in (None, ["you"]) else None


def shown(program: Any) -> bool:
    """Whether a program begins with showing the cards announced to everybody."""
    ops = program["ops"] if program else []
    return bool(ops) and ops[0] == ["do", "show", {"": ["v", 0], "to": ["players"]}]


class Builder:
    """Reads the compiled form once and keeps the parts that `Rulebook` takes over."""

    def __init__(self, data: Any) -> None:
        self.data = data
        self.names = Names()
        self.lower = Lowering(self.names)
        self.programs: list[Program] = []
        self.specs: list[ActSpec] = []
        self.abilities: list[Ability] = []
        self.zones: list[Zone] = []
        self.kinds: list[Kind] = []
        self.verbs: list[Verb] = []
        self.questions: list[Question] = []
        self.bans: list[Ban] = []
        self.turn_moves: list[ActSpec] = []
        self.answer_moves: list[ActSpec] = []
        self.kernel_heard: dict[str, tuple[Ability, ...]] = {}
        self.raw_specs: dict[int, Any] = {}  # plays and moves in the compiled form, by the index of their spec

    def build(self) -> None:
        """Do all of it; RestoreError names what is broken."""
        data = self.data
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            found = data.get("format") if isinstance(data, dict) else None
            raise RestoreError(f"this is no compiled game of format {FORMAT} (found {found})", "format")
        try:
            self.declare()
            self.define()
        except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
            raise RestoreError(f"the compiled form is broken: {type(error).__name__} {error}", "book") from None

    def declare(self) -> None:
        """Names first, so that everything can speak of everything."""
        data, names = self.data, self.names
        for i, z in enumerate(data["zones"]):
            if z["see"] not in ("none", "owner", "all"):
                raise bad("who sees a zone", z)
            zone = Zone(
                i,
                z["name"],
                z["see"],
                bool(z.get("per_player")),
                bool(z.get("order")),
                bool(z.get("marks")),
                bool(z.get("start")),
            )
            self.zones.append(zone)
            names.zones[zone.name] = zone
        attributes = data.get("attributes") or {}
        for where, table in (
            ("game", names.game_attributes),
            ("player", names.player_attributes),
            ("card", names.card_attributes),
        ):
            for i, a in enumerate(attributes.get(where) or []):
                start = a.get("start", TYPE_START.get(a["type"]))
                start = tuple(start) if isinstance(start, list) else start
                table[a["name"]] = Attribute(i, a["name"], a["type"], start, a.get("see", "none"))
        tagged: dict[str, set[int]] = {}
        for i, k in enumerate(data["kinds"]):
            kind = Kind(
                i, k["id"], k["title"], k.get("text", ""), k.get("pack", ""), k.get("file", ""), bool(k.get("mark"))
            )
            kind.tags = frozenset(k.get("tags") or ())
            kind.fields = dict(k.get("fields") or {})
            for tag in kind.tags:
                tagged.setdefault(tag, set()).add(i)
            self.kinds.append(kind)
            names.kinds[kind.id] = kind
        names.tagged = {tag: frozenset(members) for tag, members in tagged.items()}
        dealt = {row[0] for row in data["deck"] if row[1] > 0}
        names.deck_kinds = tuple([k.id for k in self.kinds if not k.mark and (k.id in dealt or not dealt)])
        for i, v in enumerate(data["verbs"]):
            params = tuple([(str(p[0]), str(p[1]), bool(p[2])) for p in v["params"]])
            verb = Verb(i, v["name"], params, v.get("about") or "")
            self.verbs.append(verb)
            names.verbs[verb.name] = verb
        for i, q in enumerate(data["questions"]):
            question = Question(
                i, q["name"], tuple([(str(p[0]), str(p[1])) for p in q["params"]]), q["type"], q["join"]
            )
            question.base = bool(q.get("base", True))
            question.slots = self.lower.slot(q["slots"])
            self.questions.append(question)
            names.questions[question.name] = question

    def program(self, x: Any, owner: str) -> Program:
        """Lower a program and give it a number."""
        p = self.lower.program(x, len(self.programs), owner)
        self.programs.append(p)
        return p

    def define(self) -> None:
        """Bodies."""
        data = self.data
        for q, raw in zip(self.questions, data["questions"], strict=True):
            q.default = self.lower.expr(raw["default"])
        for verb, raw in zip(self.verbs, data["verbs"], strict=True):
            verb.program = self.program(raw["program"], verb.name)
            if raw.get("window"):
                spec = self.spec(verb.name, verb.name, "verb", -1, raw)
                spec.slots = verb.program.slots
                spec.program = verb.program
                verb.program.finishes = True
                spec.by_param = -1 if raw.get("by") is None else int(raw["by"])
                spec.card_param = -1 if raw.get("card") is None else int(raw["card"])
                spec.params = {p[0]: i for i, p in enumerate(verb.params)}
                spec.named = tuple(
                    [(p[0], i) for i, p in enumerate(verb.params) if p[1] == "player" and i != spec.by_param]
                )
                spec.respond_on_timeout = raw.get("timeout") == "respond"
                verb.spec = spec
        for raw in data["moves"]:
            spec = self.move(raw)
            if raw.get("if") == NEVER or raw.get("to") == NEVER:
                continue  # known by name, but not in this book
            (self.turn_moves if spec.at == "turn" else self.answer_moves).append(spec)
        for kind, raw in zip(self.kinds, data["kinds"], strict=True):
            self.kind(kind, raw)
        self.listeners()
        self.lay()
        self.ban()

    def lay(self) -> None:
        """Which plays and moves lay or show their cards before anything else when they are announced."""
        common = self.data.get("play_announce")
        for index, raw in self.raw_specs.items():
            spec = self.specs[index]
            program = raw.get("announce") or common
            if not program or (spec.kind < 0 and spec.cards is None):
                continue
            place = laid(program) if not self.kernel_heard.get("move") else None
            if place is not None:
                spec.lay_zone = self.names.zones[place[0]].index
                spec.lay_bottom = place[1]
            spec.lay_shown = shown(program)
            spec.lay_more = len(program["ops"]) > 1

    def spec(self, name: str, text: str, at: str, kind: int, raw: dict[str, Any]) -> ActSpec:
        """A numbered act spec with its tags."""
        spec = ActSpec(len(self.specs), name, text, at, kind)
        spec.tags = frozenset(raw.get("tags") or ())
        self.specs.append(spec)
        return spec

    def choices(self, spec: ActSpec, raw: list[Any]) -> None:
        """The choices of a play or move."""
        found = []
        for c in raw or []:
            uses = tuple([int(u) for u in c.get("uses") or ()])
            choice = Choice(
                c["name"],
                self.lower.slot(c["slot"]),
                self.lower.expr(c["set"]),
                c["type"],
                bool(c.get("or")),
                c.get("ask") or "",
                uses,
            )
            found.append(choice)
            spec.params[choice.name] = choice.slot
            if any(u >= 0 for u in uses):
                spec.dependent = True
        spec.choices = tuple(found)

    def body(self, spec: ActSpec, raw: dict[str, Any], owner: str) -> None:
        """Conditions, choices and program of a play or move."""
        spec.slots = self.lower.slot(raw["slots"])
        self.raw_specs[spec.index] = raw
        spec.to = self.lower.optional(raw.get("to"))
        spec.condition = self.lower.optional(raw.get("if"))
        self.choices(spec, raw.get("choose") or [])
        spec.program = self.program(raw["program"], owner)
        spec.program.finishes = True
        spec.slots = max(spec.slots, spec.program.slots)
        spec.file = spec.program.file

    def move(self, raw: dict[str, Any]) -> ActSpec:
        """A move of the game file."""
        spec = self.spec(raw["name"], raw.get("text") or raw["name"], raw.get("at") or "turn", -1, raw)
        self.body(spec, raw, raw["name"])
        spec.default = bool(raw.get("default"))
        spec.window = bool(raw.get("window", True))
        if raw.get("announce"):
            spec.announce = self.program(raw["announce"], raw["name"])
        cards = raw.get("cards")
        if cards:
            c = CardSpec(self.names.zones[cards["from"]].index, int(cards["min"]), int(cards["max"]))
            if not 1 <= c.least <= c.most <= 1000:
                raise bad("how many cards a move takes", cards)
            if cards.get("where"):
                c.where_slot, c.where = self.lower.slot(cards["where"][0]), self.lower.expr(cards["where"][1])
            for key in ("alike", "unlike"):
                if cards.get(key):
                    c.key_slot = self.lower.slot(cards[key][0])
                    setattr(c, key, self.lower.expr(cards[key][1]))
            c.condition = self.lower.optional(cards.get("if"))
            spec.cards = c
            spec.params["cards"] = 0
        return spec

    def zone_set(self, names: list[str] | None) -> frozenset[int] | None:
        """Zone definitions by name; None stays None (a mark)."""
        return None if names is None else frozenset([self.names.zones[n].index for n in names])

    def kind(self, kind: Kind, raw: dict[str, Any]) -> None:
        """What a kind of card can do."""
        plays = []
        for p in raw.get("plays") or []:
            spec = self.spec("play", "play", p["at"], kind.index, p)
            spec.tags = frozenset(p.get("tags") or ()) | kind.tags
            spec.froms = tuple([self.names.zones[z].index for z in p["from"]])
            self.body(spec, p, kind.id)
            spec.line = int(p.get("line") or 0)
            plays.append(spec)
        kind.plays = tuple(plays)
        kind.turn_plays = tuple([p for p in plays if p.at == "turn"])
        kind.answer_plays = tuple([p for p in plays if p.at != "turn"])
        abilities = []
        for how in ("before", "instead", "when"):
            for a in raw.get(how) or []:
                zones = self.zone_set(a.get("in"))
                program = self.program(a["program"], kind.id)
                program.slots = max(program.slots, self.lower.slot(a["slots"]))
                ability = Ability(
                    len(self.abilities), kind.index, a["event"], zones, self.lower.optional(a.get("if")), program
                )
                carried = attributed(a.get("if"))
                if carried and not kind.mark and not self.names.card_attributes[carried].start:
                    ability.attribute = self.names.card_attributes[carried].index
                self.abilities.append(ability)
                abilities.append(ability)
                self.listen(how, ability)
        kind.abilities = tuple(abilities)
        for a in raw.get("while") or []:
            q = self.names.questions[a["question"]]
            answer = Answer(
                kind.index,
                self.zone_set(a.get("in")),
                self.lower.optional(a.get("if")),
                self.lower.expr(a["with"]),
                max(self.lower.slot(a["slots"]), len(q.params)),
                kind.mark,
            )
            answer.same = required(a.get("if"), "self")
            answer.same_you = required(a.get("if"), "you")
            answer.by_place = by_place(a.get("if"), 0) and by_place(a["with"], 0)
            carried = attributed(a.get("if"))
            if carried and not kind.mark and not self.names.card_attributes[carried].start:
                answer.attribute = self.names.card_attributes[carried].index
            own = in_own_zone(a.get("if"))
            if own and self.names.zones[own].per_player:
                answer.own_zone = self.names.zones[own].index
            answer.one_viewer = speaks_of(a.get("if"), 1) or speaks_of(a["with"], 1)
            q.answers = (*q.answers, answer)
        borrowed = raw.get("plays_as")
        if borrowed:
            kind.plays_as_slots = self.lower.slot(borrowed["slots"])
            kind.plays_as = self.lower.expr(borrowed["from"])
            kind.plays_as_if = self.lower.optional(borrowed.get("if"))
            kind.plays_as_ask = bool(borrowed.get("ask"))

    def listen(self, how: str, ability: Ability) -> None:
        """Enter an ability with the verb that it listens to."""
        verb = self.names.verbs.get(ability.event)
        if verb is None:
            if how != "when":
                raise bad("only `when` listens to events of the kernel", ability.event)
            self.kernel_heard[ability.event] = (*self.kernel_heard.get(ability.event, ()), ability)
            return
        if how == "before":
            verb.before = (*verb.before, ability)
        elif how == "instead":
            verb.instead = (*verb.instead, ability)
        else:
            verb.when = (*verb.when, ability)

    def listeners(self) -> None:
        """Which verbs anything listens to."""
        for verb in self.verbs:
            verb.heard = bool(verb.before or verb.instead or verb.when)

    def ban(self) -> None:
        """What can never be; kinds that are not in this book are passed over."""
        for raw in self.data.get("never") or []:
            kind = self.names.kinds.get(raw["kind"])
            if kind is None:
                continue
            unless = raw.get("unless")
            found: set[str] = set()
            if unless:
                mentions(unless["expr"], found)
            guards = frozenset(
                [k.index for k in self.kinds if k.id in found or k.title in found or not k.tags.isdisjoint(found)]
            )
            slots = self.lower.slot(unless["slots"]) if unless else 0
            test: Expr | None = self.lower.expr(unless["expr"]) if unless else None
            zone = self.names.zones[raw["in"]]
            local = not unless or is_local(unless["expr"], zone.name, not zone.per_player)
            self.bans.append(Ban(kind.index, zone.index, test, slots, guards, local))
