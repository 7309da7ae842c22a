"""The walls of the project: layers, words, records that do not depend on the process, nothing of anybody's machine."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import rulebook
from rulebook.yamlread import Map, read

ROOT = Path(__file__).resolve().parent.parent
KERNEL = sorted((ROOT / "kernel").glob("*.py"))
TRACKED_ENDINGS = {".py", ".md", ".toml", ".yml", ".yaml", ".json", ".txt", ".cfg", ".lark", ""}

#: The kernel's own vocabulary, which games may use for names of their own as well.
OWN_WORDS = {
    "card",
    "cards",
    "draw",
    "face",
    "hand",
    "leave",
    "mark",
    "move",
    "play",
    "table",
    "turn",
    "zone",
    "give",
    "base",
}
OWN_WORDS |= {"pass", "take", "pairs", "taken", "deck", "choose", "picks", "rest", "action", "marks", "shuffle"}


def test_the_kernel_imports_only_the_standard_library_and_itself() -> None:
    allowed = set(sys.stdlib_module_names) | {"kernel"}
    for path in KERNEL:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        unrun: set[ast.AST] = set()  # what only the type checker reads may speak of its own number types
        for node in ast.walk(tree):
            if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
                unrun.update(node.body)
        for node in ast.walk(tree):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            for name in names:
                known = name.split(".")[0] in allowed or (name == "mypy_extensions" and node in unrun)
                assert known, f"{path.name} imports {name}"


def test_the_kernel_reads_no_clock_no_file_and_no_chance_of_others() -> None:
    forbidden = {"time", "datetime", "random", "secrets", "os", "pathlib", "io", "socket", "uuid"}
    for path in KERNEL:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                assert not forbidden & {alias.name.split(".")[0] for alias in node.names}, path.name
            elif isinstance(node, ast.ImportFrom):
                assert (node.module or "").split(".")[0] not in forbidden, path.name
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                allowed = {"exec"} if path.name == "weave.py" else set()  # what it runs it has written itself
                assert node.func.id not in {"print", "open", "input", "exec", "eval"} - allowed, path.name


def words_of_cards() -> set[str]:
    """Ids, titles, tags, zones, verbs, moves and questions of every shipped game."""
    words: set[str] = set()
    for game in sorted((ROOT / "cards").glob("*/game.yaml")):
        node = read(game)
        assert isinstance(node, Map)
        for key in ("zones", "verbs", "moves", "questions", "tags", "presets"):
            part = node.get(key)
            if isinstance(part, Map):
                words.update(part.entries)
        for card in game.parent.glob("*/*.yaml"):
            if card.name != "pack.yaml":
                words.add(card.stem)
        words.update(pack.parent.name for pack in game.parent.glob("*/pack.yaml"))
    return words


def test_no_word_of_a_game_stands_in_the_kernel() -> None:
    words = {word for word in words_of_cards() if word not in OWN_WORDS and len(word) > 3}
    assert {"draw_pile", "favor", "tacocat", "unstoppable"} <= words
    found = []
    for path in KERNEL:
        text = path.read_text(encoding="utf-8")
        for word in re.findall(r"[A-Za-z_]{4,}", text):
            if word in words or ("_" in word and word.lower() in words):
                found.append(f"{path.name}: {word}")
    assert sorted(set(found)) == []


def tracked() -> list[Path]:
    """Every text file that git tracks; all files below the root where there is no git."""
    try:
        listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split(
            "\n"
        )
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("a copy without git has no list of its files")
    return [ROOT / name for name in listed if name and (ROOT / name).suffix in TRACKED_ENDINGS]


def test_nothing_of_anybodys_machine_stands_in_the_project() -> None:
    hosts = re.compile(
        "|".join(["pythonhoste" + "d", "npmj" + r"s\.org", "py" + r"pi\.org", r"deb\.debia" + "n", r"/roo" + "t/"])
    )
    for path in tracked():
        if path.is_file() and path.stat().st_size < 1_000_000:
            assert not hosts.search(path.read_text(encoding="utf-8", errors="replace")), path


RECORD = """
import json, sys, kernel, rulebook
book = rulebook.load("kittens", packs=["base", "imploding", "streaking"])
for ask in ("all", "settled"):
    state = kernel.playout(book.new(players=3, seed=5, ask=ask), seed=6)
    print(json.dumps([state.history(), state.news(1), state.view(2), state.dump()], sort_keys=True))
print(book.digest, book.to_json())
"""


def test_two_hash_seeds_give_the_same_game_to_the_byte() -> None:
    outputs = []
    for seed in ("0", "4242"):
        env = {**os.environ, "PYTHONHASHSEED": seed, "RULEBOOK_CACHE": "off"}
        done = subprocess.run([sys.executable, "-c", RECORD], env=env, cwd=ROOT, capture_output=True, check=True)
        outputs.append(done.stdout)
    assert outputs[0] == outputs[1]
    assert len(outputs[0]) > 10_000


def test_the_kernel_alone_plays_a_built_game(tmp_path: Path) -> None:
    built = tmp_path / "base.json"
    built.write_text(rulebook.load("kittens").to_json(), encoding="utf-8")
    code = (
        "import sys, kernel; book = kernel.Rulebook.from_json(open(sys.argv[1], encoding='utf-8').read());"
        "print(kernel.playout(book.new(players=3, seed=1), seed=1).over);"
        "print(sorted({'yaml', 'lark', 'jsonschema', 'rulebook', 'click', 'rich'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(built)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split("\n")[:2] == ["True", "[]"]


def test_a_warm_start_imports_neither_yaml_nor_lark(tmp_path: Path) -> None:
    env = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    code = (
        "import sys, rulebook; rulebook.load('kittens');"
        "print(sorted({'yaml', 'lark', 'jsonschema'} & set(sys.modules)))"
    )
    subprocess.run([sys.executable, "-c", code], env=env, cwd=ROOT, capture_output=True, check=True)
    done = subprocess.run([sys.executable, "-c", code], env=env, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_pack_of_the_guide_works_as_it_is_written(tmp_path: Path) -> None:
    guide = (ROOT / "docs" / "cards.md").read_text(encoding="utf-8")
    pack, card, ruling = re.findall(r"```yaml\n(.*?)```", guide, re.DOTALL)
    folder = tmp_path / "lucky"
    (folder / "rulings").mkdir(parents=True)
    (folder / "pack.yaml").write_text(pack, encoding="utf-8")
    (folder / "lucky_cat.yaml").write_text(card, encoding="utf-8")
    (folder / "rulings" / "lucky_cat.yaml").write_text(ruling, encoding="utf-8")
    book = rulebook.load("kittens", packs=["base", "lucky"], path=folder)
    state = book.position(players=2, given={"hand": {0: ["lucky_cat"]}, "draw_pile": ["skip", "favor"]})
    state.apply(0, "play lucky_cat")
    while state.waiting.kind == "window":
        state.apply(state.waiting.players[0], "pass")
    assert state.view(0)["zones"]["draw_pile"] == ["skip", "unknown"]
    assert state.view(1)["zones"]["draw_pile"] == ["unknown", "unknown"]
