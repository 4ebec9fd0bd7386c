"""What every game must do, as checks that play it. Each yields a sentence for everything that is wrong.

`sniperboard game check`, the pytest plugin and the tests of the project run the same checks. A check may raise
anything if the game fails; the caller reports that, too.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import chain, islice, pairwise
from random import Random
from typing import Any, Final, get_args

import msgspec

from engine.chance import Chance, Impossible
from engine.events import Event, Told
from engine.game import REFEREE, TABLE, Command, Endings, Game, Scored, Summarized
from engine.referee import Referee
from engine.refusal import NotUnderstood, Refused, RuleError
from engine.text import Text, and_list
from firmware_host.records.results import named_outcome
from lab.authoring.play import RandomGame, Sample, decoded_json, tag
from lab.authoring.texts import nodes

Check = Callable[[Sample], Iterator[str]]
CHECKS: Final[dict[str, Check]] = {}
"""Name -> check, of all modules imported so far; `check.py` has them in order."""

LONG = 200
"""Number of acts of a random game where every moment costs much."""

NAME: Final = "[a-z][a-z0-9-]*"
"""The pattern of names that are in addresses and keys."""

LUCK: Final = "Each kind of chance needs a Draw with the event and the field that tell its result."

FILL_IN: Final = 'Fill in Text("the {seat}", seat=title) instead, which gives way to a name.'


def contract(check: Check) -> Check:
    """Add a check to `CHECKS`, under the name of its function with spaces."""
    CHECKS[check.__name__.replace("_", " ")] = check
    return check


def shortened(value: Any) -> str:
    """Return a value as JSON for a sentence, cut if it is long."""
    text = msgspec.json.encode(value, enc_hook=str).decode()
    return text if len(text) <= 120 else f"{text[:117]}…"


@contract
def seats_have_names_titles_and_parts(sample: Sample) -> Iterator[str]:
    """Names of seats are in addresses and cookies."""
    game, names = sample.game, sample.names
    if not names or len({*names}) != len(names):
        yield f"seats() must return one seat or more, each with a name of its own, not {shortened(names)}."
    for seat in sample.seats:
        if not re.fullmatch(NAME, seat.name) or seat.name in (TABLE, REFEREE, "board", "house"):
            yield f"seats(): the seat {seat.name!r} needs another name of letters, digits and hyphens, not the table's."
        if not seat.title:
            yield f"seats(): the seat {seat.name} has no title."
        elif not isinstance(seat.title, Text):
            yield f"seats(): the title of {seat.name} is a str, which is not translated. Write Text({seat.title!r})."
        if len({*seat.parts}) != len(seat.parts):
            yield f"seats(): the seat {seat.name} has a part twice."
        if seat.secret and seat.parts:
            yield f"seats(): the secret seat {seat.name} has parts, but one device plays it."
    if not game.title[:1].isupper():
        yield f"The title {game.title!r} must begin with a capital letter."
    if {*sample.blank()} != {*names, TABLE, REFEREE}:
        yield f"blank() must return a picture for each seat, {TABLE!r} and {REFEREE!r}, and no others."


@contract
def same_seed_gives_the_same_game(sample: Sample) -> Iterator[str]:
    """Check that all random results come from the parameter `chance`."""
    played = [sample.start(seed) for seed in range(12)]
    openings = [msgspec.json.encode(game.opening) for game in played]
    if openings[:3] != [msgspec.json.encode(sample.start(seed).opening) for seed in range(3)]:
        yield f"setup() gives two beginnings from one chance. Draw with `chance` only{own_randomness(sample.game)}."
        return
    # A set-up may draw nothing. One that draws must draw from its parameter.
    if sample.game.luck(played[0].opening) and len({*openings}) == 1:
        yield "setup() draws the same from every chance. Draw with the methods of `chance`."
    pairs = ((sample.start(seed), sample.start(seed)) for seed in range(3, 12))
    steps = (both for one, other in pairs for both in zip(one.steps(), other.steps(), strict=False))
    # A short game may lack draws that other games have.
    for first, second in islice(steps, LONG):
        if msgspec.json.encode(first) != msgspec.json.encode(second):
            yield (
                f"The same acts from the same chance give other events, first after {shortened(first[1])}. "
                f"Draw with `chance` only{own_randomness(sample.game)}."
            )
            return


def own_randomness(game: Game) -> str:
    """Return where the rules of a game use the module `random`, for the end of a sentence; empty if they don't."""
    imported, lines = set[str](), list[str]()
    for path, node in nodes(game.name):
        if isinstance(node, ast.Import) and "random" in [name.name for name in node.names]:
            imported.add(path)
        of = node.value if isinstance(node, ast.Attribute) and path in imported else None
        drawn = isinstance(node, ast.ImportFrom) and node.module == "random" and node.names[0].name != "Random"
        if (drawn or (isinstance(of, ast.Name) and of.id == "random")) and not path.startswith("bots/"):
            lines.append(f"{path}:{node.lineno}")  # type: ignore[attr-defined]
    return f". The module random is used in {', '.join(lines)}" if lines else ""


