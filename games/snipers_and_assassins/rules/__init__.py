"""The rules as pure functions over frozen values, one module per group of the rule book.

An act is decided in a `Telling`. It applies each event at once, so the next event is decided on the result. Each module
lists its commands in `RULES`.
"""
