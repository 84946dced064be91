"""A client connects, and sends nothing.  The loop is busy for a moment, then the server is to exit.  It should.

The client connects before that moment, or in it.
"""

import asyncio
import socket
import time
from typing import Any

import uvicorn


async def app(scope: Any, receive: Any, send: Any) -> None:
    pass


async def main(late: bool) -> str:
    server = uvicorn.Server(
        uvicorn.Config(app, "127.0.0.1", 0, log_config=None, lifespan="off", http="h11", ws="none")
    )
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    address = server.servers[0].sockets[0].getsockname()
    with socket.socket() as client:
        if not late:
            client.connect(address)
            await asyncio.sleep(0.05)
        time.sleep(0.2)  # longer than a tick of the server
        if late:
            client.connect(address)
        server.should_exit = True
        done, _ = await asyncio.wait([serving], timeout=1)
    await serving
    return "shutdown ends" if done else "shutdown waits for an idle client"


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("the client is connected:", outcome(False))
    print("the client is about to be connected:", outcome(True))
