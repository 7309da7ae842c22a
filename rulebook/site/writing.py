"""Keeping generated files in a folder: what changed is written, what is no longer generated is removed, all else is
left.

The list of what was generated last time lies in the folder itself, so that a page written by hand is never taken for
one of ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

MANIFEST = ".rulebook-pages"


@dataclass(frozen=True, slots=True)
class Changes:
    """What :func:`write` did: paths below the folder."""

    written: tuple[str, ...]
    unchanged: tuple[str, ...]
    removed: tuple[str, ...]


def write(folder: Path, pages: Mapping[str, str]) -> Changes:
    """Make the generated files of a folder exactly `pages`. Raises FileExistsError before anything is written if a page
    would replace a file that is not one of ours, and ValueError for a path that leads out of the folder."""
    ours = _listed(folder)
    for name in pages:
        if not _inside(name):
            raise ValueError(f"not a path inside the folder: {name}")
        if name not in ours and (folder / name).exists():
            raise FileExistsError(17, "there is a file of this name that was not generated", str(folder / name))
    written, unchanged = [], []
    for name, text in pages.items():
        path = folder / name
        data = text.encode()
        if path.is_file() and path.read_bytes() == data:
            unchanged.append(name)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        written.append(name)
    removed = sorted(ours - set(pages))
    for name in removed:
        _remove(folder, name)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MANIFEST).write_text("".join(f"{name}\n" for name in sorted(pages)), encoding="utf-8")
    return Changes(tuple(written), tuple(unchanged), tuple(removed))


def _inside(name: str) -> bool:
    path = PurePosixPath(name)
    return not (path.is_absolute() or ".." in path.parts or "\\" in name or ":" in name)


def _listed(folder: Path) -> set[str]:
    try:
        return set((folder / MANIFEST).read_text(encoding="utf-8").splitlines())
    except FileNotFoundError:
        return set()


def _remove(folder: Path, name: str) -> None:
    if not _inside(name):
        return
    path = folder / name
    path.unlink(missing_ok=True)
    for parent in path.parents:
        if parent == folder or not parent.is_dir() or any(parent.iterdir()):
            break
        parent.rmdir()
