"""A whole game of Snipers and Assassins in Chromium: two or four phones, one of them in Polish, and a TV."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.web_panel.conftest import Panel
from tests.web_panel.looks import RANKED_IN_SIGHT
from tests.web_panel.room import IN_CHROMIUM, Match, Screen, expect_value, wait_shown
from tests.web_panel.test_browser_table_view import expect_no_overflow

pytestmark = IN_CHROMIUM

SEATS = [f"player-{number}" for number in range(1, 5)]
STARTS = dict(zip(SEATS, ("BL", "CL", "DL", "EL"), strict=True))
LEADERS = dict(zip(SEATS, ("FR", "AR", "FL", "BR"), strict=True))
"""By day the Leader that player 1 hunts is near; at night it is far."""


ENDINGS = {"player-1": "You win!", "player-2": "wygrywa!"}
"""What the winner and the player with a Polish phone read at the end."""

REACHED = {"player-1": "You reached"}
"""What the winner reads about it."""

RUNNERS = """track => [...track.children].map(it => [it.getBoundingClientRect().x, it.textContent])
    .sort(([one], [other]) => one - other).map(([, number]) => number)"""
"""The numbers on the track of the race, from left to right."""


class Race(Match):
    """Four players with phones of different sizes, and a TV."""

    def walks(self, seat: str, space: str) -> None:
        """Choose the Assassin and tap a space: that moves it there at once, or asks first if the move wins."""
        phone = self.shown(seat)
        if phone["marker-assassin"].get_attribute("aria-pressed") != "true":
            phone.press("marker-assassin")
        if space == self.view["players"][self.view["players"][seat]["target"]]["leader"]:
            phone.tap(space)
            phone.says("outlook", "You take out the Target")
            phone.does("confirm")
            return
        with phone.page.expect_response("**/api/act") as answer:
            phone.tap(space)
        assert answer.value.ok, answer.value.text()
        self.shown(seat)

    def ends(self, seat: str) -> None:
        """End the turn although the Sniper could still act, which the phone asks about."""
        self.shown(seat).does("end-turn", sure=True)

    def sets_up(self) -> None:
        """Choose starts, Targets and Leaders in the order of the seats."""
        self.shown("player-2").says("headline", "Wybiera start")
        self.tv.says("turn", "turn")
        expect(self.tv.page.locator(".whose span")).to_have_text("Choosing a start")
        for seat, start in STARTS.items():
            self.chooses(seat, space=start)
        for seat, target in zip(SEATS, (*SEATS[1:], SEATS[0]), strict=True):
            self.chooses(seat, seat=target)
        for seat, leader in LEADERS.items():
            self.chooses(seat, space=leader)

    def chooses(self, who: str, /, **chosen: str) -> None:
        """Choose on the phone: Hideouts on the map, players in the panel."""
        phone = self.shown(who)
        if "seat" in chosen:
            prey = phone[f"prey-{chosen['seat']}"]
            if prey.get_attribute("aria-pressed") != "true":  # the only one left is chosen
                prey.click()
        else:
            phone.tap(chosen["space"])
        phone.does("confirm")


def test_page_chooses_the_hideout_furthest_from_the_hunter(browser: Browser, panel: Panel, served: str) -> None:
    phone = Screen(browser, (360, 640), has_touch=True)
    phone.address = served
    phone.sends("choose", game="snipers-and-assassins", options={"players": 3})
    seats = SEATS[:3]
    for seat in seats:
        phone.sends("claim", seat=seat, pin="2468", device="Robin")
    phone.sends("start")
    for seat in seats:
        phone.acts(seat, type="choose-start", space=STARTS[seat])
    for seat, target in zip(seats, (*seats[1:], seats[0]), strict=True):
        phone.acts(seat, type="choose-target", seat=target)
    phone.go(f"{served}player-1?language=en")
    phone.says("hideout-AR", "10 turns")  # from DL: three jumps, and seven walks for thirteen columns
    expect(phone["confirm"]).to_have_count(0)
    phone.does("any")
    assert panel.company.picture("table")["view"]["players"]["player-1"]["leader"] == "AR"


@pytest.fixture
def race(browser: Browser, panel: Panel, served: str) -> Race:
    """A game that was set up on the screens."""
    sizes = ((360, 780), (390, 844), (768, 1024), (1280, 800))
    found = Race(browser, panel, served, sizes, game="snipers-and-assassins", map="pathways-4")
    found.sets_up()
    return found


def winning_walk() -> Iterator[str]:
    """Yield the moves of player 1's Assassin, one per turn, to the Leader in AR."""
    yield from ("B1", "A1", *(f"A{column}" for column in range(3, 12, 2)), "AR")


APART = """number => {
  const [one, other] = ["sniper", "assassin"]
    .map((kind) => document.querySelector(`[data-piece=${kind}-${number}] .side`).getAttribute("transform"));
  return one !== other;
}"""


CLOSE = """piece => {
  const { left, right, width } = document.querySelector(`.stage [data-piece=${piece}]`).getBoundingClientRect();
  return width >= 24 && left >= 0 && right <= innerWidth;
}"""
"""Return whether a piece is in view, and large enough on a phone, whose width shows 14 spaces of the whole board."""


