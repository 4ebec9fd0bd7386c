"""No game can stop the table, whatever fails in it, and at any time."""

from __future__ import annotations

import signal
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from engine.game import Cue, Ending
from engine.graph.fault import MapError
from engine.refusal import NotUnderstood, Refused, RuleError
from engine.text import Text
from firmware_host.admin.access import AdminAccess
from firmware_host.api.rights import CheckedCalls
from firmware_host.core import maps
from firmware_host.core.errors import JournalError, UserError
from firmware_host.core.hang_note import Purpose
from firmware_host.core.settings import settle
from firmware_host.core.time_limit import WATCH
from firmware_host.seats.identity import ANONYMOUS
from firmware_host.table.loop import Loop
from firmware_host.workshop.checks import Machine
from firmware_host.workshop.doctor import examine
from tests.depth import DEPTH
from tests.firmware_host.failing_games import FAULTS, Foreign, Rich, failing, hangs
from tests.firmware_host.small_games import SEATS, Cards, CardsView, installed, small_board
from tests.firmware_host.test_hang_note import leaving_out
from tests.firmware_host.test_without_board import SmallTable, at_table

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
"""`TimeUp` can arrive in a callback of the garbage collector, which drops it. The watch raises it again."""

ANY_TIME = (
    "read_command", "check", "decide", "fold", "to_act", "legal", "view", "sentence", "outcome", "read_event",
    "details", "summary", "caption", "foresight", "open_cards", "progress", "retractable", "cues", "standing",
    "optional", "placements", "opening", "called", "colour", "places_of",
)  # fmt: skip
"""The methods that an act calls."""
AT_THE_START = (
    "read_options", "seats", "blank", "setup", "fold", "to_act", "legal", "view", "outcome", "summary", "foresight",
    "progress", "cues", "standing", "placements", "optional", "colour", "called", "deduction", "places_of",
)  # fmt: skip
AT_A_RESTART = ("read_options", "seats", "blank", "fold", "read_command", "read_event", *ANY_TIME[4:])
CODES = {"game-fault", "not-understood", "refused"}


def some(faults: Iterable[str], method: str, share: int) -> list[str]:
    """Return the faults to try in a method: all at night; by day a share, such that each fault meets some methods."""
    return [*faults] if DEPTH > 1 else [*faults][sorted({*ANY_TIME, *AT_THE_START}).index(method) % share :: share]


@pytest.fixture(autouse=True)
def no_interrupts() -> Iterator[None]:
    """Ignore Ctrl-C, as `sniperboard run` does."""
    before = signal.signal(signal.SIGINT, lambda *_: None)
    yield
    signal.signal(signal.SIGINT, before)


@contextmanager
def no_patience() -> Iterator[None]:
    """Shorten the time-outs for a game that hangs."""
    WATCH.patience = 0.05
    try:
        yield
    finally:
        WATCH.patience = 1.0


class Table(SmallTable):
    """A table that plays the game with the hint, so that every method is called."""

    settings = settle({"possible_hints": True, "seat_pins": False})

    def open(self) -> None:
        """Start the table even if the game cannot be offered."""
        with suppress(UserError):
            super().open()
        self.table.open()
        self.wait(0)

    def begin(self) -> None:
        """Start the game."""
        self.table.start({"game": self.game.name, "map": "toy", "possible_hints": True})
        self.table.session.tidy()
        self.wait(100)

    def finish(self) -> None:
        """Play the game to its end, with the last legal act each time."""
        while self.table.session.running:
            seat = str(self.sees("table")["view"]["turn"])
            self.act(seat, self.sees(seat)["legal"][-1])

    def entries(self) -> int:
        """Return the number of entries in the journal."""
        found: tuple[int] = self.table.journal._db.execute("SELECT COUNT(*) FROM entries").fetchone()
        return found[0]

    def seen(self) -> dict[str, Any]:
        """Return what everyone sees."""
        parts = ("view", "legal", "log", "take_back")
        return {viewer: [self.sees(viewer).get(part) for part in parts] for viewer in (*SEATS, "table")}


def seated(game: Rich, folder: Path) -> Iterator[Table]:
    with installed(game, folder / "games"):
        table = Table(folder, game)
        table.sit_down()
        yield table
        table.table.close()


def playing(game: Rich, folder: Path) -> Iterator[Table]:
    """Yield a table at which one act was made."""
    for table in seated(game, folder):
        table.begin()
        table.act(*first(table))
        yield table


def first(table: Table) -> tuple[str, dict[str, Any]]:
    """Return who is to act, and a legal act."""
    seat = str(table.sees("table")["view"]["turn"])
    return seat, table.sees(seat)["legal"][0]


