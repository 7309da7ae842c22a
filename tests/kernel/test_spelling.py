"""Actions spelt with the ids of a table: every legal action has exactly one spelling, and nothing else can be spelt."""

from __future__ import annotations

import random
from typing import Any

import pytest

import kernel
import rulebook
from kernel import ActionTable, Spelling, spell
from tests.kernel import parlour
from tests.kernel.parlour import passed, play
from tests.kernel.refusals import COMPILED, REFUSED

CARDS = {
    "tea": "tags: [quiet]\n" + "text: nothing\n",
    "milk": "text: nothing\n",
    "rum": "tags: [sweet]\n" + "text: nothing\n",
    "sort": play("pick cards from: hand by: you min: 0 max: 3 order: true\nmove cards to: discard"),
    "some": play("pick cards from: hand by: you min: 1 max: 2\nmove cards to: discard"),
    "every": play("pick cards from: hand by: you count: 0\nmove cards to: discard"),
    "bet": "tags: [quiet]\n" + play("pick coins from: range(1, 900) by: you\npay you coins: coins"),
    "say": "tags: [sweet]\n" + play('pick word from: ["yes", "no", combined("per", "haps")] by: you\nnote line: word'),
    "who": "tags: [quiet]\n" + play("pick victim from: others by: you\npay victim coins: 1"),
    "blind": play('pick card from: hand by: you unseen: hand where id(it) != "tea"\nmove card to: discard'),
    "name": play("note line: named", "  choose: {victim: others, named: kinds()}\n"),
    "wake": play("stop", "  choose: {who: {from: dead, or: none}}\n"),
    "spoil": play('let teas = hand where id(it) == "tea"\nif any(teas):\n  lay stained on: first(teas)'),
    "two": "play:\n  - {at: turn, do: 'pay you coins: 1'}\n  - {at: turn, do: 'pay you coins: 2'}\n",
    "copy": "plays_as: {from: ids(discard), ask: true}\n",
    "stained": 'mark: Stained\nwhile: {answer: safe, if: who == you, with: "true"}\n',
}
MOVES = """\
moves:
  toss: {cards: {from: hand, count: 1}, do: "move cards to: discard"}
  meld: {cards: {from: hand, min: 1, max: 3}, do: "move cards to: discard"}
  pair: {cards: {from: hand, count: 2, alike: id(it)}, choose: {victim: others}, do: "move cards to: discard"}
  three: {cards: {from: hand, count: 3, unlike: id(it)}, do: "move cards to: discard"}
  trio:
    cards: {from: hand, count: 3, unlike: '1 if it is sweet else 2 if it is quiet else 3'}
    do: "move cards to: discard"
"""


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> kernel.Rulebook:
    folder = tmp_path_factory.mktemp("game")
    parlour.load(folder, CARDS)
    text = parlour.GAME.replace("moves:\n", MOVES)
    (folder / "parlour" / "game.yaml").write_text(text, encoding="utf-8")
    return rulebook.load("parlour", path=folder)


def spelt(table: ActionTable, state: kernel.State, player: int) -> dict[tuple[int, ...], kernel.Action]:
    """Every spelling that there is, by walking the whole tree."""
    found: dict[tuple[int, ...], kernel.Action] = {}
    todo: list[tuple[int, ...]] = [()]
    while todo:
        ids = todo.pop()
        spelling = Spelling(table, state, player)
        for id in ids:
            spelling.take(id)
        if spelling.action is not None:
            found[ids] = spelling.action
        else:
            assert spelling.ids == sorted(set(spelling.ids))
            assert len(spelling.ids) > (0 if not ids else 1)
            todo.extend((*ids, id) for id in spelling.ids)
    return found


def all_spelt(state: kernel.State, player: int = 0) -> dict[str, list[str]]:
    """How each action is spelt; checked against the list of legal actions and against `spell`."""
    table = ActionTable(state.book)
    found = spelt(table, state, player)
    places = sorted((a.group, a.index) for a in found.values())
    assert places == sorted((a.group, a.index) for a in state.legal(player))
    for ids, action in found.items():
        legal = state.legal(player)
        same = [a for a in legal if (a.group, a.index) == (action.group, action.index)]
        assert tuple(spell(table, state, player, same[0])) == ids
    return {str(action): [table.names[id] for id in ids] for ids, action in found.items()}


def at(book: kernel.Rulebook, card: str, hand: list[str], **zones: Any) -> kernel.State:
    state = book.position(3, {"hand": {0: [card, *hand]}, **zones})
    state.apply(0, f"play {card}")
    passed(state)
    return state


