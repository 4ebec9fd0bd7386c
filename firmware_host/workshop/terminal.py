"""The board procedures in a terminal: `sniperboard hw scan`, `lights`, `calibrate` and `selftest`.

Each runs a `Job` on a `Workbench`. The web page of the workshop runs the same jobs through the running table.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from pathlib import Path

from engine.graph import Map
from firmware_host.core.errors import UserError
from firmware_host.workshop.calibration import Calibrating
from firmware_host.workshop.job import Job
from firmware_host.workshop.scan_and_lights import EACH, PRIMARIES, Lighting, Scanning
from firmware_host.workshop.testing import SensorMark, Testing
from firmware_host.workshop.workbench import Say, Typed, Workbench

WIDTH, HEIGHT = 110, 34
"""Largest size of the chart, in characters."""
OCCUPIED, EMPTY = "●", "·"
HELP_SECONDS = 60.0
"""Seconds without an answer until calibration shows its help again."""
HELP = "Type the name of the space that is lit if it is another, `skip` if no sensor answers, `back`, or `quit`."


def run_job(
    job: Job,
    workbench: Workbench,
    say: Say,
    typed: Callable[[str], None] = lambda _: None,
    *,
    stop: str | None = "quit",
    prompt: Callable[[], str] | None = None,
    help_text: str = "",
) -> bool:
    """Run `job` to its end, then turn the lamps off. Return False if the maker left before the end.

    The line `stop` leaves (None: any line does); other lines go to `typed`. `prompt` returns the text for each new
    question of the job. `help_text` is repeated when nothing has happened for `HELP_SECONDS`.
    """
    workbench.runner.job = job
    asked_step, left = -1, False
    while not job.ended and not left:
        if prompt is not None and job.step != asked_step:
            asked_step = job.step
            say(prompt())
        workbench.light(job.lamps(workbench.now))
        idle = workbench.runner.due() is None and not workbench.faults
        note = workbench.step(HELP_SECONDS if help_text else None)
        if isinstance(note, Typed):
            left = stop in (None, note.text)
            if not left:
                typed(note.text)
        elif note is None and idle and help_text:
            say(help_text)
        _say_messages(job, say)
    # Also after `stop`: a lamp that stays lit would look like part of the next job.
    workbench.light({})
    return not left


def _say_messages(job: Job, say: Say) -> None:
    while job.messages:
        say(job.messages.popleft().sentence)


def selftest(workbench: Workbench, spaces: Iterable[str], say: Say) -> list[SensorMark]:
    """Test the sensors of these spaces, in this order. `quit` ends the test; any other line skips to the next space."""
    say("White: set the magnet down. Amber: turn it once around. Green: lift it. Return: next space; `quit`: enough.")
    job = Testing(workbench.wiring, spaces, workbench.down, workbench.now)
    _say_messages(job, say)
    if not run_job(job, workbench, say, lambda _: job.on_answer("next", None, workbench.now)):
        say(f"Left after {len(job.marks)} spaces.")
    return list(job.marks.values())


def lights(workbench: Workbench, say: Say, seconds: float, each: float = EACH) -> None:
    """Light each lamp for `each` seconds, in the order of the chain, then all lamps for `seconds` in each colour.

    With 0 for `each`, only all lamps together are lit. Any typed line ends it.
    """
    turns = len(workbench.wiring.lamps) * each
    say(f"This takes about {turns + len(PRIMARIES) * seconds:.0f} seconds. Return ends it.")
    job = Lighting(workbench.wiring, each, seconds, once=True)
    job.on_answer("round", None, workbench.now)
    run_job(job, workbench, say, stop=None, prompt=lambda: job.asks)


def calibrate(workbench: Workbench, notes: Path, target: Path, say: Say) -> bool:
    """Find the wiring of all lamps and sensors and write it to `target`. Return False if the maker left before the end.

    `notes` keeps what was found, so that the next session continues there. Raises `OSError` and `WiringError`.
    """
    job = Calibrating(workbench.wiring, notes)
    if job.found:
        say(f"Going on: {len(job.found)} spaces are known already.")
    say(f"Set one magnet down in the middle of the lit space. {HELP}")

    def typed(text: str) -> None:
        is_command = text in ("skip", "back")
        try:
            job.on_answer(text if is_command else "", None if is_command or not text else text, workbench.now)
        except UserError as error:
            say(error.sentence)

    def prompt() -> str:
        done, total = job.progress
        return f"({done + 1}/{total}) {job.asks}"

    if not run_job(job, workbench, say, typed, prompt=prompt, help_text=HELP):
        say("Left for now. The next `hw calibrate` goes on from here.")
        return False
    for difference in job.differences():
        say(difference)
    job.save(target, workbench.board)
    say(f"All {len(job.found)} spaces are known. Written to {target}.")
    return True


def scan(workbench: Workbench, say: Say, redraw: Callable[[str], None]) -> None:
    """Show the sensors until a line is typed: redraw the chart and print one line for each change."""
    # Give the board a moment to report what stands on it, before the first chart.
    workbench.step(0.3)
    redraw(status_chart(workbench))
    workbench.runner.job = job = Scanning(workbench.wiring, workbench.down)
    while not isinstance(note := workbench.step(), Typed):
        if job.messages:
            redraw(status_chart(workbench))
            _say_messages(job, say)
        elif note is None and workbench.runner.due() is None:
            return


def status_chart(workbench: Workbench) -> str:
    """Return the chart of the occupied spaces, with the state of each driver above it."""
    occupied = workbench.wiring.spaces_over(workbench.down)
    return "\n".join([*workbench.connection_messages, board_as_text(workbench.board, occupied)])


def board_as_text(board: Map, down: Collection[str]) -> str:
    """Return the board as text: each space is a mark and its name, about where it lies."""
    across, deep = board.size
    rows = [[" "] * WIDTH for _ in range(HEIGHT)]
    for space in board.enterable:
        x, y = board.spaces[space].spot
        text = (OCCUPIED if space in down else EMPTY) + space
        row, column = round(y / deep * (HEIGHT - 1)), round(x / across * (WIDTH - len(text) - 1))
        row, column = _free_place(rows, row, column, len(text))
        rows[row][column : column + len(text)] = text
    return "\n".join("".join(row).rstrip() for row in rows)


def _free_place(rows: list[list[str]], row: int, column: int, length: int) -> tuple[int, int]:
    """Return the nearest place in the row where a word fits with a gap on both sides."""
    for away in range(WIDTH):
        # Try the wanted place first, then farther and farther to both sides.
        for near in (column - away, column + away):
            if 0 <= near <= WIDTH - length and not "".join(rows[row][max(0, near - 1) : near + length + 1]).strip():
                return row, near
    # No room in this row: the texts overlap, which is better than a space that is missing.
    return row, column
