"""Facts about exceptions: the very object that is raised, its cause, its context, and messages of cancels."""

from __future__ import annotations

import gc
from typing import Any

from .fact import asyncio, fact


@fact("FUT-6", "TASK-5", "Future", "Task")
async def the_same_object() -> None:
    """result() and await raise the very exception that a future or a coroutine ended with."""
    error = KeyError(1)

    async def fails() -> None:
        raise error

    future = asyncio.get_running_loop().create_future()
    future.set_exception(error)
    for failed in (future, asyncio.create_task(fails())):
        await asyncio.wait([failed])
        assert failed.exception() is error
        for _ in range(2):
            try:
                await failed
            except KeyError as raised:
                assert raised is error


@fact("TASK-5", "Task")
async def cancelled_error_of_the_coroutine() -> None:
    """The CancelledError that a coroutine ends with is raised to the awaiter, with its own message."""

    async def work() -> None:
        try:
            await asyncio.sleep(9)
        except asyncio.CancelledError:
            raise asyncio.CancelledError("own") from None

    task = asyncio.create_task(work())
    await asyncio.sleep(0.01)
    task.cancel("given")
    try:
        await task
    except asyncio.CancelledError as error:
        assert error.args == ("own",)
    else:
        raise AssertionError("it is not cancelled")


@fact("CANCEL-10", "Task")
async def message_at_any_time() -> None:
    """The message of cancel() reaches the coroutine, and the awaiter, before the first step as later."""

    async def work() -> None:
        try:
            await asyncio.sleep(9)
        except asyncio.CancelledError as error:
            seen.append(error.args)
            raise

    seen: list[Any] = []
    for delay in (0, 0.01):
        task = asyncio.create_task(work())
        await asyncio.sleep(delay)
        task.cancel("why")
        try:
            await task
        except asyncio.CancelledError as error:
            assert error.args == ("why",)
    assert seen == [("why",)] * len(seen)


@fact("CANCEL-10", "Task")
async def message_of_oneself() -> None:
    """A task that cancels itself with a message gets it at the next await."""

    async def work() -> Any:
        task = asyncio.current_task()
        task.cancel("why")
        try:
            await asyncio.sleep(0)
        except asyncio.CancelledError as error:
            return error.args

    assert await asyncio.create_task(work()) == ("why",)


@fact("CANCEL-10", "FUT-13", "Task", "Future")
async def message_of_none() -> None:
    """A cancel without a message gives a CancelledError without arguments."""

    async def work() -> Any:
        try:
            await asyncio.sleep(9)
        except asyncio.CancelledError as error:
            return error.args

    task = asyncio.create_task(work())
    await asyncio.sleep(0.01)
    task.cancel()
    assert await task == ()
    future = asyncio.get_running_loop().create_future()
    future.cancel()
    try:
        await future
    except asyncio.CancelledError as error:
        assert error.args == ()


@fact("FUT-13", "Future")
async def first_message_stays() -> None:
    """A cancel of a future that is cancelled returns False, and does not change the message."""
    future = asyncio.get_running_loop().create_future()
    assert future.cancel("first")
    assert not future.cancel("second")
    try:
        future.result()
    except asyncio.CancelledError as error:
        assert error.args == ("first",)


@fact("CANCEL-10", "gather")
async def message_through_gather() -> None:
    """The message of a cancel of the awaiter of gather reaches every child."""
    seen: list[Any] = []

    async def child() -> None:
        try:
            await asyncio.sleep(9)
        except asyncio.CancelledError as error:
            seen.append(error.args)
            raise

    async def gathers() -> None:
        await asyncio.gather(child(), child())

    task = asyncio.create_task(gathers())
    await asyncio.sleep(0.01)
    task.cancel("why")
    await asyncio.wait([task])
    assert seen == [("why",)] * 2
    assert task.cancelled()


@fact("CANCEL-10", "SHIELD-2", "shield")
async def message_through_shield() -> None:
    """The message of a cancel of the awaiter of a shield is that of its CancelledError."""

    async def shields() -> Any:
        try:
            await asyncio.shield(inner)
        except asyncio.CancelledError as error:
            return error.args

    inner = asyncio.get_running_loop().create_future()
    task = asyncio.create_task(shields())
    await asyncio.sleep(0.01)
    task.cancel("why")
    assert await task == ("why",)
    assert not inner.done()


