"""Lines in, lines out: JSON-RPC 2.0 with one object a line.

A line is bounded, read as strict JSON and answered before the next one is looked at. Whatever goes wrong becomes an
`error`; the engine goes on with the next line until `quit` or the end of its input.
"""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable, Mapping
from typing import Any, BinaryIO, NoReturn

from rulebook.engine.failures import METHOD, PARSE, REQUEST, Failure, of

MAX_LINE = 8 << 20
"""The longest line that is read, in bytes, where nothing else is said."""
CHUNK = 1 << 16

Method = Callable[[dict[str, Any]], dict[str, Any]]


class Quit(Exception):
    """The client is done. `result` is the last answer."""

    def __init__(self, result: dict[str, Any]) -> None:
        super().__init__("quit")
        self.result = result


def serve(source: BinaryIO, sink: BinaryIO, methods: Mapping[str, Method], max_line: int = MAX_LINE) -> None:
    """Answer line by line until `quit` or the end of the input. Raises BrokenPipeError where nobody reads any more."""
    while True:
        raw = read_line(source, max_line)
        if raw == b"":
            return
        if raw is not None and not raw.strip():
            continue
        # Nothing but answers may reach the client: what a library prints goes where people look.
        with contextlib.redirect_stdout(sys.stderr):
            answer, done = answer_line(raw, methods, max_line)
        if answer is not None:
            sink.write(answer)
            sink.flush()
        if done:
            return


def read_line(source: BinaryIO, max_line: int) -> bytes | None:
    """The next line with its end; b"" at the end of the input; None for one that was too long, which is skipped."""
    raw = source.readline(max_line + 2)
    if len(raw.rstrip(b"\r\n")) <= max_line:
        return raw
    while raw and not raw.endswith(b"\n"):
        raw = source.readline(CHUNK)
    return None


def answer_line(
    raw: bytes | None, methods: Mapping[str, Method], max_line: int = MAX_LINE
) -> tuple[bytes | None, bool]:
    """The answer to a line (None to a notification, which has no `id`), and whether it was the last."""
    id: Any = None
    silent = False
    try:
        if raw is None:
            raise Failure(REQUEST, "too_long", f"a line is at most {max_line} bytes long")
        request = parse(raw)
        id = _id(request)
        silent = envelope(request)
        answer = encode({"jsonrpc": "2.0", "id": id, "result": call(methods, request)})
    except Quit as end:
        return None if silent else encode({"jsonrpc": "2.0", "id": id, "result": end.result}), True
    except Exception as error:
        answer = encode({"jsonrpc": "2.0", "id": id, "error": of(error).data()})
    return None if silent else answer, False


def call(methods: Mapping[str, Method], request: dict[str, Any]) -> dict[str, Any]:
    """What the method gives. Raises :class:`Failure` where there is no such method, and whatever the method raises."""
    name = request["method"]
    method = methods.get(name)
    if method is None:
        from rulebook.diagnostics import did_you_mean

        hint = did_you_mean(name[:80], methods) or "`hello` names them all"
        raise Failure(METHOD, "method", f"there is no method `{name[:80]}`; {hint}")
    return method(request.get("params", {}))


def encode(answer: dict[str, Any]) -> bytes:
    """The line of an answer: ASCII, so that no text in it can break a line or a decoder."""
    return json.dumps(answer, separators=(",", ":"), allow_nan=False).encode("ascii") + b"\n"


def _id(request: Any) -> str | int | None:
    """The `id` of a request, null where it has none that can be repeated. Raises :class:`Failure`."""
    id = request.get("id") if isinstance(request, dict) else None
    if id is None or type(id) is int or (isinstance(id, str) and len(id) <= 200):
        return id
    raise Failure(REQUEST, "request", "`id` is a text of at most 200 characters, a whole number or null")


def envelope(request: Any) -> bool:
    """Is this a request of JSON-RPC 2.0? Whether it is a notification. Raises :class:`Failure`."""
    if isinstance(request, list):
        raise Failure(REQUEST, "batch", "batches are not read; send one request a line, they are answered in order")
    if not isinstance(request, dict):
        raise Failure(REQUEST, "request", "a request is a JSON object")
    if request.get("jsonrpc") != "2.0":
        raise Failure(REQUEST, "request", '`jsonrpc` must be "2.0"')
    if not isinstance(request.get("method"), str):
        raise Failure(REQUEST, "request", "`method` must be a text")
    if not isinstance(request.get("params", {}), dict):
        raise Failure(REQUEST, "request", "`params` must be an object: parameters have names here")
    for key in request:
        if key not in ("jsonrpc", "id", "method", "params"):
            raise Failure(REQUEST, "request", f"`{key[:80]}` is no part of a request")
    return "id" not in request


def parse(raw: bytes) -> Any:
    """Strict JSON: UTF-8, whole numbers, no key twice. Raises :class:`Failure`."""
    try:
        return json.loads(
            raw.decode("utf-8"), parse_constant=_no_number, parse_float=_no_number, object_pairs_hook=_object
        )
    except UnicodeDecodeError:
        raise Failure(PARSE, "parse", "the line is not UTF-8") from None
    except RecursionError:
        raise Failure(PARSE, "parse", "the line is nested too deeply") from None
    except ValueError as error:
        raise Failure(PARSE, "parse", f"the line is not JSON: {error}") from None


def _no_number(text: str) -> NoReturn:
    raise Failure(PARSE, "parse", f"numbers are whole numbers here, not {text[:40]}")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) != len(pairs):
        raise Failure(PARSE, "parse", "a key stands twice in one object")
    return data
