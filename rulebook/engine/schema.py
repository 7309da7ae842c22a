"""What a request must look like: `schemas/engine.json`, the same file that clients may use."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

from rulebook.engine.failures import PARAMS, Failure

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError


@cache
def schema() -> dict[str, Any]:
    """The schema of the protocol. Callers do not change it."""
    from importlib import resources

    text = resources.files("rulebook").joinpath("schemas", "engine.json").read_text(encoding="utf-8")
    data: dict[str, Any] = json.loads(text)
    return data


@cache
def validator(name: str) -> Draft202012Validator:
    """The validator of one part of the schema: `params.load`, `result.load`."""
    from jsonschema import Draft202012Validator

    whole = schema()
    return Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": whole["$defs"]})


def check_params(method: str, params: dict[str, Any]) -> None:
    """Raise :class:`Failure` (`params`) that names the parameter and what it must be."""
    found = validator(f"params.{method}")
    if found.is_valid(params):
        return
    error = min(
        found.iter_errors(params), key=lambda fault: (list(map(str, fault.absolute_path)), str(fault.validator))
    )
    raise Failure(PARAMS, "params", f"{method}: {words(error)}")


def words(error: ValidationError) -> str:
    """One sentence. Never repeats a long value back."""
    name = "".join(f"[{part}]" if isinstance(part, int) else f".{part[:40]}" for part in error.absolute_path)
    place = f"`{name.lstrip('.')}`" if name else "`params`"
    rules = error.schema if isinstance(error.schema, dict) else {}
    given = error.instance if isinstance(error.instance, dict) else {}
    if error.validator == "required":
        missing = [key for key in rules.get("required", []) if key not in given]
        return f"{place} needs " + ", ".join(f"`{key}`" for key in missing)
    if error.validator == "additionalProperties":
        known = rules.get("properties", {})
        strange = [key for key in given if key not in known]
        return f"{place} cannot hold `{strange[0][:40]}`; it may hold " + (
            ", ".join(f"`{k}`" for k in known) or "nothing"
        )
    about = rules.get("description")
    return f"{place} cannot be that" + (f": {about}" if about else f" ({error.validator})")
