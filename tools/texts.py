"""`python -m tools.texts` updates the catalogues of the project; see `lab/authoring/texts.py`."""

from __future__ import annotations

import sys

from lab.authoring.texts import main

if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
