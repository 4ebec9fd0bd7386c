"""The board that a table has: hardware fitted by the settings, wiring, health, and the tabletop over them."""
