"""Everything to print, cut and buy for the board of one map, as values. `kit_output` writes the files."""
