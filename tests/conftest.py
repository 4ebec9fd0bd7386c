"""Settings for every test: Hypothesis finds the same examples each time, without a deadline. Browsers are shared."""

import gc
import hashlib
import importlib
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser, expect

import firmware_host.app.cli  # noqa: F401  # it hands the compiler of drawings to `firmware_host.core.maps`
from firmware_host.table import loop
from games import __path__ as game_folders
from tests import patience, speed
from tests.apart import beside_others
from tests.depth import COLLECTED, DEPTH
from tests.devices import give_back
from tools.tour import PATIENCE, start_chromium

settings.register_profile(
    "project", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("project")

expect.set_options(timeout=PATIENCE)

loop.TIMEOUT = patience.PATIENCE
"""A table of a test answers on a busy machine too, rather than say that it is busy."""

os.umask(0o077)
"""Folders that tests make are private, as state folders must be. The service runs under the same mask."""

gc.set_threshold(700, 10, 200)
"""The collected tests live to the end of the run. Scanning all of them as often as usual takes 5 % of the time."""


game_folders.sort(key=lambda folder: "template" not in folder)
"""The outside game of the tests comes first, as an installed one can that lies in the project's folder."""

HERE = Path(__file__).parent


@pytest.fixture(autouse=True)
def true_hashes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Restore the true work for a test with the mark `true_hashes`."""
    if request.node.get_closest_marker("true_hashes") is not None:
        monkeypatch.setattr(hashlib, "scrypt", speed.real_scrypt)


def pytest_xdist_auto_num_workers() -> int:
    """Return two workers per processor: workers wait half of the time for browsers and killed processes.

    With more, each worker only repeats the collection of all tests.
    """
    return 2 * (os.cpu_count() or 1)


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Import this worker's share of the tests first, so that one worker compiles each file of a new checkout.

    pytest rewrites the assertions of a file that has no bytecode yet, which takes longer than the rest of the
    collection. All workers collect in the same order: without shares, each would rewrite every file.
    """
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    if workers == 1 or session.config.getoption("file_or_dir"):
        return
    worker = int(os.environ["PYTEST_XDIST_WORKER"].removeprefix("gw"))
    for path in sorted(HERE.rglob("test_*.py"))[worker::workers]:
        if "emulator" not in path.parts:
            # A file that cannot be imported is reported when it is collected.
            with suppress(Exception, pytest.skip.Exception):
                importlib.import_module(".".join(path.relative_to(HERE.parent).with_suffix("").parts))


def pytest_collection_finish() -> None:
    """Keep the collected tests out of later garbage collections."""
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out tests that only `make nightly` runs, and order the others so that all workers stay busy.

    Every worker starts with its share of the long tests. A long test that starts last would keep one worker busy while
    the others have nothing left to do. Tests that run alone come first of all: later, they would wait for the longest
    test in progress, and keep others from starting meanwhile.
    """
    config.stash[COLLECTED] = {item.path for item in items}
    nightly = [item for item in items if DEPTH == 1 and item.get_closest_marker("nightly")]
    if nightly:
        config.hook.pytest_deselected(items=nightly)
        items[:] = [item for item in items if item not in set(nightly)]
    for item in items:
        if item.get_closest_marker("browser"):
            # Playwright's event loop leaves its own resources to the interpreter's end.
            item.add_marker(pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"))
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
    """One browser for all tests of a worker: starting it takes a second of CPU time, more than many tests.

    While it runs, no event loop can be started in the main thread; see `in_own_thread`.
    """
    with start_chromium() as running:
        yield running


@pytest.fixture
def browser(running_chromium: Browser) -> Iterator[Browser]:
    """A browser without data of earlier tests, for any number of devices."""
    with beside_others():
        yield running_chromium
        give_back(running_chromium)
