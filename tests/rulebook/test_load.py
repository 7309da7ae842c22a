"""`rulebook.load` and the cache that makes it quick."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import kernel
import rulebook
from rulebook import cache, loading
from rulebook.cache import Cache, Request
from tests.rulebook.packfiles import GAME, card, mini, pack


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of our own."""
    monkeypatch.delenv("RULEBOOK_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "rulebook"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return mini(tmp_path, {"base/pack.yaml": pack("base", "deck: {boom: 2}\n"), "base/boom.yaml": card("boom")})


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[Request]:
    """What the compiler was asked for."""
    asked: list[Request] = []
    compile_request = loading.compile_request

    def count(request: Request) -> object:
        asked.append(request)
        return compile_request(request)

    monkeypatch.setattr(loading, "compile_request", count)
    return asked


def test_a_book_of_a_game(folder: Path, game: Path) -> None:
    book = rulebook.load(path=game)
    assert isinstance(book, kernel.Rulebook)
    assert (book.game, book.title, [kind.id for kind in book.kinds]) == ("mini", "Mini", ["boom"])
    assert book.packs == (("base", "1.0"),)


def test_everything_wrong_is_in_one_error(folder: Path, game: Path) -> None:
    (game / "base" / "boom.yaml").write_text(card("boom", "conditon: x\n"))
    (game / "base" / "skip.yaml").write_text("card: [\n")
    with pytest.raises(rulebook.PackError) as raised:
        rulebook.load(path=game, options={"none": 1})
    assert sorted(item.code for item in raised.value.diagnostics) == ["RB106", "RB200", "RB304"]
    assert isinstance(raised.value, kernel.GameError)
    assert not folder.exists()


def test_the_second_time_nothing_is_compiled(folder: Path, game: Path, runs: list[Request]) -> None:
    first = rulebook.load(path=game)
    second = rulebook.load("mini", path=str(game.parent))
    assert len(runs) == 2, "another path is another request"
    assert rulebook.load(path=game).data == first.data == second.data
    assert len(runs) == 2
    assert len(list(folder.iterdir())) == 2


@pytest.mark.parametrize("change", ["card", "new", "gone", "game"])
def test_a_changed_file_is_compiled_anew(folder: Path, game: Path, runs: list[Request], change: str) -> None:
    before = rulebook.load(path=game)
    if change == "card":
        (game / "base" / "boom.yaml").write_text(card("boom", "text: Bang.\n"))
    elif change == "new":
        (game / "base" / "bang.yaml").write_text(card("bang"))
    elif change == "gone":
        (game / "base" / "boom.yaml").unlink()
        (game / "base" / "pack.yaml").write_text(pack("base"))
    else:
        (game / "game.yaml").write_text(GAME.replace("Mini", "Maxi"))
    assert rulebook.load(path=game).digest != before.digest
    assert len(runs) == 2


def test_another_compiler_compiles_anew(
    folder: Path, game: Path, runs: list[Request], monkeypatch: pytest.MonkeyPatch
) -> None:
    rulebook.load(path=game)
    monkeypatch.setattr(cache, "compiler_digest", lambda: "another")
    rulebook.load(path=game)
    assert len(runs) == 2


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"{}\n{}",
        b"\xff\xfe\n\x00",
        b"[" * 100_000,
        b'{"format": 1, "book": "", "roots": [], "sources": ""}\n{}',
        None,
    ],
)
def test_a_damaged_cache_never_matters(folder: Path, game: Path, runs: list[Request], damage: bytes | None) -> None:
    before = rulebook.load(path=game)
    (file,) = folder.iterdir()
    if damage is None:
        content = bytearray(file.read_bytes())
        content[-20] ^= 1
        damage = bytes(content)
    file.write_bytes(damage)
    assert rulebook.load(path=game).digest == before.digest
    assert len(runs) == 2
    rulebook.load(path=game)
    assert len(runs) == 2, "the damaged file was replaced"


def test_what_the_kernel_does_not_take_is_compiled_anew(folder: Path, game: Path, runs: list[Request]) -> None:
    before = rulebook.load(path=game)
    request = Request("kittens", None, None, {}, os.fspath(game))
    Cache(folder).keep(request, [str(game)], {"format": 99})
    assert rulebook.load(path=game).digest == before.digest
    assert len(runs) == 2


def test_the_cache_can_be_turned_off_and_moved(
    folder: Path, game: Path, runs: list[Request], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("RULEBOOK_CACHE", "off")
    rulebook.load(path=game)
    rulebook.load(path=game)
    assert len(runs) == 2
    assert not folder.exists()
    monkeypatch.setenv("RULEBOOK_CACHE", str(tmp_path / "other"))
    rulebook.load(path=game)
    assert list((tmp_path / "other").iterdir())


def test_a_cache_that_cannot_be_written_never_matters(folder: Path, game: Path) -> None:
    folder.parent.mkdir()
    folder.write_text("a file where the folder should be")
    assert rulebook.load(path=game).game == "mini"


def test_no_half_written_files_are_left(folder: Path, game: Path) -> None:
    rulebook.load(path=game)
    assert [path.name for path in folder.iterdir() if path.name.startswith(".")] == []


def test_options_that_no_file_could_hold_are_refused_and_not_kept(folder: Path, game: Path) -> None:
    with pytest.raises(rulebook.PackError):
        rulebook.load(path=game, options={"a": object()})  # type: ignore[dict-item]


def test_the_same_rules_have_the_same_digest_anywhere(
    folder: Path, game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = rulebook.load(path=game)
    monkeypatch.chdir(game)
    assert rulebook.load(path=".").digest == here.digest
    monkeypatch.chdir("/")
    monkeypatch.setenv("RULEBOOK_CACHE", "off")
    assert rulebook.load(path=game).digest == here.digest
    assert str(game) not in json.dumps(here.data)


def test_the_order_in_which_packs_are_named_does_not_matter(folder: Path, game: Path) -> None:
    (game / "more").mkdir()
    (game / "more" / "pack.yaml").write_text(pack("more"))
    one, other = rulebook.load(path=game, packs=["base", "more"]), rulebook.load(path=game, packs=["more", "base"])
    assert one.data == other.data


def test_a_warm_start_needs_neither_grammar_nor_schema_nor_yaml(folder: Path, game: Path) -> None:
    code = (
        "import sys, rulebook\n"
        f"rulebook.load(path={str(game)!r})\n"
        "print([name for name in ('lark', 'jsonschema', 'yaml', 'click', 'rich') if name in sys.modules])\n"
    )
    for expected in (None, "[]\n"):
        root = Path(rulebook.__file__).parents[1]
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root)
        assert expected is None or done.stdout == expected


def test_kittens_is_the_default() -> None:
    assert rulebook.load().game == "kittens"
    assert rulebook.load("kittens", packs=["base", "imploding"]).packs[0][0] == "base"
