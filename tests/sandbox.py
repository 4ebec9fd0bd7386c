"""The part of systemd's sandbox that forbids system calls, for a process of a test.

`python -m tests.sandbox UNIT COMMAND …` reads the unit's `SystemCallFilter` and `RestrictAddressFamilies`, asks
systemd-analyze which calls a group has, puts libseccomp's filter in force and becomes the command.
The filter holds for all of the command's children.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import errno
import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

UNIT = Path(__file__).resolve().parents[1] / "systemd" / "sniperboard.service"
ALLOW, FORBID = 0x7FFF0000, 0x00050000
"""libseccomp's actions; the second has the error's number in its lower half."""
EQUAL = 4
NEW_PRIVILEGES = 38
"""PR_SET_NO_NEW_PRIVS"""

MISSING = (
    "systemd-analyze is not here (Debian's package systemd)"
    if shutil.which("systemd-analyze") is None
    else "libseccomp is not here (Debian's package libseccomp2)"
    if ctypes.util.find_library("seccomp") is None
    else ""
)
"""Why the filter cannot be made here; empty where it can."""


class Comparison(ctypes.Structure):
    """libseccomp's `scmp_arg_cmp`."""

    _fields_ = (
        ("arg", ctypes.c_uint),
        ("op", ctypes.c_int),
        ("a", ctypes.c_uint64),
        ("b", ctypes.c_uint64),
    )


def values(unit: str, key: str) -> list[str]:
    """What the unit says after each `key=`."""
    return re.findall(rf"^{key}=(.*)$", unit, re.MULTILINE)


def group(name: str) -> set[str]:
    """The system calls of a group such as `@resources`, with those of the groups in it."""
    command = ["systemd-analyze", "syscall-filter", name]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[1:]
    found = [line.strip() for line in said if line.strip() and not line.strip().startswith("#")]
    return set().union(*(group(one) if one.startswith("@") else {one} for one in found))


def allowed(unit: str) -> set[str]:
    """The system calls that a unit allows; systemd always allows `@default` where it allows some."""
    found = group("@default")
    for value in values(unit, "SystemCallFilter"):
        inverted, names = value.startswith("~"), value.removeprefix("~").split()
        calls = set[str]().union(*(group(name) if name.startswith("@") else {name} for name in names))
        found = found - calls if inverted else found | calls
    return found


def confine(unit: str) -> None:
    """Put the filter in force for this process and its children, for good."""
    library = ctypes.CDLL(ctypes.util.find_library("seccomp"))
    library.seccomp_init.restype = ctypes.c_void_p
    context = ctypes.c_void_p(library.seccomp_init(ctypes.c_uint32(FORBID | errno.EPERM)))
    for name in allowed(unit) - {"socket"}:
        number = library.seccomp_syscall_resolve_name(name.encode())
        if number != -1:
            library.seccomp_rule_add(context, ctypes.c_uint32(ALLOW), number, 0)
    call = library.seccomp_syscall_resolve_name(b"socket")
    for value in values(unit, "RestrictAddressFamilies"):
        for family in value.split():
            same = Comparison(0, EQUAL, int(getattr(socket, family)), 0)
            added = library.seccomp_rule_add_array(context, ctypes.c_uint32(ALLOW), call, 1, ctypes.byref(same))
            assert added == 0, os.strerror(-added)
    assert ctypes.CDLL(None).prctl(NEW_PRIVILEGES, 1, 0, 0, 0) == 0
    loaded = library.seccomp_load(context)
    assert loaded == 0, os.strerror(-loaded)


if __name__ == "__main__":
    confine(Path(sys.argv[1]).read_text("utf-8"))
    os.execvp(sys.argv[2], sys.argv[2:])
