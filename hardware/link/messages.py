"""The messages of board-link/1 as values: parse the board's, encode the host's, explain its reports. Pure."""

from __future__ import annotations

import struct
from itertools import chain

from msgspec import Struct

from engine.text import Text
from hardware.ports import Frame

PROTOCOL = 1
ORDERS = ("GRB", "RGB", "BRG", "RBG", "GBR", "BGR")
"""Colour orders of a lamp's three bytes. `C` sends the index in this tuple."""


class Hello(Struct, frozen=True):
    """`H`: identifies the board. `identity` is its unique number, 16 hexadecimal digits."""

    protocol: int
    sensors: int
    lamps: int
    identity: str
    version: str


class Sense(Struct, frozen=True):
    """`S`: the sensors, at board time `at_ms` in ms.

    The bitmaps are integers; bit n is sensor n. `debounced` is the state after the board's debouncing.
    """

    at_ms: int
    debounced: int
    raw: int


class Acknowledged(Struct, frozen=True):
    """`A`: the number of the picture or tuning now in force."""

    seq: int


class ErrorReport(Struct, frozen=True):
    """`E`: an error that the board reports."""

    code: int
    text: str


DAMAGED, SUPPLY, REFUSED, CHAIN, LAMPS = 1, 2, 3, 4, 5
"""Codes of error reports.

In order: damaged frames, supply too low, tuning refused, sensor chain broken, the lamps' own supply too low. `CHAIN` is
sent instead of `S`, whose sensors would be unreliable. Its text is for `fault_sentence`.
"""

Message = Hello | Sense | Acknowledged | ErrorReport


class Tuning(Struct, frozen=True):
    """`C`: debouncing from 0 to 255 ms, current limit from 1 to 65535 mA, and one of ORDERS."""

    down_ms: int = 10
    up_ms: int = 25
    limit_ma: int = 3000
    order: str = "GRB"

    def body(self, seq: int) -> bytes:
        order = ORDERS.index(self.order)
        return struct.pack("<cBBBHB", b"C", seq, self.down_ms, self.up_ms, self.limit_ma, order)


def hello_request(seq: int) -> bytes:
    """`h`: ask the board to identify itself."""
    return b"h" + bytes((seq,))


def picture_message(frame: Frame, lamps: int, seq: int) -> bytes:
    """`F`: a complete picture for a board of `lamps` lamps. Lamps beyond the frame stay dark."""
    colours = bytes(chain.from_iterable(frame))
    return struct.pack("<cBH", b"F", seq, lamps) + colours.ljust(3 * lamps, b"\0")


def parse_message(body: bytes, sensors: int | None) -> Message | None:
    """Parse a message body from the board. Return None for an unknown kind or a wrong length.

    `sensors` is the number of sensors from the board's hello. `S` cannot be parsed without it.
    """
    # The byte after the kind is the sequence number, which the host doesn't need.
    kind, data = body[:1], body[2:]
    if kind == b"H" and len(data) >= 13:
        # Little-endian and without padding, like all messages; the rest is the version as text.
        protocol, sensors_there, lamps, identity = struct.unpack("<BHH8s", data[:13])
        return Hello(protocol, sensors_there, lamps, identity.hex(), _printable(data[13:]))
    if kind == b"S" and sensors is not None and len(data) == 4 + 2 * ((sensors + 7) // 8):
        half = (len(data) - 4) // 2
        bitmaps = (data[4 : 4 + half], data[4 + half :])
        return Sense(int.from_bytes(data[:4], "little"), *(int.from_bytes(bits, "little") for bits in bitmaps))
    if kind == b"A" and len(data) == 1:
        return Acknowledged(data[0])
    if kind == b"E" and data:
        return ErrorReport(data[0], _printable(data[1:]))
    return None


def _printable(text: bytes) -> str:
    """Return a board's text without characters that could control the terminal."""
    return "".join(
        sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text.decode("utf-8", "replace")
    )


FAULT_SENTENCES = {
    "none": Text(
        "The chain of shift registers does not answer at all. Check its 3.3 V and ground, and the wires CLOCK, LOAD "
        "and DATA."
    ),
    "ends": Text(
        "The chain ends after chip {chip}: nothing comes from chip {next}. Check the power of chip {next}, its CLOCK, "
        "and the data wire between the two."
    ),
    "inverted": Text(
        "The chain is inverted from chip {chip} on: its data wire is soldered to pin 7 instead of pin 9 (QH)."
    ),
    "inverted behind all": Text(
        "What is sent into the far end of the chain comes out inverted. Connect GP19 to SER directly."
    ),
    "silent": Text("Chip {chip} is silent: it does not load its inputs. Check its pin 1 (SH/LD) and the wire LOAD."),
    "chips": Text(
        "The chain has {found} chips, and config.py counts {chips}. Look for a chip that was left out, or set "
        "SENSORS = {sensors} there."
    ),
    "slips": Text(
        "The chain slips by some bits: edges of CLOCK are doubled or lost. Stop the ringing on that wire: see "
        "“When the clock rings” in docs/hardware.md."
    ),
    "slips at": Text(
        "The chain slips by some bits at chip {chip}: edges of CLOCK are doubled or lost there. Stop the ringing on "
        "that wire: see “When the clock rings” in docs/hardware.md."
    ),
    "between": Text(
        "The chain slips by some bits between chip {chip} and chip {next}: edges of CLOCK are doubled or lost there. "
        "Stop the ringing on that wire: see “When the clock rings” in docs/hardware.md."
    ),
    "after": Text(
        "The chain is broken behind chip {chip}, or farther along. Touch inputs of the next chips to ground: the "
        "number follows up to the last chip that answers."
    ),
    "after all": Text(
        "All chips answer, but the loop is open. Connect GP19 to SER of the last chip (or set CHAIN_LOOP = "
        "False in config.py)."
    ),
    "open": Text(
        "What is sent into the far end of the chain does not come out. Touch inputs to ground, chip by chip: this "
        "sentence then tells which is the last that answers."
    ),
}
"""Word of a report with the code `CHAIN` -> message. `hardware/pico/proof.py` defines the words. Chip 0 is next to the
Pico.
"""
SPOILED = Text(
    "What is sent into the far end of the chain comes out garbled. Check ground, and keep DATA and CLOCK away "
    "from the lamps' wires."
)


def fault_sentence(text: str, sensors: int) -> Text:
    """Return the message for `text`, a word and optionally a number, on a board with this many sensors."""
    word, _, number = text.partition(" ")
    chip, chips = int(number) if number.isdecimal() else 0, (sensors + 7) // 8
    if word == "inverted" and chip >= chips:
        word = "inverted behind all"
    # The last chip answers, so only the wire back to it is missing.
    if word in ("after", "ends") and chip >= chips - 1:
        word = "after all"
    if word == "slips" and number:
        word = "slips at"
    sentence = FAULT_SENTENCES.get(word, SPOILED)
    return sentence.with_(chip=chip, next=chip + 1, found=chip, chips=chips, sensors=8 * chip)
