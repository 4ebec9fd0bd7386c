"""How the solo game looks and sounds, and what the lobby offers for it."""
