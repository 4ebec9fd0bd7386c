"""How the solo game presents itself: what the lobby offers for it."""
