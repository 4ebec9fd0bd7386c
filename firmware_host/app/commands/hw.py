"""`sniperboard hw …`: test and calibrate a board. Stop the table first, because these commands open the board.

Exit codes: 0 done · 1 problems found, or interrupted · 2 wrong settings or wiring · 4 a file is unusable · 6 the board
cannot be opened.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import SystemRandom
from typing import Any

from engine.chance import Chance
from engine.graph import Map
from engine.graph.fault import MapError
from firmware_host.app.terminal import exit_code_of, fail
from firmware_host.board.sensor_health import FILE as HEALTH
from firmware_host.board.sensor_health import health_of, lines, read_records
from firmware_host.board.wiring import FILE, WiringError, of_board
from firmware_host.core import maps
from firmware_host.core.settings import ConfigError, Settings
from firmware_host.core.settings_options import add_settings_options, settings_of
from firmware_host.play.game import TableGame
from firmware_host.protocols import trace
from firmware_host.protocols.tracking import answers
from firmware_host.records.journal import FILE as JOURNAL
from firmware_host.records.journal import Journal, JournalError
from firmware_host.workshop import terminal
from firmware_host.workshop.calibration import NOTES
from firmware_host.workshop.checks import give_to_owner
from firmware_host.workshop.scan_and_lights import ALL, EACH
from firmware_host.workshop.testing import WELL
from firmware_host.workshop.workbench import LONGEST_S, RealMaker, SimulatedMaker, Workbench
from hardware.ports import HardwareFault
from hardware.simulated import SimulatedBoard

NOT_WELL, BAD_SETTINGS, BAD_FILE, NO_BOARD = 1, 2, 4, 6
EXIT_CODES = {
    **dict.fromkeys((ConfigError, WiringError, MapError), BAD_SETTINGS),
    HardwareFault: NO_BOARD,
    OSError: BAD_FILE,
    JournalError: BAD_FILE,
}
"""Error -> exit code."""
CLEAR = "\x1b[2J\x1b[H"

Job = Callable[[argparse.Namespace, Settings, Workbench], int]


def add_command(commands: Any) -> None:
    """Add `hw` with its subcommands."""
    parser = commands.add_parser(
        "hw", help="test and calibrate a board: scan, lights, calibrate, selftest, health, trace"
    )
    jobs = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    _add(jobs, "scan", _scan, "show the state of all sensors live")
    lights = _add(jobs, "lights", _lights, "test the lamps: light each in turn, then all in each colour")
    words = "time for each colour of all lamps (default: %(default)s)"
    lights.add_argument("--seconds", type=_seconds, default=ALL, help=words)
    words = "time for each single lamp; 0 to skip (default: %(default)s)"
    lights.add_argument("--each", type=_seconds, default=EACH, help=words)
    calibrate = _add(
        jobs, "calibrate", _calibrate, "find which sensor and lamp is at which space, and write wiring.toml"
    )
    calibrate.add_argument("--restart", action="store_true", help="discard the results of an earlier session")
    calibrate.add_argument("--anew", dest="restart", action="store_true", help=argparse.SUPPRESS)  # old name
    calibrate.add_argument("--out", type=Path, help="output file (default: in the board's folder in the state folder)")
    tested = _add(jobs, "selftest", _selftest, "test each sensor once with a magnet that you turn around on it")
    tested.add_argument("space", nargs="*", help="test these spaces only")
    health = jobs.add_parser(
        "health", help="show statistics of each sensor during games: bounce, dwell, silence, chatter"
    )
    add_settings_options(health, ("map", "state"))
    health.set_defaults(run=lambda chosen: exit_code_of(lambda: _health(chosen), EXIT_CODES))
    recording = jobs.add_parser("trace", help="record raw edges to a file, or replay them").add_subparsers(
        title="commands", required=True, metavar="COMMAND"
    )
    record = _add(recording, "record", _record, "record every raw edge to a file, as a board-hands/1 trace")
    record.add_argument("file", type=Path, help="output file")
    replay = recording.add_parser("replay", help="print the moves that the table recognises in a trace")
    replay.add_argument("file", type=Path, help="a recorded trace")
    replay.set_defaults(run=_replay)


def _seconds(text: str) -> float:
    """Return a time in seconds. Raises `ValueError`, which argparse reports."""
    seconds = float(text)
    if not 0 <= seconds <= LONGEST_S:
        raise ValueError(text)
    return seconds


def _add(jobs: Any, name: str, job: Job, words: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = jobs.add_parser(name, help=words)
    add_settings_options(parser, ("board", "lamps", "map", "state", "current_limit_ma"))
    parser.set_defaults(run=lambda chosen: exit_code_of(lambda: _run(chosen, job), EXIT_CODES))
    return parser


def _run(arguments: argparse.Namespace, job: Job) -> int:
    settings = settings_of(arguments)
    try:
        with _open_workbench(settings) as workbench:
            return job(arguments, settings, workbench)
    except KeyboardInterrupt:
        return NOT_WELL
    finally:
        # The service does not run as root, so it could not use files that belong to root.
        give_to_owner(_state_folder(settings))


@contextmanager
def _open_workbench(settings: Settings) -> Iterator[Workbench]:
    """Open the board; on the simulated one, a maker moves the magnets."""
    patience = SimulatedMaker() if settings.board == "simulated" else RealMaker(time.monotonic)
    try:
        workbench = Workbench(settings, maps.load(settings.map), _state_folder(settings), patience)
    except HardwareFault as fault:
        stop = "If the table is running, stop it first: sudo systemctl stop sniperboard"
        message = f"{fault}\n{stop}"
        raise HardwareFault(message) from fault
    try:
        if not isinstance(patience, SimulatedMaker):
            # Another thread reads typed lines, because this one waits for sensors.
            patience.listen()
        elif isinstance(workbench.sensors, SimulatedBoard):
            patience.clear(workbench.sensors)
        yield workbench
    finally:
        if isinstance(patience, SimulatedMaker):
            patience.put_back()
        workbench.close()


def _state_folder(settings: Settings) -> Path:
    return Path(settings.state).resolve()


def _board_folder(settings: Settings, board: Map) -> Path:
    return _state_folder(settings) / "boards" / board.slug


def _scan(_: argparse.Namespace, __: Settings, workbench: Workbench) -> int:
    clear = CLEAR if sys.stdout.isatty() else ""
    terminal.scan(workbench, print, lambda chart: print(f"{clear}{chart}\n", flush=True))
    return 0


def _lights(arguments: argparse.Namespace, _: Settings, workbench: Workbench) -> int:
    terminal.lights(workbench, print, arguments.seconds, arguments.each)
    return 0


def _calibrate(arguments: argparse.Namespace, settings: Settings, workbench: Workbench) -> int:
    folder = _board_folder(settings, workbench.board)
    notes = folder / NOTES
    if arguments.restart:
        notes.unlink(missing_ok=True)
    return 0 if terminal.calibrate(workbench, notes, arguments.out or folder / FILE, print) else NOT_WELL


def _selftest(arguments: argparse.Namespace, _: Settings, workbench: Workbench) -> int:
    unknown = [space for space in arguments.space if space not in workbench.board.enterable]
    if unknown:
        return fail(BAD_SETTINGS, f"{workbench.board.name} has no space {', '.join(unknown)} that can be entered.")
    spaces = arguments.space or [space for space in workbench.wiring.lamps if space is not None]
    marks = terminal.selftest(workbench, spaces, print)
    good = sum(mark.state == WELL for mark in marks)
    print(f"{good} of {len(spaces)} sensors work.")
    return 0 if good == len(spaces) else NOT_WELL


def _health(arguments: argparse.Namespace) -> int:
    """Print the statistics that the table stored. The table may be running."""
    settings = settings_of(arguments)
    board = maps.load(settings.map)
    folder = _board_folder(settings, board)
    wiring = of_board(board, folder / FILE, maps.FOLDER / board.slug / FILE)
    sensors = lines(health_of(board, wiring, read_records(folder / HEALTH)), board, wiring, wiring.manual, 0.0)
    print(f"{'space':6} {'sensor':>6} {'changes':>8} {'bounce ms':>10} {'dwell s':>8} {'around':>7}  state")
    for line in sensors:
        facts = f"{line.changes:8} {line.bounce_ms:10} {line.dwell_s:8} {line.around:7}"
        print(f"{line.space:6} {'' if line.sensor is None else line.sensor:>6} {facts}  {line.state}")
    troubles = [line.sentence for line in sensors if line.sentence]
    if troubles:
        print("\n".join(troubles))
    elif any(line.changes for line in sensors):
        print("No problems found.")
    else:
        print(f"This board has no statistics yet ({folder}). Use `sniperboard hw scan` to test it.")
    return int(bool(troubles))


def _record(arguments: argparse.Namespace, settings: Settings, workbench: Workbench) -> int:
    # With mode `x`, an earlier trace is never overwritten.
    with arguments.file.open("x", encoding="utf-8") as file:
        count = trace.record(workbench, file, _game_facts(settings), print)
    print(f"{count} edges in {arguments.file}.")
    return 0


def _game_facts(settings: Settings) -> dict[str, Any]:
    """Return the public facts of the running game; empty if none is running."""
    path = _state_folder(settings) / JOURNAL
    if not path.exists():
        return trace.first_line(None)
    with closing(Journal.open_read_only(path)) as journal:
        saved = journal.running()
        if saved is None or not saved.map:
            return trace.first_line(None)
        # Read the game from the journal, because the table is not running.
        return trace.first_line(TableGame.resume(saved, maps.load(saved.map), journal, Chance(SystemRandom())))


def _replay(arguments: argparse.Namespace) -> int:
    try:
        with arguments.file.open("rb") as file:
            for line in answers(file):
                print(line.decode())
    except OSError as error:
        return fail(BAD_FILE, f"{arguments.file}: cannot be read ({error.strerror}).")
    return 0
