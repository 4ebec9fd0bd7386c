"""The solo rules. Rule IDs refer to the game's rulebook, `book/en.md`; `MP-` IDs to multiplayer.

A command is checked on one picture and resolved on the truth. Each event is applied to the truth at once (`act.py`),
because the automated side reacts to what it has just done.
"""
