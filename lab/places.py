"""Choose where games are played: in processes of this computer, or on a Dask cluster (extra `cluster`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from engine.refusal import NotUnderstood
from lab.arena import Match, Result, play_each
from lab.processes import Unavailable

OWN_CLUSTER = "dask"
"""A temporary cluster of processes on this computer."""
SCHEME = "dask://"
"""Prefix of the address of a running scheduler."""
ADDRESS = re.compile(SCHEME + r"(\[[0-9a-fA-F:.%]+\]|[\w.-]+):\d{1,5}")

Player = Callable[[Sequence[Match], int], Iterator[Result]]
"""Plays games 1 to a number of each match, and yields the results in order."""


@contextmanager
def playing(on: str | None, jobs: int) -> Iterator[Player]:
    """Provide the player for a place: None (`jobs` processes), `dask` (a cluster of `jobs`) or `dask://HOST:PORT`.

    Raises `NotUnderstood` for any other place, and `Unavailable`, which the player may also raise.
    """
    if on is None:
        yield partial(play_each, jobs=jobs)
        return
    if on != OWN_CLUSTER and not ADDRESS.fullmatch(on):
        raise NotUnderstood(
            f"There is no place {on!r} to play on: --on is dask, or dask://HOST:PORT with the address of a scheduler."
        )
    try:
        from lab import cluster
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("dask", "distributed"):
            raise
        raise Unavailable(
            "--on needs Dask distributed, which is not installed. Install the extra `cluster`: "
            "pip install -e '.[cluster]' in the project's folder."
        ) from error
    with cluster.local(jobs) if on == OWN_CLUSTER else cluster.running(on) as client:
        yield partial(cluster.play_each, client)
