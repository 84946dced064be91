"""Future, beyond the vectors and the machines: misuse, messages, causes, a sly comparison, repr."""

from __future__ import annotations

from typing import Any

import pytest

import impl

from ...refinement.subjects import one_turn


def test_the_message_of_a_cancel_is_in_every_error(loop: impl.Loop) -> None:
    future = loop.create_future()
    assert future.cancel("why") is True
    for ask in (future.result, future.exception):
        with pytest.raises(impl.CancelledError) as caught:
            ask()
        assert caught.value.args == ("why",)


def test_set_exception_takes_exceptions_only(loop: impl.Loop) -> None:
    future = loop.create_future()
    wrong: list[Any] = [5, "error", int, None]
    for given in wrong:
        with pytest.raises(TypeError):
            future.set_exception(given)
    assert not future.done()


def test_a_stop_iteration_is_the_cause_of_the_runtime_error(loop: impl.Loop) -> None:
    """FUT-7 (gh-112182): also if its class is given."""
    future = loop.create_future()
    future.set_exception(StopIteration)
    assert isinstance(getattr(future.exception(), "__cause__", None), StopIteration)


def test_a_comparison_that_resolves_the_future_while_callbacks_are_removed(loop: impl.Loop) -> None:
    """The callbacks have moved to the ready queue then; none is called twice, or lost."""
    future = loop.create_future()
    called: list[str] = []

    class Sly:
        __hash__ = None  # type: ignore[assignment]  # equal things would need equal hashes

        def __eq__(self, other: object) -> bool:
            if not future.done():
                future.set_result(None)
            return False

        def __call__(self, done: object) -> None:
            called.append("sly")

    future.add_done_callback(Sly())
    future.add_done_callback(lambda done: called.append("plain"))
    assert future.remove_done_callback(print) == 0
    one_turn(loop)
    assert called == ["sly", "plain"]


def test_repr_says_the_state(loop: impl.Loop) -> None:
    _, done, failed, cancelled = futures = [loop.create_future() for _ in range(4)]
    done.set_result(3)
    failed.set_exception(ValueError("no"))
    cancelled.cancel()
    shown = ["pending", "finished result=3", "failed exception=ValueError('no')", "cancelled"]
    assert [repr(future) for future in futures] == [f"<Future {state}>" for state in shown]
    assert failed.exception() is not None  # otherwise it would be reported
