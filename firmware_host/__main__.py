"""`python -m firmware_host` is `sniperboard`."""

from firmware_host.app.cli import entry

entry()
