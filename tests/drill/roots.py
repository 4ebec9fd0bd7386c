"""`python -m tests.drill.roots`: install, use, update, interrupt and remove the table in clean Debian 12 and 13.

Each version is tried twice: on this computer's own architecture, and as a Raspberry Pi (arm64, emulated on a PC) that
starts from a card, adds the extras for its pins, and plays a game of bots. debootstrap makes each root in
/var/tmp/sniperboard-roots, where it stays. The last commit is installed. This needs root, and does not change the
machine: mounts are made in a separate namespace.

Exit codes: 0 everything passed, or it cannot run here and says why · 1 something failed.
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.drill.screens import Client

ROOT = Path(__file__).resolve().parents[2]
ROOTS = Path("/var/tmp/sniperboard-roots")
SUITES = {"bookworm": 8712, "trixie": 8713}
"""Debian's name of the version -> the port of the table that is tested there."""
PI = "arm64"
"""The architecture of a Raspberry Pi in Debian's words."""
EMULATOR = Path("/proc/sys/fs/binfmt_misc/qemu-aarch64")
"""Exists where the kernel runs a Pi's programs in an emulator."""
HERE = ("/etc/pip.conf", "/etc/ssl/certs/ca-certificates.crt", "/etc/resolv.conf")
"""The machine's package sources, which a root uses as well."""
PATHS = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
ENTER = 'mount --bind /dev "$0/dev" && mount -t proc proc "$0/proc" && exec chroot "$0" "$@"'
PATIENCE = 1800.0
"""Seconds within which something has to happen."""
MOMENTS = ("bin/python", "lib/python3*/site-packages/pip", "lib/python3*/site-packages/msgspec", "bin/sniperboard")
"""Files of a version in the order in which they are built. An update is killed as each of them appears."""
NO_BOARD = "There is no board at"
CARD = "boot/firmware"
FROM_CARD = "/opt/sniperboard-source"
"""Where the first start unpacks the project."""
EXTRAS = {
    "gpio": "gpiozero, lgpio",
    "neopixel": "adafruit_raspberry_pi5_neopixel_write",
    "mcp23017": "adafruit_mcp230xx.mcp23017",
    "mqtt": "paho.mqtt.client",
}
"""Extra -> modules that it brings."""
AS_PI_5 = f"""
import sys
from pathlib import Path
sys.path.insert(0, {FROM_CARD!r})
from tools import install, pi
machine = pi.this_machine(Path("/srv/pi"))
pi.this_machine = lambda: machine
raise SystemExit(install.install(Path({FROM_CARD!r}), sys.argv[1:]))
"""
"""`make install` on a computer whose device tree is in /srv/pi."""


class Failed(Exception):
    """Something is not as expected."""


