"""Stalingrad in Chromium: two phones by day and four at night, one of them in Polish, and a TV with the street."""

from __future__ import annotations

import re
from itertools import permutations
from secrets import token_hex

import pytest
from playwright.sync_api import Browser, expect

from firmware_host.seats.identity import Requester
from tests.depth import DEPTH
from tests.patience import until
from tests.web_panel.conftest import Panel
from tests.web_panel.looks import RANKED_IN_SIGHT, expect_no_faults
from tests.web_panel.room import IN_CHROMIUM, Match, Screen, expect_value, wait_shown
from tests.web_panel.test_browser_table_view import TVS, expect_no_overflow

pytestmark = IN_CHROMIUM

SIZES = ((360, 780), (768, 1024), (390, 844), (1280, 800))[: 2 if DEPTH == 1 else 4]
SEATS = tuple(f"player-{number}" for number in range(1, len(SIZES) + 1))
ACTS = 6 if DEPTH == 1 else 400
"""How many acts are made by day, and more than any game has at night."""
HELD = """
  window.steps = new Map();
  const [set, clear] = [setTimeout, clearTimeout];
  window.setTimeout = (work, ms, ...more) => {
    if (ms !== 1600) return set(work, ms, ...more);
    steps.set(-steps.size - 1, work);
    return -steps.size;
  };
  window.clearTimeout = (timer) => void (steps.delete(timer) || clear(timer));
"""
"""Holds back each next step of a turn that goes on by itself, until `NEXT` does it."""
NEXT = """least => {
  if (Number(document.body.dataset.revision) >= least) return true;
  for (const [timer, work] of [...steps]) if (steps.delete(timer)) work();
}"""
"""Do the next step, and return whether a screen shows a picture of at least this number."""


class Street(Match):
    """Players with phones, and a TV with the street."""

    def acts(self) -> None:
        """Press a current button on the phone of the seat whose turn it is."""
        view = self.view
        phone = self.shown(view["turn"])
        if view["phase"] == "escape":
            away = view["players"][view["turn"]]["hand"][3:]
            for card in away:
                phone.press(f"card-{card}")
            if away:
                phone.press("act-discard")
            expect(phone["act-end-turn"]).to_be_enabled()
            phone.does("act-end-turn")
        else:
            phone.does({"hunt": "act-draw", "reveal": "act-reveal"}.get(view["phase"], "act-commit"))


@pytest.fixture
def street(browser: Browser, panel: Panel, served: str) -> Street:
    """A game that has just started."""
    found = Street(browser, panel, served, SIZES, game="stalingrad")
    for seat in SEATS:
        found.shown(seat)
    return found


def test_buttons_make_acts_and_every_screen_shows_the_street(street: Street) -> None:
    last_roll_stays_until_next_card(street)
    for _ in range(ACTS):
        if street.view["over"] is not None:
            break
        street.acts()
        view = street.view
        if view["over"] is not None:
            continue
        rolled = rolls_of_last_card(street)
        for screen in (street.shown(view["turn"]), street.tv):
            expect(screen["dice"].locator(".d10")).to_have_count(len(rolled))
            gist = screen["recap"].locator("summary small")
            if rolled and gist.count():  # what the dice did is told once
                for line in screen["latest"].locator("p").all_text_contents():
                    expect(gist).not_to_contain_text(line)
            if rolled:  # also if it has ended the turn, and after the next player has laid out cards
                expect(screen["latest"].locator(f"[data-type={rolled[-1]}]").last).to_be_visible()
            expect(screen["facedown"].locator(".back")).to_have_count(view["counts"]["facedown"])
            expect(screen["deck"]).to_contain_text(str(view["counts"]["deck"]))
            if view["card"]:
                expect(screen["open-card"].locator(f"[data-card={view['card']}]")).to_be_visible()
            rolls = view["phase"] in ("target", "danger")
            expect(screen["faces"].locator(".on")).to_have_count(max(0, view["value"]) if rolls else 0)
            expect(screen["cost"]).to_have_count(int(view["phase"] == "danger"))
        others = street.shown(next(seat for seat in SEATS if seat != view["turn"]))
        expect(others.page.locator("[data-testid^=act-]")).to_have_count(0)
    if DEPTH > 1:
        assert street.view["over"] is not None
        street.tv["ranking"].wait_for()
        page = street.shown("player-2").page
        page.set_viewport_size({"width": 740, "height": 360})
        expect_value(page, RANKED_IN_SIGHT, len(SEATS), arg=".dock .ranking > li")


