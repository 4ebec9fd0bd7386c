"""The lamps show every cue and hint, and nothing else."""

from __future__ import annotations

import inspect
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import games
from engine.cues import Light, Show, show_of
from engine.game import Cue
from firmware_host.board.cues.scene import (
    FRAME_SECONDS,
    Glow,
    LampStyle,
    current_ma,
    glows,
    hint_glows,
    level,
    limited,
    next_change,
    paint,
)
from firmware_host.board.tracking.hints import (
    Correction,
    Hint,
    Order,
    Orders,
    PossibleAnswer,
    Question,
    Remove,
    SensorHint,
    SetUp,
    UnknownPiece,
    WrongPlace,
)
from firmware_host.core import lamp_colours as lights
from firmware_host.core.lamp_colours import PALETTES
from games import find, names
from games.sniper_elite import GAME
from games.sniper_elite.rules.commands import MoveUnit
from games.sniper_elite.show import cues as sniper_elite_board
from games.sniper_elite.show.lights import STREAK
from hardware.ports import DARK, Frame

SHOW = GAME.show
LIGHTS = {**lights.LIGHTS, **SHOW.lights}
SPACES = tuple(f"s{number}" for number in range(12))
QUESTION = Question(
    "s1",
    (PossibleAnswer("red-1", MoveUnit("red-1", "s1"), "s1"), PossibleAnswer("red-2", MoveUnit("red-2", "s1"), "s2")),
    "Who?",
)
ORDERS = Orders(
    (
        Order("s1", "s2", "red-1", "Carry.", squad="red"),
        Order("s3", "s4", "red-officer", "Carry.", squad="red", look=1),
        Order("s5", "s6", "yellow-1", "Carry.", squad="yellow"),
        Order("s7", "s8", "yellow-2", "Carry.", waits=True, squad="yellow"),
        Order(None, "s9", "black-1", "Set down.", squad="black"),
    ),
    "All.",
)
HINTS: tuple[Hint, ...] = (
    WrongPlace(("s1",), ("s2", "s3"), "Not there."),
    QUESTION,
    Correction("s1", "s2", "red-1", "Carry."),
    Correction(None, "s2", "red-1", "Home."),
    Remove(("s1",), "Off.", "red-1"),
    UnknownPiece(("s1", "s4"), "What?"),
    SetUp("red", ("s1", "s2"), ("red-1", "red-2"), "Set up."),
    SensorHint(("s5",), "Stuck."),
    ORDERS,
)
MOMENTS = [100 + tick * 0.05 for tick in range(200)]


def frame(
    *cues: Cue,
    hint: Hint | None = None,
    left: tuple[str, ...] = (),
    reach: tuple[str, ...] = (),
    now: float = 100.0,
    look: LampStyle | None = None,
) -> Frame:
    return paint(glows(cues, hint, left, reach), SPACES, now, look or LampStyle(show=SHOW))


def lit(*cues: Cue, **more: object) -> set[str]:
    """Return the spaces that are lit at some moment of ten seconds."""
    frames = (frame(*cues, now=now, **more) for now in MOMENTS)  # type: ignore[arg-type]
    return {space for shown in frames for space, colour in zip(SPACES, shown, strict=True) if colour != DARK}


def seen(space: str, *cues: Cue, **more: object) -> list[tuple[int, int, int]]:
    """Return the colours of a space over ten seconds."""
    return [frame(*cues, now=now, **more)[SPACES.index(space)] for now in MOMENTS]  # type: ignore[arg-type]


# --- cues and hints -----------------------------------------------------------------------------------------------


def test_no_lamp_is_lit_without_cues() -> None:
    assert frame() == (DARK,) * len(SPACES)
    assert next_change((), 5.0) is None


@pytest.mark.parametrize("name", [name for name in LIGHTS if name != "setup"])
def test_every_cue_lights_exactly_its_spaces(name: str) -> None:
    assert lit(Cue(name, ("s3", "s7"))) == {"s3", "s7"}


def test_cue_without_its_own_light_is_shown() -> None:
    assert lit(Cue("fireworks", ("s3",))) == {"s3"}


def test_every_cue_of_game_has_its_own_light() -> None:
    source = inspect.getsource(sniper_elite_board)
    named = {part.split('"')[1] for part in source.split("Cue(")[1:] if part.startswith('"')}
    assert named | {"found", "not-found"} <= LIGHTS.keys()


@pytest.mark.parametrize("hint", HINTS, ids=lambda hint: type(hint).__name__)
def test_every_hint_lights_its_spaces(hint: Hint) -> None:
    assert lit(hint=hint) == {space for glow in hint_glows(hint) for space in glow.spaces}
    assert lit(hint=hint) <= set(SPACES)


SHOWS = [pytest.param(show_of(games.find(name)), id=name) for name in games.names()]


@pytest.mark.parametrize("show", SHOWS)
def test_game_does_not_redefine_lights_of_table(show: Show) -> None:
    assert not show.lights.keys() & lights.LIGHTS.keys()
    assert not {role for palette in show.palettes.values() for role in palette} & PALETTES["night"].keys()


