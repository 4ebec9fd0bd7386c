"""From a refusal to its rule and back, in a real Chromium: the book opens next to the game, and nothing is lost."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from tests.web_panel.conftest import Panel
from tests.web_panel.room import IN_CHROMIUM, Screen
from tools.showroom import PIN

pytestmark = IN_CHROMIUM


def test_refusal_leads_to_its_rule_and_game_stays_unchanged(browser: Browser, panel: Panel, served: str) -> None:
    panel.start()
    tablet = Screen(browser, (360, 780))
    tablet.go(served)
    tablet.sends("take-over", seat="defenders", pin=PIN, device="a tablet")
    tablet.go(served + "defenders")
    tablet.says("turn", "Sniper's turn")
    # The refused tap is sent as the page sends it: another device may have acted in between.
    tablet.page.evaluate(
        """async () => {
            const { post } = await import("/static/net.js");
            const { refused } = await import("/static/reasons.js");
            const { revision } = document.body.dataset;
            const act = { seat: "defenders", action: { type: "end-turn" }, revision: Number(revision), id: "too late" };
            refused((await post("/api/act", act)).error);
        }"""
    )
    link = tablet["toast"].locator("a")
    expect(link).to_be_visible()
    expect(link).to_have_text("Why?")
    number = str(link.get_attribute("data-testid")).removeprefix("rule-")
    with tablet.page.expect_popup() as opened:
        link.click()
    book = opened.value
    expect(book.get_by_test_id(f"rule-{number}")).to_be_in_viewport()
    expect(book.get_by_test_id("unknown-rule")).to_be_hidden()
    assert book.evaluate("document.documentElement.scrollWidth <= innerWidth")

    book.goto(served + "rules#MP-MOVE-99")
    expect(book.get_by_test_id("unknown-rule")).to_contain_text("MP-MOVE-99")
    expect(book.get_by_test_id("rule-MP-MOVE-03")).to_be_attached()
    book.goto(served + "rules#mp-move-03")
    expect(book.get_by_test_id("rule-MP-MOVE-03")).to_be_in_viewport()
    expect(book.get_by_test_id("unknown-rule")).to_be_hidden()
    tablet.says("turn", "Sniper's turn")
    assert tablet.faults == []


def test_phone_shows_groups_folded_and_link_opens_its_group(browser: Browser, panel: Panel, served: str) -> None:
    phone = Screen(browser, (360, 780))
    phone.go(served + "rules#MP-MOVE-03")
    expect(phone["rule-MP-MOVE-03"]).to_be_in_viewport()
    expect(phone["rule-MP-DEF-02"]).to_be_hidden()
    phone.page.locator("h2#DEF button").click()
    expect(phone["rule-MP-DEF-02"]).to_be_visible()
    phone.page.locator("h2#DEF button").click()
    expect(phone["rule-MP-DEF-02"]).to_be_hidden()
    phone.page.evaluate("location.hash = 'MP-DEF-02'")
    expect(phone["rule-MP-DEF-02"]).to_be_in_viewport()

    for group in ("DEF", "MOVE"):
        phone.page.locator(f"h2#{group} button").click()
    high = phone.page.evaluate("document.querySelector('.book main').scrollHeight")
    assert high < 80 * phone.page.locator(".book main > section").count(), "folded groups must take no space"

    wall = Screen(browser, (1920, 1080))
    wall.go(served + "rules")
    expect(wall["rule-MP-DEF-02"]).to_be_visible()
    assert phone.faults == wall.faults == []


def test_search_works_without_the_network(browser: Browser, panel: Panel, served: str) -> None:
    phone = Screen(browser, (360, 780))
    phone.go(served + "rules?language=pl")
    expect(phone["find-rule"]).to_be_visible()
    phone.page.context.set_offline(True)
    phone["find-rule"].fill("mp-move-03")
    expect(phone["rule-MP-MOVE-03"]).to_be_visible()
    expect(phone["rule-MP-MOVE-03"]).to_be_in_viewport()
    shown = phone.page.locator("article.rule:not(.missed)")
    number = shown.count()
    assert 1 <= number < 20
    expect(phone["found-rules"].locator("b")).to_have_text(str(number))
    for text in shown.all_text_contents():
        assert "MP-MOVE-03" in text

    phone["find-rule"].fill("zadnego takiego slowa")
    expect(phone["found-rules"].locator("b")).to_have_text("0")
    expect(phone.page.locator("article.rule:visible")).to_have_count(0)
    phone.page.evaluate("location.hash = 'MP-DEF-02'")
    expect(phone["rule-MP-DEF-02"]).to_be_in_viewport()
    expect(phone["find-rule"]).to_have_value("")
