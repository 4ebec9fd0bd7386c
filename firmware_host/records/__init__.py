"""What is kept of a game: the journal and its file, the chain over it, records that are handed around."""
