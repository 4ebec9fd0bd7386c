"""The bench: every group measures, failures are reported, and the report contains all figures."""

from __future__ import annotations

import asyncio
import errno
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest
from msgspec.structs import replace

from engine.graph.drawing import drawing_of_map
from firmware_host.app import cli
from firmware_host.core.capabilities import capabilities
from firmware_host.core.errors import JournalError
from games import DEFAULT, find, names
from lab.bench import edges, generated_map, growth, peers, plot, process, report, slow, table
from lab.bench.figures import QUICK, Curve, Figure, Measured, Missing, delays
from lab.bench.lines import Connection, Response, Screen, Stalled
from lab.bench.process import TableProcess
from lab.bench.report import GROUPS, MeasuredMachine, Report, this_machine
from lab.bench.serial_board import SerialBoard
from lab.commands.bench import NAMES, collect
from maker.page_parts import with_parts
from tests.apart import in_own_thread
from tests.patience import PATIENCE
from tools.bench_page import PAGE, page_text

TINY = replace(QUICK, seconds=0.01, samples=10, spaces=(30, 40), screens=(1, 2), idle_seconds=0.1)
HERE = MeasuredMachine("Raspberry Pi 4 Model B", 4, "aarch64", "Debian", "3.13.0")


def test_command_knows_every_group() -> None:
    assert tuple(GROUPS) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_group_measures(name: str) -> None:
    found = in_own_thread(lambda: list(GROUPS[name].measure(TINY)))
    figures = [it for it in found if isinstance(it, Figure)]
    assert not [it for it in found if isinstance(it, Missing)], "everything is installed for the tests"
    assert len({it.id for it in found}) == len(found)
    assert all(it.value >= 0 and it.unit and it.count >= 1 for it in figures)
    assert all(it.of_100 >= it.value for it in figures if it.of_100 is not None)
    assert all(len(it.points) == 2 for it in found if isinstance(it, Curve))
    if name == "engine":
        assert {it.id for it in figures} >= {f"{game}.submitted" for game in names()}


def test_processor_that_cannot_be_limited_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(slow, "ROOTS", (tmp_path / "two", tmp_path / "one"))
    found = list(slow.measure(replace(TINY, slow=10.0)))
    assert [(it.id, it.why) for it in found if isinstance(it, Missing)] == [
        (
            "slow",
            "The processor cannot be limited here: No such file or directory. It needs Linux, control groups and root.",
        )
    ]
    assert len(found) == 1


@pytest.mark.parametrize("version", [1, 2])
def test_slow_group_limits_the_processor(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, version: int) -> None:
    """In a folder without a kernel behind it, the files stay, so that the folder can't be removed."""
    monkeypatch.setattr(slow, "ROOTS", (tmp_path, tmp_path / "cpu"))
    (tmp_path / "cpu").mkdir()
    if version == 2:
        (tmp_path / "cgroup.controllers").write_text("cpu")
    with pytest.raises(OSError, match="not empty"), slow.slow_group(10) as slow_down:
        before, child = os.sched_getaffinity(0), subprocess.Popen(["sleep", "60"])
        slow_down(child.pid)
        (group,) = (tmp_path if version == 2 else tmp_path / "cpu").glob("sniperboard-bench-*")
        written = {it.name: it.read_text() for it in group.iterdir()}
        its_own = os.sched_getaffinity(child.pid)
        child.kill()
        child.wait()
    quick = {"cpu.cfs_period_us": "10000", "cpu.cfs_quota_us": "1000", "cpu.shares": "262144"}
    limits = {"cpu.max": "1000 10000", "cpu.weight": "10000"} if version == 2 else quick
    assert written == {**limits, "cgroup.procs": str(child.pid)}
    assert len(its_own) == 1
    assert before == its_own or not before & its_own, "the measuring process takes no time of the table"
    assert os.sched_getaffinity(0) == before | its_own


