"""What the documentation shows is what there is: its files compile, its rulings hold, its tables name everything."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

import rulebook
from rulebook.cli import main
from rulebook.lang.functions import FUNCTIONS
from rulebook.lang.verbs import KERNEL_VERBS, PICK_LABELS
from rulebook.lang.world import KERNEL_EVENTS, KERNEL_QUESTIONS, NAMES
from rulebook.rulings.reading import read_file
from rulebook.schema_check import schema
from rulebook.yamlread import read, to_data

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"


def blocks(name: str, language: str = "yaml") -> list[str]:
    """The pieces of code in a page."""
    text = (DOCS / name).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def reference() -> str:
    return (DOCS / "language.md").read_text(encoding="utf-8")


def of_kind(key: str) -> list[str]:
    return [block for block in blocks("language.md") if block.startswith(f"{key}:")]


def test_the_files_of_the_reference_are_a_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (game,), cards, (pack,) = of_kind("game"), of_kind("card"), of_kind("pack")
    plain = 'card: {}\nid: {}\nplay: {{at: turn, do: end_turn you}}\nfields: {{suit: "none"}}\n'
    files = {
        "name/game.yaml": game,
        "name/base/pack.yaml": pack,
        "name/more/pack.yaml": 'pack: More\nid: more\nversion: "1.0"\nlanguage: 1\ngame: name\ndeck: {bomb: 3}\n',
        "name/base/skip.yaml": plain.format("Skip", "skip"),
        "name/more/bomb.yaml": plain.format("Bomb", "bomb"),
        **{f"name/base/{re.findall('^id: (.*?) *(?:#|$)', card, re.M)[0]}.yaml": card for card in cards},
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert main(["check", "name", "--strict"]) == 0, capsys.readouterr().out
    book = rulebook.load("name", path=tmp_path, packs=["base", "more"])
    state = book.new(players=3, seed=1, ask="settled")
    rng = random.Random(1)
    for _ in range(60):
        if state.over:
            break
        player = state.waiting.players[0]
        state.apply(player, rng.choice(list(state.legal(player))))
    assert not state.problems()


def test_every_key_of_the_schemas_stands_in_the_reference() -> None:
    text = reference()
    for kind in ("card", "game", "pack", "deck"):
        whole = schema(kind)
        for shape in (whole, *whole["$defs"].values()):
            for key in shape.get("properties", {}):
                if key not in ("about", "license", "authors", "source"):
                    assert re.search(rf"\b{key}\b", text), f"{kind}: {key}"


def test_every_verb_function_label_name_event_and_question_stands_in_the_reference() -> None:
    text = reference()
    words = [*KERNEL_VERBS, *PICK_LABELS, *KERNEL_EVENTS, *KERNEL_QUESTIONS]
    words += [label for verb in KERNEL_VERBS.values() for label in verb.labels]
    words += [name for name in NAMES if name not in ("winners", "over", "asked")]
    words += [f"{name}(" for name in FUNCTIONS]
    assert [word for word in words if not re.search(rf"(?<!\w){re.escape(word)}", text)] == []


def test_decks_and_moves_of_the_reference_have_their_shape(tmp_path: Path) -> None:
    (deck,) = of_kind("deck")
    path = tmp_path / "decks" / "standard52.yaml"
    path.parent.mkdir()
    path.write_text(deck, encoding="utf-8")
    from rulebook.decks import read_deck
    from rulebook.diagnostics import Diagnostics

    found = Diagnostics()
    made = read_deck(path, found)
    assert not found.items
    assert made is not None
    for block in of_kind("decks") + of_kind("moves"):
        assert block


def test_the_file_of_texts_is_one_of_the_kittens(tmp_path: Path) -> None:
    from rulebook.diagnostics import Diagnostics
    from rulebook.library import shipped
    from rulebook.translations import check

    (block,) = blocks("translations.md")
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "de.yaml").write_text(block, encoding="utf-8")
    root = shipped()
    assert root is not None
    found = Diagnostics()
    assert check(tmp_path, {}, {path.stem for path in (root / "kittens" / "base").glob("*.yaml")}, found) == 1
    assert not found.items


@pytest.mark.parametrize("page", ["rulings.md", "games.md", "cards.md"])
def test_rulings_that_a_page_shows_can_be_read(page: str, tmp_path: Path) -> None:
    from rulebook.diagnostics import Diagnostics

    found = Diagnostics()
    shown = [block for block in blocks(page) if re.search(r"^(?:rulings|given|sees|steps):", block, re.MULTILINE)]
    assert shown
    for number, block in enumerate(shown):
        whole = block
        if "rulings:" not in block:
            whole = "rulings:\n  - title: One\n    players: 4\n" + re.sub(r"^(?=.)", "    ", block, flags=re.MULTILINE)
        path = tmp_path / f"{number}.yaml"
        path.write_text(whole, encoding="utf-8")
        assert read_file(path, found).rulings, [str(item) for item in found]
    assert not found.errors


def test_rulings_of_the_guide_to_rulings_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    whole = [block for block in blocks("rulings.md") if "rulings:" in block]
    for number, block in enumerate(whole):
        (tmp_path / f"{number}.yaml").write_text(block, encoding="utf-8")
    assert main(["test", "."]) == 0, capsys.readouterr().out


def test_every_key_and_step_of_rulings_stands_in_the_guide() -> None:
    text = (DOCS / "rulings.md").read_text(encoding="utf-8")
    shapes = schema("rulings")["$defs"]
    keys = [*shapes["ruling"]["properties"], *shapes["given"]["properties"], *shapes["step"]["else"]["properties"]]
    assert [key for key in keys if not re.search(rf"\b{key}\b", text)] == []
    required = shapes["ruling"]["required"]
    table = dict(re.findall(r"^\| `(\w+)`[^|]*\|[^|]*\| ([^|]*) \|$", text, re.MULTILINE))
    assert [key for key, left_out in table.items() if left_out == "required"] == required
    read_data = [to_data(read(block)) for block in blocks("rulings.md")]
    assert read_data
