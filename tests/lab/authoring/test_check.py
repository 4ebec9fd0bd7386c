"""`sniperboard game check` says all that is wrong with a game at once, and nothing of a game that is right."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from itertools import combinations
from pathlib import Path
from random import Random
from shutil import which
from typing import Any

import pytest

import games
from engine.game import Ending
from engine.text import Text
from firmware_host.app import cli
from firmware_host.core import installed
from firmware_host.core.guarded import RESULTS
from firmware_host.records import course
from lab.authoring import play, positions, unreached
from lab.authoring import table as authoring_table
from lab.authoring.check import AT_A_TABLE, MORE, MOST, PARTS, Course, findings, folded, is_playable, sample_of, start
from lab.authoring.create import SOURCES
from lab.authoring.limited import limited
from lab.authoring.play import Sample, Unplayable, first_board, tag
from lab.authoring.texts import read_catalogue
from lab.authoring.twins import merged
from tests.lab.authoring.games_made import another_process, change, made

__all__ = ["another_process", "made"]


HINTS = re.compile(r"Sometimes different with another secret:\n  - dug depends on a secret of hider: .*\n\n")
"""By the rules, everyone learns the distance from a hole."""


WAITING = re.compile(r"Left out until this is repaired:\n  - .*\n\n")


def said(capsys: pytest.CaptureFixture[str], code: int) -> str:
    """Return what the command prints, without the hints of the rules and the parts that are left out."""
    capsys.readouterr()
    assert cli.main(["game", "check", "lost-city"]) == code
    return WAITING.sub("", HINTS.sub("", capsys.readouterr().out))


def test_new_game_has_nothing_to_repair_and_what_no_random_game_meets_is_said(
    made: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with (made / "words.py").open("a", encoding="utf-8") as words:
        words.write('\n\nclass Flooded(Event, tag="flooded", frozen=True):\n    """Nothing tells this event."""\n')
    limit = "            if at.round > 99:\n                yield Told(GameOver(HIDER, at.treasure), EVERYONE)\n"
    change(made / "rules.py", "            yield Told(Dug(seat, ", f"{limit}            yield Told(Dug(seat, ")
    line = (made / "rules.py").read_text("utf-8").splitlines().index("            if at.round > 99:") + 2
    out = said(capsys, 0)
    assert out == (
        "Not seen in play:\n"
        "  - These events happen in no random game: flooded. Only your own tests check them.\n"
        f"  - No random game has come to these lines of the rules: rules.py:{line} (yield Told(GameOver(HIDER, "
        "at.treasure), EVERYONE)). If one is a limit or an end of the game, only your own tests check it.\n\n"
        "lost-city: nothing is wrong.\n"
    )


@pytest.mark.parametrize("made", SOURCES, indirect=True)
def test_game_like_each_example_can_be_played(made: Path) -> None:
    """The words of its subject are not those of its name."""
    assert findings(sample_of(games.find("lost-city")), "random games") == ()


def test_folder_that_is_not_read_or_not_shipped_is_said(made: Path) -> None:
    (made / "bot").mkdir()
    change(made.parent.parent / "pyproject.toml", '["games/lost_city"]', '["games/lost_cty"]')
    assert findings(sample_of(games.find("lost-city")), "folders") == (
        "The folder bot/ is not read. Rename it to bots/.",
        "pyproject.toml does not ship games/lost_city: the wheel would lack it. Add it to "
        "hatch.build.targets.wheel.only-include.",
    )
    change(made.parent.parent / "pyproject.toml", '["games/lost_cty"]', '["games/lost_city/game.py"]')
    assert len(findings(sample_of(games.find("lost-city")), "folders")) == 2


def test_file_with_capital_letters_is_said_alone(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (made / "screens/en.po").rename(made / "screens/EN.po")
    (made / "screens/Art.svg").write_text("", "utf-8")
    (made / "bots/digger.py").rename(made / "bots/Digger.py")
    (made / "Show").mkdir()
    (made / "screens/pl.po").rename(made / "screens/pl_PL.po")
    names = {"Show": "show", "bots/Digger.py": "digger.py", "screens/Art.svg": "art.svg", "screens/EN.po": "en.po"}
    names["screens/pl_PL.po"] = "pl.po"  # a country is in no language's name
    lines = [f"  - Rename {name} to {small}: the table looks for this name.\n" for name, small in names.items()]
    assert said(capsys, 3) == f"Capital letters:\n{''.join(lines)}\nlost-city: 5 to repair.\n"


def test_lines_that_only_fold_an_event_are_reached(made: Path) -> None:
    lines = (made / "rules.py").read_text("utf-8").splitlines()
    reached = unreached._decided_lines(sample_of(games.find("lost-city")), made)
    assert lines.index("            return replace(at, order=order)") + 1 in reached[str(made / "rules.py")]


def test_secrets_are_checked_after_positions_draw_them(made: Path) -> None:
    change(made / "game.py", "if at.round > 0 and at.treasure is None:", "if False:")
    course = Course("lost-city")
    assert [part for part in PARTS if course.run(part)] == ["positions are drawn where they leave something out"]
    assert course.waiting == ["secrets stay secret", AT_A_TABLE]
    assert "left out until this is repaired" in [it.part for it in course.notes()]


def test_game_can_be_in_english_only(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sample = sample_of(games.find("lost-city"))
    (made / "screens/pl.po").unlink()
    assert findings(sample, "words") == ("There is no screens/pl.po. sniperboard game texts lost-city writes it.",)
    (made / "book/rules.pl.md").unlink()
    assert cli.main(["game", "texts", "lost-city"]) == 0
    assert not (made / "screens/pl.po").exists()
    assert cli.main(["game", "texts", "lost-city", "pl"]) == 0  # writes a catalogue in which all is empty
    assert (made / "screens/pl.po").exists()
    assert findings(sample, "words") == findings(sample, "rule book") == ()
    assert cli.main(["game", "texts", "lost-city", "xx"]) == 1


def test_names_on_the_boards_of_a_game_are_texts_of_its_catalogue(made: Path) -> None:
    named = """drawing = grid(NAME, "Island", columns=4, rows=4)
    for number, feature in enumerate(drawing["features"]):
        feature["properties"]["name"] = "Old Well" if number == 0 else str(number)
    return build(drawing)"""
    change(made / "board.py", 'return build(grid(NAME, "Island", columns=4, rows=4))', named)
    wants = ("screens/pl.po lacks a translation of 'Old Well'.",)  # not of the numbers
    assert findings(sample_of(games.find("lost-city")), "words") == wants
    change(made / "screens/pl.po", 'msgid "Island"', 'msgid "Isle"')
    assert findings(sample_of(games.find("lost-city")), "words") == (
        "screens/pl.po lacks a translation of 'Island'.",
        *wants,
    )


def test_package_that_would_replace_that_of_the_table_is_said(made: Path) -> None:
    """A wheel with this file stopped every start, also after it was uninstalled."""
    sample, package = sample_of(games.find("lost-city")), made.with_name("__init__.py")
    assert findings(sample, "names") == ()
    package.touch()
    wants = f"Remove {package}: installed with the game, it replaces the table's own, which then cannot start."
    assert findings(sample, "names") == (wants,)


# fmt: off
FILES = [
    ("book/rules.md", "### LC-DIG-01", "### LC-DIG-02", "DIG: the numbers must run from 01"),
    ("screens/en.po", 'msgid "act.dig"', 'msgid "act.digs"', "screens/en.po lacks act.dig, the words for it"),
    ("screens/pl.po", "{who} idzie", "{kto} idzie",
     "screens/pl.po writes kto in '{kto} idzie na {space}.'; '{who} walks to {space}.' has the places "
     "space, who."),
    ("screens/pl.po", "Idź na {space}", "Idź",
     "screens/pl.po leaves out space in 'Idź'. Write its place as in 'Walk to {space}'."),
    ("screens/pl.po", 'msgstr[2] "{who} rzuca kostką: {number} kroków."\n', "",
     "screens/pl.po has 2 forms of '{who} rolls the die: {number} step.', not 3."),
    ("screens/pl.po", 'msgstr "Marsz"', 'msgstr ""', "screens/pl.po lacks a translation of 'act.walk'."),
    ("lessons/seeker.toml", 'space = "a3"', 'space = "d4"',
     'lessons/seeker.toml, line 22: in step 2, {"type":"walk",'),
    ("board.py", '"lost-city-island"', '"island"', "The game treasure has a board island, too. Rename the board"),
    ("game.py", "def placements(", "def _placements(",
     "The game has called, opening, standing, but not placements: the table uses OnBoard only with all "
     "its members."),
    ("game.py", 'title = "Lost city"', 'title = "Treasure"', "The game treasure has the title 'Treasure', too."),
]
"""A file, a part of it and what it is changed to, and what the check says."""
# fmt: on


def test_everything_that_is_wrong_is_said_at_once(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for file, old, new, _ in FILES:
        change(made / file, old, new)
    change(made / "lessons/seeker.toml", 'map = "lost-city-island"', 'map = "island"')
    (made / "screens/art.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg"><symbol id="a" viewBox="0 0 9 9" onclick="x()"><script/>'
        "</symbol></svg>",
        "utf-8",
    )
    (made / "screens/red.js").write_text("export function screen( {\n", "utf-8")
    (made / "screens/hider.js").write_text('import { nothing } from "./nowhere.js";\n', "utf-8")
    for number in range(MOST + 1):
        (made / f"lessons/other-{number}.tml").write_text("", "utf-8")
    out = said(capsys, 3)
    for sentence in (
        *(says for *_, says in FILES),
        'the symbol a needs viewBox="0 0 48 48".',
        "the symbol a has <script>, which no screen shows.",
        "the symbol a has onclick, which no screen runs. Remove it.",
        "screens/hider.js imports ./nowhere.js, which does not exist. The page would not open.",
        *(["screens/red.js has a fault: line 2: Unexpected end of input."] if which("node") else []),
        "lessons/other-0.tml is not read: the files there end in .toml.",
    ):
        assert sentence in out, out
    assert MORE.findall(out) == ["1"]
    assert out.endswith(f"lost-city: {out.count('  - ')} to repair.\n")


# fmt: off
MISTAKES = [
    ("game.py", "walk.space, walk) for", "view.at.pawns[seat.name], walk) for",
     "miniatures arrive where placements move them: placements() leaves red on "),
    ("book/rules.md", "### LC-WALK-01", "### LX-WALK-01",
     "rule book: LC-TURN-01 and LX-WALK-01 begin with different letters; a book has one pair. Correct the"),
    ("screens/en.po", 'msgid "act.dig"', "act.dig",
     "words: screens/en.po cannot be read: line 17 is not understood: 'act.dig'"),
    ("words.py", "    order: tuple[str, ...]\n\n", "    order: list[str]\n\n",
     "random games: reads Begun(order=('red', 'blue')) as Begun(order=['red', 'blue']). Do its fields get"),
    ("game.py", "    def outcome(",
     "    def to_act(self, view: Picture) -> tuple[str, ...]:\n        return ()\n\n    def outcome(",
     "outcome is: A game ends without an outcome(): to_act() names no seat, so no one can go on."),
    ("words.py", "rounds: Annotated[int, Meta(ge=1, le=9)] = 4", "rounds: Annotated[int, Meta(ge=1, le=9)] = 5",
     'options: shows the defaults {"seekers":2,"rounds":4}, read_options() has {"seekers":2,"rounds":5}. ' "Write"),
    ("game.py", "_known(self.start(view.board, view.options), view)",
     "_known(self.start(view.board, view.options if len(at.pawns) < 3 else Options()), view)",
     "options: With seekers = 3: "),
    ("show.py", '"Dig here"', '"Roll the die"', "captions: have the same caption: Roll the die."),
    ("show.py", '[(Text("Round"), rounds), *steps, (Text("The treasure can',
     '[(Text("Round"), at.round), *steps, (Text("The treasure can', "random games: returns [('Round', 1), "),
    ("show.py", 'return [(Text("Round"), rounds), *steps, (Text("The treasure can',
     'return None and [(Text("Round"), rounds), *steps, (Text("The treasure can',
     "random games: returns None, which is not Sequence[tuple[Text, str]]. Return a few lines about a " "picture"),
    ("rules.py", "return replace(view, at=_after", "replace(view, at=_after",
     "random games: fold() in rules.py, line"),
    ("rules.py", "return replace(view, at=_after(view, event))", "return _after(view, event)",
     "random games: which is not a picture. Return the picture after `event`."),
    ("game.py", "        return at\n\n    def seen_by", "        at = at\n\n    def seen_by",
     "random games: returns None, which is not a Position, the position_type."),
    ("rules.py", "Told(Ready(), EVERYONE)", "Told(Ready(), 'all')",
     "random games: returns Told(event=Ready(), audience='all'), which is not an event with its audience: "),
    ("show.py", '"The treasure is hid', '"the treasure is hid', "sentence: must return a whole sentence"),
    ("show.py", '"{who} wins with the treasure of {space}.", who=called(winner)',
     '"The {who} wins with the treasure of {space}.", who=SEATS[winner].title',
     "before a name: has an article before the title of a seat, so people read 'The Ada wins with"),
    ("game.py", "if at.round > 0 and at.treasure is None:", "if False:",
     "positions are drawn: position() leaves treasure null if it is not given."),
    ("words.py", "    space: str\n    steps: int\n", "    space: str\n    steps: Annotated[int, Meta(ge=1)]\n",
     "random games: Expected `int` >= 1 - at `$.steps`"),
    ("rules.py", "def decide(truth: Picture, command: Command, chance: Chance)",
     "def decide(truth: Picture, command: Command)",
     "random games: takes 2 positional arguments but 3 were given. The table calls decide(truth, "),
    ("game.py", "def completed(self, view: Picture, chance: Chance)", "def completed(self, view: Picture)",
     "positions are drawn: takes 2 positional arguments but 3 were given. The table calls completed(view, "),
    ("rules.py", "steps=None)", "steps=None if at.treasure else 1)",
     'views: must have the true value or null in steps (after {"type":"'),
    ("rules.py", "moves, Dig(), EndTurn()]", "moves, Dig(), Dig()]", "offered: a command to red twice"),
    ("rules.py", "turn=at.order[0], round", "turn='none', round", "seats to act: 'none', which is no seat"),
    ("rules.py", "return replace(at, treasure=space)", "raise KeyError(space)", "seats to act: _after() in rules.py"),
    ("rules.py", "[Hide(space) for space in _hiding_places(view)]",
     "[Hide(space) for space in {*_hiding_places(view)}]",
     "each process: legal() of hider depends on the order of a set, which is another each time Python " "starts."),
    ("game.py", "        return island.make()",
     "        import random\n        of = island.make()\n        spaces = random.sample([*of.spaces.items()], "
     "len(of.spaces))\n        return replace(of, spaces=dict(spaces))",
     "each process: The board lost-city-island is another each time. Draw with `chance` only, in make_map() with "
     "Random(0). The module random is used in game.py:"),
    ("game.py", 'Draw("die", Rolled, "number")', 'Draw("die")', "luck: gives other events"),
    ("game.py", 'Draw("die", Rolled, "number")', 'Draw("dice", Rolled, "number")',
     "luck: The forced result 'dice' is impossible: the next result needed is 'die'. Each kind of chance"),
    ("game.py", "{**self.state(view), ", "{'at': id(view), **self.state(view), ", "positions: shows something else"),
    ("rules.py", "only(HIDER)", "EVERYONE",
     "positions: decide() has told it to everyone with hidden. Is that too many"),
    ("game.py", "or at.winner is not None else", "or True else",
     "positions: Hide it in seen_by(), or send an event."),
    ("game.py", "return view.at.pawns\n", "return view.at.pawns | {str(number): None for number in range(99)}\n",
     "on the map: returns more than 100 values, which a table does not accept"),
    ("words.py", "Meta(ge=1, le=3)", "Meta(ge=0, le=9)",
     "options: read_options() accepts 0 for seekers, but the lobby"),
    ("game.py", "return view.at.pawns\n", "return {seat: view.at.pawns[seat] for seat in ('red', 'blue')}\n",
     "options: With seekers = 1: standing() in game.py, line"),
    ("game.py", "def uncovered(", "def uncoverd(",
     "members: Is that uncovered? If not, begin its name with an underscore. See uncoverd in game.py, line 1"),
    ("show.py", 'Cue("hole", view.at.holes)', 'Cue("hole", ("z9",))', 'cues: cues() has hole on ["z9"]'),
    ("rules.py", "yield Told(Walked(", "Told(Walked(", "acts have events: decide() can give the act walk no events"),
    ("rules.py", "return [*moves, Dig()", "return [] if moves else [Dig()",
     "random games: but legal() offers nothing"),
    ("rules.py", "    yield Told(TurnEnded(at.turn), EVERYONE)",
     "    while True:\n        yield Told(TurnEnded(at.turn), EVERYONE)",
     "random games: decide() returns more than 2000 events"),
    ("rules.py", "return replace(at, steps=number)",
     "return replace(at, steps=number + __import__('random').randrange(9**9))", "pictures never change: fold() of"),
    ("game.py", "{**self.state(view), ", "{'at': __import__('random').random(), **self.state(view), ",
     "pictures never change: is different each time"),
    ("show.py", 'Cue("hole", view', 'Cue("hoel", view',
     "known names: cues() names the light 'hoel', which does not exist. Did you"),
    ("show.py", 'Cue("treasure", (', 'Cue("tresure", (', "known names: marks() names the light 'tresure'"),
    ("show.py", "view.at.holes)", "view.at.holes, 'rde')",
     "known names: cues() names the colour 'rde', which does not exist. Did"),
    ("show.py", 'Light("hole", Rhythm', 'Light("hoel", Rhythm',
     "known names: The light hole names the colour (in night, day,"),
    ("show.py", '    "green": (0, 255, 0),\n', "",
     "known names: standing() names the colour (in night, day, clear) 'green'"),
    ("show.py", '("night", "day", "clear")', '("nigth", "day", "clear")',
     "known names: show.palettes names the palette 'nigth'"),
    ("show.py", '("night", "day", "clear")', '("night", "day")',
     "known names: show.palettes lacks clear: a table that is set"),
    ("show.py", "COLOURS))\n", "COLOURS), {'dgu': __import__('engine.cues').cues.Sound((), 1)})\n",
     "known names: show.sounds names the event or light 'dgu'"),
    ("show.py", '"hole": Light(', '"home": Light(',
     "known names: The table has a light home, which is used instead of the game's"),
    ("game.py", "    def opening(",
     "    def colour(self, miniature): return 'rde' if miniature == 'red' else miniature\n\n    def opening(",
     "known names: standing() names the colour"),
    ("game.py", 'barred["dig"] =', 'barred["dgi"] =',
     "known names: foresight() names the type of action 'dgi', which does not"),
    ("game.py", '{"odds": [', '{"odd": [',
     "known names: foresight() of dig names the fact 'odd', which does not exist. Did"),
    ("game.py", "Ending((view.at.winner,)", "Ending((view.at.winner + 's',)",
     "known names: ending() names the seat or side 'hiders'"),
    ("rules.py", "only(HIDER)", "only(HIDER, 'rde')",
     "known names: The audience of hidden names the seat 'rde', which does not"),
    ("bots/digger.py", "SEEKERS)\n", "('red', 'grene'))\n",
     "known names: The bot digger names the seat 'grene', which"),
    ("game.py", "    def retractable(",
     "    def teams(self, options): return {'all': ('red', 'bleu', 'hider')}\n\n    def retractable(",
     "known names: teams() names the seat 'bleu'"),
    ("game.py", "    def retractable(",
     "    def teams(self, options): return {'hiders': ('hider',), 'seekers': ('red', 'blue')}\n\n    def "
     "ending(self, view): return Ending(('nemo',), 'found', 1) if view.at.winner else None\n\n    def "
     "retractable(",
     "known names: ending() names the seat or side 'nemo', which does not exist. Known: red, blue, hider, "
     "hiders, seekers."),
    ("game.py", "    def retractable(", "    def stood(self, view): return {'rde': 'a11'}\n\n    def retractable(",
     "known names: stood() names the space 'a11', which does not"),
    ("game.py", "    def retractable(", "    def route(self, events): return [['a11']]\n\n    def retractable(",
     "known names: route() names the space 'a11', which does not"),
    ("game.py", "    def retractable(",
     "    def fortunes(self, events): return [__import__('engine.game').game.Fortune('rde', 1.0, 1.0, "
     "Text('none'))]\n\n    def retractable(",
     "known names: fortunes() names the seat 'rde', which does not exist. Did you mean red? Known: red, "
     "blue, hider."),
    ("game.py", "    def retractable(", "    def map_art(self, board, say=str): return "
     "__import__('engine.graph.overlay').graph.overlay.Overlay(paint={'a11': 'red'})\n\n    def retractable(",
     "known names: map_art().paint names the space 'a11', which does not exist. Did you mean a1?"),
    ("game.py", 'about = Text("', 'about = str("',
     "known names: about is a str, which is not translated. Write a Text. See about in game.py, line 46."),
    ("game.py", "    def outcome(",
     '    def glossary(self): return {"places": {"a1": {"title": "Tower"}}}\n\n    def outcome(',
     "glossary: The card a1 has no text in glossary(). The generic screens show it."),
    ("game.py", "    def retractable(",
     "    def teams(self, options): return {'h': ('hider',), 's': ('red',), 'r': ('red',)}\n\n    def "
     "retractable(",
     "known names: teams() has the seat red 2 times. Name it once. See teams() in game.py, line 139."),
    ("game.py", "    def retractable(",
     "    def teams(self, options): return {'hider': ('hider',), 'reds': ('red',)}\n\n    def retractable(",
     "known names: teams() has the seat blue on no side. Name it once. See teams() in game.py, line 139."),
    ("game.py", "return rules.check(view, seat, command)", "return command",
     'other commands: check() accepts {"type":"'),
    ("game.py", "if viewer in (HIDER, REFEREE)", "if viewer in (HIDER, REFEREE, 'table')",
     "states can be: position() shows treasure to table, but no event did (first after "),
    ("show.py", "seat=SEATS[seat].title", "seat=Text(seat[:2])",
     "words in play: screens/pl.po lacks 're', which sentence() says: the code makes this text of a "
     "variable. Write"),
    ("show.py", '(Text("Steps left"), str(at.steps))', '(Text("Steps left"), Text(at.turn))',
     "words in play: which summary() says: the code makes this text of a variable. Write"),
    ("show.py", 'Text("{who} walks to {space}.", who=', 'Text(f"{event} walks.", who=',
     "words: show.py:61: the text of Text(f'{event} walks.'"),
    ("words.py", '"red", Text("red seeker")', '"red", "red seeker"',
     "seats: seats(): the title of red is a str, which is not translated. Write Text('red seeker'). See seats("),
    ("game.py", "Placement(seat.name, view.at.pawns[seat.name], walk", "Placement(seat.name, walk.space, walk",
     "on the map: placements() moves red from "),
    ("game.py", "return [Placement(", "return 2 * [Placement(",
     "on the map: placements() names one act twice, so the board asks which one is meant: {"),
    ("game.py", "Placement(seat.name, view", 'Placement("rde", view',
     "known names: placements() names the miniature 'rde', which does not exist. Did you mean red?"),
]
"""A file, a part of it and what it is changed to, and what a part of the check says, with a part of its name."""
AT_START = [
    ("Begun, \"order\"", "'begun', 'order'",
     "  - draws names 'begun' as the event of order. Write the class of the event. See draws in game.py, line "),
    ("    draws =", "    reveals = ('gameover',)\n    draws =",
     "  - reveals names the event 'gameover', which does not exist. Did you mean game-over? Known: "),
    ("    draws =", "    reveals = 'dug'\n    draws =",
     '  - reveals is a text: its letters would be names. Write a tuple: reveals = ("dug",). See reveals in game.py'),
    ("    draws =", "    reveals = (Begun, Rolled)\n    draws =",
     "  - reveals is a tuple with classes. Write the tags of the events: 'begun', 'rolled'. See reveals in game.py"),
    ('Draw("treasure"))', 'Draw("treasure"), Draw("treasure"))',
     "  - draws names the same Draw of treasure twice. Leave one out. See draws in game.py"),
    ("    draws =", "    refusals = (Refusal('LC-TURN-01', 'No.'),)\n    draws =",
     "  - The text of LC-TURN-01 in refusals is a str, which is not translated. Write Text('No.'). See refusals in"),
    ("def outcome(", "def ends(", "The game cannot be loaded: it lacks outcome (class LostCity in "),
    ("position_type =", "position_types =",
     "The table never asks for position_types. Is that position_type? If not, begin its name with an "
     "underscore. See position_types in game.py, line 51."),
    ("    event_types =", "    event_kinds =", "The game cannot be loaded: it lacks event_types (class LostCity in "),
    ("position_type = Position", "position_type = Position()",
     "it lacks a class of its own as its position_type (class LostCity in "),
    ('Rolled, "number")', 'Rolled, "nubmer")', "it lacks the field nubmer of Rolled, which its draws name"),
    ("    draws =", "    drawes =", "The table never asks for drawes. Is that draws?"),
    ("decide = staticmethod", "decide_four = staticmethod", "never asks for decide_four. Is that decide_for?"),
    ('name = "lost-city"', 'name = "city"', "it must be lost-city (class LostCity in "),
    ("class LostCity", "class LostCity(", "The game cannot be loaded: SyntaxError in {game}, line {at}: "),
    ("import Seat", "import Seats", "The game cannot be loaded: ImportError in {game}, line {at}: cannot import "),
    ("GAME = LostCity()", "seat_names.of", "The game cannot be loaded: AttributeError in {game}, line {at}: "),
    ("    draws =", "    highlights = ('dug',)\n    draws =",
     "highlights is not a tuple of event types. Write highlights = (Walked,), with a comma also after a single"),
    ("    draws =", "    refusals = (Refusal('LC-TURN-01', Text('No.'), Hide),)\n    draws =",
     "it lacks a Refusal without a command in its refusals (class LostCity in "),
    ("GAME = LostCity()", "seat_names(7)", "The game cannot be loaded: TypeError in {game}, line {at}: "),
    ("tuple(SEATS[name] for name", "tuple(Seat('a', name, False) for name", "two seats have the same name"),
    ("def seats(", "def read_options(self, raw): return super().read_options({'depth': 2})\n\n    def seats(",
     "its read_options refuses what its options offer (The options cannot be read: Object contains "
     "unknown field `depth`)"),
    ("GAME = LostCity()", "GAME = LostCity", "GAME is the class LostCity, not a game of it. Write GAME = LostCity()."),
    ("    draws =", "    refusals = (Refusal('LC-TURN-01', Text('No.')))\n    draws =",
     "refusals is not a tuple of Refusal objects. Write refusals = (Refusal(…),), with a "
     "comma also after a single one. See refusals in game.py"),
    ("    def retractable(", "    show = {}\n\n    def retractable(",
     "show is a dict. Write show = Show(LIGHTS, PALETTES, SOUNDS). See show in game.py, line "),
    ("command_types = OF_HIDER | OF_SEEKER", "command_types = (Hide,)",
     "command_types is a tuple. Join the types with |: command_types = Walked | Dug. See command_types in game.py, "),
    ("command_types = OF_HIDER | OF_SEEKER", "command_types = OF_HIDER | Position",
     'command_types names Position, which is no subclass of Command. Make it one. See command_types in game.py'),
]
CAUSES = [
    ("rules.py", "replace(at, winner=winner, treasure=treasure)", "at",
     "Random games: A random game didn't end after 2000 acts. To act: hider. The last 100 acts: hide of hider ("),
    ("game.py", '    title = "Lost city"\n', "",
     "The start of the table: The game cannot be loaded: it has no title (class LostCity in "),
    ("show.py", 'Rhythm("', 'Rhythm("x", "beat", 9) or ("',
     "The start of the table: The game cannot be loaded: its light hole has no rhythm in digits and "),
    ("game.py", "return island.make()", "return None",
     "The start of the table: The first board cannot be made: make_map() returns no valid Map. Return what build() "
     "makes. See make_map() in game.py, line 7"),
    ("words.py", "Begun | Hidden | Ready", "Begun | Hidden",
     'Random games: Its event_types lack Ready. read_event() cannot read {"type":"ready"}: Invalid value '
     "'ready' - at `$.type`"),
    ("game.py", "command_types = OF_HIDER | OF_SEEKER", "command_types = OF_HIDER",
     "Random games: Its command_types lack "),
    ("show.py", "case Ready():", "case None:",
     "Random games: sentence() in show.py, line 76, raises AssertionError: no event of this game: Ready()"),
    ("game.py", 'Draw("die", Rolled, "number")', 'Draw("die")',
     'Acts repeat with the luck in their events: {"type":"roll"} with the luck() of its own events, '
     "nothing, gives other events. Each kind of chance needs a Draw with the event and the field that "
     "tell its result."),
    ("game.py", "if viewer in (HIDER, REFEREE) or at.winner is not None else replace(at, treasure=None)",
     "if viewer in (HIDER, REFEREE) or at.winner is not None else None",
     "Random games: seen_by() in game.py, line 95, returns None, which is not a Position, the position_type."),
    ("show.py", '"hole": (140, 80, 20)', '"hole": (140, 80, 320)',
     "The start of the table: The game cannot be loaded: the colour hole of its palette night is not "
     "three numbers from 0 to 255. Repair it, then check again."),
    ("words.py", 'Number(("rounds",)', 'Number(("round",)',
     "The start of the table: words.py:36: option_form names the option 'round', which does not exist. Did you mean "
     "rounds? Known: seekers, rounds."),
    ("words.py", "1, 9, default=4,", "1, 9, default=14,",
     "The start of the table: words.py:36: the default of rounds is none of its settings: 14."),
    ("game.py", "    option_type = Options\n", "",
     "The start of the table: option_form is there, but no option_type. Write option_type = Options, a Struct with "
     "these fields. See option_form in game.py, line 49."),
    ("board.py", '"lost-city-island"', '"launch-facility"',
     "The start of the table: There is a drawn map launch-facility, which is played instead of the board "
     "of this name. Rename the board."),
    ("rules.py", "return replace(at, pawns={**at.pawns, seat: to}, steps=left)",
     "at.pawns[seat] = to; return replace(at, steps=left)",
     "Pictures never change: fold() changes the picture of red, blue, hider, table, referee in place by "
     '{"type":"walk","space":"c4"}. Return a new picture. See fold() in rules.py, line 124.'),
    ("show.py", 'return Text("the {seat}", seat=SEATS[seat].title)', "return str(SEATS[seat].title)",
     "Random games: called() in show.py, line 86, returns 'red seeker', a str, which is not translated. "
     "Return a Text."),
    ("words.py", 'tag="end-turn"', 'tag="end turn"',
     "The start of the table: EndTurn in its command_types has the tag 'end turn'. Use small letters, digits and "
     "hyphens. See class EndTurn in words.py, line 64."),
    ("board.py", "columns=4, rows=4", "columns=3, rows=4",
     "Random games: The board has no space d4, where standing() puts miniatures at the start. Change the "
     "board or the start. See standing() in game.py, line 155."),
    ("game.py", "decide = staticmethod", "deside = staticmethod",
     "The start of the table: The table never asks for deside. Is that decide? If not, begin its name "
     "with an underscore. See deside in game.py, line 55."),
    ("game.py", "return (island.NAME,)", "return island.NAME",
     "The start of the table: map_names() in game.py, line 70, returns 'lost-city-island', which is not "
     "tuple[str, ...]. Return the names of the boards, which are their `Map.slug`, for example " '`("island",)`.'),
    ("__init__.py", "import GAME", "import LostCity as GAMES",
     "The start of the table: The game cannot be loaded: it offers no GAME. Write `from "
     "games.lost_city.game import GAME` into games/lost_city/__init__.py, then check again."),
    ("board.py", 'return build(grid(NAME, "Island", columns=4, rows=4))',
     'sheet = grid(NAME, "Island", columns=4, rows=4)\n    return build({**sheet, "size": (800, 800)})',
     "The start of the table: The first board cannot be made: feature 3, space a3 at (0, 800): (400, 1200), "
     "a corner, lies off the board of 800 x 800. Move it onto the board. And "),
    ("rules.py", "turn=at.order[0], round", "turn='none', round",
     "Random games: to_act() names 'none', which is no seat. Known: red, blue, hider. See "),
    ("words.py", "    steps: int\n", "    steps: Steps\n",
     "The start of the table: words.py:111: the type Steps does not exist. Correct its name, or import"),
    ("rules.py", 'chance.roll("die", DIE, ', 'chance.roll(DIE, "die", ',
     "Random games: decide() in rules.py, line 101, raises TypeError: chance gets "),
    ("show.py", 'Cue("hole", view.at.holes)', 'Cue("hole", [*view.at.holes])',
     "Random games: cues() in show.py, line 118, returns [Cue(name='hole', spaces=["),
    ("game.py", "is None:\n            return None\n        return Ending",
     "is None:\n            return Ending((HIDER,), 'hidden', 1)\n        return Ending",
     "Outcome is public and exists only after the end: ending() must be None during the game. See ending() in game"),
    ("rules.py", "GameOver(HIDER, at.treasure), EVERYONE", "GameOver(HIDER, at.treasure), only(HIDER)",
     "Everyone learns the outcome: outcome() differs between the viewers after "),
    ("game.py", "walk.space, walk) for", "walk.space.upper(), walk) for",
     "Known names: placements() names the space 'A2', which does not exist. Did you mean a2? The same is true of "),
    ("game.py", "if at.round > 0 and at.treasure is None:", "if at.round > 0:",
     "States can be read as positions: completed() loses what state() has said after "),
    ("game.py", "    legal = staticmethod(rules.legal)",
     "    def legal(self, view, seat): return rules.legal(view, view.at.turn if view.at.winner is None else seat)",
     "Offered commands can be read back and are legal: legal() offers acts to "),
    ("game.py", 'chance.order("order", SEEKERS[: options.seekers], "LC-TURN-01")',
     "SEEKERS[: options.seekers][:: next(vars(rules).setdefault('TURN', __import__('itertools').cycle([1] * 12 + "
     "[-1] * 12)))]",
     "Same seed gives the same game: setup() gives two beginnings from one chance. Draw with `chance` only."),
    ("show.py", 'Text("Walk to {space}", space=space)', 'Text("Walk to {space}")',
     "Random games: caption() in show.py, line 91, returns 'Walk to {space}', a text without a value for {space}. "
     "Write Text(…, space=…)."),
    ("rules.py", "return replace(at, steps=number)", "replace(at, steps=number)\n            return None",
     "Random games: fold() in rules.py, line 124, has None as the position, not a Position. Does each case return "),
    ("words.py", "    turn: str = HIDER", "    turn: Annotated[str, Meta(min_length=4)] = HIDER",
     "States can be read as positions: position() refuses what state() shows after "),
    ("words.py", "secret=False, on_board=True", "secret=False",
     "Miniatures have places on the map: The game has miniatures, but no seat is on_board, so moving one does"),
    ("screens/en.po", 'msgstr "Walk"', 'msgstr "Walk to {space}"',
     "Words in play: screens/en.po: act.walk has a place for space, which gets no value."),
    ("bots/digger.py", "def choose(", "def chose(",
     "A table: The bot digger, at the seat red, fails: class Digger in digger.py, line 18, raises "
     "AttributeError: 'Digger' object has no attribute 'choose'"),
    ("words.py", 'tag="dug", ', "",
     "The start of the table: Dug in its event_types has no tag. Use small letters, digits and hyphens. See class Dug"),
    ("game.py", "Ending((view.at.winner,)", "Ending(()",
     "Endings name the winners of the outcome: ending() names no winner in any of 6 random games. Name the seats "),
    ("game.py", "        return Ending(", "        return None and Ending(",
     "Outcome is public and exists only after the end: ending() must return an Ending after the end of the game: "),
    ("show.py", "    return [cue for cue in found if cue.spaces]",
     "    return [Cue(it.name, {*it.spaces}, it.colour) for it in found if it.spaces]",
     "Random games: cues() in show.py, line 118, returns [Cue(name='hole', spaces={"),
    ("show.py", '[(Text("Round"), rounds), *steps, (Text("The treasure can',
     '[(Text("Round"), str(__import__("time").perf_counter())), *steps, (Text("The treasure can',
     "Pictures never change: summary() of one picture is different each time. Use nothing but the picture. See "),
    ("words.py", 'tag="game-over"', 'tag="rolled"',
     "The start of the table: Rolled and GameOver in its event_types have the same tag, 'rolled'. Choose another one. "
     "See class Rolled in words.py, line "),
    ("words.py", 'Number(("rounds",)', 'Number("rounds"',
     "The start of the table: words.py:36: the path of an option is a str. Write Number(('rounds',), …)."),
    ("words.py", "1, 9, default=4", "9, 1, default=4",
     "The start of the table: words.py:36: the limits of rounds are 9 and 1. Write the smaller one first."),
    ("book/rules.md", "### LC-DIG-01", "### LC-WALK-01",
     "Rule book: book/: rules.md:34: LC-WALK-01 is there twice, first in rules.md:26. Give one of them another"),
    ("screens/pl.po", "nplurals=3", "nplurals=2",
     'Words: screens/pl.po cannot be read: line 5 is not of this language. Write "Plural-Forms: nplurals=3; plural='),
    ("screens/pl.po", "nplurals=3", "nplurals=4",
     'Words: screens/pl.po cannot be read: line 5 is not of this language. Write "Plural-Forms: nplurals=3; plural='),
    ("bots/digger.py", "def told(", "def tell(",
     "A table: The bot digger, at the seat red, fails: class Digger in digger.py, line "),
    ("show.py", 'Cue("hole", view.at.holes)', 'Cue("hole", "".join(view.at.holes))',
     "Random games: cues() in show.py, line 118, returns [Cue(name='hole', spaces='"),
    ("words.py", "class Position(Struct, frozen=True, forbid_unknown_fields=True)", "class Position",
     "The start of the table: position_type is the class Position without fields. Write class Position(Struct, …)."),
    ("show.py", '"3331", 600), 30', '"3331", 600), "30"',
     "The start of the table: show names a wrong Light: hole (Expected `int`, got `str` - at `$.weight`). "
     "Correct it where the show gets it. See show in game.py, line "),
    ("show.py", "COLOURS))\n", "COLOURS), {'dug': __import__('engine.cues').cues.Sound((440, 200), 5)})\n",
     "The start of the table: show names a wrong Sound: dug (Expected `array`, got `int` - at `$.notes[0]`). "
     "Correct it where the show gets it. See show in game.py, line "),
    ("show.py", 'Text("here the treasure lay")', '"here the treasure lay"',
     "The start of the table: show names the light treasure, whose meaning is a str, which is not translated. Write "
     "a Text. See show in game.py, line "),
    ("game.py", "    def retractable(",
     "    def teams(self, options): return {'all': ('red', 'bleu', 'hider')}\n\n    def retractable(",
     "Known names: teams() names the seat 'bleu', which does not exist. Did you mean blue?"),
    ("book/rules.md", "### LC-WALK-01", "## LC-WALK-01",
     "Rule book: book/: rules.md: ## LC-WALK-01 begins no rule. Write ### LC-WALK-01."),
    ("game.py", 'replace(at, treasure=chance.order("treasure", at.possible, "LC-HIDE-01")[0])',
     "replace(at, treasure='z9')",
     "Positions are drawn where they leave something out: completed() draws what is then refused: "),
    ("lessons/seeker.toml", 'act = { type = "end-turn" }', 'act = { type = "ends" }',
     "Lessons: lost_city/lessons/seeker.toml, line "),
    ("lessons/seeker.toml", '[["die", 2]]', '[["dice", 2]]',
     "Lessons: lessons/seeker.toml, line 14: in step 1, "),
    ("rules.py", "return replace(at, pawns={**at.pawns, seat: to}, steps=left)", "return replace(at, steps=left)",
     "Miniatures arrive where placements move them: placements() moves red from "),
]
"""The same with the heading: only this is said."""
# fmt: on


@pytest.mark.parametrize(("file", "old", "new", "says"), MISTAKES)
@pytest.mark.usefixtures("another_process")
def test_mistake_is_said(made: Path, file: str, old: str, new: str, says: str) -> None:
    change(made / file, old, new)
    part, sentence = says.split(": ", 1)
    sample = sample_of(games.find("lost-city"))
    said = [one for name in PARTS if part in name for one in findings(sample, name)]
    assert len([one for one in said if sentence in one]) == 1, said


@pytest.mark.parametrize(("old", "new", "says"), AT_START)
def test_game_that_cannot_start_is_said(
    made: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, says: str
) -> None:
    change(made / "game.py", "import Seat\n", "import Seat, seat_names\n")
    change(made / "game.py", "import Draw,", "import Draw, Refusal,")
    change(made / "game.py", old, new)
    game = made / "game.py"
    out, at = said(capsys, 3), game.read_text("utf-8").partition(new)[0].count("\n") + 1
    assert says.format(game=game, at=at) in out
    assert "the table again" not in out
    assert out.endswith("lost-city: 1 to repair.\n")


@pytest.mark.parametrize(("file", "old", "new", "says"), CAUSES)
def test_cause_is_said_alone(
    made: Path, capsys: pytest.CaptureFixture[str], file: str, old: str, new: str, says: str
) -> None:
    change(made / file, old, new)
    part, sentence = says.split(": ", 1)
    out = said(capsys, 3)
    assert out.startswith(f"{part}:\n  - {sentence}"), out
    assert out.endswith("\n\nlost-city: 1 to repair.\n"), out


# fmt: off
BEFORE_AN_ERROR = [
    ([("rules.py", "only(HIDER)", "only()"),
      ("rules.py", "if seat == HIDER:", "if seat == HIDER and (view.at.round < 1 or view.at.treasure.upper()):")],
     "AttributeError: 'NoneType' object has no attribute 'upper'. Correct this line, or the values that it gets. No "
     "seat gets the event hidden, because only() names none. Is that the cause?"),
    ([("words.py", "treasure: str | None = None", "treasure: str = ''"),
      ("rules.py", "if view.at.treasure is None else", "if not view.at.treasure else"),
      ("game.py", '"to_act": self', '"x": 1 / (view.at.treasure != "" or view.at.round < 1), "to_act": self')],
     "state() of red must have the true value or null in treasure (after {"),
]
# fmt: on


@pytest.mark.parametrize(("changes", "says"), BEFORE_AN_ERROR)
def test_what_comes_before_an_error_is_said(made: Path, changes: list[tuple[str, str, str]], says: str) -> None:
    for file, old, new in changes:
        change(made / file, old, new)
    (one,) = findings(sample_of(games.find("lost-city")), "random games")
    assert says in one


def test_event_that_the_referee_keeps_is_no_cause_of_another_fault(made: Path) -> None:
    kept = "yield from (Told(Hidden(space), who) for who in (only(HIDER), only()))"
    change(made / "rules.py", "yield Told(Hidden(space), only(HIDER))", kept)
    change(made / "show.py", 'Cue("hole", view.at.holes)', 'Cue("hole", [*view.at.holes])')
    (one,) = findings(sample_of(games.find("lost-city")), "random games")
    assert "spaces of Cue must be a tuple" in one
    assert "only() names none" not in one


def test_picture_of_a_bot_that_cannot_be_loaded_is_no_unknown_name(made: Path) -> None:
    change(made / "bots/digger.py", "KIND = ", "BOT = ")
    (made / "screens/art.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg"><symbol id="bot-digger" viewBox="0 0 48 48"><path/></symbol></svg>'
    )
    assert findings(sample_of(games.find("lost-city")), "known names") == ()


def test_texts_of_a_game_that_cannot_be_loaded_are_a_sentence(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(made / "game.py", "GAME = LostCity()", "GAME = LostCities()")
    assert cli.main(["game", "texts", "lost-city"]) == 1
    assert capsys.readouterr().err == (
        "The game cannot be loaded: NameError: name 'LostCities' is not defined. "
        "sniperboard game check lost-city says where.\n"
    )


def test_secret_that_everyone_is_told_is_said_once(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(made / "rules.py", "only(HIDER)", "EVERYONE")
    out = said(capsys, 3)
    assert "but position() hides it (first after" in out
    assert out.endswith("lost-city: 1 to repair.\n"), out


UTF_16 = "not text in UTF-8, but UTF-16: save it as UTF-8."


@pytest.mark.parametrize(
    ("file", "encoding", "says"),
    [
        ("rules.py", "utf-16", f"rules.py cannot be read: {UTF_16}"),
        ("bots/digger.py", "utf-16", f"bots/digger.py cannot be read: {UTF_16}"),
        ("screens/pl.po", "utf-16", f"screens/pl.po cannot be read: {UTF_16} Repair the file."),
        ("screens/pl.po", "cp1250", "screens/pl.po cannot be read: not text in UTF-8 (see line 14): save it as UTF-8."),
        ("../../pyproject.toml", "utf-16", f"pyproject.toml cannot be read: it is {UTF_16} Repair the file."),
        (
            "../../pyproject.toml",
            "cp1250",
            "pyproject.toml cannot be read: it is not text in UTF-8 (see line 10)",
        ),
        ("screens/red.js", "cp1250", "The screen red.js cannot be loaded: the file is not UTF-8: save it as UTF-8."),
    ],
)
def test_file_in_another_encoding_is_said_once(made: Path, file: str, encoding: str, says: str) -> None:
    path = made / file
    text = path.read_text("utf-8") if path.exists() else "// żółw"
    path.write_bytes(text.replace('description = "', 'description = "Żółw ').encode(encoding))
    said = [*start("lost-city")]
    if is_playable("lost-city"):
        sample = sample_of(games.find("lost-city"))
        said += [one for name in ("words", "pictures", "folders", "rule book") for one in findings(sample, name)]
    assert len(said) == 1, said
    assert said[0].startswith(says), said


# fmt: off
SCRIPTS = [
    ("red", "function screen() {}", "screen"), ("seat", "export const x = 1;", "screen"),
    ("past", "export default {};", "past"), ("table", "export const x = table;", "table"),
    ("seat", "export function screen() {}", ""), ("legend", "let a, b;\nexport { a,\n  b as legend };", ""),
    ("board", "export const board = {};", ""), ("red", 'export * from "/static/generic/seat.js";', ""),
    ("parts", "", ""),
]
# fmt: on


@pytest.mark.parametrize(("page", "source", "says"), SCRIPTS)
def test_script_without_what_its_page_uses_is_said(made: Path, page: str, source: str, says: str) -> None:
    (made / f"screens/{page}.js").write_text(source, "utf-8")
    said = f'screens/{page}.js exports no "{says}", which its page uses. Write export before it.'
    assert findings(sample_of(games.find("lost-city")), "screens") == ((said,) if says else ())


def test_what_no_screen_shows_of_a_picture_is_said(made: Path) -> None:
    inside = '<title>A</title><script/><defs><symbol id="bot-digger"/><path/></defs>'
    (made / "screens/art.svg").write_text(f'<svg xmlns="http://www.w3.org/2000/svg">{inside}</svg>', "utf-8")
    outside = "outside of the symbols, where no screen shows it. Remove it."
    said = tuple(f"screens/art.svg has <{kind}> {outside}" for kind in ("script", "path"))
    assert findings(sample_of(games.find("lost-city")), "pictures") == said


def test_picture_without_a_name_is_said_once(made: Path) -> None:
    art = '<svg xmlns="http://www.w3.org/2000/svg"><symbol viewBox="0 0 48 48"/></svg>'
    (made / "screens/art.svg").write_text(art, "utf-8")
    sample = sample_of(games.find("lost-city"))
    assert findings(sample, "pictures") == ("screens/art.svg has a symbol without an id.",)
    assert findings(sample, "known names") == ()


def test_bot_without_description_and_style_from_elsewhere_are_said(made: Path) -> None:
    change(made / "bots/digger.py", '"""A bot', "# A bot")
    style = '@import "//example.org/a.css";\n.space { fill: url(#own); stroke: url( https://example.org/x.png ) }\n'
    (made / "screens/style.css").write_text(style, "utf-8")
    sample = sample_of(games.find("lost-city"))
    described = "bots/digger.py lacks a docstring: its first line describes the bot in the lobby."
    assert findings(sample, "names") == (described,)
    assert findings(sample, "screens") == tuple(
        f"screens/style.css loads {address}, but no page loads from elsewhere. Write it into the style."
        for address in ("//example.org/a.css", "https://example.org/x.png")
    )


