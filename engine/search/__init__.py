"""Searching: choosing among acts by playing on in the head. It knows no game; what a line of play is, a game brings."""
