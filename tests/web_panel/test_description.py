"""The HTTP interface matches its description, whatever is asked, by a stranger or from a seat during a game."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from hypothesis import given, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.depth import cases
from tests.web_panel.conftest import Browser, Panel
from tools.http_page import PAGE, page
from web_panel.description import openapi_document

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
MODES = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)


def test_page_in_docs_matches_the_routes(panel: Panel) -> None:
    assert PAGE.read_text("utf-8") == page(openapi_document(panel.app)), "python -m tools.http_page"


def test_every_route_is_described_in_a_sentence(panel: Panel) -> None:
    description = panel.browser().get("/api/openapi.json").json
    assert description is not None
    found = {path.replace("{", "<").replace("}", ">") for path in description["paths"]}
    assert found == {rule.rule for rule in panel.app.url_map.iter_rules() if rule.rule.startswith("/api/")}
    for methods in description["paths"].values():
        for operation in methods.values():
            assert operation["summary"].endswith("."), operation["operationId"]
            assert "\n" not in operation["summary"], operation["operationId"]  # it is a row of docs/http.md


def cookies(browser: Browser) -> str:
    """Return the cookies that a browser sends."""
    return "; ".join(f"{cookie.key}={cookie.value}" for cookie in browser.client._cookies.values())


@pytest.mark.parametrize("who", ["a stranger", "the sniper", "the defenders"])
def test_every_answer_matches_the_description(panel: Panel, who: str) -> None:
    """The requests come during a game and cannot end it: only a seat's holder could."""
    sniper, defenders = panel.start()
    asking = {"a stranger": "", "the sniper": cookies(sniper), "the defenders": cookies(defenders)}[who]
    headers = {"Accept-Encoding": "identity", "Cookie": asking}
    schema = schemathesis.openapi.from_wsgi("/api/openapi.json", panel.app)
    operations = [found.ok() for found in schema.exclude(path_regex="/stream/").get_all_operations()]
    requests = [operation.as_strategy(generation_mode=mode) for operation in operations for mode in MODES]

    @settings(max_examples=cases(60, by_day=30), deadline=None, database=None, derandomize=True)
    @given(case=st.one_of(requests))
    def ask(case: Case[Any]) -> None:
        case.call_and_validate(headers=headers, checks=CHECKS)

    ask()
    assert panel.loop.fault is None
    assert panel.browser().get("/api/lobby").status_code == 200
