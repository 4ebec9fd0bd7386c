"""Addresses of routes are built as by Werkzeug, but compiled only when one is needed."""

from __future__ import annotations

from typing import Any

import pytest
from werkzeug.routing import Map, Rule

from tests.web_panel.conftest import Panel
from tools.showroom import SIMULATED
from web_panel.app import LazyRule, create_app


def test_panel_compiles_no_addresses_at_its_start(panel: Panel, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled, compile_builder = list[str](), Rule._compile_builder

    def noted(rule: Rule, append_unknown: bool = True) -> Any:
        compiled.append(rule.rule)
        return compile_builder(rule, append_unknown)

    monkeypatch.setattr(Rule, "_compile_builder", noted)
    app = create_app(panel.interface, SIMULATED)
    static = {rule.rule for rule in app.url_map.iter_rules("static")}  # Flask adds it first of all
    assert {*compiled} <= static
    answer = app.test_client().get("/", headers={"Host": "127.0.0.1"}, environ_base={"REMOTE_ADDR": "127.0.0.1"})
    assert answer.status_code == 200
    assert {*compiled} - static


def test_every_address_is_built_as_by_werkzeug(panel: Panel) -> None:
    routes = [*panel.app.url_map.iter_rules()]
    assert routes
    lazy, plain = (Map([kind(rule.rule, endpoint=rule.endpoint) for rule in routes]) for kind in (LazyRule, Rule))
    for rule in routes:
        names = {name: 7 if converter else "a b/ü" for name, converter in _converters(panel, rule.endpoint).items()}
        values = {**names, "rule": "x", "more": ["1", "2"]}
        built, wanted = (each.bind("table").build(rule.endpoint, values) for each in (lazy, plain))
        assert built == wanted


def _converters(panel: Panel, endpoint: str) -> dict[str, bool]:
    """Return the places of an address, and whether each is a number."""
    rules = panel.app.url_map.iter_rules(endpoint)
    return {name: type(it).__name__ == "IntegerConverter" for rule in rules for name, it in rule._converters.items()}
