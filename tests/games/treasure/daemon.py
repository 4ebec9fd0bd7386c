"""A real daemon process that offers the tiny game, and the browsers of its players."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.drill.screens import Client
from tests.patience import PATIENCE, until

ROOT = Path(__file__).resolve().parents[3]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / "lab/authoring/template")}
ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/")
SEATS = ("red", "blue", "hider")


def sniperboard(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command that knows the tiny game, and return its result."""
    command = [sys.executable, "-m", "firmware_host.app.cli", *arguments]
    return subprocess.run(command, cwd=ROOT, env=ENVIRONMENT, text=True, capture_output=True, timeout=PATIENCE)


class TreasureTable:
    """The daemon with its state folder, and a client for each seat.

    `device` has no seat. All clients outlive the daemon.
    """

    def __init__(self, folder: Path) -> None:
        self.state = folder / "state"
        self.device, self.seats = Client(), {seat: Client() for seat in SEATS}
        self._ear = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._ear.bind("")
        self._ear.settimeout(PATIENCE)
        self._log = folder / "log"
        self._acts = 0
        self.open()
        assert self.device.post("/api/choose", game="treasure")["ok"]

    def open(self) -> None:
        """Start the daemon, and wait until it serves."""
        address = self._ear.getsockname().decode().replace("\0", "@", 1)
        options = ["--simulate", "--host", "127.0.0.1", "--port", "0", "--state", str(self.state)]
        command = [sys.executable, "-m", "firmware_host.app.cli", "run", *options]
        with self._log.open("ab") as log:
            environment = {**ENVIRONMENT, "NOTIFY_SOCKET": address}
            self._daemon = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
        while not (found := ADDRESS.search(self._ear.recv(4096).decode())):
            pass
        for client in (self.device, *self.seats.values()):
            client.reach(int(found[1]))

    def kill(self) -> None:
        """Kill the daemon, like a power cut."""
        self._daemon.send_signal(signal.SIGKILL)
        self._daemon.wait()

    def close(self) -> None:
        """Stop the daemon and close all clients."""
        self.kill()
        self._ear.close()
        for client in (self.device, *self.seats.values()):
            client.leave()

    # --- playing ------------------------------------------------------------------------------------------------

    def picture(self, viewer: str) -> dict[str, Any]:
        """Return what a viewer's screen shows."""
        return self.seats.get(viewer, self.device).get(f"/api/picture/{viewer}")

    def tidy(self) -> None:
        """Move every pawn to its place in the game."""
        until(lambda: self.device.post("/api/tidy")["ok"])
        until(lambda: self.picture("table")["board"]["state"] == "agreed")

    def begin(self, **options: Any) -> None:
        """Claim all seats, start a game, and place the pawns in their corners."""
        for seat, client in self.seats.items():
            client.claim(seat)
        answer = self.seats["red"].post("/api/start", map="island", options=options)
        assert answer["ok"], answer
        self.tidy()

    def act(self, seat: str, kind: str, **fields: Any) -> None:
        """Submit an act of a seat, and wait until its screen shows the result."""
        before = self.picture(seat)
        self._acts += 1
        asked = {"seat": seat, "action": {"type": kind, **fields}, "revision": before["revision"]}
        answer = self.seats[seat].post("/api/act", **asked, id=f"act-{self._acts}")
        assert answer["ok"], answer
        until(lambda: self.picture(seat)["revision"] > before["revision"])

    def walk_by_hand(self, miniature: str, space: str) -> None:
        """Lift a pawn, place it on a space, and wait until the game has moved it there."""
        for place in (None, space):
            assert self.device.post("/api/touch", miniature=miniature, space=place)["ok"]
        until(lambda: self.picture("table")["view"]["pawns"][miniature] == space)

    def to_act(self) -> str | None:
        """Return the seat whose turn it is, from the public picture."""
        return next(iter(self.picture("table")["view"]["to_act"]), None)

    def play_on(self, acts: int = 1000) -> int:
        """Play up to this many acts by screen, stopping at the end of the game. Return how many there were."""
        for number in range(acts):
            seat = self.to_act()
            if seat is None:
                return number
            action = dict(self.picture(seat)["legal"][0])
            self.act(seat, action.pop("type"), **action)
            self.tidy()
        return acts
