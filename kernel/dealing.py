"""How a game begins, and how a whole one is played."""

from __future__ import annotations

from bisect import bisect
from typing import TYPE_CHECKING, Any, Final

from kernel.book import Rulebook
from kernel.core import NO_ACT, NO_CARD, Frame
from kernel.errors import CardError, GameError, SetupError
from kernel.game import FAULTS, Anchor, State, engine_fault
from kernel.machine import OPERATIONS, end_undecided, failed, run, run_woven
from kernel.native import COMPILED
from kernel.posts import heed
from kernel.rng import LOW, MASK, SIZE32, SMALL, Rng, advance, random_order, signed, start, unsigned
from kernel.seats import public
from kernel.state import NO_ASK

if TYPE_CHECKING:
    from kernel.native import i64

#: Knuth's linear congruential generator of 64 bits; its upper half chooses where there are fewer than 2**32 actions.
FACTOR: Final = 6364136223846793005
ADDEND: Final = 1442695040888963407
LARGE: Final = 1 << 32


def blank(book: Rulebook, players: int, seed: int, ask: str) -> State:
    """A state with no cards anywhere."""
    if type(players) is not int or not book.players_min <= players <= book.players_max:
        raise SetupError(
            f"{book.title} is for {book.players_min} to {book.players_max} players here, not {str(players)[:20]}",
            "players",
        )
    if type(seed) is not int:
        raise SetupError("a seed is a whole number", "seed")
    if ask not in ("all", "settled"):
        raise SetupError(f"ask is 'all' or 'settled', not {ask!r}", "ask")
    seats = book.seats[players].in_use(book)
    s = State(book, players, seats, ask == "settled", seed)
    s.zones = [[] for _ in seats.definition]
    s.noted = [0] * len(s.zones)
    s.game_attrs = book.game_starts[:]
    s.player_attrs = book.player_starts[players][:]
    s.budget = OPERATIONS
    s.base = None
    s.steps = None
    return s


def new_game(
    book: Rulebook,
    players: int,
    seed: int,
    ask: str,
    telling: bool = False,
    coverage: set[tuple[str, int]] | None = None,
) -> State:
    """Set up a game and go on to its first question. Without `telling` its news are made when somebody reads them;
    `coverage` gathers the lines of the rules that run."""
    s = blank(book, players, seed, ask)
    s.telling = telling
    s.coverage = coverage
    # Cards are numbered at random, so that a number says nothing about its card.
    count = len(book.cards.kinds)
    s.deal = book.cards.renumbered(random_order(count, s.rng), book.seeks_kinds)
    s.rng = advance(s.rng, count)
    kinds = s.deal.kinds
    if kinds and book.start_zone < 0:
        raise SetupError("the game declares no zone in which the cards start")
    zone = s.zone_index(book.start_zone, 0) if kinds else 0
    seen = public(players) if kinds and book.zones[book.start_zone].see == "all" else 0
    s.where = [zone] * len(kinds)
    s.known = [seen] * len(kinds)
    s.placed = [0] * len(kinds)
    if kinds:
        s.zones[zone] = book.all_cards[:]
        for kind in s.seats.counting:
            if s.seats.posts[kind][zone]:
                heed(s, kind)
    s.budget = OPERATIONS * 10
    s.frames.append(Frame(book.play, [None] * book.play.slots, 0, NO_CARD, NO_ACT, None))
    s.frames.append(Frame(book.setup, [None] * book.setup.slots, 0, NO_CARD, NO_ACT, None))
    run(s)
    s.base = Anchor(None, None)
    return s


def playout(state: State, choose: Any = None, seed: int = 0) -> State:
    """Play this state to its end and return it.

    `choose(state, player) -> Action` decides; uniform where None, from a generator of its own. The lowest player
    asked goes first.
    """
    if choose is not None:
        while not state.over:
            player = (state.ask_mask & -state.ask_mask).bit_length() - 1
            state.apply(player, choose(state, player))
        return state
    try:
        if COMPILED:
            play_on(state, signed(start(seed)))
        else:
            play_through(state, start(seed))
    except GameError:
        state.recover()
        raise
    except FAULTS as error:
        state.recover()
        raise engine_fault(error) from error
    return state


def play_through(state: State, chance: int) -> None:
    """Play to the end by such a generator. What `State.perform` does with most actions stands here once more: calling
    it would be a twentieth of what a decision costs."""
    limit = state.book.decision_limit
    go_on = run if state.coverage is not None else run_woven  # what is launched below is woven
    played = state.played or []
    state.played = played
    while not state.over:
        mask = state.ask_mask
        legal = state.offered
        if legal is None:
            player = (mask & -mask).bit_length() - 1
            legal = state.legal(player)
        else:
            player = mask.bit_length() - 1
        total = legal.total
        chance = (chance * FACTOR + ADDEND) & MASK
        chosen = (chance >> 32) * total >> 32 if total < LARGE else Rng(chance).below(total)
        ends = legal.ends
        at = bisect(ends, chosen)
        group = legal.groups[at]
        index = chosen - ends[at] + group.size
        version = state.version
        spec = group.act
        if spec is None or spec.launch is None:
            state.perform(player, group, index)
        else:
            state.budget = OPERATIONS
            state.offered = None
            if state.legal_cache:
                state.legal_cache = {}
            state.ask = NO_ASK
            state.ask_mask = 0
            decisions = state.decisions + 1
            state.decisions = decisions
            if decisions > limit:
                end_undecided(state)
            else:
                launch = spec.launch
                try:
                    launch(state, player, group, index)
                except (CardError, RecursionError) as error:
                    raise failed(state, None, None, error) from None
            if not state.ask and not state.over:
                go_on(state)
        played += (legal, chosen, version, mask)


def play_on(state: State, chance: i64) -> None:
    """Play to the end by such a generator, in machine numbers; what is said in `play_through` of plain ones."""
    played = state.played or []
    state.played = played
    factor: i64 = FACTOR // SIZE32  # in halves, as in `kernel.rng.mixed`
    factor = factor * SIZE32 + (FACTOR & LOW)
    addend: i64 = ADDEND // SIZE32
    addend = addend * SIZE32 + (ADDEND & LOW)
    while not state.over:
        mask = state.ask_mask
        player = (mask & -mask).bit_length() - 1
        legal = state.offered
        if legal is None:
            legal = state.legal(player)
        total = legal.total
        chance = chance * factor + addend
        if total < SMALL:
            index: i64 = (chance >> 32 & LOW) * total >> 32
        elif total < LARGE:
            index = (unsigned(chance) >> 32) * total >> 32
        else:
            index = Rng(unsigned(chance)).below(total)
        chosen: int = index
        for group in legal.groups:
            if index < group.size:
                break
            index -= group.size
        version = state.version
        state.perform(player, group, index)
        played.append(legal)
        played.append(chosen)
        played.append(version)
        played.append(mask)
