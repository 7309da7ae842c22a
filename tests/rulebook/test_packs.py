"""Finding games and packs and putting them together: what is there, what is missing, and what is told about it."""

from __future__ import annotations

import importlib.metadata
import os
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import rulebook
from rulebook.diagnostics import Diagnostic, Diagnostics
from rulebook.graph import Manifest, circles, in_order, parse_need, version_key
from rulebook.library import open_library, shipped
from rulebook.packs import GameSource
from rulebook.resolve import gather, open_shelf
from rulebook.yamlread import Map, read
from tests.rulebook.packfiles import GAME, card, mini, pack, write


def load(
    path: Path,
    packs: list[str] | str | None = None,
    preset: str | None = None,
    options: Mapping[str, Any] | None = None,
    game: str | None = None,
) -> tuple[GameSource | None, list[Diagnostic]]:
    diagnostics = Diagnostics()
    library = open_library(path, diagnostics)
    shelf = open_shelf(library, game, diagnostics) if not diagnostics.errors else None
    source = gather(shelf, diagnostics, packs, preset, options) if shelf is not None else None
    return source, diagnostics.sorted()


def loaded(path: Path, packs: list[str] | str | None = None, **rest: object) -> GameSource:
    source, found = load(path, packs, **rest)  # type: ignore[arg-type]
    assert found == []
    assert source is not None
    return source


def fault(path: Path, packs: list[str] | None = None, **rest: object) -> Diagnostic:
    _, found = load(path, packs, **rest)  # type: ignore[arg-type]
    assert len(found) == 1, [str(item) for item in found]
    return found[0]


# Where games and packs are ------------------------------------------------------------------------


def test_games_come_with_the_package() -> None:
    root = shipped()
    assert root is not None
    assert (root / "kittens").is_dir()


def test_a_path_can_be_a_game_a_pack_or_a_folder_of_games(tmp_path: Path) -> None:
    root = mini(tmp_path)
    for path in (root, root / "base", root / "game.yaml", root / "base" / "pack.yaml"):
        assert loaded(path).id == "mini"
    assert loaded(tmp_path, game="mini").id == "mini"
    assert loaded(root, game="kittens").id == "mini", "the default name gives way to a path that is a game"


def test_a_path_may_be_relative(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = mini(tmp_path, {"base/pack.yaml": pack("base"), "base/boom.yaml": card("boom")})
    monkeypatch.chdir(root)
    assert loaded(Path(".")).packs[0].cards["boom"].file == "base/boom.yaml"
    monkeypatch.chdir(root / "base")
    source = loaded(Path("."))
    assert source.packs[0].cards["boom"].file == "boom.yaml"
    assert source.names() == {source.file: "mini/game.yaml", "boom.yaml": "mini/base/boom.yaml"}


def test_a_pack_by_path_is_played_beside_the_default_packs(tmp_path: Path) -> None:
    mini(tmp_path)
    root = write(tmp_path / "mini", {"more/pack.yaml": pack("more")})
    assert [item.id for item in loaded(root / "more").packs] == ["base", "more"]


def test_a_main_deck_by_path_is_played_alone_with_what_it_needs(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "base/pack.yaml": pack("base", "main: true\n"),
        "big/pack.yaml": pack("big", "main: true\nneeds: [extra]\n"),
        "extra/pack.yaml": pack("extra"),
    }
    assert [item.id for item in loaded(mini(tmp_path, files) / "big").packs] == ["extra", "big"]


def test_a_pack_elsewhere_names_its_game(tmp_path: Path) -> None:
    games = tmp_path / "games"
    mini(games)
    outside = write(tmp_path / "mine", {"pack.yaml": pack("mine"), "boom.yaml": card("boom")})
    found = fault(outside)
    assert (found.code, "`mini`" in found.message) == ("RB301", True)
    os.rename(outside, games / "mini" / "mine")
    assert "boom" in loaded(games / "mini" / "mine").packs[1].cards


def test_paths_that_lead_nowhere(tmp_path: Path) -> None:
    assert fault(tmp_path / "none").code == "RB313"
    assert fault(tmp_path).code == "RB314"
    assert fault(Path("a\0b")).code == "RB313"


def test_packs_of_other_distributions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = mini(tmp_path)
    place = write(tmp_path / "site" / "mine", {"pack.yaml": pack("mine"), "__init__.py": ""})
    module = ModuleType("mine")
    module.__file__ = str(place / "__init__.py")

    class Point:
        group = "rulebook.packs"
        value = "mine"

        def __init__(self, name: str, thing: object) -> None:
            self.name, self.thing = name, thing

        def load(self) -> object:
            if isinstance(self.thing, Exception):
                raise self.thing
            return self.thing

    def publish(*things: tuple[str, object]) -> None:
        points = [Point(name, thing) for name, thing in things]
        monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: points if group == Point.group else [])

    for thing in (module, str(place), place, lambda: place):
        publish(("mine", thing))
        assert [item.id for item in loaded(root, ["base", "mine"]).packs] == ["base", "mine"]
    for broken in (RuntimeError("no"), 7, tmp_path):
        publish(("mine", broken))
        _, found = load(root, ["base", "mine"])
        assert {item.code for item in found} == {"RB320", "RB302"}


