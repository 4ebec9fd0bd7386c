"""Generator of the boards `pathways-2` to `pathways-6`."""
