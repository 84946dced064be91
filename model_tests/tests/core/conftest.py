"""Helpers of the core tests: a loop in virtual time, a coroutine with a delay and a result, the virtual time."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, TypeAlias

import pytest

import impl

#: Any: what a coroutine yields.
Runs: TypeAlias = Callable[[Callable[[], Coroutine[Any, Any, None]]], object]


@pytest.fixture
def loop() -> impl.Loop:
    return impl.Loop()


@pytest.fixture
def runs(loop: impl.Loop) -> Runs:
    return lambda main: loop.run(main())


async def after(seconds: float, result: object = None) -> Any:
    """Sleep, then return `result`, or raise it if it is an exception."""
    await impl.sleep(seconds)
    if isinstance(result, BaseException):
        raise result
    return result


def now() -> float:
    time: float = impl.get_running_loop().time()
    return time
