"""The track boards: lamps alone, one board for each number of players."""