@pytest.mark.parametrize("method", ANY_TIME)
def test_act_that_fails_in_game_is_refused_and_changes_nothing(tmp_path: Path, method: str) -> None:
    game = failing(method)
    for table in playing(game, tmp_path):
        for fault in some(FAULTS, method, 6):
            fail = FAULTS[fault]
            seat, action = first(table)
            before, entries, promised = table.seen(), table.entries(), table.table.session.sealed
            game.calls, game.fail = 0, fail
            try:
                table.act(seat, action)
            except UserError as refused:
                assert refused.code in CODES, fault
                game.fail = None
                assert table.seen() == before, fault
                assert table.entries() == entries, fault
                assert table.table.session.sealed == promised, fault
            game.fail = None
            assert game.calls or table.table.session.name == "over", "the game was not called"
            assert table.table.session.play is not None, f"{fault}: {table.table.snapshot.front['lost']}"
            if table.table.session.running:
                table.act(*first(table))
            if not table.table.session.running:
                table.begin()
        table.pull_the_plug()
        assert table.table.session.running


class WithoutEnd(Rich):
    """A game that cannot say who has won."""

    def ending(self, view: Any) -> Ending | None:
        """Fail once the game is over."""
        if view.over is not None:
            raise RuntimeError
        return None


def test_last_act_is_refused_if_game_cannot_say_who_has_won(tmp_path: Path) -> None:
    for table in seated(WithoutEnd(), tmp_path):
        table.begin()
        entries = 0
        with pytest.raises(UserError, match="has a fault"):
            while table.table.session.running:
                entries = table.entries()
                table.act(*first(table))
        assert table.entries() == entries
        assert table.table.session.running


class LampCards(Cards):
    """Cards, and a board of lamps that the game may fail to make."""

    name = "cards"
    fail: Callable[[], Any] = staticmethod(small_board)
    shown_on = "toy"

    def map_names(self) -> tuple[str, ...]:
        return ("toy",)

    def make_map(self, name: str) -> Any:
        return self.fail()

    def map_options(self, name: str) -> dict[str, Any]:
        return {}

    def lamp_board(self, options: Any) -> str:
        return self.shown_on

    def cues(self, view: CardsView) -> list[Cue]:
        return []


NO_LAMPS: dict[str, Callable[[], Any]] = {
    "raises": FAULTS["raises"],
    "hangs": hangs,
    "no spaces": lambda: replace(small_board(), spaces=None),
    "refuses": FAULTS["refuses"],
    "foreign": lambda: replace(small_board(), walk={"a": Foreign()}),
    "no ways": lambda: replace(small_board(), walk={}),
    "no outlines": lambda: replace(small_board(), spaces={"a1": replace(small_board().spaces["a1"], outline=())}),
    "ways to nowhere": lambda: replace(small_board(), walk=dict.fromkeys(small_board().walk, ("nowhere",))),
    "endless spaces": lambda: replace(small_board(), spaces={str(n): 1 for n in range(3000)}),
}


