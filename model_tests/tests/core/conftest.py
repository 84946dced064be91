"""Helpers of the core tests: a loop in virtual time, its reports, small coroutines, the virtual time."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeAlias

import pytest

import impl

Context: TypeAlias = dict[str, Any]  # Any: asyncio's context dict
#: Any: the yields of a coroutine.
Runs: TypeAlias = Callable[[Callable[[], Coroutine[Any, Any, None]]], object]


@pytest.fixture
def loop() -> impl.Loop:
    return impl.Loop()


@pytest.fixture
def reports(loop: impl.Loop) -> list[Context]:
    """The contexts that the loop's exception handler gets."""
    heard: list[Context] = []
    loop.set_exception_handler(lambda loop, context: heard.append(context))
    return heard


@pytest.fixture
def runs(loop: impl.Loop) -> Runs:
    return lambda main: loop.run(main())


async def after(seconds: float, result: object = None) -> Any:
    """Sleep, then return `result`, or raise it if it is an exception."""
    await impl.sleep(seconds)
    if isinstance(result, BaseException):
        raise result
    return result


async def cancelled(what: Awaitable[object]) -> tuple[object, ...]:
    """Wait for a cancelled future; return the arguments of the error."""
    with pytest.raises(impl.CancelledError) as caught:
        await what
    return caught.value.args


async def fails(error: BaseException) -> None:
    """Raise it in the first step."""
    raise error


async def cleans_up(log: list[Any], what: object, seconds: float = 0) -> None:
    """Sleep for long; whatever ends that, wait for `seconds`, and log `what`."""
    try:
        await impl.sleep(99)
    finally:
        if seconds:
            await impl.sleep(seconds)
        log.append(what)


def now() -> float:
    time: float = impl.get_running_loop().time()
    return time
