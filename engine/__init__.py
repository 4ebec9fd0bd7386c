"""The rules, and nothing but the rules: pure values and functions.

No files, clock, threads, sockets, logging or global random here: chance and time are handed in, so that every
game can be replayed on any machine.
"""
