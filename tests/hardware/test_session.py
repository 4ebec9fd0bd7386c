"""The conversation of host and board in simulated time: what is sent and when, the sensors, and its faults."""

from __future__ import annotations

import itertools
import random

import pytest

from hardware.health import CHATTERING, Health
from hardware.link import frames, messages
from hardware.link.messages import ErrorReport, Hello, Tuning
from hardware.link.session import PROMPTS, RESTART, Session, Unacknowledged
from hardware.ports import Edge, UnsettledContact
from hardware.settle import Settle
from tests.hardware.firmware import BREATH_LEVEL, KNOCK, VERSION, Board, Debounce, dim
from tests.hardware.talk import IDENTITY, Noise, Talk, folded, wire_of

RED = ((200, 0, 0),) * 16
BLUE = ((0, 0, 90),) * 16


def met(**given: int) -> Talk:
    """Return a board and a host that know each other."""
    talk = Talk(**given)
    talk.step(200)
    assert talk.session.board == Hello(1, talk.session.sensors, talk.lamps, IDENTITY.hex(), VERSION)
    return talk


def kinds(data: bytes) -> str:
    """Return the kinds of the frames in these bytes."""
    bodies = frames.FrameReader().feed(data)
    return "".join(chr(body[0]) for body in bodies)


def board_says(*bodies: bytes) -> bytes:
    return b"".join(frames.frame(body) for body in bodies)


HELLO = b"H\x00" + bytes((1, 16, 0, 16, 0)) + IDENTITY + b"2.1"


class Lonely:
    """A host for which the test writes the board's frames by hand."""

    def __init__(self) -> None:
        self.session = Session(16, 16, Tuning(), lambda _: None, 0.0)

    def sent(self, until_ms: int, since_ms: int = 0) -> list[tuple[int, str]]:
        """Return what is sent without any answer: (ms, kinds), waking up exactly when requested."""
        found, now = [], since_ms / 1000
        while (now := max(now, self.session.next_due())) <= until_ms / 1000 + 1e-9:
            if out := self.session.due(now):
                found.append((round(now * 1000), kinds(out)))
            else:
                raise AssertionError("woken for nothing")
        return found

    def receive(self, ms: int, *bodies: bytes) -> list[Edge | UnsettledContact]:
        return self.session.receive(board_says(*bodies), ms / 1000)


def test_host_asks_for_board_on_opening_and_every_silent_second() -> None:
    assert Lonely().sent(3500) == [(0, "h"), (1000, "h"), (2000, "h"), (3000, "h")]


def test_unacknowledged_frames_are_repeated_at_doubling_intervals() -> None:
    host = Lonely()
    host.session.show(RED, 0.0)
    host.sent(0)
    host.receive(10, HELLO)
    out = host.sent(4000, 10)
    assert [ms for ms, kind in out if kind.replace("h", "") == "CF"] == [10, 60, 160, 360, 760, 1560, 2560, 3560]


@pytest.mark.parametrize(("lamps", "seconds"), [(16, 0.05), (363, 0.1)])
def test_first_pause_follows_length_of_picture(lamps: int, seconds: float) -> None:
    picture = Unacknowledged(lambda seq: messages.picture_message(((1, 2, 3),) * lamps, lamps, seq), 1, 0.0)
    picture.send(0.0)
    assert picture.next == pytest.approx(seconds, rel=0.2)
    picture.send(1.0)
    picture.resend_soon(1.0)
    assert picture.next == pytest.approx(1.0 + seconds, rel=0.2)


def test_clock_of_board_may_wrap_around() -> None:
    said: list[bytes] = []
    board = Board(8, 1, IDENTITY, 1000, lambda data, size: said.append(bytes(data[:size])) or True, lambda *_: True)
    start = (1 << 30) - 400
    board.start(start)
    for ms in range(start, start + 900):
        board.feed(bytes(1), ms & (1 << 30) - 1)
        board.tick(ms & (1 << 30) - 1)
    stamps = [int.from_bytes(body[2:6], "little") for data in said for body in frames.FrameReader().feed(data)][1:]
    assert len(stamps) >= 8
    assert all(0 < later - earlier <= 100 for earlier, later in itertools.pairwise(stamps))


