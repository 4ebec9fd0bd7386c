"""Electrical models of the hardware, so that the real drivers run without it: on a laptop, in a test, for a bug report.

`pins.py` are gpiozero's mock pins joined to circuits; `chain.py` is a chain of 74HC165, `reeds.py` a matrix of reed
contacts, `strip.py` the wire of a NeoPixel strip. They model levels, not time.
"""
