"""`sniperboard run`: start the daemon, and wait until it ends.

Exit codes: 0 stopped by hand or by the system · 2 wrong settings · 3 the port is in use · 4 the state folder or the
journal is unusable · 5 a map is unusable · 10 shut down on the admin page · 11 shut down on the admin page, with
power-off · 70 a bug · 74 the journal failed · 75 the disk cannot be written, another process uses the state folder,
openssl failed, or the table was too busy: try again later.
`systemd/README.md` describes how systemd handles each code.
"""

from __future__ import annotations

import argparse
import gc
import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from types import FrameType
from typing import TYPE_CHECKING, Any

from engine.graph.fault import MapError
from engine.refusal import RuleError
from firmware_host.admin.certificate import CannotCreate, CertificateError
from firmware_host.app.notify import Notify
from firmware_host.app.terminal import exit_code_of, fail
from firmware_host.core.errors import CannotListen, UserError
from firmware_host.core.guarded import GameFault, Stopped
from firmware_host.core.process_state import repair_streams
from firmware_host.core.settings import ConfigError
from firmware_host.core.settings_options import add_settings_options, settings_of
from firmware_host.records.journal import BrokenJournal, CannotWrite, JournalError
from firmware_host.records.state_folder import InUse

if TYPE_CHECKING:
    from firmware_host.app.daemon import Daemon

BAD_SETTINGS, PORT_TAKEN, BAD_STATE, BAD_MAP, SHUT_DOWN, POWER_OFF = 2, 3, 4, 5, 10, 11
BUG, BROKEN_JOURNAL, TRY_LATER = os.EX_SOFTWARE, os.EX_IOERR, os.EX_TEMPFAIL
EXIT_CODES = {
    **dict.fromkeys((ConfigError, CertificateError, RuleError), BAD_SETTINGS),
    **dict.fromkeys((CannotWrite, CannotCreate, InUse), TRY_LATER),
    JournalError: BAD_STATE,
    BrokenJournal: BROKEN_JOURNAL,
    CannotListen: PORT_TAKEN,
    MapError: BAD_MAP,
    GameFault: BUG,  # this is a `RuleError` as well, but not a wrong setting
}
"""The exit code for each type of error during the start."""
STOP = signal.SIGUSR2
"""The signal with which systemd stops the table. It is not SIGTERM, which a game may send to its own processes."""


