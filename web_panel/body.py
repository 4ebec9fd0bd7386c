"""Read request bodies: a JSON object with exactly the expected fields.

Also builds the answer that confirms success.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from flask import Request, Response, jsonify, request

from firmware_host.api.interface import Text, UserError, comma_list
from firmware_host.core.strict import Malformed, decode

Asked = dict[str, Any]
"""The fields of a request's body, by name."""
NAMES = {
    str: Text("a text"),
    int: Text("a whole number"),
    bool: Text("true or false"),
    dict: Text("an object"),
    list: Text("a list"),
}

BIGGEST_BODY = 64 * 1024
"""Maximum bytes of a body. Only game records (`games.py`) may be larger."""
MOST_FAULTS, LONGEST_NAME = 5, 40
"""How many unknown fields an error message lists, and the maximum characters of each."""
NO_JSON = Text("The request is no JSON.")
FAULTS = {
    "too-deep": Text("The request cannot be read: it is nested too deeply."),
    "twice": Text("The request cannot be read: the field {name} is there twice."),
    "number": Text("The request cannot be read: it holds a number that is out of range."),
}


def read(asking: Request, **wanted: type | tuple[type, Any]) -> dict[str, Any]:
    """Return the fields of a request's body.

    Pass `name=type` for a required field, or `name=(type, default)` for one that may be absent or null.
    Raises `UserError` that lists everything wrong with the body.
    """
    found = _decode(asking)
    # Limit what comes back of the client's own text, in number and in length.
    unknown = [name for name in found if name not in wanted][:MOST_FAULTS]
    faults = [Text("there is no field {name}", name=repr(name[:LONGEST_NAME])) for name in unknown]
    values = {}
    for name, form in wanted.items():
        # Ellipsis marks a required field, because None is a valid default.
        kind, default = form if isinstance(form, tuple) else (form, ...)
        value = found.get(name)
        if value is None and default is not ...:
            value = default
        # Not isinstance: a bool is an int in Python, but not in JSON.
        elif type(value) is not kind:
            faults.append(Text("{name} has to be {kind}", name=repr(name), kind=NAMES[kind]))
        values[name] = value
    if faults:
        raise UserError("not-understood", Text("The request cannot be read: {faults}.", faults=comma_list(faults)))
    return values


def takes(**wanted: type | tuple[type, Any]) -> Callable[[Callable[..., Response]], Callable[..., Response]]:
    """Decorate a view so that it receives the result of `read`.

    `description.py` documents the fields it expects.
    """

    def wrap(view: Callable[..., Response]) -> Callable[..., Response]:
        @wraps(view)
        def answer(**path: str) -> Response:
            return view(read(request, **wanted), **path)

        # OpenAPI needs the fields, and Flask keeps only the function.
        answer.wanted = wanted  # type: ignore[attr-defined]
        return answer

    return wrap


def tells(kind: str) -> Callable[[Callable[..., Response]], Callable[..., Response]]:
    """Set the media type of a view's answer, for `description.py`."""

    def mark(view: Callable[..., Response]) -> Callable[..., Response]:
        view.kind = kind  # type: ignore[attr-defined]
        return view

    return mark


def done() -> Response:
    """Return the answer to a successful request. `failures.py` builds the errors."""
    return jsonify({"ok": True})


def texts(found: list[Any]) -> tuple[str, ...]:
    """Return a list of strings. Raises `UserError` if it contains anything else."""
    if not all(isinstance(item, str) for item in found):
        raise UserError("not-understood", Text("The request cannot be read: a list of texts was expected."))
    return tuple(found)


def objects(found: list[Any]) -> list[dict[str, Any]]:
    """Return a list of objects. Raises `UserError` if it contains anything else."""
    if not all(isinstance(item, dict) for item in found):
        raise UserError("not-understood", Text("The request cannot be read: a list of objects was expected."))
    return found


def texts_by_name(found: dict[Any, Any]) -> dict[str, str]:
    """Return an object whose values are strings. Raises `UserError` if it contains anything else."""
    texts(list(found.values()))
    return found


def _decode(asking: Request) -> dict[str, Any]:
    try:
        found = decode(asking.get_data(cache=False), BIGGEST_BODY)
    except Malformed as error:
        words = FAULTS.get(error.fault, NO_JSON)
        raise UserError("not-understood", words.with_(name=repr(error.name[:LONGEST_NAME]))) from None
    if not isinstance(found, dict):
        raise UserError("not-understood", Text("The request is no JSON object."))
    return found
