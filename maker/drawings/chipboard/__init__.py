"""Generate the KiCad files of the chip board from its description: `python -m maker.drawings.chipboard`."""
