"""Runs before main.py, and before programs like mpremote or Thonny do anything after a restart by software."""

import micropython

micropython.kbd_intr(-1)  # a host that speaks early may send a byte 03, which would be Ctrl-C

from machine import WDT, Timer, mem32  # noqa: E402

WATCHDOG_CTRL, ENABLED = 0x40058000, 1 << 30
nurse = None
# A running watchdog survives a restart by software and cannot be stopped. The REPL would be reset by it.
if mem32[WATCHDOG_CTRL] & ENABLED:
    watchdog = WDT(timeout=2000)
    nurse = Timer(period=500, callback=lambda _: watchdog.feed())
