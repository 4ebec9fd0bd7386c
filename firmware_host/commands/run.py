"""`sniperboard run`: puts the daemon together, starts it, and waits for its end.

Exit codes: 0 stopped by hand or by the system · 2 the settings or the wiring are wrong · 3 the port is taken ·
4 the state folder or the journal cannot be used · 5 a map cannot be used · 10 shut down by the house page · 11 the
same, and the machine is to be switched off · 70 a fault of our own.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
import time
from types import FrameType
from typing import Any

from engine.map.fault import MapError
from firmware_host.board.wiring import WiringError
from firmware_host.commands.settings import add_settings_options, settings_of
from firmware_host.config import ConfigError, Settings
from firmware_host.house.certificate import CertificateError
from firmware_host.notify import Notify
from firmware_host.records.journal import JournalError

BAD_SETTINGS, PORT_TAKEN, BAD_STATE, BAD_MAP, SHUT_DOWN, POWER_OFF, OUR_FAULT = 2, 3, 4, 5, 10, 11, 70


def add_run_command(commands: Any) -> None:
    """`run` with an option for every setting."""
    parser = commands.add_parser("run", help="start the table")
    add_settings_options(parser)
    parser.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> int:
    """Start the daemon, and stay until it ends or is told to. Whatever it writes, it writes for its own user alone."""
    mask = os.umask(0o077)
    try:
        return _run(settings_of(chosen))
    except (ConfigError, WiringError, CertificateError) as error:
        return _sorry(BAD_SETTINGS, str(error))
    except JournalError as error:
        return _sorry(BAD_STATE, str(error))
    except MapError as error:
        return _sorry(BAD_MAP, str(error))
    finally:
        os.umask(mask)


def _run(settings: Settings) -> int:
    from firmware_host import announce  # only here: the other commands start without the web
    from firmware_host.daemon import Daemon

    notify = Notify(os.environ, os.getpid(), time.monotonic)
    daemon = Daemon(settings, time.monotonic, notify.beat)
    try:
        daemon.start()
    except CertificateError:
        daemon.stop()
        raise
    except OSError as error:
        daemon.stop()
        where = f"{settings.host}:{settings.port}"
        return _sorry(PORT_TAKEN, f"{where}: cannot listen there ({error.strerror}). Choose another port with --port.")
    ended = daemon.ended
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _setter(ended))
    announce.greet(daemon.addresses, settings.board == "simulated", daemon.house_pin, daemon.fingerprint)
    notify.ready(f"The table is open at {daemon.addresses[0]}")
    while not ended.is_set() and not daemon.failed:
        ended.wait(0.5)
    failed = daemon.failed
    notify.stopping()
    daemon.stop()
    if failed:
        return _sorry(OUR_FAULT, "The table stopped because of a fault. Start it again: the game is kept.")
    return {None: 0, False: SHUT_DOWN, True: POWER_OFF}[daemon.powers_off]


def _setter(ended: threading.Event) -> Any:
    def on_signal(_: int, __: FrameType | None) -> None:
        ended.set()

    return on_signal


def _sorry(code: int, sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return code
