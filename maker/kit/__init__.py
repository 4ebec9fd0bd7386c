"""What a maker prints, cuts and buys for the board of one map: `sniperboard map kit` writes it (`folder.py`)."""
