"""Bots: they see one seat, keep to their budget, repeat themselves for a seed, and find what is to be found."""

from __future__ import annotations

import gc
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

import kernel
import rulebook
from rulebook import bots, simulation
from rulebook.bots import BotKind, Games, RandomBot, Seat, Seconds, UnknownBot, make
from rulebook.bots_greedy import MOST_ACTIONS, GreedyBot, candidates
from rulebook.bots_search import MANY, Node, SearchBot, search
from rulebook.bots_value import Judge
from rulebook.simulation import Plan
from tests.kernel.parlour import load, play
from tests.rulebook.cli_runs import run

CARDS = {
    "win": play("end_game winners: [you]"),
    "lose": play("eliminate you"),
    "peek": play("show top(pile, 1) to: [you]"),
    "order": play(
        'pick words from: ["a", "b", "c", "d", "e"] by: you count: 5 order: true\n'
        'if words == ["d", "b", "a", "e", "c"]:\n  end_game winners: [you]\nelse:\n  eliminate you'
    ),
    "key": play("pay you coins: 1"),
    "door": play("if you.coins == 1:\n  end_game winners: [you]\nelse:\n  eliminate you"),
    "tea": "text: nothing\n",
}
THINKERS: list[Callable[[int, bots.Budget], bots.Bot]] = [GreedyBot, SearchBot]


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> kernel.Rulebook:
    return load(tmp_path_factory.mktemp("game"), CARDS)


@pytest.fixture(scope="module")
def kittens() -> kernel.Rulebook:
    return rulebook.load("kittens")


class Counting:
    """A budget that counts what is asked of it."""

    def __init__(self, games: int) -> None:
        self.games = games
        self.asked: list[int] = []

    def start(self) -> Callable[[int], bool]:
        def enough(done: int) -> bool:
            self.asked.append(done)
            return done >= self.games

        return enough


@pytest.mark.parametrize("thinker", THINKERS)
def test_who_thinks_ahead_takes_what_wins_and_leaves_what_loses(
    book: kernel.Rulebook, thinker: Callable[[int, bots.Budget], bots.Bot]
) -> None:
    given = {"hand": {0: ["lose", "win", "tea"], 1: ["win"], 2: ["tea"]}, "pile": ["tea"] * 9}
    state = book.position(3, given, ask="settled")
    assert str(thinker(1, Games(60)).choose(Seat(state, 0))) == "play win"
    given = {"hand": {0: ["lose"], 1: ["lose"]}, "pile": ["tea"] * 9}
    state = book.position(2, given, ask="settled")
    assert str(thinker(1, Games(120)).choose(Seat(state, 0))) == "draw"


@pytest.mark.parametrize("thinker", THINKERS)
def test_a_decision_without_an_alternative_costs_nothing(
    book: kernel.Rulebook, thinker: Callable[[int, bots.Budget], bots.Bot]
) -> None:
    state = book.position(2, {"hand": {0: ["tea"], 1: ["tea"]}, "pile": ["tea"] * 3}, ask="all")
    budget = Counting(50)
    assert str(thinker(1, budget).choose(Seat(state, 0))) == "draw"
    assert budget.asked == []


@pytest.mark.parametrize("thinker", THINKERS)
def test_a_budget_is_kept_and_a_seed_repeats_itself(
    kittens: kernel.Rulebook, thinker: Callable[[int, bots.Budget], bots.Bot]
) -> None:
    state = kittens.new(players=3, seed=4, ask="settled")
    player = state.waiting.players[0]
    before = state.dump()
    choices = []
    for _ in range(2):
        budget = Counting(17)
        choices.append(str(thinker(9, budget).choose(Seat(state, player))))
        assert budget.asked == list(range(18))
    assert choices[0] == choices[1]
    assert choices[0] in state.legal(player)
    assert state.dump() == before


def test_the_clock_is_the_callers() -> None:
    times = iter([100.0, 100.2, 100.9, 101.1])
    enough = Seconds(1.0, lambda: next(times)).start()
    assert not enough(0)  # at least one game, without a look at the clock
    assert [enough(1), enough(2), enough(3)] == [False, False, True]


def test_the_tree_counts_what_was_played(kittens: kernel.Rulebook) -> None:
    state = kittens.new(players=3, seed=4, ask="settled")
    player = state.waiting.players[0]
    root = search(Seat(state, player), Games(40), 3, Judge())
    assert root.visits == 40 == sum(child.visits for child in root.children.values())
    assert {text for _, text in root.children} <= {str(action) for action in state.legal(player)}
    todo: list[Node] = [root]
    deep = 0
    while todo:
        node = todo.pop()
        deep += any(child.children for child in node.children.values())
        assert 0 <= node.value <= node.visits
        assert sum(child.visits for child in node.children.values()) <= node.visits
        assert all(child.visits <= child.available for child in node.children.values())
        todo.extend(node.children.values())
    assert deep


