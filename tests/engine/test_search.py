"""Sequential halving: it finds the best candidate, keeps its budget, and compares all with the same random numbers."""

from __future__ import annotations

from collections import Counter
from random import Random

from engine.search.budget import Budget, timed
from engine.search.halving import Ended, best_of, compare


class Lines:
    """Lines of four candidates with random results. A greater candidate wins more often."""

    def __init__(self, *, certain: bool = False) -> None:
        self.played: list[tuple[int, int]] = []
        self._certain = certain

    def __call__(self, candidate: int, number: int) -> Ended:
        self.played.append((candidate, number))
        luck = Random(number).random()
        return Ended(float(luck < (candidate + 1) / 8), self._certain)


def test_best_candidate_is_found() -> None:
    assert best_of([0, 3, 1, 2], Lines(), Budget(400)) == 3


def test_budget_is_kept_and_worse_candidates_get_fewer_lines() -> None:
    lines = Lines()
    best_of([0, 1, 2, 3], lines, Budget(100))
    assert len(lines.played) <= 100
    tried = Counter(candidate for candidate, _ in lines.played)
    assert tried[3] > tried[0] > 0


def test_candidates_get_the_same_numbers_in_the_same_order() -> None:
    lines = Lines()
    best_of([0, 1, 2, 3], lines, Budget(100))
    numbers = {candidate: [number for one, number in lines.played if one == candidate] for candidate in range(4)}
    for row in numbers.values():
        assert row == numbers[3][: len(row)]


def test_first_candidate_wins_without_a_budget() -> None:
    lines = Lines()
    assert best_of([2, 3, 0], lines, Budget(0)) == 2
    assert lines.played == []


def test_unfinished_round_does_not_count() -> None:
    assert best_of([0, 3, 1, 2], Lines(), Budget(3)) == 0


def test_easy_choice_ends_early() -> None:
    lines = Lines()
    assert best_of([0, 7], lines, Budget(1000)) == 7
    assert len(lines.played) < 200


def test_choice_between_equal_candidates_ends_early() -> None:
    played = []

    def line(candidate: int, number: int) -> Ended:
        played.append(candidate)
        return Ended(Random(number).random())

    assert best_of([4, 6], line, Budget(1000)) == 4
    assert len(played) < 200


def test_few_lines_decide_nothing() -> None:
    """The better candidate loses its first lines."""
    values = {0: [0.6] * 20, 1: [0.0] * 4 + [1.0] * 16}
    assert best_of([0, 1], lambda candidate, number: Ended(values[candidate][number]), Budget(40)) == 1


def test_prior_merits_matter_only_while_few_lines_are_played() -> None:
    merits = [0.3, 0.0, 0.0, 0.0]
    assert best_of([0, 1, 2, 3], Lines(), Budget(8), merits) == 0
    assert best_of([0, 1, 2, 3], Lines(), Budget(800), merits) == 3


def test_certain_result_is_played_once() -> None:
    lines = Lines(certain=True)
    best_of([0, 1, 2, 3], lines, Budget(100))
    assert Counter(candidate for candidate, _ in lines.played) == {0: 1, 1: 1, 2: 1, 3: 1}


def test_earlier_of_equal_candidates_is_chosen() -> None:
    assert best_of([5, 6, 7], lambda candidate, number: Ended(0.5), Budget(60)) == 5


def test_short_time_is_spent_on_the_first_candidates() -> None:
    """Nine lines are too few for all candidates. So the first two get them, and each of them more than one."""
    now, played = [0.0], []

    def line(candidate: int, number: int) -> Ended:
        now[0] += 0.01
        played.append(candidate)
        return Ended(float(candidate))

    assert best_of(range(20), line, timed(0.09, lambda: now[0])) == 1
    assert set(played) == {0, 1}
    assert len(played) <= 10


def test_long_time_is_spent_on_all_candidates() -> None:
    now, played = [0.0], set()

    def line(candidate: int, number: int) -> Ended:
        now[0] += 0.01
        played.add(candidate)
        return Ended(float(candidate))

    assert best_of(range(20), line, timed(0.81, lambda: now[0])) == 19
    assert played == set(range(20))


def test_clock_ends_the_search() -> None:
    now = [0.0]

    def line(candidate: int, number: int) -> Ended:
        now[0] += 0.01
        return Ended(float(candidate))

    assert best_of([1, 2, 3, 4], line, timed(0.5, lambda: now[0])) == 4
    assert now[0] <= 0.52


def test_kept_candidate_gets_as_many_lines_as_the_best() -> None:
    lines = Lines()
    found = compare([0, 1, 2, 3], lines, Budget(400), always_keep=[0])
    tried = Counter(candidate for candidate, _ in lines.played)
    assert abs(tried[0] - tried[3]) <= 1, "the last round may end between two lines"
    assert tried[3] > tried[1]
    assert 397 <= sum(tried.values()) - tried[0] <= 400, "the others share the whole budget"
    assert [one.candidate for one in found][:2] == [3, 0], "those that stay to the end come first"
    values = {one.candidate: one.value for one in found}
    assert abs(values[3] - values[0] - 3 / 8) < 3 * found[1].error < 0.3
    assert best_of([0, 1, 2, 3], Lines(), Budget(400)) == 3


def test_comparison_ends_where_only_a_kept_candidate_needs_lines() -> None:
    found = compare(
        [0, 1], lambda candidate, number: Ended(candidate, certain=candidate == 1), Budget(40), always_keep=[0]
    )
    assert [one.candidate for one in found] == [1, 0]


def test_error_is_that_of_the_difference() -> None:
    """Both have the same luck, which is much greater than their difference."""

    def line(candidate: int, number: int) -> Ended:
        return Ended(Random(number).random() + 0.01 * candidate)

    best, other = compare([0, 1], line, Budget(200), always_keep=[0])
    assert (best.candidate, other.candidate) == (1, 0)
    assert other.error < 0.02 < best.error < 0.1


def test_only_candidate_is_played_for_its_value() -> None:
    lines = Lines()
    assert compare([3], lines, Budget(400), least=20)[0].value == sum(Random(n).random() < 0.5 for n in range(20)) / 20
    assert len(lines.played) == 20