@fact("CANCEL-10", "WAITFOR-4", "wait_for", since=(3, 12))
async def message_through_wait_for() -> None:
    """The message of a cancel of the caller of wait_for reaches the inner coroutine."""

    async def inner() -> None:
        try:
            await asyncio.sleep(9)
        except asyncio.CancelledError as error:
            seen.append(error.args)
            raise

    async def waits() -> None:
        await asyncio.wait_for(inner(), 5)

    seen: list[Any] = []
    task = asyncio.create_task(waits())
    await asyncio.sleep(0.01)
    task.cancel("why")
    await asyncio.wait([task])
    assert seen == [("why",)]


@fact("TIMEOUT-1", "timeout", "timeout_at", "Timeout")
async def cause_of_a_timeout() -> None:
    """The TimeoutError of a timeout has the CancelledError of its block as the cause."""
    when = asyncio.get_running_loop().time() + 0.01
    for block in (asyncio.timeout(0.01), asyncio.timeout_at(when)):
        try:
            async with block:
                await asyncio.sleep(9)
        except TimeoutError as error:
            assert isinstance(error.__cause__, asyncio.CancelledError)
        else:
            raise AssertionError("no TimeoutError")


@fact("WAITFOR-2", "wait_for")
async def cause_of_wait_for() -> None:
    """The TimeoutError of wait_for has the CancelledError of what was awaited as the cause."""
    try:
        await asyncio.wait_for(asyncio.sleep(9), 0.01)
    except TimeoutError as error:
        assert isinstance(error.__cause__, asyncio.CancelledError)
    else:
        raise AssertionError("no TimeoutError")


@fact("TIMEOUT-2", "TIMEOUT-1", "timeout", "Timeout", "timeout_at")
async def errors_pass_a_timeout() -> None:
    """An exception of the block leaves a timeout as it is, also after the deadline."""
    for delay in (0, 0.02):
        raised = KeyError(delay)
        try:
            async with asyncio.timeout(0.01):
                try:
                    await asyncio.sleep(delay)
                finally:
                    raise raised
        except KeyError as error:
            assert error is raised


@fact("WAITFOR-1", "GATHER-2", "SHIELD-1", "wait_for", "gather", "shield")
async def errors_pass_combinators() -> None:
    """gather, shield and wait_for raise the very exception of what they wait for."""
    raised = KeyError(1)

    async def fails() -> None:
        await asyncio.sleep(0)
        raise raised

    for combined in (asyncio.gather(fails()), asyncio.shield(fails()), asyncio.wait_for(fails(), 9)):
        try:
            await combined
        except KeyError as error:
            assert error is raised
        else:
            raise AssertionError("no error")


@fact("GATHER-3", "gather")
async def exceptions_as_results() -> None:
    """With return_exceptions, gather returns the very exceptions, and a CancelledError for what is cancelled."""
    raised = KeyError(1)

    async def fails(error: BaseException) -> None:
        raise error

    cancelled = asyncio.create_task(asyncio.sleep(9))
    asyncio.get_running_loop().call_later(0.01, cancelled.cancel, "why")
    got = await asyncio.gather(fails(raised), cancelled, return_exceptions=True)
    assert got[0] is raised
    assert isinstance(got[1], asyncio.CancelledError)


@fact("GROUP-2", "TaskGroup")
async def exceptions_of_a_group() -> None:
    """The group that a TaskGroup raises has the very exceptions of its tasks, in the order in which they failed."""

    async def fails(delay: float, error: Exception) -> None:
        try:
            await asyncio.sleep(delay)
        finally:
            raise error

    errors = [KeyError(1), ValueError(2), TypeError(3)]
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(fails(0.01 * (error is not errors[0]), error)) for error in errors]
    except ExceptionGroup as error:
        assert error.exceptions[0] is errors[0]
        assert {id(each) for each in error.exceptions} == {id(each) for each in errors}
        assert [task.exception() for task in tasks] == errors
    else:
        raise AssertionError("no group")


@fact("GROUP-6", "GROUP-2", "TaskGroup")
async def body_of_a_group() -> None:
    """The exception of the body of a TaskGroup, and no CancelledError, is in the group."""
    raised = KeyError(1)

    async def waits() -> None:
        await asyncio.sleep(9)

    try:
        async with asyncio.TaskGroup() as group:
            task = group.create_task(waits())
            await asyncio.sleep(0)
            raise raised
    except ExceptionGroup as error:
        assert error.exceptions == (raised,)
        assert task.cancelled()


