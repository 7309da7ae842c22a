"""The card reference: nothing in a card's texts is markup, pages are the same on every run, and dead links are
found."""

from __future__ import annotations

import re
import time
from html.parser import HTMLParser
from pathlib import Path

import markdown
import pytest

from rulebook.codes import Code
from rulebook.site import errors, escape
from rulebook.site.gather import gather
from rulebook.site.links import DeadLink, dead_links
from rulebook.site.pages import reference
from rulebook.site.writing import write

NASTY = "</title><script>alert(1)</script> **x** [l](javascript:1) `a|b` {{ y }} $z$ :smile: 1. &amp; \\"

GAME = """
game: Toy
id: toy
version: "1.0"
language: 1
players: {min: 2, max: 4}
packs: [one]
zones: {pile: {see: none, order: true}, hand: {see: owner, per: player}, discard: {see: all, order: true}}
tags: {cat: "a cat"}
moves: {pair: {do: "stop", about: "two alike"}}
setup: shuffle pile
play: stop
"""
RULINGS = """
about: [c2, pair]
rulings:
  - title: A ruling
    source: house
    players: 3
    given: {hand: {0: [c2, "c10(marked)"]}, pile: [c10, c2], turn: {player: 0, owed: 2}, dead: [2]}
    steps:
      - 0: play c2 victim=1
      - 1: pair c2,c10 victim=0
      - all: pass
      - illegal: {1: draw}
      - expect: turn_of == player(1)
      - close
      - 0: leave
    then: [turns_owed == 1, 'ids(discard) == ["c2"]', count(player(0).hand) == 0, first(pile) is set,
      'asked == [player(0), player(2)]', 'dead == []', not over, 'winners == [player(1)]', direction == -1]
    sees: [{player: 0, zone: hand, of: 1, cards: [unknown]}]
"""


def toy(root: Path, cards: dict[str, str]) -> Path:
    """A folder of games with one game, one pack and these cards."""
    pack = root / "games" / "toy" / "one"
    (pack / "rulings").mkdir(parents=True, exist_ok=True)
    (pack.parent / "game.yaml").write_text(GAME)
    deck = ", ".join(f"{name}: {number}" for number, name in enumerate(cards, 2))
    (pack / "pack.yaml").write_text(f'pack: One\nid: one\nversion: "1.0"\nlanguage: 1\ngame: toy\ndeck: {{{deck}}}\n')
    (pack / "rulings" / "a.yaml").write_text(RULINGS)
    for name, text in cards.items():
        (pack / f"{name}.yaml").write_text(text, encoding="utf-8")
    return root / "games"


def card(title: str, text: str = "", more: str = "") -> str:
    quoted = [value.replace("\\", "\\\\").replace('"', '\\"') for value in (title, text)]
    return f'card: "{quoted[0]}"\nid: x\ntext: "{quoted[1]}"\n{more}'


