"""A message in parts ends early: its iterator fails, or its task is cancelled.  The connection should be closed."""

import asyncio
from collections.abc import AsyncIterator

from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed, ProtocolError
from websockets.protocol import State


async def receive(connection: ServerConnection) -> None:
    try:
        async for _ in connection:
            pass
    except ConnectionClosed:
        pass


async def main(cancels: bool) -> str:
    async def parts() -> AsyncIterator[str]:
        yield "one"
        if cancels:
            await asyncio.sleep(1)
        raise ValueError("there is no more")

    async with serve(receive, "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        async with connect(f"ws://127.0.0.1:{port}", proxy=None) as client:
            task = asyncio.create_task(client.send(parts()))
            await asyncio.wait([task], timeout=0.2)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            await asyncio.sleep(0.2)
            try:
                await client.send("after")
            except ConnectionClosed:
                return "ConnectionClosed"
            except ProtocolError:
                state = "open" if client.state is State.OPEN else "closed"
                return f"ProtocolError, and the connection is {state}"
    return "sent"


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("the iterator fails:", outcome(False))
    print("the task is cancelled:", outcome(True))
