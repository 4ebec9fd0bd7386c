"""A faulty game that is only installed is left out with a message, and affects no other game."""

from __future__ import annotations

import codecs
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import games
from engine.bots import Kind
from engine.game import Cue, OnBoard
from firmware_host.core import bots, installed
from firmware_host.core.guarded import guarded
from firmware_host.core.installed import SVG
from firmware_host.core.time_limit import WATCH
from tests.firmware_host.small_games import Race, ScreenRace, games_in
from tests.firmware_host.test_without_board import SmallTable
from tests.patience import PATIENCE
from tests.web_panel.conftest import Panel

ROOT = Path(__file__).resolve().parents[2]
GOOD = """
from tests.firmware_host.small_games import Cards
class Outside(Cards):
    name, title = {name!r}, "Outside"
GAME = Outside()
"""
ODD = "class Odd(Exception):\n    def __str__(self):\n        {}\nraise Odd"
CODE = {
    "no_game": "X = 1",
    "no_title": GOOD + "\nOutside.title = None",
    "empty_title": GOOD + "\nOutside.title = ' '",
    "wrong_name": GOOD + "\nOutside.name = 'another'",
    "text_name": GOOD + "\nfrom engine.text import Text\nOutside.name = Text(Outside.name)",
    "no_method": GOOD + "\nOutside.fold = None",
    "raises_at_import": "raise ValueError('a secret')",
    "exits_at_import": "import sys; sys.exit(3)",
    "interrupts_at_import": "raise KeyboardInterrupt",
    "database_at_import": "import sqlite3; sqlite3.connect('/nowhere/at/all')",
    "stopped_at_import": "from firmware_host.core.guarded import Stopped; raise Stopped",
    "long_expression": f"STORY = {' + '.join(['1'] * 900)}" + GOOD + "\nOutside.fold = None",
    "message_fails": ODD.format("raise AttributeError"),
    "message_is_none": ODD.format("return None"),
    "message_exits": ODD.format("raise SystemExit"),
    "message_hangs": ODD.format("while True: pass"),
    "no_python": "def (",
    "no_seats": GOOD + "\nOutside.seats = lambda self, options: ()",
    "bad_options": GOOD + "\nOutside.options = lambda self: {}",
    "bad_glossary": GOOD + "\nOutside.glossary = lambda self: {'cards': object()}",
    **{
        f"bad_light_{number}": f"{GOOD}\nfrom engine.cues import *\nOutside.show = Show({{'a': Light({values})}})"
        for number, values in enumerate(
            (
                "[255, 0, 0], Rhythm('a', '9'), 1, Text('a')",
                "'a', Rhythm('a', '9'), 'b', Text('a')",
                "'a', Rhythm('a', '9'), 1, {}",
                "'a', Rhythm('a', '9' * 5_000), 1, Text('a')",
                "'a', Rhythm('a', '9', 10 ** 400), 1, Text('a')",
                "'a', Rhythm('a', [9]), 1, Text('a')",
                "'a', Rhythm('a', '90', __import__('decimal').Decimal(600)), 1, Text('a')",
                "'a', __import__('types').SimpleNamespace(levels='90', step_ms=600), 1, Text('a')",
            )
        )
    },
    "bad_show": GOOD + "\nfrom engine.cues import Show\nOutside.show = Show({'a': None})",
    "odd_show": GOOD + "\nfrom engine.cues import Show\nOutside.show = Show(palettes={'a': 7})",
    "bad_boards": GOOD + "\nOutside.map_names = Outside.make_map = Outside.map_options = lambda self, *_: 7",
    **{
        f"board_{number}": f"{GOOD}\nOutside.make_map = Outside.map_options = dict\nOutside.map_names = [{name!r}].copy"
        for number, name in enumerate(("a\0b", "..", "a/b", "", "\n"))
    },
    "surrogate_title": GOOD + "\nOutside.title = '\\ud800'",
    "hangs_at_import": "while True: pass",
    "hangs_at_options": GOOD + "\ndef options(self):\n    while True: pass\nOutside.options = options",
    "My-Game": GOOD,
    "_hidden": GOOD,
}
"""Folder -> its module; each is left out."""
DEEP_ART = f'<svg xmlns="http://www.w3.org/2000/svg"><symbol id="a">{3_000 * "<g>"}{3_000 * "</g>"}</symbol></svg>'
PARTS: dict[str, dict[str, str | bytes]] = {
    "bad_bot": {"bots/__init__.py": "", "bots/fool.py": "def (", "bots/good.py": "from engine.bots.random import KIND"},
    "module_of_bots": {"bots.py": "X = 1"},
    "no_kind": {"bots/__init__.py": "", "bots/fool.py": "KIND = 7"},
    "exiting_bot": {"bots/__init__.py": "", "bots/fool.py": "import sys; sys.exit()"},
    "database_bot": {"bots/__init__.py": "", "bots/fool.py": "import sqlite3; raise sqlite3.OperationalError"},
    "bad_bots": {"bots/__init__.py": "raise ValueError"},
    "bad_art": {"screens/art.svg": "<svg"},
    "big_art": {"screens/art.svg": "<svg>" + " " * 3_000_000 + "</svg>"},
    "deep_art": {"screens/art.svg": DEEP_ART},
    "bad_words": {"screens/en.po": b"\xff\xfe", "screens/pl.po": 'msgid "a'},
    "bad_script": {"screens/table.js": b"\xff"},
    "bad_lesson": {"lessons/one.toml": "= ="},
    "bad_book": {"book/one.md": b"\xff\xfe"},
    "no_script": {"screens/seat.js/one": ""},
    "bad_aids": {"show/aids.toml": "= ="},
    "big_aids": {"show/aids.toml": "#" * 2_000_000},
    "odd_aids": {
        "book/cards.md": "# Cards\n\n## LAY\n\nLaying cards.\n\n### CA-LAY-01\n\nLay a card.\n",
        "show/aids.toml": '[[sheet]]\nside = "a"\ntitle = "no.key"\nrules = {NO = [1]}\ncards = "none"\n'
    },
    "bad_sheet": {"show/aids.toml": '[[sheet]]\nside = ["b"]\ntitle = 1\nrules = [1]\ncards = []\n'},
    "big_words": {"screens/en.po": 'msgid "a"\nmsgstr "b"\n\n#' + "x" * 2_000_000},
    "big_script": {"screens/extra.js": 'import "/games/stalingrad/static/a.js"\n' + " " * 2_000_000},
}  # fmt: skip
"""Folder -> files that are faulty in a game that can be played."""
STALLER = """
from engine.bots import Kind
class Staller:
    def told(self, event): pass
    def choose(self, view, legal, chance):
        while True: pass
KIND = Kind(lambda game, seat, view: Staller())
"""
PARTS["stalling"] = {"bots/__init__.py": "", "bots/staller.py": STALLER}


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A second folder of games, all of them faulty but one."""
    folder = tmp_path_factory.mktemp("outside")
    for name, code in {**CODE, **dict.fromkeys(PARTS, GOOD), "sound": GOOD}.items():
        written(folder, name, code)
        for file, content in PARTS.get(name, {}).items():
            (folder / name / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / name / file).write_bytes(content if isinstance(content, bytes) else content.encode())
    before = signal.signal(signal.SIGINT, lambda *_: None)
    with games_in(folder):
        WATCH.patience = 0.1
        installed.installed()
        WATCH.patience = 1.0
        yield folder
    signal.signal(signal.SIGINT, before)


def table_with(name: str, folder: Path) -> SmallTable:
    """Return a table at which an installed game is chosen."""
    return SmallTable(folder, SimpleNamespace(name=name))  # type: ignore[arg-type]


def written(folder: Path, name: str, code: str) -> Path:
    """Write a game into a folder of games. Return its own folder."""
    (folder / name).mkdir(parents=True)
    (folder / name / "__init__.py").write_text(code.replace("{name!r}", repr(name.replace("_", "-"))), "utf-8")
    return folder / name


def finding_games_in(folder: Path) -> dict[str, str]:
    """Return the environment of a process that finds the games in `folder`, too."""
    return {**os.environ, "PYTHONPATH": str(folder)}


def test_each_faulty_game_is_left_out_with_message_without_secrets(outside: Path) -> None:
    found = installed.installed()
    ours = {"sniper-elite", "sniper-elite-solo", "snipers-and-assassins", "stalingrad"}
    playable = {name.replace("_", "-") for name in (*PARTS, "sound")}
    # Games that are installed on this computer may be there, too.
    assert ours | playable <= {*found.games}
    assert not {*found.games} & {name.replace("_", "-") for name in {*CODE} - {*PARTS}}
    said = {fault.name: str(fault.sentence) for fault in found.faults}
    assert {name.replace("_", "-") if name not in ("My-Game", "_hidden") else name for name in CODE} <= said.keys()
    for sentence in said.values():
        assert str(outside) not in sentence
        assert "Traceback" not in sentence
        assert "a secret" not in sentence
    assert "must consist of small letters" in said["My-Game"]
    assert "it has no title" in said["no-title"]
    assert "it lacks fold" in said["no-method"]
    assert "it lacks fold" in said["long-expression"]
    assert "what its seats returns is not valid" in said["no-seats"]
    assert "did not end" in said["hangs-at-import"] or "took too long" in said["hangs-at-import"]
    assert {"bad-bot", "no-kind", "bad-bots", "module-of-bots", "database-bot", "exiting-bot"} <= said.keys()


def test_faulty_files_are_found_once_the_table_is_open(outside: Path, tmp_path: Path) -> None:
    table = table_with("sound", tmp_path).table
    faulty = ("bad-art", "big-art", "deep-art", "bad-lesson", "bad-book")
    wanted = [f"The game {name} is offered without " for name in faulty]
    lost = "".join(table.snapshot.front["lost"])
    assert not any(words in lost for words in wanted)
    for _ in range(2):  # the second check finds nothing new
        for _ in installed.check_files():
            pass
        table.publish()
        lost = "".join(table.snapshot.front["lost"])
        assert [lost.count(words) for words in wanted] == [1] * len(wanted), lost
        assert str(outside) not in lost
    table.close()


def test_symbols_in_symbols_are_sent_once(tmp_path: Path) -> None:
    """Each was sent with all that are in it, so a small file became an answer of many megabytes."""
    (tmp_path / "art.svg").write_text(f'<svg xmlns="{SVG[1:-1]}"><g><symbol id="a"><symbol id="b"/></symbol></g></svg>')
    (symbol,) = installed.read_art(tmp_path / "art.svg")
    assert symbol.get("id") == "a"


def test_table_opens_and_offers_other_games(outside: Path, tmp_path: Path) -> None:
    table = table_with("sound", tmp_path)
    front = table.table.snapshot.front
    assert "sound" in {game["name"] for game in front["games"]}
    assert len([sentence for sentence in front["lost"] if "left out" in sentence]) == len(CODE)
    table.sit_down()
    table.table.start({})
    table.wait(0)
    table.act_first("lay")
    for name in PARTS:
        table.table.abandon()
        table.table.choose({"game": name.replace("_", "-")})
        assert table.table.snapshot.front["bots"]["north"]
        table.table.start({})
        table.wait(0)
    table.table.close()


def test_bot_that_hangs_is_replaced_and_people_play_on(outside: Path, tmp_path: Path) -> None:
    table = table_with("stalling", tmp_path)
    table.sit_down()
    table.table.seating.hand_over(table.keys["south"], "staller")
    table.table.start({})
    table.wait(0)
    WATCH.patience = 0.05
    table.act_first("lay")
    WATCH.patience = 1.0
    assert table.sees("table")["seats"]["south"]["devices"][0]["bot"] == "random"
    table.wait(10_000)
    assert len(table.sees("table")["view"]["laid"]) == 2
    table.table.close()


def test_every_page_answers_whatever_game_is_chosen(outside: Path, tmp_path: Path) -> None:
    panel = Panel(tmp_path / "room")
    try:
        browser = panel.browser()
        for name in (*PARTS, "sound"):
            chosen = browser.post("/api/choose", game=name.replace("_", "-"))
            assert chosen.status_code == 200, (name, chosen.get_data(as_text=True))
            for page in ("/", "/table", "/learn", "/rules", "/legend", "/aids", "/games", "/north", "/api/lobby"):
                answer = browser.get(page, headers={"Accept-Language": "pl"})
                assert answer.status_code < 500, (name, page)
    finally:
        panel.stop()


def test_ctrl_c_ends_start_in_which_a_game_hangs(tmp_path: Path) -> None:
    mark = tmp_path / "imported"
    written(tmp_path / "path" / "games", "hanging", f"open({str(mark)!r}, 'w').close()\nwhile True:\n    pass\n")
    command = [sys.executable, "-m", "firmware_host", "run", "--state", str(tmp_path / "state"), "--port", "0"]
    environment = finding_games_in(tmp_path / "path")
    table = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)
    try:
        while not mark.exists():
            assert table.poll() is None
        table.send_signal(signal.SIGINT)
        _, said = table.communicate(timeout=120)
    finally:
        table.kill()
    assert table.returncode == 0, said
    assert b"Traceback" not in said


def test_ctrl_c_ends_table_with_game_that_ignores_it(tmp_path: Path) -> None:
    ignoring = (
        "import signal\nfor number in (signal.SIGINT, signal.SIGTERM):\n    signal.signal(number, signal.SIG_IGN)\n"
    )
    written(tmp_path / "path" / "games", "deaf", ignoring + GOOD)
    command = [sys.executable, "-m", "firmware_host", "run", "--simulate", "--host", "127.0.0.1", "--port", "0"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path / "path"), str(ROOT)])}
    table = subprocess.Popen(
        [*command, "--state", str(tmp_path / "state")], cwd=ROOT, env=environment, stdout=subprocess.PIPE
    )
    try:
        assert table.stdout is not None
        while b"http://" not in (line := table.stdout.readline()):
            assert line, "the table is open once it prints its address"
        table.send_signal(signal.SIGINT)
        table.communicate(timeout=120)
    finally:
        table.kill()
    assert table.returncode == 0


LARGE = {
    "huge_title": "\nOutside.title = 'x' * 10_000_000",
    "huge_about": "\nfrom engine.text import Text\nOutside.about = Text('x' * 10_000_000)",
    "huge_glossary": "\nOutside.glossary = lambda self: {'cards': {str(n): 'x' * 1000 for n in range(1000)}}",
    "shared_glossary": "\nheap = []\nfor _ in range(60): heap = [heap] * 9\n"
    "Outside.glossary = lambda self: {'a': heap}",
    "huge_options": "\nfrom engine.options import *\n"
    "Outside.options = lambda self: OptionForm((OptionGroup('x' * 10**7, ()),))",
    "many_seats": "\nfrom engine.seats import Seat\nOutside.seats = lambda self, options: "
    "tuple(Seat(f'a{n}', 'A', False) for n in range(10_000))",
    "endless_seats": "\nfrom engine.seats import Seat\nimport itertools\nOutside.seats = lambda self, options: "
    "(Seat(f'a{n}', 'A', False) for n in itertools.count())",
}
"""Folder -> the descriptions of its game; each is more than a lobby can show."""


def test_game_with_too_large_descriptions_is_left_out(tmp_path: Path) -> None:
    for name, code in LARGE.items():
        written(tmp_path, name, GOOD + code)
    with games_in(tmp_path, str(ROOT / "games")):  # without the games of other tests, some of which hang
        found = installed.installed()
    assert {name.replace("_", "-") for name in LARGE} <= {fault.name for fault in found.faults}
    assert not {name.replace("_", "-") for name in LARGE} & found.games.keys()
    assert max(len(fault.sentence) for fault in found.faults) < 300


def test_doctor_reports_game_that_raises_keyboard_interrupt(tmp_path: Path) -> None:
    written(tmp_path / "path" / "games", "bad", "raise KeyboardInterrupt\n")
    said = {}
    for words in (["doctor", "--state", str(tmp_path / "state")], ["arena", "--game", "bad", "--games", "1"]):
        command = [sys.executable, "-m", "firmware_host", *words]
        environment = finding_games_in(tmp_path / "path")
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        assert "Traceback" not in done.stderr
        said[words[0]] = done.returncode, done.stdout + done.stderr
    assert "The game bad is left out: it has a fault (KeyboardInterrupt)." in said["doctor"][1]
    assert said["arena"][0] == 70
    assert "The game 'bad' failed: KeyboardInterrupt in" in said["arena"][1]


def test_bot_that_hangs_during_import_delays_only_once(tmp_path: Path) -> None:
    mark, folder = tmp_path / "imports", written(tmp_path / "games", "slow_bot", GOOD)
    (folder / "bots").mkdir()
    (folder / "bots" / "__init__.py").write_text("")
    note = f"with open({str(mark)!r}, 'a') as file:\n    file.write('x')\n"
    (folder / "bots" / "fool.py").write_text(f"{note}while True:\n    pass\n")
    with games_in(tmp_path / "games"):
        WATCH.patience = 0.1
        found = installed.installed()
        WATCH.patience = 1.0
        assert "fool" not in bots.names(found.games["slow-bot"])
    assert "without the bot fool: it took too long" in " ".join(map(str, (fault.sentence for fault in found.faults)))
    assert mark.read_text() == "x"


def test_game_whose_module_another_one_has_is_left_out(tmp_path: Path) -> None:
    """The second game got the module of the first one, and the table one of a game for its own library's."""
    for game, module in (("first", "helpers.words"), ("second", "helpers.words"), ("third", "colorsys")):
        file = (tmp_path / "games" / game / module.replace(".", "/")).with_suffix(".py")
        file.parent.mkdir(parents=True)
        file.write_text("GAME = object()\n")
        path = "import os, sys\nsys.path.insert(0, os.path.dirname(__file__))"
        (tmp_path / "games" / game / "__init__.py").write_text(f"{path}\nimport {module}\nGAME = {module}.GAME\n")
    code = """
import games
from firmware_host.core import installed
for game in ("first", "second", "third", "third"):
    print(*(fault.why.partition("; import")[0].partition(",")[0] for fault in installed.start_faults(game)))
import colorsys
print(colorsys.rgb_to_hls(0, 0, 0))
"""
    command, env = [sys.executable, "-c", code], finding_games_in(tmp_path)
    found = subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    other = "another game or Python has a module"
    wanted = f"it lacks blank\n{other} helpers\n{other} colorsys\n{other} colorsys\n(0.0, 0.0, 0.0)\n"
    assert (found.returncode, found.stdout) == (0, wanted), found.stderr