def test_sentences_about_different_acts_are_not_folded() -> None:
    said = (
        'sentence() must return a whole sentence for {"type":"dug","seat":"red","steps":1}, not "red digs".',
        'sentence() must return a whole sentence for {"type":"dug","seat":"blue","steps":2}, not "blue digs".',
        'sentence() must return a whole sentence for {"type":"walked","seat":"red"}, not "red walks".',
        "placements() moves red from a4, where it does not stand.",
        "placements() moves blue from b3, where it does not stand.",
    )
    names = ("red", "blue", "a4", "b3")
    assert folded(said, names) == [f"{said[0]} And 1 more like it.", said[2], f"{said[3]} And 1 more like it."]


def test_each_of_several_faults_is_said_once(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(made / "bots/digger.py", "class Digger:", "class Digger(:")
    change(made / "book/rules.md", "### LC-WALK-01", "### WALK-1")
    change(made / "show.py", "walks to {space}.", "walks to {spcae}.")
    change(made / "show.py", 'Text("Walk to {space}", space=space)', 'Text(f"Walk to {space}")')
    change(made / "screens/pl.po", 'msgstr "Marsz"', 'msgstr "Marsz')
    (made / "screens/art.svg").write_text("<svg>\n<symbol></svg>", "utf-8")
    change(made / "lessons/seeker.toml", '[[step.then]]\nseat = "blue"', '[[step.then]]\nseat = "red"')
    assert said(capsys, 3) == (
        f"The start of the table:\n  - The bot digger cannot be loaded: SyntaxError in {made}/bots/digger.py, line 18: "
        "invalid syntax (digger.py, line 18). Repair it, then check again.\n\n"
        "Rule book:\n  - book/: rules.md:26: WALK-1 is not the ID of a rule; write it like AB-MOVE-03 or R-08.\n\n"
        "Words:\n  - show.py:61: the places of the text are spcae, who; its values are space, who. Use the same "
        "names.\n"
        "  - show.py:99: the text of Text(f'Walk to {space}') is put together in the code, so no translation of it is "
        'found. Write Text("… {place} …", place=…).\n'
        "  - screens/pl.po cannot be read: line 18 lacks a quotation mark at its end. Repair the file.\n\n"
        "Pictures:\n  - screens/art.svg cannot be read: mismatched tag: line 2, column 10. Save it as SVG in UTF-8.\n\n"
        "Lessons:\n  - lessons/seeker.toml, line 30: in step 3, an act of its then is refused: It is not your turn. "
        "Correct the act, or leave it out.\n\n"
        "lost-city: 7 to repair.\n"
    )


def test_lesson_that_cannot_be_loaded_is_said_once(made: Path) -> None:
    change(made / "lessons/seeker.toml", "hint = ", "hnit = ")
    assert start("lost-city") == (
        "The lesson seeker.toml cannot be loaded: seeker.toml: Object contains unknown field `hnit` - at `$.step[0]`. "
        "LessonFile in firmware_host/core/data_files.py describes its fields. Repair it, then check again.",
    )
    (made / "missions").mkdir()
    (made / "missions/1-first.toml").write_text('title = "First"\nseat = "red"\n', "utf-8")
    assert "field `about`. MissionFile in firmware_host/core/data_files.py describes its" in start("lost-city")[1]
    sample = sample_of(games.find("lost-city"))
    assert [findings(sample, part) for part in ("lessons", "missions", AT_A_TABLE)] == [(), (), ()]


def test_table_is_checked_after_other_faults_are_repaired(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(made / "game.py", 'about = Text("', 'about = str("')
    change(made / "show.py", 'Cue("hole", view.at.holes)', 'Cue("hole", ("z9",))')
    assert said(capsys, 3) == (
        "Known names:\n  - about is a str, which is not translated. Write a Text. See about in game.py, line 46.\n\n"
        'Cues are on spaces of the map:\n  - cues() has hole on ["z9"]; name one or more spaces of the map. See '
        "cues() in show.py, line 118.\n\n"
        "lost-city: 2 to repair.\n"
    )


def test_one_mistake_is_one_line_with_the_first_moment(made: Path) -> None:
    change(
        made / "game.py",
        "        if at.round > 0 and",
        "        at = replace(at, round=9)\n        if at.round > 0 and",
    )
    [one] = findings(sample_of(games.find("lost-city")), "states can be read as positions")
    assert re.fullmatch(r'completed\(\) loses .* after \{"type":.*\}: round\. And \d+ more like it\. See .*', one), one


def test_seats_that_always_win_together_may_be_one_side(made: Path) -> None:
    change(
        made / "game.py",
        "Ending((view.at.winner,), ",
        "Ending(('red', 'blue') if view.at.winner == HIDER else (HIDER,), ",
    )
    notes = [*unreached.notes(sample_of(games.find("lost-city")))]
    assert notes == ["red and blue win and lose together. If they are one side, say so with teams()."]


def test_value_inside_of_another_is_found_by_its_path() -> None:
    assert positions._at({"cargo": {"red": "tea"}, "cards": [[1, 2]]}, "cargo.red") == "tea"
    assert positions._at({"cards": [[1, 2]]}, "cards[0][1]") == 2
    assert positions._at({"cards": [[1, 2]]}, "cargo: the fields [] are not in both") is None


def test_miniatures_that_the_game_moves_need_no_seat(made: Path) -> None:
    change(made / "words.py", "secret=False, on_board=True", "secret=False")
    change(made / "game.py", "    def uncovered(", "    def stood(self, view): return {}\n\n    def uncovered(")
    assert not findings(sample_of(games.find("lost-city")), "miniatures have places on the map")


def test_what_a_game_prints_does_not_hide_the_findings(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(made / "game.py", "GAME = LostCity()", "GAME = LostCity()\nprint('debug')")
    change(made / "screens/en.po", 'msgid "act.dig"', 'msgid "act.digs"')
    out = said(capsys, 3)
    assert out.startswith("Words in play:\n  - ")
    assert "Lines that the game prints are left out here: 1, for example 'debug'.\n\n" in out
    assert out.count("debug") == 1


def test_missing_book_is_a_sentence(made: Path) -> None:
    sample = sample_of(games.find("lost-city"))
    page = made / "book/rules.pl.md"
    page.write_bytes(page.read_text("utf-8").encode("utf-16"))
    assert findings(sample, "rule book")[0].endswith(": rules.pl.md of the rules cannot be read. Save it as UTF-8.")
    for page in (made / "book").iterdir():
        page.unlink()
    assert "there are no rules here" in findings(sample, "rule book")[0]
    (made / "book").rmdir()
    assert "There is no folder book/ with the rules" in findings(sample, "rule book")[0]


def test_unknown_game_is_a_sentence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for job in ("check", "texts"):
        assert cli.main(["game", job, "lost-citty"]) == 1
        assert "There is no game 'lost-citty'" in capsys.readouterr().err


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le"])
def test_catalogue_in_another_encoding_is_read_or_refused(made: Path, encoding: str) -> None:
    english = made / "screens/en.po"
    english.write_text(english.read_text("utf-8"), encoding)
    (made / "screens/pl.po").unlink()
    (made / "book/rules.pl.md").unlink()
    refused = (f"screens/en.po cannot be read: {UTF_16} Repair the file.",)
    assert findings(sample_of(games.find("lost-city")), "words") == (() if encoding == "utf-8-sig" else refused)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ('msgstr "Dig"\nmsgid "act.dig"\n\nmsgid "act.roll"\nmsgstr "Roll"', "line 4 has no msgstr below it"),
        ('msgid "act.dig"\n\nmsgid "act.roll"\nmsgstr "Roll"', "line 3 has no msgstr below it"),
        ('act.dig\nmsgstr "Dig"', "line 3 is not understood: 'act.dig'"),
    ],
)
def test_line_of_a_catalogue_that_is_wrong_is_said(tmp_path: Path, words: str, says: str) -> None:
    path = tmp_path / "en.po"
    path.write_text('msgid ""\nmsgstr ""\n' + words, "utf-8")
    with pytest.raises(ValueError, match=f"^{re.escape(says)}$"):
        read_catalogue(path)


def test_key_that_is_there_twice_or_of_nothing_is_said(made: Path) -> None:
    english = made / "screens/en.po"
    with english.open("a", encoding="utf-8") as file:
        file.write('\nmsgid "act.gone"\nmsgstr "Go"\n')
    said = findings(sample_of(games.find("lost-city")), "words in play")
    assert said == ("screens/en.po has act.gone, and the game has nothing of this name. Delete it.",)
    assert cli.main(["game", "texts", "lost-city"]) == 0
    assert findings(sample_of(games.find("lost-city")), "words") == ()
    with english.open("a", encoding="utf-8") as file:
        file.write('\nmsgid "act.dig"\nmsgstr "Go"\n')
    [twice, *_] = findings(sample_of(games.find("lost-city")), "words")
    assert "'act.dig' is a duplicate; delete one. Repair the file." in twice


def test_acts_with_the_same_caption_are_said_in_every_phase(made: Path) -> None:
    sample = sample_of(games.find("lost-city"))

    def pairs(menus: Iterable[Sequence[Any]]) -> set[tuple[str, str]]:
        return {pair for menu in menus for pair in combinations([it.space for it in menu if tag(it) == "hide"], 2)}

    one_game = sample.start(5)
    often = pairs(one_game.referee.legal("hider") for _ in zip(range(200), one_game.steps(), strict=False))
    rare = sorted(pairs(moment.legal("hider") for moment in sample.some) - often)[0]
    caption = sample.game.caption  # type: ignore[attr-defined]
    vars(sample.game)["caption"] = lambda it: Text("Hide") if getattr(it, "space", "") in rare else caption(it)
    said = findings(sample, "captions of legal acts are different")
    assert any("have the same caption: Hide." in one for one in said), said


def test_bot_that_never_acts_is_stopped(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(authoring_table, "LIMIT", 0.1)
    change(made / "bots/digger.py", "        def worth(", "        while True:\n            pass\n\n        def worth(")
    fault = authoring_table.bot_fault(games.find("lost-city"))
    assert fault is not None
    assert "The bot digger, at the seat red, takes longer than 0.1 seconds for an act, or never acts." in fault
    assert "choose() in digger.py, line " in fault


def test_bot_that_knows_more_than_it_is_told_is_named(made: Path) -> None:
    change(made / "rules.py", "        case Hide(space):\n", "        case Hide(space):\n            SEEN[0] = space\n")
    with (made / "rules.py").open("a", encoding="utf-8") as rules:
        rules.write("\n\nSEEN = [None]\n")
    peeks = "        from games.lost_city.rules import SEEN\n\n"
    peeks += "        if found := [it for it in legal if getattr(it, 'space', None) == SEEN[0]]:\n"
    peeks += "            return found[0]\n\n"
    change(made / "bots/digger.py", "        def worth(", f"{peeks}        def worth(")
    fault = authoring_table.bot_fault(games.find("lost-city"))
    assert fault is not None
    assert fault.startswith(
        "The bot digger, at the seat red, chooses another act after another game, although it is told "
    )
    assert "See choose() in digger.py, line " in fault


BEST = "return best(legal, worth, chance)"
# fmt: off
OF_A_BOT = [
    (BEST, "best(legal, worth, chance)", "returns null, which legal() does not offer: It is no command. See choose("),
    (BEST, "return Walk('z9')", 'returns {"type":"walk","space":"z9"}, which legal() does not offer: There is no'),
    (BEST, "return __import__('random').choice(legal)", "may use only its picture, its events and `chance`"),
    ("legal: Sequence[Command], chance: Chance", "legal: object", "fails: choose() in digger.py, line 27, raises"),
]
# fmt: on


@pytest.mark.parametrize(("old", "new", "says"), OF_A_BOT)
def test_fault_of_a_bot_is_named(made: Path, old: str, new: str, says: str) -> None:
    change(made / "bots/digger.py", old, new)
    fault = authoring_table.bot_fault(games.find("lost-city"))
    assert fault is not None
    assert says in fault


def test_bot_of_a_checked_table_gets_the_game_without_its_guard(made: Path) -> None:
    """As at a table: a guarded game returns a copy of what decide() returns."""
    sits = "        self._seat = seat\n"
    change(made / "bots/digger.py", sits, f"{sits}        assert type(game).__name__ == 'LostCity', type(game)\n")
    game = installed.find("lost-city")
    authoring_table._seated(game, "digger", "red", game.blank(first_board(game), game.read_options(None))["red"])


def test_fault_at_a_table_is_said_once_with_its_cause(made: Path) -> None:
    raises = "    def read_event(self, raw): raise ValueError('torn')\n\n    def seats("
    change(made / "game.py", "    def seats(", raises)
    (only,) = findings(sample_of(games.find("lost-city")), AT_A_TABLE)
    assert re.fullmatch(r"At a table: read_event\(\) in game.py, line \d+, raises ValueError: torn\..*", only)


def test_cue_on_a_space_that_does_not_exist_is_said_without_the_log(made: Path) -> None:
    change(made / "show.py", 'Cue("hole", view.at.holes)', 'Cue("hole", ("z9",))')
    found = findings(sample_of(games.find("lost-city")), AT_A_TABLE)
    assert found == ("At a table: what cues() returns is not valid. See cues() in show.py, line 118.",)


@pytest.mark.usefixtures("another_process")
def test_own_randomness_is_said_first_and_alone(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(made / "rules.py", 'chance.roll("die", DIE, "LC-WALK-01")', "random.choice(sorted({*DIE}))")
    change(made / "rules.py", "def decide(", "import random\n\n\ndef decide(")
    line = next(at for at, it in enumerate((made / "rules.py").read_text("utf-8").splitlines(), 1) if "random.c" in it)
    out = said(capsys, 3)
    assert "Same seed gives the same game:\n  - The same acts from the same chance give other" in out, out
    assert "Acts repeat" not in out, out
    assert f"The module random is used in rules.py:{line}.\n" in out, out
    # A short game can have the same few dice in all processes by accident.
    tries = (findings(sample_of(games.find("lost-city")), "same in each process") for _ in range(20))
    [later] = next(filter(None, tries))
    assert f"The module random is used in rules.py:{line}." in later


def test_remembered_secret_in_summary_is_said_once_with_the_method(made: Path) -> None:
    change(
        made / "rules.py",
        "            return replace(at, treasure=space)",
        "            SEEN.append(space)\n            return replace(at, treasure=space)",
    )
    change(made / "rules.py", "def _after(", "SEEN: list[str] = []\n\n\ndef _after(")
    with (made / "game.py").open("a", encoding="utf-8") as file:
        file.write(
            "\n\nfrom engine.text import Text\n\nfrom .rules import SEEN\n\n_summary = type(GAME).summary\n"
            "_near = lambda: (Text('Near'), Text('{at}', at=SEEN[-1] if SEEN else '-'))\n"
            "type(GAME).summary = lambda self, view: [*_summary(view), _near()]\n"
        )
    said = findings(sample_of(games.find("lost-city")), "secrets stay secret")
    assert len(said) == 1, said
    assert said[0].startswith("summary() of ")


def test_state_can_hide_a_part_of_a_list(made: Path) -> None:
    change(
        made / "game.py",
        "    def view(",
        "    def state(self, view):\n"
        "        return super().state(view) | {'treasure': ['a box', view.at.treasure]}\n\n"
        "    def view(",
    )
    change(
        made / "game.py",
        "    def completed(",
        "    def position(self, board, options, raw, chance):\n"
        "        if isinstance(raw, dict) and isinstance(raw.get('treasure'), list):\n"
        "            raw = raw | {'treasure': raw['treasure'][1]}\n"
        "        return super().position(board, options, raw, chance)\n\n"
        "    def completed(",
    )
    sample = sample_of(games.find("lost-city"))
    assert [one for part in PARTS if "views" in part or "positions" in part for one in findings(sample, part)] == []


def test_lists_of_two_viewers_are_known_together() -> None:
    assert merged([["red", None], ["blue", 2]], [["red", 1], ["blue", None]]) == [["red", 1], ["blue", 2]]
    assert merged([None], [1, 2]) == [None]


@pytest.mark.parametrize("lost", ["", "act.dig"])
def test_texts_adds_the_keys_of_actions_and_bots(made: Path, capsys: pytest.CaptureFixture[str], lost: str) -> None:
    english = made / "screens/en.po"
    if lost:
        change(english, f'msgid "{lost}"', 'msgid "act.gone"')
    else:
        english.unlink()
    assert cli.main(["game", "texts", "lost-city"]) == 0
    assert f"screens/en.po: {1 if lost else 6} empty" in capsys.readouterr().out
    assert any(
        "en.po lacks act.dig, the words for it" in one
        for one in findings(sample_of(games.find("lost-city")), "words in play")
    )
    assert 'msgid "act.dig"\nmsgstr ""' in english.read_text("utf-8")


def test_texts_adds_what_is_missing(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (made / "screens/pl.po").unlink()
    assert cli.main(["game", "texts", "lost-city"]) == 0
    assert "screens/en.po: 0 empty" in capsys.readouterr().out
    text = (made / "screens/pl.po").read_text("utf-8")
    assert 'msgid "act.hide"\nmsgstr ""' in text
    assert 'msgid "{who} walks to {space}."' in text


@pytest.mark.parametrize("named", [True, False])
def test_secret_act_that_the_board_shows_is_said(made: Path, named: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    also = "(HIDER,)" if named else "(HIDER,) * (view.at.treasure is not None)"
    change(
        made / "game.py",
        "    def check(",
        "    def to_act(self, view):\n"
        f"        return tuple(dict.fromkeys((*super().to_act(view), *({also} if view.at.winner is None else ()))))\n\n"
        "    def check(",
    )
    change(made / "rules.py", "if view.at.turn != seat:", "if view.at.turn != seat and seat != HIDER:")
    change(
        made / "rules.py",
        "            yield Told(Ready(), EVERYONE)",
        "            yield from [Told(Ready(), EVERYONE)] if at.turn == HIDER else []",
    )
    said = findings(sample_of(games.find("lost-city")), "a table")
    assert any("The board shows that hider has acted in secret (hide)" in one for one in said) is not named, said
    if named:  # the table must not depend on a secret act either
        monkeypatch.setattr(course, "secret_seats", lambda seats: frozenset())
        (one,) = findings(sample_of(games.find("lost-city")), "a table")
        assert "The board shows that hider has acted in secret (hide) when red is lifted." in one


def test_open_card_that_the_glossary_lacks_is_said_first(made: Path) -> None:
    cards = """    def glossary(self):
        return {"cards": {"lantern": {"title": Text("Lantern"), "text": Text("It shines.")}}}

    def open_cards(self, view): return [(Text("red"), "lanterne")]

    def seats("""
    change(made / "game.py", "    def seats(", cards)
    assert findings(sample_of(games.find("lost-city")), "random games") == (
        "open_cards() names the card 'lanterne', which does not exist. Did you mean lantern? Known: lantern. "
        "See open_cards() in game.py, line 69.",
    )


def test_open_card_without_a_title_is_said_before_the_screens_show_it(made: Path) -> None:
    cards = """    def glossary(self): return {"cards": {"lantern": {"titel": "Lantern", "text": "It shines."}}}

    def open_cards(self, view): return [(Text("red"), "lantern")]

    def seats("""
    change(made / "game.py", "    def seats(", cards)
    assert findings(sample_of(games.find("lost-city")), "random games") == (
        "The card lantern has no title in glossary(). The generic screens show it. See glossary() in game.py, line 66.",
    )


def test_card_that_only_a_described_position_shows_is_known(made: Path) -> None:
    cards = """    def glossary(self):
        return {"cards": {"lantern": {"title": Text("Lantern"), "text": Text("It shines.")}}}

    def open_cards(self, view):
        return [(Text("red"), "lanterne" if view.at.holes == ("a1", "a1") else "lantern")]

    def seats("""
    change(made / "game.py", "    def seats(", cards)
    change(made / "game.py", "        return at\n", '        return replace(at, holes=("a1", "a1"))\n')
    sample = sample_of(games.find("lost-city"))
    assert findings(sample, "random games") == ()
    assert findings(sample, "known names") == (
        "open_cards() of a position names the card 'lanterne', which does not exist. Did you mean lantern? "
        "Known: lantern. See open_cards() in game.py, line 69.",
    )


def test_position_is_read_with_other_options_too(made: Path) -> None:
    loses = "        return replace(at, round=9) if view.options.seekers == 3 else at\n"
    change(made / "game.py", "        return at\n", loses)
    sample = sample_of(games.find("lost-city"))
    assert findings(sample, "states can be read as positions") == ()
    (said,) = findings(sample, "options")
    assert said.startswith("With seekers = 3: completed() loses what state() has said after 4 acts: round.")


@pytest.mark.parametrize(
    ("path", "error", "says"),
    [
        ("seekers", "Refused('LC-TURN-01', Text('No.'))", []),
        ("seekers", "NotUnderstood(Text('No.'))", ["but read_options() refuses by no rule. Raise Refused with"]),
        ("seekers", "Refused('LC-DIG-01', Text('No.'))", ["but read_options() refuses by LC-DIG-01."]),
        ("rivals", "NotUnderstood(Text('No.'))", ["excludes values of rivals, which is no option. Known: seekers, "]),
    ],
)
def test_values_that_exclude_each_other_are_refused_by_their_rule(
    made: Path, path: str, error: str, says: list[str]
) -> None:
    both = f"OptionValue(('{path}',), 3), OptionValue(('rounds',), 9), Text('No.'), 'LC-TURN-01'"
    change(
        made / "words.py",
        "FORM = OptionForm((OptionGroup",
        f"FORM = OptionForm(excludes=(Exclusion({both}),), groups=(OptionGroup",
    )
    change(made / "words.py", "import Number,", "import Exclusion, Number, OptionValue,")
    refuses = f"if raw and raw.get('seekers') == 3 and raw.get('rounds') == 9: raise {error}"
    change(
        made / "game.py",
        "    def seats(",
        f"    def read_options(self, raw):\n        {refuses}\n        return super().read_options(raw)\n\n"
        "    def seats(",
    )
    change(made / "game.py", "import NotUnderstood", "import NotUnderstood, Refused")
    said = findings(sample_of(games.find("lost-city")), "options")
    assert len(said) == len(says), said
    assert all(map(str.__contains__, said, says)), said


def test_seat_of_a_handicap_that_does_not_exist_is_said(made: Path) -> None:
    change(made / "words.py", "    rounds: Annot", "    traps: tuple[str, ...] = ()\n    rounds: Annot")
    several = "__import__('engine.options').options.Several(('traps',), Text('Traps'), (), hampers='rde')"
    change(made / "words.py", "(COUNT, ROUNDS)", f"({several}, COUNT, ROUNDS)")
    said = findings(sample_of(games.find("lost-city")), "known names")
    assert "The option traps names the seat 'rde', which does not exist. Did you mean red?" in "\n".join(said)


def test_file_of_no_name_is_said(made: Path) -> None:
    screens = made / "screens"
    (screens / "hidder.js").write_text('import "./parts.js"; t("act.dgi");', "utf-8")
    (screens / "parts.js").write_text("", "utf-8")
    (screens / "styles.css").write_text("", "utf-8")
    art = '<svg xmlns="http://www.w3.org/2000/svg"><symbol id="bot-diger"/></svg>'
    (screens / "art.svg").write_text(art, "utf-8")
    (made / "show").mkdir()
    aids = '[[sheet]]\nside = "red"\ntitle = "act.dgi"\ncards = "cards"\n[sheet.rules]\nDIG = [1, 7]\n'
    (made / "show/aids.toml").write_text(aids, "utf-8")
    said = "\n".join(findings(sample_of(games.find("lost-city")), "known names"))
    for sentence in (
        "The file screens/hidder.js names the page 'hidder', which does not exist. Did you mean hider?",
        "The folder screens/ names the style sheet 'styles.css', which does not exist. Did you mean style.css?",
        "A script in screens/ names the text 'act.dgi', which does not exist. Did you mean act.dig?",
        "screens/art.svg names the card or bot 'bot-diger', which does not exist. Did you mean bot-digger?",
        "show/aids.toml names the rule 'DIG 7', which does not exist.",
        "show/aids.toml names the group of cards 'cards', which does not exist.",
        "show/aids.toml names the text 'act.dgi', which does not exist. Did you mean act.dig?",
    ):
        assert sentence in said
    assert "parts" not in said


def test_bot_that_cannot_be_used_is_said_once(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(made / "bots/digger.py", "SEEKERS)\n", '"red")\n')
    (made / "bots/my-digger.py").write_text("", "utf-8")
    names = 'the seats of KIND in bots/digger.py must be a tuple of their names: ("red",)'
    hyphen = "no module can have a hyphen in its name: rename bots/my-digger.py to bots/my_digger.py"
    assert said(capsys, 3) == (
        f"The start of the table:\n  - The bot digger cannot be loaded: {names}. Repair it, then check again.\n"
        f"  - The bot my-digger cannot be loaded: {hyphen}. Repair it, then check again.\n\n"
        "lost-city: 2 to repair.\n"
    )


def test_level_of_a_bot_that_does_not_exist_is_said(made: Path) -> None:
    change(made / "bots/digger.py", "SEEKERS)\n", 'SEEKERS, level="begginer")\n')
    assert "There is no level 'begginer'; known are beginner," in "".join(start("lost-city"))


@pytest.mark.parametrize("method", [*RESULTS, "fold"])
def test_result_of_another_kind_is_said_with_what_it_should_be(method: str) -> None:
    class Wrong:
        name = "wrong"

    found = None if method == "fold" else object()
    setattr(Wrong, method, lambda *args: found)
    with pytest.raises(Unplayable) as caught:
        getattr(limited(Wrong()), method)(7)  # type: ignore[arg-type]
    said = str(caught.value)
    assert re.match(
        rf"{method}\(\) in test_check.py, line \d+, returns (None|<object object at \w+>), which is not", said
    )
    assert method == "squad" or said.endswith((".", ")", ":")), said


@pytest.mark.parametrize(
    ("method", "wrong", "right", "why"),
    [
        ("ending", Ending("red", "found", 1), Ending(("red",), "found", 1), ": winners of Ending must be a tuple"),  # type: ignore[arg-type]
        ("glossary", {"cards": {"C01": "Smoke"}}, {"cards": {"C01": {"title": "Smoke"}}}, ", which is not"),
    ],
)
def test_result_with_a_part_of_another_kind_is_said(method: str, wrong: Any, right: Any, why: str) -> None:
    class Game:
        name = "game"

    setattr(Game, method, lambda self, found: found)
    ask = getattr(limited(Game()), method)  # type: ignore[arg-type]
    assert ask(right) == right
    with pytest.raises(Unplayable, match=rf"{method}\(\) in test_check.py, line \d+, returns .*{why}"):
        ask(wrong)


@pytest.mark.parametrize(("seconds", "slow"), [(4.0, True), (1.0, True), (0.2, False)])
def test_call_that_is_too_slow_for_a_small_computer_is_said(made: Path, seconds: float, slow: bool) -> None:
    change(made / "rules.py", "def legal(", "NOW = [0.0]\n\n\ndef legal(")
    change(
        made / "rules.py",
        "    if refusal(view, seat, Dig)",
        f"    NOW[0] += {seconds}\n    if refusal(view, seat, Dig)",
    )
    game = games.find("lost-city")
    now = sys.modules["games.lost_city.rules"].NOW
    sample = Sample(limited(game, lambda: float(now[0]), lambda: 0.0), first_board(game))
    said = findings(sample, "random games")
    assert bool(said) == slow
    assert all("legal() takes longer than 0.3 seconds. A small computer is about 10 times slower" in it for it in said)


def test_call_that_never_returns_is_said_with_its_line(made: Path) -> None:
    head = "def _turn_over(truth: Picture) -> Iterable[Told]:"
    change(made / "rules.py", head, f"{head}\n    while True:\n        pass")
    game = games.find("lost-city")
    [said] = findings(Sample(limited(game, limit=0.5), first_board(game)), "random games")
    assert "takes longer than 0.5 seconds, or never returns. It was stopped at: _turn_over() in rules.py, line" in said


@pytest.mark.parametrize(
    ("method", "args", "says"),
    [
        ("order", (("a1", "a2"), "deck", "LC-DIG-01"), r"gets ('a1', 'a2') as the kind, which must be a str and"),
        ("order", ("deck", "LC-DIG-01", ("a1", "a2")), "as the rule, which must come last"),
        ("assign", (("red", "blue"), ("a1", "a2"), "start", "LC-DIG-01"), "as the kind, which must be a str"),
        ("tokens", ({"hit": 1}, "bag", 1, "LC-DIG-01"), "as the kind, which must be a str"),
        ("one", ("space", "LC-DIG-01", ("a1", "a2")), "as the rule, which must come last"),
    ],
)
def test_swapped_parameters_of_chance_are_said(method: str, args: tuple[Any, ...], says: str) -> None:
    with pytest.raises(TypeError, match=re.escape(says)):
        getattr(play._Chance(Random(1)), method)(*args)


def test_anything_that_a_game_raises_is_said(made: Path) -> None:
    change(made / "game.py", '"""Draw the order of the seekers."""', "raise GeneratorExit")
    said = findings(sample_of(games.find("lost-city")), "words in play")
    assert "raises GeneratorExit" in "".join(said)


def test_outcome_that_names_the_losers_is_said(made: Path) -> None:
    change(made / "show.py", "who=called(winner), space=treasure)", "who=called('blue' if winner == HIDER else HIDER))")
    change(made / "game.py", "Ending((view.at.winner,)", "Ending(('red' if view.at.winner == HIDER else 'red',)")
    (one,) = findings(sample_of(games.find("lost-city")), "endings name the winners of the outcome")
    assert one.startswith("outcome() names only seats that have lost, by the winners of ending().")


def test_act_that_placements_lack_is_a_note(made: Path) -> None:
    run = 'class Run(Walk, tag="run", frozen=True):\n    """Walk, on a screen only."""\n\n\nOF_SEEKER = Run | '
    change(made / "words.py", "OF_SEEKER = ", run)
    change(made / "rules.py", "[Walk(space) for", "[kind(space) for kind in (Walk, *Walk.__subclasses__()) for")
    change(made / "game.py", "isinstance(walk, Walk)", "type(walk) is Walk")
    sample = sample_of(games.find("lost-city"))
    assert findings(sample, "miniatures arrive where placements move them") == ()
    assert "as walk does. If it needs no more than a space, list both." in "".join(sample.notes["not on the board"])


def test_position_with_an_unknown_space_is_refused(made: Path) -> None:
    change(made / "game.py", "        _known(self.start(view.board, view.options), view)\n", "")
    said = findings(sample_of(games.find("lost-city")), "positions with unknown spaces are refused")
    assert said[0].startswith("completed() accepts an unknown space in "), said


def test_order_of_the_parts_does_not_depend_on_what_is_imported_first() -> None:
    """Workers of pytest import test files in different orders, and have to find the same tests in the same order."""
    code = "import lab.authoring.secrecy; from lab.authoring.check import PARTS; print(*PARTS, sep='|')"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "|".join(PARTS)
