"""A second implementation of the solo rules, written from the ledger. The game is compared with it."""
