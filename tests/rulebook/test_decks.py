"""Decks from deck files: what they make, how packs take them, where they are looked for, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import kernel
import rulebook
from rulebook.checking import check_paths
from rulebook.decks import read_deck
from rulebook.diagnostics import Diagnostic, Diagnostics
from rulebook.library import shipped
from tests.rulebook.packfiles import GAME, card, pack, write

UNO_LIKE = """\
deck: Four colours
id: colours
language: 1
fields: {colour: word, number: number, does: word}
parts:
  colour:
    r: {title: Red, colour: red}
    g: {title: Green, colour: green}
    b: {title: Blue, colour: blue}
    y: {title: Yellow, colour: yellow}
  count:
    1: {title: One, number: 1}
    2: {title: Two, number: 2}
    3: {title: Three, number: 3}
  action:
    skip: {title: Skip, does: skip}
    turn: {title: Turn round, does: turn}
cards:
  - {id: "{colour}0", title: "{colour} Zero", fields: {number: 0}}
  - {id: "{colour}{count}", title: "{colour} {count}", copies: 2}
  - {id: "{colour}_{action}", title: "{colour} {action}", copies: 2}
  - {id: wild, title: Wild, copies: 4}
"""
SPANISH = """\
deck: Spanish 40-card deck
id: spanish40
language: 1
fields: {rank: number, suit: word}
parts:
  suit:
    o: {title: Coins, suit: coins}
    c: {title: Cups, suit: cups}
    e: {title: Swords, suit: swords}
    b: {title: Clubs, suit: clubs}
  rank:
    1: {title: Ace, rank: 1}
    2: {title: Two, rank: 2}
    3: {title: Three, rank: 3}
    4: {title: Four, rank: 4}
    5: {title: Five, rank: 5}
    6: {title: Six, rank: 6}
    7: {title: Seven, rank: 7}
    10: {title: Jack, rank: 10}
    11: {title: Knight, rank: 11}
    12: {title: King, rank: 12}
cards:
  - {id: "{rank}{suit}", title: "{rank} of {suit}"}
"""
TINY = """\
deck: Tiny
id: tiny
language: 1
fields: {worth: number}
parts:
  rank:
    a: {title: Ace, worth: 1}
    b: {title: Two, worth: 2}
cards:
  - {id: "{rank}x", title: "{rank}"}
