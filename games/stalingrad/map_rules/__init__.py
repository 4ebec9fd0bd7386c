"""Track boards: lamps only, one board for each number of players."""
