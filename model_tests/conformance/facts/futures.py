"""Facts about futures: states, callbacks, isfuture, futures of other loops and of threads."""

from __future__ import annotations

import concurrent.futures
import gc
import threading
from typing import Any

from .fact import asyncio, fact


@fact("FUT-6", "Future")
async def exceptions_of_a_future() -> None:
    """set_exception() takes an exception or a class of one; exception() returns it each time."""
    future = asyncio.get_running_loop().create_future()
    future.set_exception(KeyError)
    error = future.exception()
    assert isinstance(error, KeyError)
    assert future.exception() is error
    assert not future.cancelled()


@fact("FUT-1", "FUT-6", "Future")
async def results_of_a_future() -> None:
    """Any object is a result: None, False, an exception, a class, another future."""
    loop = asyncio.get_running_loop()
    results: list[Any] = [None, False, 0, KeyError(1), KeyError, loop.create_future(), NotImplemented]
    for result in results:
        future = loop.create_future()
        future.set_result(result)
        assert future.done()
        assert not future.cancelled()
        assert future.result() is result
        assert future.exception() is None
        assert await future is result


@fact("FUT-1", "FUT-6", "Future")
async def states_of_a_future() -> None:
    """A future is resolved once: InvalidStateError afterwards, and cancel() returns False."""
    loop = asyncio.get_running_loop()
    result, error, cancelled = (loop.create_future() for _ in range(3))
    result.set_result(1)
    error.set_exception(KeyError(1))
    assert cancelled.cancel() is True
    for future in (result, error, cancelled):
        for call, value in ((future.set_result, 2), (future.set_exception, OSError())):
            try:
                call(value)
            except asyncio.InvalidStateError:
                continue
            raise AssertionError("it was resolved again")
        assert future.cancel() is False
    assert result.result() == 1
    assert isinstance(error.exception(), KeyError)
    assert (result.cancelled(), error.cancelled(), cancelled.cancelled()) == (False, False, True)


@fact("FUT-10", "FUT-5", "Future")
async def callbacks_of_a_future() -> None:
    """Callbacks get the future, and are called in order, as often as they were added; all equal ones are removed."""
    loop = asyncio.get_running_loop()
    calls: list[Any] = []

    def first(future: Any) -> None:
        calls.append(("first", future))

    def second(future: Any) -> None:
        calls.append(("second", future))

    future = loop.create_future()
    for callback in (first, second, first, second, calls.append):
        future.add_done_callback(callback)
    assert future.remove_done_callback(second) == 2
    assert future.remove_done_callback(second) == 0
    future.set_result(1)
    assert not calls
    await asyncio.sleep(0.01)
    assert calls == [("first", future), ("first", future), future]
    assert future.remove_done_callback(first) == 0


@fact("FUT-5", "FUT-3", "Future")
async def callbacks_while_called() -> None:
    """A callback that adds another one to the same future has that called, too, later."""
    loop = asyncio.get_running_loop()
    calls = []

    def outer(future: Any) -> None:
        future.add_done_callback(lambda future: calls.append("inner"))
        calls.append("outer")

    future = loop.create_future()
    future.add_done_callback(outer)
    future.set_result(1)
    await asyncio.sleep(0.01)
    assert calls == ["outer", "inner"]


@fact("ENSURE-1", "isfuture")
async def is_a_future() -> None:
    """isfuture() is true of futures, tasks and objects like a future, and of nothing else."""

    class Like:
        _asyncio_future_blocking = False

    class Other:
        def __getattr__(self, name: str) -> Any:
            return self

    task = asyncio.create_task(asyncio.sleep(0))
    coroutine = asyncio.sleep(0)
    for future in (asyncio.get_running_loop().create_future(), task, asyncio.gather(task), Like()):
        assert asyncio.isfuture(future) is True
    others: list[Any] = [coroutine, asyncio.Future, Like, Other(), concurrent.futures.Future(), None, 5]
    for other in others:
        assert not asyncio.isfuture(other)
    coroutine.close()
    await task


@fact("ENSURE-1", "ensure_future", "isfuture")
async def like_a_future() -> None:
    """ensure_future() returns an object like a future as it is."""

    class Like:
        _asyncio_future_blocking = False

    like = Like()
    assert asyncio.ensure_future(like) is like
    gathered = asyncio.gather(asyncio.sleep(0))
    assert asyncio.ensure_future(gathered) is gathered
    await gathered


@fact("FUT-6", "Future", "Task")
async def loop_of_a_future() -> None:
    """get_loop() returns the loop that the future was made for, whichever runs."""
    other = asyncio.new_event_loop()
    future, mine = other.create_future(), asyncio.get_running_loop().create_future()
    assert future.get_loop() is other
    assert mine.get_loop() is asyncio.get_running_loop()
    assert asyncio.Future(loop=other).get_loop() is other
    assert asyncio.Future().get_loop() is asyncio.get_running_loop()
    other.close()


@fact("WRAP-1", "wrap_future")
async def ends_of_wrapped_futures() -> None:
    """A wrapped future has the result or the exception of the other, and is cancelled with it, either way."""
    futures: list[Any] = [concurrent.futures.Future() for _ in range(4)]
    ends, fails, cancels, cancelled = futures
    wrapped = list(map(asyncio.wrap_future, futures))
    error = KeyError(1)
    ends.set_result(5)
    fails.set_exception(error)
    cancels.cancel()
    wrapped[3].cancel("why")
    await asyncio.wait(wrapped, timeout=1)
    assert wrapped[0].result() == 5
    assert wrapped[1].exception() is error
    assert wrapped[2].cancelled()
    assert cancelled.cancelled()
    done = asyncio.wrap_future(ends)
    assert await asyncio.wait_for(done, 1) == 5


