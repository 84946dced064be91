"""gmqtt: a disconnect() that is cancelled cancels no other call, though all of them wait for one future."""

from __future__ import annotations

import asyncio

import gmqtt
from gmqtt.mqtt.constants import MQTTv311

from ..fakes.mqtt import HOST, MQTT, PORT
from ..harness import Harness


async def stop(client: gmqtt.Client) -> None:
    await client.disconnect()


async def main() -> None:
    async with MQTT():
        client = gmqtt.Client("hunter")
        await client.connect(HOST, PORT, keepalive=0, version=MQTTv311)
        await asyncio.wait([asyncio.create_task(stop(client))])
        try:
            await client.disconnect()
        except asyncio.CancelledError:
            raise AssertionError("CancelledError in a task that was not cancelled") from None


HARNESS = Harness(
    "gmqtt",
    main,
    cancel="stop",
    finds={"AssertionError: CancelledError in a task that was not cancelled": "gmqtt_closed"},
)
