"""The effect language: from the text in YAML files to the compiled form that the kernel plays."""

from rulebook.lang import calls, names, operators  # noqa: F401 (they register how each kind of expression is checked)
from rulebook.lang.game import compile_game
from rulebook.lang.ruling import compile_expression

__all__ = ["compile_expression", "compile_game"]
