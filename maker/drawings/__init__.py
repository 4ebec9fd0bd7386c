"""Drawings for people who build a board: wiring, stripboard and the chip board, made from the values that apply."""
