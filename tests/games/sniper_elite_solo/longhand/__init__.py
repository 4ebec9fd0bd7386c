"""The rules in longhand: a second referee of the solo game, written from the ledger, that the engine is held against."""
