"""A server on anyio, which limits each request to three seconds; a longer one gets an error reply.

Run it:

    loopspec run anyio_listener.py:main       at once, in virtual time
    python anyio_listener.py                  on real sockets, in three seconds
"""

import anyio
from anyio.abc import SocketStream
from anyio.streams.buffered import BufferedByteReceiveStream


async def serve(stream: SocketStream) -> None:
    """Sleep for as many seconds as the request says."""
    async with stream:
        seconds = int(await BufferedByteReceiveStream(stream).receive_until(b"\n", 10))
        with anyio.move_on_after(3) as limit:
            await anyio.sleep(seconds)
        await stream.send(b"too long" if limit.cancelled_caught else b"slept for %d s" % seconds)


async def ask(seconds: int) -> None:
    async with await anyio.connect_tcp("localhost", 8081) as stream:
        await stream.send(b"%d\n" % seconds)
        answer = b""
        async for part in stream:
            answer += part
    print(f"{seconds} s?  {answer.decode()}")


async def main() -> None:
    listener = await anyio.create_tcp_listener(local_host="localhost", local_port=8081)
    async with listener, anyio.create_task_group() as group:
        group.start_soon(listener.serve, serve)
        async with anyio.create_task_group() as clients:
            for seconds in (1, 2, 4, 3600):
                clients.start_soon(ask, seconds)
        group.cancel_scope.cancel()


if __name__ == "__main__":
    anyio.run(main)
