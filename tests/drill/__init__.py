"""The crash drill: tables are killed, starved and cut off during play. Nothing that was acknowledged may be lost."""
