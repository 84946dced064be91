"""aiormq: while a connection is closed each call ends; only a task that was cancelled sees CancelledError."""

from __future__ import annotations

import asyncio

import aiormq
from aiormq.abc import AbstractChannel
from aiormq.exceptions import AMQPError

from ..fakes.amqp import AMQP, URL
from ..harness import Harness


async def declare(channel: AbstractChannel) -> str:
    try:
        await channel.queue_declare("jobs")
    except (AMQPError, ConnectionError, RuntimeError):
        return "refused"
    except Exception as error:
        if type(error) is Exception:
            raise AssertionError("a call raises a bare Exception") from None
        raise
    return "declared"


async def stop(connection: aiormq.Connection) -> None:
    await connection.close()


async def main() -> str:
    async with AMQP() as _:
        connection = await aiormq.connect(URL)
        channel = await connection.channel()
        call = asyncio.create_task(declare(channel))
        await asyncio.sleep(0.02)
        try:
            await asyncio.wait([asyncio.create_task(stop(connection))])
            await connection.close()
            await asyncio.wait([call])
        finally:
            await connection.close()
        if not call.cancelled():
            return call.result()
        assert call.cancelling(), "a call raises CancelledError, and its task was not cancelled"
        return "cancelled"


HARNESS = Harness(
    "aiormq",
    main,
    cancel="declare,stop",
    slow=True,
    allowed={
        "AssertionError: a call raises CancelledError*": "as the README says, the default close() cancels "
        "what is pending",
        # A call gets this from a close without a reason.
        "AssertionError: a call raises a bare Exception": "as the README says, what is pending fails; it names no type",
    },
)
