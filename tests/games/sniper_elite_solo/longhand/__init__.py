"""A second implementation of the solo rules, written from the rule book. The game is compared with it."""
