"""Frames with noise: one byte of a hundred is flipped, dropped or doubled, both ways, between firmware and session.

`make fire` sends a million of them; every run of the tests sends a small part. FIRE_FRAMES sets the number.
"""

from __future__ import annotations

import os
import random

from hardware.health import FEW
from hardware.link.session import set_bits
from tests.hardware.talk import Noise, Talk, folded, picture, wire_of

FRAMES = int(os.environ.get("FIRE_FRAMES", "20000"))
HEALED_MS = 300
"""Milliseconds on a clean line after which everything is correct again."""


class Trial:
    """A conversation with noise. The host believes only what was reported before, and the lamps show only what was
    requested.
    """

    def __init__(self, seed: int, sensors: int, lamps: int) -> None:
        self.chance = random.Random(seed)
        self.talk = Talk(sensors, lamps)
        self.asked = [bytes(3 * lamps)]
        self.believed = 0
        self.lit = 0
        self.felt = 0
        self.fired = self.lights = 0
        self.frame = picture(self.chance, lamps)
        self.show()
        self.noise = Noise(self.chance)

    def show(self) -> None:
        self.frame = picture(self.chance, self.talk.lamps)
        self.talk.show(self.frame)
        self.asked.append(wire_of(self.frame))

    def fire(self) -> None:
        """Add noise for half a second, while pieces move and pictures change."""
        talk, chance = self.talk, self.chance
        talk.harm, before = self.noise, talk.frames
        for _ in range(500):
            if chance.random() < 0.25:
                down = set_bits(talk.truth)
                full = len(down) >= min(FEW, talk.session.sensors - 1)
                talk.truth ^= 1 << (chance.choice(down) if full else chance.randrange(talk.session.sensors))
            if chance.random() < 0.5:
                self.show()
            talk.step()
            self.check()
        self.fired += talk.frames - before

    def check(self) -> None:
        """Check that nothing is believed or shown that is not true or was replaced."""
        talk = self.talk
        if len(talk.edges) > self.felt:
            self.felt = len(talk.edges)
            self.believed = talk.told.index(talk.session.down, self.believed)
        if talk.shown[-1] != self.asked[self.lit]:
            self.lit = self.asked.index(talk.shown[-1], self.lit)

    def heal(self) -> None:
        """Use a clean line until everything is correct again, within the time limit."""
        talk = self.talk
        talk.harm = bytes
        talk.step(HEALED_MS)
        self.check()
        assert not talk.session.is_silent(talk.now)
        assert talk.session.down == talk.truth == folded(talk.edges)
        assert talk.session.agreed
        assert talk.shown[-1] == wire_of(self.frame)
        self.forget()

    def forget(self) -> None:
        """Forget what is finished."""
        self.lights += len(self.talk.shown) - 1
        self.asked, self.lit = self.asked[-1:], 0
        self.talk.told, self.believed = self.talk.told[-1:], 0
        self.talk.shown, self.talk.sent = self.talk.shown[-1:], []


def test_noise_neither_makes_nor_loses_an_edge_or_a_picture() -> None:
    trials = [Trial(1, 16, 16), Trial(2, 24, 8), Trial(3, 144, 144)]
    for trial in trials:
        trial.heal()
    while sum(trial.fired for trial in trials) < FRAMES:
        for trial in trials:
            trial.fire()
            trial.heal()
    assert sum(trial.talk.session._reader.damaged for trial in trials) > FRAMES / 20
    assert min(len(trial.talk.edges) for trial in trials) > FRAMES / 500
    assert min(trial.lights for trial in trials) > FRAMES / 5000


def test_accidentally_forged_frame_is_noticed() -> None:
    trial = Trial(1, 16, 16)
    trial.heal()
    trial.talk.session.receive(b"", trial.talk.now)
    trial.talk.edges += trial.talk.session._edges_of(0b1000, trial.talk.now)
    try:
        trial.check()
    except ValueError:
        return
    raise AssertionError("a wrong edge was not noticed")
