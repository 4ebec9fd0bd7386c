"""The workshop: what `make` calls. It prepares the environment and starts things in it; the game is elsewhere.

Words: a *target* is what was asked of make, a *layer* a part of the environment with its lock file, a *stamp* the note
that says what the environment was made from, an *error* the sentence said when the work cannot go on.
"""
