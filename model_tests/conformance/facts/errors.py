"""Facts about exceptions: the very object that is raised, its cause, its group, and reports."""

from __future__ import annotations

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


@fact("TIMEOUT-1", "timeout", "timeout_at", "Timeout", documented=False)
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


@fact("WAITFOR-2", "wait_for", documented=False)
async def cause_of_wait_for() -> None:
    """The TimeoutError of wait_for has the CancelledError of the awaited thing as the cause."""
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
    """gather, shield and wait_for raise the very exception of the awaitable."""
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
    """With return_exceptions, gather returns the very exceptions, and a CancelledError for a cancelled one."""
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


@fact("WAITFOR-5", "WAITFOR-2", "wait_for", documented=False)
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

    async def fails() -> None:
        raise inner

    inner = ExceptionGroup("inner", [KeyError(1), ValueError(2)])
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(fails())
    except ExceptionGroup as error:
        assert (error.exceptions, error.__cause__) == ((inner,), None)
    else:
        raise AssertionError("no group")


@fact("GROUP-2", "TaskGroup")
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
