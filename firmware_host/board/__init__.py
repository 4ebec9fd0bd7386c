"""The board that a table has: the hardware that the settings name, its wiring and health, and what people do there."""
