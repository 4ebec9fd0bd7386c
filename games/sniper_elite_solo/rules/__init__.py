"""The solo rules. The numbers in brackets are those of the game's rulebook, `book/en.md`; `MP-` those of multiplayer.

A command is checked on one picture and resolved on the truth. Its events are folded into the truth one by one
(`act.py`), because the automated side decides by what it has just done.
"""
