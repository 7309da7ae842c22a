"""States are freed wherever they are held; with the compiled kernel, that is its own business."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import kernel
from tests.kernel.questions import make

# Nested so deeply, what is freed is put aside by the interpreter and freed later: at each depth by another object.
FREED = """
import json, sys
import kernel
book = kernel.Rulebook.from_json(open(sys.argv[1], encoding="utf-8").read())
state = book.new(players=3, seed=1)
for depth in range(30, 60):
    held = [state.copy() for _ in range(4)]
    for one in held:
        one.apply(one.waiting.players[0], one.legal(one.waiting.players[0])[0])
    for _ in range(depth):
        held = [held]
    del held
    again = book.restore(json.loads(json.dumps(state.dump())))
    assert again.digest == state.digest
print("freed", depth)
"""


def test_states_freed_deep_inside_other_things_leave_the_memory_as_it_was(tmp_path: Path) -> None:
    book = tmp_path / "book.json"
    book.write_text(make(tmp_path / "game").to_json(), encoding="utf-8")
    # The interpreter's own allocator with guards around every object, looked at when it is freed.
    environment = {**os.environ, "PYTHONMALLOC": "debug", "PYTHONPATH": str(Path(kernel.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-c", FREED, str(book)], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[:400]
    assert done.stdout == "freed 59\n"


def test_no_class_is_kept_from_the_garbage_collector() -> None:
    for path in Path(kernel.__file__).parent.glob("*.py"):
        assert not re.search(r"mypyc_attr\([^)]*acyclic", path.read_text(encoding="utf-8")), path.name
