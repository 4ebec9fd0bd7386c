"""The current limit: dims a picture as a whole if it would draw more than allowed."""

import micropython

CHANNEL_MA = 20  # one colour of one lamp at its brightest
IDLE_MA = 1  # a dark lamp


@micropython.viper
def total(picture: ptr8, size: int) -> int:
    """Return the sum of all bytes."""
    found = 0
    for at in range(size):
        found += picture[at]
    return found


@micropython.viper
def scale(picture: ptr8, size: int, by: int):
    """Multiply each byte by `by` / 65536, rounded down."""
    for at in range(size):
        picture[at] = (picture[at] * by) >> 16


@micropython.viper
def fill(picture: ptr8, size: int, level: int):
    """Set every byte to `level`."""
    for at in range(size):
        picture[at] = level


def dim(picture, limit_ma):
    """Dim a picture (R G B for each lamp) in place until it draws no more than `limit_ma`."""
    lamps = len(picture) // 3
    # The limit without the idle current, converted to a sum of bytes.
    budget = max(0, limit_ma - IDLE_MA * lamps) * 255 // CHANNEL_MA
    wanted = total(picture, len(picture))
    if wanted > budget:
        scale(picture, len(picture), budget * 65536 // wanted)
