"""Convert the board's reports about its shift register chain into error messages with a remedy.

The reports are `E` frames with the code `CHAIN`. `hardware/pico/proof.py` is the board's side and defines the words.
Chips are counted from 0; chip 0 is next to the Pico. This module is pure.
"""

from __future__ import annotations

from hardware.ports import Sentence

FAULT_SENTENCES = {
    "none": Sentence(
        "The chain of shift registers does not answer at all. Check its 3.3 V and ground, and the wires CLOCK, LOAD "
        "and DATA."
    ),
    "ends": Sentence(
        "The chain ends after chip {chip}: nothing comes from chip {next}. Check the power of chip {next}, its CLOCK, "
        "and the data wire between the two."
    ),
    "inverted": Sentence(
        "The chain is inverted from chip {chip} on: its data wire is soldered to pin 7 instead of pin 9 (QH)."
    ),
    "inverted behind all": Sentence(
        "What is sent into the far end of the chain comes out inverted. Connect GP19 to SER directly."
    ),
    "silent": Sentence(
        "Chip {chip} is silent: it does not load its inputs. Check its pin 1 (SH/LD) and the wire LOAD."
    ),
    "chips": Sentence(
        "The chain has {found} chips, and config.py counts {chips}. Look for a chip that was left out, or set "
        "SENSORS = {sensors} there."
    ),
    "slips": Sentence(
        "The chain slips by some bits: edges of CLOCK are doubled or lost. Stop the ringing on that wire: see "
        "“When the clock rings” in docs/hardware.md."
    ),
    "slips at": Sentence(
        "The chain slips by some bits at chip {chip}: edges of CLOCK are doubled or lost there. Stop the ringing on "
        "that wire: see “When the clock rings” in docs/hardware.md."
    ),
    "between": Sentence(
        "The chain slips by some bits between chip {chip} and chip {next}: edges of CLOCK are doubled or lost there. "
        "Stop the ringing on that wire: see “When the clock rings” in docs/hardware.md."
    ),
    "after": Sentence(
        "The chain is broken behind chip {chip}, or farther along. Touch inputs of the next chips to ground: the "
        "number follows up to the last chip that answers."
    ),
    "after all": Sentence(
        "All chips answer, but the loop is open. Connect GP19 to SER of the last chip (or set CHAIN_LOOP = "
        "False in config.py)."
    ),
    "open": Sentence(
        "What is sent into the far end of the chain does not come out. Touch inputs to ground, chip by chip: this "
        "sentence then tells which is the last that answers."
    ),
}
"""Word of the report -> message."""
SPOILED = Sentence(
    "What is sent into the far end of the chain comes out garbled. Check ground, and keep DATA and CLOCK away "
    "from the lamps' wires."
)


def fault_sentence(text: str, sensors: int) -> Sentence:
    """Return the message for `text`, a word and optionally a number, on a board with this many sensors."""
    word, _, number = text.partition(" ")
    chip, chips = int(number) if number.isdecimal() else 0, (sensors + 7) // 8
    if word == "inverted" and chip >= chips:
        word = "inverted behind all"
    # The last chip answers, so nothing is missing but the wire back to it.
    if word in ("after", "ends") and chip >= chips - 1:
        word = "after all"
    if word == "slips" and number:
        word = "slips at"
    template = FAULT_SENTENCES.get(word, SPOILED).text
    return Sentence(template, chip=chip, next=chip + 1, found=chip, chips=chips, sensors=8 * chip)
