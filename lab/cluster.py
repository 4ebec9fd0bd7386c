"""Play games on Dask distributed: on a local cluster, or on one that is already running (extra `cluster`).

Dask repeats the tasks of a worker that died on another one. The matches with their maps are the result of one task on
which all others depend: each worker fetches them once, and Dask makes them again if the last copy is lost.
"""

from __future__ import annotations

import asyncio
import logging
import platform
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from hashlib import sha256
from importlib.metadata import version
from warnings import catch_warnings, filterwarnings

import dask
from distributed import Client, Future, KilledWorker, LocalCluster
from distributed.client import FutureCancelledError
from distributed.comm.core import CommClosedError, connect
from distributed.utils import LoopRunner

from lab.arena import ROOT, Match, Result, Task, play_task, tasks
from lab.places import SCHEME
from lab.processes import Unavailable, deaf_to_ctrl_c

CODE = ("engine", "games", "firmware_host/seats", "lab/arena.py", "lab/cluster.py")
"""The code that can change results; it must be the same everywhere."""

CONNECTING = 10.0
"""Seconds within which scheduler and workers must answer."""
LOOKING = 30.0
"""Seconds without a result after which the number of workers is checked."""

REMEDY = "Give all of them the same: only then are the games the same by seed."
ALLOW = "It has to run what it is asked: see `blocked-handlers` in its configuration, or play on another."
AGAIN = "Nothing is counted; the same seed gives the same games again."


# --- the cluster ------------------------------------------------------------------------------------------------


@contextmanager
def local(jobs: int) -> Iterator[Client]:
    """Start a cluster of `jobs` processes on this computer, which ends with the context. Raises `Unavailable`."""
    quiet = {"distributed.nanny.pre-spawn-environ.DASK_LOGGING__DISTRIBUTED": "critical"}
    with dask.config.set(quiet), _own(jobs) as cluster, Client(cluster) as client:
        yield client


def _own(jobs: int) -> LocalCluster:
    """Return a new local cluster. Raises `Unavailable` if it cannot start."""
    try:
        with deaf_to_ctrl_c():
            return LocalCluster(
                n_workers=jobs,
                threads_per_worker=1,
                processes=True,
                host="127.0.0.1",
                dashboard_address="127.0.0.1:0",  # None would be port 8787, which a second cluster cannot have
                silence_logs=logging.CRITICAL,
            )
    except Exception as error:
        why = str(error.__cause__ or error).rstrip(".") or type(error).__name__
        raise Unavailable(
            f"Dask cannot start a cluster here: {why}. Try fewer --jobs, or leave out --on to play without Dask."
        ) from error


@contextmanager
def running(place: str) -> Iterator[Client]:
    """Connect to the scheduler at `dask://HOST:PORT`. Raises `Unavailable` if its cluster cannot play."""
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # errors are raised as one sentence instead
    address = "tcp://" + place.removeprefix(SCHEME)
    try:
        LoopRunner().run_sync(_greet, address)
        with catch_warnings(), deaf_to_ctrl_c():  # interrupted while connecting, a client fails in `__del__`
            filterwarnings("ignore", "(?s).*Mismatched versions found")  # `_compare` checks the versions that matter
            client = Client(address, timeout=CONNECTING, set_as_default=False)
    except Exception as error:
        why = "nothing came in time" if isinstance(error, TimeoutError) else str(error) or type(error).__name__
        raise Unavailable(
            f"No Dask scheduler answers at {place}: {why}. Start one with `dask scheduler`, or check the address."
        ) from error
    with client:
        with _explained_errors():
            _compare(client, place)
        yield client


async def _greet(address: str) -> None:
    """Check that Dask answers, because a client would wait for ever for a silent port."""
    comm = await asyncio.wait_for(connect(address, timeout=CONNECTING), CONNECTING)
    await comm.close()


# --- the same everywhere ----------------------------------------------------------------------------------------


def _compare(client: Client, place: str) -> None:
    """Check that scheduler and workers have the same versions as this process. Raises `Unavailable`."""
    try:
        client.wait_for_workers(1, timeout=CONNECTING)
    except TimeoutError as error:
        raise Unavailable(f"The scheduler at {place} has no workers: start some with `dask worker`.") from error
    _agree(client, "Python", platform.python_version, lambda its: its.rpartition(".")[0])
    _agree(client, "distributed", partial(version, "distributed"))
    _agree(client, "sniperboard", partial(version, "sniperboard"))
    _agree(client, "sniperboard's code", code)