@pytest.mark.parametrize("show", SHOWS)
def test_no_two_cues_share_rhythm_or_meaning(show: Show) -> None:
    seen: dict[str, Light] = {**lights.LIGHTS, **show.lights}
    for (one, light), (other, its) in combinations(seen.items(), 2):
        courses = [(kept.rhythm.levels, kept.rhythm.step_ms, kept.rhythm.smooth) for kept in (light, its)]
        assert courses[0] != courses[1], f"{one} and {other} would look the same to who sees no colours"
        assert light.meaning != its.meaning


@pytest.mark.parametrize("game", names())
def test_nothing_flashes_at_harmful_rate(game: str) -> None:
    for name, light in {**lights.LIGHTS, **show_of(find(game)).lights}.items():
        steps = [int(digit) for digit in light.rhythm.levels]
        flashes = sum(later - earlier >= 5 for earlier, later in zip(steps, steps[1:] + steps[:1], strict=True))
        assert flashes / (len(steps) * light.rhythm.step_ms / 1000) <= 3, name


@pytest.mark.parametrize("show", SHOWS)
@pytest.mark.parametrize("palette", PALETTES)
def test_every_palette_has_every_colour(palette: str, show: Show) -> None:
    wanted = {light.role for light in (*lights.LIGHTS.values(), *show.lights.values())}
    assert wanted <= lights.palette(palette, show).keys()


def test_squads_have_their_own_colours_in_every_palette() -> None:
    assert all({"yellow", "red", "black"} <= lights.palette(palette, SHOW).keys() for palette in PALETTES)


def test_unknown_palette_is_refused_with_known_ones() -> None:
    with pytest.raises(ValueError, match="night, day, clear"):
        frame(look=LampStyle(palette="tartan"))


# --- at the table -----------------------------------------------------------------------------------------------


def test_squads_are_set_up_in_their_own_colours() -> None:
    colours = {
        squad: max(seen("s1", hint=SetUp(squad, ("s1",), ("x",), "Set up."))) for squad in ("yellow", "red", "black")
    }
    assert len(set(colours.values())) == 3
    assert colours["red"][0] > 3 * colours["red"][2]


def test_wrong_place_blinks_red_while_legal_spaces_stay_lit() -> None:
    hint = WrongPlace(("s1",), ("s2",), "Not there.")
    assert set(seen("s1", hint=hint)) == {DARK, (255, 0, 0)}
    assert len(set(seen("s2", hint=hint))) == 1
    assert DARK not in seen("s2", hint=hint)


def test_reachable_spaces_are_lit_and_start_space_differs() -> None:
    assert lit(left=("s1",), reach=("s1", "s2", "s3")) == {"s1", "s2", "s3"}
    assert seen("s1", left=("s1",), reach=("s1", "s2")) != seen("s2", left=("s1",), reach=("s1", "s2"))


def test_question_shows_answers_in_two_colours() -> None:
    assert max(seen("s1", hint=QUESTION)) != max(seen("s2", hint=QUESTION))


def test_question_is_visible_above_lifted_piece_and_its_reach() -> None:
    assert seen("s1", hint=QUESTION, left=("s1",), reach=("s1", "s2", "s3")) == seen("s1", hint=QUESTION)


def test_correction_stays_visible_above_news() -> None:
    news = Cue("alert", ("s1", "s2", "s3"))
    hint = Correction("s1", "s2", "red-1", "Carry.")
    assert seen("s2", news, hint=hint) == seen("s2", hint=hint)
    assert DARK not in {max(seen("s3", news, hint=hint))}


def test_both_ends_of_every_carry_are_lit_except_waiting_goals() -> None:
    assert lit(hint=ORDERS) == {"s1", "s2", "s3", "s4", "s5", "s6", "s7", "s9"}


def test_carries_are_distinguished_by_colour_and_rhythm() -> None:
    def hue(space: str) -> tuple[float, ...]:
        brightest = max(seen(space, hint=ORDERS), key=sum)
        return tuple(round(part / max(brightest), 1) for part in brightest)

    assert hue("s1") == hue("s2") == hue("s3") == hue("s4")
    assert len({hue("s2"), hue("s6"), hue("s9")}) == 3, "one colour for each squad"
    for one, other in (("s1", "s3"), ("s2", "s4"), ("s1", "s2")):
        assert seen(one, hint=ORDERS) != seen(other, hint=ORDERS), "a rhythm for each end and each look"


def test_later_of_two_equal_cues_is_visible() -> None:
    one, other = Cue("first-answer", ("s1",)), Cue("second-answer", ("s1",))
    assert seen("s1", one, other) == seen("s1", other)


def test_space_without_lamp_is_ignored() -> None:
    assert frame(Cue("alert", ("elsewhere",))) == (DARK,) * len(SPACES)


def test_lamp_without_space_stays_dark() -> None:
    shown = paint([Glow("legal", ("s1",))], [None, "s1", None], 0.0, LampStyle())
    assert shown[0] == shown[2] == DARK
    assert shown[1] != DARK