"""


def load(tmp_path: Path, takes: str, files: dict[str, str | bytes] | None = None, game: str = GAME) -> kernel.Rulebook:
    write(tmp_path / "mini", {"game.yaml": game, "base/pack.yaml": pack("base", takes), **(files or {})})
    return rulebook.load("mini", path=tmp_path / "mini")


def faults(tmp_path: Path, takes: str, files: dict[str, str | bytes] | None = None) -> list[Diagnostic]:
    root = write(tmp_path / "mini", {"game.yaml": GAME, "base/pack.yaml": pack("base", takes), **(files or {})})
    return check_paths([root]).diagnostics.sorted()


def fault(tmp_path: Path, takes: str, files: dict[str, str | bytes] | None = None) -> Diagnostic:
    found = faults(tmp_path, takes, files)
    assert len(found) == 1, [str(item) for item in found]
    return found[0]


def counts(book: kernel.Rulebook) -> dict[str, int]:
    return {id: count for id, count, _ in book.data["deck"]}


def kinds(book: kernel.Rulebook) -> dict[str, Any]:
    return {kind["id"]: kind for kind in book.data["kinds"]}


def test_the_standard_deck_has_every_rank_in_every_suit_once(tmp_path: Path) -> None:
    book = load(tmp_path, "decks: {standard52: 1}\n")
    assert sorted(counts(book)) == sorted(
        f"{rank}{suit}" for rank in "2 3 4 5 6 7 8 9 10 j q k a".split() for suit in "cdhs"
    )
    assert set(counts(book).values()) == {1}
    seven = kinds(book)["7h"]
    assert seven["title"] == "Seven of Hearts"
    assert seven["fields"] == {"rank": "7", "suit": "hearts", "colour": "red", "order": 7, "high": 7}
    assert kinds(book)["as"]["fields"]["order"] == 1
    assert kinds(book)["as"]["fields"]["high"] == 14
    assert seven["file"] == "decks/standard52.yaml"


def test_a_pack_takes_a_deck_without_some_cards(tmp_path: Path) -> None:
    book = load(tmp_path, 'decks: {standard52: {without: [qc, {rank: ["2", "3"], suit: hearts}, {suit: spades}]}}\n')
    assert len(counts(book)) == 52 - 1 - 2 - 13
    assert {"2c", "4h", "qd"} <= set(counts(book))
    assert not {"qc", "2h", "3h", "qs"} & set(counts(book))


def test_a_pack_takes_a_deck_several_times_and_tells_the_copies_apart_if_it_wants(tmp_path: Path) -> None:
    assert set(counts(load(tmp_path / "a", "decks: {standard52: 2}\n")).values()) == {2}
    book = load(tmp_path / "b", "decks: {standard52: {copies: {blue: 1, red: 1}, without: [qc]}}\n")
    assert [row for row in book.data["deck"] if row[0] == "7h"] == [["7h", 1, "blue"], ["7h", 1, "red"]]


def test_two_packs_may_take_the_same_deck(tmp_path: Path) -> None:
    root = write(
        tmp_path / "mini",
        {
            "game.yaml": GAME,
            "base/pack.yaml": pack("base", "decks: {standard52: 1}\n"),
            "more/pack.yaml": pack("more", "decks: {standard52: {without: [{colour: red}]}}\n"),
        },
    )
    assert check_paths([root]).diagnostics.items == []
    both = counts(rulebook.load("mini", packs=["base", "more"], path=root))
    assert (both["7h"], both["7s"]) == (1, 2)


def test_cards_of_a_pack_stand_beside_a_deck(tmp_path: Path) -> None:
    joker = card("joker", "fields: {rank: joker}\n")
    book = load(tmp_path, "decks: {standard52: 1}\ndeck: {joker: 2, 7h: 1}\n", {"base/joker.yaml": joker})
    assert (counts(book)["joker"], counts(book)["7h"], counts(book)["8h"]) == (2, 2, 1)


def test_other_decks_are_written_the_same_way(tmp_path: Path) -> None:
    book = load(tmp_path / "a", "decks: {colours: 1}\n", {"decks/colours.yaml": UNO_LIKE})
    assert counts(book)["r0"] == 1
    assert counts(book)["g3"] == counts(book)["b_skip"] == 2
    assert counts(book)["wild"] == 4
    assert kinds(book)["y_turn"]["title"] == "Yellow Turn round"
    assert kinds(book)["r0"]["fields"] == {"colour": "red", "number": 0}
    assert kinds(book)["wild"]["fields"] == {}
    book = load(tmp_path / "b", "decks: {spanish40: 1}\n", {"decks/spanish40.yaml": SPANISH})
    assert len(counts(book)) == 40
    assert kinds(book)["12o"]["title"] == "King of Coins"


def test_a_deck_is_looked_for_in_the_pack_the_game_and_beside_the_game(tmp_path: Path) -> None:
    def tiny(title: str) -> str:
        return TINY.replace('title: "{rank}"', f'title: "{title} {{rank}}"')

    files: dict[str, str | bytes] = {"../decks/tiny.yaml": tiny("Beside")}
    assert kinds(load(tmp_path, "decks: {tiny: 1}\n", files))["ax"]["title"] == "Beside Ace"
    files = {"decks/tiny.yaml": tiny("Game")}
    assert kinds(load(tmp_path, "decks: {tiny: 1}\n", files))["ax"]["title"] == "Game Ace"
    files = {"base/decks/tiny.yaml": tiny("Pack")}
    assert kinds(load(tmp_path, "decks: {tiny: 1}\n", files))["ax"]["title"] == "Pack Ace"


def test_nothing_outside_these_places_is_read(tmp_path: Path) -> None:
    assert fault(tmp_path / "a", "decks: {../../secret: 1}\n").code == "RB205"
    secret = tmp_path / "secret.yaml"
    secret.write_text(TINY.replace("id: tiny", "id: secret"), encoding="utf-8")
    (tmp_path / "b" / "mini" / "decks").mkdir(parents=True)
    (tmp_path / "b" / "mini" / "decks" / "secret.yaml").symlink_to(secret)
    assert {item.code for item in faults(tmp_path / "b", "decks: {secret: 1}\n")} == {"RB311"}


def test_a_changed_deck_is_noticed_by_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEBOOK_CACHE", str(tmp_path / "cache"))
    assert len(counts(load(tmp_path, "decks: {tiny: 1}\n", {"decks/tiny.yaml": TINY}))) == 2
    more = TINY.replace("cards:\n", "cards:\n  - {id: cx, title: Three}\n")
    assert len(counts(load(tmp_path, "decks: {tiny: 1}\n", {"decks/tiny.yaml": more}))) == 3
    only = TINY.replace("cards:\n", "cards:\n  - {id: dx, title: Four}\n  - {id: ex, title: Five}\n")
    assert len(counts(load(tmp_path, "decks: {tiny: 1}\n", {"base/decks/tiny.yaml": only}))) == 4


def test_cards_of_the_decks_of_packs_that_are_not_loaded_are_known(tmp_path: Path) -> None:
    """A condition may name a card that only another pack brings; a misspelt one is a fault."""
    game = GAME + "questions: {special: {about: {card: card}, answer: flag, default: 'id(card) == \"7h\"'}}\n"
    files: dict[str, str | bytes] = {
        "game.yaml": game,
        "base/pack.yaml": pack("base", "decks: {tiny: 1}\n"),
        "more/pack.yaml": pack("more", "decks: {standard52: 1}\n"),
        "decks/tiny.yaml": TINY,
    }
    root = write(tmp_path / "mini", files)
    assert check_paths([root]).diagnostics.items == []
    write(root, {"game.yaml": game.replace("7h", "77h")})
    assert check_paths([root]).diagnostics.errors


def test_parts_and_fields_that_no_card_has_are_warned_about(tmp_path: Path) -> None:
    unused = TINY.replace("parts:\n", "parts:\n  hue: {r: {title: Red}}\n").replace("number}", "number, up: flag}")
    found = faults(tmp_path, "decks: {tiny: 1}\n", {"decks/tiny.yaml": unused})
    assert [(item.code, item.severity, item.span.line if item.span else 0) for item in found] == [
        ("RB337", "warning", 4),
        ("RB337", "warning", 6),
    ]
    assert len(counts(rulebook.load("mini", path=tmp_path / "mini"))) == 2


@pytest.mark.parametrize(
    ("takes", "deck", "code", "line", "column", "words"),
    [
        ("decks: {tyni: 1}\n", TINY, "RB330", 6, 9, "no deck `tyni`"),
        ("decks: {tiny: 0}\n", TINY, "RB204", 6, 15, "from 1 up to 100"),
        ("decks: {tiny: {wihtout: [ax]}}\n", TINY, "RB200", 6, 16, "wihtout"),
        ("decks: {tiny: {without: [cx]}}\n", TINY, "RB335", 6, 26, "no card `cx`"),
        ("decks: {tiny: {without: [{wroth: 1}]}}\n", TINY, "RB335", 6, 27, "no field `wroth`"),
        ("decks: {tiny: {without: [{worth: 7}]}}\n", TINY, "RB335", 6, 34, "worth `7`"),
        ("decks: {tiny: 1}\n", TINY.replace("{rank}x", "{rnk}x"), "RB331", 10, 11, "no part `rnk`"),
        ("decks: {tiny: 1}\n", TINY.replace("{rank}x", "x"), "RB331", 10, 23, "which the id does not name"),
        ("decks: {tiny: 1}\n", TINY.replace("    a:", "    1:").replace("{rank}x", "{rank}"), "RB331", 10, 10, "`1`"),
        ("decks: {tiny: 1}\n", TINY + "  - {id: ax, title: Again}\n", "RB332", 11, 10, "`ax`"),
        ("decks: {tiny: 1}\n", TINY.replace("worth: 2", "wroth: 2"), "RB333", 8, 21, "no field `wroth`"),
        ("decks: {tiny: 1}\n", TINY.replace("worth: 2", "worth: two"), "RB333", 8, 28, "is a number"),
        (
            "decks: {tiny: 1}\n",
            TINY + "  - {id: '{rank}', title: X, fields: {worth: 1}}\n",
            "RB333",
            7,
            21,
            "said twice",
        ),
        ("decks: {tiny: 1}\n", TINY.replace("language: 1", "language: 9"), "RB312", 3, 11, "language 9"),
        ("decks: {tiny: 1}\n", TINY.replace("id: tiny", "id: other"), "RB310", 2, 5, "`other`"),
        ("decks: {tiny: 1}\n", TINY.replace("parts:", "prats:"), "RB200", 5, 1, "`prats`"),
    ],
)
def test_a_fault_is_named_with_its_place(
    tmp_path: Path, takes: str, deck: str, code: str, line: int, column: int, words: str
) -> None:
    found = [item for item in faults(tmp_path, takes, {"decks/tiny.yaml": deck}) if item.code == code]
    assert found, [str(item) for item in faults(tmp_path, takes, {"decks/tiny.yaml": deck})]
    assert found[0].span is not None
    assert (found[0].span.line, found[0].span.column) == (line, column)
    assert words in found[0].message
    with pytest.raises(rulebook.PackError):
        rulebook.load("mini", path=tmp_path / "mini")


def test_a_deck_that_would_make_too_many_cards_is_refused_before_it_makes_them(tmp_path: Path) -> None:
    members = "".join(f"    {n}: {{title: T{n}}}\n" for n in range(100))
    parts = "".join(f"  p{n}:\n{members}" for n in range(5))
    rule = "cards:\n  - {id: 'x{p0}{p1}{p2}{p3}{p4}', title: X}\n"
    text = f"deck: Big\nid: big\nlanguage: 1\nparts:\n{parts}{rule}"
    path = write(tmp_path, {"decks/big.yaml": text}) / "decks" / "big.yaml"
    found = Diagnostics()
    assert read_deck(path, found) is None
    assert [item.code for item in found] == ["RB334"]


def test_a_card_of_the_pack_cannot_be_one_of_its_deck(tmp_path: Path) -> None:
    found = fault(tmp_path, "decks: {tiny: 1}\n", {"decks/tiny.yaml": TINY, "base/ax.yaml": card("ax")})
    assert found.code == "RB309"


def test_deck_files_are_checked_although_no_pack_takes_them(tmp_path: Path) -> None:
    wrong = TINY.replace("worth: 2", "wroth: 2")
    write(tmp_path, {"decks/tiny.yaml": wrong, "mini/game.yaml": GAME, "mini/base/pack.yaml": pack("base")})
    for path in (tmp_path, tmp_path / "decks", tmp_path / "decks" / "tiny.yaml"):
        assert [item.code for item in check_paths([path]).diagnostics] == ["RB333"], path
    home = shipped()
    assert home is not None
    assert check_paths([home / "decks"]).diagnostics.items == []


PLAYING = GAME.replace("  box:", "  discard: {see: all, order: true}\n  box:") + (
    "announce: |\n  move cards to: discard\n"
    "moves:\n"
    "  play:\n"
    '    cards: {from: hand, count: 1, where: it.suit == "hearts" or it.rank == "8"}\n'
    "    choose:\n"
    '      suit: {from: \'["clubs", "spades"] where any(cards where it.rank == "8")\', or: none}\n'
    "    do: |\n      end_turn you\n"
)
PLAYING = PLAYING.replace(
    "  end_game winners: living\n", "  while not over_now:\n    offer turn_of\n    next_turn\n", 1
)
PLAYING = PLAYING.replace("zones:\n", "attributes: {game: {over_now: {type: flag, start: false}}}\nzones:\n", 1)


def test_a_move_called_play_plays_the_cards_of_a_deck(tmp_path: Path) -> None:
    book = load(tmp_path, "decks: {standard52: 1}\n", game=PLAYING)
    state = book.position(players=2, given={"hand": {0: ["7h", "8c", "10s", "qh"], 1: ["2h"]}, "turn": {"player": 0}})
    assert sorted(str(action) for action in state.legal(0)) == [
        "play 7h",
        "play 8c suit=clubs",
        "play 8c suit=spades",
        "play qh",
    ]
    state.apply(0, "play 8c suit=spades")
    assert state.view(1)["zones"]["discard"] == ["8c"]
    assert state.view(0)["zones"]["hand"]["0"] == ["10s", "7h", "qh"]


def test_a_move_called_play_and_a_card_that_is_played_are_too_much(tmp_path: Path) -> None:
    write(tmp_path / "mini", {"game.yaml": PLAYING, "base/pack.yaml": pack("base", "decks: {standard52: 1}\n")})
    write(tmp_path / "mini", {"base/boom.yaml": card("boom", "play: {at: turn, do: end_turn you}\n")})
    (found,) = check_paths([tmp_path / "mini"]).diagnostics
    assert found.code == "RB456"
    assert found.span is not None
    assert found.span.file.endswith("game.yaml")


def test_a_path_in_the_place_of_a_game_is_answered_with_how_paths_are_named(tmp_path: Path) -> None:
    with pytest.raises(rulebook.PackError) as caught:
        rulebook.load(str(tmp_path))
    assert caught.value.diagnostics[0].hint.endswith(f"`--path {tmp_path}`")
