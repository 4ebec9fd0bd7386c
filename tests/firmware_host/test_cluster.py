"""Games on Dask: they are the same as in one process, also if workers die, and failures become sentences."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import shutil
import signal
import socket
import subprocess
import sys
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any

import dask
import pytest
from distributed import KilledWorker, LocalCluster
from distributed.comm.core import CommClosedError

from firmware_host.app import cli
from firmware_host.core import maps
from games import find
from lab import cluster
from lab.arena import Match, Result, play_match
from lab.processes import Unavailable
from tests.apart import in_own_thread
from tests.depth import DEPTH
from tests.patience import PATIENCE, until

ROOT = Path(__file__).resolve().parents[2]
GONE: Any = SimpleNamespace(address="tcp://127.0.0.1:4711")
"""A worker that has died, as Dask names it."""
QUICK = ("--sniper", "random", "--defenders", "random", "--seed", "3")


def match() -> Match:
    """Return the match of QUICK."""
    seats = {"sniper": "random", "defenders": "random"}
    return Match("sniper-elite", maps.load("launch-facility"), find("sniper-elite").read_options({}), seats, 3)


def asked(*arguments: str) -> int:
    """`sniperboard arena` with these arguments."""
    return cli.main(["arena", *QUICK, *arguments])


def refused(capsys: pytest.CaptureFixture[str], sentence: str, *arguments: str) -> None:
    """The arena says one sentence and nothing else."""
    assert asked("--json", *arguments) == 1
    out, err = capsys.readouterr()
    assert sentence in err
    assert (out, err.count("\n")) == ("", 1)


# --- a local cluster --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.nightly)])
def test_games_are_the_same_after_a_worker_is_killed(workers: int) -> None:
    """With one worker, the matches that only it held must be made again too."""
    with cluster.local_cluster(workers) as client:
        pids = client.run(os.getpid)
        games = cluster.play_matches(client, [match(), match()], 20 * DEPTH)
        found = [next(games)]
        os.kill(min(pids.values()), signal.SIGKILL)  # it plays, or holds results that nobody has fetched
        found += games
    assert found == list(play_match(match(), 20 * DEPTH, 1)) * 2


def test_local_cluster_that_cannot_start_is_reported() -> None:
    said = r"^Dask cannot start a cluster here: .*/proc/nope.* --jobs"
    nowhere = dask.config.set({"temporary-directory": "/proc/nope"})
    with nowhere, pytest.raises(Unavailable, match=said), cluster.local_cluster(1):
        pass


def test_ctrl_c_gets_one_answer() -> None:
    master, slave = pty.openpty()
    words = [sys.executable, "-m", "firmware_host.app.cli", "arena", "--games", "2000", *QUICK]
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # where tests run in the background it is ignored
    arena = subprocess.Popen(
        [*words, "--on", "dask", "--jobs", "1"], cwd=ROOT, stdout=slave, stderr=slave, start_new_session=True
    )
    signal.signal(signal.SIGINT, before)
    os.close(slave)
    said = ""
    while "of 2000" not in said:
        said += os.read(master, 4096).decode("utf-8", "replace")
    os.killpg(arena.pid, signal.SIGINT)
    said += rest(master)
    assert arena.wait(PATIENCE) == 130
    assert said.count("Stopped; the games so far are not counted.") == 1, said
    assert "Traceback" not in said
    assert said.startswith("\r····")


def rest(master: int) -> str:
    """Return what is written to a terminal until it is closed."""
    said = b""
    try:
        while more := os.read(master, 4096):
            said += more
    except OSError:  # how Linux tells the end of a terminal
        pass
    os.close(master)
    return said.decode()


# --- a cluster that runs already --------------------------------------------------------------------------------


@contextmanager
def started(*words: str, path: Path | None = None) -> Iterator[subprocess.Popen[bytes]]:
    """Run a process of Dask, with `path` first in its import path, and kill it at the end."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, [path, ROOT] if path else [ROOT]))}
    command = [sys.executable, "-m", *words]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, cwd=path or ROOT, env=environment, stdout=quiet, stderr=quiet) as process:
        try:
            yield process
        finally:
            process.kill()


