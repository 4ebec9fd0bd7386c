"""Faults of the sensor chain at several places: each is named with its chip, and no sensor is blamed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.emulator.conftest import Start
from tests.emulator.host import Host, firmware
from tests.hardware.model.chain import Chain165

CHIPS = 6
SENSORS = 8 * CHIPS


@pytest.fixture(scope="module")
def standing(start: Start) -> Host:
    """A host with something on sensors 3 and 42."""
    found = Host(start(firmware(SENSORS, 6), chips=CHIPS), SENSORS, 6)
    found.meet()
    found.feels(3, True)
    found.feels(42, True)
    return found


def having(**fault: object) -> Callable[[Chain165], None]:
    return lambda chain: vars(chain).update(fault)


OPEN = "All chips answer, but the loop is open"
FAULTS = {
    "cut 0": (having(cut=0, level=False), "does not answer at all"),
    "cut 1": (having(cut=1, level=False), "The chain ends after chip 0"),
    "cut 4": (having(cut=4, level=False), "The chain ends after chip 3"),
    "cut 2 high": (having(cut=2, level=True), "broken behind chip 0, or farther along"),
    "loop": (having(far=False), OPEN),
    "loop high": (having(far=True), "broken behind chip 5, or farther along|" + OPEN),
    "inverted 0": (having(inverted=0), "inverted from chip 0 on"),
    "inverted 4": (having(inverted=4), "inverted from chip 4 on"),
    "silent 0": (having(silent={0}), "Chip 0 is silent"),
    "silent 5": (having(silent={5}), "Chip 5 is silent"),
    "short": (lambda chain: chain.repair(CHIPS - 1), "The chain has 5 chips, and config.py counts 6"),
    "long": (lambda chain: chain.repair(CHIPS + 2), "The chain has 8 chips, and config.py counts 6"),
}
FAULTS |= {
    f"slip {edge} {edges}": (having(slip=(edge, edges)), f"slips by some bits {place}:")
    for edge, edges, place in (
        (0, 1, "at chip 0"),
        (0, -1, "at chip 0"),
        (7, 1, "between chip 0 and chip 1"),
        (8, -1, "at chip 1"),
        (19, -2, "at chip 2"),
        (22, 8, "at chip 2"),
        (31, -1, "between chip 3 and chip 4"),
        (36, -3, "at chip 4"),
        (46, 2, "at chip 5"),
    )
}


@pytest.mark.parametrize("fault", FAULTS)
def test_fault_is_named_harmless_and_repairable(standing: Host, fault: str) -> None:
    harm, words = FAULTS[fault]
    before = len(standing.edges)
    harm(standing.pico.chain)
    said = standing.fault()
    standing.pico.chain.repair(CHIPS)
    assert any(word in said for word in words.split("|")), said
    assert standing.pico.until(lambda: standing.session.fault is None, 0.5)
    assert standing.edges[before:] == []
    assert standing.session.down == 1 << 3 | 1 << 42


def test_far_end_that_is_read_late_is_no_fault(standing: Host) -> None:
    standing.pico.chain.late = True
    standing.pico.run(0.3)
    standing.pico.chain.late = False
    assert standing.session.fault is None
