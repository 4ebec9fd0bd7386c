"""Errors, strict decoding, settings, and lookup of games and maps. Imports no other part of the daemon."""