class Crew:
    """A scheduler and its only worker, each in its own process."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.stack = stack
        told = folder / "scheduler.json"
        words = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(told))
        self.scheduler = stack.enter_context(started("distributed.cli.dask_scheduler", *words))
        until(lambda: told.exists() and told.read_text().endswith("}"))
        self.address = json.loads(told.read_text())["address"]
        self.place = self.address.replace("tcp://", "dask://")
        self.worker = stack.enter_context(self.joined(1))

    @contextmanager
    def joined(self, number: int, path: Path | None = None) -> Iterator[subprocess.Popen[bytes]]:
        """A new worker, without a nanny, once it has joined as worker `number`."""
        words = (self.address, "--no-nanny", "--no-dashboard", "--nthreads", "1")
        with started("distributed.cli.dask_worker", *words, path=path) as process:
            self.wait_for_workers(number)
            yield process

    def wait_for_workers(self, number: int) -> None:
        with self.client() as client:
            until(lambda: len(client.nthreads()) == number)

    def client(self) -> cluster.Client:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "(?s).*Mismatched versions found")
            return cluster.Client(self.address, timeout=PATIENCE, set_as_default=False)


crews: list[Crew] = []


@pytest.fixture(scope="module")
def crew_stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack
    crews.clear()


@pytest.fixture
def crew(tmp_path: Path, crew_stack: ExitStack) -> Crew:
    """The crew of the test before, or another if that test killed one of it."""
    if not crews or crews[-1].scheduler.poll() is not None or crews[-1].worker.poll() is not None:
        crews.append(Crew(tmp_path, crew_stack))
    return crews[-1]


def test_running_cluster_plays_same_games(crew: Crew, capsys: pytest.CaptureFixture[str]) -> None:
    assert asked("--games", "4", "--json", "--on", crew.place) == 0
    there = capsys.readouterr()
    assert asked("--games", "4", "--json", "--jobs", "1") == 0
    assert there.out.splitlines()[:4] == capsys.readouterr().out.splitlines()[:4]
    assert there.err == ""


def test_worker_with_other_code_is_named(
    crew: Crew, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("engine", "games", "firmware_host", "lab"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    with (tmp_path / "engine" / "chance.py").open("a") as file:
        file.write("\n# Other dice.\n")
    with monkeypatch.context() as there:
        there.setattr(cluster, "ROOT", tmp_path)
        code = cluster.code_hash.__wrapped__()
    with crew.client() as client:
        (same,) = client.nthreads()
        with crew.joined(2, tmp_path):
            (other,) = client.nthreads().keys() - {same}
            said = f"The worker {other} has sniperboard's code {code}, and this computer {cluster.code_hash()}. "
            refused(capsys, said, "--on", crew.place)
    crew.wait_for_workers(1)


def test_error_of_task_is_not_reported_as_lost_scheduler(crew: Crew) -> None:
    with crew.client() as client:
        for error, why in (
            (PermissionError(13, "Permission denied"), "Permission denied"),
            (TimeoutError(), "Timeout"),
        ):
            with pytest.raises(Unavailable, match=f"^A worker cannot play: .*{why}.* Nothing is counted"):
                cluster._results(client, client.submit(failing, error, retries=0, pure=False))


def failing(error: Exception) -> list[Result]:
    """A task that fails."""
    raise error


def test_stopped_worker_is_named(crew: Crew, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 2.0)
    with cluster.connected_cluster(crew.place) as client:
        (address,) = client.nthreads()
        os.kill(crew.worker.pid, signal.SIGSTOP)
        try:
            with pytest.raises(Unavailable, match=f"^The worker {address} does not answer"):
                cluster._require_same_versions(client, crew.place)
        finally:
            os.kill(crew.worker.pid, signal.SIGCONT)


def test_cluster_lost_during_games_is_reported(
    crew: Crew, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with cluster.connected_cluster(crew.place) as client:
        games = cluster.play_matches(client, [match()], 2000)
        next(games)
        with monkeypatch.context() as soon:
            soon.setattr(cluster, "RECHECK_SECONDS", 0.5)
            crew.worker.kill()
            with pytest.raises(Unavailable, match=r"The cluster has no workers left\. Nothing is counted"):
                list(games)
            soon.setattr(cluster, "CONNECT_SECONDS", 2.0)
            said = f"The scheduler at {crew.place} has no workers: start some with `dask worker`."
            refused(capsys, said, "--on", crew.place)
            waiting = client.submit(list, [], pure=False)
            os.kill(crew.scheduler.pid, signal.SIGSTOP)
            with (
                pytest.raises(Unavailable, match=r"The scheduler no longer answers\. Nothing is counted"),
                cluster._explained_errors(),
            ):
                cluster._results(client, waiting)
        crew.scheduler.kill()
        with (
            pytest.raises(Unavailable, match=r"The scheduler is gone\. Nothing is counted"),
            cluster._explained_errors(),
        ):
            cluster._results(client, waiting)


def test_scheduler_with_blocked_handlers_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    blocked = dask.config.set({"distributed.scheduler.blocked-handlers": ["run_function"]})
    with blocked, LocalCluster(1, processes=False, protocol="tcp://", dashboard_address="127.0.0.1:0") as here:
        said = "The scheduler does not say which versions it has: The 'run_function' handler"
        refused(capsys, said, "--on", here.scheduler_address.replace("tcp://", "dask://"))


# --- what differs, and what fails -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (cluster.versions() | {"Python": "3.99"}, f"has Python 3.99, and this computer {sys.version_info[0]}."),
        (cluster.versions() | {"sniperboard": "99.0"}, "has sniperboard 99.0, and this computer 0.1.0. Give all of"),
        ({}, "has Python None, and this computer"),
        (ModuleNotFoundError("No module named 'lab'"), "lacks sniperboard 0.1.0, or what it needs: No module named"),
        (AttributeError("no attribute 'versions'"), "lacks sniperboard 0.1.0, or what it needs: no attribute"),
        (TimeoutError(), "does not answer. End it, or see what keeps it from answering."),
        (FileNotFoundError(2, "No such file", "x.py"), "does not say which versions it has: [Errno 2] No such file"),
    ],
)
def test_other_versions_and_failed_answers_become_sentences(answer: Any, sentence: str) -> None:
    with pytest.raises(Unavailable) as refused:
        cluster._check("The worker", answer)
    assert str(refused.value).startswith(f"The worker {sentence}")


def test_late_worker_with_other_code_is_refused() -> None:
    with pytest.raises(
        Unavailable, match=f"A worker has sniperboard's code {cluster.code_hash()}, and this computer 0ther"
    ):
        cluster._play([(0, 1)], [match()], "0ther")


def test_rules_data_is_part_of_code_hash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "ROOT", tmp_path)
    data = tmp_path / "games" / "toy" / "rules" / "data" / "deck.json"
    data.parent.mkdir(parents=True)
    found = set()
    for text in ("[1]", "[2]", "[2]"):
        data.write_text(text)
        found.add(cluster.code_hash.__wrapped__())
    assert len(found) == 2


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (
            KilledWorker("games", GONE, 3),
            f"Several workers died over the same games, the last at {GONE.address}: ",
        ),
        (ModuleNotFoundError("No module named 'msgspec'"), "A worker cannot play: No module named 'msgspec'. "),
        (CommClosedError("in <TCP>"), "The scheduler is gone. Nothing is counted"),
    ],
    ids=["workers that die", "a worker without a library", "a line that breaks"],
)
def test_errors_of_dask_become_sentences(error: Exception, sentence: str) -> None:
    with pytest.raises(Unavailable) as refused, cluster._explained_errors():
        raise error
    assert str(refused.value).startswith(sentence)


# --- no cluster -------------------------------------------------------------------------------------------------


def test_missing_scheduler_is_reported(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 0.5)
    refused(capsys, "No Dask scheduler answers at dask://127.0.0.1:1: ", "--on", "dask://127.0.0.1:1")


@pytest.fixture
def listening() -> Iterator[socket.socket]:
    """A port that accepts connections and sends nothing."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        yield found


