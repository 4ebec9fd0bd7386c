"""The rules in longhand: a second referee, written from the ledger, that the engine is held against."""
