"""Misuse gets an error that names it."""

from __future__ import annotations

from collections.abc import Callable
from math import nan
from typing import Any

import pytest

import impl


def future() -> Any:  # Any: no gather takes futures of several loops, as far as types can say
    return impl.Loop().create_future()


def loop(**options: Any) -> Callable[[], impl.Loop]:  # Any: options of several types
    return lambda: impl.Loop(**options)


OUTSIDE = (
    impl.Future, impl.current_task, impl.gather, impl.capture_call_graph,
    lambda: impl.timeout(1), lambda: impl.ensure_future(impl.sleep(1)),  # which is closed: nothing is left un-awaited
)  # fmt: skip
# Any: a type checker refuses what is no awaitable.
NUMBER: Any = 42
NONE: Any = None
LIST: Any = [42]
MISUSE: list[tuple[Callable[[], object], type[Exception], str]] = [
    *((call, RuntimeError, "no running event loop") for call in OUTSIDE),
    (lambda: impl.timeout(1, loop=impl.Loop()).__aenter__().send(None), RuntimeError, "inside a task"),
    (lambda: impl.gather(future(), future()), ValueError, "different loop"),
    (lambda: impl.ensure_future(future(), loop=impl.Loop()), ValueError, "different loop"),
    (lambda: impl.Loop().run_until_complete(future()), ValueError, "different loop"),
    (lambda: impl.gather(future(), NUMBER), TypeError, "required"),
    (lambda: impl.ensure_future(NUMBER), TypeError, "required"),
    (lambda: impl.ensure_future(NONE), TypeError, "required"),
    (lambda: impl.ensure_future(LIST), TypeError, "required"),
    (lambda: impl.wrap_future(42, loop=impl.Loop()), TypeError, "required"),
    (lambda: impl.run(impl.wait([future(), 42])), TypeError, "future"),
    (lambda: impl.run(impl.wait(iter(()))), ValueError, "at least one"),
    (lambda: impl.run(impl.wait([future()], return_when="whenever")), ValueError, "return_when"),
    (lambda: impl.as_completed(future()), TypeError, "iterable"),
    (lambda: impl.format_call_graph("text"), TypeError, "takes a future or a task, not 'text'"),
    (loop(order="lifo"), ValueError, "'lifo'"),
    (loop(order="any"), ValueError, "needs choices"),
    (loop(late_ms_max=5), ValueError, "needs choices"),
    (loop(late_ms_max=-1, choices=impl.Choices.plain()), ValueError, ">= 0"),
    (lambda: impl.Loop().call_later(nan, print), ValueError, "NaN"),
    (lambda: impl.run(impl.sleep(nan)), ValueError, "NaN"),
    (lambda: impl.Lock().release(), RuntimeError, "not acquired"),
    (lambda: impl.Semaphore(-1), ValueError, ">= 0"),
    (lambda: impl.BoundedSemaphore(1).release(), ValueError, "too many times"),
    (lambda: impl.Condition().release(), RuntimeError, "not acquired"),
    (lambda: impl.Condition().notify(), RuntimeError, "un-acquired"),
    (lambda: impl.run(impl.Condition().wait()), RuntimeError, "un-acquired"),
    (lambda: impl.Barrier(-1), ValueError, "parties"),
    (lambda: impl.Queue[int]().task_done(), ValueError, "too many times"),
]


@pytest.mark.parametrize(("misuse", "error", "text"), MISUSE)
def test_misuse_is_named(misuse: Callable[[], object], error: type[Exception], text: str) -> None:
    """ENSURE-1, among others."""
    with pytest.raises(error, match=text):
        misuse()
