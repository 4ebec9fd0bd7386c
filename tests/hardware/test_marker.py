"""A clock with doubled or lost edges in each scan is always detected, and located."""

from __future__ import annotations

import random

import pytest

from hardware.pico import marker
from tests.hardware.firmware import Proof

CHIPS = 5
SHIFTS = [edges for edges in range(-8, 9) if edges]


class Slipping:
    """A chain whose clock has more or fewer edges once `place` bytes of a transfer are done.

    With `early`, SER is read after the port's output has changed, which is not a fault.
    """

    def __init__(self, inputs: bytes, early: bool, place: int = 0, edges: int = 0) -> None:
        self.inputs, self.early, self.at, self.edges = inputs, early, 8 * place, edges

    def transfer(self, sent: bytes) -> bytes:
        """Load the inputs, send, and return what comes back."""
        coming, register = marker.bits(sent), marker.bits(self.inputs)
        back = ""
        for at, bit in enumerate(coming):
            back += register[0]
            entering = coming[min(at + 1, len(coming) - 1)] if self.early else bit
            if not 0 <= at - self.at < -self.edges:
                register = register[1:] + entering
            if at == max(0, self.at - 1) and self.edges > 0:
                register = (register + self.edges * entering)[self.edges :]
        return int(back, 2).to_bytes(len(sent), "big")


def inputs_of(chips: int) -> list[bytes]:
    return [b"\xff" * chips, bytes(chips), random.Random(3).randbytes(chips)]


@pytest.mark.parametrize("early", [False, True])
@pytest.mark.parametrize("edges", SHIFTS)
def test_no_scan_with_moved_bits_is_believed_and_chip_is_named(edges: int, early: bool) -> None:
    for place in range(CHIPS):
        for inputs in inputs_of(CHIPS):
            chain, proof = Slipping(inputs, early, place, edges), Proof(CHIPS, 255)
            for _ in range(12):
                back = chain.transfer(proof.key.out)
                assert not proof.judge(back), (place, inputs)
                if proof.doubtful:
                    proof.explain(back, chain.transfer(proof.key.question))
            # With something on the last input, a lost first edge looks like one that comes and goes.
            assert proof.fault == f"slips {place}" or (proof.fault is None and not place and not inputs[-1] & 1)


@pytest.mark.parametrize("early", [False, True])
def test_whole_chain_is_believed_from_second_scan_on(early: bool) -> None:
    for inputs in inputs_of(CHIPS):
        chain, proof = Slipping(inputs, early), Proof(CHIPS, 255)
        believed = [proof.judge(chain.transfer(proof.key.out)) for _ in range(7)]
        assert believed == [False, *[True] * 6]


@pytest.mark.parametrize("chips", [1, 2, 18, 40])
def test_every_stretch_of_a_question_is_unique(chips: int) -> None:
    asked = marker.bits(marker.question(chips))
    stretches = [asked[at : at + marker.WIDE] for at in range(len(asked) - marker.WIDE + 1)]
    assert len({*stretches, *map(marker.turned, stretches)}) == 2 * len(stretches)
