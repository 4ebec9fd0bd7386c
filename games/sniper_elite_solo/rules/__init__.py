"""The solo rules. The numbers in brackets are those of the game's rulebook, `book/en.md`; `MP-` those of multiplayer.

A command is checked on one picture and decided on the truth. What follows is told event by event (`telling.py`), each
folded into the truth at once, for the automated side looks at what it has just done.
"""
