"""Every body that a page sends in Chromium has one length, so that acts and plans look the same on the network."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, Request

from tests.secrecy.tls import BODY
from tests.web_panel.conftest import Panel
from tests.web_panel.room import IN_CHROMIUM, Screen

pytestmark = IN_CHROMIUM

STATIC = Path(__file__).resolve().parents[2] / "web_panel" / "static"
GAMES = Path(__file__).resolve().parents[2] / "games"
OWN = {"editor/desk.js"}
"""Scripts of programs that are not part of the table."""
SENT = """async () => {
  const { post, Seat } = await import("/static/net.js");
  for (const path of [[], ["R1"], ["R1", "W12", "L7"], ["łąka", "zażółć"], Array(300).fill("R1")])
    await post("/api/draft", { seat: "sniper", moment: "1", draft: { path } });
  const seat = new Seat("sniper", { live: true, revision: 1 }, {});
  for (const action of [{ type: "end-turn" }, { type: "move", path: ["R1", "W12", "L7"] }, { type: "take-back" }])
    await seat.deliver({ seat: "sniper", action, revision: 1, id: "x".repeat(32) });
}"""
"""Send plans and acts of any length, as a seat's page does."""


def test_plans_and_acts_of_any_length_have_one_size(browser: Browser, panel: Panel, served: str) -> None:
    phone, bodies = Screen(browser, (360, 780)), list[int]()

    def note(request: Request) -> None:
        if request.method == "POST":
            bodies.append(len(request.post_data_buffer or b""))

    phone.go(served)
    phone.page.on("request", note)
    phone.page.evaluate(SENT)
    assert bodies == [BODY] * 8


def test_every_script_sends_only_padded_bodies() -> None:
    scripts = [*STATIC.rglob("*.js"), *GAMES.glob("*/screens/*.js")]
    sending = {file: file.read_text("utf-8") for file in scripts if 'method: "POST"' in file.read_text("utf-8")}
    names = {file.relative_to(STATIC).as_posix() for file in sending} - OWN
    assert names == {"net.js", "game.js"}
    assert "body: padded({ game: null })" in sending[STATIC / "game.js"]
    lines = sending[STATIC / "net.js"].splitlines()
    calls = [line for line in lines if " sendBody(" in line and "function" not in line]
    assert len(calls) == 2  # `postBody` sends a file unchanged; what a page makes itself comes from `post`
    assert sum("padded(" in line for line in calls) == 1
    assert "postBody(path, padded(body), PATIENCE_MS)" in sending[STATIC / "net.js"]