def test_in_a_window_with_several_asked_it_is_the_one_who_searches_that_answers(kittens: kernel.Rulebook) -> None:
    given = {"hand": {0: ["favor"], 1: ["nope", "skip"], 2: ["nope", "skip"]}, "draw_pile": ["skip"] * 4}
    state = kittens.position(3, given, ask="settled")
    state.apply(0, "play favor victim=2")
    assert state.waiting.players == (1, 2)
    root = search(Seat(state, 2), Games(20), 1, Judge())
    assert {player for player, _ in root.children} == {2}
    assert str(SearchBot(1, Games(20)).choose(Seat(state, 2))) in ("pass", "play nope")


def test_very_many_actions_are_opened_bit_by_bit(book: kernel.Rulebook) -> None:
    given = {"hand": {0: ["order"], 1: ["tea"]}, "pile": ["tea"] * 5}
    state = book.position(2, given, ask="settled")
    state.apply(0, "play order")
    legal = state.legal(0)
    assert len(legal) == 120 > MANY
    root = search(Seat(state, 0), Games(60), 1, Judge())
    assert 5 < len(root.children) < 30
    few = candidates(legal, 5)
    assert len(set(map(str, few))) == MOST_ACTIONS
    assert all(action in legal for action in few)
    for thinker in THINKERS:
        assert thinker(1, Games(30)).choose(Seat(state, 0)) in legal


def test_a_bot_decides_alike_in_games_that_its_player_cannot_tell_apart(kittens: kernel.Rulebook) -> None:
    state = kittens.new(players=3, seed=11, ask="settled")
    player = state.waiting.players[0]
    others = [state.determinize(player, seed) for seed in (1, 2)]
    for thinker in THINKERS:
        found = {str(thinker(5, Games(24)).choose(Seat(one, player))) for one in (state, *others)}
        assert len(found) == 1


def test_nothing_of_the_real_game_is_reached_from_what_a_seat_gives(kittens: kernel.Rulebook) -> None:
    state = kittens.new(players=3, seed=7, ask="settled")
    while state.version < 30:
        state.apply(state.waiting.players[0], state.legal(state.waiting.players[0]).at(0))
    player = state.waiting.players[0]
    seat = Seat(state, player)
    assert state.news(player)
    assert state.news_tail is not None
    assert state.base is not None
    secret = {id(state), id(state.deal), id(state.deal.kinds), id(state.news_tail), id(state.base)}
    todo: list[Any] = [seat.view(), seat.news(), seat.worlds(), seat.determinize(3), seat.information_state()]
    seen: set[int] = set()
    while todo:
        one = todo.pop()
        if id(one) in seen or isinstance(one, (type, kernel.Rulebook)) or callable(one) or hasattr(one, "__path__"):
            continue
        seen.add(id(one))
        assert id(one) not in secret
        todo.extend(gc.get_referents(one))
    assert len(seen) > 100


def test_search_looks_further_than_one_step(book: kernel.Rulebook) -> None:
    """`key` alone loses the turn, `key` and then `door` wins: what comes of it is seen only behind the second step."""
    given = {"hand": {0: ["key", "door", "tea"], 1: ["win"]}, "pile": ["tea"] * 3}
    state = book.position(2, given, ask="settled")
    searching = SearchBot(1, Games(120))
    chosen = []
    while not state.over:
        action = searching.choose(Seat(state, 0))
        chosen.append(str(action))
        state.apply(0, action)
    assert chosen == ["play key", "play door"]
    assert state.winners == (0,)


def test_a_judge_learns_what_is_worth_having(book: kernel.Rulebook) -> None:
    judge = Judge()
    given = {"hand": {0: ["win", "tea"], 1: ["lose", "tea"], 2: ["tea", "tea"]}, "pile": ["tea"] * 9}
    found = judge.look(book.position(3, given, ask="settled"))
    assert judge.worth(found) == pytest.approx([1 / 3] * 3)
    for _ in range(50):
        judge.learn(found, judge.worth(found), [1.0, 0.0, 0.0])
    first, second, third = judge.worth(found)
    assert first > 0.8
    assert first + second + third == pytest.approx(1.0)
    # The same cards in other hands are worth as much there.
    given["hand"] = {0: ["tea", "tea"], 1: ["tea", "lose"], 2: ["tea", "win"]}
    assert judge.worth(judge.look(book.position(3, given, ask="settled")))[2] > 0.5
    # The more games, the less one of them counts.
    assert judge.settle([0.8, 0.1, 0.1], [0.0, 1.0, 0.0]) == pytest.approx([0.24, 0.73, 0.03])


