"""Files of results: CSV, JSON lines and Parquet, chosen by the file's ending. Parquet needs the extra package
pyarrow.
"""

from __future__ import annotations

import csv
import importlib
import importlib.util
import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from rulebook.files import write_text, writing

Rows = Sequence[dict[str, Any]]
INSTALL = "pip install 'rulebook-engine[results]'"


class NoWriter(ValueError):
    """This ending, or this installation, has no writer."""


def writer_for(path: Path) -> Callable[[Rows, Path, bool], None]:
    """How to write rows to this file: `write(rows, path, overwrite)`. Raises :class:`NoWriter` before anything is
    played.
    """
    if path.suffix == ".csv":
        return write_csv
    if path.suffix == ".jsonl":
        return write_jsonl
    if path.suffix != ".parquet":
        raise NoWriter(f"results go to a file that ends in .parquet, .csv or .jsonl, not `{path.name}`")
    if importlib.util.find_spec("pyarrow") is None:
        raise NoWriter(f"Parquet needs pyarrow, which is not installed: {INSTALL}; .csv and .jsonl need nothing")
    return write_parquet


def write_csv(rows: Rows, path: Path, overwrite: bool) -> None:
    """One line a row; lists have spaces between their items, maps are JSON."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows({key: _flat(value) for key, value in row.items()} for row in rows)
    write_text(path, text.getvalue(), overwrite)


def write_jsonl(rows: Rows, path: Path, overwrite: bool) -> None:
    """One JSON object a line."""
    write_text(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), overwrite)


def write_parquet(rows: Rows, path: Path, overwrite: bool) -> None:
    """A Parquet file, compressed with zstd; `played` is a map from card to number."""
    pyarrow: Any = importlib.import_module("pyarrow")
    parquet: Any = importlib.import_module("pyarrow.parquet")
    kinds = {
        "played": pyarrow.map_(pyarrow.string(), pyarrow.int32()),
        "winners": pyarrow.list_(pyarrow.int8()),
        "bots": pyarrow.list_(pyarrow.string()),
    }
    columns = {}
    for name in rows[0] if rows else ():
        values = [list(row[name].items()) if isinstance(row[name], dict) else row[name] for row in rows]
        columns[name] = pyarrow.array(values, type=kinds.get(name))
    with writing(path, overwrite) as temporary:
        parquet.write_table(pyarrow.table(columns), temporary, compression="zstd")


def _flat(value: Any) -> Any:
    if isinstance(value, list):
        return " ".join(str(item) for item in value)
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else value
