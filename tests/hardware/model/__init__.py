"""Electrical models of the hardware, so that the real drivers run without it.

Use them on a laptop, in a test, or to reproduce a bug. `pins.py` connects gpiozero's mock pins to circuits: `chain.py`
is a chain of 74HC165, `reeds.py` a matrix of reed contacts. They model levels, not time.
"""
