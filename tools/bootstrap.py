"""The entry point of `make`: find a Python that is new enough, and continue in `targets.py`.

Only code that must run on an old Python 3 belongs here. The syntax is that of Python 3.6, so that an old interpreter
can read this file and say what is missing. Everything else is in the modules next to it.
"""

import os
import subprocess
import sys
from typing import Callable, List, Optional, Tuple

OLDEST = (3, 11)
NAMES = ("python3.13", "python3.12", "python3.11")
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

Version = Tuple[int, ...]


def version_of(name: str) -> Optional[Version]:
    """Return the version of the interpreter `name`, or None if it is missing or does not run."""
    question = "import sys; print('%d %d' % sys.version_info[:2])"
    try:
        said = subprocess.check_output([name, "-c", question], stderr=subprocess.DEVNULL).decode("ascii", "replace")
    except (OSError, subprocess.CalledProcessError):
        return None
    words = said.split()
    return tuple(int(word) for word in words) if words and all(word.isdigit() for word in words) else None


def new_enough(ask: Callable[[str], Optional[Version]]) -> Optional[str]:
    """Return the first interpreter of NAMES that runs and is new enough; `ask` returns a name's version."""
    for name in NAMES:
        version = ask(name)
        if version is not None and version >= OLDEST:
            return name
    return None


def too_old(version: Version) -> str:
    """Return the error message for a user whose `python3` has this version."""
    return (
        "Python 3.11 or newer is needed and this one is {}.{}: install it (Debian 12 and newer have it as python3) "
        "and start again, or name the one to use, for example `make play PYTHON=/opt/python3.12/bin/python3`."
    ).format(*version[:2])


def main(arguments: List[str]) -> int:
    """Run the target, here or in a newer interpreter; return the exit code."""
    if sys.version_info[:2] < OLDEST:
        name = new_enough(version_of)
        if name is None:
            sys.stderr.write(too_old(sys.version_info[:2]) + "\n")
            return 1
        # Replace this process, so that signals and the exit code need no forwarding.
        os.execvp(name, [name, os.path.abspath(__file__), *arguments])
    sys.path.insert(0, ROOT)
    from tools import targets

    return targets.main(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
