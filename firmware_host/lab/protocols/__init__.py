"""What programs speak with on standard input and output: `board-engine/1` and `board-hands/1`."""
