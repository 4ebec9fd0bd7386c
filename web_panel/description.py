"""Describe the HTTP API as OpenAPI 3.1, generated from the routes: parameters, answers and errors.

It is served at `/api/openapi.json`. `python -m tools.http_page` generates `docs/http.md` from it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Flask, Response, current_app, jsonify
from werkzeug.routing import Rule

from web_panel.body import Field
from web_panel.failures import STATUS

SCHEMAS: dict[type, dict[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    bool: {"type": "boolean"},
    dict: {"type": "object"},
    tuple: {"type": "array", "items": {"type": "string"}},
    list: {"type": "array", "items": {"type": "object"}},
}
DONE = {"type": "object", "properties": {"ok": {"const": True}}, "required": ["ok"], "additionalProperties": False}
REFUSAL = {
    "type": "object",
    "description": "`status` is the answer's own; `code` is stable; `sentence` is for a person; `rule` is the number "
    "of the rule that forbids it, or null.",
    "properties": {
        "ok": {"const": False},
        "error": {
            "type": "object",
            "properties": {
                "code": {"type": "string", "enum": sorted(STATUS)},
                "sentence": {"type": "string"},
                "rule": {"type": ["string", "null"]},
            },
            "required": ["code", "sentence", "rule"],
            "additionalProperties": False,
        },
        "status": {"type": "integer"},
    },
    "required": ["ok", "error", "status"],
    "additionalProperties": False,
}
ABOUT = (
    "Get complete pictures as JSON or server-sent events, and act with POST.\n"
    "`claim` and `take-over` set a seat's cookie. "
    "A POST must come from a page at the table's own address, with JSON as its body."
)
PLACE = re.compile(r"<(?:\w+:)?(\w+)>")


def description_routes() -> Blueprint:
    """Return the blueprint that serves the description."""
    routes = Blueprint("description", __name__)

    @routes.get("/api/openapi.json")
    def openapi() -> Response:
        """Return this API description as OpenAPI 3.1."""
        return jsonify(openapi_document(current_app))

    return routes


def openapi_document(app: Flask) -> dict[str, Any]:
    """Return every route of `app` under `/api/` as an OpenAPI document."""
    paths: dict[str, dict[str, Any]] = {}
    # Sorted, so that the page changes only where a route changes.
    for rule in sorted(app.url_map.iter_rules(), key=lambda rule: rule.rule):
        if rule.rule.startswith("/api/"):
            # Each route has one method; HEAD and OPTIONS come from Flask.
            method = "post" if "POST" in (rule.methods or ()) else "get"
            paths.setdefault(PLACE.sub(r"{\1}", rule.rule), {})[method] = _operation(app, rule)
    return {
        "openapi": "3.1.0",
        "info": {"title": "sniperboard", "version": "1", "description": ABOUT},
        "paths": paths,
        "components": {"schemas": {"Done": DONE, "Refusal": REFUSAL}},
    }


def _operation(app: Flask, rule: Rule) -> dict[str, Any]:
    view = app.view_functions[rule.endpoint]
    fields = getattr(view, "wanted", None)
    good = {"application/json": {"schema": _named("Done") if fields is not None else {"type": "object"}}}
    operation: dict[str, Any] = {
        "operationId": rule.endpoint.rpartition(".")[2],
        "summary": " ".join((view.__doc__ or "").split()),
        "responses": {
            "200": {"description": "Done." if fields is not None else "As asked.", "content": good},
            "default": {"description": "Refused.", "content": {"application/json": {"schema": _named("Refusal")}}},
        },
    }
    if kind := getattr(view, "kind", None):
        operation["responses"]["200"]["content"] = {kind: {}}
    if rule.arguments:
        operation["parameters"] = [
            {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
            for name in sorted(rule.arguments)
        ]
    if fields is not None:
        operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": _body(fields)}}}
    return operation


def _named(schema: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{schema}"}


def _body(body_fields: Mapping[str, Field]) -> dict[str, Any]:
    """Return the schema of a body that `read` accepts. A field with a default may be absent or null."""
    fields, required = {}, []
    for name, field in body_fields.items():
        # Store the default in a list, because a default of None differs from no default.
        kind, *default = field if isinstance(field, tuple) else (field,)
        schema = SCHEMAS[kind]
        if default:
            fields[name] = {"anyOf": [schema, {"type": "null"}], "default": default[0]}
        else:
            fields[name] = schema
            required.append(name)
    return {"type": "object", "properties": fields, "required": required, "additionalProperties": False}
