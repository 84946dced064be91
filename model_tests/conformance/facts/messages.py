"""Facts about messages of cancels, and the CancelledError that has them."""

from __future__ import annotations

from typing import Any

from .fact import asyncio, fact


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
    """cancel() takes its message by name, msg."""
    task = asyncio.create_task(asyncio.sleep(9))
    task.cancel(msg="second")
    try:
        await task
    except asyncio.CancelledError as error:
        assert error.args == ("second",)


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


@fact("CANCEL-10", "WAITFOR-4", "wait_for", since=(3, 12), documented=False)
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


@fact("GATHER-3", "CANCEL-10", "gather", documented=False)
async def messages_as_results() -> None:
    """With return_exceptions, the CancelledError of a future has the message of its cancel."""
    first, second = (asyncio.get_running_loop().create_future() for _ in range(2))
    first.cancel("done")
    asyncio.get_running_loop().call_later(0.01, second.cancel, "later")
    got = await asyncio.gather(first, second, return_exceptions=True)
    assert [error.args for error in got] == [("done",), ("later",)]


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


@fact("TASK-5", "Task", documented=False)
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