class Shown(HTMLParser):
    """The elements of a page, and the text of its article as a reader sees it."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


def rendered(page: str) -> Shown:
    body = re.sub(r"\A---\n.*?\n---\n", "", page, flags=re.DOTALL)
    extensions = ["attr_list", "tables", "fenced_code", "toc"]
    return Shown(markdown.markdown(body, extensions=extensions))


def test_text_of_a_card_is_shown_as_it_is_written(tmp_path: Path) -> None:
    pages = reference(gather([toy(tmp_path, {"c2": card(NASTY, NASTY, "tags: [cat]\n"), "c10": card("Ten")})]))
    for path in ("cards/c2.md", "packs/one.md", "index.md"):
        shown = rendered(pages[f"reference/toy/{path}"])
        assert NASTY in shown.text, path
        assert "script" not in shown.tags, path
    assert rendered(pages["reference/toy/packs/one.md"]).tags.count("td") == 2 * 2 + 2 * 3  # facts and deck


@pytest.mark.parametrize(
    "text", ["a | b", "`x|y`", "# no heading", "1. no list", "- no list", "_a_ __b__", "&lt;", "a\\"]
)
def test_a_table_row_keeps_its_cells(text: str) -> None:
    lines = escape.table(("a", "b"), [(escape.inline(text), escape.code(text))])
    shown = rendered("\n".join(lines))
    assert shown.tags.count("td") == 2
    assert shown.text.count(text) == 2


def test_a_code_block_holds_fences_and_control_characters() -> None:
    shown = rendered("\n".join(escape.block("a\n```\n<b>\x1b[31m\n````\nc", "yaml")))
    assert shown.text.split() == ["a", "```", "<b>[31m", "````", "c"]
    assert set(shown.tags) == {"pre", "code"}


def test_rulings_are_told_in_words(tmp_path: Path) -> None:
    pages = reference(gather([toy(tmp_path, {"c2": card("Two"), "c10": card("Ten")})]))
    text = " ".join(rendered(pages["reference/toy/cards/c2.md"]).text.split())
    for said in (
        "Source: house",
        "player 0 holds Two, Ten (marked)",
        "pile, top first: Ten, Two",
        "it is the turn of player 0, who owes 2 turns",
        "out of the game: player 2",
        "Player 0 plays Two, victim 1.",
        "Player 1 plays pair: Two, Ten, victim 0.",
        "Everybody passes.",
        "Player 1 may not draw.",
        "Now it is the turn of player 1.",
        "everybody who is asked takes the default",
        "Player 0 leaves the game.",
        "In the end 1 turn is owed.",
        "In the end the discard holds Two.",
        "In the end the hand of player 0 holds 0 cards.",
        "In the end first(pile) is set holds.",
        "In the end player 0 and player 2 are asked.",
        "In the end nobody is out of the game.",
        "In the end the game goes on.",
        "In the end player 1 has won.",
        "In the end play goes the other way round.",
        "Player 0 sees in the hand of player 1: unknown.",
    ):
        assert said in text
    assert "A ruling" in rendered(pages["reference/toy/index.md"]).text  # also with the move it is about


def test_a_deck_file_has_one_page_and_its_cards_are_named_by_their_titles(tmp_path: Path) -> None:
    root = toy(tmp_path, {"c2": card("Two")})
    pack = root / "toy" / "one" / "pack.yaml"
    pack.write_text(pack.read_text() + "decks: {standard52: {copies: 2, without: [qc, {suit: hearts}]}, tiny: 1}\n")
    (root / "toy" / "decks").mkdir()
    nasty = NASTY.replace("{{ y }}", "")
    (root / "toy" / "decks" / "tiny.yaml").write_text(
        f"deck: '{nasty}'\nid: tiny\nlanguage: 1\ncards:\n  - {{id: 1x, title: '{nasty}', copies: 3}}\n"
    )
    ruling = root / "toy" / "one" / "rulings" / "a.yaml"
    ruling.write_text(ruling.read_text().replace("play c2 victim=1", "play 7h"))
    pages = reference(gather([root]))
    assert {"reference/decks/standard52.md", "reference/toy/decks/tiny.md"} < set(pages)
    assert [path for path in pages if "/cards/" in path] == ["reference/toy/cards/c2.md"]
    standard = rendered(pages["reference/decks/standard52.md"])
    assert standard.text.count("of Hearts") == 13
    assert "52" in standard.text
    shown = rendered(pages["reference/toy/packs/one.md"]).text
    assert "Standard 52-card deck ×2 without Queen of Clubs, suit hearts" in shown
    assert " ".join(nasty.split()) in shown
    tiny = rendered(pages["reference/toy/decks/tiny.md"])
    assert tiny.text.count(" ".join(nasty.split())) >= 2
    assert "script" not in tiny.tags
    assert "Player 0 plays Seven of Hearts." in rendered(pages["reference/toy/cards/c2.md"]).text


def test_order_is_natural_and_pages_are_named_after_ids(tmp_path: Path) -> None:
    cards = {
        "c10": card("Card 10"),
        "c2": card("Card 2"),
        "kanji": card("爆発する猫"),
        "b": card("B!"),
        "a": card("B?"),
    }
    root = toy(tmp_path, cards)
    first = reference(gather([root]))
    page = first["reference/toy/packs/one.md"]
    assert page.index("Card 2") < page.index("Card 10")
    assert {f"reference/toy/cards/{name}.md" for name in cards} < set(first)
    anchors = re.findall(r"\{ #(\w+) \}", page.partition("## Deck")[2])
    assert sorted(anchors) == sorted([*cards, "deck"])
    (root / "toy" / "one" / "new.yaml").write_text(card("B"))
    second = reference(gather([root]))
    assert all(second[path] == text for path, text in first.items() if "/cards/" in path)


def test_the_same_files_give_the_same_pages(tmp_path: Path) -> None:
    cards = {"c2": card("Two", NASTY), "c10": card("Ten")}
    pages = [list(reference(gather([toy(tmp_path / name, cards)])).items()) for name in ("a", "b")]
    assert pages[0] == pages[1]
    assert not any(str(tmp_path) in text for _, text in pages[0])


def test_writing_touches_what_changed_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "mine.md").write_text("by hand")
    assert write(tmp_path, {"a/x.md": "x", "a/y.md": "y"}).written == ("a/x.md", "a/y.md")
    stamp = (tmp_path / "a/x.md").stat().st_mtime_ns
    changes = write(tmp_path, {"a/x.md": "x", "b/y.md": "y"})
    assert (changes.written, changes.unchanged, changes.removed) == (("b/y.md",), ("a/x.md",), ("a/y.md",))
    assert (tmp_path / "a/x.md").stat().st_mtime_ns == stamp
    assert write(tmp_path, {}).removed == ("a/x.md", "b/y.md")
    assert sorted(path.name for path in tmp_path.iterdir()) == [".rulebook-pages", "mine.md"]
    assert (tmp_path / "mine.md").read_text() == "by hand"


def test_writing_replaces_no_file_of_somebody_else(tmp_path: Path) -> None:
    (tmp_path / "mine.md").write_text("by hand")
    with pytest.raises(FileExistsError):
        write(tmp_path, {"a.md": "x", "mine.md": "y"})
    assert [path.name for path in tmp_path.iterdir()] == ["mine.md"]


@pytest.mark.parametrize("name", ["../x.md", "/x.md", "a/../../x.md", "C:x.md", "a\\x.md"])
def test_writing_stays_in_its_folder(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="not a path inside"):
        write(tmp_path / "in", {name: "x"})


def test_dead_links_are_found(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "index.html").write_text(
        '<h1 id="there">A</h1><a href="..">up</a><a href="../b.html#nowhere">b</a>'
    )
    (tmp_path / "b.html").write_text(
        '<a href="a/#there">good</a><a href="a/#not">x</a><a href="c/">x</a><img src="../out.png">'
        '<a href="https://example.org/#x">out there</a><a href="#">top</a><a href="/a/">absolute</a>'
    )
    (tmp_path / "index.html").write_text("")
    assert dead_links(tmp_path) == [
        DeadLink("a/index.html", "../b.html#nowhere", "the page has no such anchor"),
        DeadLink("b.html", "../out.png", "leads out of the site"),
        DeadLink("b.html", "a/#not", "the page has no such anchor"),
        DeadLink("b.html", "c/", "there is no such page"),
    ]


def test_every_code_has_its_section_and_anchor() -> None:
    codes = [
        Code("RB101", "Tabs", "Use `spaces`, not *tabs*.\n\nA second one.", wrong="a:\tb", right="a: b"),
        Code("RB201", "A <b>", "Why not", where="command", severity="warning"),
    ]
    shown = rendered(errors.page(codes))
    assert "RB101: Tabs" in shown.text
    assert "Use spaces, not *tabs*." in shown.text
    assert "A second one." in shown.text
    assert "A <b>" in shown.text
    assert "{#rb101}" in errors.page(codes)
    assert "{#rb201}" in errors.page(codes)


def test_a_pack_of_very_many_cards_is_written_soon_and_rewritten_only_where_it_changed(tmp_path: Path) -> None:
    many = {f"c{number}": card(f"Card {number}", "What it does.") for number in range(500)}
    games = toy(tmp_path, many)
    begin = time.process_time()
    pages = reference(gather([games]))
    written = write(tmp_path / "out", pages)
    assert time.process_time() - begin < 10  # some two seconds for 500
    assert len(written.written) >= 500
    file = next(games.rglob("c250.yaml"))
    file.write_text(file.read_text(encoding="utf-8").replace("What it does.", "Something else."), encoding="utf-8")
    again = write(tmp_path / "out", reference(gather([games])))
    changed = {Path(name).name for name in again.written}
    assert "c250.md" in changed
    assert len(changed) <= 4  # the card, and the pages that quote it