def test_former_name_of_a_colour_is_accepted() -> None:
    members = {name: value for name, value in vars(Race).items() if name not in ("colour", "called", "__dict__")}
    old = type("Old", (ScreenRace,), {**members, "called": lambda self, unit: unit, "squad": Race.colour})()
    assert not isinstance(old, OnBoard)
    game = guarded(old)
    assert isinstance(game, OnBoard)
    assert game.colour("red-runner") == "red"
    assert Cue("hole", ("a1",), squad="red") == Cue("hole", ("a1",), "red")


def test_game_whose_files_may_not_be_read_is_left_out_or_lacks_a_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that was copied without permissions stopped the start, whatever else was installed."""
    with tempfile.TemporaryDirectory() as place:
        folder = written(Path(place), "closed_screens", GOOD)
        (folder / "screens").mkdir()
        (folder / "screens" / "art.svg").write_text("<svg/>", "utf-8")
        for path in (Path(place), folder, folder / "__init__.py"):
            path.chmod(0o755)
        (folder / "screens").chmod(0o000)
        monkeypatch.setattr(games, "__path__", [*games.__path__, place])
        privileged = os.geteuid() == 0
        # Python's library may be out of reach then, and a codec that isn't found once is never looked for again.
        codecs.lookup("utf-8-sig")
        if privileged:  # root may read everything
            os.seteuid(65534)
        try:
            assert [*installed.check_files()]
            sentences = [str(fault.sentence) for fault in installed.installed().faults]
        finally:
            if privileged:
                os.seteuid(0)
    assert any("closed-screens is offered without its files" in sentence for sentence in sentences), sentences


class Sits:
    """Makes bots."""

    def __init__(self, *_: object) -> None: ...


class OddKind(Kind, frozen=True):
    def plays(self, seat: str) -> bool:
        raise ValueError


class OddName(str):
    __slots__ = ()


@pytest.mark.parametrize(
    "kind",
    [
        None,
        OddKind(Sits),
        Kind(Sits, "red"),  # type: ignore[arg-type]
        Kind(Sits, (OddName("red"),)),
        Kind(Sits, level=OddName("easy")),  # type: ignore[arg-type]
        Kind(Sits, thinks=1),  # type: ignore[arg-type]
    ],
)
def test_bot_with_code_of_its_own_in_its_kind_is_left_out(monkeypatch: pytest.MonkeyPatch, kind: Any) -> None:
    """The lobby asks it in the table's thread, which ended at a stranger's choice of that game, and at later starts."""
    module = ModuleType("games.odd.bots.odd")
    module.__spec__ = ModuleSpec(module.__name__, None)
    module.KIND = kind  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    with pytest.raises((TypeError, ValueError), match=r"KIND|There is no level"):
        bots._checked_bot("odd", "odd")


def test_kind_of_a_bot_stays_as_it_was_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    game = games.find("stalingrad")
    name = bots.own_names(game)[0]
    before = bots.find(game, name)
    monkeypatch.setattr(f"games.stalingrad.bots.{name}.KIND", None)
    assert bots.find(game, name) is before


def test_folder_with_control_characters_gives_no_order_to_a_terminal(tmp_path: Path) -> None:
    folder = tmp_path / "a\n\x1b[2J"
    folder.mkdir()
    (folder / "__init__.py").touch()
    assert games._folders((str(tmp_path),)) == ("a??[2J",)
