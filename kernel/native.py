"""Where mypyc compiles the kernel, loops over whole numbers are fast and calls into the interpreter are slow; in plain
Python it is the other way round. A few small functions have a body for each; both give the same.
"""

from __future__ import annotations

from types import FunctionType
from typing import TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:  # what the compiler knows as a number of the machine, of 64 bits with a sign; it is never imported
    from mypy_extensions import i64 as i64


T = TypeVar("T")


class Hint:
    """A decorator that leaves a class as it is, where hints to the compiler mean nothing."""

    def __init__(self, **hints: object) -> None:
        """The hints are not kept."""

    def __call__(self, cls: T) -> T:
        return cls


#: Never `acyclic`: an object unknown to the garbage collector that is freed while many others that held each other are
#: (a tree of a search, say) would overwrite what lies before it in memory.
hint: Any = Hint


def probe() -> None:
    """A function of the kernel, to see what functions are here."""


COMPILED: Final = not isinstance(probe, FunctionType)
