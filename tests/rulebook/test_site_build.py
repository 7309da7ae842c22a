"""The site that mkdocs makes: strict about every link, the same bytes on every run, careful with folders."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from rulebook.cli import main
from rulebook.site import building
from tests.rulebook.test_site import NASTY, card, toy


@pytest.fixture
def no_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in an installed wheel, which has no pages written by hand."""
    monkeypatch.setattr(building, "checkout_config", lambda: None)


def checkout(root: Path, page: str) -> Path:
    """A `mkdocs.yml` with one page written by hand."""
    (root / "docs").mkdir(parents=True)
    (root / "docs" / "index.md").write_text(page)
    hooks = Path(building.__file__).with_name("hooks.py")
    (root / "mkdocs.yml").write_text(
        f"site_name: T\ntheme: material\nhooks: [{hooks}]\nextra_css: [assets/reference.css]\n"
        "markdown_extensions: [attr_list, tables, fenced_code]\nvalidation: {links: {anchors: warn}}\n"
        "nav: [index.md, errors.md, reference/index.md]\n"
    )
    return root / "mkdocs.yml"


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.usefixtures("no_checkout")
def test_two_builds_give_the_same_bytes_and_no_title_is_markup(tmp_path: Path) -> None:
    built = []
    for name in ("a", "b"):
        (scratch := tmp_path / name / "scratch").mkdir(parents=True)
        games = toy(tmp_path / name, {"c2": card(NASTY, NASTY), "c10": card("Ten"), "kanji": card("猫")})
        assert building.build(tmp_path / name / "out", scratch, [games]) >= 8
        built.append(files(tmp_path / name / "out"))
    assert built[0] == built[1]
    page = built[0]["reference/toy/cards/c2/index.html"].decode()
    assert "<script>alert" not in page
    assert "<title>&#60;/title&#62;&#60;script&#62;alert" in page
    assert "猫" in built[0]["search/search_index.json"].decode() or b"\\u732b" in built[0]["search/search_index.json"]
    assert not any(str(tmp_path).encode() in content for content in built[0].values())


@pytest.mark.parametrize(
    ("link", "named"),
    [
        ("reference/toy/cards/gone.md", "gone.md"),
        ("reference/toy/index.md#no-such-card", "no-such-card"),
        ("errors.md#rb999", "rb999"),
    ],
)
def test_a_link_that_leads_nowhere_fails_and_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], link: str, named: str
) -> None:
    config = checkout(tmp_path, f"# T\n\n[x]({link})\n")
    monkeypatch.setattr(building, "checkout_config", lambda: config)
    games = toy(tmp_path, {"c2": card("Two"), "c10": card("Ten")})
    assert main(["docs", "--out", str(tmp_path / "out"), "--path", str(games)]) == 1
    said = capsys.readouterr().err
    assert named in said
    assert "index" in said


def test_a_page_by_hand_may_link_to_a_card_a_pack_a_move_and_a_ruling(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    links = (
        "reference/toy/cards/c2.md#effect",
        "reference/toy/cards/c2.md#ruling-a-ruling",
        "reference/toy/packs/one.md#c2",
        "reference/toy/index.md#one",
        "reference/toy/index.md#move-pair",
    )
    config = checkout(tmp_path, "# T\n\n" + "\n".join(f"[x]({link})" for link in links))
    monkeypatch.setattr(building, "checkout_config", lambda: config)
    games = toy(tmp_path, {"c2": card("Two"), "c10": card("Ten")})
    assert main(["docs", "--out", str(tmp_path / "out"), "--path", str(games)]) == 0


def test_our_own_check_finds_what_mkdocs_was_told_to_ignore(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = checkout(tmp_path, '# T\n\n<a href="errors/#nowhere">x</a>\n')
    config.write_text(config.read_text().replace("anchors: warn", "anchors: ignore"))
    monkeypatch.setattr(building, "checkout_config", lambda: config)
    games = toy(tmp_path, {"c2": card("Two"), "c10": card("Ten")})
    with pytest.raises(building.SiteError, match="nowhere"):
        building.build(tmp_path / "out", tmp_path, [games])


@pytest.mark.usefixtures("no_checkout")
def test_a_folder_that_is_no_site_is_not_emptied(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    assert main(["docs", "--out", str(tmp_path / "mine"), "--path", str(toy(tmp_path, {"c2": card("Two")}))]) == 1
    assert files(tmp_path / "mine") == {"letter.txt": b"dear"}


@pytest.mark.usefixtures("no_checkout")
def test_pages_of_cards_that_are_gone_are_gone(tmp_path: Path) -> None:
    games = toy(tmp_path, {"c2": card("Two"), "c10": card("Ten")})
    out = str(tmp_path / "out")
    assert main(["docs", "--out", out, "--path", str(games)]) == 0
    (games / "toy" / "one" / "c2.yaml").rename(games / "toy" / "one" / "c3.yaml")
    assert main(["docs", "--out", out, "--path", str(games)]) == 0
    pages = {path.parent.name for path in (tmp_path / "out" / "reference" / "toy" / "cards").rglob("index.html")}
    assert pages == {"c3", "c10"}


def test_a_talkative_build_finds_dead_links_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    config = checkout(tmp_path, "# T\n\n[x](reference/toy/index.md#no-such-card)\n")
    monkeypatch.setattr(building, "checkout_config", lambda: config)
    games = toy(tmp_path, {"c2": card("Two"), "c10": card("Ten")})
    logger = logging.getLogger("mkdocs")
    before = logger.level
    try:
        for level in (logging.DEBUG, logging.INFO, logging.ERROR):
            logger.setLevel(level)
            assert main(["docs", "--out", str(tmp_path / "out"), "--path", str(games)]) == 1
            assert "no-such-card" in capsys.readouterr().err
    finally:
        logger.setLevel(before)