def test_moves_cards_and_what_they_announce(book: kernel.Rulebook) -> None:
    ways = all_spelt(book.position(3, {"hand": {0: ["name", "tea", "tea", "milk", "rum"]}}))
    assert ways["draw"] == ["draw"]
    assert ways["toss milk"] == ["toss milk"]
    assert ways["play name victim=2 named=rum"] == ["play name", "player 2", "kind rum"]
    assert ways["pair tea victim=1"] == ["pair", "player 1"]
    assert ways["meld milk"] == ["meld", "kind milk", "done"]
    assert ways["meld milk,rum,tea"] == ["meld", "kind milk", "kind rum", "kind tea"]
    assert len([way for way in ways if way.startswith("three")]) == 4
    assert ways["three milk,rum,tea"] == ["three", "kind milk", "kind rum"]  # then only tea is left


def test_what_has_no_alternative_is_spelt_by_itself(book: kernel.Rulebook) -> None:
    state = book.position(2, {"hand": {0: ["tea", "tea"]}})
    table = ActionTable(book)
    spelling = Spelling(table, state, 0)
    spelling.take(table.id("pair"))
    assert str(spelling.action) == "pair tea victim=1"
    assert [table.names[id] for id in spelling.taken] == ["pair", "kind tea", "kind tea", "player 1"]
    assert spelling.ids == []


def test_ordered_answers_come_one_by_one_and_end_with_done(book: kernel.Rulebook) -> None:
    ways = all_spelt(at(book, "sort", ["tea", "tea", "milk"]))
    assert ways["choose none"] == ["done"]
    assert ways["choose tea"] == ["kind tea", "done"]
    assert ways["choose tea,milk,tea"] == ["kind tea", "kind milk", "kind tea"]
    assert ways["choose tea,tea"] == ["kind tea", "kind tea", "done"]


def test_bags_are_spelt_in_ascending_order_alone(book: kernel.Rulebook) -> None:
    ways = all_spelt(at(book, "some", ["tea", "tea", "milk"]))
    assert ways["choose milk,tea"] == ["kind milk", "kind tea"]
    assert ways["choose tea"] == ["kind tea", "done"]
    assert len(ways) == 4


def test_an_answer_of_no_things_is_done(book: kernel.Rulebook) -> None:
    assert all_spelt(at(book, "every", ["tea"])) == {"choose none": ["done"]}


def test_players_words_and_unseen_cards(book: kernel.Rulebook) -> None:
    assert all_spelt(at(book, "who", [])) == {"choose 1": ["player 1"], "choose 2": ["player 2"]}
    ways = all_spelt(at(book, "blind", ["tea", "milk", "milk"]))
    assert ways == {"choose tea": ["kind tea"], "choose random": ["random"]}


def test_what_the_table_has_no_word_for_is_told_apart_by_digits(book: kernel.Rulebook) -> None:
    table = ActionTable(book)
    assert table.numbers == 30
    ways = all_spelt(at(book, "bet", []))
    assert len(ways) == 900
    assert ways["choose 30"] == ["number 30"]
    assert ways["choose 31"] == ["other", "which 0", "which 0", "which 0"]
    assert ways["choose 48"] == ["other", "which 0", "which 1", "which 1"]
    assert ways["choose 900"] == ["other", "which 3", "which 6", "which 5"]
    words = all_spelt(at(book, "say", []))
    assert words["choose yes"] == ["word yes"]
    assert words["choose per haps"] == ["word per haps"]


def test_cards_of_one_kind_that_differ_are_told_apart_by_digits(book: kernel.Rulebook) -> None:
    state = at(book, "spoil", ["tea", "tea", "tea", "some"])
    if state.waiting.kind != "move":
        pytest.fail("the move should be over")
    ways = all_spelt(state)
    assert ways["toss tea#1"] == ["toss tea", "which 0"]
    assert ways["toss tea#2"] == ["toss tea", "which 1"]
    state.apply(0, "play some")
    passed(state)
    ways = all_spelt(state)
    assert ways["choose tea#2,tea#2"] == ["kind tea", "which 1", "kind tea"]


def test_actions_with_the_same_text_are_told_apart_by_digits(book: kernel.Rulebook) -> None:
    state = book.position(2, {"hand": {0: ["two"]}})
    table = ActionTable(book)
    found = spelt(table, state, 0)
    ways = [[table.names[id] for id in ids] for ids, a in found.items() if str(a) == "play two"]
    assert sorted(ways) == [["play two", "which 0"], ["play two", "which 1"]]


def test_a_card_played_as_another_says_as_which(book: kernel.Rulebook) -> None:
    ways = all_spelt(book.position(3, {"hand": {0: ["copy"]}, "discard": ["who", "name", "sort"]}))
    assert ways["play copy as=who"] == ["play copy", "kind who"]
    assert ways["play copy as=name victim=1 named=tea"] == ["play copy", "kind name", "player 1", "kind tea"]


def test_a_choice_with_nobody_to_choose_is_none(book: kernel.Rulebook) -> None:
    state = book.position(2, {"hand": {0: ["wake"]}})
    table = ActionTable(book)
    spelling = Spelling(table, state, 0)
    spelling.take(table.id("play wake"))
    assert [table.names[id] for id in spelling.taken] == ["play wake", "none"]
    assert str(spelling.action) == "play wake"


