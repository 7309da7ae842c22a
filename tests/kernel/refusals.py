"""How values of a wrong type are refused.

The kernel in Python refuses them with its own errors. Compiled by mypyc it checks types of arguments before anything
else: what is no number where a number belongs is a TypeError, and `True` is the number 1.
"""

from __future__ import annotations

import kernel

COMPILED = not hasattr(kernel.playout, "__code__")
REFUSED: tuple[type[Exception], ...] = (kernel.GameError, TypeError) if COMPILED else (kernel.GameError,)