def add_command(commands: Any) -> None:
    """Add `run` with an option for every setting."""
    parser = commands.add_parser("run", help="start the table")
    add_settings_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Start the daemon and wait until it ends or is stopped. Files that it writes are private to its user."""
    with _Signals() as signals, ExitStack() as undo, suppress(Stopped):
        undo.callback(os.umask, os.umask(0o077))
        # Turn off garbage collection during the start, because each run would search everything that was loaded.
        gc.disable()
        undo.callback(gc.enable)
        undo.callback(gc.unfreeze)
        return exit_code_of(lambda: _run(arguments, signals), EXIT_CODES)
    return 0


def _run(arguments: argparse.Namespace, signals: _Signals) -> int:
    from firmware_host.app import reach  # imported here: other commands don't need the web server
    from firmware_host.app.daemon import Daemon

    settings = settings_of(arguments)
    notify = Notify(os.environ, os.getpid(), time.monotonic)
    with notify.report_starting():
        daemon = Daemon(settings, time.monotonic, notify.beat, alone=True)
    try:
        with notify.report_starting():
            daemon.start()
        signals.started()
    except Stopped as error:
        daemon.stopped = not error.asked
        daemon.stop()
        raise
    # The loop ended during the start and holds the reason, or a game kept the loop busy for too long.
    except UserError as error:
        daemon.note_refusal(error)
        return _close(daemon, fault=True) or fail(TRY_LATER, error.sentence)
    except OSError as error:  # a game can cause this, for example by closing files of the table
        daemon.stop(fault=True)
        return fail(TRY_LATER, f"The table cannot start ({error}). Start it again.")
    simulated = settings.board == "simulated"
    reach.print_addresses(daemon.addresses, simulated, settings.state, daemon.admin_pin, daemon.fingerprint)
    notify.report_ready(f"The table is open at {daemon.addresses[0]}")
    # Later garbage collections skip what exists now, which is hardly any garbage: searching it would pause all threads.
    gc.freeze()
    gc.enable()
    while not (signals.end or daemon.ended.is_set() or daemon.failed):
        # Signals only set flags, which are read several times a second.
        daemon.ended.wait(0.25)
        repair_streams()
        os.umask(0o077)  # a game can have changed the handler
        if daemon.maintain():
            print(f"The table is now at {daemon.addresses[0]}", file=sys.stderr, flush=True)
            notify.set_status(f"The table is open at {daemon.addresses[0]}")
        if signals.take_hangup():
            notify.report_reloading()
            _reload(arguments, daemon)
            notify.report_ready(f"The table is open at {daemon.addresses[0]}")
    notify.report_stopping()
    daemon.stopped = signals.end and not (signals.asked or signals.terminal)
    return _close(daemon)


def _reload(arguments: argparse.Namespace, daemon: Daemon) -> None:
    """Reload the settings and print the result. Settings with errors change nothing."""
    try:
        print(daemon.reload(settings_of(arguments)), file=sys.stderr, flush=True)
    except ConfigError as error:
        print(f"The settings were not changed:\n{error}", file=sys.stderr, flush=True)
    except UserError as error:
        print(f"The settings were not changed. {error.sentence}", file=sys.stderr, flush=True)


def _close(daemon: Daemon, fault: bool = False) -> int:
    """Close the table.

    Print an error if there was one, and return the exit code. A `fault` is the error with which the start failed.
    """
    failed, error = daemon.failed, daemon.fault
    try:
        daemon.stop(fault)
    except OSError:  # a game has already closed an object that would be closed now
        if not failed:
            raise
    if isinstance(error, JournalError):
        return fail(BROKEN_JOURNAL, f"{error} The table stopped. All published acts are in the journal.")
    if failed:
        return fail(BUG, "The table stopped because of a bug. Start it again: the game is saved.")
    return {None: 0, False: SHUT_DOWN, True: POWER_OFF}[daemon.powers_off]


class _Signals:
    """Handle signals. SIGHUP reloads the settings, unless the terminal was closed."""

    INSISTS = 3
    """Number of signals after which the process exits immediately."""

    def __enter__(self) -> _Signals:
        self.end = self.asked = self._hung_up = False
        self.starting = True
        """Whether the table is still starting; a signal then interrupts the start."""
        self._wanted = 0
        self.terminal = os.isatty(0)
        self._before = {number: signal.signal(number, handler) for number, handler in self._handlers.items()}
        self._all = {number: signal.getsignal(number) for number in signal.valid_signals()}
        return self

    @property
    def _handlers(self) -> dict[signal.Signals, Callable[[int, FrameType | None], None]]:
        ends = dict.fromkeys((signal.SIGINT, signal.SIGTERM, STOP), self._on_end)
        return {**ends, signal.SIGHUP: self._on_hangup}

    def started(self) -> None:
        """Note that the table has started. Restore signal handlers that an imported game may have set."""
        self.starting = False
        for number, handler in self._all.items():
            # Other handlers stay: Python reports those of `faulthandler` as None, and cannot set them again.
            if handler is not None and signal.getsignal(number) != handler:
                signal.signal(number, handler)

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def take_hangup(self) -> bool:
        """Return whether to reload the settings, and forget the SIGHUP that asked for it."""
        hung_up, self._hung_up = self._hung_up, False
        return hung_up

    def _on_end(self, number: int, _: FrameType | None) -> None:
        self.end = True
        self.asked |= number == STOP or (number == signal.SIGINT and self.terminal)
        self._wanted += 1
        if self._wanted >= self.INSISTS:
            os._exit(128 + number)  # the journal already contains everything that was published
        if self.starting:
            raise Stopped(self.asked)

    def _on_hangup(self, _: int, __: FrameType | None) -> None:
        # A terminal that is closed sends SIGHUP, too, and is then no longer a terminal.
        if self.terminal and not os.isatty(0):
            self.end = True
        else:
            self._hung_up = True