def test_who_is_out_is_worth_nothing(book: kernel.Rulebook) -> None:
    state = book.position(3, {"hand": {0: ["lose"], 1: ["tea"], 2: ["tea"]}, "pile": ["tea"] * 9}, ask="settled")
    state.apply(0, "play lose")
    judge = Judge()
    found = judge.look(state)
    assert found[0] is None
    assert judge.worth(found)[0] == 0.0
    assert sum(judge.worth(found)) == pytest.approx(1.0)


def test_places_rotate(kittens: kernel.Rulebook) -> None:
    plan = Plan(games=6, players=3, bots=("ismcts:1", "random", "random"), seed=4, rotate=True)
    assert [plan.bots_of(game).index("ismcts:1") for game in range(6)] == [0, 1, 2, 0, 1, 2]
    results = [result for result in simulation.run(kittens, plan) if isinstance(result, simulation.Result)]
    shares = dict(simulation.summary(results, plan).bots)
    assert (shares["ismcts:1"].of, shares["random"].of) == (6, 12)
    assert simulation.row(results[1], plan)["bots"] == ["random", "ismcts:1", "random"]


# -- names -------------------------------------------------------------------------------------------------------------


def test_names_and_budgets() -> None:
    assert type(make("random", 1)) is RandomBot
    assert type(make("greedy", 1)) is type(make("greedy:7", 1)) is GreedyBot
    assert type(make("ismcts", 1)) is type(make("ismcts:7", 1)) is SearchBot
    assert type(make("ismcts:0.5s", 1, clock=lambda: 0.0)) is SearchBot


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("radnom", "did you mean `random`"),
        ("alphago", "known here: `random`"),
        ("", "there is no bot"),
        ("ismcts:", "behind the colon"),
        ("ismcts:many", "behind the colon"),
        ("ismcts:-5", "behind the colon"),
        ("ismcts:0", "1 to 1000000"),
        ("ismcts:1.5", "whole games"),
        ("ismcts:99999999", "1 to 1000000"),
        ("ismcts:2s", "by the clock"),
        ("random:5", "takes no budget"),
    ],
)
def test_what_is_no_bot_is_said_with_what_to_write(text: str, says: str) -> None:
    with pytest.raises(UnknownBot, match=says):
        make(text, 1)


def test_seconds_have_bounds() -> None:
    for text in ("ismcts:0s", "ismcts:99999s"):
        with pytest.raises(UnknownBot, match="seconds"):
            make(text, 1, clock=lambda: 0.0)


class Last:
    """A bot as a stranger writes one."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def choose(self, seat: Seat) -> kernel.Action:
        return seat.legal.at(len(seat.legal) - 1)


THINKING = BotKind("deep", lambda seed, budget: SearchBot(seed, budget), True, "as a stranger publishes one")


def test_installed_distributions_bring_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [
        EntryPoint("last", f"{__name__}:Last", bots.ENTRY_POINTS),
        EntryPoint("deep", f"{__name__}:THINKING", bots.ENTRY_POINTS),
        EntryPoint("broken", f"{__name__}:Missing", bots.ENTRY_POINTS),
    ]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: points if group == bots.ENTRY_POINTS else [])
    assert type(make("last", 3)).__name__ == "Last"
    assert type(make("deep:5", 3)).__name__ == "SearchBot"
    with pytest.raises(UnknownBot, match="does not load"):
        make("broken", 3)


def test_the_commands_know_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    args = ("simulate", "--games", "2", "--players", "2", "--seed", "3", "--bots")
    done = run(monkeypatch, *args, "ismcts:2,random", "--rotate")
    assert done.code == 0
    assert "Wins by bot" in done.out
    assert "ismcts:2" in done.out
    again = run(monkeypatch, *args, "ismcts:2,random", "--rotate")
    assert again.out == done.out
    refused = run(monkeypatch, *args, "ismcts:1s")
    assert refused.code == 2
    assert "by the clock" in refused.err
    record = tmp_path / "game.jsonl"
    played = run(
        monkeypatch, "play", "--players", "2", "--bots", "ismcts:0.001s,greedy:3", "--seed", "1", "--save", str(record)
    )
    assert played.code == 0
    assert run(monkeypatch, "replay", str(record), "--verify").code == 0
