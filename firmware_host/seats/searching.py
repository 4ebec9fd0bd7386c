"""Bots that search in a process of their own, so that the table's loop never waits for them: the table's end.

A thread writes to the process and reads its answers; the loop only looks whether there is one. The process gets only
the name of the bot and the events of its seat.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import Any, Final

import msgspec

from engine.events import Event
from engine.game import Command, Game
from engine.graph import Map, compiled
from firmware_host.core import children
from firmware_host.core.children import PYTHON
from firmware_host.play.game import TableGame
from firmware_host.seats.search_process import SearchRequest, SeatedBot

PROGRAM: Final = (*PYTHON, "-m", "firmware_host.seats.search_process")
LARGEST_ANSWER: Final = 1 << 16
"""Bytes of an answer. Acts are far shorter."""
STARTING, TIMEOUT = 30.0, 10.0
"""Seconds that a bot may take beyond its time: for its first act, because its process starts, and for any other."""
LONGEST_PLACE = 300
"""Characters of the place of an error. The process could write anything, and the log goes to a terminal."""
JOIN_WITHIN = 1.0
"""Seconds to wait for the threads that read from processes that were ended: a process that left its group keeps the
pipes open.
"""


class SearchFailed(Exception):
    """The process has ended, has failed or takes too long. `place` says where in the code, for the bot's author."""

    def __init__(self, place: str) -> None:
        super().__init__(place)
        self.place = place


def seated_bot(bot: str, game: Game, seat: str, board: Map | None, options: Any, seed: str) -> SeatedBot:
    """Return what a process is told first."""
    # The map is sent as text, because a new process shares no memory.
    drawn = "" if board is None else compiled.dump(board).decode()
    return SeatedBot(bot, game.name, msgspec.to_builtins(options), seat, drawn, seed)


class SearchProcess:
    """A bot in its process. It answers one request at a time; `close` ends the process at once."""

    def __init__(self, who: SeatedBot, program: Sequence[str] = PROGRAM) -> None:
        """Raises `OSError` if no process can be started."""
        self.child = children.start(program)
        self._requests: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._requests.put(msgspec.json.encode(who) + b"\n")
        self._thread = threading.Thread(target=self._serve, name=f"search of {who.seat}", daemon=True)
        self._thread.start()

    def ask(self, events: Sequence[Event], seconds: float) -> None:
        """Request an act after these events of the seat. The bot may think for `seconds`."""
        request = SearchRequest([msgspec.to_builtins(event) for event in events], seconds)
        self._requests.put(msgspec.json.encode(request) + b"\n")

    def answer(self) -> Any:
        """Return the requested act as decoded JSON; None while the bot thinks. Raises `SearchFailed`."""
        try:
            line = self._answers.get_nowait()
        except queue.Empty:
            return None
        # `readline` stops at its limit, or at the end of the pipe.
        if not line.endswith(b"\n"):
            raise SearchFailed("its answer is too long" if len(line) == LARGEST_ANSWER else "its process has ended")
        answer = msgspec.json.decode(line)
        if isinstance(answer, dict) and answer.get("type") == "failed":
            raise SearchFailed(ascii(str(answer.get("place")))[1:-1][:LONGEST_PLACE])
        return answer

    def close(self) -> None:
        """End the process, and those that it has started: they hold its pipes, and may run for long."""
        close_all([self])

    def _kill(self) -> None:
        children.kill(self.child)
        # Ends the thread's loop, which may wait for the next request.
        self._requests.put(None)

    def _wait(self, seconds: float) -> None:
        self._thread.join(seconds)
        self.child.wait()

    def _serve(self) -> None:
        """Write the requests and read the answers. The first line is not a request and has no answer."""
        process, first = self.child, True
        assert process.stdin is not None and process.stdout is not None, "both are pipes"
        while (line := self._requests.get()) is not None:
            with suppress(OSError):  # the process has ended; its last answer is still read
                process.stdin.write(line)
                process.stdin.flush()
            if not first:
                self._answers.put(process.stdout.readline(LARGEST_ANSWER))
            first = False
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):  # input that it did not read is lost
                pipe.close()


def close_all(processes: Collection[SearchProcess]) -> None:
    """End processes, with those that they have started. They share one waiting time, because the loop waits, too."""
    for process in processes:
        process._kill()
    end = time.monotonic() + JOIN_WITHIN
    for process in processes:
        process._wait(max(0.0, end - time.monotonic()))


LONGEST_PASSED = 0.2
"""Seconds that count between two looks for the answer: if more have passed, both table and bot were stopped."""


class SearchingPlayer:
    """A searching bot at one seat of one game. Its `ask` is called repeatedly until the answer has arrived."""

    def __init__(self, process: SearchProcess, seat: str, thinks: bool) -> None:
        """`thinks` is whether the bot uses the time that it is given."""
        self.process, self.thinks = process, thinks
        self._seat, self._heard, self._asked = seat, 0, -1
        self._left, self._looked, self._timeout = 0.0, 0.0, STARTING
        self.late = 0.0
        """Seconds that the last answer took beyond the time to think."""

    def ask(self, play: TableGame, seconds: float, now: float) -> Command | None:
        """Return the act that the bot chooses; None while it thinks, for `seconds` from the first call. Raises
        `SearchFailed`, also if it takes far longer.
        """
        events = play.referee.told[self._seat]
        if self._asked < 0:
            self.process.ask(events[self._heard :], seconds)
            self._heard, self._asked = len(events), len(play.course.acts)
            self._left, self._looked = seconds + self._timeout, now
            return None
        self._left -= min(now - self._looked, LONGEST_PASSED)
        self._looked = now
        answer = self.process.answer()
        if answer is None:
            if self._left < 0:
                raise SearchFailed("it thinks too long")
            return None
        # Only the first answer includes the start of the process.
        if self._timeout != STARTING:
            self.late = max(0.0, self._timeout - self._left)
        # After another act, the answer may not fit: the next call asks again. A note changes nothing, and others can
        # make many: they would see by the pause how often the bot was asked.
        fresh = all(act.note for act in play.course.acts[self._asked :])
        self._asked, self._timeout = -1, TIMEOUT
        return play.game.read_command(self._seat, answer) if fresh else None
