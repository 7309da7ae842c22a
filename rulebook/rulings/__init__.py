"""Rulings: executed examples of the rules, which designers write and readers read.

>>> from rulebook import rulings
>>> report = rulings.run(["cards/kittens"])                                    # doctest: +SKIP
>>> [outcome.ruling.title for outcome in report if not outcome.passed]         # doctest: +SKIP
[]

A :class:`~rulebook.rulings.model.Ruling` holds what its file says (title, source, steps as lines by iterating over it),
an :class:`~rulebook.rulings.outcomes.Outcome` what came of it."""

from __future__ import annotations

from rulebook.rulings.model import Ruling, RulingFile
from rulebook.rulings.outcomes import Failure, FileReport, Outcome, Report
from rulebook.rulings.session import check, read, run

__all__ = ["Failure", "FileReport", "Outcome", "Report", "Ruling", "RulingFile", "check", "read", "run"]
