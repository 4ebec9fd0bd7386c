"""From a refusal to its rule and back, in a real Chromium: the book opens next to the game, and nothing is lost."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from firmware_host.core import rulebook, word_forms
from tests.web_panel.conftest import Panel
from tests.web_panel.looks import FITS
from tests.web_panel.room import IN_CHROMIUM, LASTING_TOASTS, Screen, expect_value
from tools.showroom import PIN
from web_panel.language import codes

pytestmark = IN_CHROMIUM
FOLDED = """() => {
  const book = document.querySelector(".book main");
  return book.scrollHeight < 80 * book.querySelectorAll(":scope > section").length;
}"""
"""Whether folded groups take no space."""
ROOT = Path(__file__).resolve().parents[2]


def test_refusal_leads_to_its_rule_and_game_stays_unchanged(browser: Browser, panel: Panel, served: str) -> None:
    panel.start()
    tablet = Screen(browser, (360, 780), LASTING_TOASTS)
    tablet.address = served
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
    rule = str(link.get_attribute("data-testid"))
    with tablet.page.expect_popup() as opened:
        link.click()
    book = opened.value
    expect(book.get_by_test_id(rule)).to_be_in_viewport()
    expect(book.get_by_test_id("unknown-rule")).to_be_hidden()
    expect_value(book, FITS)

    book.goto(served + "rules#MP-MOVE-99")
    expect(book.get_by_test_id("unknown-rule")).to_contain_text("MP-MOVE-99")
    expect(book.get_by_test_id("rule-MP-MOVE-03")).to_be_attached()
    book.goto(served + "rules#mp-move-03")
    expect(book.get_by_test_id("rule-MP-MOVE-03")).to_be_in_viewport()
    expect(book.get_by_test_id("unknown-rule")).to_be_hidden()
    tablet.says("turn", "Sniper's turn")


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
    expect_value(phone.page, FOLDED)

    wall = Screen(browser, (1920, 1080))
    wall.go(served + "rules")
    expect(wall["rule-MP-DEF-02"]).to_be_visible()


SHOWN = ".hits .rule"
IN_BOOK_ORDER = """() => {
  const ids = [...document.querySelectorAll(".book main > section:not(.hits)")].map((section) =>
    [...section.querySelectorAll(".rule")].map((it) => it.id));
  return ids.every((some) => some.length && String(some) === String([...some].sort())) && ids.length > 20;
}"""
FEW_SHOWN = f"document.querySelectorAll('{SHOWN}').length < 90"
FOUND = {
    "pl": {
        "drabina": "MP-MAP-24", "drabiny": "MP-MAP-24", "DRABINACH": "MP-MAP-24", "po drabinie": "MP-MAP-13",
        "strzelać przez ściany": "MP-LOS-05", "strzał przez ścianę": "MP-LOS-05", "czy mogę strzelać?": "MP-SHOOT-01",
        "sciana": "MP-LOS-05", "psy": "MP-NOISE-11", "pies": "MP-NOISE-11",
    },
    "en": {
        "ladder": "MP-MAP-24", "ladders": "MP-MAP-13", "shoot through walls": "MP-LOS-05", "the dogs": "MP-NOISE-11",
    },
}  # fmt: skip
"""Language -> what people type -> a rule that they look for."""
BEST = {
    "pl": {
        "drabina": "MP-MOVE-06 MP-ACT-04 MP-MAP-13 MP-MAP-24", "strzelać przez ściany": "R-30 MP-LOS-05",
        "czy mogę strzelać?": "MP-SHOOT-01", "koniec tury": "MP-TURN-10",
    },
    "en": {
        "ladder": "MP-MOVE-06 MP-MAP-24 MP-MAP-13", "shoot through walls": "MP-LOS-05", "take back": "MP-SHOOT-16",
        "objective": "MP-OBJ-05", "sniper takes": "MP-TURN-01",
    },
}  # fmt: skip
"""Language -> what people type -> the first rules that are found, which have the words in their title or early."""
FIRST_SHOWN = "rules => [...document.querySelectorAll(rules)].map((it) => it.id).join(' ')"


def search_without_network(phone: Screen) -> None:
    """Search in Polish while the table is out of reach."""
    phone.page.context.set_offline(True)
    phone["find-rule"].fill("mp-move-03")
    expect(phone["rule-MP-MOVE-03"]).to_be_in_viewport()
    expect(phone.page.locator(SHOWN)).to_have_count(1)
    expect(phone["found-rules"].locator("b")).to_have_text("1")

    phone["find-rule"].fill("xyzzy i plugh")
    expect(phone["no-rules"]).to_contain_text("Wpisz mniej słów")
    expect(phone["found-rules"]).to_be_hidden()
    expect(phone.page.locator("article.rule:visible")).to_have_count(0)
    expect(phone.page.locator(".contents a").first).to_be_visible()
    phone.page.evaluate("location.hash = 'MP-DEF-02'")
    expect(phone["rule-MP-DEF-02"]).to_be_in_viewport()
    expect(phone["find-rule"]).to_have_value("")
    phone.page.context.set_offline(False)


def test_search_knows_word_forms_marks_hits_and_needs_no_network(browser: Browser, panel: Panel, served: str) -> None:
    phone = Screen(browser, (360, 640))
    for code, queries in FOUND.items():
        phone.go(f"{served}rules?language={code}")
        if code == "pl":
            expect(phone["find-rule"]).to_be_visible()
            search_without_network(phone)
        for query, rule in queries.items():
            phone["find-rule"].fill(query)
            expect(phone[f"rule-{rule}"]).to_be_visible()
            expect(phone[f"rule-{rule}"].locator("mark").first).to_be_visible()
            expect(phone.page.locator(".up")).to_be_hidden()  # it would lie on the rule
            expect_value(phone.page, FEW_SHOWN, where=query)
            expect(phone.page.locator(".book section:not(.missed):not(:has(mark))")).to_have_count(0)
            expect_value(phone.page, FITS)
        book = rulebook.load(ROOT / "games/sniper_elite/book", code)
        for query, best in BEST[code].items():
            phone["find-rule"].fill(query)
            found = best.split()
            expect_value(phone.page, FIRST_SHOWN, best, f"{SHOWN}:nth-child(-n + {len(found)})", where=query)
            if with_all := [entry.id for entry in book.search(query)][: len(found)]:
                assert with_all == found[: len(with_all)], "the program has the same order"
            expect(phone[f"rule-{found[0]}"].get_by_role("heading")).to_be_in_viewport(ratio=1)
        phone["find-rule"].fill("")
        expect(phone.page.locator("mark")).to_have_count(0)
        expect_value(phone.page, IN_BOOK_ORDER)
        expect(phone.page.locator(".up")).to_be_visible()
    page_and_program_split_words_alike(phone.page)


def page_and_program_split_words_alike(page: Page) -> None:
    """Compare the parts of all words of the books."""
    for code in codes():
        books = [rulebook.load(folder, code) for folder in ROOT.glob("games/*/book")]
        found = {word for book in books for word in words_of(book)}
        assert len(found) > 1000
        split = page.evaluate(
            """async ([tables, words]) => {
                const { WordForms } = await import("/static/word-forms.js");
                const forms = new WordForms(tables);
                return words.map((word) => forms.stems(word));
            }""",
            [word_forms.tables(code), sorted(found)],
        )
        for word, stems in zip(sorted(found), split, strict=True):
            assert set(stems) == word_forms.stems(word, code), word


def words_of(book: rulebook.Rulebook) -> list[str]:
    return word_forms.plain_words(" ".join(f"{entry.text} {entry.off}" for entry in book.entries.values()))
