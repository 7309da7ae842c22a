"""Small games as text, for the tests of what reads, checks and loads them."""

from __future__ import annotations

from pathlib import Path

GAME = """\
game: Mini
id: mini
version: "1.0"
language: 1
players: {min: 2, max: 4}
packs: [base]
zones:
  hand: {see: owner, per: player}
  box: {see: none, start: true}
play: |
  end_game winners: living
"""


def pack(name: str, more: str = "", version: str = "1.0") -> str:
    """The manifest of a pack of the game `mini`."""
    return f'pack: {name.title()}\nid: {name}\nversion: "{version}"\nlanguage: 1\ngame: mini\n{more}'


def card(name: str, more: str = "") -> str:
    """A card without effect."""
    return f"card: {name.title()}\nid: {name}\n{more}"


def write(root: Path, files: dict[str, str | bytes]) -> Path:
    """Write files below a folder and return it."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return root


def mini(tmp_path: Path, files: dict[str, str | bytes] | None = None, game: str = GAME) -> Path:
    """The game `mini` with these files in its folder; with none, one empty pack `base`."""
    return write(
        tmp_path / "mini", {"game.yaml": game, **({"base/pack.yaml": pack("base")} if files is None else files)}
    )


def split_files(text: str) -> dict[str, str | bytes]:
    """Several files written as one text, each under a line `# path`."""
    files: dict[str, str | bytes] = {}
    name = ""
    for line in text.splitlines(keepends=True):
        if line.startswith("# ") and line.rstrip().endswith((".yaml", ".yml")):
            name = line[2:].strip()
            files[name] = ""
        else:
            files[name] = str(files[name]) + line
    return files
