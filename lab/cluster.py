"""The arena's games on Dask distributed: on a cluster of processes here, or on one that runs already (extra `cluster`).

Dask sends the tasks out, and sends those of a worker that died to another. The matches with their maps are the result
of one task, on which all others depend: each worker fetches them once, and where the last copy is lost with its worker
Dask makes them again. The table never imports this module.
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
"""What decides how a game goes, and how it is played here."""

CONNECTING = 10.0
"""Seconds in which a scheduler and its workers answer, and in which it has a worker."""
LOOKING = 30.0
"""Seconds without a result after which it is seen whether there are workers still."""

REMEDY = "Give all of them the same: only then are the games the same by seed."
ALLOW = "It has to run what it is asked: see `blocked-handlers` in its configuration, or play on another."
AGAIN = "Nothing is counted; the same seed gives the same games again."


# --- the cluster ------------------------------------------------------------------------------------------------


@contextmanager
def local(jobs: int) -> Iterator[Client]:
    """A cluster of `jobs` processes on this computer, which ends with the context. Raises `Unavailable`."""
    quiet = {"distributed.nanny.pre-spawn-environ.DASK_LOGGING__DISTRIBUTED": "critical"}
    with dask.config.set(quiet), _own(jobs) as cluster, Client(cluster) as client:
        yield client


def _own(jobs: int) -> LocalCluster:
    """Raises `Unavailable` where it cannot be started."""
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
    """The cluster of a scheduler, `dask://HOST:PORT`. Raises `Unavailable` where it cannot play."""
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what it would log is told in a sentence
    address = "tcp://" + place.removeprefix(SCHEME)
    try:
        LoopRunner().run_sync(_greet, address)
        with catch_warnings(), deaf_to_ctrl_c():  # a client that is stopped while it connects fails in its `__del__`
            filterwarnings("ignore", "(?s).*Mismatched versions found")  # `_compare` judges, by what matters here
            client = Client(address, timeout=CONNECTING, set_as_default=False)
    except Exception as error:
        why = "nothing came in time" if isinstance(error, TimeoutError) else str(error) or type(error).__name__
        raise Unavailable(
            f"No Dask scheduler answers at {place}: {why}. Start one with `dask scheduler`, or check the address."
        ) from error
    with client:
        with _told():
            _compare(client, place)
        yield client


async def _greet(address: str) -> None:
    """See that Dask answers there: a client waits for ever for whatever says nothing."""
    comm = await asyncio.wait_for(connect(address, timeout=CONNECTING), CONNECTING)
    await comm.close()


# --- the same everywhere ----------------------------------------------------------------------------------------


def _compare(client: Client, place: str) -> None:
    """See that scheduler and workers have what is here. Raises `Unavailable` for the first that has not."""
    try:
        client.wait_for_workers(1, timeout=CONNECTING)
    except TimeoutError as error:
        raise Unavailable(f"The scheduler at {place} has no workers: start some with `dask worker`.") from error
    _agree(client, "Python", platform.python_version, lambda its: its.rpartition(".")[0])
    _agree(client, "distributed", partial(version, "distributed"))
    _agree(client, "sniperboard", partial(version, "sniperboard"))
    _agree(client, "sniperboard's code", code)


def _agree(client: Client, what: str, ask: Callable[[], str], of: Callable[[str], str] = str) -> None:
    """See that all answer as this process does, `of` being what matters of an answer. Raises `Unavailable`.

    What is asked is sent by its name, so whoever lacks it answers with the error of that.
    """
    mine = ask()
    answers: dict[str, str | Exception] = client.sync(_answers, client, ask)
    for who, its in answers.items():
        if isinstance(its, TimeoutError):
            raise Unavailable(f"{who} does not answer. End it, or see what keeps it from answering.")
        if isinstance(its, Exception) and not isinstance(its, ImportError | AttributeError):
            raise Unavailable(f"{who} does not say which {what} it has: {str(its).rstrip('.')}. {ALLOW}")
        if isinstance(its, Exception):
            raise Unavailable(f"{who} has not {what} {mine}, as this computer has ({its}). {REMEDY}")
        if of(its) != of(mine):
            raise Unavailable(f"{who} has {what} {its}, and this computer {mine}. {REMEDY}")


async def _answers(client: Client, ask: Callable[[], str]) -> dict[str, str | Exception]:
    """What each says, or what it failed with. Raises `OSError` where the scheduler is gone."""
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
    """What comes in time, or what is raised instead. Raises `OSError` where the scheduler is gone."""
    try:
        return await asyncio.wait_for(asked, CONNECTING)
    except OSError as error:
        if error.filename is None and not isinstance(error, TimeoutError):
            raise
        return error
    except Exception as error:
        return error


async def _threads(client: Client) -> dict[str, int]:
    """Worker -> its threads. Raises `TimeoutError` where the scheduler does not answer."""
    found: dict[str, int] = await asyncio.wait_for(client.nthreads(), CONNECTING)
    return found


@cache
def code() -> str:
    """A hash over the source and the data of everything that decides how a game goes."""
    found = sha256()
    for name in CODE:
        place = ROOT / name
        files = {*place.rglob("*.py"), *place.glob("*/rules/data/**/*")} if place.is_dir() else {place}
        for file in sorted(it for it in files if it.is_file()):
            found.update(file.relative_to(ROOT).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return found.hexdigest()[:12]


# --- the games --------------------------------------------------------------------------------------------------


def play_each(client: Client, matches: Sequence[Match], count: int) -> Iterator[Result]:
    """Games 1 to `count` of each match, in order. Raises `BotFault` and `Unavailable`."""
    with _told():
        held = client.submit(tuple, matches, pure=False)
        todo = tasks(len(matches), count, max(1, sum(client.sync(_threads, client).values())))
        futures = client.map(_play, todo, matches=held, expected=code(), pure=False)
        for future in futures:
            yield from _result(client, future)


def _play(task: Task, matches: Sequence[Match], expected: str) -> list[Result]:
    """A task, on a worker, which may have come after the others were compared. Raises `Unavailable`."""
    if code() != expected:
        raise Unavailable(f"A worker has sniperboard's code {code()}, and this computer {expected}. {REMEDY}")
    return play_task(matches, task)


def _result(client: Client, future: Future[list[Result]]) -> list[Result]:
    """What a task has brought, once it has. Raises `Unavailable` when it cannot, and when nobody is left to play."""
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
def _told() -> Iterator[None]:
    """What Dask raises, as a `Unavailable`."""
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