@fact("GROUP-4", "TaskGroup")
async def group_cancelled_from_outside() -> None:
    """A CancelledError from outside leaves a TaskGroup with its message, if no task failed."""

    async def groups() -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(asyncio.sleep(9))
            await asyncio.sleep(9)

    task = asyncio.create_task(groups())
    await asyncio.sleep(0.01)
    task.cancel("why")
    try:
        await task
    except asyncio.CancelledError as error:
        assert error.args == ("why",)


@fact("FUT-11", "LOOP-3", "Future", "Task")
async def report_of_a_callback() -> None:
    """The report of a callback that fails has the exception and a message."""
    loop = asyncio.get_running_loop()
    reports: list[Any] = []
    loop.set_exception_handler(lambda loop, context: reports.append(context))
    raised = KeyError(1)

    def fails(future: Any) -> None:
        raise raised

    future = loop.create_future()
    future.add_done_callback(fails)
    future.set_result(1)
    await asyncio.sleep(0.01)
    assert reports[0]["exception"] is raised
    assert isinstance(reports[0]["message"], str)


@fact("FUT-9", "Future", "Task")
async def report_of_an_exception() -> None:
    """The report of an exception that was never retrieved has the exception and the future."""
    loop = asyncio.get_running_loop()
    reports: list[Any] = []
    loop.set_exception_handler(lambda loop, context: reports.append(context))
    raised = KeyError(1)
    loop.create_future().set_exception(raised)
    await asyncio.sleep(0.01)
    assert [report["exception"] for report in reports] == [raised]
    assert "future" in reports[0]


@fact("CANCEL-10", "FUT-13", "Task", "Future")
async def any_message() -> None:
    """Any object is a message, also one that is false."""
    loop = asyncio.get_running_loop()
    for message in ("why", "", 0, False, ("a", "b"), KeyError(1)):
        task, future = asyncio.create_task(asyncio.sleep(9)), loop.create_future()
        for cancelled in (task, future):
            await asyncio.sleep(0)
            assert cancelled.cancel(message)
            try:
                await cancelled
            except asyncio.CancelledError as error:
                assert error.args == (message,)


@fact("CANCEL-10", "Task")
async def message_by_name() -> None:
    """cancel() takes its message by name, msg, and the last one before the coroutine goes on counts."""
    task = asyncio.create_task(asyncio.sleep(9))
    task.cancel("first")
    task.cancel(msg="second")
    try:
        await task
    except asyncio.CancelledError as error:
        assert error.args == ("second",)


@fact("CANCEL-10", "Task")
async def message_along_tasks() -> None:
    """A message goes along tasks that await each other, down to the first future, and back up."""
    seen = []

    async def inner() -> None:
        try:
            await asyncio.sleep(9)
        except asyncio.CancelledError as error:
            seen.append(error.args)
            raise

    async def outer() -> None:
        try:
            await asyncio.create_task(inner())
        except asyncio.CancelledError as error:
            seen.append(error.args)
            raise

    task = asyncio.create_task(outer())
    await asyncio.sleep(0.01)
    task.cancel("why")
    try:
        await task
    except asyncio.CancelledError as error:
        seen.append(error.args)
    assert seen == [("why",)] * 3


@fact("TASK-5", "Task")
async def cancelled_error_itself() -> None:
    """The first awaiter of a cancelled task gets the very CancelledError, with its cause."""
    raised = asyncio.CancelledError()

    async def work() -> None:
        try:
            await asyncio.sleep(9)
        except asyncio.CancelledError as error:
            raise raised from error

    task = asyncio.create_task(work())
    await asyncio.sleep(0.01)
    task.cancel("why")
    try:
        await task
    except asyncio.CancelledError as error:
        assert error is raised
        assert error.__cause__ is not None
        assert error.__cause__.args == ("why",)


@fact("GATHER-3", "CANCEL-10", "gather")
async def messages_as_results() -> None:
    """With return_exceptions, the CancelledError of a future has the message of its cancel."""
    first, second = (asyncio.get_running_loop().create_future() for _ in range(2))
    first.cancel("done")
    asyncio.get_running_loop().call_later(0.01, second.cancel, "later")
    got = await asyncio.gather(first, second, return_exceptions=True)
    assert [error.args for error in got] == [("done",), ("later",)]