LAST_ROLL = """async (log) => {
  const { latestRoll, toldOfRoll } = await import("/games/stalingrad/static/street.js");
  const { card, dice } = latestRoll(log);
  return [card, dice.map(({ value }) => value), toldOfRoll(log).map(({ type }) => type)];
}"""
TURN = [
    {"type": "turn-started"},
    {"type": "drew"},
    {"type": "revealed", "card": "C01"},
    {"type": "shoot-rolled", "die": 2, "good": True},
    {"type": "killed"},
    {"type": "revealed", "card": "C02"},
    {"type": "rolled", "die": 9, "good": None},
    {"type": "evade-rolled", "die": 9, "good": False},
    {"type": "wounded", "die": 8, "good": False},
    {"type": "turn-ended"},
]


def last_roll_stays_until_next_card(street: Street) -> None:
    later = [{"type": "turn-started"}, {"type": "drew"}]
    shown = [
        street.tv.page.evaluate(LAST_ROLL, log)
        for log in (TURN[:5], TURN[:6], TURN, [*TURN, *later], [*TURN, *later, {"type": "revealed", "card": "C03"}], [])
    ]
    wound = ["C02", [9, 8], ["evade-rolled", "wounded"]]
    hit = ["shoot-rolled", "killed"]
    assert shown == [["C01", [2], hit], ["C02", [], hit], wound, wound, ["C03", [], []], [None, [], []]]


def rolls_of_last_card(street: Street) -> list[str]:
    log = street.panel.company.picture("table")["log"]
    at = max((number for number, line in enumerate(log) if line["type"] == "revealed"), default=0)
    return [line["type"] for line in log[at:] if isinstance(line.get("die"), int)]


@pytest.mark.nightly
def test_chosen_aid_changes_the_needed_roll_and_is_spent(street: Street) -> None:
    while not (street.view["phase"] in ("target", "danger") and legal_aids(street)):
        if street.view["over"] is not None:
            pytest.fail("no Aid could be used in the whole game")
        street.acts()
    seat, card = street.view["turn"], legal_aids(street)[0]
    phone = street.shown(seat)
    before = needed(phone)
    phone.press(f"card-{card}")
    expect(phone[f"card-{card}"]).to_have_attribute("aria-pressed", "true")
    until(lambda: needed(phone) > before)
    expect(phone["faces"].locator(".on")).to_have_count(before)
    expect(phone["faces"].locator(".more")).to_have_count(needed(phone) - before)
    phone.does("act-commit")
    rolled = [line for line in street.panel.company.picture("table")["log"] if line["type"].endswith("-rolled")][-1]
    for screen in (street.shown(street.view["turn"] or seat), street.tv):
        die = screen["dice"].locator(".d10").first
        expect(die).to_have_text(str(rolled["die"]))
        expect(die).to_have_class(re.compile("good" if rolled["good"] else "bad"))
    assert card not in street.view["players"][seat]["hand"]
    expect(street.shown(seat)[f"card-{card}"]).to_have_count(0)


def legal_aids(street: Street) -> list[str]:
    """Return the Aids of the rolling player that add to the roll."""
    picture = street.panel.company.picture(street.view["turn"])
    aids = [card for act in picture["legal"] if act["type"] == "commit" for card in act["cards"]]
    return sorted({*aids}) if picture["foresight"]["odds"]["value"] < 9 else []


def needed(phone: Screen) -> int:
    """Return the highest face with which the roll succeeds, as shown on the phone; 0 if it cannot."""
    found = re.search(r"\d", phone["headline"].inner_text())
    return 0 if found is None else int(found[0])


WIDTHS = (320, 1920) if DEPTH == 1 else (320, 360, 768, 1920)
READ_AT = WIDTHS[-1:] if DEPTH == 1 else (360, 1920)


CUT_OFF = """() => {
  const room = document.querySelector(".panel-body").getBoundingClientRect();
  const cards = [...document.querySelectorAll(".hand .st-card")];
  return cards.filter((card) => card.getBoundingClientRect().bottom > room.bottom).map((card) => card.ariaLabel);
}"""
"""Return the cards of the hand that are below the fold."""


