"""The panel over a real table, built as the daemon builds it, but without a port."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from firmware_host.admin import pin as pins
from firmware_host.seats.identity import Requester
from tests.firmware_host.evening import fresh_name
from tests.web_panel.room import Daemon, Screen
from tools.showroom import ADMIN_PIN, PIN, SIMULATED, Showroom
from web_panel.serve import Server, serve
from web_panel.settings import PanelSettings

FEW_STREAMS = PanelSettings(simulated=True, max_streams=3, heartbeat=0.01)
"""Settings for tests of the streams themselves. Too few for a room of four pages: one page would never update."""
LONGEST_WORDS = "pl"
"""The language with the longest texts. At night, all languages are tested."""


class Browser:
    """A browser, which keeps its cookies."""

    def __init__(self, client: FlaskClient, address: str) -> None:
        self.client = client
        self.client.environ_base["REMOTE_ADDR"] = address

    def get(self, path: str, **more: Any) -> TestResponse:
        """Get a path and return the answer; with `buffered=False` it stays open."""
        answer = self.client.get(path, **more)
        if more.get("buffered", True):
            answer.get_data()
            answer.close()
        return answer

    def post(self, path: str, **body: Any) -> TestResponse:
        """Send a command as our pages do."""
        return self.client.post(path, json=body)

    def claims(self, seat: str, device: str = "a phone", **more: Any) -> TestResponse:
        """Take a seat."""
        return self.post("/api/claim", seat=seat, pin=PIN, device=device, **more)

    def tries(self, pin: str, seat: str = "sniper") -> TestResponse:
        """Take a seat over with a PIN."""
        return self.post("/api/take-over", seat=seat, pin=pin, device="a new phone")

    def acts(self, seat: str, **action: Any) -> TestResponse:
        """Act on the current picture."""
        shown = self.get(f"/api/picture/{seat}").json
        return self.post("/api/act", seat=seat, action=action, revision=shown.get("revision", 0), id=fresh_name())


class Panel(Showroom):
    """The panel's app over a running table."""

    port = 0

    def __init__(self, folder: Path, settings: PanelSettings = SIMULATED, **house: Any) -> None:
        super().__init__(folder, settings, **house)

    @contextmanager
    def served(self) -> Iterator[str]:
        """Yield the address of its pages, the same as before: a browser has compiled the scripts from there."""
        with super().served(Panel.port) as address:
            Panel.port = Panel.port or int(address.rstrip("/").rpartition(":")[2])
            yield address

    def browser(self, address: str = "192.168.1.66") -> Browser:
        """Return a new browser on another machine of the local network."""
        return Browser(self.app.test_client(), address)

    def keeper_browser(self) -> Browser:
        """Return the browser of a person who has entered the admin PIN."""
        pins.write_pin(self.folder, ADMIN_PIN)
        keeping = self.browser("192.168.1.2")
        key = self.admin_access.sign_in(ADMIN_PIN, Requester(address="192.168.1.2"))
        keeping.client.set_cookie("sniperboard-8000-house", key)
        return keeping

    def sit_down(self) -> tuple[Browser, Browser]:
        """Return the sniper's and the defenders' browsers, both seated."""
        sniper, defenders = self.browser(), self.browser()
        assert sniper.claims("sniper", "Ada's phone").status_code == 200
        assert defenders.claims("defenders", "Bo's tablet").status_code == 200
        return sniper, defenders

    def start(self) -> tuple[Browser, Browser]:
        """Seat both sides and start a game with everything dealt at random."""
        sniper, defenders = self.sit_down()
        assert sniper.post("/api/start", map="launch-facility", options={"random_setup": True}).status_code == 200
        self.advance_clock()
        return sniper, defenders


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    Screen.opened.clear()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Iterator[None]:
    """Fail a test if a page of its screens had an error."""
    yield
    assert [screen.faults for screen in Screen.opened if screen.faults] == []


@pytest.fixture
def panel_settings() -> PanelSettings:
    """The panel's settings. A module that needs others overrides this fixture."""
    return SIMULATED


@pytest.fixture
def panel(tmp_path: Path, panel_settings: PanelSettings) -> Iterator[Panel]:
    running = Panel(tmp_path, panel_settings)
    yield running
    running.stop()


@pytest.fixture(scope="module")
def unchanged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Panel]:
    """One panel for all tests of a module that only read."""
    running = Panel(tmp_path_factory.mktemp("unchanged"), SIMULATED)
    yield running
    running.stop()


@pytest.fixture
def served(panel: Panel) -> Iterator[str]:
    """The address of the panel's pages."""
    with panel.served() as address:
        yield address


@pytest.fixture
def server(panel: Panel) -> Iterator[Server]:
    running = serve(panel.app, "127.0.0.1", 0)
    running.start()
    yield running
    running.stop()


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[Daemon]:
    running = Daemon(tmp_path / "state")
    yield running
    running.stop()