def both_markers_are_seen(race: Race) -> None:
    """Check that both markers on a shared space are visible until one of them leaves, which a waiting phone follows."""
    seat = race.view["turn"]
    phone, number = race.shown(seat), seat[-1]
    expect_value(phone.page, APART, arg=number)
    race.walks(seat, f"{STARTS[seat][0]}2")
    expect_value(race.phones["player-1"].page, CLOSE, arg=f"assassin-{number}")
    wait_shown(race.tv.page, race.panel.company.picture("table")["revision"])
    for screen in (phone, race.tv):
        expect(screen.page.locator(f".stage [data-piece=assassin-{number}] .side")).to_have_attribute(
            "transform", "translate(0 68) scale(0.9)"
        )


def named(race: Race, sentence: str, marker: str = "") -> str:
    """Return a sentence of the log as screens show it: with the people's names behind their seats, and the name of the
    person whose marker acts.
    """
    for seat, facts in race.panel.company.picture("table")["seats"].items():
        names = [it["device"] for it in facts["devices"] if not it["guest"]]
        if names:
            sentence += f" {names[0]}" if marker[-1:] == seat[-1] else ""
            title = f"player {seat[-1]}"
            sentence = re.sub(rf"({title})\b", rf"\1 ({names[0]})", sentence, flags=re.IGNORECASE)
    return sentence


def shows_others_turns_when_own_turn_comes(race: Race, seat: str) -> None:
    """Check that the phone shows what others did since the player's last turn, also after a reload, but not the
    player's own acts. Its folded line is the last act if no one was hit.
    """
    phone, lines = race.phones[seat], race.panel.company.picture(seat)["log"]
    shown = phone["recap"].locator("p[data-type]")
    ended = [number for number, line in enumerate(lines) if line["type"] == "turn-ended" and line["public"]]
    told = [line for line in lines[ended[-len(SEATS)] + 1 :] if line["public"]]
    since = [line for line in told if not line["type"].startswith("turn-")]
    acts = [line["sentence"] for line in since if line["type"] in ("moved", "jumped")]
    for _ in range(2):
        expect(shown).to_have_text([named(race, line["sentence"], line.get("marker", "")) for line in since])
        expect(phone["recap"].locator("summary small")).to_have_text(named(race, acts[-1]))
        phone.page.reload()


def turn_of_player_2_to_4(race: Race, seat: str) -> None:
    """Walk once in the first round, and end the turn."""
    if race.view["round"] == 1:
        if seat == "player-2":
            both_markers_are_seen(race)
        else:
            race.walks(seat, f"{STARTS[seat][0]}1")
        expect(race.phones[seat]["marker-assassin"]).to_be_disabled()
    race.ends(seat)


@pytest.mark.nightly
def test_whole_game_is_played_on_phones_with_tv(race: Race) -> None:
    acts = winning_walk()
    while race.view["over"] is None:
        seat = race.view["turn"]
        other = next(other for other in race.phones if other != seat)
        expect(race.phones[other]["marker-assassin"]).to_have_count(0)
        if seat != "player-1":
            turn_of_player_2_to_4(race, seat)
            continue
        if race.view["round"] == 2:
            shows_others_turns_when_own_turn_comes(race, seat)
        race.walks(seat, next(acts))
        if race.view["over"] is None:
            race.ends(seat)
    race.tv.says("over", "wins!")
    race.tv["figures"].wait_for()
    expect_no_overflow(race.tv.page, "the end")
    for seat, phone in race.phones.items():
        phone.says("over", ENDINGS.get(seat, "wins!"))
        phone.says("reached", REACHED.get(seat, "AR"))
    low = race.phones["player-2"].page
    low.set_viewport_size({"width": 740, "height": 360})
    expect_value(low, RANKED_IN_SIGHT, len(race.phones), arg=".dock .racer-card")
    view = race.view
    for screen in (race.tv, race.phones["player-1"]):
        # The fewer turns are left, the further to the right; those who are even, in the order of their seats.
        runners = sorted(race.phones, key=lambda seat: -view["turns_to_go"][seat])
        expect_value(screen["track"], RUNNERS, [seat[-1] for seat in runners])
        winner, cards = view["over"]["winner"], screen.page.locator(".brief .racer-card")
        for at, seat in enumerate(sorted(race.phones, key=view["turns_to_go"].__getitem__)):
            expect(cards.nth(at)).to_have_attribute("data-testid", f"player-{seat}")
        expect(cards.first.locator(".arrived")).to_contain_text("at the Leader")
        expect(screen.page.locator(f".stage .arrived[data-piece=assassin-{winner[-1]}]")).to_be_visible()
    number = race.panel.company.picture("table")["finished"]
    steps = race.panel.browser().get(f"/api/games/{number}/steps/0").json["steps"]
    step = next(n for n, step in enumerate(steps) if any(it["type"] == "moved" for it in step["told"]))
    race.tv.go(f"{race.tv.home}games/{number}#{step}")
    race.tv.says("step", f"step {step} of")
    expect(race.tv.page.locator("#known .layer-trail .trek")).to_have_count(1)
    expect(race.tv.page.locator("#known [data-piece=assassin-1]")).to_be_visible()
    expect(race.tv.page.locator("#truth")).to_be_hidden()  # nothing is secret in this game
