"""Titles and texts in other languages: shown where there are any, the cards' own where not; they change no rule."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import kernel
import rulebook
from rulebook.cli import main
from rulebook.terminal.names import Names
from rulebook.translations import languages, texts
from tests.rulebook.packfiles import GAME, card, mini, pack

PLAYED = GAME.replace(
    "play: |\n  end_game winners: living\n",
    "setup: |\n  move box to: player(0).hand\nplay: |\n  while not turn_ended:\n    offer turn_of\n"
    "  end_game winners: living\nmoves:\n  stop: {default: true, do: end_turn you}\n",
)
DE = "texts: de\ntitle: Grundspiel\ncards:\n  tea: {title: Tee, text: Ende deinen Zug.}\n  cake: {title: Kuchen}\n"
FILES: dict[str, str | bytes] = {
    "base/pack.yaml": pack("base", "deck: {tea: 2, cake: 1}\n"),
    "base/tea.yaml": card("tea", "text: End your turn.\nplay: {at: turn, do: end_turn you}\n"),
    "base/cake.yaml": card("cake", "text: Nothing.\n"),
    "base/texts/de.yaml": DE,
    "base/texts/de-AT.yaml": "texts: de-AT\ncards:\n  cake: {title: Mehlspeis}\n",
    "texts/de.yaml": "texts: de\ntitle: Kleines Spiel\n",
}


@pytest.fixture
def book(tmp_path: Path) -> kernel.Rulebook:
    return rulebook.load("mini", path=mini(tmp_path, FILES, PLAYED))


def test_each_language_falls_back_to_the_next_and_to_the_cards_own_words(book: kernel.Rulebook) -> None:
    assert languages(book) == ("de", "de-AT")
    german = texts(book, "de")
    assert (german.game, german.titles, german.packs) == (
        "Kleines Spiel", {"tea": "Tee", "cake": "Kuchen"}, {"base": "Grundspiel"},
    )  # fmt: skip
    assert german.texts == {"tea": "Ende deinen Zug.", "cake": "Nothing."}
    assert texts(book, "de-AT").titles == {"tea": "Tee", "cake": "Mehlspeis"}
    assert texts(book, "de-CH").titles == german.titles
    for other in (None, "", "fr", "d", "deu"):
        assert texts(book, other).titles == {"tea": "Tea", "cake": "Cake"}
        assert texts(book, other).game == "Mini"


def test_translations_are_no_rules(book: kernel.Rulebook, tmp_path: Path) -> None:
    plain = {name: text for name, text in FILES.items() if "texts/" not in name}
    other = rulebook.load("mini", path=mini(tmp_path / "plain", plain, PLAYED))
    assert book.digest == other.digest
    state = other.restore(book.new(players=2, seed=1).dump())
    assert state.view(0) == book.new(players=2, seed=1).view(0)
    again = kernel.Rulebook.from_json(book.to_json())
    assert again.digest == book.digest
    assert texts(again, "de").titles == texts(book, "de").titles


def test_a_changed_translation_is_read_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEBOOK_CACHE", str(tmp_path / "cache"))
    root = mini(tmp_path, FILES, PLAYED)
    assert texts(rulebook.load("mini", path=root), "de").titles["tea"] == "Tee"
    (root / "base/texts/de.yaml").write_text(DE.replace("Tee", "Tea (Tee)"), encoding="utf-8")
    assert texts(rulebook.load("mini", path=root), "de").titles["tea"] == "Tea (Tee)"


def test_the_log_and_the_hand_are_in_the_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    names = Names(rulebook.load("mini", path=mini(tmp_path, FILES, PLAYED)), ["Ann", "Bob"], you=0, language="de-AT")
    assert (names.title("tea"), names.title("cake")) == ("Tee", "Mehlspeis")
    call = ["play", "mini", "--path", str(tmp_path / "mini"), "--players", "2", "--seed", "1"]
    script = tmp_path / "script"
    script.write_text("play tea\n", encoding="utf-8")
    with script.open(encoding="utf-8") as lines:
        monkeypatch.setattr("sys.stdin", lines)
        assert main([*call, "--language", "xx"]) == 2
    assert "there are no texts in `xx`" in capsys.readouterr().err
    for language, title in (("de", "Tee"), ("de-CH", "Tee"), (None, "Tea")):
        with script.open(encoding="utf-8") as lines:
            monkeypatch.setattr("sys.stdin", lines)
            assert main([*call, *(["--language", language] if language else [])]) == 0
        out = capsys.readouterr().out
        assert re.search(rf"plays? {title}\b", out), out


def test_the_reference_is_in_the_language(tmp_path: Path) -> None:
    root = mini(tmp_path, FILES, PLAYED)
    for language, title, text in (("de", "Tee", "Ende deinen Zug."), ("fr", "Tea", "End your turn.")):
        out = tmp_path / language
        assert main(["docs", "--pages", str(out), "--path", str(root), "--language", language]) == 0
        page = (
            out / "reference/mini/cards/tea.md" if (out / "reference").is_dir() else out / "mini/cards/tea.md"
        ).read_text(encoding="utf-8")
        assert f"# {title} {{#tea}}" in page
        assert text in page
        other = next(out.rglob("cake.md")).read_text(encoding="utf-8")
        assert "Nothing." in other  # there is no German text


def checked(tmp_path: Path, capsys: pytest.CaptureFixture[str], german: str = DE) -> list[str]:
    """The lines of `rulebook check` for the game with this file of texts."""
    mini(tmp_path, {**FILES, "base/texts/de.yaml": german}, PLAYED)
    capsys.readouterr()
    main(["check", str(tmp_path / "mini"), "--format", "plain"])
    return [re.sub(r"^\S*mini/", "", line) for line in capsys.readouterr().out.splitlines()]


def test_what_is_missing_is_a_warning_and_what_is_unknown_a_fault(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    start, end = "warning RB340: title or text is missing in", "— their own words are shown instead"
    assert checked(tmp_path, capsys) == [
        f"base/texts/de-AT.yaml:1:1: {start} `de-AT` for `cake`, `tea` {end}",
        f"base/texts/de.yaml:1:1: {start} `de` for `cake` {end}",
    ]
    whole = DE.replace("{title: Kuchen}", "{title: Kuchen, text: Nichts.}")
    assert len(checked(tmp_path, capsys, whole)) == 1
    found = checked(tmp_path, capsys, whole + "  tae: {title: Tee}\n")
    assert [line for line in found if "error" in line] == [
        'base/texts/de.yaml:6:3: error RB416: there is no kind of card "tae" — did you mean `tea`?'
    ]
    for text, code in (("texts: fr\n", "RB310"), ("texts: German\n", "RB205"), ("texts: de\ncrads: {}\n", "RB200")):
        found = checked(tmp_path, capsys, text)
        assert [line.split(": ")[1] for line in found if "error" in line] == [f"error {code}"]


def test_a_broken_translation_stops_no_game(tmp_path: Path) -> None:
    root = mini(tmp_path, {**FILES, "base/texts/de.yaml": "texts: [\n", "base/texts/xx.yaml": "texts: yy\n"}, PLAYED)
    book = rulebook.load("mini", path=root)
    assert languages(book) == ("de", "de-AT")
    assert texts(book, "de").titles["tea"] == "Tea"
    assert texts(book, "de").game == "Kleines Spiel"


def test_files_of_texts_are_laid_out_like_all_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = mini(tmp_path, {**FILES, "base/texts/de.yaml": "title: Grundspiel   \ntexts: de\n\n\n\ncards: {}\n"}, PLAYED)
    assert main(["fmt", str(root)]) == 0
    assert (root / "base/texts/de.yaml").read_text(encoding="utf-8") == "texts: de\ntitle: Grundspiel\n\ncards: {}\n"