def test_a_pack_that_nobody_asked_for_is_not_looked_for_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: pytest.fail("looked at entry points"))
    assert loaded(mini(tmp_path)).id == "mini"


# Names that nothing has ---------------------------------------------------------------------------

OPTIONS = (
    "options:\n  hand_size: {type: number, min: 1, max: 20, default: 7}\n"
    "  wild: {type: flag, default: false}\n  combos: {type: word, values: [none, cats], default: cats}\n"
    "presets:\n  quick: {packs: [base, more], options: {hand_size: 3}}\n"
)


def test_unknown_names_are_told_with_what_there_is(tmp_path: Path) -> None:
    root = mini(tmp_path, game=GAME + OPTIONS)
    found = fault(tmp_path, game="mni")
    assert (found.code, found.hint.split("?")[0]) == ("RB301", "did you mean `mini`")
    found = fault(root, ["bse"])
    assert (found.code, found.hint) == ("RB302", "did you mean `base`? there are: `base`")
    found = fault(root, preset="quikc", packs=["base"])
    assert (found.code, found.hint) == ("RB303", "did you mean `quick`? there are: `quick`")
    found = fault(root, options={"handsize": 3})
    assert (found.code, "did you mean `hand_size`?" in found.hint) == ("RB304", True)
    found = fault(root, ["../../etc"])
    assert found.code == "RB302"


def test_a_pack_named_in_a_file_and_not_there_is_told_with_its_place(tmp_path: Path) -> None:
    found = fault(mini(tmp_path, {"other/pack.yaml": pack("other")}))
    assert found.code == "RB302"
    assert found.span is not None
    assert (found.span.line, found.span.column) == (6, 9)


def test_packs_that_are_named_twice_or_not_at_all(tmp_path: Path) -> None:
    root = mini(tmp_path, {"base/pack.yaml": pack("base"), "more/pack.yaml": pack("more")})
    assert fault(root, ["base", "base"]).code == "RB319"
    assert fault(root, []).code == "RB318"
    (root / "game.yaml").write_text(GAME.replace("packs: [base]\n", ""))
    assert fault(root).code == "RB318"


def test_the_only_pack_of_a_game_need_not_be_named(tmp_path: Path) -> None:
    root = mini(tmp_path, game=GAME.replace("packs: [base]\n", ""))
    assert [item.id for item in loaded(root).packs] == ["base"]


def test_packs_may_be_given_as_one_text(tmp_path: Path) -> None:
    root = mini(tmp_path, {"base/pack.yaml": pack("base"), "more/pack.yaml": pack("more")})
    assert [item.id for item in loaded(root, "more, base").packs] == ["base", "more"]


# Options and facts --------------------------------------------------------------------------------


