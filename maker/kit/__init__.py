"""Everything to print, cut and buy for the board of one map, written by `sniperboard map kit`."""
