"""Play games on Dask distributed: on a local cluster, or on one that is already running (extra `cluster`).

Dask repeats the tasks of a worker that died on another one. All other tasks depend on one task that returns the matches
with their maps. Each worker fetches that result once, and Dask computes it again if the last copy is lost.
"""

from __future__ import annotations

import asyncio
import logging
import platform
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from warnings import catch_warnings, filterwarnings

import dask
from distributed import Client, Future, KilledWorker, LocalCluster
from distributed.client import FutureCancelledError
from distributed.comm.core import connect
from distributed.utils import LoopRunner

from lab.arena import ROOT, Match, Result, game_numbers, play_numbered
from lab.processes import Unavailable, ctrl_c_blocked

CODE = ("engine", "games", "firmware_host/seats", "lab/arena.py", "lab/cluster.py")
"""The code that can affect results, which must be identical on all computers."""

CONNECT_SECONDS = 10.0
"""Seconds within which scheduler and workers must answer."""
RECHECK_SECONDS = 30.0
"""Seconds without a result after which the number of workers is checked."""
BATCH = 8
"""Maximum number of games in a task: a message to the scheduler takes about as long as a quick game."""

REMEDY = "Give all of them the same: only then are the games the same by seed."
AGAIN = "Nothing is counted; the same seed gives the same games again."


# --- the cluster ------------------------------------------------------------------------------------------------


