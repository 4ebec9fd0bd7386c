"""Players of wood, one file each: `choose(view, legal, chance)` sees only what its seat was told."""
