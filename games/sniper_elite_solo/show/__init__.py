"""Appearance, sounds and lobby options of the solo game."""
