"""How an act is announced as Python source: what `kernel.acts.take` does with an action, for one play or move.

The function takes the state, the player, the group of actions and the index there. What is rare goes the plain way
from the beginning. Where nobody is asked for an answer, the program of the act follows in the same function; the act
comes on the stack, and its frame with it, when the first thing happens that could look at them, and often nothing does.
"""

from __future__ import annotations

from typing import Final

from kernel.acts import NO_CARDS
from kernel.cardsets import KindSets
from kernel.core import ActSpec
from kernel.emit_ops import odd
from kernel.holding import FEW
from kernel.model import Zone
from kernel.stretches import Stretch
from kernel.writer import Known, Line, Suite, Writer

PARAMS: Final = "s, _you, group, index, _card=-1"
GIVEN: Final = "_you _card _vars"
PLAINLY: Final = "return take(s, _you, group, index)"


class Announced:
    """Writes the function of a play or move. `whole`: with its program, so far as that goes."""

    def __init__(self, w: Writer, spec: ActSpec, whole: bool) -> None:
        w.pc = -1
        self.w = w
        self.spec = spec
        self.takes = spec.kind >= 0 or spec.cards is not None  # it takes cards
        self.vars = ["None"] * spec.slots
        self.cards = "cards" if spec.cards is not None else "(_card,)" if self.takes else w.bind(NO_CARDS)
        self.zone = self.source()
        self.open = self.laid_open()
        self.target = "target" if spec.at == "response" else "-1"
        whole = whole and spec.at == "turn" and not spec.unsteady
        self.rare(whole)
        self.choices()
        if self.takes:
            self.taken()
        w.put("number = s.act_count + 1")
        w.put("s.act_count = number")
        if not whole:
            if spec.at == "response":
                w.put("target = s.top_act.n if s.top_act is not None else -1")
            w.put(f"act = Act(number, {w.bind(spec)}, _you, {self.cards}, {self.announced()}, {self.target})")
            w.put("act.below = s.top_act")
            w.put("s.top_act = act")
        self.lay()
        w.put(f"s.version += {1 if self.open is None else 2}")
        if whole:
            self.window("asked", self.given())
            self.go_on()
        else:
            self.window("opened", "act, _card")
            self.begin()

    def rare(self, whole: bool) -> None:
        """What is not done here."""
        tests = ["s.telling", "s.coverage is not None"]
        if self.takes:
            self.w.put("sets = group.sets")
            tests += ["group.alias", f"type(sets) is not {self.w.bind(KindSets)}"]
        if whole:
            tests += ["s.top_act is not None", "s.aliases"]
        if self.open is not None and self.w.book.faces_plain:
            tests.append("s.odd")
        self.w.put(f"if {' or '.join(tests)}:", [Line(PLAINLY, -1)])

    def choices(self) -> None:
        """The values of the choices, and the number of the set of cards."""
        w = self.w
        choices = self.spec.choices
        which = "index"
        if len(choices) == 1:
            w.put("values = group.options[0]")
            w.put("count = len(values)")
            w.put("value = values[index % count]")
            self.vars[choices[0].slot] = "value"
            which = "index // count"
        elif choices:
            w.put("args = group.args(index)")
            for at, choice in enumerate(choices):
                self.vars[choice.slot] = f"args[{at}]"
            which = "group.split(index)[0]"
        self.which = which

    def source(self) -> Zone | None:
        """The zone that the cards come from, if it is always the same."""
        zones = self.w.book.zones
        if self.spec.cards is not None:
            return zones[self.spec.cards.zone]
        return zones[self.spec.froms[0]] if self.takes and len(self.spec.froms) == 1 else None

    def laid_open(self) -> Zone | None:
        """The zone that announced cards are laid in, where all see it and they come from one other zone."""
        if self.spec.lay_zone < 0 or self.zone is None:
            return None
        target = self.w.book.zones[self.spec.lay_zone]
        return target if target.see == "all" and target is not self.zone else None

    def taken(self) -> None:
        """Which cards are played, and the list `zone` that they lie in, with the number `at`, where that is known."""
        w = self.w
        spec = self.spec
        if self.zone is not None:
            w.put(f"at = _base[{self.zone.index}]{' + _you' if self.zone.per_player else ''}")
            w.put("zone = _zones[at]")
        if spec.cards is not None:
            w.put(f"cards = sets.take(s, _you, {self.which})")
            self.vars[0] = "cards"
        elif self.zone is None:
            w.put(f"_card = sets.take(s, _you, {self.which})[0]")
        else:
            w.put("_card = zone[list(map(s.deal.kind_at, zone)).index(sets.lone)]")
        if spec.lay_zone >= 0:
            w.put(f"to = _base[{spec.lay_zone}]{' + _you' if spec.lay_own else ''}")
        if self.open is not None and not w.book.faces_plain:
            long = f"not bare(s, {self.cards}, to)" if spec.cards is not None else odd(w, "_card", "to")
            w.put(f"if {long}:", [Line(PLAINLY, -1)])

    def announced(self) -> str:
        """The variables of the act."""
        return self.listed(self.vars)

    def listed(self, parts: list[str]) -> str:
        """A list of these; what many variables hold nothing yet is not written out."""
        count = len(parts)
        while count and parts[count - 1] == "None":
            count -= 1
        rest = len(parts) - count
        if rest > 2:
            parts = [*parts[:count], f"*{self.w.bind((None,) * rest)}"]
        return f"[{', '.join(parts)}]"

    def given(self) -> str:
        """The act, as functions that make it are given it."""
        return f"{self.w.bind(self.spec)}, _you, _card, {self.cards}, number, {self.announced()}"

    def lay(self) -> None:
        """Lay or show the cards, if announcing them begins so."""
        w = self.w
        spec = self.spec
        if not self.takes:
            return
        if spec.lay_zone < 0:
            if spec.lay_shown:
                w.put(f"show(s, {self.cards}, (1 << _players) - 1, _you)")
        elif self.open is None or self.zone is None:
            w.put(f"relocate(s, {self.cards}, to, 0, {spec.lay_bottom}, False, 0, 0, _you)")
        else:
            w.put("saw = s.seats.everybody")
            if spec.cards is None:
                self.in_open("_card", self.zone, self.open)
            else:
                suite, w.suite = w.suite, []
                self.in_open("card", self.zone, self.open)
                moved, w.suite = w.suite, suite
                w.put("for card in cards:", moved)

    def in_open(self, card: str, zone: Zone, target: Zone) -> None:
        """One card comes to where all see it, as `relocate_one` does it."""
        w = self.w
        hidden = "saw & ~(1 << _you)" if zone.see == "owner" and zone.per_player else "saw"
        w.put(f"zone.remove({card})")
        w.put(f"_zones[to].append({card})" if self.spec.lay_bottom else f"_zones[to].insert(0, {card})")
        w.put(f"_where[{card}] = to")
        moved = w.book.posts.moved(zone.index, target.index)
        if moved and (self.spec.kind < 0 or self.spec.kind in moved):
            heeded: Suite = [Line(f"heed(s, _kinds[{card}])", w.pc)]
            w.put(f"if _kinds[{card}] in {w.bind(moved)}:", heeded)
        if zone.see != "all":
            w.put("noted = s.noted[at]")
            lost: Suite = [Line(f"lose_one(s, at, {card}, noted)", w.pc)]
            some: Suite = [Line(f"noted &= {hidden} & ~s.known[{card}]", w.pc), Line("if noted:", w.pc, lost)]
            w.put("if noted:", some)
        w.put(f"s.known[{card}] = saw")
        if target.order or zone.order:
            w.put(f"s.placed[{card}] = {'saw' if target.order else '0'}")

    def window(self, ask: str, given: str) -> None:
        """Ask who may answer; then the act does not begin here."""
        w = self.w
        if not self.spec.answerable:
            return
        plan = self.spec.plan
        asked: Suite = [Line(f"if {ask}(s, {given}):", w.pc, [Line("return", w.pc)])]
        if ask == "asked":
            asked = [Line(f"return asked(s, {given})", w.pc)]
        if plan.moves:
            w.suite.extend(asked)
            return
        w.put(f"able = s.deal.able.get({plan.number}) or s.deal.holders({plan.number}, {w.bind(plan.kinds)})")
        held = f"not {w.bind(w.book.answered_from)}[_players].isdisjoint(able[1](_where))"
        w.put(f"if not s.settled or len(able[0]) > {FEW} or {held}:", asked)

    def begin(self) -> None:
        """The act begins; the machine's loop goes on with its program."""
        w = self.w
        if self.spec.unsteady:
            w.put("return steady(s, act, _card)")
            return
        w.put("act.stage = 1")
        w.put(f"f = Frame({w.bind(self.spec.program)}, act.vars[:], _you, _card, number, None)")
        if self.target != "-1":
            w.put("f.target = target")
        w.put("_frames.append(f)")

    def go_on(self) -> None:
        """The program follows here, with its variables in locals."""
        w = self.w
        program = self.spec.program
        assert program is not None
        known = w.known
        known.spared = True
        known.players.add("_you")
        for slot, text in enumerate(self.vars):
            if text == "None":
                known.slots[slot] = True
                known.values[slot] = None
            else:
                w.set_slot(slot, text)
        for slot in range(self.spec.slots, program.slots):
            known.slots[slot] = True
            known.values[slot] = None
        w.standing = self.stood
        Stretch(w, program, 0)

    def stood(self, known: Known) -> list[str]:
        """How the act and its frame come on their stacks when they are needed."""
        w = self.w
        vars = [w.literal(known.values[n]) if n in known.values else f"v{n}" for n in range(len(known.slots))]
        return [f"f = stood(s, {self.given()}, {self.listed(vars)})", "_vars = f.vars"]
