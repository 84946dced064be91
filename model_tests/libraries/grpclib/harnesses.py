"""Harnesses of grpclib."""

import asyncio

from grpclib.client import Channel, UnaryUnaryMethod
from grpclib.const import Cardinality, Handler
from grpclib.encoding.base import CodecBase
from grpclib.exceptions import GRPCError, StreamTerminatedError
from grpclib.server import Server, Stream

from ..harness import harness_of

ECHO = "/test.Echo/Echo"


class Text(CodecBase):
    __content_subtype__ = "text"

    def encode(self, message: str, message_type: type) -> bytes:
        return message.encode()

    def decode(self, data: bytes, message_type: type) -> str:
        return data.decode()


class Echo:
    async def echo(self, stream: Stream[str, str]) -> None:
        text = await stream.recv_message()
        await asyncio.sleep(0.05)
        await stream.send_message(text or "")

    def __mapping__(self) -> dict[str, Handler]:
        return {ECHO: Handler(self.echo, Cardinality.UNARY_UNARY, str, str)}


async def call(channel: Channel, text: str, limit: float | None) -> str:
    task = asyncio.current_task()
    assert task is not None
    result: str
    try:
        method = UnaryUnaryMethod(channel, ECHO, str, str)
        result = await method(text, timeout=limit)
    except (TimeoutError, GRPCError, StreamTerminatedError) as error:
        result = "late" if limit is not None else repr(error)
    assert not task.cancelling(), "cancelling() is not what it was before the deadline"
    assert result == text or (limit is not None and result == "late"), f"{result} is the answer to {text}"
    return result


@harness_of(
    "grpclib",
    cancel="call",
    slow=True,
    finds={"AssertionError: a call: AssertionError('cancelling()*": "grpclib_deadline"},
)
async def grpclib_calls() -> list[object]:
    """A call is answered, or ends with an error at its deadline, and leaves the task of its caller as it was."""
    server = Server([Echo()], codec=Text())
    await server.start("localhost", 8080)
    try:
        async with Channel("localhost", 8080, codec=Text()) as channel:
            calls = [
                asyncio.create_task(call(channel, text, limit))
                for text, limit in (("one", None), ("two", 0.06), ("three", None))
            ]
            async with asyncio.timeout(60):
                results = await asyncio.gather(*calls, return_exceptions=True)
                last = await call(channel, "last", None)
    finally:
        server.close()
        await server.wait_closed()
        await asyncio.sleep(1)
    for result in (*results, last):
        assert isinstance(result, str | asyncio.CancelledError), f"a call: {result!r}"
    return [str(result) for result in results]
