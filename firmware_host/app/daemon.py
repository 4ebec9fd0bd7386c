"""The composition root: creates and connects journal, board, table, loop and panel."""

from __future__ import annotations

import logging
import socket
import sqlite3
import sys
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import partial
from itertools import chain
from random import SystemRandom
from typing import TYPE_CHECKING

import msgspec

from engine.chance import Chance
from engine.graph import Map
from engine.graph.fault import MapError
from engine.refusal import RuleError
from firmware_host.admin.access import AdminAccess
from firmware_host.admin.choices import ReloadedSettings, reload_settings
from firmware_host.admin.page import AdminPage
from firmware_host.admin.upkeep import machine_checks
from firmware_host.analysis.analyses import Analyses
from firmware_host.api.interface import TableInterface
from firmware_host.app.reach import Reach, addresses
from firmware_host.board.board_io import BoardIO, open_board
from firmware_host.core import installed
from firmware_host.core.errors import CannotListen, UserError
from firmware_host.core.guarded import GameFault, Stopped
from firmware_host.core.hang_note import HangNote, Purpose
from firmware_host.core.logbook import Logbook
from firmware_host.core.settings import ConfigError, Settings, split_names
from firmware_host.core.time_limit import WATCH
from firmware_host.mqtt.club import Club
from firmware_host.mqtt.options import MqttOptions, mqtt_options
from firmware_host.records.checks import JournalCheck
from firmware_host.records.journal import FILE, BrokenJournal, Journal, JournalError
from firmware_host.records.journal_file import request_check
from firmware_host.records.state_folder import only_one, resolve_folder, storage_error
from firmware_host.seats.drafts import FOLDER as DRAFTS
from firmware_host.seats.drafts import Drafts
from firmware_host.table.inbox import BoundedInbox
from firmware_host.table.loop import TIMEOUT, Loop
from firmware_host.table.selection import SELECTION_KEY, Selection
from firmware_host.table.session import default_map
from firmware_host.table.table import Table
from hardware.ports import Note
from web_panel.app import create_app
from web_panel.language import DEFAULT, language, load_languages
from web_panel.serve import Server, listening_socket, serve
from web_panel.settings import PanelSettings

if TYPE_CHECKING:
    from firmware_host.mqtt.bridge import MqttBridge

log = logging.getLogger("firmware_host")

A_WHILE, DEATHS = 60.0, 5
"""If a thread dies more often than `DEATHS` times in `A_WHILE` seconds, it is not restarted again."""
REST_AFTER, REST_AT_LAST = 5.0, 60.0
"""The rest of the start goes on after so many seconds without a request; at the latest after the second number."""
SWITCH_SECONDS = 0.0005
"""How long a thread may keep the interpreter while others wait.

With Python's default of 5 ms, a request that waits several times would reveal how long the loop works on an act.
"""
ANSWER_SECONDS = 0.5
"""Seconds for the answer to a request to shut down."""
STARTS_KEY = "starts"
"""The journal's key for the number of starts so far."""
HANG_NOTE = "hung"
"""Name of the file in the state folder that notes which game hung the process."""
_NO_FAULTS = (ConfigError, JournalError, MapError, CannotListen)
_NO_GAMES_FAULTS = (OSError, MemoryError, sqlite3.Error)
"""Faults that are not blamed on the game on the screens, because the disk or the memory has failed."""
REVISIONS_PER_RUN = 1 << 24
"""Number of picture numbers for each run. The numbers stay small enough for browsers over many runs."""


def _revisions(journal: Journal) -> int:
    """Return the first picture number of this run, above those of all earlier runs.

    An act on a picture from before the restart must be refused as outdated, or it could be made twice.
    """
    starts = int(journal.stored_value(STARTS_KEY) or 0) + 1
    journal.store_value(STARTS_KEY, starts)
    return starts * REVISIONS_PER_RUN


