"""Rung 7 and row 18: each function of `facts` and `channel` shows the fact of its docstring."""

from collections.abc import Callable

import pytest

from impl.ladder.rungs import channel, facts

SHOWN: list[tuple[Callable[[], object], object]] = [
    (facts.a_frame_outlives_its_call, ("bar", "foo")),
    (facts.a_call_runs_nothing, ["called", "it runs"]),
    (facts.one_code_many_frames, (True, False)),
    (
        facts.nothing_can_be_sent_before_the_first_yield,
        "can't send non-None value to a just-started generator",
    ),
    (facts.any_function_may_resume_it, (["one", "another"], True)),
    (facts.it_cannot_resume_itself, "generator already executing"),
    (facts.stop_iteration_is_not_for_throwing, "generator raised StopIteration"),
    (lambda: facts.first_fibonacci(10), [0, 1, 1, 2, 3, 5, 8, 13, 21, 34]),
    (lambda: facts.the_flag_of_a_generator(facts.gen_fn), True),
    (lambda: facts.the_flag_of_a_generator(facts.value_of), False),
    (channel.an_error_comes_up_the_channel, "caught the error of the inner one"),
    (channel.the_caller_stays_where_it_is, (True, True)),
]


@pytest.mark.parametrize(("function", "shown"), SHOWN, ids=lambda it: getattr(it, "__name__", ""))
def test_what_a_function_shows(function: Callable[[], object], shown: object) -> None:
    """K10: since PEP 479 a StopIteration that is thrown in comes out as a RuntimeError.

    The functions that the walk itself calls are shown there (test_walk).
    """
    assert function() == shown


def test_a_suspended_generator_stays_at_its_last_instruction() -> None:
    (start, first, later, second), gone = facts.the_last_instruction_waits()
    assert start < first == later < second
    assert gone
