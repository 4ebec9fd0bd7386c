"""What every test runs under: Hypothesis finds the same examples each time, and takes the time that it needs."""

import os

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "house", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("house")


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors: browsers, disks and processes that are killed keep a worker waiting."""
    return (os.cpu_count() or 1) + 1


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The long ones first: begun last, one would keep a single worker busy while the others have nothing left to do."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)