@contract
def pictures_never_change(sample: Sample) -> Iterator[str]:
    """Check that calls for a picture depend only on the picture, and do not change it."""
    for seed in range(3):
        if wrong := next(_unsteady(sample.game, sample.start(seed)), None):
            yield wrong
            break
    for _, moments in sample.games:
        for last, moment in pairwise(moments):
            truth = last.pictures[REFEREE]
            for event in (told.event for told in moment.telling):
                if sample.game.fold(truth, event) != (truth := sample.game.fold(truth, event)):
                    yield f"fold() of {shortened(event)} is different each time. Draw in decide(), from `chance`."


def _unsteady(game: Game, play: RandomGame) -> Iterator[str]:
    for _ in range(LONG):
        pictures = dict(play.referee.pictures)
        before = {viewer: _seen(game, picture) for viewer, picture in pictures.items()}

        def other(pictures: Mapping[str, Any] = pictures, before: Mapping[str, bytes] = before) -> str:
            return ", ".join(viewer for viewer, picture in pictures.items() if _seen(game, picture) != before[viewer])

        if viewers := other():
            yield f"view() or state() of {viewers} is different each time. Use nothing but the picture."
        if isinstance(game, Summarized) and game.summary(pictures[TABLE]) != game.summary(pictures[TABLE]):
            yield "summary() of one picture is different each time. Use nothing but the picture."
        if not play.referee.to_act:
            return
        _, command, _ = play.step()
        if viewers := other():
            yield f"fold() changes the picture of {viewers} in place by {shortened(command)}. Return a new picture."


def _seen(game: Game, picture: Any) -> bytes:
    return msgspec.json.encode([game.state(picture), game.view(picture)], enc_hook=str)


@contract
def commands_belong_to_a_part_of_their_seat(sample: Sample) -> Iterator[str]:
    """Check the parts of commands: a device that leads some parts of a seat may only make acts of these parts."""
    parts = {seat.name: (None, *seat.parts) for seat in sample.seats}
    for moment in sample.moments:
        if (part := sample.game.part(moment.command)) not in parts[moment.seat]:
            yield f"part() names {part!r} for {shortened(moment.command)}, but the seat {moment.seat} has no such part."


@contract
def games_end_and_then_no_seat_acts(sample: Sample) -> Iterator[str]:
    """Play must stop at the end, even if all seats play at random."""
    for play in sample.plays:
        for seat in sample.names:
            if left := play.referee.legal(seat):
                yield f"After the end, legal() still offers {shortened(left[0])} to {seat}."


@contract
def acts_have_events(sample: Sample) -> Iterator[str]:
    """Check that each act has events: without any, it would change nothing and appear in no log."""
    for moment in sample.moments:
        if not moment.telling:
            kind = type(moment.command).__struct_config__.tag
            yield f"decide() can give the act {kind} no events, so that nothing happens. Yield or return each of them."


@contract
def everyone_learns_the_outcome(sample: Sample) -> Iterator[str]:
    """Screens, the journal and the records read it in any picture."""
    for moment in sample.moments:
        if len({sample.game.outcome(picture) for picture in moment.pictures.values()}) != 1:
            few = [it for it in moment.telling if it.audience.seats is not None]
            said = [f"{tag(it.event)} only to {', '.join(it.audience.seats or ())}" for it in few]
            why = f": decide() tells {and_list(said)}. Tell EVERYONE the end" if said else ""
            yield f"outcome() differs between the viewers after {shortened(moment.command)}{why}."


@contract
def outcome_is_public_and_exists_only_after_the_end(sample: Sample) -> Iterator[str]:
    """`outcome` is None until no seat is to act."""
    game = sample.game
    for moment in sample.moments:
        if (game.outcome(moment.pictures[TABLE]) is None) != bool(moment.to_act):
            yield f"outcome() must be None exactly while a seat is to act; it is not after {shortened(moment.command)}."
        if isinstance(game, Scored) and moment.to_act and game.score(moment.pictures[TABLE]) is not None:
            yield "score() must be None during the game."
        if isinstance(game, Endings) and moment.to_act and game.ending(moment.pictures[TABLE]) is not None:
            yield "ending() must be None during the game."
    for play in sample.plays:
        if (end := game.outcome(play.referee.truth)) is None:
            yield "A game ends without an outcome(): to_act() names no seat, so no one can go on."
        elif not is_sentence(end):
            yield f"outcome() must be a whole sentence, not {str(end)!r}."
        elif isinstance(game, Endings) and game.ending(play.referee.pictures[TABLE]) is None:
            yield "ending() must return an Ending after the end of the game: for a draw, one without winners."
        if len(sample.names) == 1 and isinstance(game, Scored) and game.score(play.referee.pictures[TABLE]) is None:
            yield "score() must be a number after the end of the game."


