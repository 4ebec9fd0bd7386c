"""The plain port of an https table: it redirects to https or refuses, and does nothing else."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web_panel.conftest import PIN, Panel
from tests.web_panel.doors import HOME, Door, opened
from web_panel.settings import PanelSettings

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="this machine has no openssl")
BREAKING = ["/%0d%0aX", "/%0d%0aSet-Cookie:%20a=b", "/%00", "/%ff%fe", "/a%20b", "/%5cevil", "/?%0d%0aX"]
BREAKING += ["//evil.example/x", "/a?language=pl%0d%0aX:%20y"]
SECURE = PanelSettings(simulated=True, secure=True, port=8443, machine="table")


@pytest.fixture(scope="module")
def panel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Panel]:
    found = Panel(tmp_path_factory.mktemp("panel"), SECURE)
    yield found
    found.stop()


@pytest.fixture(scope="module")
def doors(panel: Panel, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Door, Door]]:
    with opened(panel.app, tmp_path_factory.mktemp("tls")) as found:
        yield found


def addresses(panel: Panel) -> list[tuple[str, str]]:
    """Return every method and address of the panel."""
    return sorted((method, rule.rule) for rule in panel.app.url_map.iter_rules() for method in rule.methods or ())


def test_every_address_redirects_to_https_or_is_refused(panel: Panel, doors: tuple[Door, Door]) -> None:
    _, plain = doors
    for method, rule in addresses(panel):
        path = re.sub("<[^>]+>", "x", rule)
        headers = ["Content-Type: application/json", "Content-Length: 0"] if method == "POST" else []
        answer = plain.asks(path, *headers, method=method)
        if method in ("GET", "HEAD"):
            assert (answer.status, answer.header("Location")) == (302, f"https://{HOME}:8443{path}"), path
        else:
            assert (answer.status, answer.code) == (403, "https-only"), path
        assert (answer.cookies, b"<form" in answer.body) == ({}, False)


def test_no_seat_or_key_is_given_in_clear_text(panel: Panel, doors: tuple[Door, Door]) -> None:
    secure, plain = doors
    claim = {"seat": "sniper", "pin": PIN, "device": "Ada's phone"}
    answer = plain.posts("/api/claim", **claim)
    assert (answer.code, answer.cookies) == ("https-only", {})
    assert not panel.interface.lobby()["seats"]["sniper"]["taken"]
    assert plain.posts("/api/house/enter", pin="135790").code == "https-only"
    assert plain.asks("/?language=pl").cookies == {}
    assert secure.posts("/api/claim", **claim).status == 200


@pytest.mark.parametrize("path", BREAKING)
@pytest.mark.parametrize("host", [HOME, "table.local:80", "[::1]:80"])
def test_no_address_breaks_or_changes_the_redirect(doors: tuple[Door, Door], path: str, host: str) -> None:
    answer = doors[1].asks(path, host=host)
    assert answer.status == 302
    name = host.removesuffix(":80")
    assert answer.header("Location").startswith(f"https://{name}:8443/")
    assert not {"x", "set-cookie"} & set(answer.headers)


def test_foreign_host_name_gets_no_redirect(doors: tuple[Door, Door]) -> None:
    answer = doors[1].asks("/", host="evil.example")
    assert (answer.status, answer.header("Location"), b"<form" in answer.body) == (421, "", False)


def test_trusted_proxy_states_the_scheme_of_the_request(tmp_path: Path) -> None:
    """The proxy uses https at the usual port, whatever the table's own port is."""
    found = Panel(tmp_path, PanelSettings(simulated=True, secure=True, port=8443, machine="table", proxies=(HOME,)))
    try:
        with opened(found.app, tmp_path) as doors:
            for door in doors:
                led = door.asks("/rules?a=b", "X-Forwarded-Proto: http", host="table.local:8080")
                assert (led.status, led.header("Location")) == (302, "https://table.local/rules?a=b")
                assert door.asks("/rules", "X-Forwarded-Proto: https", host="table.local").status == 200
                others = door.asks("/rules", "X-Forwarded-Proto: https", host="table.local", address="127.0.0.9")
                assert others.status == (200 if door.tls else 302), "a stranger's header must be ignored"
    finally:
        found.stop()


def test_http_table_answers_at_both_ports_with_the_same_cookies(tmp_path: Path) -> None:
    found = Panel(tmp_path, PanelSettings(simulated=True, port=8000))
    try:
        with opened(found.app, tmp_path, secure=False) as (first, second):
            taken = second.posts("/api/claim", seat="sniper", pin=PIN, device="x")
            ((name, key),) = taken.cookies.items()
            assert first.asks("/api/picture/sniper", f"Cookie: {name}={key}").status == 200
    finally:
        found.stop()
