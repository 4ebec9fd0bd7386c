"""Commands for people who draw maps and build boards, found by the command line like those of the daemon."""
