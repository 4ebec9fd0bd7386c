"""The tools behind `make`: set-up, test targets, generated pages, lock files, screenshots, catalogues.

A *target* is an argument of `make`. A *layer* is a part of the environment with its lock file. A *stamp* records what
the environment was made from.
"""
