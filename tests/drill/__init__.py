"""The crash drill: daemons that are killed, starved and cut off while people play; nothing that was told may be lost."""
