"""Streams: complete pictures, heartbeats in between, a clean end, and a limited number."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from tests.web_panel.conftest import FEW_STREAMS, Browser, Panel
from web_panel.padding import PICTURE_BYTES
from web_panel.settings import PanelSettings


@pytest.fixture
def panel_settings() -> PanelSettings:
    """Few streams, with frequent heartbeats."""
    return FEW_STREAMS


def line(browser: Browser, viewer: str) -> Iterator[bytes]:
    """Yield the parts of a stream in turn."""
    answer = browser.get(f"/api/stream/{viewer}", buffered=False)
    assert answer.mimetype == "text/event-stream"
    return answer.iter_encoded()


def picture(part: bytes) -> dict[str, Any]:
    """Return the picture in a part of a stream."""
    assert part.startswith(b"data: ")
    assert part.endswith(b"\n\n")
    found: dict[str, Any] = json.loads(part.removeprefix(b"data: "))
    return found


def next_picture(parts: Iterator[bytes]) -> dict[str, Any]:
    """Return the next picture and skip heartbeats."""
    return picture(next(part for part in parts if part.startswith(b"data: ")))


def test_stream_opens_at_once_with_the_current_picture(panel: Panel) -> None:
    parts = line(panel.browser(), "table")

    opening = next(parts)
    assert opening == b"retry: 1000\n\n"
    assert next_picture(parts)["stage"] == "lobby"


def test_stream_sends_heartbeats_when_nothing_happens(panel: Panel) -> None:
    parts = line(panel.browser(), "table")
    next(parts)
    next_picture(parts)

    assert next(parts) == b": still here\nevent: beat\ndata: 1\n\n"


def test_stream_sends_new_pictures(panel: Panel) -> None:
    parts = line(panel.browser(), "table")
    next(parts)
    next_picture(parts)

    panel.browser().claims("sniper", "Ada's phone")

    assert next_picture(parts)["seats"]["sniper"]["devices"][0]["device"] == "Ada's phone"


def test_each_viewer_gets_its_own_picture(panel: Panel) -> None:
    sniper, defenders = panel.start()
    seen = {}
    for browser, viewer in ((sniper, "sniper"), (defenders, "defenders"), (defenders, "table")):
        parts = line(browser, viewer)
        next(parts)
        seen[viewer] = next_picture(parts)["view"]["sniper"]["objectives"]

    assert len(seen["sniper"]) == 2
    assert seen["defenders"] is seen["table"] is None


def test_viewer_that_is_named_twice_is_one(panel: Panel) -> None:
    parts = line(panel.browser(), "table,table")
    next(parts)
    assert next_picture(parts)["viewer"] == "table"


def test_pictures_of_an_open_stream_are_padded_once_the_seat_has_secrets(panel: Panel) -> None:
    ada, _ = panel.sit_down()
    assert ada.post("/api/choose", game="stalingrad").json == {"ok": True}
    parts = line(ada, "player-1")
    next(parts)
    assert len(next(parts)) < PICTURE_BYTES

    hidden = {"players": 2, "switches": {"ST-R-22": False}}
    assert ada.post("/api/start", options=hidden).json == {"ok": True}
    assert len(next(part for part in parts if part.startswith(b"data: "))) == PICTURE_BYTES


def test_stream_without_a_viewer_ends(panel: Panel) -> None:
    parts = [*line(panel.browser(), "nobody,sniper%0a%0adata: {}")]
    assert parts == [b"retry: 1000\n\n", b"event: gone\ndata: nobody\n\n", b"event: gone\ndata: sniperdata: {}\n\n"]


def test_stream_over_the_limit_is_refused_and_others_continue(panel: Panel) -> None:
    browser = panel.browser()
    open_ones = [browser.get("/api/stream/table", buffered=False) for _ in range(FEW_STREAMS.max_streams)]

    late = browser.get("/api/stream/table")

    assert late.status_code == 503
    assert late.headers["Retry-After"]
    assert late.json["error"]["code"] == "too-many-screens"
    assert browser.get("/api/lobby").status_code == 200
    open_ones[0].close()
    assert browser.get("/api/stream/table", buffered=False).status_code == 200


def test_stream_closed_before_it_began_frees_its_place(panel: Panel) -> None:
    browser = panel.browser()

    for _ in range(3 * FEW_STREAMS.max_streams):
        browser.get("/api/stream/board", buffered=False).close()

    assert browser.get("/api/stream/board", buffered=False).status_code == 200


def test_refused_stream_takes_no_place(panel: Panel) -> None:
    browser = panel.browser()

    for _ in range(3 * FEW_STREAMS.max_streams):
        assert browser.get("/api/stream/sniper").status_code == 403

    assert browser.get("/api/stream/table", buffered=False).status_code == 200


def test_every_stream_ends_when_the_table_has_stopped(panel: Panel) -> None:
    sniper, _ = panel.sit_down()
    lines = [line(sniper, viewer) for viewer in ("sniper", "table")]
    for parts in lines:
        next(parts)
    panel.loop.stop()

    for parts in lines:
        last = next(part for part in islice(parts, 20) if part.startswith(b"event: gone"))
        assert last == b"event: gone\ndata: 1\n\n"
        assert list(parts) == []
