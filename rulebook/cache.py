"""Compiled books kept between runs. Nothing depends on it: what is missing, old or damaged is compiled again.

One file a request, JSON only, so that nothing in it can be executed: a line that says what the book was made from,
and the book. It counts only while every source file and every file of the compiler has the bytes it had then.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FORMAT = 1
SWITCH = "RULEBOOK_CACHE"
"""The environment variable that turns the cache off (`off`) or names its folder."""
_COMPILER = ("lang", "schemas")
"""Folders of this package that decide what a book looks like, beside the modules themselves."""


@dataclass(frozen=True, slots=True)
class Request:
    """What :func:`rulebook.load` was asked for."""

    game: str | None
    packs: list[str] | None
    preset: str | None
    options: dict[str, int | bool | str | Sequence[int | bool | str]]
    path: str | None

    def key(self) -> str | None:
        """A name for this request among all requests on this machine; None if it holds what no file could say."""
        place = None if self.path is None else os.path.abspath(self.path)
        here = os.path.dirname(os.path.abspath(__file__))
        try:
            text = json.dumps([FORMAT, here, self.game, self.packs, self.preset, self.options, place], sort_keys=True)
        except (TypeError, ValueError):
            return None
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class Cache:
    """A folder of compiled books, or none at all."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder

    @classmethod
    def default(cls) -> Cache:
        """The user's cache folder, as `RULEBOOK_CACHE`, `XDG_CACHE_HOME` or the home directory say."""
        switch = os.environ.get(SWITCH, "")
        if switch.lower() in ("off", "0", "no", "false"):
            return cls(None)
        if switch:
            return cls(Path(switch))
        base = os.environ.get("XDG_CACHE_HOME", "")
        if base and os.path.isabs(base):
            return cls(Path(base) / "rulebook")
        try:
            return cls(Path.home() / ".cache" / "rulebook")
        except RuntimeError:  # nobody's home
            return cls(None)

    def find(self, request: Request) -> dict[str, Any] | None:
        """The book for a request if it was kept and everything it was made from is as it was."""
        file = self._file(request)
        if file is None:
            return None
        try:
            head, book = file.read_bytes().split(b"\n", 1)
            made = json.loads(head)
            if made["format"] != FORMAT or made["book"] != hashlib.sha256(book).hexdigest():
                return None
            if made["sources"] != source_digest(made["roots"]):
                return None
            data = json.loads(book)
        except (OSError, ValueError, LookupError, TypeError, RecursionError):
            return None
        return data if isinstance(data, dict) else None

    def keep(self, request: Request, roots: Iterable[str], data: dict[str, Any]) -> None:
        """Keep a book. Where that is not possible (a full or read-only disk) nothing happens."""
        file = self._file(request)
        if file is None:
            return
        places = [os.path.abspath(root) for root in roots]
        book = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
        head = {
            "format": FORMAT,
            "roots": places,
            "sources": source_digest(places),
            "book": hashlib.sha256(book).hexdigest(),
        }
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=file.parent, prefix=".new-")
            try:
                with os.fdopen(handle, "wb") as stream:
                    stream.write(json.dumps(head).encode() + b"\n" + book)
                os.replace(name, file)  # readers see the old file or the whole new one
            except BaseException:
                os.unlink(name)
                raise
        except OSError:
            return

    def _file(self, request: Request) -> Path | None:
        key = request.key()
        return self.folder / f"{key}.json" if self.folder is not None and key is not None else None


def source_digest(roots: Iterable[str]) -> str:
    """A digest of the compiler and of every file of games and packs directly in these folders."""
    digest = hashlib.sha256(compiler_digest().encode())
    for root in roots:
        digest.update(f"\0{root}\0".encode("utf-8", "surrogateescape"))
        for path in _yaml_files(root):
            _add(digest, path, os.path.basename(path))
    return digest.hexdigest()


@cache
def compiler_digest() -> str:
    """A digest of everything that decides how sources become a book: this package's modules, grammar and schemas, and
    the kernel, whose verbs and functions the compiler asks for."""
    import kernel

    package = Path(__file__).parent
    digest = hashlib.sha256()
    places = [package, *(package / name for name in _COMPILER), *(Path(place) for place in kernel.__path__)]
    for place in places:
        try:
            inside = sorted(place.iterdir())
        except OSError:
            continue
        for path in inside:
            if path.suffix in (".py", ".lark", ".json"):
                _add(digest, str(path), f"{place.name}/{path.name}")
    return digest.hexdigest()


def _yaml_files(root: str) -> Iterator[str]:
    """The files of a folder that a change of the book can come from."""
    try:
        with os.scandir(root) as entries:
            names = sorted(entry.path for entry in entries if entry.name.endswith(".yaml"))
    except OSError:
        names = []
    yield from names


def _add(digest: Any, path: str, name: str) -> None:
    try:
        with open(path, "rb") as stream:
            content = stream.read(1 << 21)
    except OSError:
        content = b"\0unreadable"
    digest.update(f"{name}\0{len(content)}\0".encode("utf-8", "surrogateescape"))
    digest.update(content)