@fact("WAITFOR-5", "WAITFOR-2", "wait_for")
async def cause_of_each_timeout() -> None:
    """The TimeoutError of wait_for has a CancelledError as the cause for any timeout and any awaitable."""
    for timeout in (0, -1, 0.01):
        for waits in (asyncio.sleep(9), asyncio.create_task(asyncio.sleep(9)), asyncio.Event().wait()):
            try:
                await asyncio.wait_for(waits, timeout)
            except TimeoutError as error:
                assert isinstance(error.__cause__, asyncio.CancelledError)
            else:
                raise AssertionError("no TimeoutError")


@fact("GROUP-2", "TaskGroup")
async def groups_in_groups() -> None:
    """A group that a task fails with is a member of the group that is raised, which has no cause."""
    inner = ExceptionGroup("inner", [KeyError(1), ValueError(2)])

    async def fails() -> None:
        raise inner

    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(fails())
    except ExceptionGroup as error:
        assert error.exceptions == (inner,)
        assert error.__cause__ is None
    else:
        raise AssertionError("no group")


@fact("GROUP-8", "TaskGroup")
async def kinds_of_groups() -> None:
    """Exceptions are raised in an ExceptionGroup, and others than SystemExit in a BaseExceptionGroup."""

    async def fails(error: BaseException) -> None:
        raise error

    for error, kind in ((KeyError(1), ExceptionGroup), (GeneratorExit(), BaseExceptionGroup)):
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(fails(error))
        except BaseExceptionGroup as raised:
            assert isinstance(raised, kind)
            assert isinstance(raised, Exception) is isinstance(error, Exception)
            assert raised.exceptions == (error,)
        else:
            raise AssertionError("no group")


@fact("TIMEOUT-1", "TIMEOUT-2", "timeout", "Timeout", "timeout_at")
async def cancelled_error_of_the_block() -> None:
    """A CancelledError that the block raises itself, before the deadline, is no TimeoutError."""
    raised = asyncio.CancelledError("own")
    try:
        async with asyncio.timeout(9):
            raise raised
    except asyncio.CancelledError as error:
        assert error is raised
    else:
        raise AssertionError("no CancelledError")


@fact(
    "LOOP-3",
    "SLEEP-1",
    "WAITFOR-4",
    "WAIT-5",
    "sleep",
    "wait_for",
    "wait",
    "timeout",
    "Timeout",
    "as_completed",
)
async def nothing_is_reported() -> None:
    """Nothing is reported if a cancel comes in the moment of a deadline, before or after it."""
    loop = asyncio.get_running_loop()
    reports: list[Any] = []
    loop.set_exception_handler(lambda loop, context: reports.append(context))
    tasks: list[Any] = []
    future = loop.create_future()

    async def limits() -> None:
        async with asyncio.timeout(0.01):
            await asyncio.sleep(9)

    async def steps() -> None:
        for step in asyncio.as_completed([future], timeout=0.01):
            await step

    bodies: list[Any] = [
        limits,
        steps,
        lambda: asyncio.sleep(0.01),
        lambda: asyncio.wait_for(asyncio.shield(future), 0.01),
        lambda: asyncio.wait_for(asyncio.sleep(0.01), 0.01),
        lambda: asyncio.wait([future], timeout=0.01),
    ]
    for body in bodies:
        for before in (True, False):
            if before:
                loop.call_later(0.01, lambda: tasks[-1].cancel())
            tasks.append(asyncio.ensure_future(body()))
            await asyncio.sleep(0)
            if not before:
                loop.call_later(0.01, tasks[-1].cancel)
            await asyncio.wait(tasks[-1:], timeout=1)
            assert tasks[-1].done()
            tasks[-1].cancelled() or tasks[-1].exception()
    await asyncio.sleep(0.05)
    tasks.clear()
    gc.collect()
    assert reports == []


@fact("LOOP-3", "FUT-9", "gather", "shield", "wait", "as_completed", "TaskGroup")
async def late_errors() -> None:
    """What fails after gather, wait, as_completed or a TaskGroup have returned is not reported by them as lost."""
    loop = asyncio.get_running_loop()
    reports: list[Any] = []
    loop.set_exception_handler(lambda loop, context: reports.append(context))

    async def fails(delay: float) -> None:
        try:
            await asyncio.sleep(delay)
        finally:
            raise KeyError(delay)

    try:
        await asyncio.gather(fails(0.01), fails(0.02))
    except KeyError as error:
        assert error.args == (0.01,)
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(fails(0.01))
            group.create_task(fails(0.02))
    except ExceptionGroup as group_error:
        assert len(group_error.exceptions) == 2
    await asyncio.sleep(0.05)
    gc.collect()
    assert reports == []
