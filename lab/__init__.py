"""Tools for people who study games: strength of bots, balance, load. The table never imports this package, and the
wheel doesn't contain it."""
