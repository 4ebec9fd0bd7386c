"""A series of games at a table that is killed repeatedly, and what must be true after each restart.

The players choose random acts, some by screen and some by moving miniatures on the simulated board. The drill remembers
what they were sent: answers to acts, and every picture that a screen got. After each start, the journal must contain
exactly the acknowledged acts in order, plus at most the one in progress; every seat's picture must match a separate
read of the journal; and the board must agree with the game, or show how to make it agree.
"""

from __future__ import annotations

import os
import re
import signal
import socket
import sqlite3
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec

from engine.chance import Chance
from engine.seats import seat_names
from firmware_host.app.daemon import HANG_NOTE
from firmware_host.core import maps
from firmware_host.play import pictures as screens
from firmware_host.play.game import TableGame
from firmware_host.records.chain import ChainEntry
from firmware_host.records.journal import FILE, Journal
from games.sniper_elite import GAME
from tests.drill.nursery import Nursery
from tests.drill.screens import Client, Gone, Stream
from tests.games.sniper_elite.test_longhand import some_options
from tests.patience import PATIENCE

SEATS = seat_names(GAME.seats(GAME.read_options({})))
VIEWERS = (*SEATS, "table")
ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/")
GAMES = ("view", "legal", "foresight", "log")
"""The parts of a picture about the game, without the revision, the seats and the board."""
QUICK = ("rest_ms", "slide_settle_ms", "debounce_down_ms", "debounce_up_ms")


class Deed(NamedTuple):
    """An entry of the journal without its random results."""

    kind: str
    seat: str = ""
    command: Any = None


class Stopped(Exception):
    """The table reports that it has stopped because of an internal error."""


class Shortened(Journal):
    """A journal of which only the first entries of a game are read."""

    length: int

    def entries(self, game: int) -> list[ChainEntry]:
        return super().entries(game)[: self.length]


Pictures = dict[str, dict[str, Any]]


