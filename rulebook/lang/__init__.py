"""The effect language: what stands below `do`, `if`, `choose` and their kin, from text to the kernel's form.

:func:`compile_game` compiles a whole game, :func:`compile_expression` a single expression against a compiled book. The
modules, in the order in which text passes through them: `scan`, `parse` (with `grammar.lark`, `build`, `expected`) give a
`tree`; `operators`, `names`, `calls`, `statements`, `verb_calls` and `picks` check and compile trees within a `unit`, against
a `world` of names; `maker`, `choices`, `cards` and `game` do it for whole files. Importing this package loads none of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulebook.diagnostics import Diagnostics
    from rulebook.packs import GameSource

__all__ = ["compile_game"]


def compile_game(source: GameSource, diagnostics: Diagnostics) -> dict[str, Any] | None:
    """The compiled form (docs/compiled.md) of a game with its packs, whose files are read and checked for their shape.

    Every fault goes to `diagnostics`; None if there are errors. The same files give the same result, byte for byte.
    """
    from rulebook.lang.game import compile_game as compile_whole

    return compile_whole(source, diagnostics)
