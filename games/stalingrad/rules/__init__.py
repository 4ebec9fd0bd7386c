"""The rules as pure functions. Names are spelled as in the protocol."""