def test_command_prints_and_writes_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lab.bench.figures.QUICK", replace(TINY, spaces=QUICK.spaces))
    file, plots = tmp_path / "deep" / "report.json", tmp_path / "plots"
    words = ["bench", "--quick", "--no-peers", "--only", "disk,growth", "--report", str(file), "--plots", str(plots)]
    assert cli.main(words) == 0
    said = capsys.readouterr().out
    made = msgspec.json.decode(file.read_bytes(), type=Report)
    assert [*made.groups] == ["growth", "disk"]
    assert "A bare write of" in said
    assert "an action on the disk, to a bare fdatasync" in said
    assert {it.name for it in plots.iterdir()} == {f"growth-{id}.svg" for id in growth.CURVES}
    assert [x for x, _, _ in made.curves[0].points] == [30, 64]
    assert "| spaces | 30 | 64 |" in said
    assert str(Path.home()) not in file.read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--only", "engine,ears"], "There is no group 'ears'; known are engine, pictures"),
        (["--slow", "20"], "--slow takes a number from 1 to 10."),
        (["--only", "disk", "--quick", "--no-peers", "--report", "/proc/no/report.json"], "/proc/no"),
    ],
)
def test_invalid_arguments_are_reported_in_a_sentence(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["bench", *words]) == 1
    heard = capsys.readouterr()
    assert sentence in heard.err
    assert heard.out == ""


FIGURE = Figure("disk.bare", "a bare write", 1.0, "ms", "time")


def stuck(error: Exception) -> Iterator[Measured]:
    """Yield a figure, then fail."""
    yield FIGURE
    raise error


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (TimeoutError(), "It took too long."),
        (Stalled("the lamps do not answer."), "It got stuck: the lamps do not answer."),
        (JournalError("The journal is damaged."), "The journal is damaged."),
        (OSError(errno.ENOSPC, "No space left on device"), "It cannot be measured here: No space left on device."),
    ],
    ids=["late", "stalled", "journal", "full disk"],
)
def test_stuck_group_keeps_earlier_figures(error: Exception, why: str) -> None:
    figure, missing = collect("Disk", stuck(error))
    assert figure == FIGURE
    assert missing == Missing("Disk", "Disk", why)


def test_failed_write_leaves_existing_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "report.json"
    file.mkdir()
    assert cli.main(["bench", "--quick", "--no-peers", "--only", "disk", "--report", str(file)]) == 1
    assert f"{file}: Is a directory." in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == [file]


# --- a table that misbehaves --------------------------------------------------------------------------------------


async def closed_port() -> int:
    """Return a port that was closed."""
    server = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
    port: int = server.sockets[0].getsockname()[1]
    server.close()
    await server.wait_closed()
    return port