def test_who_is_heard_on_options(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "base/pack.yaml": pack("base"),
        "more/pack.yaml": pack("more", "needs: [base]\noptions: {hand_size: 5, wild: true}\n"),
    }
    root = mini(tmp_path, files, game=GAME + OPTIONS)
    default = {"hand_size": 7, "wild": False, "combos": "cats"}
    assert loaded(root).options == default
    assert loaded(root, ["base", "more"]).options == {**default, "hand_size": 5, "wild": True}
    assert loaded(root, preset="quick").options == {**default, "hand_size": 3, "wild": True}
    source = loaded(root, preset="quick", options={"hand_size": 9})
    assert (source.options["hand_size"], source.preset) == (9, "quick")
    assert [item.id for item in loaded(root, ["base"], preset="quick").packs] == ["base"]


def test_of_two_packs_the_later_one_is_heard(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "base/pack.yaml": pack("base"),
        "a/pack.yaml": pack("a", "options: {hand_size: 1}\n"),
        "b/pack.yaml": pack("b", "options: {hand_size: 2}\n"),
        "c/pack.yaml": pack("c", "needs: [b]\noptions: {hand_size: 3}\n"),
    }
    root = mini(tmp_path, files, game=GAME + OPTIONS)
    assert loaded(root, ["base", "a", "b"]).options["hand_size"] == 2
    assert loaded(root, ["base", "b", "a"]).options["hand_size"] == 1
    assert loaded(root, ["c", "b", "base"]).options["hand_size"] == 3, "what needs another pack comes after it"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"hand_size": 0}, "from 1 to 20"),
        ({"hand_size": 21}, "from 1 to 20"),
        ({"hand_size": "7"}, "must be a number"),
        ({"hand_size": True}, "must be a number"),
        ({"wild": 1}, "true or false"),
        ({"wild": "true"}, "true or false"),
        ({"combos": "dogs"}, "one of `none`, `cats`"),
        ({"combos": 3}, "a word"),
    ],
)
def test_options_have_types_and_limits(tmp_path: Path, options: dict[str, int | bool | str], words: str) -> None:
    found = fault(mini(tmp_path, game=GAME + OPTIONS), options=options)
    assert (found.code, words in found.message) == ("RB305", True), found.message


LISTS = """
options:
  market: {type: kinds, min: 1, max: 2, default: [attack]}
  moods: {type: words, values: [calm, wild], default: []}
  steps: {type: numbers, default: [1, 2]}
"""


def with_lists(tmp_path: Path) -> Path:
    """A game whose options are lists, with two cards."""
    files: dict[str, str | bytes] = {
        "base/pack.yaml": pack("base", "options: {market: [skip]}\n"),
        "base/attack.yaml": card("attack"),
        "base/skip.yaml": card("skip"),
    }
    return mini(tmp_path, files, game=GAME + LISTS)


def test_options_can_be_lists(tmp_path: Path) -> None:
    root = with_lists(tmp_path)
    assert loaded(root).options == {"market": ("skip",), "moods": (), "steps": (1, 2)}
    given = {"market": "attack, skip", "moods": ["wild"], "steps": "3,-1"}
    expected = {"market": ("attack", "skip"), "moods": ("wild",), "steps": (3, -1)}
    assert loaded(root, options=given).options == expected, "a text is taken apart at its commas"
    assert loaded(root, options={"steps": 5, "moods": ""}).options["steps"] == (5,)
    book = rulebook.load(path=str(root), options=given)
    assert dict(book.options) == {"market": ["attack", "skip"], "moods": ["wild"], "steps": [3, -1]}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"market": []}, "it must list 1 to 2"),
        ({"market": "attack,attack"}, "`attack` stands in it twice"),
        ({"market": True}, "a list of ids of cards"),
        ({"moods": "calm,sad"}, "each is one of `calm`, `wild`"),
        ({"moods": [1]}, "a list of words"),
        ({"steps": "1,two"}, "a list of numbers"),
    ],
)
def test_options_that_are_lists_have_limits_too(tmp_path: Path, options: dict[str, Any], words: str) -> None:
    found = fault(with_lists(tmp_path), options=options)
    assert (found.code, words in found.message) == ("RB305", True), found.message