def test_no_question_contains_ctrl_c() -> None:
    session = Session(16, 16, Tuning(), lambda _: None, 0.0)
    asked = [session.due(float(second)) for second in range(1, 600)]
    assert all(asked)
    assert not any(3 in question for question in asked)


@pytest.mark.parametrize("prompt", PROMPTS)
def test_board_at_its_prompt_is_restarted(prompt: bytes) -> None:
    host = Lonely()
    host.sent(0)
    for at in range(len(prompt)):
        host.session.receive(prompt[at : at + 1], 0.1)
    assert host.session.due(0.1) == RESTART
    assert host.session.due(0.1) == b""
    host.session.receive(b"\0", 0.8)  # ends the text
    host.receive(800, HELLO)
    assert host.sent(800, 800) == [(800, "CF")]


def test_acknowledged_frames_are_sent_once() -> None:
    host = Lonely()
    host.session.show(RED, 0.0)
    host.sent(0)
    host.receive(10, HELLO)
    (ms, kind), *_ = host.sent(10, 10)
    assert (ms, kind) == (10, "CF")
    host.receive(20, b"A\x01\x02", b"A\x02\x03")
    assert host.session.agreed
    assert host.sent(1500, 20) == [(1020, "h")]


def test_pending_frames_are_sent_after_first_good_frame_after_damage() -> None:
    host = Lonely()
    host.session.show(RED, 0.0)
    host.sent(0)
    host.receive(10, HELLO)
    assert host.sent(700, 10)[-1][0] == 360
    assert host.session.receive(b"\x05damaged\0", 0.7) == []
    assert host.sent(700, 700) == []
    host.receive(700, b"S\x01" + bytes(8))
    assert host.sent(780, 700) == [(700, "CF"), (750, "CF")]


def test_one_picture_is_in_transit_and_latest_is_next() -> None:
    talk = met()
    talk.busy = True
    talk.show(RED)
    talk.step(5)
    for level in range(40):
        talk.show(((level, 0, 0),) * 16)
    talk.show(BLUE)
    talk.busy = False
    talk.step(20)
    assert talk.shown[-2:] == [wire_of(RED), wire_of(BLUE)]
    assert talk.session.agreed


def test_edge_is_backdated_so_that_it_is_debounced_only_once() -> None:
    talk = met()
    talk.truth = 1 << 3
    came = talk.ms
    talk.step(15)
    (edge,) = talk.edges
    assert abs(edge.at * 1000 - came) <= 2
    state, before = Settle(10, 25).feed(edge)
    assert before == []
    assert state.due(talk.now)[1] == [edge]


def test_edges_keep_order_though_opening_is_backdated_further() -> None:
    talk = met()
    talk.truth = 0b01
    talk.step(100)
    talk.truth = 0b00
    talk.step(14)
    talk.truth = 0b10
    talk.step(100)
    times = [edge.at for edge in talk.edges]
    assert [(edge.sensor, edge.down) for edge in talk.edges] == [(0, True), (1, True), (0, False)] or times == sorted(
        times
    )
    assert times == sorted(times)


def test_restarted_board_lifts_nothing_and_gets_everything_again() -> None:
    talk = met()
    talk.truth = 0b1011
    talk.show(RED)
    talk.step(100)
    assert folded(talk.edges) == 0b1011
    felt = len(talk.edges)
    talk.power_on()
    talk.step(400)
    assert len(talk.edges) == felt
    assert talk.shown[-1] == wire_of(RED)
    assert talk.session.agreed


def test_bouncing_contact_during_restart_lifts_nothing() -> None:
    talk = met()
    talk.truth = 0b1011
    talk.step(100)
    felt = len(talk.edges)
    talk.power_on()
    talk.truth = 0b1001
    talk.step(3)
    talk.truth = 0b1011
    talk.step(400)
    assert len(talk.edges) == felt


