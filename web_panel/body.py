"""Routes for POST, whose bodies are JSON objects with exactly the expected fields."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin

from flask import Blueprint, Response, jsonify, request

from firmware_host.api.interface import Text, UserError, comma_list
from firmware_host.core.strict import Malformed, decode

View = TypeVar("View", bound=Callable[..., Any])
Field = type | tuple[type, Any]
"""A required field's type, or the type and the default of a field that may be absent or null.

A `tuple` stands for a list of texts, a `list` for a list of objects.
"""
NAMES = {
    str: Text("a text"),
    int: Text("a whole number"),
    bool: Text("true or false"),
    dict: Text("an object"),
    list: Text("a list"),
    tuple: Text("a list"),
}
Texts = tuple[str, ...]
ITEMS: Mapping[type, type] = {tuple: str, list: dict}
NOT_ITEMS: Mapping[type, Text] = {
    tuple: Text("The request cannot be read: a list of texts was expected."),
    list: Text("The request cannot be read: a list of objects was expected."),
}

BIGGEST_BODY = 64 * 1024
"""Maximum bytes of a body. Only game records (`games.py`) may be larger."""
MOST_FAULTS, LONGEST_NAME = 5, 40
"""How many unknown fields an error message lists, and the maximum characters of each."""
NO_JSON = Text("The request is no JSON.")
FAULTS = {
    "too-deep": Text("The request cannot be read: it is nested too deeply."),
    "twice": Text("The request cannot be read: the field {name} appears twice."),
    "number": Text("The request cannot be read: it holds a number that is out of range."),
}


def posts(routes: Blueprint, rule: str, **more: Field) -> Callable[[View], View]:
    """Decorate a view that answers POST requests to `rule`. Its arguments are the fields of the body.

    The fields are the view's parameters that are not part of the address, and `more`. If the view returns None, the
    answer confirms success.
    """

    def wrap(view: View) -> View:
        fields = {**_parameters(view), **more}
        body_fields = {name: field for name, field in fields.items() if f"<{name}>" not in rule}

        @wraps(view)
        def answer(**address: str) -> Response:
            return view(**address, **read_fields(body_fields)) or done()

        # The API's description needs the fields, and Flask keeps only the function.
        answer.wanted = body_fields  # type: ignore[attr-defined]
        # Flask registers the wrapper; the name of the view stays bound to the plain function.
        routes.post(rule)(answer)
        return view

    return wrap


def _parameters(view: Callable[..., Any]) -> dict[str, Field]:
    parameters = inspect.signature(view, eval_str=True).parameters.items()
    return {
        name: (_kind(it.annotation), it.default) if it.default is not it.empty else _kind(it.annotation)
        for name, it in parameters
        if it.kind is not it.VAR_KEYWORD
    }


def _kind(annotation: Any) -> type:
    """Return the type without its parameters: `dict` for `dict[str, Any]`, `str` for `str | None`."""
    plain = get_args(annotation)[0] if isinstance(annotation, UnionType) else annotation
    kind: type = get_origin(plain) or plain
    return kind


def tells(kind: str) -> Callable[[View], View]:
    """Decorate a view with the media type of its answer, for `description.py`."""

    def mark(view: View) -> View:
        view.kind = kind  # type: ignore[attr-defined]
        return view

    return mark


def read_fields(fields: Mapping[str, Field]) -> dict[str, Any]:
    """Return the fields of the request's body. Raises `UserError`."""
    body = _decode()
    # The answer repeats the client's own text, so limit the number of fields and their length.
    unknown = [name for name in body if name not in fields][:MOST_FAULTS]
    faults = [Text("there is no field {name}", name=repr(name[:LONGEST_NAME])) for name in unknown]
    values = {}
    for name, field in fields.items():
        # Ellipsis marks a required field, because None is a valid default.
        kind, default = field if isinstance(field, tuple) else (field, ...)
        value = body.get(name)
        if value is None and default is not ...:
            value = default
        # Not isinstance: a bool is an int in Python, but not in JSON.
        elif type(value) is not (list if kind is tuple else kind):
            faults.append(Text("{name} has to be {kind}", name=repr(name), kind=NAMES[kind]))
        elif kind in ITEMS:
            check_items(kind, body[name])
            value = kind(body[name])
        values[name] = value
    if faults:
        raise UserError("not-understood", Text("The request cannot be read: {faults}.", faults=comma_list(faults)))
    return values


def _decode() -> dict[str, Any]:
    try:
        # Don't use Flask's cache, which would hold a second copy of the body.
        body = decode(request.get_data(cache=False), request.max_content_length or BIGGEST_BODY)
    except Malformed as error:
        words = FAULTS.get(error.fault, NO_JSON)
        raise UserError("not-understood", words.with_(name=repr(error.name[:LONGEST_NAME]))) from None
    if not isinstance(body, dict):
        raise UserError("not-understood", Text("The request is not a JSON object."))
    return body


def done() -> Response:
    """Return the answer to a successful request. `failures.py` builds the errors."""
    return jsonify({"ok": True})


def check_items(kind: type, items: Iterable[Any]) -> None:
    """Raise `UserError` if not all items are texts (for a `tuple`) or objects (for a `list`)."""
    if not all(isinstance(item, ITEMS[kind]) for item in items):
        raise UserError("not-understood", NOT_ITEMS[kind])
