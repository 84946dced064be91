"""What the ladder's rungs rely on: each function of `facts` and `channel` shows what its first sentence says."""

from __future__ import annotations

from impl.ladder.rungs import callbacks, channel, delegating, facts


def test_a_frame_outlives_its_call() -> None:
    assert facts.a_frame_outlives_its_call() == ("bar", "foo")


def test_only_a_generator_function_has_the_flag() -> None:
    assert facts.the_flag_of_a_generator(facts.gen_fn)
    assert not facts.the_flag_of_a_generator(facts.value_of)


def test_a_call_of_a_generator_function_runs_nothing() -> None:
    assert facts.a_call_runs_nothing() == ["called", "it runs"]


def test_generators_share_their_code_and_not_their_frames() -> None:
    assert facts.one_code_many_frames() == (True, False)


def test_a_suspended_generator_stays_at_its_last_instruction() -> None:
    (start, first, later, second), gone = facts.the_last_instruction_waits()
    assert start < first == later < second
    assert gone


def test_send_gives_a_value_and_takes_one_and_the_last_is_in_stop_iteration() -> None:
    assert facts.send_gives_and_takes() == (1, 2, "done with hello and goodbye")


def test_nothing_can_be_sent_before_the_first_yield() -> None:
    assert facts.nothing_can_be_sent_before_the_first_yield() == (
        "can't send non-None value to a just-started generator"
    )


def test_whoever_resumes_a_generator_is_below_it_on_the_stack() -> None:
    assert facts.anybody_may_resume_it() == (["one", "another"], True)


def test_a_generator_that_runs_cannot_be_resumed() -> None:
    assert facts.it_cannot_resume_itself() == "generator already executing"


def test_an_error_is_thrown_in_at_the_yield() -> None:
    assert facts.throw_raises_at_the_yield() == (
        ["waiting", "caught one", "going on"],
        "another came out",
    )


def test_stop_iteration_cannot_be_thrown_in() -> None:
    """K10: since PEP 479 it comes out as a RuntimeError."""
    assert facts.stop_iteration_is_not_for_throwing() == "generator raised StopIteration"


def test_yield_from_hands_on_values_and_errors_both_ways() -> None:
    assert channel.yield_from_is_a_channel() == [
        "inner got nothing yet",
        "inner got hello",
        "inner got the error one",
        "outer has what inner returns",
    ]
    assert channel.an_error_comes_up_the_channel() == "caught the error of the inner one"


def test_the_outer_generator_stays_at_its_yield_from() -> None:
    assert channel.the_caller_stays_where_it_is() == (True, True)


def test_an_infinite_generator_runs_as_far_as_it_is_asked() -> None:
    assert facts.first_fibonacci(10) == [0, 1, 1, 2, 3, 5, 8, 13, 21, 34]
    assert facts.first_fibonacci(0) == []


def test_a_callback_does_not_know_who_asked_and_a_coroutine_does() -> None:
    """Stack ripping, and what there is instead of it: the asker is in the traceback, and its `try` catches."""
    assert callbacks.stack_ripping() == ["stack_ripping", "loop", "parse"]
    assert delegating.not_ripped() == ["fetch_my_favourite_page", "read_page", "parse"]