def test_board_sends_at_least_every_quarter_second() -> None:
    times: list[int] = []
    board = Board(8, 1, IDENTITY, 200, lambda *_: times.append(now) or True, lambda *_: True)
    now = 0
    board.start(now)
    for now in range(1, 3000):
        board.feed(b"\0", now)
        board.tick(now)
    assert max(later - earlier for earlier, later in itertools.pairwise(times)) <= 100


def test_pulled_cable_only_delays_changes() -> None:
    talk = met()
    talk.plugged = False
    talk.truth = 0b100
    talk.show(BLUE)
    talk.step(1500)
    assert talk.session.is_silent(talk.now)
    assert talk.edges == []
    talk.plugged = True
    talk.reopen()
    talk.step(300)
    assert folded(talk.edges) == 0b100
    assert talk.shown[-1] == wire_of(BLUE)
    assert not talk.session.is_silent(talk.now)


@pytest.mark.parametrize("direction", ["to the board", "to the host"])
def test_damage_in_one_direction_recovers_as_fast(direction: str) -> None:
    talk = met(sensors=16, lamps=144)
    for seed in range(30):
        noise = Noise(random.Random(seed), 0.03)
        talk.harm = noise if direction == "to the host" else bytes
        write = talk.write
        if direction == "to the board":
            talk.write = lambda data, noise=noise: write_through(talk, noise(data))  # type: ignore[method-assign]
        for _ in range(40):
            talk.show(((random.Random(seed).randrange(256), seed, 0),) * 144)
            talk.step(10)
        last = ((seed, 0, seed),) * 144
        talk.show(last)
        talk.write, talk.harm = write, bytes  # type: ignore[method-assign]
        talk.step(300)
        assert talk.session.agreed
        assert talk.shown[-1] == wire_of(last)


def write_through(talk: Talk, data: bytes) -> None:
    Talk.write(talk, data)


def test_board_that_sends_first_is_asked_its_name_immediately() -> None:
    host = Lonely()
    assert host.sent(0) == [(0, "h")]
    host.receive(100, b"S\x01" + bytes(8))
    assert host.sent(100, 100) == [(100, "h")]


@pytest.mark.parametrize("down", [True, False])
def test_unsettled_contact_is_not_later_than_its_edge(down: bool) -> None:
    """An edge is backdated by its debouncing, so the unsettled contact seen during it must not have a later time."""
    host = Lonely()
    host.receive(10, HELLO)
    before, after = (bytes((0, 0)), bytes((4, 0))) if down else (bytes((4, 0)), bytes((0, 0)))
    host.receive(50, b"S\x01" + bytes(4) + before + before)
    middle = host.receive(100, b"S\x02" + bytes(4) + before + after)
    notes = middle + host.receive(104, b"S\x03" + bytes(4) + after + after)
    assert [type(note) for note in notes] == [UnsettledContact, Edge]
    assert notes[0].at <= notes[1].at


def learned(talk: Talk) -> Health:
    """Return the health of the sensors after all reports."""
    health = Health({})
    for note in sorted([*talk.edges, *talk.restless], key=lambda note: note.at):
        health = health.apply_edge(note) if isinstance(note, Edge) else health.restless(note)
    return health


def test_unsettled_contact_is_no_edge_but_counts_for_health() -> None:
    talk = met()
    for gap in random.Random(1).choices(range(1, 8), k=900):
        talk.truth ^= 0b100
        talk.step(gap)
    assert talk.edges == []
    assert list(learned(talk).suspects(talk.now)) == [(2, CHATTERING)]
    talk.step(2000)
    assert list(learned(talk).suspects(talk.now)) == []


def test_repeated_touches_are_no_chatter() -> None:
    talk = met()
    for _ in range(40):
        talk.truth ^= 0b100
        talk.step(110)
        assert list(learned(talk).suspects(talk.now)) == []
    assert len(talk.edges) == 40


