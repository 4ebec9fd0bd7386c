"""The rules as pure functions over frozen values.

Every decision runs in a `Telling` (`telling.py`): what happens is told one event at a time and folded at once, so that
what follows is decided on the result. Modules hold the ledger's groups and list their commands in `RULES`.
"""
