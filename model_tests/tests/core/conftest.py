"""Helpers of the core tests: a loop in virtual time, a coroutine with a delay and a result, the virtual time."""

from __future__ import annotations

from typing import Any

import pytest

import impl


@pytest.fixture
def loop() -> impl.Loop:
    return impl.Loop()


async def after(seconds: float, result: object = None) -> Any:
    """Sleep, then return `result`, or raise it if it is an exception."""
    await impl.sleep(seconds)
    if isinstance(result, BaseException):
        raise result
    return result


def now() -> float:
    time: float = impl.get_running_loop().time()
    return time