def test_path_travels_from_space_to_space() -> None:
    cue = Cue("path", ("s1", "s2", "s3"))
    peaks = [seen(space, cue).index(max(seen(space, cue))) for space in cue.spaces]
    assert len(set(peaks)) == 3


def test_shot_runs_once_over_its_spaces_before_it_repeats() -> None:
    cue = Cue("shot", tuple(f"s{number}" for number in range(1, 8)))
    lap = (len(cue.spaces) + len(STREAK.levels) - 1) * STREAK.step_ms / 1000
    moments = [5 * lap + number * 0.01 for number in range(int(lap * 100))]
    peaks = []
    for space in cue.spaces:
        course = [sum(frame(cue, now=now)[SPACES.index(space)]) for now in moments]
        peaks.append(course.index(max(course)))
        assert sum(level > 0.8 * max(course) for level in course) * 0.01 < 2 * STREAK.step_ms / 1000, "one flash a lap"
    assert sorted(peaks) == peaks
    assert len(set(peaks)) == len(peaks)


# --- time -------------------------------------------------------------------------------------------------------


def test_no_frame_is_due_while_all_lights_are_steady() -> None:
    assert next_change([Glow("mark", ("s1",)), Glow("reach", ("s2",))], 5.0, SHOW) is None


def test_gliding_light_needs_sixty_frames_a_second() -> None:
    assert next_change([Glow("alert", ("s1",))], 5.0, SHOW) == 5.0 + FRAME_SECONDS


@given(st.sampled_from([name for name in LIGHTS if not LIGHTS[name].rhythm.smooth]), st.floats(0, 10_000))
def test_stepping_light_is_constant_until_its_next_change(name: str, now: float) -> None:
    cues = [Cue(name, ("s1",))]
    change = next_change(glows(cues, None, (), ()), now, SHOW)
    soon = now + 3600 if change is None else max(now, change - 2 * FRAME_SECONDS)
    if change is None or change - now > 2 * FRAME_SECONDS:
        assert frame(*cues, now=now) == frame(*cues, now=soon)
    assert change is None or change > now


@given(st.sampled_from(sorted(LIGHTS)), st.integers(0, 20), st.floats(0, 1e6))
def test_level_is_never_out_of_range(name: str, place: int, now: float) -> None:
    assert 0 <= level(LIGHTS[name].rhythm, place, now) <= 1


# --- brightness and current -------------------------------------------------------------------------------------


def test_brightness_scales_everything() -> None:
    full = frame(Cue("legal", ("s1",)))
    half = frame(Cue("legal", ("s1",)), look=LampStyle(brightness=0.5, show=SHOW))
    assert [round(value / 2) for value in full[1]] == list(half[1])


def test_current_is_60_ma_for_a_white_lamp() -> None:
    assert current_ma(((255, 255, 255), DARK)) == pytest.approx(62)


def test_frame_within_limit_is_unchanged() -> None:
    bright = ((255, 255, 255),) * 2
    assert limited(bright, 122) == bright


def test_frame_above_limit_is_dimmed_as_a_whole() -> None:
    assert limited(((200, 100, 0), (200, 100, 0)), 2 + 300 / 255 * 20) == ((100, 50, 0), (100, 50, 0))


def test_all_lamps_are_dark_if_idle_current_exceeds_limit() -> None:
    assert limited(((255, 255, 255),) * 3, 2) == (DARK,) * 3


COLOURS = st.tuples(*[st.integers(0, 255)] * 3)
CUES = st.lists(st.builds(Cue, st.sampled_from(sorted(LIGHTS)), st.lists(st.sampled_from(SPACES)).map(tuple)))
SOME = st.lists(st.sampled_from(SPACES)).map(tuple)


@given(st.lists(COLOURS, max_size=60).map(tuple), st.floats(0, 3000))
def test_no_frame_draws_more_than_limit(wanted: Frame, limit: float) -> None:
    shown = limited(wanted, limit)
    assert current_ma(shown) <= max(limit, len(wanted)) + 1e-6
    assert all(
        dim <= full for one, other in zip(shown, wanted, strict=True) for dim, full in zip(one, other, strict=True)
    )


@given(CUES, st.none() | st.sampled_from(HINTS), SOME, SOME, st.floats(0, 1e5), st.sampled_from(sorted(PALETTES)))
def test_only_spaces_of_cues_and_hints_are_lit(
    cues: list[Cue], hint: Hint | None, left: tuple[str, ...], reach: tuple[str, ...], now: float, palette: str
) -> None:
    look = LampStyle(palette, 1.0, 60.0, SHOW)
    shown = paint(glows(cues, hint, left, reach), SPACES, now, look)
    told = {space for cue in cues for space in cue.spaces} | {*left, *reach}
    told |= set() if hint is None else {space for glow in hint_glows(hint) for space in glow.spaces}
    assert {space for space, colour in zip(SPACES, shown, strict=True) if colour != DARK} <= told
    assert current_ma(shown) <= 60 + 1e-6
