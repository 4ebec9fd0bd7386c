"""`python -m firmware_host` is `sniperboard`."""

import gc

# Hardly anything that is imported ever becomes garbage, but each collection would search it.
gc.disable()

from firmware_host.app.cli import entry  # noqa: E402

if __name__ == "__main__":
    entry()
