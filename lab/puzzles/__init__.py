"""Makes puzzles from recorded games, and verifies and grades them. A module for each game has its kinds."""
