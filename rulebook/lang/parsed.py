"""Syntax trees kept, within a process and between processes: reading a text takes lark milliseconds, every time.

A tree follows from its text alone, so one tree serves all books that hold the text. Between runs trees lie in one file
of the cache folder (see :mod:`rulebook.cache`), a line each: a digest of the text, and the tree as JSON. The file's
name holds a digest of the compiler, so that a tree is never read by another compiler than the one that wrote it. What
is missing or damaged is read by lark again.
"""

from __future__ import annotations

import atexit
import hashlib
import json
import os
import tempfile
from dataclasses import fields
from pathlib import Path
from typing import Any, cast

from rulebook.cache import Cache, compiler_digest
from rulebook.lang import tree

MAX_KEPT = 20_000
"""How many trees are kept at most; those read last stay."""
MAX_BYTES = 32 << 20
"""A larger file is not read."""

_KINDS: tuple[type[tree.Node], ...] = (
    tree.Constant, tree.Name, tree.Attribute, tree.Call, tree.Index, tree.ListOf, tree.Not, tree.Negative, tree.Chain,
    tree.Binary, tree.Compare, tree.Is, tree.IsSet, tree.Where, tree.Ternary, tree.Label, tree.Let, tree.SetPlace,
    tree.Pick, tree.Stop, tree.Proceed, tree.VerbCall, tree.If, tree.For, tree.While,
)  # fmt: skip
_NUMBER = {kind: number for number, kind in enumerate(_KINDS)}
_FIELDS = [[field.name for field in fields(kind) if field.init][2:] for kind in _KINDS]

Parsed = Any
"""An expression, or the statements of a program."""


class Trees:
    """Trees by what was read: in memory, and in a file if there is a folder for it."""

    def __init__(self, folder: Path | None = None) -> None:
        self._file = None if folder is None else folder / f"trees-{compiler_digest()[:16]}"
        self._trees: dict[tuple[str, str], Parsed] = {}
        self._lines: dict[str, str] | None = None
        self._new: dict[str, str] = {}

    def find(self, text: str, start: str) -> Parsed | None:
        """The tree of a text read from the rule `start`, or None."""
        found = self._trees.get((text, start))
        if found is None and self._file is not None:
            line = self._stored().get(_digest(text, start))
            if line is not None:
                try:
                    found = decode(json.loads(line))
                except (ValueError, LookupError, TypeError, RecursionError):
                    return None
                if not isinstance(found, tree.Node | tuple):
                    return None
                self._trees[text, start] = found
        return found

    def keep(self, text: str, start: str, parsed: Parsed) -> None:
        """Remember a tree."""
        if len(self._trees) >= MAX_KEPT:
            self._trees.clear()
        self._trees[text, start] = parsed
        if self._file is not None:
            if not self._new:
                atexit.register(self.save)
            self._new[_digest(text, start)] = json.dumps(encode(parsed), ensure_ascii=False, separators=(",", ":"))

    def save(self) -> None:
        """Write what is new to the file. Where that is not possible nothing happens."""
        if self._file is None or not self._new:
            return
        everything = {**self._read(), **self._new}
        kept = list(everything.items())[-MAX_KEPT:]
        self._new = {}
        atexit.unregister(self.save)
        content = "".join(f"{key} {line}\n" for key, line in kept).encode("utf-8", "surrogatepass")
        head = hashlib.sha256(content).hexdigest().encode() + b"\n"
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self._file.parent, prefix=".new-")
            try:
                with os.fdopen(handle, "wb") as stream:
                    stream.write(head + content)
                os.replace(name, self._file)
                for other in self._file.parent.glob("trees-*"):
                    if other != self._file:
                        other.unlink()  # of a compiler that is no longer here
            except BaseException:
                Path(name).unlink(missing_ok=True)
                raise
        except OSError:
            return

    def _stored(self) -> dict[str, str]:
        if self._lines is None:
            self._lines = self._read()
        return self._lines

    def _read(self) -> dict[str, str]:
        """The lines of the file by digest; nothing if it is missing or not as it was written."""
        if self._file is None:
            return {}
        try:
            if self._file.stat().st_size > MAX_BYTES:
                return {}
            head, content = self._file.read_bytes().split(b"\n", 1)
            if hashlib.sha256(content).hexdigest().encode() != head:
                return {}
            lines = content.decode("utf-8", "surrogatepass").split("\n")
        except (OSError, ValueError):
            return {}
        return dict(cast("tuple[str, str]", tuple(line.split(" ", 1))) for line in lines if " " in line)


_kept: dict[str, Trees] = {}


def trees() -> Trees:
    """The trees of this process, in the folder that the environment names now."""
    folder = Cache.default().folder
    name = "" if folder is None else str(folder)
    if name not in _kept:
        _kept[name] = Trees(folder)
    return _kept[name]


def encode(parsed: Parsed) -> Any:
    """A tree as JSON-able data: a node is a list that begins with the number of its kind, a tuple a list of nodes."""
    if isinstance(parsed, tree.Node):
        number = _NUMBER[type(parsed)]
        inner = [encode(getattr(parsed, name)) for name in _FIELDS[number]]
        return [number, parsed.start, parsed.end, parsed.depth, *inner]
    if isinstance(parsed, tuple):
        return [encode(item) for item in parsed]
    return parsed


def decode(data: Any) -> Parsed:
    """The tree that `encode` made this of. Raises LookupError or TypeError for anything else."""
    if not isinstance(data, list):
        return data
    if not data or isinstance(data[0], list):
        return tuple(decode(item) for item in data)
    kind: Any = _KINDS[data[0]]
    node = kind(data[1], data[2], *[decode(item) for item in data[4:]])
    node.depth = data[3]
    return node


def _digest(text: str, start: str) -> str:
    return hashlib.sha256(f"{start}\0{text}".encode("utf-8", "surrogatepass")).hexdigest()