@contract
def endings_name_the_winners_of_the_outcome(sample: Sample) -> Iterator[str]:
    """A draw has no winner. One seat alone can lose each random game."""
    game, titles = sample.game, {str(seat.title): f"<{seat.name}>" for seat in sample.seats}
    if not isinstance(game, Endings) or len(titles) < 2:
        return
    ends = [(play, end) for play in sample.plays if (end := game.ending(play.referee.pictures[TABLE])) is not None]
    if ends and not any(end.winners for _, end in ends):
        yield f"ending() names no winner in any of {len(ends)} random games. Name the seats or the side that has won."
    said = [(str(named_outcome(game.outcome(it.referee.truth), titles)), {*end.winners}) for it, end in ends]
    named = [({*re.findall("<(.*?)>", words)}, won) for words, won in said if won and won <= {*sample.names}]
    # The outcome can name a seat that always loses: "The thief is caught."
    if len(set[str]().union(*(seats for seats, _ in named))) > 1 and not any(seats & won for seats, won in named):
        yield "outcome() names only seats that have lost, by the winners of ending(). Do both take the same seats?"


@contract
def outcome_has_no_article_before_a_name(sample: Sample) -> Iterator[str]:
    """Check outcomes: a table replaces the titles of seats in them by names of people, which have no article."""
    names = {str(seat.title): "Ada" for seat in sample.seats}
    for play in sample.plays:
        said = str(named_outcome(sample.game.outcome(play.referee.truth), names))
        if re.search(r"\bthe Ada\b", said, re.IGNORECASE):
            yield f"outcome() has an article before the title of a seat, so people read {said!r}. " + FILL_IN


@contract
def pictures_follow_from_the_events_that_their_viewer_was_sent(sample: Sample) -> Iterator[str]:
    """The pictures must also follow from the events as the journal stores them."""
    game, play = sample.game, sample.plays[0]
    for viewer, picture in sample.blank().items():
        read = picture
        for event in play.referee.told[viewer]:
            picture, read = game.fold(picture, event), game.fold(read, game.read_event(decoded_json(event)))
        if picture != play.referee.pictures[viewer]:
            yield f"Folding the events of {viewer} again gives another picture. Does fold() change one in place?"
        if read != play.referee.pictures[viewer]:
            yield f"Folding the events of {viewer} gives another picture after they were written and read."


@contract
def acts_repeat_with_the_luck_in_their_events(sample: Sample) -> Iterator[str]:
    """Check that acts give the same events with the same luck.

    This is how differences to a journal of another version are found.
    """
    try:
        yield from _decided_differently(sample)
    except (Impossible, RuleError) as error:
        yield f"luck() does not give what was drawn: {error} {LUCK}"


def _decided_differently(sample: Sample) -> Iterator[str]:
    game, options = sample.game, sample.options

    def _luck(telling: Iterable[Told]) -> str:
        return shortened(game.luck(telling)).replace("[]", "nothing")

    for play, moments in sample.games:
        again = Referee(game, sample.blank())
        opening = tuple(game.setup(sample.board, options, Chance(Random(99), game.luck(play.opening))))
        if opening != play.opening:
            yield f"setup() with the luck() of its own events, {_luck(play.opening)}, gives another beginning. {LUCK}"
            return
        again.tell(opening)
        for it in moments:
            if again.submit(it.seat, it.command, Chance(Random(99), game.luck(it.telling))) != it.telling:
                said = f"with the luck() of its own events, {_luck(it.telling)},"
                yield f"{shortened(it.command)} {said} gives other events. {LUCK}"
                return


def unread(sample: Sample) -> Iterator[str]:
    """Yield the events and actions that the game cannot read, one of each type: other errors are consequences."""
    game, failed = sample.game, set[type | str]()
    values: Iterable[tuple[str, str, Event | Command, tuple[str, ...]]] = chain(
        (("read_event", "event_types", event, ()) for event in sample.events),
        (("read_command", "command_types", moment.command, (moment.seat,)) for moment in sample.moments),
    )
    for method, types, value, seat in values:
        known = get_args(getattr(game, types, None)) or (getattr(game, types, None),)
        lacks = known != (None,) and type(value) not in known
        # One sentence for all types that are not listed.
        if (kind := types if lacks else type(value)) not in failed:
            for sentence in _unread(game, method, value, *seat):
                failed.add(kind)
                yield f"Its {types} lack {type(value).__name__}. {sentence}" if lacks else sentence


