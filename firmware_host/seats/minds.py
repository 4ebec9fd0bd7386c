"""Bots that think in a process of their own, so that the table's loop never waits for them: the table's end.

A thread writes to the process and waits for its answer; the loop only looks whether there is one. The process is told
who it is and what its seat is told, and nothing else.
"""

from __future__ import annotations

import queue
import subprocess
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

import msgspec

from engine.events import Event
from engine.game import Game
from engine.graph import Map, compiled
from firmware_host.core.children import PYTHON, environment
from firmware_host.seats.mind import NO_BOARD, Seated, Wish

PROGRAM: Final = (*PYTHON, "-m", "firmware_host.seats.mind")
LARGEST: Final = 1 << 16
"""Bytes of an answer; acts are far shorter."""


class MindLost(Exception):
    """The process has ended, has failed or takes too long. `place` says where in the code, for whoever mends it."""

    def __init__(self, place: str) -> None:
        super().__init__(place)
        self.place = place


def seated(bot: str, game: Game, seat: str, board: Map | None, options: Any, seed: str) -> Seated:
    """What a process is told first."""
    drawn = NO_BOARD if board is None else compiled.dump(board).replace(b"\n", b" ")
    return Seated(bot, game.name, msgspec.to_builtins(options), seat, msgspec.Raw(drawn), seed)


class Mind:
    """A bot in its process. One wish at a time; `close` ends the process at once."""

    def __init__(self, who: Seated, program: Sequence[str] = PROGRAM) -> None:
        """Raises `OSError` if no process can be started."""
        self._process = subprocess.Popen(
            program,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            # Ctrl-C is for the table, which ends it: an expert that died first would be replaced for good.
            process_group=0,
            env=environment(),
        )
        self._wishes: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._wishes.put(msgspec.json.encode(who) + b"\n")
        self._thread = threading.Thread(target=self._serve, name=f"mind of {who.seat}", daemon=True)
        self._thread.start()

    @property
    def pid(self) -> int:
        """The number of its process."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether its process runs."""
        return self._process.poll() is None

    def ask(self, told: Sequence[Event], seconds: float) -> None:
        """Wish for an act, after its seat was told this; it may think so long."""
        self._wishes.put(msgspec.json.encode(Wish([msgspec.to_builtins(event) for event in told], seconds)) + b"\n")

    def answer(self) -> Any:
        """The act that was wished for, as it is read; None while it is thinking. Raises `MindLost`."""
        try:
            line = self._answers.get_nowait()
        except queue.Empty:
            return None
        if not line.endswith(b"\n"):
            raise MindLost("its answer is too long" if len(line) == LARGEST else "its process has ended")
        found = msgspec.json.decode(line)
        if isinstance(found, dict) and found.get("type") == "failed":
            raise MindLost(str(found.get("place")))
        return found

    def close(self) -> None:
        """End it."""
        self._process.kill()
        self._wishes.put(None)
        self._thread.join()
        self._process.wait()

    def _serve(self) -> None:
        """Write wishes and read the answers; the first line is no wish and is not answered."""
        process, first = self._process, True
        assert process.stdin is not None and process.stdout is not None, "both are pipes"
        while (line := self._wishes.get()) is not None:
            with suppress(OSError):  # it has ended; what it said last is read, or nothing
                process.stdin.write(line)
                process.stdin.flush()
            if not first:
                self._answers.put(process.stdout.readline(LARGEST))
            first = False
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):  # what it never read is lost with it
                pipe.close()
