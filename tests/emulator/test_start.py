"""The board's start and its ends: early bytes, the watchdog, the REPL, errors."""

from __future__ import annotations

import pytest

from hardware.link.flash import KNOCK, OPEN_RAW, PREPARE, RUN
from tests.emulator.conftest import Start
from tests.emulator.host import Host, firmware

SMALL = firmware(16, 6)
WATCHDOG = 2.0
"""Seconds without feeding after which the watchdog resets the board."""
PROMPT = b">>> "


def says(host: Host, words: bytes, seconds: float) -> bool:
    """Wait until the board says this, and forget what it said before."""
    found = host.pico.until(lambda: words in host.text, seconds)
    host.text = host.text.rpartition(words)[2]
    return found


@pytest.fixture(scope="module")
def small(start: Start) -> Host:
    """A host that does nothing by itself, at a running board."""
    host = Host(start(SMALL), 16, 6)
    host.meet()
    host.leave()
    return host


def knock(host: Host) -> None:
    """End the firmware. The REPL answers."""
    host.leave()
    host.pico.cable.send(KNOCK)
    assert says(host, PROMPT, 1)


@pytest.mark.parametrize("moments", [(0.05,), (0.1,), (0.2, 0.26, 0.32, 0.38, 0.44, 0.5, 0.56, 0.62)], ids=str)
def test_byte_03_during_start_stops_no_board(start: Start, moments: tuple[float, ...]) -> None:
    pico = start(SMALL)
    pico.cable.open(True)
    for moment in moments:
        pico.run(moment - pico.now)
        pico.cable.send(b"\x03")
    host = Host(pico, 16, 6)
    host.meet()


def test_watchdog_waits_at_repl_and_resets_loop_that_hangs(small: Host) -> None:
    knock(small)
    small.pico.run(WATCHDOG + 0.5)
    assert not small.pico.resets
    since = small.pico.now
    small.pico.cable.send(b"keeper.deinit()\rwhile True: pass\r\r")
    assert small.pico.until(lambda: small.pico.resets, WATCHDOG + 0.2)
    assert small.pico.resets.pop() - since > WATCHDOG - 0.6
    small.attend()
    small.meet()


def test_host_restarts_board_that_it_finds_at_its_prompt(small: Host) -> None:
    knock(small)
    small.attend()
    small.pico.cable.send(b"\r")
    small.meet()
    assert not small.pico.resets


def test_soft_reset_into_raw_repl_is_not_bitten(small: Host) -> None:
    knock(small)
    small.pico.cable.send(PREPARE + OPEN_RAW)
    small.pico.run(0.1)
    small.pico.cable.send(RUN)
    assert says(small, b"soft reboot", 1)
    small.pico.run(WATCHDOG + 0.5)
    assert not small.pico.resets
    small.pico.cable.send(b"\x02" + RUN)
    small.attend()
    small.meet()


def test_error_is_printed_each_second_and_two_ctrl_c_open_repl(start: Start) -> None:
    broken = SMALL["strip.py"].replace(b"shifts = SHIFTS[order]", b"raise ValueError('no such order')")
    host = Host(start(SMALL | {"strip.py": broken}), 16, 6)
    host.leave()
    assert host.pico.until(lambda: host.text.count(b"no such order") > 2, 5)
    host.pico.cable.reads = False
    host.pico.run(WATCHDOG + 0.5)
    assert not host.pico.resets
    host.pico.cable.reads = True
    host.pico.cable.fetch()
    host.pico.cable.send(b"\x03\x03")
    assert says(host, PROMPT, 2.5)