def test_wrong_board_moves_nothing_and_gets_no_picture() -> None:
    host = Lonely()
    host.session = Session(16, 16, Tuning(), lambda hello: f"not {hello.identity}", 0.0)
    host.session.show(RED, 0.0)
    host.sent(0)
    host.receive(10, HELLO)
    for ms in range(100, 3000, 100):
        assert host.receive(ms, b"S\x01" + bytes(4) + b"\xff" * 4) == []
        assert host.sent(ms, ms) == []
    assert host.session.fault == f"not {IDENTITY.hex()}"
    assert not host.session.is_silent(3.0)
    assert host.session._reader.damaged == 0


@pytest.mark.parametrize(
    "body", [b"X\x01abc", b"S\x01\0\0\0\0\1", b"S\x01" + bytes(9), b"A\x01", b"A\x01\x02\x03", b"H\x01\x01", b"E\x01"]
)
def test_unknown_kind_or_wrong_length_is_dropped_and_counted(body: bytes) -> None:
    host = Lonely()
    host.receive(10, HELLO)
    assert host.receive(20, body) == []
    assert host.session._reader.damaged == 1
    assert host.session.fault is None


def test_board_drops_invalid_frames_and_complains_once_a_second() -> None:
    talk = met()
    talk.write(board_says(b"X\x01", b"h\x01\x02", b"F\x01" + bytes(50), b"F\x01\x0f\0" + bytes(48), b"C\x01\x0a"))
    heard: list[ErrorReport] = []
    note = talk.session._record_report
    talk.session._record_report = lambda complaint, now: (heard.append(complaint), note(complaint, now))  # type: ignore
    talk.step(10)
    assert heard == [ErrorReport(1, "Damaged frames dropped: 5.")]
    talk.write(board_says(b"X\x01"))
    talk.step(900)
    assert len(heard) == 1
    talk.step(200)
    assert heard[1:] == [ErrorReport(1, "Damaged frames dropped: 1.")]
    assert set(talk.shown) == {bytes(48)}


def test_weak_supply_is_a_temporary_fault() -> None:
    talk = met()
    talk.board.report_low_supply(4100, 200)
    talk.step(2)
    assert talk.session.fault == (
        "The board has too little power: The supply is down to 4100 mV. Check its supply and its cables."
    )
    talk.step(3100)
    assert talk.session.fault is None


def test_settings_refused_by_board_are_a_fault() -> None:
    talk = Talk()
    talk.session.tuning = Tuning(limit_ma=0)
    talk.step(200)
    assert talk.session.fault is not None
    assert "limit 0 mA" in talk.session.fault
    assert "[board_link]" in talk.session.fault


def test_text_of_board_has_no_control_characters() -> None:
    assert messages.parse_message(b"E\x00\x02low\x1b[2J\nnow\xff", 16) == ErrorReport(2, "low\ufffd[2J\ufffdnow\ufffd")
    hello = messages.parse_message(b"H\x00" + bytes((1, 16, 0, 16, 0)) + bytes(8) + b"1.0\x07", 16)
    assert isinstance(hello, Hello)
    assert hello.version == "1.0\ufffd"


def test_lamps_breathe_after_five_silent_seconds_until_host_returns() -> None:
    talk = met()
    talk.show(RED)
    talk.step(50)
    talk.plugged = False
    talk.truth = 1
    talk.step(9000)
    breaths = talk.shown[talk.shown.index(wire_of(RED)) + 1 :]
    levels = [picture[0] for picture in breaths]
    assert all(picture == bytes((picture[0],)) * 48 for picture in breaths)
    assert (min(levels), max(levels)) == (0, BREATH_LEVEL)
    assert max(abs(one - other) for one, other in itertools.pairwise(levels)) <= 1
    talk.plugged = True
    talk.step(2100)
    assert talk.shown[-1] == wire_of(RED)
    assert folded(talk.edges) == 1


