"""What the screens show of an analysis: marks, accuracy, key moments, and the graphs. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, pairwise
from typing import Any

from engine.text import Text
from firmware_host.analysis.files import Stored
from firmware_host.analysis.judging import JudgedStep
from firmware_host.analysis.marks import MARKS, accuracy, key_moments, mark
from firmware_host.core.capabilities import capabilities
from firmware_host.records.history import History


def found(history: History, stored: Stored | None, pause: Callable[[], None] = lambda: None) -> dict[str, Any]:
    """Return what was found so far as JSON values and texts. Call `pause` between two steps."""
    steps = () if stored is None else stored.steps
    keys, of = key_moments(steps), len(history) - 1 if stored is None or stored.failed else stored.of
    return {
        "done": len(steps),
        "of": of,
        "sides": [_side(seat.name, seat.title, steps) for seat in history.seats],
        "steps": [_step(history, step, step.step in keys) for step in _each(steps, pause) if step.after is not None],
        "chances": _chances(history, steps),
        "possible": _possible(history, steps),
        "luck": _luck(history),
    }


def _each(steps: Sequence[JudgedStep], pause: Callable[[], None]) -> Iterator[JudgedStep]:
    for step in steps:
        pause()
        yield step


def _side(seat: str, title: Text, steps: Sequence[JudgedStep]) -> dict[str, Any]:
    own = [step for step in steps if step.seat == seat]
    counted = Counter(mark(step) for step in own)
    marks = {name: counted[name] for name, _ in MARKS}
    return {"side": seat, "title": title, "accuracy": accuracy(own), "marks": marks}


def _step(history: History, step: JudgedStep, key: bool) -> dict[str, Any]:
    line = [_caption(history, seat, raw) for seat, raw in step.line]
    best = {**_act(history, step.seat, step.advised), "line": line} if step.advised is not None else None
    return {
        "step": step.step,
        "seat": step.seat,
        "side": step.seat,
        "before": step.best,
        "after": step.after,
        "truth": step.truth,
        "mark": mark(step),
        "played": _act(history, step.seat, step.played),
        "best": best,
        "key": key,
    }


def _luck(history: History) -> list[dict[str, Any]]:
    fortunate = capabilities(history.game).fortunes
    fortunes = [] if fortunate is None else fortunate.fortunes(told.event for told in history.told())
    return [{"seat": it.seat, "expected": it.expected, "got": it.got, "sentence": it.said} for it in fortunes]


def _act(history: History, seat: str, raw: Any) -> dict[str, Any]:
    return {"action": raw, "caption": _caption(history, seat, raw)}


def _caption(history: History, seat: str, raw: Any) -> Text:
    captioned = capabilities(history.game).captioned
    command = history.game.read_command(seat, raw)
    return Text(str(raw.get("type"))) if captioned is None else captioned.caption(command)


def _turns(steps: Sequence[JudgedStep]) -> list[tuple[int, list[JudgedStep]]]:
    return [(turn, list(group)) for turn, group in groupby(steps, key=lambda step: step.turn)]


def _chances(history: History, steps: Sequence[JudgedStep]) -> list[dict[str, Any]]:
    """Return the chance of the first side after each turn, by what the seat knew whose turn it was, and the truth. With
    more than two sides, it is that of the side whose turn it was.
    """
    two = len(history.seats) <= 2
    rows = []
    for turn, group in _turns(steps):
        judged = [step for step in group if step.after is not None]
        if judged:
            last = judged[-1]
            first, chances = history.seats[0].name if two else last.seat, (last.after, last.truth)
            own, truth = (it if it is None or last.seat == first else round(1 - it, 4) for it in chances)
            rows.append({"turn": turn, "step": group[-1].step, first: own, "truth": truth})
    return rows


def _possible(history: History, steps: Sequence[JudgedStep]) -> list[dict[str, Any]]:
    """Return after each turn how many places are possible, how many were before it, and what cut them most."""
    ends = [(turn, group) for turn, group in _turns(steps) if group[-1].spaces]
    sizes = {one.step: (before.spaces or 0) - (one.spaces or 0) for before, one in pairwise(steps)}
    rows, before = list[dict[str, Any]](), None
    for turn, group in ends:
        cuts = [step for step in group if step.cut]
        most = max(cuts, key=lambda step: sizes.get(step.step, 0), default=None)
        rows.append(
            {
                "turn": turn,
                "step": group[-1].step,
                "spaces": group[-1].spaces,
                "before": before,
                "event": None if most is None else _sentence(history, most),
                "at": None if most is None else most.step,
            }
        )
        before = group[-1].spaces
    return rows


def _sentence(history: History, step: JudgedStep) -> Text:
    """Return what the events that cut the possible places say, as one text."""
    sentences = [history.game.sentence(history.game.read_event(raw)) for raw in step.cut]
    names = [f"s{number}" for number in range(len(sentences))]
    return Text(" ".join(f"{{{name}}}" for name in names), **dict(zip(names, sentences, strict=True)))


def summary(history: History, stored: Stored | None) -> list[str]:
    """Return what was found as lines for a terminal: each side, then the key moments."""
    told = found(history, stored)
    lines = [_side_line(side) for side in told["sides"]]
    for step in told["steps"]:
        if step["key"]:
            better = "" if step["best"] is None else f", better: {step['best']['caption']}"
            lines.append(
                f"{step['step']:>4}  {step['seat']}: {step['played']['caption']} "
                f"({step['before']:.0%} to {step['after']:.0%}, {step['mark'] or 'no choice'}{better})"
            )
    return lines


def _side_line(side: dict[str, Any]) -> str:
    marks = ", ".join(f"{count} {name}" for name, count in side["marks"].items())
    return f"{side['side']}: accuracy {'-' if side['accuracy'] is None else side['accuracy']} ({marks})"