@fact("WRAP-1", "wrap_future", threads=True)
def set_in_another_thread() -> None:
    """A future that is set in another thread calls the callbacks of the wrapped one in the loop's."""
    seen: list[Any] = []
    future = concurrent.futures.Future[int]()

    async def main() -> None:
        wrapped = asyncio.wrap_future(future)
        wrapped.add_done_callback(lambda wrapped: seen.append(threading.current_thread()))
        thread = threading.Thread(target=future.set_result, args=[5])
        thread.start()
        thread.join()
        assert not wrapped.done()
        assert await asyncio.wait_for(wrapped, 5) == 5
        await asyncio.sleep(0)

    asyncio.run(main())
    assert seen == [threading.current_thread()]


@fact("ENSURE-1", "WRAP-1", "run_coroutine_threadsafe", threads=True)
def cancelled_from_a_thread() -> None:
    """A cancel of the future that run_coroutine_threadsafe() returns cancels the task, and the other way round."""
    seen = []

    async def work(cancels: bool) -> None:
        try:
            if cancels:
                raise asyncio.CancelledError
            await asyncio.sleep(5)
        except asyncio.CancelledError:
            seen.append("cancelled")
            raise

    async def main() -> None:
        loop = asyncio.get_running_loop()
        first = asyncio.run_coroutine_threadsafe(work(False), loop)
        second = asyncio.run_coroutine_threadsafe(work(True), loop)
        await asyncio.sleep(0.01)
        assert second.cancelled()
        first.cancel()
        await asyncio.sleep(0.01)
        assert seen == ["cancelled"] * 2

    asyncio.run(main())


@fact("ENSURE-1", "run_coroutine_threadsafe", threads=True)
def begun_in_the_loop() -> None:
    """run_coroutine_threadsafe() runs nothing itself: the coroutine runs in the thread of the loop."""
    seen: list[Any] = []

    async def work() -> Any:
        seen.append(threading.current_thread())
        return asyncio.current_task()

    async def main() -> None:
        loop = asyncio.get_running_loop()
        future = asyncio.run_coroutine_threadsafe(work(), loop)
        assert not seen
        assert isinstance(future, concurrent.futures.Future)
        task = await asyncio.wait_for(asyncio.wrap_future(future), 5)
        assert seen == [threading.current_thread()]
        assert task is not asyncio.current_task()

    asyncio.run(main())


@fact("FUT-9", "Future", "Task")
async def exceptions_that_are_not_retrieved() -> None:
    """An exception that was never retrieved is reported when the future is freed; of a cancel there is no report."""
    loop = asyncio.get_running_loop()
    reports: list[Any] = []
    loop.set_exception_handler(lambda loop, context: reports.append(type(context["exception"])))

    async def fails(error: BaseException) -> None:
        raise error

    failed, cancelled, seen, waited = (loop.create_future() for _ in range(4))
    for future in (failed, seen, waited):
        future.set_exception(KeyError(1))
    cancelled.cancel()
    seen.exception()
    await asyncio.wait([waited])
    await asyncio.gather(waited, return_exceptions=True)
    tasks = [asyncio.create_task(fails(error)) for error in (OSError(), asyncio.CancelledError())]
    await asyncio.wait(tasks)
    del failed, cancelled, seen, waited, tasks, future
    gc.collect()
    await asyncio.sleep(0.01)
    assert sorted(each.__name__ for each in reports) == ["KeyError", "OSError"]


@fact("TASK-8", "FUT-4", "Future")
async def yield_of_a_future() -> None:
    """`yield future`, without `from`, is a RuntimeError in the task."""

    class Wrong:
        def __await__(self) -> Any:
            yield future

    async def work() -> str:
        try:
            await Wrong()
        except RuntimeError:
            return "refused"
        return "accepted"

    future = asyncio.get_running_loop().create_future()
    assert await asyncio.wait_for(asyncio.create_task(work()), 1) == "refused"


@fact("ENSURE-1", "run_coroutine_threadsafe", threads=True)
def threadsafe() -> None:
    """run_coroutine_threadsafe() runs a coroutine on the loop of another thread, and refuses anything else."""

    async def work(how: str) -> str:
        if how == "fails":
            raise KeyError(1)
        return how

    async def main() -> None:
        loop = asyncio.get_running_loop()

        def submit(how: str) -> Any:
            return asyncio.run_coroutine_threadsafe(work(how), loop).result(5)

        assert await asyncio.to_thread(submit, "returns") == "returns"
        try:
            await asyncio.to_thread(submit, "fails")
        except KeyError:
            pass
        else:
            raise AssertionError("no KeyError")
        try:
            asyncio.run_coroutine_threadsafe(asyncio.sleep, loop)
        except TypeError:
            return
        raise AssertionError("it was accepted")

    asyncio.run(main())


@fact("ENSURE-1", "ensure_future", "run_coroutine_threadsafe", "wrap_future")
def loops_of_futures() -> None:
    """ensure_future() returns a future as it is, and makes a coroutine a task of the loop that it is given;
    run_coroutine_threadsafe() refuses a future.
    """
    first = asyncio.new_event_loop()
    mine = first.create_future()
    assert asyncio.ensure_future(mine, loop=first) is mine
    task = asyncio.ensure_future(asyncio.sleep(0, 5), loop=first)
    assert task.get_loop() is first
    try:
        asyncio.run_coroutine_threadsafe(mine, first)
    except TypeError:
        pass
    else:
        raise AssertionError("it was accepted")
    assert first.run_until_complete(task) == 5
    first.close()
