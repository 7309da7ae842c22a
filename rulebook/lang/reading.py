"""Small helpers for reading checked YAML: what stands below a key, whatever form it is written in."""

from __future__ import annotations

from collections.abc import Iterator

from rulebook.diagnostics import Span
from rulebook.yamlread import Map, Node, Scalar, Seq


def scalar(node: Map, key: str) -> Scalar | None:
    """The single value below a key."""
    value = node.get(key)
    return value if isinstance(value, Scalar) else None


def text(node: Map, key: str, default: str = "") -> str:
    """The text below a key."""
    value = scalar(node, key)
    return value.text if value is not None else default


def flag(node: Map, key: str, default: bool = False) -> bool:
    """The flag below a key."""
    value = scalar(node, key)
    return value.value if value is not None and isinstance(value.value, bool) else default


def several(node: Map, key: str) -> list[Node]:
    """What stands below a key: the items of a list, or the one thing there is."""
    value = node.get(key)
    if value is None:
        return []
    return list(value.items) if isinstance(value, Seq) else [value]


def scalars(node: Map, key: str) -> list[Scalar]:
    """The single values below a key, one or a list."""
    return [item for item in several(node, key) if isinstance(item, Scalar)]


def maps(node: Map, key: str) -> list[Map]:
    """The maps below a key, one or a list."""
    return [item for item in several(node, key) if isinstance(item, Map)]


def entries(node: Map | None, key: str) -> Iterator[tuple[str, Scalar, Node]]:
    """The entries of the map below a key: name, the name's own node, value."""
    value = node.get(key) if node is not None else None
    if isinstance(value, Map):
        for name, inner in value.entries.items():
            yield name, value.keys[name], inner


def key_span(node: Map, key: str) -> Span:
    """Where a key stands; the map itself if it is missing."""
    return node.keys[key].span if key in node.keys else node.span
