"""What every test runs under: Hypothesis finds the same examples each time, and takes the time that it needs."""

import gc
import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser, expect

import firmware_host.app.cli  # noqa: F401  # it hands the compiler of drawings to `firmware_host.core.maps`
from tests.apart import beside_others
from tests.depth import DEPTH
from tools.tour import PATIENCE, chromium

settings.register_profile(
    "house", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("house")

expect.set_options(timeout=PATIENCE)

os.umask(0o077)
"""Folders that tests make are private, as state folders have to be; the service runs under the same mask."""

gc.set_threshold(700, 10, 200)
"""Thousands of tests stay to the end; to look through all of them as often as usual costs a twentieth of the time."""


def pytest_xdist_auto_num_workers() -> int:
    """Return two for each processor: browsers and processes that are killed keep a worker waiting half of the time.

    More would only collect all tests once more each.
    """
    return 2 * (os.cpu_count() or 1)


def pytest_collection_finish() -> None:
    """Keep the collected tests out of later garbage collections."""
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what only `make nightly` runs, and put the others into an order that keeps all workers busy.

    Every worker begins with its share of the long ones: begun last, one would keep a single worker busy while the
    others have nothing left to do. What runs alone is the very first: begun later, it would wait for the longest of
    those that are under way, and keep others from beginning meanwhile.
    """
    nightly = [item for item in items if DEPTH == 1 and item.get_closest_marker("nightly")]
    if nightly:
        config.hook.pytest_deselected(items=nightly)
        items[:] = [item for item in items if item not in set(nightly)]
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    long = [item for item in items if item.get_closest_marker("long")]
    long.sort(key=lambda item: item.get_closest_marker("alone") is None)
    short = [item for item in items if not item.get_closest_marker("long")]
    shares = [len(short) * worker // workers for worker in range(workers + 1)]
    items[:] = [
        item
        for worker in range(workers)
        for item in (*long[worker::workers], *short[slice(*shares[worker : worker + 2])])
    ]


@pytest.fixture(scope="session")
def running_chromium() -> Iterator[Browser]:
    """One for all tests of a worker: starting it costs a second of processor time, more than many of them.

    As long as it runs, no event loop can be started in the main thread; see `in_own_thread`.
    """
    with chromium() as running:
        yield running


@pytest.fixture
def browser(running_chromium: Browser) -> Iterator[Browser]:
    """A browser that knows nothing of any test before; each device opens a context of its own in it."""
    with beside_others():
        yield running_chromium
        for context in running_chromium.contexts:
            context.close()
