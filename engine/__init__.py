"""The rules machinery: pure values and functions, without files, clock, threads, sockets, logging or global random.

Chance and time are parameters, so that every game can be replayed on any machine.
"""
