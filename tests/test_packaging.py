"""What is handed out: the wheel with its cards, and a README that shows what is really there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built without a network from a copy of the sources, since setuptools leaves things beside them."""
    source = tmp_path_factory.mktemp("source")
    for name in ("kernel", "rulebook", "cards"):
        for path in (ROOT / name).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                target = source / path.relative_to(ROOT)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(path.read_bytes())
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        (source / name).write_bytes((ROOT / name).read_bytes())
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--no-index", "-q"]
    subprocess.run([*command, "--wheel-dir", str(out), str(source)], check=True)
    (built,) = out.glob("*.whl")
    return built


def test_the_wheel_holds_all_that_is_needed_and_nothing_else(wheel: Path) -> None:
    inside = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    cards = {
        f"rulebook/_cards/{path.relative_to(ROOT / 'cards').as_posix()}" for path in (ROOT / "cards").rglob("*.yaml")
    }
    code = {
        path.relative_to(ROOT).as_posix()
        for package in ("kernel", "rulebook")
        for path in (ROOT / package).rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    assert inside == cards | code
    assert "rulebook/_cards/kittens/base/favor.yaml" in inside


@pytest.mark.slow
def test_an_installed_rulebook_finds_its_cards_and_does_without_the_sources(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    env = {**os.environ, "PYTHONPATH": str(tmp_path / "site"), "RULEBOOK_CACHE": "off"}

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, *arguments]
        return subprocess.run(command, env=env, cwd=tmp_path, capture_output=True, text=True, stdin=subprocess.DEVNULL)

    where = run("-c", "import rulebook; print(rulebook.__file__); print(rulebook.load().title)")
    assert where.stdout.splitlines() == [str(tmp_path / "site" / "rulebook" / "__init__.py"), "Exploding Kittens"]
    docs = run("-m", "rulebook", "docs", "--out", str(tmp_path / "out"))
    assert docs.returncode == 0, docs.stderr
    assert (tmp_path / "out" / "reference" / "kittens" / "cards" / "favor" / "index.html").is_file()
    bench = run("-m", "rulebook", "bench", "--quick", "--seconds", "0.5")
    assert "comes with the source alone" in bench.stdout


def test_the_card_of_the_readme_is_the_card() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    card = (ROOT / "cards" / "kittens" / "base" / "favor.yaml").read_text(encoding="utf-8")
    assert re.findall(r"```yaml\n(.*?)```", readme, re.DOTALL) == [card]


def test_the_readme_names_every_pack_preset_and_command() -> None:
    from rulebook.commands import COMMANDS
    from rulebook.site.gather import gather

    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    games = {game.id: game for game in gather()}
    names = [pack.id for pack in games["kittens"].packs] + list(games["kittens"].data["presets"]) + list(COMMANDS)
    assert [name for name in names if f"`{name}`" not in readme] == []


def test_links_of_the_readme_lead_somewhere() -> None:
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md"):
        for link in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8")):
            assert "://" in link or (ROOT / link).exists(), f"{page.name}: {link}"


@pytest.mark.slow
def test_the_site_of_the_project_builds_without_a_dead_link(tmp_path: Path) -> None:
    from rulebook.site import building

    assert building.checkout_config() == ROOT / "mkdocs.yml"
    (tmp_path / "scratch").mkdir()
    assert building.build(tmp_path / "site", tmp_path / "scratch") > 80
    plain = [page for page in (tmp_path / "site").rglob("*.html") if "{ #" in page.read_text(encoding="utf-8")]
    assert plain == [], "an anchor stands there as text"