def test_an_option_lists_only_cards_that_there_are(tmp_path: Path) -> None:
    root = with_lists(tmp_path)
    with pytest.raises(rulebook.PackError) as raised:
        rulebook.load(path=str(root), options={"market": "atack"})
    (found,) = raised.value.diagnostics
    assert (found.code, found.hint) == ("RB416", "did you mean `attack`?")
    assert '`market` lists "atack"' in found.message
    game = (GAME + LISTS).replace("[attack]", "[atack]")
    files: dict[str, str | bytes] = {"base/pack.yaml": pack("base"), "base/attack.yaml": card("attack")}
    other = mini(tmp_path / "other", files, game=game)
    with pytest.raises(rulebook.PackError) as raised:
        rulebook.load(path=str(other))
    (found,) = raised.value.diagnostics
    assert found.span is not None
    assert (Path(found.span.file).name, found.span.line) == ("game.yaml", game[: game.index("[atack]")].count("\n") + 1)


def test_values_in_files_are_told_with_their_place(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "base/pack.yaml": pack("base", "options: {hand_size: 99, wlid: true}\nfacts: {spare: 1, spares: no}\n")
    }
    game = GAME + OPTIONS.replace("default: 7", "default: 99") + "facts: {spares: {type: number, default: 9}}\n"
    _, found = load(mini(tmp_path, files, game=game))
    places = [
        (item.code, item.span and (Path(item.span.file).name, item.span.line, item.span.column)) for item in found
    ]
    assert places == [
        ("RB305", ("pack.yaml", 6, 22)),
        ("RB304", ("pack.yaml", 6, 26)),
        ("RB315", ("pack.yaml", 7, 9)),
        ("RB315", ("pack.yaml", 7, 27)),
        ("RB305", ("game.yaml", 13, 55)),
    ]


@pytest.mark.parametrize(
    ("fact", "values", "joined"),
    [
        ("{type: number, default: 99, join: max}", [], 99),
        ("{type: number, default: 99, join: max}", ["2", "5"], 5),
        ("{type: number, default: 0, join: min}", ["2", "5"], 2),
        ("{type: number, default: 9, join: sum}", ["2", "5"], 7),
        ("{type: number, default: 9}", ["2", "5"], 2),
        ("{type: flag, default: false}", ["false", "true"], True),
        ("{type: flag, default: true, join: all}", ["false", "true"], False),
        ("{type: word, default: old}", ["one", "two"], "one"),
    ],
)
def test_facts_are_joined(tmp_path: Path, fact: str, values: list[str], joined: object) -> None:
    files: dict[str, str | bytes] = {"base/pack.yaml": pack("base")}
    names = ["base"]
    for number, value in enumerate(values):
        names.append(f"p{number}")
        files[f"p{number}/pack.yaml"] = pack(f"p{number}", f"facts: {{it: {value}}}\n")
    root = mini(tmp_path, files, game=GAME + f"facts: {{it: {fact}}}\n")
    assert loaded(root, names).facts == {"it": joined}
    assert loaded(root, names[::-1]).facts == {"it": joined}, "the order in which packs are named does not matter"


# What packs need ----------------------------------------------------------------------------------


def test_circles_missing_packs_and_versions_are_told_in_one_run(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "a/pack.yaml": pack("a", "needs: [b]\n"),
        "b/pack.yaml": pack("b", "needs: [c]\n"),
        "c/pack.yaml": pack("c", "needs: [a]\n"),
        "d/pack.yaml": pack("d", "needs: [e]\n"),
        "f/pack.yaml": pack("f", 'needs: ["b >= 2"]\n'),
    }
    _, found = load(mini(tmp_path, files), ["a", "b", "c", "d", "f"])
    messages = {item.code: item.message for item in found}
    assert len(found) == 3
    assert messages["RB308"].endswith("a -> b -> c -> a")
    assert messages["RB306"] == "d needs e (not found in: a, b, c, d, f)"
    assert messages["RB307"] == "f needs b >= 2, found 1.0"