@pytest.mark.nightly
def test_each_phase_is_accessible_and_within_reach(street: Street) -> None:
    seen = set[str]()
    while street.view["over"] is None and not {"hunt", "reveal", "target", "danger", "escape"} <= seen:
        view = street.view
        if view["phase"] not in seen:
            seen.add(view["phase"])
            expect_no_faults(street.shown(view["turn"]).page, view["phase"], WIDTHS, READ_AT)
            expect_no_faults(street.tv.page, f"{view['phase']} on the TV", WIDTHS, READ_AT)
        phone = street.shown(view["turn"]).page
        before = phone.viewport_size
        assert before is not None
        phone.set_viewport_size({"width": 360, "height": 640})
        expect_value(phone, CUT_OFF, [], where=view["phase"])
        phone.set_viewport_size(before)
        street.acts()
    assert {"hunt", "reveal", "target", "danger"} <= seen


@pytest.mark.nightly
def test_single_player_sees_best_score_of_this_table(browser: Browser, panel: Panel, served: str) -> None:
    phone = Screen(browser, (360, 780))
    phone.address = served
    phone.sends("choose", game="stalingrad", options={"players": 1})
    phone.claims(served, "player-1")
    phone.go(f"{served}player-1")
    stars = []
    for number in range(2):
        phone.sends("start")
        expect(phone["over"]).to_have_count(0)
        plays_alone(phone, panel, last=number)
        stars.append(panel.company.picture("table")["view"]["players"]["player-1"]["stars"])
        if number == 0:
            phone.says("best", "The first score at this table")
    phone.says("best", f"It was {stars[0]} before." if stars[1] > stars[0] else f"The best at this table: {stars[0]}")
    expect_no_faults(phone.page, "over", WIDTHS, READ_AT)
    phone.go(f"{served}games")
    phone.says("bests", f"best solo score {max(stars)}")
    expect_no_faults(phone.page, "past games", WIDTHS, READ_AT)
    phone.says("game-1", "Robin has earned")
    phone.press("look-1")
    expect(phone["on-board"]).to_have_text("On the TV")
    phone.press("more")
    phone.press("on-board")
    tv = Screen(browser, (1280, 720))
    tv.go(f"{served}table?language=en")
    tv.says("player-player-1", "Robin")
    expect(phone.page.locator(".replay-hud")).to_contain_text("Robin has earned")


def plays_alone(phone: Screen, panel: Panel, last: int) -> None:
    """Play a whole game with this phone's key, choosing the first or the last act of the list each time."""
    keys = {cookie.get("name"): cookie.get("value", "") for cookie in phone.page.context.cookies()}
    seat = panel.interface.held_seat(keys["sniperboard-8000-player-1"])
    while (picture := panel.company.picture("player-1"))["stage"] != "over":
        seat.submit(picture["legal"][-last], picture["revision"], token_hex())


# --- on a TV ------------------------------------------------------------------------------------------------------

COUNTS = (6,) if DEPTH == 1 else range(1, 7)
LARGE_TEXT = """addEventListener("DOMContentLoaded", () => (document.documentElement.style.fontSize = "200%"))"""
NARROW = """() => [...document.querySelectorAll(".ranking li > *")].filter((it) => {
  const { right, width } = it.getBoundingClientRect();
  return right > innerWidth || (it.matches("span") && width < 100);
}).map((it) => it.textContent)"""
"""Return the parts of a ranking that stick out, or have one letter a line."""


