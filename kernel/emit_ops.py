"""Operations as Python source: one function for each kind, which writes what its `run` does.

It answers where the same frame goes on: the operation's place, or END where this way is over (a `return` is written).
What has no function is carried out the plain way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from kernel import flow as F
from kernel import ops as O
from kernel.core import CHANCE, Op, Short
from kernel.emit import LISTS, kept, member, sized
from kernel.events import AFTER_PC
from kernel.expr import Const, Var, You
from kernel.fused import KEEP, OneCard, WhereFace
from kernel.lists import ListOf
from kernel.machine import FRAMES, End
from kernel.model import Ability, Verb
from kernel.picks import Pick
from kernel.posts import any_of
from kernel.reach import slots_of
from kernel.writer import Line, Suite, Writer

#: This way is over.
END: Final = -1

#: Operations that always go on with the next one.
STEADY: Final = (
    F.SetTurn,
    F.SetPlayer,
    O.Show,
    O.Arrange,
    O.Cancel,
    O.Lay,
    O.EndTurn,
    O.GiveTurns,
    O.NextTurn,
    O.Tell,
)
#: Operations that go on with the next one, or leave the frame.
NEXT_OR_NONE: Final = (O.Move, O.Shuffle, O.Eliminate, O.Revive, O.Offer, Pick)
#: Expressions that cannot fail.
SAFE: Final = (Var, You, Const, OneCard)

OpEmitter = Callable[[Writer, Any], int]


def plain(w: Writer, op: Op) -> int:
    """The operation carried out the plain way."""
    w.stand()
    w.pay()
    w.forget(list(w.known.slots))
    name = w.bind(op)
    if isinstance(op, STEADY):
        w.put(f"{name}.run(s, f)")
        return op.next.pc
    if isinstance(op, NEXT_OR_NONE):
        w.put(f"if {name}.run(s, f) is None:", [Line("return None", w.pc)])
        return op.next.pc
    if w.standing is None:
        w.put(f"return {name}.run(s, f)")
    else:
        w.put(f"f.pc = {op.pc}")
        w.put("return None")
    return END


def let(w: Writer, op: F.Let) -> int:
    constant = w.fold(op.value, w.known.values, 0)
    if constant is None:
        w.set_slot(op.slot, kept(w, op.value))
    else:
        w.set_value(op.slot, constant.value)
    return op.next.pc


def let_plain(w: Writer, op: F.LetPlain) -> int:
    constant = w.fold(op.value, w.known.values, 0)
    if constant is None:
        w.set_slot(op.slot, w.ev(op.value))
    else:
        w.set_value(op.slot, constant.value)
    return op.next.pc


def set_game(w: Writer, op: F.SetGame) -> int:
    w.put(f"s.game_attrs[{op.index}] = {kept(w, op.value)}")
    return op.next.pc


def jump(w: Writer, op: F.Jump) -> int:
    w.put("s.budget -= 1")
    w.put("if s.budget < 0:", [Line("spend(s)", w.pc)])
    return op.target.pc


def iterate(w: Writer, op: F.Iter) -> int:
    w.set_slot(op.slot, f"tuple({w.ev(op.value)})")
    w.set_slot(op.slot + 1, "0")
    return op.next.pc


def call(w: Writer, op: F.Call) -> int:
    verb = op.verb
    w.put(f"f.pc = {op.pc + 1}")
    args = arguments(w, op)
    w.pay()
    program = verb.program
    called: Suite = [Line(f"call(s, f, {w.bind(verb)}, [{', '.join(args)}])", w.pc), Line("return None", w.pc)]
    if verb.spec is not None or program is None:
        w.suite.extend(called)
        return END
    if verb.early:
        w.put(f"if {some_near(w, verb.early)}:", called)
    w.put("s.budget -= 1")
    w.put(f"if s.budget < 0 or len(_frames) > {FRAMES}:", [Line("spend(s)", w.pc)])
    listed = ", ".join(args)
    if verb.at_end:
        ends(w, verb, args)
    more = program.slots - len(args)
    vars = f"[{', '.join([*args, *['None'] * more])}]" if more < 40 else f"[{listed}] + [None] * {more}"
    w.put(f"_frames.append(Frame({w.bind(program)}, {vars}, _you, _card, f.act, None))")
    w.put("return None")
    return END


def arguments(w: Writer, op: F.Calling) -> list[str]:
    """The arguments of a call, worked out in their order."""
    args: list[str] = []
    for e in op.args:
        at, order = len(w.suite), w.order
        args.append("None" if e is None else kept(w, e) if type(e) in SAFE else w.settled(kept(w, e)))
        if w.order != order:
            w.spill(args, len(args) - 1, at)
    return args


def ends(w: Writer, verb: Verb, args: list[str]) -> None:
    """The frame in which what listens to the end of a verb comes in."""
    t = w.temp()
    vars = f"[{verb.index}, ({''.join(f'{arg}, ' for arg in args)}), (), 0, ()]"
    w.put(f"{t} = Frame({w.bind(w.book.verb_program)}, {vars}, _you, _card, f.act, None)")
    w.put(f"{t}.pc = {AFTER_PC}")
    w.put(f"_frames.append({t})")


def if_near(w: Writer, op: F.Calling, some: tuple[Ability, ...], pc: int, do: Callable[[list[str]], None]) -> int:
    """Where one of these listens, the frame goes on at another place after something else."""
    if some:
        suite, known = w.suite, w.known
        w.suite, w.known = [], known.copy()
        w.put(f"f.pc = {pc}")
        args = arguments(w, op)
        w.pay()
        do(args)
        w.put("return None")
        other, w.suite, w.known = w.suite, suite, known
        w.put_arm(f"if {some_near(w, some)}:", other)
    return op.next.pc


def heard_verb(w: Writer, op: F.Heard) -> int:
    verb = w.bind(op.verb)
    return if_near(w, op, op.verb.early, op.end_pc, lambda args: w.put(f"call(s, f, {verb}, [{', '.join(args)}])"))


def after(w: Writer, op: F.After) -> int:
    def ending(args: list[str]) -> None:
        w.put("spend(s)")
        ends(w, op.verb, args)

    return if_near(w, op, op.verb.at_end, op.pc + 1, ending)


def stop(w: Writer, op: Op) -> int:
    spared = w.known.spared
    if not spared:
        w.put("_frames.pop()")
    if w.finishes:
        act_over(w, spared)
    if w.after:  # below is the frame in which what listens comes in then
        w.put(f"if not ({some_near(w, w.after)}):", [Line("_frames.pop()", w.pc)])
    w.put("return None")
    return END


def some_near(w: Writer, abilities: tuple[Ability, ...]) -> str:
    """Whether cards with one of these abilities may lie where it counts; see `near`."""
    bits = any_of([a for a in abilities if a.attribute < 0])
    tests = [f"s.live & {bits}"] if bits else []
    for a in abilities:
        if a.attribute >= 0:
            test = f"s.live & {a.live} and s.odd and (s.aliases or carried(s, {w.bind(a)}))"
            if test not in tests:
                tests.append(test)
    return " or ".join(tests)


def act_over(w: Writer, spared: bool) -> None:
    """The act on top is over, as `finish_act` has it; an act that no other is below is only taken away.

    `spared`: it never came on the stack.
    """
    done = w.book.done_abilities
    alone: Suite = [] if spared else [Line("s.top_act = None", w.pc)]
    if done:
        alone.append(Line(f"if {some_near(w, done)}:", w.pc, [Line(f"fire(s, {w.bind(done)}, ())", w.pc)]))
    if spared:
        w.suite.extend(alone)
        return
    w.put("if s.top_act.below is not None or s.top_act.alias:", [Line("finish_act(s)", w.pc)])
    w.put("else:", alone)


def move(w: Writer, op: O.Move) -> int:
    if not op.plain:
        return plain(w, op)
    if type(op.cards) is OneCard:
        card = w.settled(w.var(op.cards.slot))
        to = w.ev(op.to)
        to = w.settled(to)
        w.put_arm(f"if {odd(w, card, to)}:", w.visit([Line(f"shift(s, ({card},), {to}, _you)", w.pc)]))
        w.put_arm("else:", [Line(f"relocate_one(s, {card}, {to}, 0, False, 0, _you)", w.pc)])
        return heard(w, op, f"({card},)", to)
    cards = w.temp()
    if isinstance(op.cards, LISTS):
        w.put(f"{cards} = tuple({w.ev(op.cards)})")
    elif sized(op.cards) or (type(op.cards) is WhereFace and op.cards.how == KEEP):
        w.put(f"{cards} = {w.ev(op.cards)}")
    else:
        w.put(f"{cards} = {w.ev(op.cards)}")
        w.put(f"if type({cards}) is not tuple:", [Line(f"{cards} = card_tuple({cards})", w.pc)])
    outside = w.enter()
    to = w.settled(w.ev(op.to))
    w.put(f"shift(s, {cards}, {to}, _you)")
    heard(w, op, cards, to)
    w.put(f"if {cards}:", w.leave(outside))
    return op.next.pc


def odd(w: Writer, card: str, to: str) -> str:
    """Whether more is to be looked at than zones to say who sees a card that moves, as `bare` finds it."""
    book = w.book
    if book.faces_plain:
        return f"{card} in s.odd"
    tests = [f"{card} in s.odd"]
    if book.face_others:
        tests.append(f"s.live & {book.showing_others}")
    if book.face_kinds:
        tests.append(f"_kinds[{card}] in {w.bind(book.face_kinds)}")
    return " or ".join(tests)


def heard(w: Writer, op: Op, cards: str, to: str) -> int:
    """What listens to moves comes in."""
    if w.book.moves_heard:
        w.put(f"f.pc = {op.pc + 1}")
        w.pay()
        w.put(
            f"if fire(s, {w.bind(w.book.moves_heard)}, ({cards}, {to})):",
            [Line("return None", w.pc)],
        )
    return op.next.pc


def end_turn(w: Writer, op: O.EndTurn) -> int:
    if op.all is not None:
        return plain(w, op)
    w.put(
        f"if {w.ev(op.player)} == s.turn and not s.turn_ended:",
        [Line("s.turn_ended = True", w.pc), Line("s.next_turn = None", w.pc)],
    )
    return op.next.pc


def next_turn(w: Writer, op: O.NextTurn) -> int:
    p = w.temp()
    body = [
        f"{p} = (s.turn + s.direction) % _players",
        f"s.turn = s.next_living(s.turn) if s.out >> {p} & 1 else {p}",
        "s.owed = 0",
        "s.turn_ended = False",
        "s.version += 1",
    ]
    w.put("if s.next_turn is None and s.owed < 2 and not s.telling:", [Line(text, w.pc) for text in body])
    w.put_arm("else:", w.visit([Line(f"{w.bind(op)}.run(s, f)", w.pc)]))
    return op.next.pc


def offer(w: Writer, op: O.Offer) -> int:
    w.put(f"f.pc = {op.pc + 1}")
    p = w.settled(member(w, op.player))
    w.pay()
    w.put(
        f"if not s.left >> {p} & 1:",
        [Line("move = s.deal.offer or offer", w.pc), Line(f"move(s, {p})", w.pc), Line("return None", w.pc)],
    )
    return op.next.pc


def show(w: Writer, op: O.Show) -> int:
    one = type(op.cards) is OneCard
    cards = w.var(op.cards.slot) if type(op.cards) is OneCard else w.ev(op.cards)
    if one:
        pass
    elif not isinstance(op.cards, LISTS) and not sized(op.cards):
        cards = f"card_tuple({cards})"
    elif not isinstance(op.cards, WhereFace):
        cards = f"tuple({cards})"
    cards = w.settled(cards)
    lone = op.to.items[0] if isinstance(op.to, ListOf) and len(op.to.items) == 1 else None
    to = w.ev(op.to if lone is None else lone)
    if lone is not None:
        viewers = f"1 << ({to})"
    elif isinstance(op.to, You):
        viewers = f"1 << {to} if {to} >= 0 else 0"
    else:
        viewers = f"bits_of({to})"
    w.put(f"{'show_one' if one else 'show'}(s, {cards}, {viewers}, _you)")
    return op.next.pc


def shuffle(w: Writer, op: O.Shuffle) -> int:
    heard = w.book.kernel_heard.get("shuffle")
    if heard:
        return plain(w, op)
    w.put(f"shuffle(s, {w.ev(op.zone)}, _you)")
    return op.next.pc


def give_turns(w: Writer, op: O.GiveTurns) -> int:
    turns = w.local(w.ev(op.turns))
    to = w.settled(member(w, op.to))
    w.put(f"if not 0 <= {turns} <= {O.MOST_TURNS}:", [Line(f"no_turns({turns})", w.pc)])
    w.put("s.turn_ended = True")
    w.put(f"s.next_turn = {to}, {turns}")
    return op.next.pc


def pick(w: Writer, op: Pick) -> int:
    """A question about values at hand: where there is but one, it is answered at once."""
    if (op.chance or (type(op.by) is Const and op.by.value == CHANCE)) and not op.list and not op.many:
        return pick_by_chance(w, op) if op.otherwise is None else plain(w, op)
    if not op.values:
        return pick_card(w, op)
    simple = not op.list and not op.many and not op.chance
    if not simple or type(op.set) is not Var or op.set.slot == op.it or type(op.by) not in (Var, You):
        return plain(w, op)
    tests: list[str] = []
    values = w.known.values.get(op.set.slot)
    if type(values) is tuple and len(set(values)) == 1:
        one = w.literal(values[0])
    else:
        x = w.settled(w.var(op.set.slot))
        tests.append(f"type({x}) is tuple and len({x}) == 1")
        one = f"{x}[0]"
    by = w.settled(w.ev(op.by))
    w.pay()
    if by not in w.known.players:
        tests.append(f"type({by}) is int and 0 <= {by} < _players")
    tests.append(f"s.settled and not s.telling and not s.left >> {by} & 1")
    slot = op.slot
    w.put_arm(f"if {' and '.join(tests)}:", [Line(f"v{slot} = {one}", w.pc), Line("s.version += 1", w.pc)])
    asked: Suite = [Line("return None", w.pc)]
    asked = [Line(f"if {w.bind(op)}.run(s, f) is None:", w.pc, asked), Line(f"v{slot} = f.vars[{slot}]", w.pc)]
    w.put_arm("else:", w.visit(asked))
    w.mark_set(slot)
    return op.next.pc


def pick_by_chance(w: Writer, op: Pick) -> int:
    """Chance chooses one: where there is nothing, the program ends."""
    w.set_slot(op.it, w.you)
    members = w.settled(w.ev(op.set))
    suite, known = w.suite, w.known.copy()
    w.suite = []
    w.stand()
    w.pay()
    w.put(f"{w.bind(op)}.nothing(s, f)")
    w.put("return None")
    over, w.suite, w.known = w.suite, suite, known
    w.put_arm(f"if not {members}:", over)
    w.set_slot(op.slot, f"{members}[{w.bind(op)}.drawn(s, {members}) if s.script else s.below(len({members}))]")
    return op.next.pc


def pick_card(w: Writer, op: Pick) -> int:
    """A question about some of the cards of a zone: where there are none, the program ends."""
    set = op.set.inner if type(op.set) is Short else op.set
    simple = op.type == "card" and not op.list and not op.many and not op.chance and op.otherwise is None
    if not simple or type(set) is not WhereFace or not isinstance(set.a, LISTS) or type(op.by) not in (Var, You):
        return plain(w, op)
    if op.it in slots_of(set)[0]:
        return plain(w, op)
    w.stand()
    by = w.settled(w.ev(op.by))
    zone = w.settled(w.ev(set.a))
    w.pay()
    w.forget(slots_of(set)[1])
    tests = ["not s.aliases"]
    if by not in w.known.players:
        tests.append(f"type({by}) is int and 0 <= {by} < _players")
    tests.append(f"not ({zone} and {w.bind(set)}.among(s, f, {zone}))")
    w.put(f"if {' and '.join(tests)}:", [Line(f"{w.bind(op)}.nothing(s, f)", w.pc), Line("return None", w.pc)])
    w.put(f"if {w.bind(op)}.run(s, f) is None:", [Line("return None", w.pc)])
    w.forget([op.slot])
    return op.next.pc


OPERATIONS: Final[dict[type[Op], OpEmitter]] = {
    F.Let: let,
    F.LetPlain: let_plain,
    F.SetGame: set_game,
    F.Jump: jump,
    F.Iter: iterate,
    F.Call: call,
    F.Heard: heard_verb,
    F.After: after,
    F.Stop: stop,
    End: stop,
    O.Move: move,
    Pick: pick,
    O.EndTurn: end_turn,
    O.GiveTurns: give_turns,
    O.NextTurn: next_turn,
    O.Offer: offer,
    O.Show: show,
    O.Shuffle: shuffle,
}
