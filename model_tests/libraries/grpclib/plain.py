"""Within a timeout a call has a deadline.  The timeout should raise TimeoutError, also if the call is late."""

import asyncio
import logging

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


async def main(late: bool) -> str:
    server = Server([Echo()], codec=Text())
    await server.start("127.0.0.1", 0)
    port = server._server.sockets[0].getsockname()[1]
    async with Channel("127.0.0.1", port, codec=Text()) as channel:

        async def caller() -> str:
            method = UnaryUnaryMethod(channel, ECHO, str, str)
            try:
                async with asyncio.timeout(0.8):
                    try:
                        await method("slow" if late else "quick", timeout=0.1 if late else 0.7)
                    except TimeoutError:
                        pass
                    await asyncio.sleep(2)
            except TimeoutError:
                return "TimeoutError"
            except asyncio.CancelledError:
                return "CancelledError"
            return "nothing"

        shown = await asyncio.create_task(caller())
    server.close()
    await server.wait_closed()
    return shown


def outcome(wrong: bool) -> str:
    logging.disable()  # the server logs that its handler was late
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("the call is in time:", outcome(False))
    print("the call is late:", outcome(True))
