"""Harnesses of gmqtt, and an MQTT 3.1.1 broker.

It accepts each client, acknowledges its messages, and may break its first connection.
"""

import asyncio

import gmqtt
from gmqtt.mqtt.constants import MQTTv311

from ..fakes.server import FakeServer
from ..harness import harness_of

HOST, PORT = "broker", 1883


class MQTT(FakeServer):
    """A server that passes nothing on."""

    host, port = HOST, PORT

    def __init__(self, delay: float = 0.01, breaks_after: float | None = None) -> None:
        super().__init__(delay)
        #: How many connections are open.
        self.open = 0
        self.published: list[bytes] = []
        self._breaks_after = breaks_after

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self.writers) == 1 and self._breaks_after is not None:
            asyncio.get_running_loop().call_later(self._breaks_after, writer.close)
        self.open += 1
        try:
            while head := await reader.read(1):
                size = (await reader.readexactly(1))[0]
                assert size < 128, "longer packets are not needed here"
                body = await reader.readexactly(size)
                await asyncio.sleep(self._delay)
                writer.write(self._answer(head[0] >> 4, head[0] >> 1 & 3, body))
                await writer.drain()
        finally:
            self.open -= 1

    def _answer(self, kind: int, qos: int, body: bytes) -> bytes:
        match kind:
            case 1:  # CONNECT
                return b"\x20\x02\x00\x00"
            case 3:  # PUBLISH
                end = 2 + int.from_bytes(body[:2], "big")
                self.published.append(body[end + 2 * bool(qos) :])
                return b"\x40\x02" + body[end : end + 2] if qos else b""
            case 12:  # PINGREQ
                return b"\xd0\x00"
            case 14:  # DISCONNECT
                return b""
        raise ValueError(f"no such packet: {kind}")


async def stop(client: gmqtt.Client) -> None:
    await client.disconnect()


@harness_of(
    "gmqtt",
    cancel="stop",
    finds={"AssertionError: CancelledError in a task that was not cancelled": "gmqtt_closed"},
)
async def gmqtt_calls() -> None:
    """A disconnect() that is cancelled cancels no other call, though all of them wait for one future."""
    async with MQTT():
        client = gmqtt.Client("hunter")
        await client.connect(HOST, PORT, keepalive=0, version=MQTTv311)
        await asyncio.wait([asyncio.create_task(stop(client))])
        try:
            await client.disconnect()
        except asyncio.CancelledError:
            raise AssertionError("CancelledError in a task that was not cancelled") from None


@harness_of(
    "gmqtt",
    cancel="stop",
    finds={
        "AssertionError: a client that was disconnected is connected": "gmqtt_disconnect",
        "CancelledError*": "gmqtt_closed",
    },
)
async def gmqtt_reconnect() -> list[bytes]:
    """After disconnect() there is no connection, whether or not the broker broke it and the client tries again."""
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