def test_any_frame_of_host_ends_breathing() -> None:
    shown: list[bytes] = []
    board = Board(16, 16, IDENTITY, 60000, lambda *_: True, lambda picture, _: shown.append(bytes(picture)) or True)
    board.start(0)
    board.receive(board_says(messages.picture_message(RED, 16, 1)), 1)
    for ms in range(2, 7000):
        board.tick(ms)
    assert shown[-1] != wire_of(RED)
    board.receive(board_says(messages.hello_request(2)), 7000)
    board.tick(7000)
    assert shown[-1] == wire_of(RED)


def test_lamps_never_breathe_while_host_is_there() -> None:
    talk = met()
    talk.show(RED)
    talk.step(20000)
    assert talk.shown[1:] == [wire_of(RED)]
    assert 5 <= len([ms for ms, out in talk.sent if ms > 200]) <= 11


def test_no_setting_exceeds_current_limit_of_board() -> None:
    shown: list[bytes] = []
    board = Board(16, 16, IDENTITY, 200, lambda *_: True, lambda picture, _: shown.append(bytes(picture)) or True)
    board.start(0)
    white = messages.picture_message(((255, 255, 255),) * 16, 16, 2)
    board.receive(board_says(Tuning(limit_ma=60000).body(1), white), 1)
    assert 180 < sum(shown[-1]) * 20 / 255 + 16 <= 200


@pytest.mark.parametrize("limit", [0, 15, 16, 17, 100, 500, 960, 976, 5000])
def test_dimmed_picture_keeps_limit_and_proportions(limit: int) -> None:
    chance = random.Random(limit)
    for _ in range(50):
        wanted = chance.randbytes(48)
        dimmed = dim(wanted, sum(wanted), limit, bytearray(48))
        assert sum(dimmed) * 20 / 255 + 16 <= max(limit, 16) or dimmed == bytearray(48)
        order = sorted(range(48), key=lambda at: wanted[at])
        assert [dimmed[at] for at in order] == sorted(dimmed)
        if sum(wanted) * 20 / 255 + 16 <= limit:
            assert dimmed == wanted


def test_only_exact_knock_opens_repl() -> None:
    board = Board(16, 16, IDENTITY, 200, lambda *_: True, lambda *_: True)
    board.start(0)
    chance = random.Random(5)
    for noise in (chance.randbytes(20000), b"\x03" * 3000, KNOCK[:-1], KNOCK + KNOCK):
        board.receive(noise + b"\0", 1)
    assert not board.knocked
    board.receive(KNOCK + b"\0", 2)
    assert board.knocked


def test_debouncing_of_board_matches_host() -> None:
    for seed in range(20):
        chance = random.Random(seed)
        board, host = Debounce(8), Settle(10, 25)
        board.feed(bytes(1), 0)
        truth = 0
        for ms in range(1, 600):
            if chance.random() < 0.1:
                sensor = chance.randrange(8)
                truth ^= 1 << sensor
                host, _ = host.feed(Edge(sensor, bool(truth >> sensor & 1), ms / 1000))
            host, _ = host.due(ms / 1000)
            board.feed(bytes((truth,)), ms)
            assert {sensor for sensor in range(8) if board.settled[0] >> sensor & 1} == host.down, (seed, ms)


def test_board_retries_until_busy_wire_accepts_report() -> None:
    taken: list[bytes] = []
    free = [False]

    def write(buffer: bytearray, size: int) -> bool:
        if free[0]:
            taken.append(bytes(buffer[:size]))
        return free[0]

    board = Board(8, 1, IDENTITY, 200, write, lambda *_: True)
    board.start(0)
    for ms in range(1, 400):
        board.feed(bytes((1 << 3,)), ms)
        board.tick(ms)
    assert taken == []
    free[0] = True
    board.feed(bytes((1 << 3,)), 400)
    assert kinds(b"".join(taken)) == "S"
