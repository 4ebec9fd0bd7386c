"""The contract of board-link/1 at the port: sensors and pictures in time, whatever the host does."""

from __future__ import annotations

import random
from itertools import pairwise

from hardware.ports import Frame
from tests.emulator.conftest import Start
from tests.emulator.host import Host, firmware


def picture(seed: int, lamps: int = 144) -> Frame:
    chance = random.Random(seed)
    return tuple((seed, chance.randrange(8), chance.randrange(8)) for _ in range(lamps))


def longest_gap(host: Host, since: float) -> float:
    """Return the longest time between two scans, in seconds."""
    times = [at / 1e9 for at in host.pico.loads if at / 1e9 >= since]
    assert len(times) > 10
    return max(later - earlier for earlier, later in pairwise(times))


def test_idle_board_scans_200_times_per_second_and_reports_often_enough(host: Host) -> None:
    host.pico.run(0.3)
    since, before = host.pico.now, len(host.pico.loads)
    host.pico.run(0.5)
    assert len(host.pico.loads) - before >= 100
    beats = [at for at in host.senses if at >= since]
    assert max(later - earlier for earlier, later in pairwise(beats)) < 0.25


def test_edges_arrive_within_two_milliseconds_of_their_debounce_time(host: Host) -> None:
    for turn in range(4):
        host.pico.run(0.0137)
        scan = 0.002  # the contact may close just after a scan
        assert 0.010 <= host.feels(37 * turn % 144, True) < 0.012 + scan
        assert 0.025 <= host.feels(37 * turn % 144, False) < 0.027 + scan


def test_each_picture_is_sent_once_and_shown_as_fast_as_lamps_allow(host: Host) -> None:
    sent, since = len(host.sent), host.pico.now
    for seed in range(10):
        host.shows(picture(seed))
        host.pico.run(0.006)
        assert host.pico.strip.shown == picture(seed)
    assert len([out for out in host.sent[sent:] if len(out) > 400]) == 10
    assert (host.pico.now - since) / 10 < 1 / 60
    assert longest_gap(host, since) < 0.015


def test_first_lamp_lights_within_one_strip_time_of_pictures_arrival(host: Host) -> None:
    for seed in range(12):
        host.pico.run(0.03 + 0.0003 * seed)
        host.shows(picture(seed))
        assert host.pico.strip.starts[-1] / 1e9 - host.pico.cable.arrived < 144 * 30e-6


def test_board_of_363_lamps_gets_each_picture_once(start: Start) -> None:
    host = Host(start(firmware(16, 363)), 16, 363)
    host.meet()
    sent = len(host.sent)
    for seed in range(4):
        host.shows(picture(seed, 363))
    host.pico.run(0.03)
    assert host.pico.strip.shown == picture(3, 363)
    assert len([out for out in host.sent[sent:] if len(out) > 1000]) == 4


def test_host_that_does_not_read_delays_no_scan(host: Host) -> None:
    host.pico.cable.reads = False
    since = host.pico.now
    for sensor in range(20):
        host.pico.chain.touch(sensor, True)
        host.pico.run(0.03)
    assert longest_gap(host, since) < 0.008
    host.pico.cable.reads = True
    host.pico.cable.fetch()
    assert host.pico.until(lambda: host.session.down == (1 << 20) - 1, 0.5)
    host.pico.chain.down = 0
    host.pico.run(0.1)


def test_closed_port_delays_no_scan_and_works_when_opened_again(host: Host) -> None:
    host.leave()
    host.pico.cable.open(False)
    since = host.pico.now
    host.pico.run(0.5)
    assert longest_gap(host, since) < 0.008
    host.attend()
    host.meet(0.5)


def test_low_supplies_are_reported(host: Host) -> None:
    host.pico.run(1.1)
    assert host.session.fault is None
    host.pico.supply(4.2, 5.0)
    assert host.pico.until(lambda: "4200" in str(host.session.fault) or "4199" in str(host.session.fault), 1.2)
    host.pico.supply(5.0, 4.4)
    assert host.pico.until(lambda: "The lamps have too little power" in str(host.session.fault), 5)
    host.pico.supply(5.0, 5.0)


def test_pulled_cable_comes_back_with_what_stands_on_board(host: Host) -> None:
    host.pico.unplug()
    host.pico.chain.touch(17, True)
    host.pico.plug()
    host.attend()
    assert host.pico.until(lambda: host.session.down == 1 << 17, 5)
    host.meet()