def _game_on_screens(journal: Journal) -> str:
    """Return the name of the game that this start shows: the running one, else the chosen one; "" if none is stored."""
    if (running := journal.running()) is not None:
        return running.game
    try:
        return msgspec.convert(journal.stored_value(SELECTION_KEY), Selection).game
    except msgspec.DecodeError:
        return ""


def _forget_note(_: object, error: BaseException | None, __: object) -> None:
    """Close the note after a failed start.

    A start that failed because of a wrong setting or a full disk does not count against the games. A signal may come
    from a game, for example if it ends its group of processes.
    """
    stopped = isinstance(error, Stopped)
    if WATCH.note is not None and isinstance(error, _NO_GAMES_FAULTS):
        WATCH.note.on_screens = ""
    fault = not (stopped or isinstance(error, _NO_FAULTS))
    WATCH.forget_note(False, fault, isinstance(error, Stopped) and not error.asked)


class Daemon:
    """One table and its screens. Raises `ConfigError`, `JournalError`, `MapError` and `CannotListen`."""

    def __init__(
        self,
        settings: Settings,
        clock: Callable[[], float],
        beat: Callable[[], None] = lambda: None,
        inbox: BoundedInbox | None = None,
        *,
        alone: bool = False,
    ) -> None:
        """An `inbox` is needed if the `clock` is not the machine's; see `Loop`.

        With `alone`, the process does nothing else and may end if a game hangs it.
        """
        self.settings = settings
        self._broker = mqtt_options(settings)
        self._mqtt: MqttBridge | None = None
        self._state, self._clock = resolve_folder(settings.state), clock
        self._reach = Reach(settings, self._state, clock)
        self._loop = self._open_loop(beat, inbox, alone)
        self._check = JournalCheck(*self._loop.journal, self._publish_faults, self._end_for)
        self._stopping = threading.Event()
        self._rest = threading.Thread(target=self._load_rest, name="rest of the start", daemon=True)
        self._logbook = Logbook()
        self._logbook.open()
        self._server: Server | None = None
        self._opened = False
        self._drafts = Drafts(self._state / DRAFTS)
        self._analyses: Analyses | None = None
        self.ended = threading.Event()
        """Set when the admin page shuts the table down. `powers_off` is whether the machine is switched off too."""
        self.powers_off: bool | None = None
        self.stopped = False
        """Whether the table was ended by a signal that a game could also have sent."""
        self._busy = False
        """Whether the start was slow because the game on the screens kept the loop busy."""
        self.admin_pin: str | None = None
        """The admin PIN if it was generated now. It can be shown only once."""
        self.addresses, self._deaths = list[str](), list[float]()

    def _open_loop(self, beat: Callable[[], None], inbox: BoundedInbox | None, alone: bool) -> Loop:
        """Open the state folder, the ports, the journal and the loop, all of them or none."""
        state = self._state
        with ExitStack() as undo:
            # Open the folder first, because everything below reads and writes files in it.
            self._lock = undo.enter_context(only_one(state))
            # Open the ports before loading games, which could use the ports themselves, or hide the program openssl.
            self._tls = self._reach.tls()
            self._listening = undo.enter_context(listening_socket(self.settings.host, self.settings.port))
            self._second = self._reach.second()
            if self._second is not None:
                undo.enter_context(self._second)
            left_out = tuple[Purpose, ...]()
            if alone:
                sys.setswitchinterval(SWITCH_SECONDS)
                left_out = HangNote.read(state / HANG_NOTE, installed.game_of)
                try:
                    WATCH.note = HangNote(state / HANG_NOTE, left_out)
                except OSError as error:
                    raise storage_error(error, state / HANG_NOTE, "Remove it, then start again.") from error
                undo.push(_forget_note)
            try:
                journal = Journal(state / FILE, later=True)
                undo.callback(journal.close)
                if WATCH.note is not None:
                    WATCH.note.on_screens = _game_on_screens(journal)
                if left_out:
                    running = journal.running()
                    installed.leave_out(left_out, "" if running is None else running.game)
                for notice in journal.notices:
                    print(notice, file=sys.stderr)
                loop = Loop(lambda report: self._table(journal, report), self._clock, beat, inbox=inbox)
            except sqlite3.Error as error:  # a damaged part of the file that was not read until now
                request_check(state / FILE)
                what = f"The journal cannot be read ({error}). The next start checks all of it."
                raise BrokenJournal(what) from error
            undo.pop_all()
            return loop

    def _table(self, journal: Journal, report: Callable[[Note], None]) -> Table:
        state, clock = self._state, self._clock

        def make_io(board: Map, spares: bool = False) -> BoardIO:
            return open_board(self.settings, board, state, clock, report, spares=spares)

        # Bots have their own random source, so that they do not change the game's draws.
        chance, luck = Chance(SystemRandom()), Chance(SystemRandom())
        first = _revisions(journal)
        make_workshop_io = partial(make_io, spares=True)
        checks, spent = machine_checks(state), time.thread_time
        try:
            return Table(self.settings, journal, make_io, clock, chance, first, luck, checks, make_workshop_io, spent)
        except GameFault:
            raise
        # The code of a game can raise these errors, too. After their exit codes, systemd would not restart the table.
        except (RuleError, MapError, SystemExit) as error:
            if isinstance(error, MapError):
                default_map(self.settings)  # raises what is wrong with the map of the settings
            raise RuntimeError("A game has failed in the table's own code.") from error

    def start(self) -> None:
        """Start the table, then answer requests."""
        self.admin_access = AdminAccess(self._state, self._clock)
        # Print them only on a terminal, because the output of a service is a log that others may read.
        self.admin_pin = self.admin_access.make_pin() if sys.stdout.isatty() else None
        broker = lambda: None if self._mqtt is None else msgspec.structs.asdict(self._mqtt.state)  # noqa: E731
        page = AdminPage(self.settings, self._logbook, self._end, broker=broker)
        club = None if self._broker is None else Club()
        tables = None if club is None else club.tables
        table = TableInterface(self._loop, self.admin_access, page, self._reach.network, self._drafts, tables)
        self._analyses = table.analyses
        simulated = self.settings.board == "simulated"
        panel = PanelSettings(
            max_streams=self.settings.max_streams,
            simulated=simulated,
            machine=socket.gethostname(),
            names=split_names(self.settings.extra_hostnames),
            secure=self.settings.https,
            port=self._listening.getsockname()[1],
            authority=self._reach.authority,
            proxies=split_names(self.settings.trusted_proxies),
        )
        host, port = self.settings.host, self.settings.port
        app = create_app(table, panel)
        self._server = serve(app, host, port, self._tls, plain=self._second, listening=self._listening)
        self.addresses = addresses(host, self._server.port, self.settings.https)
        self._loop.start()
        self._loop.call(lambda table: setattr(table, "addresses", self.addresses))
        self._server.start()
        self._check.start()
        self._rest.start()
        self._reach.start()
        self._opened = True
        if WATCH.note is not None:
            WATCH.note.opened()
        if self._broker is not None and club is not None:
            self._publish(self._broker, table, club)

    def _load_rest(self) -> None:
        """Load all languages and check the files of the games, if possible while no one uses the table.

        Each request at the same time would have to wait for this thread several times.
        """
        for _ in chain([None], load_languages(), installed.check_files()):
            end = self._clock() + REST_AT_LAST
            while (wait := min(self._loop.used_at + REST_AFTER, end) - self._clock()) > 0:
                if self._stopping.wait(wait):
                    break
            if self._stopping.is_set():
                return
        if installed.installed().faults:
            self._publish_faults()

    def _publish_faults(self) -> None:
        with suppress(UserError):  # a busy table publishes them at a later turn
            self._loop.call(lambda table: None)

    def _end_for(self, fault: str) -> None:
        """Stop the table because its journal is damaged: nothing more may be written there."""

        def end(table: Table) -> None:
            raise JournalError(fault)

        busy = True
        while busy:  # a busy loop drops a call that waits for too long
            try:
                self._loop.call(end)
            except UserError as error:
                busy = error.code == "busy"

    def _publish(self, broker: MqttOptions, table: TableInterface, club: Club) -> None:
        """Start publishing to the broker, in the table's default language."""
        from firmware_host.mqtt.bridge import MqttBridge  # imported here: only a table with a broker needs the library

        say = language(table.admin.default_language() or DEFAULT).say
        self._mqtt = MqttBridge(broker, table, club, say)
        self._mqtt.start()

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the table's own certificate; empty if there is none."""
        return self._reach.fingerprint

    def note_refusal(self, error: UserError) -> None:
        """Note why the table has refused to start.

        A high processor time of the loop means that a game kept it busy; while it waits for a disk, it uses none.
        """
        self._busy = error.code == "busy" and self._loop.processor_seconds() > TIMEOUT / 2

    def maintain(self) -> bool:
        """Update the addresses, which change with the network, and restart the panel's thread if it has died. Return
        whether the addresses have changed.
        """
        before = self.addresses
        if (
            self._server is not None
            and (reachable := self._reach.changed_addresses(before, self._server.port)) is not None
        ):
            with suppress(UserError):  # a busy table gets them at the next check
                self._loop.call(lambda table: setattr(table, "addresses", reachable))
                self.addresses = reachable
        if self._server is not None and self._server.restart_if_dead():
            self._deaths = [at for at in self._deaths if at > self._clock() - A_WHILE] + [self._clock()]
            log.error("The panel's thread had died and was restarted.")
        return self.addresses != before

    def reload(self, settings: Settings) -> ReloadedSettings:
        """Apply reloaded settings as far as a running table can. Raises `UserError`."""
        again = reload_settings(self.settings, settings)
        self._loop.call(lambda table: table.reload(again.settings))
        self.settings = again.settings
        return again

    def _end(self, power_off: bool) -> None:
        """Shut down once the admin page has received its answer."""
        self.powers_off = power_off
        threading.Timer(ANSWER_SECONDS, self.ended.set).start()

    def stop(self, fault: bool = False) -> None:
        """Close everything. May be called twice, and before `start`. With a `fault`, the start has failed."""
        fault |= self.failed
        self._check.stop()
        self._stopping.set()
        # Stop network and broker first, because they may still call the table.
        self._reach.stop()
        if self._mqtt is not None:
            self._mqtt.stop()
            self._mqtt = None
        if self._server is not None:
            self._server.stop()
            self._server = None
        for listening in filter(None, (self._listening, self._second)):
            listening.close()
        # The panel has stopped, so that no request can wait for a loop that has ended.
        self._drafts.close()
        if self._analyses is not None:
            self._analyses.close()
        self._loop.stop()
        if self._rest.ident is not None:
            self._rest.join()
        # If the start failed with another error, such as a `MapError`, a game can only be the cause if the error
        # occurred in the loop.
        fault = (fault or self._loop.failed) and not isinstance(self.fault, JournalError)
        if WATCH.note is not None:
            blamed = self._busy or (self._loop.failed and not isinstance(self.fault, _NO_GAMES_FAULTS))
            WATCH.note.on_screens = self._loop.game_on_screens if blamed else ""
        WATCH.forget_note(self._opened, fault, self.stopped)
        self._logbook.close()
        # Released last, so that no other table opens the state folder before this one is done.
        self._lock.close()

    @property
    def failed(self) -> bool:
        """Whether the table has stopped, or cannot continue, because of a bug."""
        unreachable = self._server is not None and not self._server.has_ports
        return self._loop.failed or unreachable or len(self._deaths) > DEATHS

    @property
    def fault(self) -> BaseException | None:
        """The error that ended the table's loop."""
        return self._loop.fault
