"""A device that loses its seat while the table answers it gets nothing of the seat's new holder.

Every route of the panel is requested. During a call of project code inside the answer, the other side swaps seats,
takes the seat over, or claims it after a release; then the answer continues. The routes that return a seat's data are
found by comparison: they answer a device with the key differently from one without.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

import pytest
from werkzeug.routing import Rule

from firmware_host.api.held_seat import HeldSeat
from firmware_host.core.errors import UserError
from firmware_host.seats.identity import Requester
from firmware_host.table.followers import Followers
from tests.depth import DEPTH
from tests.firmware_host.evening import fresh_name
from tests.web_panel.conftest import Browser, Panel
from tools.showroom import PIN
from web_panel.settings import PanelSettings
from web_panel.streams import GONE

OURS = tuple(str(Path(__file__).resolve().parents[2] / name) for name in ("firmware_host", "web_panel"))
REFUSED = (403, 503)
SETTINGS = PanelSettings(simulated=True, max_streams=64, heartbeat=0.01)
PLACES = {"game": "sniper-elite", "slug": "launch-facility", "number": "1", "filename": "net.js"}
"""Values of the parameters in a route's address other than the name of a seat."""
SOME = 4
"""How many calls of an answer are interrupted by day, besides all within `READING`. At night it is every call."""
READING = ("held_seat.py", "followers.py", "drafts.py")
"""The files that read a seat's data and the right to it."""
PIECES = 6
"""The most pieces of a stream that are read: the opening, heartbeats and the picture."""


class Answer(NamedTuple):
    """The answer that a device got."""

    status: int
    text: str

    @property
    def refused(self) -> bool:
        """Whether it holds no data of a seat."""
        return self.status in REFUSED or self.text.endswith(GONE)

    def made_of(self, others: list[Answer]) -> bool:
        """Return whether every part of it is also in one of the others."""
        if self in others or "{" not in self.text:
            return self in others
        known = [one.members for one in others]
        return all(any(it.get(name) == part for it in known) for name, part in self.members.items())

    @property
    def members(self) -> dict[str, Any]:
        """The parts of the answer, without the board, which everyone sees and which changes by itself."""
        text = self.text.removeprefix("data: ")
        found: dict[str, Any] = json.loads(text) if text.startswith("{") else {"text": text}
        return {name: part for name, part in found.items() if name != "board"}


class Table:
    """Two devices at a running table; `holder` is the one that holds the sniper's seat now."""

    def __init__(self, panel: Panel) -> None:
        self.panel = panel
        self.holder, self.other = panel.start()

    def keys(self, browser: Browser) -> dict[str, str]:
        """Return the keys of a device by the names of their cookies."""
        names = [f"sniperboard-8000-{seat}" for seat in ("sniper", "defenders")]
        cookies = [(name, browser.client.get_cookie(name)) for name in names]
        return {name: cookie.value for name, cookie in cookies if cookie is not None}

    @property
    def everyone(self) -> Requester:
        """Return both devices' keys together."""
        return Requester((*self.keys(self.holder).values(), *self.keys(self.other).values()), local=True)

    def swap(self) -> None:
        """Start a rematch with swapped sides."""
        self.panel.interface.abandon(self.everyone)
        self.panel.interface.play_again(True, self.everyone)
        self.holder, self.other = self.other, self.holder

    def take_over(self) -> None:
        """Take the seat over with its PIN on the other device, and start a new game."""
        key = self.panel.interface.take_over("sniper", PIN, "Cy's phone")
        self._begin(key)

    def release(self) -> None:
        """Release the seat, claim it on the other device, and start a new game."""
        self.panel.interface.abandon(self.everyone)
        self.panel.interface.release("sniper", self.everyone)
        self._begin(self.panel.interface.claim("sniper", PIN, "Cy's phone"))

    def _begin(self, key: str) -> None:
        self.holder, self.other = self.other, self.holder
        self.holder.client.set_cookie("sniperboard-8000-sniper", key)
        if self.panel.interface.lobby()["stage"] != "lobby":
            self.panel.interface.abandon(self.everyone)
        self.panel.interface.start({"options": {"random_setup": True}}, self.everyone)

    def get(self, browser: Browser, path: str) -> Answer:
        """Get an address; of a stream, up to its first picture."""
        answer = browser.client.get(path, buffered=False)
        try:
            if answer.mimetype != "text/event-stream" or answer.status_code != 200:
                return Answer(answer.status_code, answer.get_data(as_text=True).rstrip())
            pieces = iter(answer.response)
            found = ""
            for _ in range(PIECES):
                piece = bytes(next(pieces, b"")).decode()
                if "data: {" in piece or piece in (GONE, ""):
                    return Answer(200, piece)
                found = piece
            return Answer(200, found)
        finally:
            answer.close()


Happening = Callable[[Table], None]
HAPPENINGS: dict[str, tuple[Happening, ...]] = {
    "swapped": (Table.swap,),
    "swapped twice": (Table.swap, Table.swap),
    "taken over": (Table.take_over,),
    "released": (Table.release,),
}
"""What happens inside an answer, in this order, at consecutive calls."""


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    monkeypatch.setattr("firmware_host.table.starts.STARTS", 10_000)  # a swap starts a game
    panel = Panel(tmp_path, SETTINGS)
    yield Table(panel)
    panel.stop()


