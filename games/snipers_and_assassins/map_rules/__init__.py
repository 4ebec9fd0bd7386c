"""The boards `pathways-2` to `pathways-6`, which this game generates."""
