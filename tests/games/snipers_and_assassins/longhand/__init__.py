"""A second implementation of the rules, written from the ledger. The engine is compared with it."""
