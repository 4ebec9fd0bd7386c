"""`python -m tools.http_page`: write docs/http.md, the HTTP API, from the routes.

The page lists the addresses with their parameters. A test compares it with the output of this module.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from maker.page_parts import DOCS, markdown_table, write_generated
from tools.showroom import Showroom
from web_panel.description import openapi_document
from web_panel.failures import STATUS

PAGE = DOCS / "http.md"
HEAD = """# HTTP API

`python -m tools.http_page` generates this page from the routes. A running table serves the same description as
OpenAPI 3.1 at `/api/openapi.json`.

{about}

An error is `{{"ok": false, "error": {{"code", "sentence", "rule"}}, "status"}}`. A successful POST returns
`{{"ok": true}}`. Fields in brackets are optional.

A device with the key of a secret seat gets spaces after the JSON, so that all answers of a kind have the same length
([Trust](trust.md)). If you write a client for such a seat, pad its requests, too: add spaces after the JSON up to 4096
bytes, or a multiple of 4096 bytes.

{addresses}

## Long games

Read a past game in pages: ask for `/api/games/{{number}}/steps/0`, then for the step that `next` names, until `next` is
null. A page has at most 64 steps and about 256 KiB; `count` is the number of all steps. `/api/games/{{number}}` sends
the whole game in one answer. It refuses a game of more than 4 MiB with `too-large`. One page is built at a time:
`busy` means to ask again after `Retry-After` seconds.

## Codes

{codes}
"""


def page(description: dict[str, Any]) -> str:
    rows = [
        (f"`{method.upper()} {path}`", _fields(operation), operation["summary"])
        for path, methods in description["paths"].items()
        for method, operation in methods.items()
    ]
    addresses = markdown_table(("address", "fields", "description"), rows)
    codes = markdown_table(("code", "status"), ((f"`{code}`", status) for code, status in STATUS.items()))
    return HEAD.format(about=description["info"]["description"], addresses=addresses, codes=codes)


def _fields(operation: dict[str, Any]) -> str:
    if "requestBody" not in operation:
        return ""
    schema = operation["requestBody"]["content"]["application/json"]["schema"]
    if not schema["properties"]:
        return "`{}`"
    return ", ".join(_field(name, form, name in schema["required"]) for name, form in schema["properties"].items())


def _field(name: str, form: dict[str, Any], required: bool) -> str:
    return f"`{name}` {form['type']}" if required else f"[`{name}` {form['anyOf'][0]['type']}]"


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        room = Showroom(Path(folder))
        text = page(openapi_document(room.app))
        room.stop()
    return write_generated({PAGE: text})


if __name__ == "__main__":
    raise SystemExit(main())
