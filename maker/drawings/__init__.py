"""Drawings for people who build a board: wiring, stripboard and the chip board, generated from the values in use."""
