"""Commands for people who study games, found by the command line like those of the daemon."""
