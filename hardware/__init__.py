"""Board hardware: sensors, lamps, buttons and buzzers. This package knows no game."""
