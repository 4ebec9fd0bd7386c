"""What every test runs under: Hypothesis finds the same examples each time, and takes the time that it needs."""

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "house", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("house")


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors: browsers, disks and processes that are killed keep a worker waiting."""
    return (os.cpu_count() or 1) + 1