class Drill:
    """The state folder of one table, its players, and everything that they were sent."""

    def __init__(self, folder: Path, nursery: Nursery, seed: int, options: tuple[str, ...] = ()) -> None:
        self.folder = folder
        self.state = folder / "state"
        self.log = folder / "log"
        self.random = Random(seed)
        self.client = Client()
        self.games: list[list[Deed]] = []
        """The acknowledged entries of every game; the last game is in progress."""
        self.flying: Deed | None = None
        """The act that was requested and is not answered yet."""
        self.kills = self.landed = self.by_hand = self.refusals = 0
        self._unsure: Deed | None = None
        self._nursery = nursery
        self._options = [word for name in QUICK for word in (f"--{name.replace('_', '-')}", "0")] + list(options)
        self._notify_socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._notify_socket.bind("")
        self._streams: dict[str, Stream] = {}
        self._last_shown: Pictures = {}
        self._killers: list[threading.Timer] = []
        self._board: dict[str, Any] = {}
        self._asked: dict[str, Any] | None = None
        """The last act by screen, as it was sent; `_asked_done` says whether it was done."""
        self._asked_done = False
        self._acts = 0
        self._start_took = 0.1

    # --- starting and killing the table -----------------------------------------------------------------------------

    def start(self, **more: Any) -> int:
        """Start a table that may be killed before it is ready, and return its process ID."""
        # Each life is a new evening. Many ends in a row, each within a minute, would leave out games.
        (self.state / HANG_NOTE).unlink(missing_ok=True)
        address = self._notify_socket.getsockname().decode().replace("\0", "@", 1)
        arguments = ("run", "--host", "127.0.0.1", "--port", "0", "--state", str(self.state), *self._options)
        return self._nursery.start(*arguments, log=self.log, environment={"NOTIFY_SOCKET": address}, **more)

    def ready(self, pid: int) -> bool:
        """Wait until the table is open and reachable; return False if it was killed before."""
        self._notify_socket.settimeout(0.02)
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                word = self._notify_socket.recv(4096).decode()
            except TimeoutError:
                if not Path(f"/proc/{pid}/stat").exists() or _dead(pid):
                    return False
                continue
            if found := ADDRESS.search(word):
                try:
                    self.client.reach(int(found[1]))
                except Gone:
                    return False
                return True
        raise AssertionError(f"the table never opened: {self.log.read_text('utf-8')}")

    def live(self, **more: Any) -> None:
        """Start the table and kill it, either while it starts (one in four) or during play."""
        pid = self.start(**more)
        born = time.monotonic()
        if self.random.random() < 0.25:
            self._kill(pid, self._start_took)
        try:
            if self.ready(pid):
                self._start_took = time.monotonic() - born
                self.open()
                for _ in range(self.random.randrange(8)):
                    self.step()
                began = time.monotonic()
                self.step()
                self._kill(pid, 3 * (time.monotonic() - began))
                while True:
                    self.step()
        except Gone:
            pass
        status = self.ended(pid)
        assert status == -signal.SIGKILL, f"it ended by itself ({status}): {self.log.read_text('utf-8')}"
        self.kills += 1

    def open(self) -> None:
        """Compare the restarted table with the journal, take the seats, and open the streams."""
        self.compare()
        self.sit_down()
        self._look()

    def ended(self, pid: int) -> int:
        """Return how the table ended, after reading everything that it sent before."""
        for killer in self._killers:
            killer.join()
        self._killers.clear()
        status = self._nursery.wait(pid)
        self._read_remaining()
        return status

    def _kill(self, pid: int, within: float) -> None:
        """Kill the table at a random moment within this many seconds."""
        killer = threading.Timer(self.random.uniform(0, within), os.kill, (pid, signal.SIGKILL))
        self._killers.append(killer)
        killer.start()

    def _look(self) -> None:
        """Open a stream for every viewer."""
        self._last_shown = {}
        for viewer in self._viewers:
            self._streams[viewer] = Stream(self.client, viewer)

    def close(self) -> None:
        """End the drill."""
        self._notify_socket.close()

    @property
    def _viewers(self) -> list[str]:
        """The viewers whose screens can be opened: the table's, and those of taken seats."""
        return [viewer for viewer in VIEWERS if viewer not in SEATS or viewer in self.client.keys]

    def _read_remaining(self) -> None:
        for viewer, stream in self._streams.items():
            stream.read(to_the_end=True)
            self._remember_picture(viewer, stream)
            stream.close()
        self._streams.clear()
        self.client.leave()
        while _drained(self._notify_socket):
            pass

    def _remember_picture(self, viewer: str, stream: Stream) -> None:
        if stream.picture is not None:
            self._last_shown[viewer] = stream.picture

    # --- what must be true ------------------------------------------------------------------------------------------

    def compare(self) -> None:
        """Check the restarted table: nothing is lost or doubled, pictures are as before, and the board is compared."""
        self._check_journal()
        now = self._pictures(len(self.games) - 1) if self.games else _none()
        for viewer in self._viewers:
            shown = self.client.get(f"/api/picture/{viewer}")
            assert _game(shown) == now[viewer], f"the {viewer}'s picture is not what the journal says"
            if (shown_before := self._last_shown.get(viewer)) is not None:
                assert self._picture_was_true(viewer, _game(shown_before)), f"the {viewer}'s picture was lost"
                assert shown["revision"] > shown_before["revision"], f"the {viewer}'s old picture counts as a new one"
        self._check_stale()
        self._check_board()

    def _check_stale(self) -> None:
        """Resend the last act, as a browser without an answer does: it must not count twice.

        With its old ID it gets the original result; with a new one it is out of date.
        """
        if self._asked is None:
            return
        asked, self._asked = self._asked, None
        again = self.client.post("/api/act", **asked)
        assert again["ok"] == self._asked_done, f"{asked} was answered by {again}"
        renamed = self.client.post("/api/act", **{**asked, "id": f"{asked['id']} again"})
        for answer in [renamed, *([] if again["ok"] else [again])]:
            assert not answer["ok"], f"an act on a picture from before the restart counted: {asked}"
            assert answer["error"]["code"] == "stale", answer
        assert self.entries() == self.games

    def _picture_was_true(self, viewer: str, shown: dict[str, Any]) -> bool:
        """Return whether the viewer's picture was this one at some moment of the journal; tries the latest first."""
        if shown == _game(screens.NO_GAME):
            return True
        moments = ((game, length) for game in reversed(range(len(self.games))) for length in self._lengths(game))
        return any(self._pictures(game, length)[viewer] == shown for game, length in moments)

    def _lengths(self, game: int) -> range:
        return range(len(self.games[game]), 0, -1)

    def _check_journal(self) -> None:
        """Compare the journal with what was acknowledged."""
        found = self.entries()
        known = [*self.games]
        if found != known:
            self.flying = self.flying or self._unsure
            assert self.flying is not None, f"no one asked for this: {_difference(found, known)}"
            assert found == self._with_flying(), f"lost, doubled or reordered: {_difference(found, known)}"
            self.games = found
            self.landed += 1
            self._asked_done = True
        self.flying = self._unsure = None

    def _with_flying(self) -> list[list[Deed]]:
        assert self.flying is not None
        if self.flying.kind != "start":
            return [*self.games[:-1], [*self.games[-1], self.flying]]
        ended = [deeds if deeds[-1].kind == "put-away" else [*deeds, Deed("put-away")] for deeds in self.games]
        return [*ended, [self.flying]]

    def acknowledged(self) -> None:
        """Record that the act in progress was answered: it must never be lost."""
        self.games = self._with_flying()
        self.flying = self._unsure = None
        self._asked_done = True

    def entries(self) -> list[list[Deed]]:
        """Return the journal's entries, game by game."""
        path = self.state / FILE
        if not path.exists():
            return []
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
            rows = db.execute("SELECT game, kind, seat, command FROM entries ORDER BY game, number").fetchall()
        games: dict[int, list[Deed]] = {}
        for game, kind, seat, command in rows:
            done = msgspec.json.decode(command) if kind == "act" else None
            games.setdefault(game, []).append(Deed(kind, seat, done))
        return list(games.values())

    def _pictures(self, game: int, length: int | None = None) -> Pictures:
        """Return what every viewer must see after `length` entries of a game, from a separate read of the file."""
        deeds = self.games[game][:length]
        if deeds[-1].kind == "put-away":
            return _none()
        journal = Shortened.open_read_only(self.state / FILE)
        assert isinstance(journal, Shortened)
        journal.length = len(deeds)
        try:
            saved = journal.games()[game]
            play = TableGame.resume(saved, maps.load(saved.map), journal, Chance(Random(0)))
        finally:
            journal.close()
        return {viewer: _game(_plain(screens.of_viewer(play.referee, viewer))) for viewer in VIEWERS}

    def _check_board(self) -> None:
        """Check the board's advice.

        If miniatures and game differ, the table must soon say what to do; if not, that they agree.
        """
        if self.client.get("/api/picture/table")["view"] is None:
            return
        self.client.post("/api/attend", attended=True)  # as the page of the simulated board does
        end = time.monotonic() + PATIENCE
        while not self._guided():
            assert time.monotonic() < end, f"no screen says what to do: {self._board}"

    def _guided(self) -> bool:
        self._board = self.client.get("/api/picture/table")["board"]
        if self._board["state"] == "agreed":
            return not self._is_misplaced()
        return bool(self._board["hint"] and self._board["sentence"])

    def _is_misplaced(self) -> bool:
        """Return whether a miniature is not where the game has it."""
        units = self.client.get("/api/picture/table")["view"]["units"]
        stands = {it["id"]: it["space"] for it in self.client.get("/api/picture/board")["miniatures"]}
        return any(stands[unit] != space for unit, space in units.items())

    # --- play ---------------------------------------------------------------------------------------------------

    def sit_down(self) -> None:
        """Take both seats once; the keys survive a restart of the table."""
        for seat in SEATS:
            if seat not in self.client.keys:
                self.client.claim(seat)

    def steps(self, number: int, by_hand: bool = True) -> None:
        """Make this many acts or attempts."""
        for _ in range(number):
            self.step(by_hand)

    def wait_for_halt(self) -> str:
        """Wait until every screen shows that acts are halted, and return the sentence."""
        return str(self._wait(lambda: self.client.get("/api/picture/table")["halted"]))

    def wait_for_room(self) -> None:
        """Wait until acts are accepted again."""
        self._wait(lambda: self.client.get("/api/picture/table")["halted"] is None)

    def _wait(self, fact: Callable[[], Any]) -> Any:
        end = time.monotonic() + PATIENCE
        while not (found := fact()):
            assert time.monotonic() < end, self.log.read_text("utf-8")
        return found

    def step(self, by_hand: bool = True) -> None:
        """Make one act, by screen or by hand. Raises one of `Gone`."""
        for viewer, stream in self._streams.items():
            stream.read()
            self._remember_picture(viewer, stream)
        pictures = {seat: self.client.get(f"/api/picture/{seat}") for seat in SEATS}
        able = [seat for seat in SEATS if pictures[seat]["legal"]]
        if not able:
            self._begin()
            return
        seat = self.random.choice(able)
        picture = pictures[seat]
        if picture.get("take_back") and self.random.random() < 0.3:
            self._send(seat, picture, {"type": "take-back"}, Deed("taken-back", seat))
            return
        action = self._drawn(picture["legal"])
        if seat == SEATS[-1] and action["type"] == "move" and by_hand and self.random.random() < 0.7:
            self._move_by_hand(picture, action)
        else:
            self._send(seat, picture, action, Deed("act", seat, action))

    def _drawn(self, legal: list[dict[str, Any]]) -> dict[str, Any]:
        """Return a random act of a random kind."""
        kinds = sorted({action["type"] for action in legal})
        kind = "move" if "move" in kinds and self.random.random() < 0.4 else self.random.choice(kinds)
        return self.random.choice([action for action in legal if action["type"] == kind])

    def _tidy(self) -> None:
        """Put every miniature where it belongs, and wait until the table has noticed."""
        end = time.monotonic() + PATIENCE
        while True:
            self.client.post("/api/tidy")
            if self.client.get("/api/picture/table")["board"]["state"] == "agreed" and not self._is_misplaced():
                return
            assert time.monotonic() < end, "board and game never agree"

    def _begin(self) -> None:
        """Start a new game and set up its miniatures."""
        options = {**some_options(self.random), "random_setup": self.random.random() < 0.7}
        self.flying, self._asked = Deed("start"), None
        answer = self.client.post("/api/start", map=self.random.choice(maps.drawn()), options=options)
        if not answer["ok"]:
            self.refused(answer)
            return
        self.acknowledged()
        self._tidy()

    def _send(self, seat: str, picture: Mapping[str, Any], action: Mapping[str, Any], deed: Deed) -> None:
        """Send an act by screen, for the picture that was shown."""
        self.flying = deed
        self._asked = {"seat": seat, "action": action, "revision": picture["revision"], "id": f"act-{self._acts}"}
        self._asked_done = False
        self._acts += 1
        answer = self.client.post("/api/act", **self._asked)
        if not answer["ok"]:
            self.refused(answer)
            return
        self.acknowledged()
        self._wait(lambda: self.client.get(f"/api/picture/{seat}")["revision"] != picture["revision"])

    def refused(self, answer: Mapping[str, Any]) -> None:
        """Handle a refusal: the board is not set up yet, or nothing can be written.

        An act that was refused because of a bad disk may be on the disk in full, if the power fails before the next
        act.
        """
        refused, self.flying = self.flying, None
        if answer["error"]["code"] == "halted":
            self.refusals += 1
            self._unsure = refused if self._unsure is None else self._unsure
            return
        if "has stopped" in answer["error"]["sentence"]:
            self._unsure = refused
            raise Stopped
        if answer["error"]["code"] == "stale":
            return  # an act is answered before everyone has the new picture
        assert answer["error"]["code"] == "not-now", answer
        self._tidy()

    def _move_by_hand(self, picture: Mapping[str, Any], action: Mapping[str, Any]) -> None:
        """Make an act by hand: lift the miniature and set it down; the new picture shows that it counted."""
        if self._is_misplaced() or picture["board"]["state"] != "agreed":
            self._tidy()
            return
        self.flying, self._asked = Deed("act", SEATS[-1], action), None
        for space in (None, action["to"]):
            self.client.post("/api/touch", miniature=action["unit"], space=space)
        end = time.monotonic() + 0.2
        while time.monotonic() < end:
            changed = self.client.get(f"/api/picture/{SEATS[-1]}")["revision"] != picture["revision"]
            if changed and self.entries() == self._with_flying():
                self.acknowledged()
                self.by_hand += 1
                return
        self._recover_from_unclear_move()

    def _recover_from_unclear_move(self) -> None:
        """Put the miniature back after a move that the table asked about or did not recognise; it may have counted."""
        self._tidy()
        found = self.entries()
        if self.flying is not None and found == self._with_flying():
            self.acknowledged()
        self.flying = None


def _game(picture: Mapping[str, Any]) -> dict[str, Any]:
    return {name: picture[name] for name in GAMES}


def _none() -> Pictures:
    return {viewer: _game(screens.NO_GAME) for viewer in VIEWERS}


def _plain(picture: Mapping[str, Any]) -> Any:
    return msgspec.json.decode(msgspec.json.encode(picture, enc_hook=str))


def _difference(found: list[list[Deed]], known: list[list[Deed]]) -> str:
    ends = [(len(deeds), deeds[-2:]) for deeds in (found[-1:] or [[]])[0:1]]
    return f"{len(found)} games, the last one {ends}; acknowledged were {len(known)}: {[d[-2:] for d in known[-1:]]}"


def _dead(pid: int) -> bool:
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        return file.read().rpartition(")")[2].split()[0] == "Z"


def _drained(notify_socket: socket.socket) -> bool:
    notify_socket.setblocking(False)
    try:
        return bool(notify_socket.recv(4096))
    except BlockingIOError:
        return False
