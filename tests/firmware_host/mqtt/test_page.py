"""The topics, examples and tables of docs/mqtt.md match the program."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import yaml

from firmware_host.mqtt.commands import COMMANDS
from firmware_host.mqtt.connection import LARGEST_PACKET, RATE
from firmware_host.mqtt.facts import ENTITIES, Happening, TableFacts, event_types
from firmware_host.mqtt.messages import Topics

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "mqtt.md").read_text("utf-8")
TOPICS = Topics("sniperboard", "den")


def examples(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def fields(kind: type[msgspec.Struct]) -> set[str]:
    return set(kind.__struct_fields__)


def test_every_topic_is_documented() -> None:
    told = set(re.findall(r"^\| `(sniperboard/[^`]+)` \|", PAGE, re.MULTILINE))
    own = {TOPICS.state, TOPICS.availability, TOPICS.event, f"{TOPICS.event}/shot", TOPICS.command, TOPICS.answer}
    assert told == own


def test_examples_match_what_program_reads_and_writes() -> None:
    state, event, *commands = [json.loads(text) for text in examples("json")]
    assert set(state) == fields(TableFacts)
    msgspec.convert(state, TableFacts)
    assert set(event) == fields(Happening)
    asked: list[dict[str, Any]] = [one for one in commands if "do" in one]
    assert {one["do"] for one in asked} <= COMMANDS.keys()
    answers = [one for one in commands if "ok" in one]
    assert [sorted(one) for one in answers] == [["id", "ok"], ["code", "id", "ok", "sentence"]]
    assert len(asked) + len(answers) == len(commands)


def test_every_documented_command_entity_and_kind_exists() -> None:
    assert set(re.findall(r"^\| `([a-z-]+)` \|", PAGE, re.MULTILINE)) == {*COMMANDS}
    named = set(re.findall(r"\*([A-Z][\w -]+)\*", PAGE))
    assert named == {"Happening", *(name for _, name, *_ in ENTITIES.values())}
    kinds = PAGE.partition("in Sniper Elite ")[2].partition(" and more")[0]
    assert set(re.findall(r"`([a-z-]+)`", kinds)) <= {*event_types()}


def test_example_automation_listens_to_published_topic() -> None:
    (text,) = examples("yaml")
    (trigger,) = yaml.safe_load(text)["triggers"]
    assert trigger["topic"] == f"{TOPICS.event}/shot"


def test_documented_limits_match_program() -> None:
    assert f"larger than {LARGEST_PACKET // 1024} KB" in PAGE
    assert f"more than {RATE:.0f} times a second" in PAGE