def at(listening: socket.socket) -> str:
    """Return the place of a port."""
    return f"dask://127.0.0.1:{listening.getsockname()[1]}"


def test_silent_port_is_reported(
    listening: socket.socket, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 0.5)
    refused(capsys, f"No Dask scheduler answers at {at(listening)}: nothing came in time. ", "--on", at(listening))


def test_port_with_other_protocol_is_reported(
    listening: socket.socket, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer() -> None:
        with listening.accept()[0] as line:
            line.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

    async def ask() -> None:
        """Run while this thread already has an event loop."""
        refused(capsys, f"No Dask scheduler answers at {at(listening)}: ", "--on", at(listening))

    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 2.0)
    Thread(target=answer, daemon=True).start()
    in_own_thread(lambda: asyncio.run(ask()))


def test_ctrl_c_while_connecting_gets_one_answer(listening: socket.socket) -> None:
    words = [sys.executable, "-m", "firmware_host.app.cli", "arena", "--on", at(listening)]
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # where tests run in the background it is ignored
    with subprocess.Popen(words, cwd=ROOT, stderr=subprocess.PIPE, text=True) as arena:
        signal.signal(signal.SIGINT, before)
        listening.settimeout(PATIENCE)
        with listening.accept()[0] as line:
            line.recv(1)  # now it waits for an answer
            arena.send_signal(signal.SIGINT)
            said = arena.communicate(timeout=PATIENCE)[1]
    assert (arena.returncode, said) == (130, "Stopped; the games so far are not counted.\n")


@pytest.mark.parametrize("words", ["ray", "dask:", "dask://", "dask://host", "dask://host:port", "tcp://host:8786"])
def test_other_places_are_refused(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    refused(capsys, f"There is no place {words!r} to play on: --on is dask, or dask://HOST:PORT", "--on", words)


def test_missing_extra_is_reported(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """None in `sys.modules` makes an import fail."""
    monkeypatch.delattr("lab.cluster")
    monkeypatch.delitem(sys.modules, "lab.cluster")
    monkeypatch.setitem(sys.modules, "dask", None)
    said = (
        "--on needs Dask distributed, which is not installed. Install the extra `cluster`: "
        "pip install -e '.[cluster]' in the project's folder."
    )
    refused(capsys, said, "--on", "dask")
