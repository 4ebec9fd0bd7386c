"""`python -m firmware_host` is `sniperboard`."""

import gc

# Little of what is imported ever becomes garbage, but each collection would search all of it.
gc.disable()

from firmware_host.app.cli import entry  # noqa: E402

if __name__ == "__main__":
    entry()
