"""Request three mirrors at once and take the first answer within ten seconds: a nursery with a timeout.

Run it:

    python trio_timeout.py [SEED]       in virtual time
"""

import sys
from functools import partial

import trio

from impl.bridges.trio.run import run_trio

#: Port -> how long it takes, in seconds.
MIRRORS = {7001: 3, 7002: 8, 7003: 60}


async def serve(seconds: float, stream: trio.SocketStream) -> None:
    await stream.receive_some()
    await trio.sleep(seconds)
    await stream.send_all(b"the answer after %d s" % seconds)


async def ask(port: int) -> bytes:
    async with await trio.open_tcp_stream("localhost", port) as stream:
        await stream.send_all(b"?")
        return b"".join([part async for part in stream])


async def first(ports: list[int]) -> bytes | None:
    """Return the first answer; None if none arrives within 10 s."""
    answers: list[bytes] = []

    async def run(port: int, scope: trio.CancelScope) -> None:
        answers.append(await ask(port))
        scope.cancel()

    with trio.move_on_after(10):
        async with trio.open_nursery() as nursery:
            for port in ports:
                nursery.start_soon(run, port, nursery.cancel_scope)
    return answers[0] if answers else None


async def main() -> None:
    async with trio.open_nursery() as nursery:
        for port, seconds in MIRRORS.items():
            await nursery.start(partial(trio.serve_tcp, partial(serve, seconds), port, host="localhost"))
        for ports in ([7001, 7002, 7003], [7003]):
            answer = await first(ports)
            print(f"{trio.current_time():.3f} s  {answer!r}")
        nursery.cancel_scope.cancel()


if __name__ == "__main__":
    run_trio(main, seed=int(sys.argv[1]) if sys.argv[1:] else 0)
