"""anyio on both of its backends: the test assumes that two tasks run their steps in the order of their start."""

from collections.abc import AsyncIterator
from typing import TypeAlias

import anyio
import pytest
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

Log: TypeAlias = tuple[MemoryObjectSendStream[str], MemoryObjectReceiveStream[str]]

pytestmark = pytest.mark.anyio


@pytest.fixture
async def log() -> AsyncIterator[Log]:
    send, receive = anyio.create_memory_object_stream[str](10)
    async with send, receive:
        yield send, receive


async def note(send: MemoryObjectSendStream[str], what: str) -> None:
    await anyio.lowlevel.checkpoint()  # the session is looked up
    await send.send(what)


@pytest.mark.explore(runs=50)
async def test_login_comes_before_logout(log: Log) -> None:
    send, receive = log
    async with anyio.create_task_group() as group:
        group.start_soon(note, send, "login")
        group.start_soon(note, send, "logout")
    assert [await receive.receive(), await receive.receive()] == ["login", "logout"]
