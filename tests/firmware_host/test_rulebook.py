"""The rulebook is complete, contains every number that the program mentions, and can be searched."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from firmware_host.app import cli
from firmware_host.core.game_files import game_folder
from firmware_host.core.rulebook import ID, RulebookError, book_of, load, read_pages
from games import names
from games.sniper_elite.game import SWITCHES

ROOT = Path(__file__).resolve().parents[2]
FOLDER = game_folder("sniper-elite") / "book"
BOOK = load(FOLDER)
BOOKS = {name: book_of(name) for name in names() if (game_folder(name) / "book").is_dir()}
KNOWN = {rule for book in BOOKS.values() for rule in book.entries}
FAMILIES = {rule.partition("-")[0] for rule in KNOWN}
LANGUAGES = sorted({page.name.split(".")[1] for page in FOLDER.glob("*.*.md")})
HOW_MANY = {
    "SETUP": 24, "TURN": 12, "MOVE": 14, "NOISE": 11, "SHOOT": 20, "BAG": 11, "LOOT": 6, "OBJ": 9, "LOAD": 20,
    "MINE": 9, "DEF": 13, "INTEL": 6, "ACT": 21, "SPEC": 30, "MAP": 31, "LOS": 17, "DIST": 8, "END": 6, "DIFF": 9,
    "INFO": 23, "RULINGS": 88, "EN-ALY": 3, "EN-LDO": 3, "EN-GHO": 7, "EN-D": 9, "EN-R": 36, "EN-X": 3,
}  # fmt: skip
NEST = [name for name in HOW_MANY if name.startswith("EN-")]


def spoken_of(folder: str) -> dict[str, set[str]]:
    """Return the files whose strings contain each number, docstrings included."""
    found: dict[str, set[str]] = {}
    for file in (ROOT / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                for name in ID.findall(node.value):
                    if name.partition("-")[0] in FAMILIES:  # others are rules of games in examples
                        found.setdefault(name, set()).add(str(file.relative_to(ROOT)))
    return found


def page(*entries: str, group: str = "TURN") -> dict[str, str]:
    """Return a rulebook page with one group."""
    return {"page.md": "\n\n".join([f"## {group}", "What it is about.", *entries])}


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Return what `sniperboard rules …` prints."""
    assert cli.main(["rules", *arguments]) == 0
    return capsys.readouterr().out


def test_contents_of_a_game_say_how_to_see_its_groups(capsys: pytest.CaptureFixture[str]) -> None:
    assert "\nsniperboard rules --game sniper-elite " in printed(capsys, "--game", "sniper-elite")
    assert "NO. sniperboard rules --game stalingrad lists" in sorry(capsys, "--game", "stalingrad", "NO")
    assert " --game" not in printed(capsys).splitlines()[-3]


