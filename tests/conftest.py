"""What holds for all tests."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="session")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Temporary files, of programs that are started as well, lie where pytest tidies up."""
    folder = tmp_path_factory.mktemp("scratch")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", str(folder))
        patch.setattr(tempfile, "tempdir", str(folder))
        yield
