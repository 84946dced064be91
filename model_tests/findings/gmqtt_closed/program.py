"""A client is disconnected by a task, which may be interrupted, and then by main, which is not.

loopspec explore gmqtt_closed/program.py:main --cancel stop
"""

import asyncio

import gmqtt
from gmqtt.mqtt.constants import MQTTv311


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Accept a client, and read what it sends until it leaves."""
    try:
        await reader.read(1)
        writer.write(b"\x20\x02\x00\x00")
        await reader.read()
    except OSError:
        pass
    finally:
        writer.close()


async def stop(client: gmqtt.Client) -> None:
    await client.disconnect()


async def main() -> None:
    server = await asyncio.start_server(serve, "localhost", 1883)
    client = gmqtt.Client("user")
    await client.connect("localhost", keepalive=0, version=MQTTv311)
    await asyncio.wait([asyncio.create_task(stop(client))])
    try:
        await client.disconnect()
    except asyncio.CancelledError:
        raise AssertionError("CancelledError in a task that was not cancelled") from None
    finally:
        server.close()
