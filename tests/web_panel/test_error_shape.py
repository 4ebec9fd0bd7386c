"""Every refusal of the panel has one shape:

    {"ok": false, "error": {"code": "wrong-pin", "sentence": "That is not …", "rule": null}, "status": 403}

`status` is the HTTP status; `code` is stable and determines the status; `sentence` is for a person; `rule` names the
rule that forbids the act, or null. Success is `{"ok": true}`. Outside `/api/`, a page shows the sentence.
"""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest
from werkzeug.test import TestResponse

from firmware_host.core.errors import UserError
from firmware_host.table.table import Table
from tests.web_panel.conftest import Panel
from web_panel.failures import STATUS
from web_panel.language import Language


def refused(answer: TestResponse, code: str) -> dict[str, Any]:
    """Return the error of an answer, which must have this shape and code."""
    body = answer.json
    assert body is not None
    assert set(body) == {"ok", "error", "status"}
    assert body["ok"] is False
    assert body["status"] == answer.status_code == STATUS[code]
    assert set(body["error"]) == {"code", "sentence", "rule"}
    assert body["error"]["code"] == code
    assert body["error"]["sentence"].endswith((".", "!", "…"))
    error: dict[str, Any] = body["error"]
    return error


def test_every_error_code_has_its_status() -> None:
    assert UserError.__doc__
    listed = UserError.__doc__.split("Codes:")[1].replace("(the engine's);", ",").replace(".", "")
    codes = {code.strip() for code in listed.split(",")}

    assert codes <= set(STATUS)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"", "no JSON"),
        (b"{", "no JSON"),
        (b"\xff\xfe", "no JSON"),
        (b"[1]", "not a JSON object"),
        (b'"text"', "not a JSON object"),
        (b'{"seat": NaN}', "no JSON"),
        (b"[" * 60_000, "nested too deeply"),
        (b'{"a":' * 10_000, "nested too deeply"),
        (b'{"seat":' + b"9" * 60_000 + b"}", "a number that is out of range"),
        (b'"' + b"\\u0000" * 10_000 + b'"', "not a JSON object"),
        (b'{"seat": "\\ud800", "pin": "2468", "device": "x"}', "no JSON"),
        (b'{"seat": "sniper", "seat": "sniper"}', "the field 'seat' appears twice"),
        (b'{"seat": -0.0}', "a number that is out of range"),
        (b'{"pin": "2468", "device": "x"}', "'seat' has to be a text"),
        (b'{"seat": 5, "pin": true, "device": null}', "'device' has to be a text, 'pin' has to be a text"),
        (b'{"seat": "sniper", "pin": "2468", "device": "x", "as": "root"}', "there is no field 'as'"),
        (b'{"seat": "sniper", "pin": "2468", "device": "x", "squads": [1]}', "a list of texts"),
        (b'{"seat": "referee", "pin": "2468", "device": "x"}', "There is no seat 'referee'"),
    ],
)
def test_unreadable_body_is_refused_with_the_reason(unchanged: Panel, body: bytes, why: str) -> None:
    answer = unchanged.browser().client.post("/api/claim", data=body, content_type="application/json")

    assert why in refused(answer, "not-understood")["sentence"]


def test_oversized_body_is_not_read(unchanged: Panel) -> None:
    body = json.dumps({"seat": "sniper", "pin": "1" * 70_000, "device": "x"})

    refused(unchanged.browser().client.post("/api/claim", data=body, content_type="application/json"), "too-large")


def test_only_json_is_accepted(unchanged: Panel) -> None:
    refused(unchanged.browser().client.post("/api/claim", data={"seat": "sniper"}), "not-json")


def test_unknown_address_and_wrong_method_have_the_shape_too(unchanged: Panel) -> None:
    browser = unchanged.browser()

    refused(browser.get("/api/nothing"), "not-found")
    wrong = browser.get("/api/claim")
    refused(wrong, "not-allowed")
    assert "POST" in wrong.headers["Allow"]


def test_taken_seat_is_refused_by_name(panel: Panel) -> None:
    panel.sit_down()

    assert "Ada's phone" in refused(panel.browser().claims("sniper"), "seat-taken")["sentence"]


def test_forbidding_rule_is_named(panel: Panel) -> None:
    _, defenders = panel.start()

    assert refused(defenders.acts("defenders", type="end-turn"), "refused")["rule"].startswith("MP-")


def test_double_tap_acts_once(panel: Panel) -> None:
    sniper, _ = panel.start()
    picture = sniper.get("/api/picture/sniper").json
    act = {"seat": "sniper", "action": picture["legal"][0], "revision": picture["revision"]}

    assert sniper.post("/api/act", **act, id="one tap").json == {"ok": True}
    refused(sniper.post("/api/act", **act, id="another"), "stale")


def test_act_without_picture_or_id_is_refused(panel: Panel) -> None:
    sniper, _ = panel.start()
    picture = sniper.get("/api/picture/sniper").json
    act = {"seat": "sniper", "action": picture["legal"][0], "revision": picture["revision"], "id": "named"}

    for name, kind in (("revision", "a whole number"), ("id", "a text")):
        for lacking in ({**act, name: None}, {key: value for key, value in act.items() if key != name}):
            answer = refused(sniper.post("/api/act", **lacking), "not-understood")
            assert answer["sentence"] == f"The request cannot be read: '{name}' has to be {kind}."
    assert sniper.get("/api/picture/sniper").json == picture


def test_unknown_map_is_not_found(unchanged: Panel) -> None:
    assert unchanged.browser().get("/maps/atlantis.svg").status_code == 404


def test_internal_error_reveals_no_details(panel: Panel, caplog: pytest.LogCaptureFixture) -> None:
    @panel.app.get("/api/fault")
    def fault() -> str:
        raise RuntimeError("the sniper is on Y7")

    with caplog.at_level(logging.DEBUG):
        answer = panel.browser().get("/api/fault")

    refused(answer, "broken")
    assert "Y7" not in answer.text + caplog.text
    assert "RuntimeError" in caplog.text


def test_with_the_loop_dead_every_answer_has_the_shape(panel: Panel, caplog: pytest.LogCaptureFixture) -> None:
    sniper, defenders = panel.start()
    paths = sorted({rule.rule for rule in panel.app.url_map.iter_rules() if not rule.arguments})

    def fail(_: Table) -> None:
        panel.loop.fault = RuntimeError()  # the log line is not the subject here
        raise SystemExit("the sniper is on Y7")

    with pytest.raises(UserError):
        panel.loop.call(fail)
    panel.loop.thread.join(30)
    assert not panel.loop.thread.is_alive()
    with caplog.at_level(logging.DEBUG):
        for browser in (sniper, defenders, panel.browser()):
            for path in paths:
                answer = browser.get(path, buffered=path != "/api/stream/table")
                if path.startswith("/api/") and answer.status_code != 200:
                    refused(answer, answer.json["error"]["code"])
            for answer in (browser.claims("sniper"), browser.acts("sniper", type="end-turn")):
                refused(answer, answer.json["error"]["code"])
    assert caplog.text == ""


def test_shape_is_kept_when_the_error_handler_fails(
    panel: Panel, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> str:
        raise RuntimeError("the sniper is on Y7")

    monkeypatch.setattr(Language, "say", broken)
    with caplog.at_level(logging.DEBUG):
        for path in ("/api/nothing", "/nothing", "/api/picture/sniper", "/sniper"):
            answer = panel.browser().get(path)
            refused(answer, "broken")
            assert "Y7" not in answer.text
    assert "Y7" not in caplog.text
    assert "RuntimeError in" in caplog.text
