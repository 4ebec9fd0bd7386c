"""The game's own computer players."""
