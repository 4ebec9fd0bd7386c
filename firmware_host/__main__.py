"""`python -m firmware_host` is `sniperboard`."""

import sys

from firmware_host.app.cli import main

sys.exit(main())