def sorry(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Return the message if nothing is found."""
    assert cli.main(["rules", *arguments]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    return said.err


# --- the rulebook is complete -------------------------------------------------------------------------------------


def test_every_rule_and_ruling_has_one_entry_in_order() -> None:
    assert {group.name: len(group.entries) for group in BOOK.groups} == HOW_MANY
    for group in BOOK.groups:
        stem = {"RULINGS": "R", **{name: name for name in NEST}}.get(group.name, f"MP-{group.name}")
        assert [entry.id for entry in group.entries] == [f"{stem}-{n + 1:02}" for n in range(HOW_MANY[group.name])]


def test_every_entry_has_a_text() -> None:
    assert all(entry.text.rstrip(")").endswith(".") or "(R-" in entry.text for entry in BOOK.entries.values())
    assert all(15 < len(entry.text) < 600 for entry in BOOK.entries.values())
    assert all(group.about for group in BOOK.groups)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", BOOKS)
def test_every_translation_has_same_rules_in_same_order(game: str, language: str) -> None:
    told, book = book_of(game, language), BOOKS[game]
    assert told.language == language
    assert list(told.entries) == list(book.entries)
    assert all(group.about != own.about for group, own in zip(told.groups, book.groups, strict=True))
    assert [name for name, entry in told.entries.items() if entry.text == book.entries[name].text] == []


def test_rules_without_a_translation_are_in_english() -> None:
    assert load(FOLDER, "xx") == BOOK


def test_translation_with_missing_or_extra_rules_is_refused(tmp_path: Path) -> None:
    own = ("### R-01\n\nGo, as R-02.\n\n*Switched off:* stay.", "### R-02\n\nStay.")
    other = ("### R-01\n\nIdź.", "### R-02\n\nStój, jak R-01.", "### R-03\n\nBiegnij.", "### R-04\n\nSkacz.")
    (tmp_path / "book.md").write_text(page(*own, group="RULINGS")["page.md"], "utf-8")
    (tmp_path / "book.pl.md").write_text(page(*other, group="RULINGS")["page.md"], "utf-8")
    with pytest.raises(RulebookError) as refused:
        load(tmp_path, "pl")
    assert str(refused.value).splitlines() == [
        "R-01: is ruling in English and ruling in pl, or its switch is missing.",
        "R-01: refers to R-02 in English, not in pl.",
        "R-02: refers to nothing in English, not in pl.",
        "R-03, R-04: only in pl.",
    ]
    assert load(tmp_path).language == "en"
    (tmp_path / "book.pl.md").write_text(page("### R-01\n\nIdź.", group="RULINGS")["page.md"], "utf-8")
    own_page = page(*own, "### R-03\n\nRun.", group="RULINGS")["page.md"]
    (tmp_path / "book.md").write_text(own_page, "utf-8")
    with pytest.raises(RulebookError, match=r"\nR-02, R-03: missing in pl\. Translate all rules, or none\.$"):
        load(tmp_path, "pl")


def test_every_number_mentioned_in_program_is_in_rulebook() -> None:
    spoken = {folder: spoken_of(folder) for folder in ("engine", "games", "firmware_host", "web_panel")}
    unknown = {name: files for found in spoken.values() for name, files in found.items() if name not in KNOWN}
    assert not unknown
    assert len(spoken["games"]) > 150, "the scan finds what there is"


def test_switches_of_options_are_rulings_that_define_off() -> None:
    assert sorted(entry.id for entry in BOOK.entries.values() if entry.off) == sorted(SWITCHES)


def test_table_of_contents_links_to_every_group() -> None:
    text = (FOLDER / "multiplayer.md").read_text("utf-8")
    assert re.findall(r"\]\(#([a-z]+)\)", text) == [name.lower() for name in HOW_MANY if name not in NEST]


def test_every_ruling_is_in_list_by_subject_once() -> None:
    text = (FOLDER / "multiplayer.md").read_text("utf-8").partition("## RULINGS")[2].partition("### ")[0]
    listed: list[int] = []
    for first, last in re.findall(r"R-(\d\d)(?: to R-(\d\d))?", text):
        listed += range(int(first), int(last or first) + 1)
    assert sorted(listed) == list(range(1, 89))


# --- reading a page -----------------------------------------------------------------------------------------------


def test_entry_is_read_with_kind_switch_and_reason() -> None:
    advised = "### MP-TURN-01\n\n*Advice.* Take **care**.\n\nTwice.\n\n*No test:* it binds nobody."
    book = read_pages(
        page(advised) | {"r.md": "## RULINGS\n\nAll.\n\n### R-01\n\nSo it is.\n\n*Switched off:* it is not."}
    )
    advice, ruling = book.entries.values()
    assert (advice.kind, advice.text, advice.untested) == ("advice", "Take care.\n\nTwice.", "it binds nobody.")
    assert (ruling.kind, ruling.text, ruling.off) == ("ruling", "So it is.", "it is not.")
    assert [group.about for group in book.groups] == ["What it is about.", "All."]


@pytest.mark.parametrize(
    ("entries", "says"),
    [
        (["### MP-TURN-01"], "page.md:5: MP-TURN-01 has no text"),
        (["### MP-MOVE-01\n\nGo."], "does not belong"),
        (["### R-01\n\nGo."], "does not belong"),
        (["### MP-TURN-1\n\nGo."], "not the ID"),
        (["### MP-TURN-02\n\nGo."], "in order"),
        (["### MP-TURN-01\n\nGo.", "### MP-TURN-01\n\nGo."], "in order"),
        (["### MP-TURN-01\n\n*Advice.* Go."], "needs a last paragraph"),
        (["### MP-TURN-01\n\nGo.\n\n*No test:* lazy."], "needs a last paragraph"),
        (["### MP-TURN-01\n\nGo.\n\n*Switched off:* stay."], "not a ruling"),
        (["### MP-TURN-01\n\nGo.\n\n*Hint:* stay."], "mark that is unknown"),
        (["### MP-TURN-01\n\nGo (R-77)."], "refers to R-77"),
    ],
)
def test_malformed_page_is_reported_with_its_place(entries: list[str], says: str) -> None:
    with pytest.raises(RulebookError, match=re.escape(says)):
        read_pages(page(*entries))


def test_duplicate_group_is_an_error() -> None:
    twice = page("### MP-TURN-01\n\nGo.")["page.md"]
    with pytest.raises(RulebookError, match="second group"):
        read_pages({"a.md": twice, "b.md": twice})


def test_shared_page_belongs_to_every_book_that_names_it() -> None:
    other = game_folder("sniper-elite-solo") / "book"
    for language in ("en", *LANGUAGES):
        own, shared = load(FOLDER, language).entries, load(other, language).entries
        names = [name for name in own if name.startswith("EN-")]
        assert len(names) == sum(HOW_MANY[name] for name in NEST)
        assert [shared[name] for name in names] == [own[name] for name in names]


def test_missing_shared_page_is_reported_with_remedy(tmp_path: Path) -> None:
    (tmp_path / "book.md").write_text(page("### MP-TURN-01\n\nGo.")["page.md"], "utf-8")
    (tmp_path / "shared.txt").write_text("../other/nest.md\n", "utf-8")
    with pytest.raises(RulebookError, match=r"shared.txt: there is no page ../other/nest.md\. Correct") as caught:
        load(tmp_path)
    assert str(tmp_path) not in str(caught.value), "screens repeat this sentence"


def test_prefixes_without_heading_belong_to_game_alone() -> None:
    own, shared = "### MP-TURN-01\n\nGo.", "## EN-R\n\nShared.\n\n### EN-R-01\n\nSo it is."
    book = read_pages({**page(own), "nest.md": shared, "r.md": "## RULINGS\n\nAll.\n\n### R-01\n\nSo it is."})
    assert book.letters == "MP"
    assert [book.spelt(asked) for asked in ("en-r 1", "turn 1", "r1")] == ["EN-R-01", "MP-TURN-01", "R-01"]
    with pytest.raises(RulebookError, match="EN-R-01 and MP-TURN-01 begin with different"):
        read_pages({**page(own), "nest.md": shared.replace("## EN-R\n", "## R\n")})
    with pytest.raises(RulebookError, match="does not belong"):
        read_pages({"nest.md": shared.replace("## EN-R\n", "## EN-D\n")})


@pytest.mark.parametrize(
    ("text", "says"), [(None, "Install"), ("", "numbered rule"), ("# Nothing\n\nNo rule.\n", "numbered rule")]
)
def test_folder_without_rules_is_reported_with_remedy(tmp_path: Path, text: str | None, says: str) -> None:
    if text is not None:
        (tmp_path / "one.md").write_text(text, "utf-8")
    with pytest.raises(RulebookError, match=says):
        load(tmp_path)


# --- looking up rules ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("asked", [["MP-MOVE-03"], ["move", "3"], ["mp-move-3"], ["Move03"]])
def test_rule_is_found_as_people_type_it(capsys: pytest.CaptureFixture[str], asked: list[str]) -> None:
    assert printed(capsys, *asked).startswith("MP-MOVE-03 · rule · The sniper's movement\n\nYou can't enter")


@pytest.mark.parametrize("asked", [["SO-R-14"], ["r", "14"], ["EN-R-05"], ["en-r", "5"]])
def test_ruling_of_group_is_found_with_and_without_prefix(capsys: pytest.CaptureFixture[str], asked: list[str]) -> None:
    wanted = "EN-R-05" if asked[0].lower().startswith("en") else "SO-R-14"
    assert printed(capsys, "--game", "sniper-elite-solo", *asked).startswith(wanted)


@pytest.mark.parametrize(("asked", "game"), [("ST-GOL-01", "stalingrad"), ("so r 14", "sniper-elite-solo")])
def test_id_finds_its_game(capsys: pytest.CaptureFixture[str], asked: str, game: str) -> None:
    said = printed(capsys, *asked.split())
    assert said.startswith(asked.upper().replace(" ", "-"))
    assert said.endswith(f"\n\nThis is the game {game}. Use --game NAME for another one.\n")
    assert "--game" not in printed(capsys, "--game", game, asked)


def test_default_game_is_meant_where_none_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    for said in (printed(capsys), printed(capsys, "move"), sorry(capsys, "xyzzy")):
        assert "This is the game sniper-elite. Use --game NAME for another one." in said


def test_rule_is_printed_with_its_references(capsys: pytest.CaptureFixture[str]) -> None:
    said = printed(capsys, "MP-MOVE-09")
    assert "\n\nR-08  Difficult terrain" in said
    assert "Switched off: each difficult space" in " ".join(said.split())
    assert "it is not binding" in printed(capsys, "MP-SPEC-30")
    assert "\n\nSwitched off: it adds no tokens" in printed(capsys, "R36")


def test_group_lists_its_rules_and_no_argument_lists_groups(capsys: pytest.CaptureFixture[str]) -> None:
    for asked in ("EN-GHO", "en-gho"):
        assert "EN-GHO-07" in printed(capsys, asked)
    for asked in ("MINE", "min", "MP-MINE"):
        assert all(f"MP-MINE-0{number}" in printed(capsys, asked) for number in range(1, 10))
    assert all(name in printed(capsys) for name in HOW_MANY)
    assert "R-88" in printed(capsys, "rulings")


def test_unknown_rule_gets_nearest_suggestion(capsys: pytest.CaptureFixture[str]) -> None:
    assert "Did you mean MP-MOVE-03?" in sorry(capsys, "MP-MOEV-03")
    assert "Did you mean SHOOT?" in sorry(capsys, "SHOOOT")
    assert "Did you mean" not in sorry(capsys, "xyzzy")
    assert "no group MP." in sorry(capsys, "MP")


def test_words_are_searched_for(capsys: pytest.CaptureFixture[str]) -> None:
    said = printed(capsys, "--search", "Dog BARKS")
    assert "MP-SPEC-11" in said
    assert "MP-MOVE-03" not in said
    assert "No rule contains 'xyzzy'. Try a single word, such as setup or turn or move." in sorry(
        capsys, "--search", "xyzzy"
    )
    sorry(capsys, "--search", " ")


def test_no_line_is_wider_than_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    for group in BOOK.groups:
        assert max(map(len, printed(capsys, group.name).splitlines())) <= 96


def test_group_without_a_line_about_it_has_its_name() -> None:
    [group] = read_pages({"page.md": "## MOVE\n\n### AB-MOVE-01\n\nWalk one step."}).groups
    assert group.about == "Move"
