"""gmqtt: after disconnect() there is no connection, whether or not the broker broke it and the client tries again."""

from __future__ import annotations

import asyncio

import gmqtt
from gmqtt.mqtt.constants import MQTTv311

from ..fakes.mqtt import HOST, MQTT, PORT
from ..harness import Harness


async def stop(client: gmqtt.Client) -> None:
    await client.disconnect()


async def main() -> list[bytes]:
    async with MQTT(breaks_after=0.5) as broker:
        client = gmqtt.Client("hunter")
        client.set_config({"reconnect_retries": 5, "reconnect_delay": 1})
        try:
            await client.connect(HOST, PORT, keepalive=0, version=MQTTv311)
            client.publish("news", b"hello", qos=1)
            await asyncio.sleep(1)
            await asyncio.wait([asyncio.create_task(stop(client))])
        finally:
            await client.disconnect()
        await asyncio.sleep(5)
        assert broker.open == 0, "a client that was disconnected is connected"
    return broker.published


HARNESS = Harness(
    "gmqtt",
    main,
    cancel="stop",
    finds={
        "AssertionError: a client that was disconnected is connected": "gmqtt_disconnect",
        "CancelledError*": "gmqtt_closed",
    },
)
