"""Rung 7 and row 18: each function of `facts` and `channel` shows what its docstring says."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from impl.ladder.rungs import callbacks, channel, delegating, facts

SHOWN: list[tuple[Callable[[], object], object]] = [
    (facts.a_frame_outlives_its_call, ("bar", "foo")),
    (facts.a_call_runs_nothing, ["called", "it runs"]),
    (facts.one_code_many_frames, (True, False)),
    (facts.send_gives_and_takes, (1, 2, "done with hello and goodbye")),
    (
        facts.nothing_can_be_sent_before_the_first_yield,
        "can't send non-None value to a just-started generator",
    ),
    (facts.any_function_may_resume_it, (["one", "another"], True)),
    (facts.it_cannot_resume_itself, "generator already executing"),
    (facts.throw_raises_at_the_yield, (["waiting", "caught one", "going on"], "another came out")),
    (
        channel.yield_from_is_a_channel,
        [
            "inner got nothing yet",
            "inner got hello",
            "inner got the error one",
            "outer has what inner returns",
        ],
    ),
    (channel.an_error_comes_up_the_channel, "caught the error of the inner one"),
    (channel.the_caller_stays_where_it_is, (True, True)),
]


@pytest.mark.parametrize(("function", "shown"), SHOWN, ids=lambda it: getattr(it, "__name__", ""))
def test_what_a_function_shows(function: Callable[[], object], shown: object) -> None:
    assert function() == shown


def test_only_a_generator_function_has_the_flag() -> None:
    assert facts.the_flag_of_a_generator(facts.gen_fn)
    assert not facts.the_flag_of_a_generator(facts.value_of)


def test_a_suspended_generator_stays_at_its_last_instruction() -> None:
    (start, first, later, second), gone = facts.the_last_instruction_waits()
    assert start < first == later < second
    assert gone


def test_stop_iteration_cannot_be_thrown_in() -> None:
    """K10: since PEP 479 it comes out as a RuntimeError."""
    assert facts.stop_iteration_is_not_for_throwing() == "generator raised StopIteration"


def test_an_infinite_generator_runs_as_far_as_it_is_resumed() -> None:
    assert facts.first_fibonacci(10) == [0, 1, 1, 2, 3, 5, 8, 13, 21, 34]


def test_a_callback_does_not_know_its_caller_and_a_coroutine_does() -> None:
    """Stack ripping: the traceback of a callback has no caller; that of a coroutine has, and its `try` catches."""
    assert callbacks.stack_ripping() == ["stack_ripping", "loop", "parse"]
    assert delegating.not_ripped() == ["fetch_my_favourite_page", "read_page", "parse"]
