"""The front door of `make`: finds a Python that is new enough and hands over to `targets.py`.

Here belongs only what must run on an old Python 3. The syntax is that of Python 3.6, so that an old interpreter can
read this file and say what is missing; everything else is in the modules beside it.
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
    """The version of the interpreter called `name`, or None where it is absent or does not run."""
    question = "import sys; print('%d %d' % sys.version_info[:2])"
    try:
        said = subprocess.check_output([name, "-c", question], stderr=subprocess.DEVNULL).decode("ascii", "replace")
    except (OSError, subprocess.CalledProcessError):
        return None
    words = said.split()
    return tuple(int(word) for word in words) if words and all(word.isdigit() for word in words) else None


def new_enough(ask: Callable[[str], Optional[Version]]) -> Optional[str]:
    """The first interpreter of NAMES that really runs and is new enough; `ask` tells a name's version."""
    for name in NAMES:
        version = ask(name)
        if version is not None and version >= OLDEST:
            return name
    return None


def too_old(version: Version) -> str:
    """The sentence for somebody whose `python3` is of this version."""
    return (
        "Python 3.11 or newer is needed and this one is {}.{}: install it (Debian 12 and newer have it as python3) "
        "and start again, or name the one to use, for example `make play PYTHON=/opt/python3.12/bin/python3`."
    ).format(*version[:2])


def main(arguments: List[str]) -> int:
    """Do what was asked, here or in a newer interpreter; returns the exit code."""
    if sys.version_info[:2] < OLDEST:
        name = new_enough(version_of)
        if name is None:
            sys.stderr.write(too_old(sys.version_info[:2]) + "\n")
            return 1
        os.execvp(name, [name, os.path.abspath(__file__), *arguments])
    sys.path.insert(0, ROOT)
    from tools import targets

    return targets.main(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
