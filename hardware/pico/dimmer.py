"""The current limit: dims a picture as a whole if it would draw more than allowed."""

import micropython

CHANNEL_MA = 20  # one colour of one lamp at its brightest
IDLE_MA = 1  # a dark lamp


SCALE = 1024  # a power of two, so that a sum of bytes multiplied by it is still a small integer


@micropython.viper
def scale(picture: ptr8, out: ptr8, size: int, by: int):
    """Write each byte multiplied by `by` / `SCALE` into `out`, rounded down."""
    for at in range(size):
        out[at] = (picture[at] * by) >> 10


@micropython.viper
def fill(picture: ptr8, size: int, level: int):
    """Set every byte to `level`."""
    for at in range(size):
        picture[at] = level


def dim(picture, total, limit_ma, out):
    """Return a picture (R G B for each lamp) that draws no more than `limit_ma`.

    That is the picture itself, whose bytes have the sum `total`, or a dimmed one in `out`, of the same size.
    """
    lamps = len(picture) // 3
    # The limit without the idle current, converted to a sum of bytes.
    budget = max(0, limit_ma - IDLE_MA * lamps) * 255 // CHANNEL_MA
    if total <= budget:
        return picture
    scale(picture, out, len(picture), budget * SCALE // total)
    return out