@pytest.mark.parametrize("fail", [*NO_LAMPS, "unknown board"])
def test_game_with_failing_lamp_board_goes_on_without_lamps(
    tmp_path: Path, fail: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = LampCards()
    for table in at_table(game, tmp_path):
        table.table.start({})
        table.wait(0)
        assert table.table.board.map.slug == "toy"
        seat = table.act_first("lay")
        monkeypatch.setattr(maps, "_maps_in_memory", {})  # as after a restart
        if fail == "unknown board":
            game.shown_on = "nowhere"
        else:
            game.fail = NO_LAMPS[fail]
        with no_patience():
            table.pull_the_plug()
            assert table.table.session.running
            table.wait(1000)
            assert table.table.board.map.slug == "launch-facility"
            assert table.act_first("lay") != seat
            table.table.abandon()
            table.table.start({})
            assert table.table.session.running


def test_request_is_refused_if_game_fails_while_checking_it(tmp_path: Path) -> None:
    """In the thread of the request, before it reaches the loop."""
    game = failing("to_act")
    for found in seated(game, tmp_path):
        found.begin()
        table, game.fail = found.table, FAULTS["raises"]
        assert table.session.play is not None
        table.session.play.referee._acting = None  # else the game is not asked
        calls = CheckedCalls(Loop(lambda _, of=table: of, time.monotonic), AdminAccess(tmp_path, time.monotonic))
        with pytest.raises(UserError) as refused:
            calls.paced(ANONYMOUS, lambda _: None, lambda asked: asked.session.check_free())
        game.fail = None
        assert refused.value.code == "game-fault"


@pytest.mark.parametrize("method", ANY_TIME)
def test_game_that_fails_between_acts_leaves_table_open(tmp_path: Path, method: str) -> None:
    game = failing(method)
    for table in seated(game, tmp_path):
        for fault in some(("raises", "refuses", "list of unequal"), method, 3):
            table.begin()
            table.act(*first(table))
            game.fail = FAULTS[fault]
            table.table.session.board.adjust(table.settings)  # calls the game for its board facts again
            table.wait(700)
            game.fail = None
            table.wait(100)
            assert table.sees("table")["stage"] in ("playing", "lobby"), fault
            if table.table.session.running:
                table.table.abandon()
        table.begin()


def once(game: Rich, fault: Callable[[], Any]) -> Callable[[], Any]:
    """Return what fails once, and not again."""

    def fail() -> Any:
        game.fail = None
        return fault()

    return fail


@pytest.mark.parametrize("method", ANY_TIME)
def test_single_fault_between_acts_ends_no_game(tmp_path: Path, method: str) -> None:
    game = failing(method)
    for table in seated(game, tmp_path):
        table.begin()
        for fault in some(("out of memory", "hangs"), method, 2):
            table.act(*first(table))
            before = table.seen()
            game.fail = once(game, FAULTS.get(fault, hangs))
            table.table.session.board.adjust(table.settings)  # calls the game for its board facts again
            with no_patience():
                table.wait(700)
            game.fail = None
            table.wait(100)
            assert table.seen() == before
            assert table.sees("table")["stage"] == "playing"


def test_game_with_a_fault_that_stays_is_taken_off_the_table(tmp_path: Path) -> None:
    game = failing("placements")
    for table in seated(game, tmp_path):
        table.begin()
        game.fail = FAULTS["out of memory"]
        table.table.session.board.adjust(table.settings)
        table.wait(700)
        assert table.sees("table")["stage"] == "lobby"
        game.fail = None
        table.begin()


def test_tick_asks_nothing_that_was_asked_for_the_act(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each question more could be the one at which a busy computer fails."""
    asked, run = list[str](), WATCH.run

    def noted(name: str, limit: float, work: Callable[..., Any], *args: Any) -> Any:
        asked.append(name)
        return run(name, limit, work, *args)

    monkeypatch.setattr(WATCH, "run", noted)
    for table in playing(Rich(), tmp_path):
        table.wait(700)
        asked.clear()
        table.wait(700)
        assert asked == []


@pytest.mark.parametrize("fault", ["refuses", "raises"])
def test_step_on_board_that_is_refused_is_hinted_at_and_only_a_fault_switches_sensors_off(
    tmp_path: Path, fault: str
) -> None:
    game = failing("check")
    for table in seated(game, tmp_path):
        table.begin()
        seat, action = first(table)
        before = table.seen()
        home = table.table.session.play.standing[f"{seat}-runner"]  # type: ignore[union-attr]
        game.fail = FAULTS[fault]
        table.table.board.touch(f"{seat}-runner", None)
        table.wait(500)
        table.table.board.touch(f"{seat}-runner", action["to"])
        table.wait(5000)
        assert game.calls == 1
        assert table.seen()["table"][0] == before["table"][0]
        board = table.sees("table")["board"]
        assert (board["heeded"], board["state"]) == ((True, "correcting") if fault == "refuses" else (False, "ignored"))
        game.fail = None
        if fault == "refuses":
            assert home in board["hint"]["legal"]
            table.table.board.touch(f"{seat}-runner", home)
            table.wait(5000)
            assert table.sees("table")["board"]["state"] == "agreed"
        table.act(seat, action)


@pytest.mark.parametrize("method", AT_THE_START)
def test_game_that_fails_at_start_does_not_begin(tmp_path: Path, method: str) -> None:
    game = failing(method)
    for table in seated(game, tmp_path):
        for fault in some(("raises", "generator", "surrogate"), method, 3):
            game.fail, entries = FAULTS[fault], table.entries()
            try:
                table.begin()
            except UserError as refused:
                assert refused.code in CODES, fault
                assert not table.table.session.running, fault
                assert table.entries() == entries, fault
            game.fail = None
            table.wait(200)
            if table.table.session.running:
                table.act(*first(table))
                table.table.abandon()
        table.begin()
        table.act(*first(table))


@pytest.mark.parametrize("method", dict.fromkeys(AT_A_RESTART))
def test_game_that_cannot_be_restored_waits(tmp_path: Path, method: str) -> None:
    """It was closed for good when its new version had a fault, also if the former one was installed again."""
    game = failing(method)
    for table in seated(game, tmp_path):
        for fault in some(("raises", "generator"), method, 2):
            table.begin()
            table.act(*first(table))
            seen = table.seen()["table"][0]
            game.fail = FAULTS[fault]
            table.pull_the_plug()
            game.fail = None
            if table.sees("table")["stage"] != "playing":
                assert waits(table), fault
                table.pull_the_plug()
            assert table.seen()["table"][0] == seen, fault
            table.table.abandon()


def failing_late(method: str) -> Any:
    """Return a game with a method that fails at its call number `at`, and, if it `stays`, at all later ones."""

    def late(self: Any, *args: Any) -> Any:
        self.calls += 1
        if self.at and (self.calls == self.at or (self.stays and self.calls > self.at)):
            raise RuntimeError
        return getattr(Rich, method)(self, *args)

    return type("Late", (Rich,), {method: late, "at": 0, "stays": False})()


@pytest.mark.parametrize("stays", [False, True])
@pytest.mark.parametrize("method", ANY_TIME[4:] if DEPTH > 1 else ("to_act", "standing"))
def test_table_starts_at_whichever_call_of_the_start_the_game_fails(tmp_path: Path, method: str, stays: bool) -> None:
    """After the game was restored, a fault ended each start with the exit code for wrong settings."""
    game = failing_late(method)
    for table in seated(game, tmp_path):
        table.begin()
        for at in count(1):
            if table.sees("table")["stage"] == "lobby":
                table.begin()
            before, game.calls, game.at, game.stays = table.table, 0, at, stays
            table.pull_the_plug()
            assert table.table is not before
            if game.calls < at:
                break
            game.at = 0


@pytest.mark.parametrize(
    "method",
    ["decide", "legal", "fold", "check", "view", "sentence", "cues", "read_command"][:: 1 if DEPTH > 1 else 2],
)
def test_act_at_which_game_hangs_is_refused(tmp_path: Path, method: str) -> None:
    game = failing(method)
    for table in seated(game, tmp_path):
        table.begin()
        seat, action = first(table)
        before, entries = table.seen(), table.entries()
        game.fail = hangs
        with no_patience(), pytest.raises(UserError, match="took too long"):
            table.act(seat, action)
        game.fail = None
        assert table.seen() == before
        assert table.entries() == entries
        table.act(seat, action)


class Unreadable(Refused):
    """A refusal whose sentence cannot be made."""

    @property
    def sentence(self) -> str:
        raise ValueError


def deep() -> Text:
    """Return nested texts, deeper than translation goes."""
    text = Text("x")
    for _ in range(400):
        text = Text("{text}", text=text)
    return text


ODD: dict[str, BaseException] = {
    "no sentence": RuleError(None),  # type: ignore[arg-type]
    "unreadable": Unreadable("R-1", "no"),
    "no rule": Refused(7, "no"),  # type: ignore[arg-type]
    "long": Refused("R-1", "x" * 10_000_000),
    "half a character": NotUnderstood("\ud800"),
    "deep": Refused("R-1", deep()),
    "no map": MapError("toy", ["x" * 10_000_000]),
    "of the journal": JournalError("the disk"),
    "of the database": sqlite3.OperationalError("the disk"),
    "of the table": UserError("stale", "look again"),
}
"""Refusals that cannot be sent, and errors that no game should raise."""


@pytest.mark.parametrize("method", ["read_command", "check", "decide", "view"])
def test_odd_refusal_is_fault_of_game(tmp_path: Path, method: str) -> None:
    game = failing(method)

    def fail(odd: BaseException) -> None:
        raise odd

    for table in seated(game, tmp_path):
        table.begin()
        for name, odd in ODD.items():
            game.fail = partial(fail, odd)
            with pytest.raises(UserError, match="has a fault") as refused:
                table.act(*first(table))
            assert refused.value.code == "game-fault", name
            game.fail = None
        table.act(*first(table))


@pytest.mark.parametrize("method", ["view", "sentence", "caption", "summary", "foresight", "outcome"])
def test_too_deeply_nested_texts_are_fault_of_game(tmp_path: Path, method: str) -> None:
    game = failing(method)
    for table in seated(game, tmp_path):
        table.begin()
        for found in (deep(), {"a": [deep()]}, [(deep(), "a")], Text("{a}", a=object())):  # type: ignore[arg-type]
            game.fail = lambda found=found: found
            with pytest.raises(UserError, match="has a fault"):
                table.act(*first(table))
            game.fail = None
        table.act(*first(table))


def test_act_is_taken_back_however_long_game_is(tmp_path: Path) -> None:
    game = failing("fold")
    for table in seated(game, tmp_path):
        table.table.start({"game": game.name, "map": "toy"})
        table.table.session.tidy()
        table.wait(1000)
        table.act(*first(table))
        before = table.seen()
        seat, action = first(table)
        table.act(seat, action)
        game.fail = hangs
        table.act(seat, {"type": "take-back"})
        game.fail = None
        assert {viewer: seen[0] for viewer, seen in table.seen().items()} == {
            viewer: seen[0] for viewer, seen in before.items()
        }
        table.pull_the_plug()
        assert table.seen()["table"][0] == before["table"][0]


@pytest.mark.parametrize("method", ["read_event", "blank", "standing", "to_act", "view", "sentence", "caption"])
def test_doctor_says_why_game_waits(tmp_path: Path, method: str) -> None:
    game = failing(method)
    for table in playing(game, tmp_path):
        game.fail = lambda: msgspec.convert(7, str)
        table.pull_the_plug()
        assert waits(table)
        findings = examine(Machine(tmp_path, datetime(2026, 1, 31), frozenset()), settle({"state": str(tmp_path)}))
        (found,) = [finding.found for finding in findings if finding.what == "game 1"]
        assert "cannot continue now: it has a fault (ValidationError)" in found


@pytest.mark.parametrize("method", ["read_options", "read_command", "read_event", "blank"])
def test_game_that_refuses_what_is_stored_is_not_called_missing(tmp_path: Path, method: str) -> None:
    """As a new version does that has an option or a card less."""
    game = failing(method)
    for table in playing(game, tmp_path):
        game.fail = FAULTS["refuses"]
        table.pull_the_plug()
        assert waits(table)
        assert "it has a fault (Forbidden)" in str(table.table.snapshot.front["lost"][0])


def test_pictures_changed_in_place_by_game_are_restored(tmp_path: Path) -> None:
    class Mutating(Rich):
        """Changes the picture that it gets, and then fails."""

        def fold(self, view: Any, event: Any) -> Any:
            if self.fail is not None:
                view.places["north-runner"] = "c3"
                raise ValueError
            return super().fold(view, event)

    for table in playing(Mutating(), tmp_path):
        before = table.seen()
        table.game.fail = hangs  # type: ignore[attr-defined]
        with pytest.raises(UserError, match="has a fault"):
            table.act(*first(table))
        table.game.fail = None  # type: ignore[attr-defined]
        table.table.refresh()
        table.wait(0)
        assert table.seen() == before


def waits(table: Table) -> bool:
    """Return whether the game waits for the next start."""
    says = "(rich) cannot continue now" in " ".join(table.table.snapshot.front["lost"])
    return says and table.sees("table")["stage"] == "lobby"


def test_game_that_hung_last_process_waits(tmp_path: Path) -> None:
    for table in playing(Rich(), tmp_path):
        before = table.seen()
        with leaving_out(Purpose("rich")):
            table.pull_the_plug()
            assert waits(table)
            assert "it stopped the table" in " ".join(table.table.snapshot.front["lost"])
        table.pull_the_plug()
        assert table.seen() == before


@pytest.mark.parametrize("method", ["fold", "view", "placements"])
def test_game_that_takes_too_long_continues_later(tmp_path: Path, method: str) -> None:
    """It was closed for good, although the computer may just have been busy."""
    game = failing(method)
    for table in playing(game, tmp_path):
        before = table.seen()
        game.fail = hangs
        with no_patience():
            if method == "placements":  # asked during play, too
                table.table.session.board.adjust(table.settings)
                table.wait(700)
            else:
                table.pull_the_plug()
        assert waits(table)
        game.fail = None
        table.pull_the_plug()
        assert table.seen() == before


@pytest.mark.parametrize("error", [ModuleNotFoundError("numpy"), OSError("too many open files"), MemoryError()])
def test_game_that_misses_something_outside_of_it_continues_later(tmp_path: Path, error: Exception) -> None:
    """It was closed for good when an update of the table had removed a package that it imports in a method."""

    def misses() -> None:
        raise error

    game = failing("view")
    for table in playing(game, tmp_path):
        before = table.seen()
        game.fail = misses
        table.pull_the_plug()
        assert waits(table)
        assert f"it has a fault ({type(error).__name__}). Repair that" in str(table.table.snapshot.front["lost"][0])
        game.fail = None
        table.pull_the_plug()
        assert table.seen() == before
