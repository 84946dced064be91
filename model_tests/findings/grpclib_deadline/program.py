"""A call with a deadline, within a timeout of its caller, who goes on to something else when the call is late.

loopspec explore grpclib_deadline/program.py:main --cancel call
"""

import asyncio

from grpclib.client import Channel, UnaryUnaryMethod
from grpclib.const import Cardinality, Handler
from grpclib.encoding.base import CodecBase
from grpclib.server import Server, Stream

ECHO = "/test.Echo/Echo"


class Text(CodecBase):  # type: ignore[misc]
    __content_subtype__ = "text"

    def encode(self, message: str, message_type: type) -> bytes:
        return message.encode()

    def decode(self, data: bytes, message_type: type) -> str:
        return data.decode()


class Echo:
    async def echo(self, stream: Stream) -> None:
        text = await stream.recv_message()
        await asyncio.sleep(0.3 if text == "slow" else 0)
        await stream.send_message(text)

    def __mapping__(self) -> dict[str, Handler]:
        return {ECHO: Handler(self.echo, Cardinality.UNARY_UNARY, str, str)}


async def call(channel: Channel) -> None:
    try:
        async with asyncio.timeout(1):
            try:
                await UnaryUnaryMethod(channel, ECHO, str, str)("slow", timeout=0.2)
            except TimeoutError:
                pass
            await asyncio.sleep(5)
    except TimeoutError:
        return
    except asyncio.CancelledError:
        task = asyncio.current_task()
        assert task is not None
        assert task.cancelling() > 1, "the timeout of the caller raises CancelledError"
        raise


async def main() -> None:
    server = Server([Echo()], codec=Text())
    await server.start("localhost", 8080)
    async with Channel("localhost", 8080, codec=Text()) as channel:
        results = await asyncio.gather(asyncio.create_task(call(channel)), return_exceptions=True)
    server.close()
    await server.wait_closed()
    if isinstance(results[0], AssertionError):
        raise results[0]
