"""A clock with doubled or lost edges in each scan is always detected, and located."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from hardware.pico import marker
from tests.depth import DEPTH
from tests.hardware.firmware import SURE, Proof

CHIPS = 5
SHIFTS = [edges for edges in range(-8, 9) if edges]
INPUTS = [b"\xff" * CHIPS, bytes(CHIPS), random.Random(3).randbytes(CHIPS)]
READS = pytest.mark.parametrize("reads", ["on time", "early", "early within bytes"])


class Slipping:
    """A chain whose clock has more or fewer edges after bit `edge` of a transfer, or before the first if that is -1.

    `reads` is when SER is read: with `early` after the port's output has changed, which is not a fault. Between
    transfers, the port's output keeps its level.
    """

    def __init__(self, inputs: bytes, reads: str, edge: int = 0, edges: int = 0) -> None:
        self.inputs, self.reads, self.edge, self.edges = inputs, reads, edge, edges
        self._held = "0"

    def transfer(self, sent: bytes) -> bytes:
        """Load the inputs, send, and return what comes back."""
        coming = marker.bits(sent)
        following = coming[1:] + coming[-1]
        entering = coming if self.reads == "on time" else following
        if self.reads == "early within bytes":
            both = enumerate(zip(coming, following, strict=True))
            entering = "".join(one if at & 7 == 7 else other for at, (one, other) in both)
        held, self._held = self._held, coming[-1]
        inputs, at, shift = marker.bits(self.inputs), self.edge, self.edges
        # What passes the output of the chain, by edge: a lost one repeats a bit, and doubled ones leave some out.
        if at < 0:
            back = (inputs + held * shift)[shift:] + entering
        elif shift < 0:
            passing = inputs + entering[:at] + entering[at - shift :]
            back = passing[:at] + passing[at : at + 1] * -shift + passing[at:]
        else:
            passing = inputs + entering[:at] + entering[at : at + 1] * shift + entering[at:]
            back = passing[: at + 1] + passing[at + 1 + shift :]
        back = back[: len(coming)]
        return int(back, 2).to_bytes(len(sent), "big")

    def fault(self) -> str | None:
        """Return what the board says after some scans. It may believe only what the inputs are."""
        proof, said = Proof(CHIPS, 255), None
        for _ in range(2 * SURE):
            back = self.transfer(proof.key.out)
            assert not proof.is_reliable(back) or back[:CHIPS] == self.inputs, (self.edge, self.edges)
            if proof.doubtful:
                proof.explain(back, [self.transfer(question) for question in proof.key.questions])
            said = proof.fault or said
        return said


def slips(reads: str, first: int, last: int) -> Iterator[tuple[int, int, bytes, str | None]]:
    """Yield each edge of a range with each shift, some inputs, and what the board says.

    With DEPTH 1, each shift at each edge has one of the inputs, in turn.
    """
    for edge in range(first, last):
        for edges in SHIFTS:
            for inputs in INPUTS if DEPTH > 1 else [INPUTS[(edge + edges) % len(INPUTS)]]:
                yield edge, edges, inputs, Slipping(inputs, reads, edge, edges).fault()


def place(edge: int) -> str:
    """Return the words for an edge that is doubled or lost. The last edge of a chip begins the next one."""
    chip = edge >> 3
    return f"between {chip}" if edge & 7 == 7 and chip < CHIPS - 1 else f"slips {chip}"


@READS
def test_no_scan_with_moved_bits_is_believed_and_chip_is_named(reads: str) -> None:
    for edge, edges, inputs, said in slips(reads, 0, 8 * CHIPS - 1):
        # A chain that reads early within bytes has the same bit at the last two edges of a chip. If an edge is lost
        # next to them, it may be each of the three.
        twins = {place(edge)}
        if reads != "on time" and (edge & 7 > 5 or (edge & 7 == 0 and edges < 0)):
            twins |= {place(edge - 1), place(edge | 1)}
        assert said in twins, (edge, edges, inputs, said)


@READS
def test_slip_behind_last_input_names_no_chip_before(reads: str) -> None:
    for edge, edges, _, said in slips(reads, 8 * CHIPS - 1, 8 * (CHIPS + marker.TAIL)):
        assert said in (None, "slips", f"slips {CHIPS - 1}"), (edge, edges)


@READS
def test_edge_before_first_bit_is_never_believed(reads: str) -> None:
    for edges in range(1, 9):
        # Eight of them look exactly like a last chip that doesn't load.
        named = "slips 0" if edges < 8 else f"silent {CHIPS - 1}"
        for inputs in INPUTS:
            assert Slipping(inputs, reads, -1, edges).fault() == named, edges


@READS
def test_whole_chain_is_believed_from_third_scan_on(reads: str) -> None:
    for inputs in INPUTS:
        chain, proof = Slipping(inputs, reads), Proof(CHIPS, 255)
        believed = [proof.is_reliable(chain.transfer(proof.key.out)) for _ in range(7)]
        assert believed == [False, False, *[True] * 5]


@pytest.mark.parametrize("chips", [1, 2, 18, 40])
def test_every_stretch_of_a_question_is_unique(chips: int) -> None:
    asked = marker.bits(marker.question(chips))
    stretches = [asked[at : at + marker.WIDE] for at in range(len(asked) - marker.WIDE + 1)]
    assert len({*stretches, *map(marker.turned, stretches)}) == 2 * len(stretches)
