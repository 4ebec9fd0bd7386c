"""The crash drill: tables killed, starved and cut off while people play. Nothing that was told may be lost."""
