"""Cookie names: a table shares none with another table of its host, and https shares none with plain HTTP."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from firmware_host.admin import pin as pins
from firmware_host.api.interface import STRANGERS
from tests.web_panel.conftest import ADMIN_PIN, PIN, Browser, Panel
from web_panel.seats import LANES
from web_panel.settings import PanelSettings

HTTPS = "https://localhost"


@contextmanager
def tables(folder: Path, *ports: int, secure: bool = False) -> Iterator[list[Panel]]:
    """Tables with these ports."""
    found = [Panel(folder / str(port), PanelSettings(simulated=True, port=port, secure=secure)) for port in ports]
    try:
        yield found
    finally:
        for panel in found:
            panel.stop()


@pytest.fixture(autouse=True)
def folders(tmp_path: Path) -> None:
    for name in ("8000", "8001"):
        (tmp_path / name).mkdir()


def claims(browser: Browser, seat: str = "sniper", **more: str) -> dict[str, str]:
    """Return the cookies that come with a seat, each with its attributes."""
    answer = browser.client.post("/api/claim", json={"seat": seat, "pin": PIN, "device": "x"}, **more)
    assert answer.status_code == 200
    return dict(cookie.split("=", 1) for cookie in answer.headers.getlist("Set-Cookie"))


def test_two_tables_of_one_host_keep_each_others_seats(tmp_path: Path) -> None:
    with tables(tmp_path, 8000, 8001) as (one, other):
        first, second = one.browser(), other.browser()
        second.client._cookies = first.client._cookies  # one browser: cookies don't depend on ports
        claims(first)
        claims(second)
        assert first.get("/sniper").status_code == second.get("/sniper").status_code == 200
        pins.write_pin(other.folder, ADMIN_PIN)
        assert second.post("/api/house/enter", pin=ADMIN_PIN).status_code == 200
        assert second.get("/api/house").status_code == 200
        assert first.get("/api/house").status_code == 403
        assert first.get("/sniper").status_code == 200


def test_https_cookie_is_host_bound_and_blocks_no_http_cookie(tmp_path: Path) -> None:
    with tables(tmp_path, 8000, secure=True) as (table,):
        ((secure, cookie),) = claims(table.browser(), base_url=HTTPS).items()
    assert secure == "__Host-sniperboard-8000-sniper"
    assert {"Secure", "HttpOnly", "SameSite=Strict", "Path=/"} <= set(cookie.split("; "))
    assert "Domain" not in cookie
    with tables(tmp_path, 8001) as (table,):
        ((plain, cookie),) = claims(table.browser()).items()
    assert plain == "sniperboard-8001-sniper"
    assert "Secure" not in cookie.split("; ")


def test_seat_taken_before_the_update_is_kept(tmp_path: Path) -> None:
    with tables(tmp_path, 8000) as (table,):
        pins.write_pin(table.folder, ADMIN_PIN)
        phone = table.browser()
        phone.client.set_cookie("sniperboard-sniper", table.interface.claim("sniper", PIN, "Ada's phone"))
        assert phone.get("/sniper").status_code == 200
        assert phone.post("/api/house/enter", pin=ADMIN_PIN).status_code == 200
        phone.client.delete_cookie("sniperboard-sniper")
        assert phone.get("/sniper").status_code == 200, "it got the current name when the admin PIN was entered"
        assert phone.post("/api/house/leave").status_code == 200
        assert phone.get("/api/house").status_code == 403
        assert phone.get("/sniper").status_code == 200


def test_old_cookie_name_of_another_port_changes_no_seat(tmp_path: Path) -> None:
    """Any port of the host can set a cookie without `__Host-` in its name."""
    with tables(tmp_path, 8000, secure=True) as (table,):
        ada, eve = table.browser(), table.browser()
        claims(ada, base_url=HTTPS)
        ((_, cookie),) = claims(eve, "defenders", base_url=HTTPS).items()
        for name in ("sniperboard-defenders", "sniperboard-8000-defenders", "sniperboard-sniper"):
            ada.client.set_cookie(name, cookie.partition(";")[0])
        assert ada.get("/defenders", base_url=HTTPS).status_code == 403
        assert ada.get("/sniper", base_url=HTTPS).status_code == 200


def test_key_works_only_under_its_own_scheme(tmp_path: Path) -> None:
    with tables(tmp_path, 8000) as (table,):
        phone = table.browser()
        ((name, cookie),) = claims(phone).items()
        key = cookie.partition(";")[0]
        other = table.browser()
        other.client.set_cookie(f"__Host-{name}", key)
        assert other.get("/sniper").status_code == 403
        assert other.get("/sniper", base_url=HTTPS).status_code == 200


@pytest.mark.parametrize("begin", ["sniperboard", "sniperboard-8000", "__Host-sniperboard-8000"])
def test_server_recognises_a_seat_by_each_cookie_name(tmp_path: Path, begin: str) -> None:
    with tables(tmp_path, 8000) as (table,):
        key = table.interface.claim("sniper", PIN, "x")
        lane = table.app.extensions[LANES]
        assert lane(f"a=b; {begin}-sniper={key}", "", False)().name == "sniper"
        assert lane(f"a=b; {begin}-sniper={key}; {begin}-sniper=x", "", False)().name == "sniper", "the first counts"
        assert lane(f"a=b; {begin}-sniper={key}x", "", False)().name == STRANGERS
        assert lane(f"sniperboard-8001-sniper={key}", "", False)().name == STRANGERS


@pytest.mark.parametrize("filling", ["a=b;", "sniperboard;", "sniperboard-8000-sniper=a;", ";"])
def test_long_cookie_headers_are_parsed_cheaply(tmp_path: Path, filling: str) -> None:
    """The server parses them in the thread that serves everyone, and checks the lanes of all connections there."""
    cookies = "sniperboard;" + filling * (15_000 // len(filling))
    with tables(tmp_path, 8000) as (table,):
        before = time.thread_time()
        for _ in range(20):
            current = table.app.extensions[LANES](cookies, "", False)
            for _ in range(100):
                assert current().name == STRANGERS
        assert time.thread_time() - before < 1, "it was 5 seconds"
