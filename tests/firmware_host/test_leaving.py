"""What a game does to the process while it is imported harms neither its output nor its end."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware_host.core.guarded import checked_installed
from firmware_host.records.journal import Journal
from firmware_host.records.state_folder import only_one
from tests.patience import PATIENCE
from web_panel.serve import listening_socket


def _close() -> None:
    sys.stdout.close()


def _detach() -> None:
    io.TextIOWrapper(sys.stdout.detach())  # type: ignore[attr-defined]  # in a test, it can be another object


def _replace() -> None:
    sys.stdout = None  # type: ignore[assignment]


@pytest.mark.parametrize("harm", [_close, _detach, _replace])
def test_output_can_be_used_after_a_game(harm: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO()))
    checked_installed("game", harm)
    assert not sys.stdout.isatty()
    sys.stdout.close()


def test_table_goes_on_without_standard_error() -> None:
    """A game can close it while it is played, and the next line of the log comes before anyone can open it again."""
    code = """
import logging, sys
from firmware_host.core.logbook import Logbook
from firmware_host.core.process_state import repair_streams
book = Logbook()
book.open()
for harm in "close()", "detach()", "buffer.close()":
    exec(f"sys.stderr.{harm}")
    logging.getLogger("firmware_host").error(harm)
    repair_streams()
    print("said", book.lines[-1].split()[-1], file=sys.stderr)
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert found.stderr == "said close()\nsaid detach()\nsaid buffer.close()\n"


def test_table_keeps_the_descriptors_that_a_game_closes() -> None:
    """The next socket got the number of standard output, and the table ended when it printed there."""
    code = """
import os, socket, sys
from firmware_host.core.guarded import checked_installed
for harm in (
    "sys.stdout = open(sys.stdout.fileno(), 'w', encoding='utf-8')",
    "sys.stderr = open(2, 'w', encoding='utf-8')",
    "with open(1, 'w') as out: print('hello', file=out)",
    "os.closerange(0, 3)",
):
    checked_installed("game", exec, harm, dict(os=os, sys=sys))
    print("said", socket.socket().fileno() > 2, file=sys.stderr)
    print("said", file=sys.stdout, flush=True)
"""
    command = [sys.executable, "-c", code]
    found = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE)
    assert (found.returncode, found.stderr) == (0, "said True\n" * 4)
    assert found.stdout.replace("hello\n", "") == "said\n" * 4


HARMS = (
    "signal.setitimer(signal.ITIMER_REAL, 60)",
    "signal.signal(signal.SIGALRM, lambda *_: 1 / 0); signal.setitimer(signal.ITIMER_REAL, 60)",
    "faulthandler.dump_traceback_later(60, exit=True)",
    "threading.stack_size(2 ** 40)",
    "socket.setdefaulttimeout(0.001)",
    "os.chdir('/'); os.rmdir(here)",
    "warnings.simplefilter('error')",
    "sys.setswitchinterval(60)",
    "threading.settrace(lambda *_: 1 / 0)",
    "threading.setprofile(lambda *_: 1 / 0)",
    "os.umask(0o777)",
    "signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})",
    "open(os.path.join(here, 'colorsys.py'), 'w').write('1 / 0'); sys.path.insert(0, here)",
)


def test_what_a_game_changes_of_the_process_does_not_last(tmp_path: Path) -> None:
    """A timer that a game had left running while it was imported ended the table after each start."""
    code = f"""
import faulthandler, os, signal, socket, sys, threading, warnings
from firmware_host.core.guarded import checked_installed
os.chdir(sys.argv[1])
names = dict(globals(), here=os.path.join(sys.argv[1], "empty"))
cancel, cancelled = faulthandler.cancel_dump_traceback_later, []
faulthandler.cancel_dump_traceback_later = lambda: cancelled.append(cancel())
for harm in {HARMS}:
    os.makedirs(names["here"], exist_ok=True)
    checked_installed("game", exec, harm, names)
    thread = threading.Thread(target=print)
    thread.start()
    thread.join()
    print(signal.getitimer(signal.ITIMER_REAL), len(cancelled))
    cancelled.clear()
    warnings.warn("old")
    import colorsys
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    print(os.getcwd(), socket.getdefaulttimeout(), sys.getswitchinterval() < 1, oct(os.umask(0o77)), *mask, flush=True)
    sys.modules.pop("colorsys")
"""
    command = [sys.executable, "-c", code, str(tmp_path)]
    found = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert (found.returncode, found.stdout) == (0, f"\n(0.0, 0.0) 1\n{tmp_path} None True 0o77\n" * len(HARMS)), (
        found.stderr
    )


