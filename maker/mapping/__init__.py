"""Tools for people who draw maps: check, compile and measure drawings, order the lamps of a board."""
