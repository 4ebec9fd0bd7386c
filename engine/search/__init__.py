"""Search: choosing an act by simulating how the game continues. It knows no game; a game defines its own `Line`."""
