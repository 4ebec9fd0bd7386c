"""The command line and the daemon. Nothing imports this package."""
