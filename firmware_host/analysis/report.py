"""What the screens show of an analysis: marks by loss of chance, accuracy, key moments, and the graphs. Pure.

`docs/analysis.md` explains the numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, pairwise
from math import exp
from statistics import median
from typing import Any, Final

from engine.text import Text
from firmware_host.analysis.analysis_files import Stored
from firmware_host.analysis.judging import JudgedStep
from firmware_host.core import sizes
from firmware_host.core.capabilities import capabilities
from firmware_host.records.history import History

MARKS: Final = (("best", 0.01), ("good", 0.05), ("inaccuracy", 0.10), ("mistake", 0.20), ("blunder", 1.0))
"""Each mark with the highest loss of chance for which it is given."""
POOR: Final = ("mistake", "blunder")
ACCURACY_DECAY: Final = 5.0
"""How fast accuracy falls with the loss: an act that loses 0.1 has 61 %."""
KEY_MOMENTS, KEY_CHANGE = 6, 0.15
"""The maximum number of key moments, and the least change of chance that makes an act a key moment."""


def loss(step: JudgedStep) -> float:
    """Return the chance that an act has lost against the best one, beyond the standard error of the comparison."""
    if step.best is None or step.after is None or not step.choice:
        return 0.0
    return max(0.0, step.best - step.after - step.error)


def mark(step: JudgedStep) -> str | None:
    """Return the mark of an act; None without a choice, or if it can't be judged."""
    if step.after is None or not step.choice:
        return None
    lost = loss(step)
    return next(name for name, most in MARKS if lost <= most)


def accuracy(steps: Sequence[JudgedStep]) -> float | None:
    """Return the accuracy of acts from 0 to 100: the mean of 100 e^(-ACCURACY_DECAY loss).

    None if no act has a mark.
    """
    found = [100 * exp(-ACCURACY_DECAY * loss(step)) for step in steps if mark(step) is not None]
    return round(sum(found) / len(found), 1) if found else None


def accuracies(steps: Sequence[JudgedStep]) -> dict[str, float]:
    """Return the accuracy of each seat that has one."""
    found = {seat: accuracy([step for step in steps if step.seat == seat]) for seat in {step.seat for step in steps}}
    return {seat: value for seat, value in found.items() if value is not None}


def key_moments(steps: Sequence[JudgedStep]) -> set[int]:
    """Return the numbers of the steps with the greatest losses or the greatest lasting changes of the true chance.

    A change lasts if it is still there at the seat's next act.
    """
    changes = dict[int, float]()
    for seat in dict.fromkeys(step.seat for step in steps):
        own = [(step, step.truth) for step in steps if step.seat == seat and step.truth is not None]
        truths = [truth for _, truth in own]
        # A single value may be inexact, because it is the average of few simulations.
        steady = [median(it) for it in zip([*truths[:1], *truths], truths, [*truths[1:], *truths[-1:]], strict=False)]
        for (step, _), before, now in zip(own, [*steady[:1], *steady], steady, strict=False):
            changes[step.step] = max(loss(step), abs(now - before))
    great = sorted((step for step, change in changes.items() if change >= KEY_CHANGE), key=lambda it: -changes[it])
    return set(great[:KEY_MOMENTS])


def report_facts(history: History, stored: Stored | None, pause: Callable[[], None] = lambda: None) -> dict[str, Any]:
    """Return the results so far as JSON values and texts. Calls `pause` between two steps."""
    steps = () if stored is None else stored.steps
    keys, of = key_moments(steps), len(history) - 1 if stored is None or stored.failed else stored.of
    return {
        "done": len(steps),
        "of": of,
        "sides": [_side(seat.name, seat.title, steps) for seat in history.seats],
        "steps": [
            _step(history, step, step.step in keys)
            for step in _each(steps, pause)
            if step.after is not None or step.advised is not None
        ],
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
    """Return the chance of the first side after each turn: as the seat of that turn could know it, and the true one.

    With more than two sides, it is the chance of the side whose turn it was.
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
    """Return for each turn how many places are possible after it and before it, and which event reduced them most."""
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
    """Return the sentences of the events that reduced the possible places, as one text."""
    sentences = [history.game.sentence(history.game.read_event(raw)) for raw in step.cut[: sizes.MOST_SENTENCES]]
    names = [f"s{number}" for number in range(len(sentences))]
    return Text(" ".join(f"{{{name}}}" for name in names), **dict(zip(names, sentences, strict=True)))


def summary(history: History, stored: Stored | None) -> list[str]:
    """Return the results as lines for a terminal: first the sides, then the luck of each seat, then the key moments."""
    told = report_facts(history, stored)
    lines, truth_of = [_side_line(side) for side in told["sides"]], dict[str, float]()
    lines += [f"{fortune['sentence']}" for fortune in told["luck"]]
    for step in told["steps"]:
        if step["key"]:
            lines.append(_moment_line(step, truth_of.get(step["seat"], step["truth"])))
        if step["truth"] is not None:
            truth_of[step["seat"]] = step["truth"]
    return lines


def _moment_line(step: dict[str, Any], truth: float) -> str:
    """Return a line about a key moment with the reason: the loss of its act, or the change of the `truth` after it."""
    better = "" if step["best"] is None else f", better: {step['best']['caption']}"
    if step["mark"] in POOR:
        why = f"{step['before']:.0%} to {step['after']:.0%}, {step['mark']}{better}"
    else:
        why = f"with everything known: {truth:.0%} to {step['truth']:.0%}"
    return f"{step['step']:>4}  {step['seat']}: {step['played']['caption']} ({why})"


def _side_line(side: dict[str, Any]) -> str:
    marks = ", ".join(f"{count} {name}" for name, count in side["marks"].items())
    return f"{side['side']}: accuracy {'-' if side['accuracy'] is None else side['accuracy']} ({marks})"
