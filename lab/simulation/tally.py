"""Count the results of many episodes, by kind of handling."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from lab.simulation.episodes import EpisodeVerdict
from lab.simulation.kinds import ASKED

HEAD = (
    "kind", "episodes", "wrong acts", "moves", "no question", "not made", "not meant", "questions", "without end",
    "by sensors alone", "recoveries", "carries", "fewest",
)  # fmt: skip
"""The columns. `without end`: episodes in which board and game never agreed again; `by sensors alone`: those that agree
although two miniatures that sensors cannot distinguish are swapped."""
ALL = "all"


class Tally:
    """Counts by kind, and the latencies of honest moves in milliseconds."""

    def __init__(self) -> None:
        self.counts: dict[str, Counter[str]] = defaultdict(Counter)
        self.rests: list[float] = []
        self.slides: list[float] = []

    @property
    def wrong(self) -> int:
        return self.counts[ALL]["wrong acts"]

    def add(self, verdict: EpisodeVerdict) -> None:
        counts = {
            "episodes": 1,
            "wrong acts": len(verdict.wrongs),
            "moves": verdict.meant,
            "no question": verdict.unasked,
            "not made": verdict.undone,
            "not meant": verdict.unmeant,
            "questions": verdict.questions,
            "without end": int(bool(verdict.lost)),
            "by sensors alone": int(verdict.hidden),
            "recoveries": len(verdict.carries),
            "carries": sum(actual for actual, _ in verdict.carries),
            "fewest": sum(needed for _, needed in verdict.carries),
        }
        honest = {"honest": verdict.meant, "honest unasked": verdict.unasked} if verdict.kind not in ASKED else {}
        for kind in (verdict.kind, ALL):
            self.counts[kind].update(counts)
            self.counts[kind].update(honest)
        if verdict.kind not in ASKED and not verdict.questions:
            for commit in verdict.commits:
                (self.slides if commit.extendable else self.rests).append(commit.latency)

    def sentences(self) -> Iterator[str]:
        """Yield the results as sentences."""
        counts = self.counts[ALL]
        yield f"wrong acts: {self.wrong} in {counts['episodes']} episodes"
        if counts["honest"]:
            share = counts["honest unasked"] / counts["honest"]
            yield f"honest moves of one piece at a time without a question: {share:.2%} of {counts['honest']}"
        if counts["moves"]:
            yield f"all moves without a question: {counts['no question'] / counts['moves']:.2%} of {counts['moves']}"
        rests, slides = _spread_text("rest", self.rests), _spread_text("could slide on", self.slides)
        yield f"after the last contact, ms: {rests}; {slides}"


def _spread_text(name: str, values: Iterable[float]) -> str:
    order = sorted(values)
    if not order:
        return f"{name} none"
    marks = {mark: order[min(len(order) - 1, int(len(order) * mark / 100))] for mark in (50, 99, 99.9)}
    return (
        f"{name} " + ", ".join(f"{mark:g} % {value:.0f}" for mark, value in marks.items()) + f", most {order[-1]:.0f}"
    )


def tally_rows(tally: Tally) -> Iterator[list[Any]]:
    for kind in sorted(tally.counts.keys() - {ALL}):
        yield [kind, *(tally.counts[kind][name] for name in HEAD[1:])]
    yield [ALL, *(tally.counts[ALL][name] for name in HEAD[1:])]