def test_what_is_needed_has_to_be_in_play(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "base/pack.yaml": pack("base"),
        "more/pack.yaml": pack("more", "needs: [base >= 1.0]\n"),
    }
    found = fault(mini(tmp_path, files), ["more"])
    assert found.code == "RB306"
    assert "base,more" in found.hint


def test_what_is_used_brings_its_cards_and_nothing_else(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "base/pack.yaml": pack("base", "deck: {boom: 4}\noptions: {hand_size: 2}\nfacts: {it: 5}\n"),
        "base/boom.yaml": card("boom"),
        "big/pack.yaml": pack("big", "uses: [base]\ndeck: {boom: 9}\n"),
    }
    root = mini(tmp_path, files, game=GAME + OPTIONS + "facts: {it: {type: number, default: 1}}\n")
    source = loaded(root, ["big"])
    assert [(item.id, item.in_play) for item in source.packs] == [("base", False), ("big", True)]
    assert list(source.packs[0].cards) == ["boom"]
    assert (source.options["hand_size"], source.facts) == (7, {"it": 1})


def test_the_order_of_packs_is_that_of_what_they_need(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "base/pack.yaml": pack("base", "needs: [zoo]\n"),
        "zoo/pack.yaml": pack("zoo"),
        "b/pack.yaml": pack("b"),
    }
    root = mini(tmp_path, files)
    for names in (["base", "zoo", "b"], ["b", "zoo", "base"]):
        assert [item.id for item in loaded(root, names).packs] == ["b", "zoo", "base"]


def test_versions_are_compared_as_numbers() -> None:
    assert version_key("1.10") > version_key("1.9")
    assert version_key("1.0") == version_key("1")
    node = read("a: 1\n")
    need = parse_need("base >= 1.2, < 2", node.span)
    assert (need.pack, [need.fits(text) for text in ("1.1", "1.2", "1.10", "2.0")]) == (
        "base",
        [False, True, True, False],
    )
    assert str(need) == "base >= 1.2, < 2"
    assert parse_need("base", node.span).fits("0")


def manifests(**needs: str) -> dict[str, Manifest]:
    found = {}
    for name, listed in needs.items():
        node = read(pack(name, f"needs: [{listed}]\n"))
        assert isinstance(node, Map)
        found[name] = Manifest(name, Path(name), node)
    return found


def test_every_circle_is_told_once() -> None:
    assert circles(manifests(a="b", b="a, c", c="d", d="c", e="e")) == [["a", "b", "a"], ["c", "d", "c"], ["e", "e"]]
    assert circles(manifests(a="b, c", b="d", c="d", d="")) == []


def test_long_chains_of_packs_do_no_harm() -> None:
    chain = manifests(**{f"p{n:04}": f"p{n + 1:04}" for n in range(1500)}, p1500="")
    assert circles(chain) == []
    assert in_order(chain)[0] == "p1500"


def test_one_of_the_packs_can_be_the_main_deck(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"base/pack.yaml": pack("base", "main: true\n"), "more/pack.yaml": pack("more")}
    root = mini(tmp_path, files)
    found = fault(root, ["more"])
    assert (found.code, "`base`" in found.hint) == ("RB317", True)
    assert loaded(root, ["base", "more"]).packs


# Files that are wrong -----------------------------------------------------------------------------


def test_a_card_is_defined_once(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "base/pack.yaml": pack("base"),
        "base/boom.yaml": card("boom"),
        "more/pack.yaml": pack("more"),
        "more/boom.yaml": card("boom"),
    }
    found = fault(mini(tmp_path, files), ["more", "base"])
    assert found.code == "RB309"
    assert "base/boom.yaml" in found.message
    assert "more/boom.yaml" in found.message
    assert found.span is not None
    assert found.related[0][1].file != found.span.file


