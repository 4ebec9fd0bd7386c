"""What a device has planned at its seat is kept for it alone, while the table runs."""

from __future__ import annotations

import pytest

from firmware_host.seats.drafts import BIGGEST, MOST, Draft, Drafts
from firmware_host.table.errors import UserError
from tests.web_panel.conftest import Panel

PLAN = {"path": ["Y31", "Y32"]}


def test_a_plan_is_given_back_to_its_device_alone(panel: Panel) -> None:
    sniper, defenders = panel.start()
    assert sniper.get("/api/draft/sniper").json is None
    before = defenders.get("/api/picture/defenders").text

    assert sniper.post("/api/draft", seat="sniper", revision=7, draft=PLAN).status_code == 200
    assert sniper.get("/api/draft/sniper").json == {"revision": 7, "draft": PLAN}
    assert sniper.post("/api/draft", seat="sniper", revision=8, draft={}).status_code == 200
    assert sniper.get("/api/draft/sniper").json == {"revision": 8, "draft": {}}

    for stranger in (defenders, panel.browser(), panel.keeper_browser()):
        assert stranger.get("/api/draft/sniper").status_code == 403
        assert stranger.post("/api/draft", seat="sniper", revision=8, draft=PLAN).status_code == 403
    assert defenders.get("/api/draft/defenders").json is None
    assert defenders.get("/api/picture/defenders").text == before


def test_a_plan_that_is_too_long_or_none_is_refused_and_the_last_one_stays(panel: Panel) -> None:
    sniper, _ = panel.start()
    sniper.post("/api/draft", seat="sniper", revision=7, draft=PLAN)

    long = sniper.post("/api/draft", seat="sniper", revision=7, draft={"path": ["Y31"] * BIGGEST})
    assert (long.status_code, long.json["error"]["sentence"]) == (
        400,
        f"The draft is too long: at most {BIGGEST} bytes.",
    )
    assert sniper.post("/api/draft", seat="sniper", revision=7, draft=[]).status_code == 400
    assert sniper.post("/api/draft", seat="sniper", revision="7", draft={}).status_code == 400
    assert sniper.get("/api/draft/sniper").json == {"revision": 7, "draft": PLAN}


def test_of_many_devices_the_plans_that_were_changed_last_are_kept() -> None:
    drafts = Drafts()
    for number in range(MOST):
        drafts.keep(str(number), Draft(number, {}))
    drafts.keep("0", Draft(0, PLAN))
    drafts.keep("one more", Draft(1, {}))

    assert drafts.of("0") == Draft(0, PLAN)
    assert drafts.of("1") is None
    assert drafts.of(str(MOST - 1)) is not None
    with pytest.raises(UserError):
        drafts.keep("0", Draft(0, {"path": "x" * BIGGEST}))
