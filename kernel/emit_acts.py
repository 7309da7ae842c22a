"""How an act is announced as Python source: what `kernel.acts.take` does with an action, for one play or move.

The function takes the state, the player, the group of actions and the index there. What is rare goes the plain way
from the beginning.
"""

from __future__ import annotations

from typing import Final

from kernel.acts import NO_CARDS
from kernel.cardsets import KindSets
from kernel.core import ActSpec
from kernel.model import Zone
from kernel.quick import FEW
from kernel.writer import Line, Suite, Writer

PARAMS: Final = "s, player, group, index"
FEW_SLOTS: Final = 6  # of an act whose variables are written down twice, for the act and for its frame


def launch(w: Writer, spec: ActSpec) -> str:
    """Writes the body of the function; its parameters."""
    w.frame = False
    takes = spec.kind >= 0 or spec.cards is not None
    rare = ["s.telling", "s.coverage is not None"]
    if takes:
        w.put("sets = group.sets")
        rare += ["group.alias", f"type(sets) is not {w.bind(KindSets)}"]
    w.put(f"if {' or '.join(rare)}:", [Line("return take(s, player, group, index)", 0)])
    vars = ["None"] * spec.slots
    choices(w, spec, vars, takes)
    card = "-1"
    if takes:
        taken(w, spec)
        if spec.cards is not None:
            vars[0] = "cards"
        else:
            card = "card"
    w.put("number = s.act_count + 1")
    w.put("s.act_count = number")
    target = "-1"
    if spec.at == "response":
        w.put("target = s.acts[-1].n if s.acts else -1")
        target = "target"
    cards = "(card,)" if card == "card" else "cards" if takes else w.bind(NO_CARDS)
    written = ", ".join(vars) if spec.slots <= FEW_SLOTS else ""
    if not written and spec.slots:
        w.put(f"vars = [{', '.join(vars)}]")
    w.put(
        f"act = Act(number, {w.bind(spec)}, player, {cards}, {f'[{written}]' if written or not spec.slots else 'vars'},"
        f" {target})"
    )
    w.put("s.acts.append(act)")
    if takes:
        lay(w, spec, cards)
    w.put("s.version += 1")
    window(w, spec, card)
    if spec.unsteady:
        w.put(f"return steady(s, act, {card})")
        return PARAMS
    w.put("act.stage = 1")
    own = "act.vars[:]" if spec.slots > FEW_SLOTS or spec.unsteady else f"[{written}]"
    w.put(f"f = Frame({w.bind(spec.program)}, {own}, player, {card}, number, None)")
    if target != "-1":
        w.put("f.target = target")
    w.put("_frames.append(f)")
    return PARAMS


def choices(w: Writer, spec: ActSpec, vars: list[str], takes: bool) -> None:
    """The values of the choices, and the number of the set of cards."""
    if len(spec.choices) == 1:
        w.put("values = group.options[0]")
        w.put("count = len(values)")
        w.put("value = values[index % count]")
        if takes:
            w.put("index //= count")
        vars[spec.choices[0].slot] = "value"
    elif spec.choices:
        w.put("args = group.args(index)")
        if takes:
            w.put("index = group.split(index)[0]")
        for at, choice in enumerate(spec.choices):
            vars[choice.slot] = f"args[{at}]"


def source(w: Writer, spec: ActSpec) -> Zone | None:
    """The zone that the cards come from, if it is always the same."""
    if spec.cards is not None:
        return w.book.zones[spec.cards.zone]
    return w.book.zones[spec.froms[0]] if len(spec.froms) == 1 else None


def taken(w: Writer, spec: ActSpec) -> None:
    """Which cards are played, and the list `zone` that they lie in, with the number `at`, where that is known."""
    zone = source(w, spec)
    if zone is not None:
        w.put(f"at = _base[{zone.index}]{' + player' if zone.per_player else ''}")
        w.put("zone = _zones[at]")
    if spec.cards is not None:
        w.put("cards = sets.take(s, player, index)")
    elif zone is None:
        w.put("card = sets.take(s, player, index)[0]")
    else:
        w.put("card = zone[list(map(s.deal.kind_at, zone)).index(sets.lone)]")


def lay(w: Writer, spec: ActSpec, cards: str) -> None:
    """Lay or show the cards, if announcing them begins so."""
    book = w.book
    if spec.lay_zone < 0:
        if spec.lay_shown:
            w.put(f"show(s, {cards}, (1 << _players) - 1, player)")
        return
    w.put(f"to = _base[{spec.lay_zone}]{' + player' if spec.lay_own else ''}")
    plainly: Suite = [Line(f"relocate(s, {cards}, to, 0, {spec.lay_bottom}, False, 0, 0, player)", w.pc)]
    zone = source(w, spec)
    target = book.zones[spec.lay_zone]
    if zone is None or target.see != "all" or zone.index == target.index:
        w.suite.extend(plainly)
        return
    rare = "s.aliases or s.card_marks or s.card_attrs" if book.faces_plain else f"not bare(s, {cards}, to)"
    w.put(f"if {rare}:", plainly)
    suite, w.suite = w.suite, []
    w.put("saw = s.seats.everybody")
    one = len(spec.froms) == 1 and spec.cards is None
    after = w.suite
    w.suite = []
    in_open(w, spec, zone, target)
    moved, w.suite = w.suite, after
    if one:
        w.suite.extend(moved)
    else:
        w.put(f"for card in {cards}:", moved)
    w.put("s.version += 1")
    laid, w.suite = w.suite, suite
    w.put("else:", laid)


def in_open(w: Writer, spec: ActSpec, zone: Zone, target: Zone) -> None:
    """One card comes to where all see it, as `relocate_one` does it."""
    hidden = "saw"
    if zone.see == "owner" and zone.per_player:
        hidden = "saw & ~(1 << player)"
    w.put("zone.remove(card)")
    w.put("_zones[to].append(card)" if spec.lay_bottom else "_zones[to].insert(0, card)")
    w.put("_where[card] = to")
    if zone.see != "all":
        w.put("noted = s.noted[at]")
        lost: Suite = [Line("lose_one(s, at, card, noted)", w.pc)]
        some: Suite = [Line(f"noted &= {hidden} & ~s.known[card]", w.pc), Line("if noted:", w.pc, lost)]
        w.put("if noted:", some)
    w.put("s.known[card] = saw")
    if target.order or zone.order:
        w.put(f"s.placed[card] = {'saw' if target.order else '0'}")


def window(w: Writer, spec: ActSpec, card: str) -> None:
    """Ask who may answer; then the act does not begin yet."""
    if not spec.answerable:
        return
    plan = spec.plan
    asked: Suite = [Line(f"if opened(s, act, {card}):", w.pc, [Line("return", w.pc)])]
    if plan.moves:
        w.suite.extend(asked)
        return
    w.put(f"able = s.deal.able.get({plan.number}) or s.deal.holders({plan.number}, {w.bind(plan.kinds)})")
    held = f"not {w.bind(w.book.answered_from)}[_players].isdisjoint(able[1](_where))"
    w.put(f"if not s.settled or len(able[0]) > {FEW} or {held}:", asked)