def test_names_of_files_and_folders_are_ids(tmp_path: Path) -> None:
    root = mini(tmp_path, {"base/pack.yaml": pack("base"), "base/boom.yaml": card("bang")})
    found = fault(root)
    assert (found.code, found.span and (found.span.line, found.span.column)) == ("RB310", (2, 5))
    assert "`id: boom`" in found.hint
    (root / "base" / "boom.yaml").unlink()
    (root / "base" / "pack.yaml").write_text(pack("basis"))
    assert fault(root).code == "RB310"


def test_a_newer_language_is_refused_for_that_alone(tmp_path: Path) -> None:
    text = pack("base", "brand_new_key: 1\n").replace("language: 1", "language: 7")
    found = fault(mini(tmp_path, {"base/pack.yaml": text}))
    assert found.code == "RB312"
    assert "language 7" in found.message
    assert "language 1" in found.message
    root = mini(tmp_path, game=GAME.replace("language: 1", "language: 2"))
    (root / "base" / "pack.yaml").write_text(pack("base"))
    assert fault(root).code == "RB312"


def test_a_pack_of_another_game_is_refused(tmp_path: Path) -> None:
    found = fault(mini(tmp_path, {"base/pack.yaml": pack("base").replace("game: mini", "game: chess")}))
    assert (found.code, found.span and found.span.line) == ("RB316", 5)
    root = mini(tmp_path)
    (root / "base" / "pack.yaml").write_text(pack("base"))
    assert fault(root, game="chess").code == "RB316"


def test_three_broken_cards_of_sixty_are_told_in_one_run(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"base/pack.yaml": pack("base")}
    files |= {f"base/card{n}.yaml": card(f"card{n}", "tags: []\n") for n in range(60)}
    files["base/card12.yaml"] = "card: [\n"
    files["base/card30.yaml"] = card("card30", "conditon: x\n")
    files["base/card57.yaml"] = b"card: caf\xe9\n"
    source, found = load(mini(tmp_path, files))
    assert [(item.code, item.span and Path(item.span.file).name) for item in found] == [
        ("RB106", "card12.yaml"),
        ("RB200", "card30.yaml"),
        ("RB102", "card57.yaml"),
    ]
    assert source is not None, "the other cards are still there to be checked"
    assert source.broken
    assert len(source.packs[0].cards) == 60


def test_files_that_look_like_cards_and_are_not_read_are_told(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "base/pack.yaml": pack("base"),
        "base/boom.yml": card("boom"),
        "base/.hidden.yaml": "]",
        "base/README.md": "]",
        "base/rulings/a.yaml": "]",
    }
    found = fault(mini(tmp_path, files))
    assert (found.code, found.severity) == ("RB323", "warning")
    assert "boom.yaml" in found.hint


@pytest.mark.parametrize("what", ["card", "manifest", "pack"])
def test_links_out_of_a_folder_are_not_followed(tmp_path: Path, what: str) -> None:
    secret = write(tmp_path / "secret", {"boom.yaml": "secret: 1\n", "pack.yaml": "secret: 1\n"})
    root = mini(tmp_path, {"base/pack.yaml": pack("base")})
    if what == "card":
        (root / "base" / "boom.yaml").symlink_to(secret / "boom.yaml")
        found = fault(root)
    elif what == "manifest":
        (root / "base" / "pack.yaml").unlink()
        (root / "base" / "pack.yaml").symlink_to(secret / "pack.yaml")
        found = fault(root)
    else:
        (root / "more").symlink_to(secret)
        found = fault(root, ["base", "more"])
    assert found.code == "RB311"
    assert "secret: 1" not in found.message


def test_a_link_that_leads_nowhere_or_to_itself_is_told(tmp_path: Path) -> None:
    root = mini(tmp_path)
    (root / "base" / "boom.yaml").symlink_to(root / "base" / "boom.yaml")
    (root / "base" / "none.yaml").symlink_to(root / "base" / "nothing.yaml")
    _, found = load(root)
    assert {item.code for item in found} <= {"RB100", "RB311"}
    assert len(found) == 2
