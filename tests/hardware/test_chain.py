"""A broken chain of shift registers is reported with the place of the break, and moves no miniatures."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hardware.health import FEW, count_warning
from hardware.link.messages import CHAIN, fault_sentence
from hardware.ports import Edge
from tests.hardware.desk import Desk, Host
from tests.hardware.firmware import Proof
from tests.hardware.pico import Pico, needs_micropython
from tests.hardware.states import Told
from tests.hardware.talk import Talk

COUNT = 80
"""Sensors on ten chips."""


@pytest.fixture
def pico(desk: Desk) -> Pico:
    return desk.pico(sensors=COUNT, lamps=COUNT)


def standing(pico: Pico, desk: Desk) -> Host:
    """Return a host with something on sensors 3 and 70."""
    host = desk.host(pico.name, count=COUNT)
    pico.touch(3, True)
    pico.touch(70, True)
    host.start()
    assert {host.edge(), host.edge()} == {(3, True), (70, True)}
    return host


FAULTS = [
    (("cut 8 0",), "The chain ends after chip 7: nothing comes from chip 8."),
    (("cut 0 0",), "The chain of shift registers does not answer at all."),
    (("cut 8 1",), "broken behind chip 0, or farther along"),
    (("cut 10 1",), "broken behind chip 8, or farther along"),
    (("cut 10 0",), "All chips answer, but the loop is open"),
    (("invert 4",), "The chain is inverted from chip 4 on"),
    (("invert 10",), "comes out inverted. Connect GP19 to SER directly"),
    (("mute 9",), "Chip 9 is silent"),
    (("chips 9",), "The chain has 9 chips, and config.py counts 10. .*SENSORS = 72"),
    (("chips 12",), "The chain has 12 chips, and config.py counts 10. .*SENSORS = 96"),
    (("slip 3",), "The chain slips by some bits"),
]


@needs_micropython
@pytest.mark.parametrize(("faults", "words"), FAULTS, ids=lambda value: value[0] if isinstance(value, tuple) else None)
def test_fault_of_chain_is_reported_harmless_and_repairable(
    pico: Pico, desk: Desk, faults: tuple[str, ...], words: str
) -> None:
    host = standing(pico, desk)
    pico.break_chain(*faults)
    said = str(host.state())
    assert re.search(words, said), said
    assert host.felt.empty()
    pico.break_chain()
    pico.touch(70, False)
    assert host.state() is None
    assert host.edge() == (70, False)
    assert host.felt.empty()


@needs_micropython
def test_break_that_looks_empty_is_located_by_touching_inputs(pico: Pico, desk: Desk) -> None:
    host = desk.host(pico.name, count=COUNT)
    pico.break_chain("cut 5 1")
    host.start()
    assert "Touch inputs to ground, chip by chip" in str(host.state())
    pico.touch(8 * 4 + 2, True)
    assert "broken behind chip 4, or farther" in str(host.state())
    assert host.felt.empty()


@needs_micropython
def test_board_starting_with_broken_chain_lifts_nothing(pico: Pico, desk: Desk) -> None:
    stable = desk.folder / "port"
    stable.symlink_to(pico.name)
    host = desk.host(str(stable), count=COUNT)
    pico.touch(3, True)
    host.start()
    assert host.edge() == (3, True)
    pico.unplug()
    pico.break_chain("cut 2 0")
    pico.plug_in()
    stable.unlink()
    stable.symlink_to(pico.name)
    while "ends after chip 1" not in str(host.state()):
        pass
    assert host.felt.empty()


@needs_micropython
def test_older_config_without_loop_still_works(pico: Pico, desk: Desk) -> None:
    pico.unplug()
    config = pico.flash / "config.py"
    config.write_text("".join(line for line in config.read_text().splitlines(True) if "CHAIN_LOOP" not in line))
    pico.break_chain("cut 10 1")
    pico.plug_in()
    host = standing(pico, desk)
    assert host.said.empty()


@needs_micropython
@pytest.mark.parametrize("faults", [("late",), ("late", "mute 9"), ("late", "chips 9")], ids=" ".join)
def test_late_reading_of_far_end_neither_is_nor_hides_fault(pico: Pico, desk: Desk, faults: tuple[str, ...]) -> None:
    pico.break_chain("late")
    host = standing(pico, desk)
    assert host.said.empty()
    pico.break_chain(*faults)
    if len(faults) > 1:
        said = str(host.state())
        assert "Chip 9 is silent" in said or "The chain has 9 chips" in said
    pico.break_chain("late")
    pico.touch(3, False)
    assert host.edge() == (3, False)


@needs_micropython
def test_lamps_alone_need_no_chain(pico: Pico, desk: Desk) -> None:
    host = desk.host(pico.name, count=6)
    pico.break_chain("cut 0 0")
    host.show(((1, 2, 3),) * 6)
    assert host.said.empty()
    host.start()
    assert "does not answer at all" in str(host.state())


def test_half_of_board_at_once_is_not_believed() -> None:
    talk = Talk(sensors=128)
    talk.truth = 1 << 7
    talk.step(200)
    talk.truth = (1 << 64) - 1
    talk.step(200)
    assert "64 sensors are down at once" in str(talk.session.fault)
    assert [(edge.sensor, edge.down) for edge in talk.edges] == [(7, True)]
    talk.truth = 1 << 9
    talk.step(200)
    assert talk.session.fault is None
    assert [(edge.sensor, edge.down) for edge in talk.edges[1:]] == [(7, False), (9, True)]


@pytest.mark.parametrize(("down", "sensors", "believed"), [(FEW, 30, True), (FEW + 1, 30, False), (32, 128, True)])
def test_limit_of_plausible_sensors_depends_on_their_number(down: int, sensors: int, believed: bool) -> None:
    assert (count_warning((1 << down) - 1, sensors) is None) == believed


def test_intermittent_disturbance_is_reported_in_the_end() -> None:
    proof, scan = Proof(2, 255), bytearray(5)
    answers = [(bytes(2) + question)[: len(question)] for question in proof.key.questions]
    for _ in range(200):
        assert not proof.is_reliable(scan)
        if proof.doubtful:
            proof.explain(scan, answers)
    assert proof.fault == "garbled"


def test_older_host_gets_fault_in_a_frame_it_knows() -> None:
    talk = Talk()
    talk.step(200)
    before = talk.session._reader.damaged
    for _ in range(3):
        talk.ms += 100
        talk.board.miss("ends 0", talk.ms)
        talk._host_turns()
    assert talk.session._reader.damaged == before
    assert talk.session.fault == str(fault_sentence("ends 0", 16))
    assert CHAIN == 4


def test_every_error_word_of_board_has_its_own_message() -> None:
    words = (
        "none",
        "open",
        "ends 3",
        "after 3",
        "after 9",
        "inverted 3",
        "inverted 10",
        "silent 3",
        "chips 3",
        "slips",
        "slips 3",
        "between 3",
    )
    assert len({fault_sentence(word, COUNT) for word in (*words, "garbled")}) == len(words) + 1


def test_implausible_number_of_sensors_is_not_believed_on_pi(tmp_path: Path) -> None:
    from hardware.drivers._scanning import ScannedSensors
    from tests.hardware.benches import make_context

    class Reader:
        doubt = None
        pattern = 1

        def read(self) -> int:
            return self.pattern

        def close(self) -> None:
            """Close nothing."""

    told, felt = Told(), list[Edge]()
    reader = Reader()
    reader.pattern = (1 << 64) - 1
    sensors = ScannedSensors(lambda: reader, make_context(tmp_path, told, 128), 1000)
    sensors.start(felt.append)
    reader.pattern = 1
    assert "64 sensors are down at once" in str(told.wait_for(1)[0])
    told.wait_for_health()
    sensors.stop()
    assert [edge.sensor for edge in felt] == [0]
