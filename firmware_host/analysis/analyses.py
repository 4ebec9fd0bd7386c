"""Analyses for the screens: which games are being analysed, one after another, and what was found so far.

Only finished games can be analysed: each request opens its game through `PastGames`, which refuses others. The file of
an analysis is valid only for the record that it was made from.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import msgspec

from engine.text import Text
from firmware_host.analysis import analysis_files, report
from firmware_host.analysis.analysis_files import AnalysisFile
from firmware_host.analysis.process import PROGRAM, Run
from firmware_host.core.encoding import Translate
from firmware_host.core.errors import JournalError, UserError, place_of
from firmware_host.core.guarded import GameFault, checked
from firmware_host.core.hang_note import PAST_GAMES
from firmware_host.core.time_limit import START_LIMIT, WATCH
from firmware_host.records.history import History
from firmware_host.records.past import PastGames
from firmware_host.records.record import Record
from firmware_host.records.work_turns import Recent, pause_between_steps

log = logging.getLogger("firmware_host")

MOST_WAITING: Final = 4
"""Games that may wait for their analysis."""
KEPT_REPORTS, KEPT_BYTES = 16, 2 << 20
"""Complete analyses that are kept in memory, and their bytes."""
WAITS, RUNS, STOPPED, NONE, DONE, IMPOSSIBLE = "waiting", "running", "stopped", "none", "done", "impossible"
CRASHED = Text("The analysis has stopped by itself. Start it again to continue.")
NOT_WRITTEN = Text("The analysis cannot be stored, because the disk is full or fails.")
REASONS = {
    analysis_files.BROKEN: Text("This game cannot be analysed: its record does not follow the rules of this version."),
    analysis_files.NO_JUDGE: Text("This game cannot be analysed: no bot of it can judge acts."),
    analysis_files.FAULT: Text("This game cannot be analysed: the game or its bot has a fault."),
}


def _busy() -> UserError:
    return UserError("busy", Text("Other games are being analysed. Try again later."), after=60)


class Analyses:
    """The analyses of the games in `past`; their files are in the state folder `state`. Thread-safe.

    Methods that take the number of a game raise `UserError` if that game is not over; `forget` does not.
    """

    def __init__(self, state: Path, past: PastGames, program: Sequence[str] = PROGRAM) -> None:
        self._state, self._past, self._program = state, past, program
        self._changed = threading.Condition()
        self._queue: dict[int, tuple[AnalysisFile, Record]] = {}
        """The games to analyse. The first one runs; it stays in the queue until its process has ended."""
        self._run: Run | None = None
        self._stopping: set[int] = set()
        self._why: dict[int, Text] = {}
        self._closed = False
        self._complete = Recent[tuple[int, int, Translate], bytes](KEPT_REPORTS, KEPT_BYTES)
        """The results of complete analyses, by the number of the game, the size of its file, and the language."""
        self._accuracies: dict[int, tuple[int, dict[str, float]]] = {}
        """The size of the file and the accuracies, by the number of the game."""

    def start(self, number: int) -> None:
        """Analyse a game, or continue its analysis; wait for those before it. Raises `UserError`, code `busy` if
        too many wait.
        """
        file, record = self._open(number)[0], self._past.open_record(number)
        stored = file.read()
        if stored is not None and stored.complete:
            return
        with self._changed:
            if self._closed or number in self._queue:
                return
            if len(self._queue) > MOST_WAITING:
                raise _busy()
            self._why.pop(number, None)
            self._queue[number] = file, record
            if len(self._queue) == 1:
                try:
                    threading.Thread(target=self._work, name="analyses", daemon=True).start()
                except RuntimeError:  # the system has no thread left
                    del self._queue[number]
                    raise _busy() from None

    def stop(self, number: int) -> None:
        """Stop the analysis of a game. Acts that were judged stay judged."""
        self._past.identity(number)
        self._end(number)

    def report_json(self, number: int, translate: Translate = str) -> bytes:
        """Return the state of an analysis and what it has found so far as JSON, for the screens."""
        file, history = self._open(number)
        key = number, analysis_files.size(self._state, number), translate
        if (kept := self._complete.find(key)) is not None:
            return kept
        with self._changed:
            # Read the state before the file: later, it could belong to more steps than the file had.
            state, why = None, self._why.get(number)
            if number in self._queue and number not in self._stopping:
                state = RUNS if self._first == number else WAITS
        stored = file.read()
        if stored is not None and stored.failed is not None:
            state, why = IMPOSSIBLE, REASONS[stored.failed.why]
        elif stored is not None and stored.complete:
            state, why = DONE, None
        elif state is None:
            state = NONE if stored is None and why is None else STOPPED
        try:
            pause = pause_between_steps()
            with WATCH.serving(PAST_GAMES):
                told = checked(history.game.name, report.report_facts, history, stored, pause, limit=START_LIMIT)
        except GameFault as fault:
            fault.log()
            raise UserError(fault.code, fault.sentence) from fault
        said = msgspec.json.encode({"state": state, "why": why, **told}, enc_hook=translate)
        if state == DONE:
            self._complete.add(key, said, len(said))
        return said

    def accuracies(self, number: int) -> dict[str, float]:
        """Return the accuracy of each seat of a finished game; empty until its analysis is complete."""
        size = analysis_files.size(self._state, number)
        if not size:
            return {}
        # The accuracies are cached with the size of the file, which only grows, so a list of games reads each file only
        # once.
        kept = self._accuracies.get(number)
        if kept is None or kept[0] != size:
            stored = AnalysisFile(self._state, number, analysis_files.key_of(*self._past.head(number))).read()
            found = report.accuracies(stored.steps) if stored is not None and stored.complete else {}
            kept = self._accuracies[number] = (size, found)
        return kept[1]

    def sizes(self, numbers: Iterable[int]) -> dict[int, int]:
        """Return the bytes of the files of some games."""
        return {number: analysis_files.size(self._state, number) for number in numbers}

    def forget(self, number: int) -> None:
        """Delete the analysis of a game that was deleted."""
        self._end(number)
        self._why.pop(number, None)
        self._accuracies.pop(number, None)
        self._complete.forget(lambda key: key[0] == number)
        analysis_files.delete(self._state, number)

    def close(self) -> None:
        """Stop all analyses."""
        with self._changed:
            self._closed = True
            numbers = [*self._queue]
        # End the running analysis last, so that none of the others starts.
        for number in reversed(numbers):
            self._end(number)

    def _open(self, number: int) -> tuple[AnalysisFile, History]:
        last, history = self._past.identity(number)
        return AnalysisFile(self._state, number, analysis_files.key_of(last, history.game.name)), history

    @property
    def _first(self) -> int:
        return next(iter(self._queue))

    def _end(self, number: int) -> None:
        """Take a game out of the queue. If it runs, wait until its process has ended."""
        with self._changed:
            if number not in self._queue:
                return
            if number != self._first:
                del self._queue[number]
                return
            self._stopping.add(number)
            if self._run is not None:
                self._run.kill()
            self._changed.wait_for(lambda: number not in self._queue)

    def _work(self) -> None:
        """Analyse the games of the queue, in its own thread."""
        more = True
        while more:
            with self._changed:
                number = self._first
            why = self._analyse(number, *self._queue[number])
            with self._changed:
                if why is not None and number not in self._stopping:
                    self._why[number] = why
                self._stopping.discard(number)
                del self._queue[number]
                self._changed.notify_all()
                more = bool(self._queue)

    def _analyse(self, number: int, file: AnalysisFile, record: Record) -> Text | None:
        """Analyse a game. Return why its analysis is not complete, or None."""
        try:
            with Run(file, record, self._program) as run:
                with self._changed:
                    self._run = None if number in self._stopping else run
                    if self._run is None:
                        return None
                try:
                    for _ in run.progress():
                        pass
                finally:
                    with self._changed:
                        self._run = None
        except (OSError, JournalError):
            return NOT_WRITTEN
        except Exception as error:  # whatever the error is, go on with the next game
            if number not in self._stopping:
                log.error("The analysis of game %s has stopped: %s.", number, place_of(error))
            return CRASHED
        return None
