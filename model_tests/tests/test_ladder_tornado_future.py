"""The Future of the ladder's Tornado: the defects N1 to N5 and N10 of the text's sketch are not there; N6 is none."""

from __future__ import annotations

import gc
from typing import Any

import pytest

from impl.errors import InvalidStateError
from impl.ladder.tornado.coroutine import coroutine
from impl.ladder.tornado.future import Future

from .tornado_world import done, failed, logged


@pytest.mark.parametrize("first", [5, None])
def test_a_second_result_is_refused_and_changes_nothing(first: object) -> None:
    """N1."""
    called: list[object] = []
    future = Future[object]()
    future.add_done_callback(lambda future: called.append(future.result()))
    future.set_result(first)
    with pytest.raises(InvalidStateError):
        future.set_result(6)
    assert (future.result(), called) == (first, [first])


def test_an_error_after_a_result_is_refused() -> None:
    """N2: and so is a result after an error."""
    future = done(5)
    with pytest.raises(InvalidStateError):
        future.set_exception(ValueError())
    assert (future.result(), future.exception()) == (5, None)
    other = failed(ValueError())
    with pytest.raises(InvalidStateError):
        other.set_result(5)
    with pytest.raises(ValueError):  # noqa: PT011  # it has no text
        other.result()


def test_a_callback_added_during_callbacks_does_not_overtake() -> None:
    """N3."""
    order: list[str] = []
    future = Future[None]()

    def first(future: Future[None]) -> None:
        order.append("first")
        future.add_done_callback(lambda future: order.append("added during first"))

    future.add_done_callback(first)
    future.add_done_callback(lambda future: order.append("second"))
    future.set_result(None)
    assert order == ["first", "second", "added during first"]


def broken(future: Future[Any]) -> None:  # Any: as in done
    raise ZeroDivisionError


def test_what_a_callback_raises_is_logged_on_a_pending_and_on_a_done_future(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """N4: it concerns neither who adds the callback, nor who resolves, nor the other callbacks."""
    called: list[str] = []
    future = Future[None]()
    future.add_done_callback(broken)
    future.add_done_callback(lambda future: called.append("other"))
    future.set_result(None)
    future.add_done_callback(broken)
    assert called == ["other"]
    assert logged(caplog) == ["ZeroDivisionError"] * 2


def test_an_interrupt_in_a_callback_leaves_none_uncalled() -> None:
    """N5: it reaches whoever resolved, after the others have been called."""
    called: list[str] = []
    future = Future[None]()

    def interrupt(future: Future[None]) -> None:
        raise KeyboardInterrupt

    future.add_done_callback(interrupt)
    future.add_done_callback(lambda future: called.append("after one"))
    future.add_done_callback(interrupt)
    future.add_done_callback(lambda future: called.append("after two"))
    with pytest.raises(KeyboardInterrupt):
        future.set_result(None)
    assert called == ["after one", "after two"]


def test_none_is_a_result() -> None:
    """N6, which is no defect: `done` tells None from "not yet"."""
    pending, none = Future[None](), done(None)
    assert (pending.done(), none.done(), none.result()) == (False, True, None)
    with pytest.raises(InvalidStateError):
        pending.result()


def test_a_callback_on_a_done_future_runs_now() -> None:
    called: list[int] = []
    done(5).add_done_callback(lambda future: called.append(future.result()))
    assert called == [5]


def test_callbacks_run_inside_set_result() -> None:
    """The text's own rule: whoever waits runs in the middle of a line of whoever resolves."""
    order: list[str] = []
    future = Future[None]()
    future.add_done_callback(lambda future: order.append("callback"))
    future.set_result(None)
    order.append("next line")
    assert order == ["callback", "next line"]


def test_an_error_that_nobody_has_looked_at_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """N10: of a coroutine that was called and not yielded, too."""

    @coroutine
    def fails() -> Future[None]:
        raise ZeroDivisionError

    fails()
    gc.collect()
    assert logged(caplog) == ["ZeroDivisionError"]


def test_an_error_that_somebody_has_looked_at_is_not(caplog: pytest.LogCaptureFixture) -> None:
    failed(ValueError()).exception()
    gc.collect()
    assert logged(caplog) == []