def test_the_same_rules_have_the_same_ids_and_the_compiled_form_is_enough(book: kernel.Rulebook) -> None:
    again = kernel.Rulebook.from_json(book.to_json())
    assert ActionTable(again).names == ActionTable(book).names
    assert len(set(ActionTable(book).names)) == len(ActionTable(book))


def test_an_id_that_cannot_come_next_is_refused_and_changes_nothing(book: kernel.Rulebook) -> None:
    table = ActionTable(book)
    spelling = Spelling(table, book.position(3, {"hand": {0: ["tea", "tea"]}}), 0)
    before = spelling.ids
    for wrong in (table.id("pass"), table.id("player 1")):
        with pytest.raises(kernel.IllegalAction, match="cannot come next"):
            spelling.take(wrong)
    for nonsense in (-1, len(table), True, None, "draw"):
        with pytest.raises(REFUSED) as refusal:
            spelling.take(nonsense)  # type: ignore[arg-type]
        assert COMPILED or isinstance(refusal.value, kernel.InvalidAction)
    with pytest.raises(kernel.InvalidAction, match="no word"):
        table.id("sing")
    assert (spelling.ids, spelling.taken) == (before, [])


def test_who_may_do_nothing_has_nothing_to_spell(book: kernel.Rulebook) -> None:
    spelling = Spelling(ActionTable(book), book.position(2, {"hand": {0: ["tea"]}}), 1)
    assert (spelling.ids, spelling.action) == ([], None)


def test_a_huge_answer_is_spelt_without_a_list_of_all(book: kernel.Rulebook) -> None:
    state = book.position(2, {"hand": {0: ["sort", *["tea", "milk", "rum", "who", "bet", "say"] * 12]}})
    state.apply(0, "play sort")
    passed(state)
    table = ActionTable(book)
    spelling = Spelling(table, state, 0)
    for _ in range(3):
        spelling.take(spelling.ids[-1])
    assert str(spelling.action).count(",") == 2
    assert spell(table, state, 0, spelling.action or "")


def test_sets_of_unlike_cards_are_spelt_without_a_list_of_all(book: kernel.Rulebook) -> None:
    kinds = ["tea", "milk", "rum", "sort", "some", "every", "bet", "say", "who", "blind", "name", "wake"]
    state = book.position(2, {"hand": {0: kinds * 2}})
    table = ActionTable(book)
    for ids in spelt_below(table, state, "three"):
        assert len(set(ids)) == len(ids)
    assert len(spelt_below(table, state, "three")) == 12 * 11 * 10 // 6
    assert len(spelt_below(table, state, "trio")) == 2 * 3 * 7  # one of each group, in the order of their kinds
    all_spelt(book.position(2, {"hand": {0: ["rum", "say", "tea", "who", "bet", "milk"]}}))
    spelling = Spelling(table, state, 0)
    spelling.take(table.id("three"))
    assert [table.names[id] for id in spelling.ids] == ["kind " + kind for kind in sorted(kinds)[:-2]]


def spelt_below(table: ActionTable, state: kernel.State, word: str) -> list[list[int]]:
    """All that a move's spelling can come to, with its words in full."""
    found: list[list[int]] = []
    texts: set[str] = set()
    todo = [[table.id(word)]]
    while todo:
        ids = todo.pop()
        spelling = Spelling(table, state, 0)
        for id in ids:
            spelling.take(id)
        if spelling.action is None:
            todo.extend([*ids, id] for id in spelling.ids)
        else:
            assert str(spelling.action).startswith(word)
            assert spell(table, state, 0, spelling.action) == ids
            found.append(spelling.taken)
            texts.add(str(spelling.action))
    assert len({tuple(ids) for ids in found}) == len(found) == len(texts)
    return found


@pytest.mark.parametrize(
    ("game", "packs", "options"),
    [
        ("kittens", ["base"], {"combos": "five_different", "hand_size": 10}),
        ("kittens", ["base", "zombie", "imploding", "streaking", "barking", "burglar"], {}),
        ("court", ["base"], {}),
    ],
)
@pytest.mark.parametrize("ask", ["all", "settled"])
def test_random_games_can_be_spelt(game: str, packs: list[str], options: dict[str, Any], ask: str) -> None:
    book = rulebook.load(game, packs=packs, options=options)
    table = ActionTable(book)
    chance = random.Random(3)
    longest = 0
    for seed in range(2):
        state = book.new(players=3, seed=seed, ask=ask)
        while not state.over:
            player = chance.choice(state.waiting.players)
            if chance.random() < 0.1 and len(state.legal(player)) < 60:
                all_spelt(state, player)
            spelling = Spelling(table, state, player)
            while spelling.action is None:
                spelling.take(chance.choice(spelling.ids))
            longest = max(longest, len(spelling.taken))
            state.apply(player, spelling.action)
    assert longest > 1
