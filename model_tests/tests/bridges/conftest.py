"""A test that is a coroutine function is a program of asyncio, and runs on the simulated loop."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from impl.bridges.asyncio.run import simulate


@pytest.fixture
def runs() -> Callable[[Callable[[], Coroutine[Any, Any, None]]], None]:
    return lambda main: simulate(main).outcome()
