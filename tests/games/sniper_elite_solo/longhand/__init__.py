"""The rules in longhand: a second referee of the solo game, written from the ledger; the engine is held against it."""