def test_folder_without_permission_does_not_stop_the_start(tmp_path: Path) -> None:
    code = """
import os, sys
from firmware_host.core.guarded import checked_installed
os.chdir(sys.argv[1])
os.chmod(".", 0)
if os.geteuid() == 0:  # root may do everything
    os.seteuid(65534)
print(checked_installed("game", int))
"""
    command = [sys.executable, "-c", code, str(tmp_path)]
    found = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    tmp_path.chmod(0o700)
    assert (found.returncode, found.stdout) == (0, "0\n"), found.stderr


def test_handler_that_a_game_has_added_to_the_log_is_not_called() -> None:
    """One that raised an error ended the table at its next line of the log."""
    code = """
import logging.config
from firmware_host.core.logbook import Logbook
class Faulty(logging.Handler):
    def emit(self, record): raise AttributeError
from firmware_host.core.guarded import checked_installed
book = Logbook()
book.open()
checked_installed("game", logging.config.dictConfig, {"version": 1})
logging.getLogger().addHandler(Faulty())
logging.getLogger("firmware_host").error("noted")
print(book.lines[0][-5:])
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert found.stdout == "noted\n"


LEFT = {
    "thread": "threading.Thread(target=threading.Event().wait).start()",
    "exit handler": "atexit.register(threading.Event().wait)",
}


@pytest.mark.parametrize("what", LEFT)
def test_what_a_game_has_started_does_not_keep_the_process_running(what: str) -> None:
    code = f"""
import atexit, threading
from firmware_host.app import cli
def main():
    {LEFT[what]}
    return 7
cli.main, cli.EXIT_SECONDS = main, 0.1
cli.entry()
"""
    assert subprocess.run([sys.executable, "-c", code], timeout=PATIENCE).returncode == 7


FORK = """
import os, sys
from pathlib import Path
from firmware_host.core.guarded import checked_installed
from firmware_host.records.journal import Journal
from firmware_host.records.state_folder import only_one
from web_panel.serve import listening_socket

folder = Path(sys.argv[1])
held, journal, port = only_one(folder), Journal(folder / "games.sqlite"), listening_socket("127.0.0.1", 0)
print(port.getsockname()[1], flush=True)
ready, done = os.pipe()

def waits():
    if os.fork() == 0:
        os.write(done, b".")
        sys.stdin.read()
        sys.exit()

checked_installed("game", waits)
os.read(ready, 1)
os._exit(7)
"""


def test_what_a_game_has_forked_holds_neither_the_games_nor_the_port(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", FORK, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as table:
        assert table.stdin is not None
        assert table.stdout is not None
        port = int(table.stdout.readline())
        assert table.wait(60) == 7
        only_one(tmp_path).close()
        Journal(tmp_path / "games.sqlite").close()
        listening_socket("127.0.0.1", port).close()
        table.stdin.close()  # the fork ends


def test_fork_of_a_game_does_not_go_on_as_a_second_table() -> None:
    code = """
import os, sys
from firmware_host.core.guarded import checked_installed
first = os.getpid()
try:
    checked_installed("game", lambda: os.waitpid(forked, 0) if (forked := os.fork()) else sys.exit())
except BaseException:
    pass
print("goes on", os.getpid() == first)
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert found.stdout == "goes on True\n"
