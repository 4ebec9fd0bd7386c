"""Eagle's Nest in Chromium: what strangers see of a ghost, and how the phone announces later shots."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from games.sniper_elite.rules.nest import ALLIES
from tests.web_panel.conftest import Panel
from tests.web_panel.room import IN_CHROMIUM, Room, Screen

pytestmark = IN_CHROMIUM

TEAM = {"yellow": "kennel-master", "red": "medic", "black": "scout"}
GHOST = {"nest": {"ally": "ghost", "gear": True}, "random_setup": True}
SHOTS = """async ({ legal, pending, moved }) => {
  const { turnPart } = await import("/games/sniper-elite/static/sniper-turn.js");
  const { aimPart, secondPart } = await import("/games/sniper-elite/static/sniper-shot.js");
  const sent = [];
  const exact = { hit: "1/2", misfire: "0", reveal: "0" };
  const odds = [2, 3].map((draw) => ({ draw, hit: 0.5, misfire: 0, reveal: 0, exact }));
  const shot = { target: "red-1", space: "R1", distance: 2, line: null, through: [], odds };
  const picture = { legal, foresight: { shots: [shot] }, view: { pending, sniper: { moved, completed: [] } }, log: [] };
  const seat = { ready: true, act: (action) => sent.push(action) };
  const context = { picture, seat, map: {}, draft: { target: "red-1", draw: 2 }, redraft: () => {} };
  const panelOf = (part) => part.dock().flat(Infinity).filter(Boolean);
  const box = document.createElement("div");
  const turn = panelOf(turnPart({ ...context, draft: {} }))[0].textContent;
  box.append(...panelOf(pending ? secondPart(context) : aimPart(context)));
  document.body.append(box);
  const slide = (which, value) => {
    const slider = box.querySelector(`[data-testid=${which}-slider]`);
    if (!slider) return null;
    slider.value = String(value);
    slider.dispatchEvent(new Event("input"));
    return Number(slider.max);
  };
  const most = pending ? [] : [slide("second", 1), slide("third", 2)];
  const words = box.innerText;
  if (!pending) box.querySelector("[data-testid=fire]").click();
  box.remove();
  return { most, sent, words, turn };
}"""
"""Call the shot module with a picture, choose among what it offers, and fire; return the words of the panels."""


def announced(draw: int, second: int | None = None, third: int | None = None) -> dict[str, Any]:
    """Return a shot at one defender, as among the legal acts."""
    return {"type": "shoot", "target": "red-1", "draw": draw, "second": second, "third": third}


@pytest.mark.nightly
def test_strangers_see_that_bag_and_hand_are_hidden(browser: Browser, panel: Panel, served: str) -> None:
    room = Room(browser, served)
    for screen, seat in ((room.sniper, "sniper"), (room.defenders, "defenders")):
        screen.go(served)
        screen.press(f"take-{seat}")
        screen["claim-pin"].fill("2468")
        screen.press("claim-send")
        screen.page.wait_for_url(f"**/{seat}")
    room.sniper.sends("start", game="sniper-elite", map="launch-facility", options=GHOST)
    room.tv.go(f"{served}table")
    room.finish_dealing()
    for screen in (room.defenders, room.tv):
        expect(screen["bag"]).to_contain_text("Only the sniper knows")
        expect(screen["face-down"]).to_contain_text("In hand: hidden")
        expect(screen["bag-aim"]).to_have_count(0)
    expect(room.sniper["bag-aim"]).to_have_count(1)
    assert panel.company.picture("defenders")["view"]["bag"] is None


def test_later_shots_are_offered_with_each_count_once(browser: Browser, served: str) -> None:
    phone = Screen(browser, (360, 780))
    phone.go(served)  # a page with the texts of the game
    expect(phone["take-sniper"]).to_be_visible()
    legal = [announced(2), announced(2, 2), announced(2, 2, 2), announced(2, 2, 3), announced(2, 3), announced(3)]
    done = phone.page.evaluate(SHOTS, {"legal": legal, "pending": None})
    assert done["most"] == [2, 2], "two counts for the second shot, two for the third"
    assert done["sent"] == [{"type": "shoot", "target": "red-1", "draw": 2, "second": 2, "third": 3}]
    assert "You can't move. Act" in done["turn"], "there was no move to make"
    plain = phone.page.evaluate(SHOTS, {"legal": [announced(2), announced(2, 2)], "pending": None, "moved": True})
    assert "You've moved" in plain["turn"]
    assert plain["most"] == [1, None]
    assert plain["sent"] == [{"type": "shoot", "target": "red-1", "draw": 2, "second": 2}]

    legal = [{"type": "shoot-second", "target": "red-1"}]
    for tokens in ({"draw": 4}, {"draws": [4, 2]}):  # in the board game, and in the solo game
        shown = phone.page.evaluate(SHOTS, {"legal": legal, "pending": {"for": "shoot-second", **tokens}})
        assert "4 tokens" in shown["words"]


@pytest.mark.nightly
def test_ghost_is_chosen_in_lobby_and_public_from_the_reveal(browser: Browser, panel: Panel, served: str) -> None:
    room = Room(browser, served)
    for screen, seat in ((room.sniper, "sniper"), (room.defenders, "defenders")):
        screen.go(served)
        screen.press(f"take-{seat}")
        screen["claim-pin"].fill("2468")
        screen.press("claim-send")
        screen.page.wait_for_url(f"**/{seat}")
    room.sniper.go(served)
    room.sniper.press("options-nest")
    room.sniper["option-nest-ally-ghost"].check()
    room.sniper.says("options-nest", "A ghost")
    room.sniper["option-random_setup"].uncheck()
    room.sniper.press("start")
    room.sniper.page.wait_for_url("**/sniper")
    room.tv.go(f"{served}table")
    room.finish_dealing()

    ally = panel.company.picture("sniper")["view"]["ally"]
    name = ALLIES[ally].name
    for screen in (room.defenders, room.tv):
        screen.says("ally", "A ghost: one of six")
    room.sniper.press("tab-dossier")
    room.sniper.says("ally", name)
    room.sniper.says("ghost", "don't know who you are")
    assert name not in room.defenders.page.content() + room.tv.page.content()

    kept = next(it for it in panel.company.legal("sniper", "choose-loadout") if "trench-gun" in it["cards"])
    room.sniper.acts("sniper", **kept)
    room.defenders.acts("defenders", type="choose-specialists", squads=TEAM)
    room.sniper.sends("heed", heeding=False)
    room.sniper.acts("sniper", **panel.company.legal("sniper", "choose-entry")[0])
    room.sniper.acts("sniper", **panel.company.legal("sniper", "move")[0])
    room.sniper.acts("sniper", type="play", card="trench-gun")
    for screen in (room.defenders, room.tv):
        screen.says("latest", "plays Trench Gun")
        screen.says("ally", "A ghost: one of six")
        assert name not in screen.page.content()
    room.sniper.acts("sniper", type="shoot")
    for screen in (room.defenders, room.tv):
        screen.says("ally", name)
        screen.says("latest", f"The ghost is {name}!")
    expect(room.sniper["ghost"]).to_have_count(0)
