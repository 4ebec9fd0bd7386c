"""Put the systemd unit's system-call filter in force for a process of a test.

`python -m tests.sandbox UNIT COMMAND …` reads the unit's `SystemCallFilter` and `RestrictAddressFamilies`, asks
systemd-analyze which calls a group has, loads libseccomp's filter and executes the command. The filter applies to all
children of the command.
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
"""libseccomp's actions. The lower half of the second one holds the error number."""
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
"""Why the filter cannot be built here; empty where it can."""


class Comparison(ctypes.Structure):
    """libseccomp's `scmp_arg_cmp`."""

    _fields_ = (
        ("arg", ctypes.c_uint),
        ("op", ctypes.c_int),
        ("a", ctypes.c_uint64),
        ("b", ctypes.c_uint64),
    )


def values(unit: str, key: str) -> list[str]:
    """Return the unit's values after each `key=`."""
    return re.findall(rf"^{key}=(.*)$", unit, re.MULTILINE)


def group(name: str) -> set[str]:
    """Return the system calls of a group such as `@resources`, including those of nested groups."""
    command = ["systemd-analyze", "syscall-filter", name]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[1:]
    found = [line.strip() for line in said if line.strip() and not line.strip().startswith("#")]
    return set().union(*(group(one) if one.startswith("@") else {one} for one in found))


def allowed(unit: str) -> set[str]:
    """Return the system calls that a unit allows. If it allows any, systemd always adds `@default`."""
    found = group("@default")
    for value in values(unit, "SystemCallFilter"):
        inverted, names = value.startswith("~"), value.removeprefix("~").split()
        calls = set[str]().union(*(group(name) if name.startswith("@") else {name} for name in names))
        found = found - calls if inverted else found | calls
    return found


def confine(unit: str) -> None:
    """Put the filter in force for this process and its children. It cannot be removed."""
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
