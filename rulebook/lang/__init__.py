"""The effect language: from the text in YAML files to the compiled form that the kernel plays."""

from rulebook.lang.game import compile_game
from rulebook.lang.ruling import compile_expression

__all__ = ["compile_expression", "compile_game"]