class DebianRoot:
    """A Debian in a folder, and commands that run in it."""

    def __init__(self, suite: str, architecture: str) -> None:
        self.suite, self.architecture = suite, architecture
        self.folder = ROOTS / f"{suite}-{architecture}"
        self.source = self.folder / "srv/sniperboard"
        self.program = self.folder / "opt/sniperboard"

    def make(self) -> None:
        """Install a minimal Debian and the last commit of the project. Raises `Failed`."""
        if not (self.folder / "etc/debian_version").exists():
            self.folder.parent.mkdir(parents=True, exist_ok=True)
            words = ["debootstrap", "--variant=minbase", "--include=ca-certificates,make,python3,python3-venv"]
            _host([*words, f"--arch={self.architecture}", self.suite, str(self.folder)])
        for name in HERE:
            if Path(name).exists():
                (self.folder / name[1:]).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(name, self.folder / name[1:])
        shutil.rmtree(self.source, ignore_errors=True)
        _host(["git", "clone", "--quiet", "--no-hardlinks", str(ROOT), str(self.source)])

    def start(self, command: str, *, online: bool = True) -> subprocess.Popen[str]:
        """Start a command in the root, in its own process group."""
        kept = [f"{name}={value}" for name, value in os.environ.items() if name.startswith("PIP_")]
        settings = [*kept, "HOME=/srv", "LANG=C.UTF-8", f"PATH={PATHS}", *([] if online else ["PIP_NO_CACHE_DIR=1"])]
        words = ["unshare", "--mount", *([] if online else ["--net"]), "sh", "-c", ENTER, str(self.folder)]
        return subprocess.Popen(
            [*words, "/usr/bin/env", "-i", *settings, "sh", "-c", command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def run(self, command: str, code: int = 0, *, online: bool = True) -> str:
        """Return the output of a command, which has to exit with this code. Raises `Failed`."""
        going = self.start(command, online=online)
        said = going.communicate()[0]
        if going.returncode != code:
            raise Failed(f"`{command}` ended with {going.returncode}, not {code}:\n{said}")
        return said

    @property
    def runs(self) -> str:
        """Return the version that runs. Raises `Failed` where its command does not start."""
        self.run("sniperboard config")
        return (self.program / "current").readlink().name

    def change(self, source: Path | None = None) -> None:
        """Make a newer version of the project."""
        with ((source or self.source) / "engine/__init__.py").open("a", encoding="utf-8") as file:
            file.write("# newer\n")

    def __str__(self) -> str:
        return f"{self.suite}, {self.architecture}"


def _host(words: list[str]) -> str:
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failed(f"`{shlex.join(words)}` failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def wait(what: str, is_so: Callable[[], bool]) -> None:
    """Wait until something is true. Raises `Failed`."""
    until = time.monotonic() + PATIENCE
    while not is_so():
        if time.monotonic() > until:
            raise Failed(f"{what} did not happen within {PATIENCE:.0f} s")
        time.sleep(0.05)


def has(said: str, words: str) -> None:
    """Raise `Failed` if the output lacks these words."""
    if words not in said:
        raise Failed(f"{words!r} was not said, but:\n{said}")


# --- the trial of a computer ------------------------------------------------------------------------------------


def trial(root: DebianRoot) -> Iterator[str]:
    """Try everything step by step, and return what was confirmed. Raises `Failed`."""
    root.run("make -C /srv/sniperboard uninstall")
    said = root.run('make -C /srv/sniperboard install ARGS="--no-hotspot"')
    has(said, "starts where there is one")
    yield "it is installed"
    _first_page(root)
    yield "its first page comes"
    has(root.run("sniperboard doctor --config /etc/sniperboard/sniperboard.toml", 1), NO_BOARD)
    for tool in ("hw scan", "hw selftest", "hw lights", "hw calibrate"):
        has(
            root.run(f"sniperboard {tool} --config /etc/sniperboard/sniperboard.toml --state /var/tmp/none", 6),
            NO_BOARD,
        )
    yield "every bench tool says that there is no board"
    first = root.runs
    for moment in MOMENTS:
        _killed(root, moment, first)
    yield f"{len(MOMENTS)} updates were killed, and the old version ran on"
    root.run("make -C /srv/sniperboard install")
    second = root.runs
    if second == first:
        raise Failed("the update was not switched to")
    yield "an update is switched to"
    root.change()
    has(root.run("make -C /srv/sniperboard install", 2, online=False), "The previous version still runs.")
    if root.runs != second:
        raise Failed("an update without a network has changed what runs")
    yield "an update without a network changes nothing"
    has(root.run("make -C /srv/sniperboard uninstall"), "Kept: the settings")
    if root.program.exists() or not (root.folder / "etc/sniperboard/sniperboard.toml").exists():
        raise Failed("uninstalling took too little, or too much")
    yield "it is taken away, and the settings stay"


def _first_page(root: DebianRoot) -> None:
    with _table(root, "--config /etc/sniperboard/sniperboard.toml"):
        pass


@contextmanager
def _table(root: DebianRoot, options: str) -> Iterator[int]:
    """Run a table in the root while its page answers at the port that this returns. Raises `Failed`."""
    port = SUITES[root.suite]
    words = f"exec sniperboard run {options} --host 127.0.0.1 --state /var/tmp/games-{port} --port {port}"
    table = root.start(words)
    try:
        wait(f"the first page at port {port}", lambda: table.poll() is not None or _answers(port))
        if table.poll() is not None:
            raise Failed(f"the table ended with {table.returncode}:\n{table.communicate()[0]}")
        yield port
    finally:
        if table.poll() is None:
            os.killpg(table.pid, signal.SIGTERM)
            table.communicate()


def _answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=PATIENCE) as page:
            return bool(page.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def _killed(root: DebianRoot, moment: str, runs: str) -> None:
    """Kill an update as soon as this file of it exists. Raises `Failed`."""
    root.change()
    before = set(root.program.glob("releases/*"))
    going = root.start("make -C /srv/sniperboard install >/dev/null 2>&1")

    def is_there() -> bool:
        new = set(root.program.glob("releases/*")) - before
        return going.poll() is not None or any(list(folder.glob(moment)) for folder in new)

    wait(f"{moment} of an update", is_there)
    if going.poll() is not None:
        raise Failed(f"the update ended before {moment} of it was seen")
    os.killpg(going.pid, signal.SIGKILL)
    going.communicate()
    if root.runs != runs:
        raise Failed(f"an update that was killed at {moment} has changed what runs")


# --- the trial of a Raspberry Pi --------------------------------------------------------------------------------


def pi_trial(root: DebianRoot) -> Iterator[str]:
    """Start from a card without a network, then try what a Pi does. Raises `Failed`."""
    root.run("make -C /srv/sniperboard uninstall")
    _write_card(root)
    root.run(f"sh /{CARD}/sniperboard/first-start.sh", online=False)
    first = root.runs
    yield "it is installed from its card, without a network"
    if not list(root.program.glob("releases/*/lib/python3*/site-packages/web_panel/site/index.html")):
        raise Failed("the installed table has no manual")
    yield "its manual is there"
    _game_of_bots(root)
    yield "bots have played a game, and its record is right"
    _add_extras(root)
    second = root.runs
    yield f"it has the extras {', '.join(EXTRAS)}"
    root.change(root.folder / FROM_CARD[1:])
    _install_on_pi_5(root)
    if root.runs in (first, second):
        raise Failed("the update was not switched to")
    yield "an update is switched to"


def _write_card(root: DebianRoot) -> None:
    """Prepare a card as an image of Raspberry Pi OS has it: Debian 13 with cloud-init, Debian 12 without."""
    boot = root.folder / CARD
    shutil.rmtree(root.folder / FROM_CARD[1:], ignore_errors=True)
    shutil.rmtree(boot, ignore_errors=True)
    boot.mkdir(parents=True)
    for name in ("config.txt", "cmdline.txt", *(["user-data"] if root.suite == "trixie" else [])):
        (boot / name).write_text("\n", "utf-8")
    options = ["--board", "simulated", "--no-hotspot"]
    _host([sys.executable, "-m", "tools.card", str(boot), "--", *options])


def _game_of_bots(root: DebianRoot) -> None:
    """Play a game to its end, and check its record. Raises `Failed`."""
    with _table(root, "--simulate --bot-pause-ms 100") as port:
        client = Client()
        client.reach(port)
        last = client.get("/api/games")["games"]
        began = client.post("/api/play-now", seat="defenders", device="a drill", bots={"sniper": "rambler"})
        handed = client.post("/api/hand-over", seat="defenders", bot="recruit")
        if not (began["ok"] and handed["ok"]):
            raise Failed(f"no game began: {began}, {handed}")

        def is_over() -> bool:
            games = client.get("/api/games")["games"]
            return len(games) > len(last) and games[0]["state"] != "running"

        wait("the end of a game of bots", is_over)
        client.leave()
    root.run(f"sniperboard games verify --state /var/tmp/games-{SUITES[root.suite]}")


def _add_extras(root: DebianRoot) -> None:
    """Install all extras of a Pi 5, and import what they bring. Raises `Failed`."""
    tree = root.folder / "srv/pi/proc/device-tree"
    tree.mkdir(parents=True, exist_ok=True)
    (tree / "model").write_text("Raspberry Pi 5 Model B Rev 1.0\0", "utf-8")
    _install_on_pi_5(root, "--with", *EXTRAS)
    python = f"/{(root.program / 'current').relative_to(root.folder)}/bin/python"
    root.run(f"{python} -c 'import {', '.join(EXTRAS.values())}'")


def _install_on_pi_5(root: DebianRoot, *options: str) -> None:
    root.run(f"python3 -c {shlex.quote(AS_PI_5)} {' '.join(options)}")


# --- all of them ------------------------------------------------------------------------------------------------


def main() -> int:
    """Test all roots, one after the other."""
    needed = ("debootstrap", "dpkg", "unshare", "chroot", "git")
    missing = [program for program in needed if shutil.which(program) is None]
    if missing or os.geteuid() != 0:
        print(f"Not tried: it needs {', '.join(missing) or 'the rights of root'}.")
        return 0
    own = _host(["dpkg", "--print-architecture"]).strip()
    trials = [(DebianRoot(suite, own), trial) for suite in SUITES]
    if own == PI or EMULATOR.exists():
        trials += [(DebianRoot(suite, PI), pi_trial) for suite in SUITES]
    else:
        print(f"{PI} is not tried: it needs qemu-user-static, and {EMULATOR.parent} mounted when that is installed.")
    failed = 0
    for root, tried in trials:
        try:
            root.make()
            for found in tried(root):
                print(f"{root}: {found}", flush=True)
        except Failed as error:
            print(f"{root}: {error}", flush=True)
            failed += 1
    print("Everything passed." if not failed else f"{failed} of {len(trials)} failed.")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