def calls(work: Callable[[], Answer]) -> list[int]:
    """Return the numbers of the calls of project code within `work` that are to be interrupted."""
    seen: dict[CodeType, int] = {}
    number = -1

    def note(frame: FrameType, event: str, _: Any) -> None:
        nonlocal number
        if event == "call" and frame.f_code.co_filename.startswith(OURS):
            number += 1
            seen.setdefault(frame.f_code, number)

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    numbers = sorted(seen.values())
    chosen = {*numbers[:: 1 if DEPTH > 1 else max(1, len(numbers) // SOME)]}
    return sorted(chosen | {at for code, at in seen.items() if code.co_filename.endswith(READING)})


def interrupted(work: Callable[[], Answer], at: int, happenings: list[Callable[[], None]]) -> Answer:
    """Return the result of `work` if things happen at calls of project code, the first at number `at`."""
    number, left = -1, list(happenings)

    def note(frame: FrameType, event: str, _: Any) -> None:
        nonlocal number
        if event == "call" and frame.f_code.co_filename.startswith(OURS):
            number += 1
            if number >= at and left:
                left.pop(0)()

    sys.setprofile(note)
    try:
        return work()
    finally:
        sys.setprofile(None)


def address(rule: Rule) -> str:
    """Return an address of a route, for the sniper where it is about a seat."""
    filled = {name: PLACES.get(name, "sniper") for name in rule.arguments}
    built = rule.build(filled)
    assert built is not None
    return str(built[1])


def private(table: Table) -> list[str]:
    """Return the addresses that answer a device with the sniper's key differently from one without."""
    found = []
    for rule in table.panel.app.url_map.iter_rules():
        # The time is another one for each reader.
        if "GET" in (rule.methods or ()) and rule.rule != "/api/clock":
            path = address(rule)
            if table.get(table.holder, path).text.strip() != table.get(table.panel.browser(), path).text.strip():
                found.append(path)
    return found


@pytest.fixture(scope="module")
def routes(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The routes that `private` finds; they are the same at each table."""
    panel = Panel(tmp_path_factory.mktemp("table"), SETTINGS)
    found = private(Table(panel))
    panel.stop()
    return found


def test_routes_that_return_a_seats_data_are_found(routes: list[str]) -> None:
    assert {*routes} >= {
        "/api/picture/sniper",
        "/api/stream/sniper",
        "/api/draft/sniper",
        "/api/lobby",
        "/sniper",
    }


@pytest.mark.parametrize("what", HAPPENINGS)
def test_device_that_loses_its_seat_gets_nothing_of_new_holder(table: Table, routes: list[str], what: str) -> None:
    refused = 0
    for path in routes:
        numbers = calls(lambda path=path: table.get(table.holder, path))
        for number in numbers:
            reader = table.holder
            before = table.get(reader, path)
            happenings = [lambda happen=happen: happen(table) for happen in HAPPENINGS[what]]
            answer = interrupted(lambda path=path, reader=reader: table.get(reader, path), number, happenings)
            allowed = [before, table.get(reader, path)]
            assert answer.refused or answer.made_of(allowed), (path, number, answer)
            refused += answer.refused
    assert what == "swapped twice" or refused > 5


def test_picture_for_another_holder_is_refused_after_regaining_the_seat(table: Table) -> None:
    key = next(iter(table.keys(table.holder).values()))
    held = table.panel.interface.held_seat(key)
    table.swap()

    def back(words: str) -> str:
        if table.panel.interface.holder(key) != held.holder:
            table.swap()
        return str(words)

    followers: Followers = table.panel.loop.followers
    foreign = followers.latest("sniper")
    with pytest.raises(UserError) as caught:
        held.picture(str)
    assert caught.value.code == "no-seat"
    assert held._text(foreign, back) is None
    assert held.picture(str)


def test_device_that_lost_its_seat_can_do_nothing_there(table: Table) -> None:
    key = next(iter(table.keys(table.holder).values()))
    held = table.panel.interface.held_seat(key)
    followed = held.follow(str)
    assert followed.next(0)
    table.swap()
    arguments: dict[str, tuple[Any, ...]] = {
        "picture": (str,),
        "read": (str,),
        "keep_draft": ("", {}),
        "submit": ({"type": "end-turn"}, 1, fresh_name()),
        "offer": ("screen", 1, {}),
        "assign_part": ("red", 1),
        "acknowledge_wrong_pins": (0,),
        "read_briefing": (True,),
        "hand_over": ("random",),
    }
    names = {name for name, it in vars(HeldSeat).items() if callable(it) and not name.startswith("_")}
    for name in names - {"is_held", "follow"}:
        with pytest.raises(UserError) as caught:
            getattr(held, name)(*arguments.get(name, ()))
        assert caught.value.code == "no-seat", name
    with pytest.raises(UserError, match="does not hold"):
        followed.next(0)


def test_no_public_call_returns_the_picture_of_a_seat(table: Table) -> None:
    for name in ("picture", "follow"):
        with pytest.raises(LookupError):
            getattr(table.panel.interface, name)("sniper", str)
