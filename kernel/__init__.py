"""The machine: a generic kernel for card games, standard library only.

A `Rulebook` holds the rules of one game, a `State` one game in progress. `rulebook.load` makes rulebooks from YAML;
`Rulebook.from_json` makes them from the compiled form alone.
"""

from kernel import testing
from kernel.actions import Action, LegalSet
from kernel.book import Rulebook
from kernel.dealing import playout
from kernel.determinize import Worlds
from kernel.errors import (
    AmbiguousAction,
    CardError,
    EngineError,
    GameError,
    IllegalAction,
    InvalidAction,
    RestoreError,
    SetupError,
)
from kernel.game import State
from kernel.information import Information
from kernel.model import Kind
from kernel.spelling import Spelling, spell
from kernel.tokens import ActionTable

__all__ = [
    "Action",
    "ActionTable",
    "AmbiguousAction",
    "CardError",
    "EngineError",
    "GameError",
    "IllegalAction",
    "Information",
    "InvalidAction",
    "Kind",
    "LegalSet",
    "RestoreError",
    "Rulebook",
    "SetupError",
    "Spelling",
    "State",
    "Worlds",
    "playout",
    "spell",
    "testing",
]
