"""The bench of the simulated board, with a miniature for each sensor."""

from __future__ import annotations

from pathlib import Path

from hardware.drivers.simulated import SimulatedButtons, SimulatedBuzzer
from hardware.ports import Frame
from hardware.simulated import SimulatedBoard
from tests.hardware.benches import Blank, make_context, opened


class Bench(Blank):
    """Six sensors, six lamps, three buttons and a buzzer."""

    def __init__(self, folder: Path) -> None:
        self.parts = opened("simulated", make_context(folder, []))
        assert isinstance(self.parts.sensors, SimulatedBoard)
        assert isinstance(self.parts.buttons, SimulatedButtons)
        assert isinstance(self.parts.buzzer, SimulatedBuzzer)
        self._board, self._buttons = self.parts.sensors, self.parts.buttons
        self._sounds: list[int] = []
        self.parts.buzzer.listen(lambda tune, _: self._sounds.append(tune.notes[0][0]))

    def touch(self, sensor: int, down: bool) -> None:
        """Carry the sensor's own miniature."""
        self._board.carry(f"m{sensor}", sensor if down else None)

    def seen(self) -> Frame:
        """Return the last frame."""
        return self._board.frame

    def press(self, button: str) -> None:
        """Press a button by a call."""
        self._buttons.press(button)

    def pitch(self) -> int:
        """Return the last pitch; sounds take no time here."""
        return self._sounds.pop(0)

    def is_silent(self) -> bool:
        """Return True: sounds take no time here."""
        return True
