"""What is handed out: the wheel with its cards, and a README that shows what is really there."""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

setuptools: Any = importlib.import_module("setuptools")
build_ext: Any = importlib.import_module("setuptools.command.build_ext").build_ext

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


class Compiling:
    """`setup.py` with a compiler that only notes with which flags it was called, and gives up where it is told to."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, training: str) -> None:
        for name in ("kernel", "rulebook", "cards", "build"):
            (folder / name).mkdir(exist_ok=True)
        (folder / "training.py").write_text(training, encoding="utf-8")
        monkeypatch.chdir(folder)
        monkeypatch.setattr(sys, "platform", "linux")
        monkeypatch.setattr(setuptools, "setup", lambda **_: None)
        for name in ("RULEBOOK_COMPILE", "RULEBOOK_TRAIN", "RULEBOOK_OPTIMISE"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setattr(build_ext, "build_extensions", lambda _: self.compile())
        spec = importlib.util.spec_from_file_location("setup_of_the_project", ROOT / "setup.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        monkeypatch.setattr(module, "TRAINING", folder / "training.py")
        self.command = module.BuildKernel(setuptools.Distribution())
        self.command.extensions = [setuptools.Extension("some", [])]
        self.command.build_lib = "target"
        monkeypatch.setattr(module.BuildKernel, "is_gcc", lambda _: True)
        self.builds: list[str] = []
        self.counts = True
        self.refused = ""

    def compile(self) -> None:
        flags: list[str] = self.command.flags[0]
        self.builds.append(f"{flags[0] if flags else 'plainly'} into {Path(self.command.build_lib).name}")
        for flag in flags:
            if self.counts and flag.startswith("-fprofile-dir="):
                Path(flag.partition("=")[2]).mkdir(exist_ok=True)
                (Path(flag.partition("=")[2]) / "some.gcda").touch()
        if flags and flags[0] == self.refused:
            raise RuntimeError(f"no {flags[0]} here")

    def told(self) -> str:
        """Build, and what is said of it."""
        self.command.build_extensions()
        return Path("build/training.txt").read_text(encoding="utf-8").strip()


def test_the_kernel_is_built_by_what_a_trial_run_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiling = Compiling(tmp_path, monkeypatch, "")
    assert compiling.told() == "optimised by a trial run"
    assert compiling.builds == ["-fprofile-generate into lib", "-fprofile-use into target"]


@pytest.mark.parametrize(
    ("training", "counts", "refused", "told"),
    [
        ("raise SystemExit('no game is here')", True, "", "no game is here"),
        ("", False, "", "it counted nothing"),
        ("", True, "-fprofile-generate", "no -fprofile-generate here"),
        ("", True, "-fprofile-use", "what it counted could not be used: no -fprofile-use here"),
    ],
    ids=["the games fail", "nothing is counted", "no trial can be built", "counts cannot be used"],
)
def test_the_kernel_is_built_plainly_where_a_trial_run_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, training: str, counts: bool, refused: str, told: str
) -> None:
    compiling = Compiling(tmp_path, monkeypatch, training)
    compiling.counts = counts
    compiling.refused = refused
    assert compiling.told() == f"not optimised by a trial run: {told}"
    assert compiling.builds[-1] == "plainly into target"
