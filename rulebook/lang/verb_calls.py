"""Checks and compiles calls of verbs: the kernel's, the game's, and `proceed`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulebook.diagnostics import did_you_mean, nearest
from rulebook.lang import ir, tree
from rulebook.lang.calls import mark_known
from rulebook.lang.expected import RESERVED
from rulebook.lang.functions import FUNCTIONS
from rulebook.lang.types import CARDS, FLAG, NUMBER, PLAYERS, Type
from rulebook.lang.unit import WRONG, Unit, Value, a
from rulebook.lang.verbs import KERNEL_VERBS, KernelVerb, Slot
from rulebook.lang.world import NAMES, Verb

if TYPE_CHECKING:
    from rulebook.lang.statements import Program


def verb_call(program: Program, node: tree.VerbCall) -> None:
    """A statement that calls a verb."""
    world = program.unit.world
    if node.verb in KERNEL_VERBS:
        _kernel_verb(program, node, KERNEL_VERBS[node.verb])
    elif node.verb in world.verbs:
        _game_verb(program, node, world.verbs[node.verb])
    else:
        _unknown_verb(program, node)


def _unknown_verb(program: Program, node: tree.VerbCall) -> None:
    unit = program.unit
    at = (node.start, node.start + len(node.verb))
    known = [
        *KERNEL_VERBS,
        *unit.world.verbs,
        *sorted(RESERVED & {"let", "set", "pick", "stop", "proceed", "if", "for", "while"}),
    ]
    hint = did_you_mean(node.verb, known)
    if node.verb in ("return", "break", "exit", "end"):
        hint = "`stop` ends this program"
    elif node.verb in ("elseif", "elsif"):
        hint = "write `elif`"
    elif node.verb in FUNCTIONS or node.verb in unit.world.questions:
        what = "function" if node.verb in FUNCTIONS else "question"
        hint = f"`{node.verb}` is a {what}: it stands where a value is wanted"
    elif unit.find(node.verb) is not None:
        hint = f"`let {node.verb} = …` gives it a new value"
    unit.error("RB413", f"there is no verb `{node.verb}`", at, hint)
    _check_values(unit, node)


def _check_values(unit: Unit, node: tree.VerbCall) -> None:
    if node.value is not None:
        unit.check(node.value)
    for label in node.labels:
        if not (isinstance(label.value, tree.Name) and label.value.name in ("bottom", "chance")):
            unit.check(label.value)


def _labels(unit: Unit, labels: tuple[tree.Label, ...], known: list[str], shape: str) -> dict[str, tree.Label]:
    """Labels by name; unknown ones and doubles are reported, and what stands behind them is checked."""
    found: dict[str, tree.Label] = {}
    for label in labels:
        if label.name not in known:
            hint = did_you_mean(label.name, known) or f"write `{shape}`"
            unit.error("RB414", f"there is no label `{label.name}:` here", label, hint)
            unit.check(label.value)
        elif label.name in found:
            unit.error("RB423", f"`{label.name}:` stands twice", label, "leave one of them out")
            unit.check(label.value)
        else:
            found[label.name] = label
    return found


# Verbs of the kernel


def _kernel_verb(program: Program, node: tree.VerbCall, verb: KernelVerb) -> None:
    unit = program.unit
    at = (node.start, node.start + len(node.verb))
    if verb.setup_only and not program.setup:
        unit.error("RB443", f"`{verb.name}` can stand in `setup` only", at)
    if verb.name == "play" and not unit.context.you:
        unit.error("RB441", "there is no `you` here who could play", at)
    labels = _labels(unit, node.labels, verb.labels, verb.shape)
    arguments: dict[str, Any] = {}
    sound = True
    bare = verb.slots[0] if verb.slots and not verb.slots[0].label else None
    if node.value is not None and bare is None:
        unit.error("RB422", f"`{verb.name}` takes no value without a label", node.value, f"write `{verb.shape}`")
        unit.check(node.value)
        return
    onto = ""
    for slot in verb.slots:
        value = node.value if not slot.label else labels[slot.label].value if slot.label in labels else None
        if value is None:
            if slot.required and len(labels) == len(node.labels):
                what = f"`{slot.label}:`" if slot.label else "its value"
                unit.error("RB422", f"`{verb.name}` needs {what}", at, f"write `{verb.shape}`")
                sound = False
            sound = sound and not slot.required
            continue
        found = _kernel_value(unit, value, slot, verb)
        sound = sound and not found.type.wrong
        if slot.type.base == "bearer":
            onto = found.type.base
            arguments["on"] = found.ir
        else:
            arguments[slot.label] = found.ir
    if not sound:
        return
    if onto:
        mark = arguments[""]
        if mark[0] == "k" and mark[1] not in unit.world.marks:
            return  # a mark of a pack that is not in this book: it lies nowhere, and nothing can be done with it
        arguments["onto"] = ["k", onto]
    program.out.add(["do", verb.name, arguments], program.line(node))


def _kernel_value(unit: Unit, node: tree.Expr, slot: Slot, verb: KernelVerb) -> Value:
    what = f"`{slot.label}:` of `{verb.name}`" if slot.label else f"what `{verb.name}` is given"
    base = slot.type.base
    if base == "mark":
        return _mark(unit, node)
    if base == "bearer":
        return _bearer(unit, node, what)
    if base == "place":
        return _place(unit, node, what)
    value = unit.check(node)
    if (
        slot.type in (CARDS, PLAYERS)
        and value.type.base == slot.type.base
        and not value.type.many
        and not value.type.answers
    ):
        if value.type.maybe:
            unit.unset(node)
            return WRONG
        return Value(["list", value.ir], slot.type)
    return unit.fit(node, value, slot.type, what)


def _mark(unit: Unit, node: tree.Expr) -> Value:
    """A mark: its id in quotes or bare, or something computed."""
    if isinstance(node, tree.Name) and unit.find(node.name) is None:
        if node.name in unit.world.marks or node.name in unit.world.absent:
            return Value(ir.constant(node.name), Type("kind"))
        if node.name not in unit.world.game_attributes and node.name not in NAMES:
            hint = did_you_mean(node.name, unit.world.marks)
            unit.error("RB415", f"there is no mark `{node.name}`", node, hint)
            return WRONG
    value = unit.check(node)
    if value.type.wrong:
        return WRONG
    if value.type.base not in ("word", "kind") or value.type.many or value.type.maybe:
        unit.error("RB420", f"a mark is named by its id, this is {a(value.type)}", node, 'write it as a text: "cursed"')
        return WRONG
    return WRONG if mark_known(unit, node, value) is None else value


def _bearer(unit: Unit, node: tree.Expr, what: str) -> Value:
    value = unit.check(node)
    if value.type.wrong:
        return WRONG
    if value.type.base not in ("player", "card") or value.type.is_list or value.type.answers:
        unit.error("RB420", f"{what} must be a player or a card, this is {a(value.type)}", node)
        return WRONG
    if value.type.maybe:
        unit.unset(node)
        return WRONG
    return value


def _place(unit: Unit, node: tree.Expr, what: str) -> Value:
    """A place in a zone: a number, or the word `bottom`; a choice between the two too."""
    if isinstance(node, tree.Name) and node.name == "bottom" and unit.find("bottom") is None:
        return Value(ir.constant("bottom"), NUMBER)
    if isinstance(node, tree.Name) and nearest(node.name, ["bottom", *unit.visible()]) == "bottom":
        unit.error("RB410", f"there is nothing called `{node.name}` here", node, "did you mean `bottom`?")
        return WRONG
    if isinstance(node, tree.Ternary):
        condition = unit.want(node.condition, FLAG, "the condition of `if`")
        then, other = _place(unit, node.then, what), _place(unit, node.other, what)
        if condition.type.wrong or then.type.wrong or other.type.wrong:
            return WRONG
        if condition.constant:
            return then if condition.ir[1] else other
        return Value(["if", condition.ir, then.ir, other.ir], NUMBER)
    value = unit.want(node, NUMBER, what)
    if not value.type.wrong and value.constant and value.ir[1] < 0:
        unit.error("RB433", "a zone has no place below 0", node, "0 is the top, `bottom` the end")
        return WRONG
    return value


# Verbs of the game


def shape_of(verb: Verb) -> str:
    """How a verb of the game is called."""
    parts = [
        f"{name}: {str(type.sure).upper()}" if number else str(type.sure).upper()
        for number, (name, type) in enumerate(verb.params.items())
    ]
    return " ".join([verb.name, *parts])


def _game_verb(program: Program, node: tree.VerbCall, verb: Verb) -> None:
    unit = program.unit
    at = (node.start, node.start + len(node.verb))
    names = list(verb.params)
    labels = _labels(unit, node.labels, names, shape_of(verb))
    given: dict[str, tree.Expr] = {name: label.value for name, label in labels.items()}
    sound = len(labels) == len(node.labels)
    if node.value is not None:
        if not names:
            unit.error("RB422", f"`{verb.name}` takes no values", node.value)
            unit.check(node.value)
            return
        if names[0] in given:
            unit.error("RB423", f"`{names[0]}` is given twice", labels[names[0]], "with and without its label")
            sound = False
        given[names[0]] = node.value
    arguments, complete = _arguments(unit, verb, given, at, sound)
    if sound and complete:
        program.out.add(["call", verb.name, arguments], program.line(node))


def _arguments(
    unit: Unit, verb: Verb, given: dict[str, tree.Expr], at: tuple[int, int], tell: bool
) -> tuple[list[Any], bool]:
    arguments: list[Any] = []
    sound = True
    missing = [name for name, type in verb.params.items() if name not in given and not type.maybe]
    if missing and not tell:  # a label was misspelt: that has been said
        sound = False
    elif missing:
        shown = " and ".join(f"`{name}:`" for name in missing)
        unit.error("RB422", f"`{verb.name}` needs {shown}", at, f"write `{shape_of(verb)}`")
        sound = False
    for name, type in verb.params.items():
        if name not in given:
            arguments.append(None)
            continue
        value = unit.want(given[name], type, f"`{name}:` of `{verb.name}`")
        sound = sound and not value.type.wrong
        arguments.append(value.ir)
    return arguments, sound


def proceed(program: Program, node: tree.Proceed) -> None:
    """`proceed`: the replaced verb runs now, with the arguments named changed."""
    unit = program.unit
    verb = unit.context.replaces
    if verb is None:
        unit.error("RB440", "`proceed` stands in `instead` only", node, "there it runs the verb that is replaced")
        for label in node.labels:
            unit.check(label.value)
        return
    labels = _labels(
        unit, node.labels, list(verb.params), f"proceed {' '.join(f'{name}: …' for name in verb.params)}".strip()
    )
    arguments: list[Any] = []
    sound = len(labels) == len(node.labels)
    for name, type in verb.params.items():
        if name not in labels:
            arguments.append(None)
            continue
        value = unit.want(labels[name].value, type, f"`{name}:` of `{verb.name}`")
        sound = sound and not value.type.wrong
        arguments.append(value.ir)
    if sound:
        program.out.add(["proceed", arguments if labels else None], program.line(node))