def test_tv_fits_one_to_six_players_until_the_end(browser: Browser, panel: Panel, served: str) -> None:
    tv = Screen(browser, TVS[0], locale="pl")
    for count in COUNTS:
        tv.go(f"{served}table")
        seats = [f"player-{number}" for number in range(1, count + 1)]
        tv.sends("choose", game="stalingrad", options={"players": count})
        keys = {seat: panel.interface.claim(seat, "2468", f"Konstancja {seat[-1]}") for seat in seats}
        me = Requester(tuple(keys.values()))
        panel.interface.start({}, me)
        tv.go("about:blank")  # drawing each act takes longer than opening the page for each look
        acts, looked = 0, set[str]()
        while (picture := panel.company.picture("table"))["stage"] != "over":
            view = picture["view"]
            if acts > 30 and view["phase"] not in looked:
                looked.add(view["phase"])
                tv.go(f"{served}table")
                wait_shown(tv.page, picture["revision"])
                expect(tv["odds"]).to_have_count(int(view["phase"] in ("hunt", "reveal")))
                expect_no_overflow(tv.page, f"{count} players, {view['phase']}")
                tv.go("about:blank")
            seat = panel.interface.held_seat(keys[view["turn"]])
            mine = panel.company.picture(view["turn"])
            # Aids are kept, so that hands are as large as they get.
            ends = [act for act in mine["legal"] if act["type"] != "buy"]
            seat.submit(ends[0] if view["phase"] != "escape" else ends[-1], mine["revision"], token_hex())
            acts += 1
        tv.go(f"{served}table")
        wait_shown(tv.page, picture["revision"])
        tv["lasted"].wait_for()
        expect_no_overflow(tv.page, f"{count} players, the end")
        kills = [card for it in picture["view"]["players"].values() for card in it["kills"]]
        expect(tv["ranking"].locator("[data-card]")).to_have_count(len(kills))
        expect(tv["ranking"].locator("li")).to_have_count(count)
        expect(tv["players"]).to_have_count(0)  # the ranking has named everyone
        expect(tv.page.locator(".end-facts .players")).to_be_hidden()
        expect(tv["figures"].locator("dt")).to_have_count(6)
        phone = Screen(browser, (360, 640), LARGE_TEXT, locale="pl")
        phone.holds(served, "player-1", keys["player-1"])
        phone.go(f"{served}player-1")
        expect(phone["ranking"].locator("li")).to_have_count(count)
        expect_value(phone.page, NARROW, [])
        panel.interface.abandon(me)
        for seat in seats:
            panel.interface.release(seat, me)
    steps = panel.browser().get("/api/games/1/steps/0").json["steps"]
    step, roll = next((n, it) for n, step in enumerate(steps) for it in step["told"] if it["type"] == "shoot-rolled")
    tv.go(f"{served}games/1#{step}")
    expect(tv.page.locator(f"#known-told .open [data-card={roll['card']}]")).to_be_visible()
    expect(tv.page.locator("#known-told .d10")).to_have_count(1)
    tv.page.keyboard.press("End")
    expect(tv.page.locator("#known-told")).to_contain_text("(Konstancja")
    expect(tv.page.locator("#known-told .ranking")).to_be_visible()


def single_player(browser: Browser, panel: Panel, served: str, script: str, motion: str = "no-preference") -> Screen:
    """Start a game of one player. Return a small phone with that seat, on which `script` runs first."""
    phone = Screen(browser, (360, 640), script, reduced_motion=motion)
    phone.address = served
    phone.sends("choose", game="stalingrad", options={"players": 1})
    key = panel.company.keys["player-1"] = panel.interface.claim("player-1", "2468", "Ada")
    phone.holds(served, "player-1", key)
    panel.interface.start({}, panel.company.requester)
    phone.go(f"{served}player-1")
    return phone


MOTIONS = """
window.moved = new Set();
addEventListener("DOMContentLoaded", () => {
  const note = () => document.body.classList.forEach((name) => moved.add(name));
  new MutationObserver(note).observe(document.body, { attributeFilter: ["class"] });
});
"""
"""Note each class that the page has had: those of animations are soon gone."""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_new_cards_move_unless_the_device_asks_for_calm(
    browser: Browser, panel: Panel, served: str, motion: str
) -> None:
    # A blank page, from which a screen goes on to the next page, has no storage.
    by_hand = "try { localStorage.setItem('stalingrad-by-hand', '\"yes\"'); } catch {}"
    phone = single_player(browser, panel, served, f"{MOTIONS}\n{by_hand}", motion)
    for button in ("act-draw", "act-reveal"):
        phone.does(button)
        wait_shown(phone.page, panel.company.picture("player-1")["revision"])
    wanted = ["dealing", "turning"] if motion == "no-preference" else []
    expect_value(phone.page, "['dealing', 'turning'].filter((name) => moved.has(name))", wanted)
    expect_value(phone.page, FILLED, where="the street leaves the screen empty")
    held = {"phase": "target", "rolled": {"value": 9, "good": False, "needed": 6, "wound": False}}
    expect_value(phone.page, ROLLING, [held, "reveal"] if motion == "no-preference" else [{"phase": "reveal"}])
    if motion == "no-preference":
        expect_value(phone.page, GIVEN_AWAY, ["rgba(0, 0, 0, 0)", "rgb(243, 234, 208)"])


