"""Layouts of the included maps, one module for each map. `python -m maker.mapping.drawing NAME` draws them."""
