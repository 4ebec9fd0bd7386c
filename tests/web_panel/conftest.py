"""The panel over a real table, as the daemon puts them together, but without a port."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from engine.chance import Chance
from engine.map import Map
from firmware_host.config import settle
from firmware_host.door import Door
from firmware_host.journal import Journal
from firmware_host.loop import Loop
from firmware_host.table import Table
from firmware_host.tabletop import Tabletop, open_tabletop
from hardware.ports import Edge
from web_panel.app import create_app
from web_panel.settings import PanelSettings

PIN = "2468"
ADDRESS = "http://192.168.1.7:8000/"
QUICK = PanelSettings(simulated=True, max_streams=3, heartbeat=0.01)


class Browser:
    """Somebody's browser, which keeps its cookies."""

    def __init__(self, client: FlaskClient) -> None:
        self.client = client

    def get(self, path: str, **more: Any) -> TestResponse:
        """Open or fetch something; with `buffered=False` it stays open."""
        answer = self.client.get(path, **more)
        if more.get("buffered", True):
            answer.get_data()
            answer.close()
        return answer

    def post(self, path: str, **body: Any) -> TestResponse:
        """What a screen of ours sends."""
        return self.client.post(path, json=body)

    def claims(self, seat: str, device: str = "a phone", **more: Any) -> TestResponse:
        """Take a seat."""
        return self.post("/api/claim", seat=seat, pin=PIN, device=device, **more)

    def acts(self, seat: str, **action: Any) -> TestResponse:
        """Act, whatever the picture."""
        return self.post("/api/act", seat=seat, action=action)


class Panel:
    """The panel's app over a running table."""

    def __init__(self, folder: Path, settings: PanelSettings = QUICK) -> None:
        chosen = settle({"state": str(folder)})

        def make_table(report: Callable[[Edge], None]) -> Table:
            def make_top(board: Map) -> Tabletop:
                return open_tabletop(chosen, board, folder / "world.json", time.monotonic, report)

            return Table(chosen, Journal(folder / "games.sqlite"), make_top, time.monotonic, Chance(Random(3)))

        self.loop = Loop(make_table, time.monotonic)
        self.door = Door(self.loop, self.loop.followers)
        self.app = create_app(self.door, settings)
        self.loop.start()
        self.loop.ask(lambda table: setattr(table, "addresses", [ADDRESS]))

    def browser(self) -> Browser:
        """A fresh browser."""
        return Browser(self.app.test_client())

    def sit_down(self) -> tuple[Browser, Browser]:
        """The sniper's and the defenders' browsers, both seated."""
        sniper, defenders = self.browser(), self.browser()
        assert sniper.claims("sniper", "Ada's phone").status_code == 200
        assert defenders.claims("defenders", "Bo's tablet").status_code == 200
        return sniper, defenders

    def start(self) -> tuple[Browser, Browser]:
        """Both seated, a game begun with everything dealt at random."""
        sniper, defenders = self.sit_down()
        assert sniper.post("/api/start", map="launch-facility", options={"random_setup": True}).status_code == 200
        return sniper, defenders


@pytest.fixture
def panel(tmp_path: Path) -> Iterator[Panel]:
    running = Panel(tmp_path)
    yield running
    running.loop.stop()
