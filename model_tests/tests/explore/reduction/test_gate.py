"""The gate: reduced searches find the outcomes of all schedules, and wrong ones are caught by the stored corpus."""

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from ....assurance.reduction.gate import (
    BOLD_IS_WRONG,
    PUBLISHED_IS_WRONG,
    PUBLISHED_IS_WRONG_LARGE,
    GateTally,
    bold,
    compare_conditional_programs,
    compare_loop_calls,
    compare_loop_programs,
    compare_state_programs,
    immortal,
    trusting,
)  # fmt: skip
from ....assurance.reduction.loop_calls import PROGRAMS

pytestmark = pytest.mark.filterwarnings("ignore")

#: No program of the corpus has more schedules.
_MOST = 3000


@pytest.mark.short("0", why="they are programs as those of the first part")
@pytest.mark.parametrize("part", range(4))
def test_programs_of_the_loop(part: int, full: bool) -> None:
    """20 programs with at most 12 schedules; --full: 10,000 with at most 200 (2,000 of them have more than 60)."""
    seeds, most = (4_150, 200) if full else (108, 12)
    tally = compare_loop_programs(range(part * seeds, (part + 1) * seeds), most, GateTally())
    assert tally.differ == []
    assert tally.compared >= (2_450 if full else 20)
    assert tally.large >= (500 if full else 0)


@pytest.mark.short("0", why="they are programs as those of the first part")
@pytest.mark.parametrize("part", range(2))
def test_programs_with_state(part: int, full: bool) -> None:
    """20 programs with at most 20 schedules; --full: 2,000 with at most 200."""
    seeds, most = (2_800, 200) if full else (72, 20)
    tally = compare_state_programs(range(part, seeds, 2), most, GateTally())
    assert tally.differ == []
    assert tally.compared >= (1_000 if full else 20)
    assert 0 < tally.unknown < tally.steps


def test_the_published_algorithm_fails_on_the_corpus(full: bool) -> None:
    seeds = [*PUBLISHED_IS_WRONG, *PUBLISHED_IS_WRONG_LARGE] if full else [*PUBLISHED_IS_WRONG[-2:]]
    tally = compare_conditional_programs(seeds, _MOST, GateTally(published=[]))
    assert (tally.compared, tally.differ, tally.published) == (len(seeds), [], seeds)


def test_a_rewriter_that_calls_the_unknown_independent_fails_on_the_corpus() -> None:
    with bold():
        tally = compare_state_programs(BOLD_IS_WRONG, 60, GateTally())
    assert tally.differ == list(BOLD_IS_WRONG)
    assert compare_state_programs(BOLD_IS_WRONG, 60, GateTally()).differ == []


@pytest.mark.short("0", "2", why="half a second each")
@pytest.mark.parametrize("part", range(4))
def test_values_that_are_given_to_asyncio(part: int) -> None:
    names = list(PROGRAMS)[part::4]
    tally = compare_loop_calls(names, 10_000, GateTally())
    assert (tally.compared, tally.differ, tally.constant) == (len(names), [], [])


@pytest.mark.parametrize(("wrong", "names"), [
    (trusting, ["call_soon append", "wait list", "create_task name", "gather flag", "call_later"]),
    (immortal, ["last reference", "last reference of a list", "weak callback of the last"]),
])  # fmt: skip
def test_a_wrong_reduction_fails(wrong: Callable[[], AbstractContextManager[None]], names: list[str]) -> None:
    with wrong():
        assert compare_loop_calls(names, 100, GateTally()).differ == names
