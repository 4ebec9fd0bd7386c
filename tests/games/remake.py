"""`python -m tests.games.remake` updates the results in the recorded games.

Review the diff before you commit it.
"""

from __future__ import annotations

from lab.authoring.recorded import remake
from tests.games.playthrough import files, load

if __name__ == "__main__":
    for file in files():
        if remake(file, load):
            print(f"remade {file.name}")