def _unread(game: Game, method: str, value: Event | Command, *seat: str) -> Iterator[str]:
    try:
        again = getattr(game, method)(*seat, decoded_json(value))
    except (msgspec.ValidationError, RuleError) as error:
        yield f"{method}() cannot read {shortened(value)}: {error}"
    else:
        if again != value or type(again) is not type(value):
            # Only these texts distinguish a list from a tuple.
            yield f"{method}() reads {value!r:.200} as {again!r:.200}. Do its fields get what their types declare?"


def is_sentence(words: str) -> bool:
    """Return whether a text begins with a capital letter or a number, ends as a sentence does, and has no None."""
    return (words[:1].isupper() or words[:1].isdigit()) and words[-1:] in (".", "!", "?") and "None" not in words


@contract
def events_have_a_sentence(sample: Sample) -> Iterator[str]:
    """The log needs it."""
    game = sample.game
    for event in sample.events:
        words = game.sentence(event)
        if not is_sentence(words):
            yield f"sentence() must return a whole sentence for {shortened(event)}, not {str(words)!r}."


@contract
def offered_commands_can_be_read_back_and_are_legal(sample: Sample) -> Iterator[str]:
    """Check that the legal commands are complete, in a stable order, and each listed once."""
    for seed in range(3):
        play = sample.start(seed)
        for _ in range(25):
            for seat in sample.names:
                yield from _faults_of_menu(play, seat)
            if not play.referee.to_act:
                break
            play.step()


def _faults_of_menu(play: RandomGame, seat: str) -> Iterator[str]:
    game, menu = play.game, play.referee.legal(seat)
    if len({msgspec.json.encode(command) for command in menu}) != len(menu):
        yield f"legal() offers a command to {seat} twice."
    if menu != play.referee.legal(seat):
        yield f"legal() offers the commands of {seat} in another order each time."
    for command in play.random.sample(menu, min(12, len(menu))):
        try:
            if game.read_command(seat, decoded_json(command)) != command:
                yield f"read_command() reads {shortened(command)} of {seat} as another command."
            if game.check(play.referee.pictures[seat], seat, command) != command:
                yield f"check() changes {shortened(command)}, which legal() offers to {seat}."
        except (NotUnderstood, Refused) as error:
            early = f"legal() offers acts to {seat} when to_act() does not name it. Return [] then."
            refused = f"legal() offers {shortened(command)} to {seat}, but it is refused: {error}"
            yield refused if seat in play.referee.to_act else early


@contract
def seats_to_act_know_it_and_have_legal_commands(sample: Sample) -> Iterator[str]:
    """`to_act` of the truth and of a seat's picture agree about that seat."""
    for moment in sample.moments:
        for seat in moment.to_act:
            if seat not in sample.game.to_act(moment.pictures[seat]):
                yield f"{seat} is to act after {shortened(moment.command)}, but its own picture does not say so."
            if not moment.legal(seat):
                yield f"{seat} is to act after {shortened(moment.command)}, but legal() offers nothing."


@contract
def other_commands_are_refused(sample: Sample) -> Iterator[str]:
    """Check that other commands are refused: a screen can be late, and a program can send anything."""
    for moment in sample.some:
        for seat in sample.names:
            if moment.command in moment.legal(seat):
                continue
            with suppress(NotUnderstood, Refused):
                sample.game.check(moment.pictures[seat], seat, moment.command)
                yield f"check() accepts {shortened(moment.command)} of {seat}, which legal() doesn't offer to it."
                return


@contract
def bad_input_is_not_understood(sample: Sample) -> Iterator[str]:
    """Commands and options come from strangers."""
    game = sample.game
    commands: tuple[Any, ...] = (None, 7, [], {}, {"type": "dance"}, {"type": ["move"]}, {"type": None})
    for raw in commands:
        for seat in (*sample.names, TABLE, "nobody"):
            yield from _not_refused(game, f"read_command({seat!r}, {raw!r})", "read_command", seat, raw)
    for options in ({"no such option": True}, "all"):
        yield from _not_refused(game, f"read_options({options!r})", "read_options", options)


def _not_refused(game: Game, call: str, method: str, *args: Any) -> Iterator[str]:
    try:
        getattr(game, method)(*args)
    except NotUnderstood:
        return
    except Exception as error:
        if not (isinstance(error, Refused) and method == "read_options"):
            yield f"{call} must raise NotUnderstood, not {type(error).__name__}."
        return
    yield f"{call} must raise NotUnderstood, and is accepted."


@contract
def secret_seats_have_private_events(sample: Sample) -> Iterator[str]:
    """A seat whose events all go to everyone has no secret."""
    secrets = any(numbers for play in sample.plays for numbers in play.referee.private.values())
    secret = [seat.name for seat in sample.seats if seat.secret]
    if secret and not secrets:
        yield f"The seat {secret[0]} is secret, but no event is for it alone. Does an event go to everyone by mistake?"