async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer one request with a refusal."""
    await reader.readuntil(b"\r\n\r\n")
    writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\nConnection: close\r\n\r\nnone")
    writer.close()


def test_dead_table_is_reported_as_stuck() -> None:
    async def look() -> None:
        await Connection(await closed_port()).picture("table")

    def group() -> Iterator[Measured]:
        yield FIGURE
        asyncio.run(look())

    found = in_own_thread(lambda: collect("Table", group()))
    assert found == [FIGURE, Missing("Table", "Table", "It got stuck: /api/picture/table is not answered.")]


def test_refused_request_raises_stalled() -> None:
    async def ask() -> None:
        async with await asyncio.start_server(refuse, "127.0.0.1", 0) as server:
            line = Connection(server.sockets[0].getsockname()[1])
            with pytest.raises(Stalled, match="/api/picture/table was refused: none"):
                await line.picture("table")
            with pytest.raises(Stalled, match="/api/touch was refused: none"):
                await table._touch(line, "officer", None)

    in_own_thread(lambda: asyncio.run(ask()))


def test_unreadable_answer_raises_stalled() -> None:
    with pytest.raises(Stalled):
        Response(0, b"", {}, 0.0).json()
    assert Response(409, b'{"error":"late"}', {}, 0.0).json() == {"error": "late"}


def in_place_of_python(monkeypatch: pytest.MonkeyPatch, folder: Path, script: str) -> None:
    """Run this script instead of a table."""
    file = folder / "python"
    file.write_text(f"#!{sys.executable}\nimport os, pathlib, signal\n{script}\nsignal.pause()\n", "utf-8")
    file.chmod(0o755)
    monkeypatch.setattr(process, "PYTHON", (str(file),))


def test_silent_table_is_stuck(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def begin() -> int:
        found = TableProcess(tmp_path / "state")
        with monkeypatch.context() as hurried, pytest.raises(Stalled, match="did not open its port"):
            hurried.setattr(process, "TIMEOUT", 0.1)
            await found.start()
        return await found.stop()

    in_place_of_python(monkeypatch, tmp_path, "")
    assert in_own_thread(lambda: asyncio.run(begin())) < 0


def test_table_without_port_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def begin() -> None:
        async with table.running_table():
            pass

    told = tmp_path / "pid"
    in_place_of_python(monkeypatch, tmp_path, f"pathlib.Path({str(told)!r}).write_text(str(os.getpid()))\nos.close(1)")
    with pytest.raises(Stalled, match="did not open its port"):
        in_own_thread(lambda: asyncio.run(begin()))
    with pytest.raises(ProcessLookupError):
        os.kill(int(told.read_text()), 0)


def test_table_that_does_not_end_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def begin() -> int | None:
        found = TableProcess(tmp_path / "state")
        await found.start()
        monkeypatch.setattr(process, "TIMEOUT", 0.1)
        with pytest.raises(Stalled, match="did not end"):
            await found.stop()
        assert found.process is not None
        return found.process.returncode

    deaf = "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nprint('http://127.0.0.1:1/', flush=True)"
    in_place_of_python(monkeypatch, tmp_path, deaf)
    assert in_own_thread(lambda: asyncio.run(begin())) == -9


async def again_and_again(do: Callable[[], object]) -> None:
    """Call a function in every round of the loop."""
    while True:
        do()
        await asyncio.sleep(0)


def test_lamps_that_are_never_still_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    async def blinking(do: Callable[[], object], wait: Callable[[], Any]) -> None:
        blinks = asyncio.create_task(again_and_again(do))
        try:
            async with asyncio.timeout(PATIENCE):
                with pytest.raises(Stalled, match="never rest"):
                    await wait()
        finally:
            blinks.cancel()

    async def on_screen() -> None:
        screen = Screen("board")
        await blinking(lambda: screen.data_received(b'data: {"lamps":[]}\n\n'), lambda: table._at_rest(screen))

    async def over_the_line() -> None:
        board = SerialBoard(1)
        board.start()
        try:
            await blinking(board.came.set, lambda: edges._dark(board))
        finally:
            board.stop()

    for module in (table, edges):
        monkeypatch.setattr(module, "TIMEOUT", -1.0)
        monkeypatch.setattr(module, "QUIET", 0.05)
    in_own_thread(lambda: asyncio.run(on_screen()))
    in_own_thread(lambda: asyncio.run(over_the_line()))


# --- peers --------------------------------------------------------------------------------------------------------

SCRIPT = """
import pathlib, sys
turns = pathlib.Path(__file__).with_name("turns")
turn = int(turns.read_text()) if turns.exists() else 0
turns.write_text(str(turn + 1))
value = (10, 90, 20)[turn]
print(f'{{"id": "chess.submitted", "what": "moves", "value": {value}, "unit": "/s", "kind": "rate"}}')
assert sys.argv[1] == "0.01"
"""


OURS = """
print('{"id": "chess.one.submitted", "what": "One, a, in turn with it", "value": 40, "unit": "/s", "kind": "rate"}')
"""


def peer(folder: Path, script: str) -> list[Measured]:
    """Return what is found if the folder has this script for python-chess, and a short one for our engine."""
    (folder / peers.CHESS).write_text(script, "utf-8")
    with pytest.MonkeyPatch.context() as there:
        there.setattr(peers, "OURS", (sys.executable, "-c", OURS))
        return list(peers.measure(replace(TINY, turns=3), folder))


def test_our_engine_is_measured_in_a_process_of_its_own() -> None:
    found = list(peers._figures_of("our_engine", "our engine", (*peers.OURS, "0.01")))
    # Whether the template's game is on its path depends on what was imported before.
    assert [it.id for it in found if "treasure" not in it.id] == [
        f"chess.{game}.{what}" for game in names() if game != "treasure" for what in ("submitted", "listed")
    ]


def test_engines_are_measured_alternately_and_compared(tmp_path: Path) -> None:
    found = peer(tmp_path, SCRIPT)
    figures = {it.id: it for it in found if isinstance(it, Figure)}
    assert [*figures] == ["chess.submitted", "chess.one.submitted"]
    assert {it.count for it in figures.values()} == {3}
    assert figures["chess.submitted"].value == 20, "the median"
    assert list(peers.ratios(figures)) == [("One, a: actions submitted, to moves of python-chess", 2)]


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("import sys\nsys.exit('there is no chess here')", "It failed: there is no chess here"),
        ("import sys\nprint('python-chess is not installed.', file=sys.stderr)\nsys.exit(3)", "is not installed."),
        ("import sys\nsys.exit(1)", "It failed without a word."),
        ("import pathlib, sys\nsys.exit(f'no {pathlib.Path.home()}/chess')", "It failed: no ~/chess"),
        ("print('[]')", "Its answer cannot be read"),
        ("", "It says nothing."),
        (SCRIPT.replace("(10, 90, 20)", "(10,)"), "It failed: IndexError: tuple index out of range"),
    ],
)
def test_failing_peer_is_missing(tmp_path: Path, script: str, why: str) -> None:
    (found,) = peer(tmp_path, script)
    assert isinstance(found, Missing)
    assert why in found.why


def test_peer_without_interpreter_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "boardgame_io.mjs").write_text("", "utf-8")
    assert list(peers.measure(TINY, tmp_path)) == [Missing("boardgame_io", "boardgame.io", "node is not installed.")]
    assert list(peers.measure(TINY, tmp_path / "nowhere")) == []


def test_peer_scripts_report_missing_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "chess.py").write_text("raise ModuleNotFoundError", "utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("OCTOPRINT", str(tmp_path / "octoprint"))
    monkeypatch.setenv("BOARDGAME_IO", str(tmp_path))
    found = [it for it in peers.measure(TINY) if isinstance(it, Missing)]
    assert [it.what for it in found] == ["python-chess", "OctoPrint", "boardgame.io"]
    assert [it.why.partition("(")[0] for it in found[:2]] == [f"{it.what} is not installed " for it in found[:2]]
    assert found[2].why.startswith(("boardgame.io is not installed ", "node is not installed."))


# --- words and pictures -------------------------------------------------------------------------------------------


def test_report_survives_encoding() -> None:
    figure = delays("tap.1", "Tap", [0.001, 0.002, 0.009], goal=10.0)
    made = report.make_report({"table": [figure, Missing("x", "Something", "It is not there.")]}, [], HERE, "1.0")
    assert msgspec.json.decode(report.encode_report(made), type=Report) == made
    said = report.report_text(made)
    assert "| Tap | 2 ms | 9 ms | 10 ms |" in said
    assert "| Something | It is not there. |" in said
    assert "Raspberry Pi 4 Model B, 4 cores aarch64, Debian, Python 3.13.0" in said
    assert this_machine().cores >= 1


@pytest.mark.parametrize("spaces", [1, 125])
def test_made_map_has_wanted_size_and_is_playable(spaces: int) -> None:
    board = generated_map.generate_map(spaces)
    assert max(spaces, generated_map.FEWEST) <= len(board.spaces) <= 1.1 * max(spaces, generated_map.FEWEST)
    assert board == generated_map.generate_map(spaces)
    rules = capabilities(find(DEFAULT)).reads_drawings
    verdict = None if rules is None else rules.check_drawing(drawing_of_map(board))
    assert verdict is not None
    assert verdict.faults == ()


def test_curves_with_same_x_values_share_a_table() -> None:
    one = Curve("a", "Acts", "spaces", "/s", ((30.0, 5.0, None), (60.0, 4.0, None)))
    other = Curve("b", "Tap", "screens", "ms", ((1.0, 4.0, 9.0),))
    more = Curve("c", "Sight", "spaces", "s", ((30.0, 0.5, None), (60.0, 1.5, None)))
    said = report.report_text(report.make_report({"growth": [one, other, more]}, [], HERE, "1.0"))
    assert "| spaces | 30 | 60 |\n| --- | --- | --- |\n| Acts | 5 /s | 4 /s |\n| Sight | 0.5 s | 1.5 s |" in said
    assert "| screens | 1 |\n| --- | --- |\n| Tap (99th percentile) | 4 (9) ms |" in said


def test_curve_has_round_ticks() -> None:
    assert plot.round_ticks(4.4) == [0, 1, 2, 3, 4, 5]
    assert plot.round_ticks(32) == [0, 10, 20, 30, 40]
    curve = Curve("tap.growth", "Tap <→> shown", "screens", "ms", ((1.0, 4.0, 9.0), (32.0, 8.0, None)))
    drawing = ElementTree.fromstring(plot.draw_curve(curve))
    assert "Tap <→> shown" in "".join(drawing.itertext())


def test_report_replaces_its_part_of_the_page() -> None:
    curve = Curve("tap.growth", "Tap → shown", "screens", "ms", ((1.0, 4.0, 9.0), (32.0, 8.0, None)))
    made = report.make_report({"table": [delays("tap.1", "Tap", [0.002]), curve]}, [], HERE, "1.0")
    page = PAGE.read_text("utf-8")
    once = with_parts(page, {"bench": lambda: page_text(made)})
    assert "| Tap | 2 ms | 2 ms |  |" in once
    assert "![Tap → shown](bench/tap-growth.svg)" in once
    assert with_parts(once, {"bench": lambda: page_text(made)}) == once
    assert once.startswith(page[: page.index("<!-- made: bench -->")])
