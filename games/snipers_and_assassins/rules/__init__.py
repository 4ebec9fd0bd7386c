"""The rules as pure functions over frozen values, a module for each group of the rule book.

An act is decided in a `Telling`: each event is folded at once, so that the next one is decided on its result. A module
lists its commands in `RULES`.
"""
