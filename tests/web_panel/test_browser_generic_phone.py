"""A game without screens of its own on a small phone: the closed line of news says what happened last."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, expect

from tests.web_panel.room import IN_CHROMIUM, Screen, expect_value

pytestmark = IN_CHROMIUM

SINCE = """async () => {
    const { Since } = await import("/static/news.js");
    const [since, log] = [new Since("green"), []];
    const hear = (open, acting) => {
        log.push({ n: log.length, public: open, type: "dug" });
        since.hear({ log, sealed: null }, acting);
        return since.lines.map(({ n }) => n).join(" ");
    };
    return [hear(true, false), hear(false, true), hear(false, true), hear(true, false), hear(false, false)];
}"""
"""Return what is news: as another acts, as the own turn comes, after an own act, at its end, as another acts."""

GIST = """async () => {
    const { newestFirst } = await import("/static/news.js");
    const [one, two, three] = ["dug", "walked", "turn-ended"].map((type) => ({ type, sentence: type }));
    return [newestFirst([one, two, three]), newestFirst([three])];
}"""
"""Return what closed lines say: nothing of whose turn it is, unless there is nothing else."""

LAY_CARDS = """() => {
    const card = "<li><small>Red</small><b>Lantern</b><p>" + "It shows what is near. ".repeat(3) + "</p></li>";
    const cards = `<ul class="open-cards">${card.repeat(5)}</ul>`;
    document.querySelector("#side").insertAdjacentHTML("beforeend", cards);
}"""
"""Lay five cards open at the side of a TV."""
SIDE_FITS = """() => {
    const [side, cards] = ["#side", ".open-cards"].map((part) => document.querySelector(part));
    const scale = getComputedStyle(side).getPropertyValue("--fit");
    return Boolean(cards) && side.scrollHeight <= side.clientHeight + 1 && Number(scale) >= 0.8;
}"""
"""Return whether all texts at the side of a TV fit, and are hardly smaller than elsewhere."""

GROWN = """async () => {
    const { MapNames } = await import("/static/map-names.js");
    const view = document.createElement("div");
    view.innerHTML = '<svg><g class="board-map"><text class="id" x="300" y="100" font-size="44">a1</text></g></svg>';
    new MapNames(view, new Map([["a1", { x: 200, y: 200 }]])).fit(10);
    return ["font-size", "x", "y"].map((name) => Number(view.querySelector("text").getAttribute(name)));
}"""
"""Return size and place of a name at the top right of its space, on a map where it would be smaller than 9 pixels."""
TURN = """() => [...document.querySelectorAll("#map .piece.turn")].map((it) => it.dataset.piece)"""
"""Return the pieces that are shown as those whose turn it is."""


def seeker(browser: Browser, served: str) -> Screen:
    """Return the phone of a person who seeks the treasure alone."""
    phone = Screen(browser, (360, 640), has_touch=True, is_mobile=True)
    phone.address = served
    alone = {"options": {"seekers": 1}, "bots": {"hider": "random"}}
    phone.sends("play-now", seat="red", device="a phone", game="treasure", **alone)
    phone.go(f"{served}red")
    return phone


def test_closed_line_of_news_says_the_newest_first(browser: Browser, served: str) -> None:
    phone = seeker(browser, served)
    expect(phone["own-seat"].locator(".seat-dot")).to_have_css("background-color", "rgb(255, 0, 0)")
    news = phone.page.locator(".report:not([open]) summary small")
    expect(news).to_contain_text("The treasure is hidden")
    phone.does("act-roll")
    expect(news).to_contain_text("The red seeker rolls the die")
    expect_value(phone.page, GROWN, [90, 300, 100])
    expect_value(phone.page, TURN, ["red"])
    legal = phone.page.request.get(f"{served}api/picture/red").json()["legal"]
    walk = next(act for act in legal if act["type"] == "walk")
    phone.acts("red", **walk)
    expect(news).to_contain_text(
        re.compile(rf"^The red seeker walks to {walk['space']}\. The red seeker rolls the die")
    )
    tv = Screen(browser, (1280, 720))
    tv.go(f"{served}table")
    headline = tv.page.get_by_test_id("latest")
    expect(headline).to_have_text(f"The red seeker walks to {walk['space']}.")
    phone.acts("red", type="end-turn")
    expect(headline).to_have_text("The treasure is hidden, and a round begins.")
    expect(tv.page.locator("#ticker")).not_to_contain_text("has ended the turn")
    tv.page.evaluate(LAY_CARDS)
    expect_value(tv.page, SIDE_FITS)
    expect_value(tv.page, TURN, ["red"])
    phone.press("tab-known")
    expect(phone["last-actor"]).to_have_count(0)  # the seat has one device: others may have acted since
    phone.press("tab-known")
    expect_value(phone.page, SINCE, ["0", "0 1", "", "", "4"])
    expect_value(phone.page, GIST, ["walked dug", "turn-ended"])