@contextmanager
def local_cluster(jobs: int) -> Iterator[Client]:
    """Start a cluster of `jobs` processes on this computer, which ends with the context. Raises `Unavailable`."""
    quiet = {"distributed.nanny.pre-spawn-environ.DASK_LOGGING__DISTRIBUTED": "critical"}
    with dask.config.set(quiet):
        try:
            with ctrl_c_blocked():
                cluster = LocalCluster(
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
        with cluster, Client(cluster) as client:
            yield client


@contextmanager
def connected_cluster(place: str) -> Iterator[Client]:
    """Connect to the scheduler at `dask://HOST:PORT`. Raises `Unavailable` if its cluster cannot play."""
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # errors are raised as one sentence instead
    address = place.replace("dask://", "tcp://")
    try:
        LoopRunner().run_sync(_require_answer, address)
        with catch_warnings(), ctrl_c_blocked():  # if it is interrupted while connecting, a client fails in `__del__`
            # `_require_same_versions` checks the versions that matter.
            filterwarnings("ignore", "(?s).*Mismatched versions found")
            client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except Exception as error:
        why = "nothing came in time" if isinstance(error, TimeoutError) else str(error) or type(error).__name__
        raise Unavailable(
            f"No Dask scheduler answers at {place}: {why}. Start one with `dask scheduler`, or check the address."
        ) from error
    with client:
        with _explained_errors():
            _require_same_versions(client, place)
        yield client


async def _require_answer(address: str) -> None:
    """Check that Dask answers, because a client would wait for ever for a silent port."""
    comm = await asyncio.wait_for(connect(address, timeout=CONNECT_SECONDS), CONNECT_SECONDS)
    await comm.close()


# --- the same everywhere ----------------------------------------------------------------------------------------


def _require_same_versions(client: Client, place: str) -> None:
    """Check that scheduler and workers have the same versions as this process. Raises `Unavailable`."""
    try:
        client.wait_for_workers(1, timeout=CONNECT_SECONDS)
    except TimeoutError as error:
        raise Unavailable(f"The scheduler at {place} has no workers: start some with `dask worker`.") from error
    for name, answer in client.sync(_versions_everywhere, client, _threads(client)).items():
        _check(name, answer)


async def _versions_everywhere(client: Client, workers: Sequence[str]) -> dict[str, dict[str, str] | BaseException]:
    """Return the `versions` of scheduler and workers, or the error of asking. A stopped worker delays no other."""

    async def ask(worker: str) -> dict[str, str]:
        versions_of: dict[str, str] = (await client.run(versions, workers=[worker]))[worker]
        return versions_of

    requests = {"The scheduler": client.run_on_scheduler(versions)} | {f"The worker {it}": ask(it) for it in workers}
    answers = (asyncio.wait_for(it, CONNECT_SECONDS) for it in requests.values())
    return dict(zip(requests, await asyncio.gather(*answers, return_exceptions=True), strict=True))


def _check(name: str, answer: dict[str, str] | BaseException) -> None:
    """Raise `Unavailable` if an answer to `versions` differs from the own, or the error if the scheduler is gone."""
    mine = versions()
    match answer:
        case dict():
            for what, own in mine.items():
                if answer.get(what) != own:
                    raise Unavailable(f"{name} has {what} {answer.get(what)}, and this computer {own}. {REMEDY}")
        case TimeoutError():
            raise Unavailable(f"{name} does not answer. End it, or see what keeps it from answering.")
        case ImportError() | AttributeError():  # `versions` is sent by name
            raise Unavailable(f"{name} lacks sniperboard {mine['sniperboard']}, or what it needs: {answer}. {REMEDY}")
        case asyncio.CancelledError() | OSError(filename=None):
            raise answer
        case _:
            raise Unavailable(
                f"{name} does not say which versions it has: {str(answer).rstrip('.')}. It has to run what it is "
                "asked: see `blocked-handlers` in its configuration, or play on another."
            )


def _threads(client: Client) -> dict[str, int]:
    """Return worker -> number of threads. Raises `TimeoutError` if the scheduler does not answer."""
    threads: dict[str, int] = client.sync(client.nthreads, callback_timeout=CONNECT_SECONDS)
    return threads


def versions() -> dict[str, str]:
    """Return the versions of this process that can change results."""
    return {
        "Python": ".".join(platform.python_version_tuple()[:2]),
        "distributed": version("distributed"),
        "sniperboard": version("sniperboard"),
        "sniperboard's code": code_hash(),
    }


@cache
def code_hash() -> str:
    """Return a hash of all code and data that can change results."""
    digest = sha256()
    for name in CODE:
        place = ROOT / name
        files = {*place.rglob("*.py"), *place.glob("*/rules/data/**/*")} if place.is_dir() else {place}
        for file in sorted(it for it in files if it.is_file()):
            digest.update(file.relative_to(ROOT).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()[:12]


# --- the games --------------------------------------------------------------------------------------------------


def play_matches(client: Client, matches: Sequence[Match], count: int) -> Iterator[Result]:
    """Yield the results of games 1 to `count` of each match, in order. Raises `BotFault` and `Unavailable`."""
    games = game_numbers(len(matches), count)
    with _explained_errors():
        threads = max(1, sum(_threads(client).values()))
        size = max(1, min(BATCH, len(games) // (4 * threads)))  # keeps all workers busy until the end
        batches = [games[start : start + size] for start in range(0, len(games), size)]
        sent_matches = client.submit(tuple, matches, pure=False)
        for future in client.map(_play, batches, matches=sent_matches, expected=code_hash(), pure=False):
            yield from _results(client, future)


def _play(batch: Sequence[tuple[int, int]], matches: Sequence[Match], expected: str) -> list[Result]:
    """Play games on a worker, which may have joined after `_require_same_versions`. Raises `Unavailable`."""
    if code_hash() != expected:
        raise Unavailable(f"A worker has sniperboard's code {code_hash()}, and this computer {expected}. {REMEDY}")
    return [play_numbered(matches, game) for game in batch]


def _results(client: Client, future: Future[list[Result]]) -> list[Result]:
    """Wait for the results of a task. Raises `Unavailable` if it failed, or if no workers are left."""
    while True:
        try:
            found: list[Result] = future.result(timeout=RECHECK_SECONDS)
            return found
        except OSError as error:
            if future.status == "error":  # raised by the task itself, on a worker
                why = future.exception(CONNECT_SECONDS)
                raise Unavailable(f"A worker cannot play: {str(why) or type(why).__name__}. {AGAIN}") from error
            if not isinstance(error, TimeoutError):
                raise
        if not _threads(client):
            raise Unavailable(f"The cluster has no workers left. {AGAIN}")


@contextmanager
def _explained_errors() -> Iterator[None]:
    """Raise errors of Dask as `Unavailable`."""
    try:
        yield
    except KilledWorker as error:
        raise Unavailable(
            f"Several workers died over the same games, the last at {error.last_worker.address}: does it have "
            f"enough memory? {AGAIN}"
        ) from error
    except TimeoutError as error:
        raise Unavailable(f"The scheduler no longer answers. {AGAIN}") from error
    except (asyncio.CancelledError, FutureCancelledError, OSError) as error:
        raise Unavailable(f"The scheduler is gone. {AGAIN}") from error
    except ImportError as error:
        raise Unavailable(f"A worker cannot play: {error}. {REMEDY}") from error
