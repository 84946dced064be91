"""Coroutines, shield and wrap_future, beyond the vectors: reports, outcomes of other threads."""

import concurrent.futures
import gc
import threading
from collections.abc import Generator, Iterator
from typing import Any

import pytest

import impl
from impl import CancelledError, sleep, wrap_future
from impl.net.real.loop import SocketLoop

from .conftest import Context, after, cancelled


def test_what_is_a_coroutine() -> None:
    class Awaitable:
        def __await__(self) -> Generator[Any, Any, None]:
            yield

    coro, steps = after(1, 0), (n for n in range(3))
    assert [impl.iscoroutine(it) for it in (coro, steps, after, Awaitable())] == [True, True, False, False]
    coro.close()


async def test_an_error_that_comes_with_a_cancel_of_the_shield_is_not_reported(
    loop: impl.Loop, reports: list[Context]
) -> None:
    """SHIELD-2: nothing waits for it any more; asyncio takes it so."""
    inner = loop.create_future()
    outer = impl.shield(inner)
    inner.set_exception(KeyError())
    assert outer.cancel()
    await sleep(0)
    del inner, outer
    gc.collect()
    assert reports == []


def test_the_outcome_of_another_thread_arrives() -> None:
    """WRAP-1; the loop waits for it even if nothing else is pending: that is no deadlock."""
    theirs: concurrent.futures.Future[str] = concurrent.futures.Future()
    parked = threading.Event()

    async def main() -> str:
        wrapped = wrap_future(theirs)
        assert wrap_future(wrapped) is wrapped
        impl.get_running_loop().call_soon(parked.set)
        result: str = await wrapped
        return result

    def other() -> None:
        parked.wait()
        theirs.set_result("from there")

    thread = threading.Thread(target=other)
    thread.start()
    loop = SocketLoop()
    assert loop.run(main()) == "from there"
    assert loop.pending == 0
    thread.join()


async def test_a_simulated_loop_gets_the_outcome_in_its_own_thread() -> None:
    """WRAP-1: outcomes of each kind, one iteration later."""
    for outcome in ("result", KeyError(), concurrent.futures.CancelledError("theirs")):
        theirs: concurrent.futures.Future[Any] = concurrent.futures.Future()
        wrapped = wrap_future(theirs)
        if isinstance(outcome, BaseException):
            theirs.set_exception(outcome)
        else:
            theirs.set_result(outcome)
        assert not wrapped.done()
        (got,) = await impl.gather(wrapped, return_exceptions=True)
        if isinstance(outcome, concurrent.futures.CancelledError):
            assert (type(got), got.args) == (CancelledError, ("theirs",))
        else:
            assert got is outcome


async def test_a_cancelled_wrapper_cancels_what_it_wraps() -> None:
    """WRAP-1; and the other way."""
    theirs: concurrent.futures.Future[str] = concurrent.futures.Future()
    wrap_future(theirs).cancel()
    await sleep(0)
    assert theirs.cancelled()
    wrapped = wrap_future(theirs)
    await cancelled(wrapped)
    assert wrapped.cancelled()


async def test_an_outcome_after_the_cancel_of_the_wrapper_is_ignored(reports: list[Context]) -> None:
    """WRAP-1: a call that runs in another thread already cannot be cancelled."""
    theirs: concurrent.futures.Future[int] = concurrent.futures.Future()
    assert theirs.set_running_or_notify_cancel()
    assert wrap_future(theirs).cancel()
    theirs.set_result(1)
    await sleep(0)
    assert reports == []


def test_an_outcome_after_the_end_is_ignored(loop: impl.Loop, caplog: pytest.LogCaptureFixture) -> None:
    """A closed loop ignores it; the thread that resolves gets no error."""
    theirs: concurrent.futures.Future[int] = concurrent.futures.Future()
    wrap_future(theirs, loop=loop)
    loop.close()
    theirs.set_result(1)
    assert caplog.records == []


@pytest.fixture(autouse=True)
def _no_thread_is_left() -> Iterator[None]:
    before = threading.active_count()
    yield
    assert threading.active_count() == before
