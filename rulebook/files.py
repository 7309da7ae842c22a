"""Writing files in one piece: whoever looks sees the old file or the new one, never half of one, and nothing of
others is lost.
"""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def writing(target: Path, overwrite: bool) -> Iterator[Path]:
    """A temporary file beside `target`, which takes its place when the block ends well and vanishes when it does not.

    Raises FileExistsError for a file that is there, unless `overwrite`; other OSErrors as they come.
    """
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, "this is a directory", str(target))
    if not overwrite and target.exists():
        raise _exists(target)
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name[:60]}.", suffix=".part", dir=target.parent)
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(target)) from None
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(0o666 & ~_umask())
        if overwrite:
            temporary.replace(target)
        else:
            _claim(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)


def write_text(target: Path, text: str, overwrite: bool = False) -> None:
    """Write a text file in one piece; raises what :func:`writing` raises."""
    with writing(target, overwrite) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def _claim(temporary: Path, target: Path) -> None:
    """Give the file its name, unless another file has come to bear it meanwhile."""
    try:
        os.link(temporary, target)
    except FileExistsError:
        raise _exists(target) from None
    except OSError:  # a file system without links
        if target.exists():
            raise _exists(target) from None
        temporary.replace(target)


def _exists(target: Path) -> FileExistsError:
    return FileExistsError(errno.EEXIST, "there is such a file already", str(target))


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
