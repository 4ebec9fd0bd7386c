"""People who play the tiny game on phones in a browser. They use only what the screens of all games have."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, expect

from tests.games.treasure.daemon import TreasureTable
from tests.web_panel.room import SPOT, STILL, Screen, wait_shown

SEEKERS = ("red", "blue", "green")
PHONE, TABLET, DESK = (360, 780), (768, 1024), (1920, 1080)


class Phone(Screen):
    """A seat's screen."""

    def __init__(self, browser: Browser, address: str, seat: str, size: tuple[int, int], **device: Any) -> None:
        super().__init__(browser, size, **device)
        self._address, self.seat = address, seat

    def sit_down(self) -> None:
        """Take the seat in the lobby, with a PIN."""
        self.go(self._address)
        self.press(f"take-{self.seat}")
        self["claim-pin"].fill("2468")
        self.press("claim-send")
        self.page.wait_for_url(f"**/{self.seat}")

    @property
    def picture(self) -> dict[str, Any]:
        """The seat's picture, once its screen shows it."""
        picture: dict[str, Any] = self.page.request.get(f"{self.home}api/picture/{self.seat}").json()
        wait_shown(self.page, picture["revision"])
        return picture

    def taps(self, space: str) -> None:
        """Tap a lit space of the map, then tap it again to do the only act there."""
        self.tap(space)
        expect(self.page.locator(f'.lit.picked[data-space="{space}"]')).to_be_visible()
        before = self.revision
        self.page.evaluate(STILL)
        with self.page.expect_response("**/api/act") as answer:
            self.page.mouse.click(*self.page.evaluate(SPOT, space))
        assert answer.value.ok, answer.value.text()
        wait_shown(self.page, before + 1)


class People:
    """The people at a table of the tiny game. Screens in `locale`: a phone for each seat, the board, the TV."""

    def __init__(self, browser: Browser, folder: Path, seekers: int, locale: str) -> None:
        self.table, self.locale, self.seekers = TreasureTable(folder), locale, seekers
        sizes = dict(zip(SEEKERS[:seekers], (PHONE, TABLET, DESK), strict=False))
        self.phones = {
            seat: Phone(browser, self.address, seat, size, locale=locale)
            for seat, size in {**sizes, "hider": PHONE}.items()
        }
        self.tv, self.board = Screen(browser, DESK, locale=locale), Screen(browser, (1200, 900), locale=locale)

    @property
    def address(self) -> str:
        """The table's address."""
        return f"http://127.0.0.1:{self.table.device.port}/"

    @property
    def screens(self) -> list[Screen]:
        """All screens."""
        return [*self.phones.values(), self.tv, self.board]

    def choose(self, screen: Screen, **options: int) -> None:
        """Choose the game and its options in the lobby."""
        screen.go(self.address)
        screen.press("game-treasure")
        for name, value in options.items():
            with screen.page.expect_response("**/api/choose") as answer:  # the choice is shown at once, then sent
                screen[f"option-{name}"].select_option(str(value))
            assert answer.value.ok, answer.value.text()
            expect(screen[f"option-{name}"]).to_have_value(str(value))

    def begin(self, rounds: int) -> None:
        """Choose the game, take the seats, start, and place the pawns in their corners."""
        first = self.phones["red"]
        self.choose(first, seekers=self.seekers, rounds=rounds)
        first.sit_down()
        for seat, phone in self.phones.items():
            if phone is not first:
                phone.claims(self.address, seat)
        self.tv.go(f"{self.address}table")
        self.board.go(f"{self.address}board")
        first.go(self.address)
        first.press("start")
        first.page.wait_for_url("**/red")
        for seat, phone in self.phones.items():
            if phone is not first:
                phone.go(f"{self.address}{seat}")
        self.tidy()

    def tidy(self) -> None:
        """Move every pawn to its place in the game."""
        with self.board.page.expect_response("**/api/tidy"):
            self.board.press("tidy")
        expect(self.board["board-strip"]).to_have_attribute("data-state", "agreed")

    def to_act(self) -> str | None:
        """Return the seat whose turn it is, from the public picture."""
        shown = self.tv.page.request.get(f"{self.address}api/picture/table").json()
        return next(iter(shown["view"]["to_act"]), None)

    def waited_for(self) -> str:
        """Return the seat whose turn it is while the game goes on."""
        seat = self.to_act()
        assert seat is not None
        return seat

    def plays(self, seat: str, away_from: str) -> None:
        """Play one act on the screen of a seat, but do not walk to the space `away_from`."""
        phone = self.phones[seat]
        picture = phone.picture
        spaces = [act["space"] for act in picture["legal"] if act.get("space") not in (None, away_from)]
        if "walk" in {act["type"] for act in picture["legal"]} and spaces:
            phone.taps(spaces[0])
            self.tidy()
        elif picture["view"]["steps"] is None:
            phone.does("act-roll")
        else:
            phone.does("act-dig")

    def close(self) -> None:
        """Stop the table."""
        self.table.close()