def _agree(client: Client, what: str, ask: Callable[[], str], of: Callable[[str], str] = str) -> None:
    """Check that all answer like this process; `of` selects the part of an answer that matters. Raises `Unavailable`.

    `ask` is sent by name, so a worker without it answers with an import error.
    """
    mine = ask()
    answers: dict[str, str | Exception] = client.sync(_answers, client, ask)
    for who, its in answers.items():
        if isinstance(its, TimeoutError):
            raise Unavailable(f"{who} does not answer. End it, or see what keeps it from answering.")
        if isinstance(its, Exception) and not isinstance(its, ImportError | AttributeError):
            raise Unavailable(f"{who} does not say which {what} it has: {str(its).rstrip('.')}. {ALLOW}")
        if isinstance(its, Exception):
            raise Unavailable(f"{who} lacks {what} {mine}, which this computer has ({its}). {REMEDY}")
        if of(its) != of(mine):
            raise Unavailable(f"{who} has {what} {its}, and this computer {mine}. {REMEDY}")


async def _answers(client: Client, ask: Callable[[], str]) -> dict[str, str | Exception]:
    """Return the answer or the error of each. Raises `OSError` if the scheduler is gone."""
    scheduler = await _answer(client.run_on_scheduler(ask))
    if isinstance(scheduler, TimeoutError):
        return {"The scheduler": scheduler}  # workers are asked through it

    async def asked(worker: str) -> str | Exception:
        its: str | Exception = (await client.run(ask, workers=[worker], on_error="return"))[worker]
        return its

    workers = list(await _threads(client))
    said = await asyncio.gather(*(_answer(asked(worker)) for worker in workers))
    return {
        **{f"The worker {worker}": its for worker, its in zip(workers, said, strict=True)},
        "The scheduler": scheduler,
    }


async def _answer(asked: Awaitable[str | Exception]) -> str | Exception:
    """Return an answer, or its error. Raises `OSError` if the scheduler is gone."""
    try:
        return await asyncio.wait_for(asked, CONNECTING)
    except OSError as error:
        if error.filename is None and not isinstance(error, TimeoutError):
            raise
        return error
    except Exception as error:
        return error


async def _threads(client: Client) -> dict[str, int]:
    """Return worker -> number of threads. Raises `TimeoutError` if the scheduler does not answer."""
    found: dict[str, int] = await asyncio.wait_for(client.nthreads(), CONNECTING)
    return found


@cache
def code() -> str:
    """Return a hash of all code and data that can change results."""
    found = sha256()
    for name in CODE:
        place = ROOT / name
        files = {*place.rglob("*.py"), *place.glob("*/rules/data/**/*")} if place.is_dir() else {place}
        for file in sorted(it for it in files if it.is_file()):
            found.update(file.relative_to(ROOT).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return found.hexdigest()[:12]


# --- the games --------------------------------------------------------------------------------------------------


def play_each(client: Client, matches: Sequence[Match], count: int) -> Iterator[Result]:
    """Yield the results of games 1 to `count` of each match, in order. Raises `BotFault` and `Unavailable`."""
    with _explained_errors():
        held = client.submit(tuple, matches, pure=False)
        todo = tasks(len(matches), count, max(1, sum(client.sync(_threads, client).values())))
        futures = client.map(_play, todo, matches=held, expected=code(), pure=False)
        for future in futures:
            yield from _result(client, future)


def _play(task: Task, matches: Sequence[Match], expected: str) -> list[Result]:
    """Play a task on a worker, which may have joined after `_compare`. Raises `Unavailable`."""
    if code() != expected:
        raise Unavailable(f"A worker has sniperboard's code {code()}, and this computer {expected}. {REMEDY}")
    return play_task(matches, task)


def _result(client: Client, future: Future[list[Result]]) -> list[Result]:
    """Wait for the results of a task. Raises `Unavailable` if it failed, or if no workers are left."""
    while True:
        try:
            return future.result(timeout=LOOKING)
        except OSError as error:
            if future.status == "error":  # raised by the task itself, on a worker
                why = future.exception(CONNECTING)
                raise Unavailable(f"A worker cannot play: {str(why) or type(why).__name__}. {AGAIN}") from error
            if not isinstance(error, TimeoutError):
                raise
        if not client.sync(_threads, client):
            raise Unavailable(f"The cluster has no workers left. {AGAIN}")


@contextmanager
def _explained_errors() -> Iterator[None]:
    """Raise errors of Dask as `Unavailable`."""
    try:
        yield
    except KilledWorker as error:
        raise Unavailable(
            f"Several workers died over the same games, the last at {error.last_worker.address}: has it enough memory? "
            f"{AGAIN}"
        ) from error
    except TimeoutError as error:
        raise Unavailable(f"The scheduler does not answer any more. {AGAIN}") from error
    except (asyncio.CancelledError, FutureCancelledError, CommClosedError, OSError) as error:
        raise Unavailable(f"The scheduler is gone. {AGAIN}") from error
    except ImportError as error:
        raise Unavailable(f"A worker cannot play: {error}. {REMEDY}") from error
