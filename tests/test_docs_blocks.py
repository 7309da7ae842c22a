"""All code in the documentation works: Python is executed, whatever claims to be a file compiles.

Blocks with prompts (`>>>`) are doctests, which pytest runs as it meets the pages; all others run here.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from rulebook.checking import check_paths
from rulebook.cli import main
from rulebook.rulings.homes import FOLDER
from rulebook.yamlread import Map, read

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.DOTALL | re.MULTILINE)
#: Pages whose blocks have tests of their own: they need libraries that may not be there, or belong together.
ELSEWHERE = {"adapters.md", "language.md", "rulings.md", "games.md"}
#: The first key of a block that is a whole file.
FILES = {"game", "card", "mark", "pack", "deck"}


def blocks(language: str) -> list[tuple[Path, int, str]]:
    """The blocks of a language: page, line, text."""
    found = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for match in BLOCK.finditer(text):
            if match[1] == language:
                found.append((page, text.count("\n", 0, match.start()) + 1, match[2]))
    return found


def names(items: list[tuple[Path, int, str]]) -> list[object]:
    return [pytest.param(*item, id=f"{item[0].name}:{item[1]}") for item in items]


SCRIPTS = [item for item in blocks("python") if ">>>" not in item[2] and item[0].name not in ELSEWHERE]
YAML = [item for item in blocks("yaml") if item[0].name not in ELSEWHERE]


def test_there_is_code_to_run_and_doctests_see_every_page() -> None:
    prompts = [page for page, _, text in blocks("python") if ">>>" in text]
    assert len(prompts) >= 8
    configured = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert '"--doctest-glob=*.md"' in configured
    assert all(f'"{part}"' in configured for part in ("README.md", "docs"))  # of testpaths


def test_no_python_hides_in_a_block_of_another_name() -> None:
    for language in ("", "text", "pycon"):
        for page, line, text in blocks(language):
            assert ">>> " not in text, f"{page.name}:{line}: write ```python, so that it is coloured and run"


@pytest.mark.parametrize(("page", "line", "text"), names(SCRIPTS))
def test_python_without_prompts_runs(page: Path, line: int, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    exec(compile("\n" * line + text, str(page), "exec"), {"__name__": "__main__"})


@pytest.mark.parametrize(("page", "line", "text"), names(YAML))
def test_yaml_is_yaml_and_files_are_known_as_such(page: Path, line: int, text: str) -> None:
    node = read(text)
    assert isinstance(node, Map), f"{page.name}:{line}"


def test_the_card_of_the_readme_compiles_in_the_place_of_the_shipped_one(tmp_path: Path) -> None:
    (card,) = [text for page, _, text in YAML if page.name == "README.md"]
    assert card.startswith("card: ")
    game = tmp_path / "kittens"
    shutil.copytree(ROOT / "cards" / "kittens", game, ignore=shutil.ignore_patterns(FOLDER))
    id = re.findall(r"^id: (\w+)", card, re.MULTILINE)[0]
    (target,) = game.glob(f"*/{id}.yaml")
    target.write_text(card, encoding="utf-8")
    assert [str(item) for item in check_paths([game / "base"]).diagnostics.errors] == []


def test_the_pack_of_the_guide_to_cards_checks_and_its_rulings_hold(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = [text for page, _, text in YAML if page.name == "cards.md"]
    (pack,) = [text for text in shown if text.startswith("pack:")]
    cards = [text for text in shown if text.startswith(("card:", "mark:"))]
    rulings = [text for text in shown if "rulings:" in text]
    assert cards
    assert rulings
    folder = tmp_path / re.findall(r"^id: (\w+)", pack, re.MULTILINE)[0]
    (folder / "rulings").mkdir(parents=True)
    (folder / "pack.yaml").write_text(pack, encoding="utf-8")
    for card in cards:
        (folder / f"{re.findall('^id: ([a-z_]+)', card, re.MULTILINE)[0]}.yaml").write_text(card, encoding="utf-8")
    for number, text in enumerate(rulings):
        (folder / "rulings" / f"shown_{number}.yaml").write_text(text, encoding="utf-8")
    assert main(["check", str(folder), "--strict"]) == 0, capsys.readouterr().out
    assert main(["test", str(folder)]) == 0, capsys.readouterr().out


def test_every_whole_file_that_a_page_shows_is_compiled_by_some_test() -> None:
    """A page that begins to show files is named in one of the tests: here, or where `ELSEWHERE` says."""
    shown = {page.name for page, _, text in blocks("yaml") if text.partition(":")[0] in FILES}
    assert shown <= {"README.md", "cards.md"} | ELSEWHERE
