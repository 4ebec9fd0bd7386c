"""The names of cookies: a table shares none with another table of its host, nor https one with plain HTTP."""

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
    """The cookies that come with a seat, each with all that is said of it."""
    answer = browser.client.post("/api/claim", json={"seat": seat, "pin": PIN, "device": "x"}, **more)
    assert answer.status_code == 200
    return dict(told.split("=", 1) for told in answer.headers.getlist("Set-Cookie"))


def test_two_tables_of_one_host_leave_each_other_their_seats(tmp_path: Path) -> None:
    with tables(tmp_path, 8000, 8001) as (one, other):
        first, second = one.browser(), other.browser()
        second.client._cookies = first.client._cookies  # one browser: ports do not tell cookies apart
        claims(first)
        claims(second)
        assert first.get("/sniper").status_code == second.get("/sniper").status_code == 200
        pins.write(other.folder, ADMIN_PIN)
        assert second.post("/api/house/enter", pin=ADMIN_PIN).status_code == 200
        assert second.get("/api/house").status_code == 200
        assert first.get("/api/house").status_code == 403
        assert first.get("/sniper").status_code == 200


def test_a_cookie_of_https_is_bound_to_its_host_and_blocks_none_of_http(tmp_path: Path) -> None:
    with tables(tmp_path, 8000, secure=True) as (table,):
        ((secure, told),) = claims(table.browser(), base_url=HTTPS).items()
    assert secure == "__Host-sniperboard-8000-sniper"
    assert {"Secure", "HttpOnly", "SameSite=Strict", "Path=/"} <= set(told.split("; "))
    assert "Domain" not in told
    with tables(tmp_path, 8001) as (table,):
        ((plain, told),) = claims(table.browser()).items()
    assert plain == "sniperboard-8001-sniper"
    assert "Secure" not in told.split("; ")


def test_a_seat_that_was_taken_before_the_update_is_kept(tmp_path: Path) -> None:
    with tables(tmp_path, 8000) as (table,):
        pins.write(table.folder, ADMIN_PIN)
        phone = table.browser()
        phone.client.set_cookie("sniperboard-sniper", table.interface.claim("sniper", PIN, "Ada's phone"))
        assert phone.get("/sniper").status_code == 200
        assert phone.post("/api/house/enter", pin=ADMIN_PIN).status_code == 200
        phone.client.delete_cookie("sniperboard-sniper")
        assert phone.get("/sniper").status_code == 200, "it has today's name since the house PIN was shown"
        assert phone.post("/api/house/leave").status_code == 200
        assert phone.get("/api/house").status_code == 403
        assert phone.get("/sniper").status_code == 200


def test_another_hosts_cookie_of_an_old_name_changes_nothing_for_who_sits_here(tmp_path: Path) -> None:
    """Any port of the host can set a cookie without `__Host-` in its name."""
    with tables(tmp_path, 8000, secure=True) as (table,):
        ada, eve = table.browser(), table.browser()
        claims(ada, base_url=HTTPS)
        ((_, told),) = claims(eve, "defenders", base_url=HTTPS).items()
        for name in ("sniperboard-defenders", "sniperboard-8000-defenders", "sniperboard-sniper"):
            ada.client.set_cookie(name, told.partition(";")[0])
        assert ada.get("/defenders", base_url=HTTPS).status_code == 403
        assert ada.get("/sniper", base_url=HTTPS).status_code == 200


def test_a_key_works_under_its_own_scheme_alone(tmp_path: Path) -> None:
    with tables(tmp_path, 8000) as (table,):
        phone = table.browser()
        ((name, told),) = claims(phone).items()
        key = told.partition(";")[0]
        other = table.browser()
        other.client.set_cookie(f"__Host-{name}", key)
        assert other.get("/sniper").status_code == 403
        assert other.get("/sniper", base_url=HTTPS).status_code == 200


@pytest.mark.parametrize("begin", ["sniperboard", "sniperboard-8000", "__Host-sniperboard-8000"])
def test_the_server_knows_a_seat_by_each_of_its_names(tmp_path: Path, begin: str) -> None:
    with tables(tmp_path, 8000) as (table,):
        key = table.interface.claim("sniper", PIN, "x")
        lane = table.app.extensions[LANES]
        assert lane(f"a=b; {begin}-sniper={key}", "", False)().name == "sniper"
        assert lane(f"a=b; {begin}-sniper={key}; {begin}-sniper=x", "", False)().name == "sniper", "the first counts"
        assert lane(f"a=b; {begin}-sniper={key}x", "", False)().name == STRANGERS
        assert lane(f"sniperboard-8001-sniper={key}", "", False)().name == STRANGERS


@pytest.mark.parametrize("filling", ["a=b;", "sniperboard;", "sniperboard-8000-sniper=a;", ";"])
def test_long_cookie_headers_cost_the_server_little(tmp_path: Path, filling: str) -> None:
    """It reads them in the thread that serves everyone, and looks after the lanes of all connections there."""
    cookies = "sniperboard;" + filling * (15_000 // len(filling))
    with tables(tmp_path, 8000) as (table,):
        before = time.thread_time()
        for _ in range(20):
            current = table.app.extensions[LANES](cookies, "", False)
            for _ in range(100):
                assert current().name == STRANGERS
        assert time.thread_time() - before < 1, "it was 5 seconds"