ROLLING = """async () => {
  const { animate } = await import("/games/stalingrad/static/street.js");
  const log = [{ n: 1, type: "revealed" }, { n: 2, type: "shoot-rolled", die: 9, needed: 6, good: false }];
  const [before, now] = ["target", "reveal"].map((phase) => ({ view: { phase }, log }));
  let shown;
  const later = new Promise((done) => (shown = animate([log[1]], now, before, done)));
  return shown === now ? [now.view] : [shown.view, (await later).view.phase];
}"""
"""Return what is shown of a roll: while the die rolls the phase before, with what was needed; later the next one."""


GIVEN_AWAY = """() => {
  const street = document.querySelector(".street").parentElement;
  street.insertAdjacentHTML("beforeend", `<p class="result red">?</p><svg class="d10 bad"><path class="front"/></svg>`);
  document.body.classList.add("rolling");
  const shown = [".result.red", ".d10.bad .front"].map((it) => document.querySelector(it));
  for (const it of shown.flatMap((it) => it.getAnimations())) {
    it.pause();
    it.currentTime = 0;
  }
  const [box, front] = shown.map((it) => getComputedStyle(it));
  return [box.backgroundColor, front.fill];
}"""
"""Return the colours of a result and of its die while the die still rolls."""


FILLED = """() => {
  const asked = document.querySelector(".panel-body > :last-child").getBoundingClientRect().bottom;
  return document.querySelector(".foot").getBoundingClientRect().top - asked < 40;
}"""
"""Whether the cards of the street take the room that nothing else needs."""


OUTLOOK = """async ([view, cards]) => {
  const { turnOdds } = await import("/games/stalingrad/static/outlook.js");
  return turnOdds(view, cards);
}"""


def test_odds_of_a_turn_are_those_of_every_order_of_its_cards(browser: Browser, unchanged: Panel) -> None:
    kinds = [("danger", 0, -1), ("danger", 0, 0), ("target", 2, -2), ("target", 1, 1), ("aid", 0, 2), ("nothing", 0, 0)]
    cards = {f"C{n}": {"kind": kind, "stars": stars, "amount": amount} for n, (kind, stars, amount) in enumerate(kinds)}
    cards["seen"] = {"kind": "danger", "stars": 0, "amount": 9}
    player = {"shoot": 6, "evade": 5, "kills": ["seen"], "hand": []}
    view = {"phase": "hunt", "turn": "me", "value": 4, "counts": {"deck": 6, "facedown": 0}, "discard": []}
    view |= {"card": None, "aid": None, "players": {"me": player}, "switches": {"ST-R-01": True}}
    danger = unhurt = stars = 0.0
    orders = list(permutations(list(cards)[:6], 4))
    for order in orders:
        alive = 1.0
        for it in (cards[card] for card in order):
            if it["kind"] == "danger":
                alive *= (5 + it["amount"]) / 10
            if it["kind"] == "target":
                stars += alive * it["stars"] * (6 + it["amount"]) / 10
        danger += any(cards[card]["kind"] == "danger" for card in order)
        unhurt += alive
    with unchanged.served() as address:
        page = Screen(browser, (360, 780))
        page.go(f"{address}rules")
        found = page.page.evaluate(OUTLOOK, [view, cards])
    expected = {"danger": danger, "unhurt": unhurt, "stars": stars}
    assert found == pytest.approx({name: value / len(orders) for name, value in expected.items()})


def test_cards_turn_over_by_themselves_until_there_is_a_choice(browser: Browser, panel: Panel, served: str) -> None:
    phone = single_player(browser, panel, served, HELD)
    phone.does("act-draw")
    busy = {"ok": False, "error": {"code": "busy", "sentence": "The table is busy.", "rule": None}}
    for address in ("act", "picture/player-1"):
        phone.page.route(f"**/api/{address}", lambda route: route.fulfill(status=503, json=busy), times=1)
    while (picture := panel.company.picture("player-1"))["view"]["phase"] in ("reveal", "target", "danger"):
        wait_shown(phone.page, picture["revision"])
        if picture["foresight"]["odds"].get("aids"):
            phone.does("act-commit")
        else:
            expect_value(phone.page, NEXT, arg=picture["revision"] + 1)

    if picture["view"]["phase"] == "escape":
        phone.does("act-end-turn")
    phone.does("act-draw")
    expect_value(phone.page, "steps.size", 1)
    phone.press("by-hand")
    expect_value(phone.page, "steps.size", 0)
    phone.does("act-reveal")
    expect_value(phone.page, "steps.size", 0)
